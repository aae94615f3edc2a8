"""Compiling ahead of use: one list of everything that is compiled for a game."""

from collections.abc import Callable, Iterable, Mapping

from azulejos.core.game import Game
from azulejos.envs.batches import Batch
from azulejos.players import PLAYERS, Limit


def _rules(game: Game) -> None:
    game.compile()


def _players(game: Game) -> None:
    state = game.start(seed=0)
    assert state.seat is not None
    for player in PLAYERS.values():
        player(0).choose(state.view(state.seat), Limit(time=0.01))


def _batches(game: Game) -> None:
    games = Batch(game, 1, seed=0)
    games.step(games.random_actions())
    games.wander(1)
    games.greedy_actions()
    games.legal_mask()
    games.observe(one_hot=True)


PARTS: Mapping[str, Callable[[Game], None]] = {"rules": _rules, "players": _players, "batches": _batches}


def warm(game: Game, parts: Iterable[str] = PARTS) -> None:
    """Compile the named parts of a game, or load them from disk: otherwise each is compiled when it is first called."""
    for part in parts:
        PARTS[part](game)
