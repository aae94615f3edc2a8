"""A batch on a GPU: the entry points of `stepping.py`, with one thread a game."""

from functools import cache
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np

from azulejos.core.compiling import bind, remake
from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.gpu import Kernel, check_gpu, cuda

from . import grid, stepping
from .batches import MOST_GAMES, Array, Batch, names_of


class CudaBatch(Batch):
    """`n` games on a GPU: the same as a `Batch`, bit for bit.

    Its arrays are device arrays. They have `__cuda_array_interface__`, through which PyTorch and CuPy read and write
    them without a copy, and `copy_to_host()`. Actions may be such an array too.
    """

    device = "cuda"

    def __init__(self, game: Game, *arguments: Any, check: bool = True, **options: Any) -> None:
        """`check`: look at each step whether all actions were legal, for which the GPU is waited for. The rest as
        `Batch` has it."""
        check_gpu()
        self._check = check
        super().__init__(game, *arguments, **options)

    def _own(self, plan: Array) -> None:
        super()._own(plan)
        self._refused = self._put(np.array([MOST_GAMES], np.int64))
        self._games = self._zeros(self.n, np.int32)

    def _bound(self) -> SimpleNamespace:
        dispatchers = kernels(type(self.game), self.game.num_actions + 8)
        return SimpleNamespace(**{name: Kernel(dispatcher, self.n) for name, dispatcher in dispatchers.items()})

    def _run(self, entry_point: Any, *arguments: Any, worth_waking: int = 0) -> list[Any]:
        entry_point(arguments)
        return []

    def _step(self, actions: Array) -> int | None:
        self._entry_points.step_games((self._books, actions), self._refused)
        if not self._check:
            return None
        refused = int(self._refused.copy_to_host()[0])
        if refused == MOST_GAMES:
            return None
        self._fill(self._refused, MOST_GAMES)
        return refused

    def _wander(self, moves: int) -> int:
        self._entry_points.wander_games(self._books, moves, self._games)
        return int(self._games.copy_to_host().sum())

    # --- how the work is done ---

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

    def _zeros(self, shape: int | tuple[int, ...], dtype: Any, order: Literal["C", "F"] = "C") -> Any:
        return cuda.to_device(np.zeros(shape, dtype, order))

    def _put(self, array: Array) -> Any:
        return cuda.to_device(array)

    def _clear(self, array: Array) -> None:
        self._fill(array, np.zeros(array.shape, array.dtype))

    def _fill(self, array: Any, value: Any) -> None:
        array.copy_to_device(np.full(array.shape, value, array.dtype) if np.isscalar(value) else value)

    def _fetch(self, array: Any) -> Array:
        fetched: Array = array.copy_to_host()
        return fetched


@cache
def kernels(kind: type[Game], room: int) -> dict[str, Any]:
    """The entry points bound to a game for the GPU, by name, compiled at the first call. `room`: of a list of
    actions."""
    names = names_of(kind())
    entry_points = (*stepping.ENTRY_POINTS, *stepping.SHARED_ENTRY_POINTS)
    bound = {**vars(names), **bind([*stepping.RULES, *entry_points], (), names, kind.name), "ROOM": room}
    templates: dict[str, Any] = {"step_games": grid.step_every_game, "wander_games": grid.wander_in_every_game}
    return {
        name: cuda.jit(remake(templates.get(name, grid.every_game), {**bound, "entry_point": bound[name]}))
        for name in (entry_point.__name__ for entry_point in entry_points)
    }
