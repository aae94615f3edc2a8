"""What makes a position of Azul Duel possible: everything that is counted, and everything that a phase implies.

Whatever is played from a position without a fault here leads to positions without a fault.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from . import encoding, notation, position
from .lookups import KEY_SPACE, SQUARE_SPACES
from .tables import (
    BROKEN_SPACES,
    CHIPS,
    CHIPS_A_ROUND,
    CHIPS_IN_ALL,
    CHIPS_OF_A_KIND,
    COLOURS,
    FACTORIES,
    KIND_NAMES,
    LARGE,
    NUM_PLATES,
    OPEN_PLATES,
    PLATES,
    PLATES_OF_A_KIND,
    PLAYERS,
    ROTATIONS,
    ROUNDS,
    SIZE,
    SMALL_FACTORIES,
    SPECIAL_SLOT,
    SQUARES,
    START_SCORE,
    TILES_DEALT,
    TILES_OF_A_COLOUR,
    TILES_OF_LARGE,
    TILES_OF_SMALL,
    TOKENS,
)

RULES = notation.RULES
_PLATE_PHASES = (encoding.DRAWING, encoding.KEEP, encoding.UNDER, encoding.LAY)
_DECORATING = (encoding.COMPLETING, encoding.PAY, encoding.SLOT)


def impossibilities(fields: Any, option_codes: Sequence[int]) -> Iterator[str]:
    """Everything that is wrong with a position of a game with these options, in words."""
    _, drawn, tablets = option_codes
    if fields.drawn_tablets != drawn or not (drawn or fields.tablets == tablets):
        yield "the tablets are not the game's"
    for seat in range(PLAYERS):
        yield from _dome(fields, seat)
        yield from _plates_laid(fields, seat)
        yield from _board(fields, seat)
    yield from _tiles(fields)
    yield from _factories(fields)
    yield from _chips(fields)
    yield from _plates(fields)
    yield from _knowledge(fields)
    yield from _draw(fields)
    yield from _phase(fields)


def _opening(fields: Any) -> bool:
    """Are the opening plates still to be laid?"""
    if fields.round_no > 1:
        return False
    return bool(
        fields.phase in (encoding.PREPARE, encoding.OPENING)
        or (fields.phase == encoding.LAY and not fields.laid[fields.seat])
    )


def _acquiring(fields: Any) -> bool:
    return bool(fields.phase not in (encoding.PREPARE, encoding.ENDED, *_DECORATING))


def _size(tiles: Any) -> int:
    return int(RULES.tiles_in(int(tiles)))


# --- tiles ---


def _tiles(fields: Any) -> Iterator[str]:
    on_domes = Counter(tile for seat in range(PLAYERS) for tile in _tiles_on_dome(fields, seat))
    for colour, name in enumerate(COLOURS):
        places = (*fields.sun, fields.moon, fields.bag, fields.tower, *fields.broken)
        count = sum(int(RULES.count_of(int(tiles), colour)) for tiles in places)
        count += sum(notation.pile_tiles(int(pile)).count(colour) for pile in fields.pile)
        count += on_domes[colour] + _in_lines(fields, colour)
        if count != TILES_OF_A_COLOUR:
            yield f"there are {count} {name} tiles; there must be {TILES_OF_A_COLOUR}"
    if on_domes[SPECIAL_SLOT] > PLATES_OF_A_KIND:
        yield f"there are only {PLATES_OF_A_KIND} special tiles"
    if fields.left != position.tiles_left(fields):
        yield "the number of tiles left to take is wrong"


def _in_lines(fields: Any, colour: int) -> int:
    """The number of tiles of a colour in all lines."""
    lines = [(seat, row) for seat in range(PLAYERS) for row in range(SIZE)]
    return sum(fields.line_count[line] for line in lines if fields.line_colour[line] == colour)


def _tiles_on_dome(fields: Any, seat: int) -> list[int | None]:
    """The colours of the tiles on a dome; SPECIAL_SLOT for special tiles, None where none lies."""
    corners = [(square, corner) for square in range(SQUARES) for corner in range(ROTATIONS)]
    return [position.tile_at(fields, seat, square, corner) for square, corner in corners]


def _factories(fields: Any) -> Iterator[str]:
    full = (TILES_OF_LARGE, *[TILES_OF_SMALL] * SMALL_FACTORIES)
    suns = [_size(tiles) for tiles in fields.sun]
    piles = [len(notation.pile_tiles(int(pile))) for pile in fields.pile]
    for factory in range(FACTORIES):
        where = f"factory {factory}" if factory else "the large factory"
        if suns[factory] > full[factory] or piles[factory] >= full[factory]:
            yield f"{where} holds more tiles than it is dealt"
        piling = fields.phase == encoding.PILE and factory == fields.factory
        if piles[factory] and suns[factory] and not piling:
            yield f"{where} has tiles on sun and moon at once"
        if _acquiring(fields) and fields.bag and suns[factory] not in (0, full[factory]) and not piling:
            yield f"{where} was not filled, though the bag is not empty"
    if piles[LARGE] or _size(fields.moon) >= TILES_OF_LARGE:
        yield "the large moon holds more tiles than can be left there"
    if fields.sun[LARGE] and (fields.moon or fields.holder != encoding.NOBODY):
        yield "the large factory has tiles on its sun, so its moon has nothing but the start tile"
    if (
        _acquiring(fields)
        and fields.holder == encoding.NOBODY
        and not fields.sun[LARGE]
        and not fields.moon
        and fields.left
    ):
        yield "the large factory is empty, but nobody has taken the start tile"
    if suns[LARGE] == TILES_OF_LARGE and (colour := RULES.only_colour(int(fields.sun[LARGE]))) != encoding.NO_COLOUR:
        others = [fields.bag, *fields.sun] + ([fields.tower] if fields.phase == encoding.PREPARE else [])
        mixed = any(_size(tiles) != RULES.count_of(int(tiles), colour) for tiles in others)
        if mixed or any(set(notation.pile_tiles(int(pile))) - {colour} for pile in fields.pile):
            yield "the large factory is of one colour, though it could have been drawn again"


# --- chips ---


def _chips(fields: Any) -> Iterator[str]:
    on_factories = [int(chip) for chip in fields.chip[1:]]
    for kind, name in enumerate(CHIPS):
        stores = sum(int(RULES.chips_of(int(chips), kind)) for chips in (fields.supply, *fields.chips))
        if stores + on_factories.count(kind) > CHIPS_OF_A_KIND:
            yield f"there are more than {CHIPS_OF_A_KIND} chips of the kind {name}"
    unseen = CHIPS_IN_ALL - SMALL_FACTORIES * fields.round_no + on_factories.count(encoding.FACE_DOWN)
    if RULES.chips_in(fields.supply) != unseen:
        yield f"{RULES.chips_in(fields.supply)} chips have not been seen; in this position it must be {unseen}"
    if on_factories.count(encoding.NO_CHIP) != sum(map(int, fields.chips_taken)):
        yield "the chips gone from the factories are not those taken in this round"
    for seat in range(PLAYERS):
        most = CHIPS_A_ROUND * (fields.round_no - 1) + fields.chips_taken[seat]
        if RULES.chips_in(fields.chips[seat]) > most:
            yield f"seat {seat} has more than the {most} chips that it can have taken"
    revealed = False
    for factory in range(1, FACTORIES):
        tiles = bool(fields.sun[factory] or fields.pile[factory])
        face_down = fields.chip[factory] == encoding.FACE_DOWN
        revealed |= face_down and not tiles
        if tiles and not face_down:
            yield f"the chip of factory {factory} is face down while tiles lie on the factory"
    if fields.phase != encoding.PREPARE and revealed != (fields.due == encoding.DUE_CHIP):
        yield "a chip is turned up when its factory is empty, and only then"


# --- plates ---


def _plates(fields: Any) -> Iterator[str]:
    located = position.located_plates(fields)
    for plate in set(located):
        if located.count(plate) > 1:
            yield f"the plate {PLATES[plate]} is in more than one place"
    stack = [int(plate) for plate in fields.stack]
    unknown = stack[: fields.stack_count].count(encoding.UNKNOWN) + sum(map(int, fields.hand_unseen))
    if len(located) + unknown != NUM_PLATES:
        yield f"there are {len(located) + unknown} plates; there must be {NUM_PLATES}"
    if fields.unseen != position.unseen(fields):
        yield "the plates that nobody has seen are wrong"
    if any(plate != encoding.NO_PLATE for plate in stack[fields.stack_count :]):
        yield "there are plates below the stack"
    for kind, name in enumerate(KIND_NAMES):
        left = sum(plate // PLATES_OF_A_KIND == kind for plate in notation.plates_in(fields.unseen))
        if fields.hand_unseen[kind] + (stack[0] == encoding.UNKNOWN and fields.top == kind) > left:
            yield f"there are only {left} unseen {name} plates"
    if fields.stack_count == 0 and fields.top != encoding.NO_KIND:
        yield "the stack is empty, so it has no top"
    if fields.stack_count and stack[0] != encoding.UNKNOWN and fields.top != stack[0] // PLATES_OF_A_KIND:
        yield "the stack's top is of another kind"
    if notation.plates_in(fields.display)[OPEN_PLATES:]:
        yield f"more than {OPEN_PLATES} plates are open"
    if (fields.plate != encoding.NO_PLATE) != (fields.phase in (encoding.UNDER, encoding.LAY)):
        yield "a plate is in somebody's hand to be laid, or ought to be"
    yield from _hand(fields)
    yield from _display(fields)


def _hand(fields: Any) -> Iterator[str]:
    unseen = sum(map(int, fields.hand_unseen))
    count = len(notation.plates_in(fields.hand)) + unseen
    least = {encoding.DRAWING: 1, encoding.KEEP: 1 if unseen else 2, encoding.UNDER: 2}.get(fields.phase, 0)
    if count < least:
        yield f"at least {least} plates are in the hand here"
    if count and not least:
        yield "plates are in the hand only while they are drawn and put back"


def _display(fields: Any) -> Iterator[str]:
    """The display is not refilled in a round, so what it lacks was paid for with tokens."""
    lacking = OPEN_PLATES - len(notation.plates_in(fields.display))
    if fields.round_no == ROUNDS:
        used = OPEN_PLATES  # all plates have been laid
    elif _opening(fields):
        used = 1
    else:
        used = PLAYERS * TOKENS - sum(map(int, fields.tokens)) - (fields.phase in _PLATE_PHASES[:-1])
    if fields.phase != encoding.PREPARE and lacking > used:
        yield "the display lacks more plates than have been taken"


def _knowledge(fields: Any) -> Iterator[str]:
    """D-R6: plates that were put back are known to those that put them, as long as they lie there."""
    hidden = fields.hand
    for plate in fields.stack[: fields.stack_count]:
        if plate != encoding.UNKNOWN:
            hidden |= 1 << int(plate)
    if fields.known[0] | fields.known[1] != hidden:
        yield "somebody knows each plate that was put back, and nobody any other"
    if fields.phase in (encoding.KEEP, encoding.UNDER) and fields.hand & ~fields.known[fields.seat]:
        yield "who has stopped drawing knows the plates in the hand"
    if fields.phase == encoding.UNDER and fields.hand & fields.known[1 - fields.seat]:
        yield "nobody else knows in which order plates are put back"


def _plates_laid(fields: Any, seat: int) -> Iterator[str]:
    """An opening plate, then two plates in each round but the last."""
    earlier = min(fields.round_no, ROUNDS) - 1
    if _opening(fields):
        second = seat == fields.start
        done = fields.seat == fields.start and fields.phase != encoding.PREPARE
        allowed = (0, int(fields.due != encoding.NOTHING)) if second and done else (int(done and not second),)
    else:
        used = TOKENS - fields.tokens[seat] if fields.round_no < ROUNDS else 0
        allowed = (1 + TOKENS * earlier + used - (fields.phase in _PLATE_PHASES and seat == fields.seat),)
    if fields.laid[seat] not in allowed:
        yield f"seat {seat} has laid {fields.laid[seat]} plates; in this position it must be {allowed[-1]}"
    if fields.laid[seat] != sum(code > 0 for code in fields.square[seat]):
        yield f"the number of plates of seat {seat} is wrong"
    most = 0 if fields.round_no == ROUNDS or fields.phase in (*_DECORATING, encoding.ENDED) else TOKENS
    least = TOKENS if (fields.phase == encoding.PREPARE and fields.round_no < ROUNDS) or _opening(fields) else 0
    if not least <= fields.tokens[seat] <= most:
        yield f"seat {seat} has {fields.tokens[seat]} tokens; in this position there are {least} to {most}"


# --- boards ---


def _board(fields: Any, seat: int) -> Iterator[str]:
    if fields.score[seat] < 0:
        yield f"the score of seat {seat} is below 0"
    if fields.round_no == 1 and (_acquiring(fields) or fields.phase == encoding.PREPARE):
        if fields.dome[seat]:
            yield f"no tile can lie on the dome of seat {seat} yet"
        if fields.score[seat] > START_SCORE or (_opening(fields) and fields.score[seat] < START_SCORE):
            yield f"seat {seat} has {fields.score[seat]} points; nothing has been scored since the first {START_SCORE}"
        if _opening(fields) and any(fields.line_count[seat]):
            yield f"seat {seat} cannot have taken tiles yet"
    for row in range(SIZE):
        count, colour = fields.line_count[seat, row], fields.line_colour[seat, row]
        where = f"line {row + 1} of seat {seat}"
        if not 0 <= count <= row + 1:
            yield f"{where} holds {count} tiles; it has {row + 1} spaces"
        if (count == 0) != (colour == encoding.NO_COLOUR):
            yield f"{where} has tiles without a colour, or a colour without tiles"
        if count and _has_decorated(fields, seat, row):
            slots = _slots(fields, seat, row)
            if count == row + 1 and slots:
                yield f"{where} is complete and has a slot, but was not placed"
            if not slots and RULES.three_plates(fields, seat, row):
                yield f"{where} has no slot left, but was not broken"
    if fields.broken_count[seat] != _size(fields.broken[seat]) or fields.broken_count[seat] > BROKEN_SPACES:
        yield f"the broken tiles of seat {seat} are badly counted"
    if fields.broken_count[seat] and _has_decorated(fields, seat, SIZE):
        yield f"seat {seat} has decorated, but its broken tiles were not paid for"
    if fields.open[seat] != position.open_lines(fields, seat):
        yield f"the open lines of seat {seat} are wrong"


def _has_decorated(fields: Any, seat: int, row: int) -> bool:
    """Has a seat been through with a line in this round (or the last, while the next is laid out)?"""
    if fields.phase in (encoding.PREPARE, encoding.ENDED):
        return True
    if fields.phase not in _DECORATING:
        return False
    if seat == fields.seat:
        return bool(row < fields.row)
    return bool(seat == fields.start)


def _slots(fields: Any, seat: int, row: int) -> int:
    colour = fields.line_colour[seat, row]
    return int(RULES.free_slots(fields, seat, fields.dome[seat], row, colour))


def _dome(fields: Any, seat: int) -> Iterator[str]:
    dome = fields.dome[seat]
    for square in range(SQUARES):
        spaces, code = int(SQUARE_SPACES[square]), fields.square[seat, square]
        joker = fields.joker_colour[seat, square] != encoding.NO_COLOUR
        where = f"square {square + 1} of seat {seat}"
        if code == 0:
            if dome & spaces or joker:
                yield f"{where} has tiles, but no plate"
            continue
        key = 1 << int(KEY_SPACE[square, code])
        if (code - 1) // ROTATIONS < PLATES_OF_A_KIND:
            if bool(dome & key) != (dome & spaces | key == spaces) or joker:
                yield f"{where} has a special tile when its other three slots are filled, and only then"
        elif bool(dome & key) != joker:
            yield f"{where} has a tile in its joker slot without a colour, or a colour without a tile"


# --- phases ---


def _draw(fields: Any) -> Iterator[str]:
    """Which draw is awaited follows from the rest."""
    stack, drawn = fields.stack_count > 0, fields.drawn_tablets
    tablets = len(notation.sides_in(fields.tablets))
    lacking = stack and len(notation.plates_in(fields.display)) < OPEN_PLATES
    back = stack and fields.top == encoding.NO_KIND
    due, filling = encoding.NOTHING, fields.phase in (encoding.PREPARE, encoding.OPENING)
    if drawn and tablets < drawn:
        due = encoding.DUE_SIDE
        if fields.phase != encoding.PREPARE or fields.stack_count < NUM_PLATES:
            yield "the tablets are drawn before anything else"
    elif filling and lacking:
        due = encoding.DUE_PLATE
    elif back:
        due = encoding.DUE_KIND
        if not filling and fields.phase != encoding.DRAWING:
            yield "the kind of the stack's top is seen at once"
    elif fields.phase == encoding.PREPARE:
        due = encoding.DUE_TILE
    elif fields.phase == encoding.ACT and fields.due == encoding.DUE_CHIP:
        due = encoding.DUE_CHIP  # whether it is, is for the chips to say
    elif fields.phase in (encoding.KEEP, encoding.UNDER) and any(fields.hand_unseen):
        due = encoding.DUE_FRONT
    if fields.due != due:
        yield "something else is to be drawn here, or nothing"
    if due in (encoding.DUE_PLATE, encoding.DUE_KIND) and fields.stack[0] != encoding.UNKNOWN:
        yield "the top of the stack is known, so nothing is to be drawn"
    if due == encoding.DUE_KIND and sum(int(RULES.kind_ways(fields, kind)) for kind in range(2)) < 1:
        yield "no unseen plate is left for the top of the stack"


def _phase(fields: Any) -> Iterator[str]:
    phase, seat = fields.phase, fields.seat
    decorating = phase in _DECORATING
    if decorating or phase == encoding.ENDED:
        if fields.left or any(fields.tokens) or any(chip != encoding.NO_CHIP for chip in fields.chip):
            yield "tiles, chips or tokens are left, but the acquisition is over"
    if phase == encoding.ENDED and fields.round_no != ROUNDS:
        yield f"the game ends after round {ROUNDS}"
    if phase in (encoding.PREPARE, encoding.OPENING) and fields.holder != encoding.NOBODY:
        yield "nobody can have taken the start tile yet"
    if phase == encoding.PREPARE:
        yield from _preparing(fields)
    elif fields.dealt:
        yield "tiles are dealt only before a round"
    if _opening(fields) and phase != encoding.PREPARE and fields.left != TILES_DEALT:
        yield "the opening plates are taken from full factories"
    if phase == encoding.ACT and fields.due == encoding.NOTHING and not RULES.can_act(fields, seat):
        yield f"seat {seat} can do nothing, so it is not its turn"
    if phase == encoding.DRAWING and fields.due == encoding.NOTHING and not RULES.may_draw(fields, seat):
        yield f"seat {seat} cannot draw another plate, so it has stopped"
    if phase == encoding.PILE:
        if RULES.only_colour(int(fields.sun[fields.factory])) != encoding.NO_COLOUR or not fields.sun[fields.factory]:
            yield f"the pile of factory {fields.factory} leaves nothing to choose"
        piled = len(notation.pile_tiles(int(fields.pile[fields.factory])))
        if piled + _size(fields.sun[fields.factory]) >= TILES_OF_SMALL:
            yield f"nothing has been taken from factory {fields.factory}"
    elif fields.factory:
        yield "a pile is ordered outside its turn"
    if decorating:
        yield from _decorating(fields, seat, fields.row)
    elif fields.row:
        yield "a line is decorated outside the decorating"
    if phase != encoding.PAY and (fields.pay_left or fields.pay_matching or fields.pay_from):
        yield "chips are spent outside the decorating"


def _preparing(fields: Any) -> Iterator[str]:
    sizes = [_size(tiles) for tiles in fields.sun]
    dealt, past_large = sum(sizes), max(sum(sizes) - TILES_OF_LARGE, 0)
    full, part = divmod(past_large, TILES_OF_SMALL)
    small = [TILES_OF_SMALL] * full + [part] * (full < SMALL_FACTORIES) + [0] * SMALL_FACTORIES
    if sizes != [min(dealt, TILES_OF_LARGE), *small[:SMALL_FACTORIES]] or fields.moon or any(fields.pile):
        yield "factories are filled one after another, on their suns"
    if any(chip != encoding.FACE_DOWN for chip in fields.chip[1:]):
        yield "a new chip lies face down on each small factory"
    if fields.due == encoding.DUE_TILE and (dealt >= TILES_DEALT or not fields.bag):
        yield "nothing can be dealt here"
    if fields.due != encoding.DUE_TILE and dealt:
        yield "tiles are dealt after the plates"
    if fields.dealt != fields.left:
        yield "the number of tiles dealt is wrong"


def _decorating(fields: Any, seat: int, row: int) -> Iterator[str]:
    count = fields.line_count[seat, row]
    where = f"line {row + 1} of seat {seat}"
    if count == 0:
        yield f"{where} is empty, so there is nothing to choose"
        return
    colour, slots = fields.line_colour[seat, row], _slots(fields, seat, row)
    missing = row + 1 - count
    if slots == 0:
        yield f"{where} has no slot, so there is nothing to choose"
    if fields.phase == encoding.SLOT and slots.bit_count() < 2:
        yield f"{where} has no two slots to choose from"
    if fields.phase in (encoding.COMPLETING, encoding.PAY) and missing == 0:
        yield f"{where} is complete without chips"
    if fields.phase == encoding.COMPLETING and not RULES.can_pay(fields.chips[seat], colour, missing):
        yield f"seat {seat} has not the chips to complete line {row + 1}"
    if fields.phase == encoding.PAY:
        if not fields.pay_matching <= fields.pay_left <= 3 * missing or fields.pay_matching > 2 * missing:
            yield f"{where} cannot cost so many chips"
        if int(RULES.kinds_to_spend(fields)).bit_count() < 2:
            yield f"the payment for line {row + 1} leaves nothing to choose"
