"""Refusals of commands. A refusal changes nothing."""

from enum import StrEnum


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


class Refusal(Exception):
    """A refused command. The message says what was wrong and what would be right."""

    def __init__(self, reason: Reason, message: str) -> None:
        self.reason, self.message = reason, message
        super().__init__(f"{reason}: {message}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.reason, self.message)
