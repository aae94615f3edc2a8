"""Rendering of a position: text, SVG, or pixels."""

import io
from collections.abc import Sequence
from typing import Any, Literal

from rich.console import Console

from azulejos.core.errors import OptionError
from azulejos.core.state import State
from azulejos.drawing.raster import pixels

Mode = Literal["human", "ansi", "svg", "rgb_array"]
MODES: list[Mode] = ["human", "ansi", "svg", "rgb_array"]
FRAMES_A_SECOND = 2


def check(mode: Mode | None, modes: Sequence[Mode] = MODES) -> Mode | None:
    """The mode, if there is such a one."""
    if mode is not None and mode not in modes:
        raise OptionError(f"render_mode={mode!r} is not possible: it is one of {', '.join(modes)}, or None")
    return mode


def render(state: State, mode: Mode | None) -> Any:
    """The position rendered in a mode; None for "human", which prints to the terminal, and for None."""
    if mode == "human":
        Console().print(_terminal(state))
        return None
    if mode == "ansi":
        console = Console(file=io.StringIO(), force_terminal=True, width=120)
        console.print(_terminal(state))
        text = console.file
        assert isinstance(text, io.StringIO)
        return text.getvalue()
    if mode == "svg":
        return state.game.draw(state)
    return pixels(state.game.draw(state)) if mode == "rgb_array" else None


def _terminal(state: State) -> Any:
    return state.game.show(state, [f"player {seat}" for seat in range(state.game.players)])
