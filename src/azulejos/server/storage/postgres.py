"""The store in PostgreSQL, shared by many server processes. Its log is the source of truth; notifications only wake."""

import asyncio
import itertools
import logging
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import asyncpg
import msgspec

from azulejos.core.errors import Conflict, OptionError, Rejected, Unavailable

from .migrating import due
from .queries import Queries
from .store import Change, Heard, Notice

log: logging.Logger = logging.getLogger("azulejos.storage")
T = TypeVar("T")
CHANNEL = "azulejos"
CONNECTIONS = 8
MOST_TOGETHER = 256  # appends that share a statement
PATIENCE = 7.0  # seconds for which a database that is away is waited for
ONCE_MORE = 1.0  # seconds for which it is tried by somebody who comes when it has been away for longer
_MIGRATING = 0x617A756C  # the advisory lock under which the form is changed
_decode_notices = msgspec.json.Decoder(list[Notice]).decode
MOST_NOTICES = 20  # that fit into the 8000 bytes of a notification
_LOST = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.OperatorInterventionError,
    TimeoutError,
)

# One statement for all that waits: it is whole by itself, so no other process ever waits for this one to go on.
_APPEND = """
WITH logged AS (
    INSERT INTO events (table_id, number, at, data)
    SELECT id, number, at, data::json
    FROM unnest($1::text[], $2::integer[], $3::float8[], $4::text[]) AS e (id, number, at, data)
), listed AS (
    INSERT INTO tables (id, phase, public, changed, owners, computer, summary)
    SELECT id, phase, public, changed, string_to_array(owners, E'\\n'), computer, summary::json
    FROM unnest($5::text[], $6::text[], $7::boolean[], $8::float8[], $9::text[], $10::boolean[], $11::text[])
    AS t (id, phase, public, changed, owners, computer, summary)
    ON CONFLICT (id) DO UPDATE SET phase = excluded.phase, public = excluded.public, changed = excluded.changed,
    owners = excluded.owners, computer = excluded.computer, summary = excluded.summary
), recorded AS (
    INSERT INTO records (id, at, text) SELECT * FROM unnest($12::text[], $13::float8[], $14::text[])
    ON CONFLICT (id) DO UPDATE SET at = excluded.at, text = excluded.text
), saved AS (
    INSERT INTO snapshots (table_id, number, data) SELECT * FROM unnest($15::text[], $16::integer[], $17::bytea[])
    ON CONFLICT (table_id) DO UPDATE SET number = excluded.number, data = excluded.data
)
SELECT pg_notify($18, notice) FROM unnest($19::text[]) AS n (notice)
"""
_SAVE_RECORD = """
INSERT INTO records (id, at, text) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET at = $2, text = $3
"""
_SAVE_NAME = """
INSERT INTO visitors (id, name, at) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET name = $2, at = $3
"""
_CLAIM = """
INSERT INTO claims (table_id, process, until) VALUES ($1, $2, now() + $3 * interval '1 second')
ON CONFLICT (table_id) DO UPDATE SET process = $2, until = now() + $3 * interval '1 second'
WHERE claims.process = $2 OR claims.until < now()
RETURNING table_id
"""


class _Connection(asyncpg.Connection):  # type: ignore[misc]
    """A connection of the pool. Nothing here changes its session, so nothing needs to be reset after each use."""

    def get_reset_query(self) -> str:
        return ""


class _Job(NamedTuple):
    """Changes that are to be appended, the future that waits for it, and when they were made."""

    changes: Sequence[Change]
    done: "asyncio.Future[None]"
    at: float


def _said(notices: Sequence[Notice]) -> list[str]:
    """Notices as notifications."""
    parts = [notices[k : k + MOST_NOTICES] for k in range(0, len(notices), MOST_NOTICES)]
    return [msgspec.json.encode(part).decode() for part in parts]


def _columns(rows: Sequence[tuple[Any, ...]], count: int) -> list[list[Any]]:
    return [[row[k] for row in rows] for k in range(count)]


