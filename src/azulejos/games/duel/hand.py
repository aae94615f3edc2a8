"""Duel at a table: the places that a hand touches, what an action would do, how tiles travel."""

from collections.abc import Iterator, Sequence
from typing import Any

from azulejos.core.events import Event
from azulejos.core.game import Game
from azulejos.core.hand import Closed, Flight, Ghost, Mark, Pick, Preview, Step
from azulejos.core.language import _
from azulejos.core.state import State

from . import notation
from .kernels import record as K
from .tables import (
    CHIPS,
    COLOURS,
    CORNER_WORDS,
    CORNERS,
    PLATES,
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
    if source == K.MOONS:
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
    record = state.fields
    line = int(record.row) + 1
    match int(record.phase):
        case K.OPENING:
            return _("choose an opening plate")
        case K.PILE:
            return _("choose the next tile of the pile, from the bottom")
        case K.DRAWING:
            return _("draw another plate, or look at those in hand")
        case K.KEEP:
            return _("choose the plate to keep")
        case K.UNDER:
            return _("put the other plates under the stack, one by one")
        case K.LAY:
            return _("choose a square for the plate")
        case K.COMPLETING:
            return _("line {line}: complete it with chips, or leave it").format(line=line)
        case K.PAY:
            return _("choose a chip to spend")
        case K.SLOT:
            return _("choose a slot for the tile of line {line}").format(line=line)
        case _:
            return _("take tiles, a plate or a chip")


def picks(state: State, index: int) -> tuple[Pick, ...]:
    record = state.record
    seat, words = int(record.seat), notation.say_action(state.game, index)
    match notation.split(index):
        case "take", source, colour, line:
            said = _("{colour}, {source}").format(
                colour=notation.say_colour(colour), source=notation.say_source(source)
            )
            falls = tuple(sun_place(source, k) for k in _left_on_sun(record, source, colour))
            target = line_place(seat, line - 1) if line else f"seat-{seat}.broken"
            where = _("line {line}", "duel").format(line=line) if line else _("the broken tiles")
            first = Pick(sun_place(source, colour), said, _("choose a line or the broken tiles"), falls)
            return first, Pick(target, where)
        case "chip", factory:
            return (Pick(f"factory-{factory}.chip", words),)
        case "plate" | "under", plate:
            return (Pick(f"plate-{PLATES[plate]}", words),)
        case ("draw",):
            return (Pick("stack", words),)
        case ("stop",):
            return (Pick("hand", words),)
        case "lay", square, rotation:
            place = square_place(seat, square)
            said = _("square {number}").format(number=square + 1)
            return (
                Pick(place, said, _("choose the corner of its slot")),
                Pick(f"{place}.{CORNERS[rotation]}", _(CORNER_WORDS[rotation])),
            )
        case "pile", colour:
            return (Pick(sun_place(int(record.factory), colour), words),)
        case "slot", row, column:
            return (Pick(slot_place(seat, row, column), words),)
        case "pay", kind:
            return (Pick(f"seat-{seat}.chip-{CHIPS[kind]}", words),)
        case word, *rest:
            return (Pick("-".join(map(str, (word, *rest))), words),)
    raise AssertionError


def _left_on_sun(record: Any, source: int, colour: int) -> list[int]:
    if source == K.MOONS:
        return []
    return [k for k in range(len(COLOURS)) if k != colour and RULES.count_of(int(record.sun[source]), k)]


def closed(state: State) -> Iterator[Closed]:
    """For each group of tiles the lines that do not take it."""
    record = state.record
    if record.phase != K.ACT:
        return
    seat, found = int(record.seat), dict[str, tuple[int, set[int]]]()
    for action in state.actions:
        match notation.split(int(action)):
            case "take", source, colour, line:
                found.setdefault(sun_place(source, colour), (colour, set()))[1].add(line)
    for place, (_colour, lines) in found.items():
        for line in set(range(1, SIZE + 1)) - lines:
            if record.line_count[seat, line - 1] == line:
                why = _("line {line} is full", "duel").format(line=line)
            else:
                held = notation.say_colour(int(record.line_colour[seat, line - 1]))
                why = _("line {line} holds {colour}, which does not mix", "duel").format(line=line, colour=held)
            yield Closed(place, line_place(seat, line - 1), why)


# --- previews ---


def preview(state: State, index: int, projected: int) -> Preview:
    """From what the rules would tell; a plate is shown as it would lie."""
    action, record = notation.split(index), state.record
    seat = int(record.seat)
    travel = _Travel(state.game, record)
    ghosts, marks, words = list[Ghost](), list[Mark](), list[str]()
    if action[0] == "lay":
        ghosts += _plate(record, *action[1:])
    elif action[0] in ("take", "slot"):
        shown = travel.steps(state.game.story(state, index))
        for step in shown:
            if step.seat == seat:
                mine = f"seat-{seat}."
                ghosts += [Ghost(one.end, one.shape) for one in step.flights if one.end.startswith(mine)]
                marks += [mark for mark in step.marks if mark.place.startswith(mine)]
                words += [step.words] if step.words else []
    if action[0] == "take" and action[3]:
        line = f"{line_place(seat, action[3] - 1)}."
        count = int(record.line_count[seat, action[3] - 1]) + sum(ghost.place.startswith(line) for ghost in ghosts)
        said = _("line {line}: {tiles} of {spaces}", "duel")
        words.insert(0, said.format(line=action[3], tiles=count, spaces=action[3]))
    return Preview(" · ".join(words), projected, tuple(ghosts), tuple(marks))


def _plate(record: Any, square: int, rotation: int) -> Iterator[Ghost]:
    """The plate's four slots, each in its corner of the square."""
    for corner in range(ROTATIONS):
        place = f"{square_place(int(record.seat), square)}.{CORNERS[corner]}"
        name = SLOT_NAMES[slot(int(record.plate), rotation, corner)]
        yield Ghost(place, "well", "well")
        if name in COLOURS:
            yield Ghost(place, f"thin-{name}", f"thin edge-{name}")
        else:
            yield Ghost(place, "joker", "") if name == "joker" else Ghost(place, "crown", "crown")


# --- what is said of a position and of points ---


def secret(game: Game, index: int) -> str | None:
    """Which plate goes under the stack is its owner's to know."""
    return _("plate put under the stack") if notation.split(index)[0] == "under" else None


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
    return _Travel(state.game, state.record).steps(events)


def _on_pieces(record: Any, seat: int) -> list[str]:
    """The broken tiles of a seat, as they lie."""
    counts = notation.TILES.counts(record.broken[seat])
    return [tile_name(colour) for colour, count in enumerate(counts) for _k in range(count)]


class _Travel:
    """Follows the tiles from event to event."""

    def __init__(self, game: Game, record: Any) -> None:
        self.game, self.record = game, record
        self.source = 0
        self.lines = record.line_count.copy()
        self.colours = record.line_colour.copy()
        self.broken = [_on_pieces(record, seat) for seat in range(2)]

    def steps(self, events: Sequence[Event]) -> Iterator[Step]:
        taken, words, taker = list[Flight](), list[str](), None
        for event in events:
            said = self.game.say_event(event)
            if event.kind in ("take", "start tile", "line", "break", "pile") and taker in (None, event.seat):
                taker = event.seat
                taken += self._take(event)
                words += [said] if said else []
                continue
            if taken or words:
                yield Step(" · ".join(words) or None, taker, tuple(taken))
                taken, words = [], []
            yield from self._score(event, said)
        if taken or words:
            yield Step(" · ".join(words) or None, taker, tuple(taken))

    def _take(self, event: Event) -> Iterator[Flight]:
        match event.kind:
            case "take":
                self.source = event.source
                if event.source == 0:
                    for colour in _left_on_sun(self.record, 0, event.colour):
                        for _k in range(int(RULES.count_of(int(self.record.sun[0]), colour))):
                            yield Flight(tile_name(colour), sun_place(0, colour), "large-factory.moon")
            case "start tile":
                yield Flight("tile-marker", "large-factory.start", f"seat-{event.seat}.start")
            case "line":
                self.colours[event.seat, event.line] = event.colour
                for _k in range(event.tiles):
                    self.lines[event.seat, event.line] += 1
                    end = f"{line_place(event.seat, event.line)}.{self.lines[event.seat, event.line]}"
                    yield Flight(tile_name(event.colour), sun_place(self.source, event.colour), end)
            case "break":
                for _k in range(event.tiles):
                    self.broken[event.seat].append(tile_name(event.colour))
                    end = f"seat-{event.seat}.broken.{len(self.broken[event.seat])}"
                    yield Flight(tile_name(event.colour), sun_place(self.source, event.colour), end)
            case "pile":
                start = sun_place(event.factory, event.colour)
                yield Flight(tile_name(event.colour), start, f"factory-{event.factory}.moon")

    def _score(self, event: Event, said: str | None) -> Iterator[Step]:
        seat = event.values.get("seat")
        match event.kind:
            case "tile":
                place = slot_place(event.seat, event.row, event.column)
                colour = int(self.colours[event.seat, event.row])
                count = max(int(self.lines[event.seat, event.row]), 1)  # chips may have stood in for the rest
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
