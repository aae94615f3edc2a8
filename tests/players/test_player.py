"""What every computer player promises."""

import math

import pytest

import azulejos as az
from azulejos.core.errors import OptionError
from azulejos.players import PLAYERS, Limit, player

FEW = Limit(simulations=20)


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("game", [az.make(name) for name in az.registered()], ids=repr)
def test_plays_legal_actions_from_views(name: str, game: az.Game) -> None:
    somebody, state = player(name)(1), game.start(seed=4)
    for _ in range(12):
        assert state.seat is not None
        choice = somebody.choose(state.view(state.seat), FEW)
        assert choice.action in state.actions
        assert set(choice.values) <= set(state.actions)
        state = state.play(choice.action)


@pytest.mark.parametrize("name", PLAYERS)
def test_same_seed_same_choices(name: str) -> None:
    state = az.make("azul").start(seed=2)
    assert [player(name)(5).choose(state, FEW).action for _ in range(3)] == [
        player(name)(5).choose(state, FEW).action
    ] * 3


@pytest.mark.parametrize("name", PLAYERS)
def test_what_will_be_drawn_makes_no_difference(name: str) -> None:
    state = az.make("azul").start(seed=3)
    other = az.parse(str(state), seed=99)
    assert player(name)(7).choose(state, FEW) == player(name)(7).choose(other, FEW)


def test_unknown_player() -> None:
    with pytest.raises(OptionError, match="nobody is called 'hal': players are random, greedy, search"):
        player("hal")


@pytest.mark.parametrize("time", [0.0, -1.0, math.inf, math.nan, 1e9])
def test_impossible_time(time: float) -> None:
    with pytest.raises(OptionError, match="no time to think"):
        Limit(time=time)


@pytest.mark.parametrize("simulations", [0, -5, 10**12])
def test_impossible_simulations(simulations: int) -> None:
    with pytest.raises(OptionError, match="simulations are not possible"):
        Limit(simulations=simulations)
