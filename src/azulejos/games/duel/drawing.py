"""Azul Duel's table as SVG. `docs/drawing.md` has the ids of its places."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from azulejos.core.language import N_, _, ngettext, say_of
from azulejos.core.state import State
from azulejos.drawing import scene, tiles
from azulejos.drawing.keeping import kept
from azulejos.drawing.scene import Drawn, Look, Part, Picture, Seat, place, region, ring, tile, towards
from azulejos.drawing.svg import Markup, Number, copy, element, join, move, number, words
from azulejos.drawing.theme import CHIP_EDGE, GLAZES, SHADE
from azulejos.drawing.words import say_held, say_place, say_round, say_row_column, say_tiles

from . import notation
from .encoding import COMPLETING, NO_KIND, NO_PLATE, NOBODY, PAY, SLOT
from .lookups import SQUARE_SPACES
from .position import chips_in, counts, factory_of, square_of
from .tables import (
    BROKEN_SPACES,
    CHIPS,
    CHIPS_A_ROUND,
    COLOURS,
    COLOURS_BONUS,
    COLUMN_BONUS,
    CORNER_PLACES,
    CORNERS,
    DIAGONAL_BONUS,
    EMPTY_SPECIAL_COST,
    JOKER_BONUS,
    KIND_NAMES,
    LARGE,
    LETTERS,
    LOWER_CORNER_BONUS,
    PENALTIES,
    PLATES,
    RING_BONUS,
    ROTATIONS,
    ROW_BONUS,
    SIZE,
    SLOT_NAMES,
    SPECIAL_POINTS,
    SQUARES,
    SQUARES_ACROSS,
    START_TILE_PENALTY,
    TOKENS,
    UPPER_CORNER_BONUS,
    slot,
)

GAME = "duel"
_COSTS = tuple(PENALTIES.tolist())
_COLOUR_OF = dict(zip(LETTERS, COLOURS, strict=True))
_CORNER_SPOTS = tuple((100 * column - 50, 100 * row - 50) for row, column in CORNER_PLACES)  # in a plate


def picture(state: State, **how: Any) -> Picture:
    layouts = {"wide": _wide, "broad": _broad, "upright": _upright, "low": _low, "tall": _tall}
    return scene.compose(state, how, _("Azul Duel"), layouts, _definitions())


# --- the layouts ---

_Spot = tuple[float, float, float]  # where something stands, and its size
_Corners = tuple[float, float, float, float]  # left, top, right and bottom


def _wide(position: State, seats: list[Seat], look: Look) -> Drawn:
    """The factories around the large one on the left, plates below them; the boards on the right."""
    parts: list[Part] = [*_around(position, (28, 40, 26), (600, 12, 64), (299, 304, 122), (112, 180, 486, 428), 92)]
    parts += [*_plates(position, 24, 570, 96, 608, 146), *_stores(position, 24, 320, 760, 20)]
    return parts + _stacked(position, seats, look, [_LARGE, _LARGE], 620, 12, 12), *scene.WIDE


def _broad(position: State, seats: list[Seat], look: Look) -> Drawn:
    """Like `_wide`, where there is less height."""
    parts: list[Part] = [*_around(position, (14, 30, 24), (664, 4, 64), (336, 288, 124), (112, 172, 560, 386), 98)]
    parts += [*_plates(position, 14, 492, 86, 664, 86), *_stores(position, 14, 340, 604, 17)]
    board = _fitted(596, 308)
    return parts + _stacked(position, seats, look, [board, board], 678, 4, 6), *scene.BROAD


def _around(
    position: State, caption: _Spot, tablets: _Spot, large: _Spot, small: _Corners, radius: float
) -> list[Markup]:
    """The caption and the tablets; below them the small factories around the large one."""
    return [
        scene.caption(_("Azul Duel"), say_round(position.fields.round_no), *caption, below=True),
        _tablets(position, *tablets),
        *_factories(position, large, _spots(small), radius),
    ]


@kept(lambda position, *how: (position.fields.bag, position.fields.tower, how))
def _stores(position: State, bag: Number, tower: Number, y: Number, size: Number) -> tuple[Markup, Markup]:
    """The bag and the tower, beside each other."""
    fields = position.fields
    return (
        scene.store("bag", _("bag", GAME), counts(fields.bag), COLOURS, GAME, move(bag, y), size),
        scene.store("tower", _("tower"), counts(fields.tower), COLOURS, GAME, move(tower, y), size),
    )


@kept(lambda position, *how: (position.fields.bag, position.fields.tower, how))
def _small_stores(position: State, bag: Number, tower: Number, y: Number) -> tuple[Markup, Markup]:
    """The same where there is little room."""
    return (
        scene.small_store("bag", _("bag", GAME), counts(position.fields.bag), GAME, move(bag, y), 13),
        scene.small_store("tower", _("tower"), counts(position.fields.tower), GAME, move(tower, y), 13),
    )


def _upright(position: State, seats: list[Seat], look: Look) -> Drawn:
    """The factories in a row, the plates below them, then the boards."""
    width, height = scene.UPRIGHT
    parts: list[Part] = [
        scene.caption(_("Azul Duel"), say_round(position.fields.round_no), 14, 28, 22, below=True),
        *_stores(position, 172, 394, 30, 17),
        _tablets(position, 818, 4, 60),
        *_factories(position, (410, 174, 96), ((80, 174), (238, 174), (582, 174), (740, 174)), 76),
        *_plates(position, 14, 276, 92, 806, 92),
    ]
    board = _fitted(808, 344)
    return parts + _stacked(position, seats, look, [board, board], 6, 380, 6), width, height


def _low(position: State, seats: list[Seat], look: Look) -> Drawn:
    """For a phone on its side: factories, plates and tablets beside the viewer's board; below them the other's."""
    parts: list[Part] = [*_closely_around(position, (8, 18, 15), 244, 294, (173, 132, 70), (54, 78, 292, 182), 51)]
    parts += [*_plates(position, 6, 238, 50, 342, 50), _tablets(position, 344, 297, 40, beside=True)]
    board = _fitted(490, scene.LOW_SCREEN - 6)
    parts += _stacked(position, seats, look, [board], 350, 3, 0)
    other = _fitted(490, 300)
    parts.append(other.draw(position, seats[look.seats[1]], 177, scene.LOW_SCREEN + 6))
    return parts, scene.LOW, scene.LOW_SCREEN + other.height + 14


def _tall(position: State, seats: list[Seat], look: Look) -> Drawn:
    """For a phone: factories and plates, the viewer's board below them, then the other's."""
    parts: list[Part] = [*_closely_around(position, (10, 20, 14), 296, 344, (195, 148, 75), (62, 88, 328, 208), 59)]
    parts += [*_plates(position, 8, 274, 60, 382, 60), _tablets(position, 294, 2, 25, beside=True)]
    return parts + _stacked(position, seats, look, [_OWN, _OTHER], 6, 352, 10), scene.TALL, 352 + 346 + 286 + 20


def _closely_around(
    position: State, caption: _Spot, bag: Number, tower: Number, large: _Spot, small: _Corners, radius: float
) -> list[Markup]:
    """Like `_around`, for a phone: the bag and the tower beside the caption."""
    y = caption[1]
    return [
        scene.caption(_("Duel"), say_round(position.fields.round_no), *caption),
        *_small_stores(position, bag, tower, y),
        *_factories(position, large, _spots(small), radius, scene.wedge),
    ]


def _spots(corners: _Corners) -> Sequence[tuple[float, float]]:
    """The corners, clockwise from the upper left."""
    left, top, right, bottom = corners
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _stacked(
    position: State,
    seats: list[Seat],
    look: Look,
    boards: "Sequence[_Board]",
    x: Number,
    y: Number,
    gap: Number,
) -> list[Part]:
    """The boards, one below the other."""
    parts = []
    for seat, board in zip(look.seats, boards, strict=False):
        parts.append(board.draw(position, seats[seat], x, y))
        y += board.height + gap
    return parts


def _factories(
    position: State,
    large: tuple[float, float, float],
    small: Sequence[tuple[float, float]],
    radius: float,
    part: "_Part" = scene.sector,
) -> list[Markup]:
    """The large factory (its middle and radius), the small ones (their middles), and what lies on the moons."""
    parts = [_large(position, *large)]
    parts += [_small(position, factory, x, y, radius, part) for factory, (x, y) in enumerate(small, 1)]
    parts.append(_moons(position, large, tuple((x, y, radius) for x, y in small)))
    return parts


# --- tablets ---

_WORTH = {
    "rows": f"+{ROW_BONUS}",
    "columns": f"+{COLUMN_BONUS}",
    "diagonals": f"+{DIAGONAL_BONUS}",
    "jokers": f"+{JOKER_BONUS}",
    "colours": f"+{COLOURS_BONUS}",
    "ring": f"+{RING_BONUS}",
    "corners": f"+{UPPER_CORNER_BONUS}/{LOWER_CORNER_BONUS}",
    "specials": f"−{EMPTY_SPECIAL_COST}",
}
_LAST = SIZE - 1
_TAKES = {"joker": N_("any colour"), "special": N_("a special tile")}  # slots that have no colour
_SHOWN: dict[str, Callable[[int, int], bool]] = {  # the spaces of the dome that a tablet's drawing shows
    "rows": lambda row, column: row == 2,
    "columns": lambda row, column: column == 2,
    "diagonals": lambda row, column: column in (row, _LAST - row),
    "colours": lambda row, column: False,
    "ring": lambda row, column: 0 in (row, column) or _LAST in (row, column),
    "corners": lambda row, column: {row // 2, column // 2} <= {0, 2},
}


@kept(lambda position, *how, beside=False: (position.fields.tablets, how, beside))
def _tablets(position: State, right: Number, top: Number, size: float, beside: bool = False) -> Markup:
    """The sides in play: a small dome that shows what counts, and the points below or beside it. `size`: its height."""
    parts, sides = [], notation.sides_in(position.fields.tablets)
    letters = max(0.24 * size, scene.LEGIBLE)
    width = size + 2.1 * letters if beside else 0.94 * size
    for k, side in enumerate(sides):
        x = right - (len(sides) - k) * (width + (4 if beside else 8))
        said = say_of(notation.say_side(side), _WORTH[side])
        card = element("rect", width=width, height=size, rx=0.14 * size, class_="board")
        middle, across = (0.5, 0.84) if beside else (0.37, 0.56)
        shown = element(
            "g", *_tablet(side), transform=move(size / 2 if beside else width / 2, middle * size, across * size / 100)
        )
        ink = "loss serif" if side == "specials" else "ink serif"
        small = letters if len(_WORTH[side]) < 4 or not beside else 0.86 * letters
        spot = ((size + width - 3) / 2, 0.5 * size + 0.36 * small) if beside else (width / 2, 0.92 * size)
        worth = words(_WORTH[side], *spot, small, ink, "middle")
        parts.append(place(f"tablet-{side}", said, card, shown, worth, at=move(x, top)))
    return region("tablets", _("scoring tablets"), *parts)


@cache
def _tablet(side: str) -> list[Markup]:
    """What a tablet shows, ±50 across."""
    if side in ("jokers", "specials"):
        return [_empty_slot(side.removesuffix("s"))]
    lit, rest, parts = "", "", []
    for row in range(SIZE):
        for column in range(SIZE):
            dot = tiles.dots(17 * (column - 2.5), 17 * (row - 2.5), 6.8)
            if side == "colours" and row == 2 and column < len(COLOURS):
                parts.append(element("path", d=dot, fill=GLAZES[COLOURS[column]].face))
            elif _SHOWN[side](row, column):
                lit += dot
            else:
                rest += dot
    parts.append(element("path", d=rest, class_="mark"))
    if lit:
        parts.append(element("path", d=lit, class_="live"))
    return parts


# --- factories ---


_Part = Callable[[float, float, float], Markup]  # of a disc: its radius, where it starts, its degrees


@kept()
def _halves(radius: float) -> Markup:
    """A factory without its tiles: the sun's half above, the moon's below."""
    r = number(radius)
    rays = "".join(
        "M{} {}L{} {}".format(*map(number, (*towards(a, 0.9 * radius), *towards(a, 0.96 * radius))))
        for a in range(-81, 82, 9)
    )
    return join(
        element("circle", cy=3, r=radius, fill=SHADE, fill_opacity=0.14),
        element("path", d=f"M-{r} 0A{r} {r} 0 0 1 {r} 0Z", class_="day"),
        element("path", d=f"M-{r} 0A{r} {r} 0 0 0 {r} 0Z", class_="night"),
        element("path", d=rays, class_="ray"),
        element("circle", r=radius, class_="rim"),
    )


def _sun(id_: str, held: Mapping[str, int], radius: float, most: int, part: _Part = scene.sector) -> list[Markup]:
    """The tiles of a sun in a fan, those of a colour beside each other. `part`: where a pointer finds some of them."""
    step = 180 / most
    size = min(1.24 * radius * math.sin(math.radians(step / 2)), 0.46 * radius)
    parts, first = [], 0
    for colour, count in held.items():
        angles = [step * (first + k + 0.5) - 90 for k in range(count)]
        drawn = [
            copy(f"tile-{colour}", *towards(a, 0.63 * radius), size / 100, id=f"{id_}.{colour}.{k}", class_="tile")
            for k, a in enumerate(angles, 1)
        ]
        around = _fan(0.63 * radius, size / 2 + 1, angles[0], angles[-1])
        hit = part(radius, step * first - 90, step * count)
        parts.append(place(f"{id_}.{colour}", say_tiles(colour, count, GAME), hit, around, *drawn, class_="tiles"))
        first += count
    return parts


def _fan(distance: float, half: float, start: float, end: float) -> Markup:
    """The ring around tiles in a fan: an arc as thick as they are, with round ends."""
    inner, outer, h = distance - half, distance + half, number(half)
    points = [towards(a, d) for a, d in ((start, outer), (end, outer), (end, inner), (start, inner))]
    (a, b), (c, d), (e, f), (g, i) = (tuple(map(number, point)) for point in points)
    path = (
        f"M{a} {b}A{number(outer)} {number(outer)} 0 0 1 {c} {d}A{h} {h} 0 0 1 {e} {f}"
        f"A{number(inner)} {number(inner)} 0 0 0 {g} {i}A{h} {h} 0 0 1 {a} {b}Z"
    )
    return element("path", d=path, class_="ring")


def _on_factory(fields: Any, factory: int) -> tuple[int, int, int]:
    """What lies on a small factory, as the rules have it."""
    return fields.sun[factory], fields.pile[factory], fields.chip[factory]


@kept(lambda position, factory, *how: (*_on_factory(position.fields, factory), factory, how))
def _small(position: State, factory: int, x: Number, y: Number, radius: float, part: _Part = scene.sector) -> Markup:
    held, id_ = factory_of(position.fields, factory), f"factory-{factory}"
    parts = [_halves(radius)]
    if held["chip"]:
        parts.append(_chip(held["chip"], f"{id_}.chip", 0, 0.5 * radius, 0.5 * radius))
    pile = held["moon"]
    below = [
        copy(f"tile-{colour}", *_in_pile(depth, radius), 0.0042 * radius, id=f"{id_}.moon.{depth + 1}", class_="tile")
        for depth, colour in reversed(list(enumerate(reversed(pile))))
        if depth
    ]
    said = ", ".join(_(colour, GAME) for colour in reversed(pile)) or _("empty")
    parts.append(region(f"{id_}.moon", _("moon, from the top: {tiles}").format(tiles=said), *below))
    parts.append(
        region(f"{id_}.sun", say_held(_("sun"), held["sun"], GAME), *_sun(f"{id_}.sun", held["sun"], radius, 4, part))
    )
    parts.append(words(str(factory), 0, 0.92 * radius, max(0.16 * radius, scene.LEGIBLE), "dusk", "middle"))
    return region(id_, _("factory {number}", GAME).format(number=factory), *parts, at=move(x, y), class_="factory")


def _in_pile(depth: int, radius: float) -> tuple[float, float]:
    """Where a tile of a pile lies, 0 being its top: the others peek out below."""
    return 0, (0.34 + 0.13 * depth) * radius


@kept(lambda position, *how: (position.fields.sun[LARGE], position.fields.holder == NOBODY, how))
def _large(position: State, x: Number, y: Number, radius: float) -> Markup:
    held, id_ = counts(position.fields.sun[LARGE]), "large-factory"
    parts = [_halves(radius)]
    if position.fields.holder == NOBODY:
        start = copy("tile-marker", scale=0.0033 * radius, class_="tile")
        parts.append(place(f"{id_}.start", _("start tile"), start, at=move(0, 0.26 * radius)))
    parts.append(region(f"{id_}.sun", say_held(_("sun"), held, GAME), *_sun(f"{id_}.sun", held, radius, 5)))
    parts.append(element("g", id=f"{id_}.moon", transform=move(0, 0.6 * radius, 0.0037 * radius)))
    return region(id_, _("large factory"), *parts, at=move(x, y), class_="factory")


def _tops(fields: Any) -> list[int]:
    """The colour of the top tile of each pile; negative where there is none."""
    return [(pile & 7) - 1 for pile in fields.pile]


@kept(lambda position, *how: (position.fields.moon, *_tops(position.fields), how))
def _moons(position: State, large: tuple[float, float, float], small: tuple[tuple[float, float, float], ...]) -> Markup:
    """What can be taken from the moons: for each colour the tops of piles that show it and its tiles on the large moon.

    `large`, `small`: the middle and the radius of each factory.
    """
    found: dict[str, list[tuple[str, float, float, float]]] = {}
    for factory, (x, y, radius) in enumerate(small, 1):
        if (top := _tops(position.fields)[factory]) >= 0:
            at, here = _in_pile(0, radius), found.setdefault(COLOURS[top], [])
            here.append((f"factory-{factory}.moon.1", x + at[0], y + at[1], 0.42 * radius))
    x, y, radius = large
    lying = [(colour, k) for colour, count in counts(position.fields.moon).items() for k in range(1, count + 1)]
    step = min(40, 180 / max(len(lying), 1))
    hits: dict[str, list[Markup]] = {}
    for spot, (colour, k) in enumerate(lying):
        angle = 180 + step * ((len(lying) - 1) / 2 - spot)
        dx, dy = towards(angle, 0.66 * radius)
        hits.setdefault(colour, []).append(
            element("g", scene.sector(radius, angle - step / 2, step), transform=move(x, y))
        )
        found.setdefault(colour, []).append((f"large-factory.moon.{colour}.{k}", x + dx, y + dy, 0.37 * radius))
    parts = []
    for colour in COLOURS:
        if colour in found:
            rings = [element("circle", cx=x, cy=y, r=size / 2 + 1, class_="ring") for _id, x, y, size in found[colour]]
            tops = [
                scene.target(x - scene.FINGER / 2, y - 0.8 * size, scene.FINGER, scene.FINGER)  # not on the sun
                for id_, x, y, size in found[colour]
                if not id_.startswith("large-")
            ]
            drawn = [
                copy(f"tile-{colour}", x, y, size / 100, id=id_, class_="tile") for id_, x, y, size in found[colour]
            ]
            said = say_tiles(colour, len(drawn), GAME)
            parts.append(place(f"moons.{colour}", said, *hits.get(colour, []), *tops, *rings, *drawn, class_="tiles"))
    return region("moons", _("moons"), *parts)


def _chip(chip: str, id_: str, x: Number, y: Number, size: float, count: int = 1, room: float = scene.FINGER) -> Markup:
    """A chip, face down or by its colours. `room`: how wide a finger may miss it."""
    width, height = 100 * max(room, size) / size, 100 * max(scene.FINGER, size) / size
    hit = scene.target(-width / 2, -height / 2, width, height)
    if chip == "face down":
        name, face = _("chip, face down"), join(copy("chip", class_="plate"), copy("chip-back", class_="mark"))
    else:
        name, face = _("chip: {colours}").format(colours=_say_chip(chip)), copy(f"face-{chip}")
    mark = scene.badge(count, 42, 42, 24, size / 100) if count > 1 else None
    return place(id_, name, hit, face, copy("chip-rim", class_="ring"), mark, at=move(x, y, size / 100), class_="chip")


def _say_chip(chip: str) -> str:
    return "–".join(_(_COLOUR_OF[letter], GAME) for letter in chip)


# --- plates ---


@kept()
def _plate(plate: str, at: str) -> Markup:
    """A plate that lies beside the boards, its slot at the upper left."""
    kind = notation.PLATE[plate]
    slots = [SLOT_NAMES[slot(kind, 0, corner)] for corner in range(ROTATIONS)]
    parts = [
        element("g", _empty_slot(name), transform=move(*spot)) for name, spot in zip(slots, _CORNER_SPOTS, strict=True)
    ]
    rim = copy("plate-rim", class_="ring")
    return place(f"plate-{plate}", notation.say_plate(kind), copy("plate", class_="plate"), *parts, rim, at=at)


def _back(kind: str) -> Markup:
    """A plate face down shows its kind."""
    night = element("rect", x=-82, y=-82, width=164, height=164, rx=14, class_="night")
    return join(copy("plate", class_="plate"), night, element("g", _empty_slot(kind), transform="scale(1.1)"))


@cache
def _empty_slot(name: str) -> Markup:
    """A slot without a tile: of a colour, a joker's with its five-coloured ring, a special tile's with its crown."""
    if name in COLOURS:
        edged = copy("well", class_=f"well edge-{name} tint-{name}")
        return join(edged, copy(f"thin-{name}", class_=f"thin edge-{name}"))
    if name == "joker":
        return join(copy("well", class_="well"), copy("joker"))
    return join(copy("well", class_="well"), copy("crown", class_="crown"))


def _beside(fields: Any) -> tuple[int, ...]:
    """The plates that lie beside the boards, as the rules have them."""
    return fields.display, fields.stack_count, fields.top, fields.hand, *fields.hand_unseen, fields.plate


@kept(lambda position, *how: (*_beside(position.fields), how))
def _plates(position: State, left: float, top: float, size: float, right: float, height: float) -> list[Markup]:
    """The open plates, the stack, and the plates that are being chosen from or laid, in a room of that height."""
    middle, stack = top + size / 2, size
    fields = position.fields
    drawn = len(notation.plates_in(fields.hand)) + sum(fields.hand_unseen)
    room = 1.1 * scene.FINGER * drawn
    if height < 2 * scene.FINGER and room > right - left - 4.45 * size:  # they need the room of what nobody picks now
        stack = 1.15 * scene.FINGER
        size = (right - left - room - 1.3 * stack) / 3.18
    pitch, scale = 1.06 * size, size / 208
    display = [PLATES[plate] for plate in notation.plates_in(fields.display)]
    open_ = [_plate(plate, move(left + size / 2 + k * pitch, middle, scale)) for k, plate in enumerate(display)]
    gaps = [
        copy("no-plate", left + size / 2 + k * pitch, middle, scale, class_="empty") for k in range(len(display), 3)
    ]
    parts = [region("display", _("open plates"), *gaps, *open_)]
    parts.append(_stack(position, left + 3.06 * pitch + stack / 2, middle, stack / 208))
    parts.append(_hand(position, left + 3.26 * pitch + stack, top, right, height))
    return parts


def _stack(position: State, x: float, y: float, scale: float) -> Markup:
    count, kind = position.fields.stack_count, position.fields.top
    top = KIND_NAMES[kind] if kind != NO_KIND else None
    said = ngettext("stack of {n} plate", "stack of {n} plates", count).format(n=count)
    if not count or top is None:
        shown = copy("no-plate", class_="empty")
    else:
        layers = [copy("plate", 0, 9 * k, class_="plate") for k in range(min((count - 1 + 2) // 3, 4), 0, -1)]
        shown = join(*layers, _back(top), scene.badge(count, 72, 72, 30, scale))
        said += ", " + (_("special plate on top") if top == "special" else _("joker plate on top"))
    return place("stack", said, shown, copy("plate-rim", class_="ring"), at=move(x, y, scale))


def _hand(position: State, left: float, top: float, right: float, height: float) -> Markup:
    """What the player to act has drawn and not yet laid, put back or looked at."""
    fields = position.fields
    seen = [PLATES[plate] for plate in notation.plates_in(fields.hand)]
    seen += [PLATES[fields.plate]] if fields.plate != NO_PLATE else []
    backs = [kind for kind, count in zip(KIND_NAMES, fields.hand_unseen, strict=True) for _k in range(count)]
    count = max(len(seen) + len(backs), 1)
    room = right - left
    cell, across = max(
        (min(room / across, height / math.ceil(count / across)), across) for across in range(1, count + 1)
    )
    parts = []
    for k, plate in enumerate([*seen, *backs]):
        at = move(left + (k % across + 0.5) * cell, top + (k // across + 0.5) * cell, 0.94 * cell / 208)
        if k < len(seen):
            parts.append(_plate(plate, at))
        else:
            parts.append(element("g", _back(plate), transform=at))
    return region("hand", _("plates in hand"), ring(left, top, room, height, 12), *parts)


# --- boards ---


@cache
def _fitted(width: Number, height: Number) -> "_Board":
    """A board that fills a rectangle, its name in the corner."""
    margin = 10 if width < 500 else 16
    down = (height - 0.5 * margin - 2) / (SQUARES_ACROSS + 0.62)
    plate = min(down, (width - 2 * margin - 22) / 6.6)
    across = min(0.56 * plate, (width - 2 * margin - 22 - SQUARES_ACROSS * plate) / (SIZE + 0.6))
    tile_ = 0.93 * min(across, 0.48 * down)
    return _Board(width, height, across, plate, down, tile_, min(max(0.5 * across, 15), 22), margin, True)


def _on_bottom(fields: Any, seat: int) -> tuple[int, ...]:
    """What lies below a dome, as the rules have it."""
    return fields.broken[seat], fields.holder == seat, fields.chips[seat], fields.chips_taken[seat]


def _on_square(fields: Any, seat: int, square: int) -> tuple[int, ...]:
    """The plate on a square, where tiles lie on it, and the colour of the one on its joker slot."""
    return fields.square[seat][square], fields.dome[seat] & _SPACES[square], fields.joker_colour[seat][square]


_SPACES = SQUARE_SPACES.tolist()


def _on_board(fields: Any, seat: int) -> tuple[int, ...]:
    """What lies on a board."""
    rows = fields.line_colour, fields.line_count, fields.square, fields.joker_colour
    return (
        *[one for row in rows for one in row[seat]],
        fields.dome[seat],
        fields.tokens[seat],
        *_on_bottom(fields, seat),
    )


@dataclass(frozen=True, eq=False)
class _Board:
    """A board of a size.

    `across`: the distance of tiles in lines; `plate`, `down`: from plate to plate, sideways and down; `tile`: the size
    of tiles in lines; `letters`: the size of the name.
    """

    width: Number
    height: Number
    across: float
    plate: float
    down: float
    tile: float
    letters: Number
    margin: Number
    corner: bool = False  # the name stands in the corner that the lines leave

    @property
    def _top(self) -> float:
        return 0.5 * self.margin + 2 if self.corner else 1.95 * self.letters

    @property
    def _numbers(self) -> float:
        """Room for what special tiles score, on the right."""
        return 22 if self.width > 400 else 0

    @property
    def _dome(self) -> float:
        return self.width - self.margin - self._numbers - SQUARES_ACROSS * self.plate

    @property
    def _line_room(self) -> float:
        """From row to row inside a plate: on a phone as far as from plate to plate, for fingers."""
        return (0.48 if self.down <= 1.2 * self.plate else 0.5) * self.down

    def _row(self, row: int) -> float:
        """The middle of a row: of a line and of the slots beside it."""
        return self._top + (row // 2 + 0.5) * self.down + (row % 2 - 0.5) * self._line_room

    def _column(self, column: int) -> float:
        return self._dome + (column // 2 + 0.5) * self.plate + (column % 2 - 0.5) * 0.48 * self.plate

    def draw(self, position: State, seat: Seat, x: Number, y: Number) -> Part:
        fields = position.fields
        live = fields.row if seat.turn and fields.phase in (COMPLETING, PAY, SLOT) else None
        laying = seat.turn and fields.plate != NO_PLATE
        if self.corner:
            room = self._lines_end - self.across - 1.5 * self.margin
            head = seat.corner(self.margin, self._top + 4, room, self.letters)
        else:
            room = 3.3 * self.letters
            head = seat.head(self.margin, self.width - self.margin, 1.45 * self.letters, self.letters, room)
        inside = self._inside(position, seat.number, live, laying)
        return seat.board(head, inside, at=(x, y), width=self.width, height=self.height)

    @property
    def _lines_end(self) -> float:
        """Where the lines end, on the right."""
        return self._dome - 0.6 * self.across if self.corner else self.margin + SIZE * self.across

    @kept(lambda board, position, seat, *how: (board, *_on_board(position.fields, seat), seat, how))
    def _inside(self, position: State, seat: int, live: int | None, laying: bool) -> tuple[Markup, ...]:
        """All but the name and the score. `live`: the row whose line is decorated now."""
        fields = position.fields
        lines = zip(fields.line_colour[seat], fields.line_count[seat], strict=True)
        return (
            self._tokens(f"seat-{seat}", fields.tokens[seat]),
            *[
                self._line(seat, row, COLOURS[colour] if tiles_ else None, tiles_, live == row)
                for row, (colour, tiles_) in enumerate(lines)
            ],
            *[self._square(position, seat, square, laying) for square in range(SQUARES)],
            *[self._slots(position, seat, square) for square in range(SQUARES)],
            *self._bottom(position, seat),
        )

    @kept()
    def _line(self, seat: int, row: int, colour: str | None, tiles_: int, live: bool) -> Markup:
        """A pattern line, the arrow to the dome, and what a special tile scores there."""
        middle, lines = self._row(row), self._lines_end
        measures = (lines, middle, self.across, self._line_room, self.tile)
        parts = [
            scene.line(f"seat-{seat}", row, colour, tiles_, GAME, *measures),
            copy("arrow", (lines + self._dome) / 2, middle, self.tile / 220, class_="live" if live else "mark"),
        ]
        if self._numbers:
            at = self.width - self.margin - self._numbers / 2 + 4
            parts.append(words(str(SPECIAL_POINTS[row]), at, middle + 5, 15, "words serif", "middle"))
        return join(*parts)

    @kept()
    def _tokens(self, owner: str, count: int) -> Markup:
        """The tokens that a player has left to take plates with."""
        x, y, size = self.width - self.margin - 7.3 * self.letters, 1.12 * self.letters, self.letters / 60
        if self.corner:
            x, y = self.margin + 0.5 * self.letters, self._top + 4 + 3.7 * self.letters
        drawn = [
            copy("token", x + k * 1.1 * self.letters, y, size, class_="badge" if k < count else "mark")
            for k in range(TOKENS)
        ]
        said = ngettext("{n} token left", "{n} tokens left", count).format(n=count)
        return place(f"{owner}.tokens", said, *drawn)

    @kept(lambda board, position, seat, square, *how: (board, position.fields.square[seat][square], seat, square, how))
    def _square(self, position: State, seat: int, square: int, laying: bool) -> Markup:
        """A square of the dome: a plate, or room for one, with its corners while one is being laid."""
        id_, plate = f"seat-{seat}.square-{square + 1}", square_of(position.fields, seat, square)
        row, column = divmod(square, SQUARES_ACROSS)
        width, height = 0.97 * self.plate, 0.97 * self.down
        middle = self._dome + (column + 0.5) * self.plate, self._top + (row + 0.5) * self.down
        box = {"x": -width / 2, "y": -height / 2, "width": width, "height": height, "rx": 0.1 * width}
        said = _("square {number}").format(number=square + 1)
        if plate:
            said = say_of(said, notation.say_plate(notation.PLATE[plate["plate"]]))
            drawn = join(
                element("rect", fill=SHADE, fill_opacity=0.12, transform="translate(0 2)", **box),
                element("rect", class_="plate", **box),
            )
            return place(id_, said, drawn, at=move(*middle))
        parts = [element("rect", class_="empty", **box), element("rect", class_="ring", **box)]
        if laying:
            for name, (across, down) in zip(CORNERS, _CORNER_SPOTS, strict=True):
                spot = move(across * 0.0048 * self.plate, down * self._line_room / 100, self._slot_size / 100)
                parts.append(element("g", self._cell, scene.RIM, id=f"{id_}.{name}", class_="corner", transform=spot))
        return place(id_, said, *parts, at=move(*middle))

    @property
    def _slot_size(self) -> float:
        return 0.455 * min(self.plate, self.down)

    @property
    def _cell(self) -> Markup:
        """Where a finger finds a slot: all the room that it has."""
        width, height = 48 * self.plate / self._slot_size, 100 * self._line_room / self._slot_size
        return scene.target(-width / 2, -height / 2, width, height)

    @kept(lambda board, position, seat, square: (board, *_on_square(position.fields, seat, square), seat, square))
    def _slots(self, position: State, seat: int, square: int) -> Markup:
        """The slots of a plate on the dome, if there is one."""
        parts, plate = [], square_of(position.fields, seat, square) or {"slots": (), "tiles": ()}
        across, down = square % SQUARES_ACROSS, square // SQUARES_ACROSS
        for (row, column), name, colour in zip(CORNER_PLACES, plate["slots"], plate["tiles"], strict=False):
            row, column = 2 * down + row, 2 * across + column
            inside = _empty_slot(name)
            if colour:
                inside = join(copy("joker", scale=1.16) if name == "joker" else None, tile(colour))
            said = say_place(say_row_column(row + 1, column + 1, GAME), colour, GAME, _TAKES.get(name, name))
            at = move(self._column(column), self._row(row), self._slot_size / 100)
            parts.append(place(f"seat-{seat}.slot.{row + 1}.{column + 1}", said, self._cell, inside, scene.RIM, at=at))
        return join(*parts)

    @kept(lambda board, position, seat: (board, *_on_bottom(position.fields, seat), seat))
    def _bottom(self, position: State, seat: int) -> tuple[Markup, ...]:
        """Broken tiles, the start tile's space, chips."""
        fields, id_ = position.fields, f"seat-{seat}"
        held = counts(fields.broken[seat])
        top = self._top + SQUARES_ACROSS * self.down
        middle = (top + self.height) / 2
        size = min(self.tile, 0.78 * (self.height - top))
        pitch, left = 1.08 * size, self.margin
        if self.corner:
            left = max(left, self._dome - (SIZE + 0.6) * self.across)
        broken = [colour for colour, count in held.items() for _k in range(count)]
        parts = [ring(left, middle - self._line_room / 2, BROKEN_SPACES * pitch, self._line_room, 10)]
        word = _("broken tiles")
        parts += scene.penalty_spaces(f"{id_}.broken", word, broken, _COSTS, left, middle, size, GAME)
        x = left + (BROKEN_SPACES + 0.75) * pitch
        has = fields.holder == seat
        start = copy("tile-marker", class_="tile") if has else None
        space_ = join(element("circle", r=46, class_="empty"), scene.cost_words(START_TILE_PENALTY, size))
        said = _("start tile") if has else _("space for the start tile")
        cost = int(PENALTIES[len(broken)]) + START_TILE_PENALTY * has
        if cost:
            at, below = x + 0.75 * pitch, middle + 0.3 * self.letters
            parts.append(words(f"−{cost}", at, below, 0.85 * self.letters, "sum loss serif"))
        return (
            region(f"{id_}.broken", say_held(word, held, GAME), *parts, class_="line"),
            place(f"{id_}.start", said, start or space_, at=move(x, middle, size / 100)),
            self._chips(id_, fields.chips[seat], fields.chips_taken[seat], middle, size),
        )

    @kept()
    def _chips(self, owner: str, held: int, taken: int, middle: float, size: float) -> Markup:
        right = self.width - self.margin
        room = right - self._dome
        chips = chips_in(held)
        pitch = min(max(1.12 * size, scene.FINGER), room / max(len(chips), 1))
        parts = [
            _chip(
                chip,
                f"{owner}.chip-{chip}",
                right - (len(chips) - k - 0.5) * pitch,
                middle,
                min(pitch, size) * 0.94,
                count,
                pitch,
            )
            for k, (chip, count) in enumerate(chips.items())
        ]
        if not chips and self._numbers:
            parts.append(words(_("chips"), right, middle + 5, 15, "words", "end"))
        said = _("chips; {n} of {most} taken in this round").format(n=taken, most=CHIPS_A_ROUND)
        hollow = element("g", id=f"{owner}.chips.next", transform=move(right - size, middle, 0.0094 * size))
        return region(f"{owner}.chips", said, hollow, *parts)


