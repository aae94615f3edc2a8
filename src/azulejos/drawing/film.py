"""A play as an animated picture."""

import io
from collections.abc import Iterable
from typing import Any

from azulejos.core.errors import OptionError
from azulejos.core.state import State

from .raster import pixels

_LAST = 4  # as many times as long as the others the last position is shown


def gif(states: Iterable[State], seconds: float = 0.8, width: int | None = None, **how: Any) -> bytes:
    """Positions, those of `record.states()` say, in turn, as the bytes of a GIF file that begins again at its end.

    `seconds`: that each position is shown. `width`: in pixels; the picture's own if None. `how`: the parameters of
    `Game.draw`.
    """
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise OptionError("a picture that moves needs pillow: pip install 'azulejos[pictures]'") from None
    if not 0.02 <= seconds <= 600:
        raise OptionError(f"seconds={seconds!r} is not possible: each position is shown for 0.02 to 600 seconds")
    frames = []
    for state in states:
        frame = Image.fromarray(pixels(state.game.draw(state, **how)))
        if width is not None:
            frame = frame.resize((width, round(frame.height * width / frame.width)))
        frames.append(frame.quantize(128, dither=Image.Dither.NONE))
    milliseconds = [round(1000 * seconds)] * (len(frames) - 1) + [round(_LAST * 1000 * seconds)]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=milliseconds, loop=0)
    return out.getvalue()
