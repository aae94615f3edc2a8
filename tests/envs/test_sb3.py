"""Stable-Baselines3 on our games; skipped loudly where it is not installed."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import azulejos as az

from . import NUMBERS, options_of

sb3 = pytest.importorskip("sb3_contrib", reason="THE ADAPTER WAS NOT TESTED: pip install 'azulejos[sb3]'")

EXAMPLE = Path(__file__).parents[2] / "examples" / "sb3_ppo.py"


@pytest.mark.parametrize(("name", "players"), NUMBERS)
def test_their_check(name: str, players: int) -> None:
    from stable_baselines3.common.env_checker import check_env

    from azulejos.envs.gymnasium import OneSeatEnv

    check_env(OneSeatEnv(name, observation="one-hot", **options_of(name, players)))


@pytest.mark.parametrize("name", az.registered())
def test_a_rollout_holds_what_was_seen(name: str) -> None:
    """No row is the next observation, and every action was legal where it was chosen."""
    from azulejos.envs.sb3 import VecGames

    env = VecGames(name, 4, observation="one-hot", rewards="margin")
    model = sb3.MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=1, device="cpu", seed=0)
    model.learn(256)
    kept = model.rollout_buffer
    rows = np.asarray(kept.observations).reshape(-1, env.games.batch.spec.one_hot_size)
    assert len({row.tobytes() for row in rows}) > 0.9 * len(rows)
    masks = np.asarray(kept.action_masks).reshape(len(rows), -1).astype(bool)
    chosen = np.asarray(kept.actions).reshape(-1).astype(int)
    assert masks[np.arange(len(rows)), chosen].all()


def test_a_seed_for_each_and_ends() -> None:
    from azulejos.envs.sb3 import VecGames

    env = VecGames("azul", 3, seat=0, most_rounds=2)
    env.seed(5)
    first = env.reset()
    env.seed(5)
    assert (env.reset() == first).all()
    ended: list[dict[str, Any]] = []
    while len(ended) < 3:
        masks = np.stack(env.env_method("action_masks"))
        _, _, over, infos = env.step(masks.argmax(1))
        ended += [info for info, done in zip(infos, over, strict=True) if done]
    assert all(info["terminal_observation"] in env.observation_space for info in ended)
    assert all(info["TimeLimit.truncated"] for info in ended)
    assert env.has_attr("action_masks")


def test_observations_as_tensors() -> None:
    pytest.importorskip("array_api_compat", reason="gymnasium[array-api] is not installed")
    from gymnasium.wrappers.vector import NumpyToTorch

    from azulejos.envs.gymnasium import ManySeatsEnv

    envs = NumpyToTorch(ManySeatsEnv("azul", 3, autoreset_mode="next-step"))
    _, info = envs.reset(seed=1)
    seen, rewards, _, _, info = envs.step(info["action_mask"].int().argmax(1))
    assert seen.shape == envs.observation_space.shape
    assert not rewards.any()


def test_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    spec = importlib.util.spec_from_file_location("sb3_ppo", EXAMPLE)
    assert spec
    assert spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    learnt = example.player(example.learn(2_000, "random", games=8))
    assert 0 <= example.wins(learnt, 2) <= 1
    assert "steps a second" in capsys.readouterr().out
