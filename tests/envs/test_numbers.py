"""`azul-v1` never changes its numbers: seeds, draws, actions, observations and rewards, written down as digests.

python -m tests.envs.test_numbers writes the file again, which only a game with a new version may need.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import azulejos as az
from azulejos.envs.gymnasium import ManySeatsEnv, OneSeatEnv
from azulejos.envs.pettingzoo import RawEnv

FILE = Path(__file__).parent / "numbers.txt"
STEPS = 200


def batch(name: str) -> Iterator[Any]:
    games = az.batch(name, 8, seed=1, rewards="margin")
    for _ in range(STEPS):
        yield from (games.observe(), games.observe(one_hot=True), games.legal_mask(), games.seats)
        games.step(games.random_actions())
        yield from (games.rewards, games.terminated, games.truncated)


def vector(name: str) -> Iterator[Any]:
    envs, chooser = ManySeatsEnv(name, 8, "greedy"), np.random.default_rng(0)
    seen, info = envs.reset(seed=1)
    for _ in range(STEPS):
        yield from (seen, info["action_mask"], info["scores"])
        actions = np.array([chooser.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        seen, rewards, terminated, truncated, info = envs.step(actions)
        yield from (rewards, terminated, truncated)


def single(name: str) -> Iterator[Any]:
    env, chooser = OneSeatEnv(name, "random", rewards="margin"), np.random.default_rng(0)
    for seed in range(3):
        seen, info = env.reset(seed=seed)
        over = False
        while not over:
            yield from (seen, info["action_mask"])
            seen, reward, terminated, truncated, info = env.step(chooser.choice(np.flatnonzero(info["action_mask"])))
            over = terminated or truncated
            yield np.float64(reward)


def agents(name: str) -> Iterator[Any]:
    env, chooser = RawEnv(name, observation="one-hot"), np.random.default_rng(0)
    env.reset(seed=1)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        seen = env.observe(env.agent_selection)
        yield from seen.values()
        env.step(chooser.choice(np.flatnonzero(seen["action_mask"])))
        yield np.array(list(env.rewards.values()))


INTERFACES = {function.__name__: function for function in (batch, vector, single, agents)}


def digest(interface: str, name: str) -> str:
    found = hashlib.sha256()
    for array in INTERFACES[interface](name):
        found.update(np.ascontiguousarray(array).tobytes())
    return f"{name}-v{az.registered()[name].rules_version} {interface} {found.hexdigest()[:32]}"


@pytest.mark.parametrize("interface", INTERFACES)
@pytest.mark.parametrize("name", az.registered())
def test_the_numbers_are_what_they_were(interface: str, name: str) -> None:
    assert digest(interface, name) in FILE.read_text().splitlines()


if __name__ == "__main__":
    FILE.write_text("".join(f"{digest(one, name)}\n" for name in az.registered() for one in INTERFACES))
