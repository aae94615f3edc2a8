"""A player that searches: a tree over the compiled rules, as far and as wide as the limit allows."""

import math
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import cast

import numpy as np
import numpy.typing as npt

from azulejos.core.action import Action
from azulejos.core.chance import streams
from azulejos.core.compiling import bind
from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.state import State

from . import deepening, judging, tree
from .player import NO_LIMIT, Choice, Limit

HABIT = 1.0  # seconds, if nobody sets a limit
SETTINGS = {"explore": 0.8, "doubt": 0.0, "warmth": 1.0, "whim": 0.4, "margin": 0.1, "stages": 1.0, "deepen": 1.0}
_NODES, _EDGES = 250_000, 5_000_000
_BETWEEN_LOOKS = 0.002  # seconds between two looks at the clock
_ENTRIES = 1 << 18  # of the table of positions that deepening met, a power of two: 6 megabytes
_FEW = 5_000  # a search of fewer simulations does not deepen; of more, in so many nodes at most it must come far
_PARTS = 8  # of a limit: the first is for deepening, the last for the tree, the others for what comes farther
_FAR = 9.0  # the depth that deepening must come to at first, to go on
_SURELY = 1.2  # the pace may rise by so much before a decision that was sure is not


class Tree:
    """The memory of one search, used again for the next: about 130 megabytes at most, of which a search touches
    what it needs."""

    def __init__(
        self, game: Game, judgement: ModuleType | None, key: np.uint64, nodes: int = _NODES, edges: int = _EDGES
    ) -> None:
        self.game = game
        self.simulate = entry_points(game.kernels, judgement, game.name).simulate
        self.states = game.empty(2)
        self.nodes = np.empty(nodes, tree.NODE)
        self.edges = np.empty(edges, tree.EDGE)
        self.used = np.zeros(3, np.int64)
        self.path = np.zeros((tree.DEEPEST, 2), np.int64)
        self.values = np.zeros(game.players)
        self.hopes = np.zeros(game.players)
        self.weights = np.ascontiguousarray((judgement or judging).WEIGHTS)
        self.noted = np.zeros(self.weights.shape[1])
        self.out = game.actions_buffer()
        self.ratings = np.zeros(len(self.out) + tree.NOTES)
        self.keys = np.array([key, 0, key], np.uint64)
        self.simulations = 0

    def plant(self, view: State) -> None:
        self.states[:1] = view.array()
        self.used[:] = 0
        self.hopes[:] = 0
        self.simulations = 0

    def grow(self, settings: npt.NDArray[np.float64], simulations: int) -> None:
        self.simulate(
            self.states,
            self.nodes,
            self.edges,
            self.used,
            self.path,
            self.values,
            self.hopes,
            self.noted,
            self.weights,
            self.out,
            self.ratings,
            self.keys,
            settings,
            simulations,
        )
        self.simulations += simulations

    def grow_until(self, settings: npt.NDArray[np.float64], end: float | None, most: int | None, firm: bool) -> None:
        """Grow until a point in time (of `perf_counter`), so many simulations, or whichever is over first.

        `firm`: or until the simulations that are left could not change which action is looked into most.
        """
        chunk = 16 if end is not None else 2_000
        while most is None or self.simulations < most:
            started = time.perf_counter()
            if end is not None and started >= end:
                break
            wanted = chunk if most is None else min(chunk, most - self.simulations)
            self.grow(settings, wanted)
            left = math.inf if most is None else most - self.simulations
            if end is not None:
                now = time.perf_counter()
                pace = max((now - started) / wanted, 1e-9)
                left = min(left, max(end - now, 0) / pace)
                chunk = max(1, int(min(_BETWEEN_LOOKS, max(end - now, 0) / 2) / pace))
            if firm and left < self._lead() / _SURELY:
                break

    def _lead(self) -> int:
        """By how many visits the action looked into most is ahead of the next."""
        visits = self.edges["visits"][: self.nodes[0]["count"]]
        second, best = np.partition(visits, -2)[-2:] if len(visits) > 1 else (0, self.simulations)
        return int(best - second)


