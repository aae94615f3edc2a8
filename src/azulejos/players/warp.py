"""The tree search of `tree.py` for a GPU: a tree is searched by the 32 lanes of a warp, with the same answers.

All lanes walk the same way and share the loops over edges, actions, seats and units (`core/lanes.py`); the first alone
changes the position. Sums have the order that they have on the CPU, where the units of a network are the innermost
loop, which is vectorised; here a lane has a unit, and sums in a register. A game's `lanes.py` has some of its
functions for all lanes; others are called by one lane. Games without one are searched by `thread.py`.

A simulation is four kernels, one after another: all trees walk down, those at a new leaf expand it, all roll out, and
all evaluate and back up. What is between them is in the memory of the trees. Together they would not fit into a
multiprocessor's cache of code, and fetching code would take most of the time.
"""

import math
from collections.abc import Callable, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np

from azulejos.core.compiling import bind, remake, rule
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
from azulejos.core.streams import below, jump

from . import tree
from .judging import BRIEF, HIDDEN_UNITS, LINEAR_UNITS, PATTERN_UNITS, PRIOR_UNITS
from .tree import (
    _MIX1,
    _MIX2,
    _S29,
    _S32,
    ASPECTS,
    DEEPEST,
    DEPTH,
    EDGES,
    EXPLORE,
    FINAL_POINTS,
    FPU_REDUCTION,
    MARGIN,
    NODES,
    NOISE,
    NONE,
    NOTES,
    NOTHING,
    STAGES,
    TEMPERATURE,
    child_after,
    draw_deal,
)

MOST_THINGS = 127  # on a seat's board
MOST_SHARED = 48 << 10  # bytes of a block's shared memory
MOST_WARPS = 4  # of a block
REGISTERS = 64  # of a thread at most: few are spilled, and more trees are in flight

# How many lanes call the game's functions: all of them where its `lanes.py` has them.
LISTING_LANES = RATING_LANES = DESCRIBING_LANES = FEATURE_LANES = 1
CALLING = {
    "legal": "LISTING_LANES",
    "rate": "RATING_LANES",
    "describe_actions": "DESCRIBING_LANES",
    "describe_briefly": "DESCRIBING_LANES",
    "features": "FEATURE_LANES",
}

# The lengths of a tree's memory.
WARPS = WORDS = SEATS = ROOM = ROOM_AND_NOTES = INPUTS = 0
LISTED, KEYS = 1 + MOST_THINGS, 1 + 32  # a stream, and one for each lane
STATE: Any = np.dtype([])  # the game's structured type
cuda: Any = None  # Numba's, where there is a GPU

# Those of `core/lanes.py`, which are bound to a warp or to CUDA's simulator.
LANES = 32
lane: Any = None
meet: Any = None
from_lane: Any = None
from_beside: Any = None
highest: Any = None
place_of_best: Any = None

RESTING, WALKING, EXPANDING, ROLLING_OUT, EVALUATING = range(5)  # what a tree's simulation is to do next
WALK = DOING, EDGE, LENGTH, DRAWN = range(4)  # of a walk


def act(state: Any, action: int) -> None:
    """Play an action."""
    meet()
    if lane() == 0:
        apply(state, np.int64(np.uint16(action)))  # which is cheap to divide
    meet()


def list_legal(state: Any, actions: Any) -> int:
    """List the legal actions; how many."""
    meet()
    count = 0
    if lane() < LISTING_LANES:
        count = legal(state, actions)
    meet()
    return count if LISTING_LANES == LANES else from_lane(count, 0)


def rate_quickly(state: Any, actions: Any, count: int, ratings: Any, rows: Any, linear: Any, well: bool) -> None:
    """The game's ratings, and added to them the weights of the first rows that describe each action. well: all rows are
    wanted."""
    if lane() < RATING_LANES:
        rate(state, actions, count, ratings)
    meet()
    if PRIOR_UNITS > 0 and well:
        if lane() < DESCRIBING_LANES:
            describe_actions(state, actions, count, ratings, rows)
        meet()
    elif LINEAR_UNITS > 0:
        if lane() < DESCRIBING_LANES:
            describe_briefly(state, actions, count, ratings, rows)
        meet()
    if LINEAR_UNITS > 0:
        for i in range(lane(), count, LANES):
            total = NOTHING
            for j in range(BRIEF):
                total += linear[np.uint32(rows[i, j])]
            ratings[i] += total
        meet()


