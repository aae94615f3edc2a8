"""Azul at a table: the places that a hand touches, what an action would do, how tiles travel."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from operator import itemgetter, or_
from typing import Any, NamedTuple

from msgspec.structs import replace

from azulejos.core import hand
from azulejos.core.events import Event
from azulejos.core.hand import Closed, Flight, Ghost, Mark, Offer, Pick, Preview, Shared, Step, steps_of
from azulejos.core.language import N_, _, language, ngettext
from azulejos.core.state import State

from . import encoding, lookups, notation
from .notation import Column, Take
from .position import floor_tiles
from .tables import COLOURS, COLUMN_OF, FACTORIES, FLOOR_SPACES, PENALTIES, SIZE

RULES = notation.RULES
_COLUMN_OF = COLUMN_OF.tolist()
_FLOOR_TILES = (*(f"tile-{colour}" for colour in COLOURS), "tile-marker")


# --- places: the ids of the drawing ---


def source_place(source: int, colour: int) -> str:
    return f"{f'factory-{source}' if source else 'centre'}.{COLOURS[colour]}"


def line_place(seat: int, row: int) -> str:
    return f"seat-{seat}.line-{row + 1}"


def space_place(seat: int, row: int, space: int) -> str:
    """A space of a line, counted from the right, where filling begins."""
    return f"{line_place(seat, row)}.{space + 1}"


def wall_place(seat: int, row: int, column: int) -> str:
    return f"seat-{seat}.wall.{row + 1}.{column + 1}"


def floor_place(seat: int, space: int | None = None) -> str:
    return f"seat-{seat}.floor" + (f".{space + 1}" if space is not None else "")


def tile_name(colour: int) -> str:
    """The drawing's definition of a tile."""
    return f"tile-{COLOURS[colour]}"


# --- picking ---


def ask(state: State) -> str:
    fields = state.fields
    if fields.phase == encoding.TILE:
        return _("choose a column for line {line}").format(line=fields.row + 1)
    return _("take all tiles of one colour from a factory or the centre")


def say_move(state: State, index: int) -> str:
    match notation.split(state.game, index):
        case source, colour, line:
            said = _("{n} {colour} from {source} to {target}")
            return said.format(
                n=_counts(state.fields.source[source])[colour],
                colour=_(COLOURS[colour], "azul"),
                source=notation.say_source(source),
                target=_("line {line}").format(line=line) if line else _("the floor"),
            )
        case _:
            return notation.say_action(state.game, index)


