"""What a visitor may do at a table now, so that nobody works it out a second time."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from . import commands as c
from .table import LATER, MOST_EVENTS, Handover, Phase, Seat, Table, Takeback


class Allowed(NamedTuple):
    """A kind of command, and the seat it is for. A table obeys it, if the rest of it is right."""

    kind: type[c.Command]
    seat: int

    @property
    def type(self) -> str:
        """The kind's name in messages."""
        return str(self.kind.__struct_config__.tag)


class _Standing(NamedTuple):
    """All of a table and a visitor that says what the visitor may do: the same after most moves.

    `long`: its game can only come to an end. `rematched`: is the next game at another table already?
    """

    phase: Phase
    turn: int | None
    seats: tuple[Seat, ...]
    acted: frozenset[int | None]
    long: bool
    takeback: Takeback | None
    handover: Handover | None
    claim_after: int
    rematch: frozenset[int]
    rematched: bool
    public: bool
    visitor: str
    host: bool
    away: frozenset[int]
    overdue: frozenset[int]


def allowed(
    table: Table, visitor: str, away: frozenset[int] = frozenset(), overdue: frozenset[int] = frozenset()
) -> tuple[Allowed, ...]:
    """All commands that the table would not refuse for what they are; where there are several of a kind, the first is
    the one that most people mean. `away`: seats whose owners have not been seen for a while; `overdue`: those against
    which the win can be claimed."""
    return _allowed(
        _Standing(
            phase=table.phase,
            turn=table.turn,
            seats=table.seats,
            acted=table.acted,
            long=table.number >= MOST_EVENTS,
            takeback=table.takeback,
            handover=table.handover,
            claim_after=table.claim_after,
            rematch=table.rematch,
            rematched=bool(table.next_table),
            public=table.public,
            visitor=visitor,
            host=visitor == table.host,
            away=away,
            overdue=overdue,
        )
    )


@lru_cache(1 << 12)
def _allowed(now: _Standing) -> tuple[Allowed, ...]:
    return tuple(_commands(now))


def _commands(now: _Standing) -> Iterator[Allowed]:
    phase, turn, visitor, long = now.phase, now.turn, now.visitor, now.long
    seated = [number for number, seat in enumerate(now.seats) if visitor and seat.owner == visitor]
    mine = [seat for seat in seated if not now.seats[seat].player]
    mine.sort(key=lambda seat: seat != turn)
    if phase is Phase.PLAYING:
        for seat in mine:
            if seat == turn:
                yield Allowed(c.Play, seat)
            if not long and not now.takeback and seat in now.acted:
                yield Allowed(c.AskTakeback, seat)
            if len(now.seats) == 2:
                yield Allowed(c.Resign, seat)
                other = now.seats[1 - seat]
                if now.claim_after and other.person and other.owner != visitor and turn == 1 - seat in now.overdue:
                    yield Allowed(c.ClaimWin, seat)
        if now.takeback and not long:
            settled = {now.seats[seat].owner for seat in (*now.takeback.agreed, now.takeback.seat)}
            for seat in mine:
                if now.seats[seat].owner not in settled:
                    yield Allowed(c.AnswerTakeback, seat)
    if now.handover and not long:
        settled = {now.seats[seat].owner for seat in (*now.handover.agreed, now.handover.by)}
        for seat in mine:
            if now.seats[seat].owner not in settled:
                yield Allowed(c.AnswerHandOver, seat)
    if phase is Phase.OPEN:
        for seat in mine:
            if now.seats[seat].nonce == LATER:
                yield Allowed(c.AddNonce, seat)
    if phase in (Phase.OPEN, Phase.PLAYING) and not long:
        others = any(seat_.owner not in ("", visitor) for seat_ in now.seats)
        for seat in mine:
            yield Allowed(c.Leave, seat)
        for number, seat_ in enumerate(now.seats):
            free = not seat_.taken and (not seated or (now.host and not now.public))
            if free or (seat_.player and seat_.owner == visitor):
                yield Allowed(c.Sit, number)
            absent = number in now.away and seat_.person and seat_.owner != visitor
            if seated and (absent or (not seat_.taken and not now.handover)):
                yield Allowed(c.HandOver, number)
            if now.host and seat_.person and seat_.owner != visitor and number not in now.acted:
                yield Allowed(c.FreeSeat, number)
        for seat in mine:
            if others and not now.handover:
                yield Allowed(c.HandOver, seat)  # the others are asked
    if phase is Phase.OVER and not now.rematched:
        for seat in mine:
            if seat not in now.rematch:
                yield Allowed(c.AskRematch, seat)
