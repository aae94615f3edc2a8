"""Exponential and logarithm in the rules' language, equal to the last bit on every target.

The libraries of two targets round differently, and a search that sums such numbers ends up elsewhere. These are made of
sums, products, quotients and tables only, which IEEE 754 defines exactly. Both are right to about one unit in the last
place.
"""

from decimal import Decimal, localcontext

import numpy as np

from .compiling import rule

_PARTS = 64  # of an octave, each with a power of two in a table

with localcontext(prec=60):
    _LN2 = Decimal(2).ln()
    _PARTS_BY_LN2 = float(_PARTS / _LN2)
    _HIGH = int(_LN2 / _PARTS * 2**38) / 2**38  # few bits: its products with the k of exp are exact
    _LOW = float(_LN2 / _PARTS - Decimal(_HIGH))
    _FRACTIONS = np.array([float(Decimal(2) ** (Decimal(k) / _PARTS)) for k in range(_PARTS)])
_HALVES = np.array([2.0**-k for k in range(32)])
_HALVES_32 = np.array([2.0 ** (-32 * k) for k in range(32)])
_LEAST = -700.0  # below it e**x is taken for 0

_NATURAL_2 = float(_LN2)


@rule
def exp(x):
    """e**x for x ≤ 0."""
    if x < _LEAST:
        return 0.0
    k = np.int64(x * _PARTS_BY_LN2 - 0.5)
    r = (x - k * _HIGH) - k * _LOW
    square = r * r
    rest = r + square * ((0.5 + r * (1 / 6)) + square * ((1 / 24 + r * (1 / 120)) + square * (1 / 720)))
    fraction = _FRACTIONS[k & 63]
    octaves = -(k >> 6)
    return (fraction + fraction * rest) * _HALVES[octaves & 31] * _HALVES_32[octaves >> 5]


@rule
def log(x):
    """The natural logarithm of x ≥ 1."""
    octaves = 0
    while x > 4 / 3:
        x *= 0.5
        octaves += 1
    s = (x - 1) / (x + 1)
    square = s * s
    total = 0.0
    for n in range(25, 1, -2):
        total = (total + 1 / n) * square
    return octaves * _NATURAL_2 + 2 * (s + s * total)
