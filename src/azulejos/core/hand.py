"""What hands and eyes do at a table: the places they touch, what an action would do, how tiles travel.

Places are ids of the drawing (`docs/drawing.md`). A page that knows these values needs to know no rule.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pick:
    """One touch on the way to an action.

    `place`: what is touched; if the drawing has no such place, the pick is a choice in words. `words`: what it is.
    `asks`: what is to be picked next, in words. `falls`: places whose tiles go elsewhere with it.
    """

    place: str
    words: str
    asks: str = ""
    falls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Closed:
    """A place that cannot be picked after the pick `after`, and why, in words."""

    after: str
    place: str
    why: str


@dataclass(frozen=True)
class Ghost:
    """Something that would lie somewhere: a definition of the drawing, `tile-blue` for a tile, and its class."""

    place: str
    shape: str
    kind: str = "tile"


@dataclass(frozen=True)
class Mark:
    """A short text shown at a place for a moment: points, mostly."""

    place: str
    text: str


@dataclass(frozen=True)
class Preview:
    """What an action would do. `projected`: the seat's score if the round ended after it."""

    words: str
    projected: int
    ghosts: tuple[Ghost, ...] = ()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Flight:
    """Something on its way from place to place: a definition of the drawing, `tile-blue` for a tile, and its class.

    What goes to a store (the lid, the tower) vanishes there.
    """

    shape: str
    start: str
    end: str
    kind: str = "tile"


@dataclass(frozen=True)
class Step:
    """One thing that the rules did, as it is shown: tiles that travel together, then texts at places."""

    words: str | None
    seat: int | None
    flights: tuple[Flight, ...] = ()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Prospect:
    """Something that a position promises a seat beyond its points: a bonus that comes nearer, a line begun.

    `key`: what it is, to compare it between positions. `words`: how it stands. `worth`: in points, roughly.
    """

    key: str
    words: str
    worth: float
