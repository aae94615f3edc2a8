"""Compression of WebSocket messages (permessage-deflate) that costs no memory while a connection is idle."""

import zlib
from collections.abc import Sequence

from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import CTRL_OPCODES, Frame, Opcode

WINDOW = 12  # bits: messages refer to the last 4 KiB
SHORT = 3 << 10  # bytes up to which a message goes as it is: who comes, goes and watches
LONG = 1 << 14  # bytes of a message after which little is left that the next one could refer to
_SETTINGS = {"memLevel": 5}


class Deflate(PerMessageDeflate):
    """`encoder`: None until a message needs it, and again after a long one and when the connection rests. Other sides
    need not know: what is compressed from the beginning can be read after anything."""

    encoder: "zlib._Compress | None"  # type: ignore[assignment]

    def encode(self, frame: Frame) -> Frame:
        if frame.opcode in CTRL_OPCODES or (len(frame.data) <= SHORT and frame.fin and frame.opcode is not Opcode.CONT):
            return frame
        if self.encoder is None:
            self.encoder = zlib.compressobj(wbits=-self.local_max_window_bits, **self.compress_settings)
        encoded = super().encode(frame)
        if len(frame.data) > LONG:
            self.encoder = None
        return encoded

    def rest(self) -> None:
        """Free the memory."""
        self.encoder = None


class Factory(ServerPerMessageDeflateFactory):
    """Agrees with a client on compression. Clients compress each message by itself: theirs are short."""

    def __init__(self) -> None:
        super().__init__(
            client_no_context_takeover=True,
            server_max_window_bits=WINDOW,
            client_max_window_bits=WINDOW,
            compress_settings=_SETTINGS,
        )

    def process_request_params(
        self, params: Sequence[tuple[str, str | None]], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[tuple[str, str | None]], PerMessageDeflate]:
        answer, made = super().process_request_params(params, accepted_extensions)
        made.__class__ = Deflate
        assert isinstance(made, Deflate)
        made.rest()
        return answer, made
