"""How much a server bears: one process with SQLite on this machine, and everybody who plays at it.

    python bench/server_load.py [--sockets 2000] [--rate 200] [--seconds 20] [--pictures]

Prints, and writes as JSON:
- moves at a fixed rate over many connections: how long until each is acknowledged (it is on disk then), and until
  everybody at the table has it; the server's memory;
- saturation: moves as fast as they are answered, over the same connections;
- the same without connections: commands obeyed and committed by the hall alone, in this process;
- how late the event loop is while two computer players think;
- how long it takes to be back in sync after a connection was dropped.

The players speak the protocol as programs do, without pictures; `--pictures` asks for boards as pages do. Players and
server share the machine's cores, so the figures are those of both together.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

import azulejos
from azulejos.server.hall import Hall
from azulejos.server.limits import Limits
from azulejos.server.storage import SqliteStore
from azulejos.server.thinking import Thinkers
from azulejos.tables import Chair, Play

QUERY = {False: "", True: "?layout=wide&theme=light"}
LIMITS = ["tables", "new-tables", "posts", "sockets", "address-sockets"]


# --- the server ---


@contextlib.contextmanager
def server(data: Path) -> Iterator[tuple[str, int]]:
    """A server of its own; its address and its process."""
    command = [sys.executable, "-m", "azulejos.cli", "serve", "--no-browser", "--port=0", f"--data={data}"]
    process = subprocess.Popen([*command, *(f"--limit={name}=0" for name in LIMITS)], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found
    address = found[0].rstrip("/").replace("localhost", "127.0.0.1")
    try:
        while not all(httpx.get(f"{address}/ready").json().values()):
            time.sleep(0.5)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(60)


def memory(process: int) -> float:
    """Megabytes that a process holds."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def lag(address: str) -> list[tuple[float, int]]:
    """The event loop's lateness so far: how often it was up to so many seconds."""
    text = httpx.get(f"{address}/metrics").text
    found = re.findall(r'azulejos_loop_lag_seconds_bucket\{le="([^"]+)"\} (\d+)', text)
    return [(float(bound.replace("+Inf", "inf")), int(count)) for bound, count in found]


def lag_between(before: list[tuple[float, int]], after: list[tuple[float, int]], share: float) -> float:
    """The bound under which so many of the looks between two moments stayed."""
    counts = [(bound, late - early) for (bound, early), (_, late) in zip(before, after, strict=True)]
    return next(bound for bound, count in counts if count >= share * counts[-1][1])


# --- the players ---


@dataclass
class Times:
    """Seconds until a move was acknowledged, and until another connection had heard of it."""

    acknowledged: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    begun: dict[tuple[str, int], float] = field(default_factory=dict)


class _Now(msgspec.Struct):
    number: int
    position: int
    turn: int | None
    phase: str
    actions: list[str] = []


class _Told(msgspec.Struct):
    number: int


class _Message(msgspec.Struct):
    type: str
    id: int = 0
    number: int = 0
    now: _Now | None = None
    events: list[_Told] = []


_read = msgspec.json.Decoder(_Message).decode


class Seat:
    """One of two connections to a table that one visitor plays alone."""

    def __init__(self, table: str, socket: ClientConnection, times: Times) -> None:
        self.table, self.socket, self.times = table, socket, times
        self.now: _Now | None = None
        self.sent = 0
        self.answers: dict[int, asyncio.Future[_Message]] = {}
        self.ready = asyncio.Event()

    async def read(self) -> None:
        async for text in self.socket:
            message = _read(text)
            if message.now:
                self.now = message.now
                self.ready.set()
                for told in message.events:
                    if begun := self.times.begun.pop((self.table, told.number), None):
                        self.times.heard.append(time.perf_counter() - begun)
            if message.id in self.answers:
                self.answers.pop(message.id).set_result(message)

    async def play(self, chooser: random.Random) -> bool:
        """Make a move; was there one to make?"""
        now = self.now
        if now is None or now.phase != "playing" or not now.actions:
            return False
        self.sent += 1
        answer = self.answers[self.sent] = asyncio.get_running_loop().create_future()
        move = {"type": "play", "seat": now.turn, "action": chooser.choice(now.actions), "position": now.position}
        begun = self.times.begun[self.table, now.number + 1] = time.perf_counter()
        await self.socket.send(json.dumps({"id": self.sent, "command": move}))
        done = await answer
        self.times.acknowledged.append(time.perf_counter() - begun)
        assert done.type == "done", done
        while self.now is now:  # the acknowledgement and the news come in either order
            await asyncio.sleep(0.001)
        return True


