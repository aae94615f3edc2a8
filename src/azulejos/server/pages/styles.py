"""The drawing's colours as CSS variables, so that pages and boards share one theme."""

from dataclasses import asdict
from functools import cache

from azulejos.drawing.theme import DARK, LIGHT, SANS, SERIF, Theme, colours
from azulejos.review import graph


def _block(selector: str, theme: Theme, scheme: str) -> str:
    values = "".join(f"--{name}:{value};" for name, value in {**asdict(theme), **graph.colours(theme)}.items())
    return f"{selector}{{color-scheme:{scheme};{values}}}"


@cache
def variables() -> str:
    """For the themes light, dark and auto, as the page's root names them."""
    chosen = _block(':root[data-theme="dark"]', DARK, "dark")
    dark = _block(':root[data-theme="auto"]', DARK, "dark")
    return (
        f":root{{--serif:{SERIF};--sans:{SANS}}}"
        + _block(":root", LIGHT, "light")
        + f"@media screen{{{chosen}}}@media screen and (prefers-color-scheme:dark){{{dark}}}"  # paper is light
        + graph.STYLE
    )


@cache
def pictures() -> str:
    """Colours of pictures with the theme `page`: the page's own, on paper the light ones."""
    chosen, dark = (colours(f':root[data-theme="{theme}"] .azulejos.page', DARK) for theme in ("dark", "auto"))
    return (
        colours(".azulejos.page", LIGHT)
        + f"@media screen{{{chosen}}}@media screen and (prefers-color-scheme:dark){{{dark}}}"
    )
