"""Five levels for people: two that look at their own board, two that search a little, and one that plays its best."""

from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np
import numpy.typing as npt

from azulejos.core.game import Game
from azulejos.core.network import Network
from azulejos.core.state import State
from azulejos.core.streams import streams

from .choice import NO_LIMIT, Choice, Limit
from .greedy import Greedy
from .search import Search, Tree, network_of


@dataclass(frozen=True)
class Level:
    """A level by name.

    simulations: of its search. A level without any rates its actions at sight, without a look at what others need.
    width: which actions it takes for good ones: those whose visits, or priors at sight, are within this natural
    logarithm of the best. The closer to the best, the likelier: small mistakes are common, absurd actions impossible.
    """

    name: str
    about: str
    simulations: int
    width: float

    def within(self, game: Game) -> "Level":
        """The level as it plays a game: with what the game's judgement has in `LEVELS`, by name."""
        return replace(self, **getattr(game.judgement, "LEVELS", {}).get(self.name, {}))


LEVELS = (
    Level("beginner", "knows the rules and likes points", 0, 2.6),
    Level("casual", "thinks about its own board", 0, 1.0),
    Level("regular", "looks at what the others need", 8, 1.0),
    Level("expert", "plans the round", 150, 0.5),
    Level("master", "plays as well as it can", 40_000, 0.0),
)
PATIENCE = 2.0  # seconds at most, on a slow machine
POINTS_A_STEP = 3.0  # by which an action looks 2.7 times as good, in a game without a judgement


class Leveller:
    """Plays at a level. A limit below the level's own simulations holds; a higher one changes nothing. `patience`:
    seconds at most for a choice, however many simulations are left; None for no such limit."""

    def __init__(self, level: Level, seed: int | None = None, patience: float | None = PATIENCE) -> None:
        self.level = level
        self._patience = patience
        self._search = Search(seed)
        self._glance: Tree | None = None
        self._generator = np.random.default_rng(seed)

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        level = self.level.within(view.game)
        if level.simulations == 0:
            return Choice(view.actions[self._sample(self._priors(view), level.width)])
        time = min((given for given in (limit.time, self._patience) if given is not None), default=None)
        simulations = min(limit.simulations or level.simulations, level.simulations)
        best = level.width == 0
        choice = self._search.choose(view, Limit(time, simulations), firm=best)  # to sample, all visits are needed
        if best:
            return choice
        action = list(choice.visits)[self._sample(np.array(list(choice.visits.values()), np.float64), level.width)]
        line = choice.line if action == choice.action else (action,)
        return Choice(action, choice.values, choice.visits, choice.value, line, choice.simulations)

    def _sample(self, merits: npt.NDArray[np.float64], width: float) -> int:
        """The place of an action, drawn by its merit: the visits or the prior."""
        weights = np.maximum(1 - np.log(merits.max() / np.maximum(merits, 1e-30)) / width, 0)
        return int(self._generator.choice(len(weights), p=weights / weights.sum()))

    def _priors(self, view: State) -> npt.NDArray[np.float64]:
        """How good each action looks on one's own board; in a game without a judgement, by its points."""
        judgement = view.game.judgement
        if judgement is None:
            points = np.array(list(Greedy().choose(view).values.values()))
            return np.array(np.exp((points - points.max()) / POINTS_A_STEP))
        if self._glance is None or self._glance.game != view.game:
            network = without_others(network_of(view.game, judgement), judgement)
            self._glance = Tree(view.game, judgement, streams(1, 0)[0], 1, view.game.num_actions, network)
        self._glance.plant(view)
        self._glance.grow(0)
        return np.array(self._glance.root_edges["prior"], np.float64)


def without_others(network: Network, judgement: ModuleType) -> Network:
    """A network that does not see what others need: the rows that describe it count nothing."""
    linear = network.linear.copy()
    for first, last in getattr(judgement, "ROWS_OF_OTHERS", ()):
        linear[first:last] = 0
    return network._replace(linear=linear, priors=np.zeros_like(network.priors))
