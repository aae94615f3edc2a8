"""Events that the rules report, and a game's table of their kinds."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

_MOST_NUMBERS = 4  # that `tell` carries


@dataclass(frozen=True)
class Event:
    """An event of the rules: a kind, and numbers by name, which are also attributes."""

    kind: str
    values: Mapping[str, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __getattr__(self, name: str) -> int:
        if name == "values" or name.startswith("__"):  # asked of an event that is being unpickled or copied
            raise AttributeError(name)
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(f"the event {self.kind!r} has no {name!r}") from None

    def __hash__(self) -> int:
        return hash((self.kind, *self.values.items()))

    def __reduce__(self) -> tuple[object, ...]:
        return Event, (self.kind, dict(self.values))

    def __str__(self) -> str:
        return " ".join([self.kind, *(f"{name}={value}" for name, value in self.values.items())])


@lru_cache(1 << 12)
def _event(kind: str, names: tuple[str, ...], values: tuple[int, ...]) -> Event:
    """Kept, because most are told again and again."""
    return Event(kind, dict(zip(names, values, strict=False)))


class Events:
    """The kinds of events of a game, by number.

    >>> events = Events()
    >>> DEALT = events.add("deal", "factory", "colour")
    >>> str(events.event(DEALT, 3, 0, 0, 0))
    'deal factory=3 colour=0'
    """

    def __init__(self) -> None:
        self._kinds: list[tuple[str, tuple[str, ...]]] = []

    def add(self, kind: str, *names: str) -> int:
        """Declare a kind and the names of its numbers; the number by which `tell` says it."""
        assert len(names) <= _MOST_NUMBERS, f"the event {kind!r} has more than {_MOST_NUMBERS} numbers"
        assert kind not in dict(self._kinds), f"the event {kind!r} is declared twice"
        self._kinds.append((kind, names))
        return len(self._kinds) - 1

    def event(self, number: int, *values: int) -> Event:
        """The event that the rules told: the number of its kind, and its numbers, filled up with zeros."""
        return _event(*self._kinds[number], values)

    def __len__(self) -> int:
        return len(self._kinds)
