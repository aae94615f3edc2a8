"""The default judgement, for a game without one: the projected score, and uniform priors."""

from typing import Any

import numpy as np

from azulejos.core.kernels import projected, turn

WEIGHTS = np.array([[0.1]])  # ten points make a seat 2.7 times as likely to win
BRIEF = 8  # the rows that a rollout looks at
PATTERN_UNITS, HIDDEN_UNITS, LINEAR_UNITS, PRIOR_UNITS = 0, 0, 0, 0  # of the network


def stage(state: Any) -> int:
    """Search to the next draw or the end, since rounds are unknown here."""
    return 0 if turn(state) >= 0 else 1


def chapter(state: Any) -> int:
    return 0


def features(state: Any, seat: int, out: Any) -> None:
    out[0] = projected(state, seat)


def list_things(state: Any, seat: int, out: Any) -> int:
    return 0


def standing(state: Any, seat: int) -> int:
    return projected(state, seat)


def rate(state: Any, out: Any, count: int, ratings: Any) -> None:
    for k in range(count):
        ratings[k] = 0.0


def describe_actions(state: Any, out: Any, count: int, ratings: Any, rows: Any) -> None:
    for k in range(count + 1):
        rows[k, :] = 0


def describe_briefly(state: Any, out: Any, count: int, ratings: Any, rows: Any) -> None:
    describe_actions(state, out, count, ratings, rows)


RULES = (stage, chapter, features, list_things, standing, rate, describe_actions, describe_briefly)
