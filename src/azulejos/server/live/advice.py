"""Hints at a table: permission, and how many are computed at a time."""

import logging
from collections import OrderedDict

from azulejos.core.language import _
from azulejos.core.state import State
from azulejos.tables import Phase, Reason, Refusal, Table

from .fairness import Who
from .messages import AskHint, Hint
from .thinking import Thinkers

log: logging.Logger = logging.getLogger("azulejos.server")
KEPT = 256  # positions whose hints are remembered


def allowed(table: Table, visitor: str) -> bool:
    """May hints be given at this table? Only against computer players or alone: between people they would be unfair."""
    return all(seat.taken and seat.owner in ("", visitor) for seat in table.seats)


class Advice:
    """Computes hints in the computer players' processes."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._most = max(2, thinkers.workers // 2)  # visitors whose hints are being computed or queued
        self._asking: set[str] = set()
        self._kept: OrderedDict[tuple[State, str], list[tuple[str, float]]] = OrderedDict()

    async def ask(self, table: Table, command: AskHint, who: Who) -> list[Hint]:
        """The best actions, as the seat that asks can know them. Raises Refusal."""
        _check(table, command, who.visitor)
        return await self.judge(table.state.view(command.seat), "", who)

    async def judge(self, view: State, played: str, who: Who) -> list[Hint]:
        """The best actions in a position, and one that was played there. Raises Refusal."""
        if who.visitor in self._asking:
            raise Refusal(Reason.TOO_MANY, _("a hint is being thought about already"))
        if len(self._asking) >= self._most:
            raise Refusal(Reason.TOO_MANY, _("too many hints are being thought about; ask again in a moment"))
        self._asking.add(who.visitor)
        try:
            found = await self._found(view, played, who)
        finally:
            self._asking.discard(who.visitor)
        return [Hint(text, view.game.action(text).words, round(chance, 3)) for text, chance in found]

    async def _found(self, view: State, played: str, who: Who) -> list[tuple[str, float]]:
        key = view, played
        if key not in self._kept:
            try:
                self._kept[key] = await self._thinkers.advise(view, played, who)
            except RuntimeError as error:
                log.exception("no hint could be found")
                raise Refusal(Reason.UNAVAILABLE, _("no hint could be found")) from error
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]


def _check(table: Table, command: AskHint, visitor: str) -> None:
    if not 0 <= command.seat < len(table.seats):
        raise Refusal(Reason.UNKNOWN, _("there is no seat {number}").format(number=command.seat))
    if command.seat not in table.seats_of(visitor):
        raise Refusal(Reason.NOT_YOURS, _("this seat is not yours"))
    if table.phase is not Phase.PLAYING:
        raise Refusal(Reason.NOT_NOW, _("there is nothing to decide now"))
    if command.position != table.position:
        raise Refusal(Reason.STALE, _("the table has moved on; look at the position again"))
    if command.seat != table.turn:
        raise Refusal(Reason.NOT_YOUR_TURN, _("it is not your turn"))
    if not allowed(table, visitor):
        raise Refusal(Reason.NOT_NOW, _("there are no hints at a table with other people"))
