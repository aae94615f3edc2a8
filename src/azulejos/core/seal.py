"""Verifiable draws, by a commitment to the seed.

The dealer chooses a seed of 32 bytes and publishes its SHA-256 before the first action. Everything is then drawn
from the seed's stream (`SealedChance`): first the start player, then every deal in turn. When the game is over the seed
is published, and `check` repeats all draws. Taking actions back goes back in the stream, too: the same
actions are dealt the same, so nothing of the stream is ever left out.

So that the dealer cannot choose a seed that suits somebody, each person at the table may add 32 random bytes, a nonce,
after having seen the hash. Then everything is drawn from the stream of the SHA-256 of "azulejos nonces", the seed and
every seat's nonce (32 zero bytes for a seat without one).
"""

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .chance import SealedChance
from .errors import BrokenSeal, TextError

if TYPE_CHECKING:
    from .record import Record

_BYTES = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Seal:
    """`seed`: 64 hexadecimal digits. `places`: the number of the block with which each deal begins, from 0. `nonces`:
    what each seat added, 64 hexadecimal digits or ""; empty if nobody did."""

    seed: str
    places: tuple[int, ...]
    nonces: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not _BYTES.fullmatch(self.seed):
            raise TextError("a seed is 64 hexadecimal digits", self.seed[:80], 0)
        for nonce in filter(None, self.nonces):
            check_nonce(nonce)

    @property
    def hash(self) -> str:
        """What is published before the first action."""
        return hashlib.sha256(bytes.fromhex(self.seed)).hexdigest()

    @property
    def key(self) -> bytes:
        """What everything is drawn from: the seed, or, with nonces, the hash of the seed and all of them."""
        if not any(self.nonces):
            return bytes.fromhex(self.seed)
        nonces = b"".join(bytes.fromhex(nonce or "00" * 32) for nonce in self.nonces)
        return hashlib.sha256(b"azulejos nonces" + bytes.fromhex(self.seed) + nonces).digest()

    def at(self, place: int) -> SealedChance:
        return SealedChance(place, self.key)


def check_nonce(nonce: str) -> None:
    """Raises TextError."""
    if not _BYTES.fullmatch(nonce):
        raise TextError("a nonce is 64 hexadecimal digits", nonce[:80], 0)


@dataclass(frozen=True)
class Checked:
    """What was found in order."""

    deals: int
    draws: int


def check(record: "Record", promised: str | None = None, nonce: str | None = None) -> Checked:
    """Draw everything again that a record holds. `promised`: the hash that was published before the first action.
    `nonce`: what one of the players added."""
    seal = record.seal
    if seal is None:
        raise BrokenSeal("this record has no seed; only games dealt at a table on a server have one")
    if promised is not None and promised.strip().lower() != seal.hash:
        raise BrokenSeal(f"the seed is not the one that was promised: its hash is {seal.hash}")
    if nonce is not None and nonce.strip().lower() not in seal.nonces:
        raise BrokenSeal("this nonce is none of those that the draws were made with")
    start, *afters = record.states()
    first, chance = seal.at(0).below(record.game.players)
    dealt = record.game.lay_out(first).deal(seed=chance)
    if dealt != start or dealt.drawn != start.drawn:
        raise BrokenSeal("the seed gives another start player or another first deal")
    places = iter(seal.places)
    if next(places, None) != 0:
        raise BrokenSeal("the first deal does not begin at place 0")
    reached = dealt.chance.key if dealt.chance else 0
    deals, draws, before = 1, len(start.drawn), start
    for number, (action, after) in enumerate(zip(record.actions, afters, strict=True), 1):
        if after.drawn:
            place = next(places, -1)
            if place < reached:
                raise BrokenSeal(f"action {number} ({action}): its deal begins at {place}, before the last one ends")
            if place > reached:
                raise BrokenSeal(
                    f"action {number} ({action}): {place - reached} blocks of the stream are left out before its deal,"
                    " so it may have been picked among several"
                )
            waiting = before.with_chance(None).play(action)
            dealt = waiting.deal(seed=seal.at(place))
            if dealt.drawn != after.drawn or dealt.chance is None:
                raise BrokenSeal(f"action {number} ({action}): the seed gives other draws than the record has")
            deals, draws = deals + 1, draws + len(after.drawn)
            reached = dealt.chance.key
        before = after
    if next(places, None) is not None:
        raise BrokenSeal("the record names more deals than it holds")
    return Checked(deals, draws)
