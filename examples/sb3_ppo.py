"""MaskablePPO of sb3-contrib learns Azul against a player: python examples/sb3_ppo.py [--steps N] [--opponent NAME].

Needs `pip install 'azulejos[sb3]'`. The policy that has learnt becomes a player and plays a match against `greedy`.
"""

import argparse
import time
from typing import Any

from sb3_contrib import MaskablePPO

import azulejos as az
from azulejos.core.record import Record
from azulejos.envs.opponents import PolicyPlayer
from azulejos.envs.sb3 import VecGames
from azulejos.players import Greedy


def learn(steps: int, opponent: str, games: int = 64, seed: int = 0) -> MaskablePPO:
    """A model that has learnt for this many steps, in games side by side."""
    env = VecGames("azul", games, opponent=opponent, rewards="margin", observation="one-hot")
    model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=1024, gamma=1.0, seed=seed, device="cpu")
    started = time.perf_counter()
    model.learn(steps)
    print(f"{model.num_timesteps / (time.perf_counter() - started):,.0f} steps a second")
    return model


def player(model: MaskablePPO) -> PolicyPlayer:
    """The model as a player."""

    def policy(observations: Any, masks: Any) -> Any:
        return model.predict(observations, action_masks=masks, deterministic=True)[0]

    return PolicyPlayer(policy, "one-hot")


def wins(learnt: PolicyPlayer, games: int) -> float:
    """The share of games won against greedy, seats in turn."""
    won = 0.0
    for number in range(games):
        record, players = Record(az.make("azul").start(seed=number)), [learnt, Greedy(number)]
        mine = number % 2
        while record.outcome is None and record.state.round <= 12:
            seat = record.state.seat
            assert seat is not None
            record.play(players[seat if mine == 0 else 1 - seat].choose(record.state.view(seat)).action)
        won += bool(record.outcome and record.outcome.winners == (mine,))
    return won / games


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--opponent", default="random", help="a player by name, such as greedy or search@100")
    chosen = parser.parse_args()
    learnt = player(learn(chosen.steps, chosen.opponent))
    print(f"won against greedy: {wins(learnt, 100):.0%}")