@dataclass
class Table:
    """A table with one who moves and one who hears of it."""

    name: str
    mover: Seat
    other: Seat


async def open_tables(address: str, tables: int, pictures: bool, times: Times, readers: set[Any]) -> list[Table]:
    """So many tables, each with two connections of the visitor who holds both seats."""
    async with httpx.AsyncClient(base_url=address, headers={"origin": address}) as visitor:
        await visitor.get("/")
        cookie = f"azulejos={visitor.cookies['azulejos']}"
        gate = asyncio.Semaphore(20)

        async def one() -> Table:
            async with gate:
                form = {"game": "azul", "seat-0": "me", "seat-1": "me"}
                answer = await visitor.post("/tables", data=form)
                name = answer.headers["location"].rsplit("/", 1)[1]
                place = f"{address.replace('http', 'ws', 1)}/tables/{name}/socket{QUERY[pictures]}"
                seats = []
                for _ in range(2):
                    socket = await connect(
                        place,
                        additional_headers={"cookie": cookie},
                        compression=None,
                        max_size=None,
                        ping_interval=None,
                    )
                    seat = Seat(name, socket, times)
                    readers.add(asyncio.create_task(seat.read()))
                    await seat.ready.wait()
                    seats.append(seat)
                return Table(name, *seats)

        return list(await asyncio.gather(*(one() for _ in range(tables))))


# --- what is measured ---


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """In milliseconds."""
    ordered = sorted(seconds)
    pick = {"median": 0.5, "95 %": 0.95, "99 %": 0.99}
    return {name: round(1000 * ordered[int(share * (len(ordered) - 1))], 1) for name, share in pick.items()}


async def at_a_rate(tables: list[Table], times: Times, rate: float, seconds: float) -> dict[str, Any]:
    """Moves at moments that do not wait for each other, each at a table chosen at random."""
    chooser, begun = random.Random(1), time.perf_counter()
    busy: set[str] = set()
    tasks: set[asyncio.Task[Any]] = set()

    async def move(table: Table) -> None:
        busy.add(table.name)
        await table.mover.play(chooser)
        busy.discard(table.name)

    due, made = begun, 0
    while time.perf_counter() - begun < seconds:
        due += chooser.expovariate(rate)
        await asyncio.sleep(max(0, due - time.perf_counter()))
        table = chooser.choice(tables)
        if table.name not in busy:
            made += 1
            tasks.add(asyncio.create_task(move(table)))
    await asyncio.wait(tasks, timeout=30)
    took = time.perf_counter() - begun
    return {
        "moves": made,
        "a second": round(made / took, 1),
        "acknowledged, ms": percentiles(times.acknowledged),
        "heard by the other, ms": percentiles(times.heard),
    }


async def saturate(tables: list[Table], times: Times, seconds: float) -> dict[str, Any]:
    """Every table moves as soon as it has its answer."""
    times.acknowledged.clear()
    end = time.perf_counter() + seconds

    async def go(table: Table, seed: int) -> int:
        chooser, moves = random.Random(seed), 0
        while time.perf_counter() < end and await table.mover.play(chooser):
            moves += 1
        return moves

    begun = time.perf_counter()
    moves = sum(await asyncio.gather(*(go(table, seed) for seed, table in enumerate(tables))))
    took = time.perf_counter() - begun
    return {
        "tables": len(tables),
        "moves a second": round(moves / took),
        "acknowledged, ms": percentiles(times.acknowledged),
    }


