"""Azul's evaluation for the search: features between two rounds, and ratings of actions."""

from typing import Any

import numpy as np

from azulejos.core.compiling import adopt, rule
from azulejos.core.features import Features
from azulejos.core.network import Networks

from .. import common
from ..common import after, factories
from ..common import stage as stage
from .encoding import CENTRE, COUNT_BITS, LINES, TILE
from .kernels import column_action, complete_rows, count_of, occupied, open_columns, points_at, tiles_in, tiles_of
from .lookups import COLUMN_MASK, ROW_MASK, RUN
from .tables import COLOUR_AT, COLUMN_OF, FLOOR_SPACES, MOST_SOURCES, PENALTIES, SIZE, TILES_OF_A_FACTORY

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
LEVELS = {"casual": {"width": 0.4}, "expert": {"simulations": 300}}  # makes the steps between the levels even here

# Fitted to games of the search against itself by bench/selfplay.py.
NETWORKS = Networks(__file__, "players", "wall")
WEIGHTS = NETWORKS.first.weights

# The things of a board: spaces; lines by what they hold; lines by what is missing and how much of the colour may come,
# and the same for the last and the last two spaces of colours, columns and rows; tiles that may come, by colour; the
# start player's marker; the lead; the round; on the grey wall the colours of each row.
SPACES = SIZE * SIZE
HELD_LINES = SIZE * SIZE * (SIZE - 1) // 2
COMING = 9  # classes of how many tiles of a colour may come: none in reach, less than one, one, …, seven or more
NEED = SIZE * (SIZE + 2) * COMING  # by row, tiles missing (SIZE + 1: the line holds another colour), and what may come
LINE_THINGS = 1 + SPACES
NEED_THINGS = LINE_THINGS + HELD_LINES  # of lines, colours of 4 and of 3, columns, rows
COMING_THINGS = NEED_THINGS + 7 * NEED
STARTING = COMING_THINGS + SIZE * COMING
LEADING = STARTING + 1
LEADS, LEAD_STEP = 25, 4  # classes of the lead, and points a class
BEGINNING = LEADING + LEADS
COLOUR_THINGS = BEGINNING + CHAPTERS
THINGS = COLOUR_THINGS + SPACES - 1

# Notes behind the ratings: 25 numbers by row and colour for completing a line, and for beginning it.
SPACE_NOTES = 2 * SPACES

# Of sets of five spaces: how many there are; the run through a place when a tile is laid there, 0 for that tile alone.
SETS = range(1 << SIZE)
TILES_IN = np.array([spaces.bit_count() for spaces in SETS])
RUN_WITH = np.array([[RUN[spaces | 1 << place, place] for place in range(SIZE)] for spaces in SETS])
RUN_WITH[RUN_WITH == 1] = 0

# Ratings of actions, fitted to the visits of long searches. FULL: it completes a line; PART: it fills a part
# of one, and counts by the share filled. LATE: for each round after the third. Column and colour: the tiles there,
# squared, by four.
FULL, FULL_LATE, FULL_POINTS, FULL_POINTS_LATE = 0.31, -0.57, 0.30, 0.04
FULL_COLUMN, FULL_COLOUR, FULL_PLACED = 0.014, 0.26, 0.14
PART, PART_LATE, PART_POINTS, PART_COLUMN, PART_COLOUR = -2.24, -0.94, 0.48, 0.14, 0.74
PART_PLACED, PART_MISSING, PART_NEW, PART_TO_COME = 0.52, -0.43, -0.95, 0.50
LONGER, PENALTY, TAKES_MARKER, TO_FLOOR = 0.30, -0.41, 0.62, -0.18

