"""Computer players think in processes of their own, never where the pages are served."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import ParamSpec, TypeVar

from azulejos.core.machine import usable_cores
from azulejos.core.registry import registered
from azulejos.core.state import State
from azulejos.players import PLAYERS, Player, hints
from azulejos.warming import warm

from ..running import logs

P = ParamSpec("P")
T = TypeVar("T")


def _begin(log: str) -> None:
    """A worker leaves it to the server to be interrupted, does not outlive it, and writes logs as it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logs.begin(log)
    server = multiprocessing.parent_process()
    assert server

    def follow() -> None:
        server.join()
        os._exit(0)

    threading.Thread(target=follow, daemon=True).start()


@cache
def _player(name: str) -> Player:
    """One of each in a worker: a searching player keeps its memory."""
    return PLAYERS[name](None)


def think(view: State, player: str) -> str:
    """The action that a computer player chooses. It gets the view of its seat and nothing else."""
    return str(_player(player).choose(view).action)


def advise(view: State, also: str = "") -> list[tuple[str, float]]:
    """The best actions for whoever has this view, each with the chance to win after it; and one more that is wanted."""
    wanted = view.game.action(also) if also else None
    return [(str(hint.action), hint.chance) for hint in hints(view, also=wanted)]


def prepare_rules(game: str) -> None:
    """Compile a game's rules, or load them from the disk."""
    warm(registered()[game](), ["rules"])


def prepare_players(game: str) -> None:
    """Compile a game's computer players, or load them from the disk."""
    warm(registered()[game](), ["players"])


class Thinkers:
    """Processes for thinking, and one more for compiling, so that nobody's turn waits for another game's rules.

    A process that dies is replaced, and its thought is thought again.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or max(1, usable_cores() - 1)
        self._thinking = _pool(self.workers)
        self._compiling = _pool(1)

    async def think(self, view: State, player: str) -> str:
        return await self._submit(think, view, player)

    async def advise(self, view: State, also: str = "") -> list[tuple[str, float]]:
        return await self._submit(advise, view, also)

    async def _submit(self, thought: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        for _ in range(3):
            pool = self._thinking
            try:
                return await asyncio.wrap_future(pool.submit(thought, *given, **named))
            except BrokenProcessPool:
                if self._thinking is pool:
                    self._thinking = _pool(self.workers)
        raise RuntimeError(f"a thought ends the process that it is thought in: {given}")

    async def prepare_rules(self, game: str) -> None:
        await asyncio.wrap_future(self._compiling.submit(prepare_rules, game))

    async def prepare_players(self, game: str) -> None:
        await asyncio.wrap_future(self._compiling.submit(prepare_players, game))

    async def prepared(self) -> None:
        """Everything is compiled."""
        await asyncio.to_thread(self._compiling.shutdown)

    def close(self) -> None:
        """At once: nobody waits for a thought any more."""
        pools = self._thinking, self._compiling
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for worker in multiprocessing.active_children():
            worker.terminate()
        for pool in pools:
            pool.shutdown(wait=True)


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (logs.form(),))
