"""Limits per visitor, address, connection and table."""

import time
from collections import Counter, deque
from dataclasses import dataclass, fields, replace

from azulejos.core.errors import OptionError
from azulejos.core.language import _, ngettext

from .fairness import OF_AN_ADDRESS, OF_THIS_MACHINE, Who

# Numbers that a host need not change: of a request, and of one connection.
MOST_FIELDS = 100  # of a query
PERIOD = 20.0  # seconds in which messages, frames and bytes are counted
MOST_MESSAGES = 100
MOST_FRAMES = 300  # of every kind: parts of messages, pings, pongs
MOST_BYTES = 1 << 20
MOST_FRAME = 8 * 1024  # bytes of one message
MOST_CHANGES = 30  # of a table in a minute, other than plays: seats, takebacks
MOST_LOG = 200  # events that are told at once
MOST_WAITING = 100  # messages that wait for a slow reader


@dataclass(frozen=True)
class Limits:
    """Numbers that a host can change. 0 is none at all."""

    tables: int = 50  # that a visitor may have open or in play
    new_tables: int = 30  # that a visitor may open in ten minutes
    computer_tables: int = 4  # without a seat for a person, that a visitor may open in ten minutes
    posts: int = 120  # forms and files from one address in a minute
    requests: int = 1200  # of any kind from one visitor in a minute
    positions: int = 600  # without a table, that are drawn for a visitor in a minute: analysis, lessons, puzzles
    sockets: int = 20  # of one visitor in one process
    address_sockets: int = 400  # from one address in one process
    all_sockets: int = 10_000  # in one process
    away: int = 60  # seconds without a connection, after which others may do something about it
    idle_days: int = 30  # after which a table that nobody played at is closed
    record_days: int = 400  # after which a record or a name that nobody brought again is deleted
    records: int = 20  # that a visitor may bring in ten minutes

    @staticmethod
    def read(texts: list[str]) -> "Limits":
        """From `NAME=NUMBER`, each."""
        limits, names = Limits(), [field.name for field in fields(Limits)]
        for text in texts:
            name, _equals, number = text.partition("=")
            if name.replace("-", "_") not in names or not number.isdecimal() or len(number) > 9:
                known = ", ".join(name.replace("_", "-") for name in names)
                raise OptionError(f"{text!r} is no limit: write NAME=NUMBER, NAME one of {known}")
            limits = replace(limits, **{name.replace("-", "_"): int(number)})
        return limits


class Window:
    """Counts events by name in a sliding window. Forgets names without recent events."""

    def __init__(self, most: int, seconds: float, names: int = 10_000) -> None:
        self.most: int = most
        self.seconds: float = seconds
        self.names: int = names
        self._times: dict[str, deque[float]] = {}

    def allows(self, name: str) -> bool:
        """Is one more allowed? If so, count it."""
        now = time.monotonic()
        times = self._times.pop(name, None) or deque(maxlen=max(self.most, 1))
        self._times[name] = times  # the latest last
        while len(self._times) > self.names:
            del self._times[next(iter(self._times))]
        if self.most and len(times) == self.most and now - times[0] < self.seconds:
            return False
        times.append(now)
        return True

    def forget(self, name: str) -> None:
        self._times.pop(name, None)


class Share:
    """The same for visitors and for their addresses, which have eight visitors' share.

    `stored`: what is counted stays on disk. Then this machine's own address counts as well, for more visitors, and all
    of an address who show no cookie count as one visitor.
    """

    def __init__(self, most: int, seconds: float, stored: bool = False) -> None:
        self._visitors = Window(most, seconds)
        self._addresses = Window(OF_AN_ADDRESS * most, seconds)
        self._here = Window(OF_THIS_MACHINE * most if stored else 0, seconds)
        self._stored = stored

    def allows(self, who: Who) -> bool:
        """One more? If so, it is counted."""
        among = self._addresses if who.address else self._here
        visitor = who.counted if self._stored else who.visitor
        return (not visitor or self._visitors.allows(visitor)) and among.allows(who.address)


class Connections:
    """Counts the connections of each visitor and from each address."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._visitors, self._addresses = Counter[str](), Counter[str]()
        self.all: int = 0

    def too_many(self, visitor: str, address: str) -> str:
        """Why one more is too many, in words; "" if it is not."""
        limits = self._limits
        if limits.sockets and self._visitors[visitor] >= limits.sockets:
            words = ngettext(
                "you have {n} connection already; close another page first",
                "you have {n} connections already; close another page first",
                limits.sockets,
            )
            return words.format(n=limits.sockets)
        if limits.address_sockets and self._addresses[address] >= limits.address_sockets:
            return _("there are too many connections from your address; come again later")
        if limits.all_sockets and self.all >= limits.all_sockets:
            return _("the server is full; come again later")
        return ""

    def add(self, visitor: str, address: str, by: int = 1) -> None:
        self.all += by
        for counter, name in ((self._visitors, visitor), (self._addresses, address)):
            counter[name] += by
            if not counter[name]:
                del counter[name]
