"""One visitor attacks a server on this machine while another one plays: what does the other one feel?

    python -m tests.faults.attacks [NAME …]

Each attack is bounded in count and time, runs in a process of its own, and is aimed only at a server that this script
started on 127.0.0.1. Victims look at tables, play, and ask for a page, again and again; one plays against a computer
player. What is printed is the 99th percentile of their waits, calm and attacked, the longest wait for the computer
player, and the server's processor time. An attack is felt where waits are more than twice those of calm, and 20 ms.

A wait is counted without the time for which the victim, and the thread of the server that lost most, could have run and
had no processor: everything else that runs on the machine, the attacker too, takes that.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import secrets
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from ..server.client import Visitor
from ..server.conftest import Running

SECONDS = 8.0  # of one attack, at most
_HANDSHAKE = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
_OFFERED = (
    b"Sec-WebSocket-Protocol: a" + b",a" * 3_900 + b"\r\n"
    b"Sec-WebSocket-Extensions: permessage-deflate" + b"; a=b" * 1_500 + b"\r\n"
)


def _connected(address: str) -> socket.socket:
    place = urlsplit(address)
    made = socket.create_connection((place.hostname, place.port), timeout=SECONDS)
    made.settimeout(2)
    return made


def _sent(made: socket.socket, data: bytes) -> bool:
    """False when the server has had enough."""
    try:
        made.sendall(data)
        return True
    except OSError:
        return False


# --- the attacks ---


def pings(address: str, count: int = 1_000_000) -> None:
    """Empty pings over one WebSocket."""
    with Visitor(address).sit(_open(address)) as seat:
        end = time.monotonic() + SECONDS
        frames, sent = bytes([0x89, 0x80, 0, 0, 0, 0]) * 1000, 0
        while sent < count and time.monotonic() < end and _sent(seat.socket.socket, frames):
            sent += 1000


def lines(address: str, size: int = 60 << 20) -> None:
    """A head with many lines."""
    _head(address, b"X-a: " + b"b" * 57 + b"\r\n", size)


def long_line(address: str, size: int = 48 << 20) -> None:
    """A head with one long line."""
    _head(address, b"c" * 65536, size, b"X-a: ")


def _head(address: str, part: bytes, size: int, first: bytes = b"") -> None:
    end = time.monotonic() + SECONDS
    with _connected(address) as made:
        _sent(made, b"GET / HTTP/1.1\r\nHost: x\r\n" + first)
        sent = 0
        while sent < size and time.monotonic() < end and _sent(made, part * 100):
            sent += 100 * len(part)


def half_sent(address: str, count: int = 2000) -> None:
    """Requests whose head never ends."""
    held = []
    for _ in range(count):
        try:
            held.append(_connected(address))
        except OSError:
            break
        _sent(held[-1], b"GET / HTTP/1.1\r\nHost: x\r\nX-a: ")
    time.sleep(SECONDS / 2)
    for made in held:
        made.close()


def malformed(address: str) -> None:
    """Messages of one byte over many sockets that want pictures."""
    _shout(address, "x", _open(address))


def looks(address: str) -> None:
    """Whole tables with pictures, over many sockets."""
    _shout(address, '{"id": 1, "command": {"type": "look"}}', _open(address))


def strangers(address: str) -> None:
    """The same, each with a cookie that nobody gave out, and an address that no proxy saw."""
    _shout(address, '{"id": 1, "command": {"type": "look"}}', _open(address), visitors=60)


def _shout(address: str, message: str, table: str, sockets: int = 60, visitors: int = 4) -> None:
    """Send a message over many sockets of some visitors, as often as a table hears it."""
    cookies = [f"azulejos={secrets.token_urlsafe(32)}" for _ in range(visitors)]

    async def one(cookie: str, end: float) -> None:
        place = f"{address.replace('http', 'ws', 1)}/tables/{table}/socket?layout=wide"
        try:
            async with connect(place, additional_headers={"cookie": cookie}, max_size=None) as made:
                for _ in range(90):
                    if time.monotonic() > end:
                        return
                    await made.send(message)
                    await made.recv()
        except OSError:
            return

    async def all_() -> None:
        end = time.monotonic() + SECONDS
        await asyncio.gather(*[one(cookies[k % visitors], end) for k in range(sockets)], return_exceptions=True)

    asyncio.run(all_())


def unread(address: str, sockets: int = 300) -> None:
    """Visitors with a socket each who ask for the whole table five times a second, and read nothing."""
    place = f"/tables/{_open(address)}/socket?layout=wide".encode()
    look = b'{"id": 1, "command": {"type": "look"}}'
    frame = bytes([0x81, 0x80 | len(look), 0, 0, 0, 0]) + look
    held = []
    for _ in range(sockets):
        held.append(_connected(address))
        cookie = secrets.token_urlsafe(32).encode()
        _sent(held[-1], b"GET %s HTTP/1.1\r\nHost: x\r\nCookie: azulejos=%s\r\n%s\r\n" % (place, cookie, _HANDSHAKE))
    end = time.monotonic() + SECONDS
    for made in held:
        made.setblocking(False)
    while time.monotonic() < end:
        for made in held:
            _sent(made, frame)
        time.sleep(0.2)
    for made in held:
        made.close()


def hasty(address: str, people: int = 40) -> None:
    """People at tables of their own with pictures, who play as fast as they are answered, and come again when they have
    been closed for that."""

    async def one(end: float) -> None:
        ana = await asyncio.to_thread(Visitor, address)
        cookies = "; ".join(f"{name}={value}" for name, value in ana.http.cookies.items())
        while time.monotonic() < end:
            form = {"game": "azul", "seat-0": "me", "seat-1": "me"}
            table = await asyncio.to_thread(ana.open, **form)
            place = f"{address.replace('http', 'ws', 1)}/tables/{table}/socket?layout=wide&patches=1"
            with contextlib.suppress(ConnectionClosed):
                async with connect(place, additional_headers={"cookie": cookies}, max_size=None) as made:
                    now = json.loads(await made.recv())["now"]
                    while time.monotonic() < end and now["phase"] == "playing":
                        play = {"type": "play", "seat": now["turn"], "action": now["actions"][0]}
                        play["position"] = now["position"]
                        await made.send(json.dumps({"id": 1, "command": play}))
                        while (message := json.loads(await made.recv())).get("id") != 1:
                            now = message.get("now", now)

    async def all_() -> None:
        end = time.monotonic() + SECONDS
        await asyncio.gather(*[one(end) for _ in range(people)], return_exceptions=True)

    asyncio.run(all_())


def masters(address: str, count: int = 118) -> None:
    """Tables of four strong computer players, whom one visitor watches."""
    ana, end = Visitor(address), time.monotonic() + SECONDS
    seats = {f"seat-{seat}": "master" for seat in range(4)}
    form = {"game": "azul", "players": "4", **seats}
    with contextlib.ExitStack() as watching:
        for _ in range(count):
            answer = ana.http.post("/tables", data=form, headers={"origin": address})
            if answer.status_code == 303:
                watching.enter_context(ana.sit(answer.headers["location"].rsplit("/", 1)[1]))
            if time.monotonic() > end:
                break
        time.sleep(max(0, end - time.monotonic()))


def crowd(address: str, count: int = 30) -> None:
    """As many visitors, who play against three strong computer players each."""
    end = time.monotonic() + SECONDS
    form = {"game": "azul", "players": "4", "player": "master"}
    with contextlib.ExitStack() as playing:
        for _ in range(count):
            ana = Visitor(address)
            playing.enter_context(ana.sit(ana.open(**form)))
        time.sleep(max(0, end - time.monotonic()))


def steps(address: str, clients: int = 4) -> None:
    """Steps of a play and pictures of positions, asked for without an end."""
    ana = Visitor(address)
    table = ana.open(game="azul", **{"seat-0": "me", "seat-1": "me"})
    with ana.sit(table) as seat:
        for _ in range(40):
            seat.play()
        text = seat.now["text"]
    cookies = dict(ana.http.cookies)

    async def one(end: float) -> None:
        async with httpx.AsyncClient(base_url=address, cookies=cookies, timeout=30) as client:
            k = 0
            while time.monotonic() < end:
                k += 1
                await client.get(f"/tables/{table}/steps")
                await client.get(f"/tables/{table}/steps/{k % 40}")
                await client.get("/draw.svg", params={"position": text})

    async def all_() -> None:
        end = time.monotonic() + SECONDS
        await asyncio.gather(*[one(end) for _ in range(clients)], return_exceptions=True)

    asyncio.run(all_())


def pages(address: str) -> None:
    """Pages, each with a cookie that nobody gave out."""
    _request(address, [b"/", b"/tables", b"/rules/azul", b"/puzzles"])


def previews(address: str) -> None:
    """Pictures of tables for links, as pixels."""
    _request(address, [b"/tables/%s/preview.png" % _open(address).encode() for _ in range(20)])


def arrivals(address: str) -> None:
    """Visitors who come to a table, each with a new cookie, and go when they have seen it."""
    place = b"/tables/%s/socket?layout=wide" % _open(address).encode()
    _request(address, [place], _HANDSHAKE, parts=2)


def queries(address: str) -> None:
    """Addresses and cookies of thousands of parts."""
    head = b"Connection: close\r\n" + b"Cookie: " + b'a="\\101";' * 700 + b"\r\n"
    _request(address, [b"/ready?" + b"a&" * count for count in (10_000, 3_900, 99)], head)


def handshakes(address: str) -> None:
    """Handshakes of thousands of parts: the address, protocols, extensions."""
    place = b"/tables/%s/socket?layout=wide" % _open(address).encode()
    _request(address, [place + b"&a" * 3_800, place], _HANDSHAKE + _OFFERED, parts=1)


def _request(address: str, paths: list[bytes], head: bytes = b"Connection: close\r\n", parts: int = 0) -> None:
    """Sixteen clients who request again and again, and read a few parts of each answer, or all of it."""
    place = urlsplit(address)

    async def one(k: int, end: float) -> None:
        while time.monotonic() < end:
            reader, writer = await asyncio.open_connection(place.hostname, place.port)
            cookie = secrets.token_urlsafe(32).encode()
            writer.write(b"GET %s HTTP/1.1\r\nHost: x\r\nCookie: azulejos=%s\r\n" % (paths[k % len(paths)], cookie))
            writer.write(head + b"\r\n")
            for _ in range(parts):
                await reader.read(65536)
            if not parts:
                await reader.read()
            writer.close()
            k += 1

    async def all_() -> None:
        end = time.monotonic() + SECONDS
        await asyncio.gather(*[one(k, end) for k in range(16)], return_exceptions=True)

    asyncio.run(all_())


def pipelined(address: str) -> None:
    """Requests one after another over one connection, without waiting for answers."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with _connected(address) as made:
            while _sent(made, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 2000) and time.monotonic() < end:
                pass


