"""What a seat sees of Azul, as numbers. Everything is open (A-R6); seats count from the one that looks."""

import numpy as np

from azulejos.core.compiling import adopt, rule
from azulejos.core.observation import Field, ObservationSpec, seat_fields

from .. import common
from .encoding import DRAFT, TILE
from .judgement import standing as standing
from .kernels import count_of
from .tables import FLOOR_SPACES, MOST_PLAYERS, MOST_SOURCES, NUM_COLOURS, SIZE, TILES_OF_A_COLOUR

LAST_ROUND = 20  # later rounds look the same
MOST_POINTS = 250

BOARD = (
    Field("score", (), MOST_POINTS, "points"),
    Field("line colour", (SIZE,), SIZE, "0 where the line is empty, else 1 + colour", True),
    Field("line tiles", (SIZE,), SIZE, "tiles in each line"),
    Field("wall", (SIZE, SIZE), SIZE, "row by row: 0 where the space is empty, else 1 + colour", True),
    Field("floor", (FLOOR_SPACES,), SIZE + 1, "from the left: 0 empty, 1 + colour, or 6 for the marker", True),
)
SPEC = ObservationSpec(
    (
        Field("players", (), MOST_PLAYERS - 2, "players, less 2", True),
        Field("grey", (), 1, "1 on the grey wall"),
        Field("phase", (), 2, "0 nothing to decide, 1 drafting, 2 a column is to be chosen", True),
        Field("line", (), SIZE, "whose column is to be chosen, from 1; else 0", True),
        Field("round", (), LAST_ROUND, "from 1"),
        Field("start", (), MOST_PLAYERS - 1, "who started the round, or has taken the marker since", True),
        Field("marker", (), 1, "1 while it lies in the centre"),
        Field("sources", (MOST_SOURCES, SIZE), TILES_OF_A_COLOUR, "tiles by colour: the centre, then the factories"),
        Field("bag", (SIZE,), TILES_OF_A_COLOUR, "tiles by colour"),
        Field("lid", (SIZE,), TILES_OF_A_COLOUR, "tiles by colour"),
        *seat_fields(("own", "next", "second next", "third next"), BOARD),
    )
)
BOARD_SIZE = sum(field.size for field in BOARD)

note_tiles = adopt(common.note_tiles, __name__, NUM_COLOURS=NUM_COLOURS, count_of=count_of)


@rule
def observe(state, seat, out):
    players = np.int64(state.players)
    out[0] = players - 2
    out[1] = state.grey
    out[2] = 1 if state.phase == DRAFT else 2 if state.phase == TILE else 0
    out[3] = state.row + 1 if state.phase == TILE else 0
    out[4] = min(np.int64(state.round_no), LAST_ROUND)
    out[5] = (state.start - seat + players) % players
    out[6] = state.marker
    at = 7
    for source in range(MOST_SOURCES):
        at = note_tiles(state.source[source], at, out)
    at = note_tiles(state.bag, at, out)
    at = note_tiles(state.lid, at, out)
    note_boards(state, seat, at, out)


@rule
def note_board(state, seat, at, out):
    out[at] = min(np.int64(state.score[seat]), MOST_POINTS)
    at += 1
    for row in range(SIZE):
        out[at + row] = state.line_colour[seat, row] + 1
        out[at + SIZE + row] = state.line_count[seat, row]
    at += 2 * SIZE
    for space in range(SIZE * SIZE):
        out[at + space] = 0
    for colour in range(SIZE):
        spaces = state.wall[seat, colour]
        for space in range(SIZE * SIZE):
            if spaces >> space & 1:
                out[at + space] = colour + 1
    at += SIZE * SIZE
    for space in range(FLOOR_SPACES):
        out[at + space] = state.floor[seat] >> 3 * space & 7


note_boards = adopt(
    common.note_boards, __name__, MOST_PLAYERS=MOST_PLAYERS, BOARD_SIZE=BOARD_SIZE, note_board=note_board
)
