"""`python -m tests.compiled`: compiles what the tests call.

That is all that `azulejos compile` compiles, with the game outside the package; and in the same process, where it costs
little more, what only tests call.
"""

from concurrent.futures import as_completed

import numpy as np
from examples.pig import Pig

import azulejos as az
from azulejos.arena.workers import processes
from azulejos.players import Limit, Search
from azulejos.players.search import entry_points, network_of
from azulejos.warming import warm

# What takes longest first; importing the last has registered it.
KINDS: list[type[az.Game]] = [*(kind for kind in reversed(az.registered().values()) if kind is not Pig), Pig]


def compile_for_tests(number: int) -> None:
    game = KINDS[number]()
    warm(game)
    if game.judgement in (None, game.kernels):
        return
    found, network = entry_points(game.kernels, game.judgement, game.name), network_of(game, game.judgement)
    state, out = game.start(seed=0), game.actions_buffer()
    inputs = np.zeros((game.players, network.weights.shape[1]), np.float32)
    found.list_inputs(state.array(), 0, inputs, network.patterns, network.hidden, out)
    found.list_board(state.array(), 0, 0, out)
    if game.name == "azul":
        Search(0).choose_many([state], Limit(simulations=1))


if __name__ == "__main__":
    with processes() as workers:
        for job in as_completed([workers.submit(compile_for_tests, number) for number in range(len(KINDS))]):
            job.result()
