"""Points of the dome's spaces."""

import numpy as np

from azulejos.core.compiling import rule

from ..lookups import COLUMN_MASK, ROW_MASK, RUN
from ..tables import SIZE


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
    across = RUN[dome >> SIZE * row & ROW_MASK | 1 << column, column]
    down = RUN[turned >> SIZE * column & ROW_MASK | 1 << row, row]
    return across + down if across > 1 and down > 1 else max(across, down)
