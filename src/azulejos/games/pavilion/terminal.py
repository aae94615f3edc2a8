"""Summer Pavilion in the terminal: [B] is a tile, a digit a free rhombus, so that it reads without colour.

Each star is drawn as it lies on the board, its name in the middle. On the coloured side a free rhombus shows its
number; on the plain side its position and its number, as in 1:3.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from azulejos.core.language import N_, _
from azulejos.core.state import State
from azulejos.drawing import boards
from azulejos.drawing.words import say_factory, say_round

from . import encoding
from .hand import ask
from .notation import RULES, TILES, say_colour
from .position import colours_on
from .tables import (
    BORDERS,
    CENTRAL,
    COLOURED,
    DIRECTIONS,
    FACTORIES,
    LETTERS,
    NUMBERS,
    ORNAMENTS,
    POSITION_AT,
    STAR_LETTERS,
)

_STYLES = {
    "P": "bold white on purple4",
    "G": "bold white on dark_green",
    "O": "bold black on dark_orange",
    "Y": "bold black on yellow",
    "B": "bold white on blue",
    "R": "bold white on red",
    "1": "bold black on bright_magenta",
}
_SURROUNDED = (N_("pillars"), N_("statues"), N_("windows"))  # as ORNAMENTS
_STAR_ROWS = ((0, 1), (5, 6, 2), (4, 3))  # as they lie: two, three, two
_STAR_LINES = (("N",), ("NW", "NE"), ("SW", "SE"), ("S",))
_STAR_WIDTH = 11
_BOARD_WIDTH = 3 * _STAR_WIDTH + 2


def _tiles(letters: str) -> Text:
    """Tiles of one colour side by side, colours apart."""
    groups = [Text(f" {letter * letters.count(letter)} ", _STYLES[letter]) for letter in dict.fromkeys(letters)]
    return Text(" ").join(groups) if groups else Text(_("empty"), "dim")


def show(state: State, names: Sequence[str]) -> RenderableType:
    fields = state.fields
    wild = RULES.wild_colour(fields)
    said = _("wild colour: {colour}").format(colour=say_colour(wild))
    head = Text(f"{say_round(fields.round_no)} · {said} ", "bold").append_text(_tiles(LETTERS[wild]))
    if fields.phase in (encoding.TAKE, encoding.DECORATE, encoding.BONUS, encoding.KEEP):
        head.append(f"\n{ask(state)}", "bold")
    all_boards = boards.boards(state, names, lambda seat: _board(fields, seat), _BOARD_WIDTH + 4)
    return Group(head, boards.sources(_sources(fields)), all_boards)


def _sources(fields: Any) -> Iterator[tuple[str, Text]]:
    if fields.left or fields.phase == encoding.DEAL:
        for factory in range(1, 1 + FACTORIES[fields.players]):
            yield say_factory(factory), _tiles(TILES.letters_of(fields.source[factory]))
        yield f"{_('centre')} C", _tiles("1" * fields.token + TILES.letters_of(fields.source[encoding.CENTRE]))
    yield f"{_('supply')} S", _tiles(TILES.letters_of(fields.supply))


def _board(fields: Any, seat: int) -> RenderableType:
    lines = []
    for row in _STAR_ROWS:
        indent = " " * ((_BOARD_WIDTH - (_STAR_WIDTH + 1) * len(row) + 1) // 2)
        stars = [_star(fields, seat, star) for star in row]
        for parts in zip(*stars, strict=True):
            lines.append(Text(indent).append_text(Text(" ").join(parts)))
    token = "" if fields.token or fields.start != seat else "1"
    hand = Text(_("tiles") + " ").append_text(_tiles(token + TILES.letters_of(fields.hand[seat])))
    if fields.phase == encoding.KEEP and fields.seat == seat:
        hand = Text(_("kept") + " ").append_text(_tiles(TILES.letters_of(fields.kept))).append("\n").append_text(hand)
    if fields.passed >> seat & 1:
        hand.append("  " + _("passed"), "bold")
    return Group(*lines, Text(""), hand, *_ornaments(fields, seat))


def _star(fields: Any, seat: int, star: int) -> list[Text]:
    """Four lines of eleven characters."""
    lines = []
    for number, directions in enumerate(_STAR_LINES):
        cells = [_rhombus(fields, seat, star, direction) for direction in directions]
        if len(cells) == 1:
            line = Text("    ").append_text(cells[0]).append("    ")
        else:
            name = STAR_LETTERS[fields.plain][star] if number == 1 else ""
            line = cells[0].append(f"{name:^5}", "bold").append_text(cells[1])
        lines.append(line)
    return lines


def _rhombus(fields: Any, seat: int, star: int, direction: str) -> Text:
    position = POSITION_AT[star][DIRECTIONS.index(direction)]
    colour = colours_on(fields, seat)[star][position]
    if colour is not None:
        return Text(f"[{LETTERS[colour]}]", _STYLES[LETTERS[colour]])
    number = NUMBERS[fields.plain, star, position]
    return Text(f" {number} " if fields.plain == COLOURED else f"{position + 1}:{number}", "dim")


def _ornaments(fields: Any, seat: int) -> list[Text]:
    """Which pillars, statues and windows are surrounded, each by its star."""
    letters, lines = STAR_LETTERS[fields.plain], []
    for kind, name in enumerate(ORNAMENTS):
        stars = [
            letters[star] + (f"–{letters[(star + 1) % CENTRAL]}" if name == "statue" else "")
            for star in range(CENTRAL)
            if all(fields.filled[seat] >> 6 * s + p & 1 for s, p in BORDERS[CENTRAL * kind + star])
        ]
        if stars:
            lines.append(Text(f"{_(_SURROUNDED[kind])} {' '.join(stars)}", "dim"))
    return lines
