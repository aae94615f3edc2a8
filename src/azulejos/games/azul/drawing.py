"""Azul's table as SVG. `docs/drawing.md` has the ids of its places."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from azulejos.core.language import _
from azulejos.core.state import State
from azulejos.drawing import scene, tiles
from azulejos.drawing.keeping import kept
from azulejos.drawing.scene import Drawn, Look, Part, Picture, Seat, place, region, ring, tile, well
from azulejos.drawing.svg import Markup, Number, copy, element, join, move, words
from azulejos.drawing.words import (
    say_factory,
    say_held,
    say_place,
    say_round,
    say_row_column,
    say_tiles,
)

from .encoding import CENTRE, TILE
from .position import FLOOR_TILES, counts, floor_tiles, wall_colours
from .tables import COLOUR_AT, COLOURS, FACTORIES, FLOOR_SPACES, PENALTIES, SIZE

GAME = "azul"
_COSTS = tuple(PENALTIES.tolist())
_COLOUR_AT = [[COLOURS[colour] for colour in row] for row in COLOUR_AT]


def picture(state: State, **how: Any) -> Picture:
    layouts = {"wide": _wide, "broad": _broad, "upright": _upright, "low": _low, "tall": _tall}
    return scene.compose(state, how, _("Azul"), layouts, _definitions())


@cache
def _definitions() -> Markup:
    arrow = element("path", d="M-16 -24L20 0L-16 24Z", id="arrow")
    return join(tiles.definitions(COLOURS, "square"), arrow)


# --- the layouts ---


def _wide(position: State, seats: list[Seat], look: Look) -> Drawn:
    """The factories on the left, two boards on the right; with more players see `_columns`."""
    width, height = scene.WIDE
    if len(seats) > 2:
        return _columns(position, seats, look, 0.83 * width, 0.83 * height)  # larger letters: beside an open log
    parts: list[Part] = [_caption(position, 28, 46, 26), *_ring(position, 322, 424, 216, 216, 88)]
    parts += [
        *_stores(position, scene.store, (60, 752), (352, 752), 20),
    ]
    return parts + _stacked(position, seats, look, _LARGE, 648, 20, 16), width, height


def _broad(position: State, seats: list[Seat], look: Look) -> Drawn:
    """Like `_wide`, where there is less height: captions and counts stand in the corners that the ring leaves."""
    width, height = scene.BROAD
    if len(seats) > 2:
        return _columns(position, seats, look, width, height)
    parts: list[Part] = [
        _caption(position, 14, 30, 24, below=True),
        *_ring(position, 354, 334, 255, 232, 98),
        *_stores(position, scene.corner_store, (6, 550), (604, 550), 15),
    ]
    return parts + _stacked(position, seats, look, _fitted(560, 308), 714, 4, 6), width, height


def _stacked(
    position: State, seats: list[Seat], look: Look, board: "_Board", x: Number, y: Number, gap: Number
) -> list[Part]:
    """The boards, one below the other."""
    return [board.draw(position, seats[seat], x, y + k * (board.height + gap)) for k, seat in enumerate(look.seats)]


def _columns(position: State, seats: list[Seat], look: Look, width: Number, height: Number) -> Drawn:
    """Three or four players: the factories above the viewer's board, the others' boards in a column on the right."""
    others = len(seats) - 1
    aside, band = 0.256 * width, 0.5 * height
    room = width - aside - 20
    radius = min(0.078 * room, 0.235 * band)
    parts: list[Part] = [*_rows(position, 8, 8, room, radius)]
    left = 196
    parts += [
        _caption(position, 14, band + 40, 24, below=True),
        *_stores(position, scene.corner_store, (14, height - 220), (14, height - 112), 18),
    ]
    mine = _fitted(room - left, height - band - 10)
    parts.append(mine.draw(position, seats[look.seats[0]], 8 + left, band + 4))
    each = (height - 8 - 6 * (others - 1)) / others
    small = _fitted(aside, min(each, 0.72 * aside))
    for k, seat in enumerate(look.seats[1:]):
        parts.append(
            small.draw(position, seats[seat], width - aside - 6, 4 + k * (each + 6) + (each - small.height) / 2)
        )
    return parts, width, height


def _upright(position: State, seats: list[Seat], look: Look) -> Drawn:
    """The factories in rows, below them the viewer's board, then the others'."""
    width, height = scene.UPRIGHT
    parts: list[Part] = [
        _caption(position, 16, 30, 24),
        *_stores(position, scene.store, (402, 22), (614, 22), 17),
    ]
    parts += _rows(position, 8, 48, width - 16, 77)
    top = 370
    if len(seats) == 2:
        return parts + _stacked(position, seats, look, _fitted(808, 346), 6, top, 10), width, height
    mine = _fitted(808, 330 if len(seats) == 3 else 270)
    parts.append(mine.draw(position, seats[look.seats[0]], 6, top))
    top += int(mine.height) + 10
    small = _fitted(400, height - top - 8 if len(seats) == 3 else (height - top - 16) / 2)
    for k, seat in enumerate(look.seats[1:]):
        x = 210 if k == 2 else 6 + 408 * k
        parts.append(small.draw(position, seats[seat], x, top + k // 2 * (small.height + 8)))
    return parts, width, height


def _low(position: State, seats: list[Seat], look: Look) -> Drawn:
    """For a phone on its side: the factories beside the viewer's board; below them the other boards."""
    parts: list[Part] = [
        _caption(position, 8, 18, 15),
        *_stores(position, scene.small_store, (232, 18), (286, 18), 14),
        *_grid(position, _LOW[_count(position)]),
    ]
    board = _fitted(500, scene.LOW_SCREEN - 6)
    parts.append(board.draw(position, seats[look.seats[0]], 340, 3))
    top, small = scene.LOW_SCREEN + 6, _fitted(414, 262)
    for k, seat in enumerate(look.seats[1:]):
        alone = k == len(seats) - 2 and k % 2 == 0
        x = 215 if alone else 4 + 422 * (k % 2)
        parts.append(small.draw(position, seats[seat], x, top + k // 2 * (small.height + 8)))
    return parts, scene.LOW, top + len(seats) // 2 * (small.height + 8)


def _on_factories(fields: Any) -> tuple[int, ...]:
    """The tiles in the centre and on the factories, the marker, and how many play."""
    return *fields.source, fields.marker, fields.players


@kept(lambda position, *how: (*_on_factories(position.fields), how))
def _ring(position: State, x: Number, y: Number, across: Number, down: Number, radius: Number) -> tuple[Markup, ...]:
    """The factories in a ring around the centre."""
    shape = _centre_shape(down - radius - 12)
    parts = [_centre(position, x, y, shape, 3, 60, 66, 48)]
    for number, spot in enumerate(scene.around(_count(position), x, y, across, down), 1):
        parts.append(_factory(position, number, *spot, radius, radius * 0.61))
    return tuple(parts)


@kept(lambda position, *how: (*_on_factories(position.fields), how))
def _rows(position: State, left: Number, top: Number, width: Number, radius: float) -> tuple[Markup, ...]:
    """The factories in two rows, clockwise from the upper left: five, then the others around the centre."""
    count = _count(position)
    pitch, down = width / 5, 2 * radius + 8
    columns = {5: (), 7: (4, 0), 9: (4, 3.05, 0.95, 0)}[count]
    spots = [(k, 0) for k in range(5)] + [(column, 1) for column in columns]
    parts = []
    room = {5: 3.0, 7: 2.9, 9: 1.02}[count] * pitch
    shape = _centre_shape(room, 2 * radius - 4)
    across, each = (3, min(room / 3, 56)) if count == 9 else (6, min(room / 6, 90))
    middle = top + radius + down
    size = min(48, 0.62 * radius)
    parts.append(_centre(position, left + width / 2, middle, shape, across, each, radius * 0.92, size))
    for number, (column, row) in enumerate(spots, 1):
        x, y = left + (column + 0.5) * pitch, top + radius + row * down
        parts.append(_factory(position, number, x, y, radius, radius * 0.61))
    return tuple(parts)


@dataclass(frozen=True, eq=False)
class _Grid:
    """How factories stand around the centre on a phone, in a grid.

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


# The spots by the number of factories: 5 and 7 in three columns, 9 in four columns or in four rows.
_FIVE = ((0, 0), (1, 0), (2, 0), (2, 1), (0, 1))
_SEVEN = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (0, 2), (0, 1))
_NINE_ACROSS = ((0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (2, 2), (1, 2), (0, 2))
_NINE_DOWN = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (2, 3), (0, 3), (0, 2), (0, 1))
_TALL = {
    5: _Grid((65, 195, 325), (90, 214), 60, 42, _FIVE, (195, 214, 134, 116), 3),
    7: _Grid((65, 195, 325), (82, 190, 298), 53, 38, _SEVEN, (195, 244, 134, 206), 2),
    9: _Grid((50, 146.6, 243.3, 340), (78, 176, 274), 47, 34, _NINE_ACROSS, (144, 176, 276, 86), 6),
}
_LOW = {
    5: _Grid((56, 166, 276), (92, 230), 54, 38, _FIVE, (166, 230, 108, 124), 2),
    7: _Grid((54, 166, 278), (78, 180, 282), 50, 36, _SEVEN, (166, 231, 108, 200), 2),
    9: _Grid((54, 166, 278), (66, 144, 222, 300), 39, 34, _NINE_DOWN, (166, 222, 112, 228), 2),
}


@kept(lambda position, *how: (*_on_factories(position.fields), how))
def _grid(position: State, grid: _Grid) -> tuple[Markup, ...]:
    x, y, width, height = grid.centre
    shape = _centre_shape(width, height)
    rows = -(-6 // grid.across)
    parts = [_centre(position, x, y, shape, grid.across, width / grid.across - 1, height / rows - 2, 36)]
    for number, (column, row) in enumerate(grid.spots, 1):
        parts.append(_factory(position, number, grid.columns[column], grid.rows[row], grid.radius, grid.pitch))
    return tuple(parts)


def _tall(position: State, seats: list[Seat], look: Look) -> Drawn:
    """For a phone: the factories around the centre, the viewer's board below them, then the other boards."""
    parts: list[Part] = [
        _caption(position, 12, 20, 15),
        *_stores(position, scene.small_store, (270, 20), (332, 20), 14),
    ]
    tall = _TALL[_count(position)]
    parts += _grid(position, tall)
    top = tall.rows[-1] + tall.radius + 12
    board = _OWN
    for seat in look.seats:
        parts.append(board.draw(position, seats[seat], 6, top))
        top += board.height + 12
        board = _OTHER
    return parts, scene.TALL, top


@kept(lambda position, *how, below=False: (position.fields.round_no, position.fields.grey, how, below))
def _caption(position: State, x: Number, y: Number, size: Number, below: bool = False) -> Markup:
    wall = _("grey wall") if position.fields.grey else _("coloured wall")
    return scene.caption(_("Azul"), f"{say_round(position.fields.round_no)} · {wall}", x, y, size, below)


@kept(lambda position, *how: (position.fields.bag, position.fields.lid, how))
def _stores(
    position: State,
    draw: Callable[..., Markup],
    bag: tuple[Number, Number],
    lid: tuple[Number, Number],
    size: Number,
) -> tuple[Markup, Markup]:
    """The bag and the lid, at their places."""
    colours = () if draw is scene.small_store else (COLOURS,)
    return (
        draw("bag", _("bag"), counts(position.fields.bag), *colours, GAME, move(*bag), size),
        draw("lid", _("lid"), counts(position.fields.lid), *colours, GAME, move(*lid), size),
    )


# --- factories and the centre ---


def _count(position: State) -> int:
    """How many factories there are."""
    return FACTORIES[position.fields.players]


@kept(lambda position, number, *how: (position.fields.source[number], number, how))
def _factory(position: State, number: int, x: Number, y: Number, radius: Number, pitch: float) -> Markup:
    held, id_ = counts(position.fields.source[number]), f"factory-{number}"
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
    low = (0.85 if radius > 60 else 0.92) * radius
    if low - 9 > 0.96 * pitch:
        parts.append(words(str(number), 0, low, max(radius * 0.17, 1.03 * scene.LEGIBLE), "words", "middle"))
    return region(id_, say_held(say_factory(number), held, GAME), *parts, at=move(x, y), class_="factory")


@kept(lambda position, *how: (position.fields.source[CENTRE], position.fields.marker, how))
def _centre(
    position: State,
    x: Number,
    y: Number,
    shape: Markup,
    columns: int,
    across: float,
    down: float,
    size: Number,
) -> Markup:
    """The centre: every colour at a place of its own, and the marker."""
    held = counts(position.fields.source[CENTRE])
    parts = [shape]
    rows = (len(COLOURS) + 1) // columns
    for k, colour in enumerate(("marker", *COLOURS)):
        row, column = divmod(k, columns)
        at = (column - (columns - 1) / 2) * across, (row - (rows - 1) / 2) * down
        count = position.fields.marker if colour == "marker" else held.get(colour, 0)
        parts.append(_spot(colour, count, at, across, down, size))
    return region("centre", say_held(_("centre"), held, GAME), *parts, at=move(x, y))


@kept()
def _spot(colour: str, count: int, spot: tuple[float, float], across: float, down: float, size: Number) -> Markup:
    """The place in the centre for the tiles of a colour, or for the marker."""
    id_, at = f"centre.{colour}", move(*spot)
    if not count:
        faint = None if colour == "marker" else copy(f"thin-{colour}", scale=size / 125, class_="thin")
        return element("g", faint, id=id_, transform=at)
    pile = [copy(f"tile-{colour}", scale=size / 100, class_="tile")]
    if colour == "marker":
        return place(id_, _("start marker"), *pile, at=at)
    if count > 1:
        pile.append(scene.badge(count, 0.42 * size, 0.42 * size, max(0.28 * size, 11)))
    around = ring(-across / 2, -down / 2, across, down, 0.2 * size)
    return place(id_, say_tiles(colour, count, GAME), around, *pile, at=at, class_="tiles")


@cache
def _centre_shape(width: Number, height: Number | None = None) -> Markup:
    """A rectangle, or a circle of a radius."""
    if height is None:
        return element("circle", r=width, class_="centre")
    return element("rect", x=-width / 2, y=-height / 2, width=width, height=height, rx=26, class_="centre")


# --- boards ---


@cache
def _fitted(width: Number, height: Number) -> "_Board":
    """A board that fills a rectangle, its name in the corner."""
    margin = min(max(0.03 * width, 9), 18)
    down = (height - 1.2 * margin) / (SIZE + 1.1)
    across = min((width - 2 * margin) / (2 * SIZE + 0.7), 1.16 * down)
    down = min(down, 1.4 * across)
    return _Board(width, across, down, 0.93 * min(across, down), height, min(max(0.44 * across, 14), 22), margin, True)


def _held(fields: Any, seat: int) -> tuple[object, ...]:
    """What lies on a board: the colours and the numbers of the tiles in its lines, its wall, its floor."""
    lines = fields.line_colour[seat], fields.line_count[seat]
    return *lines[0], *lines[1], *fields.wall[seat], fields.grey, fields.floor[seat]


@dataclass(frozen=True, eq=False)
class _Board:
    """A board of a size: its width, the distances of tiles across and down, the tiles, its height, the name's size."""

    width: Number
    across: float
    down: float
    tile: float
    height: Number
    letters: Number
    margin: Number
    corner: bool = False  # the name stands in the corner that the lines leave

    def draw(self, position: State, seat: Seat, x: Number, y: Number) -> Part:
        number, margin = seat.number, self.margin
        live = position.fields.row + 1 if seat.turn and position.fields.phase == TILE else None
        wall = self.width - margin - SIZE * self.across
        if self.corner:
            top, lines = 0.7 * margin + self.down / 2, wall - 0.7 * self.across
            left = max(margin, lines - SIZE * self.across)
            room = lines - self.across - 1.5 * margin
            head = seat.corner(margin, 0.8 * margin, room, self.letters)
        else:
            top, lines, left = 1.95 * self.letters + self.down / 2, margin + SIZE * self.across, margin
            head = seat.head(margin, self.width - margin, 1.5 * self.letters, self.letters)
        inside = self._inside(position, number, live, left, lines, wall, top)
        return seat.board(head, inside, at=(x, y), width=self.width, height=self.height)

    @kept(lambda board, position, seat, *how: (board, *_held(position.fields, seat), seat, how))
    def _inside(
        self, position: State, seat: int, live: int | None, left: float, lines: float, wall: float, top: float
    ) -> tuple[Markup, ...]:
        return (
            *self._lines(position, seat, live, lines, wall, top),
            *self._wall(position, seat, wall, top),
            self._floor(position, seat, left, top + (SIZE - 0.5) * self.down),
        )

    def _lines(
        self, position: State, seat: int, live: int | None, right: float, wall: float, top: float
    ) -> list[Markup]:
        """The pattern lines, each with the arrow between it and the wall."""
        held = zip(position.fields.line_colour[seat], position.fields.line_count[seat], strict=True)
        return [
            self._line(seat, row, COLOURS[colour] if tiles else None, tiles, live == row + 1, right, wall, top)
            for row, (colour, tiles) in enumerate(held)
        ]

    @kept()
    def _line(
        self, seat: int, row: int, colour: str | None, tiles: int, live: bool, right: float, wall: float, top: float
    ) -> Markup:
        middle = top + row * self.down
        measures = right, middle, self.across, self.down, self.tile
        arrow = copy("arrow", (right + wall) / 2, middle, self.tile / 200, class_="live" if live else "mark")
        return join(scene.line(f"seat-{seat}", row, colour, tiles, GAME, *measures), arrow)

    @kept(lambda board, position, seat, *how: (board, *position.fields.wall[seat], position.fields.grey, seat, how))
    def _wall(self, position: State, seat: int, left: float, top: float) -> list[Markup]:
        rows, grey = enumerate(wall_colours(*position.fields.wall[seat])), position.fields.grey
        return [self._wall_row(seat, row, held, grey, left, top + row * self.down) for row, held in rows]

    @kept()
    def _wall_row(
        self, seat: int, row: int, held: Sequence[int | None], grey: bool, left: float, middle: float
    ) -> Markup:
        parts = []
        for column, held_there in enumerate(held):
            colour = None if held_there is None else COLOURS[held_there]
            wanted = None if grey else _COLOUR_AT[row][column]
            parts.append(
                place(
                    f"seat-{seat}.wall.{row + 1}.{column + 1}",
                    say_place(say_row_column(row + 1, column + 1, GAME), colour, GAME, wanted),
                    tile(colour) if colour else well(wanted),
                    scene.RIM,
                    at=move(left + (column + 0.5) * self.across, middle, self.tile / 100),
                )
            )
        return join(*parts)

    @kept(lambda board, position, seat, *how: (board, position.fields.floor[seat], seat, how))
    def _floor(self, position: State, seat: int, left: float, top: float) -> Markup:
        owner, held = f"seat-{seat}", tuple(FLOOR_TILES[tile] for tile in floor_tiles(position.fields, seat))
        size = min(self.tile, 0.86 * self.down)
        pitch, bottom = size * 1.08, self.height - 0.5 * self.letters
        middle = (top + bottom) / 2
        parts = [ring(left, middle - self.down / 2, FLOOR_SPACES * pitch, self.down, 8)]
        parts += scene.penalty_spaces(f"{owner}.floor", _("floor"), held, _COSTS, left, middle, size, GAME)
        cost = int(PENALTIES[len(held)])
        said = _("floor: −{points}").format(points=cost) if cost else _("floor")
        if cost:
            right = left + FLOOR_SPACES * pitch + 0.6 * self.letters
            parts.append(words(f"−{cost}", right, middle + 0.32 * self.letters, 0.9 * self.letters, "sum loss serif"))
        return region(f"{owner}.floor", said, *parts, class_="floor")


_LARGE = _Board(608, 51, 51, 47, 372, 23, 22)
_OWN, _OTHER = _Board(378, 34, 44, 32.5, 322, 19, 10), _Board(378, 32.6, 32, 30.5, 252, 17, 14)  # on phones
