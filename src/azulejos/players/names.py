"""What computer players are called, in the current language."""

from collections.abc import Sequence

from azulejos.core.language import _

NAMES = ("random", "greedy", "search", "beginner", "casual", "regular", "expert", "master")  # those that are translated


def say_level(player: str) -> str:
    return _(player, "player")


def say_player(player: str) -> str:
    return _("Computer · {name}").format(name=say_level(player))


def say_computer(players: Sequence[str], seat: int) -> str:
    """The computer player of a seat, numbered where several of a kind play. `players`: by seat, "" for others."""
    alike = [number for number, other in enumerate(players) if other == players[seat]]
    said = say_player(players[seat])
    return f"{said} {alike.index(seat) + 1}" if len(alike) > 1 else said
