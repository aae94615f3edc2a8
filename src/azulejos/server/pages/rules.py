"""The rules of each game for people: a page in every language, with drawn examples, in our own words."""

from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup
from msgspec.json import encode

from azulejos.core.language import typeset
from azulejos.core.registry import parse, registered

PAGES = Path(__file__).parent / "templates" / "rules"


def _source(name: str) -> str | None:
    """A page as it is written, with the spaces of its language."""
    file = PAGES / name
    return typeset(file.read_text(encoding="utf-8"), name.split(".")[1]) if file.exists() else None


_environment = jinja2.Environment(
    loader=jinja2.FunctionLoader(_source), autoescape=True, undefined=jinja2.StrictUndefined
)


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
    example = registered()[game].example()
    if example is None:
        return Markup()
    state = parse(example[0])
    action = state.game.action(example[1])
    preview = state.game.previews(state)[list(state.actions).index(action)]
    shown = {"picks": state.game.picks(state, int(action)), "ghosts": preview.ghosts, "marks": preview.marks}
    picture = Markup(state.game.draw(state, theme="auto", styled=False))  # our own drawing, names escaped
    frame = Markup('<div class="example" tabindex="0" data-example="{}">{}</div>')
    return frame.format(encode(shown).decode(), picture)
