"""The steps of `stepping.py` with one thread of a GPU a game.

Written in the names of the kernels, as those are. Arrays and shapes are the same, but that `lists` is turned,
[number of actions + 8, n]: so neighbouring threads write to neighbouring places.
"""

from typing import Any

import numpy as np
from numba import cuda

from azulejos.core.chance import below
from azulejos.core.doors import begin
from azulejos.core.kernels import observe

from .stepping import choose_best, list_legal, mask_game, spread_game, step_game, wander_game

_grid: Any = cuda
STATE: Any = np.dtype([])  # the game's structured type
ROOM, PLAYERS = 0, 0  # of a list of actions; of a game


def reset_games(states: Any, lists: Any, counts: Any, seats: Any, keys: Any, settings: Any) -> None:
    i = _grid.grid(1)
    if i < states.shape[0]:
        begin(states[i], settings, keys, i)
        list_legal(states[i], i, lists[:, i], counts, seats)


def step_games(
    states: Any,
    actions: Any,
    lists: Any,
    counts: Any,
    seats: Any,
    rewards: Any,
    finals: Any,
    ended: Any,
    keys: Any,
    settings: Any,
    plan: Any,
    refused: Any,
) -> None:
    """refused: int64 [1], the first game whose action is not legal."""
    i = _grid.grid(1)
    if i < states.shape[0]:
        played = step_game(
            states, i, actions[i], lists[:, i], counts, seats, rewards, finals, ended, keys, settings, plan
        )
        if not played:
            _grid.atomic.min(refused, 0, i)


def wander_games(
    states: Any,
    moves: Any,
    lists: Any,
    counts: Any,
    seats: Any,
    rewards: Any,
    finals: Any,
    ended: Any,
    keys: Any,
    settings: Any,
    plan: Any,
    games: Any,
) -> None:
    """The game is played in the thread's own memory. games: int32 [n], how many were ended on the way."""
    i = _grid.grid(1)
    if i < states.shape[0]:
        state = _grid.local.array(1, STATE)
        out = _grid.local.array(ROOM, np.int16)
        key = _grid.local.array(1, np.uint64)
        count = _grid.local.array(1, np.int16)
        seat = _grid.local.array(1, np.int8)
        end = _grid.local.array(1, np.int8)
        reward = _grid.local.array((1, PLAYERS), np.float32)
        state[0] = states[i]
        key[0] = keys[i]
        end[0] = ended[i]
        for k in range(PLAYERS):
            reward[0, k] = rewards[i, k]
        list_legal(state[0], 0, out, count, seat)
        games[i] = wander_game(state, 0, moves, out, count, seat, reward, finals[i : i + 1], end, key, settings, plan)
        states[i] = state[0]
        keys[i] = key[0]
        counts[i] = count[0]
        seats[i] = seat[0]
        ended[i] = end[0]
        for k in range(PLAYERS):
            rewards[i, k] = reward[0, k]
        for k in range(count[0]):
            lists[k, i] = out[k]


def choose_at_random(lists: Any, counts: Any, keys: Any, actions: Any) -> None:
    i = _grid.grid(1)
    if i < actions.shape[0]:
        actions[i] = lists[below(keys, i, counts[i]), i]


def choose_greedily(states: Any, lists: Any, counts: Any, seats: Any, keys: Any, scratch: Any, actions: Any) -> None:
    i = _grid.grid(1)
    if i < actions.shape[0]:
        choose_best(states, i, lists[:, i], counts, seats, keys, scratch, i, actions)


def mask_games(lists: Any, counts: Any, mask: Any) -> None:
    i = _grid.grid(1)
    if i < mask.shape[0]:
        mask_game(lists[:, i], counts[i], mask[i])


def observe_games(states: Any, seats: Any, out: Any) -> None:
    i = _grid.grid(1)
    if i < states.shape[0]:
        observe(states[i], np.int64(seats[i]), out[i])


def spread_games(compact: Any, places: Any, most: Any, kinds: Any, out: Any) -> None:
    i = _grid.grid(1)
    if i < compact.shape[0]:
        spread_game(compact[i], places, most, kinds, out[i])


KERNELS = (
    reset_games,
    step_games,
    wander_games,
    choose_at_random,
    choose_greedily,
    mask_games,
    observe_games,
    spread_games,
)
