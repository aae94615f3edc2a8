"""What a GPU makes of the rules: the proof that it plays the same games as the CPU, and how fast.

    python bench/gpu.py [GAME …] [--n N …] [--seconds S] [--json FILE]

For each variant of each game, in a process of its own, since most of the time goes into compiling: `n` games on the GPU
and on the CPU, from the same keys, step by step and wandering, must be the same bit for bit. Then, one variant after
another, moves a second: wandering (random moves, all legal actions listed each time, no host in between), stepping
(each move chosen at random by one launch and played by another, which writes the legal actions as bits), the same with
the mask and the observation written out by the step, and with the observation in its one-hot form besides.
"""

import argparse
import json
import multiprocessing
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import BrokenBarrierError
from typing import Any

import numpy as np

import azulejos as az
from azulejos.core.game import Game
from azulejos.envs import batch

WANDER = 200  # moves a launch
PATIENCE = 400  # seconds for all variants to be compiled and proven


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
        compare(f"step {step}", *names, *(["legal_mask", "legal_bits", "observe"] if step % 10 == 0 else []))
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


class Measured:
    """A batch on the GPU with everything compiled, and what it makes when it is let."""

    def __init__(self, game: Game, n: int) -> None:
        from azulejos.envs.cuda import CudaBatch

        self.games = CudaBatch(game, n, seed=1, check=False)
        started = time.perf_counter()
        self.step()
        self.games.wander(300)  # so that the games are at all stages
        self.compile_s = time.perf_counter() - started

    def step(self) -> None:
        for _ in range(20):
            self.games.step(self.games.random_actions())

    def look(self) -> None:
        for _ in range(20):
            self.games.step(self.games.random_actions())
            self.games.legal_mask()
            self.games.observe()

    def spread(self) -> None:
        for _ in range(4):
            self.games.step(self.games.random_actions())
            self.games.observe(one_hot=True)

    def figures(self, seconds: float) -> dict[str, float]:
        from numba import cuda

        wait: Any = cuda.synchronize
        n = self.games.n
        return {
            "compile_s": self.compile_s,
            "wander": pace(lambda: self.games.wander(WANDER), wait, n * WANDER, seconds),
            "step": pace(self.step, wait, n * 20, seconds),
            "step_mask_observe": pace(self.look, wait, n * 20, seconds),  # from here on every step writes them
            "step_mask_one_hot": pace(self.spread, wait, n * 4, seconds),
        }


def work(name: str, options: dict[str, Any], chosen: argparse.Namespace, proven: Any, alone: Any, rows: Any) -> None:
    """One variant in a process of its own: it is proven beside the others, and measured when they are, alone."""
    game = az.make(name, **options)
    wrong, batches = ["not compared"], []
    try:
        if chosen.steps:
            wrong = differences(game, 2000, chosen.steps)
        batches = [Measured(game, n) for n in chosen.n]
    except Exception as error:
        wrong = [f"{type(error).__name__}: {error}"]
    with suppress(BrokenBarrierError):  # somebody is missing: those who came are measured
        proven.wait(PATIENCE)
    with alone:
        for batch in batches:
            figures = batch.figures(chosen.seconds)
            shown = ", ".join(f"{what} {value:,.0f}" for what, value in figures.items())
            print(f"{game.slug} n={batch.games.n:,}: {wrong or 'the same bit for bit'}; {shown}", flush=True)
            rows.append({"game": name, **game.chosen, "n": batch.games.n, "same": wrong or True, **figures})
        if not batches:
            print(f"{game.slug}: {wrong}", flush=True)
            rows.append({"game": name, **game.chosen, "same": wrong})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(az.registered()))
    parser.add_argument("--n", type=int, nargs="+", default=[262_144])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--first", action="store_true", help="only the first variant of each game")
    chosen = parser.parse_args()
    variants = [
        (name, dict(game.chosen))
        for name in chosen.games
        for game in list(az.registered()[name].variants())[: 1 if chosen.first else None]
    ]
    several = multiprocessing.get_context("spawn")
    with several.Manager() as manager:
        rows = manager.list()
        proven, alone = several.Barrier(len(variants)), several.Lock()
        processes = [several.Process(target=work, args=(*one, chosen, proven, alone, rows)) for one in variants]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        done = list(rows)
    if chosen.json:
        chosen.json.write_text(json.dumps(done, indent=1) + "\n")
    if len(done) < len(variants) or any(row["same"] is not True for row in done):
        raise SystemExit("not every variant was proven")


if __name__ == "__main__":
    main()
