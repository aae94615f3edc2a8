"""NumPy as `np`, or a minimal substitute where it is not installed.

Rules and their tables import `np` from here. Compiled, they need NumPy; uncompiled, they run without it, for example
in a browser.
"""

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["np"]


class Table(list[Any]):
    """A nested list that can be indexed like an array: `table[row, column]`."""

    __slots__ = ()

    def __getitem__(self, place: Any) -> Any:
        if type(place) is tuple:
            first, *rest = place
            return self[first][tuple(rest) if len(rest) > 1 else rest[0]]
        return list.__getitem__(self, place)

    def __setitem__(self, place: Any, value: Any) -> None:
        if type(place) is tuple:
            first, *rest = place
            self[first][tuple(rest) if len(rest) > 1 else rest[0]] = value
        else:
            list.__setitem__(self, place, value)

    @property
    def shape(self) -> tuple[int, ...]:
        inner = self[0].shape if self and isinstance(self[0], Table) else ()
        return len(self), *inner

    def tolist(self) -> list[Any]:
        return [part.tolist() if isinstance(part, Table) else part for part in self]


class _RecordType:
    """A structured type: the fields only."""

    def __init__(self, given: tuple[Any, list[Any]]) -> None:
        self.descr = given[1]


class _Stand:
    """The substitute for the module."""

    record = None
    int8 = int16 = int32 = int64 = uint8 = uint64 = int
    float64: Callable[[Any], float] = float
    dtype = _RecordType

    @staticmethod
    def array(values: Sequence[Any], dtype: Any = None) -> Table:
        return Table(_Stand.array(value) if isinstance(value, list | tuple) else value for value in values)

    @staticmethod
    def full(shape: int | tuple[int, ...], value: Any, dtype: Any = None) -> Table:
        first, *rest = (shape,) if isinstance(shape, int) else shape
        return Table(_Stand.full(tuple(rest), value) if rest else value for _ in range(first))

    @staticmethod
    def zeros(shape: int | tuple[int, ...], dtype: Any = None) -> Table:
        return _Stand.full(shape, 0)


try:
    import numpy as np
except ImportError:
    np = _Stand()  # type: ignore[assignment]
