"""A position, as a value."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .action import Action, Actions
from .chance import Chance
from .errors import IllegalAction, IllegalDraw, OptionError
from .fields import fields_of
from .kernels import CHANCE, OVER

if TYPE_CHECKING:
    from .game import Game


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the scores, and the seats that won, several if they share the victory."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def __str__(self) -> str:
        seats = " and ".join(f"seat {seat}" for seat in self.winners)
        verb = "wins" if len(self.winners) == 1 else "share the victory"
        return f"{'–'.join(map(str, self.scores))}, {seats} {verb}"


class State:
    """A position of a game. A value: `play` returns a new one, and equal positions are equal.

    A state holds nothing that has not been revealed. What will be drawn comes from `chance`, which travels beside the
    position and is no part of it; without it a state that needs a draw waits for `deal`.
    """

    __slots__ = ("_actions", "_array", "_fields", "_whose", "chance", "drawn", "game")

    def __init__(
        self, game: "Game", array: npt.NDArray[Any], chance: Chance | None = None, drawn: tuple[int, ...] = ()
    ) -> None:
        self.game = game
        self._array = array
        self.chance = chance
        self.drawn = drawn  # what was drawn on the way here, after the last action
        self._actions: Actions | None = None
        self._fields: SimpleNamespace | None = None
        self._whose: int | None = None

    # --- looking ---

    @property
    def seat(self) -> int | None:
        """The seat that is to act; None while a draw is awaited and when the game is over."""
        turn = self._turn
        return turn if turn >= 0 else None

    @property
    def _turn(self) -> int:
        if self._whose is None:
            self._whose = int(self.game.entry_points.whose_turn(self._array, 0))
        return self._whose

    @property
    def awaits_draw(self) -> bool:
        """Is chance next? Then `deal` goes on."""
        return self._turn == CHANCE

    @property
    def over(self) -> bool:
        return self._turn == OVER

    @property
    def actions(self) -> Actions:
        """The legal actions; none while a draw is awaited and when the game is over."""
        actions = self._actions
        if actions is None:
            indices: tuple[int, ...] = ()
            if self._turn >= 0:
                out = self.game.actions_buffer()
                count = self.game.entry_points.list_actions(self._array, 0, out)
                indices = tuple(out[:count].tolist())
            self._actions = actions = Actions(self.game, indices)
        return actions

    @property
    def scores(self) -> tuple[int, ...]:
        return self.game.scores(self)

    @property
    def projected(self) -> tuple[int, ...]:
        """What the scores would be if the round ended here."""
        project = self.game.entry_points.project
        return tuple([int(project(self._array, 0, seat)) for seat in range(self.game.players)])

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self.game.round_of(self)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return Outcome(self.scores, self.game.winners(self)) if self.over else None

    @property
    def record(self) -> Any:
        """The position as a record of the game's structured type: a copy."""
        return self.array()[0]

    @property
    def fields(self) -> SimpleNamespace:
        """The record's fields as plain integers and lists, for whoever reads many of them; not to be changed."""
        fields = self._fields
        if fields is None:
            self._fields = fields = fields_of(self.game.kernels, self._array.tobytes())
        return fields

    def forget(self) -> None:
        """Let go of what can be found again, at any moment: for those who keep many states and look at few."""
        self._actions = self._fields = None

    def array(self) -> npt.NDArray[Any]:
        """The position as an array [1] of the game's structured type: a copy, for the kernels."""
        return np.frombuffer(bytearray(self._array.tobytes()), self._array.dtype)  # `copy` goes field by field

    def view(self, seat: int) -> "State":
        """The position as the seat sees it: what it cannot know is blanked, and no chance travels with it."""
        if not 0 <= seat < self.game.players:
            raise OptionError(f"seat {seat!r} does not exist: seats are 0 to {self.game.players - 1}")
        if self.chance is None and not self.game.hides():
            return self
        array = self.array()
        self.game.hide(array, seat)
        return State(self.game, array)

    def chances(self) -> dict[int, float]:
        """The outcomes of the draw that is due, with their probabilities; empty if none is."""
        if not self.awaits_draw:
            return {}
        counts, total = self._ways()
        return {drawn: int(count) / total for drawn, count in enumerate(counts) if count}

    def _ways(self) -> tuple[npt.NDArray[np.int64], int]:
        counts = np.zeros(self.game.num_outcomes, np.int64)
        return counts, int(self.game.entry_points.count_ways(self._array, 0, counts))

    # --- going on ---

    def play(self, action: Action | str | int, draws: str | Sequence[int] | None = None) -> "State":
        """The state after an action, and after the draws that it leads to.

        They are taken from `draws` if given, else from `chance`; without either the new state waits for `deal`.
        """
        chosen = self.game.action(action)
        if not self.actions.has(chosen.index):
            raise IllegalAction(self._why_not(chosen), str(self))
        array = self.array()
        self.game.entry_points.do_action(array, 0, chosen.index)
        after = State(self.game, array, self.chance)
        if draws is not None or (self.chance is not None and after.awaits_draw):
            return after.deal(draws)
        return after

    def _why_not(self, action: Action) -> str:
        if self.over:
            return f"{action} cannot be played: the game is over"
        if self.awaits_draw:
            return f"{action} cannot be played: a draw is awaited; go on with deal()"
        return f"{action} is not legal: {self.game.explain(self, action.index)}"

    def deal(
        self, draws: str | Sequence[int] | None = None, seed: int | np.random.Generator | Chance | None = None
    ) -> "State":
        """The state after all draws that are due: those given, which must be possible and just as many, or random
        ones from `seed`, from the state's own chance, or from the system's entropy."""
        array = self.array()
        if draws is None:
            return self._deal_at_random(array, self.chance if seed is None and self.chance else Chance.of(seed))
        outcomes = self.game.read_draws(draws)
        now = self
        for number, drawn in enumerate(outcomes):
            if not now.awaits_draw:
                extra = self.game.print_draws(outcomes[number:])
                raise IllegalDraw(f"too much is drawn: {extra} is left when no draw is due", str(self))
            counts, _ = now._ways()
            if not counts[drawn]:
                raise self.game.refuse_draw(now, drawn)
            now = State(self.game, now.array())
            self.game.entry_points.do_draw(now._array, 0, drawn)
        if now.awaits_draw:
            raise IllegalDraw(f"too little is drawn: after {len(outcomes)} draws another is due", str(now))
        return State(self.game, now._array, self.chance if seed is None else Chance.of(seed), outcomes)

    def _deal_at_random(self, array: npt.NDArray[Any], chance: Chance) -> "State":
        entry_points, drawn = self.game.entry_points, []
        counts = np.zeros(self.game.num_outcomes, np.int64)
        while entry_points.whose_turn(array, 0) == CHANCE:
            way, chance = chance.below(int(entry_points.count_ways(array, 0, counts)))
            outcome = bisect_right(list(accumulate(counts.tolist())), way)
            entry_points.do_draw(array, 0, outcome)
            drawn.append(outcome)
        return State(self.game, array, chance, tuple(drawn))

    def draw(self, outcome: int) -> "State":
        """The state after one single draw, for those who walk chance step by step."""
        counts, _ = self._ways() if self.awaits_draw else (np.zeros(self.game.num_outcomes, np.int64), 0)
        if not (0 <= outcome < self.game.num_outcomes and counts[outcome]):
            raise self.game.refuse_draw(self, outcome)
        array = self.array()
        self.game.entry_points.do_draw(array, 0, outcome)
        return State(self.game, array, self.chance, (outcome,))

    # --- text and comparison ---

    def __str__(self) -> str:
        return self.game.print_state(self)

    def __repr__(self) -> str:
        return f"azulejos.parse({str(self)!r})"

    def to_dict(self) -> dict[str, Any]:
        """The position as plain data with the words of the rule page."""
        return self.game.to_dict(self)

    def _repr_svg_(self) -> str:
        """The position as notebooks show it."""
        return self.game.draw(self, theme="auto")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game == other.game and self._array.tobytes() == other._array.tobytes()

    def __hash__(self) -> int:
        return hash(self._array.tobytes())
