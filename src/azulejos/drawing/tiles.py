"""The tiles: nine motifs, distinguishable without colour, on three shapes.

A tile is drawn around the origin and reaches from −50 to 50: square in Azul, round in Duel, a rhombus with its tips at
the top and the bottom in Summer Pavilion.
"""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache

from . import theme
from .svg import Markup, element, join, number

SHAPES = ("square", "round", "rhombus")
HALF_WIDTH = 50 / math.sqrt(3)  # of a rhombus, whose half height is 50

Point = tuple[float, float]


# --- paths ---


def _turned(point: Point, degrees: float) -> Point:
    angle = math.radians(degrees)
    (x, y), c, s = point, math.cos(angle), math.sin(angle)
    return x * c - y * s, x * s + y * c


def turned(path: str, times: int, start: float = 0) -> str:
    """A path of M, L, C, Q and Z, with absolute coordinates, repeated in a ring."""
    steps = [(step[0], [float(value) for value in step[1:].split()]) for step in path.split("|")]
    text = ""
    for copy in range(times):
        degrees = start + 360 * copy / times
        for letter, values in steps:
            points = [_turned((values[k], values[k + 1]), degrees) for k in range(0, len(values), 2)]
            text += letter + " ".join(f"{number(round(x, 1))} {number(round(y, 1))}" for x, y in points)
    return text


def dots(x: float, y: float, radius: float, times: int = 1, start: float = 0) -> str:
    """Discs in a ring."""
    text = ""
    for copy in range(times):
        at = _turned((x, y), start + 360 * copy / times)
        r = number(radius)
        text += f"M{number(round(at[0] - radius, 1))} {number(round(at[1], 1))}"
        text += f"a{r} {r} 0 1 0 {number(2 * radius)} 0a{r} {r} 0 1 0 {number(-2 * radius)} 0Z"
    return text


def polygon(*points: Point) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


# --- motifs ---


@dataclass(frozen=True)
class Motif:
    """The drawing on a tile, within 38 of its middle.

    `layers`: paths from the bottom up, each with the part of the glaze that fills it, or strokes it if it has a width.
    `corners`: what fills a square's corners, `tips` a rhombus's tips; both in the motif's light colour.
    `thin`: the motif as one thin line, for empty places.
    """

    layers: tuple[tuple[str, str] | tuple[str, str, float], ...]
    corners: str
    tips: str
    thin: str


_PETAL = "M0 -4|C-10 -14 -9 -27 0 -37|C9 -27 10 -14 0 -4|Z"
_LOBES = (
    "M-11 -11|C-20 -20 -17 -37 0 -37|C17 -37 20 -20 11 -11|C20 -20 37 -17 37 0|C37 17 20 20 11 11"
    "|C20 20 17 37 0 37|C-17 37 -20 20 -11 11|C-20 20 -37 17 -37 0|C-37 -17 -20 -20 -11 -11|Z"
)
_ARROW = "M0 -3|L-6.5 -23|L0 -32|L6.5 -23|Z"
_BRANCH = "M0 -5|L0 -36|M-9 -33|L0 -24|L9 -33|M-8 -22|L0 -14|L8 -22"
_CLOVER = "M0 -3|C-9 -8 -20 -17 -18 -28|C-16 -38 -5 -38 0 -31|C5 -38 16 -38 18 -28|C20 -17 9 -8 0 -3|Z"
_VEINS = "M0 -10|L0 -26|M-3.5 -11|L-10 -25|M3.5 -11|L10 -25"
_TULIP = "M-12 -37|C-13 -21 -7 -14 0 -14|C7 -14 13 -21 12 -37|L6 -28|L0 -38|L-6 -28|Z"
_LEAF = "M0 -3|C-15 -11 -17 -24 0 -40|C17 -24 15 -11 0 -3|Z"
_RAY = "M-5 -20|L0 -38|L5 -20|Z"

