"""Five levels for people: searches that see less, and that the more often take a good action for the best."""

import math
from dataclasses import dataclass

import numpy as np

from azulejos.core.state import State

from .player import NO_LIMIT, Choice, Limit
from .search import Search


@dataclass(frozen=True)
class Level:
    """A level by name.

    simulations: how far it looks. warmth: how little it makes of how actions look at a glance. care: an action is drawn
    in proportion to how often it was looked into, to this power. What looks bad or turned out badly is looked into
    least, so that small errors are common and large ones rare.
    """

    name: str
    about: str
    simulations: int
    warmth: float
    care: float


LEVELS = (
    Level("beginner", "knows the rules and likes points", 12, 3.0, 0.5),
    Level("casual", "thinks about its own board", 36, 1.3, 1.1),
    Level("regular", "looks at what the others need", 130, 1.0, 2.0),
    Level("expert", "plans the round", 600, 1.0, 4.0),
    Level("master", "plays as well as it can", 40_000, 1.0, math.inf),
)
_PATIENCE = 2.0  # seconds at most, on a slow machine


class Leveller:
    """Plays at a level. A limit that allows less than the level wants is kept; one that allows more changes nothing."""

    def __init__(self, level: Level, seed: int | None = None) -> None:
        self.level = level
        self._search = Search(seed, warmth=level.warmth)
        self._generator = np.random.default_rng(seed)

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        time = min(limit.time or _PATIENCE, _PATIENCE)
        simulations = min(limit.simulations or self.level.simulations, self.level.simulations)
        choice = self._search.choose(view, Limit(time, simulations))
        if math.isinf(self.level.care):
            return choice
        actions = list(choice.visits)
        visits = np.array([choice.visits[action] for action in actions])
        weights = (visits / visits.max()) ** self.level.care
        action = actions[int(self._generator.choice(len(actions), p=weights / weights.sum()))]
        line = choice.line if action == choice.action else (action,)
        return Choice(action, choice.values, choice.visits, choice.value, line, choice.simulations)
