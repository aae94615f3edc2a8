"""Azul Duel as a game: its options and its winners."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from azulejos.core.errors import OptionError
from azulejos.core.game import Game, Option
from azulejos.core.modules import Modules
from azulejos.core.state import State

from . import encoding
from .tables import FIRST_GAME, PLAYERS, SIDES, TABLETS


@dataclass(frozen=True)
class TabletsOption(Option):
    """The sides in play by name, or how many tablets are drawn."""

    def check(self, value: Any) -> Any:
        """3 or 4; or the names in their order, as one text."""
        if value in (3, 4) and type(value) is int:
            return value
        names = value.split(",") if isinstance(value, str) else value
        if not (isinstance(names, tuple | list) and all(isinstance(name, str) for name in names)):
            raise OptionError(
                f"tablets={value!r} is not possible: name three or four sides, or say 3 or 4 to draw them"
            )
        for name in names:
            if name not in SIDES:
                raise OptionError(f"there is no tablet {name!r}; there are {', '.join(SIDES)}")
        for front, back in TABLETS:
            if front in names and back in names:
                raise OptionError(f"{front} and {back} are the two sides of one tablet: only one can be in play")
        if len(set(names)) != len(names) or len(names) not in (3, 4):
            raise OptionError(f"{len(names)} tablets: a game uses three or four, each once")
        return ",".join(side for side in SIDES if side in names)


class Duel(Game):
    """Azul Duel, for two players."""

    name = "duel"
    title = "Azul Duel"
    rules_version = 1
    options: ClassVar = (
        TabletsOption(
            "tablets",
            (",".join(FIRST_GAME), "colours,ring,corners,specials", "rows,columns,jokers,corners", 3, 4),
            f"three or four of {', '.join(SIDES)}, one side of each tablet; or how many are drawn",
        ),
    )
    modules = Modules(__package__)
    num_actions = encoding.NUM_ACTIONS
    num_outcomes = encoding.NUM_OUTCOMES
    players = PLAYERS

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """The players, the number of tablets that are drawn, and the sides that were named."""
        tablets = self.chosen["tablets"]
        if isinstance(tablets, int):
            return PLAYERS, tablets, 0
        return PLAYERS, 0, sum(1 << SIDES.index(side) for side in tablets.split(","))

    def winners(self, state: State) -> tuple[int, ...]:
        """Most points; tied: the holder of the start tile, or who started the last round if nobody took it (D-R12)."""
        fields, (one, two) = state.fields, state.scores
        if one != two:
            return (int(two > one),)
        return (fields.holder if fields.holder != encoding.NOBODY else fields.start,)
