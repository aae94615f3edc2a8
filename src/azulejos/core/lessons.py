"""Lessons, a guided first game on the real board, and tips for the game after it, as data.

A game's lessons stand in the file `lessons.toml` in its folder; their words are English, and the catalogues translate
them. A page shows a step's words and marks, lets the learner, who is seat 0, try, and goes on when an expected action
is played. A game's tips stand in `tips.toml`.
"""

import math
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .hand import Prospect


@dataclass(frozen=True)
class Step:
    """One step of a lesson.

    `words`: what is to be done, or to be seen. `marks`: the places on the board that it is about. `anchor`: where the
    rule page tells of it. `expected`: a regular expression that fits the right actions; "": nothing is to be done.
    `wrong`: pairs of such an expression and what is said of the actions that fit it; the first counts. `draws`: what is
    drawn after the action. `points`: what the learner gains and loses by it, in order. `done`: what is said when it is
    done. `reply`: the actions of the others that follow. `position`: instead of the one that the step before led to.
    """

    words: str
    anchor: str
    marks: tuple[str, ...] = ()
    expected: str = ""
    wrong: tuple[tuple[str, str], ...] = ()
    draws: str = ""
    points: tuple[int, ...] = ()
    done: str = ""
    reply: tuple[str, ...] = ()
    position: str = ""

    def expects(self, action: str) -> bool:
        return bool(self.expected and re.fullmatch(self.expected, action))


@dataclass(frozen=True)
class Lesson:
    """A lesson: a name for its address, a title, a position as text, and steps."""

    name: str
    title: str
    position: str
    steps: tuple[Step, ...]


def read_lessons(file: Path) -> tuple[Lesson, ...]:
    """The lessons in a game's `lessons.toml`."""
    return tuple(
        Lesson(given["name"], given["title"], given["position"], tuple(map(_step, given["step"])))
        for given in tomllib.loads(file.read_text(encoding="utf-8"))["lesson"]
    )


def _step(given: dict[str, Any]) -> Step:
    return Step(**{name: _frozen(value) for name, value in given.items()})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@dataclass(frozen=True)
class Tip:
    """What a coach says of an action that has an effect (`Game.effects`).

    `effect`: the first word of the effect's key. `least`: its worth in points, at the least. `words`: what to learn
    from it; they follow the effect's own words.
    """

    effect: str
    words: str
    least: float = -math.inf

    def fits(self, effect: Prospect) -> bool:
        return effect.key.split(" ")[0] == self.effect and effect.worth >= self.least


def read_tips(file: Path) -> tuple[Tip, ...]:
    """The tips in a game's `tips.toml`."""
    return tuple(Tip(**given) for given in tomllib.loads(file.read_text(encoding="utf-8"))["tip"])
