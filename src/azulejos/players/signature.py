"""A number for each game that changes when, and only when, the searching player's play changes."""

import zlib

from azulejos.core.game import Game

from .player import Limit
from .random import Random
from .search import Search

_PLAYS, _POSITIONS, _BETWEEN = 3, 4, 7  # random plays, positions of each, and random actions between two of them
_THOUGHT, _LONG_THOUGHT = Limit(simulations=300), Limit(simulations=6_000)  # the long one about a play's last position


def signature(game: Game) -> int:
    """A fixed search over fixed positions, as a checksum of the actions chosen and how often each was looked into."""
    total = 0
    for play in range(_PLAYS):
        state, wanderer = game.start(seed=play), Random(play)
        for position in range(_POSITIONS):
            for _ in range(_BETWEEN):
                if state.seat is not None:
                    state = state.play(wanderer.choose(state).action)
            if state.seat is None:
                break
            thought = _LONG_THOUGHT if position == _POSITIONS - 1 else _THOUGHT
            choice = Search(seed=play).choose(state.view(state.seat), thought)
            seen = " ".join(f"{action}:{count}" for action, count in choice.visits.items())
            total = zlib.crc32(f"{choice.action} {seen}".encode(), total)
    return total
