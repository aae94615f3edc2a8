"""Azul Duel in the terminal: letters for tiles, so that it reads without colour, and colour where there is one."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from azulejos.core.language import _, ngettext, say_of
from azulejos.core.state import State
from azulejos.drawing import boards
from azulejos.drawing.words import say_round

from . import encoding, notation, position
from .tables import (
    BROKEN_SPACES,
    CHIPS,
    CORNER_PLACES,
    FACTORIES,
    JOKER_SLOT,
    LARGE,
    LETTERS,
    PENALTIES,
    PLATES,
    ROTATIONS,
    ROUNDS,
    SIZE,
    SPECIAL_SLOT,
    SQUARES_ACROSS,
    START_TILE_PENALTY,
    slot,
)

_STYLES = {
    "B": "bold white on blue",
    "Y": "bold black on yellow",
    "R": "bold white on red",
    "K": "bold white on grey23",
    "T": "bold black on dark_turquoise",
    "★": "bold black on bright_white",
    "1": "bold black on bright_magenta",
}
_SLOTS = LETTERS.lower() + "☆?"  # empty slots: a colour, special, joker


def _tiles(letters: str) -> Text:
    return boards.tiles(letters, _STYLES, "–")


def show(state: State, names: Sequence[str]) -> RenderableType:
    fields = state.fields
    sides = " · ".join(notation.say_side(side) for side in notation.sides_in(fields.tablets))
    head = Text(f"{say_round(fields.round_no)} / {ROUNDS}", "bold")
    head.append("   " + (say_of(_("scoring tablets"), sides) if sides else _("tablets to be drawn")), "dim")
    return Group(
        head, _factories(fields), _plates(fields), boards.boards(state, names, lambda seat: _board(fields, seat))
    )


# --- the middle of the table ---


def _factories(fields: Any) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("", _("sun"), _("moon, from the top"), _("chip")):
        table.add_column(title)
    moon = "1" * int(fields.holder == encoding.NOBODY) + notation.TILES.letters_of(fields.moon)
    sun = notation.TILES.letters_of(fields.sun[LARGE])
    table.add_row(Text(f"{_('large factory')} L", "bold"), _tiles(sun), _tiles(moon), Text(""))
    for factory in range(1, FACTORIES):
        sun = notation.TILES.letters_of(fields.sun[factory])
        name = _("factory {number}", "duel").format(number=factory)
        table.add_row(Text(name, "bold"), _tiles(sun), _pile(fields, factory), _chip(fields, factory))
    return table


def _pile(fields: Any, factory: int) -> Text:
    """From the top, which is marked; the tiles below it cannot be reached."""
    letters = [LETTERS[colour] for colour in reversed(notation.pile_tiles(fields.pile[factory]))]
    if not letters:
        return Text("–", "dim")
    text = Text("▸").append_text(boards.tile(letters[0], _STYLES))
    return text.append("".join(f" / {letter}" for letter in letters[1:]))


def _chip(fields: Any, factory: int) -> Text:
    chip = fields.chip[factory]
    if chip == encoding.NO_CHIP:
        return Text("–", "dim")
    return Text(_("face down"), "dim") if chip == encoding.FACE_DOWN else Text(f"[{CHIPS[chip]}]", "bold")


def _plates(fields: Any) -> RenderableType:
    """The open plates as they would lie with their slot at the upper left; the stack; the hand."""
    table = boards.grid()
    cells = [_plate(plate) for plate in notation.plates_in(fields.display)]
    count = int(fields.stack_count)
    stack = Text(ngettext("stack of {n} plate", "stack of {n} plates", count).format(n=count))
    if fields.top != encoding.NO_KIND:
        stack.append("\n" + (_("joker plate on top") if fields.top else _("special plate on top")))
    known = [(k, int(plate)) for k, plate in enumerate(fields.stack[: fields.stack_count]) if plate != encoding.UNKNOWN]
    for place, plate in known:
        stack.append(f"\n{place + 1}. {PLATES[plate]}", "dim")
    table.add_row(Text(_("open plates"), "bold"), *cells, stack)
    hand = [_plate(plate) for plate in notation.plates_in(fields.hand)]
    for kind, name in enumerate((_("special plate"), _("joker plate"))):
        hand += [Text(f"{name}\n({_('unseen')})")] * int(fields.hand_unseen[kind])
    if fields.plate != encoding.NO_PLATE:
        table.add_row(Text(_("to lay"), "bold"), _plate(fields.plate))
    if hand:
        table.add_row(Text(_("plates in hand"), "bold"), *hand)
    return table


def _plate(plate: int) -> RenderableType:
    rows = [[" "] * 2 for _ in range(2)]
    for corner, (row, column) in enumerate(CORNER_PLACES):
        rows[row][column] = _SLOTS[slot(plate, 0, corner)]
    return Text("\n".join([PLATES[plate], *(f" {a} {b} " for a, b in rows)]))


# --- the boards ---


def _board(fields: Any, seat: int) -> RenderableType:
    lines = []
    for row in range(SIZE):
        if row and row % 2 == 0:
            lines.append(Text(""))
        lines.append(_line(fields, seat, row).append(" ▸").append_text(_row(fields, seat, row)))
    count = int(fields.tokens[seat])
    tokens = Text(ngettext("{n} token left", "{n} tokens left", count).format(n=count))
    tokens.append(f"\n{_('chips')} ").append(notation.print_chips(fields.chips[seat]), "bold")
    return Group(*lines, Text(""), _broken(fields, seat), tokens)


def _line(fields: Any, seat: int, row: int) -> Text:
    """Filled from the right."""
    held, colour = fields.line_count[seat, row], fields.line_colour[seat, row]
    line = Text(f"{row + 1} " + "  " * (SIZE - 1 - row))
    for space in range(row + 1):
        filled = row - space < held
        line.append(f" {LETTERS[colour]}" if filled else " _", _STYLES[LETTERS[colour]] if filled else "dim")
    return line


def _row(fields: Any, seat: int, row: int) -> Text:
    """Capitals are tiles; small letters empty slots of a colour, ☆ special, ? joker. Empty squares have numbers."""
    text = Text()
    for column in range(SIZE):
        square = row // 2 * SQUARES_ACROSS + column // 2
        corner = CORNER_PLACES.index((row % 2, column % 2))
        text.append(" " if column % 2 == 0 else "")
        lying = position.plate_on(fields, seat, square)
        tile = position.tile_at(fields, seat, square, corner)
        if lying is None:
            text.append(f" {square + 1}" if corner == 0 else " ·", "dim")
        elif tile is not None:
            letter = "★" if tile == SPECIAL_SLOT else LETTERS[tile]
            text.append(f" {letter}", _STYLES[letter])
        else:
            text.append(f" {_SLOTS[slot(*lying, corner)]}", "dim")
    return text


def _broken(fields: Any, seat: int) -> Text:
    letters = notation.TILES.letters_of(fields.broken[seat])
    text = Text(_("broken tiles") + " ").append_text(
        boards.spaces(letters, PENALTIES[: BROKEN_SPACES + 1].tolist(), _STYLES)
    )
    if fields.holder == seat:
        text.append("  ").append_text(boards.tile("1", _STYLES)).append(f" −{START_TILE_PENALTY}")
    return text


assert len(_SLOTS) == JOKER_SLOT + 1
assert len(CORNER_PLACES) == ROTATIONS
