"""The store in one SQLite file. One thread writes, with group commit; another reads."""

import asyncio
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from azulejos.core.errors import Conflict, OptionError, Unavailable

from .migrating import due
from .queries import Queries
from .store import Change, Heard, Notice

PAGES_OF_LOG = 8000  # of 4 KiB before a checkpoint: pages of busy tables are then copied once for many changes
Work = Callable[[sqlite3.Connection], None]
_encode = msgspec.json.Encoder().encode


class _Job(NamedTuple):
    """A queued write, with the future that waits for it."""

    work: Sequence[Change] | Work
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[None]"
    at: float


def _make_private(file: Path) -> None:
    """It holds seeds and invitations: nobody else on the machine may read it."""
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        file.chmod(0o600)
    except OSError as error:
        raise OptionError(f"{file} cannot be used: {error.strerror}") from error


class SqliteStore(Queries):
    """A store with a write-ahead log and synchronous commits: an awaited write survives a crash."""

    shared = False
    _MINE = "id IN (SELECT table_id FROM seats WHERE visitor = ?)"

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file
        _make_private(file)
        self._inode = file.stat().st_ino
        try:
            connection = self._connect()
            _migrate(connection)
            connection.close()
        except sqlite3.Error as error:
            raise OptionError(f"{file} cannot be used: {error}") from error
        self._waiting: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="azulejos-writer", daemon=True)
        self._writer.start()
        self._reader = ThreadPoolExecutor(1, "azulejos-reader")
        self._reading: sqlite3.Connection | None = None

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._file, timeout=30, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint={PAGES_OF_LOG}")
        return connection

    # --- the writing thread ---

    def _write_all(self) -> None:
        """Group commit: all queued jobs share one synchronization with the disk."""
        connection = self._connect()
        while (job := self._waiting.get()) is not None:
            jobs, last = [job], False
            while not self._waiting.empty():
                following = self._waiting.get()
                if following is None:
                    last = True
                    break
                jobs.append(following)
            _settle(jobs, _commit(connection, jobs))
            if last:
                break
        connection.close()

    async def _write(self, work: Sequence[Change] | Work) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.put(_Job(work, loop, done, time.time()))
        await done

    async def _read(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        def work() -> list[tuple[Any, ...]]:
            if self._reading is None:
                self._reading = self._connect()
            return self._reading.execute(query, values).fetchall()

        try:
            return await asyncio.get_running_loop().run_in_executor(self._reader, work)
        except sqlite3.Error as error:
            raise Unavailable(str(error)) from error

    async def close(self) -> None:
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)
        self._reader.shutdown()
        if self._reading:
            self._reading.close()

    # --- tables ---

    async def append(self, changes: Sequence[Change]) -> None:
        await self._write(changes)

    async def claim(self, table: str, process: str, seconds: float) -> bool:
        return True  # there is nobody else

    # --- records and names ---

    async def save_record(self, identifier: str, text: str) -> None:
        await self._write(lambda connection: _save_record(connection, identifier, time.time(), text))

    async def save_name(self, visitor: str, name: str) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT OR REPLACE INTO visitors (id, name, at) VALUES (?, ?, ?)", (visitor, name, time.time())
            )

        await self._write(work)

    # --- the whole ---

    async def check(self) -> None:
        if not self._file.exists() or self._file.stat().st_ino != self._inode:
            raise Unavailable("the file was moved away")

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO health (id, at) VALUES (1, ?)", (time.time(),))

        try:
            await asyncio.wait_for(self._write(work), 5)
        except TimeoutError as error:
            raise Unavailable("writing takes too long") from error

    async def expire(self, before: float) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM visitors WHERE at < ?", (before,))
            connection.execute("DELETE FROM records WHERE at < ? AND id NOT IN (SELECT id FROM tables)", (before,))

        await self._write(work)

    async def listen(self, heard: Heard) -> None:
        """Nothing to do: no other process shares the file."""

    async def notify(self, notices: Sequence[Notice]) -> None:
        """Nothing to do: no other process shares the file."""


def _commit(connection: sqlite3.Connection, jobs: list[_Job]) -> list[BaseException | None]:
    """Write all jobs in one commit; the error of each, or None."""
    try:
        try:
            connection.execute("BEGIN IMMEDIATE")
            _write_together(connection, jobs)
            failures: list[BaseException | None] = [None] * len(jobs)
        except Conflict:  # of one of them; which?
            connection.execute("ROLLBACK")
            connection.execute("BEGIN IMMEDIATE")
            failures = [_write_apart(connection, job) for job in jobs]
        connection.execute("COMMIT")
    except Exception as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return [Unavailable(str(error))] * len(jobs)
    return failures


