"""A record's fields as plain integers and lists: the same to work on as the record, and much quicker."""

import struct
from functools import cache
from math import prod
from types import ModuleType, SimpleNamespace
from typing import Any


class Row(list[int]):
    """A field with one axis."""

    __slots__ = ()

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


# Kinds of numbers, as NumPy writes them and as `struct` does.
_LETTERS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}


Place = int | slice | list[slice]  # where a field is among the values of a record: a number, a row, or rows


@cache
def _layout(kernels: ModuleType) -> tuple[struct.Struct, list[tuple[str, Place]]]:
    """How the bytes of a record are read, and of each field the name and the place."""
    pattern, fields, at, values = "<", list[tuple[str, Place]](), 0, 0
    dtype = kernels.STATE
    for name in dtype.names:
        kind, offset = dtype.fields[name][:2]
        count = prod(kind.shape)
        pattern += f"{offset - at}x{count}{_LETTERS[kind.base.str[1:]]}"
        fields.append((name, _place(values, *kind.shape)))
        at, values = offset + kind.itemsize, values + count
    return struct.Struct(pattern), fields


def _place(first: int, *shape: int) -> Place:
    if not shape:
        return first
    count, width = prod(shape), shape[-1]
    rows = [slice(k, k + width) for k in range(first, first + count, width)]
    return rows if len(shape) > 1 else rows[0]


def fields_of(kernels: ModuleType, record: bytes) -> SimpleNamespace:
    """The fields of one record of a game, by name."""
    reader, fields = _layout(kernels)
    values = reader.unpack_from(record)
    found: dict[str, Any] = {}
    for name, place in fields:
        if isinstance(place, int):
            found[name] = values[place]
        elif isinstance(place, slice):
            found[name] = Row(values[place])
        else:
            found[name] = Grid([Row(values[row]) for row in place])
    return SimpleNamespace(**found)
