"""Azul as a game: its options and its results."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from rich.console import RenderableType

from azulejos.core.game import Array, Event, Game, Option
from azulejos.core.hand import Closed, Pick, Preview, Step
from azulejos.core.state import State
from azulejos.drawing.scene import Look

from . import drawing, hand, judgement, kernels, notation, observation, position, possible, terminal
from .tables import COLOURS, EVENTS, FACTORIES, SIZE

RULES = notation.RULES


class Azul(Game):
    """Azul for 2 to 4 players, with the coloured or the grey wall."""

    name = "azul"
    title = "Azul"
    rules_version = 1
    options: ClassVar = (
        Option("players", (2, 3, 4), "how many play"),
        Option("wall", ("coloured", "grey"), "grey: the owner chooses the column of each tile"),
    )
    notation_help = (
        "Source, colour, line: 3B2 takes blue from factory 3 to line 2; C is the centre, - the floor (CR-).\n"
        "Colours: B blue, Y yellow, R red, K black, W white.\n"
        "Grey wall: 2@4 puts the tile of line 2 into column 4."
    )
    kernels = kernels
    judgement = judgement
    observation = observation
    events = EVENTS
    num_outcomes = SIZE

    def __init__(self, **chosen: Any) -> None:
        super().__init__(**chosen)
        self.players = self.chosen["players"]
        self.grey = self.chosen["wall"] == "grey"
        drafts = (FACTORIES[self.players] + 1) * SIZE * kernels.LINES
        self.num_actions = drafts + SIZE * SIZE * self.grey

    @property
    def option_codes(self) -> Array:
        return np.array([self.players, self.grey], np.int64)

    # --- text ---

    def print_action(self, index: int) -> str:
        return notation.print_action(index, self.players)

    def parse_action(self, text: str) -> int:
        return notation.parse_action(text, self.players, self.grey)

    def say_action(self, index: int) -> str:
        return notation.say_action(index, self.players)

    def path(self, index: int) -> tuple[str, ...]:
        return notation.path(index, self.players)

    def explain(self, state: State, index: int) -> str:
        return notation.explain(state.record, index)

    def say_event(self, event: Event) -> str | None:
        return notation.say_event(event)

    def print_draws(self, outcomes: Sequence[int]) -> str:
        return notation.print_draws(outcomes)

    def parse_draws(self, text: str) -> tuple[int, ...]:
        return notation.parse_draws(text)

    def explain_draw(self, state: State, drawn: int) -> str:
        if not state.awaits_draw:
            return "nothing is to be drawn here"
        record = state.record
        bag = notation.TILES.print_tiles(record.bag)
        return f"the bag has no {COLOURS[drawn]} tile left for factory {1 + record.dealt // 4}; it holds {bag}"

    def print_state(self, state: State) -> str:
        return position.print_state(state.fields)

    @classmethod
    def parse_state(cls, text: str) -> tuple[Game, Array]:
        array = position.parse_state(text)
        record = array[0]
        return cls(players=int(record.players), wall="grey" if record.grey else "coloured"), array

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
        return hand.preview(state, index, projected)

    def notice(self, state: State) -> str:
        return hand.notice(state)

    def points_of(self, event: Event) -> tuple[str, int, int] | None:
        return hand.points_of(event)

    def steps(self, state: State, events: Sequence[Event]) -> list[Step]:
        return hand.steps(self, state, events)

    # --- results ---

    def round_of(self, state: State) -> int:
        return int(state.fields.round_no)

    def winners(self, state: State) -> tuple[int, ...]:
        """Most points; tied: more complete rows; still tied: they share the victory."""
        record = state.record

        def rank(seat: int) -> tuple[int, int]:
            return int(record.score[seat]), int(RULES.complete_rows(RULES.occupied(record, seat)))

        best = max(rank(seat) for seat in range(self.players))
        return tuple(seat for seat in range(self.players) if rank(seat) == best)

    # --- data ---

    def to_dict(self, state: State) -> dict[str, Any]:
        return position.to_dict(state)

    def check(self, state: State) -> str | None:
        return next(possible.impossibilities(state.fields, self.option_codes.tolist()), None)
