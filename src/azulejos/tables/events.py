"""The events of a table. A table is the fold of its events.

Stores save events. Some fields must never leave the server: `seed`, `place`, `owner`, `host`, `invitation`.
"""

import msgspec


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event at a table."""


class SeatEvent(Event, frozen=True):
    """An event of one seat."""

    seat: int


class Chair(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as it is reserved when the table opens.

    `owner`: the visitor who sits there, or "" for nobody yet. `player`: the computer player, or "" for a person.
    `invitation`: the word that lets somebody sit there, or "" if anybody may. `nonce`: "later" if the game waits for
    the visitor's, or "".
    """

    name: str = ""
    owner: str = ""
    player: str = ""
    invitation: str = ""
    nonce: str = ""


class Opened(Event, frozen=True, tag="opened"):
    """The table was opened. `seed`: of all draws at this table, in hexadecimal. `date`: the day. `previous`: the table
    of the game before, if this is a rematch. `host`: the visitor who opened the table; in older logs the first who sat
    there. `claim_after`: seconds of absence after which the win can be claimed; 0 for never."""

    game: str
    options: dict[str, str]  # as `str(value)` writes them
    chairs: tuple[Chair, ...]
    seed: str
    public: bool = False
    date: str = ""
    previous: str = ""
    host: str = ""
    claim_after: int = 0


class Sat(SeatEvent, frozen=True, tag="sat"):
    """`nonce`: what the visitor adds to the seed; "later" if the game waits for it, or ""."""

    name: str
    owner: str
    nonce: str = ""


class NonceAdded(SeatEvent, frozen=True, tag="nonce added"):
    """A visitor who has seen the seed's hash adds to the seed."""

    nonce: str


class Left(SeatEvent, frozen=True, tag="left"):
    """`invitation`: the new word that lets somebody sit there. `freed`: the one who opened the table asked to."""

    invitation: str = ""
    freed: bool = False


class HandedOver(SeatEvent, frozen=True, tag="handed over"):
    """A computer player plays for the seat. `away`: until its owner is back."""

    player: str
    away: bool = False


class HandOverAsked(SeatEvent, frozen=True, tag="hand over asked"):
    """The seat `by` asks whether a computer player may take the seat."""

    player: str
    by: int


class HandOverAgreed(SeatEvent, frozen=True, tag="hand over agreed"):
    """The seat agreed that a computer player takes another."""


class HandOverDeclined(SeatEvent, frozen=True, tag="hand over declined"):
    """The seat declined that a computer player takes another."""


class Begun(Event, frozen=True, tag="begun"):
    """All seats are taken, and the game is dealt. `place`: the position in the seed's stream after the deal. `nonces`:
    what each seat added to the seed; empty if nobody did."""

    first: int
    draws: tuple[int, ...]
    place: int
    nonces: tuple[str, ...] = ()


class Played(SeatEvent, frozen=True, tag="played"):
    """An action was played. `draws`: the outcomes drawn after it. `place`: the position in the stream after them."""

    action: str
    draws: tuple[int, ...]
    place: int


class TakebackAsked(SeatEvent, frozen=True, tag="takeback asked"):
    """`actions`: how many would be taken back."""

    actions: int


class TakebackAgreed(SeatEvent, frozen=True, tag="takeback agreed"):
    """The seat agreed to a takeback."""


class TakebackDeclined(SeatEvent, frozen=True, tag="takeback declined"):
    """The seat declined a takeback."""


class TakenBack(Event, frozen=True, tag="taken back"):
    """`actions` actions were taken back. `place`: in the seed's stream, before what was drawn after them, so that the
    same actions draw the same again; -1 in logs of older versions, which went on drawing."""

    actions: int
    place: int = -1


class Resigned(SeatEvent, frozen=True, tag="resigned"):
    """The seat resigned."""


class WinClaimed(SeatEvent, frozen=True, tag="win claimed"):
    """The seat won because the other was away for as long as the table says."""


class RematchAsked(SeatEvent, frozen=True, tag="rematch asked"):
    """The seat asked for a rematch."""


class Rematched(Event, frozen=True, tag="rematched"):
    """Everybody agreed to a rematch, which is at another table."""

    table: str


class Closed(Event, frozen=True, tag="closed"):
    """The host closed the table."""

    reason: str


class Reopened(Event, frozen=True, tag="reopened"):
    """The host opened a closed table again: it goes on where it was."""


AnyEvent = (
    Opened
    | Sat
    | NonceAdded
    | Left
    | HandedOver
    | HandOverAsked
    | HandOverAgreed
    | HandOverDeclined
    | Begun
    | Played
    | TakebackAsked
    | TakebackAgreed
    | TakebackDeclined
    | TakenBack
    | Resigned
    | WinClaimed
    | RematchAsked
    | Rematched
    | Closed
    | Reopened
)
