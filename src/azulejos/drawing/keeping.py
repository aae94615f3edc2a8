"""A cache of parts of pictures: from one position to the next, most of them stay as they were."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from azulejos.core.language import LANGUAGES, language

MOST = 6000  # drawings kept of each function in each language
T = TypeVar("T")
_all: list[dict[str, dict[object, Any]]] = []


def kept(of: Callable[..., object] | None = None) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Keep what a function draws, by what it draws it from, and the language.

    `of`: gives that, from the function's arguments, where they contain more than the function uses; by default the
    arguments themselves. The function must not return anything that its callers change.
    """

    def decorate(draw: Callable[..., T]) -> Callable[..., T]:
        spoken: dict[str, dict[object, T]] = {name: {} for name in LANGUAGES}
        _all.append(spoken)

        @wraps(draw)
        def drawn(*given: Any, **named: Any) -> T:
            known = spoken[language()]
            what = of(*given, **named) if of else (*given, *named.items()) if named else given
            try:
                return known[what]
            except KeyError:
                pass
            except TypeError:  # a list or a dictionary among them
                what = repr(what)
                if what in known:
                    return known[what]
            if len(known) >= MOST:
                known.clear()
            found = known[what] = draw(*given, **named)
            return found

        return drawn

    return decorate


def forget() -> None:
    """Empty the cache."""
    for spoken in _all:
        for known in spoken.values():
            known.clear()
