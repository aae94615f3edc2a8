"""Phase 1, acquisition: the opening plates, whose turn it is, and the four actions."""

from azulejos.core.arrays import np
from azulejos.core.compiling import rule, tell

from ..encoding import (
    ACT,
    BROKEN,
    CHIP_ACTIONS,
    CHIP_BITS,
    DRAW_ACTION,
    DRAWING,
    DUE_FRONT,
    KEEP,
    LAY,
    LAY_ACTIONS,
    LINES,
    MOONS,
    NO_CHIP,
    NO_COLOUR,
    NO_PLATE,
    NOBODY,
    OPENING,
    PILE,
    PILE_ACTIONS,
    PLATE_ACTIONS,
    SOURCES,
    UNDER,
    UNKNOWN,
)
from ..lookups import ALL_LINES, LINE_OF_EACH, ONE_TILE
from ..tables import (
    CHIPS_A_ROUND,
    DREW_BLIND,
    FACTORIES,
    JOKER,
    KEPT,
    LAID,
    LARGE,
    LINED,
    LOOKED,
    NUM_COLOURS,
    PASSED,
    PILED,
    PLAYERS,
    PUT_UNDER,
    REVEALED,
    ROTATIONS,
    SPECIAL,
    SQUARES,
    START_TILE,
    TOOK,
    TOOK_CHIP,
    TOOK_PLATE,
)
from .decorating import (
    begin_decorating,
    break_tiles,
)
from .plates import (
    fill_display,
    forget_place,
    lift_top,
    look_at_top,
)
from .preparing import (
    begin_acquisition,
    first_empty,
    reveal_chip,
)
from .record import bits_in, count_of, is_one, kind_of, member, only_colour, plate_set, tiles_of


@rule
def go_on_opening(state):
    """The display is filled up after each opening plate; the start player is the second to take one."""
    if not fill_display(state) and state.laid[state.start] > 0:
        begin_acquisition(state)


@rule
def end_turn(state):
    """Chips that have come free are revealed, then it is the next seat's turn."""
    state.phase = ACT
    if not reveal_chip(state):
        next_turn(state)


@rule
def next_turn(state):
    """Who can do nothing passes for the rest of the phase; when nobody can do anything, the phase is over.

    Then no tile and no chip is left, since there are four chips and each seat takes two, and all tokens are used.
    """
    seat = np.int64(state.seat)
    if can_act(state, 1 - seat):
        state.seat = 1 - seat
    elif can_act(state, seat):
        tell(PASSED, 1 - seat, 0, 0, 0)
    else:
        begin_decorating(state)


@rule
def can_act(state, seat):
    """With a token there is always a plate to be had (D-R1); with no tile left every chip has been revealed."""
    if state.left > 0 or state.tokens[seat] > 0:
        return True
    if state.chips_taken[seat] < CHIPS_A_ROUND:
        for factory in range(1, FACTORIES):
            if state.chip[factory] != NO_CHIP:
                return True
    return False


@rule
def draw_chip(state, kind):
    factory = first_empty(state)
    tell(REVEALED, factory, kind, 0, 0)
    state.supply -= 1 << CHIP_BITS * kind
    state.chip[factory] = kind
    end_turn(state)


@rule
def legal_turns(state, out):
    """Suns, moons, chips, open plates, the stack."""
    seat = np.int64(state.seat)
    takes = state.open[seat]
    count = 0
    for source in range(SOURCES):
        tiles = tiles_on_moons(state) if source == MOONS else np.int64(state.sun[source])
        if tiles != 0:
            for colour in range(NUM_COLOURS):
                if count_of(tiles, colour) != 0:
                    lines = takes >> LINES * colour & ALL_LINES
                    base = take_action(source, colour, BROKEN)
                    while lines != 0:
                        out[np.uint64(count)] = base + bits_in((lines & -lines) - 1)  # the lowest of them
                        lines &= lines - 1
                        count += 1
    if state.chips_taken[seat] < CHIPS_A_ROUND:
        for factory in range(1, FACTORIES):
            if state.chip[factory] >= 0:
                out[count] = CHIP_ACTIONS + factory - 1
                count += 1
    if state.tokens[seat] > 0:
        count = list_plates(np.int64(state.display), PLATE_ACTIONS, out, count)
        if may_draw(state, seat):
            out[count] = DRAW_ACTION
            count += 1
    return count


