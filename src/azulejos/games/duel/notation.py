"""Azul Duel as text: actions, draws and events. Positions are in `position.py`; `docs/games/duel.md` has the forms."""

from collections.abc import Callable, Sequence
from typing import Any

from azulejos.core.compiling import plain
from azulejos.core.events import Event
from azulejos.core.game import Game
from azulejos.core.language import N_, _, ngettext, say_of
from azulejos.core.state import State
from azulejos.core.text import Reader, Tally

from . import kernels
from .kernels import record as K
from .lookups import COUNT_BITS, LINES
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


def split(index: int) -> tuple[Any, ...]:
    """An action as a word and its numbers. Line 0 is the broken tiles' space."""
    if index < K.CHIP_ACTIONS:
        return "take", index // (NUM_COLOURS * LINES), index // LINES % NUM_COLOURS, index % LINES
    if index < K.PLATE_ACTIONS:
        return "chip", index - K.CHIP_ACTIONS + 1
    if index < K.DRAW_ACTION:
        return "plate", index - K.PLATE_ACTIONS
    if index < K.UNDER_ACTIONS:
        return ("draw" if index == K.DRAW_ACTION else "stop",)
    if index < K.LAY_ACTIONS:
        return "under", index - K.UNDER_ACTIONS
    if index < K.PILE_ACTIONS:
        return "lay", *divmod(index - K.LAY_ACTIONS, ROTATIONS)
    if index < K.SLOT_ACTIONS:
        return "pile", index - K.PILE_ACTIONS
    if index < K.LEAVE_ACTION:
        return "slot", *divmod(index - K.SLOT_ACTIONS, SIZE)
    if index == K.LEAVE_ACTION:
        return ("leave",)
    if index < K.PAY_ACTIONS:
        return "spend", index - K.SPEND_ACTIONS + MATCHING_PRICE
    return "pay", index - K.PAY_ACTIONS


def print_action(game: Game, index: int) -> str:
    match split(index):
        case "take", source, colour, line:
            return f"{SOURCE_LETTERS[source]}{LETTERS[colour]}{line or '-'}"
        case "chip", factory:
            return f"chip-{factory}"
        case "plate" | "under" as word, plate:
            return f"{word}-{PLATES[plate]}"
        case "lay", square, rotation:
            return f"lay-{square + 1}{CORNERS[rotation]}"
        case "pile", colour:
            return f"pile-{LETTERS[colour]}"
        case "slot", row, column:
            return f"{row + 1}@{column + 1}"
        case "spend", count:
            return f"spend-{count}"
        case "pay", kind:
            return f"pay-{CHIPS[kind]}"
        case (word,):
            return str(word)
    raise AssertionError


def parse_action(game: Game, text: str) -> int:
    reader = Reader(text)
    for word, parse in _WORDS.items():
        if reader.accept(word):
            index = parse(reader)
            break
    else:
        index = _parse_slot(reader) if text[1:2] == "@" else _parse_take(reader)
    reader.end()
    return index


def _parse_take(reader: Reader) -> int:
    sources = {letter: source for source, letter in enumerate(SOURCE_LETTERS)}
    source = reader.one_of(sources, "a source or a word such as 'plate-'")
    colour = reader.one_of(COLOUR, "a colour")
    line = reader.one_of({"-": K.BROKEN} | {str(n): n for n in range(1, SIZE + 1)}, "a line or '-'")
    return (source * NUM_COLOURS + colour) * LINES + line


def _parse_slot(reader: Reader) -> int:
    row = reader.number("a line", 1, SIZE) - 1
    reader.expect("@")
    return K.SLOT_ACTIONS + row * SIZE + reader.number("a column", 1, SIZE) - 1


def _parse_lay(reader: Reader) -> int:
    square = reader.number("a square", 1, SQUARES) - 1
    return K.LAY_ACTIONS + square * ROTATIONS + reader.one_of(CORNER, "the corner of its slot")


