"""Five levels for people: searches with few simulations that sample their action from the visits."""

import math
from dataclasses import dataclass

import numpy as np

from azulejos.core.state import State

from .choice import NO_LIMIT, Choice, Limit
from .search import Search


@dataclass(frozen=True)
class Level:
    """A level by name.

    temperature: of the priors. exponent: an action is sampled in proportion to its visits to this power. Bad actions
    have few visits, so that small errors are common and large ones rare.
    """

    name: str
    about: str
    simulations: int
    temperature: float
    exponent: float


LEVELS = (
    Level("beginner", "knows the rules and likes points", 12, 3.0, 0.5),
    Level("casual", "thinks about its own board", 36, 1.3, 1.1),
    Level("regular", "looks at what the others need", 130, 1.0, 2.0),
    Level("expert", "plans the round", 600, 1.0, 4.0),
    Level("master", "plays as well as it can", 40_000, 1.0, math.inf),
)
PATIENCE = 2.0  # seconds at most, on a slow machine


class Leveller:
    """Plays at a level. A limit below the level's own simulations holds; a higher one changes nothing. `patience`:
    seconds at most for a choice, however many simulations are left; None for no such limit."""

    def __init__(self, level: Level, seed: int | None = None, patience: float | None = PATIENCE) -> None:
        self.level = level
        self._patience = patience
        self._search = Search(seed, temperature=level.temperature)
        self._generator = np.random.default_rng(seed)

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        time = min((given for given in (limit.time, self._patience) if given is not None), default=None)
        simulations = min(limit.simulations or self.level.simulations, self.level.simulations)
        best = math.isinf(self.level.exponent)
        choice = self._search.choose(view, Limit(time, simulations), firm=best)  # to sample, all visits are needed
        if best:
            return choice
        actions = list(choice.visits)
        visits = np.array([choice.visits[action] for action in actions])
        weights = (visits / visits.max()) ** self.level.exponent
        action = actions[int(self._generator.choice(len(actions), p=weights / weights.sum()))]
        line = choice.line if action == choice.action else (action,)
        return Choice(action, choice.values, choice.visits, choice.value, line, choice.simulations)
