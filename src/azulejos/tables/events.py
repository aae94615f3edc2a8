"""What has happened at a table, in order. A table is what its events make of it.

Events are what a store keeps. Some fields must never leave the server: `seed`, `place`, `owner`, `invitation`.
"""

import msgspec


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened."""


class Chair(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who a seat is meant for when the table opens.

    `owner`: the visitor who sits there, or "" for nobody yet. `player`: the computer player, or "" for a person.
    `invitation`: the word that lets somebody sit there, or "" if anybody may.
    """

    name: str = ""
    owner: str = ""
    player: str = ""
    invitation: str = ""


class Opened(Event, frozen=True, tag="opened"):
    """The table was set. `seed`: what all chance of this table comes from, in hexadecimal. `date`: the day."""

    game: str
    options: dict[str, str]  # as `str(value)` writes them
    chairs: tuple[Chair, ...]
    seed: str
    public: bool = False
    date: str = ""


class Sat(Event, frozen=True, tag="sat"):
    seat: int
    name: str
    owner: str


class Left(Event, frozen=True, tag="left"):
    """`invitation`: the new word that lets somebody sit there."""

    seat: int
    invitation: str = ""


class HandedOver(Event, frozen=True, tag="handed over"):
    """A computer player plays for the seat."""

    seat: int
    player: str


class Begun(Event, frozen=True, tag="begun"):
    """All seats are taken, and the game is dealt. `place`: in the seed's stream of chance, after the deal."""

    first: int
    draws: tuple[int, ...]
    place: int


class Played(Event, frozen=True, tag="played"):
    """`draws`: what was drawn after the action. `place`: in the seed's stream of chance, after that."""

    seat: int
    action: str
    draws: tuple[int, ...]
    place: int


class TakebackAsked(Event, frozen=True, tag="takeback asked"):
    """`actions`: how many would be taken back."""

    seat: int
    actions: int


class TakebackAgreed(Event, frozen=True, tag="takeback agreed"):
    seat: int


class TakebackDeclined(Event, frozen=True, tag="takeback declined"):
    seat: int


class TakenBack(Event, frozen=True, tag="taken back"):
    """So many actions are undone. What was drawn after them is not drawn again."""

    actions: int


class Resigned(Event, frozen=True, tag="resigned"):
    seat: int


class RematchAsked(Event, frozen=True, tag="rematch asked"):
    seat: int


class Rematched(Event, frozen=True, tag="rematched"):
    """Everybody wants to play again, and does so at another table."""

    table: str


class Closed(Event, frozen=True, tag="closed"):
    """Whoever runs the server closed the table: nothing more happens at it."""

    reason: str


AnyEvent = (
    Opened
    | Sat
    | Left
    | HandedOver
    | Begun
    | Played
    | TakebackAsked
    | TakebackAgreed
    | TakebackDeclined
    | TakenBack
    | Resigned
    | RematchAsked
    | Rematched
    | Closed
)
