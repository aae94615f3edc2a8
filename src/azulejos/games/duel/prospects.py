"""What a position of Duel promises besides its points: tablets, plates, chips, lines begun, the start; and what an
action does at once."""

from collections.abc import Iterator
from typing import Any

from azulejos.core.hand import Prospect
from azulejos.core.language import _, ngettext
from azulejos.core.state import State

from ..lines import completed_by, for_the_opponent, line_prospects, say_line, say_points
from .notation import RULES, Chip, Lay, Plate, Take, say_colour, say_side, split
from .tables import (
    NUM_COLOURS,
    NUM_SIDES,
    PENALTIES,
    PLATES_OF_A_KIND,
    SIDES,
    SIZE,
    SMALL_FACTORIES,
    SPECIAL_POINTS,
    START_TILE_PENALTY,
)

_PLATE, _CHIP, _LINE, _START = 3.0, 1.0, 2.0, 1.5  # what each is worth, in points


def prospects(state: State, seat: int) -> Iterator[Prospect]:
    fields = state.fields
    for side in range(NUM_SIDES):
        if fields.tablets >> side & 1:
            points = int(RULES.tablet_points(fields, seat, side))
            amount = f"{points:+d}".replace("-", "−")
            said = _("{side}: {points}").format(side=say_side(SIDES[side]), points=amount)
            yield Prospect(f"side {side}", said, points, amount)
    laid = fields.laid[seat]
    said = ngettext("{n} plate laid", "{n} plates laid", laid).format(n=laid)
    yield Prospect("plates", said, _PLATE * laid, str(laid))
    chips = int(RULES.chips_in(fields.chips[seat]))
    said = ngettext("{n} chip", "{n} chips", chips).format(n=chips)
    yield Prospect("chips", said, _CHIP * chips, str(chips))
    yield from line_prospects(fields, seat, SIZE, _LINE, "duel")
    if not state.over and fields.start == seat:
        yield Prospect("start", _("the start of the next round"), _START)


def effects(state: State, index: int) -> Iterator[Prospect]:
    seat, after = state.fields.seat, state.play(index)
    match split(index):
        case Take(_, colour, line):
            yield from _taken(state, index, colour, line)
            if after.seat is not None and after.seat != seat and after.round == state.round:
                before, then = (completed_by(one, after.seat, SIZE, _most(one)) for one in (state.fields, after.fields))
                yield from for_the_opponent(before, then, state.game.players, _LINE, "duel")
        case Lay(square, rotation):
            yield from _slots(state, after, seat)
            yield from _special(state, square, rotation)
        case Plate():
            for row in sorted({row for lay in after.actions for row in _new_slots(state, after.play(lay), seat)}):
                said = _("fits line {line}", "duel").format(line=row + 1)
                yield Prospect(f"fits {row}", said, _LINE)
        case Chip():
            chips = int(RULES.chips_in(after.fields.chips[seat]))
            yield Prospect("count", ngettext("{n} chip", "{n} chips", chips).format(n=chips), _CHIP)
            for row in sorted(_paid_for(after.fields, seat) - _paid_for(state.fields, seat)):
                said = _("chips enough to complete line {line}", "duel").format(line=row + 1)
                yield Prospect(f"chips {row}", said, _PLATE)
        case _:
            for event in state.game.story(state, index):
                if event.kind in ("tile", "special") and event.seat == seat:
                    yield Prospect(event.kind, state.game.say_event(event) or "", event.points)


