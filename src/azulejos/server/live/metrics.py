"""The server's metrics, in Prometheus' text format."""

import asyncio
import bisect
from collections import Counter
from collections.abc import Iterator

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
LOOK_EVERY = 0.1  # seconds between two looks at the event loop


class Histogram:
    """A histogram of durations in seconds, with cumulative buckets."""

    def __init__(self) -> None:
        self.counts: list[int] = [0] * (len(BOUNDS) + 1)
        self.sum: float = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect.bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    def lines(self, name: str) -> Iterator[str]:
        total = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            total += count
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self.sum:.6f}"
        yield f"{name}_count {total}"


class Metrics:
    """The metrics of one process."""

    def __init__(self) -> None:
        self.thinking = 0  # computer players' turns that are running or queued
        self.moves: Histogram = Histogram()
        self.lag: Histogram = Histogram()
        self.refusals: Counter[str] = Counter[str]()
        self.closed: Counter[int] = Counter[int]()  # connections that the server closed, by code

    async def watch(self) -> None:
        """Measure the lag of the event loop, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOK_EVERY
            await asyncio.sleep(LOOK_EVERY)
            self.lag.add(max(0.0, loop.time() - due))

    def text(self, tables: dict[str, int], live: int, sockets: int, draining: bool) -> str:
        """`tables`: how many there are in each phase; `live`: how many this process holds in memory."""
        return "\n".join([*self._lines(tables, live, sockets, draining), ""])

    def _lines(self, tables: dict[str, int], live: int, sockets: int, draining: bool) -> Iterator[str]:
        yield from _head("tables", "gauge", "Tables in the store, by phase.")
        for phase, count in sorted(tables.items()):
            yield f'azulejos_tables{{phase="{phase}"}} {count}'
        for name, about, value in (
            ("live_tables", "Tables that this process holds in memory.", live),
            ("sockets", "Connections to tables.", sockets),
            ("thinking", "Turns that computer players think about or wait to.", self.thinking),
            ("draining", "1 while the process takes nothing new because it is about to end.", int(draining)),
        ):
            yield from _head(name, "gauge", about)
            yield f"azulejos_{name} {value}"
        yield from _head("move_seconds", "histogram", "From a command's arrival until it is on disk.")
        yield from self.moves.lines("azulejos_move_seconds")
        yield from _head("loop_lag_seconds", "histogram", "How late the event loop is.")
        yield from self.lag.lines("azulejos_loop_lag_seconds")
        yield from _head("refusals_total", "counter", "Commands that were refused, by reason.")
        for reason, count in sorted(self.refusals.items()):
            yield f'azulejos_refusals_total{{reason="{reason}"}} {count}'
        yield from _head("closed_total", "counter", "Connections that the server closed, by code.")
        for code, count in sorted(self.closed.items()):
            yield f'azulejos_closed_total{{code="{code}"}} {count}'


def _head(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP azulejos_{name} {about}"
    yield f"# TYPE azulejos_{name} {kind}"
