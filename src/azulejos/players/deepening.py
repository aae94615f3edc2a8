"""Alpha-beta to the end of the stage, deeper and deeper: for two players, where nothing is drawn before the stage ends.

Depth is not counted in actions: each costs as much as it looks unlikely at a glance (the logarithm of its prior), so
that likely lines are followed far. An action that turns out better than it looked is looked into once more, for the
price of the likeliest. A leaf is played on to the end of the stage with the actions that look best, and judged.
Positions met before are found again in a table. Values are the chance to win of the seat at the root.

`deepen` stops after so many nodes, and goes on from there when it is called again. All memory is given from outside,
so it is bounded.

Shapes: states [DEEPEST + 1], one a level, and words, the same memory as uint32 [DEEPEST + 1, …]; moves and costs
[DEEPEST + 1, number of actions + 8]; places int64 [5, DEEPEST + 1]; bounds float64 [7, DEEPEST + 1]; hashes uint64
[DEEPEST + 1]; table [a power of two]; progress int64 [3]; reached float64 [2]; and, as in the tree, values, noted,
weights, out, ratings, keys.
"""

from typing import Any

import numpy as np

from azulejos.core.kernels import apply, legal, rate, stage, turn
from azulejos.core.maths import exp, log

from .tree import NONE, judge, play_on

ENTRY = np.dtype(
    [
        ("hash", "u8"),
        ("value", "f8"),
        ("depth", "f4"),  # to which it was looked into
        ("move", "i2"),  # the best one found, or NONE
        ("bound", "i2"),  # what the value is: AT_MOST, AT_LEAST, EXACTLY
    ]
)
AT_MOST, AT_LEAST, EXACTLY = 1, 2, 3
DEEPEST = 120  # actions from the root
WHOLE = 1e6  # the depth of what was looked into to the end of the stage
FIRST, STEP = 2.0, 1.0  # the first depth, and by how much each next one is deeper
COSTLIEST = 6.0  # depth that one action costs at most

LEVEL, NODES, BEST = range(3)  # `progress`: where it is, how many nodes it made, the best action
DEPTH, VALUE = range(2)  # `reached`: how deep it looks now, or WHOLE when it is done; what the best action is worth

_WITHOUT_END = 1e9
_NEARLY = 1e-4  # costs are rounded where they are kept
_MIX1, _MIX2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_S29, _S32 = np.uint64(29), np.uint64(32)


def hashed(words: Any, level: int) -> Any:
    """A hash of a level's position, mixed in two strands that do not wait for each other."""
    one, other = _MIX2, _MIX1
    last = words.shape[1] - 1
    for k in range(0, last, 2):
        one = (one ^ words[level, k]) * _MIX1
        other = (other ^ words[level, k + 1]) * _MIX2
    one = (one ^ words[level, last]) * _MIX1
    mixed = ((one ^ one >> _S29) + (other ^ other >> _S32) * _MIX1) * _MIX2
    return mixed ^ mixed >> _S29


def list_moves(state: Any, moves: Any, costs: Any, ratings: Any, first: int) -> int:
    """List the actions of a position and what depth each costs, the likeliest first, but `first` before all; how
    many."""
    count = legal(state, moves)
    rate(state, moves, count, ratings)
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


def keep(entry: Any, hash: Any, value: float, depth: float, move: int, bound: int) -> None:
    entry.hash = hash
    entry.value = value
    entry.depth = depth
    entry.move = move
    entry.bound = bound


def tells(entry: Any, depth: float, alpha: float, beta: float) -> Any:
    """Whether what is kept is deep enough, and all that is asked between alpha and beta."""
    if entry.depth < depth - _NEARLY:
        return False
    if entry.bound == AT_LEAST:
        return entry.value >= beta
    return entry.bound == EXACTLY or entry.value <= alpha


