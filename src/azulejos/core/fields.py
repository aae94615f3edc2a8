"""The fields of a position by name, as plain integers and lists; and back into bytes.

A position is bytes: the fields of the game's structured type `STATE`, one after another, without padding.
"""

import struct
from functools import cache
from itertools import chain
from math import prod
from types import ModuleType, SimpleNamespace
from typing import Any


class Row(list[int]):
    """A field with one axis."""

    __slots__ = ()

    def copy(self) -> "Row":
        return Row(self)

    def tolist(self) -> list[int]:
        return list(self)


class Grid(list[Row]):
    """A field with two axes: `grid[seat]` is a row, `grid[seat, line]` a number."""

    __slots__ = ()

    def __getitem__(self, place: Any) -> Any:
        if type(place) is tuple:
            first, second = place
            return list.__getitem__(self, first)[second]
        return list.__getitem__(self, place)

    def __setitem__(self, place: Any, value: Any) -> None:
        if type(place) is tuple:
            first, second = place
            list.__getitem__(self, first)[second] = value
        else:
            list.__setitem__(self, place, value)

    def copy(self) -> "Grid":
        """The rows are copied too."""
        return Grid([Row(row) for row in self])


class Fields(SimpleNamespace):
    """The fields of one position: each an int, a `Row` or a `Grid`. Rules can work on it as on a record."""


# Kinds of numbers, as NumPy writes them and as `struct` does.
_LETTERS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}


_Place = int | slice | list[slice]  # where a field is among the numbers of a position: a number, a row, or rows


class Layout:
    """How the bytes of a game's positions are read and written."""

    def __init__(self, descr: list[Any]) -> None:
        pattern, self._fields, values = "<", list[tuple[str, _Place]](), 0
        for name, kind, *shape in descr:
            letters = kind.lstrip("<|=>")
            if not name:
                pattern += f"{letters[1:]}x"  # padding
                continue
            axes = tuple(shape[0]) if shape else ()
            pattern += f"{prod(axes)}{_LETTERS[letters]}"
            self._fields.append((name, _place(values, *axes)))
            values += prod(axes)
        self._struct, self._count = struct.Struct(pattern), values

    @property
    def size(self) -> int:
        """Bytes of a position."""
        return self._struct.size

    def unpack(self, position: bytes) -> Fields:
        """The fields of a position."""
        values = self._struct.unpack_from(position)
        found: dict[str, Any] = {}
        for name, place in self._fields:
            if isinstance(place, int):
                found[name] = values[place]
            elif isinstance(place, slice):
                found[name] = Row(values[place])
            else:
                found[name] = Grid(map(Row, map(values.__getitem__, place)))
        return Fields(**found)

    def pack(self, fields: Fields) -> bytes:
        """The inverse of `unpack`."""
        values = list[int]()
        for name, place in self._fields:
            value = getattr(fields, name)
            if isinstance(place, int):
                values.append(value)
            elif isinstance(place, slice):
                values.extend(value)
            else:
                values.extend(chain.from_iterable(value))
        return self._struct.pack(*values)

    def blank(self, **values: int) -> Fields:
        """Fields whose numbers are all 0, or all the given value of their name."""
        numbers = [0] * self._count
        for name, place in self._fields:
            for part in place if isinstance(place, list) else [place]:
                first = slice(part, part + 1) if isinstance(part, int) else part
                numbers[first] = [values.get(name, 0)] * (first.stop - first.start)
        return self.unpack(self._struct.pack(*numbers))


def _place(first: int, *shape: int) -> _Place:
    if not shape:
        return first
    count, width = prod(shape), shape[-1]
    rows = [slice(k, k + width) for k in range(first, first + count, width)]
    return rows if len(shape) > 1 else rows[0]


@cache
def layout_of(kernels: ModuleType) -> Layout:
    """The layout of a game's positions."""
    return Layout(kernels.STATE.descr)
