"""The command `azulejos puzzles`."""

import argparse
import json
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from azulejos.arena.commands import Commands
from azulejos.arena.workers import Workers, processes
from azulejos.core.errors import OptionError
from azulejos.core.registry import kind

from .making import COUNTS, Effort, Found, from_opening
from .puzzle import FILE, Puzzle, write


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "puzzles",
        help="find positions with one best action in games of the computer",
        description="Make puzzles. What was found is kept in a work file, and the next run goes on from there.",
    )
    parser.add_argument("game", metavar="GAME")
    usual = Effort()
    parser.add_argument("--count", type=int, default=300, help="how many puzzles (default: 300)")
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"default: {FILE} in the game's folder")
    parser.add_argument("--work", type=Path, metavar="FILE", help="default: puzzles-GAME.work here")
    parser.add_argument("--seed", type=int, default=0, help="other games for another number")
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after this time, with what was found")
    parser.add_argument("--processes", type=int, metavar="N", help="on this machine (default: one a core)")
    parser.add_argument(
        "--simulations", type=int, default=usual.simulations, metavar="N", help="of the search that finds a puzzle"
    )
    parser.add_argument("--times", type=int, default=usual.times, metavar="N", help="how many times that checks it")
    parser.add_argument(
        "--opening", type=int, default=usual.opening, metavar="N", help="rounds that are played without looking"
    )
    parser.add_argument("--games", type=int, default=usual.games, metavar="N", help="that go on from one opening")
    parser.set_defaults(run=_make)


def _make(chosen: argparse.Namespace) -> int:
    game = kind(chosen.game)
    for name, least in {"count": 1, "simulations": 100, "times": 1, "opening": 0, "games": 1}.items():
        if getattr(chosen, name) < least:
            raise OptionError(f"--{name} {getattr(chosen, name)} is not possible: {least} is the least")
    out = chosen.out or (game.modules.folder or Path()) / FILE
    effort = Effort(chosen.simulations, chosen.times, chosen.opening, chosen.games)
    work = Work(chosen.work or Path(f"puzzles-{game.name}.work"), {"game": game.name, **asdict(effort)})
    until = time.monotonic() + chosen.seconds if chosen.seconds else None
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar, processes(chosen.processes) as workers:
        task = bar.add_task(f"puzzles of {game.name}", total=chosen.count, completed=len(work.puzzles))
        try:
            for found in _found(work, game.name, effort, chosen.seed, chosen.count, until, workers):
                bar.update(task, completed=len(work.puzzles), description=f"{game.name}: {found.counts['tried']} tried")
        finally:
            write(out, work.puzzles[: chosen.count])
    print(", ".join(f"{work.counts[name]} {name}" for name in COUNTS), f"→ {out}")
    return 0


def _found(
    work: "Work", game: str, effort: Effort, first: int, wanted: int, until: float | None, workers: Workers
) -> Any:
    """Make puzzles until there are enough; each opening's as it is done."""
    seeds = (seed for seed in count(first) if seed not in work.seeds)
    under_way: dict[Future[Found], int] = {}
    while len(work.puzzles) < wanted and (until is None or time.monotonic() < until):
        while len(under_way) < workers.at_once:
            seed = next(seeds)
            under_way[workers.submit(from_opening, game, seed, effort)] = seed
        done, _ = wait(under_way, timeout=1, return_when=FIRST_COMPLETED)
        for job in done:
            work.add(under_way.pop(job), job.result())
            yield work


class Work:
    """What was found so far: a file with a line for each opening, after a first line that says how it was made."""

    def __init__(self, file: Path, how: dict[str, Any]) -> None:
        self.file: Path = file
        self.seeds: set[int] = set()
        self.counts: Counter[str] = Counter()
        self.puzzles: list[Puzzle] = []
        if not file.exists():
            file.write_text(json.dumps(how) + "\n", encoding="utf-8")
        first, *lines = file.read_text(encoding="utf-8").splitlines()
        if json.loads(first) != how:
            raise OptionError(f"{file} was made otherwise, {first}: give the same numbers, or another file as --work")
        for line in lines:
            data = json.loads(line)
            self._take(data["seed"], Found(Counter(data["counts"]), [Puzzle.of(one) for one in data["puzzles"]]))

    def add(self, seed: int, found: Found) -> None:
        data = {"seed": seed, "counts": found.counts, "puzzles": [one.to_dict() for one in found.puzzles]}
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")
        self._take(seed, found)

    def _take(self, seed: int, found: Found) -> None:
        self.seeds.add(seed)
        self.counts.update(found.counts)
        known = {one.position: one for one in self.puzzles}
        for one in found.puzzles:  # games of one opening may share some
            known.setdefault(one.position, one)
        self.puzzles = list(known.values())
