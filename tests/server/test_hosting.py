"""What a host has: a page behind a secret, metrics, logs without secrets, and limits that say what they are."""

import json
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

import azulejos as az
from azulejos.core.errors import OptionError
from azulejos.server.live.limits import Connections, Limits, Window

from .client import PATIENCE, Seat, Visitor, get, post
from .conftest import Running

SECRET = "a secret that nobody guesses"
UNIT = Path(__file__).parents[2] / "deploy" / "azulejos@.service"
PROGRAM = "/opt/azulejos/bin/azulejos"


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("hosted")
    (folder / "secret").write_text(f"{SECRET}\n")
    limits = ["--limit=tables=3", "--limit=sockets=2", "--limit=posts=0", "--limit=positions=5"]
    running = Running(folder, f"--admin={folder / 'secret'}", "--log=json", *limits)
    running.wait_until_ready()
    yield running
    running.stop()


@contextmanager
def enter(server: Running, secret: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, headers={"origin": server.address}, timeout=PATIENCE) as client:
        client.post("/admin", data={"secret": secret})
        yield client


def how_it_ends(seat: Seat) -> tuple[int, str]:
    """The code and the words with which the server ends a connection."""
    try:
        while True:
            seat.receive()
    except ConnectionClosed as closed:
        return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (0, "")


# --- the host's page ---


def test_the_hosts_page_needs_the_secret(hosted: Running, server: Running) -> None:
    assert get(f"{server.address}/admin").status_code == 404, "no secret, no page"
    assert post(f"{server.address}/admin", data={"secret": ""}).status_code == 404
    assert "password" in get(f"{hosted.address}/admin").text
    for wrong in ("", "?", f"{SECRET} ", "é"):
        with enter(hosted, wrong) as client:
            assert not client.cookies.get("azulejos-admin")
            assert "password" in client.get("/admin").text
    for cookie in ("", "1.x", "99999999999.0", "9" * 50 + ".0", "²." + "0" * 64):
        held = {b"cookie": f"azulejos-admin={cookie}".encode()}
        answer = get(f"{hosted.address}/admin", headers=held)
        assert "password" in answer.text
        answer = post(
            f"{hosted.address}/admin/close",
            data={"table": "x", "reason": "y"},
            headers=held,
        )
        assert answer.status_code == 404