def add_aspects(total: float, rows: Any, i: int, priors: Any, unit: int) -> float:
    """A sum, and added to it a unit's weights for the rows that describe action i."""
    for j in range(ASPECTS):
        total += priors[np.uint32(rows[i, j]) * PRIOR_UNITS + unit]
    return total


def rate_by_network(count: int, ratings: Any, rows: Any, priors: Any) -> None:
    """Add to the ratings what the network of the priors says of each action. A lane has a unit of one action."""
    unit, at_once = lane() % PRIOR_UNITS, LANES // PRIOR_UNITS
    base = add_aspects(0.0, rows, count, priors, unit)
    weight = priors[unit]
    for first in range(0, count, at_once):
        i = min(first + lane() // PRIOR_UNITS, count - 1)
        rating = ratings[i]
        part = weight * max(add_aspects(base, rows, i, priors, unit), NOTHING)
        own = sum_alike(part, lane() - unit + (unit & 1))
        ratings[i] = rating + (own + from_beside(own, 1))  # all units' lanes write the same
    meet()


def sum_alike(part: float, first: int) -> float:
    """The sum of every second unit's part, from lane `first` on."""
    total = 0.0
    for k in range(0, PRIOR_UNITS, 2):
        total += from_lane(part, first + k)
    return total


def add_node(
    seat: int, drawn: int, count: int, nodes: Any, edges: Any, used: Any, actions: Any, ratings: Any, temperature: float
) -> int:
    """Add a node with an edge for each action, the priors softmax(ratings); the node. There must be memory."""
    node, first = used[NODES], used[EDGES]
    best = ratings[0]
    for k in range(lane(), count, LANES):
        best = max(best, ratings[k])
    best = highest(best)
    meet()
    for k in range(lane(), count, LANES):
        ratings[k] = exp((ratings[k] - best) / temperature)
    meet()
    total = 0.0
    for k in range(count):
        total += ratings[k]
    for k in range(lane(), count, LANES):
        edges[first + k].total = 0.0
        edges[first + k].prior = ratings[k] / total
        edges[first + k].visits = 0
        edges[first + k].child = NONE
        edges[first + k].action = actions[k]
    if lane() == 0:
        used[NODES] = node + 1
        used[EDGES] = first + count
        nodes[node].drawn = drawn
        nodes[node].total = 0.0
        nodes[node].first = first
        nodes[node].count = count
        nodes[node].visits = 0
        nodes[node].seat = seat
        nodes[node].other = NONE
    meet()
    return node


def select(nodes: Any, edges: Any, node: int, parameters: Any) -> int:
    """The edge with the highest PUCT score."""
    visits = nodes[node].visits
    explore = parameters[EXPLORE] * math.sqrt(visits + 1.0)
    unvisited = nodes[node].total / visits - parameters[FPU_REDUCTION] if visits > 0 else 0.5
    first = nodes[node].first
    best, found = -1e30, first
    for edge in range(first + lane(), first + nodes[node].count, LANES):
        tries = edges[edge].visits
        mean = edges[edge].total / tries if tries > 0 else unvisited
        value = mean + explore * edges[edge].prior / (1 + tries)
        if value > best:
            best, found = value, edge
    return place_of_best(best, found)


def pick(count: int, ratings: Any, keys: Any, noise: float) -> int:
    """The place of the action with the highest rating plus uniform noise."""
    best, found, own = -1e30, 0, 1 + lane()
    for k in range(lane(), count, LANES):
        keys[own] = jump(keys[0], k)
        rating = ratings[k] + noise * below(keys, own, 1024) / 1024
        if rating > best:
            best, found = rating, k
    found = place_of_best(best, found)
    meet()
    if lane() == 0:
        keys[0] = jump(keys[0], count)
    return found


def add_four(total: float, patterns: Any, things: Any, i: int, k: int) -> float:
    """A sum, and added to it a unit's weights for four things; they are loaded at the same time."""
    a, b = patterns[np.uint32(things[i]) * PATTERN_UNITS + k], patterns[np.uint32(things[i + 1]) * PATTERN_UNITS + k]
    c = patterns[np.uint32(things[i + 2]) * PATTERN_UNITS + k]
    d = patterns[np.uint32(things[i + 3]) * PATTERN_UNITS + k]
    return total + a + b + c + d


def add_things(inputs: Any, patterns: Any, things: Any) -> None:
    """A seat's patterns: ReLU of the sum of the rows of the things on its board."""
    first, number = INPUTS - HIDDEN_UNITS - PATTERN_UNITS, np.int64(things[0])
    for k in range(lane(), PATTERN_UNITS, LANES):
        total, i = patterns[k], 1
        while i < number - 2:
            total = add_four(total, patterns, things, i, k)
            i += 4
        while i <= number:
            total += patterns[np.uint32(things[i]) * PATTERN_UNITS + k]
            i += 1
        inputs[first + k] = max(total, NOTHING)


def add_patterns(total: float, own: Any, others: Any, hidden: Any) -> float:
    """A sum, and added to it a hidden unit's weights for four patterns of a seat and of the others."""
    for j in range(4):
        behind = hidden[(PATTERN_UNITS + j) * HIDDEN_UNITS]
        total += own[j] * hidden[j * HIDDEN_UNITS] + np.float32(others[j]) * behind
    return total


def compare_boards(inputs: Any, hidden: Any, means: Any) -> None:
    """Behind each seat's features and patterns: the hidden layer over its own patterns and the mean of the others',
    which are noted in `means`."""
    first = INPUTS - HIDDEN_UNITS - PATTERN_UNITS
    for seat in range(SEATS):
        for j in range(lane(), PATTERN_UNITS, LANES):
            others = NOTHING
            for other in range(SEATS):
                if other != seat:
                    others += inputs[other, first + j]
            means[seat * PATTERN_UNITS + j] = others * np.float32(1 / (SEATS - 1))
    meet()
    for place in range(lane(), SEATS * HIDDEN_UNITS, LANES):
        seat, k = place // HIDDEN_UNITS, place % HIDDEN_UNITS
        total, j = hidden[k], 0
        while j < PATTERN_UNITS:
            others, behind = means[seat * PATTERN_UNITS + j :], hidden[(1 + j) * HIDDEN_UNITS + k :]
            total = add_patterns(total, inputs[seat, first + j :], others, behind)
            j += 4
        inputs[seat, INPUTS - HIDDEN_UNITS + k] = max(total, NOTHING)


def weigh_three(total: float, inputs: Any, weights: Any) -> float:
    """A sum, and added to it every fourth input, weighted: three of them."""
    for k in range(0, 12, 4):
        total += weights[k] * inputs[k]
    return total


def weigh(values: Any, inputs: Any, weights: Any, row: int) -> None:
    """The weighted sums of the seats' inputs into `values`: four lanes a seat, as on the CPU four sums."""
    seat, part = lane() // 4, lane() % 4
    total = NOTHING
    if seat < SEATS:
        k = part
        while k < INPUTS - 11:
            total = weigh_three(total, inputs[seat, k:], weights[row * INPUTS + k :])
            k += 12
        while k < INPUTS - INPUTS % 4:
            total += weights[row * INPUTS + k] * inputs[seat, k]
            k += 4
        if part == 0:
            while k < INPUTS:
                total += weights[row * INPUTS + k] * inputs[seat, k]
                k += 1
    total += from_beside(total, 1)
    total += from_beside(total, 2)
    if seat < SEATS and part == 0:
        values[seat] = np.float64(total)


def evaluate(
    state: Any,
    values: Any,
    inputs: Any,
    weights: Any,
    patterns: Any,
    hidden: Any,
    things: Any,
    ratings: Any,
    margin: float,
) -> None:
    """Each seat's chance to win. `ratings` are scratch."""
    over = turn(state) == OVER
    if over:
        for seat in range(lane(), SEATS, LANES):
            values[seat] = projected(state, seat) / FINAL_POINTS
    else:
        if FEATURE_LANES == LANES:
            features(state, inputs, ratings)
            list_things(state, things)  # type: ignore[call-arg]
        else:
            for seat in range(lane(), SEATS, LANES):
                features(state, seat, inputs[seat])
                things[seat, 0] = list_things(state, seat, things[seat, 1:])
        meet()
        if PATTERN_UNITS > 0:
            for seat in range(SEATS):
                add_things(inputs[seat], patterns, things[seat])
            meet()
        if HIDDEN_UNITS > 0:
            compare_boards(inputs, hidden, ratings)
            meet()
        weigh(values, inputs, weights, chapter(state))
    meet()
    best = values[0]
    for seat in range(1, SEATS):
        best = max(best, values[seat])
    meet()
    for seat in range(lane(), SEATS, LANES):
        values[seat] = exp(values[seat] - best)
    meet()
    total = 0.0
    for seat in range(SEATS):
        total += values[seat]
    meet()
    for seat in range(lane(), SEATS, LANES):
        values[seat] /= total
    if over:
        top = standing(state, 0)
        for seat in range(1, SEATS):
            top = max(top, standing(state, seat))
        winners = 0
        for seat in range(SEATS):
            if standing(state, seat) == top:
                winners += 1
        for seat in range(lane(), SEATS, LANES):
            values[seat] *= margin
            if standing(state, seat) == top:
                values[seat] += (1 - margin) / winners
    meet()


def hashed(words: Any) -> Any:
    """A hash of a position: each of its words is mixed by itself."""
    together = np.uint64(0)
    for k in range(lane(), WORDS, LANES):
        mixed = (np.uint64(words[k]) + np.uint64(k + 1) * _MIX1) * _MIX2
        together += (mixed ^ mixed >> _S32) * _MIX1
    for step in (16, 8, 4, 2, 1):
        together += np.uint64(from_beside(np.int64(together), step))
    return together ^ together >> _S29


def back_up(nodes: Any, edges: Any, path: Any, depth: int, values: Any) -> None:
    """Add the values to the nodes and edges of the walk."""
    for k in range(lane(), depth, LANES):
        node, edge = path[k, 0], path[k, 1]
        value = values[nodes[node].seat]
        nodes[node].visits += 1
        nodes[node].total += value
        edges[edge].visits += 1
        edges[edge].total += value


def descend(state: Any, i: int, t: Any, node: int, depth: int) -> None:
    """Walk from a node of tree i down to a leaf, by the edges with the highest scores."""
    nodes, edges, keys, walk = t.nodes[i], t.edges[i], t.keys[i], t.walks[i]
    until = stage(t.roots[i]) + np.int64(t.parameters[STAGES])
    doing, edge, drawn = WALKING, 0, 0
    while doing == WALKING:
        edge = select(nodes, edges, node, t.parameters)
        if lane() == 0:
            t.paths[i, depth, 0] = node
            t.paths[i, depth, 1] = edge
        depth += 1
        act(state, np.int64(edges[edge].action))
        drawn = 0
        if stage(state) < until and turn(state) == CHANCE:
            if lane() == 0:
                drawn = draw_deal(state, keys, edge, edges[edge].visits)
            drawn = from_lane(drawn, 0)
            meet()
        if stage(state) >= until or turn(state) == OVER:
            doing = EVALUATING
        elif edges[edge].visits == 0 or depth == DEEPEST:
            doing = ROLLING_OUT
        else:
            child = child_after(nodes, edges, edge, drawn)
            if child == NONE:
                doing = EXPANDING
            else:
                node = child
    if lane() == 0:
        walk[DOING], walk[EDGE], walk[LENGTH], walk[DRAWN] = doing, edge, depth, drawn


RULES: tuple[Callable[..., Any], ...] = (
    act, list_legal, rate_quickly, add_aspects, sum_alike, rate_by_network, add_node, select, pick, add_four,
    add_things, add_patterns, compare_boards, weigh_three, weigh, evaluate, hashed, back_up, descend,
)  # fmt: skip


# --- kernels for n lanes, LANES a tree ---


def walk_every_tree(n: int, t: Any) -> None:
    """Begin a simulation of every tree that has simulations left: down to a leaf."""
    thread = cuda.grid(1)
    i, warp = thread // LANES, cuda.threadIdx.x // LANES
    if thread < n:
        if t.left[i] == 0:
            if lane() == 0:
                t.walks[i, DOING] = RESTING
        else:
            words = cuda.shared.array((WARPS, WORDS), np.uint32)[warp]
            state = words.view(STATE)[0]
            for k in range(lane(), WORDS, LANES):
                words[k] = t.root_words[i, k]
            meet()
            if t.used[i, NODES] == 0:
                for k in range(lane(), t.hashes.shape[1], LANES):
                    t.hashes[i, k] = 0
                if lane() == 0:
                    t.walks[i, DOING], t.walks[i, LENGTH], t.walks[i, DRAWN] = EXPANDING, 0, 0
            else:
                descend(state, i, t, 0, 0)
            for k in range(lane(), WORDS, LANES):
                t.words[i, k] = words[k]


def expand_every_leaf(n: int, t: Any) -> None:
    """Add a node where a walk has come to a new position, and walk on from it."""
    thread = cuda.grid(1)
    i, warp = thread // LANES, cuda.threadIdx.x // LANES
    if thread < n and t.walks[i, DOING] == EXPANDING:
        words = cuda.shared.array((WARPS, WORDS), np.uint32)[warp]
        actions = cuda.shared.array((WARPS, ROOM), np.int16)[warp]
        ratings = cuda.shared.array((WARPS, ROOM_AND_NOTES), np.float64)[warp]
        state = words.view(STATE)[0]
        nodes, edges, used, rows, walk = t.nodes[i], t.edges[i], t.used[i], t.rows[i], t.walks[i]
        for k in range(lane(), WORDS, LANES):
            words[k] = t.words[i, k]
        count = list_legal(state, actions)
        edge, depth = walk[EDGE], walk[LENGTH]
        if used[NODES] == len(nodes) or used[EDGES] + count > len(edges):
            if lane() == 0:
                walk[DOING] = ROLLING_OUT
        else:
            rate_quickly(state, actions, count, ratings, rows, t.linear[t.side[i]], True)
            if PRIOR_UNITS > 0:
                rate_by_network(count, ratings, rows, t.priors[t.side[i]])
            seat = turn(state)
            node = add_node(seat, walk[DRAWN], count, nodes, edges, used, actions, ratings, t.parameters[TEMPERATURE])
            if depth > 0:
                if lane() == 0:
                    nodes[node].other = edges[edge].child
                    edges[edge].child = node
                meet()
            descend(state, i, t, node, depth)
            for k in range(lane(), WORDS, LANES):
                t.words[i, k] = words[k]


def roll_out_every_leaf(n: int, t: Any) -> None:
    """Play on, by the highest rating plus a little noise, to the end of the stage."""
    thread = cuda.grid(1)
    i, warp = thread // LANES, cuda.threadIdx.x // LANES
    if thread < n and t.walks[i, DOING] == ROLLING_OUT:
        words = cuda.shared.array((WARPS, WORDS), np.uint32)[warp]
        actions = cuda.shared.array((WARPS, ROOM), np.int16)[warp]
        ratings = cuda.shared.array((WARPS, ROOM_AND_NOTES), np.float64)[warp]
        keys = cuda.shared.array((WARPS, KEYS), np.uint64)[warp]
        state = words.view(STATE)[0]
        for k in range(lane(), WORDS, LANES):
            words[k] = t.words[i, k]
        if lane() == 0:
            keys[0] = t.keys[i, 0]
        meet()
        until = stage(t.roots[i]) + np.int64(t.parameters[STAGES])
        seat = turn(state)
        while stage(state) < until and seat != OVER:
            if seat == CHANCE:
                meet()
                if lane() == 0:
                    draw(state, outcome(state, below(keys, 0, ways(state))))
                meet()
            else:
                count, found = list_legal(state, actions), 0
                if count > 1:
                    rate_quickly(state, actions, count, ratings, t.rows[i], t.linear[t.side[i]], False)
                    found = pick(count, ratings, keys, t.parameters[NOISE])
                act(state, np.int64(actions[found]))
            seat = turn(state)
        for k in range(lane(), WORDS, LANES):
            t.words[i, k] = words[k]
        if lane() == 0:
            t.keys[i, 0] = keys[0]


def evaluate_every_leaf(n: int, t: Any) -> None:
    """Evaluate where the simulations have ended, or look it up: most rollouts end where another has; and back up."""
    thread = cuda.grid(1)
    i, warp = thread // LANES, cuda.threadIdx.x // LANES
    if thread < n and t.walks[i, DOING] != RESTING:
        words = cuda.shared.array((WARPS, WORDS), np.uint32)[warp]
        values = cuda.shared.array((WARPS, SEATS), np.float64)[warp]
        inputs = cuda.shared.array((WARPS, SEATS, INPUTS), np.float32)[warp]
        things = cuda.shared.array((WARPS, SEATS, LISTED), np.int16)[warp]
        notes = cuda.shared.array((WARPS, ROOM_AND_NOTES), np.float64)[warp]
        state, side = words.view(STATE)[0], t.side[i]
        for k in range(lane(), WORDS, LANES):
            words[k] = t.words[i, k]
        meet()
        hash = hashed(words)
        place = np.int64(hash & np.uint64(t.hashes.shape[1] - 1))
        known = t.hashes[i, place] == hash
        meet()
        if known:
            for seat in range(lane(), SEATS, LANES):
                values[seat] = t.evaluations[i, place, seat]
        else:
            evaluate(
                state, values, inputs, t.weights[side], t.patterns[side], t.hidden[side], things, notes,
                t.parameters[MARGIN],
            )  # fmt: skip
            for seat in range(lane(), SEATS, LANES):
                t.evaluations[i, place, seat] = values[seat]
            if lane() == 0:
                t.hashes[i, place] = hash
        meet()
        depth = t.walks[i, LENGTH]
        if lane() == 0:
            t.used[i, DEPTH] = max(t.used[i, DEPTH], depth)
            t.left[i] -= 1
        for seat in range(lane(), SEATS, LANES):
            t.totals[i, seat] += values[seat]
        back_up(t.nodes[i], t.edges[i], t.paths[i], depth, values)


def report_every_tree(n: int, t: Any) -> None:
    """Copy the root's edges, for the host."""
    thread = cuda.grid(1)
    if thread < n:
        i = thread // LANES
        for k in range(lane(), t.nodes[i, 0].count, LANES):
            t.visits[i, k] = t.edges[i, k].visits
            t.sums[i, k] = t.edges[i, k].total


KERNELS = (walk_every_tree, expand_every_leaf, roll_out_every_leaf, evaluate_every_leaf, report_every_tree)


def names(
    by_lanes: dict[str, Callable[..., Any]],
    given: Any,
    rules: Sequence[Callable[..., Any]],
    label: str,
    seats: int,
    room: int,
    inputs: int,
) -> dict[str, Any]:
    """What a kernel needs to simulate: the names of a game and its judgement, with its functions for all lanes, the
    rules of the tree for the lanes of a warp, and the lengths of its memory."""
    from azulejos.core import lanes
    from azulejos.core.gpu import aligned, cuda, simulated

    length = given.STATE.itemsize
    a_warp = length + seats * (8 + 4 * inputs + 2 * LISTED) + 2 * room + 8 * (room + NOTES) + 8 * KEYS
    warps = 1
    while 2 * warps <= MOST_WARPS and 2 * warps * a_warp <= MOST_SHARED and not simulated():
        warps *= 2
    found = {
        **vars(given),
        **lanes.names(),
        "cuda": cuda,
        "STATE": aligned(given.STATE),
        "WARPS": warps,
        "WORDS": length // 4,
        "SEATS": seats,
        "ROOM": room,
        "ROOM_AND_NOTES": room + NOTES,
        "INPUTS": inputs,
    }
    for name, template in by_lanes.items():
        found[name] = rule(remake(template, found))
    for function, calls in CALLING.items():
        if function in by_lanes:
            found[calls] = LANES
    own = [template for template in rules if template.__module__ != tree.__name__]
    templates = [*own, tree.draw_deal, tree.child_after, *RULES]
    return {**found, **bind(templates, (), cast(ModuleType, SimpleNamespace(**found)), label)}
