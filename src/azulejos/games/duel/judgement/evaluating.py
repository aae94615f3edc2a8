"""What counts between two rounds: the features of a seat."""

import numpy as np

from azulejos.core.compiling import rule
from azulejos.core.features import Features

from ..kernels.decorating import free_slots, points_at, special_space
from ..kernels.ending import colours_in_row, empty_slots, slots_of
from ..kernels.record import bits_in, chips_in, kind_of, square_of
from ..lookups import COLUMN_MASK, DIAGONAL_MASKS, KEY_SPACE, RING_MASK, ROW_MASK, SLOT_AT, SQUARE_SPACES
from ..tables import (
    COLUMNS,
    CORNER_PLATES,
    DIAGONALS,
    EMPTY_SPECIALS,
    JOKER,
    JOKERS,
    NUM_SIDES,
    RING,
    ROTATIONS,
    ROW_COLOURS,
    ROWS,
    SIDES,
    SIZE,
    SPECIAL,
    SPECIAL_POINTS,
    SPECIAL_SLOT,
    SQUARES,
    SQUARES_ACROSS,
)

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
