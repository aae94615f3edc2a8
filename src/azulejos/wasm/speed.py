"""How fast a game's module is, beside the same functions compiled for this machine, measured in turn."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from rich.table import Table

from azulejos.bench import MOVES, WINDOWS
from azulejos.core.game import Game
from azulejos.core.streams import streams
from azulejos.players.search import Tree

from .running import Node

_SIMULATIONS = 200


@dataclass(frozen=True)
class Speed:
    """Random moves and simulations a second of one core, natively and in Node."""

    moves: float
    wasm_moves: float
    simulations: float
    wasm_simulations: float
    game: str
    options: dict[str, str]


def measure(game: Game, seconds: float) -> Speed:
    """The medians of five windows each; `seconds` in all."""
    window = seconds / WINDOWS / 4
    state, key = game.start(seed=1), streams(1, 1)[0]
    assert state.seat is not None
    array, keys, out = state.array(), np.array([key]), game.actions_buffer()
    one = Tree(game, game.judgement, key)

    def wander() -> None:
        finished = game.entry_points.wander(array, 0, game.option_codes, keys, out, MOVES)
        if finished == 0:  # random play may never end a game
            array[:] = state.array()

    def grow() -> None:
        one.grow(_SIMULATIONS)

    def rate(step: Callable[[], None], count: int) -> float:
        step()
        done, started = 0, time.perf_counter()
        while (passed := time.perf_counter() - started) < window:
            step()
            done += count
        return done / passed

    rates: list[tuple[float, float, float, float]] = []
    with Node() as node:
        for _ in range(WINDOWS):
            one.plant(state)
            moves, simulations = rate(wander, MOVES), rate(grow, _SIMULATIONS)
            there = node.run("speed", game, state, key=str(key), moves=MOVES, simulations=_SIMULATIONS, seconds=window)
            rates.append((moves, there["moves"], simulations, there["simulations"]))
    moves, there_moves, simulations, there_simulations = map(statistics.median, zip(*rates, strict=True))
    return Speed(moves, there_moves, simulations, there_simulations, game.name, game.chosen_texts)


def table(speeds: Sequence[Speed]) -> Table:
    result = Table(title="One core, natively and as WebAssembly in Node")
    for what in ("game", "options"):
        result.add_column(what)
    for what in ("moves/s", "WebAssembly", "ratio", "simulations/s", "WebAssembly", "ratio"):
        result.add_column(what, justify="right")
    for speed in speeds:
        pairs = (speed.moves, speed.wasm_moves), (speed.simulations, speed.wasm_simulations)
        rates = [text for here, there in pairs for text in (f"{here:,.0f}", f"{there:,.0f}", f"{there / here:.2f}")]
        result.add_row(speed.game, ", ".join(f"{name} {value}" for name, value in speed.options.items()), *rates)
    return result
