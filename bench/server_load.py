"""How much a server bears: one process with SQLite on this machine, and everybody who plays at it.

    python bench/server_load.py [--sockets 2000] [--rate 200] [--seconds 20] [--pictures] [--game azul]
    python bench/server_load.py --stored 10000
    python bench/server_load.py --idle 1000
    python bench/server_load.py --processes 4
    python bench/server_load.py --against OLD/src [--game azul]

Prints, and writes as JSON:
- moves at a fixed rate over many connections: how long until each is acknowledged (it is on disk then), and until
  everybody at the table has it; the server's memory;
- saturation: moves as fast as they are answered, over the same connections;
- the same without connections: commands obeyed and committed by the hall alone, in this process;
- how late the event loop is while two computer players think;
- how long it takes to be back in sync after a connection was dropped.

`--stored`: only how long a server takes to be ready that has so many tables, and one that has none. `--idle`: only what
a socket costs that nobody uses, of a program and of a page. `--processes`: only saturation of one process, and of as
many, over PostgreSQL and behind nginx as in `deploy/`. Where there are fewer cores than processes, compare the servers'
processor time a move, best at a rate that is the same for each process: moves that come together share work. The
longest wait shows whether processes hold each other up. `--against`: saturation with pictures of this version and of
another source tree, in turns, and how many times as many moves this one makes: machines differ, and load.

At each table two people play, each with a connection and a cookie of their own. They speak the protocol as programs do,
without pictures; `--pictures` asks for boards as pages do, compressed. Players and server share the machine's cores, so
the figures are those of both together.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec
import uvloop

import azulejos
from azulejos.server.live.hall import Hall
from azulejos.server.live.limits import Limits
from azulejos.server.live.thinking import Thinkers
from azulejos.server.storage import Change, SqliteStore, Summary
from azulejos.tables import Chair, Play
from azulejos.tables import Table as Table_

ROOT = Path(__file__).parents[1]
QUERY = {False: "", True: "?layout=wide&theme=light&patches=1"}
T = TypeVar("T")
TABLES = 200  # of each of several processes: enough games to last
RATE = 100  # moves a second of each of them, at which they do not wait for processors
WARM = 2.0  # seconds in which everything is loaded
KNOWN = 32.0  # seconds after which a process knows that nobody else has its tables
PARTS = 8  # of the time of moves at a rate
TURNS = 3  # of two versions
LIMITS = ["tables", "new-tables", "posts", "requests", "sockets", "address-sockets"]


# --- the server ---


@contextlib.contextmanager
def server(data: Path, *options: str, source: Path | None = None) -> Iterator[tuple[str, int]]:
    """A server of its own, of another source tree where one is given; its address and its process."""
    command = [sys.executable, "-m", "azulejos.cli", "serve", "--no-browser", "--port=0", "--drain=0", f"--data={data}"]
    environment = {**os.environ, "PYTHONPATH": str(source.resolve())} if source else None
    known = (source / "azulejos/server/live/limits.py").read_text() if source else ""  # an older one has fewer limits
    limits = [name for name in LIMITS if not source or f"{name.replace('-', '_')}:" in known]
    options = (*options, *(f"--limit={name}=0" for name in limits))
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found
    address = found[0].rstrip("/").replace("localhost", "127.0.0.1")
    try:
        while not all(httpx.get(f"{address}/ready").json().values()):
            time.sleep(0.02)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(60)


@contextlib.contextmanager
def deployment(count: int) -> Iterator[tuple[str, list[int]]]:
    """Several servers over one PostgreSQL, behind nginx; the address, and the processes of the servers."""
    sys.path.insert(0, str(ROOT))
    from tests.server.postgres import free_port, running

    with contextlib.ExitStack() as held:
        database = f"--database={held.enter_context(running()).fresh()}"
        folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="azulejos-load-")))
        servers = [held.enter_context(server(folder, database)) for _ in range(count)]
        text, port = (ROOT / "deploy" / "nginx.conf").read_text(), free_port()
        places = "".join(f"    server {address.removeprefix('http://')};\n" for address, _process in servers)
        text = re.sub(r"(    server 127\.0\.0\.1:\d+ .*\n)+", places, text)
        text = re.sub(r"    (ssl_|access_log|add_header).*\n", "", text)
        text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port}").replace("keepalive 32;", "keepalive 256;")
        around = f"daemon off; pid {folder}/pid; error_log {folder}/log; events {{ worker_connections 8192; }}"
        (folder / "nginx.conf").write_text(f"{around} http {{ access_log off; {text} }}")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        nginx = subprocess.Popen([program, "-p", str(folder), "-c", str(folder / "nginx.conf")])
        held.callback(nginx.wait, 30)
        held.callback(nginx.terminate)
        address = f"http://127.0.0.1:{port}"
        while True:
            with contextlib.suppress(httpx.TransportError):
                httpx.get(address)
                break
            time.sleep(0.05)
        yield address, [process for _address, process in servers]


def memory(process: int) -> dict[str, int]:
    """Megabytes that a process holds: all that is resident, and its share of it where others hold the same."""
    text = Path(f"/proc/{process}/smaps_rollup").read_text()
    return {name: round(int(re.findall(rf"{name}:\s+(\d+) kB", text)[0]) * 1024 / 1e6) for name in ("Rss", "Pss")}


def cpu(process: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def waited_for_processors(process: int) -> float:
    """Seconds for which the first thread of a process, and this one, could have run while something else did."""
    files = (f"/proc/{process}/task/{process}/schedstat", "/proc/self/schedstat")
    return sum(int(Path(file).read_text().split()[1]) for file in files) / 1e9


def lag(address: str) -> list[tuple[float, int]]:
    """The histogram of the event loop's lag so far."""
    text = httpx.get(f"{address}/metrics").text
    found = re.findall(r'azulejos_loop_lag_seconds_bucket\{le="([^"]+)"\} (\d+)', text)
    return [(float(bound.replace("+Inf", "inf")), int(count)) for bound, count in found]


