"""Where tables are kept."""

from .sqlite import SqliteStore
from .store import Change, Conflict, Store, Summary

__all__ = ["Change", "Conflict", "SqliteStore", "Store", "Summary"]
