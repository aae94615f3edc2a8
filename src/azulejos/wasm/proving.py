"""Proof that a game's module plays as the native code does: `python -m azulejos.wasm.proving [GAME …]`.

For every variant: 1,000 random games, position by position, and searches; for every game, the search's signature.
"""

import hashlib
import sys
from functools import partial

import numpy as np

from azulejos.core.game import Game
from azulejos.core.registry import registered
from azulejos.core.streams import streams
from azulejos.players import Limit, Search
from azulejos.players.signature import signature

from .running import Node, NodeSearch

GAMES = 1_000
_MOVES = 25  # between two looks at the position
_MOST = 1_000_000  # moves: random play may never end a game


def play(game: Game, node: Node, games: int, most: int = _MOST) -> int:
    """Play random games in both until `games` have ended or `most` moves were made; how many ended. Raises
    AssertionError where a position differs."""
    start, key = game.start(seed=1), streams(1, 5)[0]
    array, keys, out = start.array(), np.array([key]), game.actions_buffer()
    digest, finished, times = hashlib.sha256(), 0, 0
    while finished < games and times * _MOVES < most:
        finished += int(game.entry_points.wander(array, 0, game.option_codes, keys, out, _MOVES))
        digest.update(array.tobytes())
        times += 1
    there = node.run("wander", game, start, key=str(key), moves=_MOVES, times=times)
    assert there == {"hash": digest.hexdigest(), "finished": finished}, f"{game!r} plays differently"
    return finished


def search(game: Game, node: Node, simulations: int) -> None:
    """The same search in both, from a first position. Raises AssertionError where anything of it differs."""
    state, limit = game.start(seed=2), Limit(simulations=simulations)
    assert state.seat is not None
    view = state.view(state.seat)
    assert NodeSearch(node, 3).choose(view, limit) == Search(3).choose(view, limit), f"{game!r} searches differently"


def main() -> None:
    with Node() as node:
        for name in sys.argv[1:] or registered():
            for game in registered()[name].variants():
                finished = play(game, node, GAMES)
                for simulations in (1, 500, 6_000):
                    search(game, node, simulations)
                print(f"{game!r}: {finished:,} games and 3 searches are equal", flush=True)
            native, there = signature(registered()[name]()), signature(registered()[name](), partial(NodeSearch, node))
            assert native == there, f"{name} has another signature"
            print(f"{name}: the signature is {native:08x} in both", flush=True)


if __name__ == "__main__":
    main()
