"""What a player is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from azulejos.core.action import Action
from azulejos.core.state import State


@dataclass(frozen=True)
class Choice:
    """The action that a player chose, and what it thought each action that it considered is worth."""

    action: Action
    values: Mapping[Action, float] = field(default_factory=dict)


class Player(Protocol):
    """Chooses actions. It is given a view, never the table's own state: it knows no more than a person in its seat."""

    def choose(self, view: State) -> Choice:
        """An action that is legal in the view, for the seat whose turn it is."""
        ...
