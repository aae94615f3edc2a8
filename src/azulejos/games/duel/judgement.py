"""How the searching player judges Azul Duel: what counts between two rounds, and how an action looks at a glance."""

from typing import Any

import numpy as np

from azulejos.core.compiling import adopt, rule
from azulejos.core.features import Features
from azulejos.core.network import Networks

from .. import common
from ..common import stage as stage
from .encoding import (
    ACT,
    BROKEN,
    CHIP_ACTIONS,
    COMPLETING,
    DRAW_ACTION,
    DRAWING,
    KEEP,
    LAY,
    LAY_ACTIONS,
    LEAVE_ACTION,
    LINES,
    MOONS,
    NOBODY,
    OPENING,
    PAY,
    PAY_ACTIONS,
    PILE,
    PILE_ACTIONS,
    PLATE_ACTIONS,
    SLOT,
    SLOT_ACTIONS,
    SPECIAL_CODES,
    SPEND_ACTIONS,
    STOP_ACTION,
)
from .kernels.acquiring import tiles_on_moons
from .kernels.decorating import can_pay, free_slots, points_at, special_space, three_plates
from .kernels.ending import colours_in_row, empty_slots, slots_of
from .kernels.record import bits_in, chips_in, chips_of, count_of, is_one, kind_of, square_of, tiles_in
from .lookups import (
    ACCEPTS,
    BITS,
    COLUMN_MASK,
    DIAGONAL_MASKS,
    KEY_SPACE,
    MATCHING,
    RING_MASK,
    ROW_MASK,
    RUN,
    SLOT_AT,
    SQUARE_SPACES,
)
from .tables import (
    ANY_PRICE,
    BROKEN_SPACES,
    COLUMNS,
    CORNER_PLATES,
    DIAGONALS,
    EMPTY_SPECIALS,
    FACTORIES,
    JOKER,
    JOKER_SLOT,
    JOKERS,
    LARGE,
    MATCHING_PRICE,
    NUM_CHIPS,
    NUM_COLOURS,
    NUM_PLATES,
    NUM_SIDES,
    OPEN_PLATES,
    PENALTIES,
    RING,
    ROTATIONS,
    ROUNDS,
    ROW_COLOURS,
    ROWS,
    SIDES,
    SIZE,
    SPECIAL,
    SPECIAL_POINTS,
    SPECIAL_SLOT,
    SQUARES,
    SQUARES_ACROSS,
    START_TILE_PENALTY,
    TILES_DEALT,
)

CHAPTERS = ROUNDS - 1  # rounds 2 to 5
_features = Features()
SCORE = _features.add("score")
CHIPS = _features.add("chips")
ROWS_OF = _features.add(*(f"rows of {n}" for n in range(SIZE + 1)))
COLUMNS_OF = _features.add(*(f"columns of {n}" for n in range(SIZE + 1)))
SPECIALS_OF = _features.add(*(f"special plates of {n}" for n in range(4)))
SPECIALS_BEGUN = _features.add("points of specials begun")
SIDES_BEGUN = _features.add(*(f"{side} begun" for side in SIDES))
SIDES_NEAR = _features.add(*(f"{side} near" for side in SIDES))
OPEN = _features.add(*(f"points open in row {row + 1}" for row in range(SIZE)))
POINTS_BEGUN = _features.add("points begun")
SHARE_BEGUN = _features.add("share begun")
SLOTLESS = _features.add("tiles in lines without a slot")
IN_LINES = _features.add("tiles in lines")
STARTS = _features.add("starts")
FEATURES = tuple(_features)

# Fitted to games of the search against itself by bench/selfplay.py.
NETWORKS = Networks(__file__)
WEIGHTS = NETWORKS.first.weights

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

# How an action looks, in points.
CHIP_POINTS, CHIP_PAID, PLATE_POINTS, STACK_POINTS = 1.5, 0.6, 2.5, 0.5
POINTS_A_STEP = 3.0  # by which an action looks 2.7 times as good
NO_SLOT_YET, PARTIAL, TILE_POINTS = 0.5, 0.5, 0.2

# What `rate` and `describe_actions` note behind the ratings: for a seat's rows and colours the best free slot, as 16
# times its points, 8 if the slot is not a joker's, and the column; points of all spaces and sets of colours by row.
CELLS = SIZE * NUM_COLOURS
OWN_NOTES, OTHER_NOTES, SPACE_NOTES, ROW_NOTES = 128, 98, 68, 32  # before the end of the ratings
CELL_NOTES, WANT_NOTES = 40, 8  # before the end of the rows

# The rows of PRIORS. Of a position: the phase and round; tiles left; the lead; tokens and chips taken; broken tiles and
# the start tile; how the other player rates the best tiles; the tablets; the chips of both.
MOST_TAKEN, MOST_POINTS, WANTS = 7, 15, 16
LATE = 3  # classes of rounds: to the third, the fourth, the fifth
NO_ROW = 1
ROW_OF_PHASE = NO_ROW + 1
ROW_OF_LEFT = ROW_OF_PHASE + 12 * ROUNDS
ROW_OF_LEAD = ROW_OF_LEFT + TILES_DEALT + 1
ROW_OF_TOKENS = ROW_OF_LEAD + 13
ROW_OF_BROKEN = ROW_OF_TOKENS + 81
ROW_OF_BEST = ROW_OF_BROKEN + 6 * (BROKEN_SPACES + 1)
ROW_OF_TABLETS = ROW_OF_BEST + WANTS
ROW_OF_CHIPS = ROW_OF_TABLETS + (1 << NUM_SIDES)

# Of tiles for a line: the line by the tiles missing and taken, whether it has a slot, and whether tiles elsewhere or
# chips can complete it; the penalty, and who has more turns to spare; the points; the slot's row and column; its plate;
# what other tablets give for it; where the tiles lie; how the other player rates them, and those that come free.
ROW_OF_LINE = ROW_OF_CHIPS + (MOST_CHIPS + 1) ** 2
ROW_OF_COST = ROW_OF_LINE + LINES * (SIZE + 1) * (MOST_TAKEN + 1) * 3 * 7
ROW_OF_POINTS = ROW_OF_COST + 11 * 2 * LATE * 15
ROW_OF_CROSS = ROW_OF_POINTS + LINES * 2 * (MOST_POINTS + 1) * ROUNDS
CROSSES = LATE * 4 * (SIZE + 1) ** 2
ROW_OF_PLATE = ROW_OF_CROSS + 2 * CROSSES
PLATE_CLASSES = LATE * 4 * 22
ROW_OF_REACH = ROW_OF_PLATE + 2 * PLATE_CLASSES
REACHES = 2 * 7 * 9 * 7
ROW_OF_GROUP = ROW_OF_REACH + 2 * REACHES
ROW_OF_DENIAL = ROW_OF_GROUP + 4 * (MOST_TAKEN + 1) * 5 * 5

