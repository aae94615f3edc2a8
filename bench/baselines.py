"""The tables of docs/baselines.md: ratings of players, searches and trained policies for each number of players.

    python bench/baselines.py play --checkpoints FOLDER --seconds 180 --out FILE.json
    python bench/baselines.py page FILE.json [--log FILE …]

The first command plays a tournament for each variant; the time is divided among them. A policy takes part as it was
after about 8, 33 and 134 million steps, and at its end, from the weights that `azulejos train --checkpoints FOLDER`
saved; without a folder, with the weights of the package. The second prints the tables as Markdown, from the ratings and
from the logs of `azulejos train --log`.
"""

import argparse
import json
import os
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import azulejos as az
from azulejos.arena.commands import write_json
from azulejos.arena.contest import Contest, Entrant
from azulejos.arena.match import run
from azulejos.arena.play import play
from azulejos.arena.report import summary
from azulejos.arena.workers import processes
from azulejos.baselines.policy import Network
from azulejos.core.game import Game
from azulejos.core.state import State
from azulejos.envs.opponents import PolicyPlayer
from azulejos.players import NO_LIMIT, PLAYERS, Choice, Limit, outside, register

VARIANTS = (("azul", 2), ("pavilion", 2), ("duel", 2), ("azul", 3), ("azul", 4), ("pavilion", 3), ("pavilion", 4))
OTHERS = ("random", "greedy", "beginner", "casual", "regular", "expert", "search@50", "search@200", "search@800")
WANTED = (8e6, 33e6, 134e6)  # steps after which a policy takes part, beside its end
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
    started, found = time.perf_counter(), []
    with processes(chosen.processes) as workers:
        for number, (name, players) in enumerate(wanted):
            game = variant(name, players)
            ends = started + chosen.seconds * (number + 1) / len(wanted)
            contest = Contest(game, entrants(game, chosen.others), chosen.games, 1)
            results = run(contest, workers, tell=lambda _, ends=ends: time.perf_counter() > ends)  # type: ignore[misc]
            figures = summary(results, contest)
            found.append({"game": name, "players": players, **figures})
            ratings = ", ".join(f"{one['name']} {one['rating']:.0f}" for one in figures["ratings"])
            print(f"{time.perf_counter() - started:.0f} s, {game}: {len(results)} games: {ratings}", flush=True)
            write_json(found, str(chosen.out))


def cell(rating: dict[str, Any]) -> str:
    return f"{rating['rating']:.0f} ± {(rating['high'] - rating['low']) / 2:.0f}"


def page(chosen: argparse.Namespace) -> None:
    found = json.loads(chosen.file.read_text(encoding="utf-8"))
    names = [name for name in OTHERS if any(name == one["name"] for table in found for one in table["ratings"])]
    print("| player | " + " | ".join(f"{az.make(one['game']).title}, {one['players']} players" for one in found) + " |")
    print("|---" * (len(found) + 1) + "|")
    columns = [{one["name"]: one for one in table["ratings"]} for table in found]
    for name in names:
        print(f"| `{name}` | " + " | ".join(cell(one[name]) if name in one else "" for one in columns) + " |")
    policies = [sorted((n for n in one if n.startswith("trained-")), key=_steps) for one in columns]
    for row in range(max(map(len, policies), default=0)):
        cells = [
            f"{names[row].removeprefix('trained-')}: {cell(one[names[row]])}" if row < len(names) else ""
            for names, one in zip(policies, columns, strict=True)
        ]
        print(f"| {'trained, after steps' if row == 0 else ''} | " + " | ".join(cells) + " |")
    for log in chosen.log:
        rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        print(
            f"\n{rows[0]['game']}, {rows[0]['players']} players\n\n"
            "| steps | seconds | random | greedy |\n|---|---|---|---|"
        )
        for one in rows:
            print(f"| {one['steps']:,} | {one['seconds']:.0f} | {one['random']:.1%} | {one['greedy']:.1%} |")


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
    playing.add_argument("--out", type=Path, required=True)
    playing.set_defaults(run=play_all)
    printing = commands.add_parser("page")
    printing.add_argument("file", type=Path)
    printing.add_argument("--log", type=Path, action="append", default=[])
    printing.set_defaults(run=page)
    chosen = parser.parse_args(arguments)
    chosen.run(chosen)


if __name__ == "__main__":
    main()
elif __name__ == "bench.baselines":  # a worker's
    bring()
