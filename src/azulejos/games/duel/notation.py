"""Azul Duel as text: actions, draws and events. Positions are in `position.py`; `docs/games/duel.md` has the forms."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from azulejos.core.compiling import plain
from azulejos.core.events import Event
from azulejos.core.game import Game
from azulejos.core.language import N_, _, ngettext, say_of
from azulejos.core.state import State
from azulejos.core.text import Reader, Tally

from . import encoding, kernels
from .encoding import COUNT_BITS
from .tables import (
    CHIPS,
    CHIPS_A_ROUND,
    COLOURS,
    CORNER_WORDS,
    CORNERS,
    KIND_LETTERS,
    LETTERS,
    MATCHING_PRICE,
    MOST_CHIPS,
    NUM_COLOURS,
    NUM_PLATES,
    PLATES,
    PLATES_OF_A_KIND,
    ROTATIONS,
    SIDE_WORDS,
    SIDES,
    SIZE,
    SMALL_FACTORIES,
    SQUARES,
    TILES_OF_A_COLOUR,
    TILES_OF_LARGE,
    TILES_OF_SMALL,
)

RULES = plain(kernels)

SOURCE_LETTERS = "L1234M"  # the suns of the large and the small factories, and all moons

TILES = Tally(LETTERS, COUNT_BITS, TILES_OF_A_COLOUR)
COLOUR = TILES.colour
PLATE = {name: plate for plate, name in enumerate(PLATES)}
CHIP = {name: kind for kind, name in enumerate(CHIPS)}
CORNER = {name: corner for corner, name in enumerate(CORNERS)}


HELP = "\n".join(
    (
        N_("Source, colour, line: 3B2 takes blue from the sun of factory 3 to line 2."),
        N_("L is the large factory, M all moons, - the broken tiles (MR-)."),
        N_("Colours: B blue, Y yellow, R red, K black, T turquoise."),
        N_("chip-3 takes the chip of factory 3."),
        N_("plate-sTYK takes a plate: s special, j joker; colours clockwise from that slot."),
        N_("draw draws one from the stack, stop looks at those drawn, under-sTYK puts one back."),
        N_("lay-5ne lays the plate on square 5 with its slot at the upper right (nw, ne, se, sw)."),
        N_("pile-R puts red next on the pile, from the bottom. 2@4 puts the tile of line 2 into column 4."),
        N_("leave leaves a line; spend-3 completes it with three chips; pay-BR spends a blue-red chip."),
    )
)

# --- actions ---


class Take(NamedTuple):
    source: int
    colour: int
    line: int  # 0: the broken tiles' space


class Chip(NamedTuple):
    factory: int


class Plate(NamedTuple):
    plate: int


class Draw(NamedTuple):
    pass


class Stop(NamedTuple):
    pass


class Under(NamedTuple):
    plate: int


class Lay(NamedTuple):
    square: int
    rotation: int


class Pile(NamedTuple):
    colour: int


class Slot(NamedTuple):
    row: int
    column: int


class Leave(NamedTuple):
    pass


class Spend(NamedTuple):
    chips: int


class Pay(NamedTuple):
    kind: int


Parts = Take | Chip | Plate | Draw | Stop | Under | Lay | Pile | Slot | Leave | Spend | Pay


@cache
def split(index: int) -> Parts:
    """An action's parts."""
    if index < encoding.CHIP_ACTIONS:
        group, line = divmod(index, encoding.LINES)
        return Take(*divmod(group, NUM_COLOURS), line)
    if index < encoding.PLATE_ACTIONS:
        return Chip(index - encoding.CHIP_ACTIONS + 1)
    if index < encoding.DRAW_ACTION:
        return Plate(index - encoding.PLATE_ACTIONS)
    if index < encoding.UNDER_ACTIONS:
        return Draw() if index == encoding.DRAW_ACTION else Stop()
    if index < encoding.LAY_ACTIONS:
        return Under(index - encoding.UNDER_ACTIONS)
    if index < encoding.PILE_ACTIONS:
        return Lay(*divmod(index - encoding.LAY_ACTIONS, ROTATIONS))
    if index < encoding.SLOT_ACTIONS:
        return Pile(index - encoding.PILE_ACTIONS)
    if index < encoding.LEAVE_ACTION:
        return Slot(*divmod(index - encoding.SLOT_ACTIONS, SIZE))
    if index == encoding.LEAVE_ACTION:
        return Leave()
    if index < encoding.PAY_ACTIONS:
        return Spend(index - encoding.SPEND_ACTIONS + MATCHING_PRICE)
    return Pay(index - encoding.PAY_ACTIONS)


