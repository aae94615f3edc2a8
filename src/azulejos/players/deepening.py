"""Iterative-deepening alpha-beta to the end of the stage: for two players, where nothing is drawn before it ends.

An action costs depth by its prior, −log(prior), so that likely lines are searched deeper. An action that turns out
better than its prior is searched again for the price of the likeliest. A leaf is rolled out to the end of the stage and
evaluated. Positions are stored in a transposition table. Values are the chance to win of the seat at the root.

`deepen` stops after a given number of nodes and resumes there when it is called again. All memory is passed in, so it
is bounded.
"""

from typing import Any, NamedTuple

import numpy as np

from azulejos.core.kernels import apply, legal, stage, turn
from azulejos.core.maths import exp, log

from .tree import NONE, evaluate_once, hashed, rate_well, roll_out

TRANSPOSITION = np.dtype(
    [
        ("hash", "u8"),
        ("value", "f8"),
        ("depth", "f4"),  # to which the position was searched
        ("move", "i2"),  # the best one found, or NONE
        ("bound", "i2"),  # what the value is: AT_MOST, AT_LEAST, EXACTLY
    ]
)
LEVEL = np.dtype(
    [
        ("hash", "u8"),
        ("count", "i8"),  # of the actions
        ("next", "i8"),  # the action to search next
        ("again", "i8"),  # 1 while an action is searched for the second time
        ("whole", "i8"),  # 1 while everything was searched to the end of the stage
        ("move", "i8"),  # the best one found, or NONE
        ("best", "f8"),  # its value
        ("alpha", "f8"),
        ("beta", "f8"),
        ("low", "f8"),  # alpha and beta as they were at first
        ("high", "f8"),
        ("depth", "f8"),  # that is left to search
        ("least", "f8"),  # the depth that the likeliest action costs
    ]
)
AT_MOST, AT_LEAST, EXACTLY = 1, 2, 3
DEEPEST = 120  # actions from the root
WHOLE = 1e6  # the depth of a search to the end of the stage
FIRST, STEP = 2.0, 1.0  # the first depth, and the step to the next
COSTLIEST = 6.0  # the most depth that an action costs

NOW, NODES, BEST = range(3)  # of `progress`: the present level, the nodes searched, the best action
DEPTH, VALUE = range(2)  # of `reached`: the present depth, WHOLE when the search is done; the value of the best action

_INFINITE = 1e9
_NEARLY = 1e-4  # stored depths are rounded


class Memory(NamedTuple):
    """The arrays of one search, for the entry points. L = DEEPEST + 1."""

    states: Any  # [L] of the game's structured type, one a level
    words: Any  # [L, …], the same memory as `words_of` has it
    levels: Any  # LEVEL [L]
    moves: Any  # int16 [L, number of actions + 8]
    costs: Any  # float64 [L, number of actions + 8], the depth that each move costs
    transpositions: Any  # TRANSPOSITION [a power of two]
    progress: Any  # int64 [3]: NOW, NODES, BEST
    reached: Any  # float64 [2]: DEPTH, VALUE
    tree: Any  # a tree's Memory, with keys of its own, for rolling out and evaluating


def list_moves(
    state: Any, moves: Any, costs: Any, ratings: Any, rows: Any, linear: Any, priors: Any, first: int
) -> int:
    """List the actions and the depth each costs, the likeliest first, but `first` before all; how many."""
    count = legal(state, moves)
    rate_well(state, moves, count, ratings, rows, linear, priors)
    for k in range(1, count):
        move, rating, place = moves[k], ratings[k], k
        while place > 0 and ratings[place - 1] < rating:
            moves[place], ratings[place] = moves[place - 1], ratings[place - 1]
            place -= 1
        moves[place], ratings[place] = move, rating
    total = 0.0
    for k in range(count):
        total += exp(ratings[k] - ratings[0])
    whole = log(total)
    for k in range(count):
        costs[k] = min(whole + ratings[0] - ratings[k], COSTLIEST)
    for k in range(1, count):
        if moves[k] == first:
            cost = costs[k]
            for place in range(k, 0, -1):
                moves[place], costs[place] = moves[place - 1], costs[place - 1]
            moves[0], costs[0] = first, cost
    return count


def store(entry: Any, hash: Any, value: float, depth: float, move: int, bound: int) -> None:
    entry.hash = hash
    entry.value = value
    entry.depth = depth
    entry.move = move
    entry.bound = bound


def answers(entry: Any, depth: float, alpha: float, beta: float) -> Any:
    """Is the stored entry deep enough to answer for (alpha, beta)?"""
    if entry.depth < depth - _NEARLY:
        return False
    if entry.bound == AT_LEAST:
        return entry.value >= beta
    return entry.bound == EXACTLY or entry.value <= alpha


def slot(transpositions: Any, hash: Any) -> Any:
    """The entry in which a position of this hash is stored."""
    return transpositions[hash & np.uint64(len(transpositions) - 1)]


