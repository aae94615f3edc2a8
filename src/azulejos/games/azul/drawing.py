"""Azul's table as SVG. `docs/drawing.md` has the ids of its places."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from azulejos.core.language import _
from azulejos.core.state import State
from azulejos.drawing import scene, tiles
from azulejos.drawing.scene import Look, Seat, place, region, ring, tile, well
from azulejos.drawing.svg import Markup, Number, copy, element, join, move, words
from azulejos.drawing.words import (
    say_factory,
    say_held,
    say_place,
    say_round,
    say_row_column,
    say_space,
    say_tiles,
)

from .tables import COLOUR_AT, COLOURS, FLOOR_SPACES, PENALTIES, SIZE

GAME = "azul"
_PENALTY = [int(PENALTIES[space + 1] - PENALTIES[space]) for space in range(FLOOR_SPACES)]
_COLOUR_AT = [[COLOURS[colour] for colour in row] for row in COLOUR_AT]


def draw(state: State, **how: Any) -> str:
    look = Look.of(state, **how)
    position = state.to_dict()
    parts, width, height = (_wide if look.layout == "wide" else _tall)(position, Seat.all(state, look), look)
    name = f"{_('Azul')}, {say_round(position['round'])}"
    return look.picture(*parts, width=width, height=height, definitions=_definitions(), name=name, game=GAME)


@cache
def _definitions() -> Markup:
    arrow = element("path", d="M-16 -24L20 0L-16 24Z", id="arrow")
    return join(tiles.definitions(COLOURS, "square"), arrow)


# --- the two layouts ---


def _wide(position: dict[str, Any], seats: list[Seat], look: Look) -> tuple[list[Markup], Number, Number]:
    """The factories on the left, the boards on the right: two of the same size, or the viewer's and small ones."""
    width, height = scene.WIDE
    count = len(position["factories"])
    # Ring and discs fill a circle of 304; the discs nearly touch each other.
    across, radius, middle = {5: (216, 88, 424), 7: (211, 86, 408), 9: (224, 74, 402)}[count]
    spots = scene.around(count, 322, middle, across)
    parts = [
        _caption(position, 28, 46, 26),
        _centre(position, 322, middle, element("circle", r=across - radius - 12, class_="centre"), 3, 58, 64, 46),
    ]
    for number, (x, y) in enumerate(spots, 1):
        parts.append(_factory(position, number, x, y, radius, radius * 0.61))
    parts += [
        scene.store("bag", _("bag"), position["bag"], COLOURS, GAME, move(60, 752), 20),
        scene.store("lid", _("lid"), position["lid"], COLOURS, GAME, move(352, 752), 20),
    ]
    if len(seats) == 2:
        large = _Board(608, 51, 51, 47, 372, 23, 22)
        places = [(large, 648, 20), (large, 648, 408)]
    elif len(seats) == 3:
        large, small = _Board(608, 52, 53, 48, 394, 24, 22), _Board(296, 25.4, 26, 24, 204, 15, 12)
        places = [(large, 648, 80), (small, 648, 508), (small, 960, 508)]
    else:
        large, small = _Board(608, 51, 51, 47, 372, 23, 22), _Board(296, 25, 24, 22.5, 186, 14, 12)
        places = [(large, 648, 14), (small, 648, 400), (small, 960, 400), (small, 804, 600)]
    for seat, (board, x, y) in zip(look.seats, places, strict=True):
        parts.append(board.draw(position, seats[seat], x, y))
    return parts, width, height


@dataclass(frozen=True)
class _Tall:
    """How factories stand around the centre on a phone.

    `columns`, `rows`: where they may stand; `spots`: the column and row of each, clockwise from the upper left.
    `centre`: its middle and its size; `across`: its places in a row.
    """

    columns: tuple[float, ...]
    rows: tuple[float, ...]
    radius: float
    pitch: float
    spots: tuple[tuple[int, int], ...]
    centre: tuple[float, float, float, float]
    across: int


