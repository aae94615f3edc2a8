"""Several processes over one PostgreSQL, stopped and started without players noticing."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from .client import Seat, Visitor, get
from .conftest import Running
from .postgres import running


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Running]]:
    """Two processes over one database."""
    folder = tmp_path_factory.mktemp("pair")
    with running() as postgres:
        address = postgres.fresh()
        both = Running(folder, f"--database={address}"), Running(folder, f"--database={address}")
        for process in both:
            process.wait_until_ready()
        yield both
        for process in both:
            if process.process.poll() is None:
                process.stop()


def go_to(visitor: Visitor, server: Running) -> Visitor:
    visitor.address = server.address
    return visitor


@contextmanager
def sitting_at_both(pair: tuple[Running, Running]) -> Iterator[tuple[Seat, Seat]]:
    """A visitor with both seats of a table, at either process."""
    one, two = pair
    ana = Visitor(one.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    with ana.sit(table) as first, go_to(ana, two).sit(table) as second:
        yield first, second


def until(seat: Seat, number: int) -> None:
    while seat.now["number"] < number:
        seat.receive()


def test_players_at_two_processes_play_one_game(pair: tuple[Running, Running]) -> None:
    one, two = pair
    ana, ben = Visitor(one.address), Visitor(two.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "friend", "name": "Ana"})
    with ana.sit(table) as first, ben.sit(table) as second:
        word = first.now["seats"][1]["invitation"]
        done = second.ask(type="sit", seat=1, name="Ben", invitation=word)
        assert done["type"] == "done"
        until(first, done["number"])
        assert first.ask(type="sit", seat=1, name="Eve", invitation=word)["reason"] == "taken", "it works once"
        for _ in range(10):
            until(first, done["number"])
            until(second, done["number"])
            actor = first if first.now.get("actions") else second
            done = actor.play()
            assert done["type"] == "done"
        until(first, done["number"])
        until(second, done["number"])
        assert first.now["text"] == second.now["text"]
        while not all(seat["here"] for seat in first.now["seats"]):
            first.receive()
        while not all(seat["here"] for seat in second.now["seats"]):
            second.receive()
        for seat in (first, second):
            told = [one["number"] for heard in seat.heard if heard["type"] == "events" for one in heard["events"]]
            assert told == sorted(set(told)), "each event once and in order"
    with go_to(ana, two).sit(table) as third:
        assert third.now["number"] == done["number"]


def test_the_same_seat_from_two_processes_makes_one_move(pair: tuple[Running, Running]) -> None:
    with sitting_at_both(pair) as (first, second):
        for _ in range(6):
            move = {"type": "play", "seat": first.now["turn"], "position": first.now["position"]}
            same = {**move, "action": first.now["actions"][0]}
            other = {**move, "action": first.now["actions"][-1]}
            answers = [first.ask(**same), second.ask(**same), second.ask(**other)]
            assert [answer["type"] for answer in answers] == ["done", "done", "refused"]
            assert answers[2]["reason"] == "stale"
            assert answers[0]["number"] == answers[1]["number"]
            until(first, answers[0]["number"])
            until(second, answers[0]["number"])


def test_a_process_that_hangs_holds_up_no_other(pair: tuple[Running, Running]) -> None:
    """Also at a table that it holds, and in the middle of what it writes."""
    two = pair[1]
    with sitting_at_both(pair) as (first, second):
        for _ in range(5):
            position = {"seat": second.now["turn"], "position": second.now["position"]}
            second.socket.send(
                json.dumps({"id": 99, "command": {"type": "play", "action": second.now["actions"][0], **position}})
            )
            two.process.send_signal(signal.SIGSTOP)
            while first.play()["type"] != "done":
                assert first.now["number"] > second.now["number"], "the other one came first"
            two.process.send_signal(signal.SIGCONT)
            until(second, first.now["number"])
            until(first, second.now["number"])


def test_a_position_that_people_play_at_one_process_is_refused_at_another(pair: tuple[Running, Running]) -> None:
    one, two = pair
    ana, ben, eve = Visitor(one.address), Visitor(one.address), Visitor(two.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "friend"})
    with ana.sit(table) as first, ben.sit(table) as second:
        word = first.now["seats"][1]["invitation"]
        done = second.ask(type="sit", seat=1, name="Ben", invitation=word)
        until(first, done["number"])
        done = (first if first.now.get("actions") else second).play()
        until(first, done["number"])
        end = time.monotonic() + 60
        while eve.http.get("/position", params={"text": first.now["text"]}).status_code != 400:
            assert time.monotonic() < end, "the other process was not told"
            time.sleep(0.05)


def test_a_process_that_dies_is_survived_by_its_players(pair: tuple[Running, Running]) -> None:
    """The last test of the pair: one is killed. At one table somebody plays on; at the other nobody even looks."""
    one, two = pair
    ana = Visitor(one.address)
    watched = ana.open(game="azul", player="random", name="Ana")
    alone = ana.open(**{"game": "azul", "seat-0": "search", "seat-1": "search"})
    with ana.sit(watched) as seat:
        for _ in range(3):
            seat.wait_for_turn()
            done = seat.play()
        one.kill()
    with go_to(ana, two).sit(watched) as seat:
        assert seat.now["number"] >= done["number"]
        for _ in range(3):
            assert seat.wait_for_turn(), "the computer player goes on at the other process"
            assert seat.play()["type"] == "done"
    reached = number_of(ana, alone)
    while number_of(ana, alone) == reached:
        time.sleep(0.5)


def number_of(visitor: Visitor, table: str) -> int:
    with visitor.sit(table) as seat:
        return int(seat.now["number"])


# --- the end ---


def how_it_ends(seat: Seat) -> int:
    try:
        while True:
            seat.receive()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0


def test_a_server_that_drains_says_so_and_ends_when_told_again(tmp_path: Path) -> None:
    """That it ends by itself, in time, is shown by the deployment's test."""
    server = Running(tmp_path, "--drain=600", "--log=json")
    server.wait_until_ready()
    ana = Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    with ana.sit(table) as seat, ana.sit(table, "?language=uk") as other:
        server.process.terminate()
        assert "restart" in seat.hear("notice")["words"]
        assert "перезапуститься" in other.hear("notice")["words"]
        assert get(f"{server.address}/healthz").status_code == 503
        answer = ana.http.post("/tables", data={"game": "azul"}, headers={"origin": server.address})
        assert answer.status_code == 503
        with pytest.raises(InvalidStatus), ana.sit(table):
            pass
        assert seat.play()["type"] == "done", "those who are here play on"
        server.process.terminate()
        assert how_it_ends(seat) == 1012
    server.process.wait(60)
    assert server.process.stdout
    server.process.stdout.close()


