"""Every exception of this project, as one tree. Every message says what was wrong and what would be right.

AzulejosError             the root of all errors, a ValueError
├── OptionError           a game, an option or a value that does not exist
├── TextError             text that is not an action, position or record; points at the place
├── PositionError         not possible in this position, which is quoted
│   ├── IllegalAction     an action that the rules forbid
│   └── IllegalDraw       a draw that could not have happened
├── BrokenSeal            draws that are not those of the promised seed
├── ProgramError          a player program that failed or broke the protocol
├── ResultsError          a file of results that cannot be continued
├── Refusal               a table's answer to a command that it does not obey; has a `Reason`
├── InUse                 a data folder that another server serves
├── Conflict              an event that another process stored first
└── Unavailable           a store that cannot be reached or cannot write
    └── Rejected          a store that is there, and does not do what it was asked

Signal                    no error: it ends something, and is caught in the module that raises it
├── Quit                  a person leaves the terminal
├── Closing               a connection is to be closed
└── TooLong               a request's body is longer than allowed
"""

from enum import StrEnum
from pathlib import Path
from typing import ClassVar


class AzulejosError(ValueError):
    """The root of all errors that this project raises on purpose."""

    parts: ClassVar[tuple[str, ...]] = ()  # the attributes that it is made of, if not of a message alone

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), tuple(getattr(self, part) for part in self.parts) or self.args


class OptionError(AzulejosError):
    """A game, an option or a value of one that does not exist."""


class TextError(AzulejosError):
    """Text that could not be read. `text` is the line, `column` the place in it (from 0)."""

    parts: ClassVar[tuple[str, ...]] = ("message", "text", "column", "line")

    def __init__(self, message: str, text: str, column: int, line: int | None = None) -> None:
        self.message: str = message
        self.text: str = text
        self.column: int = column
        self.line: int | None = line
        where = f"line {line}: " if line is not None else ""
        start = max(0, column - 60)
        shown = text[start : column + 40]
        caret = " " * (column - start) + "^"
        super().__init__(f"{where}{message}\n  {shown}\n  {caret}")


class PositionError(AzulejosError):
    """Something that is not possible in a position. `position` is its text."""

    parts: ClassVar[tuple[str, ...]] = ("message", "position")

    def __init__(self, message: str, position: str) -> None:
        self.message: str = message
        self.position: str = position
        super().__init__(f"{message}\n  in {position}")


class IllegalAction(PositionError):
    """An action that the rules forbid in this position."""


class IllegalDraw(PositionError):
    """A draw that could not have happened in this position."""


class BrokenSeal(AzulejosError):
    """Draws that are not those of the seed, or a seed that is not the promised one."""


class ProgramError(AzulejosError):
    """A program that did not start, crashed, hung, or broke the protocol."""


class ResultsError(AzulejosError):
    """A results file that cannot be continued."""


class Reason(StrEnum):
    """The reason of a refusal, for programs."""

    ILLEGAL = "illegal"  # the rules forbid the action here
    STALE = "stale"  # the command is about an older position
    NOT_YOURS = "not yours"  # the seat belongs to somebody else, or to nobody
    NOT_YOUR_TURN = "not your turn"
    TAKEN = "taken"  # somebody sits there already
    NOT_INVITED = "not invited"
    NOT_NOW = "not now"  # the table is not in the phase for it
    UNKNOWN = "unknown"  # no such seat, action, player
    MALFORMED = "malformed"  # not a message of the protocol
    TOO_MANY = "too many"  # more than one visitor may have
    RESTARTING = "restarting"  # the server is shutting down and accepts nothing new
    UNAVAILABLE = "unavailable"  # the event could not be stored; nothing happened


class Conflict(AzulejosError):
    """An event with this number is stored already: another process was faster."""


class Unavailable(AzulejosError):
    """The store cannot be reached, or cannot write. Nothing was changed, as far as can be known."""


class Rejected(Unavailable):
    """The store is there, and does not do what it was asked."""


class Signal(Exception):
    """No error: it ends something, and is caught in the module that raises it."""


class Quit(Signal):
    """A person asked to quit."""


class Closing(Signal):
    """The connection is to be closed, with a code and words."""

    def __init__(self, code: int, words: str) -> None:
        self.code: int = code
        self.words: str = words
        super().__init__(code, words)


class TooLong(Signal):
    """A request's body is longer than allowed."""


class Refusal(AzulejosError):
    """A refused command. The message says what was wrong and what would be right."""

    parts: ClassVar[tuple[str, ...]] = ("reason", "message")

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason: Reason = reason
        self.message: str = message


class InUse(AzulejosError):
    """A data folder that another server serves. `address`: where that server is, if it has said so."""

    parts: ClassVar[tuple[str, ...]] = ("data", "address")

    def __init__(self, data: Path, address: str) -> None:
        self.data: Path = data
        self.address: str = address
        where = f" at {address}" if address else ""
        super().__init__(f"the tables in {data} are served already{where}")
