"""The commands `azulejos match`, `azulejos tournament` and `azulejos engine`."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from azulejos.core.errors import OptionError, ProgramError
from azulejos.core.game import Game
from azulejos.core.registry import registered, restore
from azulejos.players import PLAYERS, Limit, Program, engine, outside, player
from azulejos.players.signature import signature

from .contest import MOST_ROUNDS, Contest, read_entrants
from .match import run
from .play import play
from .plots import save
from .ratings import Sprt, Verdict, compare, rate
from .report import report, summary
from .result import Result
from .workers import Workers, cluster, processes

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
_ENTRANTS = f"""\
A player is {", ".join(PLAYERS)}, or a name given by --program. NAME@0.2s limits it to 0.2 seconds a choice, NAME@500
to 500 simulations; search:explore=1,threads=2 sets parameters of the search."""


def add(commands: Commands) -> None:
    """Add the arena's commands to the command line."""
    match = commands.add_parser("match", help="play a match between two players", description=_ENTRANTS)
    match.add_argument("game", metavar="GAME", help=", ".join(registered()))
    match.add_argument("entrants", nargs=2, metavar="PLAYER")
    match.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("LOW", "HIGH"),
        help="sequential test: stop when it is clear whether the first is stronger by HIGH Elo rather than by LOW",
    )
    _add_common(match)
    tournament = commands.add_parser(
        "tournament", help="play a match between every pair of players", description=_ENTRANTS
    )
    tournament.add_argument("game", metavar="GAME", help=", ".join(registered()))
    tournament.add_argument("entrants", nargs="+", metavar="PLAYER")
    tournament.set_defaults(sprt=None)
    _add_common(tournament)
    signing = commands.add_parser("signature", help="print a number that changes when the search changes")
    signing.add_argument("games", metavar="GAME", nargs="*", help=f"{', '.join(registered())} (default: all)")
    signing.set_defaults(run=_signature)
    serving = commands.add_parser("engine", help="run a player for other programs, over standard input and output")
    serving.add_argument("player", metavar="PLAYER", nargs="?", default="search", help=", ".join(PLAYERS))
    serving.add_argument("--seed", type=int)
    serving.set_defaults(run=_engine)


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a game that is named by the argument `game`."""
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; repeatable"
    )
    parser.add_argument("--players", metavar="N", help="the number of players: short for --option players=N")


def chosen_game(chosen: argparse.Namespace) -> Game:
    """The game with its options."""
    return _game(chosen.game, chosen.option, chosen.players)


def _add_common(parser: argparse.ArgumentParser) -> None:
    add_game_options(parser)
    parser.add_argument(
        "--games", type=int, default=100, help="games of each pair, rounded up to whole deals (default: 100)"
    )
    parser.add_argument("--time", type=float, metavar="SECONDS", help="time limit of each choice")
    parser.add_argument("--simulations", type=int, metavar="N", help="simulation limit of each choice")
    parser.add_argument("--seed", type=int, default=0, help="of the deals and the players (default: 0)")
    parser.add_argument(
        "--rounds",
        type=int,
        default=MOST_ROUNDS,
        help=f"cut a game off after N rounds (default: {MOST_ROUNDS})",
        metavar="N",
    )
    parser.add_argument("--program", action="append", default=[], metavar="NAME=COMMAND", help="an external player")
    parser.add_argument(
        "--results", type=Path, metavar="FILE", help="save results here; continue from those found there"
    )
    parser.add_argument("--records", type=Path, metavar="FOLDER", help="save the record of every game here")
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="draw ratings and scores here, as SVG")
    parser.add_argument("--json", metavar="FILE", help="write the report as JSON; - prints it instead of the report")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--processes", type=int, metavar="N", help="worker processes on this machine (default: one per core)"
    )
    where.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler whose workers play the games")
    parser.set_defaults(run=_contest)


def _contest(chosen: argparse.Namespace) -> int:
    contest = Contest(
        chosen_game(chosen),
        read_entrants(chosen.entrants, Limit(chosen.time, chosen.simulations), outside.read_programs(chosen.program)),
        chosen.games,
        chosen.seed,
        chosen.rounds,
    )
    sprt = Sprt(*chosen.sprt) if chosen.sprt else None
    if sprt and sprt.low >= sprt.high:
        raise OptionError("--sprt takes the lower difference first")
    with _workers(chosen) as workers, _Bar(contest, sprt) as bar:
        if not chosen.cluster:
            _try_programs(contest)
            play(Contest(contest.game, contest.entrants, 1, contest.seed, 1), 0)  # compiles once, before all begin
        results = run(contest, workers, chosen.results, chosen.records, bar.tell)
    console = Console(stderr=chosen.json == "-")
    if chosen.json != "-":
        console.print(report(results, contest, sprt))
    if chosen.plots:
        for path in save(chosen.plots, results, contest, rate(results, contest)):
            console.print(f"A picture is in {path}", highlight=False, soft_wrap=True)
    if chosen.json:
        write_json(summary(results, contest), chosen.json)
    return 0


def _try_programs(contest: Contest) -> None:
    """Start every program once: one that cannot start fails the whole contest, not game after game."""
    for entrant in contest.entrants:
        if entrant.command:
            program = Program(entrant.command)
            try:
                program.start(contest.game)
            except ProgramError as error:
                raise OptionError(f"{entrant.name}: {error}") from None
            finally:
                program.close()


def write_json(data: object, file: str) -> None:
    """Write data to a file and say so; - prints it, and nothing else."""
    text = json.dumps(data, indent=1)
    if file == "-":
        print(text)
    else:
        Path(file).write_text(text + "\n", encoding="utf-8")
        print(f"The figures are in {file}")


def _game(name: str, options: Sequence[str], players: str | None) -> Game:
    given = {"players": players} if players else {}
    for text in options:
        key, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"{text!r} is not NAME=VALUE")
        given[key] = value
    return restore(name, given)


@contextmanager
def _workers(chosen: argparse.Namespace) -> Iterator[Workers]:
    with cluster(chosen.cluster) if chosen.cluster else processes(chosen.processes) as workers:
        yield workers


class _Bar:
    """A progress bar that shows the interim result, and tells when the results are conclusive."""

    def __init__(self, contest: Contest, sprt: Sprt | None) -> None:
        self.contest = contest
        self.sprt = sprt
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        total = len(list(contest.numbers()))
        self.task = self.progress.add_task(" – ".join(entrant.name for entrant in contest.entrants), total=total)

    def __enter__(self) -> "_Bar":
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()

    def tell(self, results: list[Result]) -> bool:
        self.progress.update(self.task, completed=len(results))
        if len(self.contest.entrants) == 2:
            found = compare(results, self.contest)
            names = [entrant.name for entrant in self.contest.entrants]
            self.progress.update(self.task, description=f"{names[0]} {100 * found.points:.1f} % – {names[1]}")
        return bool(self.sprt and self.sprt.verdict(results, self.contest) is not Verdict.OPEN)


def _signature(chosen: argparse.Namespace) -> int:
    for name in chosen.games or registered():
        print(f"{name} {signature(_game(name, (), None)):08x}")
    return 0


def _engine(chosen: argparse.Namespace) -> int:
    def write(line: str) -> None:
        print(line, flush=True)

    engine.serve(player(chosen.player)(chosen.seed), chosen.player, sys.stdin, write)
    return 0
