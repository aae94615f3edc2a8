"""Phase 2, decorating: lines, chips, the dome and its points."""

import numpy as np

from azulejos.core.compiling import adopt, rule, tell

from ... import common
from ..encoding import (
    CHIP_BITS,
    COMPLETING,
    ENDED,
    LEAVE_ACTION,
    NO_COLOUR,
    PAY,
    PAY_ACTIONS,
    PREPARE,
    SLOT,
    SLOT_ACTIONS,
    SPEND_ACTIONS,
)
from ..lookups import ACCEPTS, KEY_SPACE, LINE_OF_EACH, MATCHING, ONLY, ROW_MASK, RUN, SQUARE_SPACES
from ..tables import (
    ANY_PRICE,
    BROKE,
    BROKEN_SPACES,
    MATCHING_PRICE,
    MOST_CHIPS,
    NUM_CHIPS,
    PENALISED,
    PENALTIES,
    ROTATIONS,
    ROUNDS,
    SIZE,
    SPECIAL,
    SPECIAL_LAID,
    SPECIAL_POINTS,
    SPENT,
    SQUARES_ACROSS,
    START_PENALISED,
    START_TILE_PENALTY,
    TILED,
    TOWERED,
    UNPLACEABLE,
)
from .ending import (
    end,
)
from .preparing import (
    begin_round,
)
from .record import chips_in, chips_of, is_one, kind_of, member, square_of, tiles_of


@rule
def begin_decorating(state):
    """The round's start player decorates wholly, then the other (D-R10)."""
    state.seat = state.start
    state.row = 0
    go_on_decorating(state)


@rule
def go_on_decorating(state):
    """Line 1 to 6, until something is to be chosen or both are done."""
    while True:
        seat = np.int64(state.seat)
        while state.row < SIZE:
            if not decorate_line(state, seat, np.int64(state.row)):
                return
            state.row += 1
        state.row = 0
        pay_penalties(state, seat)
        if seat != state.start:
            break
        state.seat = 1 - seat
    if state.round_no < ROUNDS:
        begin_round(state)
    else:
        end(state)


@rule
def decorate_line(state, seat, row):
    """Place, break or leave the tiles of a line. False if the owner has to choose."""
    count = np.int64(state.line_count[seat, row])
    if count == 0:
        return True
    colour = np.int64(state.line_colour[seat, row])
    if free_slots(state, seat, state.dome[seat], row, colour) == 0:
        if three_plates(state, seat, row):
            break_line(state, seat, row)
        return True
    if count == row + 1:
        return place(state, seat, row)
    if can_pay(np.int64(state.chips[seat]), colour, row + 1 - count):
        state.phase = COMPLETING
        return False
    return True


