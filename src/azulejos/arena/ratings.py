"""Statistics of results: percentages with confidence intervals, Elo ratings, and a sequential test of strength."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from .contest import Contest
from .result import CUT_OFF, FAILED, Result, in_pairs

CONFIDENCE = 0.95
_SIGMAS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_RESAMPLES = 300
ANCHOR, ANCHOR_RATING = "greedy", 1000.0


def elo(points: float) -> float:
    """The Elo difference at which this share of the points is expected.

    >>> round(elo(0.75)), elo(0.5)
    (191, 0.0)
    """
    return math.inf if points >= 1 else -math.inf if points <= 0 else 400 * math.log10(points / (1 - points))


def expected(difference: float) -> float:
    """The share of the points expected at an Elo difference; the inverse of `elo`."""
    return float(1 / (1 + 10 ** (-difference / 400)))


@dataclass(frozen=True)
class Comparison:
    """One entrant against another. Games that were cut off are counted, and otherwise ignored."""

    games: int
    wins: int
    draws: int
    losses: int
    cut_off: int
    failed: int
    points: float  # from 0 to 1
    low: float
    high: float  # of the confidence interval

    @property
    def elo(self) -> tuple[float, float, float]:
        """The Elo difference with its confidence interval."""
        return elo(self.points), elo(self.low), elo(self.high)


def by_deal(results: Sequence[Result], contest: Contest, pair: tuple[int, int]) -> npt.NDArray[np.float64]:
    """The mean points of each deal, for deals none of whose games was cut off."""
    deals: dict[int, list[float | None]] = {}
    for result in results:
        deals.setdefault(contest.deal_of(result.number), []).append(result.points(*pair))
    whole = [
        [point for point in points if point is not None]
        for points in deals.values()
        if len(points) == contest.games_a_deal and None not in points
    ]
    return np.array([sum(points) / len(points) for points in whole])


def compare(results: Sequence[Result], contest: Contest, pair: tuple[int, int] = (0, 1)) -> Comparison:
    """The comparison of a pair from its games. Deals are independent; the games of one deal are not."""
    mine = in_pairs(iter(results), contest)[pair]
    points = [point for result in mine if (point := result.points(*pair)) is not None]
    mean = sum(points) / len(points) if points else 0.5
    low, high = _interval(mean, len(points), by_deal(mine, contest, pair))
    return Comparison(
        len(points),
        sum(point > 0.5 for point in points),
        sum(point == 0.5 for point in points),
        sum(point < 0.5 for point in points),
        sum(result.ended == CUT_OFF for result in mine),
        sum(result.ended == FAILED for result in mine),
        mean,
        low,
        high,
    )


def _interval(mean: float, games: int, deals: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The normal interval over deals, but never narrower than Wilson's over games allows near 0 and 1."""
    if games == 0:
        return 0.0, 1.0
    spread = _SIGMAS**2 / games
    centre = (mean + spread / 2) / (1 + spread)
    wilson = _SIGMAS / (1 + spread) * math.sqrt(mean * (1 - mean) / games + spread / (4 * games))
    low, high = centre - wilson, centre + wilson
    if len(deals) > 1 and 0 < mean < 1:
        error = _SIGMAS * float(np.std(deals, ddof=1)) / math.sqrt(len(deals))
        if error > 0 and 0.02 < mean < 0.98:
            low, high = mean - error, mean + error
    return max(low, 0.0), min(high, 1.0)


# --- ratings of many ---


@dataclass(frozen=True)
class Rating:
    """An entrant's rating with its confidence interval."""

    name: str
    rating: float
    low: float
    high: float
    games: int
    points: float


