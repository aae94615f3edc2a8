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

from azulejos.core.kernels import (
    CHANCE,
    OVER,
    apply,
    chapter,
    describe_actions,
    describe_briefly,
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
from azulejos.core.streams import below

from .judging import BRIEF, HIDDEN_UNITS, LINEAR_UNITS, PATTERN_UNITS, PRIOR_UNITS

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
NOTES = 128  # scratch behind the ratings, and behind the rows: for a game's `rate` and `describe_actions`
ASPECTS = 8  # rows of PRIORS that describe an action
DEEPEST = 200  # actions in one simulation's walk down the tree
MOST_DEALS = 32  # after one edge
EVALUATIONS = 1 << 12  # that are kept, a power of two
_FAR_APART = np.uint64(0xD1342543DE82EF95)  # between the keys of the streams of deals
_MIX1, _MIX2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_S29, _S32 = np.uint64(29), np.uint64(32)

# The parameters of a search, in this order and before all others: float64.
EXPLORE, FPU_REDUCTION, TEMPERATURE, NOISE, MARGIN, STAGES = range(6)

NOTHING = np.float32(0)
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)
FINAL_POINTS = 30.0  # the scale of a finished game's margin

NODES, EDGES, DEPTH = range(3)  # of `used`: nodes and edges in use, the longest walk


class Memory(NamedTuple):
    """The arrays of one tree, for the entry points."""

    states: Any  # [2] of the game's structured type: the root, and the position of the simulation
    words: Any  # [2, …], the same memory as `words_of` has it
    nodes: Any  # NODE [N]
    edges: Any  # EDGE [E]
    used: Any  # int64 [3]: NODES, EDGES, DEPTH
    path: Any  # int64 [DEEPEST, 2]: the nodes and edges of the walk
    values: Any  # float64 [seats], of the last simulation
    totals: Any  # float64 [seats], the sum of the values of all simulations
    hashes: Any  # uint64 [a power of two], of positions that were evaluated
    evaluations: Any  # float64 [the same, seats]: their values
    inputs: Any  # float32 [seats, features, patterns and hidden units]
    weights: Any  # float32 [chapters, features, patterns and hidden units]
    patterns: Any  # float32 [1 + things, patterns]
    hidden: Any  # float32 [1 + 2 · patterns, hidden units]
    linear: Any  # float32 [rows, 1], added to the ratings; none: float32 [1, 0]
    priors: Any  # float32 [rows, units]: the network of the priors
    actions: Any  # int16 [number of actions + 8]
    ratings: Any  # float64 [number of actions + 8 + NOTES]
    rows: Any  # int16 [number of actions + 8 + NOTES, ASPECTS]
    keys: Any  # uint64 [3], streams: of the simulations, of the present deal, and the key that all deals start from
    parameters: Any  # float64 [6 or more]


# --- rules ---


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


def add_rows(sums: Any, base: Any, table: Any, things: Any, number: int) -> None:
    """ReLU of the base and the table's rows of the things, into `sums`. The length is the table's and not a constant:
    only such a loop is vectorised."""
    count, whole = table.shape[1], number - number % 4
    for k in range(count):
        sums[k] = base[k]
    for i in range(0, whole, 4):  # four rows at a time: the sums are loaded and stored less often
        a, b = table[np.uint64(things[i])], table[np.uint64(things[i + 1])]
        c, d = table[np.uint64(things[i + 2])], table[np.uint64(things[i + 3])]
        for k in range(count):
            sums[k] = sums[k] + a[k] + b[k] + c[k] + d[k]
    for i in range(whole, number):
        row = table[np.uint64(things[i])]
        for k in range(count):
            sums[k] += row[k]
    for k in range(count):
        sums[k] = max(sums[k], NOTHING)


def add_aspects(sums: Any, base: Any, priors: Any, aspects: Any) -> None:
    """The base and the rows of an action or a position, into `sums`: four units at a time, in registers."""
    for k in range(0, PRIOR_UNITS, 4):
        a, b, c, d = base[k], base[k + 1], base[k + 2], base[k + 3]
        for j in range(ASPECTS):
            row = np.uint64(aspects[j])
            a += priors[row, k]
            b += priors[row, k + 1]
            c += priors[row, k + 2]
            d += priors[row, k + 3]
        sums[k], sums[k + 1], sums[k + 2], sums[k + 3] = a, b, c, d


def add_linear(count: int, ratings: Any, rows: Any, linear: Any) -> None:
    for i in range(count):
        total = NOTHING
        for j in range(BRIEF):
            total += linear[np.uint64(rows[i, j]), 0]
        ratings[i] += total


def rate_quickly(state: Any, actions: Any, count: int, ratings: Any, rows: Any, linear: Any) -> None:
    """The game's ratings, and added to them the weights of the first rows that describe each action."""
    rate(state, actions, count, ratings)
    if LINEAR_UNITS > 0:
        describe_briefly(state, actions, count, ratings, rows)
        add_linear(count, ratings, rows, linear)


