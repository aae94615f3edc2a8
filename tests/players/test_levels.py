"""The five levels."""

from itertools import pairwise

import azulejos as az
from azulejos.players import LEVELS, PLAYERS, Leveller, Limit


def test_names() -> None:
    assert [level.name for level in LEVELS] == ["beginner", "casual", "regular", "expert", "master"]
    assert set(PLAYERS) >= {level.name for level in LEVELS}


def test_each_sees_more_and_forgives_less() -> None:
    for weaker, stronger in pairwise(LEVELS):
        assert weaker.simulations < stronger.simulations
        assert weaker.slack > stronger.slack


def test_a_limit_can_only_shorten_the_thought() -> None:
    state = az.make("azul").start(seed=1)
    assert Leveller(LEVELS[0], 1).choose(state, Limit(simulations=10_000)).simulations == LEVELS[0].simulations
    assert Leveller(LEVELS[3], 1).choose(state, Limit(simulations=15)).simulations == 15


def test_errors_are_small_more_often_than_large() -> None:
    state, level = az.make("azul").start(seed=1), LEVELS[0]
    lost = []
    for seed in range(60):
        choice = Leveller(level, seed).choose(state)
        lost.append(max(choice.values.values()) - choice.values[choice.action])
    assert max(lost) > 0, "a weak level errs"
    assert sorted(lost)[30] < level.slack, "but mostly by little"
