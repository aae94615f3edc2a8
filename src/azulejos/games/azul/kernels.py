"""The rules of Azul, in the order of the rule page.

Tiles in one place are five counts of six bits packed into one number, so that moving all tiles of a place is one
addition. A seat's `open` holds, for each colour, six bits: which lines take it (bit 0 is the floor, which always does,
bit r line r counted from 1). A seat's `wall` holds, for each colour, the 25 spaces on which a tile of it lies.
A seat's `floor` is up to seven groups of three bits from the left: colour + 1, or MARKER_TILE.
"""

from typing import Any

from azulejos.core.arrays import np
from azulejos.core.compiling import adopt, rule, tell
from azulejos.core.kernels import CHANCE, OVER

from .. import common
from ..common import after, factories
from .encoding import CENTRE, COUNT_BITS, COUNT_MASK, DEAL, DRAFT, ENDED, FLOOR, LINES, MARKER_TILE, NO_COLOUR, TILE
from .lookups import COLUMN_MASK, FLOOR_GROUPS, ONE_OF_EACH, ONLY_COLUMN, ROW_MASK, RUN
from .tables import (
    COLOUR_BONUS,
    COLOUR_COMPLETE,
    COLUMN_BONUS,
    COLUMN_COMPLETE,
    COLUMN_OF,
    DEALT,
    FLOOR_SPACES,
    FLOORED,
    LIDDED,
    LINED,
    MARKER,
    MOST_PLAYERS,
    MOST_SOURCES,
    NUM_COLOURS,
    PENALISED,
    PENALTIES,
    POURED,
    ROW_BONUS,
    ROW_COMPLETE,
    SIZE,
    TILES_OF_A_COLOUR,
    TILES_OF_A_FACTORY,
    TOOK,
    UNPLACEABLE,
    WALLED,
)

STATE = np.dtype(
    (
        np.record,
        [
            ("source", "i4", (MOST_SOURCES,)),  # the centre, then the factories
            ("bag", "i4"),
            ("lid", "i4"),
            ("open", "i4", (MOST_PLAYERS,)),
            ("wall", "i4", (MOST_PLAYERS, SIZE)),
            ("floor", "i4", (MOST_PLAYERS,)),
            ("score", "i4", (MOST_PLAYERS,)),
            ("round_no", "i4"),  # from 1
            ("line_colour", "i1", (MOST_PLAYERS, SIZE)),  # NO_COLOUR where the line is empty
            ("line_count", "i1", (MOST_PLAYERS, SIZE)),
            ("floor_count", "i1", (MOST_PLAYERS,)),
            ("players", "i1"),
            ("grey", "i1"),
            ("phase", "i1"),
            ("seat", "i1"),  # who acts: in DRAFT, and in TILE
            ("row", "i1"),  # in TILE: the line whose column is to be chosen; else 0
            ("start", "i1"),  # who started the round, or has taken the marker since
            ("marker", "i1"),  # 1 while it lies in the centre
            ("dealt", "i1"),  # tiles laid out so far, in DEAL; else 0
            ("left", "i1"),  # tiles on the factories and in the centre
            ("spare", "i1", (3,)),  # always 0: fills the record up to a multiple of four
        ],
    )
)

tiles_of, count_of, tiles_in, colour_drawn = common.packed(
    __name__, COUNT_BITS=COUNT_BITS, COUNT_MASK=COUNT_MASK, NUM_COLOURS=NUM_COLOURS
)
points_at: Any = adopt(common.points_at, __name__, SIZE=SIZE, ROW_MASK=ROW_MASK, RUN=RUN)


# --- set-up ---


@rule
def setup(state, option_codes, first):
    """option_codes: the number of players, and 1 for the grey wall."""
    for source in range(MOST_SOURCES):
        state.source[source] = 0
    state.bag = TILES_OF_A_COLOUR * ONE_OF_EACH
    state.lid = 0
    for seat in range(MOST_PLAYERS):
        state.open[seat] = COUNT_MASK * ONE_OF_EACH
        state.floor[seat] = 0
        state.floor_count[seat] = 0
        state.score[seat] = 0
        for k in range(SIZE):
            state.wall[seat, k] = 0
            state.line_colour[seat, k] = NO_COLOUR
            state.line_count[seat, k] = 0
    state.players = option_codes[0]
    state.grey = option_codes[1]
    state.start = first
    state.row = 0
    state.round_no = 0
    begin_round(state)


