"""Positions of Azul set up by hand: see `games/arranging.py`."""

from functools import partial

from azulejos.core.errors import OptionError

from ..arranging import Moved, change_board, change_centre, change_factory, change_line
from .tables import COLOUR_AT, COLOURS, LETTERS

STORES = (3, 4)  # the bag and the lid
TURN = "seat {seat}"
MARKER = "1"
_FACTORIES, _CENTRE, _BOARDS = 1, 2, 5


def arrange(fields: list[str], names: list[str], letter: str) -> Moved:
    """The marker's letter is 1: it goes to the centre or to a floor."""
    if letter == MARKER:
        return _move_marker(fields, names)
    if names[0].startswith("factory-"):
        return change_factory(fields, _FACTORIES, names, letter, LETTERS, COLOURS)
    if names[0] == "centre":
        return change_centre(fields, _CENTRE, names, letter, LETTERS, COLOURS, MARKER)
    grey = fields[0].split(" ")[1] == "grey"
    return change_board(fields, _BOARDS, names, partial(_change_board, letter=letter, grey=grey))


def _change_board(board: list[str], names: list[str], letter: str, grey: bool) -> Moved:
    """`board`: score, lines, wall, floor."""
    where, *below = names
    if where.startswith("line-"):
        board[1], moved = change_line(board[1], int(where.removeprefix("line-")) - 1, letter)
        return moved
    if where == "floor":
        freed = "" if letter else board[3][-1:].replace("-", "").replace(MARKER, "")
        board[3] = (board[3].replace("-", "") + letter if letter else board[3][:-1]) or "-"
        return letter, freed
    if where == "wall" and len(below) == 2:
        row, column = int(below[0]) - 1, int(below[1]) - 1
        rows = [list(tiles) for tiles in board[2].split("/")]
        freed = rows[row][column].replace(".", "")
        own = letter if grey or not letter else LETTERS[COLOUR_AT[row, column]]
        rows[row][column] = own or "."
        board[2] = "/".join("".join(tiles) for tiles in rows)
        return own, freed
    raise OptionError("no tile lies here")


def _move_marker(fields: list[str], names: list[str]) -> Moved:
    fields[_CENTRE] = fields[_CENTRE].lstrip(MARKER) or "-"
    for seat in range(_BOARDS, len(fields)):
        *board, floor = fields[seat].split(" ")
        floor = floor.replace(MARKER, "") or "-"
        if names[0] == f"seat-{seat - _BOARDS}":
            floor = floor.replace("-", "") + MARKER
        fields[seat] = " ".join([*board, floor])
    if not names[0].startswith("seat-"):
        fields[_CENTRE] = MARKER + fields[_CENTRE].replace("-", "")
    return "", ""
