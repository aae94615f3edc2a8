"""The games as PettingZoo AEC environments.

    from azulejos.envs import pettingzoo
    env = pettingzoo.env("azul", players=3, rewards="margin", render_mode="ansi")

Importing this module also registers them, with the version of their rules:
`pettingzoo.make("aec", "azulejos/azul-v1")`.
"""

from typing import Any

import numpy as np

try:
    from gymnasium.spaces import Box, Discrete, Space
    from pettingzoo import AECEnv, aec_registry, register
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as _missing:
    raise ImportError(f"this needs {_missing.name}: pip install 'azulejos[envs]'") from None

from azulejos.core.game import Game
from azulejos.core.registry import follow

from . import picturing
from .batches import MOST_ROUNDS, Array, Rewards
from .gymnasium import check_mask, space_of
from .play import ILLEGAL_REWARDS, Form, MaskPlace, Play


def env(game: Game | str = "azul", **options: Any) -> Any:
    """A game in the usual wrappers: an illegal action loses, one out of bounds or out of turn is refused.

    Options are those of `RawEnv`, and, if the game is given by its name, the game's own.
    """
    raw = RawEnv(game, **options)
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(
            wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARDS[raw.reward_mode])
        )
    )


class RawEnv(AECEnv):  # type: ignore[type-arg, misc, unused-ignore]
    """A game whose agents `player_0` … are its seats.

    Observations are dictionaries: `observation`, from the agent's view, in the game's spec, compact (int16) or
    one-hot (float32 from 0 to 1), and `action_mask` (int8). `mask="info"`: the observation alone, and the mask in the
    agent's info. Rewards: "win" or "margin", as in `az.batch`; in `env` an illegal action ends the game and costs 1 in
    "win", 200 in "margin". A game is truncated after `most_rounds`. Infos: `scores` (int16 by seat), and at the end
    `result`, which is what "win" pays. Render modes: "human" prints, "ansi", "svg" and "rgb_array" return.
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
        rewards: Rewards = "win",
        observation: Form = "compact",
        most_rounds: int = MOST_ROUNDS,
        render_mode: picturing.Mode | None = None,
        mask: MaskPlace = "observation",
        **options: Any,
    ) -> None:
        super().__init__()
        self.render_mode: Any = picturing.check(render_mode)
        check_mask(mask)
        self._play = Play(game, rewards, most_rounds, observation, **options)
        self.reward_mode: Rewards = rewards
        self._masked = mask == "observation"
        game = self._play.game
        one, every = space_of(self._play.spec, observation, game), range(game.players)
        self.state_space: Space[Any] = Box(
            np.concatenate([one.low for _ in every]), np.concatenate([one.high for _ in every]), dtype=one.dtype
        )
        self.metadata = {**RawEnv.metadata, "name": f"{game.name}_v{game.rules_version}"}
        self.possible_agents: list[str] = [f"player_{seat}" for seat in range(game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.observation_spaces: dict[str, Space[Any]] = {
            agent: space_of(self._play.spec, observation, game, mask) for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Space[Any]] = {
            agent: Discrete(game.num_actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. `seed`: of all draws."""
        self._play.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()
        self._tell()

    def _select(self) -> None:
        seat = self._play.seat
        self.agent_selection: str = self.agents[0] if seat is None else self.possible_agents[seat]

    def observe(self, agent: str) -> Any:
        """What an agent sees."""
        seat = self._seats[agent]
        seen = self._play.observe(seat)
        return {"observation": seen, "action_mask": self._mask(agent)} if self._masked else seen

    def _mask(self, agent: str) -> Array:
        """What is legal for an agent: nothing once it is terminated, be it by an illegal action."""
        mask = self._play.mask(self._seats[agent])
        if self.terminations.get(agent, True):
            mask[:] = 0
        return mask

    def state(self) -> Array:
        """Everything: what each seat sees, one after another, in the form of the observations."""
        return np.concatenate([self._play.observe(seat) for seat in range(self._play.game.players)])

    def _tell(self) -> None:
        """Scores and, at the end, results; the masks, if they are not in the observations."""
        play = self._play
        scores, results = play.scores, play.results if play.seat is None else None
        for agent, seat in self._seats.items():
            if agent in self.agents:
                self.infos[agent] = {"scores": scores}
                if results is not None:
                    self.infos[agent]["result"] = float(results[seat])
                if not self._masked:
                    self.infos[agent]["action_mask"] = self._mask(agent)

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Play an action of the selected agent; None for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, f"{agent} is to act, and None is no action"
        self._cumulative_rewards[agent] = 0.0
        rewards = self._play.act(int(action))
        self.rewards = {agent: rewards[seat] for agent, seat in self._seats.items() if agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, self._play.terminated)
        self.truncations = dict.fromkeys(self.agents, self._play.truncated)
        self._accumulate_rewards()
        self._select()
        self._tell()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The position in `render_mode`: text, SVG or pixels uint8 [height, width, 3]; "human" prints it."""
        return picturing.render(self._play.state, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


def _register(kind: type[Game]) -> None:
    name = f"azulejos/{kind.name}-v{kind.rules_version}"
    if name not in aec_registry:
        register("aec", name, "azulejos.envs.pettingzoo:env", kwargs={"game": kind.name})


follow(_register)
