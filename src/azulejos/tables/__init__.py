"""A table: a live game, without input or output. Commands go in, events come out."""

from .commands import (
    AnswerTakeback,
    AskRematch,
    AskTakeback,
    Command,
    HandOver,
    Leave,
    Play,
    Resign,
    Sit,
)
from .events import AnyEvent, Chair, Event
from .refusals import Reason, Refusal
from .table import COMPUTER, Phase, Progress, Seat, Table

__all__ = [
    "COMPUTER",
    "AnswerTakeback",
    "AnyEvent",
    "AskRematch",
    "AskTakeback",
    "Chair",
    "Command",
    "Event",
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
]
