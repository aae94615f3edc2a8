"""The interface of a game's rules: functions over positions as bytes.

`Rules` is all that states, records, tables and pictures need; it mentions neither NumPy nor Numba. There are two
implementations: compiled rules (`compiled.py`), which are used wherever Numba is installed, and plain ones, the same
functions uncompiled. `provide` replaces them, for example by rules that run in another process or as
WebAssembly.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from threading import Lock
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Protocol

from .compiling import plain
from .fields import layout_of

if TYPE_CHECKING:
    from .game import Game


class Rules(Protocol):
    """The rules of one game with its options. Nothing is checked: `State` checks first. `position`: bytes."""

    def lay_out(self, first: int) -> bytes:
        """A new game before anything is drawn; `first` is the start player."""

    def turn(self, position: bytes) -> int:
        """The seat to act, or `kernels.CHANCE`, or `kernels.OVER`."""

    def actions(self, position: bytes) -> tuple[int, ...]:
        """The legal actions of the seat to act, in rising order."""

    def play(self, position: bytes, action: int) -> bytes:
        """The position after a legal action; draws that follow are left waiting."""

    def ways(self, position: bytes) -> list[int]:
        """In how many equally likely ways each outcome of the due draw can fall."""

    def draw(self, position: bytes, outcome: int) -> bytes:
        """The position after the due draw has fallen on a possible outcome."""

    def projected(self, position: bytes, seat: int) -> int:
        """The seat's score if the round ended here."""

    def try_actions(self, position: bytes) -> list[int]:
        """The acting seat's projected score after each legal action."""

    def hide(self, position: bytes, seat: int) -> bytes:
        """The position without what the seat cannot know."""

    def story(self, position: bytes, action: int | None, draws: Sequence[int]) -> list[tuple[int, ...]]:
        """The events of an action and its draws: kinds with their four numbers."""


class PlainRules:
    """The rules uncompiled, on plain integers."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._layout = layout_of(game.kernels)
        self._rules, self._told = _plain(game.kernels)

    def lay_out(self, first: int) -> bytes:
        fields = self._layout.blank()
        self._rules.setup(fields, self._game.codes, first)
        return self._layout.pack(fields)

    def turn(self, position: bytes) -> int:
        return int(self._rules.turn(self._layout.unpack(position)))

    def actions(self, position: bytes) -> tuple[int, ...]:
        out = [0] * (self._game.num_actions + 8)
        count = self._rules.legal(self._layout.unpack(position), out)
        return tuple(map(int, out[:count]))

    def play(self, position: bytes, action: int) -> bytes:
        fields = self._layout.unpack(position)
        self._rules.apply(fields, action)
        return self._layout.pack(fields)

    def ways(self, position: bytes) -> list[int]:
        fields, counts = self._layout.unpack(position), [0] * self._game.num_outcomes
        for way in range(self._rules.ways(fields)):
            counts[self._rules.outcome(fields, way)] += 1
        return counts

    def draw(self, position: bytes, outcome: int) -> bytes:
        fields = self._layout.unpack(position)
        self._rules.draw(fields, outcome)
        return self._layout.pack(fields)

    def projected(self, position: bytes, seat: int) -> int:
        return int(self._rules.projected(self._layout.unpack(position), seat))

    def try_actions(self, position: bytes) -> list[int]:
        seat = self.turn(position)
        return [self.projected(self.play(position, action), seat) for action in self.actions(position)]

    def hide(self, position: bytes, seat: int) -> bytes:
        if not self._game.hides():
            return position
        fields = self._layout.unpack(position)
        self._rules.hide(fields, seat)
        return self._layout.pack(fields)

    def story(self, position: bytes, action: int | None, draws: Sequence[int]) -> list[tuple[int, ...]]:
        fields = self._layout.unpack(position)
        with _TELLING:
            self._told.clear()
            if action is not None:
                self._rules.apply(fields, action)
            for drawn in draws:
                self._rules.draw(fields, drawn)
            return [tuple(map(int, told)) for told in self._told]


_TELLING = Lock()  # plain rules tell one listener


@cache
def _plain(kernels: ModuleType) -> tuple[SimpleNamespace, list[tuple[int, ...]]]:
    """A game's rules uncompiled, and the list that they tell their events."""
    told: list[tuple[int, ...]] = []
    return plain(kernels, lambda *event: told.append(event)), told


def compiled_or_plain(game: "Game") -> Rules:
    """Compiled rules where Numba is installed, else plain ones."""
    if find_spec("numba") is None:
        return PlainRules(game)
    from .compiled import CompiledRules

    return CompiledRules(game)


_provider: Callable[["Game"], Rules] = compiled_or_plain


def provide(provider: Callable[["Game"], Rules] = compiled_or_plain) -> None:
    """Use other rules from now on, for games that are made from now on."""
    global _provider
    _provider = provider


def rules_of(game: "Game") -> Rules:
    """The rules of a game."""
    return _provider(game)
