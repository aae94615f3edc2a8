"""A batch on a GPU: the rules of `batch.py`'s, with one thread a game."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Literal

import numpy as np

from azulejos.core.compiling import bind, remake
from azulejos.core.errors import OptionError
from azulejos.core.game import Game

from . import stepping
from .batch import MOST_GAMES, MOST_ROUNDS, Array, Batch, names_of

if not hasattr(np, "row_stack"):  # NumPy 2.5 has dropped a name that Numba's CUDA part looks for
    vars(np)["row_stack"] = np.vstack

from numba import cuda

from . import grid

_cuda: Any = cuda
THREADS = 128  # of a block


class CudaBatch(Batch):
    """`n` games on a GPU: as a `Batch`, game for game and bit for bit.

    Its arrays live on the GPU. They have `__cuda_array_interface__`, by which PyTorch, JAX and CuPy read and write
    them without a copy, and `copy_to_host()`. Actions may be such an array too.
    """

    device = "cuda"

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int | None = None,
        rewards: str = "win",
        most_rounds: int = MOST_ROUNDS,
        check: bool = True,
    ) -> None:
        if not _cuda.is_available():
            raise OptionError("device='cuda' is not possible: no GPU of that kind was found; device='cpu' is")
        self._check = check
        super().__init__(game, n, seed, rewards, most_rounds)

    def _own(self, plan: Array) -> None:
        super()._own(plan)
        self._kernels = dict(kernels(self.game))
        self._refused = self._put(np.array([MOST_GAMES], np.int64))
        self._games = self._room(self.n, np.int32)

    def _run(self, name: str, *arguments: Any) -> list[Any]:
        if name == "step_games":
            self._launch(name, self.n, arguments, self._refused)
        elif name == "wander_games":
            self._launch(name, self.n, *arguments, self._games)
        else:
            self._launch(name, self.n, arguments)
        return []

    def _launch(self, name: str, *arguments: Any) -> None:
        if name not in self._ready:
            with tables_in_main_memory():
                self._kernels[name] = self._kernels[name].specialize(*arguments)
            self._ready.add(name)
        self._kernels[name][-(-self.n // THREADS), THREADS](*arguments)

    def step(self, actions: Any) -> None:
        """One action in every game: int64 [n], on the GPU or not; -1 lets a game wait.

        IllegalAction if one is not legal: that game is left as it is. To know that, the GPU is waited for at each
        step, unless the batch was made with check=False.
        """
        played = self._take(actions)
        self._run("step_games", self._books, played)
        if self._check:
            refused = int(self._refused.copy_to_host()[0])
            if refused < MOST_GAMES:
                self._fill(self._refused, MOST_GAMES)
                self._refuse(refused, played.copy_to_host())

    def _wander(self, moves: int) -> int:
        self._run("wander_games", self._books, moves)
        return int(self._games.copy_to_host().sum())

    @property
    def terminated(self) -> Array:
        return np.asarray(np.equal(self._ended.copy_to_host(), stepping.FINISHED))

    @property
    def truncated(self) -> Array:
        return np.asarray(np.equal(self._ended.copy_to_host(), stepping.CUT_OFF))

    @property
    def ended(self) -> Array:
        """How the last step left each game: int8 [n] on the GPU, 0 going on, 1 finished, 2 cut off."""
        ended: Array = self._ended
        return ended

    # --- how the work is done ---

    def _take(self, actions: Any) -> Any:
        if hasattr(actions, "copy_to_host"):
            taken = actions
        elif hasattr(actions, "__cuda_array_interface__"):
            taken = _cuda.as_cuda_array(actions)
        else:
            taken = _cuda.to_device(super()._take(actions))
        if taken.shape != (self.n,) or taken.dtype != np.int64 or not taken.is_c_contiguous():
            raise OptionError(
                f"actions are {self.n} int64 without gaps, one a game; these are {taken.dtype} {taken.shape}"
            )
        return taken

    def _room(self, shape: int | tuple[int, ...], dtype: Any, order: Literal["C", "F"] = "C") -> Any:
        return _cuda.to_device(np.zeros(shape, dtype, order))

    def _put(self, array: Array) -> Any:
        return _cuda.to_device(array)

    def _fill(self, array: Any, value: Any) -> None:
        array.copy_to_device(np.full(array.shape, value, array.dtype) if np.isscalar(value) else value)

    def _fetch(self, array: Any) -> Array:
        fetched: Array = array.copy_to_host()
        return fetched

    def _as_bool(self, mask: Any) -> Any:
        return mask.view(np.bool_)


def kernels(game: Game) -> dict[str, Any]:
    """The entry points bound to a game for the GPU, by name, compiled at the first call."""
    return _kernels(type(game), game.num_actions + 8)


@cache
def _kernels(kind: type[Game], room: int) -> dict[str, Any]:
    names = names_of(kind())
    entry_points = (*stepping.ENTRY_POINTS, *stepping.SHARED_ENTRY_POINTS)
    bound = {**vars(names), **bind([*stepping.RULES, *entry_points], (), names, kind.name), "ROOM": room}
    templates: dict[str, Any] = {"step_games": grid.step_every_game, "wander_games": grid.wander_in_every_game}
    return {
        name: _cuda.jit(remake(templates.get(name, grid.every_game), {**bound, "entry_point": bound[name]}))
        for name in (entry_point.__name__ for entry_point in entry_points)
    }


@contextmanager
def tables_in_main_memory() -> Iterator[None]:
    """Compile with the rules' tables in the GPU's main memory.

    Numba would put them into its constant memory, which holds 64 kB and answers one address at a time.
    """
    from numba.cuda.cudadrv import nvvm

    if not hasattr(nvvm, "ADDRSPACE_CONSTANT"):  # the simulator has no such thing
        yield
        return
    constant, nvvm.ADDRSPACE_CONSTANT = nvvm.ADDRSPACE_CONSTANT, nvvm.ADDRSPACE_GLOBAL
    try:
        yield
    finally:
        nvvm.ADDRSPACE_CONSTANT = constant
