"""Gymnasium's own check, one seat against others, and many games at once."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import azulejos as az
from azulejos.envs import gymnasium as ours
from azulejos.players import PLAYERS, Greedy

every_game = pytest.mark.parametrize("name", az.registered())


def made(name: str, **options: Any) -> ours.OneSeatEnv:
    env = gymnasium.make(f"azulejos/{name}-v{az.registered()[name].rules_version}", **options).unwrapped
    assert isinstance(env, ours.OneSeatEnv)
    return env


@every_game
@pytest.mark.parametrize("form", ["compact", "one-hot"])
def test_their_check(name: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(made(name, observation=form))
    capsys.readouterr()  # it tries "human" too, which prints


@every_game
def test_a_game_against_a_player(name: str) -> None:
    env = made(name, opponent="greedy", seat=1, rewards="margin")
    _, info = env.reset(seed=2)
    chooser, total = np.random.default_rng(1), 0.0
    while True:
        legal = np.flatnonzero(info["action_mask"])
        assert (np.flatnonzero(env.action_masks()) == legal).all()
        _, reward, terminated, truncated, info = env.step(chooser.choice(legal))
        total += reward
        if terminated or truncated:
            break
        assert env._play.seat == 1
    scores = env._play.state.scores
    others = np.delete(scores, 1).mean()
    assert total == pytest.approx(scores[1] - others, abs=1e-3)
    assert others > scores[1], "greedy beats random choices"


def test_a_player_may_be_given_and_a_seat_drawn() -> None:
    env = ours.OneSeatEnv(az.make("azul", players=3), opponent=Greedy(1))
    assert {env.seat for seed in range(12) if env.reset(seed=seed)} == {0, 1, 2}


def test_who_plays_an_illegal_action_loses_and_hears_why() -> None:
    env = made("azul")
    _, info = env.reset(seed=0)
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated) == (-1, True)
    assert "is not legal" in info["illegal"]


def test_a_game_that_is_cut_off_is_truncated() -> None:
    env = made("azul", most_rounds=1)
    _, info = env.reset(seed=0)
    truncated = terminated = False
    while not (truncated or terminated):
        _, _, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])
    assert (terminated, truncated) == (False, True)


@every_game
@pytest.mark.parametrize("opponent", ours.COMPILED)
def test_many_games_at_once(name: str, opponent: str) -> None:
    version = az.registered()[name].rules_version
    envs = gymnasium.make_vec(
        f"azulejos/{name}-v{version}", 24, vectorization_mode="vector_entry_point", opponent=opponent
    )
    assert isinstance(envs, ours.ManySeatsEnv)
    seen, info = envs.reset(seed=5)
    chooser, paid = np.random.default_rng(0), []
    for _ in range(150):
        assert seen in envs.observation_space
        assert (envs.batch.seats == envs.seats).all()
        actions = np.array([chooser.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        assert actions in envs.action_space
        seen, rewards, terminated, truncated, info = envs.step(actions)
        assert not rewards[~terminated].any()
        assert not truncated.any()
        paid += rewards[terminated].tolist()
        if terminated.any():
            assert (info["_final_obs"] == terminated).all()
            last = info["final_obs"][np.flatnonzero(terminated)[0]]
            assert last in envs.single_observation_space
    assert len(paid) > 20
    assert set(paid) <= {1.0, 0.0, -1.0}
    if opponent == "greedy":
        assert np.mean(paid) < -0.8


def test_many_games_are_the_same_for_the_same_seed() -> None:
    envs = ours.ManySeatsEnv("azul", 6, seat=0, observation="one-hot")
    first = envs.reset(seed=1)[0].copy()
    assert (envs.reset(seed=1)[0] == first).all()
    assert (envs.reset(seed=2)[0] != first).any()
    assert (envs.seats == 0).all()


@pytest.mark.parametrize(
    "options", [{"seat": 2}, {"seat": -1}, {"opponent": "nobody"}, {"observation": "x"}, {"players": 9}]
)
@pytest.mark.parametrize("kind", [ours.OneSeatEnv, ours.ManySeatsEnv])
def test_nonsense_is_refused(kind: Any, options: dict[str, Any]) -> None:
    with pytest.raises(az.OptionError):
        kind("azul", **options)


def test_every_player_can_be_an_opponent() -> None:
    for name in PLAYERS:
        assert made("azul", opponent=name)
