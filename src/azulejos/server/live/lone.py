"""Computer players of a lone visitor: they think in that visitor's browser, and the server checks what they play."""

import asyncio
import base64
from dataclasses import dataclass, field

from azulejos.core.language import _
from azulejos.players import LEVELS
from azulejos.tables import Phase, Play, Reason, Refusal, Table
from azulejos.wasm.modules import path

from . import advice
from .messages import PlayFor

PATIENCE = 12.0  # seconds for a browser to answer; then the server thinks
_LEVELS = frozenset(level.name for level in LEVELS)


@dataclass
class Engines:
    """The connections to one table whose browsers can think, and whether an answer may have come."""

    willing: dict[object, str] = field(default_factory=dict)  # visitors by connection
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    def dismiss(self, connection: object) -> None:
        """This browser thinks no more: it is gone, or it cannot after all."""
        self.willing.pop(connection, None)
        self.answered.set()

    async def answer(self, table: Table) -> None:
        """Wait until one of them has played for a computer player, or cannot, or has taken too long."""
        if any(alone(table, visitor) for visitor in self.willing.values()):
            self.answered.clear()
            try:
                await asyncio.wait_for(self.answered.wait(), PATIENCE)
            except TimeoutError:
                self.willing.clear()


def alone(table: Table, visitor: str) -> bool:
    """Is it a computer player's turn, who may think in this visitor's browser?"""
    turn = table.turn
    return (
        table.phase is Phase.PLAYING
        and turn is not None
        and table.seats[turn].player in _LEVELS
        and visitor in {seat.owner for seat in table.seats}
        and advice.allowed(table, visitor)
        and path(table.game.name).exists()
    )


def position_for(table: Table, seat: int | None) -> str:
    """A position as a seat knows it, for the engine in a browser; empty for a game without one."""
    if seat is None or not path(table.game.name).exists():
        return ""
    return base64.b64encode(table.state.view(seat).position).decode()


def checked(table: Table, command: PlayFor, visitor: str) -> Play:
    """What a browser plays for a computer player, as a command of that player. Raises Refusal."""
    if command.position != table.position:
        raise Refusal(Reason.STALE, _("the table has moved on; look at the position again"))
    if command.seat != table.turn or not alone(table, visitor):
        raise Refusal(Reason.NOT_YOURS, _("this seat is not yours"))
    assert command.action is not None
    if command.action not in [int(action) for action in table.state.actions]:
        raise Refusal(Reason.ILLEGAL, _("this is no message that a table knows"))
    return Play(command.seat, str(table.game.action(command.action)), command.position)
