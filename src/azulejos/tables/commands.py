"""The commands of a table. Each names its seat, because one visitor may hold several."""

import msgspec


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A visitor's command for a seat."""

    seat: int


class Sit(Command, frozen=True, tag="sit"):
    """Take an open seat, or return to one's own. `name`: empty for the old one. `invitation`: if it is not public.
    `nonce`: 64 random hexadecimal digits that are added to the seed whose hash the table shows; "later" to add them
    by `add nonce`, before which the game does not begin."""

    name: str
    invitation: str = ""
    nonce: str = ""


class AddNonce(Command, frozen=True, tag="add nonce"):
    """Add to the seed, as announced when the seat was taken. `nonce`: 64 random hexadecimal digits."""

    nonce: str


class Leave(Command, frozen=True, tag="leave"):
    """Give up one's seat. The remaining players may hand it over to a computer player."""


class HandOver(Command, frozen=True, tag="hand over"):
    """Let a computer player take a seat that nobody sits at, or whose owner is away, or one's own. Where people have a
    say in it, they are asked."""

    player: str


class AnswerHandOver(Command, frozen=True, tag="answer hand over"):
    """Accept or decline that a computer player takes a seat, as another seat asked."""

    agree: bool


class Play(Command, frozen=True, tag="play"):
    """Play an action. `position`: the number of the position that the client showed."""

    action: str
    position: int


class Resign(Command, frozen=True, tag="resign"):
    """Resign a game of two."""


class ClaimWin(Command, frozen=True, tag="claim win"):
    """Win a game of two because the other has been away in their turn for as long as the table says."""


class AskTakeback(Command, frozen=True, tag="ask takeback"):
    """Ask the others to go back to before the seat's last action."""


class AnswerTakeback(Command, frozen=True, tag="answer takeback"):
    """Accept or decline the takeback that another seat asked for."""

    agree: bool


class AskRematch(Command, frozen=True, tag="ask rematch"):
    """Ask for another game of the same kind when one is over."""


class FreeSeat(Command, frozen=True, tag="free seat"):
    """Ask the visitor of a seat that has not acted yet to go: for the one who opened the table."""
