"""One visitor's connection to one table."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import msgspec
from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from azulejos.core.errors import Closing
from azulejos.core.language import LANGUAGES, _, language, speaking
from azulejos.drawing.scene import LAYOUTS
from azulejos.drawing.theme import THEMES
from azulejos.tables import Command, Phase, Play, Progress, Reason, Refusal, Table

from ..storage import Unavailable
from . import lone, patches, view
from .fairness import Who
from .hall import Hall, Live, News
from .limits import MOST_LOG, MOST_MESSAGES, MOST_WAITING, PERIOD
from .messages import (
    EXTENSION,
    AskHint,
    Close,
    Done,
    EventsMessage,
    Hints,
    Look,
    Notice,
    Now,
    PlayFor,
    Preparing,
    Refused,
    Request,
    ServerMessage,
    Since,
    TableMessage,
    Told,
)
from .visitors import known_host, named, new_secret, same_origin, visitor_of, who_of

log: logging.Logger = logging.getLogger("azulejos.server")

LONGEST_REASON = 123  # bytes: the protocol's own limit
MOST_REFUSED = 64  # visitors for whom a table is remembered as a refusal tells it
MOST_LOGS = MOST_TOLD = 64  # logs, and whole tables, that are remembered, each as somebody may know it
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Request).decode
A = TypeVar("A")
T = TypeVar("T")


class Wire(Protocol):
    """Direct access to the connection, past the web framework's queue, if the server provides it."""

    taker: Callable[[bytes], bool] | None

    @property
    def gone(self) -> bool: ...

    def write_text(self, text: bytes) -> bool: ...


