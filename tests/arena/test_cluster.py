"""The same contest over a Dask cluster: a scheduler and two workers, processes of their own, one of them killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import azulejos as az
from azulejos.arena import Contest, Entrant, Result, run
from azulejos.arena.workers import cluster
from azulejos.core.errors import OptionError

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own, about its ports and versions


def _start(*words: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-W", "ignore", "-c", "from dask.__main__ import main; main()", *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


@pytest.fixture
def dask(tmp_path: Path) -> "Iterator[tuple[str, list[subprocess.Popen[bytes]]]]":
    """The address of a scheduler, and its two workers."""
    file = tmp_path / "scheduler.json"
    scheduler = _start(
        "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
    )
    workers = [
        _start("worker", "--scheduler-file", str(file), "--no-nanny", "--nthreads", "1", "--no-dashboard")
        for _ in range(2)
    ]
    import json

    try:
        until = time.monotonic() + 60
        while not file.exists() or not file.read_text():
            assert time.monotonic() < until, "no scheduler"
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        with distributed.Client(address) as client:
            client.wait_for_workers(2, timeout=60)
        yield address, workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def test_a_killed_worker_has_its_games_played_again(
    dask: "tuple[str, list[subprocess.Popen[bytes]]]", tmp_path: Path
) -> None:
    address, workers = dask
    contest = Contest(az.make("azul"), tuple(map(Entrant.read, ("search@200", "greedy"))), games=20)
    file = tmp_path / "results.jsonl"
    counts: list[int] = []

    def tell(results: list[Result]) -> None:
        counts.append(len(results))
        if len(results) == 5:
            os.kill(workers[0].pid, signal.SIGKILL)

    with cluster(address) as spread:
        results = run(contest, spread, file, tell=tell)
    assert workers[0].wait(10) == -signal.SIGKILL
    assert workers[1].poll() is None
    assert [result.number for result in results] == list(range(20)), "each game once"
    assert counts == list(range(1, 21))
    assert len(file.read_text().splitlines()) == 21
    alone = run(contest)
    assert [(one.scores, one.winners) for one in results] == [(one.scores, one.winners) for one in alone]


def test_nobody_there() -> None:
    with pytest.raises(OptionError, match="no Dask scheduler answers at nonsense://"), cluster("nonsense://x"):
        pass
