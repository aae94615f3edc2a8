"""Kill a server under load, start it again, and look for acknowledged moves that are lost or doubled.

    python -m tests.faults.kills --kills 20 [--postgres] [--tables 20]

Players move as fast as they are answered, and come back after every kill. Whatever was acknowledged must be in the log
once, with the number it was acknowledged under; every log must be numbered without a gap and be a play that the rules
allow; every summary must say what its log does.
"""

import argparse
import asyncio
import contextlib
import json
import random
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
from websockets.exceptions import WebSocketException

from azulejos.server.storage import FILE, Summary, open_store
from azulejos.tables import Table
from azulejos.tables.events import Played

from ..server.client import Visitor
from ..server.conftest import Running
from ..server.postgres import running

UNLIMITED = [f"--limit={name}=0" for name in ("tables", "new-tables", "posts", "sockets", "address-sockets")]
LOST = (WebSocketException, OSError, TimeoutError)


class Player(threading.Thread):
    """Plays a table alone, for as long as it is told to. `acknowledged`: moves by the number of their event."""

    def __init__(self, visitor: Visitor, table: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.visitor, self.table, self.chooser = visitor, table, random.Random(seed)
        self.acknowledged: dict[int, str] = {}
        self.enough = threading.Event()
        self.wrong: list[str] = []
        self.came_back = 0

    def run(self) -> None:
        while not self.enough.is_set():
            with contextlib.suppress(*LOST):
                self.sit()
            self.came_back += 1
            time.sleep(0.05)

    def sit(self) -> None:
        with self.visitor.sit(self.table) as seat:
            for number, action in self.acknowledged.items():
                if number > seat.now["number"]:
                    self.wrong.append(f"{action}, acknowledged as {number}, is gone")
            while not self.enough.is_set() and seat.wait_for_turn():
                action, number = self.chooser.choice(seat.now["actions"]), seat.now["number"]
                answer = seat.play(action)
                if answer["type"] != "done" or answer["number"] != number + 1:
                    self.wrong.append(f"{action} after {number} was answered {answer['type']} {answer.get('number')}")
                    return
                self.acknowledged[number + 1] = action
                while seat.now["number"] <= number:
                    seat.receive()
            self.enough.set()


def kill_often(data: Path, options: list[str], kills: int, tables: int, seconds: float = 1.0) -> list[Player]:
    """Kill the server under load this many times; the last time it is not restarted."""
    server = Running(data, *options, *UNLIMITED)
    server.wait_until_ready()
    ana, chooser = Visitor(server.address), random.Random(5)
    names = [ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"}) for _ in range(tables)]
    players = [Player(ana, name, seed) for seed, name in enumerate(names)]
    for player in players:
        player.start()
    for number in range(kills):
        before = sum(len(player.acknowledged) for player in players)
        while sum(len(player.acknowledged) for player in players) < before + tables and not all_done(players):
            time.sleep(0.01)
        time.sleep(seconds * chooser.random())
        server.kill()
        if number < kills - 1:
            server = Running(data, *options, *UNLIMITED)
            ana.address = server.address
            server.wait_until_ready()
            ana.http.base_url = server.address
            if all_done(players):  # all games were played out
                for name in [ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"}) for _ in range(tables)]:
                    players.append(Player(ana, name, len(players)))
                    players[-1].start()
    for player in players:
        player.enough.set()
    for player in players:
        player.join(30)
    return players


def all_done(players: list[Player]) -> bool:
    return all(player.enough.is_set() for player in players)


def examine(data: Path, database: str | None, players: list[Player]) -> int:
    """Is the store what was acknowledged? The number of moves that were."""

    async def look() -> int:
        store = await open_store(data, database)
        moves = 0
        try:
            for player in players:
                assert not player.wrong, player.wrong
                log = await store.log(player.table)
                assert [line.number for line in log] == list(range(1, len(log) + 1))
                table = Table.from_events(player.table, [line.event for line in log])
                for number, action in player.acknowledged.items():
                    event = log[number - 1].event
                    assert isinstance(event, Played), f"{action}, acknowledged as {number}, is lost"
                    assert event.action == action, f"{number} was acknowledged as {action} and is {event.action}"
                played = [line for line in log if isinstance(line.event, Played)]
                assert len(played) == len(table.actions) <= len(player.acknowledged) + player.came_back, "doubled"
                moves += len(player.acknowledged)
            summaries = {summary.id: summary for summary in await store.latest_tables(10_000)}
            for player in players:
                table = Table.from_events(player.table, await store.events(player.table))
                listed = summaries[player.table]
                assert listed == msgspec.structs.replace(Summary.of(table), changed=listed.changed)
        finally:
            await store.close()
        return moves

    if database is None:
        with closing(sqlite3.connect(data / FILE)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return asyncio.run(look())


@contextlib.contextmanager
def a_store(postgres: bool) -> Iterator[tuple[Path, str | None]]:
    with tempfile.TemporaryDirectory(prefix="azulejos-kills-") as folder:
        if not postgres:
            yield Path(folder), None
            return
        with running() as started:
            yield Path(folder), started.fresh()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--postgres", action="store_true")
    chosen = parser.parse_args()
    with a_store(chosen.postgres) as (data, database):
        options = [f"--database={database}"] if database else []
        players = kill_often(data, options, chosen.kills, chosen.tables)
        moves = examine(data, database, players)
    figures = {"store": "postgres" if database else "sqlite", "kills": chosen.kills, "acknowledged": moves, "lost": 0}
    print(json.dumps({**figures, "doubled": 0}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
