"""A game's judgement fits its rules."""

import numpy as np
import pytest

import azulejos as az
from azulejos.core.compiling import plain
from azulejos.players import Random
from azulejos.players.search import entry_points, network_of

GAMES = [game for kind in az.registered().values() for game in kind.variants()]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_features_and_weights_fit(game: az.Game) -> None:
    """Every position has a row of weights, its features are finite numbers, and its patterns are the sums over the
    things on a board."""
    judgement = game.judgement
    assert judgement
    weights, rows, hidden = network_of(judgement)
    features, patterns, units = len(judgement.FEATURES), rows.shape[1], hidden.shape[1]
    assert features == len(set(judgement.FEATURES))
    assert weights.shape[1] == features + patterns + units
    assert len(hidden) == (1 + 2 * patterns if units else 1)
    assert judgement.PATTERNS.shape[0] == judgement.THINGS + 1
    assert np.isfinite(judgement.WEIGHTS).all()
    assert np.isfinite(judgement.PATTERNS).all()
    found = entry_points(game.kernels, judgement, game.name)
    state, player, out = game.start(seed=1), Random(1), game.actions_buffer()
    inputs = np.full((game.players, features + patterns + units), 77, np.float32)
    for _ in range(150):
        if state.seat is None:
            break
        chapter = found.list_inputs(state.array(), 0, inputs, rows, hidden, out)
        assert 0 <= chapter < len(judgement.WEIGHTS)
        assert np.isfinite(inputs).all()
        for seat in range(game.players):
            assert inputs[seat, 0] == state.scores[seat]
            things = out[: found.list_board(state.array(), 0, seat, out)].astype(int)
            assert all(1 <= thing <= judgement.THINGS for thing in things)
            seen = judgement.PATTERNS[0] + judgement.PATTERNS[things].sum(axis=0)
            assert np.allclose(inputs[seat, features : features + patterns], np.maximum(seen, 0), atol=1e-4)
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
            stands = [int(standing(state.fields, seat)) for seat in range(game.players)]
            assert state.outcome.winners == tuple(seat for seat, most in enumerate(stands) if most == max(stands))
