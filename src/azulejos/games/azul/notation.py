"""Azul as text: actions, events and draws. `docs/notation.md` describes the forms."""

from collections.abc import Sequence
from functools import cache

from azulejos.core.compiling import plain
from azulejos.core.events import Event
from azulejos.core.game import Game
from azulejos.core.language import N_, _, ngettext
from azulejos.core.state import State
from azulejos.core.text import Reader, Tally

from . import kernels, lookups
from .tables import (
    COLOURS,
    FACTORIES,
    LETTERS,
    SIZE,
    TILES_OF_A_COLOUR,
    TILES_OF_A_FACTORY,
)

RULES = plain(kernels)
TILES = Tally(LETTERS, lookups.COUNT_BITS, TILES_OF_A_COLOUR)
COLOUR = TILES.colour


HELP = "\n".join(
    (
        N_("Source, colour, line: 3B2 takes blue from factory 3 to line 2; C is the centre, - the floor (CR-)."),
        N_("Colours: B blue, Y yellow, R red, K black, W white."),
        N_("Grey wall: 2@4 puts the tile of line 2 into column 4."),
    )
)

# --- actions ---


def split(index: int, players: int) -> tuple[int, int, int] | tuple[int, int]:
    """An action as (source, colour, line), line 0 being the floor; or as (row, column)."""
    drafts = (FACTORIES[players] + 1) * SIZE * lookups.LINES
    if index >= drafts:
        return divmod(index - drafts, SIZE)
    return index // (SIZE * lookups.LINES), index // lookups.LINES % SIZE, index % lookups.LINES


@cache
def print_action(game: Game, index: int) -> str:
    match split(index, game.players):
        case source, colour, line:
            return f"{source or 'C'}{LETTERS[colour]}{line or '-'}"
        case row, column:
            return f"{row + 1}@{column + 1}"


@cache
def parse_action(game: Game, text: str) -> int:
    reader, (players, grey) = Reader(text), game.codes
    factories = FACTORIES[players]
    first = {"C": kernels.CENTRE} | {str(number): number for number in range(1, factories + 1)}
    if grey and text[1:2] == "@":
        row = reader.number("a line", 1, SIZE) - 1
        reader.expect("@")
        column = reader.number("a column", 1, SIZE) - 1
        index = (factories + 1) * SIZE * lookups.LINES + row * SIZE + column
    else:
        source = reader.one_of(first, "a source")
        colour = reader.one_of(COLOUR, "a colour")
        line = reader.one_of({"-": kernels.FLOOR} | {str(n): n for n in range(1, SIZE + 1)}, "a line or the floor")
        index = (source * SIZE + colour) * lookups.LINES + line
    reader.end()
    return index


def path(game: Game, index: int) -> tuple[str, ...]:
    match split(index, game.players):
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


def say_action(game: Game, index: int) -> str:
    match split(index, game.players):
        case source, colour, line:
            target = _("line {line}").format(line=line) if line else _("the floor")
            said = _("{colour} from {source} to {target}")
            return said.format(colour=say_colour(colour), source=say_source(source), target=target)
        case row, column:
            return _("tile of line {line} to column {column}").format(line=row + 1, column=column + 1)


def explain(state: State, index: int) -> str:
    """Why a well-formed action is not legal."""
    record = state.fields
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


def say_event(game: Game, event: Event) -> str | None:
    """Scores and losses in words; what the action itself says is not said again."""
    match event.kind:
        case "marker" if event.floored:
            return _("start marker taken")
        case "marker":
            return _("start marker taken, at no cost: the floor is full")
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
