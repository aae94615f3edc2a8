"""Stores of tables: SQLite and PostgreSQL."""

from pathlib import Path

from azulejos.core.errors import Conflict, OptionError, Unavailable

from .sqlite import SqliteStore
from .store import Change, Logged, Notice, Store, Summary

__all__ = [
    "FILE",
    "Change",
    "Conflict",
    "Logged",
    "Notice",
    "SqliteStore",
    "Store",
    "Summary",
    "Unavailable",
    "open_store",
]

FILE = "tables.sqlite"


async def open_store(data: Path, database: str | None, process: str = "alone") -> Store:
    """The store at an address `postgresql://…`, or, without one, in a file in the data folder."""
    if database is None:
        return SqliteStore(data / FILE)
    if not database.startswith(("postgresql://", "postgres://")):
        raise OptionError("a database's address begins with postgresql://")
    try:
        from .postgres import PostgresStore
    except ImportError as error:
        raise OptionError("PostgreSQL needs asyncpg: pip install 'azulejos[postgres]'") from error
    return await PostgresStore.open(database, process)
