"""Writing SVG. Everything that is not `Markup` is escaped."""

import re
from functools import cache, lru_cache

Number = int | float

_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 cannot hold
_SPECIAL = re.compile("[&<>\"'\x00-\x1f\ud800-\udfff\ufffe\uffff]")


class Markup(str):
    """Text that is SVG already. Only `element` and `join` make it."""

    __slots__ = ()


@lru_cache(1 << 13)
def escape(text: str) -> Markup:
    """Text escaped for use between tags and inside quotes.

    >>> escape('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    if not _SPECIAL.search(text):
        return Markup(text)
    text = _UNWRITABLE.sub("\ufffd", text)
    for character, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        text = text.replace(character, name)
    return Markup(text)


@lru_cache(1 << 13)
def number(value: Number) -> str:
    """A number with two decimals at most, as short as possible.

    >>> number(12.5), number(3.0), number(-0.001), number(0.25)
    ('12.5', '3', '0', '.25')
    """
    if isinstance(value, int):
        return str(value)
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


@cache
def _attribute(name: str) -> str:
    return " " + name.strip("_").replace("_", "-") + '="'


def element(tag: str, *children: "str | Markup | None", **attributes: "str | Number | None") -> Markup:
    """An element. Children and attributes that are None are left out; `class_` is class, `stroke_width` stroke-width.

    >>> element("g", element("circle", r=2.5), "a < b", id="x", class_="y")
    '<g id="x" class="y"><circle r="2.5"/>a &lt; b</g>'
    """
    parts = ["<", tag]
    for name, value in attributes.items():
        if value is not None:
            parts += (_attribute(name), escape(value) if isinstance(value, str) else number(value), '"')
    inside = [child if isinstance(child, Markup) else escape(child) for child in children if child is not None]
    if inside:
        parts.append(">")
        return Markup("".join([*parts, *inside, _closing(tag)]))
    parts.append("/>")
    return Markup("".join(parts))


@cache
def _closing(tag: str) -> str:
    return f"</{tag}>"


def join(*parts: Markup | None) -> Markup:
    """Concatenated markup."""
    return Markup("".join([part for part in parts if part is not None]))


@lru_cache(1 << 12)
def move(x: Number, y: Number, scale: Number = 1, turn: Number = 0) -> str:
    """The value of a `transform` attribute: translation, scale, and rotation in degrees, clockwise."""
    text = f"translate({number(round(x, 1))} {number(round(y, 1))})"
    if turn:
        text += f" rotate({number(turn)})"
    if scale != 1:
        text += f" scale({_fine(scale)})"
    return text


def _fine(value: Number) -> str:
    """A scale: four decimals, as it is multiplied by a hundred."""
    return f"{value:.4f}".rstrip("0").rstrip(".").removeprefix("0")


@lru_cache(1 << 12)
def copy(name: str, x: Number = 0, y: Number = 0, scale: Number = 1, turn: Number = 0, **attributes: str) -> Markup:
    """A `use` of the definition with this name."""
    placed = move(x, y, scale, turn) if x or y or turn or scale != 1 else None
    return element("use", href=f"#{name}", transform=placed, **attributes)


def words(
    text: str,
    x: Number,
    y: Number,
    size: Number,
    class_: str = "words",
    anchor: str | None = None,
    **attributes: str | Number | None,
) -> Markup:
    """A line of text. `anchor`: "middle" or "end"; the start if None."""
    return element("text", text, x=x, y=y, font_size=size, class_=class_, text_anchor=anchor, **attributes)