def lag_between(before: list[tuple[float, int]], after: list[tuple[float, int]], share: float) -> float:
    """The quantile of the lag between two readings."""
    counts = [(bound, late - early) for (bound, early), (_, late) in zip(before, after, strict=True)]
    return next(bound for bound, count in counts if count >= share * counts[-1][1])


# --- the players ---


@dataclass
class Times:
    """Seconds until a move was acknowledged, and until the other player had heard of it."""

    acknowledged: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)


class _SeatView(msgspec.Struct):
    invitation: str | None = None


class _Now(msgspec.Struct):
    number: int
    position: int
    turn: int | None
    phase: str
    seats: list[_SeatView]
    actions: list[str] = []


class _Message(msgspec.Struct):
    type: str
    id: int = 0
    now: _Now | None = None


_read = msgspec.json.Decoder(_Message).decode
_CLOSE, _PING, _PONG, _TEXT, _FIN, _MASKED = 8, 9, 10, 1, 0x80, 0x80
_COMPRESSED, _FLUSHED = 0x40, b"\0\0\xff\xff"
_NO_MASK = bytes(4)  # frames from a client are masked; with nothing, here


def _frame(kind: int, payload: bytes) -> bytes:
    length = len(payload)
    size = bytes([_MASKED | length]) if length < 126 else bytes([_MASKED | 126]) + length.to_bytes(2)
    return bytes([_FIN | kind]) + size + _NO_MASK + payload


