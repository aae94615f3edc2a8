"""How many steps a second each interface makes, beside peers on games of like size where they are installed.

Every row is random play: one legal action chosen among those listed, each step. A row of ours and a row of a peer's
through the same interface may be compared; the games are not the same, so what is compared is the order of magnitude.
"""

import json
import os
import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from rich.table import Table

from azulejos.core.chance import streams
from azulejos.core.game import Game

from .batch import Batch

GAMES = 1024  # of a batch


@dataclass(frozen=True)
class Pace:
    """What one interface made of a game, steps a second; `steps` is None where a peer is not installed."""

    interface: str
    game: str
    what: str
    steps: float | None


def pace(once: Callable[[], int], seconds: float) -> float:
    """The median of three windows; `once` says how many steps it made."""
    once()
    rates = []
    for _ in range(3):
        started, steps = time.perf_counter(), 0
        while time.perf_counter() - started < seconds / 3:
            steps += once()
        rates.append(steps / (time.perf_counter() - started))
    return float(np.median(rates))


def measure(game: Game, seconds: float) -> list[Pace]:
    """Our interfaces on one game. The kernel and the batch take turns, so that a busy machine slows both."""
    games = Batch(game, GAMES, seed=1)
    games.wander(100)
    kernel, wandering = _side_by_side(game, games, seconds)

    def step() -> int:
        games.step(games.random_actions())
        return GAMES

    def look() -> int:
        games.step(games.random_actions())
        games.legal_mask()
        games.observe()
        return GAMES

    cores = os.cpu_count() or 1
    name = game.name
    return [
        Pace("kernel", name, f"the rules alone, {cores} cores", kernel),
        Pace("batch", name, f"{GAMES} games, wander", wandering),
        Pace("batch", name, f"{GAMES} games, step(random_actions())", pace(step, seconds)),
        Pace("batch", name, f"{GAMES} games, step, legal_mask, observe", pace(look, seconds)),
        _measured("PettingZoo", name, "AEC, in the usual wrappers", lambda: _pettingzoo(game), seconds),
        _measured("Gymnasium", name, "one seat against random", lambda: _gymnasium(game), seconds),
        _measured("OpenSpiel", name, "draws and actions counted", lambda: _openspiel(f"azulejos_{name}"), seconds),
    ]


def peers(seconds: float) -> list[Pace]:
    """Others' own games, through their own interfaces."""
    return [
        _measured("PettingZoo", "connect_four", "theirs: AEC, in the usual wrappers", _their_connect_four, seconds),
        _measured("OpenSpiel", "backgammon", "theirs, in C++: draws and actions counted", _their_backgammon, seconds),
        _measured("Pgx", "backgammon", f"theirs: {GAMES} games, step, compiled by JAX", _pgx_backgammon, seconds),
    ]


def _measured(interface: str, game: str, what: str, make: Callable[[], Callable[[], int]], seconds: float) -> Pace:
    try:
        once = make()
    except ImportError:
        return Pace(interface, game, what, None)
    return Pace(interface, game, what, pace(once, seconds))


def _side_by_side(game: Game, games: Batch, seconds: float) -> tuple[float, float]:
    """Random moves a second on all cores: by the rules' own door, and by the batch."""
    from concurrent.futures import ThreadPoolExecutor

    cores, moves = os.cpu_count() or 1, 20_000
    arrays = [game.start(seed=seed).array() for seed in range(cores)]
    keys = [streams(1, seed) for seed in range(cores)]
    outs = [game.actions_buffer() for _ in range(cores)]

    def wander(k: int) -> None:
        game.doors.wander(arrays[k], 0, game.settings, keys[k], outs[k], moves)

    wander(0)
    rates: tuple[list[float], list[float]] = ([], [])
    started = time.perf_counter()
    with ThreadPoolExecutor(cores) as pool:
        while time.perf_counter() - started < 2 * seconds or len(rates[0]) < 3:
            began = time.perf_counter()
            list(pool.map(wander, range(cores)))
            between = time.perf_counter()
            games.wander(-(-cores * moves // GAMES))
            rates[0].append(cores * moves / (between - began))
            rates[1].append(cores * moves / (time.perf_counter() - between))
    return float(np.median(rates[0])), float(np.median(rates[1]))


def _agents(env: object, chooser: np.random.Generator) -> Callable[[], int]:
    from typing import Any

    aec: Any = env
    aec.reset(seed=0)

    def once() -> int:
        if not aec.agents:
            aec.reset()
        seen, _, terminated, truncated, _ = aec.last()
        done = terminated or truncated
        aec.step(None if done else int(chooser.choice(np.flatnonzero(seen["action_mask"]))))
        return int(not done)

    return once


def _pettingzoo(game: Game) -> Callable[[], int]:
    from .pettingzoo import env

    return _agents(env(game), np.random.default_rng(0))


def _their_connect_four() -> Callable[[], int]:
    from pettingzoo.classic import connect_four_v3

    return _agents(connect_four_v3.env(), np.random.default_rng(0))


def _gymnasium(game: Game) -> Callable[[], int]:
    from .gymnasium import OneSeatEnv

    env, chooser = OneSeatEnv(game), np.random.default_rng(0)
    mask = env.reset(seed=0)[1]["action_mask"]

    def once() -> int:
        nonlocal mask
        _, _, terminated, truncated, info = env.step(chooser.choice(np.flatnonzero(mask)))
        mask = env.reset()[1]["action_mask"] if terminated or truncated else info["action_mask"]
        return 1

    return once


def _their_backgammon() -> Callable[[], int]:
    return _openspiel("backgammon")


def _openspiel(name: str) -> Callable[[], int]:
    import pyspiel

    from . import openspiel  # noqa: F401  registers ours

    game, chooser = pyspiel.load_game(name), np.random.default_rng(0)
    state = game.new_initial_state()

    def once() -> int:
        nonlocal state
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(outcomes[int(np.searchsorted(np.cumsum(chances), chooser.random()))]))
        else:
            legal = state.legal_actions()
            state.apply_action(legal[chooser.integers(len(legal))])
        return 1

    return once


def _pgx_backgammon() -> Callable[[], int]:
    import jax
    import pgx

    env = pgx.make("backgammon")
    step, begin = jax.jit(jax.vmap(env.step)), jax.jit(jax.vmap(env.init))
    key = jax.random.PRNGKey(0)
    choose = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.where(mask, 0.0, -1e9), axis=1))
    state = begin(jax.random.split(key, GAMES))

    def once() -> int:
        nonlocal state, key
        key, choice, chance = jax.random.split(key, 3)
        state = step(state, choose(choice, state.legal_action_mask), jax.random.split(chance, GAMES))
        state.current_player.block_until_ready()
        return GAMES

    return once


def table(paces: list[Pace]) -> Table:
    result = Table(title="Random play through each interface, steps a second")
    for what in ("interface", "game", "what is measured"):
        result.add_column(what)
    result.add_column("steps/s", justify="right")
    for row in paces:
        shown = "not installed" if row.steps is None else f"{row.steps:,.0f}"
        result.add_row(row.interface, row.game, row.what, shown)
    return result


def save(paces: list[Pace], path: Path) -> None:
    machine = {"machine": platform.machine(), "python": platform.python_version(), "cores": os.cpu_count()}
    path.write_text(json.dumps({**machine, "paces": [asdict(row) for row in paces]}, indent=1) + "\n")
