"""Contests played out: kept, gone on with, spread over processes, cut off."""

import json
import os
import signal
import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

import pytest

import azulejos as az
from azulejos.arena import Contest, Entrant, Result, run
from azulejos.arena.play import play
from azulejos.arena.report import report, summary
from azulejos.arena.result import CUT_OFF, ResultsFile, load
from azulejos.arena.workers import Workers, processes
from azulejos.core.errors import OptionError, ResultsError
from azulejos.core.record import Record


def _contest(games: int = 4, names: tuple[str, ...] = ("greedy", "random"), **options: object) -> Contest:
    return Contest(az.make("azul", **options), tuple(map(Entrant.read, names)), games, most_rounds=8)


def _facts(results: list[Result]) -> list[tuple[object, ...]]:
    """All that does not depend on the clock."""
    return [(result.number, result.seats, result.scores, result.winners, result.ended) for result in results]


def test_paired_deals_with_seats_swapped() -> None:
    contest = _contest()
    first = [Record.parse(play(contest, number)[1]) for number in range(4)]
    starts = [next(record.states()) for record in first]
    assert starts[0] == starts[1] != starts[2] == starts[3]
    assert first[0].names == tuple(reversed(first[1].names))


def test_the_number_of_a_game_says_all_about_it() -> None:
    contest = _contest(names=("search@30", "greedy"))
    assert _facts([play(contest, 3)[0]]) == _facts([play(contest, 3)[0]])


def test_goes_on_from_a_file(tmp_path: Path) -> None:
    contest, file = _contest(6), tmp_path / "results.jsonl"
    told: list[int] = []

    def enough(results: list[Result]) -> bool:
        told.append(len(results))
        return len(results) == 3

    assert len(run(contest, file=file, tell=enough)) == 3
    written = file.read_text()
    file.write_text(written[:-20])  # interrupted in the middle of a line: that game is played again
    again: list[int] = []
    results = run(contest, file=file, tell=lambda results: again.append(len(results)))
    assert again == [2, 3, 4, 5, 6]
    assert [result.number for result in results] == list(range(6))
    assert _facts(results) == _facts(run(contest))
    loaded, kept = load(file)
    assert loaded == contest
    assert kept == results
    run(_contest(8), file=file)  # more games of the same contest
    assert len(load(file)[1]) == 8


def test_refuses_a_file_of_something_else(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    run(_contest(2), file=file)
    with pytest.raises(ResultsError, match="another contest: its entrants"):
        run(_contest(2, ("random", "greedy")), file=file)
    with pytest.raises(ResultsError, match="another contest: its options"):
        run(_contest(2, players=3), file=file)
    for nonsense in ("hello\n", "[1]\n", '{"a": 1}\n'):
        file.write_text(nonsense)
        with pytest.raises(ResultsError, match="something else"):
            ResultsFile(file, _contest(2))


def test_a_contest_given_no_game_yet_can_be_begun_again(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    ResultsFile(file, _contest(2))
    assert len(run(_contest(2), file=file)) == 2
    assert len(file.read_text().splitlines()) == 3


def test_records_on_request(tmp_path: Path) -> None:
    results = run(_contest(2), records=tmp_path / "records")
    files = sorted((tmp_path / "records").iterdir())
    assert len(files) == 2
    for file, result in zip(files, results, strict=True):
        record = Record.load(file)
        assert record.state.scores == result.scores
        assert set(record.names) == {"greedy", "random"}


def test_endless_games_are_cut_off_and_counted_apart() -> None:
    contest = Contest(az.make("azul"), tuple(map(Entrant.read, ("random", "greedy"))), 4, most_rounds=2)
    results = run(contest)
    assert {result.ended for result in results} == {CUT_OFF}
    assert {result.reason for result in results} == {"cut off after 2 rounds"}
    assert {result.winners for result in results} == {()}
    pair = summary(results, contest)["pairs"][0]
    assert (pair["games"], pair["cut_off"]) == (0, 4)
    assert "4 games went on past 2 rounds" in _shown(results, contest)


def _shown(results: list[Result], contest: Contest) -> str:
    from rich.console import Console

    console = Console(width=120)
    with console.capture() as capture:
        console.print(report(results, contest))
    return capture.get()


def test_processes_give_the_same_results() -> None:
    contest = _contest(4)
    with processes(2) as workers:
        assert _facts(run(contest, workers)) == _facts(run(contest))


def test_a_killed_process_has_its_games_played_again() -> None:
    contest = _contest(6, ("search@2000", "greedy"))
    made: list[ProcessPoolExecutor] = []

    def make() -> Executor:
        made.append(ProcessPoolExecutor(1))
        return made[-1]

    workers = Workers(make, 2)
    killed = threading.Event()

    def kill() -> None:
        while not made[0]._processes:
            time.sleep(0.01)
        time.sleep(0.3)
        for process in list(made[0]._processes):
            os.kill(process, signal.SIGKILL)
        killed.set()

    murderer = threading.Thread(target=kill)
    murderer.start()
    try:
        results = run(contest, workers)
    finally:
        murderer.join()
        workers.close()
    assert killed.is_set()
    assert len(made) == 2, "the broken pool was replaced"
    assert [result.number for result in results] == list(range(6))


def test_impossible_processes() -> None:
    with pytest.raises(OptionError, match="-1 processes are not possible"), processes(-1):
        pass


def test_summary_is_data() -> None:
    contest = _contest(4, ("search@20", "greedy", "random"))
    data = json.loads(json.dumps(summary(run(contest), contest)))
    assert len(data["pairs"]) == 3
    assert data["ratings"][0]["name"] == "search@20"
    assert data["entrants"][0]["simulations_a_second"] > 0
