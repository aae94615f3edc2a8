"""Azul at a table: the places that a hand touches, what an action would do, how tiles travel."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any, NamedTuple

from msgspec.structs import replace

from azulejos.core import hand
from azulejos.core.events import Event
from azulejos.core.hand import Closed, Flight, Ghost, Mark, Pick, Preview, Step, steps_of
from azulejos.core.language import N_, _, language, ngettext
from azulejos.core.state import State

from . import encoding, lookups, notation
from .notation import Column, Take
from .position import floor_tiles
from .tables import COLOURS, COLUMN_OF, FACTORIES, PENALTIES, SIZE

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
                n=int(RULES.count_of(state.fields.source[source], colour)),
                colour=_(COLOURS[colour], "azul"),
                source=notation.say_source(source),
                target=_("line {line}").format(line=line) if line else _("the floor"),
            )
        case _:
            return notation.say_action(state.game, index)


def picks(state: State, index: int) -> tuple[Pick, ...]:
    match notation.split(state.game, index):
        case Take() as take:
            return _facts(state).picks(take, language())
        case Column(row, column):
            return (Pick(wall_place(state.fields.seat, row, column), _("column {column}").format(column=column + 1)),)


def options(state: State) -> list[tuple[tuple[Pick, ...], Preview]]:
    if state.fields.phase != encoding.DRAFT:
        return [(picks(state, index), preview(state, index, 0)) for index in state.actions.indices]
    facts, spoken, split, game = _facts(state), language(), notation.split, state.game
    return [
        (facts.picks(take, spoken), facts.preview(take, index, spoken))
        for index in state.actions.indices
        if isinstance(take := split(game, index), Take)
    ]


class _Facts:
    """What the takes in a position have in common.

    `counts`: of the tiles, by source and colour; `others`: the colours on a factory, as bits, of which the rest goes to
    the centre; `held`: the tiles in each line, with none at 0; `full`: by row, the colours of the complete lines above.
    """

    def __init__(self, state: State) -> None:
        fields = state.fields
        self.state, self.seat, self.grey, self.marker = state, fields.seat, fields.grey, bool(fields.marker)
        self.floor = fields.floor_count[self.seat]
        self.counts = [_counts(tiles) for tiles in fields.source[: 1 + FACTORIES[fields.players]]]
        self.others = [0, *(sum(1 << k for k in range(SIZE) if found[k]) for found in self.counts[1:])]
        self.held = (0, *fields.line_count[self.seat])
        self.wall = tuple(fields.wall[self.seat])
        colours = fields.line_colour[self.seat]
        full = tuple([colours[row] if self.held[row + 1] == row + 1 else None for row in range(SIZE)])
        self.full = [full[:row] for row in range(SIZE)]

    def picks(self, take: Take, language: str) -> tuple[Pick, ...]:
        source, colour, _line = take
        return _picks_of(take, self.seat, self.counts[source][colour], self.others[source], language)

    def preview(self, take: Take, index: int, language: str) -> Preview:
        """Without the projected score. Takes that do the same to equal boards have the same preview, whatever else is
        on the table."""
        source, colour, line = take
        tiles, held, tiled = self.counts[source][colour], self.held[line], None
        if 0 < line <= held + tiles and not self.grey:
            tiled = _tiled(self.wall, self.full[line - 1], colour)
        marker = self.marker and source == encoding.CENTRE
        draft = _Draft(self.seat, colour, tiles, line, marker, held, self.floor, tiled, language)
        known = _previews.get(draft)
        if known is None:
            if len(_previews) >= 1 << 14:
                _previews.clear()
            known = _previews[draft] = _preview_take(draft, self._made(tiles, index))
        return known

    def _made(self, tiles: int, index: int) -> Any:
        """The fields after a take of tiles, as if the drafting went on."""
        state, left = self.state, self.state.fields.left
        if left == tiles:
            state = state.with_fields(left=left + 1)
        return State(state.game, state.game.rules.play(state.position, index)).fields


@lru_cache(16)
def _facts(state: State) -> _Facts:
    """Kept, because every take asks for them."""
    return _Facts(state)


@lru_cache(1 << 12)
def _counts(tiles: int) -> tuple[int, ...]:
    return tuple(notation.TILES.counts(tiles))


@lru_cache(1 << 13)
def _picks_of(take: Take, seat: int, count: int, others: int, language: str) -> tuple[Pick, ...]:
    """Of a take from a source; kept, because positions share most of them. `others`: the colours, as bits, of which the
    rest goes to the centre."""
    source, colour, line = take
    taken = _("{colour} × {count}, {source}").format(
        count=count, colour=_(COLOURS[colour], "azul"), source=notation.say_source(source)
    )
    target = line_place(seat, line - 1) if line else floor_place(seat)
    where = _("line {line}").format(line=line) if line else _("the floor")
    ask_line = _("choose a line or the floor")
    falls = tuple(source_place(source, k) for k in range(SIZE) if k != colour and others >> k & 1)
    return Pick(source_place(source, colour), taken, ask_line, falls), Pick(target, where)


def closed(state: State) -> Iterator[Closed]:
    """For each group of tiles the lines that do not take it."""
    fields = state.fields
    if fields.phase != encoding.DRAFT:
        return
    seat, spoken = fields.seat, language()
    colours, open_lines = fields.line_colour[seat], _counts(fields.open[seat])
    held = tuple([colours[row] if tiles else None for row, tiles in enumerate(fields.line_count[seat])])
    full = tuple([tiles == row + 1 for row, tiles in enumerate(fields.line_count[seat])])
    for source, counts in enumerate(_facts(state).counts):
        for colour, tiles in enumerate(counts):
            if tiles:
                lines = open_lines[colour]
                for row in range(SIZE):
                    if not lines >> row + 1 & 1:
                        yield _closed(seat, source, colour, row + 1, held[row], full[row], spoken)


@lru_cache(1 << 12)
def _closed(seat: int, source: int, colour: int, line: int, held: int | None, full: bool, language: str) -> Closed:
    """A line that does not take a colour. `held`: the colour that lies there."""
    if full:
        why = _("line {line} is full").format(line=line)
    elif held is not None:
        said = _("line {line} holds {colour}, which does not mix")
        why = said.format(line=line, colour=_(COLOURS[held], "azul"))
    else:
        said = _("row {row} of the wall has a {colour} tile already")
        why = said.format(row=line, colour=_(COLOURS[colour], "azul"))
    return Closed(source_place(source, colour), line_place(seat, line - 1), why)


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
    language: str


_previews = dict[_Draft, Preview]()  # without the projected scores


def preview(state: State, index: int, projected: int) -> Preview:
    match notation.split(state.game, index):
        case Take() as take:
            return replace(_facts(state).preview(take, index, language()), projected=projected)
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


def _preview_take(draft: _Draft, made: Any) -> Preview:
    """Everything but the projected score. `made`: the fields after the take."""
    seat, line, row = draft.seat, draft.line, draft.line - 1
    filled = made.line_count[seat][row] if line else 0
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
    fallen = list(enumerate(floor_tiles(made, seat)))[draft.floor :]
    ghosts += [Ghost(floor_place(seat, space), _FLOOR_TILES[tile]) for space, tile in fallen]
    cost = int(PENALTIES[draft.floor + len(fallen)] - PENALTIES[draft.floor])
    if cost:
        words.append(f"−{cost}")
        marks.append(Mark(floor_place(seat), f"−{cost}"))
    return Preview(" · ".join(words), 0, tuple(ghosts), tuple(marks))


# --- what is said of a position and of points ---


def notice(state: State) -> str:
    """The round is the last one as soon as somebody is sure to complete a row."""
    fields = state.fields
    for seat in range(fields.players):
        spaces = RULES.occupied(fields, seat)
        for row in range(SIZE):
            nearly = (spaces >> SIZE * row & lookups.ROW_MASK).bit_count() == SIZE - 1
            if nearly and fields.line_count[seat, row] == row + 1:
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
    travel = _Travel(state)
    return steps_of(state.game, events, travel.take, travel.show)


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
