"""How the searching player judges Azul Duel: what counts between two rounds, and how an action looks at a glance."""

import numpy as np

from azulejos.core.compiling import rule
from azulejos.core.features import Features

from .. import common
from ..common import stage as stage
from .encoding import (
    ACT,
    BROKEN,
    CHIP_ACTIONS,
    COMPLETING,
    DRAW_ACTION,
    LAY,
    LAY_ACTIONS,
    LEAVE_ACTION,
    LINES,
    MOONS,
    NOBODY,
    PAY,
    PAY_ACTIONS,
    PLATE_ACTIONS,
    SLOT,
    SLOT_ACTIONS,
    SPEND_ACTIONS,
    STOP_ACTION,
)
from .kernels.decorating import free_slots, points_at, special_space, three_plates
from .kernels.ending import colours_in_row, empty_slots, slots_of
from .kernels.record import bits_in, chips_in, count_of, kind_of, square_of
from .lookups import ACCEPTS, COLUMN_MASK, DIAGONAL_MASKS, KEY_SPACE, RING_MASK, ROW_MASK, SLOT_AT, SQUARE_SPACES
from .tables import (
    BROKEN_SPACES,
    COLUMNS,
    CORNER_PLATES,
    DIAGONALS,
    EMPTY_SPECIALS,
    FACTORIES,
    JOKER,
    JOKERS,
    MATCHING_PRICE,
    NUM_COLOURS,
    NUM_SIDES,
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

# Fitted to games of the player against itself by bench/fit_judgement.py: [CHAPTERS, features and patterns].
WEIGHTS, PATTERNS, HIDDEN, PRIORS = common.network(__file__)

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
THINGS = CHIPS_HELD + MOST_CHIPS

# How an action looks, in points.
CHIP_POINTS, CHIP_PAID, PLATE_POINTS, STACK_POINTS = 1.5, 0.6, 2.5, 0.5
POINTS_A_STEP = 3.0  # by which an action looks 2.7 times as good
NO_SLOT_YET, PARTIAL, TILE_POINTS = 0.5, 0.5, 0.2


@rule
def standing(state, seat):
    """Most points; tied: the holder of the start tile, or who started the last round (D-R12)."""
    holder = state.start if state.holder == NOBODY else state.holder
    return 2 * np.int64(state.score[seat]) + (1 if holder == seat else 0)


@rule
def chapter(state):
    """Each round that begins has weights of its own."""
    return min(max(np.int64(state.round_no) - 2, 0), CHAPTERS - 1)


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
    return count + 3


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
def rate(state, out, count, ratings):
    seat = np.int64(state.seat)
    dome = np.int64(state.dome[seat])
    phase = np.int64(state.phase)
    for k in range(count):
        action = np.int64(out[k])
        rating = 0.0
        if phase == ACT:
            rating = rate_turn(state, seat, dome, action)
        elif phase == LAY:
            rating = rate_lay(
                state, seat, dome, (action - LAY_ACTIONS) // ROTATIONS, (action - LAY_ACTIONS) % ROTATIONS
            )
        elif phase == SLOT:
            row = np.int64(state.row)
            rating = np.float64(best_points(state, seat, dome, row, np.int64(1) << (action - SLOT_ACTIONS) % SIZE))
            rating += 0.2 * bits_in(dome >> (action - SLOT_ACTIONS) % SIZE & COLUMN_MASK)
        elif phase == COMPLETING and action != LEAVE_ACTION:
            row = np.int64(state.row)
            slots = free_slots(state, seat, dome, row, np.int64(state.line_colour[seat, row]))
            spent = action - SPEND_ACTIONS + MATCHING_PRICE
            price = 0.0 if state.round_no == ROUNDS else CHIP_PAID
            rating = 0.5 + best_points(state, seat, dome, row, slots) - price * spent
        elif phase == PAY:
            rating = 0.0 if action - PAY_ACTIONS < NUM_COLOURS else -0.3  # a chip of two colours pays for more
        elif action == STOP_ACTION:
            rating = 1.0
        ratings[k] = rating / POINTS_A_STEP


@rule
def rate_turn(state, seat, dome, action):
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
        tiles = np.int64(count_of(state.moon, colour))
        if tiles > 0 and state.holder == NOBODY:
            rating -= START_TILE_PENALTY - 1.5
        for factory in range(1, FACTORIES):
            if state.pile[factory] & 7 == colour + 1:
                tiles += 1
    else:
        tiles = np.int64(count_of(state.sun[source], colour))
    broken = tiles
    if line != BROKEN:
        row = line - 1
        held = np.int64(state.line_count[seat, row])
        placed = min(tiles, line - held)
        broken = tiles - placed
        slots = free_slots(state, seat, dome, row, colour)
        if slots != 0:
            points = np.float64(best_points(state, seat, dome, row, slots))
            rating += TILE_POINTS * placed
            rating += points if held + placed == line else PARTIAL * points * (held + placed) / line - 0.5
        elif three_plates(state, seat, row):
            broken = tiles
        else:
            rating += NO_SLOT_YET
    before = np.int64(state.broken_count[seat])
    return rating - (PENALTIES[min(before + broken, BROKEN_SPACES)] - PENALTIES[before])


@rule
def rate_lay(state, seat, dome, square, rotation):
    """Slots beside tiles, and slots for what lies in lines and finds none yet."""
    code = 1 + ROTATIONS * np.int64(state.plate) + rotation
    rating = 0.0
    for corner in range(4):
        row = square // SQUARES_ACROSS * 2 + corner // 2
        column = square % SQUARES_ACROSS * 2 + corner % 2
        if SLOT_AT[code, corner // 2, corner % 2] == SPECIAL_SLOT:
            continue
        points = points_at(dome | np.int64(1) << SIZE * row + column, row, column)
        rating += 0.2 * points
        held = np.int64(state.line_count[seat, row])
        if held > 0:
            colour = np.int64(state.line_colour[seat, row])
            if ACCEPTS[code, corner // 2, colour] >> corner % 2 & 1:
                free = free_slots(state, seat, dome, row, colour) != 0
                rating += (0.3 if free else 1.0) * points * held / (row + 1)
    return rating
