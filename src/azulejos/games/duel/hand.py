"""Duel at a table: the places that a hand touches, what an action would do, how tiles travel."""

from collections.abc import Iterator, Sequence
from typing import Any

from azulejos.core.events import Event
from azulejos.core.game import Game
from azulejos.core.hand import Closed, Flight, Ghost, Mark, Pick, Preview, Step, steps_of
from azulejos.core.language import _
from azulejos.core.state import State

from . import encoding, notation
from .notation import Chip, Draw, Lay, Leave, Pay, Pile, Plate, Slot, Spend, Stop, Take, Under
from .tables import (
    CHIPS,
    COLOURS,
    CORNER_WORDS,
    CORNERS,
    PLATES,
    PLAYERS,
    ROTATIONS,
    ROUNDS,
    SIDES,
    SIZE,
    SLOT_NAMES,
    slot,
)

RULES = notation.RULES


# --- places: the ids of the drawing ---


def sun_place(source: int, colour: int) -> str:
    """The tiles of a colour that a take lifts."""
    if source == encoding.MOONS:
        return f"moons.{COLOURS[colour]}"
    return f"{f'factory-{source}' if source else 'large-factory'}.sun.{COLOURS[colour]}"


def line_place(seat: int, row: int) -> str:
    return f"seat-{seat}.line-{row + 1}"


def slot_place(seat: int, row: int, column: int) -> str:
    return f"seat-{seat}.slot.{row + 1}.{column + 1}"


def square_place(seat: int, square: int) -> str:
    return f"seat-{seat}.square-{square + 1}"


def tile_name(colour: int) -> str:
    """The drawing's definition of a tile."""
    return f"tile-{COLOURS[colour]}"


# --- picking ---


def ask(state: State) -> str:
    fields = state.fields
    line = fields.row + 1
    match fields.phase:
        case encoding.OPENING:
            return _("choose an opening plate")
        case encoding.PILE:
            return _("choose the next tile of the pile, from the bottom")
        case encoding.DRAWING:
            return _("draw another plate, or look at those in hand")
        case encoding.KEEP:
            return _("choose the plate to keep")
        case encoding.UNDER:
            return _("put the other plates under the stack, one by one")
        case encoding.LAY:
            return _("choose a square for the plate")
        case encoding.COMPLETING:
            return _("line {line}: complete it with chips, or leave it").format(line=line)
        case encoding.PAY:
            return _("choose a chip to spend")
        case encoding.SLOT:
            return _("choose a slot for the tile of line {line}").format(line=line)
        case _:
            return _("take tiles, a plate or a chip")


def picks(state: State, index: int) -> tuple[Pick, ...]:
    fields = state.fields
    seat, words = fields.seat, notation.say_action(state.game, index)
    match notation.split(index):
        case Take(source, colour, line):
            said = _("{colour}, {source}").format(
                colour=notation.say_colour(colour), source=notation.say_source(source)
            )
            falls = tuple(sun_place(source, k) for k in _left_on_sun(fields, source, colour))
            target = line_place(seat, line - 1) if line else f"seat-{seat}.broken"
            where = _("line {line}", "duel").format(line=line) if line else _("the broken tiles")
            first = Pick(sun_place(source, colour), said, _("choose a line or the broken tiles"), falls)
            return first, Pick(target, where)
        case Chip(factory):
            return (Pick(f"factory-{factory}.chip", words),)
        case Plate(plate) | Under(plate):
            return (Pick(f"plate-{PLATES[plate]}", words),)
        case Draw():
            return (Pick("stack", words),)
        case Stop():
            return (Pick("hand", words),)
        case Lay(square, rotation):
            place = square_place(seat, square)
            said = _("square {number}").format(number=square + 1)
            return (
                Pick(place, said, _("choose the corner of its slot")),
                Pick(f"{place}.{CORNERS[rotation]}", _(CORNER_WORDS[rotation])),
            )
        case Pile(colour):
            return (Pick(sun_place(fields.factory, colour), words),)
        case Slot(row, column):
            return (Pick(slot_place(seat, row, column), words),)
        case Pay(kind):
            return (Pick(f"seat-{seat}.chip-{CHIPS[kind]}", words),)
        case Leave():
            return (Pick("leave", words),)
        case Spend(chips):
            return (Pick(f"spend-{chips}", words),)


