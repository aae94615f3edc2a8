"""Summer Pavilion's table as SVG. `docs/drawing.md` has the ids of its places."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from azulejos.core.language import _
from azulejos.core.state import State
from azulejos.drawing import scene, tiles
from azulejos.drawing.keeping import kept
from azulejos.drawing.scene import Drawn, Look, Part, Picture, Seat, place, region, ring, towards
from azulejos.drawing.svg import Markup, Number, copy, element, join, move, number, words
from azulejos.drawing.words import say_factory, say_held, say_place, say_round, say_tiles

from . import notation
from .encoding import CENTRE, ENDED, KEEP
from .position import colours_of, counts
from .tables import (
    BORDERS,
    CENTRAL,
    COLOURS,
    FACTORIES,
    MOST_KEPT,
    MULTICOLOURED,
    NUMBER_BONUS,
    NUMBERS,
    ORNAMENT_TILES,
    ORNAMENTS,
    POINTS,
    POSITION_AT,
    STAR_BONUS,
    STAR_NAMES,
    STARS,
    SUPPLY_SPACES,
)

GAME = "pavilion"
RULES = notation.RULES
_NUMBERS = NUMBERS.tolist()
_TURN = 60  # degrees from one rhombus of a star to the next
_LONG = math.sqrt(3)  # of a rhombus whose side is 1: from tip to tip
_ACROSS, _DOWN = 9.5, 5 * _LONG  # the size of a field of stars whose rhombi have sides of 1, windows included


def picture(state: State, **how: Any) -> Picture:
    layouts = {"wide": _wide, "broad": _broad, "upright": _upright, "low": _low, "tall": _tall}
    return scene.compose(state, how, _("Summer Pavilion"), layouts, _definitions())


# --- the layouts ---


def _wide(position: State, seats: list[Seat], look: Look) -> Drawn:
    """The factories and the supply on the left, the boards on the right."""
    width, height = scene.WIDE
    count = _count(position)
    across, radius, middle = {5: (160, 80, 326), 7: (168, 70, 316), 9: (180, 60, 312)}[count]
    parts: list[Part] = [
        scene.caption(_("Summer Pavilion"), say_round(position.fields.round_no), 28, 40, 24, below=True),
        _wild(position, 366, 44, 50),
        _centre(position, 258, middle, across - radius - 8),
    ]
    for factory, (x, y) in enumerate(scene.around(count, 258, middle, across), 1):
        parts.append(_factory(position, factory, x, y, radius))
    parts += [
        _supply(position, 28, 640, 46, 70),
        _store(position, scene.corner_store, "bag", (60, 700), 19),
        _store(position, scene.corner_store, "tower", (310, 700), 19),
    ]
    large = _Board(742, 382, 41.5)
    places: list[tuple[_Board | _Small, Number, Number]]
    if len(seats) == 2:
        places = [(large, 520, 12), (large, 520, 406)]
    elif len(seats) == 3:
        small: _Board | _Small = _Small(363, 376, 33)
        places = [(large, 520, 12), (small, 520, 410), (small, 899, 410)]
    else:
        small = _Small(239, 344, 24.5)
        places = [(_Board(742, 410, 44), 520, 12), (small, 520, 440), (small, 771.5, 440), (small, 1023, 440)]
    for seat, (board, x, y) in zip(look.seats, places, strict=True):
        parts.append(board.draw(position, seats[seat], x, y))
    return parts, width, height


def _broad(position: State, seats: list[Seat], look: Look) -> Drawn:
    """The factories and the supply on the left; the boards beside each other, or the viewer's and smaller ones."""
    width, height = scene.BROAD
    large = _Small(412, 620, 42.2, 66, 2)
    places: list[tuple[_Board | _Small, Number, Number]]
    if len(seats) == 2:
        parts: list[Part] = [
            scene.caption(_("Summer Pavilion"), say_round(position.fields.round_no), 14, 28, 22, below=True),
            _wild(position, 306, 32, 48),
            _centre(position, 220, 256, 70),
            _supply(position, 12, 496, 42, 64),
            _store(position, scene.corner_store, "bag", (40, 544), 17),
            _store(position, scene.corner_store, "tower", (258, 544), 17),
        ]
        for factory, (x, y) in enumerate(scene.around(5, 220, 256, 146), 1):
            parts.append(_factory(position, factory, x, y, 70))
        places = [(large, 446, 4), (large, 864, 4)]
    else:
        parts = [
            scene.caption(_("Summer Pavilion"), say_round(position.fields.round_no), 10, 26, 20, below=True),
            _wild(position, 166, 56, 44),
            *_grid(position, 6, 84, 284, 3),
            _supply(position, 8, height - 68, 56.5, 58, 2),
        ]
        if len(seats) == 3:
            small: _Board | _Small = _Board(566, 307, 33)
            places = [(large, 296, 4), (small, 714, 4), (small, 714, 317)]
        else:
            small = _Small(279, 307, 27)
            places = [(large, 296, 4), (small, 714, 4), (small, 1000, 4), (small, 714, 317)]
        spots, size = (((1040, 360), (1040, 510)), 24) if len(seats) == 4 else (((20, 398), (160, 398)), 16)
        for name, spot in zip(("bag", "tower"), spots, strict=True):
            parts.append(_store(position, scene.corner_store, name, spot, size))
    for seat, (board, x, y) in zip(look.seats, places, strict=True):
        parts.append(board.draw(position, seats[seat], x, y))
    return parts, width, height


