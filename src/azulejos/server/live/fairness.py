"""Fair queues: what visitors share (thinking, drawing) is given to one after another of them, not to the loudest."""

import asyncio
import heapq
import ipaddress
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from azulejos.core.language import _
from azulejos.tables import Reason, Refusal

OF_AN_ADDRESS = 8  # visitors of one address get as much together as this number of others
OF_THIS_MACHINE = 32  # the same for this machine, where a proxy may stand for many


@dataclass(frozen=True)
class Who:
    """Who something is done for. `address`: "" for this machine, which may stand for anybody behind a proxy. `known`:
    did the visitor show a cookie? All of an address who show none count as one."""

    visitor: str = ""
    address: str = ""
    known: bool = True

    @property
    def counted(self) -> str:
        """The name under which the visitor is counted."""
        return self.visitor if self.known else f"at {self.address}"


def network(address: str) -> str:
    """The address that is counted: of IPv6 the /64 network, which one person has; "" for this machine."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            found = found.ipv4_mapped
        else:
            return "" if found.is_loopback else str(ipaddress.ip_network(f"{found}/64", strict=False))
    return "" if found.is_loopback else str(found)


class Turns:
    """At most `slots` work at a time. Of those who wait, each visitor's first comes before anybody's second.

    `each`: how many of one visitor may wait; `most`: how many of all. This is start-time fair queueing: a visitor's
    jobs are due at times that are 1 apart, an address's at times that are 1/8 apart; what is due first is next.
    """

    def __init__(self, slots: int, each: int = 32, most: int = 4000) -> None:
        self.each, self.most = each, most
        self.working = 0
        self._slots = slots
        self._now = 0.0  # the due time of the last job that was begun
        self._due: dict[str, float] = {}  # of the last job, by visitor and by address
        self._waiting: list[tuple[bool, float, int]] = []
        self._begin: dict[int, Callable[[], bool]] = {}  # by number: begins a job, if somebody still waits for it
        self._of = Counter[str]()  # jobs by visitor, waiting and working
        self._numbers = itertools.count()

    @asynccontextmanager
    async def turn(self, who: Who, later: bool = False) -> AsyncIterator[None]:
        """Wait for a turn, and hold it. `later`: after all those that are not. Raises Refusal when too many wait."""
        name = who.counted
        if self._of[name] >= self.each or len(self._waiting) >= self.most:
            raise Refusal(Reason.TOO_MANY, _("too much is asked for at once; try again in a moment"))
        self._of[name] += 1
        try:
            await self._wait(who, later)
            try:
                yield
            finally:
                self.working -= 1
                self._next()
        finally:
            self._of[name] -= 1
            if not self._of[name]:
                del self._of[name]

    def call(self, who: Who, work: Callable[[], None]) -> None:
        """Do something short on the event loop in a visitor's turn: where there is one slot, one thing each time the
        loop goes round."""
        self._queue(False, self._due_for(who), partial(self._soon, work))
        self._next()

    def _queue(self, later: bool, due: float, begin: Callable[[], bool]) -> None:
        number = next(self._numbers)
        self._begin[number] = begin
        heapq.heappush(self._waiting, (later, due, number))

    def _soon(self, work: Callable[[], None]) -> bool:
        asyncio.get_running_loop().call_soon(self._do, work)
        return True

    def _do(self, work: Callable[[], None]) -> None:
        try:
            work()
        finally:
            self.working -= 1
            self._next()

    async def _wait(self, who: Who, later: bool) -> None:
        due = self._due_for(who)
        if self.working < self._slots and not self._waiting:
            self.working += 1
            self._now = max(self._now, due)
            return
        turn = asyncio.get_running_loop().create_future()
        self._queue(later, due, partial(_come, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it had come
                self.working -= 1
                self._next()
            raise

    def _due_for(self, who: Who) -> float:
        names = (("v" + who.counted, 1.0), ("a" + who.address, 1 / OF_AN_ADDRESS))
        shares = [(name, share) for name, share in names if len(name) > 1]
        due = max([self._now, *(self._due.get(name, 0) for name, _share in shares)])
        for name, share in shares:
            self._due[name] = max(self._due.get(name, 0), self._now) + share
        if len(self._due) > 2 * self.most:
            self._due = {name: until for name, until in self._due.items() if until > self._now}
        return due

    def _next(self) -> None:
        while self._waiting and self.working < self._slots:
            _later, due, number = heapq.heappop(self._waiting)
            if self._begin.pop(number)():
                self.working += 1
                self._now = max(self._now, due)


def _come(turn: asyncio.Future[None]) -> bool:
    """Tell somebody that the turn has come; False if they wait no more."""
    if turn.done():
        return False
    turn.set_result(None)
    return True