class Socket(asyncio.Protocol):
    """A WebSocket that costs little, so that the server has a core for itself."""

    def __init__(self, place: str, cookie: str) -> None:
        self.place, self.cookie = place, cookie
        self.buffer = b""
        self.inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        self.open = False
        self.lost = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        url = urlsplit(self.place)
        head = [
            f"GET {url.path}?{url.query} HTTP/1.1",
            f"Host: {url.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            f"Cookie: {self.cookie}",
            *(["Sec-WebSocket-Extensions: permessage-deflate"] if "layout" in url.query else []),
        ]
        transport.write("\r\n".join([*head, "", ""]).encode())

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open:
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101 "), head
            self.open, self.buffer = True, rest
        at = 0
        while (found := self._split(at)) is not None:
            start, at = found
            kind = self.buffer[start[0]] & 15
            payload = self.buffer[start[1] : at]
            if kind == _TEXT:
                packed = self.buffer[start[0]] & _COMPRESSED
                self.received(self.inflater.decompress(payload + _FLUSHED) if packed else payload)
            elif kind == _PING:
                self.transport.write(_frame(_PONG, payload))
            else:
                assert kind == _CLOSE, kind
                self.transport.abort()
        self.buffer = self.buffer[at:]

    def _split(self, at: int) -> tuple[tuple[int, int], int] | None:
        """Where the frame at a place begins, where its contents do, and where it ends; None if it is not whole."""
        buffer = self.buffer
        if len(buffer) < at + 2:
            return None
        begin, length = at + 2, buffer[at + 1]
        if length >= 126:
            begin += 2 if length == 126 else 8
            length = int.from_bytes(buffer[at + 2 : begin])
        return ((at, begin), begin + length) if len(buffer) >= begin + length else None

    def received(self, text: bytes) -> None:
        raise NotImplementedError

    def send(self, message: Any) -> None:
        self.transport.write(_frame(_TEXT, msgspec.json.encode(message)))


class Seat(Socket):
    """One of the two players at a table, with a connection of their own."""

    def __init__(self, place: str, cookie: str, table: "Table") -> None:
        super().__init__(place, cookie)
        self.table = table
        self.now: _Now | None = None
        self.seated = asyncio.get_running_loop().create_future()
        self.sent = 0
        self.answered = True

    def received(self, text: bytes) -> None:
        message = _read(text)
        if message.now:
            self.now = message.now
            if not self.seated.done():
                self.seated.set_result(None)
            if message.type == "events":
                self.table.heard(self)
        if message.id and message.id == self.sent:
            assert message.type == "done", text
            self.answered = True
            self.table.acknowledged(self)

    def ask(self, **command: Any) -> None:
        self.sent += 1
        self.answered = False
        self.send({"id": self.sent, "command": command})


class Table:
    """Two players who move at random. `then`: what is to be done when both know of a move."""

    def __init__(self, name: str, times: Times, seed: int) -> None:
        self.name, self.times = name, times
        self.chooser = random.Random(seed)
        self.players: list[Seat] = []
        self.mover: Seat | None = None
        self.number = 0
        self.begun = 0.0
        self.moves = 0
        self.then: Callable[[Table], None] | None = None

    def move(self) -> bool:
        """The seat to act moves; False if nobody can, or a move is under way."""
        if self.mover:
            return False
        for player in self.players:
            now = player.now
            if now and now.actions and now.phase == "playing":
                self.mover, self.number, self.begun = player, now.number + 1, time.perf_counter()
                player.ask(type="play", seat=now.turn, action=self.chooser.choice(now.actions), position=now.position)
                return True
        return False

    def acknowledged(self, player: Seat) -> None:
        if player is self.mover:
            self.moves += 1
            self.times.acknowledged.append(time.perf_counter() - self.begun)
            self.perhaps_go_on()

    def heard(self, player: Seat) -> None:
        if self.mover and player is not self.mover and player.now and player.now.number == self.number:
            self.times.heard.append(time.perf_counter() - self.begun)
        self.perhaps_go_on()

    def perhaps_go_on(self) -> None:
        """When the move is acknowledged and both have the position after it."""
        if self.mover and self.mover.answered and all(p.now and p.now.number >= self.number for p in self.players):
            self.mover = None
            if self.then:
                self.then(self)


