"""One game, action by action, for the interfaces that play one at a time."""

import secrets
from typing import Any

import numpy as np

from azulejos.core.chance import streams
from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.registry import make
from azulejos.core.state import State

from . import stepping
from .batches import MOST_ROUNDS, Array, Batch, entry_points, spec_of

FORMS = ("compact", "one-hot")


class Observer:
    """Observes one position after another, in the same arrays."""

    def __init__(self, game: Game) -> None:
        self._seen = np.zeros((1, spec_of(game).size), np.int16)
        self._viewer = np.zeros(1, np.int8)
        self._entry_points = entry_points(game)

    def observe(self, array: Array, seat: int) -> Array:
        """What a seat sees of a record [1]: int16 [spec.size], overwritten by the next call."""
        self._viewer[0] = seat
        self._entry_points.observe_games(0, 1, array, self._viewer, self._seen)
        seen: Array = self._seen[0]
        return seen


class Play:
    """A game in play: a batch of one, without a next game.

    `rewards`, `most_rounds`: as `az.batch` has them. `form`: of the observations, "compact" or "one-hot".
    """

    def __init__(
        self,
        game: Game | str,
        rewards: str = "win",
        most_rounds: int = MOST_ROUNDS,
        form: str = "compact",
        **options: Any,
    ) -> None:
        if isinstance(game, str):
            game = make(game, **options)
        elif options:
            raise OptionError("options go with a game's name; this game has its own already")
        if form not in FORMS:
            raise OptionError(f"observation={form!r} is not possible: it is {' or '.join(map(repr, FORMS))}")
        self.game, self.form = game, form
        self._one = Batch(game, 1, 0, rewards, most_rounds, threads=1, endless=False)
        self._action = np.zeros(1, np.int64)
        self.spec = self._one.spec
        self._observer = Observer(game)

    def begin(self, seed: int | None = None) -> None:
        """A new game; with a seed always the same."""
        self._one.reset(secrets.randbits(63) if seed is None else int(seed))

    def act(self, action: int) -> Array:
        """Play an action; the rewards by seat: float32 [players]. IllegalAction if it is not legal."""
        self._action[0] = self.game.action(action).index
        self._one.step(self._action)
        rewards: Array = self._one.rewards[0]
        return rewards.copy()

    @property
    def seat(self) -> int | None:
        """Who is to act; None when it is over."""
        return None if self.terminated or self.truncated else int(self._one.seats[0])

    @property
    def terminated(self) -> bool:
        return bool(self._one.ended[0] == stepping.FINISHED)

    @property
    def truncated(self) -> bool:
        """Was it cut off after `most_rounds`?"""
        return bool(self._one.ended[0] == stepping.CUT_OFF)

    @property
    def legal(self) -> Array:
        """The legal actions, in rising order: int16 [how many]; none when it is over."""
        return self._one.legal_list(0)

    def mask(self, seat: int) -> Array:
        """Which actions are legal for a seat: int8 [number of actions], all 0 if it is not to act."""
        mask = np.zeros(self.game.num_actions, np.int8)
        if seat == self.seat:
            mask[self.legal] = 1
        return mask

    def observe(self, seat: int) -> Array:
        """What a seat sees: int16 [spec.size], or in the one-hot form float32 [spec.one_hot_size]."""
        seen = self._observer.observe(self._one.states, seat)
        return seen.copy() if self.form == "compact" else self.spec.one_hot(seen)

    @property
    def state(self) -> State:
        """The position, a copy without its chance."""
        return self._one.state(0)


def streams_of(random: np.random.Generator, count: int) -> list[int]:
    """`count` seeds from a generator."""
    return [int(key) >> 1 for key in streams(count, int(random.integers(2**63)))]
