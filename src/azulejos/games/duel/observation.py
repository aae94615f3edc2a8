"""What a seat sees of Azul Duel, as numbers: its own side first, and of the plates only those that it knows (D-R6)."""

import numpy as np

from azulejos.core.compiling import adopt, rule
from azulejos.core.observation import Field, ObservationSpec, seat_fields

from .. import common
from .encoding import COMPLETING, ENDED, NO_PLATE, NOBODY, PAY, SLOT, UNKNOWN
from .judgement import standing as standing
from .kernels.record import chips_of, count_of, kind_of, plate_set
from .lookups import SLOT_AT
from .tables import (
    CHIPS_A_ROUND,
    CHIPS_OF_A_KIND,
    FACTORIES,
    MOST_CHIPS,
    MOST_IN_STACK,
    NUM_CHIPS,
    NUM_COLOURS,
    NUM_PLATES,
    NUM_SIDES,
    PLAYERS,
    ROUNDS,
    SIZE,
    SLOT_NAMES,
    SMALL_FACTORIES,
    SQUARES,
    SQUARES_ACROSS,
    TILES_OF_A_COLOUR,
    TILES_OF_LARGE,
    TILES_OF_SMALL,
    TOKENS,
)

MOST_POINTS = 200
PILE = TILES_OF_SMALL - 1  # a small factory's rest, at most

BOARD = (
    Field("score", (), MOST_POINTS, "points"),
    Field("tokens", (), TOKENS, "left in this round"),
    Field("chips taken", (), CHIPS_A_ROUND, "in this round"),
    Field("chips", (NUM_CHIPS,), CHIPS_OF_A_KIND, "in store, by kind"),
    Field("broken", (NUM_COLOURS,), TILES_OF_A_COLOUR, "tiles by colour"),
    Field("line colour", (SIZE,), NUM_COLOURS, "0 where the line is empty, else 1 + colour", True),
    Field("line tiles", (SIZE,), SIZE, "tiles in each line"),
    Field("slots", (SIZE, SIZE), len(SLOT_NAMES), "of the dome: 0 no plate, 1 + colour, 6 special, 7 joker", True),
    Field("tiles", (SIZE, SIZE), 1, "1 where a tile lies on the dome"),
    Field("joker colour", (SQUARES,), NUM_COLOURS, "of the tile in the square's joker slot: 0 none, 1 + colour", True),
)
SPEC = ObservationSpec(
    (
        Field("phase", (), ENDED, "as the record counts them", True),
        Field("round", (), ROUNDS - 1, "from 0", True),
        Field("tablets", (NUM_SIDES,), 1, "1 for each side in play"),
        Field("start", (), 1, "1 if the other started the round"),
        Field("start tile", (), 2, "0 nobody has it, 1 the seat that looks, 2 the other", True),
        Field("suns", (FACTORIES, NUM_COLOURS), TILES_OF_LARGE, "tiles by colour: the large factory, the small ones"),
        Field("moon", (NUM_COLOURS,), TILES_OF_LARGE, "tiles of the large moon, by colour"),
        Field("piles", (SMALL_FACTORIES, PILE), NUM_COLOURS, "from the top: 0 nothing, 1 + colour", True),
        Field("bag", (NUM_COLOURS,), TILES_OF_A_COLOUR, "tiles by colour"),
        Field("tower", (NUM_COLOURS,), TILES_OF_A_COLOUR, "tiles by colour"),
        Field("chips", (SMALL_FACTORIES,), NUM_CHIPS + 1, "on the factories: 0 none, 1 face down, 2 + kind", True),
        Field("chips unseen", (NUM_CHIPS,), CHIPS_OF_A_KIND, "by kind"),
        Field("display", (NUM_PLATES,), 1, "1 for each open plate"),
        Field("hand", (NUM_PLATES,), 1, "1 for each plate drawn in this turn that the seat has seen"),
        Field("hand unseen", (2,), NUM_PLATES, "the other plates drawn in this turn, by kind"),
        Field("unseen", (NUM_PLATES,), 1, "1 for each plate of which the seat does not know where it is"),
        Field("stack", (MOST_IN_STACK,), NUM_PLATES + 1, "from the top: 0 nothing, 1 unknown, 2 + plate", True),
        Field("top", (), 2, "the kind of the stack's top: 0 none, 1 special, 2 joker", True),
        Field("plate", (), NUM_PLATES, "to be laid: 0 none, 1 + plate", True),
        Field("factory", (), SMALL_FACTORIES, "whose pile is built, or 0", True),
        Field("line", (), SIZE, "that is decorated, from 1; else 0", True),
        Field("to pay", (), MOST_CHIPS, "chips still to be spent"),
        Field("to match", (), MOST_CHIPS, "how many of them at least must show the line's colour"),
        Field("pay from", (), NUM_CHIPS - 1, "the kind of chip spent last", True),
        *seat_fields(("own", "other"), BOARD),
    )
)

