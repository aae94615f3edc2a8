"""Positions of Azul Duel as one line of text and as plain data. `docs/games/duel.md` describes the form."""

from functools import lru_cache
from typing import Any

from azulejos.core.fields import Fields, layout_of
from azulejos.core.state import State
from azulejos.core.text import Reader

from .. import displays
from . import encoding, kernels, notation
from .encoding import CHIP_BITS, LINES
from .lookups import ALL_LINES, ALL_PLATES, LINE_OF_EACH
from .tables import (
    BROKEN_SPACES,
    CHIPS,
    CHIPS_A_ROUND,
    CHIPS_OF_A_KIND,
    COLOURS,
    CORNER_PLACES,
    CORNERS,
    FACTORIES,
    JOKER_SLOT,
    KIND_LETTERS,
    KIND_NAMES,
    LARGE,
    LETTERS,
    MOST_CHIPS,
    NUM_PLATES,
    OPEN_PLATES,
    PLATES,
    PLATES_OF_A_KIND,
    PLAYERS,
    ROTATIONS,
    ROUNDS,
    SIDES,
    SIZE,
    SLOT_NAMES,
    SMALL_FACTORIES,
    SQUARES,
    SQUARES_ACROSS,
    TABLETS,
    TILES_OF_LARGE,
    TILES_OF_SMALL,
    TOKENS,
    slot,
)

RULES = notation.RULES
_DUE = {
    encoding.DUE_SIDE: "tablet",
    encoding.DUE_PLATE: "plate",
    encoding.DUE_KIND: "kind",
    encoding.DUE_TILE: "tile",
    encoding.DUE_CHIP: "chip",
    encoding.DUE_FRONT: "front",
}
_PHASES = {
    encoding.PREPARE: "deal",
    encoding.OPENING: "opening plates",
    encoding.ACT: "acquisition",
    encoding.PILE: "ordering a pile",
    encoding.DRAWING: "drawing plates",
    encoding.KEEP: "keeping a plate",
    encoding.UNDER: "putting plates back",
    encoding.LAY: "laying a plate",
    encoding.COMPLETING: "decorating: completing a line",
    encoding.PAY: "decorating: spending chips",
    encoding.SLOT: "decorating: choosing a slot",
    encoding.ENDED: "over",
}
_DRAWS = {
    encoding.NOTHING: None,
    encoding.DUE_SIDE: "side of a tablet",
    encoding.DUE_PLATE: "plate of the display",
    encoding.DUE_KIND: "kind of the top plate",
    encoding.DUE_TILE: "tile",
    encoding.DUE_CHIP: "chip",
    encoding.DUE_FRONT: "plate in the hand",
}
_KNOWN = {"01": 3, "0": 1, "1": 2}


# --- the dome ---


