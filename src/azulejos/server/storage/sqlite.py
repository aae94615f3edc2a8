"""The store in one SQLite file. One thread writes, many changes in one commit; another reads."""

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from azulejos.tables import AnyEvent, Event

from .store import Change, Conflict, Summary

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], Any]
_MIGRATIONS = Path(__file__).parent / "migrations"
_decode_event = msgspec.json.Decoder(AnyEvent).decode
_decode_summary = msgspec.json.Decoder(Summary).decode


class SqliteStore:
    """Write-ahead log, every commit synchronised: what is awaited survives the machine."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file
        connection = self._connect()
        _migrate(connection)
        connection.close()
        self._waiting: queue.SimpleQueue[tuple[Work, Future[Any]] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="azulejos-writer", daemon=True)
        self._writer.start()
        self._reader = ThreadPoolExecutor(1, "azulejos-reader")
        self._reading: sqlite3.Connection | None = None

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._file, timeout=30, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        return connection

    # --- the writing thread ---

    def _write_all(self) -> None:
        """Everything that waits goes into one commit, so that many tables share one wait for the disk."""
        connection = self._connect()
        while (job := self._waiting.get()) is not None:
            jobs, last = [job], False
            while not self._waiting.empty():
                following = self._waiting.get()
                if following is None:
                    last = True
                    break
                jobs.append(following)
            self._commit(connection, jobs)
            if last:
                break
        connection.close()

    def _commit(self, connection: sqlite3.Connection, jobs: list[tuple[Work, "Future[Any]"]]) -> None:
        results: list[tuple[Future[Any], Any, BaseException | None]] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for work, future in jobs:
                connection.execute("SAVEPOINT one")
                try:
                    results.append((future, work(connection), None))
                except Exception as error:
                    connection.execute("ROLLBACK TO one")
                    results.append((future, None, error))
                connection.execute("RELEASE one")
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            results = [(future, None, error) for _, future in jobs]
        for future, result, failure in results:
            if future.cancelled():
                continue
            if failure:
                future.set_exception(failure)
            else:
                future.set_result(result)

    async def _write(self, work: Work) -> Any:
        future: Future[Any] = Future()
        self._waiting.put((work, future))
        return await asyncio.shield(asyncio.wrap_future(future))

    async def _read(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        def work() -> list[tuple[Any, ...]]:
            if self._reading is None:
                self._reading = self._connect()
            return self._reading.execute(query, values).fetchall()

        return await asyncio.get_running_loop().run_in_executor(self._reader, work)

    async def close(self) -> None:
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)
        self._reader.shutdown()
        if self._reading:
            self._reading.close()

    # --- tables ---

    async def append(self, changes: Sequence[Change]) -> None:
        now = time.time()

        def work(connection: sqlite3.Connection) -> None:
            for change in changes:
                _append(connection, change, now)

        await self._write(work)

    async def events(self, table: str, since: int = 0) -> list[Event]:
        rows = await self._read(
            "SELECT data FROM events WHERE table_id = ? AND number > ? ORDER BY number", table, since
        )
        return [_decode_event(data) for (data,) in rows]

    async def public_tables(self, most: int = 50) -> list[Summary]:
        rows = await self._read(
            "SELECT summary, changed FROM tables WHERE phase = 'open' AND public ORDER BY changed DESC LIMIT ?", most
        )
        return _summaries(rows)

    async def tables_of(self, visitor: str, most: int = 50) -> list[Summary]:
        rows = await self._read(
            "SELECT summary, changed FROM tables WHERE id IN (SELECT table_id FROM seats WHERE visitor = ?)"
            " ORDER BY changed DESC LIMIT ?",
            visitor,
            most,
        )
        return _summaries(rows)

    async def tables_in_play(self) -> list[str]:
        return [table for (table,) in await self._read("SELECT id FROM tables WHERE phase = 'playing'")]

    # --- records and names ---

    async def save_record(self, identifier: str, text: str) -> None:
        sql = "INSERT OR REPLACE INTO records (id, at, text) VALUES (?, ?, ?)"
        await self._write(lambda connection: connection.execute(sql, (identifier, time.time(), text)) and None)

    async def record(self, identifier: str) -> str | None:
        rows = await self._read("SELECT text FROM records WHERE id = ?", identifier)
        return rows[0][0] if rows else None

    async def save_name(self, visitor: str, name: str) -> None:
        sql = "INSERT OR REPLACE INTO visitors (id, name) VALUES (?, ?)"
        await self._write(lambda connection: connection.execute(sql, (visitor, name)) and None)

    async def name(self, visitor: str) -> str:
        rows = await self._read("SELECT name FROM visitors WHERE id = ?", visitor)
        return rows[0][0] if rows else ""


def _append(connection: sqlite3.Connection, change: Change, now: float) -> None:
    summary = change.summary
    try:
        connection.executemany(
            "INSERT INTO events (table_id, number, at, data) VALUES (?, ?, ?, ?)",
            [
                (summary.id, change.first + k, now, msgspec.json.encode(event).decode())
                for k, event in enumerate(change.events)
            ],
        )
    except sqlite3.IntegrityError as error:
        raise Conflict(f"event {change.first} of table {summary.id} is there already") from error
    connection.execute(
        "INSERT OR REPLACE INTO tables (id, phase, public, changed, summary) VALUES (?, ?, ?, ?, ?)",
        (summary.id, summary.phase, int(summary.public), now, msgspec.json.encode(summary).decode()),
    )
    connection.execute("DELETE FROM seats WHERE table_id = ?", (summary.id,))
    connection.executemany(
        "INSERT INTO seats (table_id, seat, visitor) VALUES (?, ?, ?)",
        [(summary.id, seat, visitor) for seat, visitor in enumerate(summary.owners) if visitor],
    )


def _summaries(rows: list[tuple[Any, ...]]) -> list[Summary]:
    return [msgspec.structs.replace(_decode_summary(data), changed=changed) for data, changed in rows]


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the file up to date: numbered files of SQL, each once, in order."""
    done = connection.execute("PRAGMA user_version").fetchone()[0]
    for file in sorted(_MIGRATIONS.glob("*.sql")):
        number = int(file.name[:4])
        if number > done:
            connection.executescript(f"BEGIN;\n{file.read_text()}\nPRAGMA user_version={number};\nCOMMIT;")