def when_it_is_not_well(address: str) -> httpx.Response:
    """What an address says; the server looks at its store once a second, and remembers that all was well."""
    while (answer := get(address)).status_code == 200:
        pass
    return answer


def test_a_database_that_hangs_is_answered_for(tmp_path: Path) -> None:
    with running() as postgres:
        server = Running(tmp_path, f"--database={postgres.fresh()}")
        server.wait_until_ready()
        ana = Visitor(server.address)
        assert ana.http.get("/tables/%00").status_code == ana.http.get("/records/%00").status_code == 404
        table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
        seats = [ana.sit(table).__enter__() for _ in range(3)]
        main = int((postgres.folder / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        processes = [main, *map(int, children)]
        try:
            for process in processes:
                os.kill(process, signal.SIGSTOP)
            form = {"game": "azul", "player": "random"}
            with ThreadPoolExecutor(8) as pool:  # each waits for some seconds
                post = pool.submit(ana.http.post, "/tables", data=form, headers={"origin": server.address})
                asked = [pool.submit(when_it_is_not_well, f"{server.address}{path}") for path in ("/healthz", "/ready")]
                plays = [pool.submit(seat.play) for seat in seats]
                assert [answer.result().status_code for answer in (post, *asked)] == [503, 503, 503]
                assert [play.result()["reason"] for play in plays] == ["unavailable"] * len(plays)
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)
        while ana.http.get("/healthz").status_code != 200:
            time.sleep(0.1)
        ana.open(**form)
        for seat in seats:
            seat.__exit__(None, None, None)
        server.stop()


def test_a_folder_is_served_once(server: Running) -> None:
    command = [sys.executable, "-m", "azulejos.cli", "serve", "--no-browser", "--port=0", f"--data={server.data}"]
    second = subprocess.run(command, capture_output=True, text=True)
    assert second.returncode == 2
    assert server.address in second.stderr
