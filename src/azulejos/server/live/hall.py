"""The hall: the tables that are live in this process, who is at them, and who is told what happens."""

import asyncio
import contextlib
import contextvars
import datetime
import gc
import hashlib
import logging
import math
import re
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import msgspec

from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.language import N_, _, ngettext
from azulejos.core.registry import registered
from azulejos.core.state import State
from azulejos.tables import (
    COMPUTER,
    AskRematch,
    Chair,
    ClaimWin,
    Command,
    Event,
    FreeSeat,
    HandOver,
    Leave,
    Phase,
    Play,
    Progress,
    Reason,
    Refusal,
    Resign,
    Sit,
    Table,
)
from azulejos.tables.events import Opened

from ..running.logs import short
from ..storage import Change, Conflict, Notice, Store, Summary, Unavailable
from ..storage import snapshot as snapshots
from . import lone
from .advice import Advice
from .fairness import Rounds, Turns, Who
from .limits import MOST_CHANGES, MOST_LOG, Connections, Limits, Share, Window
from .messages import PlayFor, Told
from .metrics import Metrics
from .reviews import Reviews
from .thinking import Thinkers, prepare_rules
from .view import Presence

log: logging.Logger = logging.getLogger("azulejos.server")
FORGOTTEN_AFTER = 600.0  # seconds after which a table at which nobody is leaves memory
OVER_FORGOTTEN_AFTER = 30.0  # the same when its game is over: it has all its positions, and is seldom asked for
PRESENCE = 0.02  # seconds for which everybody who is told makes the next telling of who is here wait
BEAT = 15.0  # seconds between two notices of who is here; three missed are an absence
TOGETHER = 0.1  # seconds for which what other processes are told is collected
CLAIMED_FOR = 6.0  # seconds for which a process may think without saying so again
MOST_BROKEN = 1000  # unreadable tables that are remembered
AT_ONCE = 20  # tables that may be closed at one time for being idle
NAME = re.compile(r"[\w-]{1,64}")  # of a table or a record
COLLECTED_EVERY = 600.0  # seconds between two collections of all garbage; most of it needs none
SWEEP = 3.0  # seconds between two looks for turns that nobody thinks about

NOBODY = Who()
NO_SEATS: frozenset[int] = frozenset()
STAND_IN = "random"  # plays for a player that failed

T = TypeVar("T")


class Elsewhere(NamedTuple):
    """Who is connected to another process: people who sit at the table, and how many who watch; and since when."""

    here: frozenset[str]
    watching: int
    at: float


class News(NamedTuple):
    """What happened at a table, who was there, and the messages made of it so far, by who may know what: text, picture,
    and the picture before."""

    progress: Progress
    presence: Presence
    said: dict[Any, tuple[bytes, tuple[str, ...], tuple[str, ...]]]


Listener = Callable[[News], None]


class Guest(NamedTuple):
    """Somebody at a table: who, and how they are told what happens."""

    who: Who
    hear: Listener


