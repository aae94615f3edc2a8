"""OpenSpiel's own test, its players on our games, and the same games as ours."""

import unittest
import warnings
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

import azulejos as az  # noqa: E402
from azulejos.envs import openspiel as ours  # noqa: E402
from azulejos.envs.batches import spec_of  # noqa: E402

from . import NUMBERS, options_of  # noqa: E402

every_number = pytest.mark.parametrize(("name", "players"), NUMBERS)
NAMES = [ours.short_name(kind) for kind in az.registered().values()]
VARIANTS = [
    ("azulejos_azul(players=4,wall=grey,most_rounds=6)", {}),
    ("azulejos_pavilion(players=3,side=plain)", {}),
    ("azulejos_duel", {"tablets": "3"}),
    ("azulejos_duel(tablets=rows+ring+corners)", {}),
]


def loaded(name: str, players: int, **parameters: Any) -> Any:
    return pyspiel.load_game(f"azulejos_{name}", {**options_of(name, players), **parameters})


@every_number
def test_their_random_simulation(name: str, players: int) -> None:
    game = loaded(name, players, **({} if players == 2 else {"most_rounds": 2}))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@every_number
def test_their_api_test(name: str, players: int) -> None:
    """Its checks of sampled states; those of the full tree are for games small enough to be walked through."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what it imports
        from open_spiel.integration_tests import api_test

    game = loaded(name, players, most_rounds=2 if players == 2 else 1)
    checks = type("Checks", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": name})
    np.random.seed(0)  # it samples with NumPy's own generator
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(checks)
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun == 5
    assert result.wasSuccessful(), [trace for _, trace in (*result.failures, *result.errors)]


@pytest.mark.parametrize("name", NAMES)
def test_an_information_state_is_all_that_a_player_knows(name: str) -> None:
    """Histories that differ give different texts, and players who have seen the same get the same text."""
    game, chooser = pyspiel.load_game(name), np.random.default_rng(1)
    state = game.new_initial_state()
    told = set()
    for _ in range(120):
        if state.is_chance_node():
            state.apply_action(int(chooser.choice([drawn for drawn, _ in state.chance_outcomes()])))
            continue
        seat = state.current_player()
        text = state.information_state_string(seat)
        assert text not in told
        assert text == state.clone().information_state_string(seat)
        told.add(text)
        children = [state.child(action).information_state_string(seat) for action in state.legal_actions()[:4]]
        assert len(set(children)) == len(children)
        state.apply_action(int(chooser.choice(state.legal_actions())))
    assert len(told) > 10


@pytest.mark.parametrize(("name", "parameters"), VARIANTS)
def test_options_are_parameters(name: str, parameters: dict[str, str]) -> None:
    game = pyspiel.load_game(name, parameters) if parameters else pyspiel.load_game(name)
    again = pyspiel.load_game(str(game)) if not parameters else game
    assert again.ours == game.ours
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_an_option_that_is_not_possible_is_refused() -> None:
    with pytest.raises(az.OptionError):
        pyspiel.load_game("azulejos_azul(players=9)")


@pytest.mark.parametrize("name", NAMES)
def test_they_play_our_games(name: str) -> None:
    """The same actions and draws lead to the same positions, and the tensor is the observation."""
    game = pyspiel.load_game(name)
    layout, chooser = spec_of(game.ours), np.random.default_rng(4)
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert len(state.chance_outcomes()) == game.num_players()
    state.apply_action(1)
    own = game.ours.lay_out(1)
    while not state.is_terminal():
        assert str(state) == str(own)
        if state.is_chance_node():
            drawn, chance = state.chance_outcomes()[chooser.integers(len(state.chance_outcomes()))]
            assert own.chances()[drawn] == chance
            state.apply_action(drawn)
            own = own.draw(drawn)
            continue
        assert state.current_player() == own.seat
        tensor = np.array(state.observation_tensor(own.seat))
        assert tensor.shape == (layout.one_hot_size,)
        action = int(chooser.choice(state.legal_actions()))
        assert state.action_to_string(own.seat, action) == str(game.ours.action(action))
        clone = state.clone()
        clone.apply_action(action)
        assert str(state) == str(own), "a clone's action changed the state"
        state.apply_action(action)
        own = own.play(action)
        assert str(clone) == str(state)
    assert own.outcome
    returns = state.returns()
    assert sum(returns) == pytest.approx(0)
    assert {seat for seat, value in enumerate(returns) if value == max(returns)} == set(own.outcome.winners)


def test_what_a_player_may_not_know_is_not_told() -> None:
    game = pyspiel.load_game("azulejos_duel")
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    state = game.new_initial_state()
    chooser = np.random.default_rng(0)
    while state.is_chance_node():  # at random: five tiles of one colour would be dealt again
        state.apply_action(int(chooser.choice([drawn for drawn, _ in state.chance_outcomes()])))
    assert state.observation_string(0) == str(state.ours.view(0))


def test_a_game_without_end_is_cut_off() -> None:
    state = pyspiel.load_game("azulejos_azul(most_rounds=1)").new_initial_state()
    chooser = np.random.default_rng(0)
    while not state.is_terminal():
        outcomes = [k for k, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(int(chooser.choice(outcomes)))
    assert state.ours.round == 2
    assert state.returns() == [0.0, 0.0]


def test_their_tree_search_plays_our_game() -> None:
    from open_spiel.python.algorithms import mcts

    random = np.random.RandomState(0)
    game = pyspiel.load_game("azulejos_azul")
    bot = mcts.MCTSBot(game, 1.4, 6, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    state = game.new_initial_state()
    state.apply_action(0)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", ["azulejos_azul(players=3,rewards=margin)", "azulejos_pavilion(rewards=margin)"])
def test_margins_are_the_final_leads(name: str) -> None:
    game, chooser = pyspiel.load_game(name), np.random.default_rng(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        assert not any(state.returns())
        actions = [drawn for drawn, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(int(chooser.choice(actions)))
    scores = np.array(state.ours.scores)
    others = (scores.sum() - scores) / (len(scores) - 1)
    assert state.returns() == pytest.approx(list(scores - others))
    assert game.max_utility() > max(state.returns())
    with pytest.raises(az.OptionError, match="rewards='fame' is not possible"):
        pyspiel.load_game("azulejos_azul(rewards=fame)")
