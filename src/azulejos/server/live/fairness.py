"""Fair queues: what visitors share (thinking, drawing) is given to one after another of them, not to the loudest."""

import asyncio
import heapq
import ipaddress
import itertools
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from azulejos.core.language import _
from azulejos.tables import Reason, Refusal

OF_AN_ADDRESS = 8  # visitors of one address get as much together as this number of others
OF_THIS_MACHINE = 32  # the same for this machine, where a proxy may stand for many
CREDIT = 8  # jobs that somebody has in store who wanted little for a while
PACE = 20  # jobs a second that count as little where nobody waits
TOGETHER = 4  # short things that are done each time the event loop goes round, at most
ENOUGH = 0.001  # seconds after which no other is begun


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


class _Fair:
    """Start-time fair queueing: a visitor's jobs are due at times that are 1 apart, an address's at times that are 1/8
    apart; what is due first is next. The time of the queue is the due time of the last job that was begun; while nobody
    waits it goes on by PACE a second. Who wanted little for a while is due up to CREDIT earlier, and so comes before
    visitors who always want more; who has just come half as much, and so comes between them."""

    def __init__(self, most: int = 4000) -> None:
        self.most = most  # that may wait
        self._now = 0.0
        self._last = 0.0  # by when all jobs so far have had their time
        self._begun = time.monotonic()  # when the last job was
        self._visitors: dict[str, float] = {}  # when the next job of each is due
        self._addresses: dict[str, float] = {}
        self._numbers = itertools.count()

    def _due_for(self, who: Who, idle: bool) -> float:
        """When the next job of a visitor is due. `idle`: does nobody wait?"""
        if idle:
            self._now = max(self._now, self._last + PACE * (time.monotonic() - self._begun))
        theirs = self._count(self._visitors, who.counted, 1.0)
        return max(theirs, self._count(self._addresses, who.address, 1 / OF_AN_ADDRESS))

    def _count(self, due: dict[str, float], name: str, share: float) -> float:
        earliest = self._now - CREDIT
        if not name:
            return earliest
        begins = max(due.get(name, self._now - CREDIT / 2), earliest)
        due[name] = begins + share
        self._last = max(self._last, due[name])
        if len(due) > 2 * self.most:
            for old in [name for name, until in due.items() if until <= earliest]:
                del due[old]
        return begins

    def _begin(self, due: float) -> None:
        """A job that was due then begins."""
        self._now = max(self._now, due)
        self._begun = time.monotonic()


def _give(turn: "asyncio.Future[None]") -> None:
    if not turn.done():  # somebody still waits for it
        turn.set_result(None)


class Rounds(_Fair):
    """Short work on the event loop in the visitors' turns. Each time the loop goes round a few such things are done:
    what they send then goes out together, and what else there is to do comes between."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[tuple[float, int, Callable[[], None]]] = []
        self._called = False

    def call(self, who: Who, work: Callable[[], None]) -> None:
        """Do something soon."""
        heapq.heappush(self._waiting, (self._due_for(who, not self._waiting), next(self._numbers), work))
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._go_round)

    def turn(self, who: Who) -> "asyncio.Future[None]":
        """Wait for a turn."""
        turn = asyncio.get_running_loop().create_future()
        self.call(who, partial(_give, turn))
        return turn

    def _go_round(self) -> None:
        end = time.monotonic() + ENOUGH
        try:
            for _ in range(min(TOGETHER, len(self._waiting))):
                due, _number, work = heapq.heappop(self._waiting)
                self._begin(due)
                work()
                if time.monotonic() > end:
                    break
        finally:
            self._called = bool(self._waiting)
            if self._called:
                asyncio.get_running_loop().call_soon(self._go_round)


class Turns(_Fair):
    """At most `slots` work at a time. Each visitor's first waiting job comes before anybody's second.

    `each`: how many of one visitor may wait; `most`: how many of all.
    """

    def __init__(self, slots: int, each: int = 32, most: int = 4000) -> None:
        super().__init__(most)
        self.each = each
        self.working: int = 0
        self._slots = slots
        self._waiting: list[tuple[bool, float, int, asyncio.Future[None]]] = []
        self._of = Counter[str]()  # jobs by visitor, waiting and working

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

    async def _wait(self, who: Who, later: bool) -> None:
        idle = self.working < self._slots and not self._waiting
        due = self._due_for(who, idle)
        if idle:
            self.working += 1
            self._begin(due)
            return
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (later, due, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it had come
                self.working -= 1
                self._next()
            raise

    def _next(self) -> None:
        while self._waiting and self.working < self._slots:
            _later, due, _number, turn = heapq.heappop(self._waiting)
            if not turn.done():  # somebody still waits for it
                turn.set_result(None)
                self.working += 1
                self._begin(due)
