"""Games by name."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from .errors import OptionError, TextError
from .game import Game
from .state import State

_games: dict[str, type[Game]] = {}


def register(game: type[Game]) -> type[Game]:
    """Add a game under its name. Can stand as a decorator before the class."""
    if _games.setdefault(game.name, game) is not game:
        raise OptionError(f"a game named {game.name!r} is registered already")
    return game


def registered() -> dict[str, type[Game]]:
    """The registered games by name."""
    return dict(_games)


def make(name: str, **options: Any) -> Game:
    """A game by name, with its options; those not given have their defaults."""
    if name not in _games:
        raise OptionError(f"there is no game {name!r}; there are {', '.join(_games)}")
    return _games[name](**options)


def restore(name: str, texts: Mapping[str, str]) -> Game:
    """A game by name, with all its options as `str(value)` wrote them: one and the same for all who ask for it."""
    return _restored(name, tuple([texts[option.name] for option in _games[name].options]))


@cache
def _restored(name: str, texts: tuple[str, ...]) -> Game:
    options = _games[name].options
    return make(name, **{option.name: option.read(text) for option, text in zip(options, texts, strict=True)})


def parse(text: str, seed: Any = None) -> State:
    """The position that a line of text describes: the inverse of `str(state)`.

    Draws come from `seed` if one is given; otherwise the state waits for `deal` whenever one is due.
    """
    if not isinstance(text, str):
        raise TextError("a position is text", repr(text)[:60], 0)
    name = text.split(" ", 1)[0]
    if name not in _games:
        raise TextError(f"a position begins with the name of its game ({', '.join(_games)})", text, 0)
    game, array = _games[name].parse_state(text)
    from .chance import Chance

    state = State(game, array, None if seed is None else Chance.of(seed))
    if wrong := game.check(state):
        raise TextError(f"this position is not possible: {wrong}", text, 0)
    return state
