"""Playing a contest: games out to the workers, results in, each counted once."""

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
    """Play all games of a contest that have not been played yet; all results, by number.

    `workers`: where; here, one game after another, by default. `file`: results are kept there, and those found there
    are not played again. `records`: a folder for the record of every game. `tell`: is given all results after each
    game, and may say True for enough.
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
    """Keep the workers busy until all is played or `add` has enough; a game whose worker died is played again."""
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