def space_at(square: int, corner: int) -> int:
    """The space, 0 to 35, of a corner of a square."""
    row, column = CORNER_PLACES[corner]
    return SIZE * (2 * (square // SQUARES_ACROSS) + row) + 2 * (square % SQUARES_ACROSS) + column


def plate_on(fields: Any, seat: int, square: int) -> tuple[int, int] | None:
    """The plate on a square and its rotation."""
    code = fields.square[seat, square]
    return divmod(code - 1, ROTATIONS) if code else None


def filled(fields: Any, seat: int, space: int) -> bool:
    return bool(fields.dome[seat] >> space & 1)


def tile_at(fields: Any, seat: int, square: int, corner: int) -> int | None:
    """The colour of the tile in a corner of a square, SPECIAL_SLOT for a special tile; None if there is none."""
    if not filled(fields, seat, space_at(square, corner)):
        return None
    lying = plate_on(fields, seat, square)
    assert lying is not None
    kind = slot(*lying, corner)
    return fields.joker_colour[seat, square] if kind == JOKER_SLOT else kind


def tiles_on(fields: Any, seat: int) -> list[int | None]:
    """The colours of the tiles on a dome; SPECIAL_SLOT for special tiles, None where none lies."""
    corners = [(square, corner) for square in range(SQUARES) for corner in range(ROTATIONS)]
    return [tile_at(fields, seat, square, corner) for square, corner in corners]


def print_square(fields: Any, seat: int, square: int) -> str:
    """Kind and colours clockwise from the slot, capitals where a tile lies, and the corner of the slot."""
    lying = plate_on(fields, seat, square)
    if lying is None:
        return "."
    plate, rotation = lying
    key = KIND_LETTERS[plate // PLATES_OF_A_KIND]
    if filled(fields, seat, space_at(square, rotation)):
        key = "S" if plate < PLATES_OF_A_KIND else LETTERS[fields.joker_colour[seat, square]]
    colours = ""
    for step, letter in enumerate(PLATES[plate][1:], 1):
        space = space_at(square, (rotation + step) % ROTATIONS)
        colours += letter if filled(fields, seat, space) else letter.lower()
    return f"{key}{colours}@{CORNERS[rotation]}"


def _parse_square(reader: Reader, fields: Any, seat: int, square: int) -> None:
    if reader.accept("."):
        return
    start = reader.at
    key = reader.one_of({letter: letter for letter in "sSj" + LETTERS}, "a plate or '.'")
    both = {letter: letter for letter in LETTERS} | {letter.lower(): letter.lower() for letter in LETTERS}
    colours = "".join(reader.one_of(both, "a colour of the plate") for _ in range(ROTATIONS - 1))
    plate = notation.PLATE.get(("s" if key in "sS" else "j") + colours.upper())
    if plate is None:
        reader.fail("there is no such plate", start)
    reader.expect("@")
    rotation = reader.one_of(notation.CORNER, "the corner of the plate's slot")
    fields.square[seat, square] = 1 + plate * ROTATIONS + rotation
    for step, letter in enumerate(key + colours):
        if letter.isupper():
            fields.dome[seat] |= 1 << space_at(square, (rotation + step) % ROTATIONS)
    if key in LETTERS:
        fields.joker_colour[seat, square] = LETTERS.index(key)


# --- printing ---


def print_state(fields: Any) -> str:
    parts = [
        f"duel {_print_tablets(fields)} round {fields.round_no} {_print_turn(fields)} start {fields.start}",
        notation.print_plates(fields.display),
        _print_stack(fields),
        _print_hand(fields),
        " ".join(_print_factory(fields, factory) for factory in range(FACTORIES)),
        notation.TILES.print_counts(fields.bag),
        notation.TILES.print_counts(fields.tower),
        notation.print_chips(fields.supply),
        *(_print_board(fields, seat) for seat in range(PLAYERS)),
    ]
    return " | ".join(parts)


def _print_tablets(fields: Any) -> str:
    sides = ",".join(notation.sides_in(fields.tablets)) or "-"
    return f"{fields.drawn_tablets} {sides}" if fields.drawn_tablets else sides


def _print_turn(fields: Any) -> str:
    seat = f"seat {fields.seat}"
    plate = PLATES[fields.plate] if fields.plate != encoding.NO_PLATE else ""
    line = f"{seat} line {fields.row + 1}"
    paying = f"{fields.pay_left} matching {fields.pay_matching} from {CHIPS[fields.pay_from]}"
    turn = {
        encoding.PREPARE: "deal",
        encoding.OPENING: f"{seat} opens",
        encoding.ACT: seat,
        encoding.PILE: f"{seat} piles {fields.factory}",
        encoding.DRAWING: f"{seat} draws",
        encoding.KEEP: f"{seat} looks",
        encoding.UNDER: f"{seat} keeps {plate}",
        encoding.LAY: f"{seat} lays {plate}",
        encoding.COMPLETING: line,
        encoding.PAY: f"{line} pays {paying}",
        encoding.SLOT: f"{line} slot",
        encoding.ENDED: "over",
    }[fields.phase]
    return f"{turn} awaits {_DUE[fields.due]}" if fields.due else turn


def _print_known(fields: Any, plate: int) -> str:
    seats = "".join(str(seat) for seat in range(PLAYERS) if fields.known[seat] >> plate & 1)
    return f"{PLATES[plate]}:{seats}"


def _print_stack(fields: Any) -> str:
    """From the top: how many unknown plates, the first with its kind; plates that were put back, with who knows."""
    parts, unknown = list[str](), 0
    for plate in fields.stack[: fields.stack_count]:
        if plate == encoding.UNKNOWN:
            unknown += 1
            continue
        parts += [str(unknown)] if unknown else []
        parts.append(_print_known(fields, plate))
        unknown = 0
    parts += [str(unknown)] if unknown else []
    if fields.stack_count and fields.stack[0] == encoding.UNKNOWN and fields.top != encoding.NO_KIND:
        parts[0] = KIND_LETTERS[fields.top] + parts[0]
    return ",".join(parts) or "-"


def _print_hand(fields: Any) -> str:
    parts = [_print_known(fields, plate) for plate in notation.plates_in(fields.hand)]
    for kind, letter in enumerate(KIND_LETTERS):
        parts += [letter] * fields.hand_unseen[kind]
    return ",".join(parts) or "-"


def _print_factory(fields: Any, factory: int) -> str:
    sun = notation.TILES.print_tiles(fields.sun[factory])
    if factory == LARGE:
        moon = notation.TILES.print_tiles(fields.moon)
        return f"{sun}/1{moon.replace('-', '')}" if fields.holder == encoding.NOBODY else f"{sun}/{moon}"
    pile = "".join(LETTERS[colour] for colour in notation.pile_tiles(fields.pile[factory])) or "-"
    chip = {encoding.FACE_DOWN: "?", encoding.NO_CHIP: "-"}.get(fields.chip[factory]) or CHIPS[fields.chip[factory]]
    return f"{sun}/{pile}/{chip}"


def _print_board(fields: Any, seat: int) -> str:
    lines = "/".join(
        f"{LETTERS[fields.line_colour[seat, row]]}{fields.line_count[seat, row]}"
        if fields.line_count[seat, row]
        else "-"
        for row in range(SIZE)
    )
    squares = [print_square(fields, seat, square) for square in range(SQUARES)]
    dome = "/".join(",".join(squares[k : k + SQUARES_ACROSS]) for k in range(0, SQUARES, SQUARES_ACROSS))
    broken = notation.TILES.print_counts(fields.broken[seat])
    if fields.holder == seat:
        broken = "1" + broken.replace("-", "")
    chips = notation.print_chips(fields.chips[seat])
    return f"{fields.score[seat]} t{fields.tokens[seat]} c{fields.chips_taken[seat]} {lines} {dome} {broken} {chips}"


# --- parsing ---


def parse_state(text: str) -> tuple[dict[str, Any], Fields]:
    """The options and the fields. Says what is badly written; what is impossible is for `check` to say."""
    reader = Reader(text)
    fields = layout_of(kernels).blank(**encoding.BLANK)
    _parse_head(reader, fields)
    fields.display = _parse_display(reader)
    reader.expect(" | ", "'|' before the stack")
    _parse_stack(reader, fields)
    reader.expect(" | ", "'|' before the hand")
    _parse_hand(reader, fields)
    reader.expect(" | ", "'|' before the factories")
    start_tiles = _parse_factories(reader, fields)
    reader.expect(" | ", "'|' before the bag")
    fields.bag = notation.TILES.read_counts(reader)
    reader.expect(" | ", "'|' before the tower")
    fields.tower = notation.TILES.read_counts(reader)
    reader.expect(" | ", "'|' before the chips that nobody has seen")
    fields.supply = _parse_chips(reader)
    for seat in range(PLAYERS):
        reader.expect(" | ", f"'|' before the board of seat {seat}")
        start_tiles += _parse_board(reader, fields, seat)
    reader.end()
    if start_tiles != 1:
        reader.fail(f"there are {start_tiles} start tiles; there is one, beside the large moon or on a board", 0)
    _derive(fields)
    return {"tablets": fields.drawn_tablets or notation.sides_in(fields.tablets)}, fields


def _parse_head(reader: Reader, fields: Any) -> None:
    reader.expect("duel ")
    start = reader.at
    if reader.text[start : start + 1] in ("3", "4"):
        fields.drawn_tablets = reader.number("the number of tablets", 3, 4)
        reader.expect(" ")
    if not (fields.drawn_tablets and reader.accept("-")):
        _parse_tablets(reader, fields)
    reader.expect(" round ")
    fields.round_no = reader.number("the round", 1, ROUNDS)
    reader.expect(" ")
    _parse_turn(reader, fields)
    if reader.accept(" awaits "):
        fields.due = reader.one_of({word: due for due, word in _DUE.items()}, "what is to be drawn")
    reader.expect(" start ")
    fields.start = reader.number("a seat", 0, PLAYERS - 1)
    if fields.phase in (encoding.PREPARE, encoding.ENDED):
        fields.seat = fields.start
    reader.expect(" | ", "'|' before the open plates")


def _parse_tablets(reader: Reader, fields: Any) -> None:
    sides, start = list[int](), reader.at
    while not sides or reader.accept(","):
        place = reader.at
        side = reader.one_of({name: number for number, name in enumerate(SIDES)}, "a side of a tablet")
        if sides and side <= sides[-1]:
            reader.fail(f"tablets come once each, in the order {','.join(SIDES)}", place)
        if any(side % len(TABLETS) == other % len(TABLETS) for other in sides):
            reader.fail("a tablet lies on one side only", place)
        sides.append(side)
    allowed = range(1, fields.drawn_tablets + 1) if fields.drawn_tablets else (3, 4)
    if len(sides) not in allowed:
        reader.fail("a game has three or four tablets", start)
    fields.tablets = sum(1 << side for side in sides)


def _parse_turn(reader: Reader, fields: Any) -> None:
    phase = reader.one_of({"deal": encoding.PREPARE, "seat ": encoding.ACT, "over": encoding.ENDED}, "whose turn it is")
    if phase == encoding.ACT:
        fields.seat = reader.number("a seat", 0, PLAYERS - 1)
        words = {
            " opens": encoding.OPENING,
            " piles ": encoding.PILE,
            " draws": encoding.DRAWING,
            " looks": encoding.KEEP,
            " keeps ": encoding.UNDER,
            " lays ": encoding.LAY,
            " line ": encoding.COMPLETING,
        }
        phase = next((words[word] for word in words if reader.accept(word)), encoding.ACT)
    if phase == encoding.PILE:
        fields.factory = reader.number("a small factory", 1, SMALL_FACTORIES)
    elif phase in (encoding.UNDER, encoding.LAY):
        fields.plate = reader.one_of(notation.PLATE, "a plate")
    elif phase == encoding.COMPLETING:
        fields.row = reader.number("a line", 1, SIZE) - 1
        if reader.accept(" slot"):
            phase = encoding.SLOT
        elif reader.accept(" pays "):
            phase = encoding.PAY
            fields.pay_left = reader.number("the number of chips to be spent", 1, MOST_CHIPS)
            reader.expect(" matching ")
            fields.pay_matching = reader.number("how many of them must show the colour", 0, MOST_CHIPS)
            reader.expect(" from ")
            fields.pay_from = reader.one_of(notation.CHIP, "the kind of chip spent last")
    fields.phase = phase


def _parse_display(reader: Reader) -> int:
    if reader.accept("-"):
        return 0
    plates, last = 0, -1
    while last < 0 or (reader.text[reader.at : reader.at + 2] != " |" and reader.accept(" ")):
        start = reader.at
        plate = reader.one_of(notation.PLATE, "a plate")
        if plate <= last:
            reader.fail(f"open plates come in the order {' '.join(PLATES)}", start)
        plates |= 1 << plate
        last = plate
    if plates.bit_count() > OPEN_PLATES:
        reader.fail(f"at most {OPEN_PLATES} plates are open")
    return plates


def _parse_known(reader: Reader, fields: Any) -> int:
    """A plate that was put back once, with the seats that know where it is."""
    plate = reader.one_of(notation.PLATE, "a plate")
    reader.expect(":")
    seats = reader.one_of(_KNOWN, "who knows where it is")
    for seat in range(PLAYERS):
        fields.known[seat] |= (seats >> seat & 1) << plate
    return plate


def _parse_stack(reader: Reader, fields: Any) -> None:
    if reader.accept("-"):
        return
    plates, after_number = list[int](), False
    while not plates or reader.accept(","):
        start = reader.at
        kind = KIND_LETTERS.find(reader.text[start : start + 1] or "?")
        if kind >= 0 and not plates and reader.text[start + 1 : start + 2].isdigit():
            fields.top = kind
            reader.at += 1
        if reader.text[reader.at : reader.at + 1].isdigit():
            if after_number:
                reader.fail("unknown plates that follow each other are one number", start)
            plates += [encoding.UNKNOWN] * reader.number("a number of unknown plates", 1, NUM_PLATES)
            after_number = True
        else:
            plate = _parse_known(reader, fields)
            if not plates:
                fields.top = plate // PLATES_OF_A_KIND
            if plate in plates:
                reader.fail(f"{PLATES[plate]} is in the stack twice", start)
            plates.append(plate)
            after_number = False
    if len(plates) > NUM_PLATES:
        reader.fail(f"there are only {NUM_PLATES} plates")
    fields.stack[: len(plates)] = plates
    fields.stack_count = len(plates)


def _parse_hand(reader: Reader, fields: Any) -> None:
    if reader.accept("-"):
        return
    last = -1
    while last < 0 or reader.accept(","):
        start = reader.at
        if reader.text[start + 1 : start + 2] in (",", " "):
            kind = reader.one_of({letter: kind for kind, letter in enumerate(KIND_LETTERS)}, "a kind of plate")
            order = NUM_PLATES + kind
            fields.hand_unseen[kind] += 1
            if fields.hand_unseen[kind] > PLATES_OF_A_KIND:
                reader.fail(f"there are only {PLATES_OF_A_KIND} plates of a kind", start)
        else:
            order = _parse_known(reader, fields)
            fields.hand |= 1 << order
        if order < last or (order == last and order < NUM_PLATES):
            reader.fail(f"plates in the hand come in the order {' '.join(PLATES)} s j", start)
        last = order


def _parse_factories(reader: Reader, fields: Any) -> int:
    """The factories; 1 if the start tile lies on the large one, else 0."""
    fields.sun[LARGE] = notation.TILES.read_tiles(reader, TILES_OF_LARGE)
    reader.expect("/", "'/' before the large moon")
    start_tile = reader.accept("1")
    if not (start_tile and reader.text[reader.at : reader.at + 1] == " "):
        fields.moon = notation.TILES.read_tiles(reader, TILES_OF_LARGE - 1, dash=not start_tile)
    fields.chip[LARGE] = encoding.NO_CHIP
    for factory in range(1, FACTORIES):
        reader.expect(" ", f"factory {factory}")
        fields.sun[factory] = notation.TILES.read_tiles(reader, TILES_OF_SMALL)
        reader.expect("/", "'/' before the pile")
        pile = 0
        if not reader.accept("-"):
            while pile == 0 or reader.text[reader.at : reader.at + 1] != "/":
                if pile >> 3 * (TILES_OF_SMALL - 2):
                    reader.fail(f"a pile has at most {TILES_OF_SMALL - 1} tiles")
                pile = pile << 3 | reader.one_of(notation.COLOUR, "a colour") + 1
        fields.pile[factory] = pile
        reader.expect("/", "'/' before the chip")
        fields.chip[factory] = reader.one_of({"?": encoding.FACE_DOWN, "-": encoding.NO_CHIP} | notation.CHIP, "a chip")
    return int(start_tile)


def _parse_chips(reader: Reader) -> int:
    if reader.accept("-"):
        return 0
    chips, last = 0, -1
    while last < 0 or not (reader.at_end() or reader.text[reader.at] == " "):
        start = reader.at
        kind = reader.one_of(notation.CHIP, "a chip")
        if kind <= last:
            reader.fail(f"chips come once each, in the order {' '.join(CHIPS)}", start)
        chips |= reader.number("a number of chips", 1, CHIPS_OF_A_KIND) << CHIP_BITS * kind
        last = kind
    return chips


def _parse_board(reader: Reader, fields: Any, seat: int) -> int:
    """A player's board; 1 if the start tile lies there, else 0."""
    fields.score[seat] = reader.number("a score", 0, 9999)
    reader.expect(" t", "' t' and the tokens left")
    fields.tokens[seat] = reader.number("the number of tokens left", 0, TOKENS)
    reader.expect(" c", "' c' and the chips taken in this round")
    fields.chips_taken[seat] = reader.number("the number of chips taken in this round", 0, CHIPS_A_ROUND)
    reader.expect(" ")
    for row in range(SIZE):
        if row:
            reader.expect("/", "'/' between lines")
        if not reader.accept("-"):
            fields.line_colour[seat, row] = reader.one_of(notation.COLOUR, "a colour")
            fields.line_count[seat, row] = reader.number(f"the number of tiles in line {row + 1}", 1, row + 1)
    reader.expect(" ")
    for square in range(SQUARES):
        if square:
            reader.expect("," if square % SQUARES_ACROSS else "/")
        _parse_square(reader, fields, seat, square)
    reader.expect(" ")
    start_tile = reader.accept("1")
    if start_tile:
        fields.holder = seat
    if not (start_tile and reader.text[reader.at : reader.at + 1] == " "):
        fields.broken[seat] = notation.TILES.read_counts(reader, BROKEN_SPACES, dash=not start_tile)
    reader.expect(" ")
    fields.chips[seat] = _parse_chips(reader)
    return int(start_tile)


# --- what follows from the rest ---


def _derive(fields: Any) -> None:
    fields.left = tiles_left(fields)
    fields.dealt = fields.left if fields.phase == encoding.PREPARE else 0
    fields.unseen = unseen(fields)
    for seat in range(PLAYERS):
        fields.broken_count[seat] = RULES.tiles_in(fields.broken[seat])
        fields.laid[seat] = sum(map(bool, fields.square[seat]))
        fields.open[seat] = open_lines(fields, seat)


def tiles_left(fields: Any) -> int:
    """The number of tiles on the factories."""
    on_suns: int = sum(RULES.tiles_in(tiles) for tiles in (*fields.sun, fields.moon))
    return on_suns + sum(len(notation.pile_tiles(pile)) for pile in fields.pile)


def located_plates(fields: Any) -> list[int]:
    """All plates whose place the fields has; a plate is there more often than once only by mistake."""
    stack = [plate for plate in fields.stack[: fields.stack_count] if plate != encoding.UNKNOWN]
    laid = [(code - 1) // ROTATIONS for seat in range(PLAYERS) for code in fields.square[seat] if code]
    held = [fields.plate] if fields.plate != encoding.NO_PLATE else []
    return [*notation.plates_in(fields.display), *notation.plates_in(fields.hand), *stack, *held, *laid]


def unseen(fields: Any) -> int:
    plates = ALL_PLATES
    for plate in located_plates(fields):
        plates &= ~(1 << plate)
    return plates


def open_lines(fields: Any, seat: int) -> int:
    """For each colour seven bits: the broken tiles' space, and the lines that take it."""
    result = ALL_LINES * LINE_OF_EACH
    for row in range(SIZE):
        held = fields.line_count[seat, row]
        if held:
            result &= ~(LINE_OF_EACH << row + 1)
            if held <= row:
                result |= 1 << LINES * fields.line_colour[seat, row] + row + 1
    return result


# --- data ---


def to_dict(state: State) -> dict[str, Any]:
    """What there is besides the game and its options."""
    fields = state.fields
    return {
        "sides": list(notation.sides_in(fields.tablets)),
        "round": fields.round_no,
        "phase": _PHASES[fields.phase],
        "draw": _DRAWS[fields.due],
        "seat": state.seat,
        "line": fields.row + 1 if fields.phase in (encoding.COMPLETING, encoding.PAY, encoding.SLOT) else None,
        "start": fields.start,
        "start_tile": fields.holder if fields.holder != encoding.NOBODY else None,
        "display": [PLATES[plate] for plate in notation.plates_in(fields.display)],
        "stack": _stack(fields),
        "hand": [PLATES[plate] for plate in notation.plates_in(fields.hand)],
        "hand_unseen": {name: fields.hand_unseen[kind] for kind, name in enumerate(KIND_NAMES)},
        "plate": PLATES[fields.plate] if fields.plate != encoding.NO_PLATE else None,
        "large_factory": {"sun": _counts(fields.sun[LARGE]), "moon": _counts(fields.moon)},
        "factories": [factory_of(fields, factory) for factory in range(1, FACTORIES)],
        "bag": _counts(fields.bag),
        "tower": _counts(fields.tower),
        "chips_unseen": chips_in(fields.supply),
        "boards": [_board(fields, seat) for seat in range(PLAYERS)],
    }


def _counts(tiles: int) -> dict[str, int]:
    return displays.counts(notation.TILES, COLOURS, tiles)


@lru_cache(1 << 13)
def counts(tiles: int) -> dict[str, int]:
    """The same, not to be changed: cached, because places stay as they are for many actions."""
    return _counts(tiles)


def chips_in(chips: int) -> dict[str, int]:
    counts = {name: RULES.chips_of(chips, kind) for kind, name in enumerate(CHIPS)}
    return {name: count for name, count in counts.items() if count}


def _stack(fields: Any) -> dict[str, Any]:
    """Plates from the top; None where nobody, or not the seat whose view this is, knows the plate.

    `known_by`: for each of them, the seats that know it.
    """
    plates = fields.stack[: fields.stack_count]
    return {
        "top": KIND_NAMES[fields.top] if fields.top != encoding.NO_KIND else None,
        "plates": [None if plate == encoding.UNKNOWN else PLATES[plate] for plate in plates],
        "known_by": [
            [seat for seat in range(PLAYERS) if plate != encoding.UNKNOWN and fields.known[seat] >> plate & 1]
            for plate in plates
        ],
    }


def factory_of(fields: Any, factory: int) -> dict[str, Any]:
    chip = fields.chip[factory]
    return {
        "sun": _counts(fields.sun[factory]),
        "moon": [COLOURS[colour] for colour in notation.pile_tiles(fields.pile[factory])],
        "chip": {encoding.FACE_DOWN: "face down", encoding.NO_CHIP: None}[chip] if chip < 0 else CHIPS[chip],
    }


def _board(fields: Any, seat: int) -> dict[str, Any]:
    return {
        "score": fields.score[seat],
        "tokens": fields.tokens[seat],
        "chips_taken": fields.chips_taken[seat],
        "chips": chips_in(fields.chips[seat]),
        "lines": [
            {
                "colour": COLOURS[fields.line_colour[seat, row]] if fields.line_count[seat, row] else None,
                "tiles": fields.line_count[seat, row],
                "spaces": row + 1,
            }
            for row in range(SIZE)
        ],
        "dome": [square_of(fields, seat, square) for square in range(SQUARES)],
        "broken": _counts(fields.broken[seat]),
    }


def square_of(fields: Any, seat: int, square: int) -> dict[str, Any] | None:
    """A plate on the dome: its slots and their tiles clockwise from the upper left."""
    lying = plate_on(fields, seat, square)
    if lying is None:
        return None
    plate, rotation = lying
    tiles = [tile_at(fields, seat, square, corner) for corner in range(ROTATIONS)]
    return {
        "plate": PLATES[plate],
        "slot": CORNERS[rotation],
        "slots": [SLOT_NAMES[slot(plate, rotation, corner)] for corner in range(ROTATIONS)],
        "tiles": [None if tile is None else SLOT_NAMES[tile] for tile in tiles],
    }
