"""Parts of a picture, cropped and marked, for pages that explain something by them."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import reduce
from math import cos, radians, sin
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from .svg import Markup, element, number, words

_SVG = "http://www.w3.org/2000/svg"
_MARGIN = 6
_ENOUGH, _LARGEST = 300, 1.5  # a picture narrower than this is enlarged, by this factor at most
# How far a copied definition reaches from its origin; others reach as far as a tile.
_REACH = {"plate": 104, "no-plate": 100, "plate-rim": 100, "arrow": 24, "token": 28, "dot": 8}
_TILE = 50
_LONG = 60  # from here on a place is no square or round tile

ElementTree.register_namespace("", _SVG)


class _Matrix(NamedTuple):
    """An affine transformation, its numbers in the order of SVG."""

    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 1
    e: float = 0
    f: float = 0

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def then(self, inner: "_Matrix") -> "_Matrix":
        """What `inner` does, seen from outside."""
        e, f = self.at(inner.e, inner.f)
        return _Matrix(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            e,
            f,
        )

    def __str__(self) -> str:
        return "matrix({})".format(" ".join(f"{value:.4f}".rstrip("0").rstrip(".") for value in self))


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def joined(self, other: "_Box") -> "_Box":
        return _Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


def definitions(picture: str) -> Markup:
    """The shapes that the parts of a picture copy, once for a page with many of them."""
    found = re.search("<defs>.*?</defs>", picture, re.DOTALL)
    assert found
    return Markup(found[0])


def crop(
    picture: str,
    show: Iterable[str],
    held: Iterable[str] = (),
    runs: Iterable[tuple[str, str, str]] = (),
    marks: Mapping[str, str] | None = None,
    enlarged: float = 1,
) -> Markup:
    """The places of a picture that patterns of ids name, as a picture of their own, without definitions.

    `held`: patterns of places that are outlined. `runs`: rows of places from one to another, outlined together, with a
    text. `marks`: texts on discs at places. `enlarged`: by this factor at least. Ids are gone, so that a page can have
    many.
    """
    root = ElementTree.fromstring(picture)
    show, held = list(show), list(held)
    runs, marks = list(runs), marks or {}
    wanted = {*marks, *(place for first, last, _text in runs for place in (first, last))}
    walked = _walk(root, _Matrix()) if wanted else ()
    places = {name: _box(part, at) for part, at in walked if (name := part.get("id", "")) in wanted}
    groups = {part.get("id") for part in root.iter() if part.get("role") == "group"}
    for part in root.iter():
        if _fits(part, held):
            part.set("class", f"{part.get('class', '')} held")
    if not _prune(root, show):
        raise ValueError(f"the picture has none of the places {show}")
    sky = [*_outlines(places, runs), *_discs(places, groups, marks)]
    boxes = [box for child in root for box in [_box(child, _transform(child.get("transform", "")))] if box]
    left, top, right, bottom = reduce(_Box.joined, [*boxes, *(box for box, _drawn in sky)])
    box = _Box(left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
    width, height = round(box.right - box.left, 1), round(box.bottom - box.top, 1)
    scale = min(_LARGEST, max(enlarged, _ENOUGH / width))
    return element(
        "svg",
        *(_bare(child) for child in root),
        *(drawn for _space, drawn in sky),
        viewBox=" ".join(map(number, (round(box.left, 1), round(box.top, 1), width, height))),
        width=round(scale * width),
        height=round(scale * height),
        class_=root.get("class"),
        aria_hidden="true",
    )


def _prune(part: Element, show: Sequence[str]) -> bool:
    """Leave only the places that patterns name, and what holds them. Returns whether there are any."""
    if _fits(part, show):
        return True
    for child in list(part):
        if not _prune(child, show):
            part.remove(child)
    return len(part) > 0


def _fits(part: Element, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(part.get("id", ""), pattern) for pattern in patterns)


def _walk(part: Element, outer: _Matrix) -> Iterator[tuple[Element, _Matrix]]:
    """All elements, each with where its own coordinates lie in the picture."""
    here = outer.then(_transform(part.get("transform", "")))
    yield part, here
    for child in part:
        if child.tag != f"{{{_SVG}}}defs":
            yield from _walk(child, here)


def _transform(text: str) -> _Matrix:
    result = _Matrix()
    for name, values in re.findall(r"(\w+)\(([^)]*)\)", text):
        given = [float(value) for value in re.findall(r"-?[\d.]+", values)]
        if name == "translate":
            step = _Matrix(e=given[0], f=given[1])
        elif name == "scale":
            step = _Matrix(a=given[0], d=given[0])
        else:
            assert name == "rotate", text
            step = _rotation(given[0])
            if len(given) == 3:
                x, y = step.at(given[1], given[2])
                step = step._replace(e=given[1] - x, f=given[2] - y)
        result = result.then(step)
    return result


def _rotation(degrees: float) -> _Matrix:
    turn = radians(degrees)
    return _Matrix(cos(turn), sin(turn), -sin(turn), cos(turn))


def _box(part: Element, matrix: _Matrix) -> _Box | None:
    """The space that an element takes in the picture, None if it takes none.

    Paths are left out: those that boards have lie inside other shapes.
    """
    boxes = [
        _Box(min(xs), min(ys), max(xs), max(ys))
        for child, inner in [(part, matrix), *((c, m) for child in part for c, m in _walk(child, matrix))]
        if (corners := _corners(child))
        for xs, ys in [zip(*(inner.at(x, y) for x, y in corners), strict=True)]
    ]
    return reduce(_Box.joined, boxes) if boxes else None


def _corners(part: Element) -> list[tuple[float, float]]:
    """The corners of a shape in its own coordinates."""

    def of(name: str) -> float:
        return float(part.get(name, 0))

    kind = part.tag.rpartition("}")[2]
    if {"ring", "hit"} & set(part.get("class", "").split()):
        return []
    if kind == "rect":
        left, top, right, bottom = of("x"), of("y"), of("x") + of("width"), of("y") + of("height")
    elif kind == "circle":
        left, top, right, bottom = of("cx") - of("r"), of("cy") - of("r"), of("cx") + of("r"), of("cy") + of("r")
    elif kind == "use":
        reach = _REACH.get(part.get("href", "").lstrip("#"), _TILE)
        left, top, right, bottom = -reach, -reach, reach, reach
    elif kind == "text" and part.get("font-size"):
        wide = 0.6 * of("font-size") * len("".join(part.itertext()))
        left = of("x") - {"middle": wide / 2, "end": wide}.get(part.get("text-anchor", ""), 0)
        top, right, bottom = of("y") - of("font-size"), left + wide, of("y") + 0.25 * of("font-size")
    else:
        return []
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _bare(part: Element) -> Markup:
    """An element without ids, labels and what nobody sees, as text."""
    for child in part.iter():
        for name in ("id", "role", "aria-label"):
            child.attrib.pop(name, None)
        outlined = "held" in child.get("class", "").split()
        for inside in list(child):
            if inside.get("class") == "hit" or (inside.get("class") == "ring" and not outlined):
                child.remove(inside)
    return Markup(ElementTree.tostring(part, encoding="unicode").replace(f' xmlns="{_SVG}"', ""))


def _found(places: Mapping[str, _Box | None], name: str) -> _Box:
    box = places.get(name)
    if box is None:
        raise ValueError(f"the picture has no place {name!r}")
    return box


def _outlines(places: Mapping[str, _Box | None], runs: Iterable[tuple[str, str, str]]) -> Iterator[tuple[_Box, Markup]]:
    for first, last, text in runs:
        left, top, right, bottom = _found(places, first).joined(_found(places, last))
        box = _Box(left - 3, top - 3, right + 3, bottom + 3)
        outline = element(
            "rect",
            x=round(box.left, 1),
            y=round(box.top, 1),
            width=round(box.right - box.left, 1),
            height=round(box.bottom - box.top, 1),
            rx=10,
            class_="run",
        )
        yield box, outline
        if text:
            across = right - left >= bottom - top
            x, y = (box.left - 8, (top + bottom) / 2) if across else ((left + right) / 2, box.top - 8)
            yield _disc(text, x, y, "count")


def _discs(
    places: Mapping[str, _Box | None], groups: Container[str | None], marks: Mapping[str, str]
) -> Iterator[tuple[_Box, Markup]]:
    for name, text in marks.items():
        box = _found(places, name)
        kind = "minus" if text.startswith("−") else "plus" if text.startswith("+") else "count"
        width, height = box.right - box.left, box.bottom - box.top
        if kind == "count":  # on a place for one tile, or beside a line of them
            x = box.right + 9 if name in groups else (box.left + box.right) / 2
            yield _disc(text, x, (box.top + box.bottom) / 2, kind)
            continue
        aside = 0.3 * min(width, height) if width < _LONG else 0  # at the tile's corner; a rhombus is slender
        yield _disc(text, (box.left + box.right) / 2 + aside, (box.top + box.bottom) / 2 - aside, kind)


def _disc(text: str, x: float, y: float, kind: str) -> tuple[_Box, Markup]:
    """A short text on a disc."""
    width = 14 + 9 * len(text)
    drawn = element(
        "g",
        element("rect", x=-width / 2, y=-13, width=width, height=26, rx=13),
        words(text, 0, 5, 15, "strong", "middle"),
        transform=f"translate({number(round(x, 1))} {number(round(y, 1))})",
        class_=f"points {kind}",
    )
    return _Box(x - width / 2, y - 13, x + width / 2, y + 13), drawn
