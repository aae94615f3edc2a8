"""The lines of a player's board, which Azul and Azul Duel share: line r, counted from 0, holds r + 1 tiles."""

from collections.abc import Iterator, Sequence
from typing import Any

from azulejos.core.hand import Prospect
from azulejos.core.language import _


def wrong_lines(fields: Any, seat: int, size: int) -> Iterator[str]:
    """What is wrong with a seat's lines by themselves, in words."""
    for row in range(size):
        count, colour = fields.line_count[seat, row], fields.line_colour[seat, row]
        where = f"line {row + 1} of seat {seat}"
        if not 0 <= count <= row + 1:
            yield f"{where} holds {count} tiles; it has {row + 1} spaces"
        if (count == 0) != (colour < 0):
            yield f"{where} has tiles without a colour, or a colour without tiles"


def tiles_in_lines(fields: Any, seat: int, colour: int) -> int:
    """The number of tiles of a colour in a seat's lines."""
    lines = zip(fields.line_colour[seat], fields.line_count[seat], strict=True)
    return sum(count for held, count in lines if held == colour)


def line_prospects(fields: Any, seat: int, size: int, worth: float, context: str = "") -> Iterator[Prospect]:
    """The lines that are begun; an empty one may just have been completed. `worth`: of a whole line, in points.
    `context`: of the words."""
    for row in range(size):
        if tiles := fields.line_count[seat, row]:
            yield Prospect(f"line {row}", say_line(row, tiles, context), worth * tiles / (row + 1), str(tiles))


def say_line(row: int, tiles: int, context: str = "") -> str:
    said = _("line {line}: {tiles} of {spaces}", context)
    return said.format(line=row + 1, tiles=tiles, spaces=row + 1)


def for_the_opponent(
    before: set[int], after: set[int], seats: int, worth: float, context: str = ""
) -> Iterator[Prospect]:
    """What an action does to the lines, by row, that the opponent could complete with one take."""
    if seats != 2:
        return
    for row in before - after:
        said = _("the opponent can no longer complete line {line}", context).format(line=row + 1)
        yield Prospect(f"denied {row}", said, worth)
    for row in after - before:
        said = _("the opponent can now complete line {line}", context).format(line=row + 1)
        yield Prospect(f"offered {row}", said, -worth)


def completed_by(fields: Any, seat: int, size: int, most: Sequence[int]) -> set[int]:
    """The rows of the lines a seat has begun that one take could complete; `most`: the largest take of each colour."""
    lines = zip(fields.line_colour[seat], fields.line_count[seat], range(size), strict=True)
    return {row for colour, count, row in lines if 0 < count <= row and most[colour] >= row + 1 - count}


def say_points(what: str, points: int) -> str:
    """Something with its points: the floor −3."""
    return _("{what} {points}").format(what=what, points=f"{points:+d}".replace("-", "−")) if points else what
