"""How an action looks at a glance, in points."""

import numpy as np

from azulejos.core.compiling import rule

from ..encoding import (
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
    SPECIAL_CODES,
    SPEND_ACTIONS,
    STOP_ACTION,
)
from ..kernels.acquiring import tiles_on_moons
from ..kernels.decorating import free_slots, three_plates
from ..kernels.record import bits_in, count_of, is_one
from ..lookups import ACCEPTS, COLUMN_MASK, KEY_SPACE, SLOT_AT, SQUARE_SPACES
from ..tables import (
    BROKEN_SPACES,
    MATCHING_PRICE,
    NUM_COLOURS,
    PENALTIES,
    ROTATIONS,
    ROUNDS,
    SIZE,
    SPECIAL_POINTS,
    SPECIAL_SLOT,
    SQUARES,
    SQUARES_ACROSS,
    START_TILE_PENALTY,
)
from .evaluating import best_points
from .spaces import exchanged, points_between

# How an action looks, in points.
CHIP_POINTS, CHIP_PAID, PLATE_POINTS, STACK_POINTS = 1.5, 0.6, 2.5, 0.5
POINTS_A_STEP = 3.0  # by which an action looks 2.7 times as good
NO_SLOT_YET, PARTIAL, TILE_POINTS = 0.5, 0.5, 0.2

# What `rate` and `describe_actions` note behind the ratings: for a seat's rows and colours the best free slot, as 16
# times its points, 8 if the slot is not a joker's, and the column; points of all spaces and sets of colours by row.
CELLS = SIZE * NUM_COLOURS
OWN_NOTES, OTHER_NOTES, SPACE_NOTES, ROW_NOTES = 128, 98, 68, 32  # before the end of the ratings
CELL_NOTES, WANT_NOTES = 40, 8  # before the end of the rows


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
    points = 0
    if phase == ACT:
        rate_turns(state, seat, dome, out, count, ratings)
        return
    if phase == LAY:
        note_spaces(state, seat, dome, ratings)
    elif phase == COMPLETING:
        slots = free_slots(state, seat, dome, row, np.int64(state.line_colour[seat, row]))
        points = best_points(state, seat, dome, row, slots)
    for k in range(count):
        action = np.int64(out[k])
        rating = 0.0
        if phase == LAY:
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
def rate_turns(state, seat, dome, out, count, ratings):
    """Tiles for a line, a chip or a plate."""
    moons, own = tiles_on_moons(state), len(ratings) - OWN_NOTES
    note_cells(state, seat, dome, ratings, own)
    before, tiles, of_group = -1, np.int64(0), 0.0
    for k in range(count):
        action = np.int64(out[k])
        if action >= DRAW_ACTION:
            rating = STACK_POINTS
        elif action >= PLATE_ACTIONS:
            rating = PLATE_POINTS
        elif action >= CHIP_ACTIONS:
            rating = CHIP_POINTS
        else:
            group, line = action // LINES, action % LINES
            if group != before:  # the actions of a group are neighbours
                before = group
                source, colour, of_group = group // NUM_COLOURS, group % NUM_COLOURS, 0.0
                tiles = np.int64(count_of(moons if source == MOONS else np.int64(state.sun[source]), colour))
                if source == MOONS and state.holder == NOBODY and count_of(state.moon, colour) > 0:
                    of_group -= START_TILE_PENALTY - 1.5
            rating = rate_line(state, seat, tiles, group % NUM_COLOURS, line, of_group, ratings, own)
        ratings[k] = rating / POINTS_A_STEP


@rule
def rate_line(state, seat, tiles, colour, line, rating, ratings, own):
    """Tiles for a line, or for the broken ones; `rating` is that of their place."""
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
