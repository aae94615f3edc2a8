"""The interface of a store. An awaited write is on disk."""

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from azulejos.tables import Event, Table
from azulejos.tables.events import HandedOver, Left, Opened, Sat

_SEATING = (Opened, Sat, Left, HandedOver)  # what changes who sits where


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
    winners: list[int] = []  # of a finished game; unknown of one that an older version kept

    @property
    def computer(self) -> bool:
        """Is it a computer player's turn?"""
        return self.turn is not None and bool(self.players[self.turn])

    @staticmethod
    def of(table: Table) -> "Summary":
        return Summary(
            id=table.id,
            game=table.game.name,
            options=table.game.chosen_texts,
            phase=table.phase,
            public=table.public,
            names=[seat.name for seat in table.seats],
            players=[seat.player for seat in table.seats],
            owners=[seat.owner for seat in table.seats],
            turn=table.turn,
            scores=list(table.state.scores) if table.states else [],
            winners=list(table.outcome.winners) if table.outcome else [],
        )


class Change(msgspec.Struct, frozen=True):
    """Events to be added to a table, the first of them with the number `first`, and what lists show after that.

    `times`: when each happened, if not now. `record`: of the game, if it is over. `snapshot`: of the table after it.
    `notice`: what other processes are told of it, if anything.
    """

    first: int
    events: Sequence[Event]
    summary: Summary
    times: Sequence[float] = ()
    record: str = ""
    snapshot: bytes = b""
    notice: "Notice | None" = None

    @property
    def last(self) -> int:
        return self.first + len(self.events) - 1

    @property
    def seats_changed(self) -> bool:
        return any(isinstance(event, _SEATING) for event in self.events)


class Logged(msgspec.Struct, frozen=True):
    """An event as the log has it."""

    number: int
    at: float
    event: Event


class Notice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A notification between processes: a table has reached an event, or who is connected there: people who sit at it,
    and how many who watch. `contested`: a hash of the position that people play against each other."""

    process: str
    table: str
    number: int = 0
    here: tuple[str, ...] | None = None
    watching: int = 0
    contested: str = ""


# A notice of another process; None when some may have been missed.
Heard = Callable[[Notice | None], None]


class Store(Protocol):
    """Stores tables, records and names."""

    shared: bool  # may several processes use it at a time?

    async def append(self, changes: Sequence[Change]) -> None:
        """Add all changes, or none: Conflict if one of the numbers is taken."""
        ...

    async def events(self, table: str, since: int = 0) -> list[Event]:
        """A table's events with numbers above `since`; none if there is no such table."""
        ...

    async def log(self, table: str) -> list[Logged]:
        """The events with their numbers and times."""
        ...

    async def snapshot(self, table: str) -> bytes | None:
        """The latest, if there is one."""
        ...

    async def public_tables(self, most: int = 50) -> list[Summary]:
        """Open tables that anybody may join, the latest first."""
        ...

    async def tables_of(self, visitor: str, most: int = 50) -> list[Summary]:
        """Tables at which a visitor sits and that are not closed, the latest first."""
        ...

    async def idle_tables(self, before: float) -> list[str]:
        """Tables that are open or in play, and at which nothing has happened since a time."""
        ...

    async def days_ago(self, days: int) -> float:
        """A time that is so many days before the newest event, and since which something happened on as many days; 0 if
        there were fewer such days."""
        ...

    async def expire(self, before: float) -> None:
        """Delete names, and records that visitors brought, that are older than a time."""
        ...

    async def latest_tables(self, most: int = 100) -> list[Summary]:
        """All tables, those first at which something happened last."""
        ...

    async def table_ids(self) -> list[str]:
        """All tables."""
        ...

    async def counts(self) -> dict[str, int]:
        """How many tables there are in each phase."""
        ...

    async def claim(self, table: str, process: str, seconds: float) -> bool:
        """Claim a table's turn for this process for some seconds; False if another process has it."""
        ...

    async def save_record(self, identifier: str, text: str) -> None: ...

    async def record(self, identifier: str) -> str | None: ...

    async def record_ids(self) -> list[str]: ...

    async def save_name(self, visitor: str, name: str) -> None: ...

    async def name(self, visitor: str) -> str: ...

    async def names(self) -> dict[str, str]: ...

    async def check(self) -> None:
        """Can it be read and written? Unavailable if not."""
        ...

    async def listen(self, heard: Heard) -> None:
        """Receive notifications of other processes; none, if the store is not shared."""
        ...

    async def notify(self, notices: Sequence[Notice]) -> None:
        """Notify the other processes."""
        ...

    async def close(self) -> None: ...
