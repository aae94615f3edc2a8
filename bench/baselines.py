"""The tables of docs/baselines.md: ratings of players, searches and trained policies for each number of players.

    python bench/baselines.py play --checkpoints FOLDER --seconds 180 --out FILE.json
    python bench/baselines.py page FILE.json … [--others FILE.json …] [--log FILE …]

The first command plays a tournament for each variant (`--policies`: matches of the policies against the others only);
the time is divided among them. A policy takes part as it was after about 8, 33, 134 and 537 million steps, and at its
end, from the weights that `azulejos train --checkpoints FOLDER` saved. The second prints the tables as Markdown:
ratings from the games of all files together, each pair's from the file where it played most (the same seed deals the
same games), and the victories against `greedy` in the logs of `azulejos train --log`. Of the files of `--others` the
policies, which an earlier training made, are left out.
"""

import argparse
import json
import os
import time
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import azulejos as az
from azulejos.arena.commands import write_json
from azulejos.arena.contest import Contest, Entrant
from azulejos.arena.match import run
from azulejos.arena.play import play
from azulejos.arena.ratings import ANCHOR, _anchored, _bradley_terry
from azulejos.arena.report import summary
from azulejos.arena.workers import processes
from azulejos.baselines.policy import Network
from azulejos.core.game import Game
from azulejos.core.state import State
from azulejos.envs.opponents import PolicyPlayer
from azulejos.players import NO_LIMIT, PLAYERS, Choice, Limit, outside, register

VARIANTS = (("azul", 2), ("pavilion", 2), ("duel", 2), ("azul", 3), ("azul", 4), ("pavilion", 3), ("pavilion", 4))
OTHERS = ("random", "greedy", "beginner", "casual", "regular", "expert", "search@50", "search@200", "search@800")
WANTED = (8e6, 33e6, 134e6, 537e6)  # steps after which a policy takes part, beside its end
FOLDER = "BASELINES_CHECKPOINTS"  # the environment variable by which workers find the weights


def label(steps: int) -> str:
    return f"trained-{steps / 1e6:.0f}M" if steps >= 1e6 else f"trained-{steps / 1e3:.0f}k"


