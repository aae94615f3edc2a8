"""How the searching player judges Azul Duel: what counts between two rounds, and how an action looks at a glance."""

from pathlib import Path
from typing import Any

import numpy as np

from azulejos.core.compiling import adopt, rule
from azulejos.core.network import Networks

from ... import common
from ...common import stage
from ..encoding import NOBODY
from .describing import describe_actions, describe_briefly
from .evaluating import FEATURES, features
from .listing import CHAPTERS, THINGS, list_things
from .prior_rows import BRIEF, PRIOR_ROWS, ROWS_OF_OTHERS
from .rating import POINTS_A_STEP, rate

__all__ = [
    "BRIEF",
    "FEATURES",
    "LEVELS",
    "NETWORKS",
    "POINTS_A_STEP",
    "PRIOR_ROWS",
    "ROWS_OF_OTHERS",
    "THINGS",
    "WEIGHTS",
    "chapter",
    "describe_actions",
    "describe_briefly",
    "features",
    "list_things",
    "rate",
    "stage",
    "standing",
]

LEVELS = {"expert": {"simulations": 60}}  # makes the steps between the levels even here

# Fitted to games of the search against itself by bench/selfplay.py.
NETWORKS = Networks(str(Path(__file__).parent))
WEIGHTS = NETWORKS.first.weights

chapter: Any = adopt(common.chapter, __name__, CHAPTERS=CHAPTERS)


@rule
def standing(state, seat):
    """Most points; tied: the holder of the start tile, or who started the last round (D-R12)."""
    holder = state.start if state.holder == NOBODY else state.holder
    return 2 * np.int64(state.score[seat]) + (1 if holder == seat else 0)
