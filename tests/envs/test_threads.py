"""Threads share a batch's games: whoever plays them, they are the same."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import azulejos as az
from azulejos.envs import Batch
from azulejos.envs.threads import CORE, FIRST, MISSES, OF_A_THREAD, REST, STAY, THREADS, UNKNOWN, Pool, Work, _compiled


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


FORKED = """
import os, zlib, azulejos as az
games = az.batch("azul", 600, seed=1, threads=3)
games.step(games.random_actions())
child = os.fork()
for _ in range(5):
    games.step(games.random_actions())
print(zlib.crc32(games.states.tobytes()), flush=True)
if child:
    os.waitpid(child, 0)
else:
    os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_forked_process_plays_on_with_threads_of_its_own() -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKED]
    child, parent = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout.split()
    assert child == parent


@pytest.mark.skipif(sys.platform != "linux", reason="threads are told their core by Linux only")
def test_a_thread_that_wakes_on_the_core_of_another_leaves_it_and_stays_on_the_next_for_a_while() -> None:
    cells = np.zeros(FIRST + 2 * OF_A_THREAD, np.int64)
    cells[THREADS] = 2
    cores = cells[FIRST + CORE :: OF_A_THREAD]
    cores[:] = UNKNOWN
    serve, lead, _ = _compiled(cells)

    def on_one_core() -> list[bool]:
        allowed = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(allowed)})
        lead(cells, 0, 0, 0)
        nobody = Pool(0)
        nobody._cores = cores
        nobody._move()  # nowhere: there is no other core
        assert os.sched_getaffinity(0) == {min(allowed)}
        return [serve(cells, 1, 0), serve(cells, 1, STAY)]

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(on_one_core).result() == [True, False]
    assert cores[1] == UNKNOWN  # it does not look any more
