"""The rules of each game for people: a page in every language, with drawn examples, in our own words."""

from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from azulejos.core.language import LANGUAGES, N_, _
from azulejos.core.registry import games, parse
from azulejos.drawing import svg, tiles

PAGES = Path(__file__).parent / "templates" / "rules"

_SENTENCES = {
    "azul": N_("Take tiles, fill lines, and lay a wall that scores with every tile."),
    "pavilion": N_("Lay stars of rhombi with a wild colour in every round, and win tiles for what they surround."),
    "duel": N_("Two players, a dome of plates: suns and moons, piles and chips."),
}
_EMBLEMS = {
    "azul": ("square", ("blue", "yellow", "red", "white", "black", "blue"), 100, 100),
    "pavilion": ("rhombus", ("purple", "green", "orange", "yellow", "blue", "red"), 62, 0),
    "duel": ("round", ("turquoise", "red", "blue", "yellow", "black", "turquoise"), 100, 100),
}

_environment = jinja2.Environment(
    loader=jinja2.FileSystemLoader(PAGES), autoescape=True, undefined=jinja2.StrictUndefined
)


def in_a_sentence(game: str) -> str:
    return _(_SENTENCES[game]) if game in _SENTENCES else games()[game].title


@cache
def emblem(game: str) -> str:
    """A few of the game's tiles."""
    shape, colours, across, down = _EMBLEMS.get(game, _EMBLEMS["azul"])
    parts = []
    for k, colour in enumerate(colours):
        if shape == "rhombus":
            where = svg.move(160 + 54 * _ring(k)[0], 106 + 54 * _ring(k)[1], turn=60 * k)
        else:
            where = svg.move(60 + across * (k % 3), 56 + down * (k // 3))
        parts.append(svg.element("g", _anonymous(tiles.tile(colour, shape)), transform=where))
    picture = svg.element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox="0 0 320 212",
        width=320,
        height=212,
        aria_hidden="true",
        class_="emblem",
    )
    return str(picture)


def _ring(k: int) -> tuple[float, float]:
    """The middle of the k-th rhombus of a star whose tips meet."""
    return ((0, -1), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5))[k]


def _anonymous(drawn: svg.Markup) -> svg.Markup:
    """A definition as a drawing: without its id, which would not be alone on a page."""
    start = drawn.index(' id="')
    return svg.Markup(drawn[:start] + drawn[drawn.index('"', start + 5) + 1 :])


@cache
def page(game: str, spoken: str) -> str:
    """The rules as a piece of HTML; in English where a language has none yet."""
    names = [f"{game}.{name}.html" for name in (spoken, "en")]
    template = next((name for name in names if (PAGES / name).exists()), None)
    if template is None:
        return ""
    return _environment.get_template(template).render(draw=_draw, languages=LANGUAGES)


def _draw(position: str) -> Markup:
    """A position as a picture in the page, described by its text."""
    state = parse(position)
    return Markup(state.game.draw(state, theme="auto", styled=False))  # our own drawing, names escaped
