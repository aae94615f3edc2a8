"""A position of Azul Duel as one record, and how its parts are unpacked; `encoding.py` has the numbers.

A seat's `open` holds, for each colour, seven bits: which lines take it (bit 0 is the broken tiles' space, which always
does, bit r line r counted from 1). A `pile` is groups of three bits, colour + 1, the top in the lowest. Sets of
plates are 18 bits. The `stack` lists its plates from the top: UNKNOWN is one that nobody has seen; a plate that was
put back stands there by its number, and `known` says which seats know where it is (D-R6).
"""

from azulejos.core.arrays import np
from azulejos.core.compiling import rule

from ... import common
from ..encoding import CHIP_BITS, CHIP_MASK, COUNT_BITS, COUNT_MASK, NO_COLOUR
from ..lookups import CHIP_SUM, HALF_CHIPS, HALF_CHIPS_MASK
from ..tables import (
    FACTORIES,
    JOKER,
    MOST_IN_STACK,
    NUM_COLOURS,
    PLATES_OF_A_KIND,
    PLAYERS,
    SIZE,
    SPECIAL,
    SQUARES,
    SQUARES_ACROSS,
)

STATE = np.dtype(
    (
        np.record,
        [
            ("dome", "i8", (PLAYERS,)),  # the spaces on which a tile lies
            ("open", "i8", (PLAYERS,)),
            ("sun", "i4", (FACTORIES,)),
            ("moon", "i4"),  # of the large factory
            ("bag", "i4"),
            ("tower", "i4"),
            ("broken", "i4", (PLAYERS,)),
            ("chips", "i4", (PLAYERS,)),  # in the players' stores
            ("supply", "i4"),  # chips that nobody has seen, those face down on the factories included
            ("display", "i4"),  # the open plates
            ("hand", "i4"),  # plates drawn from the stack in this action that somebody has seen
            ("unseen", "i4"),  # plates that nobody has seen, wherever they are
            ("known", "i4", (PLAYERS,)),  # plates in the stack and the hand whose place the seat knows
            ("pile", "i2", (FACTORIES,)),  # on the moons of the small factories
            ("score", "i2", (PLAYERS,)),
            ("tablets", "i2"),  # the sides in play
            ("square", "i1", (PLAYERS, SQUARES)),  # the code of the plate that lies there, or 0
            ("joker_colour", "i1", (PLAYERS, SQUARES)),  # of the tile in the joker slot, or NO_COLOUR
            ("line_colour", "i1", (PLAYERS, SIZE)),  # NO_COLOUR where the line is empty
            ("line_count", "i1", (PLAYERS, SIZE)),
            ("stack", "i1", (MOST_IN_STACK,)),  # from the top: plates, UNKNOWN; NO_PLATE below the bottom
            ("chip", "i1", (FACTORIES,)),  # on the small factories: FACE_DOWN, NO_CHIP or the kind
            ("hand_unseen", "i1", (2,)),  # plates in the hand that nobody has seen, by kind
            ("broken_count", "i1", (PLAYERS,)),
            ("laid", "i1", (PLAYERS,)),  # plates on the dome
            ("tokens", "i1", (PLAYERS,)),  # left in this round
            ("chips_taken", "i1", (PLAYERS,)),  # in this round
            ("stack_count", "i1"),
            ("top", "i1"),  # the kind of the stack's top plate, or NO_KIND
            ("drawn_tablets", "i1"),  # how many tablets are drawn at random; 0 if they were named
            ("round_no", "i1"),  # from 1
            ("phase", "i1"),
            ("due", "i1"),  # the draw that is awaited, or NOTHING
            ("seat", "i1"),  # who acts, or acted last if a chip is awaited
            ("start", "i1"),  # who started the round
            ("holder", "i1"),  # who has taken the start tile in this round, or NOBODY
            ("dealt", "i1"),  # tiles laid out so far, in PREPARE; else 0
            ("left", "i1"),  # tiles on the factories
            ("factory", "i1"),  # in PILE: whose pile is built; else 0
            ("plate", "i1"),  # in UNDER and LAY: the plate to be laid; else NO_PLATE
            ("row", "i1"),  # in COMPLETING, PAY and SLOT: the line that is decorated; else 0
            ("pay_left", "i1"),  # in PAY: chips still to be spent; else 0, as the next two
            ("pay_matching", "i1"),  # in PAY: how many of them at least must show the line's colour
            ("pay_from", "i1"),  # in PAY: the kind spent last; chips are spent in rising order
            ("spare", "i1", (2,)),  # always 0: fills the record up to a multiple of eight
        ],
    )
)

tiles_of, count_of, tiles_in, colour_drawn = common.packed(
    __name__, COUNT_BITS=COUNT_BITS, COUNT_MASK=COUNT_MASK, NUM_COLOURS=NUM_COLOURS
)


@rule
def only_colour(tiles):
    """The colour of tiles that have but one; else NO_COLOUR."""
    found = NO_COLOUR
    for colour in range(NUM_COLOURS):
        if count_of(tiles, colour) != 0:
            if found != NO_COLOUR:
                return NO_COLOUR
            found = colour
    return found


bits_in = common.ones  # how many members a set has


@rule
def member(members, number):
    """The member of a set that comes after `number` others."""
    place = np.int64(0)
    while True:
        if members >> place & 1:
            if number == 0:
                return place
            number -= 1
        place += 1


@rule
def is_one(members):
    return members != 0 and members & (members - 1) == 0


@rule
def chips_of(chips, kind):
    return chips >> CHIP_BITS * kind & CHIP_MASK


@rule
def chips_in(chips):
    return CHIP_SUM[chips & HALF_CHIPS_MASK] + CHIP_SUM[chips >> HALF_CHIPS]


@rule
def kind_of(plate):
    return SPECIAL if plate < PLATES_OF_A_KIND else JOKER


@rule
def plate_set(plate):
    return np.int64(1) << plate


@rule
def square_of(row, column):
    return row // 2 * SQUARES_ACROSS + column // 2
