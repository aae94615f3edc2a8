"""Threads share a batch's games: whoever plays them, they are the same."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import azulejos as az
from azulejos.envs import Batch
from azulejos.envs.threads import MISSES, REST, Pool, Work


def played(games: Batch) -> bytes:
    """Everything of the games, some steps later."""
    for _ in range(30):
        games.step(games.random_actions())
    games.wander(20)
    arrays = (games.states, games.keys, games.rewards, games.observe(one_hot=True), games.legal_mask())
    return b"".join(array.tobytes() for array in arrays)


def test_the_number_of_threads_changes_nothing() -> None:
    one, other = az.batch("azul", 307, seed=4, threads=1), az.batch("azul", 307, seed=4, threads=5)
    for games in (one, other):
        games.wander(100)
        games.step(games.random_actions())
    assert one.states.tobytes() == other.states.tobytes()
    assert one.observe(one_hot=True).tobytes() == other.observe(one_hot=True).tobytes()
    assert one.legal_mask().tobytes() == other.legal_mask().tobytes()


def test_two_batches_played_at_the_same_time_do_not_meet() -> None:
    def play(seed: int) -> bytes:
        return played(az.batch("azul", 600, seed=seed, threads=3))

    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(play, range(6)))
    assert together == [played(az.batch("azul", 600, seed=seed, threads=1)) for seed in range(6)]


def test_an_illegal_action_in_any_share_is_told_of() -> None:
    games = az.batch("azul", 1000, seed=3, threads=3)
    for refused in (0, 640, 999):
        actions = games.random_actions().copy()
        actions[refused] = games.legal_mask()[refused].argmin()
        before = games.states[refused].tobytes()
        with pytest.raises(az.IllegalAction, match=f"^game {refused}: "):
            games.step(actions)
        assert games.states[refused].tobytes() == before


def test_threads_that_are_no_help_are_left_alone_for_a_while() -> None:
    games, nobody = az.batch("azul", 4, seed=1), Pool(0)
    work = Work(games._entry_points.list_games, (games._books,), 4, threads=2)
    woken = []
    for _ in range(MISSES + REST + 1):
        nobody._asleep = 1  # who is woken never comes
        nobody.run(work)
        woken.append(not nobody._asleep)
    assert woken == MISSES * [True] + REST * [False] + [True]
