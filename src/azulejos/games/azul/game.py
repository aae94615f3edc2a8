"""Azul as a game: its options, its data, and what makes a position possible."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from rich.console import RenderableType

from azulejos.core.game import Array, Event, Game, Option
from azulejos.core.hand import Closed, Pick, Preview, Step
from azulejos.core.state import State
from azulejos.drawing.scene import Look

from . import drawing, hand, judgement, kernels, notation, observation, terminal
from .tables import (
    COLOUR_AT,
    COLOURS,
    EVENTS,
    FACTORIES,
    FLOOR_SPACES,
    LETTERS,
    SIZE,
    TILES_OF_A_COLOUR,
    TILES_OF_A_FACTORY,
)

RULES = notation.RULES
_FLOOR_TILES = (*COLOURS, "marker")
_PHASES = {kernels.DEAL: "deal", kernels.DRAFT: "drafting", kernels.TILE: "tiling", kernels.ENDED: "over"}


class Azul(Game):
    """Azul for 2 to 4 players, with the coloured or the grey wall."""

    name = "azul"
    title = "Azul"
    rules_version = 1
    options: ClassVar = (
        Option("players", (2, 3, 4), "how many play"),
        Option("wall", ("coloured", "grey"), "grey: the owner chooses the column of each tile"),
    )
    notation_help = (
        "Source, colour, line: 3B2 takes blue from factory 3 to line 2; C is the centre, - the floor (CR-).\n"
        "Colours: B blue, Y yellow, R red, K black, W white.\n"
        "Grey wall: 2@4 puts the tile of line 2 into column 4."
    )
    kernels = kernels
    judgement = judgement
    observation = observation
    events = EVENTS
    num_outcomes = SIZE

    def __init__(self, **chosen: Any) -> None:
        super().__init__(**chosen)
        self.players = self.chosen["players"]
        self.grey = self.chosen["wall"] == "grey"
        drafts = (FACTORIES[self.players] + 1) * SIZE * kernels.LINES
        self.num_actions = drafts + SIZE * SIZE * self.grey

    @property
    def option_codes(self) -> Array:
        return np.array([self.players, self.grey], np.int64)

    # --- text ---

    def print_action(self, index: int) -> str:
        return notation.print_action(index, self.players)

    def parse_action(self, text: str) -> int:
        return notation.parse_action(text, self.players, self.grey)

    def say_action(self, index: int) -> str:
        return notation.say_action(index, self.players)

    def path(self, index: int) -> tuple[str, ...]:
        return notation.path(index, self.players)

    def explain(self, state: State, index: int) -> str:
        return notation.explain(state.record, index)

    def say_event(self, event: Event) -> str | None:
        return notation.say_event(event)

    def print_draws(self, outcomes: Sequence[int]) -> str:
        return notation.print_draws(outcomes)

    def parse_draws(self, text: str) -> tuple[int, ...]:
        return notation.parse_draws(text)

    def explain_draw(self, state: State, drawn: int) -> str:
        if not state.awaits_draw:
            return "nothing is to be drawn here"
        record = state.record
        bag = notation.TILES.print_tiles(record.bag)
        return f"the bag has no {COLOURS[drawn]} tile left for factory {1 + record.dealt // 4}; it holds {bag}"

    def print_state(self, state: State) -> str:
        return notation.print_state(state.fields)

    @classmethod
    def parse_state(cls, text: str) -> tuple[Game, Array]:
        array = notation.parse_state(text)
        record = array[0]
        return cls(players=int(record.players), wall="grey" if record.grey else "coloured"), array

    def show(self, state: State, names: Sequence[str]) -> RenderableType:
        return terminal.show(self, state, names)

    def draw(
        self,
        state: State,
        names: Sequence[str] = (),
        viewer: int | None = None,
        theme: str = "light",
        layout: str = "wide",
        styled: bool = True,
    ) -> str:
        return drawing.draw(state, Look.of(state, names, viewer, theme, layout, styled))

    # --- at a table ---

    def ask(self, state: State) -> str:
        return hand.ask(state)

    def picks(self, state: State, index: int) -> tuple[Pick, ...]:
        return hand.picks(state, index)

    def closed(self, state: State) -> list[Closed]:
        return list(hand.closed(state))

    def preview(self, state: State, index: int, projected: int) -> Preview:
        return hand.preview(state, index, projected)

    def notice(self, state: State) -> str:
        return hand.notice(state)

    def points_of(self, event: Event) -> tuple[str, int, int] | None:
        return hand.points_of(event)

    def steps(self, state: State, events: Sequence[Event]) -> list[Step]:
        return hand.steps(self, state, events)

    # --- results ---

    def round_of(self, state: State) -> int:
        return int(state.fields.round_no)

    def winners(self, state: State) -> tuple[int, ...]:
        """Most points; tied: more complete rows; still tied: they share the victory."""
        record = state.record

        def rank(seat: int) -> tuple[int, int]:
            return int(record.score[seat]), int(RULES.complete_rows(RULES.occupied(record, seat)))

        best = max(rank(seat) for seat in range(self.players))
        return tuple(seat for seat in range(self.players) if rank(seat) == best)

    # --- data ---

    def to_dict(self, state: State) -> dict[str, Any]:
        record = state.fields
        return {
            "game": self.name,
            **self.chosen,
            "round": record.round_no,
            "phase": _PHASES[record.phase],
            "seat": state.seat,
            "line": record.row + 1 if record.phase == kernels.TILE else None,
            "start": record.start,
            "marker_in_centre": bool(record.marker),
            "factories": [dict(_counts(tiles)) for tiles in record.source[1 : 1 + FACTORIES[self.players]]],
            "centre": dict(_counts(record.source[kernels.CENTRE])),
            "bag": dict(_counts(record.bag)),
            "lid": dict(_counts(record.lid)),
            "boards": [_board(*board) for board in notation.boards(record)],
        }

    def check(self, state: State) -> str | None:
        return next(_impossibilities(state.record, self), None)


@lru_cache(1 << 13)
def _counts(tiles: int) -> dict[str, int]:
    """Not to be changed: kept, because places stay as they are for many actions."""
    found = zip(COLOURS, notation.TILES.counts(tiles), strict=True)
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
        "floor": [_FLOOR_TILES[tile] for tile in notation.unpack_floor(floor, floor_count)],
    }


@lru_cache(1 << 12)
def _wall(*wall: int) -> list[list[str | None]]:
    """Not to be changed: kept, because a wall stays as it is for a round."""
    return [[None if colour is None else COLOURS[colour] for colour in row] for row in notation.wall_colours(*wall)]


def _impossibilities(record: Any, game: Azul) -> Iterator[str]:
    """Everything that is wrong with a position, in words."""
    if record.players != game.players or record.grey != game.grey:
        yield "the options are not the game's"
    for what, seat in (("seat", record.seat), ("start", record.start)):
        if not 0 <= seat < game.players:
            yield f"{what} {seat} does not exist: seats are 0 to {game.players - 1}"
    for seat in range(game.players):
        yield from _impossible_board(record, seat)
    yield from _impossible_tiles(record)
    yield from _impossible_marker(record, game)
    yield from _impossible_phase(record, game)


def _impossible_tiles(record: Any) -> Iterator[str]:
    for colour, name in enumerate(COLOURS):
        count = sum(int(RULES.count_of(tiles, colour)) for tiles in (*record.source, record.bag, record.lid))
        for seat in range(record.players):
            count += int(record.wall[seat, colour]).bit_count()
            count += int(sum(record.line_count[seat][record.line_colour[seat] == colour]))
            count += notation.floor_tiles(record, seat).count(colour)
        if count != TILES_OF_A_COLOUR:
            yield f"there are {count} {name} tiles; there must be {TILES_OF_A_COLOUR}"
    for factory in range(1, 1 + FACTORIES[int(record.players)]):
        if notation.TILES.total(record.source[factory]) > TILES_OF_A_FACTORY:
            yield f"factory {factory} holds more than {TILES_OF_A_FACTORY} tiles"
    if any(record.source[1 + FACTORIES[int(record.players)] :]):
        yield "there are tiles on factories that are not in play"
    if record.left != notation.tiles_left(record):
        yield "the number of tiles left to take is wrong"


def _impossible_board(record: Any, seat: int) -> Iterator[str]:
    if record.score[seat] < 0:
        yield f"the score of seat {seat} is below 0"
    for row in range(SIZE):
        count, colour = record.line_count[seat, row], record.line_colour[seat, row]
        where = f"line {row + 1} of seat {seat}"
        if not 0 <= count <= row + 1:
            yield f"{where} holds {count} tiles; it has {row + 1} spaces"
        if (count == 0) != (colour == kernels.NO_COLOUR):
            yield f"{where} has tiles without a colour, or a colour without tiles"
        if count and record.wall[seat, colour] >> SIZE * row & kernels.ROW_MASK:
            yield f"{where} holds {COLOURS[colour]}, which its wall row has already"
        for name, spaces in zip(COLOURS, record.wall[seat], strict=True):
            if int(spaces >> SIZE * row & kernels.ROW_MASK).bit_count() > 1:
                yield f"row {row + 1} of seat {seat}'s wall has {name} twice"
            if int(spaces >> row & kernels.COLUMN_MASK).bit_count() > 1:
                yield f"column {row + 1} of seat {seat}'s wall has {name} twice"
    if sum(int(spaces).bit_count() for spaces in record.wall[seat]) != int(RULES.occupied(record, seat)).bit_count():
        yield f"two tiles lie on one space of seat {seat}'s wall"
    if not record.grey:
        for row in range(SIZE):
            for column in range(SIZE):
                if notation.wall_colour(record, seat, row, column) not in (None, COLOUR_AT[row, column]):
                    yield f"row {row + 1}, column {column + 1} of seat {seat}'s wall has a wrong colour"
    if not 0 <= record.floor_count[seat] <= FLOOR_SPACES or record.floor[seat] >> 3 * int(record.floor_count[seat]):
        yield f"the floor of seat {seat} is badly counted"
    if record.open[seat] != notation.open_lines(record, seat):
        yield f"the open lines of seat {seat} are wrong"


def _impossible_marker(record: Any, game: Azul) -> Iterator[str]:
    floors = [notation.floor_tiles(record, seat) for seat in range(game.players)]
    marker = len(LETTERS)
    places = [seat for seat in range(game.players) for tile in floors[seat] if tile == marker]
    if len(places) + int(record.marker) > 1:
        yield "the start marker is in more than one place"
    elif places and places[0] != record.start:
        yield f"seat {places[0]} has the start marker, but seat {record.start} is to start"
    elif (
        not places and not record.marker and record.phase == kernels.DRAFT and len(floors[record.start]) < FLOOR_SPACES
    ):
        yield "the start marker is nowhere, and no floor is too full for it"


def _impossible_phase(record: Any, game: Azul) -> Iterator[str]:
    on_factories = [record.source[1 + k] for k in range(FACTORIES[game.players])]
    rounds_over = record.phase in (kernels.DEAL, kernels.ENDED)
    done = range(game.players) if rounds_over else ()
    if record.phase == kernels.TILE:
        done = range((int(record.seat) - int(record.start)) % game.players)
    for seat in done if rounds_over else ((int(record.start) + k) % game.players for k in done):
        complete = any(record.line_count[seat, row] == row + 1 for row in range(SIZE))
        if complete or record.floor_count[seat]:
            yield f"seat {seat} has tiled, but a complete line or a tile on the floor is left"
    if record.phase != kernels.DRAFT and record.phase != kernels.DEAL and record.left:
        yield "tiles are left to take, but the drafting is over"
    if record.phase == kernels.DRAFT and not record.left:
        yield "no tile is left to take, but the drafting goes on"
    if record.phase in (kernels.DEAL, kernels.DRAFT) and RULES.row_completed(record):
        yield "a row is complete, so the game is over"
    if record.phase == kernels.ENDED and not RULES.row_completed(record) and (record.bag or record.lid):
        yield "no row is complete, so the game is not over"
    if record.phase == kernels.DEAL:
        sizes = [notation.TILES.total(tiles) for tiles in on_factories]
        full, part = divmod(sum(sizes), TILES_OF_A_FACTORY)
        if sizes != ([4] * full + [part] * (full < len(sizes)) + [0] * len(sizes))[: len(sizes)]:
            yield "factories are filled one after another"
        if record.source[kernels.CENTRE] or not record.marker:
            yield "the centre holds nothing but the start marker during a deal"
        if not record.bag or full == len(sizes):
            yield "nothing can be dealt here"
    if record.dealt != (record.left if record.phase == kernels.DEAL else 0):
        yield "the number of tiles dealt is wrong"
    if record.phase == kernels.TILE:
        seat, row = int(record.seat), int(record.row)
        if not record.grey:
            yield "columns are chosen only on the grey wall"
        elif record.line_count[seat, row] != row + 1:
            yield f"line {row + 1} of seat {seat} is not complete, so it has no column to choose"
        elif int(RULES.open_columns(record, seat, row, record.line_colour[seat, row])).bit_count() < 2:
            yield f"line {row + 1} of seat {seat} has no two columns to choose from"
        if any(record.line_count[seat, above] == above + 1 for above in range(row)):
            yield f"a line above line {row + 1} of seat {seat} is not tiled yet"
    elif record.row:
        yield "a line is being tiled outside the tiling"