class Players:
    """Everybody who plays at the server."""

    def __init__(self, address: str, pictures: bool, game: str = "azul") -> None:
        self.address, self.pictures, self.game = address, pictures, game
        self.times = Times()
        self.tables: list[Table] = []
        self.cookies: list[str] = []

    async def sit(self, table: Table, cookie: str) -> Seat:
        """Connect to a table, and have it."""
        host, port = self.address.removeprefix("http://").split(":")
        place = f"{self.address}/tables/{table.name}/socket{QUERY[self.pictures]}"
        loop = asyncio.get_running_loop()
        _transport, seat = await loop.create_connection(lambda: Seat(place, cookie, table), host, int(port))
        await seat.seated
        return seat

    def go(self) -> None:
        for table in self.tables:
            for player in table.players:
                player.transport.abort()

    async def come(self, tables: int) -> None:
        """This many tables, each with two people who have a connection each."""
        async with contextlib.AsyncExitStack() as stack:
            people = []
            for _ in range(2):
                client = httpx.AsyncClient(base_url=self.address, headers={"origin": self.address})
                people.append(await stack.enter_async_context(client))
                await people[-1].get("/")
                self.cookies.append(f"azulejos={people[-1].cookies['azulejos']}")
            gate = asyncio.Semaphore(20)

            async def one(seed: int) -> Table:
                async with gate:
                    answer = await people[0].post(
                        "/tables", data={"game": self.game, "seat-0": "me", "seat-1": "friend"}
                    )
                    table = Table(answer.headers["location"].rsplit("/", 1)[1], self.times, seed)
                    for cookie in self.cookies:
                        table.players.append(await self.sit(table, cookie))
                    first, second = table.players
                    assert first.now
                    second.ask(type="sit", seat=1, name="b", invitation=first.now.seats[1].invitation)
                    while any(not player.now or player.now.phase != "playing" for player in table.players):
                        await asyncio.sleep(0.005)
                    return table

            self.tables = list(await asyncio.gather(*(one(seed) for seed in range(tables))))


# --- what is measured ---


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """In milliseconds."""
    ordered = sorted(seconds)
    pick = {"median": 0.5, "95 %": 0.95, "99 %": 0.99}
    return {name: round(1000 * ordered[int(share * (len(ordered) - 1))], 1) for name, share in pick.items()}


async def at_a_rate(players: Players, rate: float, seconds: float) -> dict[str, Any]:
    """Moves at moments that do not wait for each other, each at a table chosen at random."""
    chooser, begun, times = random.Random(1), time.perf_counter(), players.times
    due = begun
    while time.perf_counter() - begun < seconds:
        due += chooser.expovariate(rate)
        await asyncio.sleep(max(0, due - time.perf_counter()))
        chooser.choice(players.tables).move()
    while any(table.mover for table in players.tables) and time.perf_counter() - begun < seconds + 30:
        await asyncio.sleep(0.01)
    return {
        "moves": len(times.acknowledged),
        "a second": round(len(times.acknowledged) / (time.perf_counter() - begun), 1),
        "acknowledged, ms": percentiles(times.acknowledged),
        "heard by the other, ms": percentiles(times.heard),
    }


async def in_the_quietest(players: Players, process: int, rate: float, seconds: float) -> dict[str, Any]:
    """The same in parts: the one in which the rest of the machine took least from server and players."""
    found = list[tuple[float, dict[str, Any]]]()
    for _ in range(PARTS):
        for kind in (players.times.acknowledged, players.times.heard):
            kind.clear()
        used, waited, begun = cpu(process), waited_for_processors(process), time.perf_counter()
        figures = await at_a_rate(players, rate, seconds / PARTS)
        took = time.perf_counter() - begun
        figures["server's processor time, share of a core"] = round((cpu(process) - used) / took, 2)
        lost = round((waited_for_processors(process) - waited) / took, 3)
        figures["waiting for a processor, share of the time"] = lost
        found.append((lost, figures))
    return min(found, key=lambda part: part[0])[1]


