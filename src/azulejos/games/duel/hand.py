"""Duel at a table: the places that a hand touches, what an action would do, how tiles travel."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

from azulejos.core import hand
from azulejos.core.events import Event
from azulejos.core.game import Game
from azulejos.core.hand import Closed, Flight, Ghost, Mark, Offer, Pick, Preview, Shared, Step, Together
from azulejos.core.language import N_, _, language, say_of
from azulejos.core.state import State

from . import encoding, notation, position
from .notation import Chip, Draw, Lay, Leave, Pay, Pile, Plate, Slot, Spend, Stop, Take, Under
from .tables import (
    CHIPS,
    CHIPS_A_ROUND,
    COLOURS,
    CORNER_WORDS,
    CORNERS,
    FACTORIES,
    LARGE,
    PLATES,
    ROTATIONS,
    ROUNDS,
    SIDES,
    SIZE,
    SLOT_NAMES,
    SQUARES,
    SQUARES_ACROSS,
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
    """A slot of the dome."""
    return f"seat-{seat}.slot.{row + 1}.{column + 1}"


def square_place(seat: int, square: int) -> str:
    return f"seat-{seat}.square-{square + 1}"


def tile_name(colour: int) -> str:
    """The drawing's definition of a tile."""
    return f"tile-{COLOURS[colour]}"


# --- picking ---


_ASKS = {
    encoding.OPENING: N_("choose an opening plate"),
    encoding.PILE: N_("choose the next tile of the pile, from the bottom"),
    encoding.DRAWING: N_("draw another plate, or look at those in hand"),
    encoding.KEEP: N_("choose the plate to keep"),
    encoding.UNDER: N_("put the other plates under the stack, one by one"),
    encoding.LAY: N_("choose a square for the plate"),
    encoding.COMPLETING: N_("line {line}: complete it with chips, or leave it"),
    encoding.PAY: N_("choose a chip to spend"),
    encoding.SLOT: N_("choose a slot for the tile of line {line}"),
}


def ask(state: State) -> str:
    fields = state.fields
    return _(_ASKS.get(fields.phase, N_("take tiles, a plate or a chip"))).format(line=fields.row + 1)


def say_move(state: State, index: int) -> str:
    match notation.split(index):
        case Take(source, colour, line):
            fields = state.fields
            tiles = RULES.tiles_on_moons(fields) if source == encoding.MOONS else fields.sun[source]
            said = _("{n} {colour} from {source} to {target}")
            return said.format(
                n=int(RULES.count_of(tiles, colour)),
                colour=notation.say_colour(colour),
                source=notation.say_source(source),
                target=_("line {line}", "duel").format(line=line) if line else _("the broken tiles"),
            )
        case _:
            return notation.say_action(state.game, index)


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


_known_picks = defaultdict[str, dict[Any, Shared[tuple[Pick, ...]]]](dict)  # by language and all that they show
_known_previews = defaultdict[str, dict[Any, Shared[Preview]]](dict)  # the same, without the projected scores


def options(state: State) -> list[Offer]:
    known_picks, known_previews = _known_picks[language()], _known_previews[language()]
    return [
        (
            hand.share(known_picks, _shown(state, index), partial(picks, state, index)),
            hand.share(known_previews, shown, partial(preview, state, index, 0))
            if (shown := _previewed(state, index))
            else Shared(preview(state, index, 0)),
        )
        for index in state.actions.indices
    ]


def _shown(state: State, index: int) -> tuple[int, ...]:
    """All that an action's picks show."""
    fields = state.fields
    match notation.split(index):
        case Take(source, _colour, _line):
            return index, fields.seat, fields.sun[source] if source != encoding.MOONS else 0
        case Pile():
            return index, fields.seat, fields.factory
        case _:
            return index, fields.seat


def _previewed(state: State, index: int) -> tuple[int, ...]:
    """All that an action's preview shows; nothing where that is much."""
    fields = state.fields
    seat = fields.seat
    match notation.split(index):
        case Take(source, colour, line):
            moons = source == encoding.MOONS
            tiles = notation.TILES.counts(RULES.tiles_on_moons(fields) if moons else fields.sun[source])
            starts = source == LARGE and sum(tiles) == tiles[colour]
            if moons:
                starts = fields.holder == encoding.NOBODY and RULES.count_of(fields.moon, colour) > 0
            if fields.left == tiles[colour]:
                return ()  # the phase may end
            held = fields.line_count[seat][line - 1] if line else 0
            return index, seat, tiles[colour], held, fields.broken_count[seat], starts
        case Lay():
            return index, seat, fields.plate
        case Slot():
            return ()
        case _:
            return index, seat


