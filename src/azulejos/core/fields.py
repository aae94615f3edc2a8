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


@cache
def _layout(kernels: ModuleType) -> tuple[struct.Struct, list[tuple[str, int, int, int]]]:
    """How the bytes of a record are read, and of each field the name, the first value, how many, and how many a row."""
    pattern, fields, at, values = "<", list[tuple[str, int, int, int]](), 0, 0
    dtype = kernels.STATE
    for name in dtype.names:
        kind, offset = dtype.fields[name][:2]
        count = prod(kind.shape)
        pattern += f"{offset - at}x{count}{_LETTERS[kind.base.str[1:]]}"
        fields.append((name, values, count if kind.shape else 0, kind.shape[1] if len(kind.shape) > 1 else 0))
        at, values = offset + kind.itemsize, values + count
    return struct.Struct(pattern), fields


def fields_of(kernels: ModuleType, record: bytes) -> SimpleNamespace:
    """The fields of one record of a game, by name."""
    reader, fields = _layout(kernels)
    values = reader.unpack_from(record)
    found: dict[str, Any] = {}
    for name, first, count, width in fields:
        if width:
            found[name] = Grid([Row(values[k : k + width]) for k in range(first, first + count, width)])
        elif count:
            found[name] = Row(values[first : first + count])
        else:
            found[name] = values[first]
    return SimpleNamespace(**found)
