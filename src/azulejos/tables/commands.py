"""What a table can be told. Each names the seat that it is about: one visitor may hold several."""

import msgspec


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a visitor wants done at a seat."""

    seat: int


class Sit(Command, frozen=True, tag="sit"):
    """Take an open seat, or come back to one's own, without a name under the old one. `invitation`: needed where the
    table is not public."""

    name: str
    invitation: str = ""


class Leave(Command, frozen=True, tag="leave"):
    """Give one's seat up. Whoever is left may hand it to a computer player."""


class HandOver(Command, frozen=True, tag="hand over"):
    """Let a computer player take a seat that nobody sits at, or whose owner is away."""

    player: str


class Play(Command, frozen=True, tag="play"):
    """Play an action. `position`: the number of the position that the player looked at."""

    action: str
    position: int


class Resign(Command, frozen=True, tag="resign"):
    """Give a game of two up."""


class AskTakeback(Command, frozen=True, tag="ask takeback"):
    """Ask the others to go back to before the seat's last action."""


class AnswerTakeback(Command, frozen=True, tag="answer takeback"):
    """Agree to what another seat asked, or not."""

    agree: bool


class AskRematch(Command, frozen=True, tag="ask rematch"):
    """Ask for another game of the same kind when one is over."""
