"""What makes a position of Azul Duel possible: everything that is counted, and everything that a phase implies.

Whatever is played from a position without a fault here leads to positions without a fault.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from . import notation, position
from .kernels import record as K
from .kernels.tables import KEY_SPACE, SQUARE_SPACES
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
_PLATE_PHASES = (K.DRAWING, K.KEEP, K.UNDER, K.LAY)
_DECORATING = (K.COMPLETING, K.PAY, K.SLOT)


def impossibilities(record: Any) -> Iterator[str]:
    """Everything that is wrong with a position, in words."""
    for seat in range(PLAYERS):
        yield from _dome(record, seat)
        yield from _plates_laid(record, seat)
        yield from _board(record, seat)
    yield from _tiles(record)
    yield from _factories(record)
    yield from _chips(record)
    yield from _plates(record)
    yield from _knowledge(record)
    yield from _draw(record)
    yield from _phase(record)


def _opening(record: Any) -> bool:
    """Are the opening plates still to be laid?"""
    if record.round_no > 1:
        return False
    return bool(record.phase in (K.PREPARE, K.OPENING) or (record.phase == K.LAY and not record.laid[record.seat]))


def _acquiring(record: Any) -> bool:
    return bool(record.phase not in (K.PREPARE, K.ENDED, *_DECORATING))


def _size(tiles: Any) -> int:
    return int(RULES.tiles_in(int(tiles)))


# --- tiles ---


def _tiles(record: Any) -> Iterator[str]:
    on_domes = Counter(tile for seat in range(PLAYERS) for tile in _tiles_on_dome(record, seat))
    for colour, name in enumerate(COLOURS):
        places = (*record.sun, record.moon, record.bag, record.tower, *record.broken)
        count = sum(int(RULES.count_of(int(tiles), colour)) for tiles in places)
        count += sum(notation.pile_tiles(int(pile)).count(colour) for pile in record.pile)
        count += on_domes[colour] + int(sum(record.line_count[record.line_colour == colour]))
        if count != TILES_OF_A_COLOUR:
            yield f"there are {count} {name} tiles; there must be {TILES_OF_A_COLOUR}"
    if on_domes[SPECIAL_SLOT] > PLATES_OF_A_KIND:
        yield f"there are only {PLATES_OF_A_KIND} special tiles"
    if record.left != position.tiles_left(record):
        yield "the number of tiles left to take is wrong"


def _tiles_on_dome(record: Any, seat: int) -> list[int | None]:
    """The colours of the tiles on a dome; SPECIAL_SLOT for special tiles, None where none lies."""
    corners = [(square, corner) for square in range(SQUARES) for corner in range(ROTATIONS)]
    return [position.tile_at(record, seat, square, corner) for square, corner in corners]


def _factories(record: Any) -> Iterator[str]:
    full = (TILES_OF_LARGE, *[TILES_OF_SMALL] * SMALL_FACTORIES)
    suns = [_size(tiles) for tiles in record.sun]
    piles = [len(notation.pile_tiles(int(pile))) for pile in record.pile]
    for factory in range(FACTORIES):
        where = f"factory {factory}" if factory else "the large factory"
        if suns[factory] > full[factory] or piles[factory] >= full[factory]:
            yield f"{where} holds more tiles than it is dealt"
        piling = record.phase == K.PILE and factory == record.factory
        if piles[factory] and suns[factory] and not piling:
            yield f"{where} has tiles on sun and moon at once"
        if _acquiring(record) and record.bag and suns[factory] not in (0, full[factory]) and not piling:
            yield f"{where} was not filled, though the bag is not empty"
    if piles[LARGE] or _size(record.moon) >= TILES_OF_LARGE:
        yield "the large moon holds more tiles than can be left there"
    if record.sun[LARGE] and (record.moon or record.holder != K.NOBODY):
        yield "the large factory has tiles on its sun, so its moon has nothing but the start tile"
    if _acquiring(record) and record.holder == K.NOBODY and not record.sun[LARGE] and not record.moon and record.left:
        yield "the large factory is empty, but nobody has taken the start tile"
    if suns[LARGE] == TILES_OF_LARGE and (colour := RULES.only_colour(int(record.sun[LARGE]))) != K.NO_COLOUR:
        others = [record.bag, *record.sun] + ([record.tower] if record.phase == K.PREPARE else [])
        mixed = any(_size(tiles) != RULES.count_of(int(tiles), colour) for tiles in others)
        if mixed or any(set(notation.pile_tiles(int(pile))) - {colour} for pile in record.pile):
            yield "the large factory is of one colour, though it could have been drawn again"


# --- chips ---


def _chips(record: Any) -> Iterator[str]:
    on_factories = [int(chip) for chip in record.chip[1:]]
    for kind, name in enumerate(CHIPS):
        stores = sum(int(RULES.chips_of(int(chips), kind)) for chips in (record.supply, *record.chips))
        if stores + on_factories.count(kind) > CHIPS_OF_A_KIND:
            yield f"there are more than {CHIPS_OF_A_KIND} chips of the kind {name}"
    unseen = CHIPS_IN_ALL - SMALL_FACTORIES * int(record.round_no) + on_factories.count(K.FACE_DOWN)
    if RULES.chips_in(int(record.supply)) != unseen:
        yield f"{RULES.chips_in(int(record.supply))} chips have not been seen; in this position it must be {unseen}"
    if on_factories.count(K.NO_CHIP) != sum(map(int, record.chips_taken)):
        yield "the chips gone from the factories are not those taken in this round"
    for seat in range(PLAYERS):
        most = CHIPS_A_ROUND * (int(record.round_no) - 1) + int(record.chips_taken[seat])
        if RULES.chips_in(int(record.chips[seat])) > most:
            yield f"seat {seat} has more than the {most} chips that it can have taken"
    revealed = False
    for factory in range(1, FACTORIES):
        tiles = bool(record.sun[factory] or record.pile[factory])
        face_down = record.chip[factory] == K.FACE_DOWN
        revealed |= face_down and not tiles
        if tiles and not face_down:
            yield f"the chip of factory {factory} is face down while tiles lie on the factory"
    if record.phase != K.PREPARE and revealed != (record.due == K.DUE_CHIP):
        yield "a chip is turned up when its factory is empty, and only then"


# --- plates ---


def _plates(record: Any) -> Iterator[str]:
    located = position.located_plates(record)
    for plate in set(located):
        if located.count(plate) > 1:
            yield f"the plate {PLATES[plate]} is in more than one place"
    stack = [int(plate) for plate in record.stack]
    unknown = stack[: int(record.stack_count)].count(K.UNKNOWN) + sum(map(int, record.hand_unseen))
    if len(located) + unknown != NUM_PLATES:
        yield f"there are {len(located) + unknown} plates; there must be {NUM_PLATES}"
    if record.unseen != position.unseen(record):
        yield "the plates that nobody has seen are wrong"
    if any(plate != K.NO_PLATE for plate in stack[int(record.stack_count) :]):
        yield "there are plates below the stack"
    for kind, name in enumerate(KIND_NAMES):
        left = sum(plate // PLATES_OF_A_KIND == kind for plate in notation.plates_in(record.unseen))
        if int(record.hand_unseen[kind]) + (stack[0] == K.UNKNOWN and record.top == kind) > left:
            yield f"there are only {left} unseen {name} plates"
    if record.stack_count == 0 and record.top != K.NO_KIND:
        yield "the stack is empty, so it has no top"
    if record.stack_count and stack[0] != K.UNKNOWN and record.top != stack[0] // PLATES_OF_A_KIND:
        yield "the stack's top is of another kind"
    if notation.plates_in(record.display)[OPEN_PLATES:]:
        yield f"more than {OPEN_PLATES} plates are open"
    if (record.plate != K.NO_PLATE) != (record.phase in (K.UNDER, K.LAY)):
        yield "a plate is in somebody's hand to be laid, or ought to be"
    yield from _hand(record)
    yield from _display(record)


def _hand(record: Any) -> Iterator[str]:
    unseen = sum(map(int, record.hand_unseen))
    count = len(notation.plates_in(record.hand)) + unseen
    least = {K.DRAWING: 1, K.KEEP: 1 if unseen else 2, K.UNDER: 2}.get(int(record.phase), 0)
    if count < least:
        yield f"at least {least} plates are in the hand here"
    if count and not least:
        yield "plates are in the hand only while they are drawn and put back"


def _display(record: Any) -> Iterator[str]:
    """The display is not refilled in a round, so what it lacks was paid for with tokens."""
    lacking = OPEN_PLATES - len(notation.plates_in(record.display))
    if record.round_no == ROUNDS:
        used = OPEN_PLATES  # all plates have been laid
    elif _opening(record):
        used = 1
    else:
        used = PLAYERS * TOKENS - sum(map(int, record.tokens)) - (record.phase in _PLATE_PHASES[:-1])
    if record.phase != K.PREPARE and lacking > used:
        yield "the display lacks more plates than have been taken"


def _knowledge(record: Any) -> Iterator[str]:
    """D-R6: plates that were put back are known to those that put them, as long as they lie there."""
    hidden = int(record.hand)
    for plate in record.stack[: record.stack_count]:
        if plate != K.UNKNOWN:
            hidden |= 1 << int(plate)
    if record.known[0] | record.known[1] != hidden:
        yield "somebody knows each plate that was put back, and nobody any other"
    if record.phase in (K.KEEP, K.UNDER) and record.hand & ~record.known[record.seat]:
        yield "who has stopped drawing knows the plates in the hand"
    if record.phase == K.UNDER and record.hand & record.known[1 - record.seat]:
        yield "nobody else knows in which order plates are put back"


def _plates_laid(record: Any, seat: int) -> Iterator[str]:
    """An opening plate, then two plates in each round but the last."""
    earlier = min(int(record.round_no), ROUNDS) - 1
    if _opening(record):
        second = seat == record.start
        done = record.seat == record.start and record.phase != K.PREPARE
        allowed = (0, int(record.due != K.NOTHING)) if second and done else (int(done and not second),)
    else:
        used = TOKENS - int(record.tokens[seat]) if record.round_no < ROUNDS else 0
        allowed = (1 + TOKENS * earlier + used - (record.phase in _PLATE_PHASES and seat == record.seat),)
    if record.laid[seat] not in allowed:
        yield f"seat {seat} has laid {record.laid[seat]} plates; in this position it must be {allowed[-1]}"
    if record.laid[seat] != sum(code > 0 for code in record.square[seat]):
        yield f"the number of plates of seat {seat} is wrong"
    most = 0 if record.round_no == ROUNDS or record.phase in (*_DECORATING, K.ENDED) else TOKENS
    least = TOKENS if (record.phase == K.PREPARE and record.round_no < ROUNDS) or _opening(record) else 0
    if not least <= record.tokens[seat] <= most:
        yield f"seat {seat} has {record.tokens[seat]} tokens; in this position there are {least} to {most}"


# --- boards ---


def _board(record: Any, seat: int) -> Iterator[str]:
    if record.score[seat] < 0:
        yield f"the score of seat {seat} is below 0"
    if record.round_no == 1 and (_acquiring(record) or record.phase == K.PREPARE):
        if record.dome[seat]:
            yield f"no tile can lie on the dome of seat {seat} yet"
        if record.score[seat] > START_SCORE or (_opening(record) and record.score[seat] < START_SCORE):
            yield f"seat {seat} has {record.score[seat]} points; nothing has been scored since the first {START_SCORE}"
        if _opening(record) and any(record.line_count[seat]):
            yield f"seat {seat} cannot have taken tiles yet"
    for row in range(SIZE):
        count, colour = record.line_count[seat, row], record.line_colour[seat, row]
        where = f"line {row + 1} of seat {seat}"
        if not 0 <= count <= row + 1:
            yield f"{where} holds {count} tiles; it has {row + 1} spaces"
        if (count == 0) != (colour == K.NO_COLOUR):
            yield f"{where} has tiles without a colour, or a colour without tiles"
        if count and _has_decorated(record, seat, row):
            slots = _slots(record, seat, row)
            if count == row + 1 and slots:
                yield f"{where} is complete and has a slot, but was not placed"
            if not slots and RULES.three_plates(record, seat, row):
                yield f"{where} has no slot left, but was not broken"
    if record.broken_count[seat] != _size(record.broken[seat]) or record.broken_count[seat] > BROKEN_SPACES:
        yield f"the broken tiles of seat {seat} are badly counted"
    if record.broken_count[seat] and _has_decorated(record, seat, SIZE):
        yield f"seat {seat} has decorated, but its broken tiles were not paid for"
    if record.open[seat] != position.open_lines(record, seat):
        yield f"the open lines of seat {seat} are wrong"


def _has_decorated(record: Any, seat: int, row: int) -> bool:
    """Has a seat been through with a line in this round (or the last, while the next is laid out)?"""
    if record.phase in (K.PREPARE, K.ENDED):
        return True
    if record.phase not in _DECORATING:
        return False
    if seat == record.seat:
        return bool(row < record.row)
    return bool(seat == record.start)


def _slots(record: Any, seat: int, row: int) -> int:
    colour = int(record.line_colour[seat, row])
    return int(RULES.free_slots(record, seat, int(record.dome[seat]), row, colour))


def _dome(record: Any, seat: int) -> Iterator[str]:
    dome = int(record.dome[seat])
    for square in range(SQUARES):
        spaces, code = int(SQUARE_SPACES[square]), int(record.square[seat, square])
        joker = record.joker_colour[seat, square] != K.NO_COLOUR
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


def _draw(record: Any) -> Iterator[str]:
    """Which draw is awaited follows from the rest."""
    stack, drawn = record.stack_count > 0, int(record.drawn_tablets)
    tablets = len(notation.sides_in(int(record.tablets)))
    lacking = stack and len(notation.plates_in(record.display)) < OPEN_PLATES
    back = stack and record.top == K.NO_KIND
    due, filling = K.NOTHING, record.phase in (K.PREPARE, K.OPENING)
    if drawn and tablets < drawn:
        due = K.DUE_SIDE
        if record.phase != K.PREPARE or record.stack_count < NUM_PLATES:
            yield "the tablets are drawn before anything else"
    elif filling and lacking:
        due = K.DUE_PLATE
    elif back:
        due = K.DUE_KIND
        if not filling and record.phase != K.DRAWING:
            yield "the kind of the stack's top is seen at once"
    elif record.phase == K.PREPARE:
        due = K.DUE_TILE
    elif record.phase == K.ACT and record.due == K.DUE_CHIP:
        due = K.DUE_CHIP  # whether it is, is for the chips to say
    elif record.phase in (K.KEEP, K.UNDER) and any(record.hand_unseen):
        due = K.DUE_FRONT
    if record.due != due:
        yield "something else is to be drawn here, or nothing"
    if due in (K.DUE_PLATE, K.DUE_KIND) and record.stack[0] != K.UNKNOWN:
        yield "the top of the stack is known, so nothing is to be drawn"
    if due == K.DUE_KIND and sum(int(RULES.kind_ways(record, kind)) for kind in range(2)) < 1:
        yield "no unseen plate is left for the top of the stack"


def _phase(record: Any) -> Iterator[str]:
    phase, seat = int(record.phase), int(record.seat)
    decorating = phase in _DECORATING
    if decorating or phase == K.ENDED:
        if record.left or any(record.tokens) or any(chip != K.NO_CHIP for chip in record.chip):
            yield "tiles, chips or tokens are left, but the acquisition is over"
    if phase == K.ENDED and record.round_no != ROUNDS:
        yield f"the game ends after round {ROUNDS}"
    if phase in (K.PREPARE, K.OPENING) and record.holder != K.NOBODY:
        yield "nobody can have taken the start tile yet"
    if phase == K.PREPARE:
        yield from _preparing(record)
    elif record.dealt:
        yield "tiles are dealt only before a round"
    if _opening(record) and phase != K.PREPARE and record.left != TILES_DEALT:
        yield "the opening plates are taken from full factories"
    if phase == K.ACT and record.due == K.NOTHING and not RULES.can_act(record, seat):
        yield f"seat {seat} can do nothing, so it is not its turn"
    if phase == K.DRAWING and record.due == K.NOTHING and not RULES.may_draw(record, seat):
        yield f"seat {seat} cannot draw another plate, so it has stopped"
    if phase == K.PILE:
        if RULES.only_colour(int(record.sun[record.factory])) != K.NO_COLOUR or not record.sun[record.factory]:
            yield f"the pile of factory {record.factory} leaves nothing to choose"
        piled = len(notation.pile_tiles(int(record.pile[record.factory])))
        if piled + _size(record.sun[record.factory]) >= TILES_OF_SMALL:
            yield f"nothing has been taken from factory {record.factory}"
    elif record.factory:
        yield "a pile is ordered outside its turn"
    if decorating:
        yield from _decorating(record, seat, int(record.row))
    elif record.row:
        yield "a line is decorated outside the decorating"
    if phase != K.PAY and (record.pay_left or record.pay_matching or record.pay_from):
        yield "chips are spent outside the decorating"


def _preparing(record: Any) -> Iterator[str]:
    sizes = [_size(tiles) for tiles in record.sun]
    dealt, past_large = sum(sizes), max(sum(sizes) - TILES_OF_LARGE, 0)
    full, part = divmod(past_large, TILES_OF_SMALL)
    small = [TILES_OF_SMALL] * full + [part] * (full < SMALL_FACTORIES) + [0] * SMALL_FACTORIES
    if sizes != [min(dealt, TILES_OF_LARGE), *small[:SMALL_FACTORIES]] or record.moon or any(record.pile):
        yield "factories are filled one after another, on their suns"
    if any(chip != K.FACE_DOWN for chip in record.chip[1:]):
        yield "a new chip lies face down on each small factory"
    if record.due == K.DUE_TILE and (dealt >= TILES_DEALT or not record.bag):
        yield "nothing can be dealt here"
    if record.due != K.DUE_TILE and dealt:
        yield "tiles are dealt after the plates"
    if record.dealt != record.left:
        yield "the number of tiles dealt is wrong"


def _decorating(record: Any, seat: int, row: int) -> Iterator[str]:
    count = int(record.line_count[seat, row])
    where = f"line {row + 1} of seat {seat}"
    if count == 0:
        yield f"{where} is empty, so there is nothing to choose"
        return
    colour, slots = int(record.line_colour[seat, row]), _slots(record, seat, row)
    missing = row + 1 - count
    if slots == 0:
        yield f"{where} has no slot, so there is nothing to choose"
    if record.phase == K.SLOT and slots.bit_count() < 2:
        yield f"{where} has no two slots to choose from"
    if record.phase in (K.COMPLETING, K.PAY) and missing == 0:
        yield f"{where} is complete without chips"
    if record.phase == K.COMPLETING and not RULES.can_pay(int(record.chips[seat]), colour, missing):
        yield f"seat {seat} has not the chips to complete line {row + 1}"
    if record.phase == K.PAY:
        if not record.pay_matching <= record.pay_left <= 3 * missing or record.pay_matching > 2 * missing:
            yield f"{where} cannot cost so many chips"
        if int(RULES.kinds_to_spend(record)).bit_count() < 2:
            yield f"the payment for line {row + 1} leaves nothing to choose"
