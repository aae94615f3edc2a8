"""Many games at once, as arrays."""

import secrets
from collections.abc import Sequence
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from azulejos.core.compiling import bind
from azulejos.core.errors import IllegalAction, OptionError
from azulejos.core.game import Game
from azulejos.core.machine import usable_cores
from azulejos.core.observation import ObservationSpec
from azulejos.core.registry import make
from azulejos.core.state import State
from azulejos.core.streams import streams

from . import stepping
from .threads import Work, pool

Array = npt.NDArray[Any]
Rewards = Literal["win", "margin"]
Device = Literal["cpu", "cuda"]
_KEPT = ("states", "keys", "seats", "rewards", "finals", "ended")  # of a batch that is pickled
REWARDS = {"win": stepping.WIN, "margin": stepping.MARGIN}
MOST_ROUNDS = 30  # after which a game is cut off by default; people seldom need ten
MOST_GAMES = 2**31 - 1
# Games: with fewer, one thread is done before the others are awake.
WORTH_WAKING = 256  # to step or observe
WORTH_WAKING_FOR_CHOICES = 1024  # at random
MOST_WORKS = 64  # entry points with their arguments, remembered: `wander` has an argument of the caller's


def batch(
    game: Game | str,
    n: int,
    device: Device = "cpu",
    seed: int | None = None,
    rewards: Rewards = "win",
    most_rounds: int = MOST_ROUNDS,
    threads: int | None = None,
    **options: Any,
) -> "Batch":
    """`n` games in parallel, each reset as soon as it is over. `options`: of a game that is given by its name.

    `device`: "cpu", on `threads` cores (all if None), or "cuda", one thread a game. `seed`: of all chance; the system's
    entropy if None. `rewards`: "win" or "margin", see `Batch.rewards`. `most_rounds`: a game that gets to a later round
    is cut off, since some rules have no last round.

    >>> import azulejos as az
    >>> games = az.batch("azul", 4, seed=1)
    >>> for _ in range(10):
    ...     games.step(games.random_actions())
    >>> games.seats, games.legal_mask().shape, games.observe().shape
    (array([0, 1, 0, 0], dtype=int8), (4, 180), (4, 239))
    """
    if isinstance(game, str):
        game = make(game, **options)
    elif options:
        raise OptionError("options go with a game's name; this game has its own already")
    if not isinstance(game, Game):
        raise OptionError(f"{game!r} is no game: give its name, or what az.make returned")
    if device == "cpu":
        return Batch(game, n, seed, rewards, most_rounds, threads)
    if device == "cuda":
        from .cuda import CudaBatch

        return CudaBatch(game, n, seed, rewards, most_rounds)
    raise OptionError(f"device={device!r} is not possible: it is 'cpu' or 'cuda'")


