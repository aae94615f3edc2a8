"""What one connection may send is bounded below the application; and what that needs of uvicorn is there."""

import contextlib
import inspect
import socket
from urllib.parse import urlsplit

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode

from azulejos.server.live.limits import MOST_BYTES, MOST_FIELDS, MOST_FRAMES
from azulejos.server.running.deflate import SHORT, Deflate, Factory, packed
from azulejos.server.running.wire import (
    MOST_BODY,
    MOST_HEAD,
    MOST_LINE,
    MOST_LINES,
    MOST_OFFERED,
    MOST_PARTS,
    MOST_PIPELINED,
    Http,
    Meter,
)

from .client import PATIENCE, Visitor
from .conftest import Running

PING = bytes([0x89, 0x80, 0, 0, 0, 0])


def test_uvicorn_has_what_is_changed() -> None:
    """Named here, so that another version is not tried in vain: pyproject.toml says which are known to do."""
    http = {"connection_made", "connection_lost", "data_received", "on_message_begin", "on_url", "on_header"}
    http |= {"on_headers_complete", "on_body", "on_message_complete", "handle_websocket_upgrade", "send_400_response"}
    frames = {"connection_made", "connection_lost", "data_received", "handle_connect", "send", "shutdown"}
    assert {name for name in http if not hasattr(HttpToolsProtocol, name)} == set()
    assert {name for name in frames if not hasattr(WebSocketsSansIOProtocol, name)} == set()
    used = {"self.conn", "self.queue", "self.writable", "self.read_paused", "self.handshake_initiated"}
    used |= {"self.handshake_complete", "self.close_sent", "self.transport", "self.scope", "self.loop"}
    made = inspect.getsource(WebSocketsSansIOProtocol)
    assert {name for name in used if name not in made} == set()
    made = inspect.getsource(HttpToolsProtocol)
    assert {name for name in ("self.parser", "self.transport", "self.loop", "self.cycle") if name not in made} == set()


def connected(server: Running, first: bytes = b"GET /ready HTTP/1.1\r\nHost: x\r\n") -> socket.socket:
    place = urlsplit(server.address)
    made = socket.create_connection((place.hostname, place.port), timeout=PATIENCE)
    made.sendall(first)
    return made


