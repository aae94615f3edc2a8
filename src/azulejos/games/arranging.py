"""Setting up a position by hand: tiles are put on places and taken off, one at a time, in the position's text.

A game's module `arranging` has STORES, the fields of the text with the bag and the lid or tower; TURN, how the head of
the text says whose turn it is; [MARKER], the letter of the marker; and `arrange(fields, names, letter)`, which changes
the fields of the text: it puts a tile on the place with these names, or takes one off if the letter is empty, and
returns the letters of the tiles used and of those that have come free. A part in brackets may be missing.
"""

import re
from collections.abc import Callable, Sequence

from azulejos.core.errors import OptionError

Moved = tuple[str, str]  # the letters of the tiles used, and of those that have come free


def add(tiles: str, letter: str, letters: str) -> str:
    """Tiles by their letters, and one more; "-" is none."""
    return "".join(sorted(tiles.replace("-", "") + letter, key=letters.index))


def remove(tiles: str, letter: str) -> str:
    if letter not in tiles or letter == "-":
        raise OptionError(f"there is no {letter} tile here")
    return tiles.replace(letter, "", 1) or "-"


def change(tiles: str, letter: str, letters: str, names: Sequence[str], colours: Sequence[str]) -> tuple[str, Moved]:
    """The tiles of one place after a change. `names`: of the place below it, such as the colour to take off."""
    if letter:
        return add(tiles, letter, letters), (letter, "")
    named = [letters[colours.index(name)] for name in names if name in colours]
    gone = named[0] if named else tiles[-1]
    return remove(tiles, gone), ("", gone)


def change_factory(
    fields: list[str], at: int, names: Sequence[str], letter: str, letters: str, colours: Sequence[str]
) -> Moved:
    """Changes a factory, such as factory-1. `at`: the field with all factories."""
    where, *below = names
    factories, number = fields[at].split(" "), int(where.removeprefix("factory-")) - 1
    factories[number], moved = change(factories[number], letter, letters, below, colours)
    fields[at] = " ".join(factories)
    return moved


def change_centre(
    fields: list[str], at: int, names: Sequence[str], letter: str, letters: str, colours: Sequence[str], marker: str
) -> Moved:
    """Changes the tiles of the centre. The marker stays before them if it lies there."""
    marked = fields[at].startswith(marker)
    tiles, moved = change(fields[at].lstrip(marker) or "-", letter, letters, names[1:], colours)
    fields[at] = marker + tiles.replace("-", "") if marked else tiles
    return moved


def change_board(
    fields: list[str], first: int, names: Sequence[str], changed: Callable[[list[str], list[str]], Moved]
) -> Moved:
    """Changes the board of a seat. `first`: the field of seat 0; `changed`: changes the parts of a board."""
    where, *below = names
    if not where.startswith("seat-") or not below:
        raise OptionError("no tile lies here")
    seat = first + int(where.removeprefix("seat-"))
    board = fields[seat].split(" ")
    moved = changed(board, below)
    fields[seat] = " ".join(board)
    return moved


def change_line(lines: str, row: int, letter: str) -> tuple[str, Moved]:
    """The lines of a board, as in `B1/-/Y2`, after a change of one of them. Another colour takes its place."""
    parts = lines.split("/")
    held, count = (parts[row][0], int(parts[row][1:])) if parts[row] != "-" else ("", 0)
    if letter and letter != held:
        freed, held, count = held * count, letter, 1
    elif letter:
        freed, count = "", count + 1
    else:
        freed, count = held, count - 1
    if count < 0 or count > row + 1:
        raise OptionError(f"line {row + 1} has {row + 1} spaces")
    parts[row] = f"{held}{count}" if count else "-"
    return "/".join(parts), (letter, freed)


def to_store(store: str, letter: str, by: int, letters: str) -> str:
    """The bag or the lid with so many more tiles of a colour."""
    counts = {found[0]: int(found[1:]) for found in re.findall(r"\D\d+", store)}
    counts[letter] = counts.get(letter, 0) + by
    return "".join(f"{one}{counts[one]}" for one in letters if counts.get(one)) or "-"


def settle(fields: list[str], stores: Sequence[int], moved: Moved, letters: str) -> None:
    """Tiles used leave the bag, or else the lid; those that have come free go to the bag. Raises OptionError."""
    used, freed = moved
    for letter in freed:
        fields[stores[0]] = to_store(fields[stores[0]], letter, 1, letters)
    for letter in used:
        store = next((store for store in stores if letter in fields[store]), None)
        if store is None:
            raise OptionError(f"no {letter} tile is left in the bag or beside it: take one off another place first")
        fields[store] = to_store(fields[store], letter, -1, letters)
