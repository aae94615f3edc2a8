"""Steps a second of each interface, and of other libraries' games of similar size where they are installed.

Every row is random play: one of the listed legal actions each step. The compiled rules and the batches are measured
alternately, so that other load affects both alike; `share` is relative to the rules' rate on as many cores, `cpu_share`
the same in CPU time, which other load disturbs less. Games that are all the same show what it costs to go from one game
to another that differs: the processor cannot foresee the branches.
Rows through the same interface can be compared, but only in order of magnitude, because the games differ.
"""

import platform
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from azulejos.core.game import Game
from azulejos.core.machine import usable_cores
from azulejos.core.streams import streams

from .batches import Batch

GAMES, MORE_GAMES = 1024, 16_384  # of a batch
LINE = 8  # keys
MOVES = 200  # that a batch wanders at once
LOOKED = f"{GAMES:,} games: step, legal_mask, observe"
PEERS = "pip install 'azulejos[peers]'"


@dataclass(frozen=True)
class Pace:
    """Steps a second of one interface and game; `steps` is None where a library is not installed.

    `share`: relative to the compiled rules on the same cores, where measured. `cpu_share`: the same by the CPU time of
    all threads.
    """

    interface: str
    game: str
    what: str
    steps: float | None
    share: float | None = None
    cpu_share: float | None = None


def pace(once: Callable[[], int], seconds: float) -> float:
    """The median of three windows; `once` returns how many steps it made."""
    once()
    rates = []
    for _ in range(3):
        started, steps = time.perf_counter(), 0
        while time.perf_counter() - started < seconds / 3:
            steps += once()
        rates.append(steps / (time.perf_counter() - started))
    return float(np.median(rates))


def measure(game: Game, seconds: float) -> list[Pace]:
    """Our interfaces on one game."""
    name = game.name
    return [
        *_in_turns(game, seconds),
        _measured("PettingZoo", name, "AEC, in the usual wrappers", lambda: _pettingzoo(game), seconds),
        _measured("Gymnasium", name, "one seat against random", lambda: _gymnasium(game), seconds),
        _measured("OpenSpiel", name, "draws and actions counted", lambda: _openspiel(f"azulejos_{name}"), seconds),
    ]


def peers(seconds: float) -> list[Pace]:
    """Games of other libraries, through their own interfaces."""
    return [
        _measured("PettingZoo", "connect_four", "theirs: AEC, in the usual wrappers", _their_connect_four, seconds),
        _measured("PettingZoo", "chess", "theirs: AEC, in the usual wrappers", _their_chess, seconds),
        _measured("OpenSpiel", "backgammon", "theirs, in C++: draws and actions counted", _their_backgammon, seconds),
        _measured("Pgx", "backgammon", f"theirs: {GAMES:,} games, step, compiled by JAX", _pgx_backgammon, seconds),
    ]


def comparisons(paces: list[Pace]) -> list[str]:
    """Comparisons of our rows with theirs, in words."""
    pairs = [
        ("PettingZoo", None, "PettingZoo", "through PettingZoo's interface"),
        ("OpenSpiel", None, "OpenSpiel", "through OpenSpiel's interface, ours in Python and theirs in C++"),
        ("batch", LOOKED, "Pgx", f"{GAMES:,} games at once, with masks and observations"),
    ]
    return [
        f"{ours.game} makes {ours.steps / theirs.steps:,.1f} times the steps of {interface}'s {theirs.game} {how}"
        for mine, what, interface, how in pairs
        for theirs in paces
        if theirs.interface == interface and theirs.what.startswith("theirs") and theirs.steps
        for ours in paces
        if ours.interface == mine and not ours.what.startswith("theirs") and what in (None, ours.what) and ours.steps
    ]


def _measured(interface: str, game: str, what: str, make: Callable[[], Callable[[], int]], seconds: float) -> Pace:
    try:
        once = make()
    except ImportError:
        return Pace(interface, game, what, None)
    return Pace(interface, game, what, pace(once, seconds))


