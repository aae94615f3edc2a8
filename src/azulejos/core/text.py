"""Reading text strictly: a cursor over a line, and errors that point at the place."""

from collections.abc import Mapping
from typing import NoReturn, TypeVar

from .errors import TextError

T = TypeVar("T")


class Reader:
    """A cursor over one line of text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        raise TextError(message, self.text, self.at if at is None else at)

    @property
    def found(self) -> str:
        """What stands at the cursor, for a message."""
        return repr(self.text[self.at]) if self.at < len(self.text) else "the end"

    def at_end(self) -> bool:
        return self.at == len(self.text)

    def end(self) -> None:
        if not self.at_end():
            self.fail(f"expected the end, found {self.found}")

    def accept(self, literal: str) -> bool:
        """Step over a literal if it stands here."""
        if self.text.startswith(literal, self.at):
            self.at += len(literal)
            return True
        return False

    def expect(self, literal: str, what: str | None = None) -> None:
        if not self.accept(literal):
            self.fail(f"expected {what or repr(literal)}, found {self.found}")

    def number(self, what: str, low: int = 0, high: int | None = None) -> int:
        """A decimal number without sign or leading zeros."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "0123456789":
            self.at += 1
        digits = self.text[start : self.at]
        if not digits:
            self.fail(f"expected {what}, found {self.found}")
        if len(digits) > 1 and digits[0] == "0":
            self.fail(f"{what} is written without leading zeros", start)
        value = int(digits) if len(digits) < 10 else 10**10
        if value < low or (high is not None and value > high):
            allowed = f"from {low} to {high}" if high is not None else f"at least {low}"
            self.fail(f"{what} is {allowed}", start)
        return value

    def one_of(self, choices: Mapping[str, T], what: str) -> T:
        """The longest of the given literals that stands here; its value."""
        for literal in sorted(choices, key=len, reverse=True):
            if self.accept(literal):
                return choices[literal]
        return self.fail(f"expected {what} ({', '.join(choices)}), found {self.found}")
