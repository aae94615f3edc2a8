"""A player that searches: a tree over the compiled rules, within a limit."""

import math
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from azulejos.core.action import Action
from azulejos.core.compiling import bind
from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.network import Network, Networks
from azulejos.core.state import State
from azulejos.core.streams import streams

from . import deepening, judging, tree
from .choice import NO_LIMIT, Choice, Limit

USUAL = 1.0  # seconds, where there is no limit
PARAMETERS = {
    "explore": 0.8,
    "fpu_reduction": 0.0,
    "temperature": 1.0,
    "noise": 0.4,
    "margin": 0.1,
    "stages": 1.0,
    "deepen": 1.0,
}
_NODES, _EDGES = 250_000, 5_000_000
_BETWEEN_LOOKS = 0.002  # seconds between two looks at the clock
_TRANSPOSITIONS = 1 << 18  # a power of two: 6 megabytes
FEW = 5_000  # a search of fewer simulations does not deepen; in more, deepening has this many nodes to reach FAR
PARTS = 8  # of a limit: the first is for deepening, the last for the tree, the rest for whichever chooses
FAR = 9.0  # the depth that deepening must reach at first, to go on
SURELY = 1.2  # the rate may rise by this factor before a decision that was sure is not


def parameters_of(judgement: ModuleType | None, **given: float) -> npt.NDArray[np.float64]:
    """The parameters of a search in the order of PARAMETERS: as given, else the judgement's, else the usual ones."""
    wanted = {**PARAMETERS, **getattr(judgement, "PARAMETERS", {}), **given}
    return np.array([wanted[name] for name in PARAMETERS])


def network_of(game: Game, judgement: ModuleType | None) -> Network:
    """The network of a judgement for a variant of a game."""
    networks: Networks | None = getattr(judgement, "NETWORKS", None)
    if networks:
        return networks.of(game)
    return Network(np.ascontiguousarray((judgement or judging).WEIGHTS, np.float32))


def words_of(states: Any) -> Any:
    """The memory of some states, a row of words for each: of 32 bits, or bytes where the size is no multiple of 4."""
    word = np.uint8 if states.dtype.itemsize % 4 else np.uint32
    return np.asarray(states).view(word).reshape(len(states), -1)


class Tree:
    """The memory of one tree search, reused for the next: about 130 megabytes at most; a search touches what it
    needs."""

    def __init__(
        self,
        game: Game,
        judgement: ModuleType | None,
        key: np.uint64,
        nodes: int = _NODES,
        edges: int = _EDGES,
        network: Network | None = None,
        **parameters: Any,
    ) -> None:
        self.game = game
        self._simulate = entry_points(game.kernels, judgement, game.name).simulate
        network, actions = network or network_of(game, judgement), game.actions_buffer()
        states = game.empty(2)
        self.memory: tree.Memory = tree.Memory(
            states=states,
            words=words_of(states),
            nodes=np.empty(nodes, tree.NODE),
            edges=np.empty(edges, tree.EDGE),
            used=np.zeros(3, np.int64),
            path=np.zeros((tree.DEEPEST, 2), np.int64),
            values=np.zeros(game.players),
            totals=np.zeros(game.players),
            hashes=np.zeros(tree.EVALUATIONS, np.uint64),
            evaluations=np.zeros((tree.EVALUATIONS, game.players)),
            inputs=np.zeros((game.players, network.weights.shape[1]), np.float32),
            **network._asdict(),
            actions=actions,
            ratings=np.zeros(len(actions) + tree.NOTES),
            rows=np.zeros((len(actions) + tree.NOTES, tree.ASPECTS), np.int16),
            keys=np.array([key, 0, key], np.uint64),
            parameters=parameters_of(judgement, **parameters),
        )
        self.simulations: int = 0

    @property
    def root_edges(self) -> Any:
        """The edges of the root: EDGE [actions]."""
        return self.memory.edges[: int(self.memory.nodes[0]["count"])]

    def plant(self, view: State) -> None:
        self.memory.states[:1] = view.array()
        self.memory.used[:] = 0
        self.memory.totals[:] = 0
        self.simulations = 0

    def grow(self, simulations: int) -> None:
        self._simulate(self.memory, simulations)
        self.simulations += simulations

    def grow_until(self, end: float | None, most: int | None, firm: bool) -> None:
        """Grow until a time (of `perf_counter`) or a number of simulations, whichever comes first.

        `firm`: or until the simulations left could not change which action has the most visits.
        """
        chunk = 16 if end is not None else 2_000
        while most is None or self.simulations < most:
            started = time.perf_counter()
            if end is not None and started >= end:
                break
            wanted = chunk if most is None else min(chunk, most - self.simulations)
            self.grow(wanted)
            left = math.inf if most is None else most - self.simulations
            if end is not None:
                now = time.perf_counter()
                pace = max((now - started) / wanted, 1e-9)
                left = min(left, max(end - now, 0) / pace)
                chunk = max(1, int(min(_BETWEEN_LOOKS, max(end - now, 0) / 2) / pace))
            if firm and left < self._lead() / SURELY:
                break

    def _lead(self) -> int:
        """By how many visits the most visited action is ahead of the next."""
        visits = self.root_edges["visits"]
        second, best = np.partition(visits, -2)[-2:] if len(visits) > 1 else (0, self.simulations)
        return int(best - second)


