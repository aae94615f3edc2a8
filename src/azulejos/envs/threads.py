"""The threads among which batches divide their games.

Work is in shares. Each thread has a range of them, so that a game stays in the caches of one core, and then helps the
others with theirs. Shares are counted down in memory that all threads see: all compiled, without a lock of Python's, so
that work of some 50 µs is handed over in less than one.

A thread that sleeps is woken in up to 50 µs, as long as a step of hundreds of games takes. So a thread without work
looks for a while before it sleeps, and lets others run after each look. The system may wake a thread on the core of the
one that it is to help, and leave both there for many milliseconds; it then goes to a free core itself. On a busy
machine a woken thread may come only when the work is done, or be interrupted in a share. So where threads are no help,
they are left alone for a while.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from queue import SimpleQueue
from threading import Lock, Thread
from time import perf_counter
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from azulejos.core.compiling import EntryPoint, bind

Call: Any = None  # unless something can be compiled
with suppress(ImportError):
    from azulejos.core.calling import Call, add, call, swap

GAMES_A_SHARE, SHARES_A_THREAD = 64, 16  # shares of a few µs, so that threads end together
LOOKS = 400  # some 200 µs
STAY = 1000  # looks for which a thread that has left a core stays on the next
NAP = 20  # µs, while another thread has the last share and does not end
MISSES = 4  # calls in a row in which other threads were no help,
REST = 60  # and in how many calls after them they are left alone

# What threads see: how many threads there are, what to call, how many games there are and shares for each thread.
# Behind that for each thread, in a line of the caches of its own: how many of its shares nobody has taken, how many
# shares it has done, on which core it is; and behind the line what its shares returned.
THREADS, CALL, GAMES, SHARES = range(4)
LEFT, DONE, CORE = range(3)
UNKNOWN = -1  # core
LINE = FIRST = 16
OF_A_THREAD = LINE + SHARES_A_THREAD + LINE


def sched_yield() -> int:
    """Let another thread run: replaced by the system's own."""
    return 0


def usleep(microseconds: int) -> int:
    """Sleep: likewise."""
    return 0


def sched_getcpu() -> int:
    """The core that the thread is on: likewise."""
    return UNKNOWN


def play_shares(cells: Any, me: int) -> int:
    """Play shares until none is left, a thread's own first; how many. Whoever has taken one keeps the work from being
    replaced."""
    threads, mine, played = cells[THREADS], FIRST + OF_A_THREAD * me, 0
    for k in range(threads):
        whose = (me + k) % threads
        theirs = FIRST + OF_A_THREAD * whose
        while cells[theirs + LEFT] > 0:
            share = add(cells, theirs + LEFT, -1) - 1
            if share < 0:
                break
            games, shares = cells[GAMES], cells[SHARES]
            number, all_shares = whose * shares + share, threads * shares
            first, last = games * number // all_shares, games * (number + 1) // all_shares
            cells[theirs + LINE + share] = call(cells[CALL], first, last)
            add(cells, mine + DONE, 1)
            played += 1
    return played


def count_done(cells: Any) -> int:
    """How many shares all threads have done."""
    done = 0
    for k in range(cells[THREADS]):
        done += add(cells, FIRST + OF_A_THREAD * k + DONE, 0)
    return done


def crowded(cells: Any, me: int) -> bool:
    """Whether a thread before this one is on the same core."""
    core = cells[FIRST + OF_A_THREAD * me + CORE]
    for k in range(me):
        if cells[FIRST + OF_A_THREAD * k + CORE] == core != UNKNOWN:
            return True
    return False


def serve(cells: Any, me: int, stay: int) -> bool:
    """Play shares of all work that comes, until there was none for a while, or, after this many looks, until another
    thread is on the same core; whether one is."""
    core = FIRST + OF_A_THREAD * me + CORE
    looks = 0
    while looks < LOOKS:
        cells[core] = sched_getcpu()
        if stay <= 0 and crowded(cells, me):
            return True
        stay -= 1
        looks = 0 if play_shares(cells, me) > 0 else looks + 1
        sched_yield()  # nothing is known of what it does, so the cells are read again
    cells[core] = UNKNOWN
    return False


def lead(cells: Any, address: int, games: int, shares: int) -> int:
    """Offer new work, in this many shares a thread, and play shares until none is left; how many. The last work is
    done, and nobody can take a share of it."""
    cells[CALL] = address
    cells[GAMES] = games
    cells[SHARES] = shares
    cells[FIRST + CORE] = sched_getcpu()
    threads = cells[THREADS]
    for k in range(threads):
        cells[FIRST + OF_A_THREAD * k + DONE] = 0
    for k in range(threads):
        swap(cells, FIRST + OF_A_THREAD * k + LEFT, shares)
    return play_shares(cells, 0)


