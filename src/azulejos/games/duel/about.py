"""Azul Duel for people who choose a game, and the example of its page of rules."""

from azulejos.core.hand import Thing
from azulejos.core.language import N_, _
from azulejos.drawing import emblems

SENTENCE = N_("Two players, a dome of plates: suns and moons, piles and chips.")
OPTIONS = {"tablets": N_("Scoring tablets")}
_SIDES = {
    "rows": N_("rows"),
    "columns": N_("columns"),
    "diagonals": N_("diagonals"),
    "jokers": N_("jokers"),
    "colours": N_("five colours"),
    "ring": N_("outer ring"),
    "corners": N_("corners"),
    "specials": N_("special slots"),
}

EXAMPLE = (
    "duel rows,columns,diagonals round 3 seat 0 start 0 | sBKT sYRB jRKY | j5 | -"
    " | -/1YTT -/KBY/? BBYY/-/? -/Y/? BBYT/-/? | Y1R1 | B3Y1R5K1T5 | Y2K1T1BR2RT2TY2YK1KB1"
    " | 4 t2 c0 K1/B2/-/R4/K4/K3 .,.,Btyk@ne/.,styk@nw,jyRB@se/stby@nw,.,sbtr@ne - B2R1K1"
    " | 15 t2 c0 R1/K2/Y3/T4/-/- .,YKbr@ne,skYB@ne/.,.,srky@nw/skbr@ne,.,TRtk@sw - R1",
    "MY3",
)

# The objects of the drawing, the first that fits: places, what they do, and where the page of rules tells of them.
OBJECTS = (
    Thing(
        r"factory-\d\.sun(\..+)?",
        N_("Take all tiles of one colour; the others become a pile on the moon, in the order that you choose."),
        "suns",
    ),
    Thing(
        r"factory-\d\.moon(\..+)?",
        N_("Only the top of a pile can be taken, together with that colour on all moons."),
        "moons",
    ),
    Thing(r"factory-\d\.chip", N_("Can be taken when its factory is empty, two in a round at most."), "chips"),
    Thing(r"factory-\d", N_("A small factory: tiles on its sun, a pile on its moon, and a chip."), "suns"),
    Thing(
        r"large-factory\.start|seat-\d\.start",
        N_("Whoever first takes from the large moon gets it: it costs 2 points, and its owner starts the next round."),
        "moons",
    ),
    Thing(
        r"large-factory(\.sun(\..+)?)?",
        N_("Take all tiles of one colour from its sun; the others lie side by side on its moon."),
        "suns",
    ),
    Thing(
        r"moons(\..+)?|large-factory\.moon(\..+)?",
        N_("Choose a colour: it is taken from the top of every pile that shows it and from the large moon."),
        "moons",
    ),
    Thing(
        r"display|plate-.+", N_("Lay it on a free square of your dome, turned as you like; it costs a token."), "plates"
    ),
    Thing(r"stack", N_("Draw plates unseen, a point each; when you stop, keep one of them."), "plates"),
    Thing(r"hand", N_("Plates drawn from the stack: one is kept, the others go under it."), "plates"),
    Thing(r"tablets|tablet-.+", N_("Scores for both players at the end."), "end"),
    Thing(r"bag", N_("Factories are filled from it."), "getting"),
    Thing(r"tower", N_("Tiles that are out of play lie here."), "lines"),
    Thing(
        r"seat-\d\.line-\d(\.\d)?",
        N_("Holds one colour. Full, or completed with chips, it lays a tile on the same row of the dome."),
        "lines",
    ),
    Thing(
        r"seat-\d\.slot\.\d\.\d",
        N_(
            "Takes a tile of its colour. A ring takes any colour; "
            "a crown is filled by itself when the plate’s other slots are."
        ),
        "decorating",
    ),
    Thing(r"seat-\d\.square-\d.*", N_("A square of the dome: a plate lies here, or can be laid here."), "plates"),
    Thing(r"seat-\d\.broken(\.\d)?", N_("Tiles that fit nowhere break, and cost 1, 2, 3, 4 points."), "broken"),
    Thing(
        r"seat-\d\.chips|seat-\d\.chip-.+",
        N_("Two chips that show the colour of a line, or any three, stand for one missing tile."),
        "decorating",
    ),
    Thing(r"seat-\d\.tokens", N_("Each pays for one plate in this round."), "plates"),
    Thing(r"seat-\d\.projected", N_("What the score would be if the round ended now."), "decorating"),
    Thing(r"seat-\d\.score", N_("The points so far."), "end"),
    Thing(r"seat-\d", N_("A player’s board: lines on the left, the dome on the right, broken tiles below."), "dome"),
)


def say_choice(value: int | str) -> str:
    """The names of the sides, or how many tablets are drawn."""
    if isinstance(value, int):
        return _("{n} drawn at random").format(n=value)
    return ", ".join(_(_SIDES[side]) for side in value.split(","))


def emblem() -> str:
    return emblems.rows(("turquoise", "red", "blue", "yellow", "black", "turquoise"), "round")
