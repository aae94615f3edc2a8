"""The commands `azulejos train` and `azulejos dataset`."""

import argparse
import json
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from azulejos.arena.commands import Commands, add_game_options, chosen_game
from azulejos.arena.workers import processes
from azulejos.core.errors import OptionError

from . import dataset


def add(commands: Commands) -> None:
    training = commands.add_parser(
        "train",
        help="train a policy by self-play, and measure it",
        description="Train a policy by self-play (PPO) and measure it against random and greedy. Needs PyTorch: "
        "pip install 'azulejos[train]'.",
    )
    training.add_argument("game", metavar="GAME")
    add_game_options(training)
    training.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    training.add_argument("--steps", type=int, metavar="N", help="of training (default: 4 million, cuda: 2 billion)")
    training.add_argument("--seconds", type=float, metavar="S", help="of training at most, measuring not counted")
    training.add_argument("--within", type=float, metavar="S", help="seconds in all, compiling and measuring included")
    training.add_argument("--parallel", type=int, metavar="N", help="games at once (default: 256, cuda: 65,536)")
    training.add_argument("--measured", type=int, default=1000, metavar="N", help="games against each (default: 1000)")
    training.add_argument("--seed", type=int, default=0)
    training.add_argument("--out", type=Path, metavar="FILE", help="where the weights go, as .npz")
    training.add_argument("--checkpoints", type=Path, metavar="FOLDER", help="for the weights at each measurement")
    training.add_argument("--log", type=Path, metavar="FILE", help="append each measurement as a line of JSON")
    training.add_argument(
        "--turn", type=Path, metavar="FILE", help="a lock: several trainings compile at once, but train in turn"
    )
    training.set_defaults(run=_train)

    making = commands.add_parser(
        "dataset",
        help="play games of the search with its visits and values, as one file of columns",
        description="Make a dataset. An interrupted run is continued by the same command.",
    )
    making.add_argument("game", metavar="GAME")
    add_game_options(making)
    making.add_argument("--games", type=int, default=10_000, metavar="N", help="how many (default: 10,000)")
    making.add_argument("--simulations", type=int, default=200, metavar="N", help="of each choice (default: 200)")
    making.add_argument("--seed", type=int, default=1, help="of the deals and the searches (default: 1)")
    making.add_argument("--out", type=Path, required=True, metavar="FILE", help="an .npz file")
    making.add_argument("--records", type=Path, metavar="FOLDER", help="save the record of every game here too")
    where = making.add_mutually_exclusive_group()
    where.add_argument("--processes", type=int, metavar="N", help="on this machine (default: one per core)")
    where.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda: all games at once on a GPU")
    making.set_defaults(run=_dataset)


def _train(chosen: argparse.Namespace) -> int:
    started = time.perf_counter()
    try:
        from . import ppo
    except ImportError as error:
        raise OptionError(str(error)) from None
    game = chosen_game(chosen)
    plan = ppo.PLANS[chosen.device]
    plan = replace(
        plan,
        games=chosen.parallel or plan.games,
        most_steps=chosen.steps or plan.most_steps,
        most_seconds=chosen.seconds or math.inf,
    )
    if chosen.checkpoints:
        chosen.checkpoints.mkdir(parents=True, exist_ok=True)

    def tell(figures: dict[str, Any], learner: ppo.Learner) -> None:
        wins = ", ".join(f"wins {figures[name]:.1%} against {name}" for name in ppo.OPPONENTS)
        print(f"{figures['steps']:>13,} steps, {figures['seconds']:6.1f} s: {wins}", flush=True)
        if chosen.checkpoints and figures["steps"]:
            learner.network(**figures).save(chosen.checkpoints / f"{game.name}-{game.players}-{figures['steps']}.npz")
        if chosen.log:
            with chosen.log.open("a", encoding="utf-8") as log:
                log.write(json.dumps({"game": game.name, "players": game.players, **figures}) + "\n")
        if chosen.out:
            learner.network(**figures, seed=chosen.seed).save(chosen.out)

    ends = started + chosen.within if chosen.within else math.inf
    turn = _turn(chosen.turn) if chosen.turn else None
    ppo.train(game, chosen.device, plan, chosen.seed, tell, chosen.measured, ends, turn)
    if chosen.out:
        print(f"The weights are in {chosen.out}")
    return 0


@contextmanager
def _turn(file: Path) -> Iterator[None]:
    """Wait until no other process has its turn by this file."""
    import fcntl  # not on Windows

    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _dataset(chosen: argparse.Namespace) -> int:
    game = chosen_game(chosen)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with (
        nullcontext() if chosen.device == "cuda" else processes(chosen.processes) as workers,
        Progress(*columns, console=console) as bar,
    ):
        task = bar.add_task(f"games of {game.name}", total=chosen.games)
        dataset.make(
            game,
            chosen.games,
            chosen.simulations,
            chosen.seed,
            chosen.out,
            chosen.device,
            workers,
            lambda made: bar.update(task, completed=made),
        )
    data = dataset.load(chosen.out)
    print(f"{len(data['deals']):,} games with {len(data['games']):,} choices are in {chosen.out}")
    if chosen.records:
        chosen.records.mkdir(parents=True, exist_ok=True)
        for number, record in enumerate(dataset.records(data)):
            (chosen.records / f"{game.name}-{number:06}.txt").write_text(str(record), encoding="utf-8")
    return 0
