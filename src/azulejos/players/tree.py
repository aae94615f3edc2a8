"""Tree search with PUCT, for every game: written in the names of the kernels and bound to a game's rules.

A simulation walks from the root to a leaf by PUCT, plays a rollout from there to the end of the stage, evaluates the
position reached and adds its values to all edges walked. Every seat maximises its own value (max^n). Draws are sampled;
so is what a view hides, since a view draws what it does not know when it is turned up. All memory is passed in, so it
is bounded: a full tree goes on with the nodes it has.

Draws use progressive widening: the number of deals that can follow an edge grows with the root of its visits, so that
the tree can grow past draws. Each deal is a stream of random numbers of its own, keyed by the edge and the deal.
"""

import math
from typing import Any, NamedTuple

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

from .judging import HIDDEN, PATTERNS

NODE = np.dtype(
    (
        np.record,
        [
            ("drawn", "i8"),  # a hash of the draws between the parent and this node; 0 for none
            ("total", "f8"),  # the sum of the values for the seat to act
            ("first", "i4"),  # its edges are `first` up to `first + count`
            ("count", "i4"),
            ("visits", "i4"),
            ("spare", "i4"),
            ("seat", "i4"),  # that is to act
            ("other", "i4"),  # the next node behind the same edge, after other draws; or NONE
        ],
    )
)
EDGE = np.dtype(
    (
        np.record,
        [
            ("total", "f8"),  # the sum of the values for the seat that acts
            ("prior", "f4"),
            ("visits", "i4"),
            ("child", "i4"),  # or NONE
            ("action", "i4"),
        ],
    )
)
NONE = -1
NOTES = 64  # scratch behind the ratings, for a game's `rate`
DEEPEST = 200  # actions in one simulation's walk down the tree
MOST_DEALS = 32  # after one edge
_FAR_APART = np.uint64(0xD1342543DE82EF95)  # between the keys of the streams of deals

# The parameters of a search, in this order and before all others: float64.
EXPLORE, FPU_REDUCTION, TEMPERATURE, NOISE, MARGIN, STAGES = range(6)

ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN = (np.uint64(k) for k in range(1, 8))
FINAL_POINTS = 30.0  # the scale of a finished game's margin

NODES, EDGES, DEPTH = range(3)  # of `used`: nodes and edges in use, the longest walk


class Memory(NamedTuple):
    """The arrays of one tree, for the entry points."""

    states: Any  # [2] of the game's structured type: the root, and the position of the simulation
    nodes: Any  # NODE [N]
    edges: Any  # EDGE [E]
    used: Any  # int64 [3]: NODES, EDGES, DEPTH
    path: Any  # int64 [DEEPEST, 2]: the nodes and edges of the walk
    values: Any  # float64 [seats], of the last simulation
    totals: Any  # float64 [seats], the sum of the values of all simulations
    inputs: Any  # float64 [seats, features, patterns and hidden units]
    weights: Any  # float64 [chapters, features, patterns and hidden units]
    patterns: Any  # float64 [1 + things, patterns]
    hidden: Any  # float64 [1 + 2 · patterns, hidden units]
    actions: Any  # int16 [number of actions + 8]
    ratings: Any  # float64 [number of actions + 8 + NOTES]
    keys: Any  # uint64 [3], streams: of the simulations, of the present deal, and the key that all deals start from
    parameters: Any  # float64 [6 or more]


# --- rules: few arrays each, since every array passed to a compiled function is reference counted ---


def draw_deal(state: Any, keys: Any, edge: int, visits: int) -> int:
    """Sample the draws behind an edge until a seat is to act or the game is over; a hash of them, 0 for none."""
    if turn(state) != CHANCE:
        return 0
    deal = below(keys, 0, min(MOST_DEALS, 1 + np.int64(math.sqrt(visits))))
    keys[1] = keys[2] + np.uint64(edge * MOST_DEALS + deal + 1) * _FAR_APART
    drawn = 0
    while turn(state) == CHANCE:
        fallen = outcome(state, below(keys, 1, ways(state)))
        draw(state, fallen)
        drawn = drawn * 1000003 + fallen + 1
    return drawn


def expand(
    state: Any, drawn: int, nodes: Any, edges: Any, used: Any, actions: Any, ratings: Any, temperature: float
) -> int:
    """Add a node with an edge for each action, the priors softmax(ratings); the node, or NONE if memory is full."""
    count = legal(state, actions)
    node, first = used[NODES], used[EDGES]
    if node == len(nodes) or first + count > len(edges):
        return NONE
    used[NODES] = node + 1
    used[EDGES] = first + count
    rate(state, actions, count, ratings)
    best = ratings[0]
    for k in range(1, count):
        best = max(best, ratings[k])
    total = 0.0
    for k in range(count):
        ratings[k] = exp((ratings[k] - best) / temperature)
        total += ratings[k]
    for k in range(count):
        edges[first + k].total = 0.0
        edges[first + k].prior = ratings[k] / total
        edges[first + k].visits = 0
        edges[first + k].child = NONE
        edges[first + k].action = actions[k]
    nodes[node].drawn = drawn
    nodes[node].total = 0.0
    nodes[node].first = first
    nodes[node].count = count
    nodes[node].visits = 0
    nodes[node].seat = turn(state)
    nodes[node].other = NONE
    return node