def test_the_host_sees_tables_and_closes_one(hosted: Running) -> None:
    ana = Visitor(hosted.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me", "name": "<b>Ana"})
    with enter(hosted, SECRET) as host:
        cookie = host.post("/admin", data={"secret": SECRET}).headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert SECRET not in cookie
        page = host.get("/admin").text
        assert table in page
        assert "&lt;b&gt;Ana" in page
        for reason in ("", "x" * 81, "two\nlines"):
            assert host.post("/admin/close", data={"table": table, "reason": reason}).status_code == 400
        assert host.post("/admin/close", data={"table": "nowhere", "reason": "so"}).status_code == 404
        with ana.sit(table) as seat:
            assert host.post("/admin/close", data={"table": table, "reason": "<i>rude"}).status_code == 303
            code, words = how_it_ends(seat)
            assert code == 4410
            assert "<i>rude" in words
        assert host.post("/admin/close", data={"table": table, "reason": "again"}).status_code == 404
    with pytest.raises(ConnectionClosed) as closing, ana.sit(table):
        pass
    assert closing.value.rcvd
    assert closing.value.rcvd.code == 4410
    assert table not in ana.http.get("/tables").text


def test_a_damaged_table_is_named_to_the_host_and_hurts_nobody(hosted: Running) -> None:
    """Its log, or its line in the lists that everybody sees."""
    summary = json.dumps({"id": "b", "game": "azul", "options": {"wall": "of glass"}, "phase": "open", "public": True})
    listed = [summary[:-1] + ', "names": [], "players": [], "owners": [], "turn": null, "scores": []}', "{"]
    with sqlite3.connect(hosted.data / "tables.sqlite", timeout=PATIENCE) as connection:
        sql = "INSERT INTO events (table_id, number, at, data) VALUES (?, 1, 0, '{}')"
        connection.execute(sql, ("damaged",))
        for number, text in enumerate(listed):
            sql = "INSERT INTO tables (id, phase, public, changed, computer, summary) VALUES (?, 'open', 1, 9e9, 0, ?)"
            connection.execute(sql, (f"listed-{number}", text))
    connection.close()
    ana = Visitor(hosted.address)
    assert ana.http.get("/tables/damaged").status_code == 503
    assert ana.http.get("/tables").status_code == 200
    with enter(hosted, SECRET) as host:
        page = host.get("/admin")
        assert page.status_code == 200
        assert "damaged" in page.text
        assert "ValidationError" in page.text
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    with ana.sit(table) as seat:
        assert seat.play()["type"] == "done"


def test_other_sites_cannot_close_tables(hosted: Running) -> None:
    with enter(hosted, SECRET) as host:
        answer = host.post(
            "/admin/close", data={"table": "x", "reason": "y"}, headers={"origin": "http://evil.example"}
        )
        assert answer.status_code == 403


# --- limits ---


def test_a_visitor_has_so_many_tables(hosted: Running) -> None:
    ana = Visitor(hosted.address)
    for _ in range(3):
        ana.open(game="azul", player="random")
    answer = ana.http.post("/tables", data={"game": "azul", "player": "random"}, headers={"origin": hosted.address})
    assert answer.status_code == 429
    assert "3 games" in answer.text


def test_pictures_and_steps_are_counted(hosted: Running) -> None:
    ana, ben = Visitor(hosted.address), Visitor(hosted.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    position = str(az.make("azul").start(seed=1))
    for _ in range(4):
        assert ana.http.get("/draw.svg", params={"position": position}).status_code == 200
    for _ in range(3):
        assert ana.http.get(f"/tables/{table}/steps").status_code == 200, "the same answer counts once"
    assert ana.http.get(f"/tables/{table}/steps/0").status_code == 429
    assert ana.http.get("/draw.svg", params={"position": position}).status_code == 429
    assert ben.http.get("/draw.svg", params={"position": position}).status_code == 200


def test_a_reason_in_any_letters_reaches_those_at_the_table(hosted: Running) -> None:
    ana = Visitor(hosted.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    with enter(hosted, SECRET) as host, ana.sit(table, "?language=uk") as seat:
        assert host.post("/admin/close", data={"table": table, "reason": "ї" * 80}).status_code == 303
        code, words = how_it_ends(seat)
    assert code == 4410
    assert words.startswith("Цей стіл закрито: їїїїї"), "as much as a closing frame holds"


def test_a_visitor_has_so_many_connections(hosted: Running) -> None:
    ana, ben = Visitor(hosted.address), Visitor(hosted.address)
    table = ana.open(game="azul", player="random")
    with ana.sit(table), ana.sit(table):
        with pytest.raises(ConnectionClosed) as closed, ana.sit(table):
            pass
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 4428
        with ben.sit(table) as watching:
            assert watching.now["phase"] == "playing"
    wait_until_all_have_gone(hosted)
    with ana.sit(table):
        pass


def test_connections_of_a_visitor_an_address_and_all_are_limited() -> None:
    connections = Connections(Limits(sockets=2, address_sockets=3, all_sockets=4))
    for visitor, address in (("ana", "a"), ("ana", "a"), ("ben", "a"), ("eva", "b")):
        assert not connections.too_many(visitor, address)
        connections.add(visitor, address)
    assert "2 connections" in connections.too_many("ana", "c")
    assert "your address" in connections.too_many("new", "a")
    assert "full" in connections.too_many("new", "c")
    for visitor, address in (("ana", "a"), ("ana", "a"), ("ben", "a"), ("eva", "b")):
        connections.add(visitor, address, -1)
    assert connections.all == len(connections._visitors) == len(connections._addresses) == 0


def test_a_client_that_does_not_read_is_sent_away(server: Running) -> None:
    """No more waits for it than fits into a short queue: then it has to come again."""
    ana = Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)  # so that little waits in the system
    narrow.connect(("127.0.0.1", httpx.URL(server.address).port))

    def sent_away() -> float:
        return metrics(server).get('azulejos_closed_total{code="4408"}', 0)

    before = sent_away()
    with ana.sit(table, "?layout=wide", narrow):
        for _ in range(300):  # each coming and going is told to everybody
            with ana.sit(table) as quick:
                if quick.now["actions"]:
                    quick.play()
            if sent_away() > before:
                break
    assert sent_away() == before + 1


def test_too_many_forms_from_an_address(tmp_path: Path) -> None:
    window = Window(3, 60)
    assert [window.allows("a") for _ in range(5)] == [True] * 3 + [False] * 2
    assert window.allows("b")
    assert all(Window(0, 60).allows("a") for _ in range(1000))
    small = Window(2, 60, names=10)
    for k in range(1000):
        small.allows(str(k))
    assert len(small._times) == 10


def test_limits_are_read_or_refused() -> None:
    assert Limits.read(["tables=7", "idle-days=0"]) == Limits(tables=7, idle_days=0)
    for nonsense in ("tables", "tables=", "tables=-1", "tables=x", "chairs=1", "=1", "tables=" + "9" * 30):
        with pytest.raises(OptionError, match="no limit"):
            Limits.read([nonsense])


def test_a_body_without_an_end_is_cut_off(server: Running) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(400):
            yield b"x" * 1024

    answer = post(f"{server.address}/records", content=endless())
    assert answer.status_code == 413
    assert post(f"{server.address}/records", content=b"x" * 300_000).status_code == 413


# --- observing ---


def test_metrics_count_what_happens(hosted: Running) -> None:
    ana = Visitor(hosted.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    wait_until_all_have_gone(hosted)
    before = metrics(hosted)
    with ana.sit(table) as seat:
        seat.play()
        seat.ask(type="play", seat=0, action="nonsense", position=-1)
        assert metrics(hosted)["azulejos_sockets"] == before["azulejos_sockets"] + 1
    after = metrics(hosted)
    assert after["azulejos_move_seconds_count"] == before["azulejos_move_seconds_count"] + 1
    assert after['azulejos_tables{phase="playing"}'] >= 1
    assert after["azulejos_loop_lag_seconds_count"] > 0
    assert sum(value for name, value in after.items() if name.startswith("azulejos_refusals_total")) >= 1


def metrics(server: Running) -> dict[str, float]:
    """Every line is a comment or a sample."""
    samples = {}
    for line in get(f"{server.address}/metrics").text.splitlines():
        if not line.startswith("#"):
            found = re.fullmatch(r'([a-z_]+(?:\{[a-z]+="[^"]*"\})?) ([0-9.e+-]+)', line)
            assert found, line
            samples[found[1]] = float(found[2])
    return samples


def wait_until_all_have_gone(server: Running) -> None:
    """Until the server has seen that all connections are closed."""
    end = time.monotonic() + PATIENCE
    while metrics(server)["azulejos_sockets"]:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_metrics_are_not_for_strangers(hosted: Running) -> None:
    forwarded = {"x-forwarded-for": "203.0.113.9"}
    assert get(f"{hosted.address}/metrics", headers=forwarded).status_code == 404
    known = {**forwarded, "authorization": f"Bearer {SECRET}"}
    assert get(f"{hosted.address}/metrics", headers=known).status_code == 200
    assert get(f"{hosted.address}/metrics", headers={**known, "authorization": "Bearer"}).status_code == 404


def test_the_secret_is_guessed_a_few_times_only(hosted: Running) -> None:
    """Whatever address of one network guesses: afterwards even the right secret is of no use for a minute."""
    with httpx.Client(base_url=hosted.address, timeout=PATIENCE) as client:
        for k in range(12):
            guess = {"x-forwarded-for": f"2001:db8::{k:x}", "authorization": f"Bearer guess number {k}"}
            assert client.get("/metrics", headers=guess).status_code == 404
        known = {"x-forwarded-for": "2001:db8::99", "authorization": f"Bearer {SECRET}"}
        assert client.get("/metrics", headers=known).status_code == 404
        assert client.post("/admin", data={"secret": SECRET}, headers=known).status_code == 429
        elsewhere = {**known, "x-forwarded-for": "2001:db8:0:1::1"}
        assert client.get("/metrics", headers=elsewhere).status_code == 200


def test_a_request_without_a_cookie_counts(tmp_path: Path) -> None:
    running = Running(tmp_path, "--limit=requests=2")
    try:
        forwarded = {"x-forwarded-for": "2001:db8::7"}
        answers = [get(f"{running.address}/healthz", headers=forwarded).status_code for _ in range(20)]
        assert answers == [200] * 16 + [429] * 4
    finally:
        running.stop()


def test_the_server_answers_under_its_own_names_only(tmp_path: Path) -> None:
    """Also to sockets: a stranger's name for this address would be the same origin to a browser."""
    running = Running(tmp_path, "--allow-host=play.example", "--allow-host=localhost", "--allow-host=[::1]")
    try:
        running.wait_until_ready()
        assert get(running.address, headers={"host": "evil.example"}).status_code == 421
        for name in ("play.example", "PLAY.example:8731", "[::1]", "[::1]:8731"):
            assert get(running.address, headers={"host": name}).status_code == 200
        ana = Visitor(running.address.replace("127.0.0.1", "localhost"))
        table = ana.open(game="azul", player="random")
        with ana.sit(table):
            pass
        stranger = Visitor.__new__(Visitor)
        stranger.http, stranger.address = ana.http, ana.address.replace("localhost", "127.0.0.1")
        with pytest.raises(ConnectionClosed) as closed, stranger.sit(table):
            pass
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 4403
    finally:
        running.stop()


def test_health_and_readiness_are_the_truth(tmp_path: Path) -> None:
    running = Running(tmp_path)
    try:
        assert get(f"{running.address}/ready").status_code in (200, 503)
        running.wait_until_ready("duel")
        while get(f"{running.address}/ready").status_code != 200:
            time.sleep(0.1)
        (tmp_path / "tables.sqlite").rename(tmp_path / "elsewhere")
        while get(f"{running.address}/healthz").status_code != 503:
            time.sleep(0.1)
        answer = get(f"{running.address}/ready")
        assert (answer.status_code, set(answer.json().values())) == (503, {False})
        (tmp_path / "elsewhere").rename(tmp_path / "tables.sqlite")
        while get(f"{running.address}/ready").status_code != 200:
            time.sleep(0.1)
    finally:
        running.stop()


def test_browsers_are_told_to_stay_with_tls(server: Running) -> None:
    assert "strict-transport-security" not in get(server.address).headers
    answer = get(server.address, headers={"x-forwarded-proto": "https"})
    assert "max-age" in answer.headers["strict-transport-security"]


def test_a_record_is_no_longer_than_a_play(server: Running) -> None:
    start = az.make("azul").start(seed=1)
    for names, reason in ((["x" * 240_000, "Ben"], "so"), (["Ana", "Ben"], "y" * 70_000)):
        record = az.Record(start, names, date="2026-11-15")
        record.end([0], reason)
        assert post(f"{server.address}/records", content=str(record).encode()).status_code == 400
    record = az.Record(start, ["Ana", "Ben"], date="2026-11-15")
    assert post(f"{server.address}/records", content=str(record).encode()).status_code == 200


def test_logs_are_lines_of_json_without_secrets(tmp_path: Path) -> None:
    """A table is set, played at, and closed by the host; the log says so, and nothing that lets anybody in, or that a
    client can make long by sending nonsense."""
    (tmp_path / "secret").write_text(SECRET)
    command = [sys.executable, "-m", "azulejos.cli", "serve", "--no-browser", "--port=0", "--log=json"]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, f"--data={tmp_path}", f"--admin={tmp_path / 'secret'}"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert process.stdout
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        address = found[0].rstrip("/")
        while not get(f"{address}/ready").json()["azul"]:
            time.sleep(0.1)
        ana = Visitor(address)
        table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "friend"})
        with ana.sit(table) as seat:
            word = seat.now["seats"][1]["invitation"]
            seat.socket.send(b"\xff", text=True)
            assert how_it_ends(seat)[0] == 1007
        with socket.create_connection(("127.0.0.1", httpx.URL(address).port), timeout=PATIENCE) as made:
            made.sendall(b"nonsense\r\n\r\n")
            assert made.recv(100).startswith(b"HTTP/1.1 400")
        with httpx.Client(base_url=address, headers={"origin": address}, timeout=PATIENCE) as host:
            host.post("/admin", data={"secret": SECRET})
            proof = host.cookies["azulejos-admin"]
            assert host.post("/admin/close", data={"table": table, "reason": "rude"}).status_code == 303
        process.terminate()
        process.wait(60)
        process.stdout.close()
    text = (tmp_path / "log").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert {"a table was closed", "draining"} <= {line["message"] for line in lines}
    assert all({"at", "level", "logger", "message"} <= set(line) for line in lines)
    assert all(line["logger"].startswith("azulejos") for line in lines)
    for secret in (SECRET, table, word, proof, ana.http.cookies["azulejos"]):
        assert secret not in text


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    """As it is, but for the program's place, which must exist."""
    text = UNIT.read_text()
    assert PROGRAM in text
    (tmp_path / UNIT.name).write_text(text.replace(PROGRAM, sys.executable))
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / UNIT.name)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {"origin": "http://["}, 400),
        (f"/tables/{'a' * 16}/steps/{'9' * 5000}", {}, 400),
        ("/tables/%00", {}, 404),
        ("/records/%00", {}, 404),
        ("/", {"host": "["}, 200),
    ],
)
def test_nonsense_is_answered_with_the_headers(
    server: Running, path: str, headers: dict[str, str], status: int
) -> None:
    answer = get(server.address + path, headers=headers)
    assert answer.status_code == status
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "permissions-policy" in answer.headers


def test_a_name_is_short_even_where_nobody_sits(server: Running) -> None:
    ana = Visitor(server.address)
    for length, status in ((41, 400), (240_000, 413)):
        form = {"game": "azul", "seat-0": "friend", "seat-1": "friend", "name": "x" * length}
        answer = ana.http.post("/tables", data=form, headers={"origin": server.address})
        assert answer.status_code == status
