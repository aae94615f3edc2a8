"""Many trees at once, one position each: on the CPU one after another, on a GPU one thread a tree.

Written in the names of `tree.py`, and bound as that is. Both give the same visits for the same keys.
"""

from typing import Any, NamedTuple

import numpy as np

from .tree import ASPECTS, DEEPEST, Memory, simulate

STATE: Any = np.dtype([])  # the game's structured type
ROOM = ROOM_AND_NOTES = INPUTS = 0  # the lengths of a tree's actions, ratings and inputs
MOST_SEATS = 4
cuda: Any = None  # Numba's, where there is a GPU


class Trees(NamedTuple):
    """The arrays of T trees of N nodes and E edges at most, for the entry points."""

    roots: Any  # [T] of the game's structured type
    nodes: Any  # NODE [T, N]
    edges: Any  # EDGE [T, E]
    used: Any  # int64 [T, 3]
    totals: Any  # float64 [T, seats], the sums of the values of all simulations
    keys: Any  # uint64 [T, 3]
    visits: Any  # int32 [T, ROOM], of the root's actions
    sums: Any  # float64 [T, ROOM], of the root's actions: the sums of their values for the seat to act
    weights: Any  # as a tree's Memory has them
    patterns: Any
    hidden: Any
    linear: Any
    priors: Any
    parameters: Any


def report(nodes: Any, edges: Any, visits: Any, sums: Any) -> None:
    """Copy the root's edges, for the host."""
    for k in range(nodes[0].count):
        visits[k] = edges[k].visits
        sums[k] = edges[k].total


def grow_trees(first: int, last: int, t: Any, m: Any, simulations: int) -> None:
    """Grow trees `first` up to `last` by this many simulations. m: a tree's Memory, for scratch."""
    for i in range(first, last):
        m.states[0] = t.roots[i]
        nodes, edges, used, totals, keys = t.nodes[i], t.edges[i], t.used[i], t.totals[i], t.keys[i]
        one = Memory(
            m.states, nodes, edges, used, m.path, m.values, totals, m.inputs, t.weights, t.patterns, t.hidden,
            t.linear, t.priors, m.actions, m.ratings, m.rows, keys, t.parameters,
        )  # fmt: skip
        simulate(one, simulations)
        report(nodes, edges, t.visits[i], t.sums[i])


def grow_every_tree(n: int, t: Any, simulations: int) -> None:
    """A kernel: one thread a tree. What a simulation touches most lies in the thread's local memory."""
    i = cuda.grid(1)
    if i < n:
        states = cuda.local.array(2, STATE)
        path = cuda.local.array((DEEPEST, 2), np.int64)
        values = cuda.local.array(MOST_SEATS, np.float64)
        inputs = cuda.local.array((MOST_SEATS, INPUTS), np.float32)
        actions = cuda.local.array(ROOM, np.int16)
        ratings = cuda.local.array(ROOM_AND_NOTES, np.float64)
        rows = cuda.local.array((ROOM_AND_NOTES, ASPECTS), np.int16)
        keys = cuda.local.array(3, np.uint64)
        states[0] = t.roots[i]
        for k in range(3):
            keys[k] = t.keys[i, k]
        nodes, edges, used, totals = t.nodes[i], t.edges[i], t.used[i], t.totals[i]
        seats = len(totals)
        one = Memory(
            states, nodes, edges, used, path, values[:seats], totals, inputs[:seats], t.weights, t.patterns, t.hidden,
            t.linear, t.priors, actions, ratings, rows, keys, t.parameters,
        )  # fmt: skip
        simulate(one, simulations)
        for k in range(3):
            t.keys[i, k] = keys[k]
        report(nodes, edges, t.visits[i], t.sums[i])


RULES = (report,)
ENTRY_POINTS = (grow_trees,)