def select(nodes: Any, edges: Any, node: int, parameters: Any) -> int:
    """The edge with the highest PUCT score: mean value + explore · prior · sqrt(visits of the node) / (1 + visits).

    The mean value of an unvisited edge is the node's, less FPU_REDUCTION.
    """
    visits = nodes[node].visits
    explore = parameters[EXPLORE] * math.sqrt(visits + 1.0)
    unvisited = nodes[node].total / visits - parameters[FPU_REDUCTION] if visits > 0 else 0.5
    first = nodes[node].first
    best, found = -1e30, first
    for edge in range(first, first + nodes[node].count):
        tries = edges[edge].visits
        mean = edges[edge].total / tries if tries > 0 else unvisited
        value = mean + explore * edges[edge].prior / (1 + tries)
        if value > best:
            best, found = value, edge
    return found


def child_after(nodes: Any, edges: Any, edge: int, drawn: int) -> int:
    """The node behind an edge after these draws, or NONE."""
    node = edges[edge].child
    while node != NONE and nodes[node].drawn != drawn:
        node = nodes[node].other
    return node


def roll_out(state: Any, until: int, actions: Any, ratings: Any, keys: Any, noise: float) -> None:
    """Play the action with the highest rating plus uniform noise, again and again, until the stage is over."""
    while stage(state) < until:
        seat = turn(state)
        if seat == OVER:
            return
        if seat == CHANCE:
            draw(state, outcome(state, below(keys, 0, ways(state))))
            continue
        count = legal(state, actions)
        found = 0
        if count > 1:
            rate(state, actions, count, ratings)
            best = -1e30
            for k in range(count):
                rating = ratings[k] + noise * below(keys, 0, 1024) / 1024
                if rating > best:
                    best, found = rating, k
        apply(state, np.int64(actions[found]))


def add_rows(sums: Any, first: int, count: int, rows: Any, things: Any, number: int) -> None:
    """ReLU of row 0 and the rows of the things, into `sums` from `first` on: eight sums at a time stay in registers."""
    for k in range(0, count, 8):
        a, b, c, d = rows[0, k], rows[0, k + 1], rows[0, k + 2], rows[0, k + 3]
        e, f, g, h = rows[0, k + 4], rows[0, k + 5], rows[0, k + 6], rows[0, k + 7]
        j = np.uint64(k)
        for i in range(number):
            row = np.uint64(things[i])
            a += rows[row, j]
            b += rows[row, j + ONE]
            c += rows[row, j + TWO]
            d += rows[row, j + THREE]
            e += rows[row, j + FOUR]
            f += rows[row, j + FIVE]
            g += rows[row, j + SIX]
            h += rows[row, j + SEVEN]
        sums[first + k], sums[first + k + 1] = max(a, 0.0), max(b, 0.0)
        sums[first + k + 2], sums[first + k + 3] = max(c, 0.0), max(d, 0.0)
        sums[first + k + 4], sums[first + k + 5] = max(e, 0.0), max(f, 0.0)
        sums[first + k + 6], sums[first + k + 7] = max(g, 0.0), max(h, 0.0)


def fill_inputs(state: Any, seat: int, inputs: Any, patterns: Any, actions: Any) -> None:
    """A seat's features, and behind them its patterns: ReLU of the sum of the rows of the things on its board."""
    features(state, seat, inputs)
    first = len(inputs) - PATTERNS.shape[1] - HIDDEN.shape[1]
    add_rows(inputs, first, PATTERNS.shape[1], patterns, actions, list_things(state, seat, actions))


def compare_boards(inputs: Any, seat: int, hidden: Any) -> None:
    """Behind a seat's features and patterns: the hidden layer over its own patterns and the mean of the others'."""
    seats, patterns, count = len(inputs), PATTERNS.shape[1], HIDDEN.shape[1]
    last = inputs.shape[1] - count
    for k in range(0, count, 8):
        a, b, c, d = hidden[0, k], hidden[0, k + 1], hidden[0, k + 2], hidden[0, k + 3]
        e, f, g, h = hidden[0, k + 4], hidden[0, k + 5], hidden[0, k + 6], hidden[0, k + 7]
        i = np.uint64(k)
        for j in range(patterns):
            own, others = inputs[seat, last - patterns + j], 0.0
            for other in range(seats):
                if other != seat:
                    others += inputs[other, last - patterns + j]
            others /= seats - 1
            row, row2 = np.uint64(1 + j), np.uint64(1 + patterns + j)
            a += own * hidden[row, i] + others * hidden[row2, i]
            b += own * hidden[row, i + ONE] + others * hidden[row2, i + ONE]
            c += own * hidden[row, i + TWO] + others * hidden[row2, i + TWO]
            d += own * hidden[row, i + THREE] + others * hidden[row2, i + THREE]
            e += own * hidden[row, i + FOUR] + others * hidden[row2, i + FOUR]
            f += own * hidden[row, i + FIVE] + others * hidden[row2, i + FIVE]
            g += own * hidden[row, i + SIX] + others * hidden[row2, i + SIX]
            h += own * hidden[row, i + SEVEN] + others * hidden[row2, i + SEVEN]
        inputs[seat, last + k], inputs[seat, last + k + 1] = max(a, 0.0), max(b, 0.0)
        inputs[seat, last + k + 2], inputs[seat, last + k + 3] = max(c, 0.0), max(d, 0.0)
        inputs[seat, last + k + 4], inputs[seat, last + k + 5] = max(e, 0.0), max(f, 0.0)
        inputs[seat, last + k + 6], inputs[seat, last + k + 7] = max(g, 0.0), max(h, 0.0)


