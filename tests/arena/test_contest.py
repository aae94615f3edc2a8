"""Entrants and schedules."""

from collections import Counter

import pytest

import azulejos as az
from azulejos.arena.contest import Contest, Entrant, seatings
from azulejos.core.errors import OptionError
from azulejos.players import Limit, Search


def _contest(players: int = 2, games: int = 10, names: tuple[str, ...] = ("random", "greedy")) -> Contest:
    return Contest(az.make("azul", players=players), tuple(Entrant.read(name) for name in names), games)


def test_reads_entrants() -> None:
    assert Entrant.read("greedy").limit == Limit()
    assert Entrant.read("greedy", Limit(time=2)).limit == Limit(time=2)
    assert Entrant.read("search@300", Limit(time=2)).limit == Limit(simulations=300)
    assert Entrant.read("search@0.5s:explore=2,threads=3").parameters == {"explore": 2, "threads": 3}
    assert isinstance(Entrant.read("search:explore=2").sit_down(1), Search)
    assert Entrant.read("mine@1s", None, {"mine": "./bot"}).command == "./bot"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hal", "nobody is called 'hal'"),
        ("search@fast", "after @ comes a time"),
        ("search@-1", "after @ comes a time"),
        ("search:explore", "is not parameter=number"),
        ("search:depth=3", "no parameter 'depth'"),
        ("greedy:explore=1", "only search takes parameters"),
        ("search@0", "simulations are not possible"),
        ("mine:explore=1", "a program takes no parameters"),
    ],
)
def test_refuses_entrants(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Entrant.read(text, None, {"mine": "./bot"})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_are_shared_out_evenly(players: int) -> None:
    counts = Counter((seat, who) for seating in seatings(players) for seat, who in enumerate(seating))
    assert len(set(counts.values())) == 1
    assert len(set(seatings(players))) == len(seatings(players))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_deal_is_played_with_every_seating_by_every_pair(players: int) -> None:
    contest = _contest(players, 11, ("random", "greedy", "beginner"))
    seen = Counter((contest.deal_of(n), contest.pair_of(n), contest.seats_of(n)) for n in contest.numbers())
    assert set(seen.values()) == {1}
    assert len(seen) == contest.deals * 3 * len(seatings(players))
    assert contest.deals * contest.games_a_deal >= 11
    for _, pair, seats in seen:
        assert set(seats) == set(pair)


def test_deals_differ_and_are_the_same_for_all() -> None:
    contest = _contest()
    starts = {contest.game.start(seed=contest.seed_of(deal)) for deal in range(contest.deals)}
    assert len(starts) == contest.deals


def test_survives_writing() -> None:
    contest = _contest(3, 5, ("search@20:explore=1", "greedy"))
    assert Contest.from_dict(contest.to_dict()) == contest


def test_refuses_contests() -> None:
    with pytest.raises(OptionError, match="same name"):
        _contest(names=("greedy", "greedy"))
    with pytest.raises(OptionError, match="at least two"):
        _contest(names=("greedy",))
    with pytest.raises(OptionError, match="at least one game"):
        _contest(games=0)
