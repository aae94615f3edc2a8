"""Positions of Azul Duel set up by hand: see `games/arranging.py`. Plates, chips and tokens are set in the text."""

from functools import partial

from azulejos.core.errors import OptionError

from ..arranging import Moved, change, change_board, change_centre, change_line, to_store
from .tables import COLOURS, LETTERS

STORES = (5, 6)  # the bag and the tower
TURN = "seat {seat}"
_FACTORIES, _BOARDS = 4, 8
_START = "1"
_CORNERS = ("nw", "ne", "se", "sw")  # the slots of a plate, clockwise


def arrange(fields: list[str], names: list[str], letter: str) -> Moved:
    where, *below = names
    if where == "large-factory" or where.startswith("factory-"):
        number = 0 if where == "large-factory" else int(where.removeprefix("factory-"))
        factories = fields[_FACTORIES].split(" ")
        parts = factories[number].split("/")
        moved = _change_factory(parts, below, letter, number)
        factories[number] = "/".join(parts)
        fields[_FACTORIES] = " ".join(factories)
        return moved
    return change_board(fields, _BOARDS, names, partial(_change_board, letter=letter))


def _change_factory(parts: list[str], names: list[str], letter: str, number: int) -> Moved:
    """`parts`: sun, moon, and of a small factory the chip."""
    if names[:1] != ["moon"]:
        parts[0], moved = change(parts[0], letter, LETTERS, names[1:], COLOURS)
        return moved
    if number:  # a pile, from the bottom
        gone = "" if letter else parts[1][-1:].replace("-", "")
        parts[1] = (parts[1].replace("-", "") + letter if letter else parts[1][:-1]) or "-"
        return letter, gone
    return change_centre(parts, 1, names, letter, LETTERS, COLOURS, _START)


def _change_board(board: list[str], names: list[str], letter: str) -> Moved:
    """`board`: score, tokens, chips taken, lines, dome, broken tiles, chips."""
    where, *below = names
    if where.startswith("line-"):
        board[3], moved = change_line(board[3], int(where.removeprefix("line-")) - 1, letter)
        return moved
    if where == "broken":
        start, tiles = board[5].startswith(_START), board[5].removeprefix(_START).replace("-", "")
        gone = "" if letter else tiles[-2:-1]
        if not letter and not gone:
            raise OptionError("no tile lies here")
        tiles = to_store(tiles, letter or gone, 1 if letter else -1, LETTERS).replace("-", "")
        board[5] = (_START if start else "") + tiles or "-"
        return letter, gone
    if where == "slot" and len(below) == 2:
        row, column = int(below[0]) - 1, int(below[1]) - 1
        rows = [plates.split(",") for plates in board[4].split("/")]
        rows[row // 2][column // 2], moved = _change_plate(rows[row // 2][column // 2], row % 2, column % 2, letter)
        board[4] = "/".join(",".join(plates) for plates in rows)
        return moved
    raise OptionError("no tile lies here")


def _change_plate(plate: str, row: int, column: int, letter: str) -> tuple[str, Moved]:
    """A plate is written from its special or joker slot on, clockwise; a filled slot is a capital."""
    slots, _at, corner = plate.partition("@")
    if not corner:
        raise OptionError("no plate lies here")
    here = _CORNERS.index(("nw", "ne")[column] if row == 0 else ("sw", "se")[column])
    place = (here - _CORNERS.index(corner)) % len(_CORNERS)
    slot = slots[place]
    if place == 0:
        raise OptionError("special and joker slots are set in the text")
    filled = slot.isupper()
    changed = slot.upper() if letter else slot.lower()
    plate = f"{slots[:place]}{changed}{slots[place + 1 :]}@{corner}"
    if bool(letter) == filled:
        return plate, ("", "")
    return plate, (slot.upper(), "") if letter else ("", slot)