def _write_together(connection: sqlite3.Connection, jobs: Sequence[_Job]) -> None:
    """Write all changes in as few statements as possible: each statement releases the GIL and waits to get it back."""
    changes = [(change, job.at) for job in jobs if not callable(job.work) for change in job.work]
    if changes:
        _append(connection, changes)
    for job in jobs:
        if callable(job.work):
            job.work(connection)


def _write_apart(connection: sqlite3.Connection, job: _Job) -> Conflict | None:
    connection.execute("SAVEPOINT one")
    failure = None
    try:
        _write_together(connection, [job])
    except Conflict as conflict:
        connection.execute("ROLLBACK TO one")
        failure = conflict
    connection.execute("RELEASE one")
    return failure


def _settle(jobs: list[_Job], failures: list[BaseException | None]) -> None:
    """Resolve all futures in one callback."""

    def tell() -> None:
        for job, failure in zip(jobs, failures, strict=True):
            if job.done.cancelled():  # the caller was cancelled; the write stands
                continue
            if failure:
                job.done.set_exception(failure)
            else:
                job.done.set_result(None)

    if not jobs[0].loop.is_closed():
        jobs[0].loop.call_soon_threadsafe(tell)


# Many rows in one statement, during which Python can run other threads.
_MOST_ROWS = 1000
_ADD_EVENTS = "INSERT INTO events (table_id, number, at, data) VALUES {rows}"
_SET_TABLES = """
    INSERT INTO tables (id, phase, public, changed, computer, summary) VALUES {rows}
    ON CONFLICT (id) DO UPDATE SET phase = excluded.phase, public = excluded.public, changed = excluded.changed,
        computer = excluded.computer, summary = excluded.summary
"""


def _put(connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    for first in range(0, len(rows), _MOST_ROWS):
        some = rows[first : first + _MOST_ROWS]
        marks = f"({', '.join('?' * len(some[0]))})"
        connection.execute(statement.format(rows=", ".join([marks] * len(some))), list(chain.from_iterable(some)))


def _append(connection: sqlite3.Connection, changes: Sequence[tuple[Change, float]]) -> None:
    """Append changes with their times."""
    events, tables = [], []
    for change, now in changes:
        summary = change.summary
        times = change.times or [now] * len(change.events)
        for number, (at, event) in enumerate(zip(times, change.events, strict=True), change.first):
            events.append((summary.id, number, at, _encode(event).decode()))
        listed = _encode(summary).decode()
        tables.append((summary.id, summary.phase, summary.public, times[-1], summary.computer, listed))
    try:
        _put(connection, _ADD_EVENTS, events)
    except sqlite3.IntegrityError as error:
        raise Conflict("an event of this table has this number already") from error
    _put(connection, _SET_TABLES, tables)
    _put_more(connection, changes)


def _put_more(connection: sqlite3.Connection, changes: Sequence[tuple[Change, float]]) -> None:
    """Write the rarer parts of changes: of each table the last."""
    seats = {change.summary.id: change.summary.owners for change, _now in changes if change.seats_changed}
    ids = list(seats)
    for first in range(0, len(ids), _MOST_ROWS):
        some = ids[first : first + _MOST_ROWS]
        connection.execute(f"DELETE FROM seats WHERE table_id IN ({', '.join('?' * len(some))})", some)
    owned = [(name, seat, owner) for name, owners in seats.items() for seat, owner in enumerate(owners) if owner]
    _put(connection, "INSERT INTO seats (table_id, seat, visitor) VALUES {rows}", owned)
    snapshots = {
        change.summary.id: (change.summary.id, change.last, change.snapshot)
        for change, _now in changes
        if change.snapshot
    }
    _put(
        connection, "INSERT OR REPLACE INTO snapshots (table_id, number, data) VALUES {rows}", list(snapshots.values())
    )
    for change, now in changes:
        if change.record:
            _save_record(connection, change.summary.id, change.times[-1] if change.times else now, change.record)


def _save_record(connection: sqlite3.Connection, identifier: str, at: float, text: str) -> None:
    connection.execute("INSERT OR REPLACE INTO records (id, at, text) VALUES (?, ?, ?)", (identifier, at, text))


def _migrate(connection: sqlite3.Connection) -> None:
    for migration in due("sqlite", connection.execute("PRAGMA user_version").fetchone()[0]):
        script = f"BEGIN IMMEDIATE;\n{migration.sql}\nPRAGMA user_version={migration.number};\nCOMMIT;"
        connection.executescript(script)
