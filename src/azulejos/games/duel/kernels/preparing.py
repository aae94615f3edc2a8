"""The set-up, and phase 3: what is laid out before each round."""

import numpy as np

from azulejos.core.compiling import rule, tell

from ..encoding import (
    ACT,
    COUNT_MASK,
    DUE_CHIP,
    DUE_SIDE,
    DUE_TILE,
    FACE_DOWN,
    NO_CHIP,
    NO_COLOUR,
    NO_KIND,
    NO_PLATE,
    NOBODY,
    OPENING,
    PREPARE,
    UNKNOWN,
)
from ..lookups import ALL_CHIPS, ALL_LINES, ALL_PLATES, LINE_OF_EACH, ONE_OF_EACH
from ..tables import (
    DEALT,
    DEALT_AGAIN,
    FACTORIES,
    JOKER,
    LARGE,
    MOST_IN_STACK,
    NUM_PLATES,
    PLAYERS,
    POURED,
    ROUNDS,
    SIZE,
    SPECIAL,
    SQUARES,
    START_SCORE,
    TABLETS,
    TILES_DEALT,
    TILES_OF_A_COLOUR,
    TILES_OF_LARGE,
    TILES_OF_SMALL,
    TOKENS,
)
from .plates import (
    fill_display,
)
from .record import bits_in, only_colour, tiles_of


@rule
def setup(state, option_codes, first):
    """option_codes: the number of players; how many tablets are drawn, or 0; the sides that are named, as bits."""
    state.drawn_tablets = option_codes[1]
    state.tablets = option_codes[2]
    for factory in range(FACTORIES):
        state.sun[factory] = 0
        state.pile[factory] = 0
        state.chip[factory] = NO_CHIP
    state.moon = 0
    state.bag = TILES_OF_A_COLOUR * ONE_OF_EACH
    state.tower = 0
    state.left = 0
    state.supply = ALL_CHIPS
    for k in range(MOST_IN_STACK):
        state.stack[k] = UNKNOWN
    state.stack_count = NUM_PLATES
    state.top = NO_KIND
    state.display = 0
    state.hand = 0
    state.hand_unseen[SPECIAL] = 0
    state.hand_unseen[JOKER] = 0
    state.unseen = ALL_PLATES
    for seat in range(PLAYERS):
        set_up_board(state, seat)
    state.factory = 0
    state.plate = NO_PLATE
    state.row = 0
    state.pay_left = 0
    state.pay_matching = 0
    state.pay_from = 0
    state.spare[0] = 0
    state.spare[1] = 0
    state.start = first
    state.holder = NOBODY
    state.round_no = 0
    begin_round(state)


@rule
def set_up_board(state, seat):
    state.score[seat] = START_SCORE
    state.dome[seat] = 0
    state.open[seat] = ALL_LINES * LINE_OF_EACH
    state.broken[seat] = 0
    state.broken_count[seat] = 0
    state.chips[seat] = 0
    state.known[seat] = 0
    state.laid[seat] = 0
    for square in range(SQUARES):
        state.square[seat, square] = 0
        state.joker_colour[seat, square] = NO_COLOUR
    for row in range(SIZE):
        state.line_colour[seat, row] = NO_COLOUR
        state.line_count[seat, row] = 0


@rule
def begin_round(state):
    """Phase 3, and the set-up: tokens back; the start tile goes back, and its holder starts (D-R3 if nobody has it)."""
    state.round_no += 1
    if state.holder != NOBODY:
        state.start = state.holder
        state.holder = NOBODY
    for seat in range(PLAYERS):
        state.tokens[seat] = TOKENS if state.round_no < ROUNDS else 0
        state.chips_taken[seat] = 0
    for factory in range(1, FACTORIES):
        state.chip[factory] = FACE_DOWN
    state.phase = PREPARE
    state.seat = state.start
    state.dealt = 0
    prepare(state)


@rule
def prepare(state):
    """Tablets, if they are drawn; the display filled up; then the tiles."""
    if bits_in(state.tablets) < state.drawn_tablets:
        state.due = DUE_SIDE
    elif not fill_display(state):
        deal(state)


@rule
def sides_left(state):
    """A tablet has two sides, and lies on one."""
    tablets = len(TABLETS)
    half = (1 << tablets) - 1
    left = half & ~(state.tablets | state.tablets >> tablets)
    return np.int64(left | left << tablets)


@rule
def deal(state):
    """Tiles for the large factory, then for small 1, 2, 3, 4, each wholly before the next (D-R7)."""
    if state.dealt == TILES_OF_LARGE:
        put_back_one_colour(state)
    if state.dealt < TILES_DEALT:
        if state.bag == 0 and state.tower != 0:
            pour(state)
        if state.bag != 0:
            state.due = DUE_TILE
            return
    state.dealt = 0
    if state.round_no == 1:
        state.phase = OPENING  # D-R13
        state.seat = 1 - state.start
    else:
        begin_acquisition(state)


@rule
def draw_tile(state, colour):
    """One tile goes from the bag to the first factory that is not full."""
    past_large = state.dealt - TILES_OF_LARGE
    factory = LARGE if past_large < 0 else 1 + past_large // TILES_OF_SMALL
    tell(DEALT, factory, colour, 0, 0)
    state.bag -= tiles_of(colour, 1)
    state.sun[factory] += tiles_of(colour, 1)
    state.dealt += 1
    state.left += 1
    deal(state)


@rule
def put_back_one_colour(state):
    """The large factory is drawn again while all five are one colour, unless no other is to be had (D-R3, D-R7)."""
    colour = only_colour(state.sun[LARGE])
    if colour == NO_COLOUR:
        return
    others = ~tiles_of(colour, COUNT_MASK)
    if state.bag & others == 0:
        if state.tower & others == 0:
            return
        pour(state)
    tell(DEALT_AGAIN, colour, 0, 0, 0)
    state.bag += state.sun[LARGE]
    state.sun[LARGE] = 0
    state.left = 0
    state.dealt = 0


@rule
def pour(state):
    tell(POURED, 0, 0, 0, 0)
    state.bag += state.tower
    state.tower = 0


@rule
def begin_acquisition(state):
    """In turn from the start player; chips on factories that got no tile are revealed at once."""
    state.phase = ACT
    state.seat = 1 - state.start
    if not reveal_chip(state):
        state.seat = state.start


@rule
def reveal_chip(state):
    """A chip is revealed as soon as its factory has no tile on sun or moon. True if it is yet to be drawn."""
    if first_empty(state) < FACTORIES:
        state.due = DUE_CHIP
        return True
    return False


@rule
def first_empty(state):
    """The first factory that has nothing but a chip face down; FACTORIES if there is none."""
    factory = 1
    while factory < FACTORIES and (
        state.chip[factory] != FACE_DOWN or state.sun[factory] != 0 or state.pile[factory] != 0
    ):
        factory += 1
    return factory
