"""Throughput of the rules in random play, with all legal actions listed before each move."""

import platform
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table

from azulejos.core.chance import streams
from azulejos.core.game import Game
from azulejos.core.machine import usable_cores

_MOVES = 20_000  # between two looks at the clock
_WINDOWS = 5


@dataclass(frozen=True)
class Speed:
    """Moves and games a second of one variant."""

    game: str
    options: dict[str, object]
    moves_one_core: float
    games_one_core: float
    moves_all_cores: float
    games_all_cores: float
    cores: int


class _Walker:
    """One game of random play with its buffers."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.array = game.start(seed=seed).array()
        self.keys = streams(1, seed)
        self.out = game.actions_buffer()
        self.wander()  # compiles

    def wander(self, moves: int = 1) -> int:
        return int(self.game.entry_points.wander(self.array, 0, self.game.option_codes, self.keys, self.out, moves))

    def run(self, seconds: float) -> tuple[float, float]:
        """Moves and games a second over a stretch of time."""
        moves = games = 0
        started = time.perf_counter()
        while (elapsed := time.perf_counter() - started) < seconds:
            finished = self.wander(_MOVES)
            if finished == 0:  # random play may never end a game
                self.array = self.game.start().array()
            games += finished
            moves += _MOVES
        return moves / elapsed, games / elapsed


def measure(game: Game, seconds: float, tick: Callable[[], None] = lambda: None) -> Speed:
    """The median of five windows, `seconds` in all on one core and again on all; `tick` after each window."""
    cores = usable_cores()
    walkers = [_Walker(game, seed) for seed in range(cores)]
    one: list[tuple[float, float]] = []
    every: list[tuple[float, float]] = []
    with ThreadPoolExecutor(cores) as pool:
        for _ in range(_WINDOWS):
            one.append(walkers[0].run(seconds / _WINDOWS))
            together = list(pool.map(lambda walker: walker.run(seconds / _WINDOWS), walkers))
            every.append((sum(moves for moves, _ in together), sum(games for _, games in together)))
            tick()

    def median(runs: list[tuple[float, float]], which: int) -> float:
        return statistics.median(run[which] for run in runs)

    return Speed(
        game.name, dict(game.chosen), median(one, 0), median(one, 1), median(every, 0), median(every, 1), cores
    )


def table(speeds: Sequence[Speed]) -> Table:
    cores = speeds[0].cores if speeds else 1
    result = Table(title="Random play, all legal actions listed each move")
    result.add_column("game")
    result.add_column("options")
    for what in ("moves/s", "games/s", f"moves/s, {cores} cores", f"games/s, {cores} cores"):
        result.add_column(what, justify="right")
    for speed in speeds:
        result.add_row(
            speed.game,
            ", ".join(f"{name} {value}" for name, value in speed.options.items()),
            f"{speed.moves_one_core:,.0f}",
            f"{speed.games_one_core:,.0f}",
            f"{speed.moves_all_cores:,.0f}",
            f"{speed.games_all_cores:,.0f}",
        )
    return result


def figures(speeds: Sequence[Speed]) -> dict[str, Any]:
    """The speeds as JSON data, with the machine that they were measured on."""
    machine = {"machine": platform.machine(), "python": platform.python_version(), "cores": usable_cores()}
    return {**machine, "speeds": [asdict(speed) for speed in speeds]}
