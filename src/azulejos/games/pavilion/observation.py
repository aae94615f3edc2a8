"""What a seat sees of Summer Pavilion, as numbers. Everything is open; seats count from the one that looks."""

import numpy as np

from azulejos.core.compiling import adopt, rule
from azulejos.core.observation import Field, ObservationSpec, seat_fields

from .. import common
from .encoding import BONUS, DECORATE, KEEP, TAKE
from .judgement import standing as standing
from .kernels import count_of
from .tables import (
    MOST_KEPT,
    MOST_PLAYERS,
    MOST_SOURCES,
    NUM_COLOURS,
    ORNAMENT_TILES,
    POINTS,
    ROUNDS,
    STARS,
    SUPPLY_SPACES,
    TILES_OF_A_COLOUR,
)

MOST_POINTS = 250
MOST_PICKS = max(MOST_KEPT, 2 * max(ORNAMENT_TILES))

BOARD = (
    Field("score", (), MOST_POINTS, "points"),
    Field("passed", (), 1, "1 if out for the round"),
    Field("tiles", (NUM_COLOURS,), TILES_OF_A_COLOUR, "in hand, by colour"),
    Field("stars", (STARS, POINTS), NUM_COLOURS, "by star and position: 0 where it is free, else 1 + colour", True),
)
SPEC = ObservationSpec(
    (
        Field("players", (), MOST_PLAYERS - 2, "players, less 2", True),
        Field("plain", (), 1, "1 on the plain side"),
        Field("phase", (), 4, "0 nothing to decide, 1 taking, 2 decorating, 3 the supply, 4 tiles to keep", True),
        Field("round", (), ROUNDS - 1, "from 0: the wild colour", True),
        Field("start", (), MOST_PLAYERS - 1, "who started the round, or has taken the token since", True),
        Field("token", (), 1, "1 while it lies in the centre"),
        Field("to choose", (), MOST_PICKS, "tiles still to be chosen, from the supply or to keep"),
        Field("sources", (MOST_SOURCES, NUM_COLOURS), TILES_OF_A_COLOUR, "by colour: the centre, then the factories"),
        Field("bag", (NUM_COLOURS,), TILES_OF_A_COLOUR, "tiles by colour"),
        Field("tower", (NUM_COLOURS,), TILES_OF_A_COLOUR, "tiles by colour"),
        Field("supply", (NUM_COLOURS,), SUPPLY_SPACES, "tiles by colour"),
        Field("kept", (NUM_COLOURS,), MOST_KEPT, "chosen so far by the seat that passes, by colour"),
        *seat_fields(("own", "next", "second next", "third next"), BOARD),
    )
)
BOARD_SIZE = sum(field.size for field in BOARD)

note_tiles = adopt(common.note_tiles, __name__, NUM_COLOURS=NUM_COLOURS, count_of=count_of)


@rule
def observe(state, seat, out):
    players = np.int64(state.players)
    out[0] = players - 2
    out[1] = state.plain
    out[2] = phase_number(np.int64(state.phase))
    out[3] = state.round_no - 1
    out[4] = (state.start - seat + players) % players
    out[5] = state.token
    out[6] = min(np.int64(state.picks), MOST_PICKS)
    at = 7
    for source in range(MOST_SOURCES):
        at = note_tiles(state.source[source], at, out)
    at = note_tiles(state.bag, at, out)
    at = note_tiles(state.tower, at, out)
    at = note_tiles(state.supply, at, out)
    at = note_tiles(state.kept, at, out)
    note_boards(state, seat, at, out)


@rule
def phase_number(phase):
    if phase == TAKE:
        return 1
    if phase == DECORATE:
        return 2
    if phase == BONUS:
        return 3
    return 4 if phase == KEEP else 0


@rule
def note_board(state, seat, at, out):
    out[at] = min(np.int64(state.score[seat]), MOST_POINTS)
    out[at + 1] = state.passed >> seat & 1
    at = note_tiles(state.hand[seat], at + 2, out)
    for star in range(STARS):
        for position in range(POINTS):
            out[at + POINTS * star + position] = state.tile[seat, star] >> 3 * position & 7


note_boards = adopt(
    common.note_boards, __name__, MOST_PLAYERS=MOST_PLAYERS, BOARD_SIZE=BOARD_SIZE, note_board=note_board
)