# The rows of PRIORS. Of a position: the round, the groups of tiles left, both floors, the lead, the marker, how the
# next player rates the two best groups. Of an action: its line by the tiles missing, taken and left; its penalty; its
# space by the tiles of its colour and column, and by its points and the tiles of its row; its group by its size and
# place; how the next player rates the group, and the tiles that go to the centre; the round.
MOST_GROUPS, MOST_LEFT, MOST_TAKEN, MOST_POINTS = 26, 8, 8, 10
QUARTERS = 64  # classes of a rating, by quarters from -4 on
ROW_OF_ROUND = 1
ROW_OF_GROUPS = ROW_OF_ROUND + CHAPTERS + 1
ROW_OF_FLOOR = ROW_OF_GROUPS + MOST_GROUPS + 1
ROW_OF_OTHER_FLOOR = ROW_OF_FLOOR + FLOOR_SPACES + 1
ROW_OF_LEAD = ROW_OF_OTHER_FLOOR + FLOOR_SPACES + 1
ROW_OF_MARKER = ROW_OF_LEAD + 13
ROW_OF_BEST = ROW_OF_MARKER + 2
ROW_OF_LINE = ROW_OF_BEST + 16
ROW_OF_COST = ROW_OF_LINE + (SIZE + 1) ** 2 * (MOST_TAKEN + 1) * (MOST_LEFT + 1)
ROW_OF_SPACE = ROW_OF_COST + 30
ROW_OF_POINTS = ROW_OF_SPACE + (SIZE + 1) ** 3
ROW_OF_GROUP = ROW_OF_POINTS + (SIZE + 1) ** 2 * (MOST_POINTS + 1)
ROW_OF_DENIAL = ROW_OF_GROUP + 3 * (MOST_TAKEN + 1) * (SIZE + 1)
ROW_OF_REST = ROW_OF_DENIAL + 16 * 6
ROW_OF_LATE = ROW_OF_REST + 16 * 5
PRIOR_ROWS = ROW_OF_LATE + (CHAPTERS + 1) * (SIZE + 1) * 2


chapter: Any = adopt(common.chapter, __name__, CHAPTERS=CHAPTERS)


@rule
def standing(state, seat):
    """Most points; tied: more complete rows."""
    return 8 * np.int64(state.score[seat]) + complete_rows(occupied(state, seat))


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
            points, in_column = best_space(state, seat, spaces, row, colour)
            share = held / (row + 1)
            out[BEGUN] += share * points
            if points > 0:
                out[BEGUN + 1] += share * in_column
            out[BEGUN + 2] += share * ones(np.int64(state.wall[seat, colour]))
    if state.start == seat:
        out[STARTS] = 1.0


