"""PettingZoo's own tests, and what our environments promise besides."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs_test

import azulejos as az
from azulejos.envs import pettingzoo as ours

from . import NUMBERS, options_of

every_game = pytest.mark.parametrize("name", az.registered())
every_number = pytest.mark.parametrize(("name", "players"), NUMBERS)

# Said of every environment whose observation is a dictionary with an action mask, PettingZoo's own included.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


def maker(name: str, players: int) -> Callable[..., Any]:
    return lambda **options: ours.env(name, **options_of(name, players), **options)


@every_number
def test_their_api_test(name: str, players: int) -> None:
    form, rewards = ("one-hot", "win") if players == 3 else ("compact", "margin")
    options = {"observation": form, "rewards": rewards, "most_rounds": 2, **options_of(name, players)}
    api_test(ours.env(name, **options), num_cycles=200)


@every_number
def test_their_seed_test(name: str, players: int) -> None:
    seed_test(maker(name, players), num_cycles=40)


@every_number
def test_their_render_test(name: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(maker(name, players), custom_tests={"svg": lambda picture: picture.startswith("<svg")})
    assert "player 0" in capsys.readouterr().out  # "human" prints


@every_number
def test_their_save_obs_test(name: str, players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_obs_test(maker(name, players)())


@every_game
def test_they_are_registered(name: str) -> None:
    version = az.registered()[name].rules_version
    env = pettingzoo.make("aec", f"azulejos/{name}-v{version}", rewards="margin")
    env.reset(seed=1)
    assert env.unwrapped.metadata["name"] == f"{name}_v{version}"


def test_pictures_have_the_pixels_of_the_board() -> None:
    env = ours.env("azul", render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (800, 1280, 3)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20


@every_game
def test_a_game_is_played_to_its_end_and_paid(name: str) -> None:
    env = ours.env(name)
    env.reset(seed=3)
    chooser, totals = np.random.default_rng(0), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        if terminated or truncated:
            assert not seen["action_mask"].any()
            assert terminated
            env.step(None)
        else:
            assert not env.observe(next(other for other in env.agents if other != agent))["action_mask"].any()
            env.step(chooser.choice(np.flatnonzero(seen["action_mask"])))
    outcome = env.unwrapped._play.state.outcome
    assert outcome
    assert {seat for seat, total in enumerate(totals.values()) if total == max(totals.values())} == set(outcome.winners)
    assert sum(totals.values()) == pytest.approx(0)


def test_a_game_that_is_cut_off_is_truncated() -> None:
    env = ours.env("azul", most_rounds=1)
    env.reset(seed=0)
    while not any(env.truncations.values()):
        assert not any(env.terminations.values())
        env.step(np.flatnonzero(env.last()[0]["action_mask"])[0])
    assert all(env.truncations.values())
    assert not any(env.rewards.values())


def test_who_plays_an_illegal_action_loses() -> None:
    env = ours.env("azul")
    env.reset(seed=0)
    agent = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert env.terminations[agent]
    assert env.rewards[agent] == -1


@pytest.mark.parametrize(
    "options",
    [{"observation": "smell"}, {"render_mode": "film"}, {"rewards": "fame"}, {"players": 7}, {"game": "chess"}],
)
def test_nonsense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(az.OptionError):
        ours.env(**{"game": "azul", **options})
    with pytest.raises(az.OptionError, match="has its own already"):
        ours.env(az.make("azul"), players=3)


@every_game
def test_masks_in_the_infos(name: str) -> None:
    """A flat observation, for what cannot take dictionaries; PettingZoo's wrapper finds the mask there too."""
    env = ours.env(name, mask="info")
    api_test(env, num_cycles=100)
    env.reset(seed=1)
    seen, _, _, _, info = env.last()
    assert seen in env.observation_space(env.agent_selection)
    assert info["action_mask"].any()
    env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert all(env.terminations.values())


@every_game
@pytest.mark.parametrize("form", ["compact", "one-hot"])
def test_the_state_of_all_seats(name: str, form: Any) -> None:
    env = ours.RawEnv(name, observation=form)
    env.reset(seed=1)
    parts = [env.observe(agent)["observation"] for agent in env.possible_agents]
    assert (env.state() == np.concatenate(parts)).all()
    assert env.state() in env.state_space


def test_scores_and_results_are_told() -> None:
    env = ours.env("duel")
    env.reset(seed=1)
    chooser = np.random.default_rng(0)
    while not any(env.terminations.values()):
        assert all("result" not in info for info in env.infos.values())
        env.step(chooser.choice(np.flatnonzero(env.last()[0]["action_mask"])))
    scores = env.unwrapped._play.state.scores
    assert all(tuple(info["scores"]) == scores for info in env.infos.values())
    assert {agent: info["result"] for agent, info in env.infos.items()} == env.rewards


def test_an_illegal_action_costs_more_than_losing() -> None:
    env = ours.env("azul", rewards="margin")
    env.reset(seed=0)
    agent = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert env.rewards[agent] == -200
    assert not any(env.observe(one)["action_mask"].any() for one in env.agents)
