"""The five levels."""

from itertools import pairwise

import pytest

import azulejos as az
from azulejos.players import LEVELS, PLAYERS, Level, Leveller, Limit, Search

GAMES = ("azul", "pavilion", "duel")
BESIDE = (
    "azul coloured round 5 seat 0 start 1 | - BYYR YKKW YRKK BBRR | 1YY | - | B12Y8R10K9W9 "
    "| 28 -/R1/W2/-/- BYRK./WBY../..BY./..WB./..K.. - | 27 {} .YRKW/.BYRK/.W.Y./RK.../.R... -"
)


def test_names() -> None:
    assert [level.name for level in LEVELS] == ["beginner", "casual", "regular", "expert", "master"]
    assert set(PLAYERS) >= {level.name for level in LEVELS}


@pytest.mark.parametrize("game", GAMES)
def test_each_sees_more_and_takes_more_care(game: str) -> None:
    levels = [level.within(az.make(game)) for level in LEVELS]
    for weaker, stronger in pairwise(levels):
        assert (weaker.simulations, -weaker.width) < (stronger.simulations, -stronger.width)


def test_a_limit_can_only_shorten_the_thought() -> None:
    state = az.make("azul").start(seed=1)
    regular = LEVELS[2].within(state.game)
    assert Leveller(regular, 1).choose(state, Limit(simulations=10_000)).simulations == regular.simulations
    assert Leveller(LEVELS[3], 1).choose(state, Limit(simulations=15)).simulations == 15


def test_a_level_that_samples_does_not_stop_early() -> None:
    """Where one action is far ahead, a search for the best one would: all visits are needed to sample from them."""
    state, seen = az.make("azul").start(seed=1), 0
    level, player = LEVELS[3].within(state.game), Leveller(LEVELS[3], 1, 60.0)
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


def test_a_beginner_overfills_a_line_but_does_not_throw_tiles_away() -> None:
    """Of 60 choices at the start of a game, some let tiles fall from a line, and none puts all on the floor."""
    state = az.make("azul").start(seed=1)
    chosen = [Leveller(LEVELS[0], seed).choose(state).action for seed in range(60)]
    assert not any(str(action).endswith("-") for action in chosen)
    assert any(sum(state.play(action).fields.floor_count) for action in chosen)


@pytest.mark.parametrize("level", LEVELS[:2], ids=lambda level: level.name)
def test_weak_levels_do_not_see_what_others_need(level: Level) -> None:
    """With another board beside its own, a weak level chooses the same."""
    one, other = (az.parse(BESIDE.format(lines)) for lines in ("-/W2/K2/-/W2", "-/-/K2/W4/-"))
    for seed in range(20):
        assert Leveller(level, seed).choose(one).action == Leveller(level, seed).choose(other).action
