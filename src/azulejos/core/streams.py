"""Compiled random streams, one per game, each from a key: the same numbers as `Chance`."""

from typing import Any

import numpy as np

from .compiling import rule

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_S30, _S27, _S31 = np.uint64(30), np.uint64(27), np.uint64(31)


@rule
def _random32(keys, i):
    """The next 32 random bits of stream i. keys: uint64[:]."""
    keys[i] += _STEP
    z = keys[i]
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return (z ^ (z >> _S31)) >> _HALF


@rule
def jump(key, k):
    """A stream's key when it has given k more numbers, each below a power of two."""
    return key + np.uint64(k) * _STEP


@rule
def below(keys, i, n):
    """A number 0 ≤ x < n from stream i, each equally likely. keys: uint64[:]; n < 2**32."""
    bound = np.uint64(n)
    product = _random32(keys, i) * bound
    if product & _LOW < bound:  # rarely: the part of the range that would favour some numbers is drawn again
        unfair = (_LOW + np.uint64(1) - bound) % bound
        while product & _LOW < unfair:
            product = _random32(keys, i) * bound
    return np.int64(product >> _HALF)


@rule
def below_each(keys, bounds, out):
    """`below` of every stream, into out: several at a time, since none depends on another. keys: uint64[:]; bounds and
    out: int16[:]."""
    unfair = np.uint64(0)
    for i in range(len(keys)):
        key, bound = keys[i] + _STEP, np.uint64(bounds[i])
        z = (key ^ (key >> _S30)) * _MIX1
        z = (z ^ (z >> _S27)) * _MIX2
        product = ((z ^ (z >> _S31)) >> _HALF) * bound
        keys[i] = key
        out[i] = product >> _HALF
        unfair += np.uint64(product & _LOW < bound)
    if unfair > 0:  # rarely: then one after the other
        for i in range(len(keys)):
            keys[i] -= _STEP
            out[i] = below(keys, i, bounds[i])


def streams(count: int, seed: int) -> "np.ndarray[Any, np.dtype[np.uint64]]":
    """Keys of `count` independent streams. Shape [count]."""
    return np.random.SeedSequence(seed).generate_state(count, np.uint64).astype(np.uint64)
