"""Why a table does not do what it was told. A refusal changes nothing."""

from enum import StrEnum


class Reason(StrEnum):
    """The kinds of refusal, for programs."""

    ILLEGAL = "illegal"  # the rules forbid the action here
    STALE = "stale"  # the table has moved on since the position that was meant
    NOT_YOURS = "not yours"  # the seat belongs to somebody else, or to nobody
    NOT_YOUR_TURN = "not your turn"
    TAKEN = "taken"  # somebody sits there already
    NOT_INVITED = "not invited"
    NOT_NOW = "not now"  # the table is not in the phase for it
    UNKNOWN = "unknown"  # no such seat, action, player
    MALFORMED = "malformed"  # not a message of the protocol
    TOO_MANY = "too many"  # more than one visitor may have
    RESTARTING = "restarting"  # the server is about to end, and takes nothing new
    UNAVAILABLE = "unavailable"  # what was wanted could not be kept; nothing happened


class Refusal(Exception):
    """What was wrong, and what would be right, in words."""

    def __init__(self, reason: Reason, message: str) -> None:
        self.reason, self.message = reason, message
        super().__init__(f"{reason}: {message}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.reason, self.message)
