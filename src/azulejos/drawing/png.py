"""A picture as PNG."""

from azulejos.core.errors import OptionError


def png(picture: str, width: int | None = None) -> bytes:
    """An SVG picture as the bytes of a PNG file. `width`: in pixels; the picture's own if None."""
    try:
        import resvg_py
    except ModuleNotFoundError:
        raise OptionError("a picture in pixels needs resvg-py: pip install 'azulejos[pictures]'") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, width=width))
