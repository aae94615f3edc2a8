"""One visitor attacks a server on this machine while another one plays: what does the other one feel?

    python -m tests.faults.attacks [NAME …]

Each attack is bounded in count and time, runs in a process of its own, and is aimed only at a server that this script
started on 127.0.0.1. The victim looks at a table and asks for a page, again and again; what is printed is the 99th
percentile of its waits, calm and attacked, and the server's processor time meanwhile.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import connect

from ..server.client import Visitor
from ..server.conftest import Running

SECONDS = 8.0  # of one attack, at most


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


def malformed(address: str, sockets: int = 60) -> None:
    """Messages of one byte over many sockets that want pictures."""
    visitors = [Visitor(address) for _ in range(4)]
    table = _open(address)

    async def one(visitor: Visitor, end: float) -> None:
        cookies = "; ".join(f"{name}={value}" for name, value in visitor.http.cookies.items())
        place = f"{address.replace('http', 'ws', 1)}/tables/{table}/socket?layout=wide"
        try:
            async with connect(place, additional_headers={"cookie": cookies}, max_size=None) as made:
                for _ in range(90):
                    if time.monotonic() > end:
                        return
                    await made.send("x")
                    await made.recv()
        except OSError:
            return

    async def all_() -> None:
        end = time.monotonic() + SECONDS
        await asyncio.gather(*[one(visitors[k % 4], end) for k in range(sockets)], return_exceptions=True)

    asyncio.run(all_())


def masters(address: str, count: int = 118) -> None:
    """Tables of four strong computer players, and nobody at them."""
    ana, end = Visitor(address), time.monotonic() + SECONDS
    seats = {f"seat-{seat}": "master" for seat in range(4)}
    form = {"game": "azul", "players": "4", **seats}
    for _ in range(count):
        ana.http.post("/tables", data=form, headers={"origin": address})
        if time.monotonic() > end:
            break
    time.sleep(2)


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
    attack.__name__: attack for attack in (pings, lines, long_line, half_sent, masters, malformed, undoing, steps)
}


# --- the victim ---


def _open(address: str) -> str:
    return Visitor(address).open(game="azul", **{"seat-0": "me", "seat-1": "me"})


async def _victim(address: str, table: str, cookies: str, end: float) -> list[float]:
    """Seconds of each wait: for what happened at a table, and for a page, in turn."""
    waits = []
    place = f"{address.replace('http', 'ws', 1)}/tables/{table}/socket?layout=wide"
    async with (
        connect(place, additional_headers={"cookie": cookies}, max_size=None) as made,
        httpx.AsyncClient(base_url=address, timeout=60) as client,
    ):
        await made.recv()
        while time.monotonic() < end:
            begun = time.perf_counter()
            await made.send('{"id": 1, "command": {"type": "since", "number": 1000000}}')
            await made.recv()
            waits.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            await client.get("/ready")
            waits.append(time.perf_counter() - begun)
            await asyncio.sleep(0.25)
    return waits


async def _victims(address: str, tables: list[tuple[str, str]], seconds: float) -> list[float]:
    end = time.monotonic() + seconds
    found = await asyncio.gather(*[_victim(address, table, cookies, end) for table, cookies in tables])
    return sorted(wait for waits in found for wait in waits)


def measure(names: list[str]) -> dict[str, tuple[float, float, float]]:
    """By attack: the victim's 99th percentile calm and attacked, in ms, and the server's processor seconds."""
    result = {}
    with tempfile.TemporaryDirectory(prefix="azulejos-attacks-") as data:
        server = Running(Path(data), "--limit=posts=0")
        try:
            server.wait_until_ready()
            tables = []
            for _ in range(6):
                ana = Visitor(server.address)
                table = ana.open(game="azul", **{"seat-0": "me", "seat-1": "me"})
                tables.append((table, "; ".join(f"{name}={value}" for name, value in ana.http.cookies.items())))
            _settle(server.process.pid)
            asyncio.run(_victims(server.address, tables, 6))  # everything has been done once
            for name in names:
                calm = asyncio.run(_victims(server.address, tables, 4))
                attacker = multiprocessing.get_context("spawn").Process(target=ATTACKS[name], args=(server.address,))
                attacker.start()
                used = _processor(server.process.pid)
                time.sleep(1.5)  # its interpreter starts
                waits = asyncio.run(_victims(server.address, tables, SECONDS - 1))
                attacker.join(SECONDS)
                if attacker.is_alive():
                    attacker.kill()
                used = _processor(server.process.pid) - used
                result[name] = before, during, used = _late(calm), _late(waits), used
                print(f"{name:10} calm {before:7.1f} ms   attacked {during:7.1f} ms   {used:5.2f} s", flush=True)
        finally:
            while Visitor.here:
                Visitor.here.pop().close()
            server.stop()
    return result


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


def _late(waits: list[float]) -> float:
    return 1000 * waits[int(0.99 * (len(waits) - 1))]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="*", choices=[*ATTACKS, []], help="which attacks (default: all)")
    measure(parser.parse_args().name or list(ATTACKS))
    sys.exit(0)
