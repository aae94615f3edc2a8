"""Computer players, by name."""

from collections.abc import Callable
from functools import partial

from azulejos.core.errors import OptionError

from .advice import Hint, hints
from .choice import NO_LIMIT, Choice, Limit, Player
from .greedy import Greedy
from .levels import LEVELS, Level, Leveller
from .program import Program, ProgramError
from .random import Random
from .search import Search

Factory = Callable[[int | None], Player]

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
    "Player",
    "Program",
    "ProgramError",
    "Random",
    "Search",
    "hints",
    "player",
]