def _left_on_sun(fields: Any, source: int, colour: int) -> list[int]:
    if source == encoding.MOONS:
        return []
    return [k for k in range(len(COLOURS)) if k != colour and RULES.count_of(fields.sun[source], k)]


def closed(state: State) -> Iterator[Closed]:
    """For each group of tiles the lines that do not take it."""
    fields = state.fields
    if fields.phase != encoding.ACT:
        return
    seat, found = fields.seat, dict[str, tuple[int, set[int]]]()
    for action in state.actions:
        match notation.split(int(action)):
            case Take(source, colour, line):
                found.setdefault(sun_place(source, colour), (colour, set()))[1].add(line)
    for place, (_colour, lines) in found.items():
        for line in set(range(1, SIZE + 1)) - lines:
            if fields.line_count[seat, line - 1] == line:
                why = _("line {line} is full", "duel").format(line=line)
            else:
                held = notation.say_colour(int(fields.line_colour[seat, line - 1]))
                why = _("line {line} holds {colour}, which does not mix", "duel").format(line=line, colour=held)
            yield Closed(place, line_place(seat, line - 1), why)


# --- previews ---


def preview(state: State, index: int, projected: int) -> Preview:
    """From what the rules would tell; a plate is shown as it would lie."""
    parts, fields = notation.split(index), state.fields
    mine = f"seat-{fields.seat}."
    ghosts, marks, words = list[Ghost](), list[Mark](), list[str]()
    match parts:
        case Lay(square, rotation):
            ghosts += _plate(fields, square, rotation)
        case Take() | Slot():
            for step in steps(state, state.game.story(state, index)):
                if step.seat == fields.seat:
                    ghosts += [Ghost(one.end, one.shape) for one in step.flights if one.end.startswith(mine)]
                    marks += [mark for mark in step.marks if mark.place.startswith(mine)]
                    words += [step.words] if step.words else []
    if isinstance(parts, Take) and parts.line:
        line = line_place(fields.seat, parts.line - 1)
        count = fields.line_count[fields.seat, parts.line - 1]
        count += sum(ghost.place.startswith(f"{line}.") for ghost in ghosts)
        said = _("line {line}: {tiles} of {spaces}", "duel")
        words.insert(0, said.format(line=parts.line, tiles=count, spaces=parts.line))
    return Preview(" · ".join(words), projected, tuple(ghosts), tuple(marks))


def _plate(fields: Any, square: int, rotation: int) -> Iterator[Ghost]:
    """The plate's four slots, each in its corner of the square."""
    for corner in range(ROTATIONS):
        place = f"{square_place(fields.seat, square)}.{CORNERS[corner]}"
        name = SLOT_NAMES[slot(fields.plate, rotation, corner)]
        yield Ghost(place, "well", "well")
        if name in COLOURS:
            yield Ghost(place, f"thin-{name}", f"thin edge-{name}")
        else:
            yield Ghost(place, "joker", "") if name == "joker" else Ghost(place, "crown", "crown")


# --- what is said of a position and of points ---


def secret(game: Game, index: int) -> str | None:
    """Which plate goes under the stack is its owner's to know."""
    return _("plate put under the stack") if isinstance(notation.split(index), Under) else None


def notice(state: State) -> str:
    return _("Last round") if state.round == ROUNDS else ""


def points_of(event: Event) -> tuple[str, int, int] | None:
    match event.kind:
        case "tile":
            return _("tiles on the dome"), event.seat, event.points
        case "special":
            return _("special tiles"), event.seat, event.points
        case "blind":
            return _("plates from the stack"), event.seat, -event.points
        case "penalty":
            return _("broken tiles"), event.seat, -event.points
        case "start tile penalty":
            return _("start tile"), event.seat, -event.points
        case "bonus":
            return _("scoring tablets"), event.seat, event.points
        case "floor":
            return _("never below 0"), event.seat, event.points
        case _:
            return None


# --- what is shown when it has happened ---


def steps(state: State, events: Sequence[Event]) -> Iterator[Step]:
    travel = _Travel(state.fields)
    return steps_of(state.game, events, travel.take, travel.show)


