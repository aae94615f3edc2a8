"""Summer Pavilion for people who choose a game, and the example of its page of rules."""

from azulejos.core.hand import Thing
from azulejos.core.language import N_
from azulejos.drawing import emblems

SENTENCE = N_("Lay stars of rhombi with a wild colour in every round, and win tiles for what they surround.")
OPTIONS = {"side": N_("Side of the board")}
CHOICES = {"coloured": N_("coloured"), "plain": N_("plain: stars without colours")}

EXAMPLE = (
    "pavilion coloured round 4 decorating seat 0 start 1 | PGGGOOBBRR | - - - - - | - | P8G3O10Y8B7R5"
    " | P3G5O3Y6B2R5 | 28 PPPPGYYYBBRR OO..../RRR.../BB..../YYY.../GG..../PPP.../BP...."
    " | 25 GGGGOOOBBBRR OO..../RR..../BB..../YY..../GGG.../PP..../GBR...",
    "R4+2",
)

# The objects of the drawing, the first that fits: places, what they do, and where the page of rules tells of them.
OBJECTS = (
    Thing(
        r"factory-\d+(\..+)?",
        N_("Take all tiles of one colour that is not wild, and one wild tile with them; the others go to the centre."),
        "taking",
    ),
    Thing(
        r"centre\.token|seat-\d\.token",
        N_(
            "Whoever first takes from the centre gets it, loses a point for each tile taken, and starts the decorating."
        ),
        "taking",
    ),
    Thing(
        r"centre(\..+)?", N_("Take all tiles of one colour that is not wild, and one wild tile with them."), "taking"
    ),
    Thing(r"supply(\..+)?", N_("Tiles to choose from when you surround an ornament."), "supply"),
    Thing(r"wild", N_("In this round tiles of this colour can replace others when you pay."), "wild"),
    Thing(r"bag", N_("Factories and the supply are filled from it."), "taking"),
    Thing(r"tower", N_("Tiles that were paid or lost lie here until the bag is empty."), "decorating"),
    Thing(
        r"seat-\d\.hand(\..+)?",
        N_("Tiles to pay with. When you pass, four at most are kept; each of the others costs a point."),
        "passing",
    ),
    Thing(r"seat-\d\.kept", N_("Tiles kept for the next round."), "passing"),
    Thing(
        r"seat-\d\.ornament-pillar-.+",
        N_("When all rhombi around it are filled, choose 1 tile from the supply."),
        "ornaments",
    ),
    Thing(
        r"seat-\d\.ornament-statue-.+",
        N_("When all rhombi around it are filled, choose 2 tiles from the supply."),
        "ornaments",
    ),
    Thing(
        r"seat-\d\.ornament-window-.+",
        N_("When all rhombi around it are filled, choose 3 tiles from the supply."),
        "ornaments",
    ),
    Thing(
        r"seat-\d\.star-[^.]+\.\d",
        N_(
            "Costs as many tiles as its number says, at least one of its colour. The tile scores its chain. "
            "All rhombi with one number, 1 to 4, are a bonus at the end."
        ),
        "decorating",
    ),
    Thing(r"seat-\d\.star-[^.]+", N_("A full star scores the number in its middle at the end."), "end"),
    Thing(r"seat-\d\.projected", N_("What the score would be if the round ended now."), "points"),
    Thing(r"seat-\d\.score", N_("The points so far."), "end"),
    Thing(
        r"seat-\d", N_("A player’s board: seven stars, ornaments between them, and the tiles in hand."), "decorating"
    ),
)


def emblem() -> str:
    return emblems.star(("purple", "green", "orange", "yellow", "blue", "red"))
