"""Many trees at once, one position each: on the CPU one after another, on a GPU all together (`warp.py`).

Written in the names of `tree.py`, and bound as that is. Both give the same visits for the same keys.
"""

from typing import Any, NamedTuple

from .tree import Memory, simulate


class Trees(NamedTuple):
    """The arrays of T trees of N nodes and E edges at most, for the entry points."""

    roots: Any  # [T] of the game's structured type
    root_words: Any  # uint32 [T, …], the same memory
    words: Any  # uint32 [T, …], on a GPU: the position of the simulation
    walks: Any  # int64 [T, 5], on a GPU: what the simulation is to do, and how far it has come
    left: Any  # int32 [T], on a GPU: simulations that are still to be made
    side: Any  # int32 [T], on a GPU: the network of the tree
    nodes: Any  # NODE [T, N]
    edges: Any  # EDGE [T, E]
    used: Any  # int64 [T, 3]
    totals: Any  # float64 [T, seats], the sums of the values of all simulations
    keys: Any  # uint64 [T, 3]
    hashes: Any  # uint64 [T, a power of two], on a GPU: of positions that were evaluated
    evaluations: Any  # float64 [T, the same, seats]: their values
    paths: Any  # int32 [T, DEEPEST, 2], on a GPU
    rows: Any  # int16 [T, ROOM + NOTES, ASPECTS], on a GPU, where actions are described
    visits: Any  # int32 [T, ROOM], of the root's actions
    sums: Any  # float64 [T, ROOM], of the root's actions: the sums of their values for the seat to act
    weights: Any  # as a tree's Memory has them; on a GPU each network's tables are one row
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
            m.states, m.words, nodes, edges, used, m.path, m.values, totals, m.hashes, m.evaluations, m.inputs,
            t.weights, t.patterns, t.hidden, t.linear, t.priors, m.actions, m.ratings, m.rows, keys, t.parameters,
        )  # fmt: skip
        simulate(one, simulations)
        report(nodes, edges, t.visits[i], t.sums[i])


RULES = (report,)
ENTRY_POINTS = (grow_trees,)
