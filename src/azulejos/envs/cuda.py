"""A batch on a GPU: the entry points of `stepping.py`, with one thread a game."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from azulejos.core.compiling import bind, remake
from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.gpu import Kernel, check_gpu, cuda, jit

from . import grid, stepping
from .batches import MOST_GAMES, Array, Batch, names_of, spec_of

BLOCKS = (128, 64, 32)  # threads of a block that plays: as many as have room
MOST_SHARED = 48 << 10  # bytes of shared memory of a block
DRAWS = 4
WANDERING = {"pavilion": 128, "duel": 256}  # threads of a block that wanders: the more phases, the more; else a warp
REGISTERS = {  # of a thread at most, where more threads are worth more
    ("play", "duel"): 96,
    ("wander_games", "pavilion"): 64,
    ("wander_games", "duel"): 64,
}


class CudaBatch(Batch):
    """`n` games on a GPU: the same as a `Batch`, bit for bit.

    Its arrays are device arrays. They have `__cuda_array_interface__`, through which PyTorch and CuPy read and write
    them without a copy, and `copy_to_host()`. Actions may be such an array too.
    """

    device = "cuda"
    _check = True  # of one that was pickled

    def __init__(self, game: Game, *arguments: Any, check: bool = True, **options: Any) -> None:
        """`check`: look at each step whether all actions were legal, for which the GPU is waited for. The rest as
        `Batch` has it."""
        check_gpu()
        self._check = check
        super().__init__(game, *arguments, **options)

    def _own(self, plan: Array) -> None:
        super()._own(plan)
        unit, units = record_units(self.game)
        self._words, self._final_words = (
            array.view(unit).reshape(self.n * units) for array in (self.states, self.finals)
        )
        self._bits: npt.NDArray[np.uint32] = self._zeros((self.n, num_words(self.game.num_actions)), np.uint32)
        self._all_bits = self._bits.reshape(-1)
        self._mask: npt.NDArray[np.uint8]
        self._seen: npt.NDArray[np.int16]
        self._mask_words, self._mask = self._in_words((1, self.game.num_actions), np.uint8)
        self._seen_words, self._seen = self._in_words((1, self.spec.size), np.int16)
        self._marked = self._observed = False
        self._refused = self._put(np.array([MOST_GAMES], np.int64))
        self._games = self._zeros(self.n, np.int32)

    def _bound(self) -> SimpleNamespace:
        made = kernels(type(self.game), self.game.num_actions)
        blocks = {
            "play": block_of(self.game, self.game.num_actions),
            "wander_games": WANDERING.get(self.game.name, grid.LANES),
        }
        bound = {name: Kernel(made[name], self.n, blocks.get(name, 128)) for name in made}
        bound["begin_game"] = Kernel(made["begin_games"], 1)
        bound["spread_games"] = Kernel(made["spread_games"], self.n * self.spec.one_hot_size, 256)
        return SimpleNamespace(**bound)

    def _run(self, entry_point: Any, *arguments: Any, worth_waking: int = 0) -> list[int]:
        entry_point(arguments)
        return []

    def _play(self, actions: Array, step: bool) -> None:
        to_do = (step, self._marked, self._observed)
        written = (self._mask_words, self._seen_words)
        self._entry_points.play(self._books, self._words, self._all_bits, actions, self._refused, *written, to_do)

    def _list(self) -> None:
        self._play(self._actions, False)

    def _begin(self, i: int) -> None:
        where = slice(i, i + 1)
        self._run(self._entry_points.begin_game, self._books._replace(states=self.states[where], keys=self.keys[where]))
        self._list()

    def _step(self, actions: Array) -> int | None:
        self._play(actions, True)
        if not self._check:
            return None
        refused = int(self._refused.copy_to_host()[0])
        if refused == MOST_GAMES:
            return None
        self._fill(self._refused, MOST_GAMES)
        return refused

    def _wander(self, moves: int) -> int:
        self._entry_points.wander_games(self._books, self._words, self._final_words, self._all_bits, moves, self._games)
        return int(self._games.copy_to_host().sum())

    def random_actions(self) -> npt.NDArray[np.int64]:
        self._entry_points.choose_at_random(self._all_bits, self.keys, self._actions)
        return self._actions

    def greedy_actions(self) -> npt.NDArray[np.int64]:
        scratch = self._lend("scratch", self.n, self._record)
        self._entry_points.choose_greedily(self._books, scratch, self._actions)
        return self._actions

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        if not self._marked:
            self._marked = True
            self._mask_words, self._mask = self._in_words((self.n, self.game.num_actions), np.uint8)
            self._list()
        seen: npt.NDArray[np.bool_] = self._mask.view(np.bool_)
        return seen

    def legal_bits(self) -> npt.NDArray[np.uint32]:
        return self._bits

    def legal_list(self, i: int) -> npt.NDArray[np.int16]:
        bits = self._fetch(self._bits[self._checked(i)])[0]
        return np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little")).astype(np.int16)

    def observe(self, one_hot: bool = False) -> Array:
        """As `Batch` has it. From the first call on, every step updates the compact form in the same launch."""
        if not self._observed:
            self._observed = True
            self._seen_words, self._seen = self._in_words((self.n, self.spec.size), np.int16)
            self._list()
        if not one_hot:
            return self._seen
        spread = self._lend("spread", (self.n, self.spec.one_hot_size), np.float32)
        tables = {"source": self.spec.sources, "value": self.spec.values, "most": self.spec.most}
        lent = [self._lend(name, len(table), table.dtype, table) for name, table in tables.items()]
        self._entry_points.spread_games(self._seen, *lent, spread)
        return spread

    # --- how the work is done ---

    @property
    def _record(self) -> Any:
        return aligned(self.game)

    def _take(self, actions: Any) -> Any:
        if hasattr(actions, "copy_to_host"):
            taken = actions
        elif hasattr(actions, "__cuda_array_interface__"):
            taken = cuda.as_cuda_array(actions)
        else:
            taken = cuda.to_device(super()._take(actions))
        if taken.shape != (self.n,) or taken.dtype != np.int64 or not taken.is_c_contiguous():
            raise OptionError(
                f"actions are {self.n} int64 without gaps, one a game; these are {taken.dtype} {taken.shape}"
            )
        return taken

    def _zeros(self, shape: int | tuple[int, ...], dtype: Any) -> Any:
        return cuda.to_device(np.zeros(shape, dtype))

    def _in_words(self, shape: tuple[int, int], dtype: Any) -> tuple[Any, Any]:
        """Zeros as words of 64 bits, rounded up, and as an array of this shape."""
        size = shape[0] * shape[1]
        words = self._zeros(-(-size * np.dtype(dtype).itemsize // 8), np.uint64)
        return words, words.view(dtype)[:size].reshape(shape)

    def _put(self, array: Array) -> Any:
        return cuda.to_device(array)

    def _clear(self, array: Array) -> None:
        self._fill(array, np.zeros(array.shape, array.dtype))

    def _fill(self, array: Any, value: Any) -> None:
        array.copy_to_device(np.full(array.shape, value, array.dtype) if np.isscalar(value) else value)

    def _fetch(self, array: Any) -> Array:
        fetched: Array = array.copy_to_host()
        return fetched.view(self.game.kernels.STATE) if fetched.dtype.names else fetched


def num_words(num_actions: int) -> int:
    """Of 32 bits, one for each action."""
    return -(-num_actions // grid.LANES)


def aligned(game: Game) -> Any:
    """The structured type of a game's states, the same but for a mark that its fields are aligned, so that the GPU need
    not read them byte by byte."""
    record = game.kernels.STATE
    marked = np.dtype((np.record, np.dtype(record.descr, align=True)))
    assert marked.itemsize == record.itemsize
    return marked


def record_units(game: Game) -> tuple[Any, int]:
    """Of what a record is made, and of how many of them."""
    size = game.kernels.STATE.itemsize
    sizes = {8: np.uint64, 4: np.uint32, 2: np.uint16, 1: np.uint8}
    unit: Any = next(sizes[width] for width in sizes if size % width == 0)
    return unit, size // np.dtype(unit).itemsize


def seen_type(game: Game) -> Any:
    """Of an observation's numbers in shared memory."""
    return np.uint8 if spec_of(game).most.max() <= np.iinfo(np.uint8).max else np.int16