# Of a chip: the chips held; the lines of its colours; the other player's; the tiles left. Of a plate: the round; how
# it suits both; the plates of its kind; the tiles left; which it is; tiles of its colours.
ROW_OF_CHIP = ROW_OF_DENIAL + 6 * WANTS * 4
ROW_OF_CHIP_LINES = ROW_OF_CHIP + 2 * ROUNDS * (MOST_CHIPS + 1) * 2
ROW_OF_CHIP_OTHER = ROW_OF_CHIP_LINES + 4 * 2 * 5 * ROUNDS
ROW_OF_CHIP_TIME = ROW_OF_CHIP_OTHER + 4 * 3 * 5
ROW_OF_TAKEN_PLATE = ROW_OF_CHIP_TIME + 12 * 3
ROW_OF_PLATE_SUITS = ROW_OF_TAKEN_PLATE + 3 * 2 * ROUNDS * 3
ROW_OF_PLATE_OTHER = ROW_OF_PLATE_SUITS + 2 * WANTS * ROUNDS
ROW_OF_PLATE_KIND = ROW_OF_PLATE_OTHER + WANTS * 3 * (OPEN_PLATES + 1)
ROW_OF_PLATE_TIME = ROW_OF_PLATE_KIND + 2 * 4 * (SQUARES + 1)
ROW_OF_PLATE_NUMBER = ROW_OF_PLATE_TIME + 12 * 9
ROW_OF_PLATE_TILES = ROW_OF_PLATE_NUMBER + NUM_PLATES * ROUNDS
ROW_OF_DRAW = ROW_OF_PLATE_TILES + 2 * 12
ROW_OF_TOP = ROW_OF_DRAW + 2 * ROUNDS * 8
ROW_OF_HAND = ROW_OF_TOP + 2 * 3 * 4
ROW_OF_STACK = ROW_OF_HAND + 2 * 5

# Of laying a plate: each corner by its row, line and points; the square and rotation; lines that break; colours twice
# in a row; the row of its special or joker slot.
CORNER_CLASSES = 19
ROW_OF_CORNER = ROW_OF_STACK + 3 * (OPEN_PLATES + 1)
ROW_OF_SQUARE = ROW_OF_CORNER + SIZE * CORNER_CLASSES * 8
ROW_OF_BREAKING = ROW_OF_SQUARE + SQUARES * 2 * ROTATIONS * ROUNDS
ROW_OF_TWICE = ROW_OF_BREAKING + 3 * 7 * ROUNDS
ROW_OF_KEY = ROW_OF_TWICE + SQUARES * 10 * 4

# Of a slot; of completing a line; of a chip to pay with; of a pile.
ROW_OF_SLOT_POINTS = ROW_OF_KEY + 2 * SIZE * 4 * ROUNDS
ROW_OF_SLOT = ROW_OF_SLOT_POINTS + 24 * ROUNDS
ROW_OF_SPENT = ROW_OF_SLOT + SIZE * SIZE * LATE
ROW_OF_GAIN = ROW_OF_SPENT + 10 * SIZE * ROUNDS
ROW_OF_CHIPS_LEFT = ROW_OF_GAIN + 2 * (MOST_POINTS + 1) * ROUNDS
ROW_OF_HELD = ROW_OF_CHIPS_LEFT + (MOST_CHIPS + 1) * ROUNDS
ROW_OF_LATER = ROW_OF_HELD + 2 * SIZE * (SIZE + 1)
ROW_OF_PAID = ROW_OF_LATER + 2 * SIZE * (MOST_CHIPS + 1)
ROW_OF_PILE = ROW_OF_PAID + 2 * 2 * 4
ROW_OF_PILED = ROW_OF_PILE + WANTS * WANTS
BRIEF = 8  # the rows that a rollout looks at: all
PRIOR_ROWS = ROW_OF_PILED + 4 * 4 * 6
# Rows about what the other player needs: not seen by weak levels.
ROWS_OF_OTHERS = (
    (ROW_OF_DENIAL, ROW_OF_CHIP),
    (ROW_OF_CHIP_OTHER, ROW_OF_CHIP_TIME),
    (ROW_OF_PLATE_OTHER, ROW_OF_PLATE_KIND),
)


chapter: Any = adopt(common.chapter, __name__, CHAPTERS=CHAPTERS)


@rule
def standing(state, seat):
    """Most points; tied: the holder of the start tile, or who started the last round (D-R12)."""
    holder = state.start if state.holder == NOBODY else state.holder
    return 2 * np.int64(state.score[seat]) + (1 if holder == seat else 0)


@rule
def features(state, seat, out):
    """A seat's position between two rounds. What is begun and near counts by its share, squared and to the fourth."""
    for k in range(len(FEATURES)):
        out[k] = 0.0
    dome = np.int64(state.dome[seat])
    out[SCORE] = state.score[seat]
    out[CHIPS] = chips_in(np.int64(state.chips[seat]))
    for k in range(SIZE):
        out[ROWS_OF + bits_in(dome >> SIZE * k & ROW_MASK)] += 1.0
        out[COLUMNS_OF + bits_in(dome >> k & COLUMN_MASK)] += 1.0
    note_plates(state, seat, dome, out)
    for side in range(NUM_SIDES):
        if state.tablets >> side & 1:
            note_side(state, seat, dome, side, out)
    note_lines(state, seat, dome, out)
    if state.start == seat:
        out[STARTS] = 1.0


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


