"""A game's judgement fits its rules."""

import numpy as np
import pytest

import azulejos as az
from azulejos.core.compiling import plain
from azulejos.players import Random
from azulejos.players.search import entry_points

GAMES = [game for kind in az.registered().values() for game in kind.variants()]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_features_and_weights_fit(game: az.Game) -> None:
    """Every position has a row of weights, its features are finite numbers, and each thing on a board has a number of
    its own."""
    judgement = game.judgement
    assert judgement
    features, patterns = len(judgement.FEATURES), judgement.PATTERNS.shape[1]
    assert features == len(set(judgement.FEATURES))
    assert judgement.WEIGHTS.shape[1] == features + patterns
    assert judgement.PATTERNS.shape[0] == judgement.THINGS + 1
    assert np.isfinite(judgement.WEIGHTS).all()
    assert np.isfinite(judgement.PATTERNS).all()
    found = entry_points(game.kernels, judgement, game.name)
    state, player, out = game.start(seed=1), Random(1), game.actions_buffer()
    noted = np.full(features + patterns, 77.0)
    for _ in range(150):
        if state.seat is None:
            break
        for seat in range(game.players):
            chapter = found.list_inputs(state.array(), 0, seat, noted, out)
            assert 0 <= chapter < len(judgement.WEIGHTS)
            assert np.isfinite(noted).all()
            assert noted[0] == state.scores[seat]
            things = out[: found.list_board(state.array(), 0, seat, out)].astype(int)
            assert len(set(things)) == len(things)
            assert all(1 <= thing <= judgement.THINGS for thing in things)
            seen = judgement.PATTERNS[0] + judgement.PATTERNS[things].sum(axis=0)
            assert np.allclose(noted[features:], np.maximum(seen, 0))
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
