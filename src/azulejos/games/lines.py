"""The lines of a player's board, which Azul and Azul Duel share: line r, counted from 0, holds r + 1 tiles."""

from collections.abc import Iterator
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


def line_prospects(fields: Any, seat: int, size: int, worth: float) -> Iterator[Prospect]:
    """The lines as far as they are filled. `worth`: of a whole line, in points."""
    for row in range(size):
        tiles = fields.line_count[seat, row]
        said = _("line {line}: {tiles} of {spaces}").format(line=row + 1, tiles=tiles, spaces=row + 1)
        yield Prospect(f"line {row}", said, worth * tiles / (row + 1))
