"""The rows of the network's priors, by what they say of a position or an action."""

from ..encoding import LINES
from ..tables import BROKEN_SPACES, NUM_PLATES, NUM_SIDES, OPEN_PLATES, ROTATIONS, ROUNDS, SIZE, SQUARES, TILES_DEALT
from .listing import MOST_CHIPS

# The rows of PRIORS. Of a position: the phase and round; tiles left; the lead; tokens and chips taken; broken tiles and
# the start tile; how the other player rates the best tiles; the tablets; the chips of both.
MOST_TAKEN, MOST_POINTS, WANTS = 7, 15, 16
LATE = 3  # classes of rounds: to the third, the fourth, the fifth
NO_ROW = 1
ROW_OF_PHASE = NO_ROW + 1
ROW_OF_LEFT = ROW_OF_PHASE + 12 * ROUNDS
ROW_OF_LEAD = ROW_OF_LEFT + TILES_DEALT + 1
ROW_OF_TOKENS = ROW_OF_LEAD + 13
ROW_OF_BROKEN = ROW_OF_TOKENS + 81
ROW_OF_BEST = ROW_OF_BROKEN + 6 * (BROKEN_SPACES + 1)
ROW_OF_TABLETS = ROW_OF_BEST + WANTS
ROW_OF_CHIPS = ROW_OF_TABLETS + (1 << NUM_SIDES)

# Of tiles for a line: the line by the tiles missing and taken, whether it has a slot, and whether tiles elsewhere or
# chips can complete it; the penalty, and who has more turns to spare; the points; the slot's row and column; its plate;
# what other tablets give for it; where the tiles lie; how the other player rates them, and those that come free.
ROW_OF_LINE = ROW_OF_CHIPS + (MOST_CHIPS + 1) ** 2
ROW_OF_COST = ROW_OF_LINE + LINES * (SIZE + 1) * (MOST_TAKEN + 1) * 3 * 7
ROW_OF_POINTS = ROW_OF_COST + 11 * 2 * LATE * 15
ROW_OF_CROSS = ROW_OF_POINTS + LINES * 2 * (MOST_POINTS + 1) * ROUNDS
CROSSES = LATE * 4 * (SIZE + 1) ** 2
ROW_OF_PLATE = ROW_OF_CROSS + 2 * CROSSES
PLATE_CLASSES = LATE * 4 * 22
ROW_OF_REACH = ROW_OF_PLATE + 2 * PLATE_CLASSES
REACHES = 2 * 7 * 9 * 7
ROW_OF_GROUP = ROW_OF_REACH + 2 * REACHES
ROW_OF_DENIAL = ROW_OF_GROUP + 4 * (MOST_TAKEN + 1) * 5 * 5

# Of a chip: the chips held; the lines of its colours; the other player's; the tiles left. Of a plate: the round; how
# it suits both; the plates of its kind; the tiles left; which it is; tiles of its colours.
ROW_OF_CHIP = ROW_OF_DENIAL + 6 * WANTS * 4
ROW_OF_CHIP_LINES = ROW_OF_CHIP + 2 * ROUNDS * (MOST_CHIPS + 1) * 2
ROW_OF_CHIP_OTHER = ROW_OF_CHIP_LINES + 4 * 2 * 5 * ROUNDS
ROW_OF_CHIP_TIME = ROW_OF_CHIP_OTHER + 4 * 3 * 5
ROW_OF_TAKEN_PLATE = ROW_OF_CHIP_TIME + 12 * 3
ROW_OF_PLATE_SUITS = ROW_OF_TAKEN_PLATE + 3 * 2 * ROUNDS * 3
ROW_OF_PLATE_OTHER = ROW_OF_PLATE_SUITS + 2 * WANTS * ROUNDS
ROW_OF_PLATE_KIND = ROW_OF_PLATE_OTHER + WANTS * 3 * (OPEN_PLATES + 1)
ROW_OF_PLATE_TIME = ROW_OF_PLATE_KIND + 2 * 4 * (SQUARES + 1)
ROW_OF_PLATE_NUMBER = ROW_OF_PLATE_TIME + 12 * 9
ROW_OF_PLATE_TILES = ROW_OF_PLATE_NUMBER + NUM_PLATES * ROUNDS
ROW_OF_DRAW = ROW_OF_PLATE_TILES + 2 * 12
ROW_OF_TOP = ROW_OF_DRAW + 2 * ROUNDS * 8
ROW_OF_HAND = ROW_OF_TOP + 2 * 3 * 4
ROW_OF_STACK = ROW_OF_HAND + 2 * 5

# Of laying a plate: each corner by its row, line and points; the square and rotation; lines that break; colours twice
# in a row; the row of its special or joker slot.
CORNER_CLASSES = 19
ROW_OF_CORNER = ROW_OF_STACK + 3 * (OPEN_PLATES + 1)
ROW_OF_SQUARE = ROW_OF_CORNER + SIZE * CORNER_CLASSES * 8
ROW_OF_BREAKING = ROW_OF_SQUARE + SQUARES * 2 * ROTATIONS * ROUNDS
ROW_OF_TWICE = ROW_OF_BREAKING + 3 * 7 * ROUNDS
ROW_OF_KEY = ROW_OF_TWICE + SQUARES * 10 * 4

# Of a slot; of completing a line; of a chip to pay with; of a pile.
ROW_OF_SLOT_POINTS = ROW_OF_KEY + 2 * SIZE * 4 * ROUNDS
ROW_OF_SLOT = ROW_OF_SLOT_POINTS + 24 * ROUNDS
ROW_OF_SPENT = ROW_OF_SLOT + SIZE * SIZE * LATE
ROW_OF_GAIN = ROW_OF_SPENT + 10 * SIZE * ROUNDS
ROW_OF_CHIPS_LEFT = ROW_OF_GAIN + 2 * (MOST_POINTS + 1) * ROUNDS
ROW_OF_HELD = ROW_OF_CHIPS_LEFT + (MOST_CHIPS + 1) * ROUNDS
ROW_OF_LATER = ROW_OF_HELD + 2 * SIZE * (SIZE + 1)
ROW_OF_PAID = ROW_OF_LATER + 2 * SIZE * (MOST_CHIPS + 1)
ROW_OF_PILE = ROW_OF_PAID + 2 * 2 * 4
ROW_OF_PILED = ROW_OF_PILE + WANTS * WANTS
BRIEF = 8  # the rows that a rollout looks at: all
PRIOR_ROWS = ROW_OF_PILED + 4 * 4 * 6
# Rows about what the other player needs: not seen by weak levels.
ROWS_OF_OTHERS = (
    (ROW_OF_DENIAL, ROW_OF_CHIP),
    (ROW_OF_CHIP_OTHER, ROW_OF_CHIP_TIME),
    (ROW_OF_PLATE_OTHER, ROW_OF_PLATE_KIND),
)
