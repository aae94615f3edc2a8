"""The errors of this project, a small tree. Every message says what was wrong and what would be right.

AzulejosError
├── OptionError       a game, option or value that does not exist
├── TextError         text that is not an action, position or record; points at the place
├── IllegalAction     an action that the rules forbid here; quotes the position
└── IllegalDraw       a draw that the bag could not have produced; quotes the position
"""


class AzulejosError(ValueError):
    """The root of all errors that this project raises on purpose."""


class OptionError(AzulejosError):
    """A game, an option or a value of one that does not exist."""


class TextError(AzulejosError):
    """Text that could not be read. `text` is the line, `column` the place in it (from 0)."""

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

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.text, self.column, self.line)


class _PositionError(AzulejosError):
    def __init__(self, message: str, position: str) -> None:
        self.message: str = message
        self.position: str = position
        super().__init__(f"{message}\n  in {position}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.position)


class IllegalAction(_PositionError):
    """An action that the rules forbid in this position."""


class IllegalDraw(_PositionError):
    """A draw that could not have happened in this position."""
