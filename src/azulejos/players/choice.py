"""The interface of a player: the limit it is given, and the choice it returns."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from azulejos.core.action import Action
from azulejos.core.errors import OptionError
from azulejos.core.state import State

LONGEST = 3600.0  # seconds for one choice
MOST = 10**9  # simulations for one choice
_LIMIT = re.compile(r"(\d+(?:\.\d+)?)s|(\d+)")


@dataclass(frozen=True)
class Limit:
    """The limit of one choice: seconds, simulations, or both, whichever ends first.

    >>> Limit(time=0.1), Limit(simulations=500)
    (Limit(time=0.1, simulations=None), Limit(time=None, simulations=500))
    """

    time: float | None = None
    simulations: int | None = None

    def __post_init__(self) -> None:
        if self.time is not None and not (math.isfinite(self.time) and 0 < self.time <= LONGEST):
            raise OptionError(f"{self.time} is no time to think: it is more than 0 and at most {LONGEST:.0f} seconds")
        if self.simulations is not None and not 0 < self.simulations <= MOST:
            raise OptionError(f"{self.simulations} simulations are not possible: 1 to {MOST} are")

    @staticmethod
    def read(text: str) -> "Limit":
        """From 0.2s, which are seconds, or 500, which are simulations."""
        found = _LIMIT.fullmatch(text)
        if not found:
            raise OptionError(f"{text!r} is not a limit: it is a time such as 0.2s, or a number of simulations")
        return Limit(time=float(found[1])) if found[1] else Limit(simulations=int(found[2]))


NO_LIMIT = Limit()  # the player's own default


@dataclass(frozen=True)
class Choice:
    """The action that a player chose, and its evaluation; a player that does not search leaves that empty.

    values: of each action considered, for the seat that acts; the player defines the unit.
    visits: of each action, in a tree search.
    value: every seat's chance to win, by seat.
    line: the principal variation, the chosen action first.
    exact: every line to the end of the stage was searched, so that nothing better is left to be found before it.
    """

    action: Action
    values: Mapping[Action, float] = field(default_factory=dict)
    visits: Mapping[Action, int] = field(default_factory=dict)
    value: tuple[float, ...] = ()
    line: tuple[Action, ...] = ()
    simulations: int = 0
    exact: bool = False


class Player(Protocol):
    """Chooses actions. It is given a view, never the table's own state: it knows no more than a person in its seat."""

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        """An action that is legal in the view, for the seat whose turn it is."""
        ...


@dataclass(frozen=True)
class Limited:
    """A player with a limit of its own where it is given none."""

    player: Player
    limit: Limit

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        return self.player.choose(view, self.limit if limit == NO_LIMIT else limit)
