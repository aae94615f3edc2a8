"""What a GPU makes of the search: the proof that it searches as the CPU does, and simulations a second.

    python bench/gpu_search.py [GAME …] [--registers R …] [--trees T …] [--simulations S] [--json FILE]

For each game and number of registers, in a process of its own, since most of the time goes into compiling: the visits
and values of 256 positions must be those of the CPU bit for bit. Then, one process after another, simulations a second
for each number of trees, over positions of whole games.
"""

import argparse
import json
import multiprocessing
import time
from pathlib import Path
from typing import Any

import numpy as np

import azulejos as az
from azulejos.core.game import Game
from azulejos.core.streams import streams
from azulejos.envs import batch
from azulejos.players import many, thread, warp

PROVEN = 256  # positions that are searched on both


def positions(game: Game, count: int) -> Any:
    """Positions of greedy games at all stages: records [count]."""
    games = batch(game, count, seed=1)
    for step in range(60):
        waiting = np.arange(count) % 60 < step  # each stops after another number of moves
        games.step(np.where(waiting, -1, games.greedy_actions()))
    return games.states.copy()


def differences(game: Game, simulations: int) -> int:
    """How many of the positions the two search differently."""
    roots, keys = positions(game, PROVEN), streams(PROVEN, 7)
    forests = [many.Forest(game, game.judgement, PROVEN, simulations, device) for device in ("cpu", "cuda")]
    (one, sums, values), (other, other_sums, other_values) = (forest.grow(roots, keys) for forest in forests)
    same = (one == other).all(1) & (np.where(one, sums, 0) == np.where(one, other_sums, 0)).all(1)
    return int((~(same & (values == other_values).all(1))).sum())


def work(name: str, registers: int | None, chosen: argparse.Namespace, alone: Any, rows: Any) -> None:
    game, started = az.make(name), time.perf_counter()
    if registers:
        warp.REGISTERS = thread.REGISTERS = registers
    if chosen.thread:
        many.functions_for_lanes = lambda *_: {}
    wrong = differences(game, 100)
    compiled = time.perf_counter() - started
    with alone:
        for trees in chosen.trees:
            forest = many.Forest(game, game.judgement, trees, chosen.simulations, "cuda")
            roots, keys = np.resize(positions(game, 6_000), trees), streams(trees, 3)
            forest.grow(roots, keys)
            times = []
            for _ in range(2):
                began = time.perf_counter()
                forest.grow(roots, keys)
                times.append(time.perf_counter() - began)
            rate = trees * chosen.simulations / min(times)
            print(
                f"{name} registers={registers} trees={trees:,}: {rate / 1e6:.1f} M/s; "
                f"{wrong} of {PROVEN} differ; compiled in {compiled:.0f} s",
                flush=True,
            )
            rows.append(
                {
                    "game": name,
                    "registers": registers,
                    "trees": trees,
                    "rate": rate,
                    "differ": wrong,
                    "compile_s": compiled,
                }
            )
            del forest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(az.registered()))
    parser.add_argument(
        "--registers", type=int, nargs="+", default=[None], help="of a thread at most; else the search's own"
    )
    parser.add_argument("--thread", action="store_true", help="a tree by one thread, whatever the game has for lanes")
    parser.add_argument("--trees", type=int, nargs="+", default=[33_792])
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    several = multiprocessing.get_context("spawn")
    with several.Manager() as manager:
        rows, alone = manager.list(), several.Lock()
        processes = [
            several.Process(target=work, args=(name, registers, chosen, alone, rows))
            for name in chosen.games
            for registers in chosen.registers
        ]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        done = list(rows)
    if chosen.json:
        chosen.json.write_text(json.dumps(done, indent=1) + "\n")
    if any(row["differ"] for row in done) or len({row["game"] for row in done}) < len(chosen.games):
        raise SystemExit("not every game was proven")


if __name__ == "__main__":
    main()