MOTIFS = {
    "blue": Motif(  # a flower of eight petals
        (
            (turned(_PETAL, 8), "light"),
            (dots(0, 0, 9), "gold"),
            (dots(0, 0, 3.6), "deep"),
        ),
        corners=turned("M-42 -24|C-32 -24 -24 -32 -24 -42|L-33 -42|Q-42 -42 -42 -33|Z", 4),
        tips=turned("M0 -42|Q-7 -33 0 -26|Q7 -33 0 -42|Z", 2),
        thin=turned(_PETAL, 8) + dots(0, 0, 7),
    ),
    "yellow": Motif(  # four lobes with a cross
        (
            (turned(_LOBES, 1), "light"),
            (turned(_ARROW, 4), "deep"),
            (dots(0, 0, 7), "deep"),
            (dots(0, 0, 3.2), "gold"),
        ),
        corners=turned("M-38 -38|L-24 -36|L-36 -24|Z", 4),
        tips=turned("M0 -43|L-6.5 -30|L0 -26|L6.5 -30|Z", 2),
        thin=turned(_LOBES, 1) + turned("M0 0|L0 -26", 4),
    ),
    "red": Motif(  # a square on its corner with four points
        (
            ("M0 -39L39 0L0 39L-39 0Z", "light"),
            ("M0 -27L27 0L0 27L-27 0Z", "face"),
            (turned("M0 0|L-6 -13|L0 -24|L6 -13|Z", 4), "light"),
            (dots(0, 0, 5.5), "gold"),
        ),
        corners=dots(-31, -31, 5.5, 4),
        tips=dots(0, -34, 4.6, 2),
        thin="M0 -38L38 0L0 38L-38 0ZM0 -24L24 0L0 24L-24 0Z",
    ),
    "black": Motif(  # two squares crossed around a star
        (
            ("M-27 -27H27V27H-27Z" + turned("M-27 -27|L27 -27|L27 27|L-27 27|Z", 1, 45), "light", 4.2),
            (turned("M0 0|L-4.6 -11|L0 -21|L4.6 -11|Z", 8), "gold"),
            (dots(0, 0, 4.2), "deep"),
        ),
        corners=dots(-34, -34, 3.4, 4),
        tips=turned("M0 -40|L-5 -32|L0 -26|L5 -32|Z", 2),
        thin="M-27 -27H27V27H-27Z" + turned("M-27 -27|L27 -27|L27 27|L-27 27|Z", 1, 45) + dots(0, 0, 8),
    ),
    "white": Motif(  # a snow crystal
        (
            (turned(_BRANCH, 6), "light", 5),
            (dots(0, 0, 8), "light"),
            (dots(0, 0, 3.4), "face"),
        ),
        corners="",
        tips=dots(0, -34, 3.6, 2),
        thin=turned(_BRANCH, 6),
    ),
    "turquoise": Motif(  # a clover of four leaves
        (
            (turned(_CLOVER, 4, 45), "light"),
            (turned(_VEINS, 4, 45), "deep", 2.6),
            (dots(0, 0, 6.5), "gold"),
        ),
        corners="",
        tips=dots(0, -34, 3.6, 2),
        thin=turned(_CLOVER, 4, 45),
    ),
    "purple": Motif(  # four tulips
        (
            (turned("M0 0|L0 -18", 4), "light", 4.2),
            (turned(_TULIP, 4), "light"),
            (turned("M0 -5|C-9 -9 -14 -14 -17 -20|C-8 -19 -4 -12 0 -5|Z", 4, 45), "line"),
            (dots(0, 0, 7.5), "gold"),
        ),
        corners=turned("M-41 -29|Q-32 -32 -29 -41|L-36 -41|Q-41 -41 -41 -36|Z", 4),
        tips=turned("M-5.5 -34|C-5.5 -28 -3 -25.5 0 -25.5|C3 -25.5 5.5 -28 5.5 -34|L2.6 -32|L0 -41|L-2.6 -32|Z", 2),
        thin=turned(_TULIP, 4) + turned("M0 0|L0 -14", 4),
    ),
    "green": Motif(  # four leaves on the diagonals, and dots
        (
            (turned(_LEAF, 4, 45), "light"),
            (turned("M0 -9|L0 -27|M0 -14|L-5 -20|M0 -14|L5 -20", 4, 45), "face", 2.6),
            (dots(0, -31, 4.6, 4), "light"),
            (dots(0, 0, 7), "gold"),
        ),
        corners="",
        tips=dots(0, -38, 2.6, 2) + dots(0, -30, 3.6, 2),
        thin=turned(_LEAF, 4, 45) + dots(0, -31, 4, 4),
    ),
    "orange": Motif(  # a sun
        (
            (turned(_RAY, 12), "light"),
            (dots(0, 0, 22), "light"),
            (dots(0, 0, 14.5), "face"),
            (dots(0, 0, 6.5), "gold"),
        ),
        corners=turned("M-39 -39|L-27 -38|Q-29 -29 -38 -27|Z", 4),
        tips=turned("M0 -42|L-4.5 -29|Q0 -26.5 4.5 -29|Z", 2),
        thin=turned("M-4.5 -23|L0 -37|L4.5 -23", 12) + dots(0, 0, 22) + dots(0, 0, 9),
    ),
}
_ONE = "M-13 -15Q-3 -17 1 -27H7V20Q7 24 15 24V29H-13V24Q-4 24 -4 20V-11Q-8 -10 -13 -10Z"  # the marker's figure


# --- shapes ---

