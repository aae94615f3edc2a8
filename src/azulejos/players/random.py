"""A player that chooses uniformly among the legal actions."""

import numpy as np

from azulejos.core.state import State

from .choice import NO_LIMIT, Choice, Limit


class Random:
    def __init__(self, seed: int | None = None) -> None:
        self._generator = np.random.default_rng(seed)

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        return Choice(view.actions[int(self._generator.integers(len(view.actions)))])