def undoing(address: str) -> None:
    """Play and take back, again and again, and look at the growing log."""
    ana, end = Visitor(address), time.monotonic() + SECONDS
    table = ana.open(game="azul", **{"seat-0": "me", "seat-1": "me"})
    while time.monotonic() < end:
        try:
            with ana.sit(table) as seat:
                for _ in range(30):
                    seat.number += 1
                    seat.play()
                    seat.ask(type="ask takeback", seat=seat.now["turn"] ^ 1)
                    seat.ask(type="ask takeback", seat=seat.now["turn"])
                    seat.socket.send(json.dumps({"id": 0, "command": {"type": "look"}}))
        except Exception:
            continue


ATTACKS: dict[str, Callable[[str], None]] = {
    attack.__name__: attack
    for attack in (
        *(pings, lines, long_line, half_sent, pipelined),
        *(masters, crowd, malformed, looks, strangers, unread, hasty, arrivals, undoing, steps, pages, previews),
        *(queries, handshakes),
    )
}


# --- the victims ---


def _open(address: str) -> str:
    return Visitor(address).open(game="azul", **{"seat-0": "me", "seat-1": "me"})


def _delays(process: int) -> dict[str, int]:
    """Nanoseconds for which threads could have run and had no processor: those of a process, and under "" this one."""
    files = {path.name: path / "schedstat" for path in Path(f"/proc/{process}/task").iterdir()}
    return {
        name: int(file.read_text().split()[1]) for name, file in {**files, "": Path("/proc/self/schedstat")}.items()
    }