_MOTIF_SIZE = {"square": 1, "round": 0.94, "rhombus": 0.6}
_GLOSS = {
    "square": "M-41 -18V-34Q-41 -43 -32 -43H24Q-2 -39 -16 -31T-41 -18Z",
    "round": "M-41 -8A42 42 0 0 1 22 -36Q-4 -36 -18 -28T-41 -8Z",
    "rhombus": "M-26.5 0L0 -46L0 46Z",
}


def outline(shape: str, size: float, lower: float = 0, **paint: str | float | None) -> Markup:
    """A shape reaching from −size to size, its lower edge raised by `lower`."""
    if shape == "square":
        height, radius = 2 * size - lower, round(0.28 * size, 1)
        return element("rect", x=-size, y=-size, width=2 * size, height=height, rx=radius, **paint)
    if shape == "round":
        return element("circle", cy=-lower / 2 or None, r=size - lower / 2, **paint)
    half, middle = HALF_WIDTH * size / 50, -lower / 2
    return element("path", d=polygon((0, -size), (half, middle), (0, size - lower), (-half, middle)), **paint)


def _body(shape: str, glaze: theme.Glaze) -> Markup:
    """A tile without its motif: shadow, side, face, frame."""
    if shape == "rhombus":  # lies at every angle, so its light comes from straight above
        return join(
            outline(shape, 50, fill=theme.SHADE, fill_opacity=0.22),
            outline(shape, 48.5, fill=glaze.side),
            outline(shape, 46.8, fill=glaze.face),
            outline(shape, 42.5, fill="none", stroke=glaze.line, stroke_width=1.3, opacity=0.8),
        )
    return join(
        outline(shape, 47, fill=theme.SHADE, fill_opacity=0.3, transform="translate(0 3.5)"),
        outline(shape, 47, fill=glaze.side),
        outline(shape, 47, 4, fill=glaze.face, stroke=glaze.line, stroke_width=1, stroke_opacity=0.4),
        outline(shape, 41.5, fill="none", stroke=glaze.line, stroke_width=2, opacity=0.8),
    )


def _gloss(shape: str) -> Markup:
    return element("path", d=_GLOSS[shape], fill=theme.GLOSS, opacity=0.17)


@cache
def tile(colour: str, shape: str) -> Markup:
    """The definition of a colour's tile: `tile-blue`."""
    glaze, motif = theme.GLAZES[colour], MOTIFS[colour]
    parts = {"gold": theme.GOLD, **asdict(glaze)}
    layers = []
    for path, part, *width in motif.layers:
        if width:
            layers.append(element("path", d=path, fill="none", stroke=parts[part], stroke_width=width[0]))
        else:
            layers.append(element("path", d=path, fill=parts[part]))
    size = _MOTIF_SIZE[shape]
    rim = outline(shape, 46, 4, fill="none", stroke="currentColor", stroke_width=3) if colour == "black" else None
    ends = {"square": motif.corners, "rhombus": motif.tips}.get(shape)
    return element(
        "g",
        _body(shape, glaze),
        rim,
        element("path", d=ends, fill=glaze.light, opacity=0.9) if ends else None,
        element(
            "g",
            *layers,
            stroke_linecap="round",
            transform=None if size == 1 else f"scale({size})",
            id=f"motif-{colour}",
        ),
        _gloss(shape),
        id=f"tile-{colour}",
    )


def special(motif: str) -> Markup:
    """A golden tile with a motif of its own: `tile-special`."""
    glaze = theme.SPECIAL
    return element(
        "g",
        _body("round", glaze),
        element("path", d=motif, fill=glaze.light, stroke=glaze.deep, stroke_width=2.5, stroke_linejoin="round"),
        _gloss("round"),
        id="tile-special",
    )


@cache
def marker(shape: str) -> Markup:
    """The start marker: `tile-marker`."""
    return element(
        "g",
        _body(shape, theme.MARKER),
        element("path", d=_ONE, fill=theme.MARKER.light),
        _gloss(shape),
        id="tile-marker",
    )


@cache
def well(shape: str) -> Markup:
    """An empty place: `well`."""
    return outline(shape, 46, id="well")


@cache
def thin(colour: str, shape: str) -> Markup:
    """The faint motif of an empty place that waits for a colour: `thin-blue`."""
    size = 0.86 * _MOTIF_SIZE[shape]
    return element("path", d=MOTIFS[colour].thin, transform=f"scale({number(size)})", id=f"thin-{colour}")


@cache
def rim(shape: str) -> Markup:
    """The outline of a place, of the same stroke width at every scale: `rim`."""
    return outline(shape, 50, vector_effect="non-scaling-stroke", id="rim")


def definitions(colours: Iterable[str], shape: str) -> Markup:
    """All definitions of a picture: tiles, the marker, wells, faint motifs and the outline of a place."""
    drawn = [part(colour, shape) for colour in colours for part in (tile, thin)]
    return join(*drawn, marker("square" if shape == "square" else "round"), well(shape), rim(shape))
