"""Positions of Summer Pavilion set up by hand: see `games/arranging.py`."""

from functools import partial

from azulejos.core.errors import OptionError

from ..arranging import Moved, change, change_board, change_centre, change_factory
from .tables import COLOURS, LETTERS, STAR_NAMES

STORES = (4, 5)  # the bag and the tower
TURN = "taking seat {seat}"
_SUPPLY, _FACTORIES, _CENTRE, _BOARDS = 1, 2, 3, 6
_TOKEN = "1"


def arrange(fields: list[str], names: list[str], letter: str) -> Moved:
    where, *below = names
    if where == "supply":
        fields[_SUPPLY], moved = change(fields[_SUPPLY], letter, LETTERS, below, COLOURS)
        return moved
    if where.startswith("factory-"):
        return change_factory(fields, _FACTORIES, names, letter, LETTERS, COLOURS)
    if where == "centre":
        return change_centre(fields, _CENTRE, names, letter, LETTERS, COLOURS, _TOKEN)
    return change_board(fields, _BOARDS, names, partial(_change_board, letter=letter))


def _change_board(board: list[str], names: list[str], letter: str) -> Moved:
    """`board`: score, hand, stars, and whether the seat has passed."""
    where, *below = names
    if where == "hand":
        kept, mark, hand = board[1].rpartition(":")
        hand, moved = change(hand, letter, LETTERS, below, COLOURS)
        board[1] = kept + mark + hand
        return moved
    star = where.removeprefix("star-").replace("-", " ")
    for side in STAR_NAMES:
        if star in side and below:
            stars = [list(tiles) for tiles in board[2].split("/")]
            tiles, position = stars[side.index(star)], int(below[0]) - 1
            freed = tiles[position].replace(".", "")
            own = LETTERS[COLOURS.index(star)] if letter and star in COLOURS else letter
            tiles[position] = own or "."
            board[2] = "/".join("".join(tiles) for tiles in stars)
            return own, freed
    raise OptionError("no tile lies here")
