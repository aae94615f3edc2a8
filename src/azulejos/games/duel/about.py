"""Azul Duel for people who choose a game, and a position that shows it."""

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


def say_choice(value: int | str) -> str:
    """The names of the sides, or how many tablets are drawn."""
    if isinstance(value, int):
        return _("{n} drawn at random").format(n=value)
    return ", ".join(_(_SIDES[side]) for side in value.split(","))


def emblem() -> str:
    return emblems.rows(("turquoise", "red", "blue", "yellow", "black", "turquoise"), "round")
