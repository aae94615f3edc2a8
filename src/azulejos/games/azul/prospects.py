"""What a position of Azul promises besides its points: bonuses that come nearer, lines begun, the start; and what an
action does at once."""

from collections.abc import Iterator
from typing import Any

from azulejos.core.hand import Prospect
from azulejos.core.language import _, ngettext
from azulejos.core.state import State

from ..lines import completed_by, for_the_opponent, line_prospects, say_line, say_points
from .hand import tiled_line
from .notation import RULES, Take, say_colour, split
from .tables import FACTORIES, PENALTIES, SIZE

# What tiles of a column and of a colour are worth on the way to the bonus, in points, by their number.
_COLUMN, _COLOUR = (0, 0, 0.5, 1.5, 4, 7), (0, 0, 0.5, 2, 5, 10)
_LINE, _START = 2.0, 2.0  # a whole line of tiles; to start a round


def prospects(state: State, seat: int) -> Iterator[Prospect]:
    fields = state.fields
    spaces = RULES.occupied(fields, seat)
    for column in range(SIZE):
        tiles = sum(spaces >> SIZE * row + column & 1 for row in range(SIZE))
        said = _("column {column}: {n} of {all}").format(column=column + 1, n=tiles, all=SIZE)
        yield Prospect(f"column {column}", said, _COLUMN[tiles], str(tiles))
    for colour in range(SIZE):
        tiles = int(fields.wall[seat, colour]).bit_count()
        said = _("{colour} on the wall: {n} of {all}").format(colour=say_colour(colour), n=tiles, all=SIZE)
        yield Prospect(f"colour {colour}", said, _COLOUR[tiles], str(tiles))
    yield from line_prospects(fields, seat, SIZE, _LINE)
    if not state.over and fields.start == seat:
        yield Prospect("start", _("the start of the next round"), _START)


def effects(state: State, index: int) -> Iterator[Prospect]:
    game, fields, story = state.game, state.fields, state.game.story(state, index)
    seat, floored = fields.seat, fields.floor_count[fields.seat]
    match split(game, index):
        case Take(_, colour, line):
            for event in story[1:4]:  # what follows is the end of the round
                match event.kind:
                    case "marker":
                        cost = _cost(floored, event.floored)
                        floored += event.floored
                        yield Prospect("start", say_points(_("start marker taken"), -cost), max(_START, cost))
                    case "line":
                        held = fields.line_count[seat, line - 1] + event.tiles
                        if held < line:
                            yield Prospect("line", say_line(line - 1, held), _LINE * event.tiles / line)
                        else:
                            points = 0 if fields.grey else tiled_line(fields, colour, line - 1)[1]
                            said = _("completes line {line}").format(line=line)
                            yield Prospect("line", say_points(said, points), _LINE + points)
                    case "floor":
                        said = ngettext("{n} tile to the floor", "{n} tiles to the floor", event.tiles)
                        cost = _cost(floored, event.tiles)
                        yield Prospect("floor", say_points(said.format(n=event.tiles), -cost), -cost)
                        break
            after = state.play(index)
            if after.seat is not None and after.seat != seat and after.round == state.round:
                other = after.seat
                before, then = (completed_by(one, other, SIZE, _most(one)) for one in (fields, after.fields))
                yield from for_the_opponent(before, then, game.players, _LINE)
        case _:
            for event in story[:1]:
                yield Prospect("wall", game.say_event(event) or "", event.points)


def _cost(floored: int, more: int) -> int:
    """What more tiles on the floor cost."""
    last = len(PENALTIES) - 1
    return int(PENALTIES[min(floored + more, last)] - PENALTIES[min(floored, last)])


def _most(fields: Any) -> list[int]:
    """The largest take of each colour."""
    sources = range(1 + FACTORIES[fields.players])
    return [max(int(RULES.count_of(fields.source[k], colour)) for k in sources) for colour in range(SIZE)]
