"""Azul's tables: tiles, boards, penalties, bonuses. Colours, rows, columns and lines count from 0 here."""

import numpy as np

from azulejos.core.events import Events

COLOURS = ("blue", "yellow", "red", "black", "white")
LETTERS = "BYRKW"
NUM_COLOURS = len(COLOURS)
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
EVENTS = Events()
DEALT = EVENTS.add("deal", "factory", "colour")
POURED = EVENTS.add("pour")
TOOK = EVENTS.add("take", "seat", "source", "colour", "tiles")
MARKER = EVENTS.add("marker", "seat", "floored")
LINED = EVENTS.add("line", "seat", "line", "colour", "tiles")
FLOORED = EVENTS.add("floor", "seat", "colour", "tiles")
LIDDED = EVENTS.add("lid", "seat", "colour", "tiles")
WALLED = EVENTS.add("wall", "seat", "row", "column", "points")
UNPLACEABLE = EVENTS.add("unplaceable", "seat", "row")
PENALISED = EVENTS.add("penalty", "seat", "points", "cost")
ROW_COMPLETE = EVENTS.add("row bonus", "seat", "row", "points")
COLUMN_COMPLETE = EVENTS.add("column bonus", "seat", "column", "points")
COLOUR_COMPLETE = EVENTS.add("colour bonus", "seat", "colour", "points")
