"""Azul in the terminal: letters for tiles, so that it reads without colour, and colour where there is one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from azulejos.core.state import State

from . import kernels, notation, position
from .tables import COLOUR_AT, FACTORIES, FLOOR_SPACES, LETTERS, PENALTIES, SIZE

if TYPE_CHECKING:
    from .game import Azul

_STYLES = {
    "B": "bold white on blue",
    "Y": "bold black on yellow",
    "R": "bold white on red",
    "K": "bold white on grey23",
    "W": "bold dark_cyan on white",
    "1": "bold black on bright_magenta",
}


def _tile(letter: str) -> Text:
    return Text(f" {letter} ", _STYLES[letter])


def _empty(text: str) -> Text:
    return Text(f" {text} ", "dim")


def _tiles(letters: str) -> Text:
    return Text(" ").join(map(_tile, letters)) if letters else Text("empty", "dim")


def show(game: "Azul", state: State, names: Sequence[str]) -> RenderableType:
    record = state.record
    head = Text(f"Round {record.round_no}", "bold")
    return Group(head, _factories(record), _boards(game, state, names))


def _factories(record: Any) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False)
    for factory in range(1, 1 + FACTORIES[int(record.players)]):
        tiles = notation.TILES.print_tiles(record.source[factory]).replace("-", "")
        table.add_row(Text(f"factory {factory}", "bold"), _tiles(tiles))
    centre = "1" * int(record.marker) + notation.TILES.print_tiles(record.source[kernels.CENTRE]).replace("-", "")
    table.add_row(Text("centre C", "bold"), _tiles(centre))
    return table


def _boards(game: "Azul", state: State, names: Sequence[str]) -> RenderableType:
    record, projected = state.record, state.projected
    table = Table(box=None, show_header=False, pad_edge=False)
    panels = []
    for seat in range(game.players):
        now, then = int(record.score[seat]), projected[seat]
        score = f"{now}" + (f" → {then}" if then != now else "")
        acting = state.seat == seat
        panels.append(
            Panel(
                _board(record, seat),
                title=f"{'▶ ' if acting else ''}{names[seat]}: {score}",
                box=box.HEAVY if acting else box.ROUNDED,
                border_style="yellow" if acting else "dim",
                expand=False,
            )
        )
    for k in range(0, len(panels), 2):
        table.add_row(*panels[k : k + 2])
    return table


def _board(record: Any, seat: int) -> RenderableType:
    lines = []
    for row in range(SIZE):
        held, colour = int(record.line_count[seat, row]), int(record.line_colour[seat, row])
        line = Text(f"{row + 1} " + "   " * (SIZE - 1 - row))
        for space in range(row + 1):  # filled from the right
            line.append_text(_tile(LETTERS[colour]) if row - space < held else _empty("_"))
        line.append(" ▸ ")
        for column in range(SIZE):
            tile = position.wall_colour(record, seat, row, column)
            if tile is not None:
                line.append_text(_tile(LETTERS[tile]))
            else:
                line.append_text(_empty("." if record.grey else LETTERS[COLOUR_AT[row, column]].lower()))
        lines.append(line)
    floor = Text("floor ")
    fallen = position.floor_tiles(record, seat)
    for space in range(FLOOR_SPACES):
        if space < len(fallen):
            floor.append_text(_tile((LETTERS + "1")[fallen[space]]))
        else:
            floor.append(f" −{PENALTIES[space + 1] - PENALTIES[space]}", "dim")
    return Group(*lines, Text(""), floor)
