"""Azul for people who choose a game, and a position that shows it."""

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


def emblem() -> str:
    return emblems.rows(("blue", "yellow", "red", "white", "black", "blue"))
