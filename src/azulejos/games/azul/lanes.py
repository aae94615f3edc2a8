"""Azul's rules and judgement for the lanes of a warp: what `kernels.py` and `judgement.py` have for one lane.

The same numbers in the same order: float sums depend on it.
"""

import numpy as np

from azulejos.core.compiling import rule
from azulejos.core.lanes import LANES, ballot, earlier, from_beside, from_lane, lane, meet, popcount

from ..common import after, factories
from .encoding import CENTRE, COUNT_BITS, FLOOR, LINES, NO_COLOUR, TILE
from .judgement import (
    BEGINNING,
    BEGUN,
    CHAPTERS,
    COLOUR_THINGS,
    COLOURS,
    COLUMNS,
    COMING,
    COMING_THINGS,
    FULL,
    FULL_COLOUR,
    FULL_COLUMN,
    FULL_LATE,
    FULL_PLACED,
    FULL_POINTS,
    FULL_POINTS_LATE,
    HOLDS,
    LEAD_STEP,
    LEADING,
    LEADS,
    LINE_THINGS,
    LONGER,
    MOST_GROUPS,
    MOST_LEFT,
    MOST_POINTS,
    MOST_TAKEN,
    NEED,
    NEED_THINGS,
    OPEN,
    PART,
    PART_COLOUR,
    PART_COLUMN,
    PART_LATE,
    PART_MISSING,
    PART_NEW,
    PART_PLACED,
    PART_POINTS,
    PART_TO_COME,
    PENALTY,
    QUARTERS,
    ROW_OF_BEST,
    ROW_OF_COST,
    ROW_OF_DENIAL,
    ROW_OF_FLOOR,
    ROW_OF_GROUP,
    ROW_OF_GROUPS,
    ROW_OF_LATE,
    ROW_OF_LEAD,
    ROW_OF_LINE,
    ROW_OF_MARKER,
    ROW_OF_OTHER_FLOOR,
    ROW_OF_POINTS,
    ROW_OF_REST,
    ROW_OF_ROUND,
    ROW_OF_SPACE,
    ROWS,
    SCORE,
    SPACE_NOTES,
    SPACES,
    STARTING,
    STARTS,
    TAKES_MARKER,
    TO_FLOOR,
    as_row,
    need,
    need_at,
    points_between,
    rate_columns,
    tiled,
    tiles_left,
)
from .kernels import (
    apply,
    begin_tiling,
    choose_column,
    count_of,
    draft_action,
    floor_line,
    go_on_tiling,
    legal_columns,
    occupied,
    open_columns,
    take,
    tile,
    tiles_in,
    tiles_of,
)
from .lookups import COLUMN_MASK, ONE_OF_EACH, ONLY_COLUMN, ROW_MASK
from .tables import FLOOR_SPACES, MOST_SOURCES, PENALTIES, SIZE, TILES_OF_A_FACTORY

SEATS = 2  # of the game
A_SEAT = 8  # lanes that fill in one seat's features

# Notes behind the rows: of each row and colour; of each colour, what the next player would make of 1, 2, …, 8 tiles; of
# each group of tiles, what the next player makes of it and of the tiles that go to the centre.
CELLS = 32
WANTS = CELLS + SIZE
GROUP_NOTES = WANTS + MOST_SOURCES * SIZE // 4 + 1


