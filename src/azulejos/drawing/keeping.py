"""A cache of parts of pictures: from one position to the next, most of them stay as they were."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from azulejos.core.language import language

MOST = 6000  # drawings kept of each function
T = TypeVar("T")
_all: list[dict[tuple[str, object], Any]] = []


def kept(of: Callable[..., object] | None = None) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Keep what a function draws, by what it draws it from, and the language.

    `of`: gives that, from the function's arguments, where they contain more than the function uses; by default the
    arguments themselves. The function must not return anything that its callers change.
    """

    def decorate(draw: Callable[..., T]) -> Callable[..., T]:
        known: dict[tuple[str, object], T] = {}
        _all.append(known)

        @wraps(draw)
        def drawn(*given: Any, **named: Any) -> T:
            what = of(*given, **named) if of else (*given, *named.items()) if named else given
            key = language(), what
            try:
                found = known.get(key)
            except TypeError:  # a list or a dictionary among them
                key = language(), repr(what)
                found = known.get(key)
            if found is None:
                if len(known) >= MOST:
                    known.clear()
                found = known[key] = draw(*given, **named)
            return found

        return drawn

    return decorate


def forget() -> None:
    """Empty the cache."""
    for known in _all:
        known.clear()
