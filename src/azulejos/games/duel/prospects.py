"""What a position of Duel promises besides its points: tablets, plates, chips, lines begun, the start."""

from collections.abc import Iterator

from azulejos.core.hand import Prospect
from azulejos.core.language import _, ngettext
from azulejos.core.state import State

from .notation import RULES, say_side
from .tables import NUM_SIDES, SIDES, SIZE

_PLATE, _CHIP, _LINE, _START = 3.0, 1.0, 2.0, 1.5  # what each is worth, in points


def prospects(state: State, seat: int) -> Iterator[Prospect]:
    fields = state.fields
    for side in range(NUM_SIDES):
        if fields.tablets >> side & 1:
            points = int(RULES.tablet_points(fields, seat, side))
            said = _("{side}: {points}").format(side=say_side(SIDES[side]), points=f"{points:+d}".replace("-", "−"))
            yield Prospect(f"side {side}", said, points)
    laid = fields.laid[seat]
    yield Prospect("plates", ngettext("{n} plate laid", "{n} plates laid", laid).format(n=laid), _PLATE * laid)
    chips = int(RULES.chips_in(fields.chips[seat]))
    yield Prospect("chips", ngettext("{n} chip", "{n} chips", chips).format(n=chips), _CHIP * chips)
    for row in range(SIZE):
        tiles = fields.line_count[seat, row]
        said = _("line {line}: {tiles} of {spaces}").format(line=row + 1, tiles=tiles, spaces=row + 1)
        yield Prospect(f"line {row}", said, _LINE * tiles / (row + 1))
    if not state.over and fields.start == seat:
        yield Prospect("start", _("the start of the next round"), _START)
