"""Hints: the best actions, with what each is worth."""

import azulejos as az
from azulejos.players import Limit, Search, hints


def test_best_first() -> None:
    state = az.make("azul").start(seed=1)
    found = hints(state, Limit(simulations=500), count=4, seed=1)
    assert len(found) == 4
    assert found[0].action == Search(1).choose(state, Limit(simulations=500)).action
    assert len({hint.action for hint in found}) == 4
    assert all(0 <= hint.chance <= 1 and hint.action in state.actions for hint in found)
    assert found[0].line[0] == found[0].action


def test_no_more_than_there_are() -> None:
    state = az.make("azul").start(seed=1)
    while state.seat is not None and len(state.actions) > 2:
        state = state.play(state.actions[-1])
    assert 1 <= len(hints(state, Limit(simulations=50), count=10, seed=1)) <= 2
