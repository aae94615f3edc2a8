"""Searches of many positions at once: the memory of a forest on the CPU or a GPU, and the choices made of it."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from azulejos.core.compiling import bind, remake
from azulejos.core.game import Game
from azulejos.core.network import Network
from azulejos.core.state import State

from . import forest, thread, tree, warp
from .choice import Choice
from .search import Tree, names_and_rules, network_of, parameters_of

EDGES_A_NODE = 64  # more are seldom needed, and a full tree goes on with what it has
MOST_BYTES = {"cpu": 1 << 30, "cuda": 96 << 30}  # of the trees that grow at the same time

Array = npt.NDArray[Any]


class OnGpu(NamedTuple):
    """What a simulation of all trees is on a GPU."""

    kernels: list[Any]
    report: Any
    lanes: int  # that search a tree: those of a warp, or one thread
    threads: int  # of a block


class Forest:
    """The memory of n trees for a number of simulations each."""

    def __init__(
        self, game: Game, judgement: ModuleType | None, n: int, simulations: int, device: str, **parameters: Any
    ) -> None:
        self.game, self.n, self.simulations, self._device = game, n, simulations, device
        network = network_of(game, judgement)
        nodes, room = simulations + 1, len(game.actions_buffer())
        kept = evaluations_of(simulations)
        record: Callable[[Any], Any] = np.dtype
        described = False
        if device == "cuda":
            from azulejos.core.gpu import Kernel, aligned, cuda

            self._cuda, record = cuda, aligned
            found = kernels(type(game), judgement, game.players, room, network.weights.shape[1])
            *self._kernels, self._report = (
                Kernel(one, found.lanes * n, found.threads, narrow=True) for one in (*found.kernels, found.report)
            )
            self._flat = found.lanes > 1
            described = self._flat and network.linear.shape[1] + network.priors.shape[1] > 0
        else:
            self._grow = entry_points(type(game), judgement)
        roots, words = self._zeros(n, record(game.kernels.STATE)), np.zeros((0, 0), np.uint32)
        if device == "cuda":
            words = roots.view(np.uint32).reshape(n, -1)
        on_gpu = len(words)
        self.trees = forest.Trees(
            roots=roots,
            root_words=words,
            words=self._zeros(words.shape, np.uint32),
            walks=self._zeros((on_gpu, len(warp.WALK)), np.int64),
            left=self._zeros(on_gpu, np.int32),
            side=self._put(np.zeros(on_gpu, np.int32)),
            nodes=self._zeros((n, nodes), record(tree.NODE)),
            edges=self._zeros((n, EDGES_A_NODE * nodes), record(tree.EDGE)),
            used=self._zeros((n, 3), np.int64),
            totals=self._zeros((n, game.players), np.float64),
            keys=self._zeros((n, 3), np.uint64),
            hashes=self._zeros((on_gpu, kept), np.uint64),
            evaluations=self._zeros((on_gpu, kept, game.players), np.float64),
            paths=self._zeros((on_gpu, tree.DEEPEST, 2), np.int32),
            rows=self._zeros((n, room + tree.NOTES if described else 1, tree.ASPECTS), np.int16),
            visits=self._zeros((n, room), np.int32),
            sums=self._zeros((n, room), np.float64),
            **(network._asdict() if device == "cpu" else self.tables([network])),
            parameters=self._put(parameters_of(judgement, **parameters)),
        )
        self._scratch = [Tree(game, judgement, np.uint64(0), 1, 1).memory for _ in range(0 if device == "cuda" else 2)]

    def tables(self, networks: Sequence[Network]) -> dict[str, Any]:
        """On a GPU, the tables of networks, between which each tree's `side` chooses; for the lanes of a warp each is
        one row."""
        stacked = {name: np.stack([getattr(network, name) for network in networks]) for name in Network._fields}
        return {
            name: self._put(array.astype(np.float32).reshape(len(networks), *([-1] if self._flat else array.shape[1:])))
            for name, array in stacked.items()
        }

    def _zeros(self, shape: Any, dtype: Any) -> Any:
        if self._device == "cpu":
            return np.zeros(shape, dtype)
        return self._cuda.device_array(shape, dtype)

    def _put(self, array: Array) -> Any:
        return array if self._device == "cpu" else self._cuda.to_device(array)

    def _fill(self, array: Any, values: Array) -> None:
        if self._device == "cpu":
            array[:] = values
        else:
            array.copy_to_device(np.ascontiguousarray(values))

    def simulate(self, trees: forest.Trees, simulations: int) -> None:
        """On a GPU, simulations of all trees that have some left."""
        for _ in range(simulations):
            for kernel in self._kernels:
                kernel(trees)

    def grow(self, roots: Array, keys: Array) -> tuple[Array, Array, Array]:
        """Search each root [n] with its key uint64 [n]: the visits int32 and the sums of values float64 [n, room] of
        its actions, and the seats' mean values float64 [n, seats]."""
        t = self.trees
        self._fill(t.roots, roots)
        self._fill(t.keys, np.stack([keys, 0 * keys, keys], 1))
        self._fill(t.used, np.zeros((self.n, 3), np.int64))
        self._fill(t.totals, np.zeros(t.totals.shape))
        self._fill(t.visits, np.zeros(t.visits.shape, np.int32))
        if self._device == "cuda":
            self._fill(t.left, np.full(self.n, self.simulations, np.int32))
            self.simulate(t, self.simulations)
            self._report(t)
            visits, sums, totals = (array.copy_to_host() for array in (t.visits, t.sums, t.totals))
            return visits, sums, totals / self.simulations
        self._grow(0, 0, t, self._scratch[0], self.simulations)  # compiles
        half = self.n // 2
        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(self._grow, half, self.n, t, self._scratch[1], self.simulations)
            self._grow(0, half, t, self._scratch[0], self.simulations)
            other.result()
        return t.visits, t.sums, t.totals / self.simulations


