"""Azul at a table: the places that a hand touches, what an action would do, how tiles travel."""

from collections.abc import Iterator, Sequence
from typing import Any

from azulejos.core.events import Event
from azulejos.core.game import Game
from azulejos.core.hand import Closed, Flight, Ghost, Mark, Pick, Preview, Step
from azulejos.core.language import _, ngettext
from azulejos.core.state import State

from . import kernels, lookups, notation
from .tables import COLOURS, FACTORIES, FLOOR_SPACES, PENALTIES, SIZE

RULES = notation.RULES


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
    record = state.fields
    if record.phase == kernels.TILE:
        return _("choose a column for line {line}").format(line=record.row + 1)
    return _("take all tiles of one colour from a factory or the centre")


def picks(state: State, index: int) -> tuple[Pick, ...]:
    record = state.fields
    seat = int(record.seat)
    match notation.split(index, int(record.players)):
        case source, colour, line:
            count = int(RULES.count_of(record.source[source], colour))
            taken = _("{colour} × {count}, {source}").format(
                count=count, colour=_(COLOURS[colour], "azul"), source=notation.say_source(source)
            )
            target = line_place(seat, line - 1) if line else floor_place(seat)
            where = _("line {line}").format(line=line) if line else _("the floor")
            ask_line = _("choose a line or the floor")
            falls = _others(record, source, colour)
            return Pick(source_place(source, colour), taken, ask_line, falls), Pick(target, where)
        case row, column:
            return (Pick(wall_place(seat, row, column), _("column {column}").format(column=column + 1)),)


def _others(record: Any, source: int, colour: int) -> tuple[str, ...]:
    """What goes to the centre when a colour is taken from a factory."""
    if source == kernels.CENTRE:
        return ()
    tiles = record.source[source]
    return tuple(source_place(source, k) for k in range(SIZE) if k != colour and RULES.count_of(tiles, k))


def closed(state: State) -> Iterator[Closed]:
    """For each group of tiles the lines that do not take it."""
    record = state.fields
    if record.phase != kernels.DRAFT:
        return
    seat = int(record.seat)
    for source in range(1 + FACTORIES[int(record.players)]):
        for colour in range(SIZE):
            if RULES.count_of(record.source[source], colour):
                lines = int(RULES.count_of(record.open[seat], colour))
                for line in range(1, SIZE + 1):
                    if not lines >> line & 1:
                        why = _why_closed(record, seat, colour, line)
                        yield Closed(source_place(source, colour), line_place(seat, line - 1), why)


def _why_closed(record: Any, seat: int, colour: int, line: int) -> str:
    row = line - 1
    if record.line_count[seat, row] == line:
        return _("line {line} is full").format(line=line)
    if record.line_count[seat, row]:
        held = _(COLOURS[record.line_colour[seat, row]], "azul")
        return _("line {line} holds {colour}, which does not mix").format(line=line, colour=held)
    said = _("row {row} of the wall has a {colour} tile already")
    return said.format(row=line, colour=_(COLOURS[colour], "azul"))


# --- previews ---


def preview(state: State, index: int, projected: int) -> Preview:
    record = state.fields
    seat = int(record.seat)
    match notation.split(index, int(record.players)):
        case source, colour, line:
            return _preview_take(record, seat, source, colour, line, projected)
        case row, column:
            spaces = int(RULES.occupied(record, seat)) | 1 << SIZE * row + column
            mark = Mark(wall_place(seat, row, column), f"+{int(RULES.points_at(spaces, row, column))}")
            ghost = Ghost(mark.place, tile_name(record.line_colour[seat, row]))
            return Preview(_("scores {points}").format(points=mark.text), projected, (ghost,), (mark,))


def _preview_take(record: Any, seat: int, source: int, colour: int, line: int, projected: int) -> Preview:
    count, row = int(RULES.count_of(record.source[source], colour)), line - 1
    held = int(record.line_count[seat, row]) if line else 0
    fitting = min(count, line - held) if line else 0
    ghosts = [Ghost(space_place(seat, row, held + k), tile_name(colour)) for k in range(fitting)]
    marks, words = list[Mark](), list[str]()
    if line and held + fitting == line:
        words.append(_("completes line {line}").format(line=line))
        if not record.grey:
            column = (row + colour) % SIZE
            spaces = _wall_after_tiling(record, seat, row) | 1 << SIZE * row + column
            points = int(RULES.points_at(spaces, row, column))
            ghosts.append(Ghost(wall_place(seat, row, column), tile_name(colour)))
            marks.append(Mark(wall_place(seat, row, column), f"+{points}"))
            words.append(f"+{points}")
    elif line:
        words.append(_("line {line}: {tiles} of {spaces}").format(line=line, tiles=held + fitting, spaces=line))
    ghosts_on_floor, cost = _fall(
        record, seat, colour, count - fitting, source == kernels.CENTRE and bool(record.marker)
    )
    if count > fitting:
        spill = ngettext("{n} tile to the floor", "{n} tiles to the floor", count - fitting)
        words.append(spill.format(n=count - fitting))
    elif line:
        words.append(_("nothing spills"))
    if source == kernels.CENTRE and record.marker:
        words.append(_("with the start marker"))
    if cost:
        words.append(f"−{cost}")
        marks.append(Mark(floor_place(seat), f"−{cost}"))
    return Preview(" · ".join(words), projected, (*ghosts, *ghosts_on_floor), tuple(marks))


