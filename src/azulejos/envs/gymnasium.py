"""The games as Gymnasium environments: one seat against other players, and vectorized.

    import gymnasium, azulejos.envs.gymnasium
    env = gymnasium.make("azulejos/azul-v1", opponent="greedy")
    envs = gymnasium.make_vec("azulejos/azul-v1", num_envs=1024, vectorization_mode="vector_entry_point")

Importing this module registers them; the version is that of the rules.
"""

from typing import Any, Literal

import numpy as np

try:
    import gymnasium
    from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete
    from gymnasium.utils.seeding import np_random
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as _missing:
    raise ImportError(f"this needs {_missing.name}: pip install 'azulejos[envs]'") from None

from azulejos.core.errors import IllegalAction, OptionError
from azulejos.core.game import Game
from azulejos.core.observation import ObservationSpec
from azulejos.core.registry import follow, make
from azulejos.core.state import State

from . import picturing, stepping
from .batches import MOST_ROUNDS, Array, Batch, Rewards
from .opponents import Opponent, Others
from .play import FORMS, ILLEGAL_REWARDS, Form, MaskPlace, Observer, Play, streams_of

Autoreset = Literal["same-step", "next-step", "disabled"]
MASKS = ("info", "observation")
MANY_MODES: list[picturing.Mode] = ["ansi", "svg", "rgb_array"]


class OneSeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a game; the others are played by `opponent`.

    `opponent`: a player's name, with a limit if it has one ("search@100"), a player, or a policy (`Policy`).
    `seat`: the learner's; None draws it for each game.
    `observation`: from the learner's view by the game's spec, compact (int16) or one-hot (float32 from 0 to 1).
    `mask`: "info", or "observation" for dictionaries of `observation` and `action_mask`.
    `rewards`, of the learner's seat since its last action: "win" or "margin" as `az.batch` has them; over a game,
    "margin" sums to the final lead. An illegal action ends the game: the reward is then −1 in "win" and −200 in
    "margin", and `info["illegal"]` says why.
    `most_rounds`: a game that comes to a later round is truncated.

    `info`: `action_mask` (int8, what is legal), `scores` (int16 by seat), `seat` (the learner's), and when the game is
    over `result`, which is what "win" pays.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  as Gymnasium has it
        "render_modes": picturing.MODES,
        "render_fps": picturing.FRAMES_A_SECOND,
    }

    def __init__(
        self,
        game: Game | str = "azul",
        opponent: Opponent = "random",
        seat: int | None = None,
        rewards: Rewards = "win",
        observation: Form = "compact",
        most_rounds: int = MOST_ROUNDS,
        render_mode: picturing.Mode | None = None,
        mask: MaskPlace = "info",
        **options: Any,
    ) -> None:
        self.render_mode: Any = picturing.check(render_mode)
        self._play = Play(game, rewards, most_rounds, observation, **options)
        self.game: Game = self._play.game
        _check_seat(seat, self.game)
        check_mask(mask)
        self._others = Others(opponent, None, observation)
        self._wanted, self._masked, self._illegal = seat, mask == "observation", ILLEGAL_REWARDS[rewards]
        self.seat: int = seat or 0
        self._owed = 0.0  # what the others did before the learner's first action
        self._forfeited = False
        self.action_space: Any = Discrete(self.game.num_actions)
        self.observation_space: Any = space_of(self._play.spec, observation, self.game, mask)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game, up to the learner's first turn. `seed`: of the draws and of the other players."""
        super().reset(seed=seed)
        if seed is not None:
            self._others.seed(streams_of(self.np_random, 1)[0])
        self._forfeited = False
        while True:
            self._play.begin(streams_of(self.np_random, 1)[0])
            if self._wanted is None:
                self.seat = int(self.np_random.integers(self.game.players))
            self._owed = self._let_others_play()
            if self._play.seat is not None:  # else it was over before the learner could act
                return self._seen(), self._info()

    def _let_others_play(self) -> float:
        """Until it is the learner's turn or the game is over; the learner's rewards on the way."""
        play, own, reward = self._play, self.seat, 0.0
        while (seat := play.seat) is not None and seat != own:
            reward += play.act(play.chosen(self._others))[own]
        return reward

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the others' until it is the learner's turn or the game is over."""
        play = self._play
        if self._forfeited or play.seat is None:
            raise OptionError("the game is over: reset the environment first")
        try:
            reward = self._owed + play.act(int(action))[self.seat]
        except IllegalAction as refusal:
            self._forfeited = True
            return self._seen(), self._illegal, True, False, {**self._info(), "illegal": str(refusal)}
        self._owed = 0.0
        reward += self._let_others_play()
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, play.terminated, play.truncated, self._info()

    def _seen(self) -> Any:
        seen = self._play.observe(self.seat)
        return {"observation": seen, "action_mask": self._mask()} if self._masked else seen

    def _mask(self) -> Array:
        mask = self._play.mask(self.seat)
        if self._forfeited:
            mask[:] = 0
        return mask

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._mask(), "scores": self._play.scores, "seat": self.seat}
        if self._play.seat is None:
            info["result"] = float(self._play.results[self.seat])
        return info

    @property
    def state(self) -> State:
        """The position as the learner's seat sees it."""
        return self._play.state.view(self.seat)

    def action_masks(self) -> Array:
        """Which actions are legal: bool [number of actions]."""
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """The position in `render_mode`: text, SVG or pixels uint8 [height, width, 3]; "human" prints it."""
        return picturing.render(self._play.state, self.render_mode)


