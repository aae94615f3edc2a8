"""How a game's options are offered to people."""

from typing import Any

from azulejos.core.game import Option
from azulejos.core.language import N_, _

_NAMES = {
    "wall": N_("Wall"),
    "side": N_("Side of the board"),
    "tablets": N_("Scoring tablets"),
}
_CHOICES = {
    "coloured": N_("coloured"),
    "grey": N_("grey: each tile's column is chosen"),
    "plain": N_("plain: stars without colours"),
    "rows": N_("rows"),
    "columns": N_("columns"),
    "diagonals": N_("diagonals"),
    "jokers": N_("jokers"),
    "colours": N_("five colours"),
    "ring": N_("outer ring"),
    "corners": N_("corners"),
    "specials": N_("special slots"),
}


def say_option(option: Option) -> str:
    return _(_NAMES[option.name]) if option.name in _NAMES else option.name


def say_choice(choice: Any) -> str:
    """A value in words; several joined by commas are each said; a number is how many are drawn."""
    if isinstance(choice, int):
        return _("{n} drawn at random").format(n=choice)
    return ", ".join(_(_CHOICES[part]) if part in _CHOICES else part for part in str(choice).split(","))