def _wall_after_tiling(record: Any, seat: int, row: int) -> int:
    """The wall with the tiles of the complete lines above, which come first."""
    spaces = int(RULES.occupied(record, seat))
    for above in range(row):
        if record.line_count[seat, above] == above + 1:
            spaces |= 1 << SIZE * above + (above + int(record.line_colour[seat, above])) % SIZE
    return spaces


def _fall(record: Any, seat: int, colour: int, tiles: int, marker: bool) -> tuple[list[Ghost], int]:
    """What would lie on the floor besides what does, and what it costs."""
    held = int(record.floor_count[seat])
    fallen = (["tile-marker"] * marker + [tile_name(colour)] * tiles)[: FLOOR_SPACES - held]
    ghosts = [Ghost(floor_place(seat, held + k), tile) for k, tile in enumerate(fallen)]
    return ghosts, int(PENALTIES[held + len(fallen)] - PENALTIES[held])


# --- what is said of a position and of points ---


def notice(state: State) -> str:
    """The round is the last one as soon as somebody is sure to complete a row."""
    record = state.fields
    for seat in range(int(record.players)):
        spaces = int(RULES.occupied(record, seat))
        for row in range(SIZE):
            nearly = (spaces >> SIZE * row & lookups.ROW_MASK).bit_count() == SIZE - 1
            if nearly and record.line_count[seat, row] == row + 1:
                return _("Last round: a row will be complete")
    return ""


def points_of(event: Event) -> tuple[str, int, int] | None:
    match event.kind:
        case "wall":
            return _("tiles on the wall"), event.seat, event.points
        case "penalty":
            return _("the floor"), event.seat, -event.points
        case "row bonus":
            return _("complete rows"), event.seat, event.points
        case "column bonus":
            return _("complete columns"), event.seat, event.points
        case "colour bonus":
            return _("complete colours"), event.seat, event.points
        case _:
            return None


# --- what is shown when it has happened ---


def steps(state: State, events: Sequence[Event]) -> Iterator[Step]:
    return _Travel(state.game, state.record).steps(events)


def _on_floor(record: Any, seat: int) -> list[str]:
    """The tiles on a floor, from the left."""
    groups = [int(record.floor[seat]) >> 3 * space & 7 for space in range(int(record.floor_count[seat]))]
    return ["tile-marker" if group == kernels.MARKER_TILE else tile_name(group - 1) for group in groups]


class _Travel:
    """Follows the tiles from event to event."""

    def __init__(self, game: Game, record: Any) -> None:
        self.game, self.record = game, record
        self.source = 0
        self.lines = record.line_count.copy()
        self.colours = record.line_colour.copy()
        self.floors = [_on_floor(record, seat) for seat in range(int(record.players))]

    def steps(self, events: Sequence[Event]) -> Iterator[Step]:
        taken, words, taker = list[Flight](), list[str](), None
        for event in events:
            said = self.game.say_event(event)
            match event.kind:
                case "take" | "marker" | "line" | "floor" if not words or taker == event.seat:
                    taker = event.seat
                    taken += self._take(event)
                    words += [said] if said else []
                    continue
                case _ if taken:
                    yield Step(" · ".join(words) or None, taker, tuple(taken))
                    taken, words = [], []
            yield from self._score(event, said)
        if taken:
            yield Step(" · ".join(words) or None, taker, tuple(taken))

    def _take(self, event: Event) -> Iterator[Flight]:
        match event.kind:
            case "take":
                self.source = event.source
                if event.source:
                    for colour in range(SIZE):
                        if colour != event.colour:
                            for _k in range(int(RULES.count_of(self.record.source[event.source], colour))):
                                start = source_place(event.source, colour)
                                yield Flight(tile_name(colour), start, source_place(kernels.CENTRE, colour))
            case "marker" if event.floored:
                yield self._fall("tile-marker", "centre.marker", event.seat)
            case "line":
                self.colours[event.seat, event.line] = event.colour
                for _k in range(event.tiles):
                    space = int(self.lines[event.seat, event.line])
                    self.lines[event.seat, event.line] += 1
                    end = space_place(event.seat, event.line, space)
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

    def _score(self, event: Event, said: str | None) -> Iterator[Step]:
        match event.kind:
            case "wall":
                place = wall_place(event.seat, event.row, event.column)
                tile = tile_name(self.colours[event.seat, event.row])
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