note_tiles = adopt(common.note_tiles, __name__, NUM_COLOURS=NUM_COLOURS, count_of=count_of)


@rule
def observe(state, seat, out):
    out[0] = state.phase
    out[1] = state.round_no - 1
    at = 2
    for side in range(NUM_SIDES):
        out[at + side] = state.tablets >> side & 1
    at += NUM_SIDES
    out[at] = 0 if state.start == seat else 1
    out[at + 1] = 0 if state.holder == NOBODY else 1 if state.holder == seat else 2
    at += 2
    for factory in range(FACTORIES):
        at = note_tiles(state.sun[factory], at, out)
    at = note_tiles(state.moon, at, out)
    for factory in range(1, FACTORIES):
        for k in range(PILE):
            out[at] = state.pile[factory] >> 3 * k & 7
            at += 1
    at = note_tiles(state.bag, at, out)
    at = note_tiles(state.tower, at, out)
    for factory in range(1, FACTORIES):
        out[at] = state.chip[factory] + 2
        at += 1
    at = note_chips(state.supply, at, out)
    at = note_plates(state, seat, at, out)
    decorating = state.phase == COMPLETING or state.phase == PAY or state.phase == SLOT
    out[at] = state.plate - NO_PLATE
    out[at + 1] = state.factory
    out[at + 2] = state.row + 1 if decorating else 0
    out[at + 3] = state.pay_left
    out[at + 4] = state.pay_matching
    out[at + 5] = state.pay_from
    at += 6
    for k in range(PLAYERS):
        at = note_board(state, seat if k == 0 else 1 - seat, at, out)


@rule
def note_plates(state, seat, at, out):
    """The display, the hand, and the stack as far as the seat knows them."""
    display, hand, unseen = at, at + NUM_PLATES, at + 2 * NUM_PLATES + 2
    known = np.int64(state.known[seat])
    out[hand + NUM_PLATES] = state.hand_unseen[0]
    out[hand + NUM_PLATES + 1] = state.hand_unseen[1]
    for plate in range(NUM_PLATES):
        out[display + plate] = state.display >> plate & 1
        out[unseen + plate] = state.unseen >> plate & 1
        out[hand + plate] = 0
        if state.hand >> plate & 1:
            if known & plate_set(plate):
                out[hand + plate] = 1
            else:
                out[hand + NUM_PLATES + kind_of(plate)] += 1
                out[unseen + plate] = 1
    at = unseen + NUM_PLATES
    for k in range(MOST_IN_STACK):
        out[at + k] = 0
        if k < state.stack_count:
            plate = np.int64(state.stack[k])
            if plate == UNKNOWN:
                out[at + k] = 1
            elif known & plate_set(plate):
                out[at + k] = 2 + plate
            else:
                out[at + k] = 1
                out[unseen + plate] = 1
    at += MOST_IN_STACK
    out[at] = state.top + 1
    return at + 1


@rule
def note_chips(chips, at, out):
    for kind in range(NUM_CHIPS):
        out[at + kind] = chips_of(chips, kind)
    return at + NUM_CHIPS


@rule
def note_board(state, seat, at, out):
    out[at] = min(np.int64(state.score[seat]), MOST_POINTS)
    out[at + 1] = state.tokens[seat]
    out[at + 2] = state.chips_taken[seat]
    at = note_chips(state.chips[seat], at + 3, out)
    at = note_tiles(state.broken[seat], at, out)
    for row in range(SIZE):
        out[at + row] = state.line_colour[seat, row] + 1
        out[at + SIZE + row] = state.line_count[seat, row]
    at += 2 * SIZE
    for row in range(SIZE):
        for column in range(SIZE):
            code = np.int64(state.square[seat, row // 2 * SQUARES_ACROSS + column // 2])
            out[at + SIZE * row + column] = SLOT_AT[code, row % 2, column % 2] + 1
            out[at + SIZE * SIZE + SIZE * row + column] = state.dome[seat] >> SIZE * row + column & 1
    at += 2 * SIZE * SIZE
    for square in range(SQUARES):
        out[at + square] = state.joker_colour[seat, square] + 1
    return at + SQUARES