def open_level(
    level: Any,
    state: Any,
    moves: Any,
    costs: Any,
    ratings: Any,
    rows: Any,
    linear: Any,
    priors: Any,
    first: int,
    own: bool,
    bounds: Any,
    depth: float,
) -> None:
    """Begin to search a position, within bounds (alpha, beta) and to a depth. own: is it the root's seat to act?"""
    count = list_moves(state, moves, costs, ratings, rows, linear, priors, first)
    level.count = count
    level.next, level.again, level.whole, level.move = 0, 0, 1, NONE
    level.alpha, level.beta = bounds
    level.low, level.high = bounds
    level.depth = depth
    level.least = min(costs[0], costs[min(1, count - 1)])
    level.best = -_INFINITE if own else _INFINITE


def close_level(level: Any, transpositions: Any) -> None:
    """Store what was found about a position."""
    bound = AT_MOST if level.best <= level.low else AT_LEAST if level.best >= level.high else EXACTLY
    depth = WHOLE if level.whole == 1 else level.depth
    store(slot(transpositions, level.hash), level.hash, level.best, depth, level.move, bound)


def take_value(level: Any, moves: Any, costs: Any, value: float, whole: bool, own: bool) -> Any:
    """Note the value of the action searched last; is it the best so far? If it promises more than its prior, it is
    searched again before it counts."""
    place = level.next - 1
    promising = value > level.alpha if own else value < level.beta
    if promising and not whole and level.again == 0 and place > 0 and costs[place] > level.least:
        level.next, level.again = place, 1
        return False
    level.again = 0
    if not whole:
        level.whole = 0
    better = value > level.best if own else value < level.best
    if better:
        level.best, level.move = value, moves[place]
    if own:
        level.alpha = max(level.alpha, value)
    else:
        level.beta = min(level.beta, value)
    return better


def evaluate_leaf(m: Any, level: int, until: int) -> None:
    """Each seat's chance to win after a rollout without noise, into the tree's `values`."""
    t = m.tree
    roll_out(m.states[level], until, t.actions, t.ratings, t.rows, t.linear, t.keys, 0.0)
    evaluate_once(m.states[level], m.words, level, t)


def deepen(m: Any, nodes: int) -> None:
    """Search m.states[0] for this many nodes more, or until it is done. At first NOW and BEST are NONE, DEPTH is FIRST,
    and the transpositions are empty."""
    t, progress, reached = m.tree, m.progress, m.reached
    root, until = turn(m.states[0]), stage(m.states[0]) + 1
    now, last = progress[NOW], progress[NODES] + nodes
    while progress[NODES] < last and reached[DEPTH] < WHOLE:
        if now == NONE:  # the next iteration
            now, bounds = 0, (-_INFINITE, _INFINITE)
            first, depth = progress[BEST], reached[DEPTH]
            open_level(
                m.levels[0], m.states[0], m.moves[0], m.costs[0], t.ratings, t.rows, t.linear, t.priors, first, True,
                bounds, depth,
            )  # fmt: skip
            continue
        level = m.levels[now]
        if level.next == level.count or level.alpha >= level.beta:  # back to the parent
            value, whole = level.best, level.whole == 1
            if now == 0:
                reached[DEPTH] = WHOLE if whole else reached[DEPTH] + STEP
                now = NONE
                continue
            close_level(level, m.transpositions)
            now -= 1
        else:  # the next action
            below, place = now + 1, level.next
            state, child = m.states[below], m.levels[below]
            m.states[below] = m.states[now]
            apply(state, np.int64(m.moves[now, place]))
            level.next += 1
            progress[NODES] += 1
            if stage(state) >= until or turn(state) < 0:
                evaluate_leaf(m, below, until)
                value, whole = t.values[root], True
            else:
                left = max(level.depth - (level.least if level.again else m.costs[now, place]), 0.0)
                child.hash = hashed(m.words, below)
                entry = slot(m.transpositions, child.hash)
                met = entry.hash == child.hash
                if met and answers(entry, left, level.alpha, level.beta):
                    value, whole = entry.value, entry.depth >= WHOLE
                elif left > 0 and below < DEEPEST:
                    first, bounds = np.int64(entry.move) if met else NONE, (level.alpha, level.beta)
                    own = turn(state) == root
                    open_level(
                        child, state, m.moves[below], m.costs[below], t.ratings, t.rows, t.linear, t.priors, first,
                        own, bounds, left,
                    )  # fmt: skip
                    now = below
                    continue
                else:
                    evaluate_leaf(m, below, until)
                    value, whole = t.values[root], False
                    if not met:
                        store(entry, child.hash, value, 0.0, NONE, EXACTLY)
        own = turn(m.states[now]) == root
        if take_value(m.levels[now], m.moves[now], m.costs[now], value, whole, own) and now == 0:
            progress[BEST], reached[VALUE] = m.levels[0].move, value
    progress[NOW] = now


def follow(m: Any, action: int, line: Any) -> int:
    """The principal variation from m.states[0], beginning with `action`, into `line`; how many actions."""
    until = stage(m.states[0]) + 1
    m.states[1] = m.states[0]
    count = 0
    while action != NONE and count < len(line):
        line[count] = action
        count += 1
        apply(m.states[1], np.int64(action))
        if stage(m.states[1]) >= until or turn(m.states[1]) < 0:
            break
        hash = hashed(m.words, 1)
        entry = slot(m.transpositions, hash)
        action = int(entry.move) if entry.hash == hash else NONE
    return count


RULES = (list_moves, store, answers, slot, open_level, close_level, take_value, evaluate_leaf)
ENTRY_POINTS = (deepen, follow)