@rule
def list_things(state, seat, out):
    lead = np.int64(1000)
    for other in range(state.players):
        if other != seat:
            lead = min(lead, np.int64(state.score[seat]) - np.int64(state.score[other]))
    out[0] = LEADING + min(max(lead // LEAD_STEP + LEADS // 2, 0), LEADS - 1)
    out[1] = BEGINNING + min(max(np.int64(state.round_no) - 2, 0), CHAPTERS - 1)
    count = 2
    if state.start == seat:
        out[count] = STARTING
        count += 1
    spaces = occupied(state, seat)
    for space in range(SPACES):
        if spaces >> space & 1:
            out[count] = 1 + space
            count += 1
    classes = np.int64(0)  # of what may come, four bits a colour
    for colour in range(SIZE):
        coming = class_of_coming(state, colour)
        classes |= coming << 4 * colour
        out[count] = COMING_THINGS + COMING * colour + coming
        count += 1
    for row in range(1, SIZE):
        held = np.int64(state.line_count[seat, row])
        if held > 0:
            colour = np.int64(state.line_colour[seat, row])
            out[count] = LINE_THINGS + SIZE * row * (row - 1) // 2 + row * colour + min(held, row) - 1
            out[count + 1] = NEED_THINGS + need(state, seat, row, colour, classes)
            count += 2
    for colour in range(SIZE):
        wall = np.int64(state.wall[seat, colour])
        held = ones(wall)
        for row in range(SIZE):
            laid = wall >> SIZE * row & ROW_MASK
            if state.grey and laid:
                out[count] = COLOUR_THINGS + SIZE * row + colour
                count += 1
            elif not laid and (held == 3 or held == 4):
                out[count] = NEED_THINGS + (5 - held) * NEED + need(state, seat, row, colour, classes)
                count += 1
    for k in range(SIZE):
        held = ones(spaces >> k & COLUMN_MASK)
        if held == 3 or held == 4:
            for row in range(SIZE):
                if spaces >> SIZE * row + k & 1 == 0:
                    out[count] = NEED_THINGS + (7 - held) * NEED + need_at(state, seat, row, k, classes)
                    count += 1
        across = spaces >> SIZE * k & ROW_MASK
        held = ones(across)
        if held == 3 or held == 4:
            for column in range(SIZE):
                if across >> column & 1 == 0:
                    out[count] = NEED_THINGS + (9 - held) * NEED + need_at(state, seat, k, column, classes)
                    count += 1
    return count


@rule
def need_at(state, seat, row, column, classes):
    """What a space needs. On the grey wall: of the colour in its line, or of any, of which enough will come."""
    if not state.grey:
        return need(state, seat, row, COLOUR_AT[row, column], classes)
    if state.line_count[seat, row] == 0:
        return (row * (SIZE + 2) + row + 1) * COMING + COMING - 1
    colour = np.int64(state.line_colour[seat, row])
    if open_columns(state, seat, row, colour) >> column & 1:
        return need(state, seat, row, colour, classes)
    return (row * (SIZE + 2) + SIZE + 1) * COMING


@rule
def class_of_coming(state, colour):
    """How many tiles of a colour the next deal brings, in the mean, as a class of COMING."""
    deal, inside = TILES_OF_A_FACTORY * factories(state), tiles_in(state.bag)
    of_colour = np.int64(count_of(state.bag, colour))
    if inside >= deal:
        return min(1 + deal * of_colour // inside, COMING - 1) if of_colour > 0 else 0
    more, lidded = np.int64(count_of(state.lid, colour)), tiles_in(state.lid)
    if of_colour + more == 0:
        return 0
    return min(1 + of_colour + (deal - inside) * more // max(lidded, deal - inside), COMING - 1)


@rule
def need(state, seat, row, colour, classes):
    """What a line needs to bring a colour to the wall, and whether it may come: a number below NEED."""
    held = np.int64(state.line_count[seat, row])
    missing = row + 1
    if held > 0:
        missing = row + 1 - held if state.line_colour[seat, row] == colour else SIZE + 1
    return (row * (SIZE + 2) + missing) * COMING + (classes >> 4 * colour & 15)


@rule
def points_between(row_spaces, column_spaces, row, column):
    """The points of a tile laid where these two sets of five spaces cross."""
    return max(RUN_WITH[row_spaces, column] + RUN_WITH[column_spaces, row], 1)


@rule
def as_row(column_spaces):
    """The spaces of the first column, as five bits."""
    return column_spaces * 0x111110 >> 20 & ROW_MASK


@rule
def tiled(state, seat):
    """The spaces of a wall when what is complete will have been tiled, where that is known; and the tiles of each
    colour in complete lines, packed."""
    spaces, planned = complete_lines(state.line_count[seat], state.line_colour[seat])
    return occupied(state, seat) | (0 if state.grey else spaces), planned


@rule
def complete_lines(counts, colours):
    """The spaces that complete lines will fill on the coloured wall, and the tiles of each colour in them, packed."""
    spaces, planned = np.int64(0), np.int64(0)
    for row in range(SIZE):
        if counts[row] == row + 1:
            colour = np.int64(colours[row])
            planned += 1 << COUNT_BITS * colour
            spaces |= 1 << SIZE * row + COLUMN_OF[row, colour]
    return spaces, planned


@rule
def tiles_left(state):
    """The tiles of all sources, packed."""
    left = np.int64(0)
    for source in range(MOST_SOURCES):  # a table of sources that are not used is empty
        left += state.source[source]
    return left


@rule
def best_space(state, seat, spaces, row, colour):
    """Of the columns open to a colour in a row: the most points of a tile, and how many tiles its column holds."""
    if not state.grey:
        return space_at(spaces, row, COLUMN_OF[row, colour])
    return best_of(spaces, row, open_columns(state, seat, row, colour))


@rule
def best_of(spaces, row, columns):
    points, held = np.int64(0), np.int64(0)
    for column in range(SIZE):
        if columns >> column & 1:
            found, there = space_at(spaces, row, column)
            if found > points:
                points, held = found, there
    return points, held


@rule
def space_at(spaces, row, column):
    """The points of a tile on a space, and how many tiles its column holds."""
    down = as_row(spaces >> column & COLUMN_MASK)
    return points_between(spaces >> SIZE * row & ROW_MASK, down, row, column), TILES_IN[down]


@rule
def rate(state, out, count, ratings):
    seat = np.int64(state.seat)
    if state.phase == TILE:
        rate_columns(state, seat, occupied(state, seat), out, count, ratings)
        return
    spaces, planned = tiled(state, seat)
    rate_spaces(state, seat, spaces, planned, ratings)
    full, part = ratings[len(ratings) - SPACE_NOTES :], ratings[len(ratings) - SPACES :]
    left = tiles_left(state)
    floored = np.int64(state.floor_count[seat])
    for k in range(count):
        action = np.uint32(out[k])  # which is cheap to divide
        source, colour, line = action // (SIZE * LINES), action // LINES % SIZE, np.int64(action % LINES)
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
                rating = full[row * SIZE + colour] + FULL_PLACED * placed
            else:
                rating = part[row * SIZE + colour] * (held + placed) / line
                rating += PART_PLACED * placed + PART_MISSING * missing
                rating += PART_TO_COME * min(1.0, (np.int64(count_of(left, colour)) - tiles) / missing)
                if held == 0:
                    rating += PART_NEW
            rating += LONGER * row
        if source == CENTRE and state.marker:
            spilled += 1
            rating += TAKES_MARKER
        ratings[k] = rating + PENALTY * (PENALTIES[min(floored + spilled, FLOOR_SPACES)] - PENALTIES[floored])


@rule
def rate_spaces(state, seat, spaces, planned, ratings):
    """For each row and colour that it takes: how good it is to complete the line, and to begin it; noted behind the
    ratings."""
    late = np.float64(state.round_no) - 3.0
    full, part = ratings[len(ratings) - SPACE_NOTES :], ratings[len(ratings) - SPACES :]
    for colour in range(SIZE):
        colours = ones(np.int64(state.wall[seat, colour])) + count_of(planned, colour)
        of_colour = colours * colours / 4
        lines = np.int64(count_of(state.open[seat], colour))
        for row in range(SIZE):
            if lines >> row + 1 & 1:
                points, held = best_space(state, seat, spaces, row, colour)
                in_column = held * held / 4
                note = row * SIZE + colour
                full[note] = (FULL + FULL_LATE * late + (FULL_POINTS + FULL_POINTS_LATE * late) * points) + (
                    FULL_COLUMN * in_column + FULL_COLOUR * of_colour
                )
                part[note] = (
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


@rule
def describe_actions(state, out, count, ratings, rows):
    seat = np.int64(state.seat)
    if state.phase == TILE:
        for k in range(count + 1):
            for j in range(8):
                rows[k, j] = ROW_OF_ROUND
        return
    other = after(state, seat)
    describe_spaces(state, seat, rows)
    late = min(np.int64(state.round_no), CHAPTERS + 1) - 1
    spaces, planned = tiled(state, other)
    rate_spaces(state, other, spaces, planned, ratings)
    wants = len(rows) - 100  # what the next player would make of tiles of each colour, by their number
    for k in range(SIZE):
        for j in range(8):
            rows[wants + k, j] = -1
    left, groups, places = np.int64(0), 0, np.int64(0)
    best, second = -1, -1
    for source in range(factories(state) + 1):
        tiles = np.int64(state.source[source])
        left += tiles
        if tiles != 0:
            for colour in range(SIZE):
                number = np.int64(count_of(tiles, colour))
                if number > 0:
                    groups += 1
                    places += tiles_of(colour, 1)
                    found = wanted(state, other, colour, number, ratings, rows, wants)
                    if found > best:
                        best, second = found, best
                    elif found > second:
                        second = found
    floored = np.int64(state.floor_count[seat])
    rows[count, 0] = ROW_OF_ROUND + late
    rows[count, 1] = ROW_OF_GROUPS + min(groups, MOST_GROUPS)
    rows[count, 2] = ROW_OF_FLOOR + floored
    rows[count, 3] = ROW_OF_OTHER_FLOOR + np.int64(state.floor_count[other])
    rows[count, 4] = ROW_OF_LEAD + min(max((state.score[seat] - state.score[other]) // 6 + 6, 0), 12)
    rows[count, 5] = ROW_OF_MARKER + np.int64(state.marker)
    rows[count, 6] = ROW_OF_BEST + max(best, 0) // 4
    rows[count, 7] = ROW_OF_BEST + max(second, 0) // 4
    before, of_group, of_denial, of_rest, alone = -1, 0, 0, 0, 0
    for k in range(count):
        action = np.int64(out[k])
        group, line = action // LINES, action % LINES
        source, colour = group // SIZE, group % SIZE
        number = np.int64(count_of(state.source[source], colour))
        if group != before:  # the actions of a group are neighbours
            before = group
            kind = 0 if source != CENTRE else 1 + np.int64(state.marker)
            elsewhere = min(np.int64(count_of(places, colour)) - 1, SIZE)
            of_group = ROW_OF_GROUP + (kind * (MOST_TAKEN + 1) + min(number, MOST_TAKEN)) * (SIZE + 1) + elsewhere
            found = wanted(state, other, colour, number, ratings, rows, wants)
            lost = 0
            if found == best:
                ahead = best - second
                lost = 1 if ahead == 0 else 2 if ahead <= 2 else 3 if ahead <= 5 else 4 if ahead <= 9 else 5
            of_denial = ROW_OF_DENIAL + 16 * lost + max(found, 0) // 4
            of_rest = ROW_OF_REST
            if source != CENTRE:
                most, moved = 0, 0
                for rest in range(SIZE):
                    more = np.int64(count_of(state.source[source], rest))
                    if rest != colour and more > 0:
                        moved += more
                        more += np.int64(count_of(state.source[CENTRE], rest))
                        most = max(most, wanted(state, other, rest, more, ratings, rows, wants))
                of_rest += 16 * (1 + min(moved, 3)) + most // 4
            alone = min(np.int64(count_of(left, colour)) - number, MOST_LEFT)
        missing, spilled, cell = 0, number, 0
        rows[k, 2], rows[k, 3] = ROW_OF_SPACE, ROW_OF_POINTS
        if line > 0:
            missing = line - np.int64(state.line_count[seat, line - 1])
            spilled = max(number - missing, 0)
            cell = len(rows) - 90 + SIZE * (line - 1) + colour
            rows[k, 2], rows[k, 3] = rows[cell, 0], rows[cell, 1]
        takes_marker = 1 if source == CENTRE and state.marker else 0
        after_it = min(floored + spilled + takes_marker, FLOOR_SPACES)
        cost = PENALTIES[after_it] - PENALTIES[floored]
        rows[k, 0] = (
            ROW_OF_LINE
            + (((SIZE + 1) * line + missing) * (MOST_TAKEN + 1) + min(number, MOST_TAKEN)) * (MOST_LEFT + 1)
            + alone
        )
        rows[k, 1] = ROW_OF_COST + 15 * takes_marker + cost
        rows[k, 4], rows[k, 5], rows[k, 6] = of_group, of_denial, of_rest
        done = 1 if line > 0 and number >= missing else 0
        rows[k, 7] = ROW_OF_LATE + (late * (SIZE + 1) + line) * 2 + done


@rule
def describe_spaces(state, seat, rows):
    """For each row and colour, near the end of `rows`: the two rows of its space on the wall of a seat."""
    spaces, planned = tiled(state, seat)
    for colour in range(SIZE):
        colours = min(ones(np.int64(state.wall[seat, colour])) + np.int64(count_of(planned, colour)), SIZE)
        for row in range(SIZE):
            points, held = best_space(state, seat, spaces, row, colour)
            around = ones(spaces >> SIZE * row & ROW_MASK)
            cell = len(rows) - 90 + SIZE * row + colour
            rows[cell, 0] = ROW_OF_SPACE + ((row + 1) * (SIZE + 1) + colours) * (SIZE + 1) + held
            rows[cell, 1] = ROW_OF_POINTS + ((row + 1) * (SIZE + 1) + around) * (MOST_POINTS + 1) + points


@rule
def wanted(state, seat, colour, number, ratings, rows, wants):
    """How a seat would rate its best line for tiles of a colour, as a class of QUARTERS; noted in `rows`."""
    place = min(number, 8) - 1
    known = np.int64(rows[wants + colour, place])
    if known >= 0:
        return known
    full, part = len(ratings) - SPACE_NOTES, len(ratings) - SPACES
    best = -4.0
    lines = np.int64(state.open[seat]) >> (SIZE + 1) * colour
    for row in range(SIZE):
        if lines >> row + 1 & 1:
            missing = row + 1 - np.int64(state.line_count[seat, row])
            placed = min(number, missing)
            rating = LONGER * row + PENALTY * (number - placed)
            if placed == missing:
                rating += ratings[full + row * SIZE + colour] + FULL_PLACED * placed
            else:
                rating += ratings[part + row * SIZE + colour] * (row + 1 - missing + placed) / (row + 1)
                rating += PART_PLACED * placed + PART_MISSING * (missing - placed)
                if missing == row + 1:
                    rating += PART_NEW
            best = max(best, rating)
    found = min(np.int64((best + 4.0) * 4.0), QUARTERS - 1)
    rows[wants + colour, place] = found
    return found
