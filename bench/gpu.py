"""What a GPU makes of the rules: the proof that it plays the same games as the CPU, and how fast.

    python bench/gpu.py [GAME …] [--n N …] [--seconds S] [--json FILE]

For each variant of each game: `n` games on the GPU and on the CPU, from the same keys, step by step and wandering, must
be the same bit for bit. Then moves a second: wandering (random moves, all legal actions listed each time, no host in
between), stepping (each move chosen at random by one launch and played by another), and stepping with the mask of
legal actions and the observation written out each time.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import azulejos as az
from azulejos.core.game import Game
from azulejos.envs import batch

WANDER = 200  # moves a launch


def differences(game: Game, n: int, steps: int) -> list[str]:
    """Where the two part, in words; nothing if they never do."""
    cpu, gpu = batch(game, n, seed=7), batch(game, n, device="cuda", seed=7)
    found = []

    def compare(when: str, *names: str) -> None:
        for name in names:
            one, other = getattr(cpu, name), getattr(gpu, name)
            if callable(one):
                one, other = one(), other()
            there = other.copy_to_host() if hasattr(other, "copy_to_host") else other
            if one.tobytes() != there.tobytes():
                found.append(f"{when}: {name}")

    for step in range(steps):
        actions = cpu.random_actions()
        gpu.random_actions()
        cpu.step(actions)
        gpu.step(actions)
        names = ["states", "keys", "rewards", "seats", "terminated", "truncated"]
        compare(f"step {step}", *names, *(["legal_mask", "observe"] if step % 10 == 0 else []))
        if found:
            return found
    if cpu.wander(steps) != gpu.wander(steps):
        found.append("the number of games ended")
    compare("after wandering", "states", "keys", "rewards", "finals", "legal_mask", "observe")
    if (cpu.observe(one_hot=True) != gpu.observe(one_hot=True).copy_to_host()).any():  # type: ignore[attr-defined]
        found.append("the one-hot form")
    return found


def pace(once: Callable[[], object], wait: Callable[[], object], moves: int, seconds: float) -> float:
    """Moves a second: the median of three windows."""
    once()
    wait()
    rates = []
    for _ in range(3):
        started, times = time.perf_counter(), 0
        while time.perf_counter() - started < seconds / 3:
            once()
            wait()
            times += 1
        rates.append(times * moves / (time.perf_counter() - started))
    return float(np.median(rates))


def measure(game: Game, n: int, seconds: float) -> dict[str, float]:
    from numba import cuda

    from azulejos.envs.cuda import CudaBatch

    games = CudaBatch(game, n, seed=1, check=False)
    wait: Any = cuda.synchronize
    started = time.perf_counter()
    games.wander(1)
    compiled = time.perf_counter() - started
    games.wander(300)  # so that the games are at all stages

    def step() -> None:
        for _ in range(20):
            games.step(games.random_actions())

    def look() -> None:
        for _ in range(20):
            games.step(games.random_actions())
            games.legal_mask()
            games.observe()

    return {
        "compile_s": compiled,
        "wander": pace(lambda: games.wander(WANDER), wait, n * WANDER, seconds),
        "step": pace(step, wait, n * 20, seconds),
        "step_mask_observe": pace(look, wait, n * 20, seconds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(az.registered()))
    parser.add_argument("--n", type=int, nargs="+", default=[262_144])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--first", action="store_true", help="only the first variant of each game")
    chosen = parser.parse_args()
    rows = []
    for name in chosen.games:
        for game in list(az.registered()[name].variants())[: 1 if chosen.first else None]:
            wrong = differences(game, 2000, chosen.steps) if chosen.steps else ["not compared"]
            for n in chosen.n:
                figures = measure(game, n, chosen.seconds)
                rows.append({"game": name, **game.chosen, "n": n, "same": wrong or True, **figures})
                shown = ", ".join(f"{what} {value:,.0f}" for what, value in figures.items())
                print(f"{game.slug} n={n:,}: {wrong or 'the same bit for bit'}; {shown}", flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