def deepen(
    states: Any,
    words: Any,
    moves: Any,
    costs: Any,
    places: Any,
    bounds: Any,
    hashes: Any,
    table: Any,
    progress: Any,
    reached: Any,
    values: Any,
    noted: Any,
    weights: Any,
    ratings: Any,
    out: Any,
    keys: Any,
    margin: float,
    nodes: int,
) -> None:
    """Go on with the search from states[0] for so many nodes, or until it is done. Begun: LEVEL is NONE, DEPTH FIRST,
    BEST NONE, and the table empty."""
    count, at, again, whole, good = places[0], places[1], places[2], places[3], places[4]
    best, alpha, beta, low, high, rest, least = (
        bounds[0],
        bounds[1],
        bounds[2],
        bounds[3],
        bounds[4],
        bounds[5],
        bounds[6],
    )
    mine, until = turn(states[0]), stage(states[0]) + 1
    mask = np.uint64(len(table) - 1)
    level, last = progress[LEVEL], progress[NODES] + nodes
    while progress[NODES] < last and reached[DEPTH] < WHOLE:
        opened, sure, value = NONE, False, 0.0
        if level == NONE:  # a deeper look from the root
            opened, first = 0, progress[BEST]
            alpha[0], beta[0], rest[0] = -_WITHOUT_END, _WITHOUT_END, reached[DEPTH]
        elif at[level] == count[level] or alpha[level] >= beta[level]:  # all was tried that matters: back to the parent
            value, sure = best[level], whole[level] == 1
            if level == 0:
                reached[DEPTH] = WHOLE if sure else reached[DEPTH] + STEP
                level = NONE
                continue
            bound = AT_MOST if value <= low[level] else AT_LEAST if value >= high[level] else EXACTLY
            depth = WHOLE if sure else rest[level]
            keep(table[hashes[level] & mask], hashes[level], value, depth, good[level], bound)
            level -= 1
        else:  # the next action
            place, below = at[level], level + 1
            states[below] = states[level]
            apply(states[below], np.int64(moves[level, place]))
            at[level] += 1
            progress[NODES] += 1
            if stage(states[below]) >= until or turn(states[below]) < 0:
                judge_after(states[below], until, values, noted, weights, out, ratings, keys, margin)
                value, sure = values[mine], True
            else:
                left = max(rest[level] - (least[level] if again[level] else costs[level, place]), 0.0)
                hashes[below] = hashed(words, below)
                entry = table[hashes[below] & mask]
                met = entry.hash == hashes[below]
                if met and tells(entry, left, alpha[level], beta[level]):
                    value, sure = entry.value, entry.depth >= WHOLE
                elif left > 0 and below < DEEPEST:
                    opened, first = below, np.int64(entry.move) if met else NONE
                    alpha[below], beta[below], rest[below] = alpha[level], beta[level], left
                else:
                    judge_after(states[below], until, values, noted, weights, out, ratings, keys, margin)
                    value = values[mine]
                    if not met:
                        keep(entry, hashes[below], value, 0.0, NONE, EXACTLY)
        if opened != NONE:
            level = opened
            count[level] = list_moves(states[level], moves[level], costs[level], ratings, first)
            least[level] = min(costs[level, 0], costs[level, min(1, count[level] - 1)])
            at[level], again[level], whole[level], good[level] = 0, 0, 1, NONE
            low[level], high[level] = alpha[level], beta[level]
            best[level] = -_WITHOUT_END if turn(states[level]) == mine else _WITHOUT_END
            continue
        place = at[level] - 1
        own = turn(states[level]) == mine
        better = value > alpha[level] if own else value < beta[level]
        if better and not sure and again[level] == 0 and place > 0 and costs[level, place] > least[level]:
            at[level], again[level] = place, 1
            continue
        again[level] = 0
        if not sure:
            whole[level] = 0
        if (value > best[level]) if own else (value < best[level]):
            best[level], good[level] = value, moves[level, place]
            if level == 0:
                progress[BEST], reached[VALUE] = good[0], value
        if own:
            alpha[level] = max(alpha[level], value)
        else:
            beta[level] = min(beta[level], value)
    progress[LEVEL] = level


def judge_after(
    state: Any, until: int, values: Any, noted: Any, weights: Any, out: Any, ratings: Any, keys: Any, margin: float
) -> None:
    """Each seat's chance to win if play goes on as it looks best at a glance."""
    play_on(state, until, out, ratings, keys, 0.0)
    judge(state, values, noted, weights, out, margin)


def follow(states: Any, words: Any, table: Any, action: int, line: Any) -> int:
    """How play is expected to go on from states[0]: the actions from `action` on, into `line`; how many."""
    until, mask = stage(states[0]) + 1, np.uint64(len(table) - 1)
    states[1] = states[0]
    count = 0
    while action != NONE and count < len(line):
        line[count] = action
        count += 1
        apply(states[1], np.int64(action))
        if stage(states[1]) >= until or turn(states[1]) < 0:
            break
        hash = hashed(words, 1)
        entry = table[hash & mask]
        action = int(entry.move) if entry.hash == hash else NONE
    return count


RULES = (hashed, list_moves, keep, tells, judge_after)
ENTRY_POINTS = (deepen, follow)
