"""How the searching player judges Azul: what counts between two rounds, and how an action looks at a glance."""

from pathlib import Path

import numpy as np

from azulejos.core.compiling import rule

from .kernels import (
    CENTRE,
    COLUMN_MASK,
    LINES,
    ROW_MASK,
    RUN,
    TILE,
    column_action,
    complete_rows,
    count_of,
    occupied,
    open_columns,
    points_at,
)
from .layout import COLUMN_OF, FLOOR_SPACES, PENALTIES, SIZE

FEATURES = (
    "score",
    *(f"columns of {n}" for n in range(SIZE + 1)),
    *(f"colours of {n}" for n in range(SIZE + 1)),
    *(f"rows of {n}" for n in range(SIZE + 1)),
    *(f"line {row + 1} holds {n}" for row in range(1, SIZE) for n in range(1, row + 1)),
    *(f"points open in row {row + 1}" for row in range(SIZE)),
    "points begun",
    "columns begun",
    "colours begun",
    "starts",
)
SCORE, COLUMNS, COLOURS, ROWS, HOLDS, OPEN, BEGUN, STARTS = 0, 1, 7, 13, 19, 29, 34, 37
CHAPTERS = 5  # rounds 2, 3, 4, 5, and later ones

# Fitted to games of the player against itself by bench/fit_judgement.py: [variants * CHAPTERS, features].
WEIGHTS = np.loadtxt(Path(__file__).with_name("weights.csv"), delimiter=",", skiprows=1)

# What having 0 to 5 tiles of a column or a colour promises while drafting, in points.
IN_COLUMN = np.array([0.0, 0.3, 0.8, 1.7, 3.5, 7.0])
OF_COLOUR = np.array([0.0, 0.3, 0.9, 2.2, 5.0, 10.0])
MARKER_POINTS = 1.5
PARTIAL = 0.6


@rule
def standing(state, seat):
    """Most points; tied: more complete rows."""
    return 8 * np.int64(state.score[seat]) + complete_rows(occupied(state, seat))


@rule
def stage(state):
    return np.int64(state.round_no)


@rule
def chapter(state):
    """Each wall and number of players has weights of its own for each round that begins."""
    variant = 3 * np.int64(state.grey) + np.int64(state.players) - 2
    late = min(max(np.int64(state.round_no) - 2, 0), CHAPTERS - 1)
    return CHAPTERS * variant + late


@rule
def ones(spaces):
    """How many of the lowest 25 bits are set."""
    spaces = spaces - (spaces >> 1 & 0x55555555)
    spaces = (spaces & 0x33333333) + (spaces >> 2 & 0x33333333)
    spaces = spaces + (spaces >> 4) & 0x0F0F0F0F
    return (spaces * 0x01010101 >> 24) & 0xFF


@rule
def features(state, seat, out):
    """A seat's position between two rounds. What is begun counts by the share of its line that is filled."""
    for k in range(len(FEATURES)):
        out[k] = 0.0
    spaces = occupied(state, seat)
    turned = np.int64(0)  # the wall with rows and columns exchanged
    for k in range(SIZE):
        column = spaces >> k & COLUMN_MASK
        turned |= ((column * 0x111110) >> 20 & ROW_MASK) << SIZE * k
        out[COLUMNS + ones(column)] += 1.0
        out[COLOURS + ones(np.int64(state.wall[seat, k]))] += 1.0
        out[ROWS + ones(spaces >> SIZE * k & ROW_MASK)] += 1.0
    out[SCORE] = state.score[seat]
    for row in range(SIZE):
        across = spaces >> SIZE * row & ROW_MASK
        total = 0
        for column in range(SIZE):
            if across >> column & 1 == 0:
                total += points_between(across, turned >> SIZE * column & ROW_MASK, row, column)
        out[OPEN + row] = total
    for row in range(1, SIZE):
        held = np.int64(state.line_count[seat, row])
        if held > 0:
            out[HOLDS + row * (row - 1) // 2 + held - 1] = 1.0
            colour = np.int64(state.line_colour[seat, row])
            columns = open_columns(state, seat, row, colour)
            best, place = 0, 0
            for column in range(SIZE):
                if columns >> column & 1:
                    points = points_between(
                        spaces >> SIZE * row & ROW_MASK, turned >> SIZE * column & ROW_MASK, row, column
                    )
                    if points > best:
                        best, place = points, column
            share = held / (row + 1)
            out[BEGUN] += share * best
            if best > 0:
                out[BEGUN + 1] += share * ones(spaces >> place & COLUMN_MASK)
            out[BEGUN + 2] += share * ones(np.int64(state.wall[seat, colour]))
    if state.start == seat:
        out[STARTS] = 1.0


@rule
def points_between(row_spaces, column_spaces, row, column):
    """The points of a tile laid where these two sets of five spaces cross."""
    across = RUN[row_spaces | 1 << column, column]
    down = RUN[column_spaces | 1 << row, row]
    return across + down if across > 1 and down > 1 else max(across, down)


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
