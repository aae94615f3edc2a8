"""What a position of Azul promises besides its points: bonuses that come nearer, lines begun, the start."""

from collections.abc import Iterator

from azulejos.core.hand import Prospect
from azulejos.core.language import _
from azulejos.core.state import State

from .notation import RULES, say_colour
from .tables import SIZE

# What tiles of a column and of a colour are worth on the way to the bonus, in points, by their number.
_COLUMN, _COLOUR = (0, 0, 0.5, 1.5, 4, 7), (0, 0, 0.5, 2, 5, 10)
_LINE, _START = 2.0, 2.0  # a whole line of tiles; to start a round


def prospects(state: State, seat: int) -> Iterator[Prospect]:
    fields = state.fields
    spaces = RULES.occupied(fields, seat)
    for column in range(SIZE):
        tiles = sum(spaces >> SIZE * row + column & 1 for row in range(SIZE))
        said = _("column {column}: {n} of {all}").format(column=column + 1, n=tiles, all=SIZE)
        yield Prospect(f"column {column}", said, _COLUMN[tiles])
    for colour in range(SIZE):
        tiles = int(fields.wall[seat, colour]).bit_count()
        said = _("{colour} on the wall: {n} of {all}").format(colour=say_colour(colour), n=tiles, all=SIZE)
        yield Prospect(f"colour {colour}", said, _COLOUR[tiles])
    for row in range(SIZE):
        tiles = fields.line_count[seat, row]
        said = _("line {line}: {tiles} of {spaces}").format(line=row + 1, tiles=tiles, spaces=row + 1)
        yield Prospect(f"line {row}", said, _LINE * tiles / (row + 1))
    if not state.over and fields.start == seat:
        yield Prospect("start", _("the start of the next round"), _START)
