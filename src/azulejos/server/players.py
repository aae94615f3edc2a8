"""How computer players are offered to people."""

from azulejos.core.language import N_, _
from azulejos.players import PLAYERS

DEFAULT = "greedy"

# The names of those that have one; others are called by their own.
_NAMES = {
    "random": N_("Computer · random"),
    "greedy": N_("Computer · greedy"),
    "search": N_("Computer · search"),
}


def say_player(player: str) -> str:
    return _(_NAMES[player]) if player in _NAMES else _("Computer · {name}").format(name=player)


def offered() -> dict[str, str]:
    """The players that a seat can be given to, with their names."""
    return {player: say_player(player) for player in PLAYERS}
