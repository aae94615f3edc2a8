"""A checksum of a game's search: it changes if and only if the search plays differently."""

import zlib

from azulejos.core.game import Game

from .choice import Limit
from .random import Random
from .search import Search

_PLAYS, _POSITIONS, _BETWEEN = 3, 4, 7  # random plays, positions of each, and random actions between two of them
_LIMIT, _LONG_LIMIT = Limit(simulations=300), Limit(simulations=6_000)  # the long one for a play's last position


def signature(game: Game) -> int:
    """A checksum of the choices and visits of fixed searches in fixed positions."""
    total = 0
    for play in range(_PLAYS):
        state, wanderer = game.start(seed=play), Random(play)
        for position in range(_POSITIONS):
            for _ in range(_BETWEEN):
                if state.seat is not None:
                    state = state.play(wanderer.choose(state).action)
            if state.seat is None:
                break
            limit = _LONG_LIMIT if position == _POSITIONS - 1 else _LIMIT
            choice = Search(seed=play).choose(state.view(state.seat), limit)
            seen = " ".join(f"{action}:{count}" for action, count in choice.visits.items())
            total = zlib.crc32(f"{choice.action} {seen}".encode(), total)
    return total