class Checkpoint:
    """A policy as it was after some steps."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        self._name = name
        self._player: PolicyPlayer | None = None

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        if self._player is None:
            file = checkpoints(view.game)[self._name]
            self._player = PolicyPlayer(Network.load(file))
        return self._player.choose(view, limit)


def checkpoints(game: Game | None = None) -> dict[str, Path]:
    """The weights of a game, or of all, by their label, by rising steps."""
    start = f"{game.name}-{game.players}-" if game else ""
    files = [file for file in Path(os.environ.get(FOLDER, "/nowhere")).glob("*.npz") if file.stem.startswith(start)]
    files.sort(key=lambda file: int(file.stem.rsplit("-", 1)[1]))
    return {label(int(file.stem.rsplit("-", 1)[1])): file for file in files}


def bring() -> None:
    for name in checkpoints():
        if name not in PLAYERS:
            register(name)(partial(Checkpoint, name))


def entrants(game: Game, others: Sequence[str] = OTHERS) -> tuple[Entrant, ...]:
    found = {int(file.stem.rsplit("-", 1)[1]): name for name, file in checkpoints(game).items()}
    last = max(found, default=0)
    chosen = {min(found, key=lambda steps: abs(steps - wanted)) for wanted in WANTED if found and wanted < last / 1.5}
    policies = [found[steps] for steps in sorted(chosen | ({last} if found else set()))]
    return tuple(map(Entrant.read, (*others, *policies)))


def variant(name: str, players: int) -> Game:
    return az.make(name) if name == "duel" else az.make(name, players=players)


def play_all(chosen: argparse.Namespace) -> None:
    if chosen.checkpoints:
        os.environ[FOLDER] = str(chosen.checkpoints.resolve())
    outside.bring(["bench.baselines"], {})
    wanted = [
        (name, players) for name, players in VARIANTS if not chosen.variant or f"{name}-{players}" in chosen.variant
    ]
    for name in {name for name, _ in wanted}:  # compiles once, before all begin
        game = variant(name, 2)
        play(Contest(game, entrants(game, chosen.others), 1, 0, 1), 0)
        play(Contest(game, tuple(map(Entrant.read, ("search@50", "greedy"))), 1, 0, 1), 0)
    contests = []
    for name, players in wanted:
        game = variant(name, players)
        taking = entrants(game, chosen.others)
        policies = [entrant for entrant in taking if entrant.name.startswith("trained-")]
        others = [entrant for entrant in taking if entrant not in policies]
        pairs = [(policy, other) for policy in policies for other in others] if chosen.policies else [taking]
        contests += [(name, players, Contest(game, pair, chosen.games, 1)) for pair in pairs]
    started, found = time.perf_counter(), []
    with processes(chosen.processes) as workers:
        for number, (name, players, contest) in enumerate(contests):
            now = time.perf_counter()
            ends = now + (started + chosen.seconds - now) / (len(contests) - number)
            results = run(contest, workers, tell=lambda _, ends=ends: time.perf_counter() > ends)  # type: ignore[misc]
            figures = summary(results, contest)
            found.append({"game": name, "players": players, **figures})
            ratings = ", ".join(f"{one['name']} {one['rating']:.0f}" for one in figures["ratings"])
            print(f"{ends - started:.0f} s, {contest.game}: {len(results)} games: {ratings}", flush=True)
            write_json(found, str(chosen.out))


def rate(files: Sequence[Path], others: Sequence[Path]) -> dict[tuple[str, int], dict[str, str]]:
    """The ratings by variant and player, as text with half the 95 % interval: one fit to the games of all files."""
    games: dict[tuple[str, int], dict[tuple[str, str], tuple[float, int]]] = {}
    for file in (*files, *others):
        for table in json.loads(file.read_text(encoding="utf-8")):
            pairs = games.setdefault((table["game"], table["players"]), {})
            for one in table["pairs"]:
                pair = one["pair"][0], one["pair"][1]
                if file in others and any(name.startswith("trained-") for name in pair):
                    continue
                if pair[::-1] in pairs:
                    pair, one["points"] = pair[::-1], 1 - one["points"]
                if one["games"] > pairs.get(pair, (0.0, 0))[1]:
                    pairs[pair] = one["points"] * one["games"], one["games"]
    return {variant: _fit(pairs) for variant, pairs in sorted(games.items())}


def _fit(pairs: dict[tuple[str, str], tuple[float, int]]) -> dict[str, str]:
    names = sorted({name for pair in pairs for name in pair})
    points = np.zeros((len(names), len(names)))
    for (one, other), (won, played) in pairs.items():
        points[names.index(one), names.index(other)] += won
        points[names.index(other), names.index(one)] += played - won
    met, random = points + points.T, np.random.default_rng(0)
    ratings = _anchored(_bradley_terry(points), names)
    again = []
    for _ in range(300):
        drawn = np.triu(random.beta(points + 1, points.T + 1) * met, 1)  # what the true shares may be
        drawn += np.triu(met - drawn, 1).T
        again.append(_anchored(_bradley_terry(drawn), names))
    spread = np.std(again, axis=0)
    return {name: f"{ratings[k]:.0f}" + f" ± {1.96 * spread[k]:.0f}" * (name != ANCHOR) for k, name in enumerate(names)}


def page(chosen: argparse.Namespace) -> None:
    rated = rate(chosen.file, chosen.others)
    logs = [[json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] for log in chosen.log]
    curves = {(rows[0]["game"], rows[0]["players"]): rows for rows in logs}
    for two in (True, False):  # narrow tables
        print_ratings({variant: one for variant, one in rated.items() if (variant[1] == 2) == two})
    for two in (True, False):
        print_curves({variant: rows for variant, rows in sorted(curves.items()) if (variant[1] == 2) == two})


def print_row(first: str, cells: Iterable[str]) -> None:
    print(f"| {first} | " + " | ".join(cells) + " |")


def print_head(first: str, variants: Collection[tuple[str, int]]) -> None:
    print_row(first, (f"{name.capitalize()}, {players} players" for name, players in variants))
    print("|---" * (len(variants) + 1) + "|")


def print_ratings(rated: dict[tuple[str, int], dict[str, str]]) -> None:
    print_head("player", rated)
    for name in OTHERS:
        if any(name in one for one in rated.values()):
            print_row(f"`{name}`", (one.get(name, "") for one in rated.values()))
    steps = {name for one in rated.values() for name in one if name.startswith("trained-")}
    for name in sorted(steps, key=_steps):
        print_row(name.replace("trained-", "trained, "), (one.get(name, "") for one in rated.values()))
    print()


def print_curves(curves: dict[tuple[str, int], list[dict[str, Any]]]) -> None:
    print_head("steps", curves)
    before = [{one["steps"]: f"{100 * one['greedy']:.1f} %" for one in rows[:-1]} for rows in curves.values()]
    for steps in sorted({steps for one in before for steps in one if steps >= WANTED[0]}):
        print_row(f"{steps / 1e6:.0f} million", (one.get(steps, "") for one in before))
    print_row(
        "the end", (f"{rows[-1]['steps'] / 1e6:,.0f}: {100 * rows[-1]['greedy']:.1f} %" for rows in curves.values())
    )
    print()


def _steps(name: str) -> float:
    number = name.removeprefix("trained-")
    return float(number[:-1]) * (1e6 if number.endswith("M") else 1e3)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    playing = commands.add_parser("play")
    playing.add_argument("--checkpoints", type=Path)
    playing.add_argument("--seconds", type=float, default=180.0)
    playing.add_argument("--games", type=int, default=1000, help="of each pair at most (default: 1000)")
    playing.add_argument("--processes", type=int)
    playing.add_argument("--variant", action="append", metavar="azul-3")
    playing.add_argument("--others", nargs="+", default=OTHERS, help="players beside the policies (default: all)")
    playing.add_argument("--policies", action="store_true", help="play only policies against others")
    playing.add_argument("--out", type=Path, required=True)
    playing.set_defaults(run=play_all)
    printing = commands.add_parser("page")
    printing.add_argument("file", type=Path, nargs="+")
    printing.add_argument("--others", type=Path, nargs="+", default=[])
    printing.add_argument("--log", type=Path, action="append", default=[])
    printing.set_defaults(run=page)
    chosen = parser.parse_args(arguments)
    chosen.run(chosen)


if __name__ == "__main__":
    main()
elif __name__ == "bench.baselines":  # a worker's
    bring()