def join(parts: Parts) -> int:
    """The inverse of `split`."""
    match parts:
        case Take(source, colour, line):
            return (source * NUM_COLOURS + colour) * encoding.LINES + line
        case Chip(factory):
            return encoding.CHIP_ACTIONS + factory - 1
        case Plate(plate):
            return encoding.PLATE_ACTIONS + plate
        case Draw():
            return encoding.DRAW_ACTION
        case Stop():
            return encoding.STOP_ACTION
        case Under(plate):
            return encoding.UNDER_ACTIONS + plate
        case Lay(square, rotation):
            return encoding.LAY_ACTIONS + square * ROTATIONS + rotation
        case Pile(colour):
            return encoding.PILE_ACTIONS + colour
        case Slot(row, column):
            return encoding.SLOT_ACTIONS + row * SIZE + column
        case Leave():
            return encoding.LEAVE_ACTION
        case Spend(count):
            return encoding.SPEND_ACTIONS + count - MATCHING_PRICE
        case Pay(kind):
            return encoding.PAY_ACTIONS + kind


def print_action(game: Game, index: int) -> str:
    parts = split(index)
    word = type(parts).__name__.lower()
    match parts:
        case Take(source, colour, line):
            return f"{SOURCE_LETTERS[source]}{LETTERS[colour]}{line or '-'}"
        case Plate(plate) | Under(plate):
            return f"{word}-{PLATES[plate]}"
        case Lay(square, rotation):
            return f"{word}-{square + 1}{CORNERS[rotation]}"
        case Pile(colour):
            return f"{word}-{LETTERS[colour]}"
        case Slot(row, column):
            return f"{row + 1}@{column + 1}"
        case Pay(kind):
            return f"{word}-{CHIPS[kind]}"
        case Chip(number) | Spend(number):
            return f"{word}-{number}"
        case Draw() | Stop() | Leave():
            return word


def parse_action(game: Game, text: str) -> int:
    reader = Reader(text)
    parse = next((parse for word, parse in _WORDS.items() if reader.accept(word)), None)
    if parse is None:
        parse = _parse_slot if text[1:2] == "@" else _parse_take
    parts = parse(reader)
    reader.end()
    return join(parts)


def _parse_take(reader: Reader) -> Take:
    sources = {letter: source for source, letter in enumerate(SOURCE_LETTERS)}
    lines = {"-": encoding.BROKEN} | {str(line): line for line in range(1, SIZE + 1)}
    source = reader.one_of(sources, "a source or a word such as 'plate-'")
    return Take(source, reader.one_of(COLOUR, "a colour"), reader.one_of(lines, "a line or '-'"))


def _parse_slot(reader: Reader) -> Slot:
    row = reader.number("a line", 1, SIZE) - 1
    reader.expect("@")
    return Slot(row, reader.number("a column", 1, SIZE) - 1)


_WORDS: dict[str, Callable[[Reader], Parts]] = {
    "chip-": lambda reader: Chip(reader.number("a factory", 1, SMALL_FACTORIES)),
    "plate-": lambda reader: Plate(reader.one_of(PLATE, "a plate")),
    "draw": lambda reader: Draw(),
    "stop": lambda reader: Stop(),
    "under-": lambda reader: Under(reader.one_of(PLATE, "a plate")),
    "lay-": lambda reader: Lay(
        reader.number("a square", 1, SQUARES) - 1, reader.one_of(CORNER, "the corner of its slot")
    ),
    "pile-": lambda reader: Pile(reader.one_of(COLOUR, "a colour")),
    "leave": lambda reader: Leave(),
    "spend-": lambda reader: Spend(reader.number("a number of chips", MATCHING_PRICE, MOST_CHIPS)),
    "pay-": lambda reader: Pay(reader.one_of(CHIP, "a chip")),
}


def path(game: Game, index: int) -> tuple[str, ...]:
    match split(index):
        case Take(source, colour, line):
            places = ("large-factory", *(f"factory-{n}" for n in range(1, encoding.MOONS)), "moons")
            return places[source], COLOURS[colour], f"line-{line}" if line else "broken"
        case Chip(factory):
            return f"factory-{factory}", "chip"
        case Plate(plate):
            return (f"plate-{PLATES[plate]}",)
        case Draw():
            return ("stack",)
        case Stop():
            return ("hand",)
        case Under(plate):
            return f"plate-{PLATES[plate]}", "stack"
        case Lay(square, rotation):
            return f"square-{square + 1}", CORNERS[rotation]
        case Pile(colour):
            return COLOURS[colour], "pile"
        case Slot(row, column):
            return f"line-{row + 1}", f"column-{column + 1}"
        case Leave():
            return ("leave",)
        case Spend(count):
            return ("chips", str(count))
        case Pay(kind):
            return (f"chip-{CHIPS[kind]}",)


