"""Actions and positions in the rows of the network's priors."""

import numpy as np

from azulejos.core.compiling import rule

from ..encoding import (
    ACT,
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
from ..kernels.acquiring import tiles_on_moons
from ..kernels.decorating import free_slots, three_plates
from ..kernels.ending import colours_in_row, slots_of
from ..kernels.record import bits_in, chips_in, count_of, kind_of, square_of, tiles_in
from ..lookups import ACCEPTS, BITS, DIAGONAL_MASKS, KEY_SPACE, MATCHING, RING_MASK, ROW_MASK, SLOT_AT, SQUARE_SPACES
from ..tables import (
    ANY_PRICE,
    BROKEN_SPACES,
    COLUMNS,
    CORNER_PLATES,
    DIAGONALS,
    EMPTY_SPECIALS,
    FACTORIES,
    JOKER,
    JOKERS,
    LARGE,
    MATCHING_PRICE,
    NUM_COLOURS,
    NUM_SIDES,
    OPEN_PLATES,
    PENALTIES,
    RING,
    ROTATIONS,
    ROUNDS,
    ROW_COLOURS,
    ROWS,
    SIZE,
    SPECIAL,
    SPECIAL_SLOT,
    SQUARES,
    SQUARES_ACROSS,
)
from .evaluating import points_with_special
from .listing import MOST_CHIPS
from .prior_rows import (
    CORNER_CLASSES,
    CROSSES,
    LATE,
    MOST_POINTS,
    MOST_TAKEN,
    NO_ROW,
    PLATE_CLASSES,
    REACHES,
    ROW_OF_BEST,
    ROW_OF_BREAKING,
    ROW_OF_BROKEN,
    ROW_OF_CHIP,
    ROW_OF_CHIP_LINES,
    ROW_OF_CHIP_OTHER,
    ROW_OF_CHIP_TIME,
    ROW_OF_CHIPS,
    ROW_OF_CHIPS_LEFT,
    ROW_OF_CORNER,
    ROW_OF_COST,
    ROW_OF_CROSS,
    ROW_OF_DENIAL,
    ROW_OF_DRAW,
    ROW_OF_GAIN,
    ROW_OF_GROUP,
    ROW_OF_HAND,
    ROW_OF_HELD,
    ROW_OF_KEY,
    ROW_OF_LATER,
    ROW_OF_LEAD,
    ROW_OF_LEFT,
    ROW_OF_LINE,
    ROW_OF_PAID,
    ROW_OF_PHASE,
    ROW_OF_PILE,
    ROW_OF_PILED,
    ROW_OF_PLATE,
    ROW_OF_PLATE_KIND,
    ROW_OF_PLATE_NUMBER,
    ROW_OF_PLATE_OTHER,
    ROW_OF_PLATE_SUITS,
    ROW_OF_PLATE_TILES,
    ROW_OF_PLATE_TIME,
    ROW_OF_POINTS,
    ROW_OF_REACH,
    ROW_OF_SLOT,
    ROW_OF_SLOT_POINTS,
    ROW_OF_SPENT,
    ROW_OF_SQUARE,
    ROW_OF_STACK,
    ROW_OF_TABLETS,
    ROW_OF_TAKEN_PLATE,
    ROW_OF_TOKENS,
    ROW_OF_TOP,
    ROW_OF_TWICE,
    WANTS,
)
from .rating import (
    CELL_NOTES,
    CELLS,
    NO_SLOT_YET,
    OTHER_NOTES,
    OWN_NOTES,
    PARTIAL,
    ROW_NOTES,
    SPACE_NOTES,
    TILE_POINTS,
    WANT_NOTES,
    note_cells,
)
from .spaces import exchanged


@rule
def describe_actions(state, out, count, ratings, rows):
    """To be called after `rate`, whose notes it uses."""
    rows[count, 5] = NO_ROW
    describe_position(state, np.int64(state.seat), count, rows)
    describe_briefly(state, out, count, ratings, rows)


@rule
def describe_briefly(state, out, count, ratings, rows):
    """The actions without the position. To be called after `rate`, too."""
    seat = np.int64(state.seat)
    phase = np.int64(state.phase)
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
        upper, colour = gain_of_slot(state, seat, 2 * third, ratings, cells)
        lower, other = gain_of_slot(state, seat, 2 * third + 1, ratings, cells)
        if upper + lower > best:
            for rotation in range(ROTATIONS):
                code = 1 + ROTATIONS * plate + rotation
                gain = upper if ACCEPTS[code, 0, colour] != 0 else 0
                best = max(best, gain + (lower if ACCEPTS[code, 1, other] != 0 else 0))
    return min(best, WANTS - 1)


@rule
def gain_of_slot(state, seat, row, ratings, cells):
    """How much of a line's tiles would find a slot, more if they have none yet; and their colour."""
    held, colour = np.int64(state.line_count[seat, row]), max(np.int64(state.line_colour[seat, row]), 0)
    return (2 if ratings[cells + NUM_COLOURS * row + colour] > 0 else 8) * held // (row + 1), colour


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
