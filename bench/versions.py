"""A match of two versions of this package at equal time: each an engine from a source tree of its own.

    python bench/versions.py azul --old OLD/src --new src --seconds 300 --cores 0-15 --out FILE.jsonl
    python bench/versions.py azul --old OLD/src --new src --seconds 600 --test 0.60 0.65

Each core plays one game at a time, every deal twice, with seats exchanged. The engines of a game share its core, and
those that are not to move wait. They compile first; `--compile` does nothing else. Results are lines of JSON: deal,
seats of the new version, scores, its points, simulations and seconds of both.

`--test LOW HIGH` is a sequential test: does the new version make a share HIGH of the points, rather than LOW? It ends
as soon as the points of the deals so far say so, one way or the other, with an error of 5 % each way at most.
"""

import argparse
import itertools
import json
import math
import os
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from azulejos.core.game import Game
from azulejos.core.registry import registered
from azulejos.players import Limit
from azulejos.players.program import Program

ENOUGH = math.log(0.95 / 0.05)  # evidence that settles a test

ENGINE = """
import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
from azulejos.players import Search
from azulejos.players.engine import serve
parameters = {name: float(value) for name, value in (text.split("=") for text in sys.argv[3:])}
serve(Search(int(sys.argv[2]), **parameters), "search", sys.stdin, lambda line: print(line, flush=True))
"""


def engine(tree: Path, core: int, seed: int, parameters: list[str]) -> Program:
    paths = ":".join([str(tree.resolve()), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [
        "env",
        f"PYTHONPATH={paths}",
        sys.executable,
        "-c",
        ENGINE,
        str(core),
        str(seed),
        *parameters,
    ]
    return Program(" ".join(map(shlex.quote, command)), grace=20.0)


def compile_tree(tree: Path, game: Game, parameters: list[str]) -> None:
    """Let the search compile: in each process after this it is loaded. Deepening needs a choice of some length."""
    code = (
        "import sys, azulejos as az\nfrom azulejos.players import Limit, Search\n"
        f"game = az.registered()[{game.name!r}].read({list(map(list, game.chosen.items()))!r})\n"
        "state = game.start(seed=1)\nSearch(1).choose(state.view(state.seat), Limit(simulations=6000))\n"
    )
    paths = ":".join([str(tree.resolve()), *filter(None, [os.environ.get("PYTHONPATH")])])
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths}, check=True)


def play_deals(
    game: Game, chosen: Any, core: int, deals: Any, end: float, write: Any, settled: threading.Event
) -> None:
    players = {
        "new": engine(chosen.new, core, 1 + core, chosen.parameter),
        "old": engine(chosen.old, core, 1001 + core, []),
    }
    try:
        for player in players.values():
            player.start(game)
        while time.time() < end and not settled.is_set():
            deal = next(deals)
            pair = []
            for new_seats in seatings(game.players, deal):
                state, used = game.start(seed=deal), {"new": [0, 0.0], "old": [0, 0.0]}
                while state.seat is not None and state.round < 16 and time.time() < end:
                    seat = state.seat
                    name = "new" if seat in new_seats else "old"
                    if len(state.actions) == 1:
                        state = state.play(state.actions[0])
                        continue
                    began = time.perf_counter()
                    choice = players[name].choose(state.view(seat), Limit(chosen.time, chosen.simulations))
                    used[name][0] += choice.simulations
                    used[name][1] += time.perf_counter() - began
                    state = state.play(choice.action)
                if state.outcome is None and time.time() >= end:
                    return
                winners = state.outcome.winners if state.outcome else range(game.players)
                points = sum(seat in winners for seat in new_seats) / len(winners)
                pair.append({"deal": deal, "seats": new_seats, "scores": state.scores, "points": points, **used})
            write(pair)
    finally:
        for player in players.values():
            player.close()


def seatings(players: int, deal: int) -> list[list[int]]:
    """The seats of the new version in the two games of a deal: in the second those that it had not in the first."""
    first = [(deal + seat) % players for seat in range(0, players - 1, 2)]
    return [first, [seat for seat in range(players) if seat not in first]]


