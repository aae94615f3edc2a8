"""A tree of positions, grown one simulation at a time. Written once for every game, in the names of the kernels.

Each simulation walks from the root to a leaf by PUCT, plays on from there to the end of the stage with the actions
that look best at a glance, judges the position reached, and adds the judgement to all that led there. Every seat
seeks its own value (max^n). What is drawn on the way is drawn anew each time; so is what the view hides, since a
view is a state that draws what it does not know when it is turned up. All memory is given from outside, so it is
bounded: a tree that is full goes on with what it has.

After an edge that leads to a draw only a few deals are ever met, the more the more often it is walked, so that the tree
can look past them: each deal is a stream of its own, begun from the number of the edge and of the deal.

Shapes: states [2] (the root, and a place to walk), nodes [N], edges [E], used [3], path [DEEPEST, 2], values [seats],
hopes [seats] (the sums of values), noted [features and patterns], weights [chapters, as many], out [number of actions
+ 8], ratings (longer than out by NOTES), keys [3] (of all draws, of the deal that is being met, and where the streams
of deals begin).
"""

from typing import Any

import numpy as np

from azulejos.core.chance import below
from azulejos.core.kernels import (
    CHANCE,
    OVER,
    apply,
    chapter,
    draw,
    features,
    legal,
    list_things,
    outcome,
    projected,
    rate,
    stage,
    standing,
    turn,
    ways,
)
from azulejos.core.maths import exp

from .judging import PATTERNS

NODE = np.dtype(
    [
        ("drawn", "i8"),  # a hash of what was drawn on the way from the parent; 0 for nothing
        ("total", "f8"),  # of the values for the seat to act
        ("first", "i4"),  # its edges are neighbours
        ("count", "i4"),
        ("visits", "i4"),
        ("spare", "i4"),
        ("seat", "i4"),  # that is to act
        ("other", "i4"),  # the next node that the same edge leads to, after other draws; or NONE
    ]
)
EDGE = np.dtype(
    [
        ("total", "f8"),  # of the values for the seat that acts
        ("prior", "f4"),
        ("visits", "i4"),
        ("child", "i4"),  # or NONE
        ("action", "i4"),
    ]
)
NONE = -1
NOTES = 64  # room behind the ratings for what a game notes while it rates
DEEPEST = 200  # actions in one simulation's walk down the tree
MOST_DEALS = 32  # that may be met after one edge
_FAR_APART = np.uint64(0xD1342543DE82EF95)  # by which the streams of deals are told from each other

# Settings of a search, in this order and before all others: float64.
EXPLORE, DOUBT, WARMTH, WHIM, MARGIN, STAGES = range(6)

FINAL_POINTS = 30.0  # by which the margin of a finished game is measured

NODES, EDGES, DEPTH = range(3)  # what `used` counts


def settle_telling(state: Any, keys: Any, edge: int, visits: int) -> int:
    """Draw what an edge leads to until it is somebody's turn or the game is over; a hash of what was drawn, 0 for
    nothing."""
    if turn(state) != CHANCE:
        return 0
    deal = below(keys, 0, min(MOST_DEALS, 1 + np.int64(np.sqrt(visits))))
    keys[1] = keys[2] + np.uint64(edge * MOST_DEALS + deal + 1) * _FAR_APART
    drawn = 0
    while turn(state) == CHANCE:
        fallen = outcome(state, below(keys, 1, ways(state)))
        draw(state, fallen)
        drawn = drawn * 1000003 + fallen + 1
    return drawn


def expand(state: Any, drawn: int, nodes: Any, edges: Any, used: Any, out: Any, ratings: Any, settings: Any) -> int:
    """Give a position a node and its actions edges, each with a prior; the node, or NONE if there is no room."""
    count = legal(state, out)
    node, first = used[NODES], used[EDGES]
    if node == len(nodes) or first + count > len(edges):
        return NONE
    used[NODES] = node + 1
    used[EDGES] = first + count
    rate(state, out, count, ratings)
    best = ratings[0]
    for k in range(1, count):
        best = max(best, ratings[k])
    total = 0.0
    for k in range(count):
        ratings[k] = exp((ratings[k] - best) / settings[WARMTH])
        total += ratings[k]
    for k in range(count):
        edges[first + k].total = 0.0
        edges[first + k].prior = ratings[k] / total
        edges[first + k].visits = 0
        edges[first + k].child = NONE
        edges[first + k].action = out[k]
    nodes[node].drawn = drawn
    nodes[node].total = 0.0
    nodes[node].first = first
    nodes[node].count = count
    nodes[node].visits = 0
    nodes[node].seat = turn(state)
    nodes[node].other = NONE
    return node


def select(nodes: Any, edges: Any, node: int, settings: Any) -> int:
    """The edge with the best sum of its mean value and what is hoped of it (PUCT).

    An edge not tried yet is taken for a little worse than the node's mean.
    """
    visits = nodes[node].visits
    hope = settings[EXPLORE] * np.sqrt(visits + 1.0)
    untried = nodes[node].total / visits - settings[DOUBT] if visits > 0 else 0.5
    first = nodes[node].first
    best, found = -1e30, first
    for edge in range(first, first + nodes[node].count):
        tries = edges[edge].visits
        mean = edges[edge].total / tries if tries > 0 else untried
        value = mean + hope * edges[edge].prior / (1 + tries)
        if value > best:
            best, found = value, edge
    return found