class Deepening:
    """The memory of one alpha-beta search, used again for the next; it judges as a tree does."""

    def __init__(self, one: Tree, judgement: ModuleType | None, margin: float, entries: int = _ENTRIES) -> None:
        self.game = one.game
        self.entry_points = entry_points(one.game.kernels, judgement, one.game.name)
        levels = deepening.DEEPEST + 1
        self.states = one.game.empty(levels)
        self.words = np.asarray(self.states).view(np.uint32).reshape(levels, -1)
        self.table = np.zeros(entries, deepening.ENTRY)
        self.progress = np.zeros(3, np.int64)
        self.reached = np.zeros(2)
        self.stack = (
            np.zeros((levels, len(one.out)), np.int16),
            np.zeros((levels, len(one.out))),
            np.zeros((5, levels), np.int64),
            np.zeros((7, levels)),
            np.zeros(levels, np.uint64),
        )
        self.judging = (one.values, one.noted, one.weights, one.ratings, one.out, np.zeros(1, np.uint64), margin)

    @property
    def nodes(self) -> int:
        return int(self.progress[deepening.NODES])

    @property
    def depth(self) -> float:
        return float(self.reached[deepening.DEPTH])

    @property
    def value(self) -> float:
        return float(self.reached[deepening.VALUE])

    def plant(self, view: State) -> None:
        self.states[:1] = view.array()
        self.table[:] = 0
        self.progress[:] = tree.NONE, 0, tree.NONE
        self.reached[:] = deepening.FIRST, 0
        self.line()  # compiles before the clock runs, if it must

    def grow(self, nodes: int) -> None:
        self.entry_points.deepen(
            self.states, self.words, *self.stack, self.table, self.progress, self.reached, *self.judging, nodes
        )

    def grow_until(self, end: float | None, most: int | None) -> None:
        """Grow until a point in time, so many nodes in all, the stage's end is seen, or whichever is first."""
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
        """How play is expected to go on, the best action first."""
        line = np.zeros(deepening.DEEPEST, np.int64)
        count = self.entry_points.follow(self.states, self.words, self.table, self.progress[deepening.BEST], line)
        return [Action(self.game, int(action)) for action in line[:count]]


