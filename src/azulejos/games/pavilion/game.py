"""Summer Pavilion as a game: its options and its winners."""

from functools import cached_property
from typing import ClassVar

from azulejos.core.game import Game, Option
from azulejos.core.modules import Modules
from azulejos.core.state import State

from . import notation
from .tables import COLOURS, SIDES


class Pavilion(Game):
    """Azul: Summer Pavilion for 2 to 4 players, on the coloured or the plain side of the board."""

    name = "pavilion"
    title = "Azul: Summer Pavilion"
    rules_version = 1
    options: ClassVar = (
        Option("players", (2, 3, 4), "how many play"),
        Option("side", SIDES, "plain: stars without colours, and other numbers"),
    )
    modules = Modules(__package__)
    num_outcomes = len(COLOURS)

    @cached_property
    def num_actions(self) -> int:
        return 1 + notation.join(self, notation.Keep(len(COLOURS) - 1))

    def winners(self, state: State) -> tuple[int, ...]:
        """Most points; tied players share the victory."""
        scores = state.scores
        return tuple(seat for seat, score in enumerate(scores) if score == max(scores))