@dataclass
class Live:
    """A table in memory. `gone`: since when owners of seats are not connected; `elsewhere`: visitors connected to other
    processes; `moved`: since when the position is on the table."""

    table: Table
    patience: float = 60.0  # seconds without a connection, after which somebody is away
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    guests: dict[object, Guest] = field(default_factory=dict)  # by connection
    gone: dict[str, float] = field(default_factory=dict)
    elsewhere: dict[str, Elsewhere] = field(default_factory=dict)  # by process
    engines: lone.Engines = field(default_factory=lone.Engines)
    thinking: int = 0  # the position that a computer player thinks about
    # A table and who is here, as refusals tell it, by visitor and language.
    refused: tuple[Table | None, Any, dict[Any, Any]] = field(default_factory=lambda: (None, None, {}))
    announced: float = -math.inf  # when who is here was told last
    announcing: bool = False  # will it be told soon?
    loaded: float = field(default_factory=time.monotonic)
    used: float = field(default_factory=time.monotonic)
    moved: float = field(default_factory=time.monotonic)
    missed: frozenset[int] = NO_SEATS  # seats that were away and overdue when it was last told
    asked: tuple[Table | None, State | None] = (None, None)  # a table, and the position that people play at it
    recent: deque[Event] = field(default_factory=lambda: deque(maxlen=MOST_LOG))  # the last events of the table

    def __post_init__(self) -> None:
        self.expect()

    def here(self, visitor: str) -> bool:
        for guest in self.guests.values():
            if visitor == guest.who.visitor:
                return True
        return any(visitor in others.here for others in self.others())

    def others(self) -> list[Elsewhere]:
        """What other processes said lately."""
        since = time.monotonic() - 3 * BEAT
        return [said for said in self.elsewhere.values() if said.at > since] if self.elsewhere else []

    def contested(self) -> State | None:
        """The position that people play against each other here."""
        table, view = self.asked
        if table is not self.table:
            view = _contested(self.table)
            self.asked = self.table, view
        return view

    def alone(self) -> bool:
        """Is everybody at this table here? Others have had the time to say that somebody is there."""
        return bool(self.guests) and time.monotonic() - self.loaded > 2 * BEAT and not self.others()

    def watching(self, everywhere: bool = True) -> int:
        """How many visitors look on; in this process, or everywhere."""
        owners = {seat.owner for seat in self.table.seats}
        here = len({guest.who.visitor for guest in self.guests.values()} - owners)
        return here + sum(others.watching for others in self.others()) if everywhere else here

    def presence(self) -> Presence:
        seats = enumerate(self.table.seats)
        here = frozenset([number for number, seat in seats if seat.owner and self.here(seat.owner)])
        return Presence(here, self.away(), self.watching(), self.overdue())

    def waits(self) -> Who:
        """For whom a computer player thinks: somebody who sits here, or else who watches."""
        owners = {seat.owner for seat in self.table.seats}
        guests = sorted(self.guests.values(), key=lambda guest: guest.who.visitor not in owners)
        return guests[0].who if guests else NOBODY

    def away(self) -> frozenset[int]:
        """Seats whose owners have not been seen for a while."""
        return self._absent(time.monotonic() - self.patience)

    def overdue(self) -> frozenset[int]:
        """The seat to act, if its owner has been away, since it was to act, for as long as the table says."""
        after, turn, now = self.table.claim_after, self.table.turn, time.monotonic()
        if not after or turn is None or now - self.moved < max(after, self.patience):
            return NO_SEATS
        return self._absent(now - max(after, self.patience)) & {turn}

    def expect(self) -> None:
        """Note who holds a seat and is not connected."""
        for seat in self.table.seats:
            if seat.person and not self.here(seat.owner):
                self.gone.setdefault(seat.owner, time.monotonic())

    def _absent(self, since: float) -> frozenset[int]:
        if not self.gone:
            return NO_SEATS
        return frozenset(
            number
            for number, seat in enumerate(self.table.seats)
            if seat.person and self.gone.get(seat.owner, since) < since and not self.here(seat.owner)
        )

    def doubt(self) -> None:
        """Whoever was connected to a process that has not been heard of lately has been gone since then."""
        since = time.monotonic() - 3 * BEAT
        for process, said in list(self.elsewhere.items()):
            if said.at <= since:
                del self.elsewhere[process]
                for visitor in said.here:
                    if not self.here(visitor):
                        self.gone.setdefault(visitor, said.at)


