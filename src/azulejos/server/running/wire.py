"""Limits on incoming bytes, counted before they are parsed; and a fast path for short frames.

The classes below change classes of uvicorn that are not meant for it, so `pyproject.toml` names the versions, and
`tests/server/test_wire.py` names what is missing in another one.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar, cast

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import OPEN

from azulejos.core.errors import TooLong

from ..live.fairness import network
from ..live.limits import MOST_BYTES, MOST_FIELDS, MOST_FRAMES, PERIOD
from ..live.messages import EXTENSION, Close
from .deflate import SHORT, Deflate, Factory, packed

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library was not compiled
    from websockets.utils import apply_mask

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

MOST_HEAD = 32 * 1024  # bytes of a request's head
MOST_LINES = 100  # of a head
MOST_LINE = 8000  # bytes of one of them, and of the address
MOST_BODY = 512 * 1024  # bytes after a head: twice what the application takes, so that it can say so
MOST_OFFERED = 500  # bytes of the lines of a handshake that are parsed as lists
MOST_PARTS = 1000  # in which a body comes
MOST_PIPELINED = 8  # requests that wait behind another one of their connection; browsers send none
MOST_OPEN = 1000  # connections for requests from one address
HEAD_SECONDS, BODY_SECONDS = 10.0, 30.0  # within which a request's head, and its body, must be complete
GOODBYE = 1.0  # seconds for which a closed connection may still send, unread
_LISTS = (b"connection", b"upgrade", b"sec-websocket-")
_EXTENSIONS = [Factory()]
_WHOLE_TEXT, _COMPRESSED, _MASKED = 0x81, 0x40, 0x80
_SHORT, _LONG = 126, 1 << 16  # lengths from which a frame's head is longer
_HEAD, _LONG_HEAD, _LONGEST_HEAD = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack
_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain\r\ncontent-length: 0\r\n"
    b"connection: close\r\n\r\n"
)
_NO_HANDSHAKE = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


# --- requests ---


class Http(HttpToolsProtocol):
    """Refuses a request that is too long, has too many lines or parts, or is not complete in time."""

    heading: bool = True  # is a head being read?
    ended: bool = False  # did a request end in what came last? What else came is the beginning of the next one
    head: int = 0  # bytes of it
    body: int = 0  # bytes that came after it, with all that is around the parts of a body
    lines: int = 0  # of it
    parts: int = 0  # of what came after it
    refused: bool = False
    deadline: asyncio.TimerHandle | None = None
    open: ClassVar[Counter[str]] = Counter()  # connections by address
    address: str = ""  # the one that is counted; "" for this machine, where a proxy may stand for many

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._count(network(peer[0]) if isinstance(peer, tuple) else "")
        self._within(HEAD_SECONDS)
        if self.open[self.address] > MOST_OPEN:
            self.refused = True
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._count("")
        self._within(None)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._count("")  # those are counted by themselves
        self._within(None)
        offered = (len(value) for name, value in self.headers if name.startswith(_LISTS))
        if sum(offered) > MOST_OFFERED or self.url.count(b"&") >= MOST_FIELDS:
            self._refuse()
        else:
            super().handle_websocket_upgrade()

    def _count(self, address: str) -> None:
        """Count the connection as one of an address; of none before it ends."""
        for name, by in ((self.address, -1), (address, 1)):
            if name:
                self.open[name] += by
                if not self.open[name]:
                    del self.open[name]
        self.address = address

    def _within(self, seconds: float | None) -> None:
        """Set the deadline of the part of a request that is being read; None for none."""
        if self.deadline:
            self.deadline.cancel()
        self.deadline = self.loop.call_later(seconds, self._refuse) if seconds else None

    def _refuse(self) -> None:
        self.refused = True
        if self.heading and not self.transport.is_closing():
            self.transport.write(_TOO_LARGE)
        self._hang_up()

    def _hang_up(self) -> None:
        """Close the connection; an answer that is being made has nobody to go to."""
        if self.cycle and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        while data and self.heading and not self.refused and self.parser is not None:
            if self.deadline is None:
                self._within(HEAD_SECONDS)
            part, data = data[: MOST_HEAD - self.head], data[MOST_HEAD - self.head :]
            self.ended = False
            super().data_received(part)
            if self.heading and not self.ended:
                self.head += len(part)
                if self.head >= MOST_HEAD:
                    self._refuse()
        if data and not self.refused and self.parser is not None:
            self.body += len(data)
            if self.body > MOST_BODY:
                self._refuse()
            else:
                super().data_received(data)

    def on_message_begin(self) -> None:
        self.heading, self.head, self.lines, self.body, self.parts = True, 0, 0, 0, 0
        super().on_message_begin()

    def _check(self, within: bool) -> None:
        """What is raised in the middle of parsing ends it; then `send_400_response` is called."""
        if not within:
            self.refused = True
            raise TooLong

    def send_400_response(self, msg: str) -> None:
        if self.refused:
            self._refuse()
        else:
            super().send_400_response(msg)

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._check(len(self.url) <= MOST_LINE)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.lines += 1
        self._check(self.lines <= MOST_LINES and len(name) + len(value) <= MOST_LINE)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= MOST_PIPELINED:  # the one before them is still answered
            self.refused = True
            self.pipeline.clear()
            self.loop.call_later(GOODBYE, self._hang_up)
        if self.refused:
            return
        self.heading = False
        self._within(BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.parts += 1
        self._check(self.parts <= MOST_PARTS)
        if not self.refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self.heading, self.ended, self.head, self.lines = True, True, 0, 0
        self._within(None)
        if not self.refused:
            super().on_message_complete()


# --- frames ---


class Meter:
    """Counts the frames and bytes of one connection, without decoding them."""

    def __init__(self) -> None:
        self.frames: int = 0
        self.bytes: int = 0
        self.since: float = time.monotonic()
        self._left = 0  # bytes still to come of the last frame
        self._head = b""  # of the next one, if it is not whole yet

    def allows(self, data: bytes) -> bool:
        """Count incoming data; False if it exceeds a limit."""
        now = time.monotonic()
        if now - self.since > PERIOD:
            self.frames, self.bytes, self.since = 0, 0, now
        self.bytes += len(data)
        data, self._head, at = self._head + data, b"", self._left
        while at < len(data) and self.frames <= MOST_FRAMES:
            size = _frame_size(data, at)
            if not size:
                self._head = data[at:]
                break
            self.frames += 1
            at += size
        self._left = max(0, at - len(data))
        return self.bytes <= MOST_BYTES and self.frames <= MOST_FRAMES


def _frame_size(data: bytes, at: int) -> int:
    """The size of the frame that begins at a place; 0 if its head is incomplete."""
    if len(data) < at + 2:
        return 0
    length = data[at + 1] & 0x7F
    head = 2 + (length == _SHORT) * 2 + (length > _SHORT) * 8
    if len(data) < at + head:
        return 0
    if length >= _SHORT:
        length = int.from_bytes(data[at + 2 : at + head])
    return head + (4 if data[at + 1] & _MASKED else 0) + length


class Queue:
    """What a connection has received: as much of `asyncio.Queue` as is used, in a tenth of its memory. One reads."""

    __slots__ = ("_items", "_reader")

    def __init__(self) -> None:
        self._items: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, item: Any) -> None:
        self._items.append(item)
        if self._reader and not self._reader.done():
            self._reader.set_result(None)

    def empty(self) -> bool:
        return not self._items

    async def get(self) -> Any:
        while not self._items:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._items.pop(0)


class Wire(WebSocketsSansIOProtocol):
    """`taker`: called with each short text frame while nothing is queued; False leaves it to the library."""

    taker: Callable[[bytes], bool] | None = None
    dismissed: bool = False
    window: int = 0  # bits that compressed messages may refer back to; 0: the client does not want any
    written: bytes = b""  # what goes out with the next turn of the event loop: one call of the system for all of it

    @property
    def gone(self) -> bool:
        return self.transport.is_closing()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            cast("Scope", self.scope)["extensions"][EXTENSION] = self
            for extension in self.conn.extensions:
                if isinstance(extension, Deflate):
                    self.window = extension.local_max_window_bits

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.queue = Queue()  # type: ignore[assignment]
        self.meter: Meter = Meter()
        self.conn.available_extensions = _EXTENSIONS

    def data_received(self, data: bytes) -> None:
        if self.dismissed:
            return
        if self.handshake_initiated and not self.meter.allows(data):
            self._dismiss()
            return
        if not (self.taker and data[0] == _WHOLE_TEXT and self._take(data)):
            super().data_received(data)
            if not self.handshake_initiated:  # heads come whole: this is none
                self.transport.write(b"".join(self.conn.data_to_send()) or _NO_HANDSHAKE)
                self.transport.close()

    def _dismiss(self) -> None:
        """Close the connection; further data is discarded."""
        self.dismissed = True
        self.flush()
        if self.conn.state is OPEN:
            self.conn.send_close(Close.TOO_MANY, "too many messages in a short time")
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.queue.put_nowait({"type": "websocket.disconnect", "code": Close.TOO_MANY})
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.loop.call_later(GOODBYE, self.transport.abort)

    def _take(self, data: bytes) -> bool:
        length = data[1] - _MASKED if len(data) > 1 else 0
        whole = 0 <= length < _SHORT and len(data) == 6 + length
        between = not self.conn.reader.buffer and self.conn.current_size is None and self.queue.empty()
        if self.taker is None or not whole or not between or self.close_sent or self.conn.state is not OPEN:
            return False
        return self.taker(apply_mask(data[6:], data[2:6]))

    def write_text(self, text: bytes) -> bool:
        """Send a text frame at once, a long one compressed; False if the other side does not read, or the connection is
        closing."""
        if not self.writable.is_set() or self.transport.is_closing() or self.conn.state is not OPEN:
            return False
        first = _WHOLE_TEXT
        if self.window and len(text) > SHORT:
            first, text = _WHOLE_TEXT | _COMPRESSED, packed(text, self.window)
        length = len(text)
        if length < _SHORT:
            head = _HEAD(first, length)
        elif length < _LONG:
            head = _LONG_HEAD(first, _SHORT, length)
        else:
            head = _LONGEST_HEAD(first, _SHORT + 1, length)
        if not self.written:
            self.loop.call_soon(self.flush)
        self.written += head + text
        return True

    def flush(self) -> None:
        """Send buffered frames; also before any other write, to keep the order."""
        written, self.written = self.written, b""
        if written and not self.transport.is_closing():
            self.transport.write(written)

    async def send(self, message: "ASGISendEvent") -> None:
        self.flush()
        await super().send(message)
        if self.handshake_complete:
            vars(self).update(request=None, response=None)  # said and done

    def shutdown(self) -> None:
        self.flush()
        super().shutdown()
