"""What the games' terminals share: tiles as letters, sources as a list, boards side by side."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from rich import box
from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from azulejos.core.language import say_of
from azulejos.core.state import State


def grid() -> Table:
    """A table without lines or titles."""
    return Table(box=None, show_header=False, pad_edge=False)


def tile(letter: str, styles: Mapping[str, str]) -> Text:
    """A tile, readable without colour. `styles`: by letter."""
    return Text(f" {letter} ", styles[letter])


def tiles(letters: str, styles: Mapping[str, str], empty: str) -> Text:
    """Tiles side by side; `empty` where there is none."""
    return Text(" ").join([tile(letter, styles) for letter in letters]) if letters else Text(empty, "dim")


def sources(rows: Iterable[tuple[str, Text]]) -> Table:
    """Factories and the like, one a line: what it is called, and what lies on it."""
    table = grid()
    for name, content in rows:
        table.add_row(Text(name, "bold"), content)
    return table


def spaces(letters: str, costs: Sequence[int], styles: Mapping[str, str]) -> Text:
    """The floor from the left: tiles, then what each free space would cost. `costs`: in all, by spaces taken."""
    text = Text()
    for space in range(len(costs) - 1):
        if space < len(letters):
            text.append_text(tile(letters[space], styles))
        else:
            text.append(f" −{costs[space + 1] - costs[space]}", "dim")
    return text


def boards(
    state: State, names: Sequence[str], board: Callable[[int], RenderableType], width: int | None = None
) -> Table:
    """All players' boards in panels, two a line. `board`: what a seat's panel holds."""
    projected = state.projected
    panels = []
    for seat, (name, now, then) in enumerate(zip(names, state.scores, projected, strict=True)):
        acting = state.seat == seat
        score = f"{now} → {then}" if then != now else f"{now}"
        panels.append(
            Panel(
                board(seat),
                title=Text(("▶ " if acting else "") + say_of(name, score)),  # a name is no markup
                box=box.HEAVY if acting else box.ROUNDED,
                border_style="yellow" if acting else "dim",
                width=width,
                expand=False,
            )
        )
    table = grid()
    for k in range(0, len(panels), 2):
        table.add_row(*panels[k : k + 2])
    return table
