"""How computer players are offered to people."""

from azulejos.core.language import N_, _
from azulejos.players import LEVELS, PLAYERS

DEFAULT = "casual"

# The names of those that have one; others are called by their own.
_NAMES = {
    "random": N_("random"),
    "greedy": N_("greedy"),
    "search": N_("search"),
    "beginner": N_("beginner"),
    "casual": N_("casual"),
    "regular": N_("regular"),
    "expert": N_("expert"),
    "master": N_("master"),
}


def say_player(player: str) -> str:
    name = _(_NAMES[player], "player") if player in _NAMES else player
    return _("Computer · {name}").format(name=name)


def offered() -> dict[str, str]:
    """The players that a seat can be given to, with their names: the levels, then the others."""
    levels = [level.name for level in LEVELS]
    return {player: say_player(player) for player in (*levels, *(name for name in PLAYERS if name not in levels))}
