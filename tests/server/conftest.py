"""A real server on loopback, in a process of its own."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .client import Visitor, get


class Running:
    """A server that was started, with its data folder."""

    def __init__(self, data: Path, *options: str) -> None:
        self.data = data
        self.process = subprocess.Popen(
            [sys.executable, "-m", "azulejos.cli", "serve", "--no-browser", "--port=0", f"--data={data}", *options],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"the server did not say where it is: {line!r}"
        self.address = found[0].rstrip("/")

    def wait_until_ready(self, game: str = "azul") -> None:
        end = time.monotonic() + 300
        while not get(f"{self.address}/ready").json()[game]:
            assert time.monotonic() < end, "the rules were not compiled in five minutes"
            time.sleep(0.2)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        assert self.process.stdout
        self.process.stdout.close()

    def kill(self) -> None:
        """As if the machine had lost power."""
        self.process.kill()
        self.process.wait(30)
        assert self.process.stdout
        self.process.stdout.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("data"))
    running.wait_until_ready()
    yield running
    running.stop()


@pytest.fixture(autouse=True)
def send_visitors_home() -> Iterator[None]:
    yield
    while Visitor.here:
        Visitor.here.pop().close()