class Search:
    """Chooses the action that its tree has looked into most. Values are the acting seat's chance to win.

    Where two play and the game's judgement says that nothing is drawn within a stage (`STAGE_WITHOUT_DRAWS`), it
    deepens too, unless `deepen` is 0 or it has simulations for no more than a glance. Where that comes far, it is what
    chooses.

    `threads`: how many trees grow side by side, each on a core of its own; what they find is added up.
    `judgement`: instead of the game's own. `settings`: of the tree, instead of those that won most;
    a judgement may have `SETTINGS` of its own.
    """

    def __init__(
        self, seed: int | None = None, threads: int = 1, judgement: ModuleType | None = None, **settings: float
    ) -> None:
        for name in settings:
            if name not in SETTINGS:
                raise OptionError(f"a search has no setting {name!r}; it has {', '.join(SETTINGS)}")
        if not 1 <= threads <= 256:
            raise OptionError(f"{threads} threads are not possible: 1 to 256 are")
        self._given = settings
        self._settings = np.zeros(len(SETTINGS))
        self._keys = streams(threads, secrets.randbits(63) if seed is None else seed)
        self._judgement = judgement
        self._trees: list[Tree] = []
        self._deep: Deepening | None = None

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        if view.seat is None:
            raise OptionError("nobody is to act in this position")
        if limit == NO_LIMIT:
            limit = Limit(time=HABIT)
        if len(view.actions) == 1:
            limit = Limit(limit.time, 1)
        trees, deep = self._planted(view), self._begun(view, limit)
        started = time.perf_counter()
        end, most = _part(limit, started, _PARTS)
        if deep:
            soon, few = _part(limit, started, 1)
            deep.grow_until(soon, min(few or _FEW, _FEW))
            if deep.depth >= _FAR:
                deep.grow_until(*_part(limit, started, _PARTS - 1))
                end, most = _part(limit, time.perf_counter(), 1)
            elif most is not None:
                most -= deep.nodes
        share = None if most is None else -(-most // len(trees))
        if len(trees) == 1:
            trees[0].grow_until(self._settings, end, share, firm=True)
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                for grown in [pool.submit(one.grow_until, self._settings, end, share, firm=False) for one in trees]:
                    grown.result()
        choice = _choice(view, trees)
        return _deepened(choice, view, deep) if deep else choice

    def _planted(self, view: State) -> list[Tree]:
        if not self._trees or self._trees[0].game != view.game:
            judgement = self._judgement or view.game.judgement
            wanted = {**SETTINGS, **getattr(judgement, "SETTINGS", {}), **self._given}
            self._settings = np.array([wanted[name] for name in SETTINGS])
            self._trees = [Tree(view.game, judgement, key) for key in self._keys]
            self._deep = None
            drawless = wanted["stages"] == 1 and getattr(judgement, "STAGE_WITHOUT_DRAWS", False)
            if wanted["deepen"] and drawless and view.game.players == 2:
                self._deep = Deepening(self._trees[0], judgement, wanted["margin"])
        for one in self._trees:
            one.plant(view)
            one.grow(self._settings, 1)  # before the clock starts: the first time, this compiles
        return self._trees

    def _begun(self, view: State, limit: Limit) -> Deepening | None:
        """A deepening that has begun, where it is possible and worth while."""
        if self._deep is None or (limit.simulations is not None and limit.simulations < _FEW):
            return None
        self._deep.plant(view)
        self._deep.grow(1)  # before the clock starts, too
        return self._deep


def _part(limit: Limit, started: float, parts: int) -> tuple[float | None, int | None]:
    """When so many of the parts of a limit are over: the time, and the simulations."""
    return (
        None if limit.time is None else started + limit.time * parts / _PARTS,
        None if limit.simulations is None else limit.simulations * parts // _PARTS,
    )


def _choice(view: State, trees: list[Tree]) -> Choice:
    count = int(trees[0].nodes[0]["count"])
    visits, totals = np.zeros(count, np.int64), np.zeros(count)
    for one in trees:
        edges = one.edges[:count]
        visits += edges["visits"]
        totals += edges["total"]
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
    """A tree's choice with what a deepening found, if it came far. Its nodes count as simulations: of the action that
    it chose, than which no other is worth more."""
    simulations = choice.simulations + deep.nodes
    if deep.depth < _FAR:
        return replace(choice, simulations=simulations)
    line, best = tuple(deep.line()), deep.value
    return Choice(
        line[0],
        {**{action: min(value, best) for action, value in choice.values.items()}, line[0]: best},
        {**choice.visits, line[0]: choice.visits.get(line[0], 0) + deep.nodes},
        tuple(best if seat == view.seat else 1 - best for seat in range(2)),
        line,
        simulations,
    )


def _value(view: State, trees: list[Tree]) -> tuple[float, ...]:
    """Every seat's chance to win, as the simulations saw it."""
    totals = np.sum([one.hopes for one in trees], axis=0)
    return tuple(float(total) for total in totals / sum(one.simulations for one in trees))


def _line(game: Game, one: Tree, edge: int) -> list[Action]:
    """How play is expected to go on: the actions looked into most, as far as they were looked into often."""
    line: list[Action] = []
    while True:
        line.append(Action(game, int(one.edges[edge]["action"])))
        node = int(one.edges[edge]["child"])
        if node == tree.NONE:
            return line
        first, count = int(one.nodes[node]["first"]), int(one.nodes[node]["count"])
        edge = first + int(np.argmax(one.edges[first : first + count]["visits"]))
        if one.edges[edge]["visits"] < 10:
            return line


@cache
def entry_points(kernels: ModuleType, judgement: ModuleType | None, name: str) -> SimpleNamespace:
    """The search bound to a game's rules and to a judgement."""
    given = vars(judgement) if judgement else {}
    names = cast(ModuleType, SimpleNamespace(**{**vars(kernels), **given}))
    rules = [template for template in judging.RULES if template.__name__ not in given]
    bound = bind(
        [*rules, *tree.RULES, *deepening.RULES],
        [*tree.ENTRY_POINTS, *deepening.ENTRY_POINTS],
        names,
        name if judgement else f"{name}-unjudged",
    )
    return SimpleNamespace(**bound)
