"""The vector environment for Stable-Baselines3, whose MaskablePPO finds the masks by itself.

from sb3_contrib import MaskablePPO
from azulejos.envs.sb3 import VecGames
MaskablePPO("MlpPolicy", VecGames("azul", 64, opponent="greedy", observation="one-hot")).learn(100_000)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as _missing:
    raise ImportError(f"this needs {_missing.name}: pip install 'azulejos[sb3]'") from None

from azulejos.core.game import Game

from .batches import Array
from .gymnasium import ManySeatsEnv

_MASKS = "action_masks"  # what sb3-contrib asks for


class VecGames(VecEnv):  # type: ignore[misc, unused-ignore]
    """Many games at once, one seat of each, as Stable-Baselines3's VecEnv.

    The parameters are those of `ManySeatsEnv`. Every array that is returned is a copy. Infos have the `scores` and the
    `result` of a game that has ended.
    """

    def __init__(self, game: Game | str = "azul", num_envs: int = 8, **options: Any) -> None:
        self.games: ManySeatsEnv = ManySeatsEnv(game, num_envs, **options)
        self.render_mode = None
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)
        self._mask = np.ones((num_envs, self.games.game.num_actions), np.bool_)
        self._actions: Array = np.zeros(num_envs, np.int64)

    def reset(self) -> Array:
        """New games, with the seeds given to `seed`; the observations [num_envs, size]."""
        seeds = list(self._seeds) if any(seed is not None for seed in self._seeds) else None
        seen, info = self.games.reset(seed=seeds)
        self._mask = info["action_mask"]
        self._reset_seeds()
        self._reset_options()
        observations: Array = seen
        return observations

    def step_async(self, actions: Any) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Play the actions; observations, rewards, which games have ended, and infos."""
        seen, rewards, terminated, truncated, info = self.games.step(self._actions)
        self._mask, over = info["action_mask"], terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(over):
            infos[i] = {
                "terminal_observation": info["final_obs"][i],
                "TimeLimit.truncated": bool(truncated[i] and not terminated[i]),
                "scores": info["final_info"]["scores"][i],
                "result": float(info["final_info"]["result"][i]),
            }
        return seen, rewards, over, infos

    def close(self) -> None:
        """There is nothing to close."""
        self.games.close()

    def _chosen(self, indices: int | Sequence[int] | None) -> Sequence[int]:
        return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the vector environment, once for each game; the masks, each game its own."""
        if attr_name == _MASKS:
            return [self._mask[i] for i in self._chosen(indices)]
        return [getattr(self.games, attr_name) for _ in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the vector environment, which all games share."""
        setattr(self.games, attr_name, value)

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:
        """Call a method of the vector environment, once for each game; the masks, each game its own."""
        if method_name == _MASKS:
            return self.get_attr(_MASKS, indices)
        return [getattr(self.games, method_name)(*arguments, **named) for _ in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False for _ in self._chosen(indices)]