class Clock:
    """Measures waits, without what something else on the machine took from the victim and from the server's thread that
    lost most."""

    def __init__(self, process: int) -> None:
        self.process = process
        self.waits: list[float] = []

    @contextlib.contextmanager
    def wait(self) -> Iterator[None]:
        begun, before = time.perf_counter(), _delays(self.process)
        yield
        took = time.perf_counter() - begun
        lost = {name: delay - before.get(name, 0) for name, delay in _delays(self.process).items()}
        self.waits.append(max(0, took - (lost.pop("") + max(lost.values())) / 1e9))


@dataclass(frozen=True)
class Table:
    """A victim's table: its name and the visitor's cookie. `playing`: against a computer player."""

    name: str
    cookies: str
    playing: bool

    @staticmethod
    def open(address: str, playing: bool) -> "Table":
        ana = Visitor(address)
        seats = {"player": "casual"} if playing else {"seat-0": "me", "seat-1": "me"}
        cookies = "; ".join(f"{name}={value}" for name, value in ana.http.cookies.items())
        return Table(ana.open(game="azul", **seats), cookies, playing)


async def _heard(made: ClientConnection, number: int) -> dict[str, Any]:
    """The answer to a message by its number."""
    while True:
        message: dict[str, Any] = json.loads(await made.recv())
        if message.get("id") == number or (message["type"] == "events" and not number):
            return message


