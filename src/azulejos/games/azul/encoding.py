"""The numbers of Azul's positions and actions: phases, places, and how tiles are packed."""

from .tables import FACTORIES, NUM_COLOURS, SIZE

DEAL, DRAFT, TILE, ENDED = range(4)
CENTRE = 0
FLOOR = 0  # among the lines of an action
NO_COLOUR = -1
MARKER_TILE = NUM_COLOURS + 1  # on the floor, where a tile is its colour + 1

COUNT_BITS = 6  # of the number of tiles of each colour in one place
COUNT_MASK = (1 << COUNT_BITS) - 1

# Actions: source, colour and line; then, on the grey wall, row and column.
LINES = SIZE + 1  # the floor and the five lines
DRAFTS = {players: (count + 1) * NUM_COLOURS * LINES for players, count in FACTORIES.items()}