@rule
def begin_round(state):
    state.round_no += 1
    state.phase = DEAL
    state.seat = state.start
    state.marker = 1
    state.dealt = 0
    state.left = 0
    prepare_draw(state)


@rule
def prepare_draw(state):
    """Pour the lid into an empty bag if a tile is needed (A-R5); begin drafting if none is, or none is to be had."""
    if state.dealt < TILES_OF_A_FACTORY * factories(state):
        if state.bag == 0 and state.lid != 0:
            tell(POURED, 0, 0, 0, 0)
            state.bag = state.lid
            state.lid = 0
        if state.bag != 0:
            return
    if state.left == 0:
        state.round_no -= 1  # the round that could not begin does not count (A-R3)
        end(state)
    else:
        state.phase = DRAFT
        state.dealt = 0


@rule
def ways(state):
    """One way for each tile in the bag."""
    return tiles_in(state.bag)


@rule
def outcome(state, way):
    """A colour."""
    return colour_drawn(state.bag, way)


@rule
def draw(state, colour):
    """One tile goes from the bag to the first factory that is not full (A-R5)."""
    factory = 1 + state.dealt // TILES_OF_A_FACTORY
    tell(DEALT, factory, colour, 0, 0)
    state.bag -= tiles_of(colour, 1)
    state.source[factory] += tiles_of(colour, 1)
    state.dealt += 1
    state.left += 1
    prepare_draw(state)


# --- whose turn, and what may be done ---


@rule
def turn(state):
    if state.phase == DEAL:
        return CHANCE
    if state.phase == ENDED:
        return OVER
    return np.int64(state.seat)


@rule
def legal(state, out):
    """Drafting: each colour of each source, to each line that takes it, or the floor."""
    if state.phase == TILE:
        return legal_columns(state, out)
    count = np.uint64(0)
    takes = state.open[state.seat]
    for source in range(factories(state) + 1):
        tiles = state.source[source]
        if tiles != 0:
            for colour in range(SIZE):
                if count_of(tiles, colour) != 0:
                    lines = count_of(takes, colour)
                    base = draft_action(source, colour, FLOOR)
                    for line in range(LINES):
                        out[count] = base + line  # scribbled over by the next if the line does not take it
                        count += np.uint64(lines >> line & 1)
    return np.int64(count)


@rule
def draft_action(source, colour, line):
    return (source * SIZE + colour) * LINES + line


@rule
def column_action(state, row, column):
    """These follow the last factory's actions."""
    return draft_action(factories(state) + 1, 0, 0) + row * SIZE + column