def wait(cells: Any) -> bool:
    """Until the others have done the shares that they have taken; whether any returned something else than 0."""
    looks = 0
    while count_done(cells) < cells[THREADS] * cells[SHARES]:
        sched_yield() if looks < LOOKS else usleep(NAP)
        looks += 1
    said = 0
    for k in range(cells[THREADS]):
        for share in range(cells[SHARES]):
            said |= cells[FIRST + OF_A_THREAD * k + LINE + share]
    return said != 0


class Work:
    """An entry point over `(first, last, …)` with its other arguments, for a number of games. Arrays among them stay
    where they are."""

    def __init__(self, entry_point: EntryPoint, arguments: tuple[Any, ...], games: int, threads: int) -> None:
        function = entry_point.fixed(0, games, *arguments)
        self.alone: Callable[[], list[int]] = lambda: [function(0, games, *arguments) or 0]
        self.games = games
        self.shares: int = min(max(games // (GAMES_A_SHARE * threads), 1), SHARES_A_THREAD)  # of each thread
        self.call: Any = Call(entry_point.dispatcher, arguments) if Call and entry_point.dispatcher else None
        self.misses = 0
        self.rest = 0


class Pool:
    """Threads that help with one work at a time."""

    def __init__(self, helpers: int) -> None:
        self._threads = 1 + helpers
        self._cells: npt.NDArray[np.int64] = np.zeros(FIRST + OF_A_THREAD * self._threads, np.int64)
        self._cells[THREADS] = self._threads
        self._left = self._cells[FIRST + LEFT :: OF_A_THREAD]
        self._cores = self._cells[FIRST + CORE :: OF_A_THREAD]
        self._cores[:] = UNKNOWN
        self._found = self._cells[FIRST:].reshape(self._threads, OF_A_THREAD)[:, LINE:]
        self._serve, self._lead, self._wait = _compiled(self._cells)
        self._busy, self._bed = Lock(), Lock()
        self._asleep = 0  # threads that nobody has woken
        self._alarm: SimpleQueue[None] = SimpleQueue()
        for number in range(1, self._threads):
            Thread(target=self._work, args=(number,), name="azulejos-batch", daemon=True).start()

    def run(self, work: Work) -> list[int]:
        """What the calls for all shares returned, or nothing if all of it is 0; this thread works too."""
        if work.rest:
            work.rest -= 1
            return work.alone()
        if not self._busy.acquire(blocking=False):  # another thread of the program has the pool
            return work.alone()
        try:
            if self._asleep:
                self._wake()
            began = perf_counter()
            played = self._lead(self._cells, work.call.address, work.games, work.shares)
            played_until = perf_counter()
            said = self._wait(self._cells)
            helped = (perf_counter() - began) * played < (played_until - began) * self._threads * work.shares
            found: list[int] = self._found[:, : work.shares].ravel().tolist() if said else []
        finally:
            self._busy.release()
        work.misses = 0 if helped else work.misses + 1  # it took longer than it would have taken alone
        if work.misses == MISSES:
            work.misses, work.rest = 0, REST
        return found

    def _wake(self) -> None:
        """Wake the threads that sleep."""
        with self._bed:
            asleep, self._asleep = self._asleep, 0
        for _ in range(asleep):
            self._alarm.put(None)

    def _work(self, number: int) -> None:
        stay = 0
        while True:
            if self._serve(self._cells, number, stay):
                self._move()
                stay = STAY
                continue
            with self._bed:
                if self._left.max() > 0:  # there is work by now
                    continue
                self._asleep += 1
            self._alarm.get()
            stay = 0

    def _move(self) -> None:
        """Go to a core that none of the threads is on, if there is one. Only to begin with: the system may move the
        thread again."""
        allowed = os.sched_getaffinity(0)
        with suppress(OSError):
            os.sched_setaffinity(0, allowed.difference(self._cores.tolist()) or allowed)
            os.sched_setaffinity(0, allowed)


def _compiled(cells: npt.NDArray[np.int64]) -> list[Callable[..., Any]]:
    """`serve`, `lead` and `wait`."""
    from numba import types

    names: dict[str, Any] = {"add": add, "swap": swap, "call": call}
    calls: list[Callable[..., Any]] = [sched_yield, usleep, sched_getcpu]
    if os.name == "posix":
        names["sched_yield"] = types.ExternalFunction("sched_yield", types.int32())
        names["usleep"] = types.ExternalFunction("usleep", types.int32(types.uint32))
        calls = [sched_getcpu]
    if sys.platform == "linux":
        names["sched_getcpu"] = types.ExternalFunction("sched_getcpu", types.int32())
        calls = []
    kernels = cast(ModuleType, SimpleNamespace(**names))
    bound = bind([*calls, play_shares, count_done, crowded], (serve, lead, wait), kernels, "every game", counted=False)
    return [bound["serve"].fixed(cells, 0, 0), bound["lead"].fixed(cells, 0, 0, 0), bound["wait"].fixed(cells)]


@cache
def pool(helpers: int) -> Pool:
    """A pool of this many threads besides the one that asks."""
    return Pool(helpers)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=pool.cache_clear)  # a forked process has none of the threads
