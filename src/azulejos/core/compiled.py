"""A game's rules compiled by Numba: the default implementation of `rules.Rules`, and room for the kernels' arrays."""

from functools import cache
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import entry_points
from .compiling import EntryPoint, bind
from .rules import PlainRules

if TYPE_CHECKING:
    from .game import Game

Array = npt.NDArray[Any]


class CompiledRules(PlainRules):
    """The rules compiled, through entry points over `(states, i, …)`, whose arguments here always have the same types;
    what is rarely asked is left uncompiled."""

    def __init__(self, game: "Game") -> None:
        super().__init__(game)
        self._type = game.kernels.STATE
        self._room = game.num_actions + 8
        self._entry_points = bound(game.kernels, game.name)
        self._option_codes = np.array(game.codes, np.int64)

    def lay_out(self, first: int) -> bytes:
        buffer = bytearray(self._type.itemsize)
        self._entry_points.lay_out.same(np.frombuffer(buffer, self._type), 0, self._option_codes, first)
        return bytes(buffer)

    def turn(self, position: bytes) -> int:
        return int(self._entry_points.whose_turn.same(np.frombuffer(bytearray(position), self._type), 0))

    def actions(self, position: bytes) -> tuple[int, ...]:
        out = np.empty(self._room, np.int16)
        count = self._entry_points.list_actions.same(np.frombuffer(bytearray(position), self._type), 0, out)
        return tuple(out[:count].tolist())

    def play(self, position: bytes, action: int) -> bytes:
        buffer = bytearray(position)
        self._entry_points.do_action.same(np.frombuffer(buffer, self._type), 0, action)
        return bytes(buffer)

    def ways(self, position: bytes) -> list[int]:
        counts = np.zeros(self._game.num_outcomes, np.int64)
        self._entry_points.count_ways.same(np.frombuffer(bytearray(position), self._type), 0, counts)
        found: list[int] = counts.tolist()
        return found

    def draw(self, position: bytes, outcome: int) -> bytes:
        buffer = bytearray(position)
        self._entry_points.do_draw.same(np.frombuffer(buffer, self._type), 0, outcome)
        return bytes(buffer)

    def projected(self, position: bytes, seat: int) -> int:
        return int(self._entry_points.project.same(np.frombuffer(bytearray(position), self._type), 0, seat))

    def try_actions(self, position: bytes) -> list[int]:
        array, scratch = np.frombuffer(bytearray(position), self._type), np.zeros(1, self._type)
        out, values = np.empty(self._room, np.int16), np.empty(self._room, np.int64)
        count = self._entry_points.try_actions.same(array, 0, scratch, out, values)
        found: list[int] = values[:count].tolist()
        return found


@cache
def bound(kernels: ModuleType, name: str) -> SimpleNamespace:
    """The entry points of a game."""
    return SimpleNamespace(**bind(entry_points.RULES, entry_points.ENTRY_POINTS, kernels, name))


# --- for code that works on arrays of positions: players, environments, benchmarks ---


def array(game: "Game", position: bytes) -> Array:
    """A position as an array [1] of the game's structured type: a copy."""
    return np.frombuffer(bytearray(position), game.kernels.STATE)


def empty(game: "Game", count: int) -> Array:
    """Room for `count` positions, all zero: [count] of the game's structured type."""
    return np.zeros(count, game.kernels.STATE)


def actions_buffer(game: "Game") -> Array:
    """Room for a list of legal actions: int16 [num_actions + 8]."""
    return np.zeros(game.num_actions + 8, np.int16)


def option_codes(game: "Game") -> Array:
    """The options as the kernels' `setup` takes them: int64 [number of options]."""
    return np.array(game.codes, np.int64)


def on_disk(game: "Game") -> bool:
    """Is every entry point of a game's rules compiled already, so that it is only loaded?"""
    found = vars(bound(game.kernels, game.name)).values()
    return all(entry_point.on_disk for entry_point in found if isinstance(entry_point, EntryPoint))


def compile_entry_points(game: "Game") -> None:
    """Compile every entry point of a game's rules, or load it from disk."""
    state = game.start(seed=0)
    one, out, found = array(game, state.position), actions_buffer(game), bound(game.kernels, game.name)
    counts = np.zeros(game.num_actions, np.int64)
    found.list_actions(one, 0, out)
    found.do_action(array(game, state.position), 0, int(out[0]))
    found.project(one, 0, 0)
    found.try_actions(one, 0, empty(game, 1), out, counts)
    found.wander(one, 0, option_codes(game), np.zeros(1, np.uint64), out, 1)
    found.count_sequences(
        empty(game, 2), np.zeros((2, len(out)), np.int16), np.zeros(2, np.int64), np.zeros(2, np.int64), 0
    )
