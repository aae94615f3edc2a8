"""Reading text strictly: a cursor over a line, and errors that point at the place."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn, TypeVar

from .errors import TextError

T = TypeVar("T")


class Reader:
    """A cursor over one line of text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at: int = 0

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        raise TextError(message, self.text, self.at if at is None else at)

    @property
    def found(self) -> str:
        """The text at the cursor, for a message."""
        return repr(self.text[self.at]) if self.at < len(self.text) else "the end"

    def at_end(self) -> bool:
        return self.at == len(self.text)

    def end(self) -> None:
        if not self.at_end():
            self.fail(f"expected the end, found {self.found}")

    def accept(self, literal: str) -> bool:
        """Skip a literal if it is here."""
        if self.text.startswith(literal, self.at):
            self.at += len(literal)
            return True
        return False

    def expect(self, literal: str, what: str | None = None) -> None:
        if not self.accept(literal):
            self.fail(f"expected {what or repr(literal)}, found {self.found}")

    def number(self, what: str, low: int = 0, high: int | None = None) -> int:
        """A decimal number without sign or leading zeros."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "0123456789":
            self.at += 1
        digits = self.text[start : self.at]
        if not digits:
            self.fail(f"expected {what}, found {self.found}")
        if len(digits) > 1 and digits[0] == "0":
            self.fail(f"{what} is written without leading zeros", start)
        value = int(digits) if len(digits) < 10 else 10**10
        if value < low or (high is not None and value > high):
            allowed = f"from {low} to {high}" if high is not None else f"at least {low}"
            self.fail(f"{what} is {allowed}", start)
        return value

    def one_of(self, choices: Mapping[str, T], what: str) -> T:
        """The value of the longest of the given literals that is here."""
        for literal in sorted(choices, key=len, reverse=True):
            if self.accept(literal):
                return choices[literal]
        return self.fail(f"expected {what} ({', '.join(choices)}), found {self.found}")


@dataclass(frozen=True, eq=False)
class Tally:
    """Text of tile counts by colour, packed into one integer: tile by tile, or letters with counts."""

    letters: str  # of the colours
    bits: int  # of each count
    most: int  # tiles of a colour

    @property
    def colour(self) -> dict[str, int]:
        """The colours by letter."""
        return {letter: colour for colour, letter in enumerate(self.letters)}

    def counts(self, packed: int) -> list[int]:
        """The number of tiles of each colour."""
        packed, mask = int(packed), (1 << self.bits) - 1
        return [packed >> shift & mask for shift in range(0, self.bits * len(self.letters), self.bits)]

    def total(self, packed: int) -> int:
        return sum(self.counts(packed))

    def print_tiles(self, packed: int) -> str:
        return _print_tiles(self, int(packed)) if packed else "-"

    def letters_of(self, packed: int) -> str:
        """The tiles by their letters, in the order of the colours."""
        return _print_tiles(self, int(packed))

    def print_counts(self, packed: int) -> str:
        return _print_counts(self, int(packed)) if packed else "-"

    def read_tiles(self, reader: Reader, most: int, ordered: bool = True, dash: bool = True) -> int:
        """Tiles by their letters up to a mark that is none; '-' for no tile, if it may stand here."""
        if dash and reader.accept("-"):
            return 0
        start, counts, last = reader.at, [0] * len(self.letters), 0
        while reader.at == start or not (reader.at_end() or reader.text[reader.at] in " /:"):
            at = reader.at
            colour = reader.one_of(self.colour, "a colour")
            if ordered and colour < last:
                reader.fail(f"tiles are written in the order {self.letters}", at)
            counts[colour] += 1
            last = colour
            if sum(counts) > most:
                reader.fail(f"more than {most} tiles in one place", start)
            if counts[colour] > self.most:
                reader.fail(f"more than {self.most} tiles of a colour", start)
        return self.pack(counts)

    def read_counts(self, reader: Reader, most: int | None = None, dash: bool = True) -> int:
        """Letters with counts up to a space; '-' for no tile, if it may stand here."""
        if dash and reader.accept("-"):
            return 0
        first, counts, last = reader.at, [0] * len(self.letters), -1
        while last < 0 or not (reader.at_end() or reader.text[reader.at] == " "):
            start = reader.at
            colour = reader.one_of(self.colour, "a colour")
            if colour <= last:
                reader.fail(f"colours come once each, in the order {self.letters}", start)
            counts[colour] = reader.number("a number of tiles", 1, self.most)
            last = colour
        if most is not None and sum(counts) > most:
            reader.fail(f"there are at most {most} tiles here", first)
        return self.pack(counts)

    def pack(self, counts: list[int]) -> int:
        return sum(count << self.bits * colour for colour, count in enumerate(counts))


# Kept, because places stay as they are for many actions.


@lru_cache(1 << 13)
def _print_tiles(tally: Tally, packed: int) -> str:
    return "".join([letter * count for letter, count in zip(tally.letters, tally.counts(packed), strict=True)])


@lru_cache(1 << 13)
def _print_counts(tally: Tally, packed: int) -> str:
    found = zip(tally.letters, tally.counts(packed), strict=True)
    return "".join([f"{letter}{count}" for letter, count in found if count])