@rule
def free_slots(state, seat, dome, row, colour):
    """The columns, as bits, of a row's free slots of a colour, and of its free joker slots."""
    slots = np.int64(0)
    for across in range(SQUARES_ACROSS):
        code = state.square[seat, row // 2 * SQUARES_ACROSS + across]
        slots |= ACCEPTS[code, row % 2, colour] << 2 * across
    return slots & ~(dome >> SIZE * row)


@rule
def three_plates(state, seat, row):
    first = row // 2 * SQUARES_ACROSS
    return state.square[seat, first] > 0 and state.square[seat, first + 1] > 0 and state.square[seat, first + 2] > 0


@rule
def break_line(state, seat, row):
    """No slot, and three plates in the row: the tiles are broken, complete or not."""
    tell(UNPLACEABLE, seat, row, 0, 0)
    break_tiles(state, seat, np.int64(state.line_colour[seat, row]), np.int64(state.line_count[seat, row]))
    clear_line(state, seat, row)


@rule
def clear_line(state, seat, row):
    state.line_count[seat, row] = 0
    state.line_colour[seat, row] = NO_COLOUR
    state.open[seat] |= LINE_OF_EACH << row + 1


@rule
def break_tiles(state, seat, colour, count):
    """Broken tiles beyond the fourth go into the tower at no cost."""
    fitting = min(count, BROKEN_SPACES - np.int64(state.broken_count[seat]))
    if fitting > 0:
        tell(BROKE, seat, colour, fitting, 0)
        state.broken[seat] += tiles_of(colour, fitting)
        state.broken_count[seat] += fitting
    if count > fitting:
        put_in_tower(state, seat, colour, count - fitting, 1)


@rule
def put_in_tower(state, seat, colour, count, broken):
    tell(TOWERED, seat, colour, count, broken)
    state.tower += tiles_of(colour, count)


# --- chips on lines ---


@rule
def can_pay(chips, colour, missing):
    """The more chips, the fewer of them must show the colour, so it is enough to try the most."""
    spent = min(ANY_PRICE * missing, chips_in(chips))
    return payable(chips, colour, missing, spent)


@rule
def payable(chips, colour, missing, spent):
    """Two chips that show the colour for each missing tile, or any three (D-R11): so many chips, in all."""
    if spent < MATCHING_PRICE * missing or spent > ANY_PRICE * missing or spent > chips_in(chips):
        return False
    return matching_needed(missing, spent) <= chips_in(chips & MATCHING[colour])


@rule
def matching_needed(missing, spent):
    """How many of the chips spent must show the colour: two for each tile that is not paid with three."""
    return MATCHING_PRICE * (ANY_PRICE * missing - spent)


@rule
def legal_payments(state, out):
    """Leave the line alone, or complete it with a number of chips (D-R2: its tile can be placed)."""
    seat = np.int64(state.seat)
    row = np.int64(state.row)
    colour = np.int64(state.line_colour[seat, row])
    missing = row + 1 - np.int64(state.line_count[seat, row])
    chips = np.int64(state.chips[seat])
    out[0] = LEAVE_ACTION
    count = 1
    for spent in range(MATCHING_PRICE, MOST_CHIPS + 1):
        if payable(chips, colour, missing, spent):
            out[count] = SPEND_ACTIONS + spent - MATCHING_PRICE
            count += 1
    return count


@rule
def choose_payment(state, spent):
    seat = np.int64(state.seat)
    row = np.int64(state.row)
    if spent == 0:
        state.row += 1
        go_on_decorating(state)
        return
    state.phase = PAY
    state.pay_left = spent
    state.pay_matching = matching_needed(row + 1 - np.int64(state.line_count[seat, row]), spent)
    go_on_paying(state)


@rule
def go_on_paying(state):
    """Chip by chip, until one is to be chosen; then the line is complete."""
    seat = np.int64(state.seat)
    while state.pay_left > 0:
        kinds = kinds_to_spend(state)
        if not is_one(kinds):
            return
        spend(state, seat, member(kinds, 0))
    state.pay_matching = 0
    state.pay_from = 0
    if place(state, seat, np.int64(state.row)):
        state.row += 1
        go_on_decorating(state)


@rule
def kinds_to_spend(state):
    """The kinds of chips, as bits, that may be spent next: with the rest the payment must still come out.

    Chips are spent in the order of their kinds, so that each set of them is one choice.
    """
    seat = np.int64(state.seat)
    matching = MATCHING[state.line_colour[seat, state.row]]
    kinds = np.int64(0)
    for kind in range(state.pay_from, NUM_CHIPS):
        if chips_of(state.chips[seat], kind) > 0:
            rest = state.chips[seat] - (1 << CHIP_BITS * kind) & ~((1 << CHIP_BITS * kind) - 1)
            needed = np.int64(state.pay_matching)
            if matching >> CHIP_BITS * kind & 1:
                needed -= 1
            left = state.pay_left - 1
            if needed <= left <= chips_in(rest) and needed <= chips_in(rest & matching):
                kinds |= 1 << kind
    return kinds


@rule
def legal_chips(state, out):
    kinds = kinds_to_spend(state)
    count = 0
    for kind in range(NUM_CHIPS):
        if kinds >> kind & 1:
            out[count] = PAY_ACTIONS + kind
            count += 1
    return count


@rule
def pay(state, kind):
    spend(state, np.int64(state.seat), kind)
    go_on_paying(state)


@rule
def spend(state, seat, kind):
    """Spent chips are gone."""
    row = np.int64(state.row)
    tell(SPENT, seat, row, kind, 0)
    state.chips[seat] -= 1 << CHIP_BITS * kind
    state.pay_left -= 1
    if MATCHING[state.line_colour[seat, row]] >> CHIP_BITS * kind & 1 and state.pay_matching > 0:
        state.pay_matching -= 1
    state.pay_from = kind


# --- tiles on the dome ---


@rule
def place(state, seat, row):
    """One tile of a complete line goes to a slot. False if the owner has to choose which."""
    slots = free_slots(state, seat, state.dome[seat], row, np.int64(state.line_colour[seat, row]))
    if not is_one(slots):
        state.phase = SLOT
        return False
    lay_tile(state, seat, row, ONLY[slots])
    return True


@rule
def legal_slots(state, out):
    seat = np.int64(state.seat)
    row = np.int64(state.row)
    slots = free_slots(state, seat, state.dome[seat], row, np.int64(state.line_colour[seat, row]))
    count = 0
    for column in range(SIZE):
        if slots >> column & 1:
            out[count] = SLOT_ACTIONS + row * SIZE + column
            count += 1
    return count


@rule
def choose_slot(state, column):
    lay_tile(state, np.int64(state.seat), np.int64(state.row), column)
    state.row += 1
    go_on_decorating(state)


@rule
def lay_tile(state, seat, row, column):
    """The tile scores at once; then the special tile that it calls for (D-R9); the other tiles go to the tower."""
    colour = np.int64(state.line_colour[seat, row])
    others = np.int64(state.line_count[seat, row]) - 1
    square = square_of(row, column)
    space = SIZE * row + column
    state.dome[seat] |= np.int64(1) << space
    if KEY_SPACE[square, state.square[seat, square]] == space:
        state.joker_colour[seat, square] = colour
    points = points_at(state.dome[seat], row, column)
    tell(TILED, seat, row, column, points)
    state.score[seat] += points
    special = special_space(state, seat, state.dome[seat], square)
    if special >= 0:
        lay_special(state, seat, special)
    if others > 0:
        put_in_tower(state, seat, colour, others, 0)
    clear_line(state, seat, row)


points_at = adopt(common.points_at, __name__, SIZE=SIZE, ROW_MASK=ROW_MASK, RUN=RUN)


@rule
def special_space(state, seat, dome, square):
    """The space of the special slot, if the plate is special and nothing else is missing on it; else -1."""
    code = np.int64(state.square[seat, square])
    if kind_of((code - 1) // ROTATIONS) == SPECIAL:
        space = KEY_SPACE[square, code]
        if SQUARE_SPACES[square] & ~dome == np.int64(1) << space:
            return space
    return np.int64(-1)


@rule
def lay_special(state, seat, space):
    """A special tile scores its row's points, and nothing for its neighbours."""
    row = space // SIZE
    points = SPECIAL_POINTS[row]
    tell(SPECIAL_LAID, seat, row, space % SIZE, points)
    state.dome[seat] |= np.int64(1) << space
    state.score[seat] += points


@rule
def pay_penalties(state, seat):
    """Broken tiles, then the start tile, whose holder keeps it for now; never below 0. Broken tiles go to the tower."""
    cost = PENALTIES[state.broken_count[seat]]
    if cost > 0:
        lost = min(cost, np.int64(state.score[seat]))
        tell(PENALISED, seat, lost, cost, 0)
        state.score[seat] -= lost
        state.tower += state.broken[seat]
        state.broken[seat] = 0
        state.broken_count[seat] = 0
    if state.holder == seat:
        lost = min(START_TILE_PENALTY, np.int64(state.score[seat]))
        tell(START_PENALISED, seat, lost, START_TILE_PENALTY, 0)
        state.score[seat] -= lost


# --- looking ahead ---


@rule
def projected(state, seat):
    """What the score would be if the acquisition ended here, without spending chips and before the tablets.

    Each complete line's tile goes where it scores most, lines that have lost their last slot break, and the broken
    tiles and the start tile are paid for.
    """
    score = np.int64(state.score[seat])
    decorating = state.phase == COMPLETING or state.phase == PAY or state.phase == SLOT
    if state.phase == ENDED or state.phase == PREPARE or (decorating and seat == state.start and seat != state.seat):
        return score
    dome = state.dome[seat]
    broken = np.int64(state.broken_count[seat])
    for row in range(state.row if seat == state.seat else 0, SIZE):
        count = np.int64(state.line_count[seat, row])
        if count == 0:
            continue
        slots = free_slots(state, seat, dome, row, np.int64(state.line_colour[seat, row]))
        paid = state.phase >= PAY and seat == state.seat and row == state.row
        if slots == 0:
            if three_plates(state, seat, row):
                broken = min(broken + count, BROKEN_SPACES)
        elif count == row + 1 or paid:
            best = np.int64(0)
            best_dome = dome
            for column in range(SIZE):
                if slots >> column & 1:
                    trial = dome | np.int64(1) << SIZE * row + column
                    points = points_at(trial, row, column)
                    special = special_space(state, seat, trial, square_of(row, column))
                    if special >= 0:
                        trial |= np.int64(1) << special
                        points += SPECIAL_POINTS[special // SIZE]
                    if points > best:
                        best = points
                        best_dome = trial
            score += best
            dome = best_dome
    score -= PENALTIES[broken]
    if state.holder == seat:
        score -= START_TILE_PENALTY
    return max(score, 0)
