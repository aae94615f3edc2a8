"""A game's judgement fits its rules."""

import numpy as np
import pytest

import azulejos as az
from azulejos.core.compiling import plain
from azulejos.players import Random
from azulejos.players.search import doors

GAMES = [game for kind in az.registered().values() for game in kind.variants()]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_features_and_weights_fit(game: az.Game) -> None:
    """Every position at the beginning of a round has a row of weights, and its features are finite numbers."""
    judgement = game.judgement
    assert judgement
    assert judgement.WEIGHTS.shape[1] == len(judgement.FEATURES) == len(set(judgement.FEATURES))
    assert np.isfinite(judgement.WEIGHTS).all()
    note = doors(game.kernels, judgement, game.name).note
    state, player, noted = game.start(seed=1), Random(1), np.full(len(judgement.FEATURES) + 1, 77.0)
    for _ in range(150):
        if state.seat is None:
            break
        for seat in range(game.players):
            chapter = note(state.array(), 0, seat, noted)
            assert 0 <= chapter < len(judgement.WEIGHTS)
            assert np.isfinite(noted).all()
            assert noted[-1] == 77, "a feature was written past the last"
            assert noted[0] == state.scores[seat]
        state = state.play(player.choose(state).action)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_standing_says_who_wins(game: az.Game) -> None:
    assert game.judgement
    standing = plain(game.judgement).standing
    for seed in range(3):
        state, player = game.start(seed=seed), Random(seed)
        while state.seat is not None and state.round < 12:
            state = state.play(player.choose(state).action)
        if state.outcome:
            stands = [int(standing(state.record, seat)) for seat in range(game.players)]
            assert state.outcome.winners == tuple(seat for seat, most in enumerate(stands) if most == max(stands))
