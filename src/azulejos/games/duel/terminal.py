"""Azul Duel in the terminal: letters for tiles, so that it reads without colour, and colour where there is one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from azulejos.core.state import State

from . import notation, position
from .kernels import record as K
from .tables import (
    BROKEN_SPACES,
    CHIPS,
    CORNER_PLACES,
    FACTORIES,
    JOKER_SLOT,
    KIND_NAMES,
    LARGE,
    LETTERS,
    PENALTIES,
    PLATES,
    PLAYERS,
    ROTATIONS,
    ROUNDS,
    SIDE_WORDS,
    SIZE,
    SPECIAL_SLOT,
    SQUARES_ACROSS,
    START_TILE_PENALTY,
    slot,
)

if TYPE_CHECKING:
    from .game import Duel

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


def _tile(letter: str) -> Text:
    return Text(f" {letter} ", _STYLES[letter])


def _tiles(letters: str) -> Text:
    return Text(" ").join(map(_tile, letters)) if letters else Text("–", "dim")


def show(game: "Duel", state: State, names: Sequence[str]) -> RenderableType:
    record = state.record
    sides = "; ".join(SIDE_WORDS[side] for side in notation.sides_in(int(record.tablets)))
    head = Text(f"Round {record.round_no} of {ROUNDS}", "bold")
    head.append(f"   tablets: {sides or 'to be drawn'}", "dim")
    return Group(head, _factories(record), _plates(record), _boards(state, names))


# --- the middle of the table ---


def _factories(record: Any) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("", "sun", "moon", "chip"):
        table.add_column(title)
    moon = "1" * int(record.holder == K.NOBODY) + notation.TILES.print_tiles(record.moon).replace("-", "")
    sun = notation.TILES.print_tiles(record.sun[LARGE]).replace("-", "")
    table.add_row(Text("large L", "bold"), _tiles(sun), _tiles(moon), Text(""))
    for factory in range(1, FACTORIES):
        sun = notation.TILES.print_tiles(record.sun[factory]).replace("-", "")
        table.add_row(Text(f"factory {factory}", "bold"), _tiles(sun), _pile(record, factory), _chip(record, factory))
    return table


def _pile(record: Any, factory: int) -> Text:
    """From the top, which is marked; the tiles below it cannot be reached."""
    letters = [LETTERS[colour] for colour in reversed(notation.pile_tiles(int(record.pile[factory])))]
    if not letters:
        return Text("–", "dim")
    text = Text("top▸").append_text(_tile(letters[0]))
    if len(letters) > 1:
        text.append(f" on {' on '.join(letters[1:])}")
    return text


def _chip(record: Any, factory: int) -> Text:
    chip = int(record.chip[factory])
    if chip == K.NO_CHIP:
        return Text("–", "dim")
    return Text("face down", "dim") if chip == K.FACE_DOWN else Text(f"[{CHIPS[chip]}]", "bold")


def _plates(record: Any) -> RenderableType:
    """The open plates as they would lie with their slot at the upper left; the stack; the hand."""
    table = Table(box=None, show_header=False, pad_edge=False)
    cells = [_plate(plate) for plate in notation.plates_in(record.display)]
    stack = Text(f"stack: {record.stack_count}")
    if record.top != K.NO_KIND:
        stack.append(f", top {KIND_NAMES[record.top]}")
    known = [(k, int(plate)) for k, plate in enumerate(record.stack[: record.stack_count]) if plate != K.UNKNOWN]
    for place, plate in known:
        stack.append(f"\n{place + 1}. {PLATES[plate]}", "dim")
    table.add_row(Text("plates", "bold"), *cells, stack)
    hand = [_plate(plate) for plate in notation.plates_in(record.hand)]
    hand += [
        Text(f"unseen {name}") for kind, name in enumerate(KIND_NAMES) for _ in range(int(record.hand_unseen[kind]))
    ]
    if record.plate != K.NO_PLATE:
        table.add_row(Text("to lay", "bold"), _plate(int(record.plate)))
    if hand:
        table.add_row(Text("in hand", "bold"), *hand)
    return table


def _plate(plate: int) -> RenderableType:
    rows = [[" "] * 2 for _ in range(2)]
    for corner, (row, column) in enumerate(CORNER_PLACES):
        rows[row][column] = _SLOTS[slot(plate, 0, corner)]
    return Text("\n".join([PLATES[plate], *(f" {a} {b} " for a, b in rows)]))


# --- the boards ---


def _boards(state: State, names: Sequence[str]) -> RenderableType:
    record, projected = state.record, state.projected
    panels = []
    for seat in range(PLAYERS):
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
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_row(*panels)
    return table


def _board(record: Any, seat: int) -> RenderableType:
    lines = []
    for row in range(SIZE):
        if row and row % 2 == 0:
            lines.append(Text(""))
        lines.append(_line(record, seat, row).append(" ▸").append_text(_row(record, seat, row)))
    tokens = Text(f"tokens {record.tokens[seat]}   chips ")
    tokens.append(notation.print_chips(record.chips[seat]), "bold")
    return Group(*lines, Text(""), _broken(record, seat), tokens)


def _line(record: Any, seat: int, row: int) -> Text:
    """Filled from the right."""
    held, colour = int(record.line_count[seat, row]), int(record.line_colour[seat, row])
    line = Text(f"{row + 1} " + "  " * (SIZE - 1 - row))
    for space in range(row + 1):
        filled = row - space < held
        line.append(f" {LETTERS[colour]}" if filled else " _", _STYLES[LETTERS[colour]] if filled else "dim")
    return line


def _row(record: Any, seat: int, row: int) -> Text:
    """Capitals are tiles; small letters empty slots of a colour, ☆ special, ? joker. Empty squares have numbers."""
    text = Text()
    for column in range(SIZE):
        square = row // 2 * SQUARES_ACROSS + column // 2
        corner = CORNER_PLACES.index((row % 2, column % 2))
        text.append(" " if column % 2 == 0 else "")
        lying = position.plate_on(record, seat, square)
        tile = position.tile_at(record, seat, square, corner)
        if lying is None:
            text.append(f" {square + 1}" if corner == 0 else " ·", "dim")
        elif tile is not None:
            letter = "★" if tile == SPECIAL_SLOT else LETTERS[tile]
            text.append(f" {letter}", _STYLES[letter])
        else:
            text.append(f" {_SLOTS[slot(*lying, corner)]}", "dim")
    return text


def _broken(record: Any, seat: int) -> Text:
    text = Text("broken ")
    letters = notation.TILES.print_tiles(record.broken[seat]).replace("-", "")
    for space in range(BROKEN_SPACES):
        if space < len(letters):
            text.append_text(_tile(letters[space]))
        else:
            text.append(f" −{PENALTIES[space + 1] - PENALTIES[space]}", "dim")
    if record.holder == seat:
        text.append("  ").append_text(_tile("1")).append(f" −{START_TILE_PENALTY}")
    return text


assert len(_SLOTS) == JOKER_SLOT + 1
assert len(CORNER_PLACES) == ROTATIONS