def margin(scores: Sequence[int], seats: Sequence[int]) -> float:
    """How much more the mean of these seats scored than the mean of the others."""
    others = [score for seat, score in enumerate(scores) if seat not in seats]
    return sum(scores[seat] for seat in seats) / len(seats) - sum(others) / len(others)


def shares_of(results: list[dict[str, Any]]) -> list[float]:
    """The new version's share of the points of each deal."""
    deals: dict[int, list[float]] = {}
    for result in results:
        deals.setdefault(result["deal"], []).append(result["points"])
    return [sum(points) / len(points) for points in deals.values()]


def evidence(shares: Sequence[float], low: float, high: float) -> float:
    """The logarithm of how much likelier these shares are with the mean `high` than with `low`, were they normally
    distributed. One more observation with the variance of a coin keeps a few equal shares from settling it."""
    count, mean = len(shares), sum(shares) / max(len(shares), 1)
    variance = (sum((share - mean) ** 2 for share in shares) + 0.25) / (count + 1)
    return count * (high - low) * (mean - (low + high) / 2) / variance


def report(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Points of the new version with the 95 % interval over deals, its margin, and simulations a second of both."""
    shares = shares_of(results)
    if not shares:
        return {"games": 0}
    mean = sum(shares) / len(shares)
    spread = math.sqrt(sum((s - mean) ** 2 for s in shares) / max(len(shares) - 1, 1) / len(shares))
    margins = [margin(r["scores"], r["seats"]) for r in results]
    rates = {name: sum(r[name][0] for r in results) / sum(r[name][1] for r in results) for name in ("new", "old")}
    return {
        "games": len(results),
        "points": round(mean, 4),
        "interval": round(1.96 * spread, 4),
        "margin": round(sum(margins) / len(margins), 2),
        "simulations a second": {name: round(rate) for name, rate in rates.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--old", type=Path, required=True)
    parser.add_argument("--new", type=Path, required=True)
    parser.add_argument("--parameter", action="append", default=[], help="of the new search, NAME=VALUE")
    parser.add_argument("--time", type=float, default=None)
    parser.add_argument("--simulations", type=int, default=None)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--end", type=float, default=float("inf"), help="when to stop, by time.time()")
    parser.add_argument("--cores", default="0")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--test", type=float, nargs=2, metavar=("LOW", "HIGH"))
    chosen = parser.parse_args()
    if chosen.time is None and chosen.simulations is None:
        chosen.time = 0.1
    game = registered()[chosen.game].read([text.split("=", 1) for text in chosen.option])
    compiling = [threading.Thread(target=compile_tree, args=(tree, game, [])) for tree in (chosen.old, chosen.new)]
    for thread in compiling:
        thread.start()
    for thread in compiling:
        thread.join()
    if chosen.compile:
        return
    first, _, last = chosen.cores.partition("-")
    results: list[dict[str, Any]] = []
    lock, deals = threading.Lock(), itertools.count(1_000_000 * (1 + chosen.seed))

    settled = threading.Event()

    def write(pair: list[dict[str, Any]]) -> None:
        with lock:
            results.extend(pair)
            if chosen.out:
                with chosen.out.open("a", encoding="utf-8") as file:
                    file.writelines(json.dumps(result) + "\n" for result in pair)
            if chosen.test and abs(evidence(shares_of(results), *chosen.test)) >= ENOUGH:
                settled.set()

    end = min(time.time() + chosen.seconds, chosen.end)
    threads = [
        threading.Thread(target=play_deals, args=(game, chosen, core, deals, end, write, settled))
        for core in range(int(first), int(last or first) + 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = {"game": repr(game), "old": str(chosen.old), "new": str(chosen.new), **report(results)}
    if chosen.test:
        found["test"] = {"bounds": chosen.test, "evidence": round(evidence(shares_of(results), *chosen.test), 2)}
        found["test"]["verdict"] = (
            "open" if not settled.is_set() else "high" if found["test"]["evidence"] > 0 else "low"
        )
    print(json.dumps(found), flush=True)
    if chosen.out:
        chosen.out.with_suffix(".json").write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
