"""A few of a game's tiles, as the picture by which it is known."""

from collections.abc import Sequence

from . import svg, tiles

# The middles of the rhombi of a star whose tips meet.
_RING = ((0, -1), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5))


def rows(colours: Sequence[str], shape: str = "square") -> str:
    """Six tiles in two rows."""
    return _emblem(colours, shape, [svg.move(60 + 100 * (k % 3), 56 + 100 * (k // 3)) for k in range(6)])


def star(colours: Sequence[str]) -> str:
    """Six rhombi around a point."""
    return _emblem(
        colours, "rhombus", [svg.move(160 + 54 * x, 106 + 54 * y, turn=60 * k) for k, (x, y) in enumerate(_RING)]
    )


def _emblem(colours: Sequence[str], shape: str, places: Sequence[str]) -> str:
    found = zip(colours, places, strict=True)
    parts = [svg.element("g", _anonymous(tiles.tile(colour, shape)), transform=place) for colour, place in found]
    return svg.element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox="0 0 320 212",
        width=320,
        height=212,
        aria_hidden="true",
        class_="emblem",
    )


def _anonymous(drawn: svg.Markup) -> svg.Markup:
    """A definition as a drawing: without its id, which would not be alone on a page."""
    start = drawn.index(' id="')
    return svg.Markup(drawn[:start] + drawn[drawn.index('"', start + 5) + 1 :])
