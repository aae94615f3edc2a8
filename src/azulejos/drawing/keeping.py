"""A cache of parts of pictures: from one position to the next, most of them stay as they were."""

from collections.abc import Callable
from functools import wraps
from itertools import count
from typing import Any, TypeVar

from azulejos.core.language import LANGUAGES, language

MOST = 20_000  # drawings, of all functions together, that are kept for sure; no more than twice as many are
T = TypeVar("T")
Drawings = dict[str, dict[object, Any]]  # of a function, by the language
_all: list[tuple[Drawings, Drawings]] = []  # the latest, and those before them
_kept = count(1)


def kept(of: Callable[..., object] | None = None) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Keep what a function draws, by what it draws it from, and the language.

    `of`: gives that, from the function's arguments, where they contain more than the function uses; by default the
    arguments themselves. The function must not return anything that its callers change.
    """

    def decorate(draw: Callable[..., T]) -> Callable[..., T]:
        latest, before = ({name: dict[object, T]() for name in LANGUAGES} for _ in range(2))
        _all.append((latest, before))

        @wraps(draw)
        def drawn(*given: Any, **named: Any) -> T:
            spoken = language()
            known = latest[spoken]
            what = of(*given, **named) if of else (*given, *named.items()) if named else given
            try:
                return known[what]
            except KeyError:
                pass
            except TypeError:  # a list or a dictionary among them
                what = repr(what)
                if what in known:
                    return known[what]
            old = before[spoken]
            found = old[what] if what in old else draw(*given, **named)
            if next(_kept) % MOST == 0:
                _age()
            latest[spoken][what] = found
            return found

        return drawn

    return decorate


def _age() -> None:
    """Drop what was not drawn again since the last time."""
    for latest, before in _all:
        for name in LANGUAGES:
            before[name], latest[name] = latest[name], {}


def forget() -> None:
    """Empty the cache."""
    for _ in range(2):
        _age()
