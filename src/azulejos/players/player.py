"""What a player is, what it is allowed, and what it answers."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from azulejos.core.action import Action
from azulejos.core.errors import OptionError
from azulejos.core.state import State

LONGEST = 3600.0  # seconds for one choice
MOST = 10**9  # simulations for one choice


@dataclass(frozen=True)
class Limit:
    """How long a player may think about one action: seconds, simulations, or whichever is over first.

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


NO_LIMIT = Limit()  # the player's own habit


@dataclass(frozen=True)
class Choice:
    """The action that a player chose, and what it thinks. A player that does not think leaves the rest empty.

    values: what each action considered is worth to the seat that acts; the player says in which unit.
    visits: how often each was looked into.
    value: every seat's chance to win, by seat.
    line: how play is expected to go on, the chosen action first.
    """

    action: Action
    values: Mapping[Action, float] = field(default_factory=dict)
    visits: Mapping[Action, int] = field(default_factory=dict)
    value: tuple[float, ...] = ()
    line: tuple[Action, ...] = ()
    simulations: int = 0


class Player(Protocol):
    """Chooses actions. It is given a view, never the table's own state: it knows no more than a person in its seat."""

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        """An action that is legal in the view, for the seat whose turn it is."""
        ...
