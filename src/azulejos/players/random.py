"""A player that chooses any legal action, each as likely as the others."""

import numpy as np

from azulejos.core.state import State

from .player import NO_LIMIT, Choice, Limit


class Random:
    def __init__(self, seed: int | None = None) -> None:
        self._generator = np.random.default_rng(seed)

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        return Choice(view.actions[int(self._generator.integers(len(view.actions)))])