@rule
def apply(state, action):
    if state.phase == TILE:
        choose_column(state, action - column_action(state, np.int64(state.row), 0))
    else:
        take(state, action // (SIZE * LINES), action // LINES % SIZE, action % LINES)


# --- A. drafting ---


@rule
def take(state, source, colour, line):
    """All tiles of one colour leave their source for one line, or the floor."""
    seat = np.int64(state.seat)
    count = np.int64(count_of(state.source[source], colour))
    tell(TOOK, seat, source, colour, count)
    rest = state.source[source] - tiles_of(colour, count)
    if source == CENTRE:
        state.source[CENTRE] = rest
        if state.marker:
            take_marker(state, seat)  # before the tiles: it claims the leftmost free space
    else:
        state.source[source] = 0
        state.source[CENTRE] += rest
    spilled = count if line == FLOOR else fill(state, seat, line - 1, colour, count)
    if spilled > 0:
        drop(state, seat, colour, spilled)
    state.left -= count
    if state.left == 0:
        begin_tiling(state)
    else:
        state.seat = after(state, seat)


@rule
def take_marker(state, seat):
    """The first to take from the centre starts the next round, even if the floor has no space for the marker (A-R1)."""
    state.marker = 0
    state.start = seat
    space = np.int64(state.floor_count[seat])
    if space < FLOOR_SPACES:
        state.floor[seat] |= MARKER_TILE << 3 * space
        state.floor_count[seat] += 1
    tell(MARKER, seat, np.int64(space < FLOOR_SPACES), 0, 0)


@rule
def fill(state, seat, row, colour, count):
    """Put tiles into a line as far as they fit (A-R7); how many do not."""
    line = row + 1
    held = state.line_count[seat, row] + min(count, line - state.line_count[seat, row])
    placed = held - state.line_count[seat, row]
    tell(LINED, seat, row, colour, placed)
    state.line_count[seat, row] = held
    state.line_colour[seat, row] = colour
    state.open[seat] &= ~(ONE_OF_EACH << line)
    if held < line:
        state.open[seat] |= tiles_of(colour, 1 << line)
    return count - placed


@rule
def drop(state, seat, colour, count):
    """Tiles fall to the floor, from the left; those that find no space go to the lid at no cost."""
    held = np.int64(state.floor_count[seat])
    fitting = min(count, FLOOR_SPACES - held)
    if fitting > 0:
        tell(FLOORED, seat, colour, fitting, 0)
        state.floor[seat] |= FLOOR_GROUPS[fitting] * (colour + 1) << 3 * held
        state.floor_count[seat] = held + fitting
    if count > fitting:
        put_in_lid(state, seat, colour, count - fitting)


@rule
def put_in_lid(state, seat, colour, count):
    tell(LIDDED, seat, colour, count, 0)
    state.lid += tiles_of(colour, count)


# --- B. tiling ---


@rule
def begin_tiling(state):
    """Players tile one after another from the one who will start the next round (A-R4)."""
    state.phase = TILE
    state.seat = state.start
    state.row = 0
    go_on_tiling(state)


@rule
def go_on_tiling(state):
    """Line by line from the top, until a column is to be chosen or everybody is done."""
    while True:
        seat = np.int64(state.seat)
        while state.row < SIZE:
            row = np.int64(state.row)
            if state.line_count[seat, row] == row + 1:
                columns = open_columns(state, seat, row, state.line_colour[seat, row])
                if columns == 0:
                    floor_line(state, seat, row)
                elif columns & (columns - 1) == 0:
                    tile(state, seat, row, ONLY_COLUMN[columns])
                else:
                    return
            state.row += 1
        score_floor(state, seat)
        state.row = 0
        state.seat = after(state, seat)
        if state.seat == state.start:
            break
    if row_completed(state):
        end(state)
    else:
        begin_round(state)


@rule
def open_columns(state, seat, row, colour):
    """The columns, as bits, to which a line's tile may go."""
    if not state.grey:
        return np.int64(1) << COLUMN_OF[row, colour]
    taken = np.int64(occupied(state, seat) >> SIZE * row & ROW_MASK)
    for other in range(SIZE):
        taken |= state.wall[seat, colour] >> SIZE * other & ROW_MASK
    return ROW_MASK & ~taken


@rule
def legal_columns(state, out):
    """On the grey wall the owner chooses among the columns that are open (A-R4)."""
    seat = np.int64(state.seat)
    row = np.int64(state.row)
    columns = open_columns(state, seat, row, state.line_colour[seat, row])
    count = 0
    for column in range(SIZE):
        if columns >> column & 1:
            out[count] = column_action(state, row, column)
            count += 1
    return count


@rule
def choose_column(state, column):
    tile(state, np.int64(state.seat), np.int64(state.row), column)
    state.row += 1
    go_on_tiling(state)


@rule
def tile(state, seat, row, column):
    """One tile of a complete line goes to the wall and scores at once; the others go to the lid."""
    colour = np.int64(state.line_colour[seat, row])
    state.wall[seat, colour] |= 1 << SIZE * row + column
    points = points_at(occupied(state, seat), row, column)
    tell(WALLED, seat, row, column, points)
    state.score[seat] += points
    if row > 0:
        put_in_lid(state, seat, colour, row)
    clear_line(state, seat, row)


@rule
def occupied(state, seat):
    """The 25 spaces of a wall, as bits, on which any tile lies."""
    spaces = np.int64(0)
    for colour in range(SIZE):
        spaces |= state.wall[seat, colour]
    return spaces


@rule
def clear_line(state, seat, row):
    """An empty line takes every colour that its wall row does not hold."""
    state.line_count[seat, row] = 0
    state.line_colour[seat, row] = NO_COLOUR
    line = row + 1
    for colour in range(SIZE):
        if state.wall[seat, colour] >> SIZE * row & ROW_MASK:
            state.open[seat] &= ~tiles_of(colour, 1 << line)
        else:
            state.open[seat] |= tiles_of(colour, 1 << line)


@rule
def floor_line(state, seat, row):
    """Grey wall, no column open: the whole line goes to the floor before the floor is scored."""
    tell(UNPLACEABLE, seat, row, 0, 0)
    drop(state, seat, np.int64(state.line_colour[seat, row]), row + 1)
    clear_line(state, seat, row)


@rule
def score_floor(state, seat):
    """Penalties, never below 0; the tiles go to the lid. The marker's owner is known by `start`."""
    cost = PENALTIES[state.floor_count[seat]]
    lost = min(cost, np.int64(state.score[seat]))
    if cost > 0:
        tell(PENALISED, seat, lost, cost, 0)
    state.score[seat] -= lost
    spaces = state.floor[seat]
    while spaces != 0:
        if spaces & 7 != MARKER_TILE:
            state.lid += tiles_of((spaces & 7) - 1, 1)
        spaces >>= 3
    state.floor[seat] = 0
    state.floor_count[seat] = 0


@rule
def row_completed(state):
    """Has anybody a complete horizontal row?"""
    for seat in range(state.players):
        if complete_rows(occupied(state, seat)) > 0:
            return True
    return False


@rule
def complete_rows(spaces):
    rows = 0
    for row in range(SIZE):
        if spaces >> SIZE * row & ROW_MASK == ROW_MASK:
            rows += 1
    return rows


# --- the end ---


@rule
def end(state):
    """The bonuses, once, after everything else."""
    state.phase = ENDED
    state.seat = state.start
    state.dealt = 0
    for seat in range(state.players):
        spaces = occupied(state, seat)
        for k in range(SIZE):
            if spaces >> SIZE * k & ROW_MASK == ROW_MASK:
                tell(ROW_COMPLETE, seat, k, ROW_BONUS, 0)
                state.score[seat] += ROW_BONUS
            if spaces >> k & COLUMN_MASK == COLUMN_MASK:
                tell(COLUMN_COMPLETE, seat, k, COLUMN_BONUS, 0)
                state.score[seat] += COLUMN_BONUS
            if colour_completed(state.wall[seat, k]):
                tell(COLOUR_COMPLETE, seat, k, COLOUR_BONUS, 0)
                state.score[seat] += COLOUR_BONUS


@rule
def colour_completed(spaces):
    """A colour never lies twice in a row, so five tiles of it are one in each."""
    for row in range(SIZE):
        if spaces >> SIZE * row & ROW_MASK == 0:
            return False
    return True


# --- looking ahead ---


@rule
def projected(state, seat):
    """What the score would be if the drafting ended here; on the grey wall each tile goes where it scores most."""
    if state.phase == ENDED or state.phase == DEAL:
        return np.int64(state.score[seat])
    spaces = occupied(state, seat)
    score = np.int64(state.score[seat])
    floored = np.int64(state.floor_count[seat])
    for row in range(SIZE):
        if state.line_count[seat, row] == row + 1:
            columns = open_columns(state, seat, row, state.line_colour[seat, row])
            best = np.int64(0)
            best_column = 0
            for column in range(SIZE):
                if columns >> column & 1:
                    points = points_at(spaces | 1 << SIZE * row + column, row, column)
                    if points > best:
                        best = points
                        best_column = column
            if best > 0:
                score += best
                spaces |= 1 << SIZE * row + best_column
            else:
                floored = min(floored + row + 1, FLOOR_SPACES)
    return max(score - PENALTIES[floored], 0)