class Batch:
    """`n` games on the cores of this machine. The arrays below may be read; every step overwrites them.

    states: [n] of the game's structured type. keys: uint64 [n], each game's random stream.
    seats: int8 [n], the seat to act.
    rewards: float32 [n, players], of the last step; they sum to 0. "win": when a game ends, 1 for the winner and
    −1 / (players − 1) for the others; winners who share the victory share this too; 0 if it is cut off.
    "margin": by how many points the step changed each seat's lead over the mean of the others, so that a game's
    rewards sum to the final lead.
    terminated, truncated: bool [n], whether the last step ended the game, by the rules or by cutting it off; the state
    is then the beginning of the next game. finals: [n] of the game's structured type, the last position of the game
    that ended last; all zero before the first. ended: int8 [n], the same: 0 going on, 1 terminated, 2 truncated.
    """

    device = "cpu"

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int | None = None,
        rewards: Rewards = "win",
        most_rounds: int = MOST_ROUNDS,
        threads: int | None = None,
        endless: bool = True,
    ) -> None:
        """`endless`: a game that ends is followed by a new one. The rest as `batch` has it."""
        if not (isinstance(n, int) and 0 < n <= MOST_GAMES):
            raise OptionError(f"n={n!r} is not possible: a batch has 1 to {MOST_GAMES} games")
        if rewards not in REWARDS:
            raise OptionError(f"rewards={rewards!r} is not possible: they are {' or '.join(map(repr, REWARDS))}")
        if not (isinstance(most_rounds, int) and 0 < most_rounds < 2**31):
            raise OptionError(f"most_rounds={most_rounds!r} is not possible: it is at least 1")
        if threads is not None and not 0 < threads <= 1024:
            raise OptionError(f"threads={threads!r} is not possible: 1 to 1024 are")
        self.game: Game = game
        self.n: int = n
        self.most_rounds: int = most_rounds
        self.spec: ObservationSpec = spec_of(game)
        self._threads = min(threads or usable_cores(), n)
        self._entry_points = self._bound()
        self._works: dict[Any, Work] = {}
        self._own(np.array([REWARDS[rewards], most_rounds, endless, 0], np.int64))
        self.reset(secrets.randbits(63) if seed is None else seed)

    def _own(self, plan: Array) -> None:
        """Allocate the arrays."""
        game, n = self.game, self.n
        self.states: npt.NDArray[np.void] = self._zeros(n, self._record)
        self.keys: npt.NDArray[np.uint64] = self._zeros(n, np.uint64)
        self.seats: npt.NDArray[np.int8] = self._zeros(n, np.int8)
        self.rewards: npt.NDArray[np.float32] = self._zeros((n, game.players), np.float32)
        self.finals: npt.NDArray[np.void] = self._zeros(n, self._record)
        self.ended: Any = self._zeros(n, np.int8)
        self._actions: npt.NDArray[np.int64] = self._zeros(n, np.int64)
        self._places = self._zeros(n, np.int16)  # of random actions in their lists
        self._taken = np.zeros(n, np.int64)  # the actions of the last step
        self._plan = plan
        self._books = stepping.Books(
            states=self.states,
            keys=self.keys,
            seats=self.seats,
            rewards=self.rewards,
            finals=self.finals,
            ended=self.ended,
            lists=self._zeros((n if self.device == "cpu" else 1, game.num_actions + 8), np.int16),
            counts=self._zeros(n, np.int16),
            mask=self._zeros((1, game.num_actions), np.uint8),
            option_codes=self._put(game.option_codes),
            plan=self._put(plan),
        )
        self._lent: dict[str, Array] = {}

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: getattr(self, name) for name in ("game", "n", "most_rounds", "_threads", "_plan")}
        return {**kept, "arrays": {name: self._fetch(getattr(self, name)) for name in _KEPT}}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        arrays = kept.pop("arrays")
        self.__dict__.update(kept)
        self.spec = spec_of(self.game)
        self._entry_points = self._bound()
        self._works = {}
        self._plan[stepping.MARKED] = 0  # the mask is computed when it is asked for
        self._own(self._plan)
        for name, array in arrays.items():
            self._fill(getattr(self, name), array)
        self._list()

    def _list(self) -> None:
        """Find whose turn it is and what is legal, after states were changed from outside."""
        self._run(self._entry_points.list_games, self._books)

    # --- playing ---

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Reset all games; with a seed, their random streams too. Several seeds: one for each game."""
        if isinstance(seed, Sequence):
            if len(seed) != self.n:
                raise OptionError(f"{len(seed)} seeds for {self.n} games: give one, or one for each")
            self._fill(self.keys, np.concatenate([_streams(1, one) for one in seed]))
        elif seed is not None:
            self._fill(self.keys, _streams(self.n, seed))
        for array in (self.rewards, self.ended, self.finals):
            self._clear(array)
        self._run(self._entry_points.begin_games, self._books)
        self._list()

    def renew(self, i: int, seed: int | None = None) -> None:
        """Reset game i; with a seed, its random stream too."""
        where = self._checked(i)
        if seed is not None:
            self._fill(self.keys[where], _streams(1, seed))
        self._fill(self.ended[where], stepping.GOING_ON)
        self._begin(i)

    def _begin(self, i: int) -> None:
        self._entry_points.begin_games(i, i + 1, self._books)
        self._entry_points.list_games(i, i + 1, self._books)

    def step(self, actions: Any) -> None:
        """Play one action in every game: integers [n], -1 to skip a game. A game that ends is reset.

        IllegalAction if one is not legal: that game is unchanged.
        """
        played = self._take(actions)
        refused = self._step(played)
        if refused is not None:
            state, action = self.state(refused), self.game.action(int(self._fetch(played)[refused]))
            reason = self.game.explain(state, action.index)
            raise IllegalAction(f"game {refused}: {action} is not legal: {reason}", str(state))

    def _step(self, actions: Array) -> int | None:
        """Play; the first game whose action is not legal."""
        refused = self._run(self._entry_points.step_games, self._books, actions, self._places)
        return min(filter(None, refused)) - 1 if any(refused) else None

    def wander(self, moves: int) -> int:
        """`step(random_actions())` this many times, without returning to Python in between; how many games ended."""
        if not (isinstance(moves, int) and moves >= 0):
            raise OptionError(f"moves={moves!r} is not possible: it is a whole number from 0")
        if moves == 0:
            return 0
        games = self._wander(moves - 1)
        self.step(self.random_actions())
        return games + int(np.count_nonzero(self.terminated | self.truncated))

    def _wander(self, moves: int) -> int:
        return sum(self._run(self._entry_points.wander_games, self._books, moves, worth_waking=2))

    def random_actions(self) -> npt.NDArray[np.int64]:
        """A legal action of each game, each as likely as the others: int64 [n], overwritten by the next call."""
        arrays = (self._books.lists, self._books.counts, self._books.keys, self._actions, self._places)
        self._run(self._entry_points.choose_at_random, *arrays, worth_waking=WORTH_WAKING_FOR_CHOICES)
        return self._actions

    def greedy_actions(self) -> npt.NDArray[np.int64]:
        """The action of each game after which the projected score is highest: int64 [n], as `random_actions`."""
        scratch = self._lend("scratch", self.n, self._record)
        self._run(self._entry_points.choose_greedily, self._books, scratch, self._actions, worth_waking=2)
        return self._actions

    # --- looking ---

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal: bool [n, number of actions]. From the first call on, every step updates it."""
        if not self._plan[stepping.MARKED]:
            self._plan[stepping.MARKED] = 1
            mask = self._zeros((self.n, self.game.num_actions), np.uint8)
            self._books = self._books._replace(mask=mask, plan=self._put(self._plan))
            self._list()
        seen: npt.NDArray[np.bool_] = self._books.mask.view(np.bool_)
        return seen

    def legal_bits(self) -> npt.NDArray[np.uint32]:
        """The same with a bit for each action: uint32 [n, number of actions / 32, rounded up]. Action a is bit a % 32,
        from the lowest, of word a // 32."""
        mask = self.legal_mask()
        bits = np.packbits(np.pad(mask, ((0, 0), (0, -mask.shape[1] % 32))), axis=1, bitorder="little")
        return bits.view(np.uint32)

    def legal_list(self, i: int) -> npt.NDArray[np.int16]:
        """The legal actions of game i in rising order: int16 [how many]; none when it is over and not followed."""
        where = self._checked(i)
        listed: Array = self._fetch(self._books.lists[where])[0]
        return listed[: int(self._fetch(self._books.counts[where])[0])]

    def observe(self, one_hot: bool = False) -> Array:
        """What the seat to act sees in each game, by the game's spec: int16 [n, spec.size], or in the one-hot form
        float32 [n, spec.one_hot_size]; overwritten by the next call. In a game that is over: what seat 0 sees."""
        compact = self._lend("compact", (self.n, self.spec.size), np.int16)
        self._run(self._entry_points.observe_games, self._books.states, self._books.seats, compact)
        if not one_hot:
            return compact
        spread = self._lend("spread", (self.n, self.spec.one_hot_size), np.float32)
        tables = [
            self._lend(name, self.spec.size, table.dtype, table)
            for name, table in (
                ("places", self.spec.places),
                ("most", self.spec.most),
                ("kinds", self.spec.kinds),
            )
        ]
        self._run(self._entry_points.spread_games, compact, *tables, spread)
        return spread

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """Which games the last step ended by the rules: bool [n]."""
        return np.asarray(np.equal(self._fetch(self.ended), stepping.FINISHED))

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Which games the last step brought beyond `most_rounds`: bool [n]."""
        return np.asarray(np.equal(self._fetch(self.ended), stepping.CUT_OFF))

    def state(self, i: int) -> State:
        """Game i as a `State`, a copy without its random stream."""
        return State(self.game, self._fetch(self.states[self._checked(i)]))

    def set(self, i: int | slice, state: State) -> None:
        """Continue game i, or a slice of the games, from a state in which a seat is to act."""
        where = self._checked(i)
        if state.game != self.game:
            raise OptionError(f"a state of {state.game} cannot go into a batch of {self.game}")
        if state.seat is None:
            raise OptionError("nobody is to act in this state, so no game can go on from it")
        self._fill(self.states[where], np.repeat(state.array(), len(range(self.n)[where])))
        self._list()

    def _checked(self, i: int | slice) -> slice:
        if isinstance(i, slice):
            return i
        if not 0 <= i < self.n:
            raise OptionError(f"game {i!r} does not exist: games are 0 to {self.n - 1}")
        return slice(i, i + 1)

    # --- how the work is done ---

    @property
    def _record(self) -> Any:
        """The structured type of the states."""
        return self.game.kernels.STATE

    def _bound(self) -> SimpleNamespace:
        return entry_points(self.game)

    def _run(self, entry_point: Any, *arguments: Any, worth_waking: int = WORTH_WAKING) -> list[int]:
        """Call an entry point with shares of the games, on as many threads, one of which is ours; what each
        returned, or nothing if all of it is 0.

        `worth_waking`: with fewer games than this, one thread does it all.
        """
        key = (entry_point, *map(id, arguments))
        work = self._works.get(key)
        if work is None:
            if len(self._works) == MOST_WORKS:
                self._works.clear()
            self._works[key] = work = Work(entry_point, arguments, self.n, self._threads)
        if self._threads == 1 or self.n < worth_waking or not work.call:
            return work.alone()
        return pool(self._threads - 1).run(work)

    def _take(self, actions: Any) -> Array:
        taken: Array = np.asarray(actions)
        if taken is self._actions:
            return taken
        if taken.shape != (self.n,) or taken.dtype.kind not in "iu":
            raise OptionError(f"actions are {self.n} integers, one a game; these are {taken.dtype} {taken.shape}")
        self._taken[:] = taken
        return self._taken

    def _zeros(self, shape: int | tuple[int, ...], dtype: Any) -> Array:
        return np.zeros(shape, dtype)

    def _lend(self, name: str, shape: int | tuple[int, ...], dtype: Any, value: Array | None = None) -> Array:
        """An array that is allocated at the first request for it."""
        if name not in self._lent:
            self._lent[name] = self._zeros(shape, dtype) if value is None else self._put(value)
        return self._lent[name]

    def _put(self, array: Array) -> Array:
        return array

    def _fill(self, array: Array, value: Any) -> None:
        array[:] = value

    def _clear(self, array: Array) -> None:
        array.view(np.uint8).fill(0)  # a record would be filled field by field

    def _fetch(self, array: Array) -> Array:
        return array.copy()


def _streams(count: int, seed: int) -> Array:
    if not (isinstance(seed, int) and seed >= 0):
        raise OptionError(f"seed={seed!r} is not possible: it is a whole number from 0")
    return streams(count, seed)


def spec_of(game: Game) -> ObservationSpec:
    """The spec of a game's observations."""
    if game.observation is None:
        raise OptionError(f"{game.title} has no observations yet")
    spec = game.observation.SPEC
    assert isinstance(spec, ObservationSpec)
    return spec


def names_of(game: Game) -> ModuleType:
    """The rules that the entry points are bound to."""
    spec_of(game)
    return cast(ModuleType, SimpleNamespace(**{**vars(game.kernels), **_rules(game.observation)}))


def _rules(module: ModuleType | None) -> dict[str, Any]:
    return {name: getattr(module, name) for name in ("observe", "standing")}


def entry_points(game: Game) -> SimpleNamespace:
    """The entry points of a batch bound to a game, compiled."""
    return _entry_points(game.name, type(game))


@cache
def _entry_points(name: str, kind: type[Game]) -> SimpleNamespace:
    nothing = cast(ModuleType, SimpleNamespace())
    entry_points = (*stepping.ENTRY_POINTS, *stepping.RESULTS)
    shared = bind((), stepping.SHARED_ENTRY_POINTS, nothing, "every game", counted=False)
    return SimpleNamespace(**{**shared, **bind(stepping.RULES, entry_points, names_of(kind()), name, counted=False)})
