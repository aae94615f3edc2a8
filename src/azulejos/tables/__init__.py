"""A table: a live game, without input or output. Commands go in, events come out."""

from azulejos.core.errors import Reason, Refusal

from .commands import (
    AddNonce,
    AnswerHandOver,
    AnswerTakeback,
    AskRematch,
    AskTakeback,
    ClaimWin,
    Command,
    FreeSeat,
    HandOver,
    Leave,
    Play,
    Resign,
    Sit,
)
from .events import AnyEvent, Chair, Event
from .permissions import Allowed, allowed
from .table import COMPUTER, LATER, Phase, Progress, Seat, Table, checked_name

__all__ = [
    "COMPUTER",
    "LATER",
    "AddNonce",
    "Allowed",
    "AnswerHandOver",
    "AnswerTakeback",
    "AnyEvent",
    "AskRematch",
    "AskTakeback",
    "Chair",
    "ClaimWin",
    "Command",
    "Event",
    "FreeSeat",
    "HandOver",
    "Leave",
    "Phase",
    "Play",
    "Progress",
    "Reason",
    "Refusal",
    "Resign",
    "Seat",
    "Sit",
    "Table",
    "allowed",
    "checked_name",
]