def _taken(state: State, index: int, colour: int, line: int) -> Iterator[Prospect]:
    """Tiles in a line, and whether they can go to the dome; what breaks; the start tile."""
    fields, row = state.fields, line - 1
    seat = fields.seat
    broken, held = fields.broken_count[seat], 0
    for event in state.game.story(state, index)[1:4]:  # what follows is the end of the round
        match event.kind:
            case "start tile":
                said = say_points(_("start tile taken"), -START_TILE_PENALTY)
                yield Prospect("start", said, START_TILE_PENALTY)
            case "line":
                held = fields.line_count[seat, row] + event.tiles
            case "break":
                said = ngettext("{n} {colour} tile broken", "{n} {colour} tiles broken", event.tiles)
                cost = _cost(broken, event.tiles)
                broken += event.tiles
                said = said.format(n=event.tiles, colour=say_colour(colour))
                yield Prospect("broken", say_points(said, -cost), -cost)
                break
    if not line:
        return
    slots = int(RULES.free_slots(fields, seat, fields.dome[seat], row, colour))
    if slots and held == line:
        points = _points(fields, seat, row, slots)
        said = _("completes line {line}", "duel").format(line=line)
        yield Prospect("line", say_points(said, points), _LINE + points)
    if held < line:
        yield Prospect("line", say_line(row, held, "duel"), _LINE * held / line)
    if not slots and RULES.three_plates(fields, seat, row):
        cost = _cost(broken, held) - _cost(broken, fields.line_count[seat, row])
        said = _("line {line} has no slot for {colour} and will break", "duel")
        yield Prospect("slot", say_points(said.format(line=line, colour=say_colour(colour)), -cost), -cost - _LINE)
    elif not slots:
        said = _("line {line} has no slot for {colour} yet", "duel")
        yield Prospect("slot", said.format(line=line, colour=say_colour(colour)), -_LINE)


def _cost(broken: int, more: int) -> int:
    """What more broken tiles cost."""
    last = len(PENALTIES) - 1
    return int(PENALTIES[min(broken + more, last)] - PENALTIES[min(broken, last)])


def _points(fields: Any, seat: int, row: int, slots: int) -> int:
    """The most points of a tile in one of a row's slots, with the special tile that it calls for."""
    best = 0
    for column in range(SIZE):
        if slots >> column & 1:
            dome = int(fields.dome[seat]) | 1 << SIZE * row + column
            special = int(RULES.special_space(fields, seat, dome, RULES.square_of(row, column)))
            called = int(SPECIAL_POINTS[special // SIZE]) if special >= 0 else 0
            best = max(best, int(RULES.points_at(dome, row, column)) + called)
    return best


def _new_slots(state: State, after: State, seat: int) -> Iterator[int]:
    """The lines, by row, that have tiles and found no slot before."""
    for row in range(SIZE):
        colour = state.fields.line_colour[seat, row]
        if state.fields.line_count[seat, row] and after.seat is not None:
            before, then = (
                RULES.free_slots(one, seat, one.dome[seat], row, colour) for one in (state.fields, after.fields)
            )
            if then and not before:
                yield row


def _slots(state: State, after: State, seat: int) -> Iterator[Prospect]:
    for row in _new_slots(state, after, seat):
        yield Prospect(f"slot {row}", _("a slot for line {line}", "duel").format(line=row + 1), _LINE + row / 2)


def _special(state: State, square: int, rotation: int) -> Iterator[Prospect]:
    """The row in which the plate's special or joker slot lies."""
    row = square // 3 * 2 + (rotation >= 2)
    if state.fields.plate < PLATES_OF_A_KIND:
        said = _("special slot in row {row}").format(row=row + 1)
        yield Prospect("special", say_points(said, int(SPECIAL_POINTS[row])), float(SPECIAL_POINTS[row]) / 2)
    else:
        yield Prospect("joker", _("joker slot in row {row}").format(row=row + 1), 1.0)


def _paid_for(fields: Any, seat: int) -> set[int]:
    """The lines, by row, that the seat's chips complete."""
    found = set()
    for row in range(SIZE):
        count, colour = fields.line_count[seat, row], fields.line_colour[seat, row]
        if 0 < count <= row and RULES.free_slots(fields, seat, fields.dome[seat], row, colour):
            if RULES.can_pay(fields.chips[seat], colour, row + 1 - count):
                found.add(row)
    return found


def _most(fields: Any) -> list[int]:
    """The largest take of each colour."""
    return [
        max(
            int(RULES.count_on_moons(fields, colour)),
            *(int(RULES.count_of(fields.sun[k], colour)) for k in range(1 + SMALL_FACTORIES)),
        )
        for colour in range(NUM_COLOURS)
    ]
