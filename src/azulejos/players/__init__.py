"""Who chooses actions: computer players, by name."""

from collections.abc import Callable

from .greedy import Greedy
from .player import Choice, Player
from .random import Random

PLAYERS: dict[str, Callable[[int | None], Player]] = {"random": Random, "greedy": Greedy}

__all__ = ["PLAYERS", "Choice", "Greedy", "Player", "Random"]