class Hall:
    """Manages tables. No event is sent before it is on disk."""

    def __init__(self, store: Store, thinkers: Thinkers, process: str = "alone", limits: Limits | None = None) -> None:
        self.store = store
        self.thinkers = thinkers
        self.advice: Advice = Advice(thinkers)
        self.reviews: Reviews = Reviews(thinkers)
        self.process = process
        self.limits: Limits = limits or Limits()
        self.metrics: Metrics = Metrics()
        self.ready: dict[str, asyncio.Event] = {name: asyncio.Event() for name in registered()}
        self.draining: bool = False
        self.browser_players: bool = True  # may computer players think in the browsers of lone visitors?
        self.connections: Connections = Connections(self.limits)
        self.audience: set[Callable[[str], None]] = set()  # who is told what concerns everybody
        self.rounds: Rounds = Rounds()  # what visitors ask for, and what changed in pictures, on the event loop
        self._lanes = {  # a thread has two things to do, so that it need not wait for the event loop between them
            later: (Turns(2, each=64), ThreadPoolExecutor(1, "azulejos-aside")) for later in (False, True)
        }
        self._checked = 0.0
        self.told: OrderedDict[Any, tuple[Table, Any, bytes, tuple[str, ...]]] = (
            OrderedDict()
        )  # tables as they were told last
        self.logs: OrderedDict[Any, tuple[Table, list[Told]]] = OrderedDict()  # as they were told last
        self.broken: dict[str, str] = {}  # tables that cannot be read, and why
        self._changes = Window(MOST_CHANGES, 60)
        self._openings = Share(self.limits.new_tables, 600, stored=True)
        self.records: Share = Share(self.limits.records, 600, stored=True)
        self.positions: Share = Share(self.limits.positions, 60)
        self._watched = Share(self.limits.computer_tables, 600, stored=True)
        self.arrivals: Share = Share(self.limits.requests, 60)
        self._many_idle = False  # did more tables seem idle than may be closed at once, when it was last looked?
        self._live: dict[str, Live] = {}
        self._contested: dict[str, tuple[str, float]] = {}  # by table: positions in other processes, and since when
        self._untold: dict[tuple[str, bool], Notice] = {}  # for other processes, by table; is it about who is here?
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def live(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    # --- opening hours ---

    async def begin(self) -> None:
        await self.store.listen(self._heard)
        self.spawn(self._prepare())
        self.spawn(self._sweep())
        self.spawn(self.metrics.watch())

    async def _prepare(self) -> None:
        """Compile the rules in a worker, then load them here; then let computer players go on where they were."""
        self.thinkers.expect(self.ready)
        games = [kind() for kind in registered().values()]
        for game in games:
            with _alone(game):
                await self.thinkers.prepare_rules(game)
                await asyncio.to_thread(prepare_rules, game)
                self.ready[game.name].set()
        _settle()
        self._resume()
        for game in games:
            with _alone(game):
                await self.thinkers.prepare_players(game)
        self.thinkers.prepared()
        _settle()

    async def check(self) -> None:
        """Can the store be written? Looked at once a second at most. Raises Unavailable."""
        if time.monotonic() - self._checked > 1:
            await self.store.check()
            self._checked = time.monotonic()

    async def drain(self, seconds: float) -> None:
        """Take nothing new, say so, and wait until everybody has gone, but no longer than so."""
        self.draining = True
        log.info("draining", extra={"sockets": self.connections.all, "seconds": seconds})
        for say in list(self.audience):
            say(N_("The server is about to restart. Your game is kept; this page comes back by itself."))
        end = time.monotonic() + seconds
        while self.connections.all and time.monotonic() < end:
            await asyncio.sleep(0.05)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self.thinkers.close)
        for _turns, thread in self._lanes.values():
            thread.shutdown(wait=False, cancel_futures=True)
        await self.store.close()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Run a task that outlives its caller."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    async def aside(
        self, who: Who, work: Callable[..., T], *given: Any, later: bool = False, watching: bool = False
    ) -> T:
        """Do something that takes long, such as a picture, beside the event loop, in the visitor's turn.

        `later`: not for somebody at a table; that has a thread and a queue of its own. `watching`: after those who sit
        at tables. Raises Refusal when too many wait.
        """
        context = contextvars.copy_context()  # it knows the language
        turns, thread = self._lanes[later]
        async with turns.turn(who, watching):
            return await asyncio.get_running_loop().run_in_executor(thread, context.run, work, *given)

    def _finished(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, Refusal):
            log.error("a task of the hall failed", exc_info=error)

    # --- tables ---

    async def open(
        self, game: Game, chairs: Sequence[Chair], public: bool = False, who: Who = NOBODY, claim_after: int = 0
    ) -> Table:
        """Set a new table. `who`: the visitor who does, whoever sits there. `claim_after`: seconds of absence after
        which a win can be claimed. Raises Refusal."""
        if self.draining:
            raise Refusal(Reason.RESTARTING, _("the server is about to restart; open your table in a minute"))
        await self.ready[game.name].wait()
        opened = (new_word(), game, chairs, secrets.token_hex(32), public, _today(), "", who.visitor, claim_after)
        progress = Table.open(*opened)
        await self._check_limits(who, all(chair.player for chair in chairs))
        await self._keep([self._change(progress)])
        live = self._live.setdefault(progress.after.id, self._seen(progress.after, progress.events))
        self._think(live)
        return progress.after

    async def _check_limits(self, who: Who, only_computers: bool) -> None:
        if not who.visitor:
            return
        most = self.limits.tables
        mine = await self.store.tables_of(who.visitor, 10 * most) if most else []
        if most and sum(table.phase != Phase.OVER for table in mine) >= most:
            words = ngettext(
                "you have {n} game going on; finish it first",
                "you have {n} games going on; finish one first",
                most,
            )
            raise Refusal(Reason.TOO_MANY, words.format(n=most))
        if only_computers:
            self._check_watched(who)
        if not self._openings.allows(who):
            raise Refusal(Reason.TOO_MANY, _("you have opened many tables in a short time; wait for ten minutes"))

    def _check_watched(self, who: Who) -> None:
        if not self._watched.allows(who):
            words = _("you have opened many tables without people in a short time; wait for ten minutes")
            raise Refusal(Reason.TOO_MANY, words)

    def _change(self, progress: Progress, alone: bool = False) -> Change:
        """What is appended to the log. Other processes are told with it; a little later, of many moves at once, where
        nobody there waits for it."""
        change = _change(progress)
        if not self.store.shared:
            return change
        notice = Notice(self.process, change.summary.id, change.last, contested=hashed(_contested(progress.after)))
        return change if alone else msgspec.structs.replace(change, notice=notice)

    async def _keep(self, changes: Sequence[Change]) -> None:
        """Raises Conflict, and Refusal if nothing can be kept."""
        try:
            await self.store.append(changes)
        except Unavailable as error:
            log.error("the store is unavailable: %s", error)
            raise Refusal(Reason.UNAVAILABLE, _("this could not be kept, so it did not happen; try again")) from error

    async def game_of(self, identifier: str) -> str | None:
        """The name of a table's game, without the rules of it. Raises Refusal if the table cannot be read."""
        if identifier in self._live:
            return self._live[identifier].table.game.name
        if not NAME.fullmatch(identifier):
            return None
        try:
            events = await self.store.events(identifier)
        except msgspec.DecodeError as error:
            raise self._unreadable(identifier, error) from error
        game = events[0].game if events and isinstance(events[0], Opened) else None
        if game and game not in self.ready:
            self.set_aside(identifier, OptionError(f"there is no game {game!r} here"))
            return None
        return game

    async def find(self, identifier: str) -> Live | None:
        """A table by its name, from memory or from the store."""
        if identifier in self._live:
            return self._live[identifier]
        if not NAME.fullmatch(identifier):
            return None
        saved = await self.store.snapshot(identifier)
        table = snapshots.load(saved) if saved else None
        try:
            events = await self.store.events(identifier, table.number if table else 0)
            if table is None and not events:
                return None
            table = await asyncio.to_thread(_replayed, identifier, table, events)
        except Unavailable:
            raise
        except Exception as error:  # a log that is damaged, or that other rules made: only this table suffers
            raise self._unreadable(identifier, error) from error
        self.broken.pop(identifier, None)
        return self._live.setdefault(identifier, self._seen(table, events))

    def _seen(self, table: Table, events: Sequence[Event]) -> Live:
        return Live(table, self.limits.away or math.inf, recent=deque(events, MOST_LOG))

    async def events(self, live: Live, since: int) -> list[Event]:
        """The events of a table after a number."""
        missing = live.table.number - since
        if missing > len(live.recent):
            return await self.store.events(live.table.id, since)
        return list(live.recent)[len(live.recent) - missing :]

    def set_aside(self, identifier: str, error: Exception) -> None:
        """Note why a table cannot be read, for the host's page."""
        reason = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        if self.broken.get(identifier) != reason:
            log.error("a table cannot be read", extra={"table": short(identifier), "reason": reason})
        self.broken[identifier] = reason
        while len(self.broken) > MOST_BROKEN:
            del self.broken[next(iter(self.broken))]

    def _unreadable(self, identifier: str, error: Exception) -> Refusal:
        self.set_aside(identifier, error)
        return Refusal(Reason.UNAVAILABLE, _("this table cannot be read now; the host has been told"))

    async def obey(self, live: Live, command: Command, visitor: str, address: str = "") -> int:
        """Do what a visitor wants and tell everybody; the number of the last event. Raises Refusal.

        Runs to its end even if the caller is cancelled.
        """
        return int(await asyncio.shield(self.spawn(self.carry_out(live, command, visitor, address))))

    async def carry_out(self, live: Live, command: Command, visitor: str, address: str = "") -> int:
        """The same, in a task that nobody cancels."""
        if not isinstance(command, (Play, Resign, ClaimWin, AskRematch)) and not self._changes.allows(live.table.id):
            raise Refusal(Reason.TOO_MANY, _("too much changes at this table; wait for a minute"))
        if isinstance(command, Sit) and not live.table.seats_of(visitor):
            if not self._openings.allows(Who(visitor, address)):
                words = _("you have sat down at many tables in a short time; wait for ten minutes")
                raise Refusal(Reason.TOO_MANY, words)
        if isinstance(command, HandOver) and _leaves_only_computers(live.table, command, visitor):
            self._check_watched(Who(visitor, address))
        away = live.away() if isinstance(command, HandOver) else NO_SEATS
        away = live.overdue() if isinstance(command, ClaimWin) else away
        progress = await self._change_table(
            live, lambda table: table.obey(command, visitor, away, _word_for(command)), Who(visitor, address)
        )
        if progress.after.next_table and not progress.before.next_table:
            following = await self.find(progress.after.next_table)
            if following:
                self._think(following)
        self._think(live)
        return progress.after.number

    async def _change_table(self, live: Live, change: Callable[[Table], Progress], who: Who = NOBODY) -> Progress:
        """Change the table in memory as soon as the change is on disk. Whoever was faster comes first."""
        async with live.lock:
            while True:
                progress = change(live.table)
                if not progress.events:
                    return progress
                alone = self.store.shared and live.alone()
                changes = [self._change(progress, alone)]
                if progress.after.next_table and not progress.before.next_table:
                    if not self._openings.allows(who):
                        words = _("you have opened many tables in a short time; wait for ten minutes")
                        raise Refusal(Reason.TOO_MANY, words)
                    changes.append(self._change(progress.after.open_rematch(secrets.token_hex(32), _today())))
                try:
                    await self._keep(changes)
                except Conflict:
                    await self._catch_up(live)
                    continue
                live.table = progress.after
                self._tell(live, progress)
                if changes[0].seats_changed:
                    self._announce(live)
                elif alone:
                    self._notify(
                        Notice(self.process, live.table.id, live.table.number, contested=hashed(live.contested()))
                    )
                return progress

    async def close_table(self, identifier: str, reason: str) -> bool:
        """Close a table and disconnect its visitors; False if there is none, or it is closed."""
        live = await self.find(identifier)
        if live is None or live.table.phase is Phase.CLOSED:
            return False
        await self._change_table(live, lambda table: table.close(reason))
        log.info("a table was closed", extra={"table": short(identifier), "reason": reason})
        return True

    async def reopen_table(self, identifier: str) -> bool:
        """Undo closing; False if there is no such closed table."""
        live = await self.find(identifier)
        if live is None or live.table.phase is not Phase.CLOSED:
            return False
        await self._change_table(live, lambda table: table.reopen())
        log.info("a table was opened again", extra={"table": short(identifier)})
        return True

    async def _catch_up(self, live: Live) -> None:
        """Read the events that another process has appended. Raises Refusal if that is not possible."""
        try:
            for event in await self.store.events(live.table.id, live.table.number):
                before, live.table = live.table, live.table.after(event)
                self._tell(live, Progress(before, live.table, (event,)))
        except Unavailable as error:
            raise Refusal(Reason.UNAVAILABLE, _("this could not be kept, so it did not happen; try again")) from error
        except Exception as error:  # only this table suffers
            raise self._unreadable(live.table.id, error) from error

    def _tell(self, live: Live, progress: Progress) -> None:
        live.used = time.monotonic()
        live.recent.extend(progress.events)
        if progress.after.position != progress.before.position:
            live.moved = live.used
        if progress.after.seats is not progress.before.seats:
            live.expect()
        news = News(progress, live.presence(), {})
        owners = {seat.owner for seat in live.table.seats}
        for guest in sorted(live.guests.values(), key=lambda guest: guest.who.visitor not in owners):
            try:
                guest.hear(news)
            except Exception:  # of one who looks on; the mover's answer must not depend on it
                log.exception("somebody at a table could not be told")

    # --- who is here ---

    def join(self, live: Live, who: Who, key: object, listener: Listener) -> None:
        live.guests[key] = Guest(who, listener)
        live.gone.pop(who.visitor, None)
        self._tell_presence(live)
        self._welcome(live, who)
        self._think(live)

    def _welcome(self, live: Live, who: Who) -> None:
        """Somebody who was away is back, and takes the seat from the computer player that stood in."""
        if live.table.phase in (Phase.OPEN, Phase.PLAYING):
            for seat in live.table.seats_of(who.visitor):
                if live.table.seats[seat].away:
                    self.spawn(self.carry_out(live, Sit(seat, ""), who.visitor))

    def part(self, live: Live, key: object) -> None:
        visitor = live.guests.pop(key).who.visitor
        live.engines.dismiss(key)
        if not live.here(visitor) and live.table.seats_of(visitor):
            live.gone[visitor] = time.monotonic()
        self._tell_presence(live)

    def _tell_presence(self, live: Live) -> None:
        """Send a progress without events: presence has changed. Where many look on, that is told less often."""
        if live.announcing:
            return
        now = time.monotonic()
        wait = live.announced + PRESENCE * len(live.guests) - now
        if wait > 0:
            live.announcing = True
            self.spawn(self._tell_presence_after(live, wait))
            return
        live.announced = now
        self._tell(live, Progress(live.table, live.table, ()))
        self._announce(live)

    async def _tell_presence_after(self, live: Live, wait: float) -> None:
        await asyncio.sleep(wait)
        live.announcing = False
        self._tell_presence(live)

    def _announce(self, live: Live) -> None:
        """Let the other processes know which seats' owners are connected to this one."""
        if self.store.shared:
            here = {guest.who.visitor for guest in live.guests.values()}
            owners = tuple(seat.owner for seat in live.table.seats if seat.owner in here)
            watching = live.watching(everywhere=False)
            contested = hashed(live.contested())
            self._notify(Notice(self.process, live.table.id, live.table.number, owners, watching, contested))

    def _notify(self, notice: Notice) -> None:
        """Tell other processes soon, together with what else there is to tell."""
        if not self._untold:
            self.spawn(self._notify_all())
        key = notice.table, notice.here is not None
        self._untold.pop(key, None)
        self._untold[key] = notice  # the latest last

    async def _notify_all(self) -> None:
        await asyncio.sleep(TOGETHER)
        notices, self._untold = list(self._untold.values()), {}
        try:
            await self.store.notify(notices)
        except Unavailable:  # the next beat repeats it
            log.warning("other processes could not be told what happens here")

    # --- other processes ---

    def _heard(self, notice: Notice | None) -> None:
        if notice is None:
            for live in self._live.values():
                self.spawn(self._look_again(live))
            return
        self._contested.pop(notice.table, None)
        if notice.contested:
            self._contested[notice.table] = notice.contested, time.monotonic()
        if found := self._live.get(notice.table):
            if notice.here is not None:
                self._note_presence(found, notice.process, frozenset(notice.here), notice.watching)
            if notice.number > found.table.number:
                self.spawn(self._look_again(found))

    async def _look_again(self, live: Live) -> None:
        async with live.lock:
            await self._catch_up(live)

    def _note_presence(self, live: Live, process: str, here: frozenset[str], watching: int) -> None:
        before = live.elsewhere.get(process)
        live.elsewhere[process] = Elsewhere(here, watching, time.monotonic())
        for visitor in here:
            live.gone.pop(visitor, None)
        for visitor in (before.here if before else frozenset()) - here:
            if not live.here(visitor):
                live.gone[visitor] = time.monotonic()
        if before is None and live.guests:
            self._announce(live)  # a new process should know who is here
        if before is None or (before.here, before.watching) != (here, watching):
            self._tell(live, Progress(live.table, live.table, ()))

    # --- sweeping ---

    async def _sweep(self) -> None:
        """Periodically resume unclaimed turns, unload unused tables, and close idle ones."""
        rounds = 0
        while True:
            await asyncio.sleep(SWEEP)
            rounds += 1
            try:
                self._forget()
                self._resume()
                self._miss()
                if rounds % int(BEAT / SWEEP) == 0:
                    self._beat()
                if rounds % int(COLLECTED_EVERY / SWEEP) == 0:
                    gc.collect()
                if rounds % 1200 == 1:
                    await self.archive()
            except (Unavailable, Refusal):
                log.warning("the hall could not be swept; it will be tried again")
            except Exception:
                log.exception("the hall could not be swept; it will be tried again")

    def _beat(self) -> None:
        """Tell other processes who is here, and forget what those told that are not heard of any more."""
        for live in list(self._live.values()):
            if live.guests:
                self._announce(live)
        since = time.monotonic() - 3 * BEAT
        self._contested = {table: said for table, said in self._contested.items() if said[1] > since}

    def _resume(self) -> None:
        """Let computer players think whose turn it is and stayed undone."""
        for live in list(self._live.values()):
            self._think(live)

    def _miss(self) -> None:
        """Tell those at a table once somebody has been away for so long that they can do something about it."""
        for live in list(self._live.values()):
            if live.elsewhere:
                live.doubt()
            if (live.gone or live.missed) and live.guests and live.table.phase in (Phase.OPEN, Phase.PLAYING):
                missed = live.away() | frozenset(~seat for seat in live.overdue())
                if missed != live.missed:
                    live.missed = missed
                    self._tell(live, Progress(live.table, live.table, ()))

    def _forget(self) -> None:
        """Tables at which nobody is leave memory; the store has them."""
        now = time.monotonic()
        for name, live in list(self._live.items()):
            after = OVER_FORGOTTEN_AFTER if live.table.phase is Phase.OVER else FORGOTTEN_AFTER
            if not live.guests and now - live.used > after and not live.lock.locked() and not live.thinking:
                del self._live[name]

    async def archive(self) -> None:
        """Close tables at which nothing has happened for long, and delete old names and records. The clock may be
        wrong: only days count on which something happened, few tables are closed at once, and none when suddenly many
        seem idle. The host can open
        them again."""
        idle = [table for table in await self._idle() if table not in self.broken]
        known, self._many_idle = self._many_idle, len(idle) > AT_ONCE
        if self._many_idle and not known:
            log.error("%d tables seem idle: none is closed now, %d at the next look", len(idle), AT_ONCE)
            return
        for identifier in idle[:AT_ONCE]:
            try:
                await self.close_table(identifier, N_("nobody has played here for a long time"))
            except Refusal as refusal:  # of one that cannot be read
                log.warning("an idle table was not closed: %s", refusal.reason)
        if self.limits.record_days:
            await self.store.expire(await self.store.days_ago(self.limits.record_days))

    async def _idle(self) -> list[str]:
        days = self.limits.idle_days
        return await self.store.idle_tables(await self.store.days_ago(days)) if days else []

    def contested(self, states: Sequence[State]) -> bool:
        """Is one of these positions on a table now at which people play against each other? Nobody may ask there."""
        since = time.monotonic() - 3 * BEAT
        now = {view for live in list(self._live.values()) if (view := live.contested())}
        elsewhere = {position for position, at in list(self._contested.values()) if at > since}
        views = [state.view(state.seat) for state in states if state.seat is not None]
        return any(view in now for view in views) or any(elsewhere and hashed(view) in elsewhere for view in views)

    # --- computer players ---

    def _think(self, live: Live) -> None:
        """If it is a computer player's turn, and anybody is here to see it, let it think, once a position."""
        table = live.table
        turn = table.turn
        if not live.guests or not self.ready[table.game.name].is_set():
            return
        if table.phase is Phase.PLAYING and turn is not None and table.seats[turn].player:
            if live.thinking != table.position:
                live.thinking = table.position
                self.spawn(self._let_play(live, table, turn))

    async def play_for(self, live: Live, command: PlayFor, visitor: str, connection: object) -> int:
        """Let a computer player do what the browser of its lone opponent has thought out. Raises Refusal."""
        if command.action is None:
            live.engines.dismiss(connection)
            return live.table.number
        number = await self.carry_out(live, lone.checked(live.table, command, visitor), COMPUTER)
        live.engines.answered.set()
        return number

    async def _let_play(self, live: Live, table: Table, seat: int) -> None:
        await live.engines.answer(table)
        if live.table.position != table.position:
            live.thinking = 0 if live.thinking == table.position else live.thinking
            return
        self.metrics.thinking += 1
        try:
            if await self.store.claim(table.id, self.process, CLAIMED_FOR):
                await self.carry_out(live, Play(seat, await self._thought(live, table, seat), table.position), COMPUTER)
        except Refusal as refusal:  # taken back or taken over meanwhile, or the store is away
            log.info("a thought was not played: %s", refusal.reason)
        except Unavailable:
            log.warning("nobody could be asked who thinks")
        finally:
            self.metrics.thinking -= 1
            if live.thinking == table.position:
                live.thinking = 0
        self._think_on(live, table)

    def _think_on(self, live: Live, thought: Table) -> None:
        """Play the computer player's turns, one after another; a turn that fails waits for the next sweep."""
        if live.table.position != thought.position:
            self._think(live)

    async def _thought(self, live: Live, table: Table, seat: int) -> str:
        """The action that a computer player chooses; while it thinks, the table stays claimed."""
        claiming = self.spawn(self._keep_claim(table)) if self.store.shared else None
        view = table.state.view(seat)
        who = live.waits()
        later = not any(one.owner == who.visitor for one in table.seats)  # players come before spectators
        try:
            return await self.thinkers.think(view, table.seats[seat].player, who, later)
        except Refusal:
            raise
        except Exception:  # whatever is wrong with a player, those at the table play on
            log.exception("the player %s failed", table.seats[seat].player)
            return await self.thinkers.think(view, STAND_IN, who, later)
        finally:
            if claiming:
                claiming.cancel()

    async def _keep_claim(self, table: Table) -> None:
        while True:
            await asyncio.sleep(CLAIMED_FOR / 3)
            await self.store.claim(table.id, self.process, CLAIMED_FOR)


