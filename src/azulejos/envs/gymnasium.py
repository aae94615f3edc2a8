"""The games as Gymnasium's environments: one seat against chosen players, and many games at once.

    import gymnasium, azulejos.envs.gymnasium
    env = gymnasium.make("azulejos/azul-v1", opponent="greedy")
    envs = gymnasium.make_vec("azulejos/azul-v1", num_envs=1024, vectorization_mode="vector_entry_point")

Importing this module registers them; the version is that of the rules.
"""

from typing import Any

import numpy as np

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as missing:
    raise ImportError(f"this needs {missing.name}: pip install 'azulejos[envs]'") from None

from azulejos.core.errors import IllegalAction, OptionError
from azulejos.core.game import Game
from azulejos.core.observation import ObservationSpec
from azulejos.core.registry import follow, make
from azulejos.players import PLAYERS, Player

from . import picturing
from .batches import MOST_ROUNDS, Array, Batch
from .play import FORMS, Observer, Play, streams_of

ILLEGAL_REWARD = -1.0
COMPILED = ("random", "greedy")  # opponents that a whole batch can have


class OneSeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a game; the others are played by `opponent`, a player's name or a player.

    `seat`: the learner's; None draws it anew for each game. Observations: from the learner's view by the game's spec,
    compact (int16) or one-hot (float32 from 0 to 1). `info["action_mask"]` (int8) says what is legal; an illegal action
    ends the game with a reward of −1, and `info["illegal"]` says why. Rewards, of the learner's seat since its last
    action: "win" or "margin", as `az.batch` has them. A game that comes to a round after `most_rounds` is truncated.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  as Gymnasium has it
        "render_modes": picturing.MODES,
        "render_fps": picturing.FRAMES_A_SECOND,
    }

    def __init__(
        self,
        game: Game | str = "azul",
        opponent: str | Player = "random",
        seat: int | None = None,
        rewards: str = "win",
        observation: str = "compact",
        most_rounds: int = MOST_ROUNDS,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = picturing.check(render_mode)
        self._play = Play(game, rewards, most_rounds, observation, **options)
        self.game = self._play.game
        _check_seat(seat, self.game)
        if isinstance(opponent, str) and opponent not in PLAYERS:
            raise OptionError(f"nobody is called {opponent!r}: an opponent is {', '.join(PLAYERS)}, or a player")
        self._opponent, self._wanted, self.seat = opponent, seat, seat or 0
        self._players: list[Player] = []
        self.action_space = Discrete(self.game.num_actions)
        self.observation_space = space_of(self._play.spec, observation)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._play.begin(streams_of(self.np_random, 1)[0])
        if seed is not None or not self._players:
            seeds = streams_of(self.np_random, self.game.players)
            self._players = [self._player(one) for one in seeds]
        if self._wanted is None:
            self.seat = int(self.np_random.integers(self.game.players))
        self._let_others_play()
        return self._play.observe(self.seat), self._info()

    def _player(self, seed: int) -> Player:
        return PLAYERS[self._opponent](seed) if isinstance(self._opponent, str) else self._opponent

    def _let_others_play(self) -> float:
        """Until it is the learner's turn or over; what it brought the learner."""
        reward = 0.0
        while (seat := self._play.seat) is not None and seat != self.seat:
            choice = self._players[seat].choose(self._play.state.view(seat))
            reward += float(self._play.act(choice.action.index)[self.seat])
        return reward

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        try:
            reward = float(self._play.act(int(action))[self.seat])
        except IllegalAction as refusal:
            return self._play.observe(self.seat), ILLEGAL_REWARD, True, False, {**self._info(), "illegal": str(refusal)}
        reward += self._let_others_play()
        if self.render_mode == "human":
            self.render()
        play = self._play
        return play.observe(self.seat), reward, play.terminated, play.truncated, self._info()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._play.mask(self.seat)}

    def action_masks(self) -> Array:
        """Which actions are legal: bool [number of actions]."""
        return self._play.mask(self.seat).astype(np.bool_)

    def render(self) -> Any:
        return picturing.render(self._play.state, self.render_mode)


