"""WebSocket frames by the short way.

Almost all frames are alike: one text, whole, not compressed. Here they are read and written without a task, a queue or
a parser between the socket and the table. All else (the handshake, pings, closing, whatever is long, in parts or wrong)
is left to the library.
"""

from collections.abc import Callable
from struct import Struct
from typing import TYPE_CHECKING, cast

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import OPEN

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library was not compiled
    from websockets.utils import apply_mask

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

EXTENSION = "azulejos.wire"  # where the application finds the wire of a connection
_WHOLE_TEXT, _MASKED = 0x81, 0x80
_SHORT, _LONG = 126, 1 << 16  # lengths from which a frame's head is longer
_HEAD, _LONG_HEAD, _LONGEST_HEAD = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack


class Wire(WebSocketsSansIOProtocol):
    """`taker`: is offered each short text that comes while nothing else waits; False leaves it to the library."""

    taker: Callable[[bytes], bool] | None = None
    written: bytes = b""  # what goes out with the next turn of the event loop: one call of the system for all of it

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            cast("Scope", self.scope)["extensions"][EXTENSION] = self

    def data_received(self, data: bytes) -> None:
        if not (self.taker and data[0] == _WHOLE_TEXT and self._take(data)):
            super().data_received(data)

    def _take(self, data: bytes) -> bool:
        length = data[1] - _MASKED if len(data) > 1 else 0
        whole = 0 <= length < _SHORT and len(data) == 6 + length
        between = not self.conn.reader.buffer and self.conn.current_size is None and self.queue.empty()
        if self.taker is None or not whole or not between or self.close_sent or self.conn.state is not OPEN:
            return False
        return self.taker(apply_mask(data[6:], data[2:6]))

    def write_text(self, text: bytes) -> bool:
        """Send a text at once; False if the other side does not read, or the connection is being closed."""
        if not self.writable.is_set() or self.transport.is_closing() or self.conn.state is not OPEN:
            return False
        length = len(text)
        if length < _SHORT:
            head = _HEAD(_WHOLE_TEXT, length)
        elif length < _LONG:
            head = _LONG_HEAD(_WHOLE_TEXT, _SHORT, length)
        else:
            head = _LONGEST_HEAD(_WHOLE_TEXT, _SHORT + 1, length)
        if not self.written:
            self.loop.call_soon(self.flush)
        self.written += head + text
        return True

    def flush(self) -> None:
        """Send what was written; also before anything else is sent, so that all comes in order."""
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