@contextlib.contextmanager
def _alone(game: Game) -> Iterator[None]:
    """A game that cannot be compiled is not ready; the others are."""
    try:
        yield
    except Exception:
        log.exception("%s cannot be prepared", game.name)


def _leaves_only_computers(table: Table, command: HandOver, visitor: str) -> bool:
    """Would nobody else play at the table if a visitor handed this seat over?"""
    others = (seat for number, seat in enumerate(table.seats) if number != command.seat)
    return bool(table.seats_of(visitor)) and all(seat.player for seat in others)


def _contested(table: Table) -> State | None:
    """The position that people play against each other here, as the seat to act knows it."""
    people = {seat.owner for seat in table.seats if seat.owner}  # also of absent people, who will be back
    if table.phase is not Phase.PLAYING or table.turn is None or len(people) < 2:
        return None
    return table.state.view(table.turn)


def hashed(view: State | None) -> str:
    """A position for other processes, who need not know it."""
    return hashlib.sha256(repr(view.game).encode() + view.position).hexdigest()[:32] if view else ""


def _settle() -> None:
    """Freeze the objects loaded so far, so that garbage collection does not scan them again and again; and leave it to
    the sweep to scan all others, which holds everybody up for half a second where thousands are connected."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 1_000_000)


def new_word() -> str:
    """A random name that cannot be guessed."""
    return secrets.token_urlsafe(12)


def _word_for(command: Command) -> str:
    """A fresh word for those commands that need one."""
    return new_word() if isinstance(command, (Leave, FreeSeat, AskRematch)) else ""


def _today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def _replayed(identifier: str, table: Table | None, events: Sequence[Event]) -> Table:
    if table is None:
        return Table.from_events(identifier, events)
    for event in events:
        table = table.after(event)
    return table


def _change(progress: Progress) -> Change:
    before, after = progress.before, progress.after
    first = after.number - len(progress.events) + 1
    over = after.phase is Phase.OVER and (before.phase is not Phase.OVER or first == 1)
    long = after.number // snapshots.EVERY > (first - 1) // snapshots.EVERY
    return Change(
        first,
        progress.events,
        Summary.of(after),
        record=str(after.record) if over else "",
        snapshot=snapshots.save(after) if long else b"",
    )