def rate_well(state: Any, actions: Any, count: int, ratings: Any, rows: Any, linear: Any, priors: Any) -> None:
    """The quick ratings, and added to them what the network of the priors says of each action.

    A hidden unit is the ReLU of the rows that describe the position and those that describe the action; the units are
    weighted by row 0."""
    if PRIOR_UNITS == 0:
        rate_quickly(state, actions, count, ratings, rows, linear)
    else:
        rate(state, actions, count, ratings)
        describe_actions(state, actions, count, ratings, rows)
        if LINEAR_UNITS > 0:
            add_linear(count, ratings, rows, linear)
        base, sums = ratings[len(ratings) - 2 * PRIOR_UNITS :], ratings[len(ratings) - PRIOR_UNITS :]
        for k in range(PRIOR_UNITS):
            sums[k] = 0.0
        add_aspects(base, sums, priors, rows[count])
        for i in range(count):
            add_aspects(sums, base, priors, rows[i])
            a, b = 0.0, 0.0
            for k in range(0, PRIOR_UNITS, 2):
                a += priors[0, k] * max(sums[k], NOTHING)
                b += priors[0, k + 1] * max(sums[k + 1], NOTHING)
            ratings[i] += a + b


def expand(
    state: Any,
    drawn: int,
    nodes: Any,
    edges: Any,
    used: Any,
    actions: Any,
    ratings: Any,
    rows: Any,
    linear: Any,
    priors: Any,
    temperature: float,
) -> int:
    """Add a node with an edge for each action, the priors softmax(ratings); the node, or NONE if memory is full."""
    count = legal(state, actions)
    node, first = used[NODES], used[EDGES]
    if node == len(nodes) or first + count > len(edges):
        return NONE
    used[NODES] = node + 1
    used[EDGES] = first + count
    rate_well(state, actions, count, ratings, rows, linear, priors)
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
    among = edges[first : first + nodes[node].count]
    best, found = -1e30, 0
    for k in range(len(among)):
        tries = among[k].visits
        value = explore * among[k].prior
        value = among[k].total / tries + value / (1 + tries) if tries > 0 else unvisited + value
        if value > best:
            best, found = value, k
    return first + found


def child_after(nodes: Any, edges: Any, edge: int, drawn: int) -> int:
    """The node behind an edge after these draws, or NONE."""
    node = edges[edge].child
    while node != NONE and nodes[node].drawn != drawn:
        node = nodes[node].other
    return node


def roll_out(
    state: Any, until: int, actions: Any, ratings: Any, rows: Any, linear: Any, keys: Any, noise: float
) -> None:
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
            rate_quickly(state, actions, count, ratings, rows, linear)
            best = -1e30
            for k in range(count):
                rating = ratings[k] + noise * below(keys, 0, 1024) / 1024
                if rating > best:
                    best, found = rating, k
        apply(state, np.int64(actions[found]))


def fill_inputs(state: Any, seat: int, inputs: Any, patterns: Any, actions: Any) -> None:
    """A seat's features, and behind them its patterns: ReLU of the sum of the rows of the things on its board."""
    features(state, seat, inputs)
    first = len(inputs) - PATTERN_UNITS - HIDDEN_UNITS
    number = list_things(state, seat, actions)
    add_rows(inputs[first:], patterns[0], patterns, actions, number)


def mean_of_others(inputs: Any, seat: int, place: int) -> Any:
    """The mean of the other seats' inputs at a place."""
    seats, total = len(inputs), NOTHING
    if seats == 2:
        return inputs[1 - seat, place]
    for other in range(seats):
        if other != seat:
            total += inputs[other, place]
    return total * np.float32(1 / (seats - 1))


def compare_boards(inputs: Any, seat: int, hidden: Any) -> None:
    """Behind a seat's features and patterns: the hidden layer over its own patterns and the mean of the others'."""
    patterns, count = PATTERN_UNITS, hidden.shape[1]
    last = inputs.shape[1] - count
    first = last - patterns
    sums = inputs[seat, last:]
    for k in range(count):
        sums[k] = hidden[0, k]
    for j in range(0, patterns, 2):  # two at a time: the sums are loaded and stored less often
        one, other_one = inputs[seat, first + j], mean_of_others(inputs, seat, first + j)
        two, other_two = inputs[seat, first + j + 1], mean_of_others(inputs, seat, first + j + 1)
        a, b, c, d = hidden[1 + j], hidden[1 + patterns + j], hidden[2 + j], hidden[2 + patterns + j]
        for k in range(count):
            sums[k] = sums[k] + (one * a[k] + other_one * b[k]) + (two * c[k] + other_two * d[k])
    for k in range(count):
        sums[k] = max(sums[k], NOTHING)


def fill_all_inputs(state: Any, inputs: Any, patterns: Any, hidden: Any, actions: Any) -> None:
    """The inputs of the seats' worth: features, patterns, and the hidden layer."""
    for seat in range(len(inputs)):
        fill_inputs(state, seat, inputs[seat], patterns, actions)
    if HIDDEN_UNITS > 0:
        for seat in range(len(inputs)):
            compare_boards(inputs, seat, hidden)


