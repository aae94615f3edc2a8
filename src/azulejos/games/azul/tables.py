"""Azul's tables: tiles, boards, penalties, bonuses. Colours, rows, columns and lines count from 0 here."""

import numpy as np

COLOURS = ("blue", "yellow", "red", "black", "white")
LETTERS = "BYRKW"
TILES_OF_A_COLOUR = 20

FACTORIES = {2: 5, 3: 7, 4: 9}  # by the number of players
TILES_OF_A_FACTORY = 4
MOST_PLAYERS = 4
MOST_SOURCES = 1 + FACTORIES[MOST_PLAYERS]  # the centre, then the factories

SIZE = 5  # of the wall; line r holds r + 1 tiles
FLOOR_SPACES = 7
PENALTIES = np.array([0, 1, 2, 4, 6, 8, 11, 14])  # in all, by the number of floor spaces taken

ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS = 2, 7, 10

# On the coloured wall: the column of each colour in each row, and the colour of each space.
COLUMN_OF = np.array([[(row + colour) % SIZE for colour in range(SIZE)] for row in range(SIZE)])
COLOUR_AT = np.array([[(column - row) % SIZE for column in range(SIZE)] for row in range(SIZE)])

# What the rules tell while they play, and what the four numbers of each event are.
EVENTS = (
    ("deal", "factory", "colour"),
    ("pour",),
    ("take", "seat", "source", "colour", "tiles"),
    ("marker", "seat", "floored"),
    ("line", "seat", "line", "colour", "tiles"),
    ("floor", "seat", "colour", "tiles"),
    ("lid", "seat", "colour", "tiles"),
    ("wall", "seat", "row", "column", "points"),
    ("unplaceable", "seat", "row"),
    ("penalty", "seat", "points", "cost"),
    ("row bonus", "seat", "row", "points"),
    ("column bonus", "seat", "column", "points"),
    ("colour bonus", "seat", "colour", "points"),
)
(
    DEALT,
    POURED,
    TOOK,
    MARKER,
    LINED,
    FLOORED,
    LIDDED,
    WALLED,
    UNPLACEABLE,
    PENALISED,
    ROW_COMPLETE,
    COLUMN_COMPLETE,
    COLOUR_COMPLETE,
) = range(len(EVENTS))