# --- words ---


def say_colour(colour: int) -> str:
    return _(COLOURS[colour], "duel")


def say_source(source: int) -> str:
    if source == encoding.MOONS:
        return _("the moons")
    return _("the sun of factory {number}").format(number=source) if source else _("the sun of the large factory")


def say_plate(plate: int) -> str:
    """Kind and colours, clockwise from the slot."""
    colours = ", ".join(say_colour(COLOUR[letter]) for letter in PLATES[plate][1:])
    kind = _("special plate") if plate < PLATES_OF_A_KIND else _("joker plate")
    return f"{kind} ({colours})"


def say_side(side: str) -> str:
    """What a side of a tablet counts."""
    return _(SIDE_WORDS[side], "duel")


def say_chip(kind: int) -> str:
    return "–".join(say_colour(COLOUR[letter]) for letter in CHIPS[kind])


def say_action(game: Game, index: int) -> str:
    match split(index):
        case Take(source, colour, line):
            target = _("line {line}", "duel").format(line=line) if line else _("the broken tiles")
            said = _("{colour} from {source} to {target}")
            return said.format(colour=say_colour(colour), source=say_source(source), target=target)
        case Chip(factory):
            return _("take the chip of factory {number}").format(number=factory)
        case Plate(plate):
            return _("take the {plate}").format(plate=say_plate(plate))
        case Draw():
            return _("pay a point and draw a plate from the stack, unseen")
        case Stop():
            return _("stop drawing and look at the plates")
        case Under(plate):
            return _("put the {plate} under the stack, lowest so far").format(plate=say_plate(plate))
        case Lay(square, rotation):
            said = _("lay the plate on square {square}, its slot {corner}")
            return said.format(square=square + 1, corner=_(CORNER_WORDS[rotation]))
        case Pile(colour):
            return _("{colour} next on the pile, from the bottom").format(colour=say_colour(colour))
        case Slot(row, column):
            return _("tile of line {line} to column {column}", "duel").format(line=row + 1, column=column + 1)
        case Leave():
            return _("leave the line as it is")
        case Spend(count):
            said = ngettext("complete the line with {n} chip", "complete the line with {n} chips", count)
            return said.format(n=count)
        case Pay(kind):
            return _("spend a {chip} chip").format(chip=say_chip(kind))


def say_event(game: Game, event: Event) -> str | None:
    """Scores, losses and what comes to light in words; what the action itself says is not said again.

    What only one seat has seen is not said: the fronts of plates that go back under the stack.
    """
    match event.kind:
        case "tablet":
            return _("tablet: {side}").format(side=say_side(SIDES[event.side]))
        case "again":
            return _("all five are {colour}: put back and drawn again").format(colour=say_colour(event.colour))
        case "pour":
            return _("the tower is poured into the bag")
        case "reveal":
            said = _("factory {number} is empty: its chip is {chip}")
            return said.format(number=event.factory, chip=say_chip(event.chip))
        case "blind" if event.points:
            return _("plate from the stack: −{points}").format(points=event.points)
        case "blind":
            return _("plate from the stack for nothing: no plate is open, and no point is left")
        case "keep":
            return _("plate kept: {plate}").format(plate=say_plate(event.plate))
        case "start tile":
            return _("start tile taken")
        case "break":
            said = ngettext("{n} {colour} tile broken", "{n} {colour} tiles broken", event.tiles)
            return said.format(n=event.tiles, colour=say_colour(event.colour))
        case "tower" if event.broken:
            said = ngettext(
                "{n} more {colour} tile into the tower, at no cost",
                "{n} more {colour} tiles into the tower, at no cost",
                event.tiles,
            )
            return said.format(n=event.tiles, colour=say_colour(event.colour))
        case "spend":
            return _("chip spent: {chip}").format(chip=say_chip(event.chip))
        case "pass":
            return _("no action possible: passed")
        case "tile":
            said = _("row {row}, column {column}: +{points}", "duel")
            return said.format(row=event.row + 1, column=event.column + 1, points=event.points)
        case "special":
            said = _("special tile in row {row}, column {column}: +{points}")
            return said.format(row=event.row + 1, column=event.column + 1, points=event.points)
        case "unplaceable":
            return _("line {line} has lost its last slot and breaks").format(line=event.line + 1)
        case "penalty":
            return _("broken tiles: −{cost}").format(cost=event.cost) + _say_paid(event)
        case "start tile penalty":
            return _("start tile: −{cost}").format(cost=event.cost) + _say_paid(event)
        case "bonus":
            sign = "−" if event.points < 0 else "+"
            return say_of(say_side(SIDES[event.side]), f"{sign}{abs(event.points)}")
        case "floor":
            return _("a score is never below 0: +{points}").format(points=event.points)
        case _:
            return None


