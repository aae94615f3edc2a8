"""Actions."""

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from .errors import AzulejosError

if TYPE_CHECKING:
    from .game import Game


class Action:
    """An action of a game: an integer with its text in the notation and in words.

    >>> import azulejos as az
    >>> action = az.make("azul").action("3B2")
    >>> int(action), str(action), action.words, action.path
    (92, '3B2', 'blue from factory 3 to line 2', ('factory-3', 'blue', 'line-2'))
    """

    __slots__ = ("_game", "_index")

    def __init__(self, game: "Game", index: int) -> None:
        self._game = game
        self._index = index

    @property
    def game(self) -> "Game":
        return self._game

    def __index__(self) -> int:
        return self._index

    __int__ = __index__

    @property
    def index(self) -> int:
        """The action as an integer below `game.num_actions`."""
        return self._index

    def __str__(self) -> str:
        return self.game.print_action(self.index)

    def __repr__(self) -> str:
        return f"{self.game!r}.action({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and self.index == other.index and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.index)

    @property
    def words(self) -> str:
        """The action in words."""
        return self.game.say_action(self.index)

    @property
    def path(self) -> tuple[str, ...]:
        """The places that a player touches, in order."""
        return self.game.path(self.index)


class Actions(Set[Action]):
    """The legal actions of a state: a set in rising order; texts and integers are accepted as members."""

    __slots__ = ("_game", "_indices")

    def __init__(self, game: "Game", indices: tuple[int, ...]) -> None:
        self._game = game
        self._indices = indices

    def __len__(self) -> int:
        return len(self._indices)

    def __iter__(self) -> Iterator[Action]:
        return (Action(self._game, index) for index in self._indices)

    @property
    def indices(self) -> tuple[int, ...]:
        """The actions as integers."""
        return self._indices

    @property
    def texts(self) -> list[str]:
        """The actions in the notation."""
        texts = self._game.texts
        return [texts[index] for index in self._indices]

    def has(self, index: int) -> bool:
        return index in self._indices

    def __contains__(self, action: object) -> bool:
        if isinstance(action, Action | str | int):
            try:
                return self.has(self._game.action(action).index)
            except AzulejosError:
                return False
        return False

    @overload
    def __getitem__(self, position: SupportsIndex) -> Action: ...
    @overload
    def __getitem__(self, position: slice) -> list[Action]: ...
    def __getitem__(self, position: SupportsIndex | slice) -> Action | list[Action]:
        if isinstance(position, slice):
            return [Action(self._game, index) for index in self._indices[position]]
        return Action(self._game, self._indices[position])

    __hash__ = Set._hash

    @classmethod
    def _from_iterable(cls, actions: Any) -> Any:
        return set(actions)

    def __repr__(self) -> str:
        return "{" + ", ".join(map(str, self)) + "}"
