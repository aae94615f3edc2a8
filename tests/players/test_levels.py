"""The five levels."""

from itertools import pairwise

import azulejos as az
from azulejos.players import LEVELS, PLAYERS, Leveller, Limit, Search


def test_names() -> None:
    assert [level.name for level in LEVELS] == ["beginner", "casual", "regular", "expert", "master"]
    assert set(PLAYERS) >= {level.name for level in LEVELS}


def test_each_sees_more_and_takes_more_care() -> None:
    for weaker, stronger in pairwise(LEVELS):
        assert weaker.simulations < stronger.simulations
        assert weaker.exponent < stronger.exponent


def test_a_limit_can_only_shorten_the_thought() -> None:
    state = az.make("azul").start(seed=1)
    assert Leveller(LEVELS[0], 1).choose(state, Limit(simulations=10_000)).simulations == LEVELS[0].simulations
    assert Leveller(LEVELS[3], 1).choose(state, Limit(simulations=15)).simulations == 15


def test_a_level_that_samples_does_not_stop_early() -> None:
    """Where one action is far ahead, a search for the best one would: all visits are needed to sample from them."""
    state, seen = az.make("azul").start(seed=1), 0
    level, player = LEVELS[3], Leveller(LEVELS[3], 1, 60.0)
    while state.seat is not None and seen < 15:
        if len(state.actions) > 1:
            assert player.choose(state.view(state.seat)).simulations == level.simulations
            seen += 1
        state = state.play(state.actions[0])
    assert seen == 15


def test_errors_are_small_more_often_than_large() -> None:
    """Judged by a search that looks much further, the actions of a weak level are better than actions at random."""
    state, careful = az.make("azul").start(seed=1), Limit(simulations=20_000)
    values = Search(1).choose(state, careful).values
    worst = min(values.values())
    chosen = [values.get(Leveller(LEVELS[0], seed).choose(state).action, worst) for seed in range(60)]
    assert len(set(chosen)) > 3, "a weak level errs"
    assert sum(chosen) / 60 > sum(values.values()) / len(values)
