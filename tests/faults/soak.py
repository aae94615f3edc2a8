"""Everything at once, for a while: is anything that was acknowledged lost, and does memory stay flat?

    python -m tests.faults.soak [--minutes 10] [--people 16] [--bots 6] [--watchers 6]

People play at one screen or against computer players, others watch and leave in the middle of a message. Meanwhile
worker processes and the server itself are killed, one table's log is damaged, and the disk is full for five seconds.
All of it is on 127.0.0.1, at a server that this script started.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import resource
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import httpx
from websockets.exceptions import WebSocketException

from azulejos.core.record import Record
from azulejos.server.storage import FILE, open_store
from azulejos.tables import Phase, Table
from azulejos.tables.events import Played

from ..server.client import Seat, Visitor
from ..server.conftest import Running
from ..server.postgres import free_port

LIMITS = ("tables", "new-tables", "computer-tables", "posts", "requests", "sockets", "address-sockets")
LOST = (WebSocketException, OSError, TimeoutError, httpx.HTTPError, AssertionError, KeyError)
AGAIN = ("unavailable", "restarting", "too many", "stale")  # refusals after which one tries again
WARM = 90.0  # seconds after which a server's caches are full: from then on its memory is compared
FULL = 5.0  # seconds for which the disk is full
DAMAGE = """UPDATE events SET data = json_set(data, '$.action', '?') WHERE table_id = ? AND number =
    (SELECT max(number) FROM events WHERE table_id = ? AND json_extract(data, '$.type') = 'played')"""


class Visiting(threading.Thread):
    """Somebody who comes again whatever happens. `said`: how often what happened."""

    def __init__(self, address: str, seed: int, enough: threading.Event) -> None:
        super().__init__(daemon=True)
        self.address, self.chooser, self.enough = address, random.Random(seed), enough
        self.said, self.wrong = Counter[str](), list[str]()

    def run(self) -> None:
        while not self.enough.is_set():
            try:
                with closing(Visitor(self.address)) as visitor:
                    while not self.enough.is_set():
                        self.visit(visitor)
            except LOST as error:
                self.said[type(error).__name__] += 1
                self.enough.wait(0.3)

    def visit(self, visitor: Visitor) -> None:
        raise NotImplementedError


class Person(Visiting):
    """Opens a table and plays it to its end, then the next. `acknowledged`: moves by table and number."""

    def __init__(self, address: str, seed: int, enough: threading.Event, opponent: str) -> None:
        super().__init__(address, seed, enough)
        self.opponent = opponent
        self.acknowledged: dict[str, dict[int, str]] = {}
        self.table = ""

    def visit(self, visitor: Visitor) -> None:
        game = self.chooser.choice(["azul", "pavilion", "duel"])
        self.table = visitor.open(**{"game": game, "seat-0": "me", "seat-1": self.opponent})
        self.acknowledged[self.table] = {}
        while not self.enough.is_set():
            try:
                with visitor.sit(self.table) as seat:
                    if self.play(seat):
                        return
            except LOST as error:
                self.said[type(error).__name__] += 1
                self.enough.wait(0.3)

    def play(self, seat: Seat) -> bool:
        """Is the game over?"""
        moves = self.acknowledged[self.table]
        if moves and seat.now["number"] < max(moves):
            self.wrong.append(f"{self.table}: {max(moves)} was acknowledged, the table is at {seat.now['number']}")
        while not self.enough.is_set() and seat.wait_for_turn():
            number, action = seat.now["number"], self.chooser.choice(seat.now["actions"])
            answer = seat.play(action)
            if answer["type"] == "done":
                moves[answer["number"]] = action
                while seat.now["number"] <= number:
                    seat.receive()
            elif answer["reason"] in AGAIN:
                self.said[answer["reason"]] += 1
                self.enough.wait(0.2)
            else:
                self.wrong.append(f"{self.table}: {action} was refused: {answer['message']}")
        return bool(seat.now["phase"] == "over")


class Watcher(Visiting):
    """Looks on with pictures for a moment, and leaves, also in the middle of a message."""

    def __init__(self, address: str, seed: int, enough: threading.Event, people: list[Person]) -> None:
        super().__init__(address, seed, enough)
        self.people = people

    def visit(self, visitor: Visitor) -> None:
        if table := self.chooser.choice(self.people).table:
            visitor.http.get(f"/tables/{table}")
            with visitor.sit(table, "?layout=wide&patches=1") as seat:
                end = time.monotonic() + self.chooser.random() * 4
                while time.monotonic() < end and not self.enough.is_set():
                    with contextlib.suppress(TimeoutError):
                        seat.receive(timeout=0.5)
                if self.chooser.random() < 0.5:
                    seat.socket.socket.sendall(b"\x81\xfe\x10")  # the beginning of a frame
                    seat.socket.socket.close()
            self.said["looked on"] += 1
        else:
            self.enough.wait(0.2)


class Soak:
    """A server, those who visit it, and what happens to it."""

    def __init__(self, data: Path, minutes: float) -> None:
        self.data, self.seconds, self.chooser = data, 60 * minutes, random.Random(17)
        self.options = [f"--port={free_port()}", "--workers=2", *(f"--limit={name}=0" for name in LIMITS)]
        self.enough = threading.Event()
        self.did = Counter[str]()
        self.memory: list[tuple[float, int]] = []  # seconds since the start, KiB of the server that lives then
        self.begun = time.monotonic()
        self.started = 0.0  # seconds since then, when the server that lives now was ready
        self.server = self.start()

    def start(self) -> Running:
        server = Running(self.data, *self.options)
        server.wait_until_ready()
        self.started = time.monotonic() - self.begun
        return server

    def workers(self) -> list[int]:
        """The processes that the server has started."""
        pid = self.server.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def kill_a_worker(self) -> None:
        if workers := self.workers():
            os.kill(self.chooser.choice(workers), signal.SIGKILL)
            self.did["workers killed"] += 1

    def kill_the_server(self, damaged: str = "") -> None:
        """`damaged`: a table whose log is damaged meanwhile."""
        workers = self.workers()
        self.server.kill()
        for worker in workers:  # their parent is gone
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        if damaged:
            with closing(sqlite3.connect(self.data / FILE)) as connection, connection:
                assert connection.execute(DAMAGE, (damaged, damaged)).rowcount == 1
                connection.execute("DELETE FROM snapshots WHERE table_id = ?", (damaged,))
        self.server = self.start()
        self.did["servers killed"] += 1

    def fill_the_disk(self) -> None:
        """No file can grow for a while, which is what a full disk is to a process; this needs no rights."""
        pid = self.server.process.pid
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, before[1]))
        end = time.monotonic() + FULL
        while time.monotonic() < end:
            health = httpx.get(f"{self.server.address}/healthz", timeout=60)
            self.did["unhealthy while the disk was full"] += health.status_code == 503
            time.sleep(0.5)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)

    def run(self, people: list[Person]) -> str:
        """All that happens; the table that was damaged."""
        steps = {
            1: "kill",
            2: "damage",
            3: "kill",
            4: "full",
            5: "kill",
        }  # by eighths of the time; then it is left alone
        damaged, eighth, next_worker = "", 0, 0.0
        while (now := time.monotonic() - self.begun) < self.seconds:
            self.enough.wait(min(1, self.seconds / 100))
            status = Path(f"/proc/{self.server.process.pid}/status").read_text()
            self.memory.append((now, int(status.partition("VmRSS:")[2].split()[0])))
            if now > next_worker:
                next_worker = now + self.seconds / 12
                self.kill_a_worker()
            if int(8 * now / self.seconds) > eighth:
                eighth += 1
                match steps.get(eighth):
                    case "kill":
                        self.kill_the_server()
                    case "damage":
                        damaged = next(
                            person.table for person in people if len(person.acknowledged.get(person.table, ())) > 3
                        )
                        self.kill_the_server(damaged)
                    case "full":
                        self.fill_the_disk()
        return damaged


def examine(data: Path, people: list[Person], damaged: str) -> dict[str, int]:
    """Is the store what was acknowledged? Counts of what was looked at."""

    async def look() -> dict[str, int]:
        store = await open_store(data, None)
        found = Counter[str]()
        try:
            for person in people:
                assert not person.wrong, person.wrong
                for name, moves in person.acknowledged.items():
                    if name == damaged:
                        continue
                    log = await store.log(name)
                    assert [line.number for line in log] == list(range(1, len(log) + 1))
                    table = Table.from_events(name, [line.event for line in log])
                    for number, action in moves.items():
                        event = log[number - 1].event
                        assert isinstance(event, Played), f"{name}: {action}, acknowledged as {number}, is lost"
                        assert event.action == action, f"{name}: {number} was {action} and is {event.action}"
                    if table.phase is Phase.OVER:
                        record = Record.parse(await store.record(name) or "")
                        assert record.actions == table.actions, f"{name}: its record has other moves"
                        found["records"] += 1
                    found["tables"] += 1
                    found["acknowledged"] += len(moves)
        finally:
            await store.close()
        return dict(found)

    with closing(sqlite3.connect(data / FILE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return asyncio.run(look())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--people", type=int, default=16)
    parser.add_argument("--bots", type=int, default=6, help="people who play against a computer player")
    parser.add_argument("--watchers", type=int, default=6)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="azulejos-soak-") as folder:
        soak = Soak(Path(folder), chosen.minutes)
        address, enough = soak.server.address, soak.enough
        people = [Person(address, seed, enough, "me") for seed in range(chosen.people)]
        people += [Person(address, 1000 + seed, enough, "beginner") for seed in range(chosen.bots)]
        watchers = [Watcher(address, 2000 + seed, enough, people) for seed in range(chosen.watchers)]
        try:
            for visiting in (*people, *watchers):
                visiting.start()
            damaged = soak.run(people)
            ended = sum(len(moves) for person in people for moves in person.acknowledged.values())
        finally:
            enough.set()
            for visiting in (*people, *watchers):
                visiting.join(60)
        health = httpx.get(f"{soak.server.address}/healthz", timeout=60).text
        soak.server.stop()
        found = examine(Path(folder), people, damaged)
    steady = [size for at, size in soak.memory if at > soak.started + WARM] or [0]
    tenth = max(1, len(steady) // 10)
    first, last = sum(steady[:tenth]) / tenth / 1024, sum(steady[-tenth:]) / tenth / 1024
    said = sum((visiting.said for visiting in (*people, *watchers)), Counter[str]())
    figures = {
        "minutes": chosen.minutes,
        **found,
        "lost": 0,
        "moves a second": round(ended / soak.seconds, 1),
        **soak.did,
        "met by visitors": dict(said.most_common()),
        "health at the end": health,
        "memory of the last server, MB, when it was warm and at the end": [round(first), round(last)],
        "most memory, MB": round(max(size for _at, size in soak.memory) / 1024),
    }
    print(json.dumps(figures, indent=1))
    assert health == "ok"
    assert last < 1.25 * first + 20, "memory is not flat"
    return 0


if __name__ == "__main__":
    sys.exit(main())
