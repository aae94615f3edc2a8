"""A game's judgement fits its rules."""

import numpy as np
import pytest

import azulejos as az
from azulejos.core.compiling import plain
from azulejos.players import Random
from azulejos.players.search import entry_points, network_of
from azulejos.players.tree import ASPECTS, NOTES

GAMES = [game for kind in az.registered().values() for game in kind.variants()]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_features_and_weights_fit(game: az.Game) -> None:
    """Every position has a row of weights, its features are finite numbers, and its patterns are the sums over the
    things on a board."""
    judgement = game.judgement
    assert judgement
    weights, rows, hidden, linear, priors = network_of(game, judgement)
    features, patterns, units = len(judgement.FEATURES), rows.shape[1], hidden.shape[1]
    assert features == len(set(judgement.FEATURES))
    assert weights.shape[1] == features + patterns + units
    assert len(hidden) == (1 + 2 * patterns if units else 1)
    assert rows.shape[0] == judgement.THINGS + 1
    assert linear.shape[1] == 0 or linear.shape == (judgement.PRIOR_ROWS, 1)
    assert priors.shape[1] == 0 or len(priors) == judgement.PRIOR_ROWS
    assert all(np.isfinite(array).all() for array in (weights, rows, hidden, linear, priors))
    found = entry_points(game.kernels, judgement, game.name)
    state, player, out = game.start(seed=1), Random(1), game.actions_buffer()
    inputs = np.full((game.players, features + patterns + units), 77, np.float32)
    for _ in range(150):
        if state.seat is None:
            break
        chapter = found.list_inputs(state.array(), 0, inputs, rows, hidden, out)
        assert 0 <= chapter < len(weights)
        assert np.isfinite(inputs).all()
        for seat in range(game.players):
            assert inputs[seat, 0] == state.scores[seat]
            things = out[: found.list_board(state.array(), 0, seat, out)].astype(int)
            assert all(1 <= thing <= judgement.THINGS for thing in things)
            seen = rows[0] + rows[things].sum(axis=0)
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


@pytest.mark.parametrize("name", az.registered())
def test_every_action_and_position_is_described_by_rows(name: str) -> None:
    game = az.make(name)
    assert game.judgement
    rules, state, player = plain(game.judgement), game.start(seed=2), Random(2)
    ratings = np.zeros(game.num_actions + 8 + NOTES)
    for turn in range(160):
        if state.seat is None:
            break
        if turn % 4 == 0:
            rows = np.zeros((len(ratings), ASPECTS), np.int16)
            actions = np.array([int(action) for action in state.actions], np.int16)
            rules.rate(state.array()[0], actions, len(actions), ratings)
            rules.describe_actions(state.array()[0], actions, len(actions), ratings, rows)
            assert np.isfinite(ratings).all()
            assert (rows[: len(actions) + 1] >= 1).all()
            assert (rows[: len(actions) + 1] < game.judgement.PRIOR_ROWS).all()
        state = state.play(player.choose(state).action)
