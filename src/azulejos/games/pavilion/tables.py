"""Summer Pavilion's tables: tiles, stars, ornaments, bonuses. Colours, stars, positions and sides count from 0 here."""

import numpy as np

from azulejos.core.events import Events

COLOURS = ("purple", "green", "orange", "yellow", "blue", "red")  # in the order in which they are wild, round by round
LETTERS = "PGOYBR"
NUM_COLOURS = len(COLOURS)
TILES_OF_A_COLOUR = 22
ROUNDS = len(COLOURS)

FACTORIES = {2: 5, 3: 7, 4: 9}  # by the number of players
TILES_OF_A_FACTORY = 4
MOST_PLAYERS = 4
MOST_SOURCES = 1 + FACTORIES[MOST_PLAYERS]  # the centre, then the factories
SUPPLY_SPACES = 10
MOST_KEPT = 4
FIRST_SCORE, LEAST_SCORE = 5, 1

# --- stars: six clockwise from the top left, then the central one ---

STARS, POINTS = 7, 6  # POINTS: the rhombi of a star, in a ring
CENTRAL = 6
SIDES = ("coloured", "plain")
COLOURED, PLAIN = range(2)
STAR_COLOURS = ("orange", "red", "blue", "yellow", "green", "purple")
STAR_PLACES = ("top left", "top right", "right", "bottom right", "bottom left", "left")

# How a star is named: in words, and in the notation.
STAR_NAMES = (
    (*STAR_COLOURS, "centre"),
    (*STAR_PLACES, "centre"),
)
STAR_LETTERS = (
    ("O", "R", "B", "Y", "G", "P", "C"),
    ("NW", "NE", "E", "SE", "SW", "W", "C"),
)

# The number printed on each rhombus: how many tiles it costs. [side, star, position]
_PLAIN = [3, 2, 1, 4, 5, 6]
NUMBERS = np.array(
    [
        [[1, 2, 3, 4, 5, 6]] * STARS,
        [_PLAIN] * CENTRAL + [[3] * POINTS],
    ]
)

# The colours that an empty star takes. [side][star]
_ANY = tuple(range(len(COLOURS)))
FITTING = (
    (*((COLOURS.index(colour),) for colour in STAR_COLOURS), _ANY),
    (_ANY,) * STARS,
)

# Where a star's rhombi point: the position that lies in each direction.
DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
POSITION_AT = (
    (5, 0, 1, 2, 3, 4),
    (4, 5, 0, 1, 2, 3),
    (3, 4, 5, 0, 1, 2),
    (2, 3, 4, 5, 0, 1),
    (1, 2, 3, 4, 5, 0),
    (0, 1, 2, 3, 4, 5),
    (0, 1, 2, 3, 4, 5),
)

# --- ornaments: six pillars, six statues, six windows, each by its star ---

ORNAMENTS = ("pillar", "statue", "window")
ORNAMENT_TILES = (1, 2, 3)  # from the supply
_PILLAR_AT_CENTRE = ((5, 0), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5))

# The rhombi around each ornament, as (star, position). Ornament 6 * kind + star.
BORDERS = (
    *(
        ((star, 1), (star, 2), *((CENTRAL, position) for position in _PILLAR_AT_CENTRE[star]))
        for star in range(CENTRAL)
    ),
    *(
        ((star, 0), (star, 1), ((star + 1) % CENTRAL, 2), ((star + 1) % CENTRAL, 3))  # between a star and the next one
        for star in range(CENTRAL)
    ),
    *(((star, 4), (star, 5)) for star in range(CENTRAL)),
)

# --- the end ---

MULTICOLOURED = len(COLOURS)
STAR_BONUS = np.array([20, 18, 17, 16, 15, 14, 12])  # by the star's colour; the last for several colours
NUMBER_BONUS = np.array([0, 4, 8, 12, 16])  # by the number of which every rhombus is filled

# What the rules tell while they play, and what the four numbers of each event are.
EVENTS = Events()
DEALT = EVENTS.add("deal", "factory", "colour")  # factory 0: the supply
POURED = EVENTS.add("pour")
TOOK = EVENTS.add("take", "seat", "source", "colour", "tiles")
TOOK_WILD = EVENTS.add("wild", "seat", "source", "colour")
TOKEN = EVENTS.add("token", "seat", "points")
PLACED = EVENTS.add("place", "seat", "star", "position", "points")
PAID = EVENTS.add("pay", "seat", "colour", "tiles")
SURROUNDED = EVENTS.add("ornament", "seat", "ornament", "tiles")
SHORT = EVENTS.add("short", "seat", "tiles")
SUPPLIED = EVENTS.add("supply", "seat", "colour", "chosen")  # chosen 0: there was no choice
PASSED = EVENTS.add("pass", "seat")
KEPT = EVENTS.add("keep", "seat", "colour", "chosen")
DISCARDED = EVENTS.add("discard", "seat", "tiles", "points")
STAR_COMPLETE = EVENTS.add("star bonus", "seat", "star", "points")
NUMBER_COMPLETE = EVENTS.add("number bonus", "seat", "number", "points")
LEFT_OVER = EVENTS.add("left over", "seat", "tiles", "points")
