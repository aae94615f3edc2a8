"""States."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from .action import Action, Actions
from .chance import Chance
from .errors import IllegalAction, IllegalDraw
from .fields import Fields, layout_of
from .kernels import CHANCE, OVER
from .values import seat_of

if TYPE_CHECKING:
    import numpy.typing as npt
    from numpy.random import Generator

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

    A state contains only what has been revealed. Draws come from `chance`, which accompanies the
    position but is not part of it; without it, a state that needs a draw waits for `deal`.
    """

    __slots__ = ("_actions", "_chance", "_drawn", "_fields", "_game", "_position", "_projected", "_views", "_whose")

    def __init__(self, game: "Game", position: Any, chance: Chance | None = None, drawn: tuple[int, ...] = ()) -> None:
        """`position`: bytes, or an array [1] of the game's structured type, which is copied."""
        self._game = game
        self._position: bytes = position if type(position) is bytes else bytes(position)
        self._chance = chance
        self._drawn = drawn
        self._actions: Actions | None = None
        self._fields: Fields | None = None
        self._projected: tuple[int, ...] | None = None
        self._views: dict[int, State] | None = None
        self._whose: int | None = None

    # --- looking ---

    @property
    def game(self) -> "Game":
        return self._game

    @property
    def position(self) -> bytes:
        """The position as bytes: the fields of the game's structured type. Equal positions have equal bytes."""
        return self._position

    @property
    def chance(self) -> Chance | None:
        """The source of draws to come; None if they must be given."""
        return self._chance

    @property
    def drawn(self) -> tuple[int, ...]:
        """The outcomes drawn on the way here, after the last action."""
        return self._drawn

    def with_chance(self, chance: Chance | None) -> "State":
        """The same position with another source of draws."""
        same = State(self._game, self._position, chance, self._drawn)
        same._whose = self._whose
        return same

    def with_fields(self, **values: int | list[int]) -> "State":
        """The position with other values of some fields, unchecked and without chance: for trying something out."""
        layout = layout_of(self._game.kernels)
        fields = layout.unpack(self._position)
        vars(fields).update(values)
        return State(self._game, layout.pack(fields))

    @property
    def seat(self) -> int | None:
        """The seat that is to act; None while a draw is awaited and when the game is over."""
        turn = self._turn
        return turn if turn >= 0 else None

    @property
    def _turn(self) -> int:
        turn = self._whose
        if turn is None:
            self._whose = turn = self._game.rules.turn(self._position)
        return turn

    @property
    def awaits_draw(self) -> bool:
        """Is a draw due? Then `deal` continues."""
        return self._turn == CHANCE

    @property
    def over(self) -> bool:
        return self._turn == OVER

    @property
    def actions(self) -> Actions:
        """The legal actions; none while a draw is awaited and when the game is over."""
        actions = self._actions
        if actions is None:
            indices = self._game.rules.actions(self._position) if self._turn >= 0 else ()
            self._actions = actions = Actions(self._game, indices)
        return actions

    @property
    def scores(self) -> tuple[int, ...]:
        return self._game.scores(self)

    @property
    def projected(self) -> tuple[int, ...]:
        """The scores if the round ended here."""
        projected = self._projected
        if projected is None:
            game, position = self._game, self._position
            self._projected = projected = tuple([game.rules.projected(position, k) for k in range(game.players)])
        return projected

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self._game.round_of(self)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is in progress."""
        return Outcome(self.scores, self._game.winners(self)) if self.over else None

    @property
    def fields(self) -> Fields:
        """The position's data by name, as plain integers and lists. Do not modify."""
        fields = self._fields
        if fields is None:
            self._fields = fields = layout_of(self._game.kernels).unpack(self._position)
        return fields

    def forget(self) -> None:
        """Drop cached values; they are recomputed on demand."""
        self._actions = self._fields = self._projected = self._views = None

    def array(self) -> "npt.NDArray[Any]":
        """The position as an array [1] of the game's structured type: a copy, for the kernels."""
        from .compiled import array

        return array(self._game, self._position)

    def view(self, seat: int) -> "State":
        """The seat's view: the position with hidden information blanked, and without `chance`."""
        seat = seat_of(seat, self._game.players)
        if not self._game.hides():
            return self if self._chance is None else State(self._game, self._position)
        views = self._views
        if views is None:
            self._views = views = {}
        if seat not in views:
            views[seat] = State(self._game, self._game.rules.hide(self._position, seat))
        return views[seat]

    def chances(self) -> dict[int, float]:
        """The outcomes of the draw that is due, with their probabilities; empty if none is."""
        ways = self._ways()
        return {drawn: count / sum(ways) for drawn, count in enumerate(ways) if count}

    def _ways(self) -> list[int]:
        return self._game.rules.ways(self._position) if self.awaits_draw else []

    # --- going on ---

    def play(self, action: Action | str | int, draws: str | Sequence[int] | None = None) -> "State":
        """The state after an action, and after the draws that it leads to.

        They are taken from `draws` if given, else from `chance`; without either the new state waits for `deal`.
        """
        chosen = self._game.action(action)
        if not self.actions.has(chosen._index):
            raise IllegalAction(self._why_not(chosen), str(self))
        after = State(self._game, self._game.rules.play(self._position, chosen._index), self._chance)
        if draws is not None or (self._chance is not None and after.awaits_draw):
            return after.deal(draws)
        return after

    def _why_not(self, action: Action) -> str:
        if self.over:
            return f"{action} cannot be played: the game is over"
        if self.awaits_draw:
            return f"{action} cannot be played: a draw is awaited; go on with deal()"
        return f"{action} is not legal: {self._game.explain(self, action.index)}"

    def deal(self, draws: str | Sequence[int] | None = None, seed: "int | Generator | Chance | None" = None) -> "State":
        """The state after all draws that are due: those given, which must be possible and just as many, or random
        ones from `seed`, from the state's own chance, or from the system's entropy."""
        if draws is None:
            return self._deal_at_random(self._chance if seed is None and self._chance else Chance.of(seed))
        outcomes = self._game.read_draws(draws)
        now = self
        for number, drawn in enumerate(outcomes):
            if not now.awaits_draw:
                extra = self._game.print_draws(outcomes[number:])
                raise IllegalDraw(f"too much is drawn: {extra} is left when no draw is due", str(self))
            now = now._drawn_once(drawn)
        if now.awaits_draw:
            raise IllegalDraw(f"too little is drawn: after {len(outcomes)} draws another is due", str(now))
        return State(self._game, now._position, self._chance if seed is None else Chance.of(seed), outcomes)

    def _deal_at_random(self, chance: Chance) -> "State":
        rules, position, drawn = self._game.rules, self._position, list[int]()
        while rules.turn(position) == CHANCE:
            sums = list(accumulate(rules.ways(position)))
            way, chance = chance.below(sums[-1])
            drawn.append(bisect_right(sums, way))
            position = rules.draw(position, drawn[-1])
        return State(self._game, position, chance, tuple(drawn))

    def draw(self, outcome: int) -> "State":
        """The state after a single draw, for enumerating outcomes."""
        (drawn,) = self._game.read_draws([outcome])
        return self._drawn_once(drawn)

    def _drawn_once(self, outcome: int) -> "State":
        ways = self._ways()
        if not ways or not ways[outcome]:
            raise self._game.refuse_draw(self, outcome)
        return State(self._game, self._game.rules.draw(self._position, outcome), self._chance, (outcome,))

    # --- text and comparison ---

    def __str__(self) -> str:
        return self._game.print_state(self)

    def __repr__(self) -> str:
        return f"azulejos.parse({str(self)!r})"

    def to_dict(self) -> dict[str, Any]:
        """The position as plain data with the words of the rule page."""
        return self._game.to_dict(self)

    def _repr_svg_(self) -> str:
        """The position as notebooks show it."""
        return self._game.draw(self, theme="auto")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._position == other._position and self._game == other._game

    def __hash__(self) -> int:
        return hash(self._position)

    def __reduce__(self) -> tuple[object, ...]:
        return State, (self._game, self._position, self._chance, self._drawn)  # without what is cached
