"""The games as PettingZoo's AEC environments.

    from azulejos.envs import pettingzoo
    env = pettingzoo.env("azul", players=3, rewards="margin", render_mode="ansi")

Importing this module also registers them, with the version of their rules:
`pettingzoo.make("aec", "azulejos/azul-v1")`.
"""

from typing import Any

import numpy as np

try:
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo import AECEnv, aec_registry, register
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as missing:
    raise ImportError(f"this needs {missing.name}: pip install 'azulejos[envs]'") from None

from azulejos.core.game import Game
from azulejos.core.registry import follow

from . import picturing
from .batches import MOST_ROUNDS
from .play import Play

ILLEGAL_REWARD = -1.0


def env(game: Game | str = "azul", **options: Any) -> Any:
    """A game in the usual wrappers: who plays an illegal action loses, out of bounds and out of order are refused.

    Options are those of `RawEnv`, and, if the game is given by its name, the game's own.
    """
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(
            wrappers.TerminateIllegalWrapper(RawEnv(game, **options), illegal_reward=ILLEGAL_REWARD)
        )
    )


class RawEnv(AECEnv):  # type: ignore[type-arg, misc, unused-ignore]
    """A game whose agents `player_0` … are its seats.

    Observations are dictionaries: `observation`, from the agent's view, in the game's spec, compact (int16) or
    one-hot (float32 from 0 to 1), and `action_mask` (int8). Rewards: "win" or "margin", as `az.batch` has them. A game
    that comes to a round after `most_rounds` is truncated. Render modes: "human" prints, "ansi", "svg" and "rgb_array"
    return.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  as PettingZoo has it
        "name": "azulejos",
        "render_modes": picturing.MODES,
        "render_fps": picturing.FRAMES_A_SECOND,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: Game | str = "azul",
        rewards: str = "win",
        observation: str = "compact",
        most_rounds: int = MOST_ROUNDS,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.render_mode = picturing.check(render_mode)
        self._play = Play(game, rewards, most_rounds, observation, **options)
        game = self._play.game
        self.metadata = {**RawEnv.metadata, "name": f"{game.name}_v{game.rules_version}"}
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.observation_spaces: dict[str, Space[Any]] = {agent: _space(self._play) for agent in self.possible_agents}
        self.action_spaces: dict[str, Space[Any]] = {
            agent: Discrete(game.num_actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._play.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        seat = self._play.seat
        self.agent_selection = self.agents[0] if seat is None else self.possible_agents[seat]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seats[agent]
        return {"observation": self._play.observe(seat), "action_mask": self._play.mask(seat)}

    def step(self, action: int | np.integer[Any] | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, f"{agent} is to act, and None is no action"
        self._cumulative_rewards[agent] = 0.0
        rewards = self._play.act(int(action))
        self.rewards = {agent: float(rewards[seat]) for agent, seat in self._seats.items() if agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, self._play.terminated)
        self.truncations = dict.fromkeys(self.agents, self._play.truncated)
        self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        return picturing.render(self._play.state, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


def _space(play: Play) -> Dict:
    spec = play.spec
    seen = (
        Box(np.zeros_like(spec.most), spec.most, dtype=np.int16)
        if play.form == "compact"
        else Box(0.0, 1.0, (spec.one_hot_size,), np.float32)
    )
    return Dict({"observation": seen, "action_mask": Box(0, 1, (play.game.num_actions,), np.int8)})


def _register(kind: type[Game]) -> None:
    name = f"azulejos/{kind.name}-v{kind.rules_version}"
    if name not in aec_registry:
        register("aec", name, "azulejos.envs.pettingzoo:env", kwargs={"game": kind.name})


follow(_register)