class Deepening:
    """The memory of one alpha-beta search, reused for the next; it evaluates as the given tree does."""

    def __init__(self, one: Tree, judgement: ModuleType | None, transpositions: int = _TRANSPOSITIONS) -> None:
        self.game: Game = one.game
        self._entry_points = entry_points(one.game.kernels, judgement, one.game.name)
        levels, states = deepening.DEEPEST + 1, one.game.empty(deepening.DEEPEST + 1)
        self.memory: deepening.Memory = deepening.Memory(
            states=states,
            words=words_of(states),
            levels=np.zeros(levels, deepening.LEVEL),
            moves=np.zeros((levels, len(one.memory.actions)), np.int16),
            costs=np.zeros((levels, len(one.memory.actions))),
            transpositions=np.zeros(transpositions, deepening.TRANSPOSITION),
            progress=np.zeros(3, np.int64),
            reached=np.zeros(2),
            tree=one.memory._replace(keys=np.zeros(3, np.uint64)),
        )

    @property
    def nodes(self) -> int:
        return int(self.memory.progress[deepening.NODES])

    @property
    def depth(self) -> float:
        return float(self.memory.reached[deepening.DEPTH])

    @property
    def value(self) -> float:
        return float(self.memory.reached[deepening.VALUE])

    def plant(self, view: State) -> None:
        self.memory.states[:1] = view.array()
        self.memory.transpositions[:] = 0
        self.memory.progress[:] = tree.NONE, 0, tree.NONE
        self.memory.reached[:] = deepening.FIRST, 0
        self.line()  # compiles before the clock runs, if it must

    def grow(self, nodes: int) -> None:
        self._entry_points.deepen(self.memory, nodes)

    def grow_until(self, end: float | None, most: int | None) -> None:
        """Grow until a time, a number of nodes in all, or the end of the stage, whichever comes first."""
        chunk = 16 if end is not None else 2_000
        while self.depth < deepening.WHOLE and (most is None or self.nodes < most):
            started = time.perf_counter()
            if end is not None and started >= end:
                break
            wanted = chunk if most is None else min(chunk, most - self.nodes)
            self.grow(wanted)
            if end is not None:
                now = time.perf_counter()
                chunk = max(1, int(min(_BETWEEN_LOOKS, max(end - now, 0) / 2) / max((now - started) / wanted, 1e-9)))

    def line(self) -> list[Action]:
        """The principal variation, the best action first."""
        line = np.zeros(deepening.DEEPEST, np.int64)
        count = self._entry_points.follow(self.memory, self.memory.progress[deepening.BEST], line)
        return [Action(self.game, int(action)) for action in line[:count]]


