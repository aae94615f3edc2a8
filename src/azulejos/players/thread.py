"""The tree search of `tree.py` for a GPU: a tree is searched by one thread, with the same answers.

For games without functions for the lanes of a warp (`warp.py`): of their rules, which one lane would work out while 31
wait, a warp's threads work out 32 at a time, each for a tree of its own. The four kernels are those of a warp, and what
they do is `tree.py`'s; what a thread needs at hand is in its local memory.
"""

from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np

from azulejos.core.compiling import bind
from azulejos.core.kernels import CHANCE, OVER, apply, stage, turn

from . import tree
from .tree import (
    ASPECTS,
    DEEPEST,
    DEPTH,
    MARGIN,
    NODES,
    NOISE,
    NONE,
    STAGES,
    TEMPERATURE,
    back_up,
    child_after,
    draw_deal,
    evaluate,
    expand,
    hashed,
    roll_out,
    select,
)
from .warp import DOING, DRAWN, EDGE, EVALUATING, EXPANDING, LENGTH, RESTING, ROLLING_OUT, WALKING

THREADS = 32  # of a block
REGISTERS = 128  # of a thread at most

# The lengths of a tree's memory.
WORDS = LONG_WORDS = SEATS = ROOM = ROOM_AND_NOTES = INPUTS = 0
STATE: Any = np.dtype([])  # the game's structured type
cuda: Any = None  # Numba's


def load(words: Any, saved: Any) -> None:
    for k in range(WORDS):
        words[k] = saved[k]


def descend(state: Any, i: int, t: Any, node: int, depth: int) -> None:
    """Walk from a node of tree i down to a leaf, by the edges with the highest scores."""
    nodes, edges, walk = t.nodes[i], t.edges[i], t.walks[i]
    until = stage(t.roots[i]) + np.int64(t.parameters[STAGES])
    doing, edge, drawn = WALKING, 0, 0
    while doing == WALKING:
        edge = select(nodes, edges, node, t.parameters)
        t.paths[i, depth, 0] = node
        t.paths[i, depth, 1] = edge
        depth += 1
        apply(state, np.int64(edges[edge].action))
        drawn = 0
        if stage(state) < until and turn(state) == CHANCE:
            drawn = draw_deal(state, t.keys[i], edge, edges[edge].visits)
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
    walk[DOING], walk[EDGE], walk[LENGTH], walk[DRAWN] = doing, edge, depth, drawn


# --- kernels for n threads, one a tree ---


def walk_every_tree(n: int, t: Any) -> None:
    """Begin a simulation of every tree that has simulations left: down to a leaf."""
    i = cuda.grid(1)
    if i < n:
        if t.left[i] == 0:
            t.walks[i, DOING] = RESTING
        elif t.used[i, NODES] == 0:
            for k in range(t.hashes.shape[1]):
                t.hashes[i, k] = 0
            load(t.words[i], t.root_words[i])
            t.walks[i, DOING], t.walks[i, LENGTH], t.walks[i, DRAWN] = EXPANDING, 0, 0
        else:
            words = cuda.local.array(LONG_WORDS, np.uint64).view(np.uint32)
            load(words, t.root_words[i])
            descend(words[:WORDS].view(STATE)[0], i, t, 0, 0)
            load(t.words[i], words)


def expand_every_leaf(n: int, t: Any) -> None:
    """Add a node where a walk has come to a new position, and walk on from it."""
    i = cuda.grid(1)
    if i < n and t.walks[i, DOING] == EXPANDING:
        words = cuda.local.array(LONG_WORDS, np.uint64).view(np.uint32)
        actions = cuda.local.array(ROOM, np.int16)
        ratings = cuda.local.array(ROOM_AND_NOTES, np.float64)
        rows = cuda.local.array((ROOM_AND_NOTES, ASPECTS), np.int16)
        state, side = words[:WORDS].view(STATE)[0], t.side[i]
        nodes, edges, walk = t.nodes[i], t.edges[i], t.walks[i]
        load(words, t.words[i])
        node = expand(
            state, walk[DRAWN], nodes, edges, t.used[i], actions, ratings, rows, t.linear[side], t.priors[side],
            t.parameters[TEMPERATURE],
        )  # fmt: skip
        if node == NONE:
            walk[DOING] = ROLLING_OUT
        else:
            if walk[LENGTH] > 0:
                edge = walk[EDGE]
                nodes[node].other = edges[edge].child
                edges[edge].child = node
            descend(state, i, t, node, walk[LENGTH])
            load(t.words[i], words)


