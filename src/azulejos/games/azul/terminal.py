"""Azul in the terminal: letters for tiles, so that it reads without colour, and colour where there is one."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from azulejos.core.language import _
from azulejos.core.state import State
from azulejos.drawing import boards
from azulejos.drawing.words import say_factory, say_round

from . import encoding, position
from .notation import TILES
from .tables import COLOUR_AT, FACTORIES, LETTERS, PENALTIES, SIZE

_STYLES = {
    "B": "bold white on blue",
    "Y": "bold black on yellow",
    "R": "bold white on red",
    "K": "bold white on grey23",
    "W": "bold dark_cyan on white",
    "1": "bold black on bright_magenta",
}


def show(state: State, names: Sequence[str]) -> RenderableType:
    fields = state.fields
    head = Text(say_round(fields.round_no), "bold")
    return Group(head, boards.sources(_sources(fields)), boards.boards(state, names, lambda seat: _board(fields, seat)))


def _sources(fields: Any) -> Iterator[tuple[str, Text]]:
    for factory in range(1, 1 + FACTORIES[fields.players]):
        yield say_factory(factory), boards.tiles(TILES.letters_of(fields.source[factory]), _STYLES, _("empty"))
    centre = "1" * fields.marker + TILES.letters_of(fields.source[encoding.CENTRE])
    yield f"{_('centre')} C", boards.tiles(centre, _STYLES, _("empty"))


def _board(fields: Any, seat: int) -> RenderableType:
    wall = position.wall_colours(*fields.wall[seat])
    lines = []
    for row in range(SIZE):
        held, colour = fields.line_count[seat, row], fields.line_colour[seat, row]
        line = Text(f"{row + 1} " + "   " * (SIZE - 1 - row))
        for space in range(row + 1):  # filled from the right
            line.append_text(boards.tile(LETTERS[colour], _STYLES) if row - space < held else Text(" _ ", "dim"))
        line.append(" ▸ ")
        for column, tile in enumerate(wall[row]):
            if tile is not None:
                line.append_text(boards.tile(LETTERS[tile], _STYLES))
            else:
                free = "." if fields.grey else LETTERS[COLOUR_AT[row, column]].lower()
                line.append(f" {free} ", "dim")
        lines.append(line)
    fallen = "".join((LETTERS + "1")[tile] for tile in position.floor_tiles(fields, seat))
    return Group(
        *lines, Text(""), Text(_("floor") + " ").append_text(boards.spaces(fallen, PENALTIES.tolist(), _STYLES))
    )