def evaluations_of(simulations: int) -> int:
    """How many evaluations a tree on a GPU keeps, a power of two."""
    return min(1 << max(simulations - 1, 1).bit_length(), tree.EVALUATIONS)


def choose_many(
    views: Sequence[State],
    simulations: int,
    keys: Array,
    judgement: ModuleType | None,
    device: str,
    **parameters: Any,
) -> list[Choice]:
    """A choice for each view of one game, by a tree each. keys: uint64 [views]."""
    game = views[0].game
    a_tree = (simulations + 1) * (tree.NODE.itemsize + EDGES_A_NODE * tree.EDGE.itemsize)
    share = max(1, min(len(views), MOST_BYTES[device] // a_tree))
    grown = Forest(game, judgement, share, simulations, device, **parameters)
    found: list[Choice] = []
    for first in range(0, len(views), share):
        part = list(views[first : first + share])
        rest = share - len(part)  # the last group is filled up
        roots = np.concatenate([view.array() for view in part] + rest * [part[0].array()])
        visits, sums, values = grown.grow(roots, np.append(keys[first : first + share], np.zeros(rest, np.uint64)))
        found += [_choice(view, visits[k], sums[k], values[k], simulations) for k, view in enumerate(part)]
    return found


def _choice(view: State, visits: Array, sums: Array, values: Array, simulations: int) -> Choice:
    actions = list(view.actions)
    visits, sums = visits[: len(actions)], sums[: len(actions)]
    best = actions[int(np.lexsort((sums, visits))[-1])]
    seen = [(action, int(tries), float(total)) for action, tries, total in zip(actions, visits, sums, strict=True)]
    return Choice(
        best,
        {action: total / tries for action, tries, total in seen if tries},
        {action: tries for action, tries, _ in seen if tries},
        tuple(map(float, values)),
        (best,),
        simulations,
    )


@cache
def entry_points(kind: type[Game], judgement: ModuleType | None) -> Any:
    """`forest.grow_trees` bound to a game and a judgement."""
    names, rules, label = names_and_rules(kind().kernels, judgement, kind.name)
    return bind([*rules, tree.simulate, *forest.RULES], forest.ENTRY_POINTS, names, label, counted=False)["grow_trees"]


def functions_for_lanes(kind: type[Game], judgement: ModuleType | None) -> dict[str, Callable[..., Any]]:
    """A game's functions for all lanes of a warp, by name; none for another judgement than its own."""
    found = kind.modules.find("lanes", "BY_LANES") if judgement is kind().judgement else None
    return found.BY_LANES if found else {}


@cache
def kernels(kind: type[Game], judgement: ModuleType | None, seats: int, room: int, inputs: int) -> OnGpu:
    """The kernels of a simulation, and the one that reports, bound to a game and a judgement: for the lanes of a warp
    where the game has functions for them, else for one thread a tree."""
    from azulejos.core.gpu import jit

    names, rules, label = names_and_rules(kind().kernels, judgement, kind.name)
    by_lanes = functions_for_lanes(kind, judgement)
    if by_lanes:
        bound = warp.names(by_lanes, names, rules, label, seats, room, inputs)
        made = [jit(remake(one, bound), warp.REGISTERS) for one in warp.KERNELS]
        return OnGpu(made[:-1], made[-1], warp.LANES, warp.LANES * bound["WARPS"])
    bound = thread.names(names, rules, label, seats, room, inputs)
    made = [jit(remake(one, bound), thread.REGISTERS) for one in thread.KERNELS]
    return OnGpu(made[:-1], made[-1], 1, thread.THREADS)
