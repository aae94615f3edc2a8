"""The other seats of an environment: players by name, players, and policies."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.state import State
from azulejos.players import NO_LIMIT, Choice, Limit, Player, named

from .batches import Array, Batch
from .play import FORMS, Form, Observer

COMPILED = ("random", "greedy")  # players that a whole batch can have without returning to Python

_THE_GAME = np.ones(1, np.bool_)

Policy = Callable[[npt.NDArray[Any], npt.NDArray[np.bool_]], Any]
"""A function of observations [k, size] and masks bool [k, number of actions] that returns k actions."""

Opponent = str | Player | Policy


class PolicyPlayer:
    """A policy as a player: in the arena, at a table, at the terminal. `observation`: "compact" or "one-hot".

    >>> import azulejos as az
    >>> first = PolicyPlayer(lambda observations, masks: masks.argmax(1))
    >>> str(first.choose(az.make("azul").start(seed=1)).action)
    '1R-'
    """

    def __init__(self, policy: Policy, observation: Form = "compact") -> None:
        if observation not in FORMS:
            raise OptionError(f"observation={observation!r} is not possible: it is {' or '.join(map(repr, FORMS))}")
        self._policy, self._form = policy, observation
        self._observers: dict[Game, Observer] = {}

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        """The action that the policy chooses for a view; OptionError if it is not legal."""
        game, seat = view.game, view.seat
        assert seat is not None, "a player is asked when it is to act"
        observer = self._observers.setdefault(game, Observer(game))
        observe = observer.observe if self._form == "compact" else observer.one_hot
        mask = np.zeros((1, game.num_actions), np.bool_)
        mask[0, list(map(int, view.actions))] = True
        shown = observe(view.array(), seat).copy()
        action = int(np.asarray(self._policy(shown[None], mask))[0])
        if not mask[0, action]:
            raise OptionError(f"the policy chose {game.action(action)}, which is not legal in {view}")
        return Choice(game.action(action))


def seated(opponent: Opponent, seed: int | None, observation: Form = "compact") -> Player:
    """An opponent as a player. A policy is shown observations in this form."""
    if isinstance(opponent, str):
        return named(opponent, seed)
    if hasattr(opponent, "choose"):
        return opponent
    if callable(opponent):
        return PolicyPlayer(opponent, observation)
    raise OptionError(f"{opponent!r} is not an opponent: it is a player's name, a player, or a policy")


class Others:
    """The players of all other seats in a batch."""

    def __init__(self, opponent: Opponent, seed: int | None = None, observation: Form = "compact") -> None:
        self._opponent, self._form = opponent, observation
        self._player = None if self._compiled or self._policy else seated(opponent, seed)

    @property
    def _compiled(self) -> bool:
        return isinstance(self._opponent, str) and self._opponent in COMPILED

    @property
    def _policy(self) -> Policy | None:
        found = self._opponent
        return found if callable(found) and not hasattr(found, "choose") else None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_player": None if isinstance(self._opponent, str) else self._player}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        if self._player is None and not (self._compiled or self._policy):
            self._player = seated(self._opponent, None)

    def seed(self, seed: int) -> None:
        """Begin a named player anew."""
        if isinstance(self._opponent, str) and not self._compiled:
            self._player = named(self._opponent, seed)

    def choose_one(self, batch: Batch) -> int:
        """The action for a batch of one game."""
        if self._opponent == "random":
            return int(batch.random_actions().item(0))
        if self._opponent == "greedy":
            return int(batch.greedy_actions().item(0))
        return int(self.choose(batch, _THE_GAME).item(0))

    def choose(self, batch: Batch, waiting: Array) -> Array:
        """Actions int64 [n] for the games in `waiting`, bool [n]; -1 for the others."""
        if self._opponent == "random":
            return np.where(waiting, batch.random_actions(), -1)
        if self._opponent == "greedy":
            return np.where(waiting, batch.greedy_actions(), -1)
        actions, games = np.full(batch.n, -1, np.int64), np.flatnonzero(waiting)
        if self._policy:
            actions[games] = self._policy(batch.observe(self._form == "one-hot")[games], batch.legal_mask()[games])
            return actions
        assert self._player is not None
        for i in games:
            view = batch.state(int(i)).view(int(batch.seats[i]))
            actions[i] = self._player.choose(view).action.index
        return actions
