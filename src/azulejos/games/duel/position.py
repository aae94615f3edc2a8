"""Positions of Azul Duel as one line of text and as plain data. `docs/games/duel.md` describes the form."""

from typing import Any

import numpy as np
import numpy.typing as npt

from azulejos.core.state import State
from azulejos.core.text import Reader

from . import encoding, notation
from .encoding import CHIP_BITS, LINES
from .kernels import STATE
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
_KNOWN = {"01": 3, "0": 1, "1": 2}


# --- the dome ---


def space_at(square: int, corner: int) -> int:
    """The space, 0 to 35, of a corner of a square."""
    row, column = CORNER_PLACES[corner]
    return SIZE * (2 * (square // SQUARES_ACROSS) + row) + 2 * (square % SQUARES_ACROSS) + column


def plate_on(record: Any, seat: int, square: int) -> tuple[int, int] | None:
    """The plate on a square and its rotation."""
    code = int(record.square[seat, square])
    return divmod(code - 1, ROTATIONS) if code else None


def filled(record: Any, seat: int, space: int) -> bool:
    return bool(int(record.dome[seat]) >> space & 1)


def tile_at(record: Any, seat: int, square: int, corner: int) -> int | None:
    """The colour of the tile in a corner of a square, SPECIAL_SLOT for a special tile; None if there is none."""
    if not filled(record, seat, space_at(square, corner)):
        return None
    lying = plate_on(record, seat, square)
    assert lying is not None
    kind = slot(*lying, corner)
    return int(record.joker_colour[seat, square]) if kind == JOKER_SLOT else kind


def print_square(record: Any, seat: int, square: int) -> str:
    """Kind and colours clockwise from the slot, capitals where a tile lies, and the corner of the slot."""
    lying = plate_on(record, seat, square)
    if lying is None:
        return "."
    plate, rotation = lying
    key = KIND_LETTERS[plate // PLATES_OF_A_KIND]
    if filled(record, seat, space_at(square, rotation)):
        key = "S" if plate < PLATES_OF_A_KIND else LETTERS[record.joker_colour[seat, square]]
    colours = ""
    for step, letter in enumerate(PLATES[plate][1:], 1):
        space = space_at(square, (rotation + step) % ROTATIONS)
        colours += letter if filled(record, seat, space) else letter.lower()
    return f"{key}{colours}@{CORNERS[rotation]}"


def _parse_square(reader: Reader, record: Any, seat: int, square: int) -> None:
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
    record.square[seat, square] = 1 + plate * ROTATIONS + rotation
    for step, letter in enumerate(key + colours):
        if letter.isupper():
            record.dome[seat] |= 1 << space_at(square, (rotation + step) % ROTATIONS)
    if key in LETTERS:
        record.joker_colour[seat, square] = LETTERS.index(key)


# --- printing ---


def print_state(record: Any) -> str:
    fields = [
        f"duel {_print_tablets(record)} round {record.round_no} {_print_turn(record)} start {record.start}",
        notation.print_plates(record.display),
        _print_stack(record),
        _print_hand(record),
        " ".join(_print_factory(record, factory) for factory in range(FACTORIES)),
        notation.TILES.print_counts(record.bag),
        notation.TILES.print_counts(record.tower),
        notation.print_chips(record.supply),
        *(_print_board(record, seat) for seat in range(PLAYERS)),
    ]
    return " | ".join(fields)


def _print_tablets(record: Any) -> str:
    sides = ",".join(notation.sides_in(int(record.tablets))) or "-"
    return f"{record.drawn_tablets} {sides}" if record.drawn_tablets else sides


def _print_turn(record: Any) -> str:
    seat = f"seat {record.seat}"
    plate = PLATES[record.plate] if record.plate != encoding.NO_PLATE else ""
    line = f"{seat} line {record.row + 1}"
    paying = f"{record.pay_left} matching {record.pay_matching} from {CHIPS[record.pay_from]}"
    turn = {
        encoding.PREPARE: "deal",
        encoding.OPENING: f"{seat} opens",
        encoding.ACT: seat,
        encoding.PILE: f"{seat} piles {record.factory}",
        encoding.DRAWING: f"{seat} draws",
        encoding.KEEP: f"{seat} looks",
        encoding.UNDER: f"{seat} keeps {plate}",
        encoding.LAY: f"{seat} lays {plate}",
        encoding.COMPLETING: line,
        encoding.PAY: f"{line} pays {paying}",
        encoding.SLOT: f"{line} slot",
        encoding.ENDED: "over",
    }[int(record.phase)]
    return f"{turn} awaits {_DUE[int(record.due)]}" if record.due else turn


def _print_known(record: Any, plate: int) -> str:
    seats = "".join(str(seat) for seat in range(PLAYERS) if record.known[seat] >> plate & 1)
    return f"{PLATES[plate]}:{seats}"


def _print_stack(record: Any) -> str:
    """From the top: how many unknown plates, the first with its kind; plates that were put back, with who knows."""
    parts, unknown = list[str](), 0
    for plate in (int(plate) for plate in record.stack[: record.stack_count]):
        if plate == encoding.UNKNOWN:
            unknown += 1
            continue
        parts += [str(unknown)] if unknown else []
        parts.append(_print_known(record, plate))
        unknown = 0
    parts += [str(unknown)] if unknown else []
    if record.stack_count and record.stack[0] == encoding.UNKNOWN and record.top != encoding.NO_KIND:
        parts[0] = KIND_LETTERS[record.top] + parts[0]
    return ",".join(parts) or "-"


def _print_hand(record: Any) -> str:
    parts = [_print_known(record, plate) for plate in notation.plates_in(record.hand)]
    for kind, letter in enumerate(KIND_LETTERS):
        parts += [letter] * int(record.hand_unseen[kind])
    return ",".join(parts) or "-"


def _print_factory(record: Any, factory: int) -> str:
    sun = notation.TILES.print_tiles(record.sun[factory])
    if factory == LARGE:
        moon = notation.TILES.print_tiles(record.moon)
        return f"{sun}/1{moon.replace('-', '')}" if record.holder == encoding.NOBODY else f"{sun}/{moon}"
    pile = "".join(LETTERS[colour] for colour in notation.pile_tiles(record.pile[factory])) or "-"
    chip = {encoding.FACE_DOWN: "?", encoding.NO_CHIP: "-"}.get(int(record.chip[factory])) or CHIPS[
        record.chip[factory]
    ]
    return f"{sun}/{pile}/{chip}"


def _print_board(record: Any, seat: int) -> str:
    lines = "/".join(
        f"{LETTERS[record.line_colour[seat, row]]}{record.line_count[seat, row]}"
        if record.line_count[seat, row]
        else "-"
        for row in range(SIZE)
    )
    squares = [print_square(record, seat, square) for square in range(SQUARES)]
    dome = "/".join(",".join(squares[k : k + SQUARES_ACROSS]) for k in range(0, SQUARES, SQUARES_ACROSS))
    broken = notation.TILES.print_counts(record.broken[seat])
    if record.holder == seat:
        broken = "1" + broken.replace("-", "")
    chips = notation.print_chips(record.chips[seat])
    return f"{record.score[seat]} t{record.tokens[seat]} c{record.chips_taken[seat]} {lines} {dome} {broken} {chips}"


# --- parsing ---


def parse_state(text: str) -> tuple[dict[str, Any], npt.NDArray[Any]]:
    """The options and the record [1]. Says what is badly written; what is impossible is for `check` to say."""
    reader = Reader(text)
    array = np.zeros(1, STATE)
    record = array[0]
    for field in ("line_colour", "joker_colour", "stack", "plate", "top", "holder"):
        record[field] = -1
    _parse_head(reader, record)
    record.display = _parse_display(reader)
    reader.expect(" | ", "'|' before the stack")
    _parse_stack(reader, record)
    reader.expect(" | ", "'|' before the hand")
    _parse_hand(reader, record)
    reader.expect(" | ", "'|' before the factories")
    start_tiles = _parse_factories(reader, record)
    reader.expect(" | ", "'|' before the bag")
    record.bag = notation.TILES.read_counts(reader)
    reader.expect(" | ", "'|' before the tower")
    record.tower = notation.TILES.read_counts(reader)
    reader.expect(" | ", "'|' before the chips that nobody has seen")
    record.supply = _parse_chips(reader)
    for seat in range(PLAYERS):
        reader.expect(" | ", f"'|' before the board of seat {seat}")
        start_tiles += _parse_board(reader, record, seat)
    reader.end()
    if start_tiles != 1:
        reader.fail(f"there are {start_tiles} start tiles; there is one, beside the large moon or on a board", 0)
    _derive(record)
    return {"tablets": int(record.drawn_tablets) or notation.sides_in(int(record.tablets))}, array


def _parse_head(reader: Reader, record: Any) -> None:
    reader.expect("duel ")
    start = reader.at
    if reader.text[start : start + 1] in ("3", "4"):
        record.drawn_tablets = reader.number("the number of tablets", 3, 4)
        reader.expect(" ")
    if not (record.drawn_tablets and reader.accept("-")):
        _parse_tablets(reader, record)
    reader.expect(" round ")
    record.round_no = reader.number("the round", 1, ROUNDS)
    reader.expect(" ")
    _parse_turn(reader, record)
    if reader.accept(" awaits "):
        record.due = reader.one_of({word: due for due, word in _DUE.items()}, "what is to be drawn")
    reader.expect(" start ")
    record.start = reader.number("a seat", 0, PLAYERS - 1)
    if record.phase in (encoding.PREPARE, encoding.ENDED):
        record.seat = record.start
    reader.expect(" | ", "'|' before the open plates")


def _parse_tablets(reader: Reader, record: Any) -> None:
    sides, start = list[int](), reader.at
    while not sides or reader.accept(","):
        place = reader.at
        side = reader.one_of({name: number for number, name in enumerate(SIDES)}, "a side of a tablet")
        if sides and side <= sides[-1]:
            reader.fail(f"tablets come once each, in the order {','.join(SIDES)}", place)
        if any(side % len(TABLETS) == other % len(TABLETS) for other in sides):
            reader.fail("a tablet lies on one side only", place)
        sides.append(side)
    allowed = range(1, int(record.drawn_tablets) + 1) if record.drawn_tablets else (3, 4)
    if len(sides) not in allowed:
        reader.fail("a game has three or four tablets", start)
    record.tablets = sum(1 << side for side in sides)


def _parse_turn(reader: Reader, record: Any) -> None:
    phase = reader.one_of({"deal": encoding.PREPARE, "seat ": encoding.ACT, "over": encoding.ENDED}, "whose turn it is")
    if phase == encoding.ACT:
        record.seat = reader.number("a seat", 0, PLAYERS - 1)
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
        record.factory = reader.number("a small factory", 1, SMALL_FACTORIES)
    elif phase in (encoding.UNDER, encoding.LAY):
        record.plate = reader.one_of(notation.PLATE, "a plate")
    elif phase == encoding.COMPLETING:
        record.row = reader.number("a line", 1, SIZE) - 1
        if reader.accept(" slot"):
            phase = encoding.SLOT
        elif reader.accept(" pays "):
            phase = encoding.PAY
            record.pay_left = reader.number("the number of chips to be spent", 1, MOST_CHIPS)
            reader.expect(" matching ")
            record.pay_matching = reader.number("how many of them must show the colour", 0, MOST_CHIPS)
            reader.expect(" from ")
            record.pay_from = reader.one_of(notation.CHIP, "the kind of chip spent last")
    record.phase = phase


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


def _parse_known(reader: Reader, record: Any) -> int:
    """A plate that was put back once, with the seats that know where it is."""
    plate = reader.one_of(notation.PLATE, "a plate")
    reader.expect(":")
    seats = reader.one_of(_KNOWN, "who knows where it is")
    for seat in range(PLAYERS):
        record.known[seat] |= (seats >> seat & 1) << plate
    return plate


def _parse_stack(reader: Reader, record: Any) -> None:
    if reader.accept("-"):
        return
    plates, after_number = list[int](), False
    while not plates or reader.accept(","):
        start = reader.at
        kind = KIND_LETTERS.find(reader.text[start : start + 1] or "?")
        if kind >= 0 and not plates and reader.text[start + 1 : start + 2].isdigit():
            record.top = kind
            reader.at += 1
        if reader.text[reader.at : reader.at + 1].isdigit():
            if after_number:
                reader.fail("unknown plates that follow each other are one number", start)
            plates += [encoding.UNKNOWN] * reader.number("a number of unknown plates", 1, NUM_PLATES)
            after_number = True
        else:
            plate = _parse_known(reader, record)
            if not plates:
                record.top = plate // PLATES_OF_A_KIND
            if plate in plates:
                reader.fail(f"{PLATES[plate]} is in the stack twice", start)
            plates.append(plate)
            after_number = False
    if len(plates) > NUM_PLATES:
        reader.fail(f"there are only {NUM_PLATES} plates")
    record.stack[: len(plates)] = plates
    record.stack_count = len(plates)


def _parse_hand(reader: Reader, record: Any) -> None:
    if reader.accept("-"):
        return
    last = -1
    while last < 0 or reader.accept(","):
        start = reader.at
        if reader.text[start + 1 : start + 2] in (",", " "):
            kind = reader.one_of({letter: kind for kind, letter in enumerate(KIND_LETTERS)}, "a kind of plate")
            order = NUM_PLATES + kind
            record.hand_unseen[kind] += 1
            if record.hand_unseen[kind] > PLATES_OF_A_KIND:
                reader.fail(f"there are only {PLATES_OF_A_KIND} plates of a kind", start)
        else:
            order = _parse_known(reader, record)
            record.hand |= 1 << order
        if order < last or (order == last and order < NUM_PLATES):
            reader.fail(f"plates in the hand come in the order {' '.join(PLATES)} s j", start)
        last = order


def _parse_factories(reader: Reader, record: Any) -> int:
    """The factories; 1 if the start tile lies on the large one, else 0."""
    record.sun[LARGE] = notation.TILES.read_tiles(reader, TILES_OF_LARGE)
    reader.expect("/", "'/' before the large moon")
    start_tile = reader.accept("1")
    if not (start_tile and reader.text[reader.at : reader.at + 1] == " "):
        record.moon = notation.TILES.read_tiles(reader, TILES_OF_LARGE - 1, dash=not start_tile)
    record.chip[LARGE] = encoding.NO_CHIP
    for factory in range(1, FACTORIES):
        reader.expect(" ", f"factory {factory}")
        record.sun[factory] = notation.TILES.read_tiles(reader, TILES_OF_SMALL)
        reader.expect("/", "'/' before the pile")
        pile = 0
        if not reader.accept("-"):
            while pile == 0 or reader.text[reader.at : reader.at + 1] != "/":
                if pile >> 3 * (TILES_OF_SMALL - 2):
                    reader.fail(f"a pile has at most {TILES_OF_SMALL - 1} tiles")
                pile = pile << 3 | reader.one_of(notation.COLOUR, "a colour") + 1
        record.pile[factory] = pile
        reader.expect("/", "'/' before the chip")
        record.chip[factory] = reader.one_of({"?": encoding.FACE_DOWN, "-": encoding.NO_CHIP} | notation.CHIP, "a chip")
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


def _parse_board(reader: Reader, record: Any, seat: int) -> int:
    """A player's board; 1 if the start tile lies there, else 0."""
    record.score[seat] = reader.number("a score", 0, 9999)
    reader.expect(" t", "' t' and the tokens left")
    record.tokens[seat] = reader.number("the number of tokens left", 0, TOKENS)
    reader.expect(" c", "' c' and the chips taken in this round")
    record.chips_taken[seat] = reader.number("the number of chips taken in this round", 0, CHIPS_A_ROUND)
    reader.expect(" ")
    for row in range(SIZE):
        if row:
            reader.expect("/", "'/' between lines")
        if not reader.accept("-"):
            record.line_colour[seat, row] = reader.one_of(notation.COLOUR, "a colour")
            record.line_count[seat, row] = reader.number(f"the number of tiles in line {row + 1}", 1, row + 1)
    reader.expect(" ")
    for square in range(SQUARES):
        if square:
            reader.expect("," if square % SQUARES_ACROSS else "/")
        _parse_square(reader, record, seat, square)
    reader.expect(" ")
    start_tile = reader.accept("1")
    if start_tile:
        record.holder = seat
    if not (start_tile and reader.text[reader.at : reader.at + 1] == " "):
        record.broken[seat] = notation.TILES.read_counts(reader, BROKEN_SPACES, dash=not start_tile)
    reader.expect(" ")
    record.chips[seat] = _parse_chips(reader)
    return int(start_tile)


# --- what follows from the rest ---


def _derive(record: Any) -> None:
    record.left = tiles_left(record)
    record.dealt = record.left if record.phase == encoding.PREPARE else 0
    record.unseen = unseen(record)
    for seat in range(PLAYERS):
        record.broken_count[seat] = RULES.tiles_in(int(record.broken[seat]))
        record.laid[seat] = np.count_nonzero(record.square[seat])
        record.open[seat] = open_lines(record, seat)


def tiles_left(record: Any) -> int:
    """The number of tiles on the factories."""
    on_suns = sum(int(RULES.tiles_in(int(tiles))) for tiles in (*record.sun, record.moon))
    return on_suns + sum(len(notation.pile_tiles(int(pile))) for pile in record.pile)


def located_plates(record: Any) -> list[int]:
    """All plates whose place the record has; a plate is there more often than once only by mistake."""
    stack = [int(plate) for plate in record.stack[: record.stack_count] if plate != encoding.UNKNOWN]
    laid = [(int(code) - 1) // ROTATIONS for seat in range(PLAYERS) for code in record.square[seat] if code]
    held = [int(record.plate)] if record.plate != encoding.NO_PLATE else []
    return [*notation.plates_in(record.display), *notation.plates_in(record.hand), *stack, *held, *laid]


def unseen(record: Any) -> int:
    plates = ALL_PLATES
    for plate in located_plates(record):
        plates &= ~(1 << plate)
    return plates


def open_lines(record: Any, seat: int) -> int:
    """For each colour seven bits: the broken tiles' space, and the lines that take it."""
    result = ALL_LINES * LINE_OF_EACH
    for row in range(SIZE):
        held = int(record.line_count[seat, row])
        if held:
            result &= ~(LINE_OF_EACH << row + 1)
            if held <= row:
                result |= 1 << LINES * int(record.line_colour[seat, row]) + row + 1
    return result


# --- data ---


def to_dict(state: State) -> dict[str, Any]:
    """A position as plain data with the words of the rule page."""
    fields, game = state.fields, state.game
    return {
        "game": game.name,
        **game.chosen,
        "sides": list(notation.sides_in(fields.tablets)),
        "round": fields.round_no,
        "phase": _PHASES[fields.phase],
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
        "factories": [_factory(fields, factory) for factory in range(1, FACTORIES)],
        "bag": _counts(fields.bag),
        "tower": _counts(fields.tower),
        "chips_unseen": _chips(fields.supply),
        "boards": [_board(fields, seat) for seat in range(PLAYERS)],
    }


def _counts(tiles: int) -> dict[str, int]:
    found = zip(COLOURS, notation.TILES.counts(tiles), strict=True)
    return {name: count for name, count in found if count}


def _chips(chips: int) -> dict[str, int]:
    counts = {name: int(RULES.chips_of(int(chips), kind)) for kind, name in enumerate(CHIPS)}
    return {name: count for name, count in counts.items() if count}


def _stack(fields: Any) -> dict[str, Any]:
    """Plates from the top; None where nobody, or not the seat whose view this is, knows the plate."""
    plates = [int(plate) for plate in fields.stack[: fields.stack_count]]
    return {
        "top": KIND_NAMES[fields.top] if fields.top != encoding.NO_KIND else None,
        "plates": [None if plate == encoding.UNKNOWN else PLATES[plate] for plate in plates],
    }


def _factory(fields: Any, factory: int) -> dict[str, Any]:
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
        "chips": _chips(fields.chips[seat]),
        "lines": [
            {
                "colour": COLOURS[fields.line_colour[seat, row]] if fields.line_count[seat, row] else None,
                "tiles": fields.line_count[seat, row],
                "spaces": row + 1,
            }
            for row in range(SIZE)
        ],
        "dome": [_square(fields, seat, square) for square in range(SQUARES)],
        "broken": _counts(fields.broken[seat]),
    }


def _square(fields: Any, seat: int, square: int) -> dict[str, Any] | None:
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
