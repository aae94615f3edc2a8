"""Steps a second of MaskablePPO, collecting and learning: python bench/trainers.py [GAME …] [--steps N] [--passes N]

Needs azulejos[sb3,peers]. Each row trains the same network with the same settings on the same number of steps, with
nothing but the environments exchanged; the best of several passes counts. A step is one action of the learner, a second
one of CPU time, of all threads, so that other work on the machine matters little. PettingZoo's game goes into
Stable-Baselines3 by the wrapper of PettingZoo's tutorial, in which both seats learn.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from azulejos.core.registry import registered
from azulejos.envs.gymnasium import OneSeatEnv
from azulejos.envs.sb3 import VecGames

ROLLOUT = 2048  # steps between two updates, of all environments together


class BothSeats(gymnasium.Env):
    """A PettingZoo game whose seats take turns in one environment, as PettingZoo's tutorial of SB3 has it."""

    def __init__(self, aec: Any) -> None:
        self.aec = aec
        aec.reset()
        agent = aec.possible_agents[0]
        self.observation_space = aec.observation_space(agent)["observation"]
        self.action_space = aec.action_space(agent)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.aec.reset(seed)
        return self.aec.observe(self.aec.agent_selection)["observation"], {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        actor = self.aec.agent_selection
        self.aec.step(int(action))
        following = self.aec.agent_selection
        seen = self.aec.observe(following)["observation"]
        return seen, self.aec.rewards[actor], self.aec.terminations[actor], self.aec.truncations[actor], {}

    def action_masks(self) -> Any:
        return self.aec.observe(self.aec.agent_selection)["action_mask"].astype(np.bool_)


def connect_four() -> BothSeats:
    from pettingzoo.classic import connect_four_v3

    return BothSeats(connect_four_v3.raw_env())


def one_seat(game: str) -> Callable[[], OneSeatEnv]:
    return lambda: OneSeatEnv(game, observation="one-hot", rewards="margin")


class Collecting(BaseCallback):
    """Measures how long is spent on collecting steps, which are the environments and the network's choices."""

    seconds = started = 0.0

    def _on_rollout_start(self) -> None:
        self.started = time.process_time()

    def _on_rollout_end(self) -> None:
        self.seconds += time.process_time() - self.started

    def _on_step(self) -> bool:
        return True


def paces(env: Any, steps: int) -> tuple[float, float]:
    """Steps a second of collecting alone, and of training in all, after one update to warm up."""
    n_steps = ROLLOUT // env.num_envs
    model = MaskablePPO("MlpPolicy", env, n_steps=n_steps, batch_size=256, n_epochs=4, seed=0, device="cpu")
    model.learn(ROLLOUT)
    collecting, started = Collecting(), time.process_time()
    model.learn(steps, collecting)
    seconds = time.process_time() - started
    env.close()
    return model.num_timesteps / collecting.seconds, model.num_timesteps / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(registered()))
    parser.add_argument("--steps", type=int, default=2 * ROLLOUT, help="of each row in each pass")
    parser.add_argument("--passes", type=int, default=3)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    rows: list[tuple[str, str, Callable[[], Any]]] = [
        ("PettingZoo's connect four", "DummyVecEnv, 8", lambda: DummyVecEnv([connect_four] * 8)),
    ]
    for game in chosen.games:
        rows += [
            (game, "DummyVecEnv, 8", lambda game=game: DummyVecEnv([one_seat(game)] * 8)),
            (game, "VecGames, 8", lambda game=game: VecGames(game, 8, observation="one-hot", rewards="margin")),
            (game, "VecGames, 64", lambda game=game: VecGames(game, 64, observation="one-hot", rewards="margin")),
        ]
    best = np.zeros((len(rows), 2))
    for _ in range(chosen.passes):
        for row, (_, _, make) in enumerate(rows):
            best[row] = np.maximum(best[row], paces(make(), chosen.steps))
    print("| game | environments | collecting | training |\n|---|---|---|---|")
    for (name, how, _), (collecting, training) in zip(rows, best, strict=True):
        print(f"| {name} | {how} | {collecting:,.0f} | {training:,.0f} |")


if __name__ == "__main__":
    main()
