"""The rules of each game for people: a page in every language, with drawn examples, in our own words."""

from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup
from msgspec.json import encode

from azulejos.core.language import N_, _, typeset
from azulejos.core.registry import parse, registered
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

# The positions that the pages speak of.
EXAMPLES = {
    "azul": "azul coloured round 4 seat 0 start 0 | BRKK BBYR BYWW YRKK BRKW | 1 | B4Y7R2K4W3 | B7Y6R9K6W7"
    " | 16 -/-/-/-/K1 BYR../W.YR./KWB../...B./..... - | 18 -/-/-/W2/W2 .YRK./.B.RK/KW..R/....Y/..... -",
    "pavilion": "pavilion coloured round 4 decorating seat 0 start 1 | PGGGOOBBRR | - - - - - | - | P8G3O10Y8B7R5"
    " | P3G5O3Y6B2R5 | 28 PPPPGYYYBBRR OO..../RRR.../BB..../YYY.../GG..../PPP.../BP...."
    " | 25 GGGGOOOBBBRR OO..../RR..../BB..../YY..../GGG.../PP..../GBR...",
    "duel": "duel rows,columns,diagonals round 3 seat 0 start 0 | sBKT sYRB jRKY | j5 | -"
    " | -/1YTT -/KBY/? BBYY/-/? -/Y/? BBYT/-/? | Y1R1 | B3Y1R5K1T5 | Y2K1T1BR2RT2TY2YK1KB1"
    " | 4 t2 c0 K1/B2/-/R4/K4/K3 .,.,Btyk@ne/.,styk@nw,jyRB@se/stby@nw,.,sbtr@ne - B2R1K1"
    " | 15 t2 c0 R1/K2/Y3/T4/-/- .,YKbr@ne,skYB@ne/.,.,srky@nw/skbr@ne,.,TRtk@sw - R1",
}
MOVES = {"azul": "2B2", "pavilion": "R4+2", "duel": "MY3"}  # and the moves in them


def _source(name: str) -> str | None:
    """A page as it is written, with the spaces of its language."""
    file = PAGES / name
    return typeset(file.read_text(encoding="utf-8"), name.split(".")[1]) if file.exists() else None


_environment = jinja2.Environment(
    loader=jinja2.FunctionLoader(_source), autoescape=True, undefined=jinja2.StrictUndefined
)


def in_a_sentence(game: str) -> str:
    return _(_SENTENCES[game]) if game in _SENTENCES else _(registered()[game].title)


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
    return _environment.get_template(template).render(example=_example(game))


def _example(game: str) -> Markup:
    """The page's position as a picture; with what the page's script needs to show the move in it."""
    state = parse(EXAMPLES[game])
    action = state.game.action(MOVES[game])
    preview = state.game.previews(state)[list(state.actions).index(action)]
    shown = {"picks": state.game.picks(state, int(action)), "ghosts": preview.ghosts, "marks": preview.marks}
    picture = Markup(state.game.draw(state, theme="auto", styled=False))  # our own drawing, names escaped
    frame = Markup('<div class="example" tabindex="0" data-example="{}">{}</div>')
    return frame.format(encode(shown).decode(), picture)