_LARGE = _Board(646, 382, 42, 94, 94, 38, 21, 18)
_OWN, _OTHER = _Board(378, 346, 27.4, 61, 88, 26, 16, 8), _Board(378, 286, 27.4, 61, 64, 26, 16, 8)  # on phones


# --- definitions ---

_CROWN = "M-27 -15L-13 3L0 -22L13 3L27 -15L21 20H-21Z"
_CHIP = {"x": -48, "y": -48, "width": 96, "height": 96, "rx": 18}
_PLATE = {"x": -100, "y": -100, "width": 200, "height": 200, "rx": 22}


@cache
def _definitions() -> Markup:
    """What has no paint here takes it from the class of the copy."""
    return join(
        tiles.definitions(COLOURS, "round"),
        tiles.special(_CROWN),
        element("path", d="M-16 -24L20 0L-16 24Z", id="arrow"),
        element("path", d="M0 -28L24 -14V14L0 28L-24 14V-14Z", id="token"),
        element("g", _shadow(6, _PLATE), element("rect", **_PLATE), id="plate"),
        element("rect", vector_effect="non-scaling-stroke", id="plate-rim", **_PLATE),
        element("rect", id="no-plate", **_PLATE),
        element("g", _shadow(4, _CHIP), element("rect", **_CHIP), id="chip"),
        element("rect", vector_effect="non-scaling-stroke", id="chip-rim", **_CHIP),
        element("path", d=tiles.turned("M0 0|Q-6 -14 0 -34|Q6 -14 0 0|Z", 8), id="chip-back"),
        element("path", d=_CROWN, id="crown"),
        _joker(),
        *(_face(chip) for chip in CHIPS),
    )


