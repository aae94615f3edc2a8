"""A puzzle as a value and as a line of JSON; the puzzles that each game ships."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from azulejos.core.action import Action
from azulejos.core.game import Game
from azulejos.core.registry import parse, registered
from azulejos.core.state import State

FILE = "puzzles.jsonl"  # in a game's folder


class Answer(NamedTuple):
    """An action that was thought about: the chance to win after it, and how play was expected to go on after it."""

    chance: float
    line: tuple[str, ...]


@dataclass(frozen=True)
class Puzzle:
    """A position with one best action.

    name: unique in its game. answers: by action as text, the best first, and then what comes next to it and what weaker
    players choose. exact: alpha-beta solved it to the end of the round. solved: by level, the share of tries in which
    it found the best. rating, deviation: its difficulty on the scale of the levels' ratings.
    """

    name: str
    position: str
    answers: Mapping[str, Answer]
    themes: tuple[str, ...]
    exact: bool
    solved: Mapping[str, float]
    rating: float
    deviation: float

    @property
    def best(self) -> str:
        return next(iter(self.answers))

    @cached_property
    def state(self) -> State:
        return parse(self.position)

    @property
    def lead(self) -> float:
        """By how much the best is ahead of the next."""
        best, *others = (answer.chance for answer in self.answers.values())
        return best - max(others)

    def line(self, action: str) -> list[Action]:
        """The action, and how play was expected to go on after it."""
        found = self.answers.get(action)
        return [self.state.game.action(one) for one in (action, *(found.line if found else ()))]

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "position": self.position,
            "answers": {action: [round(one.chance, 3), *one.line] for action, one in self.answers.items()},
            "themes": list(self.themes),
            **({"exact": True} if self.exact else {}),
            "solved": list(self.solved.values()),
            "rating": round(self.rating),
            "deviation": round(self.deviation),
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Puzzle":
        return cls(
            data["name"],
            data["position"],
            {action: Answer(chance, tuple(line)) for action, (chance, *line) in data["answers"].items()},
            tuple(data["themes"]),
            data.get("exact", False),
            dict(zip(LEVEL_NAMES, data["solved"], strict=True)),
            data["rating"],
            data["deviation"],
        )


LEVEL_NAMES = ("beginner", "casual", "regular", "expert", "master")


def read(file: Path) -> list[Puzzle]:
    """The puzzles in a file, one a line."""
    return [Puzzle.of(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def write(file: Path, found: Iterable[Puzzle]) -> None:
    lines = [json.dumps(one.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n" for one in found]
    file.write_text("".join(lines), encoding="utf-8")


def file_of(game: type[Game]) -> Path | None:
    """Where a game has its puzzles, if it has any."""
    return game.modules.file(FILE)


@cache
def puzzles(game: str) -> dict[str, Puzzle]:
    """The puzzles of a game by name, the easiest first; none for a game without them."""
    kind = registered().get(game)
    file = file_of(kind) if kind else None
    return {one.name: one for one in sorted(read(file), key=lambda one: one.rating)} if file else {}


def of_the_day(game: str, day: date) -> Puzzle | None:
    """The puzzle of a day: another each day, all of them before one comes again."""
    found = sorted(puzzles(game).values(), key=lambda one: one.name)
    return found[day.toordinal() * _stride(len(found)) % len(found)] if found else None


def _stride(count: int) -> int:
    """A step that visits all of `count` places, far from each other."""
    from math import gcd

    return next(step for step in range(int(count * 0.618) or 1, 2 * count + 2) if gcd(step, count) == 1)
