"""Summer Pavilion as a game: its options and its results."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from rich.console import RenderableType

from azulejos.core.game import Array, Event, Game, Option
from azulejos.core.hand import Pick, Preview, Step
from azulejos.core.state import State
from azulejos.drawing.scene import Look

from . import drawing, hand, judgement, kernels, notation, observation, position, possible, terminal
from .tables import COLOURS, EVENTS, SIDES, SUPPLY_SPACES, TILES_OF_A_FACTORY

_PLACING = (
    "Placing: B6 fills number 6 of the blue star; B6+2 pays two tiles with wilds.\n"
    "C4R+1 lays red on 4 of the central star, C, and pays one tile with a wild.",
    "Placing: NW1B+1 lays blue on position 1 of the star at the top left and pays one\n"
    "tile with a wild. The other stars are NE, E, SE, SW, W and C, the central one.\n"
    "A free rhombus is drawn as position:number, so 1:3 is position 1 and costs 3.",
)


class Pavilion(Game):
    """Azul: Summer Pavilion for 2 to 4 players, on the coloured or the plain side of the board."""

    name = "pavilion"
    title = "Azul: Summer Pavilion"
    rules_version = 1
    options: ClassVar = (
        Option("players", (2, 3, 4), "how many play"),
        Option("side", SIDES, "plain: stars without colours, and other numbers"),
    )
    kernels = kernels
    judgement = judgement
    observation = observation
    events = EVENTS
    num_outcomes = len(COLOURS)

    def __init__(self, **chosen: Any) -> None:
        super().__init__(**chosen)
        self.players = self.chosen["players"]
        self.side = SIDES.index(self.chosen["side"])
        self.notation_help = (
            "Taking: 3B takes blue from factory 3, CB from the centre.\n"
            f"{_PLACING[self.side]}\n"
            "Supply: SB takes blue from it.\n"
            "Passing: pass; then KG keeps one green tile, and so on in the order PGOYBR.\n"
            "Colours: P purple, G green, O orange, Y yellow, B blue, R red."
        )
        self.num_actions = 1 + notation.join(notation.Keep(len(COLOURS) - 1), self.players, self.side)

    @property
    def option_codes(self) -> Array:
        return np.array([self.players, self.side], np.int64)

    # --- text ---

    def print_action(self, index: int) -> str:
        return notation.print_action(index, self.players, self.side)

    def parse_action(self, text: str) -> int:
        return notation.parse_action(text, self.players, self.side)

    def say_action(self, index: int) -> str:
        return notation.say_action(index, self.players, self.side)

    def path(self, index: int) -> tuple[str, ...]:
        return notation.path(index, self.players, self.side)

    def explain(self, state: State, index: int) -> str:
        return notation.explain(state.record, index)

    def say_event(self, event: Event) -> str | None:
        return notation.say_event(event, self.side)

    def print_draws(self, outcomes: Sequence[int]) -> str:
        return notation.print_draws(outcomes)

    def parse_draws(self, text: str) -> tuple[int, ...]:
        return notation.parse_draws(text)

    def explain_draw(self, state: State, drawn: int) -> str:
        if not state.awaits_draw:
            return "nothing is to be drawn here"
        record = state.record
        full = record.stock == SUPPLY_SPACES
        where = f"factory {1 + record.dealt // TILES_OF_A_FACTORY}" if full else "the supply"
        bag = notation.TILES.print_tiles(record.bag)
        return f"the bag has no {COLOURS[drawn]} tile left for {where}; it holds {bag}"

    def print_state(self, state: State) -> str:
        return position.print_state(state.fields)

    @classmethod
    def parse_state(cls, text: str) -> tuple[Game, Array]:
        array = position.parse_state(text)
        record = array[0]
        return cls(players=int(record.players), side=SIDES[record.plain]), array

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

    def preview(self, state: State, index: int, projected: int) -> Preview:
        return hand.preview(self, state, index, projected)

    def notice(self, state: State) -> str:
        return hand.notice(state)

    def points_of(self, event: Event) -> tuple[str, int, int] | None:
        return hand.points_of(event)

    def steps(self, state: State, events: Sequence[Event]) -> list[Step]:
        return list(hand.steps(self, state, events))

    # --- results ---

    def round_of(self, state: State) -> int:
        return int(state.fields.round_no)

    def winners(self, state: State) -> tuple[int, ...]:
        """Most points; tied players share the victory."""
        scores = self.scores(state)
        return tuple(seat for seat in range(self.players) if scores[seat] == max(scores))

    # --- data ---

    def to_dict(self, state: State) -> dict[str, Any]:
        return position.to_dict(state)

    def check(self, state: State) -> str | None:
        return next(possible.impossibilities(state.fields, self.option_codes.tolist()), None)
