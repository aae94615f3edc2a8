"""Azul Duel as a game: its options and its results."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from rich.console import RenderableType

from azulejos.core.errors import OptionError
from azulejos.core.game import Array, Event, Game, Option
from azulejos.core.hand import Closed, Pick, Preview, Step
from azulejos.core.language import _
from azulejos.core.state import State
from azulejos.drawing.scene import Look

from . import drawing, hand, judgement, kernels, notation, observation, position, possible, terminal
from .kernels import record as K
from .tables import (
    EVENTS,
    FIRST_GAME,
    PLAYERS,
    SIDES,
    TABLETS,
)

RULES = notation.RULES


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
    notation_help = (
        "Source, colour, line: 3B2 takes blue from the sun of factory 3 to line 2; L is the large factory,\n"
        "M all moons, - the broken tiles (MR-). Colours: B blue, Y yellow, R red, K black, T turquoise.\n"
        "chip-3 takes the chip of factory 3. plate-sTYK takes a plate (s special, j joker; colours clockwise from\n"
        "that slot); draw draws one from the stack, stop looks at those drawn, under-sTYK puts one back.\n"
        "lay-5ne lays the plate on square 5 with its slot at the upper right (nw, ne, se, sw).\n"
        "pile-R puts red next on the pile, from the bottom. 2@4 puts the tile of line 2 into column 4.\n"
        "leave leaves a line; spend-3 completes it with three chips; pay-BR spends a blue-red chip."
    )
    kernels = kernels
    judgement = judgement
    observation = observation
    events = EVENTS
    num_actions = K.NUM_ACTIONS
    num_outcomes = K.NUM_OUTCOMES
    players = PLAYERS

    @property
    def option_codes(self) -> Array:
        tablets = self.chosen["tablets"]
        if isinstance(tablets, int):
            return np.array([PLAYERS, tablets, 0], np.int64)
        sides = sum(1 << SIDES.index(side) for side in tablets.split(","))
        return np.array([PLAYERS, 0, sides], np.int64)

    # --- text ---

    def print_action(self, index: int) -> str:
        return notation.print_action(index)

    def parse_action(self, text: str) -> int:
        return notation.parse_action(text)

    def say_action(self, index: int) -> str:
        return notation.say_action(index)

    def path(self, index: int) -> tuple[str, ...]:
        return notation.path(index)

    def explain(self, state: State, index: int) -> str:
        return notation.explain(state.record, index)

    def say_event(self, event: Event) -> str | None:
        return notation.say_event(event)

    def print_draws(self, outcomes: Sequence[int]) -> str:
        return notation.print_draws(outcomes)

    def parse_draws(self, text: str) -> tuple[int, ...]:
        return notation.parse_draws(text)

    def explain_draw(self, state: State, drawn: int) -> str:
        return notation.explain_draw(state.record, drawn)

    def print_state(self, state: State) -> str:
        return position.print_state(state.fields)

    @classmethod
    def parse_state(cls, text: str) -> tuple[Game, Array]:
        array = position.parse_state(text)
        record = array[0]
        return cls(tablets=int(record.drawn_tablets) or notation.sides_in(int(record.tablets))), array

    def show(self, state: State, names: Sequence[str]) -> RenderableType:
        return terminal.show(state, names)

    def draw(
        self,
        state: State,
        names: Sequence[str] = (),
        viewer: int | None = None,
        theme: str = "light",
        layout: str = "wide",
        styled: bool = True,
    ) -> str:
        return drawing.draw(state, Look.of(state, names, viewer, theme, layout, styled))

    # --- at a table ---

    def ask(self, state: State) -> str:
        return hand.ask(state)

    def picks(self, state: State, index: int) -> tuple[Pick, ...]:
        return hand.picks(state, index)

    def closed(self, state: State) -> list[Closed]:
        return list(hand.closed(state))

    def preview(self, state: State, index: int, projected: int) -> Preview:
        return hand.preview(self, state, index, projected)

    def notice(self, state: State) -> str:
        return hand.notice(state)

    def points_of(self, event: Event) -> tuple[str, int, int] | None:
        return hand.points_of(event)

    def steps(self, state: State, events: Sequence[Event]) -> list[Step]:
        return list(hand.steps(self, state, events))

    def secret(self, index: int) -> str | None:
        """Which plate goes under the stack is its owner's to know."""
        return _("plate put under the stack") if notation.split(index)[0] == "under" else None

    # --- what a seat may know ---

    def hide(self, array: Array, seat: int) -> None:
        """Blank the plates that the other has put back or holds; they are drawn again when they are turned up."""
        RULES.hide(array[0], seat)

    # --- results ---

    def round_of(self, state: State) -> int:
        return int(state.fields.round_no)

    def winners(self, state: State) -> tuple[int, ...]:
        """Most points; tied: the holder of the start tile, or who started the last round if nobody took it (D-R12)."""
        record = state.record
        if record.score[0] != record.score[1]:
            return (int(record.score[1] > record.score[0]),)
        return (int(record.holder if record.holder != K.NOBODY else record.start),)

    # --- data ---

    def to_dict(self, state: State) -> dict[str, Any]:
        return position.to_dict(state)

    def check(self, state: State) -> str | None:
        return next(possible.impossibilities(state.fields, self.option_codes.tolist()), None)