async def saturate(players: Players, processes: Sequence[int], seconds: float) -> dict[str, Any]:
    """Every table moves as soon as both players know of the last move."""
    for seconds_of_kind in (players.times.acknowledged, players.times.heard):
        seconds_of_kind.clear()
    begun, used, mine = time.perf_counter(), sum(map(cpu, processes)), time.process_time()
    end = begun + seconds

    def go_on(table: Table) -> None:
        if time.perf_counter() < end:
            table.move()

    for table in players.tables:
        table.then = go_on
        table.move()
    await asyncio.sleep(seconds)
    took, moves = time.perf_counter() - begun, len(players.times.acknowledged)
    figures = {
        "tables": len(players.tables),
        "moves a second": round(moves / took),
        "acknowledged, ms": percentiles(players.times.acknowledged),
        "server's processor time a move, us": round(1e6 * (sum(map(cpu, processes)) - used) / moves),
        "players' processor time a move, us": round(1e6 * (time.process_time() - mine) / moves),
    }
    while any(table.mover for table in players.tables) and time.perf_counter() < end + 30:
        await asyncio.sleep(0.01)
    return figures


async def saturation(chosen: argparse.Namespace, address: str, process: int) -> dict[str, Any]:
    """With pictures, after some time in which everything is loaded."""
    players = Players(address, True, chosen.game)
    await players.come(chosen.sockets // 2)
    await saturate(players, [process], WARM)
    figures = await saturate(players, [process], min(chosen.seconds, 10))
    players.go()
    return figures


def against(chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Saturation of this version and of another, in turns; at last how many times as many moves this one makes."""
    rates, costs = list[float](), list[float]()
    for _ in range(TURNS):
        found = list[dict[str, Any]]()
        for source in (None, chosen.against):
            with tempfile.TemporaryDirectory() as data, server(Path(data), source=source) as (address, process):
                found.append(run(saturation(chosen, address, process)))
            yield {"version": str(source or "this"), **found[-1]}
        ours, theirs = found
        rates.append(ours["moves a second"] / theirs["moves a second"])
        cost = "server's processor time a move, us"
        costs.append(theirs[cost] / ours[cost])
    yield {"times the moves a second": rates, "times less processor time a move": costs}


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


async def come_back(players: Players, most: int) -> dict[str, Any]:
    """Drop a connection without a word, and see how long it takes to have the table again."""
    took = []
    for table in players.tables[:most]:
        table.players[1].transport.abort()
        begun = time.perf_counter()
        table.players[1] = await players.sit(table, players.cookies[1])
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


async def idle_sockets(address: str, process: int, count: int) -> dict[str, Any]:
    """What a socket costs whose owner only looks on."""
    figures: dict[str, Any] = {"sockets": count}
    for name, pictures in (("program", False), ("page", True)):
        players = Players(address, pictures)
        await players.come(10)
        for table in players.tables:  # what every first one loads
            await players.sit(table, "")
        before = memory(process)["Rss"]
        for k in range(count):
            await players.sit(players.tables[k % 10], "")
        await asyncio.sleep(2)
        figures[f"KiB each, {name}"] = round((memory(process)["Rss"] - before) * 1e6 / 1024 / count, 1)
    return figures


async def _store_tables(folder: Path, tables: int) -> None:
    """Tables at which a round was played, in a store of their own."""
    store, game = SqliteStore(folder / "tables.sqlite"), azulejos.make("azul")
    table = Table_.open("x", game, [Chair("a", "ana"), Chair("b", "ben")], "00" * 32)
    events, chooser = list(table.events), random.Random(1)
    while table.after.turn is not None and len(events) < 20:
        turn, after = table.after.turn, table.after
        play = Play(turn, str(chooser.choice(list(after.state.actions))), after.position)
        table = after.obey(play, after.seats[turn].owner)
        events += table.events
    for first in range(0, tables, 500):
        await asyncio.gather(
            *(
                store.append([Change(1, tuple(events), Summary.of(replace(table.after, id=f"table-{k}")))])
                for k in range(first, min(first + 500, tables))
            )
        )
    await store.close()


def readiness(tables: int) -> dict[str, Any]:
    """Seconds from the start of a server until its rules are ready, without tables and with many; the best of three."""
    figures: dict[str, Any] = {}
    for count in (0, tables):
        with tempfile.TemporaryDirectory(prefix="azulejos-load-") as data:
            run(_store_tables(Path(data), count))
            took = []
            for _ in range(3):
                begun = time.perf_counter()
                with server(Path(data)) as (_address, process):
                    took.append((time.perf_counter() - begun, cpu(process)))
            figures[f"{count} tables, s"] = round(min(took)[0], 2)
            figures[f"{count} tables, processor s"] = round(min(used for _took, used in took), 2)
    return figures


async def in_processes(address: str, processes: Sequence[int], tables: int, seconds: float) -> dict[str, Any]:
    """Saturation, after some time in which everything is loaded."""
    players = Players(address, pictures=False)
    await players.come(tables)
    await saturate(players, processes, WARM)
    await asyncio.sleep(KNOWN)
    for table in players.tables:
        table.then = None
    players.times.acknowledged.clear()
    used = sum(map(cpu, processes))
    moves = (await at_a_rate(players, RATE * len(processes), seconds))["moves"]
    rated = round(1e6 * (sum(map(cpu, processes)) - used) / moves)
    figures = await saturate(players, processes, seconds)
    figures[f"the same at {RATE} moves a second of each process, us"] = rated
    figures["longest, ms"] = round(1000 * max(players.times.acknowledged), 1)
    players.go()
    return figures


async def measure(chosen: argparse.Namespace, address: str, process: int) -> dict[str, Any]:
    players = Players(address, chosen.pictures, chosen.game)
    figures: dict[str, Any] = {"cores": os.cpu_count(), "load before": round(os.getloadavg()[0], 1)}
    figures["memory at first, MB"] = memory(process)
    begun = time.perf_counter()
    await players.come(chosen.sockets // 2)
    figures["sockets"] = 2 * len(players.tables)
    figures["connecting, s"] = round(time.perf_counter() - begun, 1)
    early = lag(address)
    figures["at a rate"] = await in_the_quietest(players, process, chosen.rate, chosen.seconds)
    figures["at a rate"]["event loop late, 99 % up to, ms"] = 1000 * lag_between(early, lag(address), 0.99)
    figures["memory, MB"] = memory(process)
    figures["saturation"] = await saturate(players, [process], min(chosen.seconds, 10))
    figures["memory after, MB"] = memory(process)
    figures["coming back"] = await come_back(players, 100)
    players.go()
    figures["thinking"] = await while_thinking(address, min(chosen.seconds, 15))  # last: these games go on
    return figures


def run(work: Coroutine[Any, Any, T]) -> T:
    """On the same kind of event loop as the server."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=200.0, help="moves a second")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--game", default="azul")
    parser.add_argument("--pictures", action="store_true", help="ask for boards, as pages do")
    parser.add_argument("--stored", type=int, metavar="TABLES", help="measure only how soon such a server is ready")
    parser.add_argument("--idle", type=int, metavar="SOCKETS", help="measure only what idle sockets cost")
    parser.add_argument("--processes", type=int, metavar="NUMBER", help="measure only one process against so many")
    parser.add_argument("--against", type=Path, metavar="SRC", help="measure only saturation, and that of this tree")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the figures go")
    chosen = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = max(chosen.sockets, chosen.idle or 0)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 3 * most + 200), hard), hard))
    if chosen.stored:
        print(json.dumps(readiness(chosen.stored), indent=2))
        return 0
    if chosen.against:
        for figures in against(chosen):
            print(json.dumps(figures), flush=True)
        return 0
    if chosen.processes:
        for count in (1, chosen.processes):
            with deployment(count) as (address, processes):
                figures = run(in_processes(address, processes, TABLES * count, min(chosen.seconds, 10)))
            print(json.dumps({"processes": count, **figures}, indent=2), flush=True)
        return 0
    if chosen.idle:
        with tempfile.TemporaryDirectory(prefix="azulejos-load-") as data, server(Path(data)) as (address, process):
            print(json.dumps(run(idle_sockets(address, process, chosen.idle)), indent=2))
        return 0
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
