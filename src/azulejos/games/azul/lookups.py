"""Azul's tables as the rules look them up: packed counts, sets as bits, and what follows from each."""

import numpy as np

from .. import common
from .encoding import COUNT_BITS
from .tables import FLOOR_SPACES, NUM_COLOURS, SIZE

ONE_OF_EACH = sum(1 << COUNT_BITS * colour for colour in range(NUM_COLOURS))
ROW_MASK = (1 << SIZE) - 1
COLUMN_MASK = sum(1 << SIZE * row for row in range(SIZE))

# The length of the unbroken run through each place of each set of five spaces (0 where the place is empty).
RUN = common.runs(SIZE)

# The column of a set of columns (five bits) that has only one.
ONLY_COLUMN = np.array([max(columns.bit_length() - 1, 0) for columns in range(1 << SIZE)])

# A group of three bits with 1 in each of the first n floor spaces.
FLOOR_GROUPS = np.array([sum(1 << 3 * space for space in range(n)) for n in range(FLOOR_SPACES + 1)])
