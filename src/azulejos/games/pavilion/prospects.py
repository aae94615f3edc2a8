"""What a position of Summer Pavilion promises besides its points: stars and numbers, tiles kept, the start; and what
an action does at once."""

from collections.abc import Iterator

from azulejos.core.hand import Prospect
from azulejos.core.language import _, ngettext
from azulejos.core.state import State

from .encoding import DECORATE
from .notation import TILES, Place, Supply, Take, say_rhombus, say_star, split
from .tables import NUMBER_BONUS, NUMBERS, POINTS, ROUNDS, STAR_BONUS, STARS

_TILE, _START = 1.5, 1.5  # a tile kept, and to start a round, in points


def prospects(state: State, seat: int) -> Iterator[Prospect]:
    fields = state.fields
    side, filled = fields.plain, fields.filled[seat]
    laid = [[filled >> POINTS * star + position & 1 for position in range(POINTS)] for star in range(STARS)]
    for star in range(STARS):
        tiles = sum(laid[star])
        said = _("{star} star: {n} of {all}").format(star=say_star(side, star), n=tiles, all=POINTS)
        yield Prospect(f"star {star}", said, float(STAR_BONUS[-1]) * (tiles / POINTS) ** 2, str(tiles))
    for number in range(1, len(NUMBER_BONUS)):
        rhombi = [
            laid[star][position]
            for star in range(STARS)
            for position in range(POINTS)
            if NUMBERS[side, star, position] == number
        ]
        said = _("number {number}: {n} of {all}").format(number=number, n=sum(rhombi), all=len(rhombi))
        worth = float(NUMBER_BONUS[number]) * (sum(rhombi) / max(len(rhombi), 1)) ** 2
        yield Prospect(f"number {number}", said, worth, str(sum(rhombi)))
    kept = sum(TILES.counts(fields.hand[seat]))
    yield Prospect("kept", ngettext("{n} tile kept", "{n} tiles kept", kept).format(n=kept), _TILE * kept, str(kept))
    if not state.over and fields.start == seat:
        yield Prospect("start", _("the start of the next round"), _START)


def effects(state: State, index: int) -> Iterator[Prospect]:
    game, fields = state.game, state.fields
    seat, after, parts = fields.seat, state.play(index), split(game, index)
    for event in game.story(state, index):
        said = game.say_event(event)
        if event.values.get("seat") != seat or said is None:
            continue
        match event.kind:
            case "token":
                yield Prospect("start", said, max(_START, event.points))
            case "wild":
                yield Prospect("wild", said, _TILE)
            case "place":
                yield Prospect("place", said, event.points)
            case "ornament":
                yield Prospect("ornament", said, _TILE * event.tiles)
            case "discard" | "left over":
                yield Prospect("discard" if state.round < ROUNDS else "left", said, -event.points)
    if after.round != state.round:
        return
    if isinstance(parts, Place):
        before = {one.key: one.worth for one in prospects(state, seat)}
        for one in prospects(after, seat):
            if one.key.startswith(("star", "number")) and one.worth > before[one.key]:
                yield Prospect(one.key, one.words, one.worth - before[one.key])
    elif isinstance(parts, Take | Supply):
        bought = _payable(after, seat) - _payable(state, seat)
        if bought:
            number, star, position = max(bought)
            said = _("enough for {place}").format(place=say_rhombus(fields.plain, star, position))
            yield Prospect("enough", said, number / 2)


def _payable(state: State, seat: int) -> set[tuple[int, int, int]]:
    """The number, star and position of each rhombus that the seat could fill now, if tiles were placed already."""
    side, placing = state.fields.plain, state.with_fields(phase=DECORATE, seat=seat)
    found = (split(state.game, int(action)) for action in placing.actions)
    return {(int(NUMBERS[side, p.star, p.position]), p.star, p.position) for p in found if isinstance(p, Place)}