class Connection:
    """Reads a visitor's requests, and writes what the visitor may know, in order."""

    tasks: asyncio.TaskGroup

    def __init__(self, hall: Hall, socket: WebSocket, live: Live, who: Who) -> None:
        self.hall: Hall = hall
        self.socket: WebSocket = socket
        self.live: Live = live
        self.who: Who = who
        self.visitor: str = who.visitor
        self.queued: Who = replace(who, address=who.address or live.table.id)  # where no address counts, the table does
        self.lens: view.Lens | None = _lens(socket)
        self.patched: bool = bool(self.lens) and socket.query_params.get("patches") == "1"
        self.shown: view.Texts = ()  # the picture that the client was sent last
        self.thinks: bool = bool(self.lens) and hall.browser_players and socket.query_params.get("engine") == "1"
        self.language: str = language()
        self.wire: Wire | None = socket.scope.get("extensions", {}).get(EXTENSION)
        self.waiting: list[News | ServerMessage | Look | Since | bytes] = []  # bytes: a message that is made
        self.times: list[float] = []
        self.writing: asyncio.Task[None] | None = None
        self.sending: bool = True  # is a message being sent or prepared?
        self.overflows: bool = False
        self.arrived: bool = False  # has the client been sent the table?
        self.left: bool = False
        self.told: int = 0  # the number of the last event that the client knows

    async def run(self) -> None:
        """Until one side has had enough."""
        if self.thinks:
            self.live.engines.willing[self] = self.visitor
        self.hall.join(self.live, self.who, self, self.hear)
        self.hall.audience.add(self.say)
        try:
            self.check_open(self.live.table)
            await self.send_text(await self.table())
            self.arrived = True
            self.sending = bool(self.waiting)
            if self.wire:
                self.wire.taker = self.take
            async with asyncio.TaskGroup() as self.tasks:
                if self.waiting:
                    self.writing = self.tasks.create_task(self.write())
                try:
                    await self.read()
                finally:
                    self.leave()  # before the group ends: it accepts no tasks after that
        except* Closing as closings:
            reason = next(error for error in closings.exceptions if isinstance(error, Closing))
            await self.close(reason.code, reason.words)
        except* Refusal as refusals:
            refusal = next(error for error in refusals.exceptions if isinstance(error, Refusal))
            await self.close(Close.TOO_MANY, refusal.message)
        except* Unavailable:
            await self.close(Close.TROUBLE, _("the table cannot be read now; come again"))
        except* (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self.leave()

    def leave(self) -> None:
        """Unsubscribe from the table."""
        if self.left:
            return
        self.left = True
        if self.wire:
            self.wire.taker = None
        self.hall.audience.discard(self.say)
        self.hall.part(self.live, self)

    async def close(self, code: int, words: str) -> None:
        self.hall.metrics.closed[code] += 1
        await _close(self.socket, code, words)

    def say(self, words: str) -> None:
        """Send a notice in the visitor's language."""
        with speaking(self.language):
            self.put(Notice(_(words)))

    def hear(self, news: News) -> None:
        """Queue news of the table. Called by the hall; never blocks."""
        self.put(news)

    def put(self, message: News | ServerMessage | Look | Since) -> None:
        """Queue a message, or send it at once if the queue is empty. Pictures are made in the order of the queue,
        because a patch is one of the picture before it."""
        if self.left:
            return
        if self.wire and not self.sending and self.write_now(self.wire, message):
            return
        if len(self.waiting) == MOST_WAITING:
            self.overflows = True
            if self.writing:
                self.writing.cancel()
            return
        self.waiting.append(message)
        if not self.sending:
            self.sending = True
            self.go_on()

    # --- writing ---

    def go_on(self) -> None:
        """Send what waits: news in the visitor's turn on the event loop, which is short; anything else in a task."""
        first = self.waiting[0]
        if self.wire and isinstance(first, News) and first.progress.after.phase is not Phase.CLOSED:
            self.hall.rounds.call(self.queued, self.write_news)
            return
        with speaking(self.language):
            self.writing = self.tasks.create_task(self.write())

    def write_news(self) -> None:
        """Send the first message that waits, and those after it that need no turn of their own."""
        if self.left:
            return
        assert self.wire
        try:
            news = self.waiting.pop(0)
            assert isinstance(news, News)
            if not self.known(news.progress):
                self.told = news.progress.after.number
                text = self.text_of(news)
                if not self.wire.write_text(text):
                    self.waiting.insert(0, text)
            while self.waiting and not self.overflows:
                message = self.waiting[0]
                if isinstance(message, (News, bytes)) or not self.write_now(self.wire, message):
                    break
                self.waiting.pop(0)
        except Exception as error:
            self.tasks.create_task(_fail(error))
            return
        if self.waiting:
            self.go_on()
        else:
            self.sending = False

    async def write(self) -> None:
        """Send the queue. A client that does not read is disconnected."""
        try:
            if self.overflows:
                raise asyncio.CancelledError
            await self.write_all()
        except asyncio.CancelledError:
            if self.overflows:
                raise Closing(Close.TOO_SLOW, _("too slow: come again and look at the table")) from None
            raise

    async def write_all(self) -> None:
        while self.waiting:
            message = self.waiting.pop(0)
            if isinstance(message, (Look, Since)):
                await self.hall.rounds.turn(self.queued)
            if isinstance(message, Look):
                await self.send_text(await self.table())
            elif isinstance(message, Since):
                await self.send(await self.events_since(message.number))
            elif isinstance(message, bytes):
                await self.send_text(message)
            elif not isinstance(message, News):
                await self.send(message)
            elif not self.known(message.progress):
                self.told = message.progress.after.number
                await self.send_text(self.text_of(message))
                self.check_open(message.progress.after)
            if self.waiting and isinstance(self.waiting[0], News):
                self.go_on()
                return
        self.sending = False

    def write_now(self, wire: Wire, message: News | ServerMessage | Look | Since) -> bool:
        """Send without awaiting; False if that is not possible."""
        if isinstance(message, (Look, Since)):
            return False
        if not isinstance(message, News):
            return wire.write_text(_encode(message))
        after = message.progress.after
        if self.lens or after.phase is Phase.CLOSED:
            return False
        if self.known(message.progress):
            return True
        if sent := wire.write_text(self.text_of(message)):
            self.told = after.number
        return sent

    def known(self, progress: Progress) -> bool:
        """Was this progress part of the table that was sent already?"""
        number = progress.after.number
        return number < self.told or bool(progress.events and number == self.told)

    def text_of(self, news: News) -> bytes:
        """The message about news, made once for all clients with the same view."""
        progress, presence, said = news
        mine = progress.after.seats_of(self.visitor)
        thinks = self in self.live.engines.willing and lone.alone(progress.after, self.visitor)
        host = self.visitor == progress.after.host
        key = mine, host, self.language, self.lens, self.patched, id(self.shown), thinks
        found = said.get(key)
        if found is None:
            before = self.shown  # kept with the message, so that no other picture gets its id
            with speaking(self.language):
                found = said[key] = _encode(self.events(progress, presence)), self.shown, before
        self.shown = found[1]
        return found[0]

    def check_open(self, table: Table) -> None:
        if table.phase is Phase.CLOSED:
            raise Closing(Close.CLOSED, view.say_closed(table))

    async def send(self, message: ServerMessage) -> None:
        await self.send_text(_encode(message))

    async def send_text(self, text: bytes) -> None:
        """To a page compressed."""
        if not self.wire or not self.wire.write_text(text):
            await self.socket.send_text(text.decode())

    def events(self, progress: Progress, presence: view.Presence) -> EventsMessage:
        detail = view.Detail.WAYS if self.lens else view.Detail.PLAIN
        return EventsMessage(view.told(progress, self.visitor, detail), self.now(progress.after, presence))

    def now(self, table: Table, presence: view.Presence | None = None) -> Now:
        shown = self.patch(table) if self.patched else None
        now = view.now(table, self.visitor, presence or self.live.presence(), self.lens, shown)
        if self in self.live.engines.willing and lone.alone(table, self.visitor):
            now = msgspec.structs.replace(now, view=lone.position_for(table, table.turn))
        return now

    def patch(self, table: Table) -> dict[str, Any]:
        """What changed in the picture; if that cannot be told, the whole picture."""
        assert self.lens
        before, self.shown = self.shown, view.picture(table, self.visitor, self.lens)
        changed = patches.sent(before, self.shown) if before and self.shown else None
        return {"patch": changed} if changed else {"board": "".join(self.shown)}

    async def table(self) -> bytes:
        """The message of the table as it is, with the latest part of its log, and the whole picture: made once for all
        who see the same."""
        table, presence, known = self.live.table, self.live.presence(), self.hall.told
        host, thinks = self.visitor == table.host, self in self.live.engines.willing
        key = table.id, table.seats_of(self.visitor), host, thinks, self.lens, self.patched, self.language
        self.told, self.shown = table.number, ()
        found, there, text, shown = known.get(key, (None, None, b"", ()))
        if found is table and there == presence:
            known.move_to_end(key)
            self.shown = shown
            return text
        log, now = await self.log_and_now(table)
        text = _encode(TableMessage(now, log[-MOST_LOG:]))
        if self.live.presence() == presence:
            known[key] = table, presence, text, self.shown
            while len(known) > MOST_TOLD:
                known.popitem(last=False)
        return text

    async def events_since(self, number: int) -> EventsMessage:
        table = self.live.table
        if number >= table.number:
            return EventsMessage([], await self.aside(self.now, table))
        log, now = await self.log_and_now(table)
        return EventsMessage(log[max(0, number) :][:MOST_LOG], now)

    async def log_and_now(self, table: Table) -> tuple[list[Told], Now]:
        """All that has happened, and the table as it is. The log is kept for a while, so that only what is new to it is
        made."""
        detail = view.Detail.WORDS if self.lens else view.Detail.PLAIN
        logs = self.hall.logs
        key = table.id, table.seats_of(self.visitor), self.language, detail, table.phase is Phase.OVER
        known, log = logs.get(key, (None, []))
        if known and known.number > table.number:
            known, log = None, []
        since = known.number if known else 0
        if since == table.number:
            logs.move_to_end(key)
            return log, await self.aside(self.now, table)
        events = (await self.hall.events(self.live, since))[: table.number - since]

        def made() -> tuple[list[Told], Now]:
            return log + view.told(view.since(known, table, events), self.visitor, detail), self.now(table)

        log, now = await self.in_turn(made)
        logs[key] = table, log
        logs.move_to_end(key)
        while len(logs) > MOST_LOGS:
            logs.popitem(last=False)
        return log, now

    async def aside(self, work: Callable[[A], T], argument: A) -> T:
        """Pictures take long, and are made in their turn, where they hold nobody up."""
        return await self.in_turn(work, argument) if self.lens else work(argument)

    async def in_turn(self, work: Callable[..., T], *given: Any) -> T:
        """Beside the event loop; not for somebody who has gone meanwhile. New connections have a thread of
        their own, so that a crowd of them does not hold up the others."""

        def unless_gone() -> T:
            if self.wire and self.wire.gone:
                raise WebSocketDisconnect
            return work(*given)

        watching = not self.live.table.seats_of(self.visitor)
        return await self.hall.aside(self.queued, unless_gone, later=not self.arrived, watching=watching)

    # --- reading ---

    async def read(self) -> None:
        while True:
            frame = await self.socket.receive()
            if frame["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(frame.get("code", 1000))
            self.count()
            text = frame.get("text")
            if text is None:
                raise Closing(Close.NOT_TEXT, _("messages are text"))
            await self.answer(text)

    def count(self) -> None:
        if self.too_many():
            raise Closing(Close.TOO_MANY, _("too many messages in a short time"))
        del self.times[: 1 - MOST_MESSAGES]
        self.times.append(time.monotonic())

    def too_many(self) -> bool:
        return len(self.times) == MOST_MESSAGES and time.monotonic() - self.times[0] < PERIOD

    def take(self, text: bytes) -> bool:
        """Fast path for what is sent most often. False leaves any other message to the normal path."""
        try:
            request = _decode(text)
        except (msgspec.DecodeError, msgspec.ValidationError, RecursionError, UnicodeDecodeError):
            return False
        if not isinstance(request.command, (Play, Look, Since)) or self.too_many():
            return False
        self.count()
        if isinstance(request.command, (Look, Since)):
            self.put(request.command)
            return True
        with speaking(self.language):
            self.hall.spawn(self.obey(request.id, request.command))
        return True

    async def answer(self, text: str) -> None:
        try:
            request = _decode(text)
        except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
            self.put(self.refused(_id_of(text), Reason.MALFORMED, _not_understood(error)))
            return
        match request.command:
            case Look() | Since() as asked:
                self.put(asked)
            case PlayFor() as command:
                await asyncio.shield(self.hall.spawn(self.obey(request.id, command)))
            case AskHint() as command:
                self.tasks.create_task(self.advise(request.id, command))
            case Command() as command:
                await asyncio.shield(self.hall.spawn(self.obey(request.id, command)))

    async def advise(self, number: int, command: AskHint) -> None:
        """A hint is thought about for a while; the visitor can play meanwhile."""
        try:
            hints = await self.hall.advice.ask(self.live.table, command, self.who)
            self.put(Hints(number, command.position, hints))
        except Refusal as refusal:
            self.put(self.refused(number, refusal.reason, refusal.message))

    async def obey(self, number: int, command: Command | PlayFor) -> None:
        """Once begun it is brought to its end, even if the visitor has gone meanwhile."""
        begun = time.perf_counter()
        await self.hall.rounds.turn(self.queued)
        try:
            if isinstance(command, PlayFor):
                done = await self.hall.play_for(self.live, command, self.visitor, self)
            else:
                done = await self.hall.carry_out(self.live, command, self.visitor, self.who.address)
            self.put(Done(number, done))
            self.hall.metrics.moves.add(time.perf_counter() - begun)
        except Refusal as refusal:
            self.hall.metrics.refusals[refusal.reason] += 1
            self.put(self.refused(number, refusal.reason, refusal.message))
        except Exception as error:  # whatever is wrong with this table, its visitors are answered
            log.exception("a command failed")
            self.hall.set_aside(self.live.table.id, error)
            words = _("this table cannot be read now; the host has been told")
            self.put(self.refused(number, Reason.UNAVAILABLE, words))

    def refused(self, number: int, reason: Reason, message: str) -> Refused:
        """Without a picture: it would be the one that was sent last."""
        table, presence = self.live.table, self.live.presence()
        known, there, said = self.live.refused
        if known is not table or there != presence or len(said) > MOST_REFUSED:
            said = {}
            self.live.refused = table, presence, said
        key = self.visitor, self.language
        if key not in said:
            said[key] = view.now(table, self.visitor, presence, None)
        return Refused(number, reason, message, said[key])


async def _fail(error: Exception) -> None:
    raise error


def _not_understood(error: Exception) -> str:
    """Why a message could not be decoded, in English, for developers of clients."""
    return str(error) if language() == "en" else _("this is no message that a table knows")


def _id_of(text: str) -> int:
    """The id of a message that is otherwise malformed, or 0."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return 0
    number = found.get("id") if isinstance(found, dict) else 0
    return number if type(number) is int and -(2**53) < number < 2**53 else 0


def _lens(socket: WebSocket) -> view.Lens | None:
    """The pictures that the client requested by `?layout=wide&theme=auto`; none without a layout."""
    layout, theme = socket.query_params.get("layout"), socket.query_params.get("theme", "auto")
    return view.Lens(layout, theme) if layout in LAYOUTS and theme in THEMES else None


async def _close(socket: WebSocket, code: int, words: str) -> None:
    reason = words.encode()[:LONGEST_REASON].decode(errors="ignore")
    try:
        await asyncio.wait_for(socket.close(code, reason), 1)
    except (WebSocketDisconnect, RuntimeError, TimeoutError):  # closed by the other side, or it does not read
        log.debug("a connection was closed already")


async def connect(socket: WebSocket) -> None:
    """The endpoint `/tables/{table}/socket`."""
    hall: Hall = socket.app.state.hall
    if hall.draining and "websocket.http.response" in socket.scope.get("extensions", {}):
        await socket.send_denial_response(PlainTextResponse("restarting", 503))
        return  # a load balancer then tries another server
    await socket.accept()
    wanted = socket.query_params.get("language", "en")
    with speaking(wanted if wanted in LANGUAGES else "en"):
        await _let_in(hall, socket)


async def _let_in(hall: Hall, socket: WebSocket) -> None:
    who = who_of(socket, visitor_of(socket) or named(new_secret()))
    visitor, address = who.visitor, who.address or (socket.client.host if socket.client else "")
    for code, words in (
        (Close.WRONG_ORIGIN, "" if _ours(socket) else _("this page is of another site")),
        (Close.TOO_MANY, "" if hall.arrivals.allows(who) else _("too many messages in a short time")),
        (Close.TOO_MANY_SOCKETS, hall.connections.too_many(visitor, address)),
    ):
        if words:
            hall.metrics.closed[code] += 1
            await _close(socket, code, words)
            return
    hall.connections.add(visitor, address)
    try:
        await _serve(hall, socket, who)
    except (WebSocketDisconnect, RuntimeError):
        log.debug("a visitor left")
    except Refusal as refusal:  # the table cannot be read
        await _close(socket, Close.CLOSED, refusal.message)
    except Unavailable:
        await _close(socket, Close.TROUBLE, _("the table cannot be read now; come again"))
    finally:
        hall.connections.add(visitor, address, -1)


def _ours(socket: WebSocket) -> bool:
    """Does the request come from a page of ours, under a name of ours?"""
    return same_origin(socket.headers) and known_host(socket.headers, socket.app.state.settings.hosts)


async def _serve(hall: Hall, socket: WebSocket, who: Who) -> None:
    live = await _prepared(hall, socket)
    if live is None:
        await _close(socket, Close.NOT_FOUND, _("There is no such table."))
        return
    await Connection(hall, socket, live, who).run()


async def _prepared(hall: Hall, socket: WebSocket) -> Live | None:
    """The table, as soon as its game's rules are compiled."""
    table = socket.path_params["table"]
    game = await hall.game_of(table)
    if game is None:
        return None
    while not hall.ready[game].is_set():
        words = _("Preparing the rules for this machine; this happens once…")
        await socket.send_text(msgspec.json.encode(Preparing(words)).decode())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(hall.ready[game].wait(), 1)
    return await hall.find(table)
