"""Hints for the seat to act: the best actions, with the chance to win after each."""

from dataclasses import dataclass

from azulejos.core.action import Action
from azulejos.core.state import State

from .choice import Limit
from .search import Search

THOUGHT = Limit(time=0.5)


@dataclass(frozen=True)
class Hint:
    """An action, the chance to win after it, and the principal variation that begins with it."""

    action: Action
    chance: float
    line: tuple[Action, ...]


def hints(
    view: State, limit: Limit = THOUGHT, count: int = 3, seed: int | None = None, also: Action | None = None
) -> list[Hint]:
    """The best actions for the seat to act, the best first.

    These are the search's choice and the actions with the most visits, sorted by value. `also`: one more action to
    include, if it was visited.
    """
    choice = Search(seed).choose(view, limit)
    most = sorted(
        choice.values,
        key=lambda action: (action != choice.action, -choice.visits[action], -choice.values[action]),
    )[:count]
    if also is not None and also in choice.values and also not in most:
        most.append(also)
    return [
        Hint(action, choice.values[action], choice.line if action == choice.action else (action,))
        for action in sorted(most, key=lambda action: -choice.values[action])
    ]
