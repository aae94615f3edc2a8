"""Worker processes in which computer players search, apart from the event loop."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import ParamSpec, TypeVar

from azulejos.core.compiled import on_disk
from azulejos.core.game import Game
from azulejos.core.machine import usable_cores
from azulejos.core.state import State
from azulejos.players import LEVELS, PLAYERS, Player, hints, outside
from azulejos.warming import warm

from ..running import logs
from .fairness import Turns, Who

NOBODY, OTHERS = Who(), Who("others")
SIMPLEST = "random"  # the player that needs nothing compiled but the rules
QUICK = frozenset(["random", "greedy", *(level.name for level in LEVELS if level.simulations <= 1000)])
NICE = 10  # how much later than the event loop a worker gets a processor that both want
P = ParamSpec("P")
T = TypeVar("T")


def _begin(log: str, modules: list[str], programs: dict[str, str]) -> None:
    """A worker leaves it to the server to be interrupted, does not outlive it, and writes logs as it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    logs.begin(log)
    outside.bring(modules, programs)
    server = multiprocessing.parent_process()
    assert server

    def follow() -> None:
        server.join()
        os._exit(0)

    threading.Thread(target=follow, daemon=True).start()


@cache
def _player(name: str) -> Player:
    """The worker's player of this name, created once: a search keeps its memory."""
    return PLAYERS[name](None)


def think(view: State, player: str) -> str:
    """The action that a computer player chooses from its seat's view."""
    return str(_player(player).choose(view).action)


def advise(view: State, also: str = "") -> list[tuple[str, float]]:
    """The best actions in a view, each with the chance to win; and the action `also`."""
    wanted = view.game.action(also) if also else None
    return [(str(hint.action), hint.chance) for hint in hints(view, also=wanted)]


# A worker is handed a game, not its name: to unpickle it is to import the module that registers it.


def prepare_rules(game: Game) -> None:
    """Compile a game's rules, or load them from the disk."""
    warm(game, ["rules"])


def prepare_players(game: Game) -> None:
    """Compile a game's computer players, or load them from the disk."""
    warm(game, ["players"])


class _Workers:
    """Worker processes. One that dies is replaced, and its task is repeated."""

    def __init__(self, count: int) -> None:
        self.count: int = count
        self.pool: ProcessPoolExecutor = _pool(count)

    async def do(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        for _ in range(3):
            pool = self.pool
            try:
                return await asyncio.wrap_future(pool.submit(work, *given, **named))
            except BrokenProcessPool:
                if self.pool is pool:
                    self.pool = _pool(self.count)
        raise RuntimeError(f"a task ends the process that does it: {given}")


class Thinkers:
    """Worker processes for searches, and one for compiling, so that no turn waits for another game's rules. When all is
    compiled, that one is for players that answer at once: none of them waits for a long search.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers: int = workers or max(1, usable_cores() - 1)
        self._turns, self._quick_turns = Turns(self.workers, each=64), Turns(1, each=64)
        self._compiled: dict[str, asyncio.Event] = {}  # by game: are its players?
        self._thinking, self._compiling = _Workers(self.workers), _Workers(1)
        self._is_prepared = False

    async def think(self, view: State, player: str, who: Who = NOBODY, later: bool = False) -> str:
        """`who`: for whom it is thought; `later`: after all those that are not. Raises Refusal when too many wait."""
        if player != SIMPLEST:
            await self._ready(view)
        if self._is_prepared and player in QUICK:
            async with self._quick_turns.turn(who, later):
                return await self._compiling.do(think, view, player)
        async with self._turns.turn(who, later):
            return await self._thinking.do(think, view, player)

    async def advise(self, view: State, also: str = "", who: Who = NOBODY) -> list[tuple[str, float]]:
        await self._ready(view)
        async with self._turns.turn(who):
            return await self._thinking.do(advise, view, also)

    async def _ready(self, view: State) -> None:
        """Wait while a game's players are compiled elsewhere: to do it here would hold up everybody's thoughts."""
        if compiled := self._compiled.get(view.game.name):
            await compiled.wait()

    def expect(self, games: Iterable[str]) -> None:
        """The players of these games will be prepared."""
        self._compiled = {name: asyncio.Event() for name in games}

    async def run(self, thought: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Anything else that is to be thought out, a function of a module and what it is given: after all turns."""
        async with self._turns.turn(OTHERS, later=True):
            return await self._thinking.do(thought, *given, **named)

    async def make(self, who: Who, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What would hold up the event loop even from another thread, such as pixels; after players."""
        async with self._turns.turn(who, later=True):
            return await self._thinking.do(work, *given, **named)

    async def prepare_rules(self, game: Game) -> None:
        if not await asyncio.to_thread(on_disk, game):  # then there is nothing to wait for
            await self._compiling.do(prepare_rules, game)

    async def prepare_players(self, game: Game) -> None:
        try:
            await self._compiling.do(prepare_players, game)
        finally:
            if game.name in self._compiled:
                self._compiled[game.name].set()

    def prepared(self) -> None:
        """Everything is compiled."""
        self._is_prepared = True

    def close(self) -> None:
        """Shut down at once, without waiting for results."""
        pools = self._thinking.pool, self._compiling.pool
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for worker in multiprocessing.active_children():
            worker.terminate()
        for pool in pools:
            pool.shutdown(wait=True)


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (logs.form(), *outside.brought()))