def roll_out_every_leaf(n: int, t: Any) -> None:
    """Play on, by the highest rating plus a little noise, to the end of the stage."""
    i = cuda.grid(1)
    if i < n and t.walks[i, DOING] == ROLLING_OUT:
        words = cuda.local.array(LONG_WORDS, np.uint64).view(np.uint32)
        actions = cuda.local.array(ROOM, np.int16)
        ratings = cuda.local.array(ROOM_AND_NOTES, np.float64)
        rows = cuda.local.array((ROOM_AND_NOTES, ASPECTS), np.int16)
        state = words[:WORDS].view(STATE)[0]
        until: Any = stage(t.roots[i]) + np.int64(t.parameters[STAGES])
        load(words, t.words[i])
        roll_out(state, until, actions, ratings, rows, t.linear[t.side[i]], t.keys[i], t.parameters[NOISE])
        load(t.words[i], words)


def evaluate_every_leaf(n: int, t: Any) -> None:
    """Evaluate where the simulations have ended, or look it up: most rollouts end where another has; and back up."""
    i = cuda.grid(1)
    if i < n and t.walks[i, DOING] != RESTING:
        long_words = cuda.local.array((1, LONG_WORDS), np.uint64)
        long_words[0, LONG_WORDS - 1] = 0
        words = long_words[0].view(np.uint32)
        values = cuda.local.array(SEATS, np.float64)
        load(words, t.words[i])
        hash = hashed(long_words, 0)
        place = np.int64(hash & np.uint64(t.hashes.shape[1] - 1))
        if t.hashes[i, place] == hash:
            for seat in range(SEATS):
                values[seat] = t.evaluations[i, place, seat]
        else:
            inputs = cuda.local.array((SEATS, INPUTS), np.float32)
            things = cuda.local.array(ROOM, np.int16)
            side = t.side[i]
            evaluate(
                words[:WORDS].view(STATE)[0], values, inputs, t.weights[side], t.patterns[side], t.hidden[side], things,
                t.parameters[MARGIN],
            )  # fmt: skip
            for seat in range(SEATS):
                t.evaluations[i, place, seat] = values[seat]
            t.hashes[i, place] = hash
        depth = t.walks[i, LENGTH]
        t.used[i, DEPTH] = max(t.used[i, DEPTH], depth)
        t.left[i] -= 1
        for seat in range(SEATS):
            t.totals[i, seat] += values[seat]
        back_up(t.nodes[i], t.edges[i], t.paths[i], depth, values)


def report_every_tree(n: int, t: Any) -> None:
    """Copy the root's edges, for the host."""
    i = cuda.grid(1)
    if i < n:
        for k in range(t.nodes[i, 0].count):
            t.visits[i, k] = t.edges[i, k].visits
            t.sums[i, k] = t.edges[i, k].total


KERNELS = (walk_every_tree, expand_every_leaf, roll_out_every_leaf, evaluate_every_leaf, report_every_tree)


def names(given: Any, rules: Any, label: str, seats: int, room: int, inputs: int) -> dict[str, Any]:
    """What a kernel needs to simulate: the names of a game and its judgement, the rules of the tree, and the lengths of
    its memory."""
    from azulejos.core.gpu import aligned
    from azulejos.core.gpu import cuda as numbas

    length = given.STATE.itemsize
    found = {
        **vars(given),
        "cuda": numbas,
        "STATE": aligned(given.STATE),
        "WORDS": length // 4,
        "LONG_WORDS": -(-length // 8),
        "SEATS": seats,
        "ROOM": room,
        "ROOM_AND_NOTES": room + tree.NOTES,
        "INPUTS": inputs,
    }
    return {**found, **bind([*rules, load, descend], (), cast(ModuleType, SimpleNamespace(**found)), label)}