def weigh(inputs: Any, seat: int, weights: Any, row: int) -> float:
    """The weighted sum of a seat's inputs, in four sums at a time."""
    own, by = inputs[seat], weights[row]
    a, b, c, d = NOTHING, NOTHING, NOTHING, NOTHING
    for i in range(len(own) // 4):
        k = np.uint64(4 * i)
        a += by[k] * own[k]
        b += by[k + ONE] * own[k + ONE]
        c += by[k + TWO] * own[k + TWO]
        d += by[k + THREE] * own[k + THREE]
    for k in range(len(own) - len(own) % 4, len(own)):
        a += by[k] * own[k]
    return np.float64(a + b + (c + d))


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
        worth = projected(state, seat) / FINAL_POINTS if over else weigh(inputs, seat, weights, row)
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


def hashed(words: Any, level: int) -> Any:
    """A hash of a level's position, mixed in two independent chains for instruction-level parallelism."""
    one, other = _MIX2, _MIX1
    last = words.shape[1] - 1
    for k in range(0, last, 2):
        one = (one ^ words[level, k]) * _MIX1
        other = (other ^ words[level, k + 1]) * _MIX2
    one = (one ^ words[level, last]) * _MIX1
    mixed = ((one ^ one >> _S29) + (other ^ other >> _S32) * _MIX1) * _MIX2
    return mixed ^ mixed >> _S29


def evaluate_once(state: Any, words: Any, level: int, m: Any) -> None:
    """Evaluate a position into m.values, or look it up: most rollouts end where another has ended."""
    hash = hashed(words, level)
    place = hash & np.uint64(len(m.hashes) - 1)
    if m.hashes[place] == hash:
        for seat in range(len(m.values)):
            m.values[seat] = m.evaluations[place, seat]
        return
    evaluate(state, m.values, m.inputs, m.weights, m.patterns, m.hidden, m.actions, m.parameters[MARGIN])
    m.hashes[place] = hash
    for seat in range(len(m.values)):
        m.evaluations[place, seat] = m.values[seat]


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
    actions, ratings, rows, keys, parameters = m.actions, m.ratings, m.rows, m.keys, m.parameters
    if used[NODES] == 0:
        for k in range(len(m.hashes)):
            m.hashes[k] = 0
        expand(m.states[0], 0, nodes, edges, used, actions, ratings, rows, m.linear, m.priors, parameters[TEMPERATURE])
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
                child = expand(
                    state,
                    drawn,
                    nodes,
                    edges,
                    used,
                    actions,
                    ratings,
                    rows,
                    m.linear,
                    m.priors,
                    parameters[TEMPERATURE],
                )
                if child == NONE:
                    break
                nodes[child].other = edges[edge].child
                edges[edge].child = child
            node = child
        roll_out(state, until, actions, ratings, rows, m.linear, keys, parameters[NOISE])
        evaluate_once(state, m.words, 1, m)
        used[DEPTH] = max(used[DEPTH], depth)
        for seat in range(len(m.values)):
            m.totals[seat] += m.values[seat]
        back_up(nodes, edges, m.path, depth, m.values)


def list_inputs(states: Any, i: int, inputs: Any, patterns: Any, hidden: Any, out: Any) -> int:
    """All seats' inputs in state i, into `inputs` [seats, …]; the row of their weights."""
    fill_all_inputs(states[i], inputs, patterns, hidden, out)
    return chapter(states[i])


def list_aspects(first: int, last: int, states: Any, rows: Any, ratings: Any, counts: Any, m: Any) -> None:
    """Of states first up to last, the rows int16 [N, most, ASPECTS] that describe the actions, behind them those of the
    position, the game's own ratings [N, most], and the numbers of actions [N]. m: a tree's Memory, for scratch."""
    for i in range(first, last):
        count = legal(states[i], m.actions)
        counts[i] = count
        rate(states[i], m.actions, count, m.ratings)
        for k in range(min(count, ratings.shape[1])):
            ratings[i, k] = m.ratings[k]
        describe_actions(states[i], m.actions, count, m.ratings, m.rows)
        for k in range(min(count + 1, rows.shape[1])):
            for j in range(ASPECTS):
                rows[i, k, j] = m.rows[k, j]


def list_board(states: Any, i: int, seat: int, out: Any) -> int:
    """The things on a seat's board in state i, into `out`; how many."""
    return list_things(states[i], seat, out)


RULES = (
    draw_deal,
    add_rows,
    add_aspects,
    add_linear,
    rate_quickly,
    rate_well,
    expand,
    select,
    child_after,
    roll_out,
    fill_inputs,
    mean_of_others,
    compare_boards,
    fill_all_inputs,
    weigh,
    evaluate,
    hashed,
    evaluate_once,
    back_up,
)
ENTRY_POINTS = (simulate, list_inputs, list_board)