@rule
def place_of_lane():
    """One of SIZE by SIZE places."""
    place = np.uint16(lane())  # which is cheap to divide
    return np.int64(place // SIZE), np.int64(place % SIZE)


@rule
def best_space(spaces, columns, row):
    """Of some columns, the most points of a tile in a row, and how many tiles its column holds."""
    across = spaces >> SIZE * row & ROW_MASK
    points, held = 0, 0
    while columns != 0:
        column = ONLY_COLUMN[columns & -columns]
        columns &= columns - 1
        down = spaces >> column & COLUMN_MASK
        found = points_between(across, as_row(down), row, column)
        if found > points:
            points, held = found, popcount(down)
    return points, held


# --- rules: the same without loops over columns and colours ---


@rule
def points_at(spaces, row, column):
    return points_between(spaces >> SIZE * row & ROW_MASK, as_row(spaces >> column & COLUMN_MASK), row, column)


@rule
def clear_line(state, seat, row):
    state.line_count[seat, row] = 0
    state.line_colour[seat, row] = NO_COLOUR
    fitting = fitting_colours(state.wall[seat], SIZE * row)
    state.open[seat] = state.open[seat] & ~(ONE_OF_EACH << row + 1) | fitting << row + 1


@rule
def fitting_colours(wall, first):
    """The colours, packed, that a row of a wall does not hold, given its first space."""
    found = np.int64(0)
    for colour in range(SIZE):
        if wall[colour] >> first & ROW_MASK == 0:
            found |= 1 << COUNT_BITS * colour
    return found


# --- actions ---


@rule
def legal(state, out):
    """Each lane lists the actions of one colour of one source at a time."""
    if state.phase == TILE:
        return legal_columns(state, out)
    count, groups = 0, (factories(state) + 1) * SIZE
    takes = state.open[state.seat]
    for first in range(0, groups, LANES):
        group, lines = np.uint16(first + lane()), np.int64(0)
        source, colour = group // SIZE, group % SIZE
        if group < groups and count_of(state.source[source], colour) != 0:
            lines = np.int64(count_of(takes, colour))
        number = popcount(lines)
        before, together = earlier_and_all(number)
        list_lines(lines, draft_action(source, colour, FLOOR), count + before, out)
        count += together
    return count


@rule
def earlier_and_all(number):
    """The sums of the numbers, each less than eight, of the lanes before this one, and of all lanes."""
    before, together = 0, 0
    for bit in range(3):
        having = ballot(number >> bit & 1)
        before += earlier(having) << bit
        together += popcount(having) << bit
    return before, together


@rule
def list_lines(lines, first, place, out):
    for line in range(LINES):
        if lines >> line & 1:
            out[place] = first + line
            place += 1


@rule
def rate_spaces(state, seat, spaces, planned, ratings):
    """A lane for each row and colour: how good it is to complete its line and to begin it; noted behind the ratings."""
    late = np.float64(state.round_no) - 3.0
    full = len(ratings) - SPACE_NOTES
    if lane() < SPACES:
        row, colour = place_of_lane()
        colours = popcount(np.int64(state.wall[seat, colour])) + count_of(planned, colour)
        of_colour = colours * colours / 4
        points, held = best_space(spaces, open_columns(state, seat, row, colour), row)
        in_column = held * held / 4
        ratings[full + lane()] = (FULL + FULL_LATE * late + (FULL_POINTS + FULL_POINTS_LATE * late) * points) + (
            FULL_COLUMN * in_column + FULL_COLOUR * of_colour
        )
        ratings[full + SPACES + lane()] = (
            PART + PART_LATE * late + PART_POINTS * points + PART_COLUMN * in_column + PART_COLOUR * of_colour
        )


@rule
def rate(state, out, count, ratings):
    seat = np.int64(state.seat)
    if state.phase == TILE:
        if lane() == 0:
            rate_columns(state, seat, occupied(state, seat), out, count, ratings)
        return
    spaces, planned = tiled(state, seat)
    rate_spaces(state, seat, spaces, planned, ratings)
    left = tiles_left(state)
    floored = np.int64(state.floor_count[seat])
    full, part = len(ratings) - SPACE_NOTES, len(ratings) - SPACES
    meet()
    for k in range(lane(), count, LANES):
        action = np.uint16(out[k])  # which is cheap to divide
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
def wanted(state, seat, colour, number, ratings):
    """How a seat would rate its best line for tiles of a colour, as a class of QUARTERS."""
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
    return min(np.int64((best + 4.0) * 4.0), QUARTERS - 1)


@rule
def most_of(state, colour):
    """Eight tiles or more of a colour: the number that the judgement meets first, and takes for all such numbers."""
    centre = np.int64(count_of(state.source[CENTRE], colour))
    if centre >= 8:
        return centre
    for source in range(1, factories(state) + 1):
        tiles = np.int64(state.source[source])
        number = np.int64(count_of(tiles, colour))
        if number > 0 and tiles != tiles_of(colour, number) and number + centre >= 8:
            return number + centre
    return np.int64(8)


@rule
def describe_actions(state, out, count, ratings, rows):
    if state.phase == TILE:
        for k in range(lane(), count + 1, LANES):
            for j in range(8):
                rows[k, j] = ROW_OF_ROUND
        return
    seat = np.int64(state.seat)
    other = after(state, seat)
    cells, wants, group_notes = len(rows) - CELLS, len(rows) - WANTS, len(rows) - GROUP_NOTES
    late = min(np.int64(state.round_no), CHAPTERS + 1) - 1
    describe_spaces(state, seat, rows, cells)
    spaces, planned = tiled(state, other)
    rate_spaces(state, other, spaces, planned, ratings)
    meet()
    for place in range(lane(), 8 * SIZE, LANES):
        colour, number = place // 8, place % 8 + 1
        if number == 8:
            number = most_of(state, colour)
        rows[wants + colour, place % 8] = wanted(state, other, colour, number, ratings)
    meet()
    groups, places, left = 0, np.int64(0), tiles_left(state)
    best, second = -1, -1
    for first in range(0, (factories(state) + 1) * SIZE, LANES):
        group = np.uint16(first + lane())
        source, colour = np.int64(group // SIZE), np.int64(group % SIZE)
        number = np.int64(0)
        if source <= factories(state):
            number = np.int64(count_of(state.source[source], colour))
        groups += popcount(ballot(number > 0))
        if number > 0:
            found = np.int64(rows[wants + colour, min(number, 8) - 1])
            if found > best:
                best, second = found, best
            elif found > second:
                second = found
            rest = 0
            if source != CENTRE:
                most, moved = 0, 0
                for their in range(SIZE):
                    more = np.int64(count_of(state.source[source], their))
                    if their != colour and more > 0:
                        moved += more
                        more += np.int64(count_of(state.source[CENTRE], their))
                        most = max(most, np.int64(rows[wants + their, min(more, 8) - 1]))
                rest = 16 * (1 + min(moved, 3)) + most // 4
            rows[group_notes + group // 4, group % 4] = found
            rows[group_notes + group // 4, 4 + group % 4] = ROW_OF_REST + rest
    for step in (16, 8, 4, 2, 1):
        their_best, their_second = from_beside(np.int32(best), step), from_beside(np.int32(second), step)
        second = max(min(best, their_best), max(second, their_second))
        best = max(best, their_best)
    for source in range(factories(state) + 1):
        tiles = np.int64(state.source[source])
        if lane() < SIZE and count_of(tiles, lane()) > 0:
            places += 1
    floored = np.int64(state.floor_count[seat])
    if lane() == 0:
        rows[count, 0] = ROW_OF_ROUND + late
        rows[count, 1] = ROW_OF_GROUPS + min(groups, MOST_GROUPS)
        rows[count, 2] = ROW_OF_FLOOR + floored
        rows[count, 3] = ROW_OF_OTHER_FLOOR + np.int64(state.floor_count[other])
        rows[count, 4] = ROW_OF_LEAD + min(max((state.score[seat] - state.score[other]) // 6 + 6, 0), 12)
        rows[count, 5] = ROW_OF_MARKER + np.int64(state.marker)
        rows[count, 6] = ROW_OF_BEST + max(best, 0) // 4
        rows[count, 7] = ROW_OF_BEST + max(second, 0) // 4
    meet()
    for first in range(0, count, LANES):
        k = first + lane()
        action = np.uint16(out[min(k, count - 1)])
        group, line = np.int64(action // LINES), np.int64(action % LINES)
        source, colour = group // SIZE, np.int64(np.uint16(group) % SIZE)
        elsewhere = min(np.int64(from_lane(np.int32(places), colour)) - 1, SIZE)
        if k < count:
            number = np.int64(count_of(state.source[source], colour))
            found = np.int64(rows[group_notes + group // 4, group % 4])
            lost = 0
            if found == best:
                ahead = best - second
                lost = 1 if ahead == 0 else 2 if ahead <= 2 else 3 if ahead <= 5 else 4 if ahead <= 9 else 5
            alone = min(np.int64(count_of(left, colour)) - number, MOST_LEFT)
            missing, spilled = 0, number
            rows[k, 2], rows[k, 3] = ROW_OF_SPACE, ROW_OF_POINTS
            if line > 0:
                missing = line - np.int64(state.line_count[seat, line - 1])
                spilled = max(number - missing, 0)
                cell = cells + SIZE * (line - 1) + colour
                rows[k, 2], rows[k, 3] = rows[cell, 0], rows[cell, 1]
            takes_marker = 1 if source == CENTRE and state.marker else 0
            cost = PENALTIES[min(floored + spilled + takes_marker, FLOOR_SPACES)] - PENALTIES[floored]
            rows[k, 0] = (
                ROW_OF_LINE
                + (((SIZE + 1) * line + missing) * (MOST_TAKEN + 1) + min(number, MOST_TAKEN)) * (MOST_LEFT + 1)
                + alone
            )
            rows[k, 1] = ROW_OF_COST + 15 * takes_marker + cost
            kind = 0 if source != CENTRE else 1 + np.int64(state.marker)
            rows[k, 4] = ROW_OF_GROUP + (kind * (MOST_TAKEN + 1) + min(number, MOST_TAKEN)) * (SIZE + 1) + elsewhere
            rows[k, 5] = ROW_OF_DENIAL + 16 * lost + max(found, 0) // 4
            rows[k, 6] = rows[group_notes + group // 4, 4 + group % 4]
            done = 1 if line > 0 and number >= missing else 0
            rows[k, 7] = ROW_OF_LATE + (late * (SIZE + 1) + line) * 2 + done


@rule
def describe_spaces(state, seat, rows, cells):
    """A lane for each row and colour: the two rows of its space on the wall of a seat."""
    spaces, planned = tiled(state, seat)
    if lane() < SPACES:
        row, colour = place_of_lane()
        colours = min(popcount(np.int64(state.wall[seat, colour])) + np.int64(count_of(planned, colour)), SIZE)
        points, held = best_space(spaces, open_columns(state, seat, row, colour), row)
        around = popcount(spaces >> SIZE * row & ROW_MASK)
        rows[cells + lane(), 0] = ROW_OF_SPACE + ((row + 1) * (SIZE + 1) + colours) * (SIZE + 1) + held
        rows[cells + lane(), 1] = ROW_OF_POINTS + ((row + 1) * (SIZE + 1) + around) * (MOST_POINTS + 1) + points


# --- positions between two rounds ---


@rule
def features(state, inputs, notes):
    """Eight lanes a seat: one for each row, column and colour. `notes` are scratch."""
    seat, k = np.int64(lane() // A_SEAT), np.int64(lane() % A_SEAT)
    counted = np.int64(0)  # columns, colours and rows by the tiles that they hold, three bits each
    if seat < SEATS:
        spaces = occupied(state, seat)
        out = inputs[seat]
        if k < SIZE:
            counted += np.int64(1) << 3 * popcount(spaces >> k & COLUMN_MASK)
            counted += np.int64(1) << 18 + 3 * popcount(np.int64(state.wall[seat, k]))
            across = spaces >> SIZE * k & ROW_MASK
            counted += np.int64(1) << 36 + 3 * popcount(across)
            total = 0
            for column in range(SIZE):
                if across >> column & 1 == 0:
                    total += points_between(across, as_row(spaces >> column & COLUMN_MASK), k, column)
            out[OPEN + k] = total
            note_line(state, seat, k, spaces, out, notes, 3 * (SIZE * seat + k))
        if k == SIZE:
            out[SCORE] = state.score[seat]
            out[STARTS] = 1.0 if state.start == seat else 0.0
    for step in (4, 2, 1):
        counted += from_beside(counted, step)
    meet()
    if seat < SEATS and k <= SIZE:
        inputs[seat, COLUMNS + k] = counted >> 3 * k & 7
        inputs[seat, COLOURS + k] = counted >> 18 + 3 * k & 7
        inputs[seat, ROWS + k] = counted >> 36 + 3 * k & 7
    if seat < SEATS and k < 3:
        total = np.float32(0)
        for row in range(1, SIZE):
            if state.line_count[seat, row] > 0:
                total = np.float32(total + notes[3 * (SIZE * seat + row) + k])
        inputs[seat, BEGUN + k] = total


@rule
def note_line(state, seat, row, spaces, out, notes, at):
    """What a line holds; and noted from `at`, the points, column and colour that are begun."""
    held = np.int64(state.line_count[seat, row])
    for number in range(1, row + 1):
        out[HOLDS + row * (row - 1) // 2 + number - 1] = 1.0 if held == number else 0.0
    if row > 0 and held > 0:
        colour = np.int64(state.line_colour[seat, row])
        points, in_column = best_space(spaces, open_columns(state, seat, row, colour), row)
        share = held / (row + 1)
        notes[at] = share * points
        notes[at + 1] = share * in_column if points > 0 else 0.0
        notes[at + 2] = share * popcount(np.int64(state.wall[seat, colour]))


@rule
def list_things(state, things):
    """The things of each seat, behind their number."""
    coming = 0
    if lane() < SIZE:
        coming = class_of_coming(state, lane())
    classes = np.int64(0)
    for colour in range(SIZE):
        classes |= np.int64(from_lane(np.int32(coming), colour)) << 4 * colour
    for seat in range(SEATS):
        list_board(state, seat, classes, things[seat])


@rule
def list_board(state, seat, classes, out):
    spaces = occupied(state, seat)
    starts = 1 if state.start == seat else 0
    count = 3 + starts
    if lane() == 0:
        lead = np.int64(1000)
        for other in range(SEATS):
            if other != seat:
                lead = min(lead, np.int64(state.score[seat]) - np.int64(state.score[other]))
        lead += LEAD_STEP * (LEADS // 2)
        out[1] = LEADING + min(max(lead, 0) // LEAD_STEP, LEADS - 1)
        out[2] = BEGINNING + min(max(np.int64(state.round_no) - 2, 0), CHAPTERS - 1)
        if starts:
            out[3] = STARTING
    if spaces >> lane() & 1:
        out[count + earlier(spaces)] = 1 + lane()
    count += popcount(spaces)
    if lane() < SIZE:
        out[count + lane()] = COMING_THINGS + COMING * lane() + (classes >> 4 * lane() & 15)
    count += SIZE
    row = lane()
    begun = ballot(0 < row < SIZE and state.line_count[seat, min(row, SIZE - 1)] > 0)
    if begun >> row & 1:
        held, colour = np.int64(state.line_count[seat, row]), np.int64(state.line_colour[seat, row])
        at = count + 2 * earlier(begun)
        out[at] = LINE_THINGS + SIZE * row * (row - 1) // 2 + row * colour + min(held, row) - 1
        out[at + 1] = NEED_THINGS + need(state, seat, row, colour, classes)
    count += 2 * popcount(begun)
    thing = 0
    colour, row = place_of_lane()
    colour = min(colour, SIZE - 1)
    wall = np.int64(state.wall[seat, colour])
    if lane() < SPACES:
        held = popcount(wall)
        if wall >> SIZE * row & ROW_MASK:
            if state.grey:
                thing = COLOUR_THINGS + SIZE * row + colour
        elif held == 3 or held == 4:
            thing = NEED_THINGS + (5 - held) * NEED + need(state, seat, row, colour, classes)
    count = put(thing, count, out)
    for first in range(0, 2 * SPACES, LANES):  # ten candidates for each k: those of column k, then of row k
        place = np.uint16(first + lane())
        thing = 0
        if place < 2 * SPACES:
            k, part = np.int64(place // (2 * SIZE)), np.int64(place % (2 * SIZE))
            across = part >= SIZE
            row, column = (k, part - SIZE) if across else (part, k)
            held = popcount(spaces >> SIZE * k & ROW_MASK if across else spaces >> k & COLUMN_MASK)
            if (held == 3 or held == 4) and spaces >> SIZE * row + column & 1 == 0:
                kind = (9 if across else 7) - held
                thing = NEED_THINGS + kind * NEED + need_at(state, seat, row, column, classes)
        count = put(thing, count, out)
    if lane() == 0:
        out[0] = count - 1


@rule
def put(thing, count, out):
    """Each lane's thing, if it has one, behind those that there are; how many there are then, and one."""
    having = ballot(thing > 0)
    if thing > 0:
        out[count + earlier(having)] = thing
    return count + popcount(having)


@rule
def class_of_coming(state, colour):
    deal, inside = TILES_OF_A_FACTORY * factories(state), tiles_in(state.bag)
    of_colour = np.int64(count_of(state.bag, colour))
    if inside >= deal:
        found = 1 + divided(deal * of_colour, inside)
        return min(found, COMING - 1) if of_colour > 0 else 0
    more, lidded = np.int64(count_of(state.lid, colour)), tiles_in(state.lid)
    if of_colour + more == 0:
        return 0
    return min(1 + of_colour + divided((deal - inside) * more, max(lidded, deal - inside)), COMING - 1)


@rule
def divided(a, b):
    """a // b of small numbers, which are cheap to divide."""
    return np.int64(np.uint32(a) // np.uint32(b))


BY_LANES = {  # each is bound to those before it
    template.__name__: template
    for template in (
        points_at, clear_line, tile, floor_line, go_on_tiling, begin_tiling, choose_column, take, apply,
        place_of_lane, best_space, earlier_and_all, legal, rate_spaces, rate, most_of, wanted, describe_spaces,
        describe_actions, note_line, features, put, class_of_coming, list_board, list_things,
    )
}  # fmt: skip
