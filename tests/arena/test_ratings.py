"""From results to strength."""

import numpy as np
import pytest

import azulejos as az
from azulejos.arena import Contest, Entrant, Result, Sprt, compare, rate
from azulejos.arena.ratings import Verdict, by_deal, elo, expected
from azulejos.arena.result import CUT_OFF


def _contest(games: int, names: tuple[str, ...] = ("greedy", "random"), players: int = 2) -> Contest:
    return Contest(az.make("azul", players=players), tuple(map(Entrant.read, names)), games)


def _result(contest: Contest, number: int, winner: int | None, ended: str = "rules") -> Result:
    """A game that an entrant won, or nobody."""
    seats = contest.seats_of(number)
    scores = tuple(20 if who == winner else 10 for who in seats)
    winners = tuple(seat for seat, who in enumerate(seats) if winner in (who, None))
    return Result(number, seats, scores, winners, ended, "", 5, ((0.1,),) * len(seats), (100,) * len(seats))


def _played(contest: Contest, chances: np.ndarray, seed: int = 0) -> list[Result]:
    """Games that the first of each pair wins with the chances of their ratings."""
    generator = np.random.default_rng(seed)
    results = []
    for number in contest.numbers():
        one, other = contest.pair_of(number)
        won = generator.random() < expected(float(chances[one] - chances[other]))
        results.append(_result(contest, number, one if won else other))
    return results


def test_elo_and_back() -> None:
    for difference in (-300.0, 0.0, 42.0, 500.0):
        assert elo(expected(difference)) == pytest.approx(difference)


def test_counts() -> None:
    contest = _contest(8)
    winners = [0, 0, 0, 1, None, 0, 1, 1]
    results = [_result(contest, number, winner) for number, winner in enumerate(winners)]
    results[7] = _result(contest, 7, None, CUT_OFF)
    found = compare(results, contest)
    assert (found.games, found.wins, found.draws, found.losses, found.cut_off) == (7, 4, 1, 2, 1)
    assert found.points == pytest.approx(4.5 / 7)
    assert found.low < found.points < found.high
    assert list(by_deal(results, contest, (0, 1))) == [1.0, 0.5, 0.75], "the deal with a game cut off does not count"


def test_clean_sweep_has_an_honest_interval() -> None:
    contest = _contest(20)
    found = compare([_result(contest, number, 0) for number in contest.numbers()], contest)
    assert found.points == 1
    assert 0.8 < found.low < 0.95
    assert found.high == 1


def test_interval_covers_the_truth() -> None:
    contest = _contest(200)
    inside = 0
    for seed in range(100):
        found = compare(_played(contest, np.array([60.0, 0.0]), seed), contest)
        inside += found.low <= expected(60) <= found.high
    assert 88 <= inside <= 100


def test_ratings_of_many() -> None:
    contest = _contest(1500, ("greedy", "random", "beginner"))
    true = np.array([0.0, -150.0, 200.0])
    ratings = {rating.name: rating for rating in rate(_played(contest, true), contest)}
    assert ratings["greedy"].rating == 1000
    assert ratings["random"].rating == pytest.approx(850, abs=30)
    assert ratings["beginner"].rating == pytest.approx(1200, abs=30)
    assert ratings["random"].low < 850 < ratings["random"].high
    assert ratings["random"].games == 3000


@pytest.mark.parametrize(
    ("winners", "games", "low", "high"),
    [
        ((1, 1), 2, -1000, 250),  # a sweep
        ((1, 1), 20, 150, 300),
        ((1, 1), 400, 600, 900),
        ((1, 0), 2, -1000, -200),  # every deal split
        ((1, 0), 20, -150, -50),
        ((1, 0), 400, -10, -1),
    ],
)
def test_deals_that_went_alike_leave_doubt(winners: tuple[int, int], games: int, low: float, high: float) -> None:
    """Less of it with more deals. The interval's lower end is tested, above the rating of the other, 1000."""
    contest = _contest(games)
    found = rate([_result(contest, n, winners[n % 2]) for n in contest.numbers()], contest)
    rating = next(rating for rating in found if rating.name == "random")
    assert rating.low < rating.rating < rating.high
    assert low < rating.low - 1000 < high


def test_points_in_games_of_three() -> None:
    contest = _contest(6, players=3)
    number = next(n for n in contest.numbers() if contest.seats_of(n) == (0, 1, 1))
    second = Result(number, (0, 1, 1), (30, 40, 20), (1,), "rules", "", 5, ((), (), ()), (0, 0, 0))
    assert second.points(0, 1) == 0.5
    assert second.points(1, 0) == 0.5
    tied = Result(number, (0, 1, 1), (30, 30, 20), (0, 1), "rules", "", 5, ((), (), ()), (0, 0, 0))
    assert tied.points(0, 1) == 0.75


@pytest.mark.parametrize(("strength", "verdict"), [(120.0, Verdict.STRONGER), (-60.0, Verdict.NOT_STRONGER)])
def test_sprt(strength: float, verdict: Verdict) -> None:
    contest = _contest(600)
    results = _played(contest, np.array([strength, 0.0]))
    assert Sprt(0, 50).verdict(results[:10], contest) is Verdict.OPEN
    assert Sprt(0, 50).verdict(results, contest) is verdict


def test_sprt_is_seldom_wrong() -> None:
    """With no difference at all, a verdict for the first at any time is an error: at most one in twenty or so."""
    contest, wrong = _contest(300), 0
    for seed in range(60):
        results = _played(contest, np.array([0.0, 0.0]), seed)
        deals = by_deal(results, contest, (0, 1))
        sprt = Sprt(0, 60)
        wrong += any(sprt.ratio(deals[:n]) >= 2.944 for n in range(8, len(deals)))
    assert wrong <= 6
