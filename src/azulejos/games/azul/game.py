"""Azul as a game: its options and its winners."""

from functools import cached_property
from typing import ClassVar

from azulejos.core.game import Game, Option
from azulejos.core.modules import Modules
from azulejos.core.state import State

from . import encoding, notation
from .tables import SIZE


class Azul(Game):
    """Azul for 2 to 4 players, with the coloured or the grey wall."""

    name = "azul"
    title = "Azul"
    rules_version = 1
    options: ClassVar = (
        Option("players", (2, 3, 4), "how many play"),
        Option("wall", ("coloured", "grey"), "grey: the owner chooses the column of each tile"),
    )
    modules = Modules(__package__)
    num_outcomes = SIZE

    @cached_property
    def num_actions(self) -> int:
        players, grey = self.codes
        return encoding.DRAFTS[players] + SIZE * SIZE * grey

    def winners(self, state: State) -> tuple[int, ...]:
        """Most points; tied: more complete rows; still tied: they share the victory."""
        fields, rules = state.fields, notation.RULES
        ranks = [
            (fields.score[seat], rules.complete_rows(rules.occupied(fields, seat))) for seat in range(self.players)
        ]
        return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
