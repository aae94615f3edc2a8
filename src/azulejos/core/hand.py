"""What hands and eyes do at a table: the places they touch, what an action would do, how tiles travel.

Places are ids of the drawing (`docs/drawing.md`). A page that knows these values needs to know no rule.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .events import Event

if TYPE_CHECKING:
    from .game import Game


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


def steps_of(
    game: "Game",
    events: Iterable[Event],
    take: Callable[[Event], Iterable[Flight] | None],
    show: Callable[[Event, str | None], Iterable[Step]],
) -> Iterator[Step]:
    """Events as steps.

    `take`: the flights of an event that is part of taking tiles, which is one step in all; None for any other event.
    `show`: the steps of such an event, given what is said of it.
    """
    flights, words, taker = list[Flight](), list[str](), None
    for event in events:
        said = game.say_event(event)
        taken = take(event)
        if taken is not None:
            taker = event.seat
            flights += taken
            words += [said] if said else []
            continue
        if flights or words:
            yield Step(" · ".join(words) or None, taker, tuple(flights))
            flights, words = [], []
        yield from show(event, said)
    if flights or words:
        yield Step(" · ".join(words) or None, taker, tuple(flights))
