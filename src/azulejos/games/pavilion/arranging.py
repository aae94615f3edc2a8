"""Positions of Summer Pavilion set up by hand: see `games/arranging.py`."""

from azulejos.core.errors import OptionError

from ..arranging import Moved, change
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
        factories, number = fields[_FACTORIES].split(" "), int(where.removeprefix("factory-")) - 1
        factories[number], moved = change(factories[number], letter, LETTERS, below, COLOURS)
        fields[_FACTORIES] = " ".join(factories)
        return moved
    if where == "centre":
        token, tiles = fields[_CENTRE].startswith(_TOKEN), fields[_CENTRE].lstrip(_TOKEN) or "-"
        tiles, moved = change(tiles, letter, LETTERS, below, COLOURS)
        fields[_CENTRE] = _TOKEN + tiles.replace("-", "") if token else tiles
        return moved
    if where.startswith("seat-") and below:
        seat = _BOARDS + int(where.removeprefix("seat-"))
        board = fields[seat].split(" ")
        moved = _change_board(board, below, letter)
        fields[seat] = " ".join(board)
        return moved
    raise OptionError("no tile lies here")


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