def room_units(game: Game) -> tuple[int, int]:
    """In shared memory: from one record to the next, an odd number, so that one field of 32 games is in 32 banks; and
    the room for a record or an observation."""
    unit, units = record_units(game)
    seen = spec_of(game).size * np.dtype(seen_type(game)).itemsize
    return units | 1, max(units | 1, -(-seen // np.dtype(unit).itemsize))


def block_of(game: Game, num_actions: int) -> int:
    """How many games are played by one block."""
    a_game = room_units(game)[1] * np.dtype(record_units(game)[0]).itemsize + 4 * num_words(num_actions)
    return next(block for block in BLOCKS if block * a_game <= MOST_SHARED)


@cache
def kernels(kind: type[Game], num_actions: int) -> dict[str, Any]:
    """The kernels bound to a game, by name, compiled at the first call."""
    game = kind()
    (unit, units), (stride, room) = record_units(game), room_units(game)
    block, words = block_of(game, num_actions), num_words(num_actions)
    own = {
        "STATE": aligned(game),
        "UNIT": unit,
        "UNITS": units,
        "STRIDE": stride,
        "ROOM_WORDS": -(-block * room * np.dtype(unit).itemsize // 8),
        "OWN_WORDS": -(-max(2 * (num_actions + 8), units * np.dtype(unit).itemsize) // 8),
        "ROOM": num_actions + 8,
        "ACTIONS": num_actions,
        "WORDS": words,
        "ALL_WORDS": block * words + 1,
        "SEEN": spec_of(game).size,
        "SEEN_TYPE": seen_type(game),
        "BLOCK": block,
        "DRAWS": DRAWS,
    }
    names: Any = SimpleNamespace(**{**vars(names_of(game)), **own})
    entry_points = (*stepping.ENTRY_POINTS, *stepping.SHARED_ENTRY_POINTS)
    bound = {**vars(names), **bind([*stepping.RULES, *entry_points, *grid.RULES], (), names, kind.name)}
    if "phase" not in own["STATE"].names:
        bound["phase_of"] = bound["one_phase"]
    if seen_type(game) is np.int16:
        bound["scatter_seen"] = bound["scatter_wide_seen"]
    templates: dict[str, Any] = {
        "begin_games": grid.every_game,
        "play": grid.play,
        "wander_games": grid.wander_in_every_game,
        "choose_at_random": grid.choose_in_every_game,
        "choose_greedily": grid.choose_greedily_in_every_game,
        "spread_games": grid.spread_every_number,
    }
    return {
        name: jit(
            remake(template, {**bound, "entry_point": bound["begin_games"]}),
            REGISTERS.get((name, kind.name)),
        )
        for name, template in templates.items()
    }
