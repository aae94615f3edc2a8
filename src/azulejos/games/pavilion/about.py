"""Summer Pavilion for people who choose a game, and a position that shows it."""

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


def emblem() -> str:
    return emblems.star(("purple", "green", "orange", "yellow", "blue", "red"))
