"""How computer players are offered to people."""

from azulejos.core.language import _
from azulejos.players import LEVELS, PLAYERS

DEFAULT = "casual"

NAMES = ("random", "greedy", "search", "beginner", "casual", "regular", "expert", "master")  # those that are translated


def say_player(player: str) -> str:
    name = _(player, "player")
    return _("Computer · {name}").format(name=name)


def offered() -> dict[str, str]:
    """The players that a seat can be given to, with their names: the levels, then the others."""
    levels = [level.name for level in LEVELS]
    return {player: say_player(player) for player in (*levels, *(name for name in PLAYERS if name not in levels))}