@rule
def note_plates(state, seat, dome, out):
    """The special plates by the tiles on them, and what a tile would score on each free slot that takes one."""
    for square in range(SQUARES):
        code = np.int64(state.square[seat, square])
        if code == 0:
            continue
        if kind_of((code - 1) // ROTATIONS) == SPECIAL:
            laid = min(bits_in(dome & SQUARE_SPACES[square]), 3)
            if dome >> KEY_SPACE[square, code] & 1 == 0:
                out[SPECIALS_OF + laid] += 1.0
                out[SPECIALS_BEGUN] += SPECIAL_POINTS[KEY_SPACE[square, code] // SIZE] * (laid / 3) ** 2
        for corner in range(4):
            row = square // SQUARES_ACROSS * 2 + corner // 2
            column = square % SQUARES_ACROSS * 2 + corner % 2
            space = SIZE * row + column
            if dome >> space & 1 == 0 and SLOT_AT[code, corner // 2, corner % 2] != SPECIAL_SLOT:
                out[OPEN + row] += points_at(dome | np.int64(1) << space, row, column)


@rule
def note_side(state, seat, dome, side, out):
    """How much of what a tablet asks for is there."""
    begun = 0.0
    near = 0.0
    if side in (ROWS, COLUMNS):
        for k in range(SIZE):
            tiles = bits_in(dome >> SIZE * k & ROW_MASK) if side == ROWS else bits_in(dome >> k & COLUMN_MASK)
            begun += (tiles / SIZE) ** 2
            near += (tiles / SIZE) ** 4
    elif side == DIAGONALS:
        for k in range(2):
            share = bits_in(dome & DIAGONAL_MASKS[k]) / SIZE
            begun += share**2
            near += share**4
    elif side == JOKERS:
        begun = slots_of(state, seat, JOKER)
        near = empty_slots(state, seat, JOKER)
    elif side == ROW_COLOURS:
        for row in range(SIZE):
            share = min(bits_in(colours_in_row(state, seat, row)) / 5, 1.0)
            begun += share**2
            near += share**4
    elif side == RING:
        begun = bits_in(dome & RING_MASK)
    elif side == CORNER_PLATES:
        for corner in range(4):
            square = corner // 2 * (SQUARES - SQUARES_ACROSS) + corner % 2 * (SQUARES_ACROSS - 1)
            share = (bits_in(dome & SQUARE_SPACES[square]) / 4) ** 2
            if corner < 2:
                begun += share
            else:
                near += share
    elif side == EMPTY_SPECIALS:
        begun = empty_slots(state, seat, SPECIAL)
        near = slots_of(state, seat, SPECIAL)
    out[SIDES_BEGUN + side] = begun
    out[SIDES_NEAR + side] = near


@rule
def note_lines(state, seat, dome, out):
    for row in range(SIZE):
        held = np.int64(state.line_count[seat, row])
        if held > 0:
            out[IN_LINES] += held
            slots = free_slots(state, seat, dome, row, np.int64(state.line_colour[seat, row]))
            if slots == 0:
                out[SLOTLESS] += held
            else:
                share = held / (row + 1)
                out[SHARE_BEGUN] += share
                out[POINTS_BEGUN] += share * best_points(state, seat, dome, row, slots)


@rule
def best_points(state, seat, dome, row, slots):
    """What a tile scores on the best of a row's slots, the special tile that it calls for included."""
    best = 0
    for column in range(SIZE):
        if slots >> column & 1:
            best = max(best, points_with_special(state, seat, dome | np.int64(1) << SIZE * row + column, row, column))
    return best


@rule
def points_with_special(state, seat, dome, row, column):
    points = points_at(dome, row, column)
    special = special_space(state, seat, dome, square_of(row, column))
    return points + SPECIAL_POINTS[special // SIZE] if special >= 0 else points


@rule
def exchanged(dome):
    """A dome with its rows and columns exchanged."""
    turned = np.int64(0)
    for column in range(SIZE):
        turned |= ((dome >> column & COLUMN_MASK) * 0x2108421 >> 25 & ROW_MASK) << SIZE * column
    return turned


@rule
def points_between(dome, turned, row, column):
    """The points of a tile laid on a space; `turned`: the dome with rows and columns exchanged."""
    across = RUN[dome >> SIZE * row & ROW_MASK | 1 << column, column]
    down = RUN[turned >> SIZE * column & ROW_MASK | 1 << row, row]
    return across + down if across > 1 and down > 1 else max(across, down)


@rule
def note_cells(state, seat, dome, notes, first):
    """For each row and colour, from `first`, the best free slot; 0 for none. The special tile that a tile calls for
    counts."""
    turned = exchanged(dome)
    for cell in range(first, first + CELLS):
        notes[cell] = 0.0
    for square in range(SQUARES):
        code = np.int64(state.square[seat, square])
        free = SQUARE_SPACES[square] & ~dome
        if code == 0 or free == 0:
            continue
        key = KEY_SPACE[square, code]
        called = 0
        if code <= SPECIAL_CODES:
            free &= ~(np.int64(1) << key)
            if is_one(free):
                called = SPECIAL_POINTS[key // SIZE]
        for corner in range(4):
            row = square // SQUARES_ACROSS * 2 + corner // 2
            column = square % SQUARES_ACROSS * 2 + corner % 2
            space = SIZE * row + column
            if free >> space & 1:
                cell = first + NUM_COLOURS * row
                note = 16 * (points_between(dome, turned, row, column) + called) + column
                if space == key:
                    for colour in range(NUM_COLOURS):
                        notes[cell + colour] = max(notes[cell + colour], note)
                else:
                    cell += SLOT_AT[code, corner // 2, corner % 2]
                    notes[cell] = max(notes[cell], note + 8)


@rule
def rate(state, out, count, ratings):
    seat = np.int64(state.seat)
    dome = np.int64(state.dome[seat])
    phase = np.int64(state.phase)
    row = np.int64(state.row)
    own, moons, points = len(ratings) - OWN_NOTES, np.int64(0), 0
    if phase == ACT:
        moons = tiles_on_moons(state)
        note_cells(state, seat, dome, ratings, own)
    elif phase == LAY:
        note_spaces(state, seat, dome, ratings)
    elif phase == COMPLETING:
        slots = free_slots(state, seat, dome, row, np.int64(state.line_colour[seat, row]))
        points = best_points(state, seat, dome, row, slots)
    for k in range(count):
        action = np.int64(out[k])
        rating = 0.0
        if phase == ACT:
            rating = rate_turn(state, seat, action, moons, ratings, own)
        elif phase == LAY:
            rating = rate_lay(
                state, seat, (action - LAY_ACTIONS) // ROTATIONS, (action - LAY_ACTIONS) % ROTATIONS, ratings
            )
        elif phase == SLOT:
            rating = np.float64(best_points(state, seat, dome, row, np.int64(1) << (action - SLOT_ACTIONS) % SIZE))
            rating += 0.2 * bits_in(dome >> (action - SLOT_ACTIONS) % SIZE & COLUMN_MASK)
        elif phase == COMPLETING and action != LEAVE_ACTION:
            spent = action - SPEND_ACTIONS + MATCHING_PRICE
            price = 0.0 if state.round_no == ROUNDS else CHIP_PAID
            rating = 0.5 + points - price * spent
        elif phase == PAY:
            rating = 0.0 if action - PAY_ACTIONS < NUM_COLOURS else -0.3  # a chip of two colours pays for more
        elif action == STOP_ACTION:
            rating = 1.0
        ratings[k] = rating / POINTS_A_STEP


@rule
def rate_turn(state, seat, action, moons, ratings, own):
    """Tiles for a line, a chip or a plate."""
    if action >= DRAW_ACTION:
        return STACK_POINTS
    if action >= PLATE_ACTIONS:
        return PLATE_POINTS
    if action >= CHIP_ACTIONS:
        return CHIP_POINTS
    source, colour, line = action // (NUM_COLOURS * LINES), action // LINES % NUM_COLOURS, action % LINES
    rating = 0.0
    if source == MOONS:
        tiles = np.int64(count_of(moons, colour))
        if state.holder == NOBODY and count_of(state.moon, colour) > 0:
            rating -= START_TILE_PENALTY - 1.5
    else:
        tiles = np.int64(count_of(state.sun[source], colour))
    broken = tiles
    if line != BROKEN:
        row = line - 1
        held = np.int64(state.line_count[seat, row])
        placed = min(tiles, line - held)
        broken = tiles - placed
        points = np.int64(ratings[own + NUM_COLOURS * row + colour]) // 16
        if points > 0:
            rating += TILE_POINTS * placed
            rating += points if held + placed == line else PARTIAL * points * (held + placed) / line - 0.5
        elif three_plates(state, seat, row):
            broken = tiles
        else:
            rating += NO_SLOT_YET
    before = np.int64(state.broken_count[seat])
    return rating - (PENALTIES[min(before + broken, BROKEN_SPACES)] - PENALTIES[before])


@rule
def note_spaces(state, seat, dome, notes):
    """The points of a tile on each space, and for each row whether the tiles in its line have a slot."""
    turned = exchanged(dome)
    spaces, rows = len(notes) - SPACE_NOTES, len(notes) - ROW_NOTES
    for row in range(SIZE):
        for column in range(SIZE):
            notes[spaces + SIZE * row + column] = points_between(dome, turned, row, column)
        colour = np.int64(state.line_colour[seat, row])
        notes[rows + row] = 1.0 if colour >= 0 and free_slots(state, seat, dome, row, colour) != 0 else 0.0


@rule
def rate_lay(state, seat, square, rotation, notes):
    """Slots beside tiles, and slots for what lies in lines and finds none yet."""
    code = 1 + ROTATIONS * np.int64(state.plate) + rotation
    spaces, rows = len(notes) - SPACE_NOTES, len(notes) - ROW_NOTES
    rating = 0.0
    for corner in range(4):
        row = square // SQUARES_ACROSS * 2 + corner // 2
        column = square % SQUARES_ACROSS * 2 + corner % 2
        if SLOT_AT[code, corner // 2, corner % 2] == SPECIAL_SLOT:
            continue
        points = notes[spaces + SIZE * row + column]
        rating += 0.2 * points
        held = np.int64(state.line_count[seat, row])
        if held > 0:
            colour = np.int64(state.line_colour[seat, row])
            if ACCEPTS[code, corner // 2, colour] >> corner % 2 & 1:
                rating += (0.3 if notes[rows + row] > 0 else 1.0) * points * held / (row + 1)
    return rating


@rule
def describe_actions(state, out, count, ratings, rows):
    """To be called after `rate`, whose notes it uses."""
    seat = np.int64(state.seat)
    phase = np.int64(state.phase)
    rows[count, 5] = NO_ROW
    describe_position(state, seat, count, rows)
    if phase == ACT:
        describe_turns(state, seat, out, count, ratings, rows)
        return
    if phase == LAY:
        describe_lays(state, seat, out, count, ratings, rows)
        return
    for k in range(count):
        leave_rows(rows, k, 0)
    if phase == PILE:
        describe_piles(state, seat, out, count, ratings, rows)
    elif phase == SLOT:
        for k in range(count):
            describe_slot(state, seat, (np.int64(out[k]) - SLOT_ACTIONS) % SIZE, rows, k)
    elif phase == COMPLETING:
        describe_payments(state, seat, out, count, rows)
    elif phase in (OPENING, KEEP):
        note_cells(state, seat, np.int64(state.dome[seat]), ratings, len(ratings) - OWN_NOTES)
        note_cells(state, 1 - seat, np.int64(state.dome[1 - seat]), ratings, len(ratings) - OTHER_NOTES)
        for k in range(count):
            describe_plate(state, seat, np.int64(out[k]) - PLATE_ACTIONS, ratings, tiles_out(state), rows, k)
    elif phase == DRAWING:
        for k in range(count):
            describe_draw(state, seat, 1 if out[k] == STOP_ACTION else 0, rows, k)
    elif phase == PAY:
        for k in range(count):
            describe_chip_paid(state, seat, np.int64(out[k]) - PAY_ACTIONS, rows, k)


@rule
def leave_rows(rows, k, first):
    """Nothing more to say of an action."""
    for j in range(first, 8):
        rows[k, j] = NO_ROW


@rule
def describe_position(state, seat, count, rows):
    other = 1 - seat
    late = min(np.int64(state.round_no), ROUNDS) - 1
    rows[count, 0] = ROW_OF_PHASE + ROUNDS * np.int64(state.phase) + late
    rows[count, 1] = ROW_OF_LEFT + np.int64(state.left)
    rows[count, 2] = ROW_OF_LEAD + min(
        max((np.int64(state.score[seat]) - np.int64(state.score[other])) // 6 + 6, 0), 12
    )
    rows[count, 3] = ROW_OF_TOKENS + (
        (np.int64(state.tokens[seat]) * 3 + np.int64(state.tokens[other])) * 9
        + np.int64(state.chips_taken[seat]) * 3
        + np.int64(state.chips_taken[other])
    )
    holder = 0 if state.holder == NOBODY else 1 if state.holder == seat else 2
    rows[count, 4] = (
        ROW_OF_BROKEN + (np.int64(state.broken_count[seat]) * 3 + holder) * 2 + (1 if state.start == seat else 0)
    )
    rows[count, 6] = ROW_OF_TABLETS + (np.int64(state.tablets) & (1 << NUM_SIDES) - 1)
    rows[count, 7] = ROW_OF_CHIPS + (
        min(chips_in(np.int64(state.chips[seat])), MOST_CHIPS) * (MOST_CHIPS + 1)
        + min(chips_in(np.int64(state.chips[other])), MOST_CHIPS)
    )


@rule
def tiles_out(state):
    """All tiles that can be taken now, packed."""
    tiles = tiles_on_moons(state)
    for factory in range(FACTORIES):
        tiles += np.int64(state.sun[factory])
    return tiles


@rule
def describe_turns(state, seat, out, count, ratings, rows):
    other = 1 - seat
    dome = np.int64(state.dome[seat])
    late = min(np.int64(state.round_no), ROUNDS) - 1
    own, theirs = len(ratings) - OWN_NOTES, len(ratings) - OTHER_NOTES
    note_cells(state, other, np.int64(state.dome[other]), ratings, theirs)
    forget_wants(rows)
    moons = tiles_on_moons(state)
    left = tiles_out(state)
    places = np.int64(0)
    best, second = -1, -1
    for source in range(MOONS + 1):
        tiles = moons if source == MOONS else np.int64(state.sun[source])
        if tiles != 0:
            for colour in range(NUM_COLOURS):
                number = np.int64(count_of(tiles, colour))
                if number > 0:
                    places += np.int64(1) << 4 * colour
                    found = wanted(state, other, colour, number, ratings, theirs, rows)
                    if found > best:
                        best, second = found, best
                    elif found > second:
                        second = found
    rows[count, 5] = ROW_OF_BEST + max(best, 0)
    turned = exchanged(dome)
    for cell in range(len(rows) - CELL_NOTES, len(rows) - CELL_NOTES + CELLS):
        rows[cell, 0] = 0  # not described yet
    broken = np.int64(state.broken_count[seat])
    before, number, elsewhere, start, of_group, of_denial = -1, 0, 0, 0, 0, 0
    chips, spare, paid = np.int64(state.chips[seat]), spare_turns(state, seat, other, places), np.int64(0)
    total = chips_in(chips)
    for k in range(count):
        action = np.int64(out[k])
        if action >= CHIP_ACTIONS:
            leave_rows(rows, k, 3)
            if action >= DRAW_ACTION:
                describe_draw(state, seat, 0, rows, k)
            elif action >= PLATE_ACTIONS:
                describe_plate(state, seat, action - PLATE_ACTIONS, ratings, left, rows, k)
            else:
                describe_chip(state, seat, np.int64(state.chip[action - CHIP_ACTIONS + 1]), ratings, rows, k)
            continue
        group, line = action // LINES, action % LINES
        colour = group % NUM_COLOURS
        if group != before:  # the actions of a group are neighbours
            before = group
            source = group // NUM_COLOURS
            number = np.int64(count_of(moons if source == MOONS else np.int64(state.sun[source]), colour))
            elsewhere = np.int64(count_of(left, colour)) - number
            paid = chips_in(chips & MATCHING[colour])
            start = 1 if source == MOONS and state.holder == NOBODY and count_of(state.moon, colour) > 0 else 0
            of_group, freed = describe_group(state, other, source, colour, number, moons, places, ratings, theirs, rows)
            of_group += 200 * start
            found = wanted(state, other, colour, number, ratings, theirs, rows)
            lost = 0
            if found == best:
                ahead = best - second
                lost = 1 if ahead == 0 else 2 if ahead == 1 else 3 if ahead <= 3 else 4 if ahead <= 5 else 5
            of_denial = ROW_OF_DENIAL + (WANTS * lost + found) * 4 + freed
        missing, spilled, points, slot, done, about = 0, number, 0, 0, 0, 0
        if line > 0:
            row = line - 1
            missing = line - np.int64(state.line_count[seat, row])
            spilled = max(number - missing, 0)
            done = 1 if number >= missing else 0
            if not done:
                short = missing - number
                about = 1 + 2 * (0 if elsewhere == 0 else 1 if elsewhere < short else 2)
                spent = min(ANY_PRICE * short, total)
                if spent >= MATCHING_PRICE * short and MATCHING_PRICE * (ANY_PRICE * short - spent) <= paid:
                    about += 1
            note = np.int64(ratings[own + NUM_COLOURS * row + colour])
            points = note // 16
            if points == 0:
                slot = 1
                if three_plates(state, seat, row):
                    slot, spilled = 2, number
            cell = len(rows) - CELL_NOTES + NUM_COLOURS * row + colour
            if rows[cell, 0] == 0:
                describe_space(state, seat, dome, turned, row, note & 7 if note > 0 else -1, colour, rows, cell, 0)
            rows[k, 3] = rows[cell, 0] + CROSSES * done
            rows[k, 4] = rows[cell, 1] + PLATE_CLASSES * done
            rows[k, 5] = rows[cell, 2] + REACHES * done
        else:
            rows[k, 3], rows[k, 4], rows[k, 5] = NO_ROW, NO_ROW, NO_ROW
        cost = PENALTIES[min(broken + spilled, BROKEN_SPACES)] - PENALTIES[broken]
        taken = (line * (SIZE + 1) + missing) * (MOST_TAKEN + 1) + min(number, MOST_TAKEN)
        rows[k, 0] = ROW_OF_LINE + (taken * 3 + slot) * 7 + about
        rows[k, 1] = ROW_OF_COST + ((2 * cost + start) * LATE + max(late - 2, 0)) * 15 + spare
        rows[k, 2] = ROW_OF_POINTS + ((2 * line + done) * (MOST_POINTS + 1) + min(points, MOST_POINTS)) * ROUNDS + late
        rows[k, 6], rows[k, 7] = of_group, of_denial


@rule
def describe_group(state, other, source, colour, number, moons, places, ratings, theirs, rows):
    """The row of tiles by their place, and a class of how the other player rates what they set free."""
    kind, rest, freed = 0, 0, 0
    if source == MOONS:
        kind = 2  # 3 with the start tile
        for factory in range(1, FACTORIES):
            pile = np.int64(state.pile[factory])
            if pile & 7 == colour + 1:
                below = pile >> 3 & 7
                if below == 0:
                    rest += 1  # its chip is revealed
                else:
                    more = np.int64(count_of(moons, below - 1)) + 1
                    freed = max(freed, wanted(state, other, below - 1, more, ratings, theirs, rows))
    else:
        least = WANTS
        for shade in range(NUM_COLOURS):
            more = np.int64(count_of(state.sun[source], shade))
            if shade != colour and more > 0:
                rest += more
                if source == LARGE:
                    more += np.int64(count_of(moons, shade))
                    freed = max(freed, wanted(state, other, shade, more, ratings, theirs, rows))
                else:  # the top of the pile is the taker's choice
                    more = np.int64(count_of(moons, shade)) + 1
                    least = min(least, wanted(state, other, shade, more, ratings, theirs, rows))
        if source == LARGE:
            kind = 1
        elif least < WANTS:
            freed = least
    elsewhere = min((np.int64(places) >> 4 * colour & 15) - 1, 4)
    row = ROW_OF_GROUP + ((kind * (MOST_TAKEN + 1) + min(number, MOST_TAKEN)) * 5 + elsewhere) * 5 + min(rest, 4)
    return row, 0 if freed <= 2 else 1 if freed <= 4 else 2 if freed <= 7 else 3


@rule
def spare_turns(state, seat, other, places):
    """A class of 15: how many more turns than the other player a seat can spend on plates and chips, and how many
    choices of tiles are left."""
    groups = np.int64(0)
    for colour in range(NUM_COLOURS):
        groups += places >> 4 * colour & 15
    ahead = np.int64(state.tokens[seat]) - np.int64(state.tokens[other])
    ahead += np.int64(state.chips_taken[other]) - np.int64(state.chips_taken[seat])
    return (min(max(ahead, -2), 2) + 2) * 3 + (0 if groups <= 2 else 1 if groups <= 5 else 2)


@rule
def forget_wants(rows):
    for colour in range(NUM_COLOURS):
        for j in range(8):
            rows[len(rows) - WANT_NOTES + colour, j] = -1


@rule
def wanted(state, seat, colour, number, ratings, cells, rows):
    """How a seat would rate its best line for tiles of a colour, as a class of WANTS; noted in `rows`."""
    note, place = len(rows) - WANT_NOTES + colour, min(number, 8) - 1
    known = np.int64(rows[note, place])
    if known >= 0:
        return known
    best = -2.0
    lines = np.int64(state.open[seat]) >> LINES * colour
    for row in range(SIZE):
        if lines >> row + 1 & 1:
            missing = row + 1 - np.int64(state.line_count[seat, row])
            placed = min(number, missing)
            rating = -1.5 * (number - placed)
            points = np.int64(ratings[cells + NUM_COLOURS * row + colour]) // 16
            if points > 0:
                rating += TILE_POINTS * placed
                rating += points if placed == missing else PARTIAL * points * (row + 1 - missing + placed) / (row + 1)
                best = max(best, rating)
            elif not three_plates(state, seat, row):
                best = max(best, rating + NO_SLOT_YET)
    found = min(np.int64(best + 2.0), WANTS - 1)
    rows[note, place] = found
    return found


@rule
def describe_space(state, seat, dome, turned, row, column, colour, rows, at, first):
    """Three rows about a space: its row and column, its plate, and what the other tablets give for it."""
    tablets = np.int64(state.tablets)
    late = max(min(np.int64(state.round_no), ROUNDS) - 3, 0)
    both = (tablets >> ROWS & 1) * 2 + (tablets >> COLUMNS & 1)
    across, down, plate, reach = SIZE, SIZE, 0, 0
    if column >= 0:
        across, down = BITS[dome >> SIZE * row & ROW_MASK], BITS[turned >> SIZE * column & ROW_MASK]
        square, space = square_of(row, column), SIZE * row + column
        code = np.int64(state.square[seat, square])
        laid = bits_in(dome & SQUARE_SPACES[square])
        key = KEY_SPACE[square, code]
        plate = 3 + min(laid, 2) * SIZE + key // SIZE if code <= SPECIAL_CODES else 2 if key == space else 1
        diagonal, corner, hues = 0, 0, 0
        if tablets >> DIAGONALS & 1 and row in (column, SIZE - 1 - column):
            diagonal = 1 + min(bits_in(dome & DIAGONAL_MASKS[0 if row == column else 1]), 5)
        if tablets >> CORNER_PLATES & 1 and square % 2 == 0 and square != SQUARES // 2:
            corner = 1 + (0 if row < 2 else 4) + min(laid, 3)
        if tablets >> ROW_COLOURS & 1:
            colours = colours_in_row(state, seat, row)
            if colours >> colour & 1 == 0:
                hues = 1 + min(BITS[colours], 5)
        ring = 1 if tablets >> RING & 1 and RING_MASK >> space & 1 else 0
        reach = ((ring * 7 + diagonal) * 9 + corner) * 7 + hues
    flags = (tablets >> JOKERS & 1) * 2 + (tablets >> EMPTY_SPECIALS & 1)
    rows[at, first] = ROW_OF_CROSS + ((late * 4 + both) * (SIZE + 1) + min(across, SIZE)) * (SIZE + 1) + down
    rows[at, first + 1] = ROW_OF_PLATE + (late * 4 + flags) * 22 + plate
    rows[at, first + 2] = ROW_OF_REACH + reach


@rule
def fitting_lines(state, seat, chip, ratings, cells):
    """How many incomplete lines that have a slot hold tiles of a colour that a chip shows: at most 3."""
    count = 0
    for row in range(1, SIZE):
        held = np.int64(state.line_count[seat, row])
        if 0 < held <= row:
            colour = np.int64(state.line_colour[seat, row])
            if MATCHING[colour] >> 2 * chip & 1 and ratings[cells + NUM_COLOURS * row + colour] > 0:
                count += 1
    return min(count, 3)


@rule
def describe_chip(state, seat, chip, ratings, rows, k):
    other = 1 - seat
    late = min(np.int64(state.round_no), ROUNDS) - 1
    double = 1 if chip >= NUM_COLOURS else 0
    held = min(chips_in(np.int64(state.chips[seat])), MOST_CHIPS)
    matching = 0
    for colour in range(NUM_COLOURS):
        if MATCHING[colour] >> 2 * chip & 1:
            matching = max(matching, chips_in(np.int64(state.chips[seat]) & MATCHING[colour]))
    shown = 0
    for factory in range(1, FACTORIES):
        if state.chip[factory] >= 0:
            shown += 1
    mine = fitting_lines(state, seat, chip, ratings, len(ratings) - OWN_NOTES)
    theirs = fitting_lines(state, other, chip, ratings, len(ratings) - OTHER_NOTES)
    rows[k, 0] = (
        ROW_OF_CHIP
        + ((double * ROUNDS + late) * (MOST_CHIPS + 1) + held) * 2
        + min(np.int64(state.chips_taken[seat]), 1)
    )
    rows[k, 1] = ROW_OF_CHIP_LINES + ((mine * 2 + double) * 5 + min(matching, 4)) * ROUNDS + late
    rows[k, 2] = ROW_OF_CHIP_OTHER + (theirs * 3 + np.int64(state.chips_taken[other])) * 5 + shown
    rows[k, 3] = ROW_OF_CHIP_TIME + (np.int64(state.left) + 1) // 2 * 3 + np.int64(state.tokens[seat])


@rule
def suits(state, seat, plate, ratings, cells):
    """How much of the lines' tiles would find a slot on a plate, at its best place: a class of WANTS."""
    best = 0
    for third in range(SQUARES_ACROSS):
        first = third * SQUARES_ACROSS
        if state.square[seat, first] > 0 and state.square[seat, first + 1] > 0 and state.square[seat, first + 2] > 0:
            continue
        for rotation in range(ROTATIONS):
            code, gain = 1 + ROTATIONS * plate + rotation, 0
            for half in range(2):
                row = 2 * third + half
                held = np.int64(state.line_count[seat, row])
                if held > 0:
                    colour = np.int64(state.line_colour[seat, row])
                    if ACCEPTS[code, half, colour] != 0:
                        gain += (2 if ratings[cells + NUM_COLOURS * row + colour] > 0 else 8) * held // (row + 1)
            best = max(best, gain)
    return min(best, WANTS - 1)


@rule
def describe_plate(state, seat, plate, ratings, left, rows, k):
    other = 1 - seat
    late = min(np.int64(state.round_no), ROUNDS) - 1
    tablets = np.int64(state.tablets)
    kind = kind_of(plate)
    tokens, others = np.int64(state.tokens[seat]), np.int64(state.tokens[other])
    phase = 0 if state.phase == ACT else 1 if state.phase == OPENING else 2
    mine = suits(state, seat, plate, ratings, len(ratings) - OWN_NOTES)
    theirs = suits(state, other, plate, ratings, len(ratings) - OTHER_NOTES)
    tiles = 0
    for corner in range(4):
        slot = SLOT_AT[1 + ROTATIONS * plate, corner // 2, corner % 2]
        if slot < NUM_COLOURS:
            tiles += np.int64(count_of(left, slot))
    flags = (tablets >> JOKERS & 1) * 2 + (tablets >> EMPTY_SPECIALS & 1)
    rows[k, 0] = ROW_OF_TAKEN_PLATE + ((phase * 2 + kind) * ROUNDS + late) * 3 + tokens
    rows[k, 1] = ROW_OF_PLATE_SUITS + (kind * WANTS + mine) * ROUNDS + late
    rows[k, 2] = ROW_OF_PLATE_OTHER + (theirs * 3 + others) * (OPEN_PLATES + 1) + bits_in(np.int64(state.display))
    rows[k, 3] = ROW_OF_PLATE_KIND + (kind * 4 + flags) * (SQUARES + 1) + slots_of(state, seat, kind)
    rows[k, 4] = ROW_OF_PLATE_TIME + (np.int64(state.left) + 1) // 2 * 9 + tokens * 3 + others
    rows[k, 5] = ROW_OF_PLATE_NUMBER + ROUNDS * plate + late
    rows[k, 6] = ROW_OF_PLATE_TILES + 12 * kind + min(tiles // 2, 11)


@rule
def describe_draw(state, seat, stops, rows, k):
    """Drawing from the stack, or no longer."""
    other = 1 - seat
    late = min(np.int64(state.round_no), ROUNDS) - 1
    tokens, others = np.int64(state.tokens[seat]), np.int64(state.tokens[other])
    tablets = np.int64(state.tablets)
    flags = (tablets >> JOKERS & 1) * 2 + (tablets >> EMPTY_SPECIALS & 1)
    hand = bits_in(np.int64(state.hand)) + np.int64(state.hand_unseen[SPECIAL]) + np.int64(state.hand_unseen[JOKER])
    rows[k, 0] = ROW_OF_DRAW + (stops * ROUNDS + late) * 8 + min(np.int64(state.score[seat]) // 3, 7)
    rows[k, 1] = ROW_OF_TOP + (stops * 3 + np.int64(state.top) + 1) * 4 + flags
    rows[k, 2] = ROW_OF_HAND + stops * 5 + min(hand, 4)
    if state.phase == ACT:
        rows[k, 3] = ROW_OF_STACK + tokens * (OPEN_PLATES + 1) + bits_in(np.int64(state.display))
        rows[k, 4] = ROW_OF_PLATE_TIME + (np.int64(state.left) + 1) // 2 * 9 + tokens * 3 + others


@rule
def describe_lays(state, seat, out, count, ratings, rows):
    late = min(np.int64(state.round_no), ROUNDS) - 1
    tablets = np.int64(state.tablets)
    plate, left = np.int64(state.plate), tiles_out(state)
    kind = kind_of(plate)
    spaces, held_free, sets = len(ratings) - SPACE_NOTES, len(ratings) - ROW_NOTES, len(ratings) - OWN_NOTES
    for row in range(SIZE):  # the slots of each row
        slots = np.int64(0)
        for across in range(SQUARES_ACROSS):
            code = np.int64(state.square[seat, row // 2 * SQUARES_ACROSS + across])
            if code > 0:
                slots |= np.int64(1) << SLOT_AT[code, row % 2, 0] | np.int64(1) << SLOT_AT[code, row % 2, 1]
        ratings[sets + row] = slots
    both = (tablets >> DIAGONALS & 1) * 2 + (tablets >> CORNER_PLATES & 1)
    flags = (tablets >> JOKERS & 1) * 2 + (tablets >> EMPTY_SPECIALS & 1)
    colourful = tablets >> ROW_COLOURS & 1
    for k in range(count):
        square = (np.int64(out[k]) - LAY_ACTIONS) // ROTATIONS
        rotation = (np.int64(out[k]) - LAY_ACTIONS) % ROTATIONS
        code = 1 + ROTATIONS * plate + rotation
        third = square // SQUARES_ACROSS
        beside = 0
        for across in range(SQUARES_ACROSS):
            if state.square[seat, third * SQUARES_ACROSS + across] > 0:
                beside += 1
        twice, breaks = 0, 0
        for corner in range(4):
            half = corner // 2
            row, column = third * 2 + half, square % SQUARES_ACROSS * 2 + corner % 2
            slot = SLOT_AT[code, half, corner % 2]
            held = np.int64(state.line_count[seat, row])
            status = 0
            again = np.int64(ratings[sets + row]) >> slot & 1
            if slot != SPECIAL_SLOT:
                twice += again
            if held > 0:
                colour = np.int64(state.line_colour[seat, row])
                size = 2 if held == row + 1 else 1 if 2 * held > row else 0
                free = 1 if ratings[held_free + row] > 0 else 0
                takes = ACCEPTS[code, half, colour]
                if slot != SPECIAL_SLOT:
                    status = 7 + ((takes >> corner % 2 & 1) * 2 + free) * 3 + size
                if beside == 2 and free == 0 and takes == 0 and corner % 2 == 0:
                    breaks += held
            elif slot != SPECIAL_SLOT:
                about = 2
                if slot < NUM_COLOURS:
                    tiles = np.int64(count_of(left, slot))
                    about = 0 if tiles == 0 else 1 if tiles < 3 else 2
                status = 1 + again * 3 + about
            points = min(np.int64(ratings[spaces + SIZE * row + column]), 7)
            rows[k, corner] = ROW_OF_CORNER + (row * CORNER_CLASSES + status) * 8 + points
        rows[k, 4] = ROW_OF_SQUARE + ((square * 2 + kind) * ROTATIONS + rotation) * ROUNDS + late
        rows[k, 5] = ROW_OF_BREAKING + (beside * 7 + min(breaks, 6)) * ROUNDS + late
        rows[k, 6] = ROW_OF_TWICE + ((square * 2 + colourful) * 5 + twice) * 4 + both
        rows[k, 7] = ROW_OF_KEY + ((kind * SIZE + KEY_SPACE[square, code] // SIZE) * 4 + flags) * ROUNDS + late


@rule
def describe_slot(state, seat, column, rows, k):
    row, dome = np.int64(state.row), np.int64(state.dome[seat])
    late = min(np.int64(state.round_no), ROUNDS) - 1
    points = points_with_special(state, seat, dome | np.int64(1) << SIZE * row + column, row, column)
    rows[k, 0] = ROW_OF_SLOT_POINTS + min(points, 23) * ROUNDS + late
    rows[k, 1] = ROW_OF_SLOT + (SIZE * row + column) * LATE + max(late - 2, 0)
    colour = np.int64(state.line_colour[seat, row])
    describe_space(state, seat, dome, exchanged(dome), row, column, colour, rows, k, 2)
    rows[k, 2] += CROSSES
    rows[k, 3] += PLATE_CLASSES
    rows[k, 4] += REACHES


@rule
def describe_payments(state, seat, out, count, rows):
    """Completing a line with chips, or leaving it."""
    row, dome = np.int64(state.row), np.int64(state.dome[seat])
    late = min(np.int64(state.round_no), ROUNDS) - 1
    colour, held = np.int64(state.line_colour[seat, row]), np.int64(state.line_count[seat, row])
    chips = min(chips_in(np.int64(state.chips[seat])), MOST_CHIPS)
    slots, points, best = free_slots(state, seat, dome, row, colour), 0, -1
    for column in range(SIZE):
        if slots >> column & 1:
            found = points_with_special(state, seat, dome | np.int64(1) << SIZE * row + column, row, column)
            if found > points:
                points, best = found, column
    later = 0
    for below in range(row + 1, SIZE):
        if 0 < state.line_count[seat, below] <= below:
            below_colour = np.int64(state.line_colour[seat, below])
            if free_slots(state, seat, dome, below, below_colour) != 0:
                later += 1
    turned = exchanged(dome)
    for k in range(count):
        action = np.int64(out[k])
        spent = 0 if action == LEAVE_ACTION else action - SPEND_ACTIONS + MATCHING_PRICE
        pays = 1 if spent > 0 else 0
        rows[k, 0] = ROW_OF_SPENT + (max(spent - 1, 0) * SIZE + row - held) * ROUNDS + late
        rows[k, 1] = ROW_OF_GAIN + (pays * (MOST_POINTS + 1) + min(points, MOST_POINTS)) * ROUNDS + late
        rows[k, 2] = ROW_OF_CHIPS_LEFT + (chips - spent) * ROUNDS + late
        rows[k, 3] = ROW_OF_HELD + (pays * SIZE + row) * (SIZE + 1) + held
        rows[k, 4] = ROW_OF_LATER + (pays * SIZE + later) * (MOST_CHIPS + 1) + chips
        if pays:
            describe_space(state, seat, dome, turned, row, best, colour, rows, k, 5)
            rows[k, 5] += CROSSES
            rows[k, 6] += PLATE_CLASSES
            rows[k, 7] += REACHES


@rule
def describe_chip_paid(state, seat, chip, rows, k):
    row, others = np.int64(state.row), 0
    for below in range(row + 1, SIZE):
        held = np.int64(state.line_count[seat, below])
        if 0 < held <= below and MATCHING[state.line_colour[seat, below]] >> 2 * chip & 1:
            others += 1
    matches = np.int64(MATCHING[state.line_colour[seat, row]]) >> 2 * chip & 1
    rows[k, 0] = ROW_OF_PAID + ((1 if chip >= NUM_COLOURS else 0) * 2 + matches) * 4 + min(others, 3)


@rule
def describe_piles(state, seat, out, count, ratings, rows):
    """Which of the rest lies lowest: how both players rate it."""
    other = 1 - seat
    moons, factory = tiles_on_moons(state), np.int64(state.factory)
    cells = len(ratings) - OTHER_NOTES
    note_cells(state, seat, np.int64(state.dome[seat]), ratings, cells)
    forget_wants(rows)
    for k in range(count):
        colour = np.int64(out[k]) - PILE_ACTIONS
        more = np.int64(count_of(moons, colour))
        number = np.int64(count_of(state.sun[factory], colour))
        mine = wanted(state, seat, colour, more + 1, ratings, cells, rows)
        rows[k, 0] = ROW_OF_PILE + WANTS * mine
        rows[k, 1] = (
            ROW_OF_PILED + (min(np.int64(tiles_in(state.sun[factory])), 3) * 4 + min(number, 3)) * 6 + min(more, 5)
        )
    note_cells(state, other, np.int64(state.dome[other]), ratings, cells)
    forget_wants(rows)
    for k in range(count):
        colour = np.int64(out[k]) - PILE_ACTIONS
        more = np.int64(count_of(moons, colour))
        rows[k, 0] += wanted(state, other, colour, more + 1, ratings, cells, rows)
