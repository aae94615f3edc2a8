"""Advice for somebody who is to act: the best actions, with what each is worth."""

from dataclasses import dataclass

from azulejos.core.action import Action
from azulejos.core.state import State

from .player import Limit
from .search import Search

THOUGHT = Limit(time=0.5)


@dataclass(frozen=True)
class Hint:
    """An action, the chance to win after it, and how play would be expected to go on after the best one."""

    action: Action
    chance: float
    line: tuple[Action, ...]


def hints(
    view: State, limit: Limit = THOUGHT, count: int = 3, seed: int | None = None, also: Action | None = None
) -> list[Hint]:
    """The best actions for the seat to act, the best first. A function of a view: it needs no player kept around.

    The player's own choice and those that were looked into most, by what they turned out to be worth. `also`: one more
    that is wanted, wherever it comes; if it was looked into at all.
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
