"""What makes a position of Azul possible: what is counted, and what a phase implies."""

from collections.abc import Iterator, Sequence
from typing import Any

from . import encoding, lookups, notation, position
from .tables import COLOUR_AT, COLOURS, FACTORIES, FLOOR_SPACES, LETTERS, SIZE, TILES_OF_A_COLOUR, TILES_OF_A_FACTORY

RULES = notation.RULES


def impossibilities(fields: Any, option_codes: Sequence[int]) -> Iterator[str]:
    """Everything that is wrong with a position of a game with these options, in words."""
    if fields.players != option_codes[0] or fields.grey != option_codes[1]:
        yield "the options are not the game's"
    for what, seat in (("seat", fields.seat), ("start", fields.start)):
        if not 0 <= seat < fields.players:
            yield f"{what} {seat} does not exist: seats are 0 to {fields.players - 1}"
    for seat in range(fields.players):
        yield from _board(fields, seat)
    yield from _tiles(fields)
    yield from _marker(fields)
    yield from _phase(fields)


def _tiles(fields: Any) -> Iterator[str]:
    for colour, name in enumerate(COLOURS):
        count = sum(notation.TILES.counts(tiles)[colour] for tiles in (*fields.source, fields.bag, fields.lid))
        for seat in range(fields.players):
            count += fields.wall[seat, colour].bit_count()
            lines = zip(fields.line_colour[seat], fields.line_count[seat], strict=True)
            count += sum(held for line_colour, held in lines if line_colour == colour)
            count += position.floor_tiles(fields, seat).count(colour)
        if count != TILES_OF_A_COLOUR:
            yield f"there are {count} {name} tiles; there must be {TILES_OF_A_COLOUR}"
    for factory in range(1, 1 + FACTORIES[fields.players]):
        if notation.TILES.total(fields.source[factory]) > TILES_OF_A_FACTORY:
            yield f"factory {factory} holds more than {TILES_OF_A_FACTORY} tiles"
    if any(fields.source[1 + FACTORIES[fields.players] :]):
        yield "there are tiles on factories that are not in play"
    if fields.left != position.tiles_left(fields):
        yield "the number of tiles left to take is wrong"


def _board(fields: Any, seat: int) -> Iterator[str]:
    if fields.score[seat] < 0:
        yield f"the score of seat {seat} is below 0"
    for row in range(SIZE):
        count, colour = fields.line_count[seat, row], fields.line_colour[seat, row]
        where = f"line {row + 1} of seat {seat}"
        if not 0 <= count <= row + 1:
            yield f"{where} holds {count} tiles; it has {row + 1} spaces"
        if (count == 0) != (colour == encoding.NO_COLOUR):
            yield f"{where} has tiles without a colour, or a colour without tiles"
        if count and fields.wall[seat, colour] >> SIZE * row & lookups.ROW_MASK:
            yield f"{where} holds {COLOURS[colour]}, which its wall row has already"
        for name, spaces in zip(COLOURS, fields.wall[seat], strict=True):
            if (spaces >> SIZE * row & lookups.ROW_MASK).bit_count() > 1:
                yield f"row {row + 1} of seat {seat}'s wall has {name} twice"
            if (spaces >> row & lookups.COLUMN_MASK).bit_count() > 1:
                yield f"column {row + 1} of seat {seat}'s wall has {name} twice"
    if sum(spaces.bit_count() for spaces in fields.wall[seat]) != int(RULES.occupied(fields, seat)).bit_count():
        yield f"two tiles lie on one space of seat {seat}'s wall"
    if not fields.grey:
        for row in range(SIZE):
            for column in range(SIZE):
                if position.wall_colour(fields, seat, row, column) not in (None, COLOUR_AT[row, column]):
                    yield f"row {row + 1}, column {column + 1} of seat {seat}'s wall has a wrong colour"
    if not 0 <= fields.floor_count[seat] <= FLOOR_SPACES or fields.floor[seat] >> 3 * fields.floor_count[seat]:
        yield f"the floor of seat {seat} is badly counted"
    if fields.open[seat] != position.open_lines(fields, seat):
        yield f"the open lines of seat {seat} are wrong"


def _marker(fields: Any) -> Iterator[str]:
    floors = [position.floor_tiles(fields, seat) for seat in range(fields.players)]
    marker = len(LETTERS)
    places = [seat for seat in range(fields.players) for tile in floors[seat] if tile == marker]
    if len(places) + fields.marker > 1:
        yield "the start marker is in more than one place"
    elif places and places[0] != fields.start:
        yield f"seat {places[0]} has the start marker, but seat {fields.start} is to start"
    elif (
        not places and not fields.marker and fields.phase == encoding.DRAFT and len(floors[fields.start]) < FLOOR_SPACES
    ):
        yield "the start marker is nowhere, and no floor is too full for it"


def _phase(fields: Any) -> Iterator[str]:
    on_factories = [fields.source[1 + k] for k in range(FACTORIES[fields.players])]
    rounds_over = fields.phase in (encoding.DEAL, encoding.ENDED)
    done = range(fields.players) if rounds_over else ()
    if fields.phase == encoding.TILE:
        done = range((fields.seat - fields.start) % fields.players)
    for seat in done if rounds_over else ((fields.start + k) % fields.players for k in done):
        complete = any(fields.line_count[seat, row] == row + 1 for row in range(SIZE))
        if complete or fields.floor_count[seat]:
            yield f"seat {seat} has tiled, but a complete line or a tile on the floor is left"
    if fields.phase != encoding.DRAFT and fields.phase != encoding.DEAL and fields.left:
        yield "tiles are left to take, but the drafting is over"
    if fields.phase == encoding.DRAFT and not fields.left:
        yield "no tile is left to take, but the drafting goes on"
    if fields.phase in (encoding.DEAL, encoding.DRAFT) and RULES.row_completed(fields):
        yield "a row is complete, so the game is over"
    if fields.phase == encoding.ENDED and not RULES.row_completed(fields) and (fields.bag or fields.lid):
        yield "no row is complete, so the game is not over"
    if fields.phase == encoding.DEAL:
        sizes = [notation.TILES.total(tiles) for tiles in on_factories]
        full, part = divmod(sum(sizes), TILES_OF_A_FACTORY)
        if sizes != ([4] * full + [part] * (full < len(sizes)) + [0] * len(sizes))[: len(sizes)]:
            yield "factories are filled one after another"
        if fields.source[encoding.CENTRE] or not fields.marker:
            yield "the centre holds nothing but the start marker during a deal"
        if not fields.bag or full == len(sizes):
            yield "nothing can be dealt here"
    if fields.dealt != (fields.left if fields.phase == encoding.DEAL else 0):
        yield "the number of tiles dealt is wrong"
    if fields.phase == encoding.TILE:
        seat, row = fields.seat, fields.row
        if not fields.grey:
            yield "columns are chosen only on the grey wall"
        elif fields.line_count[seat, row] != row + 1:
            yield f"line {row + 1} of seat {seat} is not complete, so it has no column to choose"
        elif int(RULES.open_columns(fields, seat, row, fields.line_colour[seat, row])).bit_count() < 2:
            yield f"line {row + 1} of seat {seat} has no two columns to choose from"
        if any(fields.line_count[seat, above] == above + 1 for above in range(row)):
            yield f"a line above line {row + 1} of seat {seat} is not tiled yet"
    elif fields.row:
        yield "a line is being tiled outside the tiling"
