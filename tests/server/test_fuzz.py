"""Whatever is sent, the server answers in order: no 5xx, no crash, no word of how it is made."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

import azulejos as az
from azulejos.server.live.messages import AnyCommand

from .client import Seat, Visitor, get

FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
KINDS = [str(kind.__struct_config__.tag) for kind in AnyCommand.__args__]
FIELDS = ["seat", "name", "invitation", "player", "action", "position", "agree", "number", "more"]
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=50),
    st.sampled_from(["greedy", "CR1", "1B2", "<script>alert(1)</script>", "../..", "\u202e", "💥"]),
    st.lists(st.integers(), max_size=3),
)
COMMANDS = st.builds(
    lambda kind, fields: {"type": kind, **fields},
    st.sampled_from(KINDS) | st.text(max_size=8),
    st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6),
)
FRAMES = st.one_of(
    st.builds(lambda id, command: json.dumps({"id": id, "command": command}), VALUES, COMMANDS),
    st.recursive(VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner)).map(
        json.dumps
    ),
    st.text(max_size=200),
)
LEAKS = re.compile(r"Traceback|File \"|site-packages|azulejos/server|sqlite3|msgspec\.")


class Fuzzed:
    """A server without limits, and its log."""

    def __init__(self, folder: Path) -> None:
        limits = [f"--limit={name}=0" for name in ("tables", "new-tables", "posts", "sockets", "address-sockets")]
        command = [sys.executable, "-m", "azulejos.cli", "serve", "--no-browser", "--port=0", "--log=json"]
        self.log = folder / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*command, f"--data={folder}", *limits], stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.process.stdout
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found
        self.address = found[0].rstrip("/")
        self.ana = Visitor(self.address)
        Visitor.here.remove(self.ana)
        self.table = self.ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "friend"})
        self.seat: Seat | None = None
        self.sent = 0

    def speak(self, frame: str) -> None:
        """Over one connection while it lasts, and while it may."""
        if self.seat is None or self.sent >= 90:
            self.hang_up()
            self.seat, self.sent = self.ana.sit(self.table).__enter__(), 0
        self.sent += 1
        self.seat.socket.send(frame)

    def hang_up(self) -> None:
        if self.seat:
            self.seat.__exit__(None, None, None)
        self.seat = None

    def errors(self) -> list[str]:
        return [line for line in self.log.read_text().splitlines() if json.loads(line)["level"] == "error"]

    def end(self) -> None:
        self.hang_up()
        self.ana.close()
        self.process.terminate()
        self.process.wait(60)
        assert self.process.stdout
        self.process.stdout.close()


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzed]:
    started = Fuzzed(tmp_path_factory.mktemp("fuzzed"))
    yield started
    started.end()
    assert started.errors() == []


@FEW
@given(FRAMES)
def test_every_frame_has_an_answer(fuzzed: Fuzzed, frame: str) -> None:
    fuzzed.speak(frame)
    assert fuzzed.seat
    try:
        message = fuzzed.seat.receive()
    except ConnectionClosed as closed:
        fuzzed.seat, code = None, closed.rcvd.code if closed.rcvd else 0
    else:
        code = 0
    if fuzzed.seat is None:
        assert code in (1009, 4400, 4429), "other codes are faults"
        return
    assert message["type"] in ("done", "refused", "events", "table")
    assert not LEAKS.search(json.dumps(message))


GAMES = ["azul", "pavilion", "duel", "chess", "", "../azul"]
FORM = st.fixed_dictionaries(
    {},
    optional={
        "game": st.sampled_from(GAMES) | st.text(max_size=20),
        "players": st.text(max_size=3) | st.sampled_from(["2", "3", "4", "5", "-1"]),
        "name": st.text(max_size=60),
        "seat-0": st.sampled_from(["me", "friend", "greedy", "random", "nobody"]) | st.text(max_size=10),
        "seat-1": st.sampled_from(["me", "friend", "greedy", "random", "nobody"]) | st.text(max_size=10),
        "name-1": st.text(max_size=50),
        "public": st.text(max_size=4),
        "back": st.text(max_size=40),
        "language": st.text(max_size=5),
        "theme": st.text(max_size=5),
        "secret": st.text(max_size=20),
        "reason": st.text(max_size=20),
    },
)
PLACES = ["/tables", "/settings", "/admin", "/admin/close", "/records"]


@FEW
@given(st.sampled_from(PLACES), FORM | st.binary(max_size=300))
def test_every_form_has_an_answer(fuzzed: Fuzzed, place: str, form: dict[str, str] | bytes) -> None:
    headers: dict[str, str] = {"origin": fuzzed.address}
    body: dict[str, Any] = {"content": form} if isinstance(form, bytes) else {"data": _sendable(form)}
    answer = fuzzed.ana.http.post(place, headers=headers, **body)
    assert answer.status_code < 500
    assert not LEAKS.search(answer.text)


def _sendable(form: dict[str, str]) -> dict[str, str]:
    return {name: value.encode("utf-8", "replace").decode() for name, value in form.items()}


KNOWN = [
    *("/", "/tables", "/draw.svg", "/admin", "/ready", "/healthz", "/board.css", "/metrics", "/rules/azul", "/rules/x"),
    *("/tables/{t}", "/tables/{t}/replay", "/tables/{t}/record", "/tables/{t}/steps", "/tables/{t}/steps/0"),
    *("/tables/{t}/steps/99999999999999999999", "/records/x/steps", "/records/x"),
    *("/static/site.css", "/static/../app.py", "/static/%2e%2e/app.py"),
]
ADDRESSES = st.sampled_from(KNOWN) | st.text("abc/.%?#\\é ", max_size=30).map(lambda text: "/" + text)


@FEW
@given(
    ADDRESSES,
    st.dictionaries(st.sampled_from(["layout", "theme", "position", "language"]), st.text(max_size=60), max_size=3),
    st.dictionaries(
        st.sampled_from(["accept-language", "cookie", "range", "if-none-match"]), st.text("a;=q,.-0 1é", max_size=40)
    ),
)
def test_every_address_has_an_answer(
    fuzzed: Fuzzed, address: str, query: dict[str, str], headers: dict[str, str]
) -> None:
    sent = {name.encode(): value.strip().encode() for name, value in headers.items()}
    place = fuzzed.address + address.replace("{t}", fuzzed.table)
    try:
        url = httpx.URL(place, params=_sendable(query)) if query else httpx.URL(place)
    except httpx.InvalidURL:
        return
    answer = get(url, headers=sent)
    assert answer.status_code < 500
    assert not LEAKS.search(answer.text)
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


POSITION = str(az.make("azul").start(seed=1))


def test_a_position_is_drawn(fuzzed: Fuzzed) -> None:
    assert get(f"{fuzzed.address}/draw.svg", params={"position": POSITION}).status_code == 200


@FEW
@given(st.lists(st.tuples(st.integers(0, len(POSITION) - 1), st.characters()), max_size=4), st.text(max_size=8))
def test_every_position_is_drawn_or_refused(fuzzed: Fuzzed, changes: list[tuple[int, str]], theme: str) -> None:
    text = list(POSITION)
    for place, letter in changes:
        text[place] = letter
    query = _sendable({"position": "".join(text), "theme": theme})
    answer = get(f"{fuzzed.address}/draw.svg", params=query)
    assert answer.status_code in (200, 400)
    assert not LEAKS.search(answer.text)
