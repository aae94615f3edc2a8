"""Random numbers as a value: a stream of numbers from a key.

The generator is SplitMix64; numbers below n are taken from it without bias. The compiled `below` (`streams.py`)
gives the same numbers for the same key, so a game played through either is the same game.

`SealedChance` is for games in which a player could gain by predicting draws.
"""

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .values import whole

if TYPE_CHECKING:
    from numpy.random import Generator


@dataclass(frozen=True, slots=True)
class Chance:
    """A position in a stream of random numbers. Immutable: drawing returns the number and the next position."""

    key: int

    @staticmethod
    def of(seed: "int | Generator | Chance | None") -> "Chance":
        """From a seed, from a NumPy generator (which is advanced), or, for None, from the system's entropy."""
        if isinstance(seed, Chance):
            return seed
        if seed is None:
            return Chance(secrets.randbits(64))
        if hasattr(seed, "integers"):
            return Chance(int(seed.integers(2**64, dtype="uint64")))
        return Chance(whole(seed, "seed", "an integer, a NumPy generator or a Chance") % 2**64)

    def below(self, n: int) -> "tuple[int, Chance]":
        """A number 0 ≤ x < n, and the next position in the stream."""
        mask, key = 2**64 - 1, self.key
        while True:
            key = (key + 0x9E3779B97F4A7C15) & mask
            z = key
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
            product = ((z ^ (z >> 31)) >> 32) * n
            if product & 0xFFFFFFFF >= (2**32 - n) % n:
                return product >> 32, Chance(key)


@dataclass(frozen=True, slots=True)
class SealedChance(Chance):
    """A position in a cryptographic stream: without the seed, its future is unpredictable.

    Block k of the stream is SHA-256 of "azulejos chance", the seed (32 bytes) and k (8 bytes, the greatest first).
    `key` is the number of the next block. A number below n is (x·n) / 2**64, rounded down, where x is the first 8 bytes
    of a block; a block with (x·n) mod 2**64 < 2**64 mod n is skipped, so that every number is equally likely.
    """

    seed: bytes = b""

    def below(self, n: int) -> "tuple[int, SealedChance]":
        key = self.key
        while True:
            block = hashlib.sha256(b"azulejos chance" + self.seed + key.to_bytes(8)).digest()
            product = int.from_bytes(block[:8]) * n
            key += 1
            if product % 2**64 >= 2**64 % n:
                return product >> 64, SealedChance(key, self.seed)
