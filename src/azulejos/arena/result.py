"""The result of one game of a contest, as one line of text, and the file of all results."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

import msgspec

from azulejos.core.errors import AzulejosError

from .contest import Contest

_HEAD = "azulejos results"
_VERSION = 1
BY_RULES, CUT_OFF, FAILED = "rules", "cut off", "failed"


class ResultsError(AzulejosError):
    """A results file that cannot be continued."""


@dataclass(frozen=True)
class Result:
    """One game. By seat: the entrant, the score, the seconds that each choice took, the simulations made in all."""

    number: int
    seats: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]  # seats
    ended: str  # how the game ended: by its RULES, CUT_OFF as too long, or FAILED because a player did
    reason: str
    rounds: int
    times: tuple[tuple[float, ...], ...]
    simulations: tuple[int, ...]

    def points(self, entrant: int, other: int) -> float | None:
        """The points of an entrant against another, from 0 to 1; None if the game was cut off.

        With three or four players: the mean over all pairs of their seats, 1 for a better place, a half for a tie.
        """
        if self.ended == CUT_OFF:
            return None
        compared = [
            self._compare(mine, theirs)
            for mine, who in enumerate(self.seats)
            if who == entrant
            for theirs, whom in enumerate(self.seats)
            if whom == other
        ]
        return sum(compared) / len(compared)

    def _compare(self, mine: int, theirs: int) -> float:
        def place(seat: int) -> tuple[bool, int]:
            won = seat in self.winners
            return won, 0 if won else self.scores[seat]

        return (1 + (place(mine) > place(theirs)) - (place(mine) < place(theirs))) / 2

    def to_line(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_line(line: str) -> "Result":
        return msgspec.json.decode(line, type=Result)


class ResultsFile:
    """The results on disk, written one by one, from which an interrupted contest continues."""

    def __init__(self, path: Path, contest: Contest) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self.results = self._load(contest) if path.exists() and path.stat().st_size else {}
        if not self.results:
            path.write_text(json.dumps({_HEAD: _VERSION, **contest.to_dict()}) + "\n", encoding="utf-8")

    def _load(self, contest: Contest) -> dict[int, Result]:
        lines = self.path.read_text(encoding="utf-8").split("\n")
        head, torn = lines[0], lines.pop()
        if torn:  # the last line was being written when the contest was interrupted: that game is played again
            self.path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        self._check(head, contest)
        return {result.number: result for result in map(self._read, count(2), lines[1:])}

    def _read(self, number: int, line: str) -> Result:
        try:
            return Result.from_line(line)
        except msgspec.DecodeError as error:
            raise ResultsError(
                f"{self.path}, line {number} is not a result ({error}): remove it to have that game played again"
            ) from None

    def _check(self, head: str, contest: Contest) -> None:
        try:
            written = json.loads(head)
        except json.JSONDecodeError:
            written = None
        if not isinstance(written, dict) or written.pop(_HEAD, None) != _VERSION:
            raise ResultsError(f"{self.path} holds something else than results of a contest")
        wanted = contest.to_dict()
        for key in wanted:
            if key != "games" and written.get(key) != json.loads(json.dumps(wanted[key])):
                raise ResultsError(
                    f"{self.path} holds results of another contest: its {key} is {written.get(key)}, not {wanted[key]}"
                )

    def add(self, result: Result) -> None:
        self.results[result.number] = result
        with self.path.open("a", encoding="utf-8") as file:
            file.write(result.to_line() + "\n")


def load(path: Path) -> tuple[Contest, list[Result]]:
    """A contest and its results so far, from a file."""
    with path.open(encoding="utf-8") as file:
        head = json.loads(file.readline())
    if not isinstance(head, dict) or head.pop(_HEAD, None) != _VERSION:
        raise ResultsError(f"{path} holds something else than results of a contest")
    contest = Contest.from_dict(head)
    return contest, sorted(ResultsFile(path, contest).results.values(), key=lambda result: result.number)


def in_pairs(results: Iterator[Result], contest: Contest) -> dict[tuple[int, int], list[Result]]:
    """Results by the pair that played."""
    found: dict[tuple[int, int], list[Result]] = {pair: [] for pair in contest.pairs}
    for result in results:
        found[contest.pair_of(result.number)].append(result)
    return found
