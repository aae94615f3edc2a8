"""Azul as text: actions, draws and positions. `docs/notation.md` describes the forms."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from azulejos.core.compiling import plain
from azulejos.core.game import Event
from azulejos.core.language import _, ngettext
from azulejos.core.text import Reader, Tally

from . import kernels
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

RULES = plain(kernels)
TILES = Tally(LETTERS, kernels.COUNT_BITS, TILES_OF_A_COLOUR)
COLOUR = TILES.colour
_FLOOR_LETTERS = LETTERS + "1"  # the marker after the colours
_FLOOR_LETTER = {**COLOUR, "1": kernels.MARKER_TILE - 1}


# --- actions ---


def split(index: int, players: int) -> tuple[int, int, int] | tuple[int, int]:
    """An action as (source, colour, line), line 0 being the floor; or as (row, column)."""
    drafts = (FACTORIES[players] + 1) * SIZE * kernels.LINES
    if index >= drafts:
        return divmod(index - drafts, SIZE)
    return index // (SIZE * kernels.LINES), index // kernels.LINES % SIZE, index % kernels.LINES


@cache
def print_action(index: int, players: int) -> str:
    match split(index, players):
        case source, colour, line:
            return f"{source or 'C'}{LETTERS[colour]}{line or '-'}"
        case row, column:
            return f"{row + 1}@{column + 1}"


@cache
def parse_action(text: str, players: int, grey: bool) -> int:
    reader = Reader(text)
    factories = FACTORIES[players]
    first = {"C": kernels.CENTRE} | {str(number): number for number in range(1, factories + 1)}
    if grey and text[1:2] == "@":
        row = reader.number("a line", 1, SIZE) - 1
        reader.expect("@")
        column = reader.number("a column", 1, SIZE) - 1
        index = (factories + 1) * SIZE * kernels.LINES + row * SIZE + column
    else:
        source = reader.one_of(first, "a source")
        colour = reader.one_of(COLOUR, "a colour")
        line = reader.one_of({"-": kernels.FLOOR} | {str(n): n for n in range(1, SIZE + 1)}, "a line or the floor")
        index = (source * SIZE + colour) * kernels.LINES + line
    reader.end()
    return index


def path(index: int, players: int) -> tuple[str, ...]:
    match split(index, players):
        case source, colour, line:
            return (
                f"factory-{source}" if source else "centre",
                COLOURS[colour],
                f"line-{line}" if line else "floor",
            )
        case row, column:
            return f"line-{row + 1}", f"column-{column + 1}"


def say_source(source: int) -> str:
    return _("factory {number}").format(number=source) if source else _("the centre")


def say_colour(colour: int) -> str:
    return _(COLOURS[colour], "azul")


def say_action(index: int, players: int) -> str:
    match split(index, players):
        case source, colour, line:
            target = _("line {line}").format(line=line) if line else _("the floor")
            said = _("{colour} from {source} to {target}")
            return said.format(colour=say_colour(colour), source=say_source(source), target=target)
        case row, column:
            return _("tile of line {line} to column {column}").format(line=row + 1, column=column + 1)


def explain(record: Any, index: int) -> str:
    """Why a well-formed action is not legal."""
    seat = int(record.seat)
    match split(index, int(record.players)):
        case source, colour, line:
            if record.phase == kernels.TILE:
                return f"seat {seat} is tiling and chooses a column for line {record.row + 1}"
            tiles = TILES.print_tiles(record.source[source])
            if not RULES.count_of(record.source[source], colour):
                holds = f"it holds {tiles}" if tiles != "-" else "it is empty"
                return f"{say_source(source)} has no {COLOURS[colour]} tile; {holds}"
            row = line - 1
            where = f"line {line} of seat {seat}"
            if record.line_count[seat, row] == line:
                return f"{where} is full"
            if record.line_count[seat, row]:
                return f"{where} holds {COLOURS[record.line_colour[seat, row]]}, which does not mix"
            return f"row {line} of seat {seat}'s wall has a {COLOURS[colour]} tile already"
        case row, column:
            if record.phase != kernels.TILE:
                return "columns are chosen only while tiling; now tiles are taken"
            if row != record.row:
                return f"seat {seat} chooses a column for line {record.row + 1} now"
            if RULES.occupied(record, seat) >> SIZE * row + column & 1:
                return f"row {row + 1}, column {column + 1} is taken"
            return f"column {column + 1} has a {COLOURS[record.line_colour[seat, row]]} tile already"


def say_event(event: Event) -> str | None:
    """Scores and losses in words; what the action itself says is not said again."""
    match event.kind:
        case "marker" if event.floored:
            return _("takes the start marker")
        case "marker":
            return _("takes the start marker, at no cost: the floor is full")
        case "floor":
            said = ngettext("{n} {colour} tile to the floor", "{n} {colour} tiles to the floor", event.tiles)
            return said.format(n=event.tiles, colour=say_colour(event.colour))
        case "wall":
            said = _("row {row}, column {column}: +{points}")
            return said.format(row=event.row + 1, column=event.column + 1, points=event.points)
        case "unplaceable":
            return _("line {line} fits no column and falls to the floor").format(line=event.row + 1)
        case "penalty":
            if event.cost > event.points:
                return _("floor: −{cost}, of which {points} are paid").format(cost=event.cost, points=event.points)
            return _("floor: −{points}").format(points=event.points)
        case "row bonus":
            return _("row {row} complete: +{points}").format(row=event.row + 1, points=event.points)
        case "column bonus":
            said = _("column {column} complete: +{points}")
            return said.format(column=event.column + 1, points=event.points)
        case "colour bonus":
            return _("all {colour} tiles: +{points}").format(colour=say_colour(event.colour), points=event.points)
        case _:
            return None


# --- draws ---


def print_draws(outcomes: Sequence[int]) -> str:
    letters = "".join(LETTERS[colour] for colour in outcomes)
    return " ".join(letters[k : k + TILES_OF_A_FACTORY] for k in range(0, len(letters), TILES_OF_A_FACTORY))


def parse_draws(text: str) -> tuple[int, ...]:
    reader, outcomes = Reader(text), list[int]()
    while not reader.at_end():
        if outcomes and len(outcomes) % TILES_OF_A_FACTORY == 0:
            reader.expect(" ", "a space after four tiles")
        outcomes.append(reader.one_of(COLOUR, "a colour"))
    return tuple(outcomes)


# --- positions ---


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
        case kernels.DEAL:
            return "deal"
        case kernels.DRAFT:
            return f"seat {record.seat}"
        case kernels.TILE:
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


def parse_state(text: str) -> npt.NDArray[Any]:
    """The record [1]. Says what is badly written; what is impossible is for `check` to say."""
    reader = Reader(text)
    array = np.zeros(1, kernels.STATE)
    record = array[0]
    record.line_colour[:] = kernels.NO_COLOUR
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
        record.source[kernels.CENTRE] = 0
    else:
        record.source[kernels.CENTRE] = TILES.read_tiles(reader, SIZE * TILES_OF_A_COLOUR, ordered=False)
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
    return array


def _parse_head(reader: Reader, record: Any) -> None:
    reader.expect("azul ")
    record.grey = reader.one_of({"coloured": 0, "grey": 1}, "the wall")
    reader.expect(" round ")
    record.round_no = reader.number("the round", 1, 10**6)
    reader.expect(" ")
    record.phase = reader.one_of(
        {"deal": kernels.DEAL, "seat": kernels.DRAFT, "over": kernels.ENDED}, "whose turn it is"
    )
    if record.phase == kernels.DRAFT:
        reader.expect(" ")
        record.seat = reader.number("a seat", 0, 3)
        if reader.accept(" line "):
            record.phase = kernels.TILE
            record.row = reader.number("a line", 1, SIZE) - 1
    reader.expect(" start ")
    record.start = reader.number("a seat", 0, 3)
    if record.phase in (kernels.DEAL, kernels.ENDED):
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
    record.dealt = record.left if record.phase == kernels.DEAL else 0
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
            if fits and not record.wall[seat, colour] >> SIZE * row & kernels.ROW_MASK:
                lines |= 2 << row
        result |= lines << kernels.COUNT_BITS * colour
    return result
