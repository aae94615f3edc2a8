"""A player that searches: a tree over the compiled rules, as far and as wide as the limit allows."""

import math
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
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

from . import judging, tree
from .player import NO_LIMIT, Choice, Limit

HABIT = 1.0  # seconds, if nobody sets a limit
SETTINGS = {"explore": 0.8, "doubt": 0.0, "warmth": 1.0, "whim": 0.4, "margin": 0.1, "stages": 1.0}
_NODES, _EDGES = 250_000, 5_000_000
_BETWEEN_LOOKS = 0.002  # seconds between two looks at the clock
_SURELY = 1.2  # the pace may rise by so much before a decision that was sure is not


class Tree:
    """The memory of one search, used again for the next: about 130 megabytes at most, of which a search touches
    what it needs."""

    def __init__(
        self, game: Game, judgement: ModuleType | None, key: np.uint64, nodes: int = _NODES, edges: int = _EDGES
    ) -> None:
        self.game = game
        self.simulate = doors(game.kernels, judgement, game.name).simulate
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


class Search:
    """Chooses the action that its tree has looked into most. Values are the acting seat's chance to win.

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

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        if view.seat is None:
            raise OptionError("nobody is to act in this position")
        trees = self._planted(view)
        if limit == NO_LIMIT:
            limit = Limit(time=HABIT)
        end = None if limit.time is None else time.perf_counter() + limit.time
        most = 1 if len(view.actions) == 1 else limit.simulations
        share = None if most is None else -(-most // len(trees))
        if len(trees) == 1:
            trees[0].grow_until(self._settings, end, share, firm=True)
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                for grown in [pool.submit(one.grow_until, self._settings, end, share, firm=False) for one in trees]:
                    grown.result()
        return _choice(view, trees)

    def _planted(self, view: State) -> list[Tree]:
        if not self._trees or self._trees[0].game != view.game:
            judgement = self._judgement or view.game.judgement
            wanted = {**SETTINGS, **getattr(judgement, "SETTINGS", {}), **self._given}
            self._settings = np.array([wanted[name] for name in SETTINGS])
            self._trees = [Tree(view.game, judgement, key) for key in self._keys]
        for one in self._trees:
            one.plant(view)
            one.grow(self._settings, 1)  # before the clock starts: the first time, this compiles
        return self._trees


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
def doors(kernels: ModuleType, judgement: ModuleType | None, name: str) -> SimpleNamespace:
    """The search bound to a game's rules and to a judgement."""
    given = vars(judgement) if judgement else {}
    names = cast(ModuleType, SimpleNamespace(**{**vars(kernels), **given}))
    rules = [template for template in judging.RULES if template.__name__ not in given]
    return SimpleNamespace(**bind([*rules, *tree.RULES], tree.DOORS, names, name if judgement else f"{name}-unjudged"))