class ManySeatsEnv(VectorEnv[Any, Any, Any]):
    """Many games at once, one seat of each, on all cores; the others are played by `opponent`.

    As `OneSeatEnv`, with these differences. An illegal action raises IllegalAction before anything is played.
    `autoreset_mode`: "same-step" (a game that has ended is followed by a new one in the same step, and
    `info["final_obs"]` and `info["final_info"]` tell of its end), "next-step" (by the next step, whose action is
    ignored), or "disabled" (by `reset(options={"reset_mask": …})`). `copy`: False returns the same arrays every time,
    overwritten by the next step. `info["action_mask"]`: bool [num_envs, number of actions]; all True where the next
    action is ignored. Named players other than "random" and "greedy" choose one game at a time, in Python.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  as Gymnasium has it
        "render_modes": MANY_MODES,
        "render_fps": picturing.FRAMES_A_SECOND,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: Game | str = "azul",
        num_envs: int = 1,
        opponent: Opponent = "random",
        seat: int | None = None,
        rewards: Rewards = "win",
        observation: Form = "compact",
        most_rounds: int = MOST_ROUNDS,
        threads: int | None = None,
        render_mode: picturing.Mode | None = None,
        mask: MaskPlace = "info",
        autoreset_mode: Autoreset | AutoresetMode = AutoresetMode.SAME_STEP,
        copy: bool = True,
        **options: Any,
    ) -> None:
        self.game: Game = make(game, **options) if isinstance(game, str) else game
        _check_seat(seat, self.game)
        check_mask(mask)
        if observation not in FORMS:
            raise OptionError(f"observation={observation!r} is not possible: it is {' or '.join(map(repr, FORMS))}")
        self.render_mode: Any = picturing.check(render_mode, MANY_MODES)
        self._mode = _read_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self._others = Others(opponent, None, observation)
        self.batch: Batch = Batch(self.game, num_envs, None, rewards, most_rounds, threads)
        self._observer = Observer(self.game)
        self._form, self._masked, self._copy = observation, mask == "observation", copy
        self.num_envs: int = num_envs
        everyone = np.arange(num_envs) % self.game.players  # one seat in each game, all seats equally often
        self.seats: Array = (everyone if seat is None else np.full(num_envs, seat)).astype(np.int8)
        self._rows = np.arange(num_envs)
        self._owed = np.zeros(num_envs, np.float32)  # rewards before the learner's first action of a game
        self._resting = np.zeros(num_envs, np.bool_)  # games that have ended and are not followed yet
        self._finals = self.batch.finals.copy()  # of the games that have ended
        self._cut_off = np.zeros(num_envs, np.bool_)  # which of them were cut off
        self.single_action_space: Any = Discrete(self.game.num_actions)
        self.single_observation_space: Any = space_of(self.batch.spec, observation, self.game, mask)
        self.action_space: Any = MultiDiscrete(np.full(num_envs, self.game.num_actions))
        self.observation_space: Any = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """New games. `seed`: of all, or one for each. `options["reset_mask"]`, bool [num_envs]: of these games only."""
        chosen = (options or {}).get("reset_mask")
        anew = np.ones(self.num_envs, np.bool_) if chosen is None else np.asarray(chosen)
        if anew.shape != (self.num_envs,) or anew.dtype != np.bool_ or not anew.any():
            raise OptionError(f"a reset_mask is bool [{self.num_envs}], with at least one game")
        if isinstance(seed, list) and len(seed) != self.num_envs:
            raise OptionError(f"{len(seed)} seeds for {self.num_envs} environments: give one, or one for each")
        seeds: list[int | None] = [None] * self.num_envs
        if isinstance(seed, list):
            seeds = [None if one is None else streams_of(np_random(one)[0], 1)[0] for one in seed]
        elif seed is not None or anew.all():
            super().reset(seed=seed)
            self._others.seed(streams_of(self.np_random, 1)[0])
            seeds = list(streams_of(self.np_random, self.num_envs))
        for i in np.flatnonzero(anew):
            self.batch.renew(int(i), seeds[i])
        self._resting &= ~anew
        self._owed[anew] = 0
        self._let_others_play(self._owed, anew)
        return self._observe(), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play the learner's actions, integers [num_envs], then the others' until it is the learner's turn again."""
        playing = ~self._resting
        if self._mode is AutoresetMode.DISABLED and not playing.all():
            raise OptionError(f"these games are over: reset them first: {np.flatnonzero(self._resting).tolist()}")
        taken = np.where(playing, self._checked(np.asarray(actions), playing), stepping.WAIT)
        self._resting[:] = False
        rewards = np.where(playing, self._owed, 0)
        self._owed[playing] = 0
        finished, cut_off = self._play(taken, rewards, ~playing)
        info = self._info()
        if self._mode is AutoresetMode.SAME_STEP and (ended := finished | cut_off).any():
            info |= {"final_obs": self._last_seen(ended), "_final_obs": ended}
            info |= {"final_info": self._last_info(ended), "_final_info": ended}
        return self._observe(), rewards, finished, cut_off, info

    def _checked(self, actions: Array, playing: Array) -> Array:
        """The actions, if those of the games in play are legal; nothing has been played if not."""
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise OptionError(f"actions are {self.num_envs} integers; these are {actions.dtype} {actions.shape}")
        known = (actions >= 0) & (actions < self.game.num_actions)
        legal = known & self.batch.legal_mask()[self._rows, np.where(known, actions, 0)]
        if not legal[playing].all():
            i = int(np.flatnonzero(playing & ~legal)[0])
            state, action = self.batch.state(i), self.game.action(int(actions[i]))
            reason = self.game.explain(state, action.index)
            raise IllegalAction(f"environment {i}: {action} is not legal: {reason}", str(state))
        return actions

    def _play(self, actions: Array, rewards: Array, over: Array) -> tuple[Array, Array]:
        """The learner's actions, then the others' until it is the learner's turn; which games were finished and cut
        off. Games in `over` belong to the next episode from the start."""
        finished, cut_off = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        over, batch = over.copy(), self.batch
        while True:
            batch.step(actions)
            gained = batch.rewards[self._rows, self.seats]
            rewards += np.where(over, 0, gained)
            self._owed += np.where(over, gained, 0)
            ended = batch.ended != stepping.GOING_ON
            if ended.any():
                self._owed[ended & over] = 0  # of a game that was over before the learner could act
                now = ended & ~over
                self._finals[now] = batch.finals[now]
                self._cut_off[now] = batch.truncated[now]
                finished |= now & batch.terminated
                cut_off |= now & batch.truncated
                over |= ended
                if self._mode is not AutoresetMode.SAME_STEP:
                    self._resting |= now
            waiting = (batch.seats != self.seats) & ~self._resting
            if not waiting.any():
                return finished, cut_off
            actions = self._others.choose(batch, waiting)

    def _let_others_play(self, rewards: Array, games: Array) -> None:
        """The others' opening actions in games that have just begun."""
        batch = self.batch
        while (waiting := games & (batch.seats != self.seats)).any():
            batch.step(self._others.choose(batch, waiting))
            rewards += batch.rewards[self._rows, self.seats]
            rewards[batch.ended != stepping.GOING_ON] = 0

    def _observe(self) -> Any:
        seen = self.batch.observe(self._form == "one-hot")
        if self._resting.any():
            seen[self._resting] = self._look_back(self._resting)
        seen = seen.copy() if self._copy else seen
        return {"observation": seen, "action_mask": self._mask().view(np.int8)} if self._masked else seen

    def _mask(self) -> Array:
        mask = self.batch.legal_mask()
        if self._copy or self._resting.any():
            mask = mask.copy()
            mask[self._resting] = True
        return mask

    def _info(self) -> dict[str, Any]:
        scores = self.batch.states["score"][:, : self.game.players].copy()
        info: dict[str, Any] = {"action_mask": self._mask(), "scores": scores, "seat": self.seats.copy()}
        if self._resting.any():
            last = self._last_info(self._resting)
            scores[self._resting] = last["scores"][self._resting]
            info |= {"result": last["result"], "_result": self._resting.copy()}
        return info

    def _look_back(self, games: Array) -> Array:
        """What the learner saw last in some games: [how many, size]."""
        last, seats = self._finals[games], self.seats[games]
        seen = np.zeros((len(last), self.batch.spec.size), np.int16)
        self._observer.observe_all(last, seats, seen)
        return seen if self._form == "compact" else np.array([self.batch.spec.one_hot(row) for row in seen])

    def _last_seen(self, ended: Array) -> Array:
        """What the learner saw last: an array of arrays, None where the game goes on."""
        seen = np.full(self.num_envs, None, object)
        for i, row in zip(np.flatnonzero(ended), self._look_back(ended), strict=True):
            seen[i] = {"observation": row, "action_mask": self._no_action()} if self._masked else row
        return seen

    def render(self) -> Any:
        """Every game in `render_mode`: a tuple of texts, SVGs, or pixels uint8 [height, width, 3]; None without one."""
        if self.render_mode is None:
            return None
        finals = np.where(self._resting, self._finals, self.batch.states)
        states = (State(self.game, finals[i : i + 1]) for i in range(self.num_envs))
        return tuple(picturing.render(state, self.render_mode) for state in states)

    def _no_action(self) -> Array:
        return np.zeros(self.game.num_actions, np.int8)

    def _last_info(self, ended: Array) -> dict[str, Any]:
        """The scores, the learner's seat and its result in games that have ended; scores and result are 0 elsewhere."""
        players = self.game.players
        scores, result = np.zeros((self.num_envs, players), np.int16), np.zeros(self.num_envs, np.float32)
        paid = self._observer.results(self._finals[ended])
        paid[self._cut_off[ended]] = 0
        scores[ended] = self._finals["score"][ended][:, :players]
        result[ended] = paid[np.arange(len(paid)), self.seats[ended]]
        last = {"scores": scores, "seat": self.seats.copy(), "result": result}
        return {**last, **{f"_{name}": ended for name in last}}


def space_of(spec: ObservationSpec, form: Form, game: Game, mask: MaskPlace = "info") -> Any:
    """The space of one observation."""
    seen: Any = Box(0.0, 1.0, (spec.one_hot_size,), np.float32)
    if form == "compact":
        seen = Box(np.zeros_like(spec.most), spec.most, dtype=np.int16)
    if mask == "info":
        return seen
    return Dict({"observation": seen, "action_mask": Box(0, 1, (game.num_actions,), np.int8)})


def _read_mode(mode: Autoreset | AutoresetMode) -> AutoresetMode:
    words = {one.name.lower().replace("_", "-"): one for one in AutoresetMode}
    if isinstance(mode, AutoresetMode):
        return mode
    if mode not in words:
        raise OptionError(f"autoreset_mode={mode!r} is not possible: it is {', '.join(words)}")
    return words[mode]


def check_mask(mask: str) -> None:
    """OptionError if masks cannot be there."""
    if mask not in MASKS:
        raise OptionError(f"mask={mask!r} is not possible: it is {' or '.join(map(repr, MASKS))}")


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