class PostgresStore(Queries):
    """A store in PostgreSQL. `process`: the name of this process."""

    shared = True
    _MINE = "owners @> ARRAY[?::text]"

    def __init__(self, address: str, pool: "asyncpg.Pool[Any]", process: str) -> None:
        self._address, self._pool, self._process = address, pool, process
        self._listening: asyncio.Task[None] | None = None
        self._waiting: list[_Job] = []  # to be appended
        self._appending: asyncio.Task[None] | None = None
        self._well = 0.0  # when the database answered last
        self._away = 0.0  # since when it has been away; 0: it is there

    @staticmethod
    async def open(address: str, process: str) -> "PostgresStore":
        """Connect, and bring the database's form up to date."""
        try:
            pool = await asyncpg.create_pool(
                address, min_size=1, max_size=CONNECTIONS, command_timeout=PATIENCE, connection_class=_Connection
            )
            async with pool.acquire() as connection:
                await _migrate(connection)
        except (*_LOST, asyncpg.PostgresError, ValueError, OverflowError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise OptionError(f"the database cannot be used: {reason}") from error
        return PostgresStore(address, pool, process)

    async def _trying(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """Run with a connection; retry with another one if it is lost. Everybody waits for the same time together, so
        that one who waits for another one's work is answered in time, too."""
        now = time.monotonic()
        end = max((self._away or now) + PATIENCE, now + ONCE_MORE)
        while True:
            left = max(0.1, end - time.monotonic())
            try:
                async with self._pool.acquire(timeout=left) as connection, asyncio.timeout(left):
                    done = await work(connection)
                self._well, self._away = time.monotonic(), 0.0
                return done
            except _LOST as error:
                if not self._away:
                    log.warning("the database is away: %s", type(error).__name__)
                self._away = self._away or max(now, self._well)
                if self._pool.is_closing() or time.monotonic() > end - ONCE_MORE:
                    raise Unavailable("the database is away") from error
                await asyncio.sleep(0.2)
            except asyncpg.UniqueViolationError:
                raise
            except asyncpg.PostgresError as error:
                raise Rejected(f"the database refuses: {type(error).__name__}") from error

    async def _read(self, query: str, *values: Any) -> list[Any]:
        numbers = itertools.count(1)
        query = re.sub(r"\?", lambda _: f"${next(numbers)}", query)
        return await self._trying(lambda connection: connection.fetch(query, *values))

    async def _write(self, query: str, *values: Any) -> None:
        await self._trying(lambda connection: connection.execute(query, *values))

    async def close(self) -> None:
        if self._appending:
            await self._appending
        if self._listening:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        try:
            await asyncio.wait_for(self._pool.close(), 5)
        except TimeoutError:
            self._pool.terminate()

    # --- tables ---

    async def append(self, changes: Sequence[Change]) -> None:
        job = _Job(changes, asyncio.get_running_loop().create_future(), time.time())
        self._waiting.append(job)
        if not self._appending or self._appending.done():
            self._appending = asyncio.get_running_loop().create_task(self._append_waiting())
        await job.done

    async def _append_waiting(self) -> None:
        """Group commit: all that waits shares one statement."""
        while self._waiting:
            jobs, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
            await self._commit(jobs)

    async def _commit(self, jobs: Sequence[_Job], again: bool = False) -> None:
        """Append what some wait for together; if that is refused, each by itself. `again`: it was tried before."""
        tries, failure = int(again), None

        async def work(connection: Any) -> None:
            nonlocal tries
            tries += 1
            await self._append(connection, jobs)

        try:
            await self._trying(work)
        except (asyncpg.UniqueViolationError, Rejected) as error:
            if len(jobs) > 1:
                for job in jobs:
                    await self._commit([job], tries > 1)
                return
            failure = error if isinstance(error, Rejected) else await self._conflict(jobs[0], tries > 1)
        except Exception as error:  # nobody waits for ever
            failure = error if isinstance(error, Unavailable) else Unavailable(str(error))
        for job in jobs:
            if not job.done.done():  # the caller was cancelled; the write stands
                job.done.set_exception(failure) if failure else job.done.set_result(None)

    async def _conflict(self, job: _Job, again: bool) -> Exception | None:
        """Why a number is taken; None if by a try that had arrived, and whose answer was lost."""
        try:
            return None if again and await self._holds(job.changes) else Conflict("an event is there already")
        except Unavailable as error:
            return error

    async def _append(self, connection: Any, jobs: Sequence[_Job]) -> None:
        """All changes in one statement, in the order of tables, so that no two processes wait for each other."""
        changes = sorted(
            ((change, job.at) for job in jobs for change in job.changes), key=lambda one: one[0].summary.id
        )
        logged, latest, notices = [], {}, []
        for change, now in changes:
            name, times = change.summary.id, change.times or [now] * len(change.events)
            for number, at, event in zip(range(change.first, change.last + 1), times, change.events, strict=True):
                logged.append((name, number, at, msgspec.json.encode(event).decode()))
            latest[name] = change.summary, times[-1]
            if change.notice:
                notices.append(change.notice)
        listed = [
            (
                *(name, summary.phase, summary.public, at, "\n".join(filter(None, summary.owners)), summary.computer),
                msgspec.json.encode(summary).decode(),
            )
            for name, (summary, at) in latest.items()
        ]
        records = {
            change.summary.id: (latest[change.summary.id][1], change.record) for change, _ in changes if change.record
        }
        saved = {change.summary.id: (change.last, change.snapshot) for change, _ in changes if change.snapshot}
        await connection.execute(
            _APPEND,
            *_columns(logged, 4),
            *_columns(listed, 7),
            *_columns([(name, *what) for name, what in records.items()], 3),
            *_columns([(name, *what) for name, what in saved.items()], 3),
            CHANNEL,
            _said(notices),
        )

    async def _holds(self, changes: Sequence[Change]) -> bool:
        for change in changes:
            there = await self.events(change.summary.id, change.first - 1)
            if there[: len(change.events)] != list(change.events):
                return False
        return True

    async def claim(self, table: str, process: str, seconds: float) -> bool:
        return bool(await self._trying(lambda connection: connection.fetch(_CLAIM, table, process, seconds)))

    # --- records and names ---

    async def save_record(self, identifier: str, text: str) -> None:
        await self._write(_SAVE_RECORD, identifier, time.time(), text)

    async def save_name(self, visitor: str, name: str) -> None:
        sql = (
            "INSERT INTO visitors (id, name, at) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET name = $2, at = $3"
        )
        await self._write(sql, visitor, name, time.time())

    # --- the whole ---

    async def check(self) -> None:
        try:
            async with self._pool.acquire(timeout=2) as connection:
                await connection.execute(
                    "INSERT INTO health (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = $1",
                    time.time(),
                    timeout=2,
                )
        except (*_LOST, asyncpg.PostgresError) as error:
            raise Unavailable("the database is away") from error

    async def expire(self, before: float) -> None:
        await self._write("DELETE FROM visitors WHERE at < $1", before)
        await self._write("DELETE FROM records WHERE at < $1 AND id NOT IN (SELECT id FROM tables)", before)

    async def listen(self, heard: Heard) -> None:
        listening = asyncio.Event()
        self._listening = asyncio.get_running_loop().create_task(self._listen(heard, listening))
        await listening.wait()

    async def _listen(self, heard: Heard, listening: asyncio.Event) -> None:
        """Listen on a connection of its own, reconnecting when it is lost; notifications may then have been missed."""

        mine = f'[{{"process":"{self._process}",'

        def hear(connection: object, process: int, channel: str, text: object) -> None:
            said = str(text)
            if not said.startswith(mine):
                for notice in _decode_notices(said):
                    heard(notice)

        while True:
            lost = asyncio.Event()
            try:
                connection = await asyncpg.connect(self._address, timeout=5)
            except (*_LOST, asyncpg.PostgresError):
                await asyncio.sleep(0.5)
                continue
            try:
                connection.add_termination_listener(lambda _, lost=lost: lost.set())
                await connection.add_listener(CHANNEL, hear)
                if listening.is_set():
                    heard(None)
                listening.set()
                await lost.wait()
            finally:
                connection.terminate()

    async def notify(self, notices: Sequence[Notice]) -> None:
        await self._write("SELECT pg_notify($1, notice) FROM unnest($2::text[]) AS n (notice)", CHANNEL, _said(notices))


async def _migrate(connection: Any) -> None:
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _MIGRATING)
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, name text NOT NULL)"
        )
        done = await connection.fetchval("SELECT coalesce(max(number), 0) FROM migrations")
        for migration in due("postgres", done):
            await connection.execute(migration.sql)
            sql = "INSERT INTO migrations (number, name) VALUES ($1, $2)"
            await connection.execute(sql, migration.number, migration.name)
