"""One game, action by action, for the interfaces with a single game."""

import secrets
from typing import Any, Literal, Protocol

import numpy as np

from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.observation import ObservationSpec
from azulejos.core.registry import make
from azulejos.core.state import State
from azulejos.core.streams import streams

from . import stepping
from .batches import MOST_ROUNDS, Array, Batch, Rewards, entry_points, spec_of

Form = Literal["compact", "one-hot"]
MaskPlace = Literal["info", "observation"]
FORMS = ("compact", "one-hot")
ILLEGAL_REWARDS = {"win": -1.0, "margin": -200.0}  # lower than any loss


class Observer:
    """Observes one position after another, in the same arrays."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.spec: ObservationSpec = spec_of(game)
        self._seen = np.zeros((1, self.spec.size), np.int16)
        self._spread = np.zeros((1, self.spec.one_hot_size), np.float32)
        self._tables = (self.spec.places, self.spec.most, self.spec.kinds)
        self._viewer = np.zeros(1, np.int8)
        self._entry_points = entry_points(game)

    def __reduce__(self) -> tuple[object, ...]:
        return Observer, (self._game,)

    def observe(self, array: Array, seat: int) -> Array:
        """What a seat sees of a record [1]: int16 [spec.size], overwritten by the next call."""
        self._viewer[0] = seat
        self._entry_points.observe_games(0, 1, array, self._viewer, self._seen)
        seen: Array = self._seen[0]
        return seen

    def one_hot(self, array: Array, seat: int) -> Array:
        """The same in the one-hot form: float32 [spec.one_hot_size], overwritten by the next call."""
        self.observe(array, seat)
        self._entry_points.spread_games(0, 1, self._seen, *self._tables, self._spread)
        spread: Array = self._spread[0]
        return spread

    def observe_all(self, records: Array, seats: Array, out: Array) -> None:
        """What seats int8 [n] see of records [n], into out int16 [n, spec.size]."""
        self._entry_points.observe_games(0, len(records), records, seats, out)

    def results(self, records: Array) -> Array:
        """What "win" pays in finished games: float32 [n, players]."""
        paid = np.zeros((len(records), self._game.players), np.float32)
        self._entry_points.pay_games(0, len(records), records, paid)
        return paid


class Chooser(Protocol):
    """The players of the other seats (`opponents.Others`)."""

    def choose_one(self, batch: Batch) -> int: ...


class Play:
    """A game in play: a batch of one, without a next game.

    `rewards`, `most_rounds`: as `az.batch` has them. `form`: of the observations, "compact" or "one-hot".
    """

    def __init__(
        self,
        game: Game | str,
        rewards: Rewards = "win",
        most_rounds: int = MOST_ROUNDS,
        form: Form = "compact",
        **options: Any,
    ) -> None:
        if isinstance(game, str):
            game = make(game, **options)
        elif options:
            raise OptionError("options go with a game's name; this game has its own already")
        if form not in FORMS:
            raise OptionError(f"observation={form!r} is not possible: it is {' or '.join(map(repr, FORMS))}")
        self.game: Game = game
        self.form = form
        self._one = Batch(game, 1, 0, rewards, most_rounds, threads=1, endless=False)
        self._action = np.zeros(1, np.int64)
        self.spec: ObservationSpec = self._one.spec
        self._observer = Observer(game)
        self._look()

    def _look(self) -> None:
        """What every step needs of the batch: looking it up each time would cost more than the step."""
        one = self._one
        self._mask: Array = one.legal_mask()[0].view(np.int8)
        self._scores: Array = one.states["score"][0, : self.game.players]
        self._rewards: Array = one.rewards[0]
        self._ended: Array = one.ended
        self._seats: Array = one.seats
        self._books, self._places = one._books, one._places
        self._step = one._entry_points.step_games.fixed(0, 1, one._books, self._action, one._places)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("game", "form", "spec", "_one", "_action", "_observer")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._look()

    def begin(self, seed: int | None = None) -> None:
        """Start a new game, determined by the seed if one is given."""
        self._one.reset(secrets.randbits(63) if seed is None else int(seed))

    def act(self, action: int) -> list[float]:
        """Play an action; the rewards by seat. IllegalAction if it is not legal."""
        if not 0 <= action < self.game.num_actions:
            self.game.action(action)  # raises OptionError
        self._action[0], ended = action, self._ended.item(0)
        if self._step(0, 1, self._books, self._action, self._places) > 0:
            try:
                self._one.step(self._action)  # raises IllegalAction with the reason
            finally:
                self._ended[0] = ended  # a game that was over is so still
        rewards: list[float] = self._rewards.tolist()
        return rewards

    def chosen(self, others: "Chooser") -> int:
        """The action that the others choose for the seat to act."""
        return others.choose_one(self._one)

    @property
    def seat(self) -> int | None:
        """The seat to act; None when the game is over."""
        return None if self._ended.item(0) else self._seats.item(0)

    @property
    def terminated(self) -> bool:
        """Was the game ended by the rules?"""
        return bool(self._ended.item(0) == stepping.FINISHED)

    @property
    def truncated(self) -> bool:
        """Was the game truncated after `most_rounds`?"""
        return bool(self._ended.item(0) == stepping.CUT_OFF)

    @property
    def scores(self) -> Array:
        """The scores by seat: int16 [players]."""
        return self._scores.copy()

    @property
    def results(self) -> Array:
        """What "win" pays for a game that is over, by seat: float32 [players]; 0 if it was cut off."""
        paid: Array = self._observer.results(self._one.states)[0]
        return paid if self.terminated else np.zeros_like(paid)

    def mask(self, seat: int) -> Array:
        """Which actions are legal for a seat: int8 [number of actions], all 0 if it is not to act."""
        return self._mask.copy() if seat == self.seat else np.zeros_like(self._mask)

    def observe(self, seat: int) -> Array:
        """What a seat sees: int16 [spec.size], or in the one-hot form float32 [spec.one_hot_size]."""
        observe = self._observer.observe if self.form == "compact" else self._observer.one_hot
        return observe(self._one.states, seat).copy()

    @property
    def state(self) -> State:
        """The position, a copy without its random stream."""
        return self._one.state(0)


def streams_of(random: np.random.Generator, count: int) -> list[int]:
    """`count` seeds from a generator."""
    return [int(key) >> 1 for key in streams(count, int(random.integers(2**63)))]
