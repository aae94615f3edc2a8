"""What the header and the start page lead to, besides the games and their tables."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from starlette.requests import Request

from azulejos.core.language import N_


class Entry(NamedTuple):
    """A page that the header names and that has a card on the start page.

    `name`: in the header; `title`, `about` and `button`: on the card; all marked by `N_`. `progress`: how far the
    visitor has come there, in words of their language; "" for nothing yet.
    """

    path: str
    name: str
    title: str
    about: str
    button: str
    progress: Callable[[Request], Awaitable[str]] | None = None


ENTRIES: tuple[Entry, ...] = (
    Entry(
        "/learn",
        N_("Learn"),
        N_("New to the game? Learn it in minutes"),
        N_("Short lessons on the real board: you play, we explain."),
        N_("Start the lessons"),
    ),
    Entry(
        "/puzzles",
        N_("Puzzles"),
        N_("Find the best move"),
        N_("Positions in which one move is clearly the best; the answer comes with the reasons. A new one each day."),
        N_("Solve a puzzle"),
    ),
    Entry(
        "/analysis",
        N_("Analysis"),
        N_("What would have been better?"),
        N_("Any position on a board of its own: try moves, branch by branch, while an engine thinks beside you."),
        N_("Analyse a position"),
    ),
)
