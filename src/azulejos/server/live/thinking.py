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

from azulejos.core.game import Game
from azulejos.core.machine import usable_cores
from azulejos.core.state import State
from azulejos.players import PLAYERS, Player, hints, outside
from azulejos.warming import warm

from ..running import logs
from .fairness import Turns, Who

NOBODY, OTHERS = Who(), Who("others")
SIMPLEST = "random"  # the player that needs nothing compiled but the rules
P = ParamSpec("P")
T = TypeVar("T")


def _begin(log: str, modules: list[str], programs: dict[str, str]) -> None:
    """A worker leaves it to the server to be interrupted, does not outlive it, and writes logs as it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
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


class Thinkers:
    """Worker processes for searches, and one for compiling, so that no turn waits for another game's rules.

    A process that dies is replaced, and its task is repeated.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers: int = workers or max(1, usable_cores() - 1)
        self._turns = Turns(self.workers, each=64)
        self._compiled: dict[str, asyncio.Event] = {}  # by game: are its players?
        self._thinking = _pool(self.workers)
        self._compiling = _pool(1)

    async def think(self, view: State, player: str, who: Who = NOBODY, later: bool = False) -> str:
        """`who`: for whom it is thought; `later`: after all those that are not. Raises Refusal when too many wait."""
        if player != SIMPLEST:
            await self._ready(view)
        async with self._turns.turn(who, later):
            return await self._submit(think, view, player)

    async def advise(self, view: State, also: str = "", who: Who = NOBODY) -> list[tuple[str, float]]:
        await self._ready(view)
        async with self._turns.turn(who):
            return await self._submit(advise, view, also)

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
            return await self._submit(thought, *given, **named)

    async def _submit(self, thought: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        for _ in range(3):
            pool = self._thinking
            try:
                return await asyncio.wrap_future(pool.submit(thought, *given, **named))
            except BrokenProcessPool:
                if self._thinking is pool:
                    self._thinking = _pool(self.workers)
        raise RuntimeError(f"a thought ends the process that it is thought in: {given}")

    async def prepare_rules(self, game: Game) -> None:
        await self._compile(prepare_rules, game)

    async def _compile(self, work: Callable[[Game], None], game: Game) -> None:
        for _ in range(3):
            try:
                return await asyncio.wrap_future(self._compiling.submit(work, game))
            except BrokenProcessPool:
                self._compiling = _pool(1)
        raise RuntimeError(f"compiling {game.name} ends the process that does it")

    async def prepare_players(self, game: Game) -> None:
        try:
            await self._compile(prepare_players, game)
        finally:
            if game.name in self._compiled:
                self._compiled[game.name].set()

    async def prepared(self) -> None:
        """Everything is compiled."""
        await asyncio.to_thread(self._compiling.shutdown)

    def close(self) -> None:
        """Shut down at once, without waiting for results."""
        pools = self._thinking, self._compiling
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for worker in multiprocessing.active_children():
            worker.terminate()
        for pool in pools:
            pool.shutdown(wait=True)


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (logs.form(), *outside.brought()))
