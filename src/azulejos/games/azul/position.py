"""Positions of Azul as one line of text and as plain data. `docs/notation.md` describes the form."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from azulejos.core.state import State
from azulejos.core.text import Reader

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
    TILES_OF_A_FACTORY,
)

_FLOOR_LETTERS = LETTERS + "1"  # the marker after the colours
_FLOOR_LETTER = {**COLOUR, "1": encoding.MARKER_TILE - 1}
_FLOOR_TILES = (*COLOURS, "marker")
_PHASES = {encoding.DEAL: "deal", encoding.DRAFT: "drafting", encoding.TILE: "tiling", encoding.ENDED: "over"}


def floor_tiles(record: Any, seat: int) -> list[int]:
    """The floor from the left: colours, and 5 for the marker."""
    return list(unpack_floor(int(record.floor[seat]), int(record.floor_count[seat])))


@lru_cache(1 << 12)
def unpack_floor(tiles: int, count: int) -> tuple[int, ...]:
    return tuple([(tiles >> 3 * space & 7) - 1 for space in range(count)])


def wall_colour(record: Any, seat: int, row: int, column: int) -> int | None:
    """The colour of the tile on a space of the wall."""
    for colour in range(SIZE):
        if record.wall[seat, colour] >> SIZE * row + column & 1:
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


def boards(record: Any) -> Iterator[tuple[int, list[int], list[int], list[int], int, int]]:
    """Of each player the score, the colours and the tiles of the lines, the wall, the floor and the tiles on it."""
    fields = record.score, record.line_colour, record.line_count, record.wall, record.floor, record.floor_count
    return islice(zip(*fields, strict=True), int(record.players))


def _print_board(
    score: int, colours: list[int], counts: list[int], wall: list[int], floor: int, floor_count: int
) -> str:
    found = zip(colours, counts, strict=True)
    lines = "/".join([f"{LETTERS[colour]}{count}" if count else "-" for colour, count in found])
    return f"{score} {lines} {_print_wall(*wall)} {_print_floor(floor, floor_count)}"


def _print_phase(record: Any) -> str:
    match int(record.phase):
        case encoding.DEAL:
            return "deal"
        case encoding.DRAFT:
            return f"seat {record.seat}"
        case encoding.TILE:
            return f"seat {record.seat} line {record.row + 1}"
    return "over"


def print_state(record: Any) -> str:
    wall = "grey" if record.grey else "coloured"
    centre, *sources = [TILES.print_tiles(tiles) for tiles in record.source[: 1 + FACTORIES[int(record.players)]]]
    if record.marker:
        centre = "1" + centre.replace("-", "")
    fields = [
        f"azul {wall} round {record.round_no} {_print_phase(record)} start {record.start}",
        " ".join(sources),
        centre,
        TILES.print_counts(record.bag),
        TILES.print_counts(record.lid),
        *[_print_board(*board) for board in boards(record)],
    ]
    return " | ".join(fields)


def parse_state(text: str) -> tuple[dict[str, Any], npt.NDArray[Any]]:
    """The options and the record [1]. Says what is badly written; what is impossible is for `check` to say."""
    reader = Reader(text)
    array = np.zeros(1, kernels.STATE)
    record = array[0]
    record.line_colour[:] = encoding.NO_COLOUR
    _parse_head(reader, record)
    tiles = [TILES.read_tiles(reader, TILES_OF_A_FACTORY, ordered=False)]
    while reader.accept(" "):
        if reader.text.startswith("|", reader.at):
            break
        tiles.append(TILES.read_tiles(reader, TILES_OF_A_FACTORY, ordered=False))
    players = {count: players for players, count in FACTORIES.items()}.get(len(tiles))
    if players is None:
        reader.fail(f"expected 5, 7 or 9 factories, found {len(tiles)}")
    record.players = players
    record.source[1 : len(tiles) + 1] = tiles
    reader.expect("| ", "'|' before the centre")
    record.marker = reader.accept("1")
    if record.marker and reader.text.startswith(" ", reader.at):
        record.source[encoding.CENTRE] = 0
    else:
        record.source[encoding.CENTRE] = TILES.read_tiles(reader, SIZE * TILES_OF_A_COLOUR, ordered=False)
    reader.expect(" | ", "'|' before the bag")
    record.bag = TILES.read_counts(reader)
    reader.expect(" | ", "'|' before the lid")
    record.lid = TILES.read_counts(reader)
    for seat in range(players):
        reader.expect(" | ", f"'|' before the board of seat {seat}")
        _parse_board(reader, record, seat)
    reader.end()
    if tiles_left(record) > SIZE * TILES_OF_A_COLOUR:
        reader.fail(f"there are more than {SIZE * TILES_OF_A_COLOUR} tiles on the factories and in the centre", 0)
    _derive(record)
    return {"players": players, "wall": "grey" if record.grey else "coloured"}, array


def _parse_head(reader: Reader, record: Any) -> None:
    reader.expect("azul ")
    record.grey = reader.one_of({"coloured": 0, "grey": 1}, "the wall")
    reader.expect(" round ")
    record.round_no = reader.number("the round", 1, 10**6)
    reader.expect(" ")
    record.phase = reader.one_of(
        {"deal": encoding.DEAL, "seat": encoding.DRAFT, "over": encoding.ENDED}, "whose turn it is"
    )
    if record.phase == encoding.DRAFT:
        reader.expect(" ")
        record.seat = reader.number("a seat", 0, 3)
        if reader.accept(" line "):
            record.phase = encoding.TILE
            record.row = reader.number("a line", 1, SIZE) - 1
    reader.expect(" start ")
    record.start = reader.number("a seat", 0, 3)
    if record.phase in (encoding.DEAL, encoding.ENDED):
        record.seat = record.start
    reader.expect(" | ", "'|' before the factories")


def _parse_board(reader: Reader, record: Any, seat: int) -> None:
    record.score[seat] = reader.number("a score", 0, 10**6)
    reader.expect(" ")
    for row in range(SIZE):
        if row:
            reader.expect("/", "'/' between lines")
        if not reader.accept("-"):
            record.line_colour[seat, row] = reader.one_of(COLOUR, "a colour")
            record.line_count[seat, row] = reader.number(f"the number of tiles in line {row + 1}", 1, row + 1)
    reader.expect(" ")
    for row in range(SIZE):
        if row:
            reader.expect("/", "'/' between rows")
        for column in range(SIZE):
            start = reader.at
            if reader.accept("."):
                continue
            colour = reader.one_of(COLOUR, "a colour or '.'")
            if not record.grey and colour != COLOUR_AT[row, column]:
                right = LETTERS[COLOUR_AT[row, column]]
                reader.fail(f"row {row + 1}, column {column + 1} of the coloured wall takes {right} only", start)
            record.wall[seat, colour] |= 1 << SIZE * row + column
    reader.expect(" ")
    if not reader.accept("-"):
        while record.floor_count[seat] == 0 or not (reader.at_end() or reader.text[reader.at] == " "):
            if record.floor_count[seat] == FLOOR_SPACES:
                reader.fail(f"the floor has {FLOOR_SPACES} spaces")
            tile = reader.one_of(_FLOOR_LETTER, "a colour or the marker")
            record.floor[seat] |= (tile + 1) << 3 * int(record.floor_count[seat])
            record.floor_count[seat] += 1


def _derive(record: Any) -> None:
    """The fields that follow from the others."""
    record.left = tiles_left(record)
    record.dealt = record.left if record.phase == encoding.DEAL else 0
    for seat in range(MOST_PLAYERS):
        record.open[seat] = open_lines(record, seat)


def tiles_left(record: Any) -> int:
    """The number of tiles on the factories and in the centre."""
    return sum(map(TILES.total, record.source))


def open_lines(record: Any, seat: int) -> int:
    """For each colour six bits: the floor, and the lines that take it."""
    result = 0
    for colour in range(SIZE):
        lines = 1
        for row in range(SIZE):
            held, capacity = int(record.line_count[seat, row]), row + 1
            fits = held == 0 or (held < capacity and record.line_colour[seat, row] == colour)
            if fits and not record.wall[seat, colour] >> SIZE * row & lookups.ROW_MASK:
                lines |= 2 << row
        result |= lines << encoding.COUNT_BITS * colour
    return result


# --- data ---


def to_dict(state: State) -> dict[str, Any]:
    """A position as plain data with the words of the rule page."""
    fields, game = state.fields, state.game
    return {
        "game": game.name,
        **game.chosen,
        "round": fields.round_no,
        "phase": _PHASES[fields.phase],
        "seat": state.seat,
        "line": fields.row + 1 if fields.phase == encoding.TILE else None,
        "start": fields.start,
        "marker_in_centre": bool(fields.marker),
        "factories": [dict(_counts(tiles)) for tiles in fields.source[1 : 1 + FACTORIES[fields.players]]],
        "centre": dict(_counts(fields.source[encoding.CENTRE])),
        "bag": dict(_counts(fields.bag)),
        "lid": dict(_counts(fields.lid)),
        "boards": [_board(*board) for board in boards(fields)],
    }


@lru_cache(1 << 13)
def _counts(tiles: int) -> dict[str, int]:
    """Not to be changed: kept, because places stay as they are for many actions."""
    found = zip(COLOURS, TILES.counts(tiles), strict=True)
    return {name: count for name, count in found if count}


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
        "floor": [_FLOOR_TILES[tile] for tile in unpack_floor(floor, floor_count)],
    }


@lru_cache(1 << 12)
def _wall(*wall: int) -> list[list[str | None]]:
    """Not to be changed: kept, because a wall stays as it is for a round."""
    return [[None if colour is None else COLOURS[colour] for colour in row] for row in wall_colours(*wall)]
