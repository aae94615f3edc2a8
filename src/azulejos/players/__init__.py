"""Computer players, by name."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from azulejos.core.errors import OptionError, ProgramError

from .advice import Hint, hints
from .choice import NO_LIMIT, Choice, Limit, Limited, Player
from .greedy import Greedy
from .levels import LEVELS, Level, Leveller
from .program import Program
from .random import Random
from .search import Search

Factory = Callable[[int | None], Player]
_F = TypeVar("_F", bound=Callable[..., Player])

PLAYERS: dict[str, Factory] = {
    "random": Random,
    "greedy": Greedy,
    "search": Search,
    **{level.name: partial(Leveller, level) for level in LEVELS},
}


def player(name: str) -> Factory:
    """The factory of a player by name: called with a seed, it returns a player."""
    if name not in PLAYERS:
        raise OptionError(f"nobody is called {name!r}: players are {', '.join(PLAYERS)}")
    return PLAYERS[name]


def register(name: str) -> Callable[[_F], _F]:
    """Add a player of your own under a name: a decorator for its class, or a factory that takes a seed."""
    if name in PLAYERS or not name or set(name) & set(":@, ="):
        raise OptionError(f"a player cannot be called {name!r}")

    def add(factory: _F) -> _F:
        PLAYERS[name] = factory
        return factory

    return add


def named(text: str, seed: int | None = None) -> Player:
    """A player from NAME, NAME@0.2s or NAME@500: by its name, and with a limit by default if there is one."""
    name, at, limit = text.partition("@")
    made = player(name)(seed)
    return Limited(made, Limit.read(limit)) if at else made


__all__ = [
    "LEVELS",
    "NO_LIMIT",
    "PLAYERS",
    "Choice",
    "Factory",
    "Greedy",
    "Hint",
    "Level",
    "Leveller",
    "Limit",
    "Limited",
    "Player",
    "Program",
    "ProgramError",
    "Random",
    "Search",
    "hints",
    "named",
    "player",
    "register",
]
