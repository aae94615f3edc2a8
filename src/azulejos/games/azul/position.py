"""Positions of Azul as one line of text and as plain data. `docs/notation.md` describes the form."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from azulejos.core.fields import Fields, layout_of
from azulejos.core.state import State
from azulejos.core.text import Reader

from .. import displays
from ..displays import print_displays, read_boards, read_factories, read_start, read_stores, read_tiles
from . import encoding, kernels, lookups
from .notation import COLOUR, TILES
from .tables import (
    COLOUR_AT,
    COLOURS,
    FACTORIES,
    FLOOR_SPACES,
    LETTERS,
    MOST_PLAYERS,
    SIZE,
    TILES_OF_A_COLOUR,
)

_FLOOR_LETTERS = LETTERS + "1"  # the marker after the colours
_FLOOR_LETTER = {**COLOUR, "1": encoding.MARKER_TILE - 1}
FLOOR_TILES = (*COLOURS, "marker")
_PHASES = {encoding.DEAL: "deal", encoding.DRAFT: "drafting", encoding.TILE: "tiling", encoding.ENDED: "over"}


def floor_tiles(fields: Any, seat: int) -> list[int]:
    """The floor from the left: colours, and 5 for the marker."""
    return list(unpack_floor(fields.floor[seat], fields.floor_count[seat]))


@lru_cache(1 << 12)
def unpack_floor(tiles: int, count: int) -> tuple[int, ...]:
    return tuple([(tiles >> 3 * space & 7) - 1 for space in range(count)])


def wall_colour(fields: Any, seat: int, row: int, column: int) -> int | None:
    """The colour of the tile on a space of the wall."""
    for colour in range(SIZE):
        if fields.wall[seat, colour] >> SIZE * row + column & 1:
            return colour
    return None


@lru_cache(1 << 12)
def wall_colours(*wall: int) -> tuple[tuple[int | None, ...], ...]:
    """The same for all spaces of one player's wall, row by row. Kept, because a wall stays as it is for a round."""
    rows: list[list[int | None]] = [[None] * SIZE for _ in range(SIZE)]
    for colour, spaces in enumerate(wall):
        while spaces:
            row, column = divmod((spaces & -spaces).bit_length() - 1, SIZE)
            rows[row][column] = colour
            spaces &= spaces - 1
    return tuple(map(tuple, rows))


@lru_cache(1 << 12)
def _print_wall(*wall: int) -> str:
    return "/".join(
        ["".join(["." if colour is None else LETTERS[colour] for colour in row]) for row in wall_colours(*wall)]
    )


@lru_cache(1 << 12)
def _print_floor(tiles: int, count: int) -> str:
    return "".join([_FLOOR_LETTERS[tile] for tile in unpack_floor(tiles, count)]) or "-"


def boards(fields: Any) -> Iterator[tuple[int, list[int], list[int], list[int], int, int]]:
    """Of each player the score, the colours and the tiles of the lines, the wall, the floor and the tiles on it."""
    columns = fields.score, fields.line_colour, fields.line_count, fields.wall, fields.floor, fields.floor_count
    return islice(zip(*columns, strict=True), fields.players)


def _print_board(
    score: int, colours: list[int], counts: list[int], wall: list[int], floor: int, floor_count: int
) -> str:
    found = zip(colours, counts, strict=True)
    lines = "/".join([f"{LETTERS[colour]}{count}" if count else "-" for colour, count in found])
    return f"{score} {lines} {_print_wall(*wall)} {_print_floor(floor, floor_count)}"


def _print_phase(fields: Any) -> str:
    match fields.phase:
        case encoding.DEAL:
            return "deal"
        case encoding.DRAFT:
            return f"seat {fields.seat}"
        case encoding.TILE:
            return f"seat {fields.seat} line {fields.row + 1}"
    return "over"


def print_state(fields: Any) -> str:
    wall = "grey" if fields.grey else "coloured"
    parts = [
        f"azul {wall} round {fields.round_no} {_print_phase(fields)} start {fields.start}",
        *print_displays(TILES, fields.source, fields.players, fields.marker),
        TILES.print_counts(fields.bag),
        TILES.print_counts(fields.lid),
        *[_print_board(*board) for board in boards(fields)],
    ]
    return " | ".join(parts)


# --- data ---


def to_dict(state: State) -> dict[str, Any]:
    """What there is besides the game and its options."""
    fields = state.fields
    return {
        "round": fields.round_no,
        "phase": _PHASES[fields.phase],
        "draw": "tile" if fields.phase == encoding.DEAL else None,
        "seat": state.seat,
        "line": fields.row + 1 if fields.phase == encoding.TILE else None,
        "start": fields.start,
        "marker_in_centre": bool(fields.marker),
        "factories": [dict(counts(tiles)) for tiles in fields.source[1 : 1 + FACTORIES[fields.players]]],
        "centre": dict(counts(fields.source[encoding.CENTRE])),
        "bag": dict(counts(fields.bag)),
        "lid": dict(counts(fields.lid)),
        "boards": [_board(*board) for board in boards(fields)],
    }


@lru_cache(1 << 13)
def counts(tiles: int) -> dict[str, int]:
    """Not to be changed: cached, because places stay as they are for many actions."""
    return displays.counts(TILES, COLOURS, tiles)


