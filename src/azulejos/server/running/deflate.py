"""Compression of WebSocket messages (permessage-deflate). Each message is compressed by itself: once for everybody who
gets it, and without memory for each connection."""

import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import CTRL_OPCODES, Frame

try:
    from isal import isal_zlib

    _quick: Callable[..., Any] = isal_zlib.compressobj
except ImportError:  # where it was not compiled
    _quick = zlib.compressobj

SHORT = 3 << 10  # bytes up to which a message goes as it is: who comes, goes and watches
# Bytes of a quickly compressed message from which a level of zlib is tried, which takes ten times as long: what is not
# much longer than 4 KB is brought below that.
_LEVELS = ((6000, 0), (4500, 6), (4000, 4), (0, 0))
_TAIL = 4  # bytes that end every message and are not sent


@lru_cache(64)
def packed(text: bytes, window: int) -> bytes:
    """A message compressed. `window`: in bits, as the client agreed. Kept, because several get the same message."""
    quickly = _flushed(_quick(1, wbits=-window), text)
    level = next(level for size, level in _LEVELS if len(quickly) >= size)
    return _flushed(zlib.compressobj(level, wbits=-window), text) if level else quickly


def _flushed(encoder: Any, text: bytes) -> bytes:
    return bytes((encoder.compress(text) + encoder.flush(zlib.Z_SYNC_FLUSH))[:-_TAIL])


class Deflate(PerMessageDeflate):
    """Compresses what is not short."""

    def encode(self, frame: Frame) -> Frame:
        if frame.opcode in CTRL_OPCODES or len(frame.data) <= SHORT:
            return frame
        assert frame.fin, "messages are sent whole"
        return Frame(frame.opcode, packed(bytes(frame.data), self.local_max_window_bits), rsv1=True)


class Factory(ServerPerMessageDeflateFactory):
    """Agrees with a client on compression, of each message by itself."""

    def __init__(self) -> None:
        super().__init__(server_no_context_takeover=True, client_no_context_takeover=True, client_max_window_bits=12)

    def process_request_params(
        self, params: Sequence[tuple[str, str | None]], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[tuple[str, str | None]], PerMessageDeflate]:
        answer, made = super().process_request_params(params, accepted_extensions)
        made.__class__ = Deflate
        return answer, made