@rule
def take_action(source, colour, line):
    return (source * NUM_COLOURS + colour) * LINES + line


@rule
def list_plates(plates, base, out, count):
    plate = 0
    while plates != 0:
        if plates & 1:
            out[count] = base + plate
            count += 1
        plates >>= 1
        plate += 1
    return count


# --- A. a plate ---


@rule
def take_plate(state, plate):
    """An open plate; the display is not refilled. The opening plates use no token."""
    seat = np.int64(state.seat)
    tell(TOOK_PLATE, seat, plate, 0, 0)
    if state.phase == ACT:
        state.tokens[seat] -= 1
    state.display &= ~plate_set(plate)
    state.plate = plate
    state.phase = LAY


@rule
def may_draw(state, seat):
    """A draw needs a point; only the first, when no open plate is left, may be made at 0 points (D-R1)."""
    if state.stack_count == 0:
        return False
    return state.score[seat] > 0 or (state.phase == ACT and state.display == 0)


@rule
def draw_blind(state):
    """Pay a point and take the stack's top without seeing its front."""
    seat = np.int64(state.seat)
    if state.phase == ACT:
        state.tokens[seat] -= 1
    points = min(np.int64(state.score[seat]), 1)
    tell(DREW_BLIND, seat, np.int64(state.top), points, 0)
    state.score[seat] -= points
    plate = np.int64(state.stack[0])
    if plate == UNKNOWN:
        state.hand_unseen[state.top] += 1
    else:
        state.hand |= plate_set(plate)
    lift_top(state)
    state.phase = DRAWING
    go_on_drawing(state)


@rule
def go_on_drawing(state):
    """The back of the new top is seen; who cannot draw again stops."""
    if not look_at_top(state) and not may_draw(state, np.int64(state.seat)):
        stop_drawing(state)


@rule
def stop_drawing(state):
    """Now the drawer sees the fronts."""
    state.phase = KEEP
    state.known[state.seat] |= state.hand
    go_on_looking(state)


@rule
def go_on_looking(state):
    if state.hand_unseen[SPECIAL] + state.hand_unseen[JOKER] > 0:
        state.due = DUE_FRONT
    elif state.phase == KEEP and is_one(state.hand):
        keep(state, member(state.hand, 0))


@rule
def draw_front(state, plate):
    tell(LOOKED, np.int64(state.seat), plate, 0, 0)
    state.unseen &= ~plate_set(plate)
    state.hand_unseen[kind_of(plate)] -= 1
    state.hand |= plate_set(plate)
    state.known[state.seat] |= plate_set(plate)
    go_on_looking(state)


@rule
def keep(state, plate):
    """Keep one and put the others under the stack in any order."""
    tell(KEPT, np.int64(state.seat), plate, 0, 0)
    state.hand &= ~plate_set(plate)
    forget_place(state, plate)
    state.plate = plate
    state.phase = LAY
    if is_one(state.hand):
        put_back(state, member(state.hand, 0))
    elif state.hand != 0:
        state.phase = UNDER
        state.known[1 - state.seat] &= ~state.hand  # in which order they go back is seen by nobody else (D-R6)


@rule
def put_back(state, plate):
    """One plate goes under the stack; the last of them goes by itself."""
    while True:
        tell(PUT_UNDER, np.int64(state.seat), plate, 0, 0)
        state.hand &= ~plate_set(plate)
        state.stack[state.stack_count] = plate
        state.stack_count += 1
        if not is_one(state.hand):
            break
        plate = member(state.hand, 0)
    if state.hand == 0:
        look_at_top(state)  # if the stack was empty
        state.phase = LAY


@rule
def legal_lays(state, out):
    """On an empty square, any rotation."""
    seat = np.int64(state.seat)
    count = 0
    for square in range(SQUARES):
        if state.square[seat, square] == 0:
            for rotation in range(ROTATIONS):
                out[count] = LAY_ACTIONS + square * ROTATIONS + rotation
                count += 1
    return count


@rule
def lay(state, square, rotation):
    """Lay the plate, for good."""
    seat = np.int64(state.seat)
    plate = np.int64(state.plate)
    tell(LAID, seat, plate, square, rotation)
    state.square[seat, square] = 1 + plate * ROTATIONS + rotation
    state.laid[seat] += 1
    state.plate = NO_PLATE
    if state.laid[0] + state.laid[1] <= PLAYERS:
        state.phase = OPENING
        state.seat = state.start
        go_on_opening(state)
    else:
        end_turn(state)