async def hall_alone(folder: Path, tables: int, seconds: float) -> dict[str, Any]:
    """Rules, log and commits, and nobody who is told."""
    hall = Hall(SqliteStore(folder / "alone.sqlite"), Thinkers(1), limits=Limits(tables=0, new_tables=0))
    for ready in hall.ready.values():
        ready.set()
    game, took = azulejos.make("azul"), list[float]()
    opened = [await hall.open(game, [Chair("a", "ana"), Chair("b", "ana")]) for _ in range(tables)]
    end = time.perf_counter() + seconds

    async def go(name: str, seed: int) -> None:
        live, chooser = await hall.find(name), random.Random(seed)
        assert live
        while time.perf_counter() < end and (turn := live.table.turn) is not None:
            action = str(chooser.choice(list(live.table.state.actions)))
            begun = time.perf_counter()
            await hall.obey(live, Play(turn, action, live.table.position), "ana")
            took.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    await asyncio.gather(*(go(table.id, seed) for seed, table in enumerate(opened)))
    rate = len(took) / (time.perf_counter() - begun)
    await hall.close()
    return {"tables": tables, "moves a second": round(rate), "committed, ms": percentiles(took)}


async def come_back(address: str, tables: list[Table], pictures: bool) -> dict[str, Any]:
    """Drop a connection without a word, and see how long it takes to have the table again."""
    took = []
    for table in tables:
        table.other.socket.transport.abort()
        begun = time.perf_counter()
        place = f"{address.replace('http', 'ws', 1)}/tables/{table.name}/socket{QUERY[pictures]}"
        async with connect(place, compression=None, max_size=None) as socket:
            while _read(await socket.recv()).type != "table":
                pass
        took.append(time.perf_counter() - begun)
    return {"connections": len(took), "back in sync, ms": percentiles(took)}


async def while_thinking(address: str, seconds: float) -> dict[str, Any]:
    """Two searching players play each other, twice."""
    async with httpx.AsyncClient(base_url=address, headers={"origin": address}) as visitor:
        await visitor.get("/")
        before = lag(address)
        for _ in range(2):
            await visitor.post("/tables", data={"game": "azul", "seat-0": "search", "seat-1": "search"})
        await asyncio.sleep(seconds)
        after = lag(address)
    return {"99 % up to, ms": 1000 * lag_between(before, after, 0.99), "looks": after[-1][1] - before[-1][1]}


async def measure(chosen: argparse.Namespace, address: str, process: int) -> dict[str, Any]:
    times, readers = Times(), set[Any]()
    figures: dict[str, Any] = {"cores": os.cpu_count(), "load before": round(os.getloadavg()[0], 1)}
    figures["thinking"] = await while_thinking(address, min(chosen.seconds, 15))
    figures["memory at first, MB"] = round(memory(process))
    begun = time.perf_counter()
    tables = await open_tables(address, chosen.sockets // 2, chosen.pictures, times, readers)
    figures["sockets"] = 2 * len(tables)
    figures["connecting, s"] = round(time.perf_counter() - begun, 1)
    early = lag(address)
    figures["at a rate"] = await at_a_rate(tables, times, chosen.rate, chosen.seconds)
    figures["at a rate"]["event loop late, 99 % up to, ms"] = 1000 * lag_between(early, lag(address), 0.99)
    figures["memory, MB"] = round(memory(process))
    figures["saturation"] = await saturate(tables, times, min(chosen.seconds, 10))
    figures["memory after, MB"] = round(memory(process))
    figures["coming back"] = await come_back(address, tables[:100], chosen.pictures)
    for reader in readers:
        reader.cancel()
    return figures


def run(work: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
    """On the same kind of event loop as the server."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=200.0, help="moves a second")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--pictures", action="store_true", help="ask for boards, as pages do")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the figures go")
    chosen = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 3 * chosen.sockets + 200), hard), hard))
    with tempfile.TemporaryDirectory(prefix="azulejos-load-") as data, server(Path(data)) as (address, process):
        figures = run(measure(chosen, address, process))
    with tempfile.TemporaryDirectory(prefix="azulejos-load-") as data:
        figures["without connections"] = run(hall_alone(Path(data), 400, min(chosen.seconds, 5)))
    text = json.dumps(figures, indent=2)
    print(text)
    if chosen.json:
        chosen.json.write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
