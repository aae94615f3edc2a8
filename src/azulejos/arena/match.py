"""Running a contest: games are sent to workers, and each result is counted once."""

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from azulejos.core.errors import AzulejosError

from .contest import Contest
from .play import play
from .result import Result, ResultsFile
from .workers import Workers

_MOST_TRIES = 3  # of a game whose worker dies


def run(
    contest: Contest,
    workers: Workers | None = None,
    file: Path | None = None,
    records: Path | None = None,
    tell: Callable[[list[Result]], bool | None] = lambda _: None,
) -> list[Result]:
    """Play the games of a contest that are not in `file` yet; return all results, by number.

    `workers`: where games are played; by default in this process, one after another. `file`: where results are saved;
    games found there are not played again. `records`: a folder for the record of every game. `tell`: called with all
    results after each game; if it returns True, the contest ends.
    """
    kept = ResultsFile(file, contest) if file else None
    wanted = set(contest.numbers())
    found = {number: result for number, result in kept.results.items() if number in wanted} if kept else {}
    if records:
        records.mkdir(parents=True, exist_ok=True)

    def add(result: Result, record: str) -> bool:
        if result.number in found:
            return False
        found[result.number] = result
        if kept:
            kept.add(result)
        if records:
            (records / f"{contest.game.name}-{result.number:06}.txt").write_text(record, encoding="utf-8")
        return bool(tell(list(found.values())))

    numbers = [number for number in contest.numbers() if number not in found]
    if not (found and tell(list(found.values()))):
        if workers is None:
            for number in numbers:
                if add(*play(contest, number)):
                    break
        else:
            _spread(contest, numbers, workers, add)
    return [found[number] for number in sorted(found)]


def _spread(contest: Contest, numbers: Iterable[int], workers: Workers, add: Callable[[Result, str], bool]) -> None:
    """Keep the workers busy until all games are played or `add` returns True; replay games whose worker died."""
    to_do = list(reversed(list(numbers)))
    tries: dict[int, int] = {}
    under_way: dict[Future[Any], int] = {}
    enough = False
    while under_way or (to_do and not enough):
        while to_do and not enough and len(under_way) < workers.at_once:
            number = to_do.pop()
            tries[number] = tries.get(number, 0) + 1
            under_way[workers.submit(play, contest, number)] = number
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            number = under_way.pop(future)
            try:
                enough = add(*future.result()) or enough
            except BrokenProcessPool:
                if tries[number] == _MOST_TRIES:
                    raise AzulejosError(f"game {number} has killed its worker {_MOST_TRIES} times") from None
                to_do.append(number)
