"""Observation specs: the features of an observation by index, compact and one-hot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Field:
    """A field of an observation: integers from 0 to `most`, counts or categories.

    `kind`: a category, which is one-hot encoded as `most` + 1 numbers. A count stays one number in the one-hot form,
    divided by `most`.
    """

    name: str
    shape: tuple[int, ...]
    most: int
    about: str
    kind: bool = False

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))

    @property
    def spread(self) -> int:
        """Its size in the one-hot form."""
        return self.size * (self.most + 1 if self.kind else 1)


@dataclass(frozen=True)
class ObservationSpec:
    """The fields of a game's observation, in their order."""

    fields: tuple[Field, ...]

    @cached_property
    def size(self) -> int:
        """The size of the compact form."""
        return sum(field.size for field in self.fields)

    @cached_property
    def one_hot_size(self) -> int:
        return sum(field.spread for field in self.fields)

    @cached_property
    def most(self) -> npt.NDArray[np.int16]:
        """The maximum of each number of the compact form: [size]."""
        return np.concatenate([np.full(field.size, field.most, np.int16) for field in self.fields])

    @cached_property
    def kinds(self) -> npt.NDArray[np.bool_]:
        """Which numbers of the compact form are categories: [size]."""
        return np.concatenate([np.full(field.size, field.kind) for field in self.fields])

    @cached_property
    def places(self) -> npt.NDArray[np.int64]:
        """Where each number of the compact form begins in the one-hot form: [size]."""
        widths = np.where(self.kinds, self.most.astype(np.int64) + 1, 1)
        return np.cumsum(widths) - widths

    @cached_property
    def sources(self) -> npt.NDArray[np.int16]:
        """From which number of the compact form each number of the one-hot form comes: [one_hot_size]."""
        widths = np.where(self.kinds, self.most + 1, 1)
        return np.repeat(np.arange(self.size, dtype=np.int16), widths)

    @cached_property
    def values(self) -> npt.NDArray[np.int16]:
        """For which value of that number it is 1; -1 for a count: [one_hot_size]."""
        places = np.arange(self.one_hot_size) - self.places[self.sources]
        return np.where(self.kinds[self.sources], places, -1).astype(np.int16)

    def one_hot(self, compact: npt.NDArray[np.int16]) -> npt.NDArray[np.float32]:
        """The one-hot form [one_hot_size] of a compact observation [size]."""
        result = np.zeros(self.one_hot_size, np.float32)
        result[self.places + np.where(self.kinds, compact, 0)] = np.where(self.kinds, 1, compact / self.most)
        return result

    def named(self, compact: npt.NDArray[np.int16]) -> dict[str, npt.NDArray[np.int16]]:
        """A compact observation's numbers by name, in their shapes."""
        return {field.name: compact[first : first + field.size].reshape(field.shape) for field, first, _ in self.rows()}

    def rows(self) -> Iterator[tuple[Field, int, int]]:
        """Each field with its first index in the compact form and in the one-hot form."""
        first = first_spread = 0
        for field in self.fields:
            yield field, first, first_spread
            first += field.size
            first_spread += field.spread

    def table(self) -> str:
        """The spec as a Markdown table."""
        lines = ["| name | shape | values | compact | one-hot | meaning |", "|---|---|---|---|---|---|"]
        for field, first, spread in self.rows():
            lines.append(
                f"| {field.name} | {_shape(field)} | 0–{field.most} | {_span(first, field.size)} "
                f"| {_span(spread, field.spread)} | {field.about} |"
            )
        lines.append(f"| in all | | | {self.size} | {self.one_hot_size} | |")
        return "\n".join(lines)


def _shape(field: Field) -> str:
    return " × ".join(map(str, field.shape)) or "1"


def _span(first: int, size: int) -> str:
    return str(first) if size == 1 else f"{first}–{first + size - 1}"


def seat_fields(seats: Sequence[str], fields: Sequence[Field]) -> tuple[Field, ...]:
    """The same fields for each seat, prefixed with its name."""
    return tuple(
        Field(f"{seat}: {field.name}", field.shape, field.most, field.about, field.kind)
        for seat in seats
        for field in fields
    )
