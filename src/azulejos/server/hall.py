"""The hall: the tables that are live in this process, who is at them, and who is told what happens."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from azulejos.core.game import Game
from azulejos.core.registry import games
from azulejos.tables import COMPUTER, Chair, Command, Phase, Play, Progress, Refusal, Table
from azulejos.tables.events import Opened

from .storage import Change, Conflict, Store, Summary
from .thinking import Thinkers, prepare_rules

log = logging.getLogger("azulejos.server")
AWAY_AFTER = 60.0  # seconds without a connection, after which others may hand a seat over

STAND_IN = "random"  # plays for a player that failed

Listener = Callable[[Progress], None]


@dataclass
class Live:
    """A table in memory. `here`: how many connections each visitor has; `gone`: since when one has none."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    listeners: dict[object, tuple[str, Listener]] = field(default_factory=dict)
    gone: dict[str, float] = field(default_factory=dict)
    thinking: int = 0  # the position that a computer player thinks about

    def here(self, visitor: str) -> bool:
        return any(visitor == other for other, _ in self.listeners.values())

    def away(self) -> frozenset[int]:
        """Seats whose owners have not been seen for a while."""
        now = time.monotonic()
        return frozenset(
            number
            for number, seat in enumerate(self.table.seats)
            if seat.person and not self.here(seat.owner) and now - self.gone.get(seat.owner, now) > AWAY_AFTER
        )


class Hall:
    """All that a server does with tables. Nothing is told before it is on disk."""

    def __init__(self, store: Store, thinkers: Thinkers) -> None:
        self.store = store
        self.thinkers = thinkers
        self.ready: dict[str, asyncio.Event] = {name: asyncio.Event() for name in games()}
        self._live: dict[str, Live] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # --- opening hours ---

    async def prepare(self) -> None:
        """Compile the rules in a worker, then load them here; then let computer players go on where they were."""
        for name, ready in self.ready.items():
            await self.thinkers.prepare_rules(name)
            await asyncio.to_thread(prepare_rules, name)
            ready.set()
        for identifier in await self.store.tables_in_play():
            live = await self.find(identifier)
            if live:
                self._think(live)
        for name in self.ready:
            await self.thinkers.prepare_players(name)
        await self.thinkers.prepared()

    def begin(self) -> None:
        self._spawn(self.prepare())

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self.thinkers.close)
        await self.store.close()

    def _spawn(self, work: "asyncio._CoroutineLike[None]") -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("a task of the hall failed", exc_info=error)

    # --- tables ---

    async def open(self, game: Game, chairs: Sequence[Chair], public: bool = False) -> Table:
        """Set a new table."""
        await self.ready[game.name].wait()
        progress = Table.open(new_word(), game, chairs, secrets.token_hex(32), public)
        await self.store.append([_change(progress)])
        live = self._live.setdefault(progress.after.id, Live(progress.after))
        self._think(live)
        return progress.after

    async def game_of(self, identifier: str) -> str | None:
        """The name of a table's game, without the rules of it."""
        if identifier in self._live:
            return self._live[identifier].table.game.name
        events = await self.store.events(identifier)
        return events[0].game if events and isinstance(events[0], Opened) else None

    async def find(self, identifier: str) -> Live | None:
        """A table by its name, from memory or from the store."""
        if identifier in self._live:
            return self._live[identifier]
        events = await self.store.events(identifier)
        if not events:
            return None
        table = await asyncio.to_thread(Table.from_events, identifier, events)
        live = self._live.setdefault(identifier, Live(table))
        for seat in table.seats:
            if seat.person:
                live.gone.setdefault(seat.owner, time.monotonic())
        return live

    async def obey(self, live: Live, command: Command, visitor: str) -> int:
        """Do what a visitor wants and tell everybody; the number of the last event. Raises Refusal."""
        async with live.lock:
            progress = live.table.obey(command, visitor, live.away(), new_word())
            if progress.events:
                changes = [_change(progress)]
                if progress.after.next_table and not progress.before.next_table:
                    changes.append(_change(progress.after.open_rematch(secrets.token_hex(32))))
                try:
                    await self.store.append(changes)
                except Conflict:
                    await self._catch_up(live)
                    progress = live.table.obey(command, visitor, live.away(), new_word())
                    await self.store.append([_change(progress)])
                live.table = progress.after
                self._tell(live, progress)
        if progress.after.next_table and not progress.before.next_table:
            following = await self.find(progress.after.next_table)
            if following:
                self._think(following)
        self._think(live)
        return live.table.number

    async def _catch_up(self, live: Live) -> None:
        """Another process has played at this table: read what happened."""
        for event in await self.store.events(live.table.id, live.table.number):
            before, live.table = live.table, live.table.after(event)
            self._tell(live, Progress(before, live.table, (event,)))

    def _tell(self, live: Live, progress: Progress) -> None:
        for _, listener in list(live.listeners.values()):
            listener(progress)

    # --- who is here ---

    def join(self, live: Live, visitor: str, key: object, listener: Listener) -> None:
        live.listeners[key] = visitor, listener
        live.gone.pop(visitor, None)
        self._tell_presence(live)

    def part(self, live: Live, key: object) -> None:
        visitor, _ = live.listeners.pop(key)
        if not live.here(visitor):
            live.gone[visitor] = time.monotonic()
        self._tell_presence(live)

    def _tell_presence(self, live: Live) -> None:
        """A progress without events: look again at who is here."""
        self._tell(live, Progress(live.table, live.table, ()))

    # --- computer players ---

    def _think(self, live: Live) -> None:
        """If it is a computer player's turn, let it think, once a position."""
        table = live.table
        turn = table.turn
        if table.phase is Phase.PLAYING and turn is not None and table.seats[turn].player:
            if live.thinking != table.position:
                live.thinking = table.position
                self._spawn(self._let_play(live, table, turn))

    async def _let_play(self, live: Live, table: Table, seat: int) -> None:
        await self.ready[table.game.name].wait()
        try:
            action = await self.thinkers.think(table.state.view(seat), table.seats[seat].player)
        except Exception:  # whatever is wrong with a player, those at the table play on
            log.exception("the player %s failed", table.seats[seat].player)
            action = await self.thinkers.think(table.state.view(seat), STAND_IN)
        try:
            await self.obey(live, Play(seat, action, table.position), COMPUTER)
        except Refusal as refusal:  # taken back or taken over meanwhile
            log.info("a thought came too late: %s", refusal)


def new_word() -> str:
    """A name that nobody can guess."""
    return secrets.token_urlsafe(12)


def _change(progress: Progress) -> Change:
    first = progress.after.number - len(progress.events) + 1
    return Change(first, progress.events, Summary.of(progress.after))
