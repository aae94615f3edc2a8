"""Five levels for people: searches that see less, and that take a good action for the best the sooner the weaker."""

from dataclasses import dataclass

import numpy as np

from azulejos.core.state import State

from .player import NO_LIMIT, Choice, Limit
from .search import Search


@dataclass(frozen=True)
class Level:
    """A level by name.

    simulations: how far it looks. slack: how much of its chance to win it may give away without noticing: actions are
    drawn in proportion to e**(value / slack), so that small errors are common and large ones rare; 0 for the best only.
    """

    name: str
    about: str
    simulations: int
    slack: float


LEVELS = (
    Level("beginner", "knows the rules and likes points", 12, 0.20),
    Level("casual", "thinks about its own board", 40, 0.09),
    Level("regular", "looks at what the others need", 120, 0.045),
    Level("expert", "plans the round", 1_000, 0.015),
    Level("master", "plays as well as it can", 40_000, 0.0),
)
_PATIENCE = 2.0  # seconds at most, on a slow machine


class Leveller:
    """Plays at a level. A limit that allows less than the level wants is kept; one that allows more changes nothing."""

    def __init__(self, level: Level, seed: int | None = None) -> None:
        self.level = level
        self._search = Search(seed)
        self._generator = np.random.default_rng(seed)

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        time = min(limit.time or _PATIENCE, _PATIENCE)
        simulations = min(limit.simulations or self.level.simulations, self.level.simulations)
        choice = self._search.choose(view, Limit(time, simulations))
        if self.level.slack == 0:
            return choice
        actions = list(choice.values)
        values = np.array([choice.values[action] for action in actions])
        weights = np.exp((values - values.max()) / self.level.slack)
        action = actions[int(self._generator.choice(len(actions), p=weights / weights.sum()))]
        line = choice.line if action == choice.action else (action,)
        return Choice(action, choice.values, choice.visits, choice.value, line, choice.simulations)
