"""The entry points of `stepping.py` as GPU kernels, one thread per game.

Written against the names of those entry points, as they are against the names of the rules.
"""

from typing import Any

import numpy as np

from azulejos.core.gpu import cuda

from .stepping import MOST_ROUNDS, roam, step_games

STATE: Any = np.dtype([])  # the game's structured type
ROOM = 0  # of a list of actions


def entry_point(first: int, last: int, *arguments: Any) -> None:
    """Replaced by the entry point that is bound here."""
    raise NotImplementedError


def every_game(n: int, arguments: Any) -> None:
    i = cuda.grid(1)
    if i < n:
        entry_point(i, i + 1, *arguments)


def step_every_game(n: int, arguments: Any, refused: Any) -> None:
    """refused: int64 [1], the first game whose action is not legal."""
    i = cuda.grid(1)
    if i < n:
        if step_games(i, i + 1, *arguments) >= 0:
            cuda.atomic.min(refused, 0, i)


def wander_in_every_game(n: int, b: Any, moves: int, games: Any) -> None:
    """Played in the thread's own memory. games: int32 [n], how many ended."""
    i = cuda.grid(1)
    if i < n:
        state = cuda.local.array(1, STATE)
        out = cuda.local.array(ROOM, np.int16)
        key = cuda.local.array(1, np.uint64)
        state[0] = b.states[i]
        key[0] = b.keys[i]
        count = np.int64(b.counts[i])
        for k in range(count):
            out[k] = b.lists[i, k]
        finals, most_rounds = b.finals[i : i + 1], b.plan[MOST_ROUNDS]
        count, games[i] = roam(state[0], moves, out, count, finals, key, 0, b.option_codes, most_rounds)
        b.states[i] = state[0]
        b.keys[i] = key[0]
        b.counts[i] = count
        for k in range(count):
            b.lists[i, k] = out[k]
