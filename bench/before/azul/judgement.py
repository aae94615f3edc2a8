"""Azul's evaluation for the search: features between two rounds, and ratings of actions."""

from typing import Any

import numpy as np

from azulejos.core.compiling import adopt, rule
from azulejos.core.features import Features

from .. import common
from ..common import factories
from ..common import stage as stage
from .encoding import CENTRE, LINES, TILE
from .kernels import column_action, complete_rows, count_of, occupied, open_columns, points_at, tiles_of
from .lookups import COLUMN_MASK, ROW_MASK, RUN
from .tables import COLUMN_OF, FLOOR_SPACES, PENALTIES, SIZE

_features = Features()
SCORE = _features.add("score")
COLUMNS = _features.add(*(f"columns of {n}" for n in range(SIZE + 1)))
COLOURS = _features.add(*(f"colours of {n}" for n in range(SIZE + 1)))
ROWS = _features.add(*(f"rows of {n}" for n in range(SIZE + 1)))
HOLDS = _features.add(*(f"line {row + 1} holds {n}" for row in range(1, SIZE) for n in range(1, row + 1)))
OPEN = _features.add(*(f"points open in row {row + 1}" for row in range(SIZE)))
BEGUN = _features.add("points begun", "columns begun", "colours begun")
STARTS = _features.add("starts")
FEATURES = tuple(_features)
STAGE_WITHOUT_DRAWS = True  # all tiles of a round are drawn before it begins
CHAPTERS = 5  # rounds 2, 3, 4, 5, and later ones
PARAMETERS = {"explore": 1.2}  # what won most here, instead of the search's usual parameters

# Fitted to self-play games by bench/fit_judgement.py: [variants * CHAPTERS, features and patterns].
WEIGHTS = common.fitted(__file__, "weights.csv")

# Found in the same games: [1 + things, patterns]. The things of a coloured wall: spaces, lines by what they hold. Those
# of a grey wall: that it is grey, spaces, lines, colours by row.
PATTERNS = common.fitted(__file__, "patterns.csv")
SPACES = SIZE * SIZE
HELD_LINES = SIZE * SIZE * (SIZE - 1) // 2
GREY = SPACES + HELD_LINES + 1
THINGS = GREY + 2 * SPACES + HELD_LINES

# Ratings of actions, fitted to the visits of long searches. FULL: it completes a line; PART: it fills a part
# of one, and counts by the share filled. LATE: for each round after the third. Column and colour: the tiles there,
# squared, by four.
FULL, FULL_LATE, FULL_POINTS, FULL_POINTS_LATE = 0.31, -0.57, 0.30, 0.04
FULL_COLUMN, FULL_COLOUR, FULL_PLACED = 0.014, 0.26, 0.14
PART, PART_LATE, PART_POINTS, PART_COLUMN, PART_COLOUR = -2.24, -0.94, 0.48, 0.14, 0.74
PART_PLACED, PART_MISSING, PART_NEW, PART_TO_COME = 0.52, -0.43, -0.95, 0.50
LONGER, PENALTY, TAKES_MARKER, TO_FLOOR = 0.30, -0.41, 0.62, -0.18


chapter_of: Any = adopt(common.chapter_of, __name__, CHAPTERS=CHAPTERS)


@rule
def standing(state, seat):
    """Most points; tied: more complete rows."""
    return 8 * np.int64(state.score[seat]) + complete_rows(occupied(state, seat))


@rule
def chapter(state):
    """Each wall and number of players has weights of its own for each round that begins."""
    return chapter_of(state.grey, state)


@rule
def ones(spaces):
    """How many of the lowest 25 bits are set."""
    spaces = spaces - (spaces >> 1 & 0x55555555)
    spaces = (spaces & 0x33333333) + (spaces >> 2 & 0x33333333)
    spaces = spaces + (spaces >> 4) & 0x0F0F0F0F
    return (spaces * 0x01010101 >> 24) & 0xFF


@rule
def exchanged(spaces):
    """A wall with its rows and columns exchanged."""
    turned = np.int64(0)
    for column in range(SIZE):
        turned |= ((spaces >> column & COLUMN_MASK) * 0x111110 >> 20 & ROW_MASK) << SIZE * column
    return turned


