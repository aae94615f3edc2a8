"""Azul Duel's tables: tiles, plates, chips, tablets, penalties. Everything counts from 0 here.

Facts that stand in one source only are marked ◇; each has its one place here.
"""

import numpy as np

COLOURS = ("blue", "yellow", "red", "black", "turquoise")
LETTERS = "BYRKT"
NUM_COLOURS = len(COLOURS)
TILES_OF_A_COLOUR = 13

PLAYERS = 2
ROUNDS = 5
START_SCORE = 5

# --- factories ---

LARGE = 0  # the large factory; the small ones are 1 to 4
SMALL_FACTORIES = 4
FACTORIES = 1 + SMALL_FACTORIES
TILES_OF_LARGE, TILES_OF_SMALL = 5, 4
TILES_DEALT = TILES_OF_LARGE + SMALL_FACTORIES * TILES_OF_SMALL

# --- dome plates ---

SPECIAL, JOKER = 0, 1  # kinds of plates
KIND_NAMES = ("special", "joker")
KIND_LETTERS = "sj"

# Each plate's colours, clockwise from its special or joker slot. ◇
SPECIAL_PLATES = ("TYK", "RTK", "KBR", "KYB", "BTR", "RKY", "BKT", "TBY", "YRB")
JOKER_PLATES = ("TYK", "RTK", "KBR", "YRT", "BTR", "RKY", "BKT", "TBY", "YRB")

PLATES = tuple("s" + colours for colours in SPECIAL_PLATES) + tuple("j" + colours for colours in JOKER_PLATES)
NUM_PLATES = len(PLATES)
PLATES_OF_A_KIND = len(SPECIAL_PLATES)
OPEN_PLATES = 3  # in the display
TOKENS = 2  # of a player, each round but the last
MOST_IN_STACK = NUM_PLATES

# --- the dome: 3 × 3 squares for plates of 2 × 2 slots ---

SQUARES_ACROSS = 3
SQUARES = SQUARES_ACROSS * SQUARES_ACROSS
SIZE = 2 * SQUARES_ACROSS  # rows, columns and pattern lines; line r holds r + 1 tiles

# A rotation is the corner in which the special or joker slot lies, clockwise from the upper left.
CORNERS = ("nw", "ne", "se", "sw")
CORNER_WORDS = ("upper left", "upper right", "lower right", "lower left")
CORNER_PLACES = ((0, 0), (0, 1), (1, 1), (1, 0))  # row and column in the plate
ROTATIONS = len(CORNERS)

SPECIAL_SLOT, JOKER_SLOT = NUM_COLOURS, NUM_COLOURS + 1  # what a slot may be besides a colour
SLOT_NAMES = (*COLOURS, "special", "joker")


def slot(plate: int, rotation: int, corner: int) -> int:
    """What the slot in a corner of a plate is: a colour, SPECIAL_SLOT or JOKER_SLOT."""
    step = (corner - rotation) % ROTATIONS
    if step == 0:
        return SPECIAL_SLOT if plate < PLATES_OF_A_KIND else JOKER_SLOT
    return LETTERS.index(PLATES[plate][step])


SPECIAL_POINTS = np.array([1, 2, 3, 4, 5, 6])  # of a special tile, by its row ◇

# --- broken tiles and the start tile ---

BROKEN_SPACES = 4
PENALTIES = np.array([0, 1, 3, 6, 10])  # in all, by the number of broken tiles; the fourth's share ◇
START_TILE_PENALTY = 2

# --- bonus chips ---

CHIPS = ("B", "Y", "R", "K", "T", "BR", "RT", "TY", "YK", "KB")  # the colours that each kind shows ◇
NUM_CHIPS = len(CHIPS)
CHIPS_OF_A_KIND = 2  # ◇
CHIPS_IN_ALL = NUM_CHIPS * CHIPS_OF_A_KIND
CHIPS_A_ROUND = 2  # at most, for a player
MATCHING_PRICE, ANY_PRICE = 2, 3  # chips for a missing tile: showing its colour, or any
MOST_CHIPS = CHIPS_A_ROUND * ROUNDS  # of a player

# --- scoring tablets: four, with two sides each ---

TABLETS = (("rows", "colours"), ("columns", "ring"), ("diagonals", "corners"), ("jokers", "specials"))
SIDES = tuple(front for front, _ in TABLETS) + tuple(back for _, back in TABLETS)
NUM_SIDES = len(SIDES)
SIDE_WORDS = {
    "rows": "complete rows of six",
    "columns": "complete columns",
    "diagonals": "complete main diagonals",
    "jokers": "joker slots, all filled",
    "colours": "rows with at least five different colours",
    "ring": "tiles on the outer ring",
    "corners": "complete plates in the corners",
    "specials": "empty special slots",
}
FIRST_GAME = ("rows", "columns", "diagonals")  # ◇
ROWS, COLUMNS, DIAGONALS, JOKERS, ROW_COLOURS, RING, CORNER_PLATES, EMPTY_SPECIALS = range(NUM_SIDES)

ROW_BONUS, COLUMN_BONUS, DIAGONAL_BONUS, JOKER_BONUS = 3, 7, 10, 2
COLOURS_BONUS, RING_BONUS, EMPTY_SPECIAL_COST = 4, 1, 3
COLOURS_NEEDED = 5
UPPER_CORNER_BONUS, LOWER_CORNER_BONUS = 3, 8  # ◇

# --- what the rules tell while they play, and what the four numbers of each event are ---

EVENTS = (
    ("tablet", "side"),
    ("top", "kind"),
    ("open", "plate"),
    ("deal", "factory", "colour"),
    ("again", "colour"),
    ("pour",),
    ("reveal", "factory", "chip"),
    ("plate", "seat", "plate"),
    ("blind", "seat", "kind", "points"),
    ("look", "seat", "plate"),
    ("keep", "seat", "plate"),
    ("under", "seat", "plate"),
    ("lay", "seat", "plate", "square", "rotation"),
    ("take", "seat", "source", "colour", "tiles"),
    ("start tile", "seat"),
    ("line", "seat", "line", "colour", "tiles"),
    ("break", "seat", "colour", "tiles"),
    ("tower", "seat", "colour", "tiles", "broken"),
    ("pile", "seat", "factory", "colour"),
    ("chip", "seat", "factory", "chip"),
    ("pass", "seat"),
    ("spend", "seat", "line", "chip"),
    ("tile", "seat", "row", "column", "points"),
    ("special", "seat", "row", "column", "points"),
    ("unplaceable", "seat", "line"),
    ("penalty", "seat", "points", "cost"),
    ("start tile penalty", "seat", "points", "cost"),
    ("bonus", "seat", "side", "points"),
    ("floor", "seat", "points"),
)
(
    SIDE_DRAWN,
    TOP_SEEN,
    OPENED,
    DEALT,
    DEALT_AGAIN,
    POURED,
    REVEALED,
    TOOK_PLATE,
    DREW_BLIND,
    LOOKED,
    KEPT,
    PUT_UNDER,
    LAID,
    TOOK,
    START_TILE,
    LINED,
    BROKE,
    TOWERED,
    PILED,
    TOOK_CHIP,
    PASSED,
    SPENT,
    TILED,
    SPECIAL_LAID,
    UNPLACEABLE,
    PENALISED,
    START_PENALISED,
    BONUS,
    RAISED_TO_0,
) = range(len(EVENTS))