def rate(results: Sequence[Result], contest: Contest, seed: int = 0) -> list[Rating]:
    """Elo ratings of all entrants (Bradley and Terry's model), the strongest first.

    `greedy`, if it takes part, is set to 1000; otherwise the mean is. The intervals are bootstrapped over deals. Two
    deals are added for each pair, one swept by either side: a few deals with the same outcome are weak evidence.
    """
    names = [entrant.name for entrant in contest.entrants]
    deals = sorted({contest.deal_of(result.number) for result in results})
    place = {deal: k for k, deal in enumerate(deals)}
    points = np.zeros((len(deals), len(names), len(names)))
    for result in results:
        one, other = contest.pair_of(result.number)
        share = result.points(one, other)
        if share is not None:
            points[place[contest.deal_of(result.number)], one, other] += share
            points[place[contest.deal_of(result.number)], other, one] += 1 - share
    ratings = _anchored(_bradley_terry(points.sum(axis=0)), names)
    generator = np.random.default_rng(seed)
    drawn_from = np.concatenate([points, _sweeps(points.sum(axis=0)) * contest.games_a_deal])
    draws = generator.integers(len(drawn_from), size=(_RESAMPLES, len(drawn_from)))
    again = np.array([_anchored(_bradley_terry(drawn_from[draw].sum(axis=0)), names) for draw in draws])
    low, high = np.quantile(again, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    low, high = np.minimum(low, ratings), np.maximum(high, ratings)
    games = points.sum(axis=(0, 2)) + points.sum(axis=(0, 1))
    made = points.sum(axis=(0, 2)) / np.maximum(games, 1)
    rated = [
        Rating(name, float(ratings[k]), float(low[k]), float(high[k]), round(float(games[k])), float(made[k]))
        for k, name in enumerate(names)
    ]
    return sorted(rated, key=lambda rating: -rating.rating)


def _sweeps(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """For each pair that met, a deal swept by either side: points [2, entrants, entrants]."""
    met = points + points.T > 0
    return np.array([np.triu(met), np.tril(met)], float)


def _bradley_terry(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Ratings from points [entrants, entrants] of each against each.

    Every pair that met gets one extra drawn game, so that a clean sweep has a finite rating.
    """
    met = (points + points.T > 0) | ~np.any(points + points.T, axis=1)[:, None]  # an entrant without games
    won = points + (met | met.T) / 2
    games = won + won.T
    strength = np.ones(len(points))
    for _ in range(500):
        weights = games / (strength[:, None] + strength[None, :])
        new = won.sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-12)
        new /= np.exp(np.mean(np.log(new)))
        done = bool(np.max(np.abs(np.log(new / strength))) < 1e-6)
        strength = new
        if done:
            break
    return np.asarray(400 * np.log10(strength))


def _anchored(ratings: npt.NDArray[np.float64], names: Sequence[str]) -> npt.NDArray[np.float64]:
    at = ratings[names.index(ANCHOR)] if ANCHOR in names else ratings.mean()
    return np.asarray(ratings - at + ANCHOR_RATING)


# --- is A stronger than B? ---


class Verdict(Enum):
    STRONGER = "stronger"
    NOT_STRONGER = "not stronger"
    OPEN = "open"


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential probability ratio test of two hypotheses about the Elo difference.

    `low`: the difference under "A is not stronger"; `high`: under "A is stronger". `error`: the error probability, for
    either verdict.
    """

    low: float = 0.0
    high: float = 20.0
    error: float = 0.05

    def ratio(self, deals: npt.NDArray[np.float64]) -> float:
        """The log-likelihood ratio, from the points of whole deals, which are assumed normal."""
        if len(deals) < 8:
            return 0.0
        variance = max(float(np.var(deals, ddof=1)), 1e-3)
        low, high = expected(self.low), expected(self.high)
        return len(deals) * (high - low) * (2 * float(deals.mean()) - low - high) / (2 * variance)

    def verdict(self, results: Sequence[Result], contest: Contest) -> Verdict:
        ratio = self.ratio(by_deal(results, contest, (0, 1)))
        bound = math.log((1 - self.error) / self.error)
        if ratio >= bound:
            return Verdict.STRONGER
        return Verdict.NOT_STRONGER if ratio <= -bound else Verdict.OPEN
