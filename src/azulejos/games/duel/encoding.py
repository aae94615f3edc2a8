"""The numbers of Azul Duel's positions, actions and draws: phases, what is due, places, and how things are packed."""

from .tables import (
    FACTORIES,
    MATCHING_PRICE,
    MOST_CHIPS,
    NUM_CHIPS,
    NUM_COLOURS,
    NUM_PLATES,
    NUM_SIDES,
    ROTATIONS,
    SIZE,
    SQUARES,
)

COUNT_BITS = 4  # of the number of tiles of each colour in one place
COUNT_MASK = (1 << COUNT_BITS) - 1
CHIP_BITS = 2  # of the number of chips of each kind
CHIP_MASK = (1 << CHIP_BITS) - 1
LINES = SIZE + 1  # the broken tiles' space and the six lines, as an action counts them

PREPARE, OPENING, ACT, PILE, DRAWING, KEEP, UNDER, LAY, COMPLETING, PAY, SLOT, ENDED = range(12)
NOTHING, DUE_SIDE, DUE_PLATE, DUE_KIND, DUE_TILE, DUE_CHIP, DUE_FRONT = range(7)
NOBODY = -1
NO_COLOUR = -1
NO_KIND = -1
NO_PLATE = -1
UNKNOWN = NUM_PLATES
FACE_DOWN, NO_CHIP = -1, -2
BROKEN = 0  # among the lines of an action
MOONS = FACTORIES  # among the sources of an action: 0 to 4 are the suns
SOURCES = FACTORIES + 1

# Actions, in their order.
CHIP_ACTIONS = SOURCES * NUM_COLOURS * LINES  # after the takes: source, colour, line
PLATE_ACTIONS = CHIP_ACTIONS + FACTORIES - 1
DRAW_ACTION = PLATE_ACTIONS + NUM_PLATES
STOP_ACTION = DRAW_ACTION + 1
UNDER_ACTIONS = STOP_ACTION + 1
LAY_ACTIONS = UNDER_ACTIONS + NUM_PLATES
PILE_ACTIONS = LAY_ACTIONS + SQUARES * ROTATIONS
SLOT_ACTIONS = PILE_ACTIONS + NUM_COLOURS
LEAVE_ACTION = SLOT_ACTIONS + SIZE * SIZE
SPEND_ACTIONS = LEAVE_ACTION + 1  # by the number of chips, from MATCHING_PRICE to MOST_CHIPS
PAY_ACTIONS = SPEND_ACTIONS + MOST_CHIPS - MATCHING_PRICE + 1
NUM_ACTIONS = PAY_ACTIONS + NUM_CHIPS

# Outcomes of draws, in their order: the colours of tiles come first.
SIDE_DRAWS = NUM_COLOURS
KIND_DRAWS = SIDE_DRAWS + NUM_SIDES
PLATE_DRAWS = KIND_DRAWS + 2
CHIP_DRAWS = PLATE_DRAWS + NUM_PLATES
NUM_OUTCOMES = CHIP_DRAWS + NUM_CHIPS
