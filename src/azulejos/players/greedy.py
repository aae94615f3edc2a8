"""A player that looks one action ahead, at its projected score."""

import numpy as np

from azulejos.core.state import State

from .choice import NO_LIMIT, Choice, Limit


class Greedy:
    """Takes the action after which its projected score is highest; among equals, any."""

    def __init__(self, seed: int | None = None) -> None:
        self._generator = np.random.default_rng(seed)

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        game = view.game
        actions, values = game.actions_buffer(), np.zeros(game.num_actions, np.int64)
        count = game.entry_points.try_actions(view.array(), 0, game.empty(), actions, values)
        best = np.flatnonzero(values[:count] == values[:count].max())
        worth = {action: float(value) for action, value in zip(view.actions, values[:count], strict=True)}
        return Choice(view.actions[int(self._generator.choice(best))], worth)
