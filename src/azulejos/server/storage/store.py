"""What the server asks of a store. Whatever has been awaited is on disk."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from azulejos.tables import Event, Table


class Conflict(Exception):
    """An event with this number is there already: somebody else was faster."""


class Summary(msgspec.Struct, frozen=True):
    """A table as lists show it."""

    id: str
    game: str
    options: dict[str, str]
    phase: str
    public: bool
    names: list[str]
    players: list[str]  # computer players by seat, "" for persons
    owners: list[str]  # visitors by seat, "" for none; never shown
    turn: int | None
    scores: list[int]
    changed: float = 0

    @staticmethod
    def of(table: Table) -> "Summary":
        return Summary(
            id=table.id,
            game=table.game.name,
            options={name: str(value) for name, value in table.game.chosen.items()},
            phase=table.phase,
            public=table.public,
            names=[seat.name for seat in table.seats],
            players=[seat.player for seat in table.seats],
            owners=[seat.owner for seat in table.seats],
            turn=table.turn,
            scores=list(table.state.scores) if table.states else [],
        )


class Change(msgspec.Struct, frozen=True):
    """Events to be added to a table, the first of them with the number `first`, and what lists show after that."""

    first: int
    events: Sequence[Event]
    summary: Summary


class Store(Protocol):
    """Keeps tables, records and names."""

    async def append(self, changes: Sequence[Change]) -> None:
        """Add all changes, or none: Conflict if one of the numbers is taken."""
        ...

    async def events(self, table: str, since: int = 0) -> list[Event]:
        """A table's events with numbers above `since`; none if there is no such table."""
        ...

    async def public_tables(self, most: int = 50) -> list[Summary]:
        """Open tables that anybody may join, the latest first."""
        ...

    async def tables_of(self, visitor: str, most: int = 50) -> list[Summary]:
        """Tables at which a visitor sits, the latest first."""
        ...

    async def tables_in_play(self) -> list[str]:
        """All tables at which a game goes on."""
        ...

    async def save_record(self, identifier: str, text: str) -> None: ...

    async def record(self, identifier: str) -> str | None: ...

    async def save_name(self, visitor: str, name: str) -> None: ...

    async def name(self, visitor: str) -> str: ...

    async def close(self) -> None: ...
