"""Who chooses actions: computer players, by name."""

from collections.abc import Callable

from .greedy import Greedy
from .player import Choice, Limit, Player
from .random import Random
from .search import Search

PLAYERS: dict[str, Callable[[int | None], Player]] = {"random": Random, "greedy": Greedy, "search": Search}

__all__ = ["PLAYERS", "Choice", "Greedy", "Limit", "Player", "Random", "Search"]
