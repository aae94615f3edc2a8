"""What a visitor may do at a table now, so that nobody works it out a second time."""

from collections.abc import Iterator
from typing import NamedTuple

from . import commands as c
from .table import LATER, MOST_EVENTS, Phase, Table


class Allowed(NamedTuple):
    """A kind of command, and the seat it is for. A table obeys it, if the rest of it is right."""

    kind: type[c.Command]
    seat: int

    @property
    def type(self) -> str:
        """The kind's name in messages."""
        return str(self.kind.__struct_config__.tag)


def allowed(
    table: Table, visitor: str, away: frozenset[int] = frozenset(), overdue: frozenset[int] = frozenset()
) -> list[Allowed]:
    """All commands that the table would not refuse for what they are; where there are several of a kind, the first is
    the one that most people mean. `away`: seats whose owners have not been seen for a while; `overdue`: those against
    which the win can be claimed."""
    return list(_allowed(table, visitor, away, overdue))


def _allowed(table: Table, visitor: str, away: frozenset[int], overdue: frozenset[int]) -> Iterator[Allowed]:
    phase, turn = table.phase, table.turn
    long = table.number >= MOST_EVENTS  # then its game can only come to an end
    seated = table.seats_of(visitor)
    mine = [seat for seat in seated if not table.seats[seat].player]
    mine.sort(key=lambda seat: seat != turn)
    if phase is Phase.PLAYING:
        for seat in mine:
            if seat == turn:
                yield Allowed(c.Play, seat)
            if not long and not table.takeback and table.acted(seat):
                yield Allowed(c.AskTakeback, seat)
            if len(table.seats) == 2:
                yield Allowed(c.Resign, seat)
                other = table.seats[1 - seat]
                if table.claim_after and other.person and other.owner != visitor and turn == 1 - seat in overdue:
                    yield Allowed(c.ClaimWin, seat)
        if table.takeback and not long:
            settled = {table.seats[seat].owner for seat in (*table.takeback.agreed, table.takeback.seat)}
            for seat in mine:
                if table.seats[seat].owner not in settled:
                    yield Allowed(c.AnswerTakeback, seat)
    if table.handover and not long:
        settled = {table.seats[seat].owner for seat in (*table.handover.agreed, table.handover.by)}
        for seat in mine:
            if table.seats[seat].owner not in settled:
                yield Allowed(c.AnswerHandOver, seat)
    if phase is Phase.OPEN:
        for seat in mine:
            if table.seats[seat].nonce == LATER:
                yield Allowed(c.AddNonce, seat)
    if phase in (Phase.OPEN, Phase.PLAYING) and not long:
        others = any(seat_.owner not in ("", visitor) for seat_ in table.seats)
        for seat in mine:
            yield Allowed(c.Leave, seat)
        for number, seat_ in enumerate(table.seats):
            free = not seat_.taken and (not seated or (visitor == table.host and not table.public))
            if free or (seat_.player and seat_.owner == visitor):
                yield Allowed(c.Sit, number)
            absent = number in away and seat_.person and seat_.owner != visitor
            if seated and (absent or (not seat_.taken and not table.handover)):
                yield Allowed(c.HandOver, number)
            if visitor == table.host and seat_.person and seat_.owner != visitor and not table.acted(number):
                yield Allowed(c.FreeSeat, number)
        for seat in mine:
            if others and not table.handover:
                yield Allowed(c.HandOver, seat)  # the others are asked
    if phase is Phase.OVER and not table.next_table:
        for seat in mine:
            if seat not in table.rematch:
                yield Allowed(c.AskRematch, seat)