# --- B. sun, and C. moon ---


@rule
def take(state, source, colour, line):
    """All tiles of one colour from one sun, or from all moons, go to one line, or are broken."""
    seat = np.int64(state.seat)
    count = count_on_moons(state, colour) if source == MOONS else count_of(np.int64(state.sun[source]), colour)
    tell(TOOK, seat, source, colour, count)
    if source == MOONS:
        take_from_moons(state, seat, colour)
    else:
        state.sun[source] -= tiles_of(colour, count)
    state.left -= count
    broken = count if line == BROKEN else fill_line(state, seat, line - 1, colour, count)
    if broken > 0:
        break_tiles(state, seat, colour, broken)
    if source == LARGE:
        lay_side_by_side(state, seat)
    if 0 < source < MOONS and state.sun[source] != 0:
        state.phase = PILE
        state.factory = source
        go_on_piling(state)
    else:
        end_turn(state)


@rule
def lay_side_by_side(state, seat):
    """The rest of the large sun goes to its moon. If there is none, the start tile goes with the sun (D-R3)."""
    if state.sun[LARGE] == 0:
        take_start_tile(state, seat)
    state.moon = state.sun[LARGE]
    state.sun[LARGE] = 0


@rule
def go_on_piling(state):
    """The rest of a small sun becomes one pile, in an order that the taker chooses, from the bottom."""
    factory = np.int64(state.factory)
    colour = only_colour(state.sun[factory])
    if colour != NO_COLOUR:
        while state.sun[factory] != 0:
            put_on_pile(state, factory, colour)
        state.factory = 0
        end_turn(state)


@rule
def legal_pile(state, out):
    count = 0
    for colour in range(NUM_COLOURS):
        if count_of(state.sun[state.factory], colour) != 0:
            out[count] = PILE_ACTIONS + colour
            count += 1
    return count


@rule
def put_on_pile(state, factory, colour):
    tell(PILED, np.int64(state.seat), factory, colour, 0)
    state.sun[factory] -= tiles_of(colour, 1)
    state.pile[factory] = state.pile[factory] << 3 | colour + 1


@rule
def pile_up(state, colour):
    put_on_pile(state, np.int64(state.factory), colour)
    go_on_piling(state)


@rule
def tiles_on_moons(state):
    """What can be taken from the moons, all colours together: the tops of the piles and all of the large moon."""
    tiles = np.int64(state.moon)
    for factory in range(1, FACTORIES):
        tiles += ONE_TILE[state.pile[factory] & 7]
    return tiles


@rule
def count_on_moons(state, colour):
    return count_of(tiles_on_moons(state), colour)


@rule
def take_from_moons(state, seat, colour):
    """One tile a pile; the first to take anything from the large moon also takes the start tile."""
    for factory in range(1, FACTORIES):
        if state.pile[factory] & 7 == colour + 1:
            state.pile[factory] >>= 3
    count = count_of(state.moon, colour)
    if count > 0:
        state.moon -= tiles_of(colour, count)
        if state.holder == NOBODY:
            take_start_tile(state, seat)


@rule
def take_start_tile(state, seat):
    tell(START_TILE, seat, 0, 0, 0)
    state.holder = seat


@rule
def fill_line(state, seat, row, colour, count):
    """Put tiles into a line as far as they fit (D-R8); how many do not."""
    line = row + 1
    before = np.int64(state.line_count[seat, row])
    after = min(before + count, line)
    tell(LINED, seat, row, colour, after - before)
    state.line_count[seat, row] = after
    state.line_colour[seat, row] = colour
    state.open[seat] &= ~(LINE_OF_EACH << line)
    if after < line:
        state.open[seat] |= np.int64(1) << LINES * colour + line
    return before + count - after


# --- D. a chip ---


@rule
def take_chip(state, factory):
    seat = np.int64(state.seat)
    kind = np.int64(state.chip[factory])
    tell(TOOK_CHIP, seat, factory, kind, 0)
    state.chips[seat] += 1 << CHIP_BITS * kind
    state.chip[factory] = NO_CHIP
    state.chips_taken[seat] += 1
    end_turn(state)
