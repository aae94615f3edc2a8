"""Azul Duel's tables: tiles, plates, chips, tablets, penalties. Everything counts from 0 here.

Facts that stand in one source only are marked ◇; each has its one place here.
"""

import numpy as np

from azulejos.core.events import Events

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

EVENTS = Events()
SIDE_DRAWN = EVENTS.add("tablet", "side")
TOP_SEEN = EVENTS.add("top", "kind")
OPENED = EVENTS.add("open", "plate")
DEALT = EVENTS.add("deal", "factory", "colour")
DEALT_AGAIN = EVENTS.add("again", "colour")
POURED = EVENTS.add("pour")
REVEALED = EVENTS.add("reveal", "factory", "chip")
TOOK_PLATE = EVENTS.add("plate", "seat", "plate")
DREW_BLIND = EVENTS.add("blind", "seat", "kind", "points")
LOOKED = EVENTS.add("look", "seat", "plate")
KEPT = EVENTS.add("keep", "seat", "plate")
PUT_UNDER = EVENTS.add("under", "seat", "plate")
LAID = EVENTS.add("lay", "seat", "plate", "square", "rotation")
TOOK = EVENTS.add("take", "seat", "source", "colour", "tiles")
START_TILE = EVENTS.add("start tile", "seat")
LINED = EVENTS.add("line", "seat", "line", "colour", "tiles")
BROKE = EVENTS.add("break", "seat", "colour", "tiles")
TOWERED = EVENTS.add("tower", "seat", "colour", "tiles", "broken")
PILED = EVENTS.add("pile", "seat", "factory", "colour")
TOOK_CHIP = EVENTS.add("chip", "seat", "factory", "chip")
PASSED = EVENTS.add("pass", "seat")
SPENT = EVENTS.add("spend", "seat", "line", "chip")
TILED = EVENTS.add("tile", "seat", "row", "column", "points")
SPECIAL_LAID = EVENTS.add("special", "seat", "row", "column", "points")
UNPLACEABLE = EVENTS.add("unplaceable", "seat", "line")
PENALISED = EVENTS.add("penalty", "seat", "points", "cost")
START_PENALISED = EVENTS.add("start tile penalty", "seat", "points", "cost")
BONUS = EVENTS.add("bonus", "seat", "side", "points")
RAISED_TO_0 = EVENTS.add("floor", "seat", "points")