def together(state: State) -> Iterator[Together]:
    """The chips that complete a line: every choice of them."""
    fields = state.fields
    if fields.phase not in (encoding.COMPLETING, encoding.PAY):
        return
    seat, row = fields.seat, fields.row
    ways: list[tuple[State, tuple[int, ...]]] = [(state, ())]
    while ways:
        before, actions = ways.pop()
        for action in before.actions:
            if isinstance(notation.split(int(action)), Leave):
                continue
            after, played = before.play(action), (*actions, int(action))
            if (after.fields.phase, after.fields.seat, after.fields.row) == (encoding.PAY, seat, row):
                ways.append((after, played))
                continue
            chips = _chips_of(fields, seat) - _chips_of(after.fields, seat)
            said = {kind: notation.say_chip(kind) for kind in chips}
            places = [Pick(f"seat-{seat}.chip-{CHIPS[kind]}", said[kind]) for kind in chips.elements()]
            words = say_of(_("chips"), ", ".join(said[kind] for kind in chips.elements()))
            yield Together(played, tuple(places), words, after.projected[seat])


def _chips_of(fields: Any, seat: int) -> Counter[int]:
    """The chips of a seat: how many of each kind."""
    held = int(fields.chips[seat])
    return Counter({kind: int(RULES.chips_of(held, kind)) for kind in range(len(CHIPS))})


def _left_on_sun(fields: Any, source: int, colour: int) -> list[int]:
    if source == encoding.MOONS:
        return []
    return [k for k in range(len(COLOURS)) if k != colour and RULES.count_of(fields.sun[source], k)]


def closed(state: State) -> Iterator[Closed]:
    """What a hand might try: lines that do not take a group of tiles, and what cannot be taken or laid at all."""
    fields = state.fields
    match fields.phase:
        case encoding.ACT:
            yield from _closed_lines(state)
            yield from _closed_chips(fields)
            yield from _closed_plates(fields)
        case encoding.LAY:
            for square in range(SQUARES):
                if position.plate_on(fields, fields.seat, square) is not None:
                    why = _("square {number} has a plate already").format(number=square + 1)
                    yield Closed("", square_place(fields.seat, square), why)
        case encoding.SLOT:
            yield from _closed_slots(state)


def _closed_chips(fields: Any) -> Iterator[Closed]:
    for factory in range(1, FACTORIES):
        chip = fields.chip[factory]
        if chip == encoding.FACE_DOWN:
            why = _("this chip is face down while tiles lie on its factory")
        elif chip != encoding.NO_CHIP and fields.chips_taken[fields.seat] >= CHIPS_A_ROUND:
            why = _("only {n} chips can be taken in a round").format(n=CHIPS_A_ROUND)
        else:
            continue
        yield Closed("", f"factory-{factory}.chip", why)


def _closed_plates(fields: Any) -> Iterator[Closed]:
    """Open plates and the stack, for a seat without a token or a point."""
    if fields.tokens[fields.seat]:
        if not fields.stack_count:
            yield Closed("", "stack", _("the stack is empty"))
        elif not fields.score[fields.seat] and fields.display:
            yield Closed("", "stack", _("a draw from the stack costs a point"))
        return
    last = fields.round_no == ROUNDS
    why = _("no plates are taken in the last round") if last else _("no token is left for a plate in this round")
    yield Closed("", "stack", why)
    for plate in notation.plates_in(fields.display):
        yield Closed("", f"plate-{PLATES[plate]}", why)


def _closed_slots(state: State) -> Iterator[Closed]:
    """Slots that do not take the tile of the line that is being laid."""
    fields = state.fields
    seat, row = fields.seat, fields.row
    found = [notation.split(int(action)) for action in state.actions]
    free = {parts.column for parts in found if isinstance(parts, Slot)}
    colour = notation.say_colour(int(fields.line_colour[seat, row]))
    for other, column in product(range(SIZE), range(SIZE)):
        if position.plate_on(fields, seat, other // 2 * SQUARES_ACROSS + column // 2) is None:
            continue
        if other != row:
            why = _("line {line} goes to row {line} of the dome").format(line=row + 1)
            yield Closed("", slot_place(seat, other, column), why)
        elif column not in free:
            yield Closed("", slot_place(seat, row, column), _("no {colour} tile fits here").format(colour=colour))


def _closed_lines(state: State) -> Iterator[Closed]:
    """For each group of tiles the lines that do not take it."""
    fields = state.fields
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
                held = notation.say_colour(fields.line_colour[seat, line - 1])
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


_GAINS = {
    "tile": N_("tiles on the dome"),
    "special": N_("special tiles"),
    "bonus": N_("scoring tablets"),
    "floor": N_("never below 0"),
}
_LOSSES = {
    "blind": N_("plates from the stack"),
    "penalty": N_("broken tiles"),
    "start tile penalty": N_("start tile"),
}


def points_of(event: Event) -> tuple[str, int, int] | None:
    return hand.points_of(event, _GAINS, _LOSSES)


# --- what is shown when it has happened ---


def steps(state: State, events: Sequence[Event]) -> Iterator[Step]:
    travel = _Travel(state.fields)
    return hand.steps_of(state.game, events, travel.take, travel.show)


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
        self.broken = [_on_pieces(fields, seat) for seat in range(len(fields.broken))]

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