def _say_paid(event: Event) -> str:
    paid = ngettext(", of which {n} is paid", ", of which {n} are paid", event.points).format(n=event.points)
    return paid if event.points < event.cost else ""


# --- why not ---

_WAITING = {
    encoding.OPENING: "takes one of the open plates as opening plate",
    encoding.PILE: "chooses the next tile of the pile from the bottom",
    encoding.DRAWING: "draws another plate or stops",
    encoding.KEEP: "keeps one of the plates drawn",
    encoding.UNDER: "puts the other plates under the stack, one by one",
    encoding.LAY: "lays the plate",
    encoding.COMPLETING: "completes the line with chips or leaves it",
    encoding.PAY: "spends chips, in the order " + " ".join(CHIPS),
    encoding.SLOT: "chooses a slot for the line's tile",
}
_PHASES_OF = {
    Take: (encoding.ACT,),
    Chip: (encoding.ACT,),
    Plate: (encoding.ACT, encoding.OPENING, encoding.KEEP),
    Draw: (encoding.ACT, encoding.DRAWING),
    Stop: (encoding.DRAWING,),
    Under: (encoding.UNDER,),
    Lay: (encoding.LAY,),
    Pile: (encoding.PILE,),
    Slot: (encoding.SLOT,),
    Leave: (encoding.COMPLETING,),
    Spend: (encoding.COMPLETING,),
    Pay: (encoding.PAY,),
}


def explain(state: State, index: int) -> str:
    """Why a well-formed action is not legal."""
    fields = state.fields
    seat, phase = fields.seat, fields.phase
    parts = split(index)
    if phase not in _PHASES_OF[type(parts)]:
        return f"seat {seat} {_WAITING.get(phase, 'takes a plate, tiles or a chip')} now"
    match parts:
        case Take(source, colour, line):
            return _explain_take(fields, seat, source, colour, line)
        case Chip(factory):
            if fields.chip[factory] == encoding.NO_CHIP:
                return f"the chip of factory {factory} has been taken"
            if fields.chip[factory] == encoding.FACE_DOWN:
                return f"the chip of factory {factory} is face down while tiles lie on the factory"
            return f"seat {seat} has taken {CHIPS_A_ROUND} chips in this round already"
        case Plate() | Draw() if phase == encoding.ACT and not fields.tokens[seat]:
            return f"seat {seat} has no token left" + (" in the last round" if fields.round_no == 5 else "")
        case Plate(plate):
            place = "hand" if phase == encoding.KEEP else "display"
            plates = fields.hand if phase == encoding.KEEP else fields.display
            return f"{PLATES[plate]} is not among the plates of the {place}: {print_plates(plates)}"
        case Draw():
            return "the stack is empty" if not fields.stack_count else "a draw from the stack needs a point"
        case Under(plate):
            return f"{PLATES[plate]} is not among the plates to be put back: {print_plates(fields.hand)}"
        case Lay(square, _corner):
            return f"square {square + 1} has a plate already"
        case Pile(colour):
            left = TILES.print_tiles(fields.sun[fields.factory])
            return f"no {COLOURS[colour]} tile is left for the pile; there is {left}"
        case Slot(row, column):
            if row != fields.row:
                return f"seat {seat} chooses a slot for line {fields.row + 1} now"
            return f"column {column + 1} of row {row + 1} has no free slot for {COLOURS[fields.line_colour[seat, row]]}"
        case Spend(count):
            return (
                f"line {fields.row + 1} cannot be completed with {count} chips of {print_chips(fields.chips[seat])}: "
                "each missing tile costs two that show its colour, or any three"
            )
        case _:
            kinds = RULES.kinds_to_spend(fields)
            return "the payment must come out; it can go on with " + " ".join(
                name for kind, name in enumerate(CHIPS) if kinds >> kind & 1
            )


