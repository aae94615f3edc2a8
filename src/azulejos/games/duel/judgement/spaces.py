"""Points of the dome's spaces."""

import numpy as np

from azulejos.core.compiling import rule

from ..lookups import COLUMN_MASK, ROW_MASK, RUN
from ..tables import SIZE

# The run through a place of a set of six spaces when a tile is laid there, 0 for that tile alone.
RUN_WITH = np.array([[RUN[spaces | 1 << place, place] for place in range(SIZE)] for spaces in range(1 << SIZE)])
RUN_WITH[RUN_WITH == 1] = 0


@rule
def exchanged(dome):
    """A dome with its rows and columns exchanged."""
    turned = np.int64(0)
    for column in range(SIZE):
        turned |= ((dome >> column & COLUMN_MASK) * 0x2108421 >> 25 & ROW_MASK) << SIZE * column
    return turned


@rule
def points_between(dome, turned, row, column):
    """The points of a tile laid on a space; `turned`: the dome with rows and columns exchanged."""
    across = RUN_WITH[dome >> SIZE * row & ROW_MASK, column]
    down = RUN_WITH[turned >> SIZE * column & ROW_MASK, row]
    return max(across + down, 1)
