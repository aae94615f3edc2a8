"""The things on a board whose sums are the patterns of the network."""

import numpy as np

from azulejos.core.compiling import rule

from ..encoding import SPECIAL_CODES
from ..kernels.decorating import can_pay, free_slots
from ..kernels.ending import colours_in_row, empty_slots, slots_of
from ..kernels.record import bits_in, chips_in, chips_of, count_of, square_of, tiles_in
from ..lookups import COLUMN_MASK, DIAGONAL_MASKS, KEY_SPACE, RING_MASK, ROW_MASK, SLOT_AT, SQUARE_SPACES
from ..tables import (
    COLUMNS,
    CORNER_PLATES,
    DIAGONALS,
    EMPTY_SPECIALS,
    JOKER,
    JOKER_SLOT,
    JOKERS,
    NUM_CHIPS,
    NUM_COLOURS,
    NUM_SIDES,
    RING,
    ROUNDS,
    ROW_COLOURS,
    ROWS,
    SIZE,
    SPECIAL,
    SPECIAL_SLOT,
    SQUARES,
    SQUARES_ACROSS,
    TILES_DEALT,
)
from .spaces import exchanged, points_between

CHAPTERS = ROUNDS - 1  # rounds 2 to 5

# Found in the same games: [1 + things, patterns]. The things: spaces with a tile, free slots by what they take, lines
# by what they hold, the tablets, who starts, the lead, the round, and the chips.
SLOTS = NUM_COLOURS + 2  # what a slot may be
SLOT_THINGS = 1 + SIZE * SIZE
LINE_THINGS = SLOT_THINGS + SIZE * SIZE * SLOTS
TABLET_THINGS = LINE_THINGS + NUM_COLOURS * SIZE * (SIZE - 1) // 2
STARTING = TABLET_THINGS + NUM_SIDES
LEADING, LEADS, LEAD_STEP = STARTING + 1, 25, 4  # classes of the lead, and points a class
BEGINNING = LEADING + LEADS  # the round
CHIPS_HELD, MOST_CHIPS = BEGINNING + CHAPTERS, 10

# Also: lines by the tiles missing, whether they have a slot, and how much of the colour may come; free slots of rows
# whose line is empty; how far the tablets in play are, and what the last spaces of columns, rows and diagonals need;
# special plates; lines that the chips complete; chips by kind; tiles that may come, by colour.
COMING = 9  # classes of how many tiles of a colour may come: none, less than one, one, …, seven or more
NEED = SIZE * (COMING + 8)
BEGUN = 3  # tiles from which a row or column is listed
LINES_TO_FILL = CHIPS_HELD + MOST_CHIPS + 1
SLOTS_TO_FILL = LINES_TO_FILL + SIZE * SIZE * 2 * COMING
JOKERS_TO_FILL = SLOTS_TO_FILL + SIZE * COMING * 4
ROW_TILES = JOKERS_TO_FILL + SIZE * 4
COLUMN_TILES = ROW_TILES + SIZE * (SIZE + 1)
DIAGONAL_TILES = COLUMN_TILES + SIZE * (SIZE + 1)
NEEDS = DIAGONAL_TILES + SIZE + 1  # the last of a column, the last two; of a row; of a diagonal, the last two
JOKERS_LEFT = NEEDS + 5 * NEED
HUES = JOKERS_LEFT + (SQUARES + 1) ** 2
RING_TILES = HUES + SIZE * (SIZE + 1) * 4
CORNER_TILES = RING_TILES + 21
SPECIALS_LEFT = CORNER_TILES + 4 * 6
SPECIALS_BY_ROW = SPECIALS_LEFT + SQUARES + 1
LINES_TO_PAY = SPECIALS_BY_ROW + SIZE * 3 * 2
CHIP_KINDS = LINES_TO_PAY + SIZE * SIZE
COLOURS_COMING = CHIP_KINDS + 2 * NUM_CHIPS
THINGS = COLOURS_COMING + NUM_COLOURS * COMING - 1