_WORDS: dict[str, Callable[[Reader], int]] = {
    "chip-": lambda reader: K.CHIP_ACTIONS + reader.number("a factory", 1, SMALL_FACTORIES) - 1,
    "plate-": lambda reader: K.PLATE_ACTIONS + reader.one_of(PLATE, "a plate"),
    "draw": lambda reader: K.DRAW_ACTION,
    "stop": lambda reader: K.STOP_ACTION,
    "under-": lambda reader: K.UNDER_ACTIONS + reader.one_of(PLATE, "a plate"),
    "lay-": _parse_lay,
    "pile-": lambda reader: K.PILE_ACTIONS + reader.one_of(COLOUR, "a colour"),
    "leave": lambda reader: K.LEAVE_ACTION,
    "spend-": lambda reader: (
        K.SPEND_ACTIONS + reader.number("a number of chips", MATCHING_PRICE, MOST_CHIPS) - MATCHING_PRICE
    ),
    "pay-": lambda reader: K.PAY_ACTIONS + reader.one_of(CHIP, "a chip"),
}


def path(game: Game, index: int) -> tuple[str, ...]:
    match split(index):
        case "take", source, colour, line:
            places = ("large-factory", *(f"factory-{n}" for n in range(1, K.MOONS)), "moons")
            return places[source], COLOURS[colour], f"line-{line}" if line else "broken"
        case "chip", factory:
            return f"factory-{factory}", "chip"
        case "plate", plate:
            return (f"plate-{PLATES[plate]}",)
        case ("draw",):
            return ("stack",)
        case ("stop",):
            return ("hand",)
        case "under", plate:
            return f"plate-{PLATES[plate]}", "stack"
        case "lay", square, rotation:
            return f"square-{square + 1}", CORNERS[rotation]
        case "pile", colour:
            return COLOURS[colour], "pile"
        case "slot", row, column:
            return f"line-{row + 1}", f"column-{column + 1}"
        case ("leave",):
            return ("leave",)
        case "spend", count:
            return ("chips", str(count))
        case "pay", kind:
            return (f"chip-{CHIPS[kind]}",)
    raise AssertionError


# --- words ---


def say_colour(colour: int) -> str:
    return _(COLOURS[colour], "duel")


def say_source(source: int) -> str:
    if source == K.MOONS:
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
        case "take", source, colour, line:
            target = _("line {line}", "duel").format(line=line) if line else _("the broken tiles")
            said = _("{colour} from {source} to {target}")
            return said.format(colour=say_colour(colour), source=say_source(source), target=target)
        case "chip", factory:
            return _("take the chip of factory {number}").format(number=factory)
        case "plate", plate:
            return _("take the {plate}").format(plate=say_plate(plate))
        case ("draw",):
            return _("pay a point and draw a plate from the stack, unseen")
        case ("stop",):
            return _("stop drawing and look at the plates")
        case "under", plate:
            return _("put the {plate} under the stack, lowest so far").format(plate=say_plate(plate))
        case "lay", square, rotation:
            said = _("lay the plate on square {square}, its slot {corner}")
            return said.format(square=square + 1, corner=_(CORNER_WORDS[rotation]))
        case "pile", colour:
            return _("{colour} next on the pile, from the bottom").format(colour=say_colour(colour))
        case "slot", row, column:
            return _("tile of line {line} to column {column}", "duel").format(line=row + 1, column=column + 1)
        case ("leave",):
            return _("leave the line as it is")
        case "spend", count:
            said = ngettext("complete the line with {n} chip", "complete the line with {n} chips", count)
            return said.format(n=count)
        case "pay", kind:
            return _("spend a {chip} chip").format(chip=say_chip(kind))
    raise AssertionError


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
    K.OPENING: "takes one of the open plates as opening plate",
    K.PILE: "chooses the next tile of the pile from the bottom",
    K.DRAWING: "draws another plate or stops",
    K.KEEP: "keeps one of the plates drawn",
    K.UNDER: "puts the other plates under the stack, one by one",
    K.LAY: "lays the plate",
    K.COMPLETING: "completes the line with chips or leaves it",
    K.PAY: "spends chips, in the order " + " ".join(CHIPS),
    K.SLOT: "chooses a slot for the line's tile",
}
_PHASES_OF = {
    "take": (K.ACT,),
    "chip": (K.ACT,),
    "plate": (K.ACT, K.OPENING, K.KEEP),
    "draw": (K.ACT, K.DRAWING),
    "stop": (K.DRAWING,),
    "under": (K.UNDER,),
    "lay": (K.LAY,),
    "pile": (K.PILE,),
    "slot": (K.SLOT,),
    "leave": (K.COMPLETING,),
    "spend": (K.COMPLETING,),
    "pay": (K.PAY,),
}


