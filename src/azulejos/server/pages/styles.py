"""The drawing's colours as CSS variables, so that pages and boards share one theme."""

from dataclasses import asdict
from functools import cache

from azulejos.drawing.theme import DARK, LIGHT, SANS, SERIF, Theme
from azulejos.review import graph


def _block(selector: str, theme: Theme, scheme: str) -> str:
    values = "".join(f"--{name}:{value};" for name, value in {**asdict(theme), **graph.colours(theme)}.items())
    return f"{selector}{{color-scheme:{scheme};{values}}}"


@cache
def variables() -> str:
    """For the themes light, dark and auto, as the page's root names them."""
    dark = _block(':root[data-theme="auto"]', DARK, "dark")
    return (
        f":root{{--serif:{SERIF};--sans:{SANS}}}"
        + _block(":root", LIGHT, "light")
        + _block(':root[data-theme="dark"]', DARK, "dark")
        + f"@media(prefers-color-scheme:dark){{{dark}}}"
        + graph.STYLE
    )
