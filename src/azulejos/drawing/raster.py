"""A picture as pixels, ten times as fast as through a PNG file: ThorVG draws the shapes, Pillow the words.

ThorVG knows neither a stylesheet's selectors nor where a text is anchored. So each element gets the properties of its
classes, and the words are taken out, with the place that the transforms around them give them.
"""

import cmath
import ctypes
import math
import re
from functools import cache, lru_cache
from html import unescape
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from azulejos.core.errors import OptionError

_TAG = re.compile(r"<(/?)(\w+)([^>]*?)(/?)>([^<]*)")
_RULE = re.compile(r"([^{}]+)\{([^}]*)\}")
_SELECTOR = re.compile(r"\.azulejos(?:\.\w+)? (text|\.[\w-]+)")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_TRANSFORM = re.compile(r"(\w+)\(([^)]*)\)")
_COLOUR = re.compile(r"\.azulejos(?:\.\w+)?\{color:([^;}]*)")
_FILL = re.compile(r"fill:([^;]*)")
_PAINT = re.compile(r"(?:^|;)(fill|stroke):([^;]*)")
_WORDS = ("text", "tspan")
_FACES = {  # serif, bold
    (False, False): "DejaVuSans.ttf",
    (False, True): "DejaVuSans-Bold.ttf",
    (True, True): "DejaVuSerif-Bold.ttf",
}
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}  # Pillow's: left, middle, right of the baseline

Place = tuple[complex, complex]
"""A turn and scale, and a shift: z is drawn at turn · z + shift. No transform of ours does anything else."""


class Words(NamedTuple):
    """A text, or a part of one with a style of its own."""

    at: complex
    anchor: str
    text: str
    style: str
    face: str
    size: float

    @property
    def font(self) -> Any:
        """The font in this size."""
        return _font(self.face, self.size)

    @property
    def colour(self) -> str:
        """The colour, as CSS has it."""
        return str(_FILL.findall(self.style)[-1])


def pixels(picture: str) -> npt.NDArray[np.uint8]:
    """One of our SVG pictures as pixels: uint8 [height, width, 3]."""
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise OptionError("a picture in pixels needs pillow: pip install 'azulejos[pictures]'") from None
    width, height = (int(float(_attributes(picture[: picture.index(">")])[side])) for side in ("width", "height"))
    shapes, words = _parted(picture)
    image = Image.frombuffer("RGBA", (width, height), _drawn(shapes, width, height), "raw", "RGBA", 0, 1).convert("RGB")
    for word in words:
        left, top = math.floor(word.at.real), math.floor(word.at.imag)
        mask, x, y = _inked(word.text, word.face, word.size, word.anchor, word.at - complex(left, top))
        image.paste(word.colour, (left + x, top + y), mask)
    return np.asarray(image)


@lru_cache(4096)
def _inked(text: str, face: str, size: float, anchor: str, at: complex) -> tuple[Any, int, int]:
    """A text as a mask, and where the mask's corner is; `at`: where the text is anchored, within a pixel."""
    from PIL import Image, ImageDraw

    font, where = _font(face, size), (at.real, at.imag)
    left, top, right, bottom = ImageDraw.Draw(Image.new("L", (1, 1))).textbbox(where, text, font, _ANCHORS[anchor])
    x, y = math.floor(left) - 1, math.floor(top) - 1
    mask = Image.new("L", (math.ceil(right) + 1 - x, math.ceil(bottom) + 1 - y))
    ImageDraw.Draw(mask).text((at.real - x, at.imag - y), text, 255, font, _ANCHORS[anchor])
    return mask, x, y


def _drawn(shapes: str, width: int, height: int) -> Any:
    """A buffer of RGBA, uint8 [height, width, 4]."""
    thorvg, engine = _engine()
    canvas, drawing = thorvg.SwCanvas(engine), thorvg.Picture(engine)
    canvas.set_target(width, height, None, thorvg.Colorspace.ABGR8888S)
    drawing.load_data(shapes.encode(), "svg", None, True)
    canvas.add(drawing)
    canvas.update()
    canvas.draw(True)
    canvas.sync()
    buffer: ctypes.Array[ctypes.c_uint32] = canvas.buffer_arr
    canvas.destroy()
    return buffer


@cache
def _engine() -> tuple[Any, Any]:
    try:
        thorvg: Any = import_module("thorvg_python")
    except ModuleNotFoundError:
        raise OptionError("a picture in pixels needs thorvg-python: pip install 'azulejos[pictures]'") from None
    return thorvg, thorvg.Engine(threads=0)