def _explain_take(fields: Any, seat: int, source: int, colour: int, line: int) -> str:
    tiles = RULES.tiles_on_moons(fields) if source == encoding.MOONS else fields.sun[source]
    if not RULES.count_of(tiles, colour):
        place = "the moons have" if source == encoding.MOONS else f"{say_source(source)} has"
        return f"{place} no {COLOURS[colour]} tile to be taken; there is {TILES.print_tiles(tiles)}"
    row = line - 1
    where = f"line {line} of seat {seat}"
    if fields.line_count[seat, row] == line:
        return f"{where} is full"
    return f"{where} holds {COLOURS[fields.line_colour[seat, row]]}, which does not mix"


# --- draws ---

_DRAWS = (
    {side: encoding.SIDE_DRAWS + number for number, side in enumerate(SIDES)}
    | {f"top-{letter}": encoding.KIND_DRAWS + kind for kind, letter in enumerate(KIND_LETTERS)}
    | {name: encoding.PLATE_DRAWS + plate for name, plate in PLATE.items()}
    | {f"chip-{name}": encoding.CHIP_DRAWS + kind for name, kind in CHIP.items()}
)
_DRAW_WORDS = {drawn: word for word, drawn in _DRAWS.items()} | dict(enumerate(LETTERS))


def print_draws(game: Game, outcomes: Sequence[int]) -> str:
    """Words; tiles in groups as the factories take them: five, again if they are of one colour, then fours."""
    words, space = list[str](), 0
    for drawn in outcomes:
        if drawn >= NUM_COLOURS:
            words.append(_DRAW_WORDS[drawn])
            space = 0
            continue
        if space == 0:
            follows = words and words[-1][0] in LETTERS
            again = follows and len(words[-1]) == TILES_OF_LARGE and len(set(words[-1])) == 1
            space = TILES_OF_SMALL if follows and not again else TILES_OF_LARGE
            words.append("")
        words[-1] += LETTERS[drawn]
        space -= 1
    return " ".join(words)


def parse_draws(game: Game, text: str) -> tuple[int, ...]:
    reader, outcomes = Reader(text), list[int]()
    while not reader.at_end():
        if outcomes:
            reader.expect(" ", "a space")
        if reader.text[reader.at : reader.at + 1] in COLOUR:
            while not reader.at_end() and reader.text[reader.at] != " ":
                outcomes.append(reader.one_of(COLOUR, "a colour"))
        else:
            outcomes.append(reader.one_of(_DRAWS, "tiles, a plate, a kind, a chip or a tablet"))
    wanted = print_draws(game, outcomes)
    if wanted != text:
        place = next((k for k, (a, b) in enumerate(zip(wanted, text, strict=False)) if a != b), len(wanted))
        reader.fail("tiles are written as factories take them: five, again if of one colour, then four by four", place)
    return tuple(outcomes)


def explain_draw(state: State, drawn: int) -> str:
    fields, word = state.fields, _DRAW_WORDS.get(drawn, str(drawn))
    match fields.due:
        case encoding.DUE_TILE if drawn < NUM_COLOURS:
            return f"the bag has no {COLOURS[drawn]} tile left; it holds {TILES.print_tiles(fields.bag)}"
        case encoding.DUE_TILE:
            return f"a tile is to be drawn, not {word}"
        case encoding.DUE_CHIP:
            return f"a chip is to be turned up, one of {print_chips(fields.supply)}, not {word}"
        case encoding.DUE_KIND:
            return f"the kind of the stack's top is to be seen (top-s or top-j, of what is left), not {word}"
        case encoding.DUE_SIDE:
            return f"a side of a tablet that is not in play yet is to be drawn, not {word}"
        case _:
            left = print_plates(RULES.plates_that_it_may_be(fields))
            return f"a plate is to be turned up, one of {left}, not {word}"


# --- pieces ---


def pile_tiles(pile: int) -> list[int]:
    """The colours of a pile, from the bottom."""
    tiles = list[int]()
    while pile:
        tiles.insert(0, int(pile & 7) - 1)
        pile >>= 3
    return tiles


def plates_in(plates: int) -> list[int]:
    return [plate for plate in range(NUM_PLATES) if plates >> plate & 1]


def print_plates(plates: int) -> str:
    return " ".join(PLATES[plate] for plate in plates_in(plates)) or "-"


def print_chips(chips: int) -> str:
    counts = [(name, RULES.chips_of(chips, kind)) for kind, name in enumerate(CHIPS)]
    return "".join(f"{name}{count}" for name, count in counts if count) or "-"


def sides_in(tablets: int) -> tuple[str, ...]:
    return tuple(side for number, side in enumerate(SIDES) if tablets >> number & 1)
