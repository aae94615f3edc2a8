"""Checks of integer arguments."""

from operator import index
from typing import Any

from .errors import OptionError


def whole(value: Any, name: str, what: str = "an integer") -> int:
    """An integer of any kind, NumPy's included; OptionError for anything else, booleans included."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)
    except TypeError:
        raise OptionError(f"{name}={value!r} is not possible: {name} is {what}") from None


def seat_of(value: Any, players: int, name: str = "seat") -> int:
    """A seat of a game with that many players; OptionError for anything else."""
    try:
        seat = whole(value, name)
        if 0 <= seat < players:
            return seat
    except OptionError:
        pass
    raise OptionError(f"{name}={value!r} is not a seat: seats are 0 to {players - 1}")
