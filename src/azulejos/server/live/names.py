"""What seats and computer players are called."""

from collections.abc import Sequence

from azulejos.core.language import _
from azulejos.players import LEVELS, PLAYERS
from azulejos.players.names import say_computer, say_player
from azulejos.tables import Seat, Table

DEFAULT = "casual"


def offered() -> dict[str, str]:
    """The players that a seat can be given to, with their names: the levels, then the others."""
    levels = [level.name for level in LEVELS]
    return {player: say_player(player) for player in (*levels, *(name for name in PLAYERS if name not in levels))}


def say_seat(table: Table, seat: int, mine: Sequence[int]) -> str:
    """A seat's name. Whoever has none is "you", a guest, or the computer."""
    return say_seat_of(table.seats, seat, mine)


def say_seat_of(seats: Sequence[Seat], seat: int, mine: Sequence[int]) -> str:
    held = seats[seat]
    if held.player:
        if held.name:
            return f"{held.name} ({say_player(held.player)})"
        return say_computer(["" if other.name else other.player for other in seats], seat)
    if held.name:
        return held.name
    if seat in mine:
        return _("You") if len(mine) == 1 else _("Player {number}").format(number=seat + 1)
    return _("Guest {number}").format(number=seat + 1) if held.owner else _("free seat")


def say_seats(table: Table, mine: Sequence[int]) -> list[str]:
    return [say_seat(table, seat, mine) for seat in range(len(table.seats))]
