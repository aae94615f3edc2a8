"""A visitor without a browser: a cookie, forms, and a socket."""

import json
import socket
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Any, ClassVar

import httpx
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60  # seconds: a busy machine is slow, and no test asserts a time
get, post = partial(httpx.get, timeout=PATIENCE), partial(httpx.post, timeout=PATIENCE)


class Visitor:
    """Somebody with a cookie of their own. `here`: all of them, to be sent home after a test."""

    here: ClassVar[list["Visitor"]] = []

    def __init__(self, address: str) -> None:
        self.here.append(self)
        self.address = address
        self.http = httpx.Client(base_url=address, follow_redirects=False, timeout=PATIENCE)
        self.http.get("/").raise_for_status()

    def open(self, **form: str) -> str:
        """Set a table; its name."""
        answer = self.http.post("/tables", data=form, headers={"origin": self.address})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].rsplit("/", 1)[1]

    def sit(self, table: str, query: str = "", narrow: socket.socket | None = None, **headers: str) -> "Seat":
        """`narrow`: a connection that was made already; nothing is compressed, or read before it is wanted."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = f"{self.address.replace('http', 'ws', 1)}/tables/{table}/socket{query}"
        headers = {"cookie": cookies, **headers}
        how: dict[str, Any] = {"sock": narrow, "compression": None, "max_queue": 1} if narrow else {}
        how |= {"open_timeout": PATIENCE, "max_size": 2**22}
        return Seat(connect(address, additional_headers=headers, **how))

    def close(self) -> None:
        self.http.close()


class Seat:
    """A connection to a table."""

    def __init__(self, connecting: ClientConnection) -> None:
        self.connecting = connecting
        self.number = 0
        self.now: dict[str, Any] = {}
        self.heard: list[dict[str, Any]] = []
        self.times: deque[float] = deque(maxlen=90)

    def __enter__(self) -> "Seat":
        self.socket = self.connecting.__enter__()
        try:
            self.hear("table")
        except BaseException:
            self.connecting.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.connecting.__exit__(kind, error, at)

    def receive(self, timeout: float = PATIENCE) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=timeout))
        self.heard.append(message)
        self.now = message.get("now", self.now)
        return message

    def hear(self, kind: str) -> dict[str, Any]:
        """The next message of a kind."""
        while (message := self.receive())["type"] != kind:
            pass
        return message

    def pace(self) -> None:
        """No more than a table hears: 100 messages in 20 seconds."""
        if len(self.times) == self.times.maxlen:
            time.sleep(max(0, self.times[0] + 20 - time.monotonic()))
        self.times.append(time.monotonic())

    def ask(self, **command: Any) -> dict[str, Any]:
        """Send a command; its answer."""
        self.pace()
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "command": command}))
        while (message := self.receive()).get("id") != self.number:
            pass
        return message

    def play(self, action: str | None = None) -> dict[str, Any]:
        turn = self.now["turn"]
        chosen = action or self.now["actions"][0]
        return self.ask(type="play", seat=turn, action=chosen, position=self.now["position"])

    def wait_for_turn(self) -> bool:
        """Until one of my seats is to act; False if the game is over."""
        while self.now["phase"] == "playing" and not self.now.get("actions"):
            self.receive()
        return bool(self.now["phase"] == "playing")


@contextmanager
def two_people(address: str) -> Iterator[tuple[Visitor, Seat, Seat]]:
    """One who has set a table, their seat, and the seat of a friend who has come by the invitation."""
    ana, ben = Visitor(address), Visitor(address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "friend"})
    with ana.sit(table) as first, ben.sit(table) as second:
        word = first.now["seats"][1]["invitation"]
        assert second.ask(type="sit", seat=1, name="Ben", invitation=word)["type"] == "done"
        for seat in (first, second):
            while seat.now["phase"] == "open":
                seat.receive()
        yield ana, first, second
