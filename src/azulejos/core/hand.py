"""The interface between the rules and a web page: picks, previews and animations.

Places are ids of the drawing (`docs/drawing.md`). A page that has these values needs no rules.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .events import Event
from .language import _

if TYPE_CHECKING:
    from .game import Game

K = TypeVar("K")
T = TypeVar("T")


class Pick(Struct, frozen=True, omit_defaults=True):
    """One pick on the way to an action.

    `place`: what is touched; if the drawing has no such place, the pick is a choice in words. `words`: what it is.
    `asks`: what is to be picked next, in words. `falls`: places whose tiles go elsewhere with it. `sure`: it is asked
    once more before it is made.
    """

    place: str
    words: str
    asks: str = ""
    falls: tuple[str, ...] = ()
    sure: bool = False


class Shared(Generic[T]):
    """Something that positions share. `before`, `after`: its JSON around what differs, made when it is first sent."""

    __slots__ = ("after", "before", "it")

    def __init__(self, it: T) -> None:
        self.it: T = it
        self.before: bytes = b""
        self.after: bytes = b""


MOST_SHARED = 1 << 15  # of a kind


def share(known: "dict[K, Shared[T]]", key: K, make: Callable[[], T]) -> Shared[T]:
    """What is known by a key; it is made when it is first asked for."""
    found = known.get(key)
    if found is None:
        if len(known) >= MOST_SHARED:
            known.clear()
        found = known[key] = Shared(make())
    return found


class Together(Struct, frozen=True):
    """Things that are picked in any order and then played in the rules' order, one action after another.

    The rules may play the last of them by themselves.
    """

    actions: tuple[int, ...]
    picks: tuple[Pick, ...]
    words: str
    projected: int


class Closed(Struct, frozen=True):
    """A place that cannot be picked after the pick `after`, and why, in words.

    `after` is "" before the first pick; that holds later too, where nothing else is said.
    """

    after: str
    place: str
    why: str


class Ghost(Struct, frozen=True, omit_defaults=True):
    """Something that would lie somewhere: a definition of the drawing, `tile-blue` for a tile, and its class."""

    place: str
    shape: str
    kind: str = "tile"


class Mark(Struct, frozen=True):
    """A short text shown at a place for a moment, usually points."""

    place: str
    text: str


class Preview(Struct, frozen=True, omit_defaults=True):
    """The effect of an action. `projected`: the seat's score if the round ended after it."""

    words: str
    projected: int
    ghosts: tuple[Ghost, ...] = ()
    marks: tuple[Mark, ...] = ()


Offer = tuple[Shared[tuple[Pick, ...]], Shared[Preview]]  # an action's picks, its preview with a projected score of 0


class Flight(Struct, frozen=True, omit_defaults=True):
    """Something that moves between places: a definition of the drawing, `tile-blue` for a tile, and its class.

    What goes to a store (the lid, the tower) disappears there.
    """

    shape: str
    start: str
    end: str
    kind: str = "tile"


class Step(Struct, frozen=True, omit_defaults=True):
    """One step of an animation: tiles that move together, then texts at places. `points`: what the seat scores."""

    words: str | None
    seat: int | None
    flights: tuple[Flight, ...] = ()
    marks: tuple[Mark, ...] = ()
    points: int = 0


class Thing(Struct, frozen=True):
    """A kind of object on the table, for people who ask.

    `places`: its places, as a regular expression. `words`: what it does, in English. `anchor`: where the game's page of
    rules tells of it.
    """

    places: str
    words: str
    anchor: str


def read_things(file: Path) -> tuple[Thing, ...]:
    """The objects in a game's `objects.toml`."""
    return tuple(Thing(**thing) for thing in tomllib.loads(file.read_text(encoding="utf-8"))["object"])


class Prospect(Struct, frozen=True):
    """Something that a position promises a seat beyond its points: a bonus that comes nearer, a line begun. Also
    something that an action does.

    `key`: what it is, to compare it between positions. `words`: how it stands. `worth`: in points, roughly. `amount`:
    the number in the words that another position may have more or less of.
    """

    key: str
    words: str
    worth: float
    amount: str = ""


def points_of(event: Event, gains: Mapping[str, str], losses: Mapping[str, str]) -> tuple[str, int, int] | None:
    """The kind of points in words, the seat, and how many. `gains`, `losses`: the words by the event's kind."""
    if event.kind in gains:
        return _(gains[event.kind]), event.seat, event.points
    if event.kind in losses:
        return _(losses[event.kind]), event.seat, -event.points
    return None


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
        found = game.points_of(event)
        points = found[2] if found else 0
        for step in show(event, said):
            yield replace(step, points=points) if points else step
            points = 0
    if flights or words:
        yield Step(" · ".join(words) or None, taker, tuple(flights))
