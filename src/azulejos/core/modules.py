"""The interface of a game's modules.

A game is a folder of modules, or one file that serves as each of them (`Modules`). The classes below list what each
module has; `Game` has a method for each function and says there what it means. A function about a position takes the
`State` or its `fields` first, one about actions and events the `Game`; `index` is an action's integer.

    tables        [EVENTS]: an `Events`, the kinds of events that the rules tell
    kernels       STATE and the rules: `core/kernels.py` has the list; [hide(fields, seat)]
    notation      `Notation`; [HELP: how actions are written, in a few lines] or [help(game)]
    position      `Position`
    possible      `Possible`
    drawing       `Drawing`
    terminal      `Terminal`
    [hand]        `Hand`, each function of it optional
    [prospects]   `Prospects`
    [arranging]   positions set up by hand: `games/arranging.py` has the list
    [themes]      `Themes`
    [judgement]   for the search: `core/kernels.py` has the list
    [observation] for the environments: `core/kernels.py` has the list
    [about]       `About`, each part of it optional
    [objects.toml] what lies on the table, for people who ask: `hand.Thing`
    [puzzles.jsonl] puzzles, made by `azulejos puzzles`
    [lessons.toml] a guided first game: `lessons.Lesson`
    [rules.toml]  the rules for people, with drawn examples: `server/pages/rules.py`
    [tips.toml]   what a coach says in the game after it: `lessons.Tip`

A part in brackets may be missing; `Game` says what is done without it.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from .events import Event
from .fields import Fields
from .hand import Closed, Offer, Pick, Preview, Prospect, Step, Together

if TYPE_CHECKING:
    from rich.console import RenderableType

    from .game import Game
    from .state import State


class Notation(Protocol):
    """Actions, events and draws as text."""

    def print_action(self, game: "Game", index: int) -> str: ...
    def parse_action(self, game: "Game", text: str) -> int: ...
    def say_action(self, game: "Game", index: int) -> str: ...
    def path(self, game: "Game", index: int) -> tuple[str, ...]: ...
    def explain(self, state: "State", index: int) -> str: ...
    def say_event(self, game: "Game", event: Event) -> str | None: ...
    def print_draws(self, game: "Game", outcomes: Sequence[int]) -> str: ...
    def parse_draws(self, game: "Game", text: str) -> tuple[int, ...]: ...
    def explain_draw(self, state: "State", drawn: int) -> str: ...


class Position(Protocol):
    """Positions as a line of text and as plain data."""

    def print_state(self, fields: Any) -> str: ...
    def parse_state(self, text: str) -> tuple[dict[str, Any], Fields]:
        """The options and the fields, which begin as `core.fields.layout_of(kernels).blank()`."""

    def to_dict(self, state: "State") -> dict[str, Any]:
        """What there is besides the game and its options, as plain data."""


class Possible(Protocol):
    """Checks of positions."""

    def impossibilities(self, fields: Any, option_codes: Sequence[int]) -> Iterable[str]:
        """Everything that is wrong with a position of a game with these options, in words."""


class Drawing(Protocol):
    """The picture."""

    def picture(self, state: "State", **how: Any) -> object:
        """SVG as its `str`; best a `drawing.scene.Picture`, which has it in parts too. `how`: the parameters of
        `Game.draw`, which `drawing.scene.Look.of` checks."""


class Terminal(Protocol):
    """The position at the terminal."""

    def show(self, state: "State", names: Sequence[str]) -> "RenderableType": ...


class Hand(Protocol):
    """A game at a web table: picks, previews and animations."""

    def ask(self, state: "State") -> str: ...
    def picks(self, state: "State", index: int) -> tuple[Pick, ...]: ...
    def other_picks(self, state: "State", index: int) -> Iterable[tuple[Pick, ...]]: ...
    def options(self, state: "State") -> Iterable[Offer]:
        """See `Game.options_of`."""

    def together(self, state: "State") -> Iterable[Together]: ...
    def closed(self, state: "State") -> Iterable[Closed]: ...
    def preview(self, state: "State", index: int, projected: int) -> Preview: ...
    def say_move(self, state: "State", index: int) -> str: ...
    def gain(self, state: "State", index: int) -> int: ...
    def notice(self, state: "State") -> str: ...
    def points_of(self, event: Event) -> tuple[str, int, int] | None: ...
    def steps(self, state: "State", events: Sequence[Event]) -> Iterable[Step]: ...
    def steps_to(self, state: "State", index: int, after: "State") -> Iterable[Step] | None: ...
    def secret(self, game: "Game", index: int) -> str | None: ...


class Prospects(Protocol):
    """What a position promises besides its points, and what an action does at once, for explanations."""

    def prospects(self, state: "State", seat: int) -> Iterable[Prospect]: ...
    def effects(self, state: "State", index: int) -> Iterable[Prospect]: ...


class Themes(Protocol):
    """What a puzzle is about, in the game's own words."""

    THEMES: Mapping[str, str]  # by name, marked by `N_`: the anchor of the rule on the page of rules

    def themes(
        self, told: Sequence[Event], other: Sequence[Event], gained: Mapping[tuple[bool, str], float]
    ) -> Iterable[str]:
        """The themes of a best action. `told`: its events; `other`: those of its rival. `gained`: what the best line
        has more at the end of the round, in points, by kind of event and key of a prospect: (True, …) of the seat that
        acts, (False, …) of the others."""


