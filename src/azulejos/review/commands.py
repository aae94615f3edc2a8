"""The command `azulejos review`."""

import argparse
import json
import os
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from azulejos.arena.commands import Commands
from azulejos.arena.workers import Workers, cluster, processes
from azulejos.core.errors import AzulejosError, OptionError
from azulejos.core.record import Record

from . import report
from .data import as_data
from .evaluating import USUAL, Thought
from .reviewing import Progress, Review, review


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "review",
        help="what a game was worth: mistakes, accuracy and luck",
        description="Review finished games: what every decision gave away, and what every draw changed.",
    )
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORD", help="files of finished games")
    parser.add_argument(
        "--simulations", type=int, default=USUAL.simulations, metavar="N", help="of the search of each position"
    )
    parser.add_argument("--seed", type=int, default=0, help="other samples for another number")
    parser.add_argument("--json", metavar="FILE", help="write the numbers as data; - prints them")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page; with several records, a folder")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--processes", type=int, metavar="N", help="on this machine (default: one a core)")
    where.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler, whose workers review the games")
    parser.set_defaults(run=_review)


def _review(chosen: argparse.Namespace) -> int:
    if not 100 <= chosen.simulations <= 10_000_000:
        raise OptionError(f"--simulations {chosen.simulations} is not possible: 100 to 10000000 are")
    thought = USUAL.scaled(chosen.simulations)
    records = [_load(path) for path in chosen.records]
    with Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as bar:
        if len(records) == 1 and not chosen.cluster:
            found = [_one(records[0], thought, chosen, bar)]
        else:
            with cluster(chosen.cluster) if chosen.cluster else processes(chosen.processes) as workers:
                found = _many(records, thought, chosen.seed, workers, bar)
    _write(chosen, found)
    return 0


def _load(path: Path) -> Record:
    """The record of a finished game. Raises OptionError that names the file."""
    try:
        record = Record.load(path)
    except AzulejosError as error:
        raise OptionError(f"{path}: {error}") from None
    if record.outcome is None:
        raise OptionError(f"{path}: this game is not finished: a review needs its result")
    return record


def _one(record: Record, thought: Thought, chosen: argparse.Namespace, bar: Bar) -> Review:
    task = bar.add_task("positions", total=None)

    def tell(progress: Progress) -> None:
        bar.update(task, completed=progress.done, total=progress.total)

    return review(record, thought, chosen.processes or os.cpu_count() or 1, chosen.seed, tell)


def _many(records: list[Record], thought: Thought, seed: int, workers: Workers, bar: Bar) -> list[Review]:
    task = bar.add_task("games", total=len(records))
    under_way: dict[Future[Any], int] = {
        workers.submit(_review_text, str(record), thought, seed): number for number, record in enumerate(records)
    }
    found: dict[int, Review] = {}
    while under_way:
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for job in done:
            found[under_way.pop(job)] = job.result()
            bar.advance(task)
    return [found[number] for number in range(len(records))]


def _review_text(text: str, thought: Thought, seed: int) -> Review:
    return review(Record.parse(text), thought, 1, seed)


def _write(chosen: argparse.Namespace, found: list[Review]) -> None:
    if chosen.json:
        data: Any = as_data(found[0]) if len(found) == 1 else [as_data(one) for one in found]
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
        if chosen.json == "-":
            print(text, end="")
        else:
            Path(chosen.json).write_text(text, encoding="utf-8")
    if chosen.html and len(found) == 1:
        chosen.html.write_text(report.page(found[0]), encoding="utf-8")
    elif chosen.html:
        chosen.html.mkdir(parents=True, exist_ok=True)
        for path, one in zip(chosen.records, found, strict=True):
            (chosen.html / f"{path.stem}.html").write_text(report.page(one), encoding="utf-8")
    if chosen.json != "-":
        console = Console()
        for one in found:
            console.print(report.table(one))