def answer(made: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    parts = []
    try:
        while part := made.recv(65536):
            parts.append(part)
    except ConnectionError:
        parts.append(b"")
    return b"".join(parts)


@pytest.mark.parametrize(
    "head",
    [
        b"X-a: " + b"b" * 2 * MOST_HEAD,
        b"X-a: " + b"b" * MOST_LINE + b"\r\nX-b: ",
        b"X-a: b\r\n" * (MOST_LINES + 2),
        b"X-a: b\r\n" * (MOST_LINES + 2) + b"\r\n",
        (b"X-a: " + b"b" * (MOST_LINE - 20) + b"\r\n") * (MOST_HEAD // MOST_LINE + 1) + b"\r\n",
    ],
    ids=["bytes", "line", "lines", "whole", "whole and long"],
)
def test_a_head_without_an_end_is_refused(server: Running, head: bytes) -> None:
    with connected(server) as made:
        made.sendall(head)
        assert answer(made).startswith(b"HTTP/1.1 431")


def test_an_address_is_one_line(server: Running) -> None:
    with connected(server, b"GET /ready?" + b"a" * MOST_LINE + b" HTTP/1.1\r\nHost: x\r\n\r\n") as made:
        assert answer(made).startswith(b"HTTP/1.1 431")


HANDSHAKE = (
    b"Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.mark.parametrize(
    ("query", "line", "code"),
    [
        (b"", b"", 101),
        (b"", b"Content-Length: 5\r\n", 400),
        (b"?" + b"a&" * MOST_FIELDS, b"", 431),
        (b"", b"Sec-WebSocket-Protocol: a" + b",a" * MOST_OFFERED + b"\r\n", 431),
        (b"", b"Sec-WebSocket-Extensions: permessage-deflate; a=b\r\n" * 30, 431),
    ],
    ids=["right", "body", "query", "protocols", "extensions"],
)
def test_a_handshake_that_is_none_is_answered_and_closed(server: Running, query: bytes, line: bytes, code: int) -> None:
    """Before its lists are parsed. Where nothing is answered, nothing ends the connection."""
    with connected(server, b"GET /tables/x/socket" + query + b" HTTP/1.1\r\n" + HANDSHAKE + line + b"\r\n") as made:
        made.sendall(bytes([0x88, 0x80, 0, 0, 0, 0]) if code == 101 else b"")
        assert answer(made).startswith(b"HTTP/1.1 %d" % code)


@pytest.mark.parametrize(
    "part",
    [
        b"0\r\nX-a: " + b"b" * 2 * MOST_BODY,
        b"0\r\n" + b"X-a: b\r\n" * (MOST_LINES + 1) + b"\r\n",
        b"1\r\na\r\n" * (MOST_PARTS + 1) + b"0\r\n\r\n",
    ],
    ids=["bytes", "lines", "parts"],
)
def test_what_is_around_a_body_counts(server: Running, part: bytes) -> None:
    """The lines after it, and how many parts it has."""
    with connected(server, b"POST /records HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n") as made:
        with contextlib.suppress(ConnectionError):
            made.sendall(part)
        assert answer(made) == b""


def test_a_head_that_does_not_come_to_its_end_is_not_waited_for(server: Running) -> None:
    with connected(server) as made:
        assert answer(made).startswith(b"HTTP/1.1 431")


def test_a_whole_request_after_another_is_answered(server: Running) -> None:
    """Heads that come in parts, and several over one connection, are not counted together."""
    with connected(server) as made:
        for _ in range(3):
            made.sendall(b"X-a: " + b"b" * (MOST_LINE // 2) + b"\r\n")
            made.sendall(b"\r\n")
            answered = b""
            while not answered.endswith(b"}"):  # head and body may come apart
                answered += made.recv(65536)
            assert answered.startswith(b"HTTP/1.1 200")
            made.sendall(b"GET /ready HTTP/1.1\r\nHost: x\r\n")
        made.sendall(b"Connection: close\r\n\r\n")
        assert answer(made).startswith(b"HTTP/1.1 200")


def test_requests_that_wait_for_another_one_are_few(server: Running) -> None:
    """Some are answered in their order; who sends many at once is not answered at all."""
    one = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
    with connected(server, (one + b"\r\n") * MOST_PIPELINED + one + b"Connection: close\r\n\r\n") as made:
        assert answer(made).count(b"HTTP/1.1 200") == MOST_PIPELINED + 1
    with connected(server, b"") as made:
        with contextlib.suppress(ConnectionError):
            made.sendall((one + b"\r\n") * 1000)
        assert answer(made).count(b"HTTP/1.1 200") < MOST_PIPELINED


def test_connections_for_requests_are_counted_by_address() -> None:
    made = [object.__new__(Http) for _ in range(3)]
    for one in made:
        one._count("192.0.2.1")
    assert Http.open == {"192.0.2.1": 3}
    for one in made * 2:
        one._count("")
    assert Http.open == {}


@pytest.mark.parametrize("frames", [PING * (MOST_FRAMES + 1), bytes([0x8A, 0x80, 0, 0, 0, 0]) * (MOST_FRAMES + 1)])
def test_control_frames_count(server: Running, frames: bytes) -> None:
    ana = Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    with ana.sit(table) as seat:
        seat.socket.socket.sendall(frames)
        with pytest.raises(ConnectionClosed) as caught:
            seat.hear("nothing")
        assert caught.value.rcvd
        assert caught.value.rcvd.code == 4429


def test_frames_are_counted_wherever_they_are_cut() -> None:
    short, medium = PING, bytes([0x81, 0xFE, 1, 0, 0, 0, 0, 0]) + b"x" * 256
    long = bytes([0x82, 0xFF]) + (70_000).to_bytes(8) + b"mask" + b"y" * 70_000
    data = (short + medium + long) * 3
    for cut in (1, 2, 3, 5, 7, 100, 70_001, len(data)):
        meter = Meter()
        parts = [data[at : at + cut] for at in range(0, len(data), cut)]
        assert all(map(meter.allows, parts))
        assert meter.frames == 9
        assert meter.bytes == len(data)
    assert not Meter().allows(b"\x81\xff" + bytes(MOST_BYTES))


def test_a_message_is_compressed_by_itself_and_once_for_all() -> None:
    """Read by clients that keep what they have read, and that agreed on windows of their own."""
    words = " · ".join(map(str, range(SHORT))).encode()
    short = Frame(Opcode.TEXT, b"a tile to the floor")
    before = packed.cache_info()
    for wanted in ([], [("server_max_window_bits", "10")], [("client_max_window_bits", None)]):
        answer, ours = Factory().process_request_params(wanted, [])
        assert {("server_no_context_takeover", None), ("client_no_context_takeover", None)} <= set(answer)
        assert isinstance(ours, Deflate)
        theirs = PerMessageDeflate(False, True, ours.local_max_window_bits, 15)
        assert ours.encode(short) is short
        for text in (words, b"board" * SHORT, words):
            assert theirs.decode(ours.encode(Frame(Opcode.TEXT, text))).data == text
    assert packed.cache_info().misses == before.misses + 4, "two messages, two windows"