def _board(
    score: int, colours: list[int], counts: list[int], wall: list[int], floor: int, floor_count: int
) -> dict[str, Any]:
    return {
        "score": score,
        "lines": [
            {"colour": COLOURS[colour] if count else None, "tiles": count, "spaces": spaces}
            for colour, count, spaces in zip(colours, counts, range(1, SIZE + 1), strict=True)
        ],
        "wall": [list(row) for row in _wall(*wall)],
        "floor": [FLOOR_TILES[tile] for tile in unpack_floor(floor, floor_count)],
    }


@lru_cache(1 << 12)
def _wall(*wall: int) -> list[list[str | None]]:
    """Not to be changed: kept, because a wall stays as it is for a round."""
    return [[None if colour is None else COLOURS[colour] for colour in row] for row in wall_colours(*wall)]


# --- parsing ---


def parse_state(text: str) -> tuple[dict[str, Any], Fields]:
    """The options and the fields. Says what is badly written; what is impossible is for `check` to say."""
    reader = Reader(text)
    fields = layout_of(kernels).blank(line_colour=encoding.NO_COLOUR)
    _parse_head(reader, fields)
    fields.players, tiles = read_factories(reader, TILES, ordered=False)
    fields.source[1 : len(tiles) + 1] = tiles
    fields.marker = reader.accept("1")
    if fields.marker and reader.text.startswith(" ", reader.at):
        fields.source[encoding.CENTRE] = 0
    else:
        fields.source[encoding.CENTRE] = TILES.read_tiles(reader, SIZE * TILES_OF_A_COLOUR, ordered=False)
    fields.bag, fields.lid = read_stores(reader, TILES, "bag", "lid")
    for seat in read_boards(reader, fields.players):
        _parse_board(reader, fields, seat)
    if tiles_left(fields) > SIZE * TILES_OF_A_COLOUR:
        reader.fail(f"there are more than {SIZE * TILES_OF_A_COLOUR} tiles on the factories and in the centre", 0)
    _derive(fields)
    return {"players": fields.players, "wall": "grey" if fields.grey else "coloured"}, fields


def _parse_board(reader: Reader, fields: Any, seat: int) -> None:
    fields.score[seat] = reader.number("a score", 0, 10**6)
    reader.expect(" ")
    for row in range(SIZE):
        if row:
            reader.expect("/", "'/' between lines")
        if not reader.accept("-"):
            fields.line_colour[seat, row] = reader.one_of(COLOUR, "a colour")
            fields.line_count[seat, row] = reader.number(f"the number of tiles in line {row + 1}", 1, row + 1)
    reader.expect(" ")
    for row, column, colour, at in read_tiles(reader, TILES, SIZE, SIZE, "rows"):
        if not fields.grey and colour != COLOUR_AT[row, column]:
            right = LETTERS[COLOUR_AT[row, column]]
            reader.fail(f"row {row + 1}, column {column + 1} of the coloured wall takes {right} only", at)
        fields.wall[seat, colour] |= 1 << SIZE * row + column
    reader.expect(" ")
    if not reader.accept("-"):
        while fields.floor_count[seat] == 0 or not (reader.at_end() or reader.text[reader.at] == " "):
            if fields.floor_count[seat] == FLOOR_SPACES:
                reader.fail(f"the floor has {FLOOR_SPACES} spaces")
            tile = reader.one_of(_FLOOR_LETTER, "a colour or the marker")
            fields.floor[seat] |= (tile + 1) << 3 * fields.floor_count[seat]
            fields.floor_count[seat] += 1


def _parse_head(reader: Reader, fields: Any) -> None:
    reader.expect("azul ")
    fields.grey = reader.one_of({"coloured": 0, "grey": 1}, "the wall")
    reader.expect(" round ")
    fields.round_no = reader.number("the round", 1, 10**6)
    reader.expect(" ")
    fields.phase = reader.one_of(
        {"deal": encoding.DEAL, "seat": encoding.DRAFT, "over": encoding.ENDED}, "whose turn it is"
    )
    if fields.phase == encoding.DRAFT:
        reader.expect(" ")
        fields.seat = reader.number("a seat", 0, 3)
        if reader.accept(" line "):
            fields.phase = encoding.TILE
            fields.row = reader.number("a line", 1, SIZE) - 1
    fields.start = read_start(reader, "factories")
    if fields.phase in (encoding.DEAL, encoding.ENDED):
        fields.seat = fields.start


def _derive(fields: Any) -> None:
    """The fields that follow from the others."""
    fields.left = tiles_left(fields)
    fields.dealt = fields.left if fields.phase == encoding.DEAL else 0
    for seat in range(MOST_PLAYERS):
        fields.open[seat] = open_lines(fields, seat)


def tiles_left(fields: Any) -> int:
    """The number of tiles on the factories and in the centre."""
    return sum(map(TILES.total, fields.source))


def open_lines(fields: Any, seat: int) -> int:
    """For each colour six bits: the floor, and the lines that take it."""
    result = 0
    for colour in range(SIZE):
        lines = 1
        for row in range(SIZE):
            held, capacity = fields.line_count[seat, row], row + 1
            fits = held == 0 or (held < capacity and fields.line_colour[seat, row] == colour)
            if fits and not fields.wall[seat, colour] >> SIZE * row & lookups.ROW_MASK:
                lines |= 2 << row
        result |= lines << encoding.COUNT_BITS * colour
    return result