def fill_all_inputs(state: Any, inputs: Any, patterns: Any, hidden: Any, actions: Any) -> None:
    """The inputs of the seats' worth: features, patterns, and the hidden layer."""
    for seat in range(len(inputs)):
        fill_inputs(state, seat, inputs[seat], patterns, actions)
    if HIDDEN.shape[1] > 0:
        for seat in range(len(inputs)):
            compare_boards(inputs, seat, hidden)


def evaluate(
    state: Any, values: Any, inputs: Any, weights: Any, patterns: Any, hidden: Any, actions: Any, margin: float
) -> None:
    """Each seat's chance to win: the softmax of their worth, the weighted sums of their inputs. A finished game counts
    as won or lost, but for a share `margin`, which goes by the points."""
    seats = len(values)
    over = turn(state) == OVER
    row = 0
    if not over:
        row = chapter(state)
        fill_all_inputs(state, inputs, patterns, hidden, actions)
    best = -1e30
    for seat in range(seats):
        worth = 0.0
        if over:
            worth = projected(state, seat) / FINAL_POINTS
        else:
            for k in range(inputs.shape[1]):
                worth += weights[row, k] * inputs[seat, k]
        values[seat] = worth
        best = max(best, worth)
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


def back_up(nodes: Any, edges: Any, path: Any, depth: int, values: Any) -> None:
    """Add the values to the nodes and edges of the walk."""
    for k in range(depth):
        node, edge = path[k, 0], path[k, 1]
        value = values[nodes[node].seat]
        nodes[node].visits += 1
        nodes[node].total += value
        edges[edge].visits += 1
        edges[edge].total += value


# --- entry points ---


def simulate(m: Any, simulations: int) -> None:
    """Grow the tree of m.states[0] by this many simulations. An empty tree (m.used all 0) gets its root first."""
    state, nodes, edges, used = m.states[1], m.nodes, m.edges, m.used
    actions, ratings, keys, parameters = m.actions, m.ratings, m.keys, m.parameters
    if used[NODES] == 0:
        expand(m.states[0], 0, nodes, edges, used, actions, ratings, parameters[TEMPERATURE])
    until = stage(m.states[0]) + np.int64(parameters[STAGES])
    for _ in range(simulations):
        m.states[1] = m.states[0]
        node, depth = 0, 0
        while depth < DEEPEST:
            edge = select(nodes, edges, node, parameters)
            m.path[depth, 0] = node
            m.path[depth, 1] = edge
            depth += 1
            apply(state, np.int64(edges[edge].action))
            if stage(state) >= until:
                break
            drawn = draw_deal(state, keys, edge, edges[edge].visits)
            if turn(state) == OVER:
                break
            if edges[edge].visits == 0:
                break
            child = child_after(nodes, edges, edge, drawn)
            if child == NONE:
                child = expand(state, drawn, nodes, edges, used, actions, ratings, parameters[TEMPERATURE])
                if child == NONE:
                    break
                nodes[child].other = edges[edge].child
                edges[edge].child = child
            node = child
        roll_out(state, until, actions, ratings, keys, parameters[NOISE])
        evaluate(state, m.values, m.inputs, m.weights, m.patterns, m.hidden, actions, parameters[MARGIN])
        used[DEPTH] = max(used[DEPTH], depth)
        for seat in range(len(m.values)):
            m.totals[seat] += m.values[seat]
        back_up(nodes, edges, m.path, depth, m.values)


def list_inputs(states: Any, i: int, inputs: Any, patterns: Any, hidden: Any, out: Any) -> int:
    """All seats' inputs in state i, into `inputs` [seats, …]; the row of their weights."""
    fill_all_inputs(states[i], inputs, patterns, hidden, out)
    return chapter(states[i])


def list_board(states: Any, i: int, seat: int, out: Any) -> int:
    """The things on a seat's board in state i, into `out`; how many."""
    return list_things(states[i], seat, out)


RULES = (
    draw_deal,
    expand,
    select,
    child_after,
    roll_out,
    add_rows,
    fill_inputs,
    compare_boards,
    fill_all_inputs,
    evaluate,
    back_up,
)
ENTRY_POINTS = (simulate, list_inputs, list_board)