@rule
def features(state, seat, out):
    """A seat's position between two rounds. What is begun counts by the share of its line that is filled."""
    for k in range(len(FEATURES)):
        out[k] = 0.0
    spaces = occupied(state, seat)
    turned = exchanged(spaces)
    for k in range(SIZE):
        column = spaces >> k & COLUMN_MASK
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
def list_things(state, seat, out):
    """The spaces with a tile, and the lines by what they hold; on the grey wall also the colours of each row."""
    count, first = 0, 1
    if state.grey:
        out[0] = GREY
        count, first = 1, GREY + 1
        for colour in range(SIZE):
            laid = np.int64(state.wall[seat, colour])
            for row in range(SIZE):
                if laid >> SIZE * row & ROW_MASK:
                    out[count] = first + SPACES + HELD_LINES + SIZE * row + colour
                    count += 1
    spaces = occupied(state, seat)
    for space in range(SPACES):
        if spaces >> space & 1:
            out[count] = first + space
            count += 1
    for row in range(1, SIZE):
        held = np.int64(state.line_count[seat, row])
        if held > 0:
            shorter = SIZE * row * (row - 1) // 2
            out[count] = first + SPACES + shorter + row * np.int64(state.line_colour[seat, row]) + min(held, row) - 1
            count += 1
    return count


@rule
def points_between(row_spaces, column_spaces, row, column):
    """The points of a tile laid where these two sets of five spaces cross."""
    across = RUN[row_spaces | 1 << column, column]
    down = RUN[column_spaces | 1 << row, row]
    return across + down if across > 1 and down > 1 else max(across, down)


@rule
def rate(state, out, count, ratings):
    seat = np.int64(state.seat)
    spaces = occupied(state, seat)
    if state.phase == TILE:
        rate_columns(state, seat, spaces, out, count, ratings)
        return
    if not state.grey:  # what is complete will be tiled
        for row in range(SIZE):
            if state.line_count[seat, row] == row + 1:
                spaces |= 1 << SIZE * row + COLUMN_OF[row, state.line_colour[seat, row]]
    late = np.float64(state.round_no) - 3.0
    full, part = len(ratings) - 2 * SIZE * SIZE, len(ratings) - SIZE * SIZE
    rate_spaces(state, seat, spaces, late, ratings, full, part)
    left = np.int64(0)
    for source in range(factories(state) + 1):
        left += state.source[source]
    floored = np.int64(state.floor_count[seat])
    for k in range(count):
        action = np.int64(out[k])
        source, colour, line = action // (SIZE * LINES), action // LINES % SIZE, action % LINES
        tiles = np.int64(count_of(state.source[source], colour))
        spilled = tiles
        rating = TO_FLOOR
        if line > 0:
            row = line - 1
            held = np.int64(state.line_count[seat, row])
            placed = min(tiles, line - held)
            missing = line - held - placed
            spilled = tiles - placed
            if missing == 0:
                rating = ratings[full + row * SIZE + colour] + FULL_PLACED * placed
            else:
                rating = ratings[part + row * SIZE + colour] * (held + placed) / line
                rating += PART_PLACED * placed + PART_MISSING * missing
                rating += PART_TO_COME * min(1.0, (count_of(left, colour) - tiles) / missing)
                if held == 0:
                    rating += PART_NEW
            rating += LONGER * row
        if source == CENTRE and state.marker:
            spilled += 1
            rating += TAKES_MARKER
        ratings[k] = rating + PENALTY * (PENALTIES[min(floored + spilled, FLOOR_SPACES)] - PENALTIES[floored])


@rule
def rate_spaces(state, seat, spaces, late, ratings, full, part):
    """For each row and colour: how good it is to complete the line, and to begin it; noted from `full` and `part`."""
    turned = exchanged(spaces)
    planned = np.int64(0)  # tiles of each colour in complete lines, packed
    for row in range(SIZE):
        if state.line_count[seat, row] == row + 1:
            planned += tiles_of(np.int64(state.line_colour[seat, row]), 1)
    for colour in range(SIZE):
        colours = ones(np.int64(state.wall[seat, colour])) + count_of(planned, colour)
        of_colour = colours * colours / 4
        for row in range(SIZE):
            columns = open_columns(state, seat, row, colour)
            points, in_column = 0, 0.0
            across = spaces >> SIZE * row & ROW_MASK
            for column in range(SIZE):
                if columns >> column & 1:
                    found = points_between(across, turned >> SIZE * column & ROW_MASK, row, column)
                    if found > points:
                        held = ones(spaces >> column & COLUMN_MASK)
                        points, in_column = found, held * held / 4
            note = row * SIZE + colour
            ratings[full + note] = (FULL + FULL_LATE * late + (FULL_POINTS + FULL_POINTS_LATE * late) * points) + (
                FULL_COLUMN * in_column + FULL_COLOUR * of_colour
            )
            ratings[part + note] = (
                PART + PART_LATE * late + PART_POINTS * points + PART_COLUMN * in_column + PART_COLOUR * of_colour
            )


@rule
def rate_columns(state, seat, spaces, out, count, ratings):
    """Grey wall: the points of the tile, and what its column promises."""
    row = np.int64(state.row)
    for k in range(count):
        column = np.int64(out[k]) - column_action(state, row, 0)
        held = ones(spaces >> column & COLUMN_MASK)
        ratings[k] = 0.5 * points_at(spaces | 1 << SIZE * row + column, row, column) + 0.1 * held * held
