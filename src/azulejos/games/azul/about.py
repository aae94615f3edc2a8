"""Azul for people who choose a game, and the example of its page of rules."""

from azulejos.core.hand import Thing
from azulejos.core.language import N_
from azulejos.drawing import emblems

SENTENCE = N_("Take tiles, fill lines, and lay a wall that scores with every tile.")
OPTIONS = {"wall": N_("Wall")}
CHOICES = {"coloured": N_("coloured"), "grey": N_("grey: each tile's column is chosen")}

EXAMPLE = (
    "azul coloured round 4 seat 0 start 0 | BRKK BBYR BYWW YRKK BRKW | 1 | B4Y7R2K4W3 | B7Y6R9K6W7"
    " | 16 -/-/-/-/K1 BYR../W.YR./KWB../...B./..... - | 18 -/-/-/W2/W2 .YRK./.B.RK/KW..R/....Y/..... -",
    "2B2",
)

# The objects of the drawing, the first that fits: places, what they do, and where the page of rules tells of them.
OBJECTS = (
    Thing(r"factory-\d+(\..+)?", N_("Take all its tiles of one colour; the others go to the centre."), "taking"),
    Thing(
        r"centre\.marker",
        N_("Whoever first takes from the centre gets it: it lies on the floor, and its owner starts the next round."),
        "taking",
    ),
    Thing(r"centre(\..+)?", N_("Take all tiles of one colour that lie here."), "taking"),
    Thing(
        r"seat-\d\.line-\d(\.\d)?",
        N_("Holds one colour. When it is full, one tile goes to the same row of the wall as the round ends."),
        "lines",
    ),
    Thing(
        r"seat-\d\.wall\.\d\.\d",
        N_("A tile scores the row and the column that it lies in; alone it scores 1."),
        "tiling",
    ),
    Thing(
        r"seat-\d\.floor(\.\d)?", N_("Tiles that fit nowhere fall here, and cost points when the round ends."), "floor"
    ),
    Thing(r"bag", N_("Factories are filled from it."), "next-round"),
    Thing(r"lid", N_("Tiles that are out of play lie here until the bag is empty."), "next-round"),
    Thing(r"seat-\d\.projected", N_("What the score would be if the round ended now."), "tiling"),
    Thing(r"seat-\d\.score", N_("The points so far."), "end"),
    Thing(r"seat-\d", N_("A player’s board: lines on the left, the wall on the right, the floor below."), "lines"),
)


def emblem() -> str:
    return emblems.rows(("blue", "yellow", "red", "white", "black", "blue"))
