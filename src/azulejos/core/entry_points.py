"""Generic entry points, written against the names of `kernels.py` and bound to a game by `compiling.bind`.

The entry points take `(states, i, …)`: the array of records and an index into it. From Python an array argument costs a
microsecond, a record argument up to 24; inside there is no difference. Shapes: states [N], out [number of
actions + 8], keys [N] (one random stream per game), option_codes [number of options].
"""

from typing import Any

import numpy as np

from .kernels import CHANCE, OVER, apply, draw, legal, outcome, projected, setup, turn, ways
from .streams import below

# --- rules: over a record, compiled into the entry points below ---


def settle(state: Any, keys: Any, i: int) -> None:
    """Draw from stream i until it is somebody's turn or the game is over."""
    while turn(state) == CHANCE:
        draw(state, outcome(state, below(keys, i, ways(state))))


def begin(state: Any, option_codes: Any, keys: Any, i: int) -> None:
    """Lay out a new game with a random start player, and deal. The number of players is option_codes[0]."""
    setup(state, option_codes, below(keys, i, option_codes[0]))
    settle(state, keys, i)


# --- entry points ---


def lay_out(states: Any, i: int, option_codes: Any, first: int) -> None:
    """Set game i up to its first draw or action."""
    setup(states[i], option_codes, first)


def whose_turn(states: Any, i: int) -> int:
    """The seat to act in game i, or CHANCE, or OVER."""
    return turn(states[i])


def list_actions(states: Any, i: int, out: Any) -> int:
    """List the legal actions of game i in `out`; how many there are."""
    return legal(states[i], out)


def do_action(states: Any, i: int, action: int) -> None:
    """Play a legal action in game i; draws that follow are left waiting."""
    apply(states[i], action)


def count_ways(states: Any, i: int, out: Any) -> int:
    """In how many equally likely ways each outcome of the due draw can fall, into `out`; in how many in all."""
    state = states[i]
    for k in range(len(out)):
        out[k] = 0
    total = ways(state)
    for way in range(total):
        out[outcome(state, way)] += 1
    return total


def do_draw(states: Any, i: int, drawn: int) -> None:
    """Let the due draw of game i fall on an outcome that is possible."""
    draw(states[i], drawn)


def project(states: Any, i: int, seat: int) -> int:
    """The seat's score if the round of game i ended here."""
    return projected(states[i], seat)


def try_actions(states: Any, i: int, scratch: Any, out: Any, values: Any) -> int:
    """The acting seat's projected score after each legal action of game i; how many there are.

    Lists the actions in `out` and the scores in `values`; `scratch` [1] is overwritten.
    """
    seat = turn(states[i])
    count = legal(states[i], out)
    for k in range(count):
        scratch[0] = states[i]
        apply(scratch[0], np.int64(out[k]))
        values[k] = projected(scratch[0], seat)
    return count


def wander(states: Any, i: int, option_codes: Any, keys: Any, out: Any, moves: int) -> int:
    """Make random moves in game i, all legal actions listed before each; how many games ended.

    A finished game is followed by a new one. A game that is over at the end is left so.
    """
    state = states[i]
    finished = 0
    for _ in range(moves):
        if turn(state) == OVER:
            begin(state, option_codes, keys, i)
        count = legal(state, out)
        apply(state, np.int64(out[below(keys, i, count)]))
        settle(state, keys, i)
        if turn(state) == OVER:
            finished += 1
    return finished


def count_sequences(stack: Any, outs: Any, at: Any, ends: Any, depth: int) -> int:
    """Perft: the number of action sequences of `depth` from stack[0]; one that meets a draw or the end stops there.

    stack [depth + 1], outs [depth + 1, …], at [depth + 1] and ends [depth + 1] are scratch, but for stack[0].
    """
    total = 0
    level = 0
    at[0] = 0
    ends[0] = legal(stack[0], outs[0]) if turn(stack[0]) >= 0 else 0
    if depth == 0 or ends[0] == 0:
        return 1
    while level >= 0:
        if at[level] == ends[level]:
            level -= 1
            continue
        action = np.int64(outs[level, at[level]])
        at[level] += 1
        stack[level + 1] = stack[level]
        apply(stack[level + 1], action)
        if level + 1 == depth or turn(stack[level + 1]) < 0:
            total += 1
        else:
            level += 1
            at[level] = 0
            ends[level] = legal(stack[level], outs[level])
    return total


RULES = (settle, begin)
ENTRY_POINTS = (
    lay_out,
    whose_turn,
    list_actions,
    do_action,
    count_ways,
    do_draw,
    project,
    try_actions,
    wander,
    count_sequences,
)