def picks(state: State, index: int) -> tuple[Pick, ...]:
    match notation.split(state.game, index):
        case Take(_source, _colour, line):
            return _picks_from(_facts(state), index // encoding.LINES)[line].it
        case Column(row, column):
            return (Pick(wall_place(state.fields.seat, row, column), _("column {column}").format(column=column + 1)),)


def options(state: State) -> list[Offer]:
    indices = state.actions.indices
    if state.fields.phase != encoding.DRAFT:
        return [(Shared(picks(state, index)), Shared(preview(state, index, 0))) for index in indices]
    return _offers(_facts(state), indices)


class _Facts:
    """What the takes in a position have in common.

    `counts`: of the tiles, by source and colour; `others`: the colours on a factory, as bits, of which the rest goes to
    the centre; `held`: the tiles in each line, with none at 0; `full`: by row, the colours of the complete lines above.
    """

    def __init__(self, state: State) -> None:
        fields = state.fields
        self.seat, self.grey, self.marker = fields.seat, fields.grey, bool(fields.marker)
        self.floor = fields.floor_count[self.seat]
        self.counts = [_counts(tiles) for tiles in fields.source[: 1 + FACTORIES[fields.players]]]
        self.others = [0, *map(_colours, fields.source[1 : 1 + FACTORIES[fields.players]])]
        self.held = (0, *fields.line_count[self.seat])
        self.wall = tuple(fields.wall[self.seat])
        colours = fields.line_colour[self.seat]
        full = tuple([colours[row] if self.held[row + 1] == row + 1 else None for row in range(SIZE)])
        self.full = [full[:row] for row in range(SIZE)]


@lru_cache(1 << 9)
def _facts(state: State) -> _Facts:
    """Kept, because every take asks for them, and they are told of again when one is played."""
    return _Facts(state)


_picks = defaultdict[str, dict[int, list[Shared[tuple[Pick, ...]]]]](dict)  # by language and source; by line
_previews = defaultdict[str, dict[int, Shared[Preview]]](dict)  # by language and all that they show, but the scores
_MOST_PICKS = hand.MOST_SHARED // encoding.LINES


def _offers(facts: _Facts, takes: Sequence[int]) -> list[Offer]:
    """Of takes. Those that do the same to equal boards have the same preview, whatever else is on the table."""
    found, known, seat, last = list[Offer](), _previews[language()], facts.seat, -1
    here = dict[int, list[Shared[Preview] | None]]()  # by what is taken, and line
    for index in takes:
        group, line = divmod(index, encoding.LINES)
        if group != last:
            last, (source, colour) = group, divmod(group, SIZE)
            tiles, marker, picks_ = facts.counts[source][colour], facts.marker and not source, _picks_from(facts, group)
            taken = ((colour << 5 | tiles) << 1 | marker) << 2 | seat
            previews = here[taken] = here.get(taken) or [None] * encoding.LINES
        preview_ = previews[line]
        if preview_ is None:
            held, column, points = facts.held[line], -1, 0
            if 0 < line <= held + tiles and not facts.grey:
                column, points = _tiled(facts.wall, facts.full[line - 1], colour)
            floor = facts.floor if marker or held + tiles > line else 0  # what lies there matters if something falls
            shown = ((((taken << 3 | line) << 3 | held) << 4 | points) << 3 | column + 1) << 3 | floor
            preview_ = known.get(shown)
            if preview_ is None:
                tiled = (column, points) if column >= 0 else None
                draft = _Draft(seat, colour, tiles, line, marker, held, facts.floor, tiled)
                preview_ = known[shown] = Shared(_preview_take(draft))
            previews[line] = preview_
        found.append((picks_[line], preview_))
    if len(known) > hand.MOST_SHARED:
        known.clear()
    return found


def _picks_from(facts: _Facts, group: int) -> list[Shared[tuple[Pick, ...]]]:
    """The picks of the takes of a colour from a source, by line."""
    source, colour = divmod(group, SIZE)
    seat, tiles, others, known = facts.seat, facts.counts[source][colour], facts.others[source], _picks[language()]
    shown = ((group << 5 | tiles) << 5 | others) << 2 | seat
    found = known.get(shown)
    if found is None:
        if len(known) >= _MOST_PICKS:
            known.clear()
        takes = [Take(source, colour, line) for line in range(encoding.LINES)]
        found = known[shown] = [Shared(_picks_of(take, seat, tiles, others)) for take in takes]
    return found


@lru_cache(1 << 12)
def _counts(tiles: int) -> tuple[int, ...]:
    return tuple(notation.TILES.counts(tiles))


@lru_cache(1 << 12)
def _colours(tiles: int) -> int:
    """The colours among some tiles, as bits."""
    return sum(1 << colour for colour, count in enumerate(_counts(tiles)) if count)


def _picks_of(take: Take, seat: int, count: int, others: int) -> tuple[Pick, ...]:
    """Of a take from a source. `others`: the colours, as bits, of which the rest goes to the centre."""
    source, colour, line = take
    taken = _("{colour} × {count}, {source}").format(
        count=count, colour=_(COLOURS[colour], "azul"), source=notation.say_source(source)
    )
    target = line_place(seat, line - 1) if line else floor_place(seat)
    where = _("line {line}").format(line=line) if line else _("the floor")
    ask_line = _("choose a line or the floor")
    falls = tuple(source_place(source, k) for k in range(SIZE) if k != colour and others >> k & 1)
    return Pick(source_place(source, colour), taken, ask_line, falls), Pick(target, where)


_FULL, _ON_WALL = SIZE, SIZE + 1  # why a line does not take a colour, unless it holds another one


def closed(state: State) -> list[Closed]:
    """For each group of tiles the lines that do not take it."""
    fields, found = state.fields, list[Closed]()
    if fields.phase != encoding.DRAFT:
        return found
    seat, spoken = fields.seat, language()
    lines = zip(fields.line_colour[seat], fields.line_count[seat], strict=True)
    why = [_FULL if tiles == row + 1 else colour if tiles else _ON_WALL for row, (colour, tiles) in enumerate(lines)]
    by_colour = [
        [_closed(colour, row, why[row], seat, spoken) for row in range(SIZE) if not taken >> row + 1 & 1]
        for colour, taken in enumerate(_counts(fields.open[seat]))
    ]
    for source, counts in enumerate(_facts(state).counts):
        for colour, tiles in enumerate(counts):
            if tiles:
                found += map(itemgetter(source), by_colour[colour])
    return found


@lru_cache(1 << 12)
def _closed(colour: int, row: int, why: int, seat: int, language: str) -> list[Closed]:
    """A line that does not take a colour, by the tiles' source. `why`: the colour that lies there, or another reason.
    Kept, because there are few; the words are in a language."""
    if why == _FULL:
        said = _("line {line} is full").format(line=row + 1)
    elif why == _ON_WALL:
        said = _("row {row} of the wall has a {colour} tile already")
        said = said.format(row=row + 1, colour=_(COLOURS[colour], "azul"))
    else:
        said = _("line {line} holds {colour}, which does not mix")
        said = said.format(line=row + 1, colour=_(COLOURS[why], "azul"))
    place = line_place(seat, row)
    return [Closed(source_place(source, colour), place, said) for source in range(1 + max(FACTORIES.values()))]


# --- previews ---


class _Draft(NamedTuple):
    """A take, by all that its preview shows. `held`, `floor`: how many tiles lie there already; `tiled`: the column and
    the points of the line if it is complete then, on the coloured wall."""

    seat: int
    colour: int
    tiles: int
    line: int
    marker: bool
    held: int
    floor: int
    tiled: tuple[int, int] | None


def preview(state: State, index: int, projected: int) -> Preview:
    match notation.split(state.game, index):
        case Take():
            return replace(_offers(_facts(state), (index,))[0][1].it, projected=projected)
        case Column(row, column):
            story = state.game.story(state, index)
            seat = state.fields.seat
            (points,) = [event.points for event in story if event.kind == "wall"][:1]
            mark = Mark(wall_place(seat, row, column), f"+{points}")
            ghost = Ghost(mark.place, tile_name(state.fields.line_colour[seat, row]))
            return Preview(_("scores {points}").format(points=mark.text), projected, (ghost,), (mark,))


def tiled_line(fields: Any, colour: int, row: int) -> tuple[int, int]:
    """The column and the points of a line that a colour completes, if the drafting ended then: the lines above it are
    tiled first. On the coloured wall."""
    seat = fields.seat
    counts = fields.line_count[seat]
    above = tuple([fields.line_colour[seat][k] if counts[k] == k + 1 else None for k in range(row)])
    return _tiled(tuple(fields.wall[seat]), above, colour)


@lru_cache(1 << 12)
def _tiled(wall: tuple[int, ...], above: tuple[int | None, ...], colour: int) -> tuple[int, int]:
    spaces, row = reduce(or_, wall), len(above)
    for k, held in enumerate((*above, colour)):
        if held is not None:
            spaces |= 1 << SIZE * k + _COLUMN_OF[k][held]
    column = _COLUMN_OF[row][colour]
    return column, int(RULES.points_at(spaces, row, column))


def _preview_take(draft: _Draft) -> Preview:
    """Everything but the projected score."""
    seat, line, row = draft.seat, draft.line, draft.line - 1
    filled = min(draft.held + draft.tiles, line)
    ghosts = [Ghost(space_place(seat, row, k), tile_name(draft.colour)) for k in range(draft.held, filled)]
    marks, words, spilled = list[Mark](), list[str](), draft.tiles - len(ghosts)
    if line and filled == line:
        words.append(_("completes line {line}").format(line=line))
        if draft.tiled:
            column, points = draft.tiled
            place = wall_place(seat, row, column)
            ghosts.append(Ghost(place, tile_name(draft.colour)))
            marks.append(Mark(place, f"+{points}"))
            words.append(f"+{points}")
    elif line:
        words.append(_("line {line}: {tiles} of {spaces}").format(line=line, tiles=filled, spaces=line))
    if spilled:
        words.append(ngettext("{n} tile to the floor", "{n} tiles to the floor", spilled).format(n=spilled))
    elif line:
        words.append(_("nothing spills"))
    if draft.marker:
        words.append(_("with the start marker"))
    fallen = [*["tile-marker"] * draft.marker, *[tile_name(draft.colour)] * spilled][: FLOOR_SPACES - draft.floor]
    ghosts += [Ghost(floor_place(seat, space), tile) for space, tile in enumerate(fallen, draft.floor)]
    cost = int(PENALTIES[draft.floor + len(fallen)] - PENALTIES[draft.floor])
    if cost:
        words.append(f"−{cost}")
        marks.append(Mark(floor_place(seat), f"−{cost}"))
    return Preview(" · ".join(words), 0, tuple(ghosts), tuple(marks))


# --- what is said of a position and of points ---


def notice(state: State) -> str:
    """The round is the last one as soon as somebody is sure to complete a row."""
    fields = state.fields
    for counts, wall in zip(fields.line_count, fields.wall, strict=True):
        for row, tiles in enumerate(counts):
            if tiles == row + 1:
                held = reduce(or_, wall) >> SIZE * row & lookups.ROW_MASK
                if held.bit_count() == SIZE - 1:
                    return _("Last round: a row will be complete")
    return ""


_GAINS = {
    "wall": N_("tiles on the wall"),
    "row bonus": N_("complete rows"),
    "column bonus": N_("complete columns"),
    "colour bonus": N_("complete colours"),
}
_LOSSES = {"penalty": N_("the floor")}


def points_of(event: Event) -> tuple[str, int, int] | None:
    return hand.points_of(event, _GAINS, _LOSSES)


# --- what is shown when it has happened ---


def steps(state: State, events: Sequence[Event]) -> Iterator[Step]:
    travel, shown = _Travel(state), [event for event in events if event.kind != "deal"]  # the deal comes last
    return steps_of(state.game, shown, travel.take, travel.show)


def steps_to(state: State, index: int, after: State) -> list[Step] | None:
    """Of a take after which the drafting goes on."""
    was, now = state.fields, after.fields
    if now.phase != encoding.DRAFT or now.round_no != was.round_no:
        return None
    group, line = divmod(index, encoding.LINES)
    source, colour = divmod(group, SIZE)
    seat, first, words = was.seat, was.floor_count[was.seat], list[str]()
    flights = _cleared(source, colour, was.source[source]) if source else ()
    if was.marker > now.marker:
        floored = first < FLOOR_SPACES
        words.append(notation.say_marker(floored))
        flights += (Flight("tile-marker", "centre.marker", floor_place(seat, first)),) if floored else ()
        first += floored
    if line:
        row = line - 1
        flights += _lined(source, colour, seat, row, was.line_count[seat][row], now.line_count[seat][row])
    last = now.floor_count[seat]
    if last > first:
        words.append(notation.say_dropped(colour, last - first))
        flights += _dropped(source, colour, seat, first, last)
    return [Step(" · ".join(words) or None, seat, flights)] if flights or words else []


@lru_cache(1 << 12)
def _cleared(source: int, colour: int, tiles: int) -> tuple[Flight, ...]:
    """What goes from a factory to the centre when a colour is taken."""
    return tuple(
        Flight(tile_name(other), source_place(source, other), source_place(encoding.CENTRE, other))
        for other, count in enumerate(_counts(tiles))
        for _k in range(count if other != colour else 0)
    )


@lru_cache(1 << 12)
def _lined(source: int, colour: int, seat: int, row: int, first: int, last: int) -> tuple[Flight, ...]:
    """Tiles that go to spaces of a line."""
    tile, start = tile_name(colour), source_place(source, colour)
    return tuple(Flight(tile, start, space_place(seat, row, space)) for space in range(first, last))


@lru_cache(1 << 12)
def _dropped(source: int, colour: int, seat: int, first: int, last: int) -> tuple[Flight, ...]:
    """Tiles that go to spaces of the floor."""
    tile, start = tile_name(colour), source_place(source, colour)
    return tuple(Flight(tile, start, floor_place(seat, space)) for space in range(first, last))


class _Travel:
    """Follows the tiles from event to event."""

    def __init__(self, state: State) -> None:
        fields = self.fields = state.fields
        self.source = 0
        self.taking = True  # an action begins with it
        self.lines = [list(counts) for counts in fields.line_count]
        self.colours = [list(colours) for colours in fields.line_colour]
        self.floors = [[_FLOOR_TILES[tile] for tile in floor_tiles(fields, k)] for k in range(fields.players)]

    def take(self, event: Event) -> list[Flight] | None:
        """The flights of an event of the drafting."""
        self.taking &= event.kind in ("take", "marker", "line", "floor")
        return list(self._take(event)) if self.taking else None

    def _take(self, event: Event) -> Iterator[Flight]:
        match event.kind:
            case "take":
                self.source = event.source
                if event.source != encoding.CENTRE:
                    for colour, count in enumerate(notation.TILES.counts(self.fields.source[event.source])):
                        for _k in range(count if colour != event.colour else 0):
                            start = source_place(event.source, colour)
                            yield Flight(tile_name(colour), start, source_place(encoding.CENTRE, colour))
            case "marker" if event.floored:
                yield self._fall("tile-marker", "centre.marker", event.seat)
            case "line":
                self.colours[event.seat][event.line] = event.colour
                for _k in range(event.tiles):
                    end = space_place(event.seat, event.line, self.lines[event.seat][event.line])
                    self.lines[event.seat][event.line] += 1
                    yield Flight(tile_name(event.colour), source_place(self.source, event.colour), end)
            case "floor":
                for _k in range(event.tiles):
                    yield self._fall(tile_name(event.colour), source_place(self.source, event.colour), event.seat)

    def _fall(self, tile: str, start: str, seat: int) -> Flight:
        self.floors[seat].append(tile)
        return Flight(tile, start, floor_place(seat, len(self.floors[seat]) - 1))

    def _swept(self, seat: int) -> Iterator[Flight]:
        """The floor is emptied into the lid; the marker goes back to the centre."""
        for space, tile in enumerate(self.floors[seat]):
            yield Flight(tile, floor_place(seat, space), "centre.marker" if tile == "tile-marker" else "lid")
        self.floors[seat] = []

    def show(self, event: Event, said: str | None) -> Iterator[Step]:
        match event.kind:
            case "wall":
                place = wall_place(event.seat, event.row, event.column)
                tile = tile_name(self.colours[event.seat][event.row])
                line = [space_place(event.seat, event.row, space) for space in range(event.row + 1)]
                flights = [Flight(tile, line[0], place), *(Flight(tile, start, "lid") for start in line[1:])]
                yield Step(said, event.seat, tuple(flights), (Mark(place, f"+{event.points}"),))
            case "penalty" if self.floors[event.seat]:
                marks = (Mark(floor_place(event.seat), f"−{event.points}"),) if event.points else ()
                yield Step(said, event.seat, tuple(self._swept(event.seat)), marks)
            case "row bonus":
                mark = Mark(wall_place(event.seat, event.row, SIZE - 1), f"+{event.points}")
                yield Step(said, event.seat, (), (mark,))
            case "column bonus":
                mark = Mark(wall_place(event.seat, SIZE - 1, event.column), f"+{event.points}")
                yield Step(said, event.seat, (), (mark,))
            case "floor":
                tile, start = tile_name(event.colour), line_place(event.seat, event.tiles - 1)
                yield Step(said, event.seat, tuple(self._fall(tile, start, event.seat) for _k in range(event.tiles)))
            case _ if said:
                yield Step(said, event.values.get("seat"))