_TALL = {
    5: _Tall((65, 195, 325), (90, 214), 60, 42, ((0, 0), (1, 0), (2, 0), (2, 1), (0, 1)), (195, 214, 134, 116), 3),
    7: _Tall(
        columns=(65, 195, 325),
        rows=(82, 190, 298),
        radius=53,
        pitch=38,
        spots=((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (0, 2), (0, 1)),
        centre=(195, 244, 134, 206),
        across=2,
    ),
    9: _Tall(
        columns=(50, 146.6, 243.3, 340),
        rows=(78, 176, 274),
        radius=47,
        pitch=34,
        spots=((0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (2, 2), (1, 2), (0, 2)),
        centre=(144, 176, 276, 86),
        across=6,
    ),
}


def _tall(position: dict[str, Any], seats: list[Seat], look: Look) -> tuple[list[Markup], Number, Number]:
    """For a phone: the factories around the centre, the viewer's board below them, then the other boards."""
    parts = [
        _caption(position, 12, 20, 15),
        scene.small_store("bag", _("bag"), position["bag"], GAME, move(270, 20), 14),
        scene.small_store("lid", _("lid"), position["lid"], GAME, move(332, 20), 14),
    ]
    tall = _TALL[len(position["factories"])]
    x, y, width, height = tall.centre
    shape = element("rect", x=-width / 2, y=-height / 2, width=width, height=height, rx=26, class_="centre")
    parts.append(_centre(position, x, y, shape, tall.across, width / tall.across - 1, height * tall.across / 6 - 2, 36))
    for number, (column, row) in enumerate(tall.spots, 1):
        parts.append(_factory(position, number, tall.columns[column], tall.rows[row], tall.radius, tall.pitch))
    top = tall.rows[-1] + tall.radius + 12
    board = _Board(378, 34, 44, 32.5, 322, 19, 10)
    for seat in look.seats:
        parts.append(board.draw(position, seats[seat], 6, top))
        top += board.height + 12
        board = _Board(378, 32.6, 32, 30.5, 252, 17, 14)
    return parts, scene.TALL, top


def _caption(position: dict[str, Any], x: Number, y: Number, size: Number) -> Markup:
    wall = _("grey wall") if position["wall"] == "grey" else _("coloured wall")
    return scene.caption(_("Azul"), f"{say_round(position['round'])} · {wall}", x, y, size)


# --- factories and the centre ---


def _factory(position: dict[str, Any], number: int, x: Number, y: Number, radius: Number, pitch: float) -> Markup:
    held, id_ = position["factories"][number - 1], f"factory-{number}"
    parts, first = [scene.disc(radius)], 0
    scale = min(0.92 * pitch, 0.65 * radius) / 100
    for colour, count in held.items():
        spots, around = scene.quarters(first, count, pitch, max(pitch, 44))
        drawn = [
            copy(f"tile-{colour}", *spot, scale, id=f"{id_}.{colour}.{k}", class_="tile")
            for k, spot in enumerate(spots, 1)
        ]
        parts.append(place(f"{id_}.{colour}", say_tiles(colour, count, GAME), around, *drawn, class_="tiles"))
        first += count
    parts.append(words(str(number), 0, radius * 0.85, max(radius * 0.16, 10), "words", "middle"))
    return region(id_, say_held(say_factory(number), held, GAME), *parts, at=move(x, y), class_="factory")


def _centre(
    position: dict[str, Any],
    x: Number,
    y: Number,
    shape: Markup,
    columns: int,
    across: float,
    down: float,
    size: Number,
) -> Markup:
    """The centre: every colour at a place of its own, and the marker."""
    held = position["centre"]
    parts = [shape]
    rows = (len(COLOURS) + 1) // columns
    for k, colour in enumerate(("marker", *COLOURS)):
        row, column = divmod(k, columns)
        at = move((column - (columns - 1) / 2) * across, (row - (rows - 1) / 2) * down)
        around = ring(-across / 2, -down / 2, across, down, 0.2 * size)
        if colour == "marker":
            here = position["marker_in_centre"]
            shown = copy("tile-marker", scale=size / 100, class_="tile") if here else None
            parts.append(place("centre.marker", _("start marker"), shown, at=at) if here else _spot(colour, at, size))
        elif count := held.get(colour, 0):
            pile = [copy(f"tile-{colour}", scale=size / 100, class_="tile")]
            if count > 1:
                pile.append(scene.badge(count, 0.42 * size, 0.42 * size, max(0.24 * size, 9.5)))
            said = say_tiles(colour, count, GAME)
            parts.append(place(f"centre.{colour}", said, around, *pile, at=at, class_="tiles"))
        else:
            parts.append(_spot(colour, at, size))
    return region("centre", say_held(_("centre"), held, GAME), *parts, at=move(x, y))


def _spot(colour: str, at: str, size: Number) -> Markup:
    """Where tiles of a colour would lie in the centre."""
    faint = None if colour == "marker" else copy(f"thin-{colour}", scale=size / 125, class_="thin")
    return element("g", faint, id=f"centre.{colour}", transform=at)


# --- boards ---


@dataclass(frozen=True)
class _Board:
    """A board of a size: its width, the distances of tiles across and down, the tiles, its height, the name's size."""

    width: Number
    across: float
    down: float
    tile: float
    height: Number
    letters: Number
    margin: Number

    def draw(self, position: dict[str, Any], seat: Seat, x: Number, y: Number) -> Markup:
        held = position["boards"][seat.number]
        live = position["line"] if seat.turn else None
        margin = self.margin
        top = 1.95 * self.letters + self.down / 2
        wall = self.width - margin - SIZE * self.across
        lines = margin + SIZE * self.across
        parts = [seat.head(margin, self.width - margin, 1.5 * self.letters, self.letters)]
        for row in range(SIZE):
            middle = top + row * self.down
            measures = (lines, middle, self.across, self.down, self.tile)
            parts.append(scene.line(seat.id, row, held["lines"][row], GAME, *measures))
            parts.append(
                copy("arrow", (lines + wall) / 2, middle, self.tile / 200, class_="live" if live == row + 1 else "mark")
            )
        for row in range(SIZE):
            middle = top + row * self.down
            parts += self._wall_row(seat.id, row, held["wall"][row], position["wall"], wall, middle)
        floor = top + (SIZE - 0.5) * self.down
        parts.append(self._floor(seat.id, held["floor"], margin, floor))
        return seat.board(*parts, at=move(x, y), width=self.width, height=self.height)

    def _wall_row(
        self, owner: str, row: int, held: Sequence[str | None], wall: str, left: float, middle: float
    ) -> list[Markup]:
        parts = []
        for column, colour in enumerate(held):
            wanted = None if wall == "grey" else _COLOUR_AT[row][column]
            parts.append(
                place(
                    f"{owner}.wall.{row + 1}.{column + 1}",
                    say_place(say_row_column(row + 1, column + 1, GAME), colour, GAME),
                    tile(colour) if colour else well(wanted),
                    scene.RIM,
                    at=move(left + (column + 0.5) * self.across, middle, self.tile / 100),
                )
            )
        return parts

    def _floor(self, owner: str, held: Sequence[str], left: float, top: float) -> Markup:
        size = min(self.tile, 0.86 * self.down)
        pitch, bottom = size * 1.08, self.height - 0.5 * self.letters
        middle = (top + bottom) / 2
        parts = [ring(left, middle - self.down / 2, FLOOR_SPACES * pitch, self.down, 8)]
        for space in range(FLOOR_SPACES):
            colour = held[space] if space < len(held) else None
            name = say_place(
                say_space(_("floor"), space + 1), _("start marker") if colour == "marker" else colour, GAME
            )
            at = move(left + (space + 0.5) * pitch, middle, size / 100)
            parts.append(
                place(
                    f"{owner}.floor.{space + 1}",
                    name,
                    tile(colour) if colour else scene.penalty(_PENALTY[space]),
                    at=at,
                )
            )
        cost = int(PENALTIES[len(held)])
        said = _("floor: −{points}").format(points=cost) if cost else _("floor")
        if cost:
            right = left + FLOOR_SPACES * pitch + 0.6 * self.letters
            parts.append(words(f"−{cost}", right, middle + 0.32 * self.letters, 0.9 * self.letters, "loss serif"))
        return region(f"{owner}.floor", said, *parts, class_="floor")
