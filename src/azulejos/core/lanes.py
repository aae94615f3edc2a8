"""The 32 lanes of a warp, which work on one position together on a GPU.

All lanes call these functions at the same time. A loop `for k in range(lane(), n, LANES)` is shared. Only one lane
writes to a place; between its write and another lane's read, or another lane's read and its write, all `meet`.
"""

import threading
from typing import Any

import numpy as np

from .compiling import remake, rule
from .gpu import cuda, simulated

LANES = 32
_ALL: Any = np.uint32(0xFFFFFFFF)


@rule
def lane() -> Any:
    """The number of this lane, below LANES."""
    return np.int64(cuda.laneid)


@rule
def meet() -> None:
    """Wait for the other lanes, and see what they wrote."""
    cuda.syncwarp()


@rule
def from_lane(number: Any, other: Any) -> Any:
    """Another lane's number."""
    return cuda.shfl_sync(_ALL, number, other)


@rule
def from_beside(number: Any, step: Any) -> Any:
    """The number of the lane whose own number differs in the bits of `step`."""
    return cuda.shfl_xor_sync(_ALL, number, step)


@rule
def ballot(holds: Any) -> Any:
    """The lanes, as bits, for which something holds."""
    return cuda.ballot_sync(_ALL, holds)


@rule
def popcount(bits: Any) -> Any:
    """How many of 32 bits are set."""
    return np.int64(cuda.popc(np.uint32(bits)))


class SimulatedLanes:
    """A warp in CUDA's simulator, which knows no warps: a block of 32 threads."""

    LANES = LANES

    def __init__(self) -> None:
        self._numbers: list[Any] = LANES * [0]

    def lane(self) -> int:
        thread: Any = threading.current_thread()
        return int(thread.threadIdx.x)

    def meet(self) -> None:
        thread: Any = threading.current_thread()
        thread.syncthreads()

    def _of_all(self, number: Any) -> list[Any]:
        self.meet()
        self._numbers[self.lane()] = number
        self.meet()
        return list(self._numbers)

    def from_lane(self, number: Any, other: Any) -> Any:
        return self._of_all(number)[int(other)]

    def from_beside(self, number: Any, step: int) -> Any:
        return self._of_all(number)[self.lane() ^ step]

    def ballot(self, holds: Any) -> int:
        return sum(1 << place for place, held in enumerate(self._of_all(bool(holds))) if held)

    def popcount(self, bits: int) -> int:
        return int(bits).bit_count()


# --- made of these ---


def highest(value: Any) -> Any:
    """The highest of the lanes' values."""
    for step in (16, 8, 4, 2, 1):
        value = max(value, from_beside(value, step))
    return value


def place_of_best(value: Any, place: Any) -> Any:
    """The place of the lane with the highest value; of equal ones, the lowest place."""
    place = np.int32(place)
    for step in (16, 8, 4, 2, 1):
        other, there = from_beside(value, step), from_beside(place, step)
        if other > value or (other == value and there < place):
            value, place = other, there
    return np.int64(place)


def earlier(lanes: Any) -> Any:
    """How many of some lanes, as bits, come before this one."""
    return popcount(np.uint32(lanes) & ((np.uint32(1) << np.uint32(lane())) - np.uint32(1)))


def names() -> dict[str, Any]:
    """What code for lanes is bound to."""
    found: Any = SimulatedLanes() if simulated() else None
    basic = ("LANES", "lane", "meet", "from_lane", "from_beside", "ballot", "popcount")
    bound = {name: getattr(found, name) if found else globals()[name] for name in basic}
    for template in (highest, place_of_best, earlier):
        bound[template.__name__] = rule(remake(template, {**globals(), **bound}))
    return bound