class About(Protocol):
    """Texts about the game for people. English, marked by `N_`."""

    SENTENCE: str
    OPTIONS: Mapping[str, str]  # in words, by name
    CHOICES: Mapping[str, str]  # in words, by `str(value)`
    EXAMPLE: tuple[str, str]  # a position and an action in it, as text, for pictures of the game

    def say_choice(self, value: Any) -> str:
        """Instead of CHOICES."""

    def emblem(self) -> str:
        """A small SVG picture."""


class Modules:
    """The modules of a game, each imported when it is first used.

    `Modules(__package__)`: the files of a folder. `Modules(__name__)`: a game in one file.
    """

    kernels: ModuleType
    notation: Notation
    position: Position
    possible: Possible
    drawing: Drawing
    terminal: Terminal

    def __init__(self, home: str | None) -> None:
        assert home, "a game's class is defined in a module of a package, or in a file that has a name"
        self._home = home
        self._found: dict[str, ModuleType | None] = {}
        self._functions: dict[tuple[str, str], Callable[..., Any] | None] = {}

    def __getattr__(self, name: str) -> Any:
        found = None if name.startswith("_") else self.find(name)
        if found is None:
            raise AttributeError(f"the game in {self._home} has no module {name!r}")
        vars(self)[name] = found  # so that it is not asked for again
        return found

    def find(self, name: str, part: str = "") -> Any:
        """A module by name, or None if the game has none; in a game of one file, none without this part of it."""
        if name not in self._found:
            self._found[name] = self._import(name)
        found = self._found[name]
        return found if not part or hasattr(found, part) else None

    def _import(self, name: str) -> ModuleType | None:
        home = sys.modules[self._home]
        if not hasattr(home, "__path__"):
            return home
        full = f"{self._home}.{name}"
        return import_module(full) if find_spec(full) else None

    @property
    def folder(self) -> Path | None:
        """The game's folder, or None if it is one file."""
        found = Path(*getattr(sys.modules[self._home], "__path__", ()))
        return found if found.is_absolute() else None

    def file(self, name: str) -> Path | None:
        """A file of data in the game's folder, or None if there is none."""
        found = self.folder and self.folder / name
        return found if found and found.exists() else None

    def function(self, module: str, name: str) -> Callable[..., Any] | None:
        """A function that may be missing."""
        try:
            return self._functions[module, name]
        except KeyError:
            found = self._functions[module, name] = getattr(self.find(module), name, None)
            return found