@rule
def list_things(state, seat, out):
    count = 0
    dome = np.int64(state.dome[seat])
    for row in range(SIZE):
        for column in range(SIZE):
            space = SIZE * row + column
            code = np.int64(state.square[seat, square_of(row, column)])
            if dome >> space & 1:
                out[count] = 1 + space
                count += 1
            elif code > 0:
                out[count] = SLOT_THINGS + SLOTS * space + SLOT_AT[code, row % 2, column % 2]
                count += 1
    for row in range(1, SIZE):
        held = np.int64(state.line_count[seat, row])
        if held > 0:
            shorter = NUM_COLOURS * row * (row - 1) // 2
            out[count] = LINE_THINGS + shorter + row * np.int64(state.line_colour[seat, row]) + min(held, row) - 1
            count += 1
    for side in range(NUM_SIDES):
        if state.tablets >> side & 1:
            out[count] = TABLET_THINGS + side
            count += 1
    if state.start == seat:
        out[count] = STARTING
        count += 1
    lead = np.int64(state.score[seat]) - np.int64(state.score[1 - seat])
    out[count] = LEADING + min(max(lead // LEAD_STEP + LEADS // 2, 0), LEADS - 1)
    out[count + 1] = BEGINNING + min(max(np.int64(state.round_no) - 2, 0), CHAPTERS - 1)
    out[count + 2] = CHIPS_HELD + min(chips_in(np.int64(state.chips[seat])), MOST_CHIPS)
    classes = np.int64(0)  # of what may come, four bits a colour
    for colour in range(NUM_COLOURS):
        classes |= class_of_coming(state, colour) << 4 * colour
    count = list_lines(state, seat, dome, classes, out, count + 3)
    count = list_plates(state, seat, dome, classes, out, count)
    return list_tablets(state, seat, dome, classes, out, count)


@rule
def class_of_coming(state, colour):
    """How many tiles of a colour the next deal brings, in the mean, as a class of COMING."""
    inside, of_colour = np.int64(tiles_in(state.bag)), np.int64(count_of(state.bag, colour))
    if inside >= TILES_DEALT:
        return min(1 + TILES_DEALT * of_colour // inside, COMING - 1) if of_colour > 0 else 0
    more, poured = np.int64(count_of(state.tower, colour)), np.int64(tiles_in(state.tower))
    if of_colour + more == 0:
        return 0
    return min(1 + of_colour + (TILES_DEALT - inside) * more // max(poured, TILES_DEALT - inside), COMING - 1)


@rule
def list_lines(state, seat, dome, classes, out, count):
    """Lines by what they need; chips by kind; what may come."""
    chips = np.int64(state.chips[seat])
    for row in range(SIZE):
        held = np.int64(state.line_count[seat, row])
        if held > 0:
            colour, missing = np.int64(state.line_colour[seat, row]), row + 1 - held
            free = 1 if free_slots(state, seat, dome, row, colour) != 0 else 0
            coming = classes >> 4 * colour & 15
            out[count] = LINES_TO_FILL + ((row * SIZE + missing) * 2 + free) * COMING + coming
            count += 1
            if free and missing > 0 and can_pay(chips, colour, missing):
                out[count] = LINES_TO_PAY + SIZE * row + missing
                count += 1
    for chip in range(NUM_CHIPS):
        held = np.int64(chips_of(chips, chip))
        if held > 0:
            out[count] = CHIP_KINDS + 2 * chip + min(held, 2) - 1
            count += 1
    for colour in range(NUM_COLOURS):
        out[count] = COLOURS_COMING + COMING * colour + (classes >> 4 * colour & 15)
        count += 1
    return count


@rule
def list_plates(state, seat, dome, classes, out, count):
    """Special plates without their special tile; free slots of rows whose line is empty."""
    turned = exchanged(dome)
    costly = np.int64(state.tablets) >> EMPTY_SPECIALS & 1
    for square in range(SQUARES):
        code = np.int64(state.square[seat, square])
        free = SQUARE_SPACES[square] & ~dome
        if code == 0 or free == 0:
            continue
        key = KEY_SPACE[square, code]
        if code <= SPECIAL_CODES:
            free &= ~(np.int64(1) << key)
            out[count] = SPECIALS_BY_ROW + (key // SIZE * 3 + 3 - min(bits_in(free), 3)) * 2 + costly
            count += 1
        for corner in range(4):
            row = square // SQUARES_ACROSS * 2 + corner // 2
            column = square % SQUARES_ACROSS * 2 + corner % 2
            space = SIZE * row + column
            if free >> space & 1 and state.line_count[seat, row] == 0:
                points = min(points_between(dome, turned, row, column) // 2, 3)
                if space == key:
                    out[count] = JOKERS_TO_FILL + 4 * row + points
                else:
                    coming = classes >> 4 * SLOT_AT[code, corner // 2, corner % 2] & 15
                    out[count] = SLOTS_TO_FILL + (row * COMING + coming) * 4 + points
                count += 1
    return count


@rule
def list_tablets(state, seat, dome, classes, out, count):
    """How far each tablet in play is."""
    tablets = np.int64(state.tablets)
    for k in range(SIZE):
        if tablets >> ROWS & 1:
            tiles = bits_in(dome >> SIZE * k & ROW_MASK)
            if tiles >= BEGUN:
                out[count] = ROW_TILES + (SIZE + 1) * k + tiles
                count += 1
            if tiles == SIZE - 1:
                count = list_needs(state, seat, dome, np.int64(ROW_MASK) << SIZE * k, classes, 2, out, count)
        if tablets >> COLUMNS & 1:
            tiles = bits_in(dome >> k & COLUMN_MASK)
            if tiles >= BEGUN:
                out[count] = COLUMN_TILES + (SIZE + 1) * k + tiles
                count += 1
            if SIZE - 2 <= tiles < SIZE:
                kind = SIZE - 1 - tiles
                count = list_needs(state, seat, dome, np.int64(COLUMN_MASK) << k, classes, kind, out, count)
        if tablets >> ROW_COLOURS & 1:
            hues = colours_in_row(state, seat, k)
            reach = 0
            for colour in range(NUM_COLOURS):
                if hues >> colour & 1 == 0 and free_slots(state, seat, dome, k, colour) != 0:
                    reach += 1
            out[count] = HUES + (k * (SIZE + 1) + bits_in(hues)) * 4 + min(reach, 3)
            count += 1
    if tablets >> DIAGONALS & 1:
        for k in range(2):
            tiles = bits_in(dome & DIAGONAL_MASKS[k])
            out[count] = DIAGONAL_TILES + tiles
            count += 1
            if SIZE - 2 <= tiles < SIZE:
                count = list_needs(state, seat, dome, DIAGONAL_MASKS[k], classes, 2 + SIZE - tiles, out, count)
    if tablets >> JOKERS & 1:
        left = empty_slots(state, seat, JOKER)
        out[count] = JOKERS_LEFT + left * (SQUARES + 1) + slots_of(state, seat, JOKER)
        count += 1
    if tablets >> RING & 1:
        out[count] = RING_TILES + bits_in(dome & RING_MASK)
        count += 1
    if tablets >> CORNER_PLATES & 1:
        for corner in range(4):
            square = corner // 2 * (SQUARES - SQUARES_ACROSS) + corner % 2 * (SQUARES_ACROSS - 1)
            if state.square[seat, square] > 0:
                out[count] = CORNER_TILES + 6 * corner + bits_in(dome & SQUARE_SPACES[square])
                count += 1
    if tablets >> EMPTY_SPECIALS & 1:
        out[count] = SPECIALS_LEFT + empty_slots(state, seat, SPECIAL)
        count += 1
    return count


@rule
def list_needs(state, seat, dome, spaces, classes, kind, out, count):
    """What each empty one of a set of spaces needs: a plate, the rest of its plate, any tile, tiles of a colour of
    which some are missing or which may come, or another line first."""
    for space in range(SIZE * SIZE):
        if (spaces & ~dome) >> space & 1:
            row, column = space // SIZE, space % SIZE
            code = np.int64(state.square[seat, square_of(row, column)])
            need = 0
            if code > 0:
                slot = SLOT_AT[code, row % 2, column % 2]
                held = np.int64(state.line_count[seat, row])
                if slot == SPECIAL_SLOT:
                    need = 1
                elif held > 0 and (slot == JOKER_SLOT or slot == np.int64(state.line_colour[seat, row])):
                    need = 4 + min(row + 1 - held, 3)
                elif held > 0:
                    need = 3
                elif slot == JOKER_SLOT:
                    need = 2
                else:
                    need = 8 + (classes >> 4 * slot & 15)
            out[count] = NEEDS + kind * NEED + row * (COMING + 8) + need
            count += 1
    return count
