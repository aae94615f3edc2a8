"""The end: the points of the scoring tablets."""

import numpy as np

from azulejos.core.compiling import rule, tell

from ..encoding import ENDED
from ..lookups import COLUMN_MASK, DIAGONAL_MASKS, KEY_SPACE, RING_MASK, ROW_MASK, SLOT_AT, SQUARE_SPACES
from ..tables import (
    BONUS,
    COLOURS_BONUS,
    COLOURS_NEEDED,
    COLUMN_BONUS,
    COLUMNS,
    CORNER_PLATES,
    DIAGONAL_BONUS,
    DIAGONALS,
    EMPTY_SPECIAL_COST,
    JOKER,
    JOKER_BONUS,
    JOKER_SLOT,
    JOKERS,
    LOWER_CORNER_BONUS,
    NUM_SIDES,
    PLAYERS,
    RAISED_TO_0,
    RING,
    RING_BONUS,
    ROTATIONS,
    ROW_BONUS,
    ROW_COLOURS,
    ROWS,
    SIZE,
    SPECIAL,
    SQUARES,
    SQUARES_ACROSS,
    UPPER_CORNER_BONUS,
)
from .record import bits_in, kind_of, square_of


@rule
def end(state):
    """All tablets are summed, then the score is floored at 0 (D-R4)."""
    state.phase = ENDED
    state.seat = state.start
    for seat in range(PLAYERS):
        score = np.int64(state.score[seat])
        for side in range(NUM_SIDES):
            if state.tablets >> side & 1:
                points = tablet_points(state, seat, side)
                tell(BONUS, seat, side, points, 0)
                score += points
        if score < 0:
            tell(RAISED_TO_0, seat, -score, 0, 0)
            score = np.int64(0)
        state.score[seat] = score


@rule
def tablet_points(state, seat, side):
    """Special tiles count as tiles everywhere."""
    dome = state.dome[seat]
    if side == ROWS:
        return ROW_BONUS * complete(dome, SIZE, ROW_MASK)
    if side == COLUMNS:
        return COLUMN_BONUS * complete(dome, 1, COLUMN_MASK)
    if side == DIAGONALS:
        return DIAGONAL_BONUS * (covers(dome, DIAGONAL_MASKS[0]) + covers(dome, DIAGONAL_MASKS[1]))
    if side == JOKERS:
        return joker_points(state, seat)
    if side == ROW_COLOURS:
        return COLOURS_BONUS * colourful_rows(state, seat)
    if side == RING:
        return RING_BONUS * bits_in(dome & RING_MASK)
    if side == CORNER_PLATES:
        return corner_points(dome)
    return -EMPTY_SPECIAL_COST * empty_slots(state, seat, SPECIAL)


@rule
def covers(dome, spaces):
    return np.int64(dome & spaces == spaces)


@rule
def complete(dome, step, spaces):
    """How many of the six sets of spaces, each a step further, are covered."""
    count = np.int64(0)
    for k in range(SIZE):
        count += covers(dome >> step * k, spaces)
    return count


@rule
def slots_of(state, seat, kind):
    """How many plates of a kind, so how many special or joker slots, are on the dome."""
    count = np.int64(0)
    for square in range(SQUARES):
        code = np.int64(state.square[seat, square])
        if code > 0 and kind_of((code - 1) // ROTATIONS) == kind:
            count += 1
    return count


@rule
def empty_slots(state, seat, kind):
    """How many of the special or joker slots on the dome are empty."""
    count = np.int64(0)
    for square in range(SQUARES):
        code = np.int64(state.square[seat, square])
        if code > 0 and kind_of((code - 1) // ROTATIONS) == kind:
            count += 1 - (state.dome[seat] >> KEY_SPACE[square, code] & 1)
    return count


@rule
def joker_points(state, seat):
    """Every joker slot filled, else nothing; no joker slot, no points (D-R5)."""
    if empty_slots(state, seat, JOKER) > 0:
        return np.int64(0)
    return JOKER_BONUS * slots_of(state, seat, JOKER)


@rule
def colourful_rows(state, seat):
    count = np.int64(0)
    for row in range(SIZE):
        if bits_in(colours_in_row(state, seat, row)) >= COLOURS_NEEDED:
            count += 1
    return count


@rule
def colours_in_row(state, seat, row):
    """The colours of a row's tiles, as bits; all special tiles together are one more colour."""
    colours = np.int64(0)
    for column in range(SIZE):
        if state.dome[seat] >> SIZE * row + column & 1:
            square = square_of(row, column)
            slot = SLOT_AT[state.square[seat, square], row % 2, column % 2]
            if slot == JOKER_SLOT:
                slot = np.int64(state.joker_colour[seat, square])
            colours |= np.int64(1) << slot
    return colours


@rule
def corner_points(dome):
    upper = covers(dome, SQUARE_SPACES[0]) + covers(dome, SQUARE_SPACES[SQUARES_ACROSS - 1])
    lower = covers(dome, SQUARE_SPACES[SQUARES - SQUARES_ACROSS]) + covers(dome, SQUARE_SPACES[SQUARES - 1])
    return UPPER_CORNER_BONUS * upper + LOWER_CORNER_BONUS * lower