@cache
def _font(face: str, size: float) -> Any:
    """DejaVu, as the stylesheet has it, or else the font that comes with Pillow."""
    from PIL import ImageFont

    try:
        return ImageFont.truetype(face, size)
    except OSError:
        return ImageFont.load_default(size)


@lru_cache(10_000)
def _attributes(text: str) -> dict[str, str]:
    return dict(_ATTRIBUTE.findall(text))


@cache
def _properties(sheet: str) -> dict[str, str]:
    """The properties of each class, and of a text, in the order of the stylesheet."""
    found: dict[str, str] = {}
    for selectors, body in _RULE.findall(unescape(sheet)):
        for selector in selectors.split(","):
            if one := _SELECTOR.fullmatch(selector):
                name = one[1].removeprefix(".")
                found[name] = f"{found.get(name, '')}{body};".replace('"', "'")
    return found


@cache
def _style(sheet: str, tag: str, classes: str) -> str:
    """The properties of an element: a class stands above the kind of element."""
    known, names = _properties(sheet), set(classes.split())
    own = "".join(properties for name, properties in known.items() if name in names)
    return known.get("text", "") + own if tag == "text" else own


@cache
def _is_bare(style: str) -> bool:
    """Is a shape with this style neither filled nor outlined? It is there to be clicked, or for when it is chosen."""
    painted = dict(_PAINT.findall(style))
    return painted.get("fill") == "none" and painted.get("stroke", "none") == "none"


def _parted(picture: str) -> tuple[str, list[Words]]:
    """A picture without its words, with a style for every element; and the words."""
    begin, end = picture.index("<style>"), picture.index("</style>")
    sheet, colour = picture[begin + len("<style>") : end], _COLOUR.search(picture)
    assert colour, "a stylesheet of ours begins with a colour"
    rest = picture[:begin] + picture[end + len("</style>") :].replace("currentColor", colour[1])
    shapes: list[str] = []
    words: list[Words] = []
    places: list[Place] = [(1 + 0j, 0j)]
    sizes = ["16"]  # of letters, inherited
    at = 0j  # where the next part of a text begins
    for closing, tag, given, single, inside in _TAG.findall(rest):
        if closing:
            if tag != "tspan":
                places.pop()
                sizes.pop()
            if tag not in _WORDS:
                shapes.append(f"</{tag}>")
            continue
        own = _attributes(given)
        if tag in _WORDS:
            if tag == "text":
                places.append(_moved(places[-1], own.get("transform", "")))
                sizes.append(own.get("font-size", sizes[-1]))
                at = complex(float(own.get("x", 0)), float(own.get("y", 0)))
            else:
                at = complex(float(own.get("x", at.real)), at.imag + float(own.get("dy", 0)))
            style = _style(sheet, "text", own.get("class", ""))
            if inside and "visibility:hidden" not in style:
                turn, shift = places[-1]
                face = _FACES["serif" in own.get("class", ""), "font-weight:700" in style]
                size = float(own.get("font-size", sizes[-1])) * abs(turn)
                anchor = "middle" if "text-anchor:middle" in style else own.get("text-anchor", "start")
                word = Words(turn * at + shift, anchor, unescape(inside), style, face, size)
                words.append(word)
                if tag == "tspan":
                    at += word.font.getlength(word.text) / abs(turn)
            continue
        style = _style(sheet, tag, own["class"]) if "class" in own else ""
        if single and _is_bare(style) and "stroke" not in own:
            continue
        shapes.append(f'<{tag}{given} style="{style}"{single}>' if style else f"<{tag}{given}{single}>")
        if not single:
            places.append(_moved(places[-1], own.get("transform", "")))
            sizes.append(own.get("font-size", sizes[-1]))
    return "".join(shapes), words


@lru_cache(10_000)
def _moved(place: Place, transform: str) -> Place:
    """A place inside an element that has a transform."""
    turn, shift = place
    for name, numbers in _TRANSFORM.findall(transform):
        first, *more = map(float, numbers.split())
        if name == "scale":
            turn *= first
        elif name == "translate":
            shift += turn * complex(first, *more)
        else:
            pivot, by = complex(*more), cmath.rect(1, math.radians(first))
            shift += turn * (pivot - by * pivot)
            turn *= by
    return turn, shift