def explain(state: State, index: int) -> str:
    """Why a well-formed action is not legal."""
    record = state.fields
    seat, phase = int(record.seat), int(record.phase)
    action = split(index)
    if phase not in _PHASES_OF[action[0]]:
        return f"seat {seat} {_WAITING.get(phase, 'takes a plate, tiles or a chip')} now"
    match action:
        case "take", source, colour, line:
            return _explain_take(record, seat, source, colour, line)
        case "chip", factory:
            if record.chip[factory] == K.NO_CHIP:
                return f"the chip of factory {factory} has been taken"
            if record.chip[factory] == K.FACE_DOWN:
                return f"the chip of factory {factory} is face down while tiles lie on the factory"
            return f"seat {seat} has taken {CHIPS_A_ROUND} chips in this round already"
        case "plate" | "draw", *_rest if phase == K.ACT and not record.tokens[seat]:
            return f"seat {seat} has no token left" + (" in the last round" if record.round_no == 5 else "")
        case "plate", plate:
            place = "hand" if phase == K.KEEP else "display"
            plates = record.hand if phase == K.KEEP else record.display
            return f"{PLATES[plate]} is not among the plates of the {place}: {print_plates(plates)}"
        case ("draw",):
            return "the stack is empty" if not record.stack_count else "a draw from the stack needs a point"
        case "under", plate:
            return f"{PLATES[plate]} is not among the plates to be put back: {print_plates(record.hand)}"
        case "lay", square, _corner:
            return f"square {square + 1} has a plate already"
        case "pile", colour:
            left = TILES.print_tiles(record.sun[record.factory])
            return f"no {COLOURS[colour]} tile is left for the pile; there is {left}"
        case "slot", row, column:
            if row != record.row:
                return f"seat {seat} chooses a slot for line {record.row + 1} now"
            return f"column {column + 1} of row {row + 1} has no free slot for {COLOURS[record.line_colour[seat, row]]}"
        case "spend", count:
            return (
                f"line {record.row + 1} cannot be completed with {count} chips of {print_chips(record.chips[seat])}: "
                "each missing tile costs two that show its colour, or any three"
            )
        case _:
            kinds = int(RULES.kinds_to_spend(record))
            return "the payment must come out; it can go on with " + " ".join(
                name for kind, name in enumerate(CHIPS) if kinds >> kind & 1
            )


def _explain_take(record: Any, seat: int, source: int, colour: int, line: int) -> str:
    tiles = RULES.tiles_on_moons(record) if source == K.MOONS else record.sun[source]
    if not RULES.count_of(tiles, colour):
        place = "the moons have" if source == K.MOONS else f"{say_source(source)} has"
        return f"{place} no {COLOURS[colour]} tile to be taken; there is {TILES.print_tiles(tiles)}"
    row = line - 1
    where = f"line {line} of seat {seat}"
    if record.line_count[seat, row] == line:
        return f"{where} is full"
    return f"{where} holds {COLOURS[record.line_colour[seat, row]]}, which does not mix"


# --- draws ---

_DRAWS = (
    {side: K.SIDE_DRAWS + number for number, side in enumerate(SIDES)}
    | {f"top-{letter}": K.KIND_DRAWS + kind for kind, letter in enumerate(KIND_LETTERS)}
    | {name: K.PLATE_DRAWS + plate for name, plate in PLATE.items()}
    | {f"chip-{name}": K.CHIP_DRAWS + kind for name, kind in CHIP.items()}
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
    record, word = state.fields, _DRAW_WORDS.get(drawn, str(drawn))
    match record.due:
        case K.DUE_TILE if drawn < NUM_COLOURS:
            return f"the bag has no {COLOURS[drawn]} tile left; it holds {TILES.print_tiles(record.bag)}"
        case K.DUE_TILE:
            return f"a tile is to be drawn, not {word}"
        case K.DUE_CHIP:
            return f"a chip is to be turned up, one of {print_chips(record.supply)}, not {word}"
        case K.DUE_KIND:
            return f"the kind of the stack's top is to be seen (top-s or top-j, of what is left), not {word}"
        case K.DUE_SIDE:
            return f"a side of a tablet that is not in play yet is to be drawn, not {word}"
        case _:
            left = print_plates(RULES.plates_that_it_may_be(record))
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
    counts = [(name, int(RULES.chips_of(chips, kind))) for kind, name in enumerate(CHIPS)]
    return "".join(f"{name}{count}" for name, count in counts if count) or "-"


def sides_in(tablets: int) -> tuple[str, ...]:
    return tuple(side for number, side in enumerate(SIDES) if tablets >> number & 1)
