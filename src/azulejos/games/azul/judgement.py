"""How the searching player judges Azul: what a position between two rounds is worth, and how an action looks."""

import numpy as np

from azulejos.core.compiling import rule

from .kernels import (
    CENTRE,
    COLUMN_MASK,
    LINES,
    ROW_MASK,
    TILE,
    column_action,
    complete_rows,
    count_of,
    occupied,
    open_columns,
    points_at,
)
from .layout import COLUMN_OF, FLOOR_SPACES, PENALTIES, SIZE

# What having 0 to 5 tiles of a column or a colour promises, in points.
IN_COLUMN = np.array([0.0, 0.3, 0.8, 1.7, 3.5, 7.0])
OF_COLOUR = np.array([0.0, 0.3, 0.9, 2.2, 5.0, 10.0])
IN_ROW = np.array([0.0, 0.1, 0.3, 0.6, 1.2, 2.0])
MARKER_POINTS = 1.5
PARTIAL = 0.6
POINTS_A_STEP = 0.12


@rule
def standing(state, seat):
    """Most points; tied: more complete rows."""
    return 8 * np.int64(state.score[seat]) + complete_rows(occupied(state, seat))


@rule
def stage(state):
    return np.int64(state.round_no)


@rule
def guess(state, seat, keys, i):
    """Everything is open (A-R6)."""


@rule
def ones(spaces):
    """How many of the lowest 25 bits are set."""
    spaces = spaces - (spaces >> 1 & 0x55555555)
    spaces = (spaces & 0x33333333) + (spaces >> 2 & 0x33333333)
    spaces = spaces + (spaces >> 4) & 0x0F0F0F0F
    return (spaces * 0x01010101 >> 24) & 0xFF


@rule
def worth(state, seat):
    spaces = occupied(state, seat)
    points = np.float64(state.score[seat])
    for k in range(SIZE):
        points += IN_COLUMN[ones(spaces >> k & COLUMN_MASK)]
        points += OF_COLOUR[ones(np.int64(state.wall[seat, k]))]
        points += IN_ROW[ones(spaces >> SIZE * k & ROW_MASK)]
        held = np.int64(state.line_count[seat, k])
        if held > 0:
            points += (
                PARTIAL * held / (k + 1) * likely_points(state, seat, spaces, k, np.int64(state.line_colour[seat, k]))
            )
    if state.start == seat:
        points += MARKER_POINTS
    return POINTS_A_STEP * points


@rule
def likely_points(state, seat, spaces, row, colour):
    """What a tile of a colour in a row would bring: its points, and what column and colour promise more."""
    colours = ones(np.int64(state.wall[seat, colour]))
    more = OF_COLOUR[colours + 1] - OF_COLOUR[colours]
    columns = open_columns(state, seat, row, colour)
    best = 0.0
    for column in range(SIZE):
        if columns >> column & 1 and spaces >> SIZE * row + column & 1 == 0:
            held = ones(spaces >> column & COLUMN_MASK)
            points = points_at(spaces | 1 << SIZE * row + column, row, column) + IN_COLUMN[held + 1] - IN_COLUMN[held]
            best = max(best, points)
    return best + more


@rule
def rate(state, out, count, ratings):
    seat = np.int64(state.seat)
    spaces = occupied(state, seat)
    if state.phase == TILE:
        row = np.int64(state.row)
        for k in range(count):
            column = np.int64(out[k]) - column_action(state, row, 0)
            held = ones(spaces >> column & COLUMN_MASK)
            ratings[k] = (
                points_at(spaces | 1 << SIZE * row + column, row, column) + IN_COLUMN[held + 1] - IN_COLUMN[held]
            )
        return
    if not state.grey:
        for row in range(SIZE):
            if state.line_count[seat, row] == row + 1:
                spaces |= 1 << SIZE * row + COLUMN_OF[row, state.line_colour[seat, row]]
    floored = np.int64(state.floor_count[seat])
    for k in range(count):
        action = np.int64(out[k])
        source, colour, line = action // (SIZE * LINES), action // LINES % SIZE, action % LINES
        tiles = np.int64(count_of(state.source[source], colour))
        spilled = tiles
        rating = 0.0
        if line > 0:
            row = line - 1
            held = np.int64(state.line_count[seat, row])
            placed = min(tiles, line - held)
            spilled = tiles - placed
            brought = likely_points(state, seat, spaces, row, colour)
            if held + placed == line:
                rating = brought + 0.3 * placed
            else:
                rating = PARTIAL * brought * (held + placed) / line + 0.3 * placed - 1.0
        if source == CENTRE and state.marker:
            spilled += 1
            rating += MARKER_POINTS
        ratings[k] = rating - (PENALTIES[min(floored + spilled, FLOOR_SPACES)] - PENALTIES[floored])