def _shadow(depth: int, box: Mapping[str, Any]) -> Markup:
    return element("rect", fill=SHADE, fill_opacity=0.2, stroke="none", transform=f"translate(0 {depth})", **box)


def _joker() -> Markup:
    """A ring of five colours."""
    step, parts = 360 / len(COLOURS), []
    for k, colour in enumerate(COLOURS):
        start, end = towards(step * k + 4, 35), towards(step * (k + 1) - 4, 35)
        path = "M{} {}A35 35 0 0 1 {} {}".format(*map(number, (*start, *end)))
        parts.append(element("path", d=path, stroke=GLAZES[colour].face))
    ground = element("circle", r=35, stroke=CHIP_EDGE, stroke_width=16)
    return element("g", ground, *parts, fill="none", stroke_width=12, id="joker")


def _face(chip: str) -> Markup:
    """One colour, or two divided by the diagonal, each with its motif."""
    colours = [_COLOUR_OF[letter] for letter in chip]
    parts = [
        _shadow(4, _CHIP),
        element("rect", fill=GLAZES[colours[0]].face, stroke=CHIP_EDGE, stroke_width=5, **_CHIP),
    ]
    if len(colours) == 1:
        parts.append(copy(f"motif-{colours[0]}", scale=0.84))
    else:
        parts.append(element("path", d="M45.5 -45.5V31Q45.5 45.5 31 45.5H-45.5Z", fill=GLAZES[colours[1]].face))
        parts += [copy(f"motif-{colours[0]}", -19, -19, 0.5), copy(f"motif-{colours[1]}", 19, 19, 0.5)]
    return element("g", *parts, id=f"face-{chip}")