class ManySeatsEnv(VectorEnv[Any, Any, Any]):
    """Many games at once, one seat of each, on all cores; the others are played by `opponent`: "random" or "greedy".

    As `OneSeatEnv`, but that illegal actions raise IllegalAction. A game that has ended is followed by a new one in the
    same step: `info["final_obs"]` then holds what was seen last, where `info["_final_obs"]` is true.
    `info["action_mask"]`: bool [num_envs, number of actions]. The arrays returned are written over by the next step.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str = "azul",
        num_envs: int = 1,
        opponent: str = "random",
        seat: int | None = None,
        rewards: str = "win",
        observation: str = "compact",
        most_rounds: int = MOST_ROUNDS,
        threads: int | None = None,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        self.game = make(game, **options) if isinstance(game, str) else game
        _check_seat(seat, self.game)
        if opponent not in COMPILED:
            raise OptionError(f"opponent={opponent!r} is not possible for many games: it is {' or '.join(COMPILED)}")
        if observation not in FORMS:
            raise OptionError(f"observation={observation!r} is not possible: it is {' or '.join(map(repr, FORMS))}")
        self.batch = Batch(self.game, num_envs, None, rewards, most_rounds, threads)
        self._observer = Observer(self.game)
        self._form, self._opponent, self.num_envs = observation, opponent, num_envs
        everyone = np.arange(num_envs) % self.game.players  # one seat in each game, all seats equally often
        self.seats = (everyone if seat is None else np.full(num_envs, seat)).astype(np.int8)
        self.single_action_space = Discrete(self.game.num_actions)
        self.single_observation_space = space_of(self.batch.spec, observation)
        self.action_space = MultiDiscrete(np.full(num_envs, self.game.num_actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        first = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=first)
        self.batch.reset(streams_of(self.np_random, 1)[0])
        self._let_others_play(np.zeros(self.num_envs, np.float32))
        return self._observe(), {"action_mask": self.batch.legal_mask()}

    def _let_others_play(self, rewards: Array) -> tuple[Array, Array]:
        """Until it is the learner's turn in every game; which games were finished and cut off on the way: bool [n]."""
        batch, rows = self.batch, np.arange(self.num_envs)
        finished, cut_off = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        while (waiting := batch.seats != self.seats).any():
            choose = batch.random_actions if self._opponent == "random" else batch.greedy_actions
            batch.step(np.where(waiting, choose(), -1))
            rewards += batch.rewards[rows, self.seats]
            finished |= batch.terminated
            cut_off |= batch.truncated
        return finished, cut_off

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        batch = self.batch
        batch.step(np.asarray(actions))
        rewards = batch.rewards[np.arange(self.num_envs), self.seats]
        finished, cut_off = batch.terminated, batch.truncated
        for flags, more in zip((finished, cut_off), self._let_others_play(rewards), strict=True):
            flags |= more
        info: dict[str, Any] = {"action_mask": batch.legal_mask()}
        if (ended := finished | cut_off).any():
            info |= {"final_obs": self._final(ended), "_final_obs": ended}
        return self._observe(), rewards, finished, cut_off, info

    def _observe(self) -> Array:
        return self.batch.observe(self._form == "one-hot")

    def _final(self, ended: Array) -> Array:
        """What the learner saw last: an array of arrays, None where the game goes on."""
        seen = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            last = self._observer.observe(self.batch.finals[i : i + 1], self.seats[i])
            seen[i] = last.copy() if self._form == "compact" else self.batch.spec.one_hot(last)
        return seen


def space_of(spec: ObservationSpec, form: str) -> Box:
    if form == "compact":
        return Box(np.zeros_like(spec.most), spec.most, dtype=np.int16)
    return Box(0.0, 1.0, (spec.one_hot_size,), np.float32)


def _check_seat(seat: int | None, game: Game) -> None:
    if seat is not None and seat not in range(game.players):
        raise OptionError(f"seat={seat!r} does not exist: seats are 0 to {game.players - 1}, or None for any")


def _register(kind: type[Game]) -> None:
    name = f"azulejos/{kind.name}-v{kind.rules_version}"
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point="azulejos.envs.gymnasium:OneSeatEnv",
            vector_entry_point="azulejos.envs.gymnasium:ManySeatsEnv",
            kwargs={"game": kind.name},
        )


follow(_register)
