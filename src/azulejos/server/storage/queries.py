"""The queries that SQLite and PostgreSQL share."""

import logging
from abc import ABC, abstractmethod
from typing import Any

import msgspec

from azulejos.tables import AnyEvent, Event

from .store import Logged, Summary

log: logging.Logger = logging.getLogger("azulejos.storage")
DAY = 86400  # seconds
_TIMES = "SELECT changed AS at FROM tables UNION ALL SELECT at FROM records UNION ALL SELECT at FROM visitors"
_decode_event = msgspec.json.Decoder(AnyEvent).decode
_decode_summary = msgspec.json.Decoder(Summary).decode


def _check_numbers(numbers: list[int], first: int) -> None:
    """Raises ValidationError, as for other damage."""
    for number, expected in zip(numbers, range(first, first + len(numbers)), strict=True):
        if number != expected:
            raise msgspec.ValidationError(f"event {expected} is missing")


class Queries(ABC):
    """`_MINE`: the condition that a table has a seat of a visitor."""

    _MINE: str

    @abstractmethod
    async def _read(self, query: str, *values: Any) -> list[Any]:
        """The rows of a query whose values are marked by `?`."""

    # --- tables ---

    async def events(self, table: str, since: int = 0) -> list[Event]:
        sql = "SELECT number, data FROM events WHERE table_id = ? AND number > ? ORDER BY number"
        rows = await self._read(sql, table, since)
        _check_numbers([number for number, _data in rows], since + 1)
        return [_decode_event(data) for _number, data in rows]

    async def log(self, table: str) -> list[Logged]:
        rows = await self._read("SELECT number, at, data FROM events WHERE table_id = ? ORDER BY number", table)
        _check_numbers([number for number, _at, _data in rows], 1)
        return [Logged(number, at, _decode_event(data)) for number, at, data in rows]

    async def snapshot(self, table: str) -> bytes | None:
        rows = await self._read("SELECT data FROM snapshots WHERE table_id = ?", table)
        return rows[0][0] if rows else None

    async def _tables(self, where: str, *values: Any) -> list[Summary]:
        """All but those whose row is damaged."""
        found = []
        for data, changed in await self._read(f"SELECT summary, changed FROM tables {where}", *values):
            try:
                found.append(msgspec.structs.replace(_decode_summary(data), changed=changed))
            except msgspec.DecodeError:
                log.error("the summary of a table cannot be read")
        return found

    async def public_tables(self, most: int = 50) -> list[Summary]:
        return await self._tables("WHERE phase = 'open' AND public ORDER BY changed DESC LIMIT ?", most)

    async def tables_of(self, visitor: str, most: int = 50) -> list[Summary]:
        return await self._tables(
            f"WHERE {self._MINE} AND phase <> 'closed' ORDER BY changed DESC LIMIT ?", visitor, most
        )

    async def idle_tables(self, before: float) -> list[str]:
        return await self._column("SELECT id FROM tables WHERE phase IN ('open', 'playing') AND changed < ?", before)

    async def days_ago(self, days: int) -> float:
        rows = await self._read(f"SELECT max(at) FROM ({_TIMES}) AS times")
        newest = float(rows[0][0] or 0)
        sql = f"SELECT DISTINCT round(at / {DAY}) AS day FROM ({_TIMES}) AS times"
        rows = await self._read(f"{sql} ORDER BY day DESC LIMIT 1 OFFSET ?", days - 1)
        return min(newest - DAY * days, float(DAY * rows[0][0])) if rows else 0.0

    async def latest_tables(self, most: int = 100) -> list[Summary]:
        return await self._tables("ORDER BY changed DESC LIMIT ?", most)

    async def table_ids(self) -> list[str]:
        return await self._column("SELECT id FROM tables ORDER BY id")

    async def counts(self) -> dict[str, int]:
        return {row[0]: row[1] for row in await self._read("SELECT phase, count(*) FROM tables GROUP BY phase")}

    # --- records and names ---

    async def record(self, identifier: str) -> str | None:
        rows = await self._read("SELECT text FROM records WHERE id = ?", identifier)
        return rows[0][0] if rows else None

    async def record_ids(self) -> list[str]:
        return await self._column("SELECT id FROM records ORDER BY id")

    async def name(self, visitor: str) -> str:
        rows = await self._read("SELECT name FROM visitors WHERE id = ?", visitor)
        return rows[0][0] if rows else ""

    async def names(self) -> dict[str, str]:
        return {row[0]: row[1] for row in await self._read("SELECT id, name FROM visitors")}

    async def _column(self, query: str, *values: Any) -> list[str]:
        return [row[0] for row in await self._read(query, *values)]