class Search:
    """Chooses the action with the most visits. Values are the acting seat's chance to win.

    With two players, where the game's judgement says that nothing is drawn within a stage (`STAGE_WITHOUT_DRAWS`), it
    also runs alpha-beta, unless `deepen` is 0 or the limit is small. Where that gets deep enough, it chooses.

    `threads`: the number of trees that grow in parallel, each on a core; their roots are added up.
    `judgement`: instead of the game's own. `parameters`: of the tree, instead of those that won most; a judgement may
    have `PARAMETERS` of its own. `device`: where `choose_many` searches, "cpu" or "cuda"; `choose` is the CPU's.
    """

    def __init__(
        self,
        seed: int | None = None,
        threads: int = 1,
        judgement: ModuleType | None = None,
        device: str = "cpu",
        **parameters: float,
    ) -> None:
        for name in parameters:
            if name not in PARAMETERS:
                raise OptionError(f"a search has no parameter {name!r}; it has {', '.join(PARAMETERS)}")
        if not 1 <= threads <= 256:
            raise OptionError(f"{threads} threads are not possible: 1 to 256 are")
        self._parameters: dict[str, Any] = parameters
        if device not in ("cpu", "cuda"):
            raise OptionError(f"device={device!r} is not possible: it is 'cpu' or 'cuda'")
        if device == "cuda":
            from azulejos.core.gpu import check_gpu

            check_gpu()
        self._device = device
        self._seed = secrets.randbits(63) if seed is None else seed
        self._keys = streams(threads, self._seed)
        self._judgement = judgement
        self._trees: list[Tree] = []
        self._deep: Deepening | None = None

    def choose(self, view: State, limit: Limit = NO_LIMIT, firm: bool = True) -> Choice:
        """`firm`: stop as soon as the simulations left could not change which action has the most visits."""
        if view.seat is None:
            raise OptionError("nobody is to act in this position")
        if limit == NO_LIMIT:
            limit = Limit(time=USUAL)
        if len(view.actions) == 1:
            limit = Limit(limit.time, 1)
        trees, deep = self._planted(view), self._begun(view, limit)
        started = time.perf_counter()
        end, most = _part(limit, started, PARTS)
        if deep:
            soon, few = _part(limit, started, 1)
            deep.grow_until(soon, min(few or FEW, FEW))
            if deep.depth >= FAR:
                deep.grow_until(*_part(limit, started, PARTS - 1))
                end, most = _part(limit, time.perf_counter(), 1)
            elif most is not None:
                most -= deep.nodes
        share = None if most is None else -(-most // len(trees))
        if len(trees) == 1:
            trees[0].grow_until(end, share, firm)
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                for grown in [pool.submit(one.grow_until, end, share, firm=False) for one in trees]:
                    grown.result()
        choice = _choice(view, trees)
        return _deepened(choice, view, deep) if deep else choice

    def choose_many(self, views: Sequence[State], limit: Limit) -> list[Choice]:
        """A choice for each of many views of one game, each by a tree of its own with limit.simulations; without
        alpha-beta and without an early stop. The CPU and a GPU choose alike."""
        from .many import choose_many

        if limit.simulations is None or limit.time is not None:
            raise OptionError("many choices at once are limited by simulations, not by time")
        if any(view.seat is None for view in views):
            raise OptionError("nobody is to act in one of these positions")
        if any(view.game != views[0].game for view in views):
            raise OptionError("these positions are of several games: search one game at a time")
        if not views:
            return []
        keys = streams(len(views), self._seed)
        judgement = self._judgement or views[0].game.judgement
        return choose_many(views, limit.simulations, keys, judgement, self._device, **self._parameters)

    def _planted(self, view: State) -> list[Tree]:
        if not self._trees or self._trees[0].game != view.game:
            judgement = self._judgement or view.game.judgement
            self._trees = [Tree(view.game, judgement, key, **self._parameters) for key in self._keys]
            self._deep = None
            if deepens(view.game, judgement, self._trees[0].memory.parameters):
                self._deep = Deepening(self._trees[0], judgement)
        for one in self._trees:
            one.plant(view)
            one.grow(1)  # before the clock starts: the first time, this compiles
        return self._trees

    def _begun(self, view: State, limit: Limit) -> Deepening | None:
        """A deepening that has begun, where it is possible and worth while."""
        if self._deep is None or (limit.simulations is not None and limit.simulations < FEW):
            return None
        self._deep.plant(view)
        self._deep.grow(1)  # before the clock starts, too
        return self._deep


def deepens(game: Game, judgement: ModuleType | None, parameters: npt.NDArray[np.float64]) -> bool:
    """Is alpha-beta possible here, and wanted?"""
    wanted = dict(zip(PARAMETERS, parameters, strict=True))
    drawless = wanted["stages"] == 1 and getattr(judgement, "STAGE_WITHOUT_DRAWS", False)
    return bool(wanted["deepen"] and drawless and game.players == 2)


def _part(limit: Limit, started: float, parts: int) -> tuple[float | None, int | None]:
    """Where this many of the eight parts of a limit end: the time, and the simulations."""
    return (
        None if limit.time is None else started + limit.time * parts / PARTS,
        None if limit.simulations is None else limit.simulations * parts // PARTS,
    )


def _choice(view: State, trees: list[Tree]) -> Choice:
    visits: npt.NDArray[np.int64] = np.sum([one.root_edges["visits"] for one in trees], axis=0, dtype=np.int64)
    totals = np.sum([one.root_edges["total"] for one in trees], axis=0)
    actions = list(view.actions)
    best = int(np.lexsort((totals, visits))[-1])
    means = totals / np.maximum(visits, 1)
    return Choice(
        actions[best],
        {action: float(mean) for action, mean, tries in zip(actions, means, visits, strict=True) if tries},
        {action: int(tries) for action, tries in zip(actions, visits, strict=True) if tries},
        _value(view, trees),
        tuple(_line(view.game, trees[0], best)),
        int(visits.sum()),
    )


def _deepened(choice: Choice, view: State, deep: Deepening) -> Choice:
    """A tree's choice corrected by alpha-beta, if that got deep enough. Its nodes count as simulations of the action it
    chose, and no other action is worth more."""
    simulations = choice.simulations + deep.nodes
    if deep.depth < FAR:
        return replace(choice, simulations=simulations)
    line, best = tuple(deep.line()), deep.value
    return Choice(
        line[0],
        {**{action: min(value, best) for action, value in choice.values.items()}, line[0]: best},
        {**choice.visits, line[0]: choice.visits.get(line[0], 0) + deep.nodes},
        tuple(best if seat == view.seat else 1 - best for seat in range(2)),
        line,
        simulations,
        deep.depth >= deepening.WHOLE,
    )


def _value(view: State, trees: list[Tree]) -> tuple[float, ...]:
    """Every seat's chance to win: the mean of all simulations."""
    totals = np.sum([one.memory.totals for one in trees], axis=0)
    return tuple(float(total) for total in totals / sum(one.simulations for one in trees))


def _line(game: Game, one: Tree, edge: int) -> list[Action]:
    """The principal variation: the actions with the most visits, as long as there are ten."""
    line: list[Action] = []
    nodes, edges = one.memory.nodes, one.memory.edges
    while True:
        line.append(Action(game, int(edges[edge]["action"])))
        node = int(edges[edge]["child"])
        if node == tree.NONE:
            return line
        first, count = int(nodes[node]["first"]), int(nodes[node]["count"])
        edge = first + int(np.argmax(edges[first : first + count]["visits"]))
        if edges[edge]["visits"] < 10:
            return line


@cache
def entry_points(kernels: ModuleType, judgement: ModuleType | None, name: str) -> SimpleNamespace:
    """The search bound to a game's rules and to a judgement."""
    names, rules, label = names_and_rules(kernels, judgement, name)
    bound = bind([*rules, *deepening.RULES], [*tree.ENTRY_POINTS, *deepening.ENTRY_POINTS], names, label, counted=False)
    return SimpleNamespace(**bound)


def names_and_rules(
    kernels: ModuleType, judgement: ModuleType | None, name: str
) -> tuple[ModuleType, list[Callable[..., Any]], str]:
    """What a tree search is bound to: the names of a game and its judgement, the rules of the tree, and a label for
    the compiled code."""
    given = vars(judgement) if judgement else {}
    units = given["NETWORKS"].units if "NETWORKS" in given else {}
    names = cast(ModuleType, SimpleNamespace(**{**vars(kernels), **given, **units}))
    rules = [template for template in judging.RULES if template.__name__ not in given]
    label = judgement.__name__.rpartition(".")[2].replace("judgement", name) if judgement else f"{name}-unjudged"
    return names, [*rules, *tree.RULES], label
