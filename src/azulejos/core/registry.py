"""Games by name."""

import warnings
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from .errors import OptionError, TextError
from .game import Game
from .state import State

INSTALLED = "azulejos.games"  # the entry point group by which an installed package offers a game

_games: dict[str, type[Game]] = {}
_installed = False
_followers: list[Callable[[type[Game]], None]] = []


def register(game: type[Game]) -> type[Game]:
    """Add a game under its name. Can stand as a decorator before the class."""
    if game.name not in _games:
        _games[game.name] = game
        for follower in _followers:
            follower(game)
    elif _games[game.name] is not game:
        raise OptionError(f"a game named {game.name!r} is registered already")
    return game


def registered() -> dict[str, type[Game]]:
    """The registered games by name, with those of installed packages."""
    _load_installed()
    return dict(_games)


def follow(follower: Callable[[type[Game]], None]) -> None:
    """Call a function with every registered game, and with every game that is registered later."""
    for game in registered().values():
        follower(game)
    _followers.append(follower)


def _load_installed() -> None:
    """Once: register the games that installed packages offer; one that cannot be loaded is left out with a warning."""
    global _installed
    if _installed:
        return
    _installed = True  # before the packages are imported: they may ask what is registered
    for entry in entry_points(group=INSTALLED):
        try:
            register(entry.load())
        except Exception as error:
            warnings.warn(f"the installed game {entry.name} ({entry.value}) cannot be used: {error}", stacklevel=2)


def kind(name: str) -> type[Game]:
    """A registered game's class by name."""
    games = _games if name in _games else registered()
    if name not in games:
        raise OptionError(f"there is no game {name!r}; there are {', '.join(games)}")
    return games[name]


def make(name: str, **options: Any) -> Game:
    """A game by name, with its options; those not given have their defaults."""
    return kind(name)(**options)


def restore(name: str, texts: Mapping[str, str]) -> Game:
    """A game by name, with its options as `str(value)` wrote them. The same object for the same texts."""
    return _restored(kind(name), tuple(texts.items()))


@cache
def _restored(kind: type[Game], texts: tuple[tuple[str, str], ...]) -> Game:
    return kind.read(texts)


def parse(text: str, seed: Any = None) -> State:
    """The position that a line of text describes: the inverse of `str(state)`.

    Draws come from `seed` if one is given; otherwise the state waits for `deal` whenever one is due.
    """
    if not isinstance(text, str):
        raise TextError("a position is text", repr(text)[:60], 0)
    name = text.split(" ", 1)[0]
    if name not in registered():
        raise TextError(f"a position begins with the name of its game ({', '.join(_games)})", text, 0)
    game, array = _games[name].parse_state(text)
    from .chance import Chance

    state = State(game, array, None if seed is None else Chance.of(seed))
    if wrong := game.check(state):
        raise TextError(f"this position is not possible: {wrong}", text, 0)
    return state
