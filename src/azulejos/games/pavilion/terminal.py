"""Summer Pavilion in the terminal: [B] is a tile, a digit a free rhombus, so that it reads without colour.

Each star is drawn as it lies on the board, its name in the middle. On the coloured side a free rhombus shows its
number; on the plain side its position and its number, as in 1:3.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from azulejos.core.state import State

from . import kernels, notation
from .position import colours_on
from .tables import (
    BORDERS,
    CENTRAL,
    COLOURED,
    COLOURS,
    DIRECTIONS,
    FACTORIES,
    LETTERS,
    NUMBERS,
    ORNAMENTS,
    POSITION_AT,
    STAR_LETTERS,
)

if TYPE_CHECKING:
    from .game import Pavilion

_STYLES = {
    "P": "bold white on purple4",
    "G": "bold white on dark_green",
    "O": "bold black on dark_orange",
    "Y": "bold black on yellow",
    "B": "bold white on blue",
    "R": "bold white on red",
    "1": "bold black on bright_magenta",
}
_STAR_ROWS = ((0, 1), (5, 6, 2), (4, 3))  # as they lie: two, three, two
_STAR_LINES = (("N",), ("NW", "NE"), ("SW", "SE"), ("S",))
_STAR_WIDTH = 11
_BOARD_WIDTH = 3 * _STAR_WIDTH + 2


def _tiles(letters: str) -> Text:
    """Tiles of one colour side by side, colours apart."""
    groups = [Text(f" {letter * letters.count(letter)} ", _STYLES[letter]) for letter in dict.fromkeys(letters)]
    return Text(" ").join(groups) if groups else Text("empty", "dim")


def _letters(tiles: int) -> str:
    return notation.TILES.print_tiles(tiles).replace("-", "")


def show(game: "Pavilion", state: State, names: Sequence[str]) -> RenderableType:
    record = state.record
    wild = LETTERS[notation.RULES.wild_colour(record)]
    head = Text(f"Round {record.round_no}, wild ", "bold").append_text(_tiles(wild))
    head.append(f" {COLOURS[LETTERS.index(wild)]}{_to_do(record)}", "bold")
    return Group(head, _sources(record), _boards(game, state, names))


def _to_do(record: Any) -> str:
    match int(record.phase):
        case kernels.TAKE:
            return ": taking"
        case kernels.DECORATE:
            return ": place a tile or pass"
        case kernels.BONUS:
            return f": {record.picks} to choose from the supply"
        case kernels.KEEP:
            return f": {record.picks} to keep"
        case _:
            return ""


def _sources(record: Any) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False)
    if record.left or record.phase == kernels.DEAL:
        for factory in range(1, 1 + FACTORIES[int(record.players)]):
            table.add_row(Text(f"factory {factory}", "bold"), _tiles(_letters(record.source[factory])))
        centre = "1" * int(record.token) + _letters(record.source[kernels.CENTRE])
        table.add_row(Text("centre C", "bold"), _tiles(centre))
    table.add_row(Text("supply S", "bold"), _tiles(_letters(record.supply)))
    return table


def _boards(game: "Pavilion", state: State, names: Sequence[str]) -> RenderableType:
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
                width=_BOARD_WIDTH + 4,
            )
        )
    for k in range(0, len(panels), 2):
        table.add_row(*panels[k : k + 2])
    return table


def _board(record: Any, seat: int) -> RenderableType:
    lines = []
    for row in _STAR_ROWS:
        indent = " " * ((_BOARD_WIDTH - (_STAR_WIDTH + 1) * len(row) + 1) // 2)
        stars = [_star(record, seat, star) for star in row]
        for parts in zip(*stars, strict=True):
            lines.append(Text(indent).append_text(Text(" ").join(parts)))
    token = "" if record.token or record.start != seat else "1"
    hand = Text("tiles ").append_text(_tiles(token + _letters(record.hand[seat])))
    if record.phase == kernels.KEEP and record.seat == seat:
        hand = Text("kept  ").append_text(_tiles(_letters(record.kept))).append("\n").append_text(hand)
    if record.passed >> seat & 1:
        hand.append("  passed", "bold")
    return Group(*lines, Text(""), hand, *_ornaments(record, seat))


def _star(record: Any, seat: int, star: int) -> list[Text]:
    """Four lines of eleven characters."""
    lines = []
    for number, directions in enumerate(_STAR_LINES):
        cells = [_rhombus(record, seat, star, direction) for direction in directions]
        if len(cells) == 1:
            line = Text("    ").append_text(cells[0]).append("    ")
        else:
            name = STAR_LETTERS[record.plain][star] if number == 1 else ""
            line = cells[0].append(f"{name:^5}", "bold").append_text(cells[1])
        lines.append(line)
    return lines


def _rhombus(record: Any, seat: int, star: int, direction: str) -> Text:
    position = POSITION_AT[star][DIRECTIONS.index(direction)]
    colour = colours_on(record, seat)[star][position]
    if colour is not None:
        return Text(f"[{LETTERS[colour]}]", _STYLES[LETTERS[colour]])
    number = NUMBERS[record.plain, star, position]
    return Text(f" {number} " if record.plain == COLOURED else f"{position + 1}:{number}", "dim")


def _ornaments(record: Any, seat: int) -> list[Text]:
    """Which pillars, statues and windows are surrounded, each by its star."""
    letters, lines = STAR_LETTERS[record.plain], []
    for kind, name in enumerate(ORNAMENTS):
        stars = [
            letters[star] + (f"–{letters[(star + 1) % CENTRAL]}" if name == "statue" else "")
            for star in range(CENTRAL)
            if all(record.filled[seat] >> 6 * s + p & 1 for s, p in BORDERS[CENTRAL * kind + star])
        ]
        if stars:
            lines.append(Text(f"{name}s {' '.join(stars)}", "dim"))
    return lines
