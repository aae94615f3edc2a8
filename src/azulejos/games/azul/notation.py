"""Azul as text: actions, events and draws. `docs/notation.md` describes the forms."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from azulejos.core.compiling import plain
from azulejos.core.events import Event
from azulejos.core.game import Game
from azulejos.core.language import N_, _, ngettext
from azulejos.core.state import State
from azulejos.core.text import Reader, Tally

from . import encoding, kernels
from .tables import COLOURS, FACTORIES, LETTERS, NUM_COLOURS, SIZE, TILES_OF_A_COLOUR, TILES_OF_A_FACTORY

RULES = plain(kernels)
TILES = Tally(LETTERS, encoding.COUNT_BITS, TILES_OF_A_COLOUR)
COLOUR = TILES.colour


HELP = "\n".join(
    (
        N_("Source, colour, line: 3B2 takes blue from factory 3 to line 2; C is the centre, - the floor (CR-)."),
        N_("Colours: B blue, Y yellow, R red, K black, W white."),
        N_("Grey wall: 2@4 puts the tile of line 2 into column 4."),
    )
)

# --- actions ---


class Take(NamedTuple):
    source: int
    colour: int
    line: int  # 0: the floor


class Column(NamedTuple):
    row: int
    column: int


Parts = Take | Column


@cache
def split(game: Game, index: int) -> Parts:
    """An action's parts."""
    drafts = encoding.DRAFTS[game.players]
    if index >= drafts:
        return Column(*divmod(index - drafts, SIZE))
    group, line = divmod(index, encoding.LINES)
    return Take(*divmod(group, NUM_COLOURS), line)


def join(game: Game, parts: Parts) -> int:
    """The inverse of `split`."""
    match parts:
        case Take(source, colour, line):
            return (source * NUM_COLOURS + colour) * encoding.LINES + line
        case Column(row, column):
            return encoding.DRAFTS[game.players] + row * SIZE + column


@cache
def print_action(game: Game, index: int) -> str:
    match split(game, index):
        case Take(source, colour, line):
            return f"{source or 'C'}{LETTERS[colour]}{line or '-'}"
        case Column(row, column):
            return f"{row + 1}@{column + 1}"


@cache
def parse_action(game: Game, text: str) -> int:
    reader, (players, grey) = Reader(text), game.codes
    parts: Parts
    if grey and text[1:2] == "@":
        row = reader.number("a line", 1, SIZE) - 1
        reader.expect("@")
        parts = Column(row, reader.number("a column", 1, SIZE) - 1)
    else:
        sources = {"C": encoding.CENTRE} | {str(number): number for number in range(1, FACTORIES[players] + 1)}
        lines = {"-": encoding.FLOOR} | {str(line): line for line in range(1, SIZE + 1)}
        source, colour = reader.one_of(sources, "a source"), reader.one_of(COLOUR, "a colour")
        parts = Take(source, colour, reader.one_of(lines, "a line or the floor"))
    reader.end()
    return join(game, parts)


def path(game: Game, index: int) -> tuple[str, ...]:
    match split(game, index):
        case Take(source, colour, line):
            return (
                f"factory-{source}" if source else "centre",
                COLOURS[colour],
                f"line-{line}" if line else "floor",
            )
        case Column(row, column):
            return f"line-{row + 1}", f"column-{column + 1}"


def say_source(source: int) -> str:
    return _("factory {number}").format(number=source) if source else _("the centre")


def say_colour(colour: int) -> str:
    return _(COLOURS[colour], "azul")


def say_action(game: Game, index: int) -> str:
    match split(game, index):
        case Take(source, colour, line):
            target = _("line {line}").format(line=line) if line else _("the floor")
            said = _("{colour} from {source} to {target}")
            return said.format(colour=say_colour(colour), source=say_source(source), target=target)
        case Column(row, column):
            return _("tile of line {line} to column {column}").format(line=row + 1, column=column + 1)


def explain(state: State, index: int) -> str:
    """Why a well-formed action is not legal."""
    fields = state.fields
    seat = fields.seat
    match split(state.game, index):
        case Take(source, colour, line):
            if fields.phase == encoding.TILE:
                return f"seat {seat} is tiling and chooses a column for line {fields.row + 1}"
            tiles = TILES.print_tiles(fields.source[source])
            if not RULES.count_of(fields.source[source], colour):
                holds = f"it holds {tiles}" if tiles != "-" else "it is empty"
                return f"{say_source(source)} has no {COLOURS[colour]} tile; {holds}"
            row = line - 1
            where = f"line {line} of seat {seat}"
            if fields.line_count[seat, row] == line:
                return f"{where} is full"
            if fields.line_count[seat, row]:
                return f"{where} holds {COLOURS[fields.line_colour[seat, row]]}, which does not mix"
            return f"row {line} of seat {seat}'s wall has a {COLOURS[colour]} tile already"
        case Column(row, column):
            if fields.phase != encoding.TILE:
                return "columns are chosen only while tiling; now tiles are taken"
            if row != fields.row:
                return f"seat {seat} chooses a column for line {fields.row + 1} now"
            if RULES.occupied(fields, seat) >> SIZE * row + column & 1:
                return f"row {row + 1}, column {column + 1} is taken"
            return f"column {column + 1} has a {COLOURS[fields.line_colour[seat, row]]} tile already"


def say_marker(floored: bool) -> str:
    return _("start marker taken") if floored else _("start marker taken, at no cost: the floor is full")


def say_dropped(colour: int, tiles: int) -> str:
    said = ngettext("{n} {colour} tile to the floor", "{n} {colour} tiles to the floor", tiles)
    return said.format(n=tiles, colour=say_colour(colour))


def say_event(game: Game, event: Event) -> str | None:
    """Scores and losses in words; what the action itself says is not said again."""
    match event.kind:
        case "marker":
            return say_marker(bool(event.floored))
        case "unplaceable":
            return _("line {line} fits no column and falls to the floor").format(line=event.row + 1)
        case "floor":
            return say_dropped(event.colour, event.tiles)
        case "wall":
            said = _("row {row}, column {column}: +{points}")
            return said.format(row=event.row + 1, column=event.column + 1, points=event.points)
        case "penalty":
            if event.cost > event.points:
                said = ngettext(
                    "floor: −{cost}, of which {n} is paid", "floor: −{cost}, of which {n} are paid", event.points
                )
                return said.format(cost=event.cost, n=event.points)
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


def print_draws(game: Game, outcomes: Sequence[int]) -> str:
    letters = "".join(LETTERS[colour] for colour in outcomes)
    return " ".join(letters[k : k + TILES_OF_A_FACTORY] for k in range(0, len(letters), TILES_OF_A_FACTORY))


def parse_draws(game: Game, text: str) -> tuple[int, ...]:
    reader, outcomes = Reader(text), list[int]()
    while not reader.at_end():
        if outcomes and len(outcomes) % TILES_OF_A_FACTORY == 0:
            reader.expect(" ", "a space after four tiles")
        outcomes.append(reader.one_of(COLOUR, "a colour"))
    return tuple(outcomes)


def explain_draw(state: State, drawn: int) -> str:
    fields = state.fields
    factory = 1 + fields.dealt // TILES_OF_A_FACTORY
    return f"the bag has no {COLOURS[drawn]} tile left for factory {factory}; it holds {TILES.print_tiles(fields.bag)}"
