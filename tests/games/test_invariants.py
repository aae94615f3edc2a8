"""Every position of random games is possible: all tiles there, nothing over its capacity, scores in range.

The test command runs this twice: compiled; and uncompiled, where NumPy checks every index. Compiled, an index out of
range would write into the next field in silence.
"""

import numpy as np
import pytest

import azulejos as az

from .books import every_variant

MOVES = 250


@pytest.mark.parametrize("game", every_variant(), ids=lambda game: game.slug)
def test_every_position_of_random_games_is_possible(game: az.Game) -> None:
    for seed in range(2):
        array, out = game.start(seed=seed).array(), game.actions_buffer()
        keys = np.array([seed], np.uint64)
        for _ in range(MOVES):
            game.entry_points.wander(array, 0, game.option_codes, keys, out, 1)
            state = az.State(game, array.copy())
            assert (wrong := game.check(state)) is None, f"{wrong} in {state}"
            for seat in range(game.players):
                game.entry_points.project(array, 0, seat)
            assert state == az.State(game, array), "looking at a position changed it"
