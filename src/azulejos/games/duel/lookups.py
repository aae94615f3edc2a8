"""Azul Duel's tables as the rules look them up: packed counts, sets as bits, and what follows from each.

Tiles in one place are five counts of four bits in one number; chips are ten counts of two bits. A set of columns is
six bits, a set of spaces of the dome 36, row by row from the upper left. A plate that lies on a square is a code:
1 + 4 · plate + rotation; 0 is an empty square.
"""

from azulejos.core.arrays import np

from .. import common
from .encoding import CHIP_BITS, CHIP_MASK, COUNT_BITS, LINES
from .tables import (
    CHIPS,
    CHIPS_OF_A_KIND,
    CORNER_PLACES,
    JOKER_SLOT,
    LETTERS,
    NUM_CHIPS,
    NUM_COLOURS,
    NUM_PLATES,
    PLATES_OF_A_KIND,
    ROTATIONS,
    SIZE,
    SQUARES,
    SQUARES_ACROSS,
    slot,
)

# --- tiles: counts, lines ---

ONE_OF_EACH = sum(1 << COUNT_BITS * colour for colour in range(NUM_COLOURS))

# One tile of a colour, by colour + 1; index 0 is no tile.
ONE_TILE = np.array([0] + [1 << COUNT_BITS * colour for colour in range(NUM_COLOURS)])

ALL_LINES = (1 << LINES) - 1
LINE_OF_EACH = sum(1 << LINES * colour for colour in range(NUM_COLOURS))

# --- the dome ---

ROW_MASK = (1 << SIZE) - 1
COLUMN_MASK = sum(1 << SIZE * row for row in range(SIZE))
RING_MASK = sum(
    1 << SIZE * row + column
    for row in range(SIZE)
    for column in range(SIZE)
    if row in (0, SIZE - 1) or column in (0, SIZE - 1)
)
DIAGONAL_MASKS = np.array(
    [sum(1 << SIZE * k + k for k in range(SIZE)), sum(1 << SIZE * k + SIZE - 1 - k for k in range(SIZE))]
)

# The length of the unbroken run through each place of each set of six (0 where the place is empty).
RUN = common.runs(SIZE)

# The place of a set of six that has only one.
ONLY = np.array([max(places.bit_length() - 1, 0) for places in range(1 << SIZE)])

# Sets of nine: the mask, and the number of members of each.
NINE = 9
NINE_MASK = (1 << NINE) - 1
BITS = np.array([members.bit_count() for members in range(1 << NINE)])

# --- plates on squares ---

CODES = 1 + NUM_PLATES * ROTATIONS
KIND_MASKS = np.array([NINE_MASK, NINE_MASK << PLATES_OF_A_KIND])  # of sets of plates
ALL_PLATES = (1 << NUM_PLATES) - 1

SQUARE_SPACES = np.zeros(SQUARES, np.int64)  # the four spaces of a square
SLOT_AT = np.full((CODES, 2, 2), -1)  # by code, row and column in the plate: a colour, SPECIAL_SLOT or JOKER_SLOT
ACCEPTS = np.zeros((CODES, 2, NUM_COLOURS), np.int64)  # the columns (two bits) of a plate's row that take a colour
KEY_SPACE = np.full((SQUARES, CODES), -1)  # the space of the special or joker slot of a plate on a square

for _square in range(SQUARES):
    for _row, _column in CORNER_PLACES:
        _space = SIZE * (2 * (_square // SQUARES_ACROSS) + _row) + 2 * (_square % SQUARES_ACROSS) + _column
        SQUARE_SPACES[_square] |= 1 << _space
for _code in range(1, CODES):
    _plate, _rotation = divmod(_code - 1, ROTATIONS)
    for _corner, (_row, _column) in enumerate(CORNER_PLACES):
        _slot = slot(_plate, _rotation, _corner)
        SLOT_AT[_code, _row, _column] = _slot
        for _colour in range(NUM_COLOURS):
            if _slot in (_colour, JOKER_SLOT):
                ACCEPTS[_code, _row, _colour] |= 1 << _column
        if _corner == _rotation:
            for _square in range(SQUARES):
                KEY_SPACE[_square, _code] = (
                    SIZE * (2 * (_square // SQUARES_ACROSS) + _row) + 2 * (_square % SQUARES_ACROSS) + _column
                )

# --- chips ---

ALL_CHIPS = sum(CHIPS_OF_A_KIND << CHIP_BITS * kind for kind in range(NUM_CHIPS))
HALF_CHIPS = CHIP_BITS * NUM_CHIPS // 2
HALF_CHIPS_MASK = (1 << HALF_CHIPS) - 1

# The number of chips in half a number of chips.
CHIP_SUM = np.array([sum(half >> k & CHIP_MASK for k in range(0, HALF_CHIPS, CHIP_BITS)) for half in range(1024)])

# Where the chips that show a colour are counted.
MATCHING = np.array(
    [
        sum(CHIP_MASK << CHIP_BITS * chip for chip, shown in enumerate(CHIPS) if LETTERS[colour] in shown)
        for colour in range(NUM_COLOURS)
    ]
)