def _in_turns(game: Game, seconds: float) -> list[Pace]:
    """Random play on one core and on all, alternately: by the rules' entry point, by `wander`, and by `step`."""
    cores = usable_cores()
    turns: dict[tuple[str, str], Callable[[], int]] = {
        ("kernel", "the rules alone, one core"): _kernel(game, 1),
        ("batch", f"{GAMES:,} games, one thread: step(random_actions())"): _stepping(game, GAMES, threads=1),
        ("kernel", f"the rules alone, {cores} cores"): _kernel(game, cores),
        ("batch", f"{GAMES:,} games: wander({MOVES})"): _wandering(game),
        ("batch", f"{GAMES:,} games: step(random_actions())"): _stepping(game, GAMES),
        ("batch", f"{GAMES:,} games, all the same: step(random_actions())"): _stepping(game, GAMES, same=True),
        ("batch", f"{GAMES:,} games: step, legal_mask"): _stepping(game, GAMES, mask=True),
        ("batch", LOOKED): _stepping(game, GAMES, mask=True, observe=True),
        ("batch", f"{MORE_GAMES:,} games: step(random_actions())"): _stepping(game, MORE_GAMES),
        ("batch", f"{MORE_GAMES:,} games: step, legal_mask"): _stepping(game, MORE_GAMES, mask=True),
    }
    rates: list[list[tuple[float, float]]] = []
    started = time.perf_counter()
    while time.perf_counter() - started < len(turns) * seconds or len(rates) < 3:
        rates.append([])
        for turn in turns.values():
            began, began_cpu = time.perf_counter(), time.process_time()
            steps = turn()
            rates[-1].append((steps / (time.perf_counter() - began), steps / (time.process_time() - began_cpu)))
    table, kernels = np.array(rates), [0, 0, *[2] * (len(turns) - 2)]
    paces, shares = np.median(table[:, :, 0], 0), np.median(table / table[:, kernels], 0)
    return [
        Pace(interface, game.name, what, float(rate), float(share), float(cpu_share))
        for (interface, what), rate, (share, cpu_share) in zip(turns, paces, shares, strict=True)
    ]


def _kernel(game: Game, cores: int, moves: int = 100_000) -> Callable[[], int]:
    # The game in the middle is played, so that no line of a cache is written on two cores.
    arrays = [np.repeat(game.start(seed=seed).array(), 2 * LINE + 1) for seed in range(cores)]
    keys = [streams(2 * LINE + 1, seed) for seed in range(cores)]
    outs = [np.repeat(game.actions_buffer()[None], 3, 0)[1] for _ in range(cores)]
    pool = ThreadPoolExecutor(cores)

    def wander(k: int) -> None:
        if game.entry_points.wander(arrays[k], LINE, game.option_codes, keys[k], outs[k], moves) == 0:
            arrays[k][LINE] = game.start(seed=k).array()[0]  # random play does not end every game

    def once() -> int:
        list(pool.map(wander, range(cores)))
        return cores * moves

    once()
    return once


def _wandering(game: Game) -> Callable[[], int]:
    games = Batch(game, GAMES, seed=1)

    def once() -> int:
        games.wander(MOVES)
        return GAMES * MOVES

    once()
    return once


def _stepping(
    game: Game, n: int, mask: bool = False, observe: bool = False, same: bool = False, threads: int | None = None
) -> Callable[[], int]:
    games, times = Batch(game, n, seed=1, threads=threads), -(-100 * GAMES // n)
    if same:
        games.reset([1] * n)

    def once() -> int:
        for _ in range(times):
            games.step(games.random_actions())
            if mask:
                games.legal_mask()
            if observe:
                games.observe()
        return n * times

    games.wander(MOVES)
    once()
    return once


def _drawn(chooser: random.Random, mask: Any) -> Any:
    """One of the legal actions; NumPy's generators would take longer than a step."""
    return chooser.choice(mask.nonzero()[0])


def _agents(aec: Any) -> Callable[[], int]:
    chooser = random.Random(0)
    aec.reset(seed=0)

    def once() -> int:
        if not aec.agents:
            aec.reset()
        seen, _, terminated, truncated, _ = aec.last()
        done = terminated or truncated
        aec.step(None if done else int(_drawn(chooser, seen["action_mask"])))
        return int(not done)

    return once


def _pettingzoo(game: Game) -> Callable[[], int]:
    from .pettingzoo import env

    return _agents(env(game))


def _their_connect_four() -> Callable[[], int]:
    from pettingzoo.classic import connect_four_v3

    return _agents(connect_four_v3.env())


def _their_chess() -> Callable[[], int]:
    from pettingzoo.classic import chess_v6

    return _agents(chess_v6.env())


def _gymnasium(game: Game) -> Callable[[], int]:
    from .gymnasium import OneSeatEnv

    env, chooser = OneSeatEnv(game), random.Random(0)
    mask = env.reset(seed=0)[1]["action_mask"]

    def once() -> int:
        nonlocal mask
        _, _, terminated, truncated, info = env.step(_drawn(chooser, mask))
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
    """The figures as a table for the terminal."""
    missing = any(row.steps is None for row in paces)
    result = Table(
        title="Random play through each interface, steps a second",
        caption=Text(f"for what is not installed: {PEERS}") if missing else None,
    )
    for what in ("interface", "game", "what is measured"):
        result.add_column(what)
    for what in ("steps/s", "of the kernel", "in CPU time"):
        result.add_column(what, justify="right")
    for row in paces:
        shown = "not installed" if row.steps is None else f"{row.steps:,.0f}"
        shares = ("" if share is None else f"{share:.0%}" for share in (row.share, row.cpu_share))
        result.add_row(row.interface, row.game, row.what, shown, *shares)
    return result


def figures(paces: list[Pace]) -> dict[str, Any]:
    """The figures as JSON data, with the machine that they were measured on."""
    machine = {"machine": platform.machine(), "python": platform.python_version(), "cores": usable_cores()}
    return {**machine, "paces": [asdict(row) for row in paces]}