def child_after(nodes: Any, edges: Any, edge: int, drawn: int) -> int:
    """The node that an edge leads to when this was drawn, or NONE."""
    node = edges[edge].child
    while node != NONE and nodes[node].drawn != drawn:
        node = nodes[node].other
    return node


def play_on(state: Any, until: int, out: Any, ratings: Any, keys: Any, whim: float) -> None:
    """Play what looks best at a glance, give or take a whim, until the stage is over."""
    while stage(state) < until:
        seat = turn(state)
        if seat == OVER:
            return
        if seat == CHANCE:
            draw(state, outcome(state, below(keys, 0, ways(state))))
            continue
        count = legal(state, out)
        found = 0
        if count > 1:
            rate(state, out, count, ratings)
            best = -1e30
            for k in range(count):
                rating = ratings[k] + whim * below(keys, 0, 1024) / 1024
                if rating > best:
                    best, found = rating, k
        apply(state, np.int64(out[found]))


def perceive(state: Any, seat: int, noted: Any, out: Any) -> None:
    """Note a seat's features, and behind them how much of each pattern is there."""
    features(state, seat, noted)
    patterns = PATTERNS.shape[1]
    first = len(noted) - patterns
    for k in range(patterns):
        noted[first + k] = PATTERNS[0, k]
    for i in range(list_things(state, seat, out)):
        thing = np.int64(out[i])
        for k in range(patterns):
            noted[first + k] += PATTERNS[thing, k]
    for k in range(patterns):
        noted[first + k] = max(noted[first + k], 0.0)


def worth(state: Any, seat: int, noted: Any, weights: Any, out: Any) -> float:
    """What a position at the beginning of a stage is worth to a seat: the weighted sum of what is noted."""
    perceive(state, seat, noted, out)
    row = chapter(state)
    total = 0.0
    for k in range(len(noted)):
        total += weights[row, k] * noted[k]
    return total


def judge(state: Any, values: Any, noted: Any, weights: Any, out: Any, margin: float) -> None:
    """Each seat's chance to win. A finished game counts as won or lost, but for a small part that is the margin."""
    seats = len(values)
    over = turn(state) == OVER
    best = -1e30
    for seat in range(seats):
        values[seat] = projected(state, seat) / FINAL_POINTS if over else worth(state, seat, noted, weights, out)
        best = max(best, values[seat])
    total = 0.0
    for seat in range(seats):
        values[seat] = exp(values[seat] - best)
        total += values[seat]
    for seat in range(seats):
        values[seat] /= total
    if over:
        top = standing(state, 0)
        for seat in range(1, seats):
            top = max(top, standing(state, seat))
        winners = 0
        for seat in range(seats):
            if standing(state, seat) == top:
                winners += 1
        for seat in range(seats):
            values[seat] *= margin
            if standing(state, seat) == top:
                values[seat] += (1 - margin) / winners


def simulate(
    states: Any,
    nodes: Any,
    edges: Any,
    used: Any,
    path: Any,
    values: Any,
    hopes: Any,
    noted: Any,
    weights: Any,
    out: Any,
    ratings: Any,
    keys: Any,
    settings: Any,
    simulations: int,
) -> None:
    """Grow the tree of states[0] by so many simulations. An empty tree (used all 0) is begun."""
    if used[NODES] == 0:
        expand(states[0], 0, nodes, edges, used, out, ratings, settings)
    until = stage(states[0]) + np.int64(settings[STAGES])
    for _ in range(simulations):
        states[1] = states[0]
        state = states[1]
        node, depth = 0, 0
        while depth < DEEPEST:
            edge = select(nodes, edges, node, settings)
            path[depth, 0] = node
            path[depth, 1] = edge
            depth += 1
            apply(state, np.int64(edges[edge].action))
            if stage(state) >= until:
                break
            drawn = settle_telling(state, keys, edge, edges[edge].visits)
            if turn(state) == OVER:
                break
            if edges[edge].visits == 0:
                break
            child = child_after(nodes, edges, edge, drawn)
            if child == NONE:
                child = expand(state, drawn, nodes, edges, used, out, ratings, settings)
                if child == NONE:
                    break
                nodes[child].other = edges[edge].child
                edges[edge].child = child
            node = child
        play_on(state, until, out, ratings, keys, settings[WHIM])
        judge(state, values, noted, weights, out, settings[MARGIN])
        used[DEPTH] = max(used[DEPTH], depth)
        for seat in range(len(values)):
            hopes[seat] += values[seat]
        for k in range(depth):
            node, edge = path[k, 0], path[k, 1]
            value = values[nodes[node].seat]
            nodes[node].visits += 1
            nodes[node].total += value
            edges[edge].visits += 1
            edges[edge].total += value


def note(states: Any, i: int, seat: int, noted: Any, out: Any) -> int:
    """The features and patterns of a seat's position in state i, into `noted`; the chapter whose weights are theirs."""
    perceive(states[i], seat, noted, out)
    return chapter(states[i])


def note_things(states: Any, i: int, seat: int, out: Any) -> int:
    """What lies where on a seat's board in state i, into `out`; how many."""
    return list_things(states[i], seat, out)


RULES = (settle_telling, expand, select, child_after, play_on, perceive, worth, judge)
ENTRY_POINTS = (simulate, note, note_things)