def _on_pieces(fields: Any, seat: int) -> list[str]:
    """The broken tiles of a seat, as they lie."""
    counts = notation.TILES.counts(fields.broken[seat])
    return [tile_name(colour) for colour, count in enumerate(counts) for _k in range(count)]


class _Travel:
    """Follows the tiles from event to event."""

    def __init__(self, fields: Any) -> None:
        self.fields = fields
        self.source = 0
        self.taker: int | None = None
        self.lines = [list(counts) for counts in fields.line_count]
        self.colours = [list(colours) for colours in fields.line_colour]
        self.broken = [_on_pieces(fields, seat) for seat in range(PLAYERS)]

    def take(self, event: Event) -> list[Flight] | None:
        """The flights of an event of the acquisition."""
        taking = event.kind in ("take", "start tile", "line", "break", "pile") and self.taker in (None, event.seat)
        if not taking:
            return None
        self.taker = event.seat
        return list(self._take(event))

    def _take(self, event: Event) -> Iterator[Flight]:
        match event.kind:
            case "take":
                self.source = event.source
                if event.source == 0:
                    for colour in _left_on_sun(self.fields, 0, event.colour):
                        for _k in range(notation.TILES.counts(self.fields.sun[0])[colour]):
                            yield Flight(tile_name(colour), sun_place(0, colour), "large-factory.moon")
            case "start tile":
                yield Flight("tile-marker", "large-factory.start", f"seat-{event.seat}.start")
            case "line":
                self.colours[event.seat][event.line] = event.colour
                for _k in range(event.tiles):
                    self.lines[event.seat][event.line] += 1
                    end = f"{line_place(event.seat, event.line)}.{self.lines[event.seat][event.line]}"
                    yield Flight(tile_name(event.colour), sun_place(self.source, event.colour), end)
            case "break":
                for _k in range(event.tiles):
                    self.broken[event.seat].append(tile_name(event.colour))
                    end = f"seat-{event.seat}.broken.{len(self.broken[event.seat])}"
                    yield Flight(tile_name(event.colour), sun_place(self.source, event.colour), end)
            case "pile":
                start = sun_place(event.factory, event.colour)
                yield Flight(tile_name(event.colour), start, f"factory-{event.factory}.moon")

    def show(self, event: Event, said: str | None) -> Iterator[Step]:
        seat = event.values.get("seat")
        match event.kind:
            case "tile":
                place = slot_place(event.seat, event.row, event.column)
                colour = self.colours[event.seat][event.row]
                count = max(self.lines[event.seat][event.row], 1)  # chips may have stood in for the rest
                line = [f"{line_place(event.seat, event.row)}.{space}" for space in range(1, count + 1)]
                flights = [Flight(tile_name(colour), start, "tower") for start in line[1:]]
                flights.insert(0, Flight(tile_name(colour), line[0], place))
                yield Step(said, seat, tuple(flights), (Mark(place, f"+{event.points}"),))
            case "special":
                mark = Mark(slot_place(event.seat, event.row, event.column), f"+{event.points}")
                yield Step(said, seat, (), (mark,))
            case "chip":
                shape, start = f"face-{CHIPS[event.chip]}", f"factory-{event.factory}.chip"
                yield Step(said, seat, (Flight(shape, start, f"seat-{seat}.chips.next"),))
            case "penalty" if event.points:
                pieces = self.broken[event.seat]
                swept = [Flight(tile, f"seat-{seat}.broken.{k}", "tower") for k, tile in enumerate(pieces, 1)]
                yield Step(said, seat, tuple(swept), (Mark(f"seat-{seat}.broken", f"−{event.points}"),))
            case "under":
                yield Step(said, seat, (Flight("plate", "hand", "stack", "plate"),))
            case "start tile penalty" if event.points:
                yield Step(said, seat, (), (Mark(f"seat-{seat}.start", f"−{event.points}"),))
            case "blind" if event.points:
                yield Step(said, seat, (), (Mark(f"seat-{seat}.score", f"−{event.points}"),))
            case "bonus":
                text = f"+{event.points}" if event.points >= 0 else f"−{-event.points}"
                yield Step(
                    said, seat, (), (Mark(f"tablet-{SIDES[event.side]}", text), Mark(f"seat-{seat}.score", text))
                )
            case _ if said:
                yield Step(said, seat)
