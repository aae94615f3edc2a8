"""Ratings of puzzles and of the people who solve them: Weng and Lin's Bradley–Terry model, from openskill, on the
scale of Elo's ratings. A puzzle plays against a person: it wins if they do not find the best action at once."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull


class Rating(NamedTuple):
    """A rating and its standard deviation."""

    rating: float
    deviation: float


NEW = Rating(1500.0, 350.0)
LEAST, MOST, SUREST = 100.0, 3500.0, 45.0  # a rating stays within these; no deviation is smaller
ELO = 173.7178  # 400 / ln 10: with this spread of results, 400 points are ten to one
# The levels: means over the games of the ratings in docs/players.md, rounded; the master's is rough.
LEVELS = {"beginner": 660.0, "casual": 1180.0, "regular": 1770.0, "expert": 2300.0, "master": 2850.0}
LEVEL_DEVIATION = 60.0


@cache
def _model() -> "BradleyTerryFull":
    from openskill.models import BradleyTerryFull  # here: most commands need no ratings

    return BradleyTerryFull(mu=NEW.rating, sigma=NEW.deviation, beta=ELO / 2**0.5, tau=0.0)


def after(one: Rating, other: Rating, won: bool) -> tuple[Rating, Rating]:
    """Both ratings after one has won against the other, or lost."""
    model = _model()
    sides = [[model.rating(*rating)] for rating in (one, other)]
    (mine,), (theirs,) = model.rate(sides, ranks=[0, 1] if won else [1, 0])
    return _within(mine.mu, mine.sigma), _within(theirs.mu, theirs.sigma)


def _within(rating: float, deviation: float) -> Rating:
    return Rating(min(max(rating, LEAST), MOST), min(max(deviation, SUREST), NEW.deviation))


def difficulty(tries: Iterable[tuple[str, bool]]) -> Rating:
    """A puzzle's rating from the tries of the levels: each a level's name and whether it found the best."""
    puzzle = NEW
    for level, solved in tries:
        puzzle, _ = after(puzzle, Rating(LEVELS[level], LEVEL_DEVIATION), not solved)
    return puzzle
