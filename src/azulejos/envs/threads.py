"""The threads among which batches divide their games.

A thread that sleeps is woken in up to 50 µs, as long as a step of hundreds of games takes. So who waits looks a while
before it sleeps, and lets other threads run after each look. Looking is compiled, and holds no lock of Python's.

On a busy machine a woken thread may come only when the work is done. Waking it has then cost a tenth of a step, so it
is left asleep for a while.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from queue import Empty, SimpleQueue
from threading import Thread
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from azulejos.core.compiling import bind

SHARES = 2  # of the games, for each thread: who is done first takes another;
WORTH_SHARING = 512  # but one for each thread, where shares would have fewer games: to take another costs 1 or 2 µs
LOOKS = 100  # some 50 µs
GRACE = 6  # looks, until the one who rang has let go of Python's lock: to wait for that is to sleep
MISSES = 4  # calls in a row in which no other thread came in time,
REST = 60  # and in how many calls after them none is woken


def sched_yield() -> None:
    """Let another thread run: replaced by the system's own."""
    raise NotImplementedError


def watch(bell: Any, rung: int) -> bool:
    """Look at a bell, int64 [1], until it is no longer at `rung`; was it so in time?"""
    for _ in range(LOOKS):
        if bell[0] != rung:
            for _ in range(GRACE):
                sched_yield()
            return True
        sched_yield()  # nothing is known of what it does, so the bell is read again
    return False


@dataclass
class Work:
    """A compiled function of `first`, `last` and more arguments, and the edges of the shares it is called with."""

    call: Callable[..., Any]
    edges: list[int]
    misses: int = 0
    rest: int = 0


def edges(games: int, threads: int) -> list[int]:
    """The edges of the shares in which threads play games."""
    shares = max(threads, min(SHARES * threads, games // WORTH_SHARING))
    return [games * share // shares for share in range(shares + 1)]


class Pool:
    """Threads that take jobs from one queue."""

    def __init__(self, threads: int) -> None:
        self._jobs: SimpleQueue[Any] = SimpleQueue()
        self._asked, self._done = np.zeros(1, np.int64), np.zeros(1, np.int64)
        self._watch = _watch(self._asked)
        for _ in range(threads):
            Thread(target=self._work, name="azulejos-batch", daemon=True).start()

    def run(self, work: Work, arguments: tuple[Any, ...]) -> list[Any]:
        """What the calls for all shares returned, in any order; this thread works too."""
        call, edges = work.call, work.edges
        if work.rest:
            work.rest -= 1
            return [call(edges[0], edges[-1], *arguments)]
        results: SimpleQueue[Any] = SimpleQueue()
        for first, last in pairwise(edges[1:]):
            self._jobs.put((results, call, first, last, arguments))
        self._asked[0] += 1
        returned, done_here = [call(edges[0], edges[1], *arguments)], 0
        with suppress(Empty):  # what no thread has begun yet is ours too
            while True:
                _do(*self._jobs.get_nowait())
                done_here += 1
        shares = len(edges) - 2
        work.misses = work.misses + 1 if done_here >= shares else 0
        if work.misses == MISSES:
            work.misses, work.rest = 0, REST
        going = True
        while going:
            done = self._done.item(0)
            going = results.qsize() < shares and self._watch(self._done, done)
        returned += [results.get() for _ in range(shares)]
        for one in returned:
            if isinstance(one, BaseException):
                raise one
        return returned

    def _work(self) -> None:
        while True:
            asked = self._asked.item(0)
            try:
                job = self._jobs.get_nowait()
            except Empty:
                if self._watch(self._asked, asked):
                    continue
                job = self._jobs.get()
            _do(*job)
            self._done[0] += 1


def _do(results: "SimpleQueue[Any]", call: Any, first: int, last: int, arguments: Any) -> None:
    try:
        results.put(call(first, last, *arguments))
    except BaseException as error:
        results.put(error)


def _watch(bell: npt.NDArray[np.int64]) -> Callable[..., bool]:
    """`watch`, compiled; where that cannot be, nobody looks before it sleeps."""
    with suppress(ImportError):
        from numba import types
        from numba.core import config

        if os.name == "posix" and not config.DISABLE_JIT:  # type: ignore[attr-defined]
            names = cast(ModuleType, SimpleNamespace(sched_yield=types.ExternalFunction("sched_yield", types.int32())))
            found: Callable[..., bool] = bind((), (watch,), names, "every game", counted=False)["watch"].fixed(bell, 0)
            return found
    return lambda *_: False


@cache
def pool(threads: int) -> Pool:
    """A pool of this many threads."""
    return Pool(threads)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=pool.cache_clear)  # a forked process has none of the threads