def _upright(position: State, seats: list[Seat], look: Look) -> Drawn:
    """The factories in rows, below them the viewer's board, then the others'."""
    width, height = scene.UPRIGHT
    count = _count(position)
    rows, radius = {5: (1, 74), 7: (1, 56), 9: (2, 60)}[count]
    across = -(-count // rows)
    parts: list[Part] = [
        scene.caption(_("Summer Pavilion"), say_round(position.fields.round_no), 14, 28, 21, below=True),
        _wild(position, 242, 32, 48),
        _store(position, scene.store, "bag", (368, 30), 17),
        _store(position, scene.store, "tower", (596, 30), 17),
    ]
    for factory in range(count):
        row, column = divmod(factory, across)
        here = min(across, count - row * across)
        x = width / 2 + (column - (here - 1) / 2) * (width - 8) / across
        parts.append(_factory(position, factory + 1, x, 66 + radius + row * (2 * radius + 6), radius))
    top = 66 + rows * (2 * radius + 6) + 38
    parts.append(_centre_row(position, 206, top, 396, 72))
    parts.append(_supply(position, 412, top, 40, 60))
    top += 44
    if len(seats) == 2:
        board = _Board(808, (height - top - 14) / 2, 42)
        for k, seat in enumerate(look.seats):
            parts.append(board.draw(position, seats[seat], 6, top + k * (board.height + 8)))
        return parts, width, height
    mine = _Board(808, 392 if len(seats) == 3 else 356, 42.5 if len(seats) == 3 else 39)
    parts.append(mine.draw(position, seats[look.seats[0]], 6, top))
    top += int(mine.height) + 8
    small = _Small(400, height - top - 6, 38) if len(seats) == 3 else _Small(264, height - top - 6, 26.6)
    for k, seat in enumerate(look.seats[1:]):
        parts.append(small.draw(position, seats[seat], 6 + k * (small.width + 8), top))
    return parts, width, height


def _low(position: State, seats: list[Seat], look: Look) -> Drawn:
    """For a phone on its side: the factories and the supply beside the viewer's board; below them the other boards."""
    parts: list[Part] = [
        scene.caption(_("Pavilion"), say_round(position.fields.round_no), 6, 18, 14),
        _store(position, scene.small_store, "bag", (204, 18), 13),
        _store(position, scene.small_store, "tower", (252, 18), 13),
        *_grid(position, 4, 25, 284, 3 if _count(position) == 5 else 4),
        _supply(position, 4, scene.LOW_SCREEN - 53, 57, 46, 2),
    ]
    parts.append(_Board(544, scene.LOW_SCREEN - 6, 36.4, 3).draw(position, seats[look.seats[0]], 297, 3))
    parts.append(_wild(position, 134, 13, 22))
    top, small = scene.LOW_SCREEN + 6, _Board(414, 300, 27, 3)
    for k, seat in enumerate(look.seats[1:]):
        alone = k == len(seats) - 2 and k % 2 == 0
        x = 215 if alone else 4 + 422 * (k % 2)
        parts.append(small.draw(position, seats[seat], x, top + k // 2 * (small.height + 8)))
    return parts, scene.LOW, top + len(seats) // 2 * (small.height + 8)


def _grid(position: State, left: Number, top: Number, width: Number, columns: int) -> list[Markup]:
    """The factories in rows, and the centre after the last of them."""
    count, pitch = _count(position), width / columns
    radius = pitch / 2 - 1.5
    parts = []
    for factory in range(count):
        row, column = divmod(factory, columns)
        x, y = left + (column + 0.5) * pitch, top + (row + 0.5) * pitch
        parts.append(_factory(position, factory + 1, x, y, radius, scene.wedge))
    row, column = divmod(count, columns)
    room = width - column * pitch
    x, y = left + width - room / 2, top + (row + 0.5) * pitch
    if room < 1.5 * pitch:
        parts.append(_centre(position, x, y, radius))
    else:
        parts.append(_centre_row(position, x, y, room - 4, min(pitch - 6, 62)))
    return parts


@dataclass(frozen=True)
class _Tall:
    """How factories stand on a phone, clockwise from the upper left, and where the centre lies: around its middle, or
    in a row with that width and height."""

    spots: tuple[tuple[float, float], ...]
    radius: float
    centre: tuple[float, ...]
    bottom: float


_TALL = {
    5: _Tall(((65, 74), (195, 74), (325, 74), (325, 169), (65, 169)), 46, (195, 169, 49), 219),
    7: _Tall(
        spots=((50, 75), (146.6, 75), (243.3, 75), (340, 75), (340, 171), (243.3, 171), (50, 171)),
        radius=47,
        centre=(146.6, 171, 48),
        bottom=221,
    ),
    9: _Tall(
        spots=((39, 65), (117, 65), (195, 65), (273, 65), (351, 65), (312, 142), (234, 142), (156, 142), (78, 142)),
        radius=38.5,
        centre=(195, 208, 378, 46),
        bottom=233,
    ),
}


def _tall(position: State, seats: list[Seat], look: Look) -> Drawn:
    """For a phone: the factories and the centre, the supply, the viewer's board, then the other boards."""
    tall = _TALL[_count(position)]
    parts: list[Part] = [
        scene.caption(_("Pavilion"), say_round(position.fields.round_no), 10, 20, 14),
        _store(position, scene.small_store, "bag", (288, 20), 13),
        _store(position, scene.small_store, "tower", (340, 20), 13),
        _centre(position, *tall.centre) if len(tall.centre) == 3 else _centre_row(position, *tall.centre),
    ]
    for factory, (x, y) in enumerate(tall.spots, 1):
        parts.append(_factory(position, factory, x, y, tall.radius, scene.wedge))
    parts.append(_wild(position, 160, 15, 26))
    parts.append(_supply(position, 6, tall.bottom + 26, 37.8, 48))
    top = tall.bottom + 55
    board = _Small(378, 446, 38.6, 60, 4)
    for seat in look.seats:
        parts.append(board.draw(position, seats[seat], 6, top))
        top += board.height + 10
        board = _Small(378, 390, 32, bonuses=4)
    return parts, scene.TALL, top


def _count(position: State) -> int:
    """How many factories there are."""
    return FACTORIES[position.fields.players]


def _wild_colour(position: State) -> str:
    return COLOURS[RULES.wild_colour(position.fields)]


@kept(lambda position, draw, name, *how: (getattr(position.fields, name), draw, name, how))
def _store(position: State, draw: Callable[..., Markup], name: str, at: tuple[Number, Number], size: Number) -> Markup:
    """The bag or the tower."""
    word, colours = _("bag") if name == "bag" else _("tower"), () if draw is scene.small_store else (COLOURS,)
    return draw(name, word, counts(getattr(position.fields, name)), *colours, GAME, move(*at), size)


@kept(lambda position, *how: (position.fields.round_no, how))
def _wild(position: State, x: Number, y: Number, size: Number) -> Markup:
    """The wild colours of the six rounds: the present one large, in an ochre frame; those that are over faded."""
    now = _wild_colour(position)
    parts, at = [], 0.0
    for k, colour in enumerate(COLOURS):
        over, present = k + 1 < position.fields.round_no, colour == now
        if present:
            at += 0.25 * size
            frame = {"x": at - 0.4 * size, "y": -0.56 * size, "width": 0.8 * size, "height": 1.12 * size}
            parts.append(element("rect", **frame, rx=0.2 * size, class_="board turn"))
        scale = (0.95 * size if present else 0.56 * size) / 100
        parts.append(copy(f"tile-{colour}", at, 0, scale, class_="faded" if over else "tile"))
        at += (0.66 if present else 0.36) * size
    return place("wild", _("wild colour: {colour}").format(colour=_(now, GAME)), *parts, at=move(x, y), class_="wild")


# --- factories, the centre, the supply ---


@kept(lambda position, factory, *how: (position.fields.source[factory], factory, how))
def _factory(
    position: State,
    factory: int,
    x: Number,
    y: Number,
    radius: float,
    part: Callable[[float, float, float], Markup] = scene.sector,
) -> Markup:
    """Four rhombi that make a large one. `part`: where a pointer finds some of them."""
    held, id_ = counts(position.fields.source[factory]), f"factory-{factory}"
    parts, first = [scene.disc(radius)], 0
    pitch = radius * 0.54  # a side of a tile
    for colour, count in held.items():
        spots, around = scene.slanted_quarters(first, count, pitch)
        drawn = [
            copy(f"tile-{colour}", *spot, pitch * _LONG / 104, id=f"{id_}.{colour}.{k}", class_="tile")
            for k, spot in enumerate(spots, 1)
        ]
        hit = part(radius, 90 * first - 45, 90 * count)
        parts.append(place(f"{id_}.{colour}", say_tiles(colour, count, GAME), hit, around, *drawn, class_="tiles"))
        first += count
    corner = 0.66 * radius
    parts.append(words(str(factory), corner, corner + 4, min(max(0.25 * radius, scene.LEGIBLE), 15), "words", "middle"))
    return region(id_, say_held(say_factory(factory), held, GAME), *parts, at=move(x, y), class_="factory")


@kept(lambda position, *how: (position.fields.source[CENTRE], position.fields.token, how))
def _centre(position: State, x: Number, y: Number, radius: float) -> Markup:
    """The centre is a star: every colour has its rhombus, and the token lies in the middle."""
    held = counts(position.fields.source[CENTRE])
    inner = 0.2 * radius
    length = 0.94 * radius - inner
    parts = [element("circle", r=radius, class_="centre")]
    for k, colour in enumerate(COLOURS):
        id_, degrees, count = f"centre.{colour}", k * _TURN, held.get(colour, 0)
        spot = (*towards(degrees, inner + length / 2), length / 100, degrees)
        if not count:
            faint = join(copy("well", class_="well"), copy(f"thin-{colour}", class_="thin"))
            parts.append(element("g", faint, id=id_, transform=move(*spot)))
            continue
        pile = [copy(f"tile-{colour}", *spot, class_="tile"), copy("rim", *spot, class_="ring")]
        if count > 1:
            pile.append(scene.badge(count, *towards(degrees, radius * 0.9), max(0.13 * radius, 11)))
        hit = scene.sector(radius, degrees - 30, _TURN)
        parts.append(place(id_, say_tiles(colour, count, GAME), hit, *pile, class_="tiles"))
    if position.fields.token:
        token = copy("tile-marker", scale=max(0.0042 * radius, 0.24), class_="tile")
        parts.append(place("centre.token", _("start token"), token))
    return region("centre", say_held(_("centre"), held, GAME), *parts, at=move(x, y))


@kept(lambda position, *how: (position.fields.source[CENTRE], position.fields.token, how))
def _centre_row(position: State, x: Number, y: Number, width: float, height: float) -> Markup:
    """The centre where there is more room across than down: every colour at its place, and the token."""
    held, pitch = counts(position.fields.source[CENTRE]), width / (len(COLOURS) + 1)
    parts = [element("rect", x=-width / 2, y=-height / 2, width=width, height=height, rx=26, class_="centre")]
    for k, colour in enumerate(COLOURS, 1):
        id_, count = f"centre.{colour}", held.get(colour, 0)
        at = move((k + 0.5) * pitch - width / 2, 0)
        shown = copy(
            f"tile-{colour}" if count else f"thin-{colour}", scale=0.0084 * height, class_="tile" if count else "thin"
        )
        if not count:
            parts.append(element("g", shown, id=id_, transform=at))
            continue
        mark = scene.badge(count, 0.3 * pitch, 0.24 * height, 11) if count > 1 else None
        around = ring(-pitch / 2, -height / 2, pitch, height, 10)
        parts.append(place(id_, say_tiles(colour, count, GAME), around, shown, mark, at=at, class_="tiles"))
    if position.fields.token:
        token = copy("tile-marker", scale=0.006 * height, class_="tile")
        parts.append(place("centre.token", _("start token"), token, at=move(pitch / 2 - width / 2, 0)))
    return region("centre", say_held(_("centre"), held, GAME), *parts, at=move(x, y))


@kept(lambda position, *how: (position.fields.supply, how))
def _supply(position: State, x: Number, y: Number, pitch: float, length: float, rows: int = 1) -> Markup:
    """Ten spaces in a row, the tiles of a colour side by side; one that lies alone has room for a finger."""
    if rows > 1:
        return _supply_in_rows(position, x, y, pitch, length, rows)
    held, scale, high = counts(position.fields.supply), length / 100, length + 6
    alone, room = list(held.values()).count(1), max(pitch, scene.FINGER)
    close = (SUPPLY_SPACES * pitch - alone * room) / (SUPPLY_SPACES - alone)  # from tile to tile, else
    parts = [element("rect", y=-high / 2, width=SUPPLY_SPACES * pitch, height=high, rx=14, class_="centre")]
    left = 0.0
    for colour, count in held.items():
        across = room if count == 1 else close
        spots = [left + (k + 0.5) * across for k in range(count)]
        drawn = [
            copy(f"tile-{colour}", spot, 0, scale, id=f"supply.{colour}.{k}", class_="tile")
            for k, spot in enumerate(spots, 1)
        ]
        around = ring(left, 1 - high / 2, count * across, high - 2, 10)
        parts.append(place(f"supply.{colour}", say_tiles(colour, count, GAME), around, *drawn, class_="tiles"))
        left += count * across
    for k in range(SUPPLY_SPACES - sum(held.values())):
        parts.append(copy("well", left + (k + 0.5) * close, 0, scale, class_="well"))
    if pitch > 40:
        parts.append(words(_("supply"), 2, -high / 2 - 8, 15))
    return region("supply", say_held(_("supply"), held, GAME), *parts, at=move(x, y))


def _supply_in_rows(position: State, x: Number, y: Number, pitch: float, length: float, rows: int) -> Markup:
    """Ten spaces in rows, in the colours' order. `y`: the middle."""
    held, across, down = counts(position.fields.supply), SUPPLY_SPACES // rows, length + 4
    spots = [((k % across + 0.5) * pitch, (k // across - (rows - 1) / 2) * down) for k in range(SUPPLY_SPACES)]
    frame = {"y": -rows * down / 2, "width": across * pitch, "height": rows * down}
    parts, first = [element("rect", **frame, rx=14, class_="centre")], 0
    for colour, count in held.items():
        mine = spots[first : first + count]
        around = [ring(a - pitch / 2 + 1, b - down / 2 + 1, pitch - 2, down - 2, 10) for a, b in mine]
        drawn = [
            copy(f"tile-{colour}", *spot, length / 100, id=f"supply.{colour}.{k}", class_="tile")
            for k, spot in enumerate(mine, 1)
        ]
        parts.append(place(f"supply.{colour}", say_tiles(colour, count, GAME), *around, *drawn, class_="tiles"))
        first += count
    parts += [copy("well", *spot, length / 100, class_="well") for spot in spots[first:]]
    return region("supply", say_held(_("supply"), held, GAME), *parts, at=move(x, y))


# --- the field of stars ---


def _heart(star: int) -> tuple[float, float]:
    """The middle of a star, for sides of 1: six around the seventh, from the top left."""
    return (0.0, 0.0) if star == CENTRAL else towards(_TURN * star - 30, 3)


_DIRECTION = [[POSITION_AT[star].index(k) * _TURN for k in range(POINTS)] for star in range(STARS)]


def _ornament_spot(ornament: int) -> tuple[float, float]:
    """A pillar lies between its star and the centre, a statue between two stars, a window outside its star."""
    kind, star = divmod(ornament, CENTRAL)
    if ORNAMENTS[kind] == "window":
        return towards(_TURN * star - 30, 3 + 1.42)
    x, y = _heart(star)
    other = _heart(CENTRAL) if ORNAMENTS[kind] == "pillar" else _heart((star + 1) % CENTRAL)
    return (x + other[0]) / 2, (y + other[1]) / 2


_SPOTS = [_ornament_spot(ornament) for ornament in range(len(BORDERS))]


def _star_id(owner: str, side: int, star: int) -> str:
    return f"{owner}.star-{STAR_NAMES[side][star].replace(' ', '-')}"


def _on_stars(fields: Any, seat: int) -> tuple[int, ...]:
    """The tiles on a board, its side, and whose it is."""
    return *fields.tile[seat], fields.plain, seat


@kept(lambda position, seat, *how: (*_on_stars(position.fields, seat.number), seat.turn, seat.legible, how))
def _field(position: State, seat: Seat, size: float, x: float, y: float) -> tuple[str, ...]:
    """Seven stars and eighteen ornaments around a point. `size`: the side of a rhombus."""
    fields, number_ = position.fields, seat.number
    filled = [(fields.filled[number_] & around).bit_count() for around in _AROUND]
    return (
        element("g", "", transform=move(x, y)).removesuffix("</g>"),
        *[_ornament(seat.id, filled[k], fields.plain, k, size) for k in range(len(BORDERS))],
        *[_star(seat, tiles_, fields.plain, star, size) for star, tiles_ in enumerate(fields.tile[number_])],
        "</g>",
    )


_AROUND = [sum(1 << POINTS * star + k for star, k in border) for border in BORDERS]  # bits of the rhombi


@kept()
def _ornament(owner: str, filled: int, side: int, ornament: int, size: float) -> Markup:
    """`filled`: how many of the rhombi around it have a tile."""
    kind, star = divmod(ornament, CENTRAL)
    surrounded = filled == len(BORDERS[ornament])
    name = f"{ORNAMENTS[kind]}-{STAR_NAMES[side][star].replace(' ', '-')}"
    said = _("{ornament}: {n} of {all} around it").format(
        ornament=notation.say_ornament(side, ornament), n=filled, all=len(BORDERS[ornament])
    )
    icon, (x, y) = copy(ORNAMENTS[kind], class_="live" if surrounded else "mark"), _SPOTS[ornament]
    return place(f"{owner}.ornament-{name}", said, icon, at=move(x * size, y * size, size / 100))


@kept(lambda seat, *how: (seat.number, seat.turn, seat.legible, how))
def _star(seat: Seat, tiles_: int, side: int, star: int, size: float) -> Markup:
    id_, held = _star_id(seat.id, side, star), [None if k is None else COLOURS[k] for k in colours_of(tiles_)]
    hit = copy("slice", class_="hit") if seat.turn else None
    colour = STAR_NAMES[side][star] if notation.has_colour(side, star) else None
    length = size * _LONG
    letters = min(max(18, round(seat.legible * 104 / length)), 36)
    parts = []
    for k, tile in enumerate(held):
        degrees = _DIRECTION[star][k]
        if tile:
            inside = copy(f"tile-{tile}", class_="tile")
        else:
            inside = _empty_rhombus(_NUMBERS[side][star][k], colour, degrees, letters)
        said = say_place(notation.say_rhombus(side, star, k), tile, GAME)
        at = move(*towards(degrees, length / 2), length / 104, degrees)
        parts.append(place(f"{id_}.{k + 1}", said, hit, inside, scene.RIM, at=at))
    bonus = _bonus(held, colour, star)
    full = all(held)
    heart = max(0.25 * size, seat.legible)
    parts.append(element("circle", r=max(0.23 * size, 0.84 * heart), class_="plate" + (" turn" if full else "")))
    if bonus:
        parts.append(words(str(bonus), 0, 0.36 * heart, heart, "ink strong" if full else "words", "middle"))
    x, y = _heart(star)
    counts = {name: held.count(name) for name in COLOURS if name in held}
    said = say_held(_("{star} star").format(star=notation.say_star(side, star)), counts, GAME)
    at = move(x * size, y * size)
    return element("g", *parts, id=id_, class_="star", role="group", aria_label=said, transform=at, font_size=letters)


def _tinted(colour: str | None) -> str:
    """The classes of an empty place that takes a colour."""
    return f"well edge-{colour} tint-{colour}" if colour else "well"


@cache
def _empty_rhombus(cost: int, colour: str | None, degrees: int, letters: int) -> Markup:
    """The number in the outer corner, upright, and the faint motif of the star's colour where there is room for it.

    `letters`: the size of the star's letters.
    """
    ink = f"cost ink-{colour}" if colour else "cost"
    middle = -23 + 0.45 * (letters - 18)
    turned = f"rotate({-degrees} 0 {number(middle)})" if degrees else None
    return join(
        copy(f"empty-{colour}" if colour and letters < 26 else "well", class_=_tinted(colour)),
        element("text", str(cost), y=middle + 0.35 * letters, class_=ink, transform=turned),
    )


def _bonus(held: Sequence[str | None], colour: str | None, star: int) -> int | None:
    """What a star will be worth when it is full, as far as that is settled."""
    found = {tile for tile in held if tile}
    if colour is None and star != CENTRAL and len([tile for tile in held if tile]) < 2:
        return None
    if colour:
        return int(STAR_BONUS[COLOURS.index(colour)])
    if len(found) == 1 and len([tile for tile in held if tile]) > 1:
        return int(STAR_BONUS[COLOURS.index(found.pop())])
    return int(STAR_BONUS[MULTICOLOURED])


# --- boards ---


@kept()
def _hand(
    owner: str,
    tiles_: int,
    x: float,
    y: float,
    pitch: float,
    wild: str,
    length: float,
    columns: int = len(COLOURS),
) -> Markup:
    """The tiles that a player has taken: every colour at its place, the wild one in an ochre frame. `y`: the middle."""
    parts, held = list[Markup](), counts(tiles_)
    scale, rows = length / 100, len(COLOURS) // columns
    for k, colour in enumerate(COLOURS):
        count = held.get(colour, 0)
        inside = [copy(f"tile-{colour}", class_="tile")] if count else [scene.well(colour)]
        around = ring(-pitch / 2 / scale, -56, pitch / scale, 112, 12)
        row, column = divmod(k, columns)
        at = move(x + (column + 0.5) * pitch, y + (row - (rows - 1) / 2) * 1.14 * length, scale)
        if count:
            inside.append(scene.badge(count, 22, 34, 17, scale))
        if colour == wild:  # below all tiles and their counts
            half = min(pitch / 2 / scale - 1, 34)
            frame = element("rect", x=-half, y=-55, width=2 * half, height=110, rx=14, class_="frame")
            parts.insert(0, element("g", frame, transform=at))
        said = say_tiles(colour, count, GAME)
        parts.append(place(f"{owner}.hand.{colour}", said, around, *inside, at=at, class_="tiles"))
    return region(f"{owner}.hand", say_held(_("tiles"), held, GAME), *parts)


def _dots(count: int, x: float, y: float, pitch: float, size: float) -> str:
    """Rhombi in a line, as high as twice `size`; `x`: the middle of the first."""
    half, high = number(round(0.66 * size, 1)), number(round(size, 1))
    dot = f"l{half} {high}l-{half} {high}l-{half}-{high}Z"
    return f"M{number(round(x, 1))} {number(round(y - size, 1))}" + f"m{number(round(pitch, 2))} 0".join([dot] * count)


@kept()
def _number_bonuses(
    owner: str,
    rhombi: int,
    side: int,
    left: float,
    right: float,
    top: float,
    down: float,
    columns: int = 1,
) -> Markup:
    """How far each number is filled on all stars, and what that brings. `rhombi`: those with a tile, as bits.

    `top`: the middle of the first line.
    """
    every, width = [], (right - left) / columns
    size = 16 if columns == 1 else 14 if columns == 2 else 13
    for bonus in range(1, len(NUMBER_BONUS)):
        row, column = divmod(bonus - 1, columns)
        x, y = left + column * width, top + row * down
        wanted = [
            rhombi >> POINTS * star + k & 1
            for star in range(STARS)
            for k in range(POINTS)
            if _NUMBERS[side][star][k] == bonus
        ]
        done, end = all(wanted), x + width - (0 if columns == 1 else 12)
        parts = [
            scene.target(x, y - down / 2, width, down),
            words(str(bonus), x + 0.3 * size, y + 0.36 * size, size, "ink serif", "middle"),
        ]
        first = x + 0.95 * size
        pitch = min((end - (2.5 if columns == 4 else 2) * size - first) / len(wanted), 17)
        filled, size_of_dot = sum(wanted), min(6.3, 0.73 * pitch)
        for begin, end_, class_ in ((0, filled, "live" if done else "badge"), (filled, len(wanted), "mark")):
            if end_ > begin:
                dots = _dots(end_ - begin, first + (begin + 0.5) * pitch, y, pitch, size_of_dot)
                parts.append(element("path", d=dots, class_=class_))
        worth, ink = f"+{NUMBER_BONUS[bonus]}", ("gain" if done else "words") + " serif"
        parts.append(words(worth, end, y + 0.36 * size, size, ink, "end"))
        said = _("number {number}: {filled} of {count} filled").format(number=bonus, filled=filled, count=len(wanted))
        every.append(element("g", *parts, id=f"{owner}.number-{bonus}", role="img", aria_label=said))
    return join(*every)


@dataclass(frozen=True)
class _Board:
    """A large board: the field of stars, beside it who plays, what they hold and what the end will bring.

    `columns`: of the hand.
    """

    width: Number
    height: Number
    size: float
    columns: int = len(COLOURS)

    def draw(self, position: State, seat: Seat, x: Number, y: Number) -> Part:
        fields, number_ = position.fields, seat.number
        narrow = self.width < 600
        left, right = (14 if narrow else 22) + self.size * _ACROSS, self.width - (12 if narrow else 20)
        letters = 15 if narrow else 18
        down = 22 if narrow else 25
        bottom = self.height - 3 * down - (16 if narrow else 30)
        pitch = (right - left + 12) / self.columns
        rows = len(COLOURS) // self.columns
        head = (3.4 if narrow else 2.2) * letters
        length = min(96, 1.55 * pitch, (bottom - head - 40) / (1.14 * rows))
        hand = head + 6 + rows * 0.57 * length
        if not narrow:
            hand = max(hand, 132 - 42 + 0.5 * length)
        state = (hand + rows * 0.57 * length + bottom - 12) / 2 + 6
        parts = [
            _field(position, seat, self.size, 8 + self.size * _ACROSS / 2, self.height / 2),
            seat.corner(left, 0.7 * letters, right - left, letters)
            if narrow
            else seat.head(left, right, 2.2 * letters, letters),
            _hand(seat.id, fields.hand[number_], left - 6, hand, pitch, _wild_colour(position), length, self.columns),
            _state_line(position, number_, left, state, 16),
            None if narrow else _all_filled(left, bottom - 18),
            _number_bonuses(seat.id, fields.filled[number_], fields.plain, left, right, bottom, down),
        ]
        return seat.board(*parts, at=(x, y), width=self.width, height=self.height)


@kept()
def _all_filled(x: float, y: float) -> Markup:
    return words(_("when all are filled"), x, y, 15)


def _state(position: State, seat: int) -> tuple[bool, bool, int]:
    """Has a seat the token, has it passed, and which tiles has it chosen to keep?"""
    fields = position.fields
    token = fields.start == seat and not fields.token and fields.phase != ENDED
    return token, bool(fields.passed >> seat & 1), fields.kept if fields.phase == KEEP and fields.seat == seat else 0


@kept(lambda position, seat, *how: (_state(position, seat), seat, how))
def _state_line(position: State, seat: int, left: float, y: float, size: Number, right: float | None = None) -> Markup:
    """The token, whether the seat has passed, its kept tiles. `right`: where words end, if not beside the token."""
    (token, passed, chosen), parts = _state(position, seat), list[Markup]()
    if token:
        shown = copy("tile-marker", left + 0.8 * size, y - 0.36 * size, 0.016 * size, class_="tile")
        parts.append(place(f"seat-{seat}.token", _("start token"), shown))
        left += 2.2 * size
    if passed:
        parts.append(words(_("passed"), left if right is None else right, y, size, anchor="end" if right else None))
        left += 5 * size
    if chosen:
        held = counts(chosen)
        kept = [colour for colour, count in held.items() for _k in range(count)]
        row = [
            copy(
                f"tile-{kept[k]}" if k < len(kept) else "well",
                left + (k + 0.5) * size,
                y - 0.36 * size,
                0.017 * size,
                class_="tile" if k < len(kept) else "well",
            )
            for k in range(MOST_KEPT)
        ]
        parts.append(place(f"seat-{seat}.kept", say_held(_("kept"), held, GAME), *row))
    return join(*parts)


@dataclass(frozen=True)
class _Small:
    """A board with everything below each other. `across`: from tile to tile in the hand, at most. `bonuses`: for
    numbers, this many a line; none if 0."""

    width: Number
    height: Number
    size: float
    across: float = 46
    bonuses: int = 0

    def draw(self, position: State, seat: Seat, x: Number, y: Number) -> Part:
        fields, number_ = position.fields, seat.number
        letters = 16 if self.width > 300 else max(14, seat.legible)
        top = 1.8 * letters
        middle = top + self.size * _DOWN / 2
        pitch = min((self.width - 16) / 6, self.across)
        bottom = top + self.size * _DOWN
        lines = (len(NUMBER_BONUS) - 1) // self.bonuses if self.bonuses else 0
        down = 24
        end = self.height - lines * down - (4 if lines == 1 else 8 if lines else 0)
        parts: list[Part] = [
            _field(position, seat, self.size, self.width / 2, middle),
            seat.head(12, self.width - 10, 1.4 * letters, letters),
            _hand(
                seat.id,
                fields.hand[number_],
                (self.width - 6 * pitch) / 2,
                (bottom + end) / 2,
                pitch,
                _wild_colour(position),
                min(end - bottom - 8, pitch * 1.5),
            ),
            _state_line(position, number_, 12, bottom - 4, max(13, seat.legible), self.width - 10),
        ]
        if self.bonuses:
            first = end + down / 2 - 2
            room = 14, self.width - 12, first, down, self.bonuses
            parts.append(_number_bonuses(seat.id, fields.filled[number_], fields.plain, *room))
        return seat.board(*parts, at=(x, y), width=self.width, height=self.height)


# --- definitions ---

_ORNAMENT_SHAPES = {
    "pillar": "M-16 21H16V14H10C8 4 8 -19 10 -29H16V-37H-16V-29H-10C-8 -19 -8 4 -10 14H-16Z",
    "statue": (
        "M-8 -33A8 8 0 0 1 8 -33A8 8 0 0 1 -8 -33ZM-13 5C-14 -13 -9 -23 0 -23C9 -23 14 -13 13 5ZM-18 8H18V21H-18Z"
    ),
    "window": (
        "M-19 21V-18A19 19 0 0 1 19 -18V21ZM-14 16H-3V-2H-14ZM3 16H14V-2H3ZM-14 -7H-3V-31A14 14 0 0 0 -14 -18Z"
        "M3 -7H14V-18A14 14 0 0 0 3 -31Z"
    ),
}


@cache
def _definitions() -> Markup:
    """Ornaments stand on as many dots as they bring tiles. `empty-blue`: an empty rhombus, its motif leaving room for a
    number.

    `slice`: the sixth of a star around a rhombus, where a pointer finds it.
    """
    parts = [
        tiles.definitions(COLOURS, "rhombus"),
        element("path", d="M0 52L-45 -26A90 90 0 0 1 45 -26Z", id="slice"),
    ]
    for name, count in zip(ORNAMENTS, ORNAMENT_TILES, strict=True):
        dots = "".join(f"M{number(13 * (k - (count - 1) / 2))} 26l4.6 7l-4.6 7l-4.6 -7Z" for k in range(count))
        parts.append(element("path", d=_ORNAMENT_SHAPES[name] + dots, id=name, fill_rule="evenodd"))
    for colour in COLOURS:
        motif = element("g", copy(f"thin-{colour}", 0, 9, 0.9), fill="none", stroke_opacity=0.45)
        parts.append(element("g", copy("well"), motif, id=f"empty-{colour}"))
    return join(*parts)
