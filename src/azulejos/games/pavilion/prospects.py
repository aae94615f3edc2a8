"""What a position of Summer Pavilion promises besides its points: stars and numbers, tiles kept, the start."""

from collections.abc import Iterator

from azulejos.core.hand import Prospect
from azulejos.core.language import _, ngettext
from azulejos.core.state import State

from .notation import TILES, say_star
from .tables import NUMBER_BONUS, NUMBERS, POINTS, STAR_BONUS, STARS

_TILE, _START = 1.5, 1.5  # a tile kept, and to start a round, in points


def prospects(state: State, seat: int) -> Iterator[Prospect]:
    fields = state.fields
    side, filled = fields.plain, fields.filled[seat]
    laid = [[filled >> POINTS * star + position & 1 for position in range(POINTS)] for star in range(STARS)]
    for star in range(STARS):
        tiles = sum(laid[star])
        said = _("{star} star: {n} of {all}").format(star=say_star(side, star), n=tiles, all=POINTS)
        yield Prospect(f"star {star}", said, float(STAR_BONUS[-1]) * (tiles / POINTS) ** 2)
    for number in range(1, len(NUMBER_BONUS)):
        rhombi = [
            laid[star][position]
            for star in range(STARS)
            for position in range(POINTS)
            if NUMBERS[side, star, position] == number
        ]
        said = _("number {number}: {n} of {all}").format(number=number, n=sum(rhombi), all=len(rhombi))
        worth = float(NUMBER_BONUS[number]) * (sum(rhombi) / max(len(rhombi), 1)) ** 2
        yield Prospect(f"number {number}", said, worth)
    kept = sum(TILES.counts(fields.hand[seat]))
    yield Prospect("kept", ngettext("{n} tile kept", "{n} tiles kept", kept).format(n=kept), _TILE * kept)
    if not state.over and fields.start == seat:
        yield Prospect("start", _("the start of the next round"), _START)