async def _look(address: str, table: Table, clock: Clock, end: float) -> None:
    """Ask for what is new at a table, play, and ask for a page, in turn."""
    place = f"{address.replace('http', 'ws', 1)}/tables/{table.name}/socket?layout=wide"
    async with (
        connect(place, additional_headers={"cookie": table.cookies}, max_size=None) as made,
        httpx.AsyncClient(base_url=address, timeout=60, verify=False) as client,
    ):
        await made.recv()
        while time.monotonic() < end:
            with clock.wait():
                await made.send('{"id": 1, "command": {"type": "since", "number": 1000000}}')
                now = (await _heard(made, 0))["now"]
            if now["phase"] == "playing":
                play = {"type": "play", "seat": now["turn"], "action": now["actions"][0], "position": now["position"]}
                with clock.wait():
                    await made.send(json.dumps({"id": 2, "command": play}))
                    await _heard(made, 2)
            with clock.wait():
                await client.get("/ready")
            await asyncio.sleep(0.25)


async def _play(address: str, table: Table, clock: Clock, end: float) -> None:
    """Play, and wait until the computer player has played."""
    place = f"{address.replace('http', 'ws', 1)}/tables/{table.name}/socket"
    async with connect(place, additional_headers={"cookie": table.cookies}, max_size=None) as made:
        now, played = json.loads(await made.recv())["now"], -1
        while time.monotonic() < end and now["phase"] == "playing":
            with clock.wait():
                if now.get("actions") and now["position"] != played:
                    played = now["position"]
                    play = {"type": "play", "seat": now["turn"], "action": now["actions"][0], "position": played}
                    await made.send(json.dumps({"id": 2, "command": play}))
                while now["phase"] == "playing" and (not now.get("actions") or now["position"] == played):
                    now = json.loads(await made.recv()).get("now", now)
            await asyncio.sleep(0.25)


@dataclass
class Figures:
    """Milliseconds: the 99th percentile of waits at tables of people and for pages, and the longest for a computer."""

    people: float
    computer: float

    def __str__(self) -> str:
        return f"{self.people:6.1f} ms, computer {self.computer:6.1f} ms"


async def _victims(server: Running, seconds: float) -> Figures:
    """Six who look and play, and one who plays against a computer player, each at a new table."""
    clocks = [Clock(server.process.pid) for _ in range(7)]
    tables = [Table.open(server.address, clock is clocks[0]) for clock in clocks]
    end = time.monotonic() + seconds
    await asyncio.gather(
        *[
            (_play if table.playing else _look)(server.address, table, clock, end)
            for table, clock in zip(tables, clocks, strict=True)
        ]
    )
    waits = sorted(wait for clock in clocks[1:] for wait in clock.waits)
    return Figures(1000 * waits[int(0.99 * (len(waits) - 1))], 1000 * max(clocks[0].waits))


def measure(names: list[str]) -> list[str]:
    """Attack a server; the attacks that its victims felt."""
    felt = []
    with tempfile.TemporaryDirectory(prefix="azulejos-attacks-") as data:
        server = Running(Path(data), "--limit=posts=0", "--limit=new-tables=0")
        try:
            server.wait_until_ready()
            _settle(server.process.pid)
            asyncio.run(_victims(server, 6))  # everything has been done once
            for name in names:
                calm = asyncio.run(_victims(server, 5))
                attacker = multiprocessing.get_context("spawn").Process(target=ATTACKS[name], args=(server.address,))
                used = _processor(server.process.pid)
                attacker.start()
                time.sleep(1.5)  # its interpreter starts
                attacked = asyncio.run(_victims(server, SECONDS - 1))
                attacker.join(SECONDS)
                if attacker.is_alive():
                    attacker.kill()
                used = _processor(server.process.pid) - used
                if attacked.people > 2 * calm.people + 20:
                    felt.append(name)
                print(
                    f"{name:10} calm {calm}   attacked {attacked}   {used:5.2f} s{' FELT' * (name in felt)}", flush=True
                )
        finally:
            while Visitor.here:
                Visitor.here.pop().close()
            server.stop()
    return felt


def _settle(process: int) -> None:
    """Wait until a server has loaded its players, so that what is calm is measured calm."""
    end = time.monotonic() + 90
    while time.monotonic() < end:
        used = _family(process)
        time.sleep(1)
        if abs(_family(process) - used) < 0.1:
            return


def _family(process: int) -> float:
    """Seconds of processor time that a process and its children have used."""
    try:
        tasks = Path(f"/proc/{process}/task").iterdir()
        children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
        return _processor(process) + sum(map(_family, children))
    except FileNotFoundError:  # it ended meanwhile
        return 0


def _processor(process: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="*", choices=[*ATTACKS, []], help="which attacks (default: all)")
    sys.exit(bool(measure(parser.parse_args().name or list(ATTACKS))))
