"""All figures about the players in docs/players.md, in one go: matches, ratings of the levels, speed, time kept.

    python bench/strength.py strength-results            # hours, on a quiet machine; interrupted, it goes on
    python bench/strength.py strength-results --quick    # minutes: fewer games, to see that all is in order

Every match keeps its results in the folder, so that the script can be stopped and started again. At the end the
folder holds `figures.md` with all tables and `ratings-*.svg` with the pictures.
"""

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import azulejos as az
from azulejos.arena import Contest, Entrant, compare, rate, run
from azulejos.arena.plots import save
from azulejos.arena.report import entrant_rows, say_elo
from azulejos.arena.workers import processes
from azulejos.core.game import Game
from azulejos.core.registry import make
from azulejos.players import LEVELS, Limit, Search


@dataclass(frozen=True)
class Question:
    """A contest, and what it is to show."""

    name: str
    about: str
    game: Game
    entrants: tuple[str, ...]
    games: int


def variants() -> dict[str, Game]:
    """For two: the three games, and the second variant of two of them."""
    return {
        "azul": make("azul"),
        "azul-grey": make("azul", wall="grey"),
        "pavilion": make("pavilion"),
        "pavilion-plain": make("pavilion", side="plain"),
        "duel": make("duel"),
    }


def questions(quick: bool) -> Iterator[Question]:
    many, some = (8, 4) if quick else (400, 200)
    for name, game in variants().items():
        yield Question(f"{name}-greedy", "search against greedy, 0.1 s", game, ("search@0.1s", "greedy"), many)
    for name in ("azul", "pavilion", "duel"):
        game = variants()[name]
        for less, more in (("0.05s", "0.2s"), ("0.2s", "0.8s")):
            both = (f"search@{more}", f"search@{less}")
            yield Question(f"{name}-{more}-{less}", f"{more} against {less}", game, both, some)
    for name in ("azul", "pavilion"):
        for players in (3, 4):
            game = make(name, players=players)
            about = f"the same order for {players} players"
            four = ("search@0.1s", "search@0.02s", "greedy", "random")
            yield Question(f"{name}-{players}-players", about, game, four, 6 if quick else 60)
    for name in ("azul", "pavilion", "duel"):
        all_of_them = ("random", "greedy", *(level.name for level in LEVELS))
        yield Question(f"{name}-levels", "the levels", variants()[name], all_of_them, 4 if quick else 100)


def speed(game: Game, seconds: float) -> float:
    """Simulations a second over the positions of a game, on one core."""
    state, player, rates = game.start(seed=1), Search(1), []
    while state.seat is not None:
        started = time.perf_counter()
        choice = player.choose(state.view(state.seat), Limit(time=seconds))
        if len(state.actions) > 1:
            rates.append(choice.simulations / (time.perf_counter() - started))
        state = state.play(choice.action)
    return statistics.median(rates)


def answer(question: Question, folder: Path, at_once: int) -> list[str]:
    """Play what has not been played yet; the result as lines of Markdown."""
    contest = Contest(question.game, tuple(map(Entrant.read, question.entrants)), question.games)
    with processes(at_once) as workers:
        results = run(contest, workers, folder / f"{question.name}.jsonl")
    lines = [f"### {question.game.title}: {question.about} ({question.name})", ""]
    lines += ["| | against | games | points | Elo | cut off | failed |", "|---|---|---|---|---|---|---|"]
    for pair in contest.pairs:
        found = compare(results, contest, pair)
        names = [contest.entrants[who].name for who in pair]
        points = f"{100 * found.points:.1f} % [{100 * found.low:.1f}, {100 * found.high:.1f}]"
        lines.append(
            f"| {names[0]} | {names[1]} | {found.games} | {points} | {say_elo(found)} | {found.cut_off} |"
            f" {found.failed} |"
        )
    lines += ["", "| | rating | mean score | ms a choice | 99 % under | simulations/s |", "|---|---|---|---|---|---|"]
    rows: dict[str, dict[str, Any]] = {row["name"]: row for row in entrant_rows(results, contest)}
    ratings = rate(results, contest)
    for rating in ratings:
        row = rows[rating.name]
        lines.append(
            f"| {rating.name} | {rating.rating:.0f} [{rating.low:.0f}, {rating.high:.0f}] | {row['score']:.1f} |"
            f" {1000 * row['time_median']:.1f} | {1000 * row['time_99']:.1f} | {row['simulations_a_second']:,.0f} |"
        )
    if len(contest.entrants) > 2:
        for path in save(folder, results, contest, ratings):
            path.rename(folder / f"{path.stem}-{question.name}.svg")
    return [*lines, ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="", help="questions whose name begins with this")
    parser.add_argument("--processes", type=int, default=1, help="games at once; times are honest with one (default)")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    lines = [f"# Figures of azulejos {az.__version__}", ""]
    speeds = chosen.folder / "speed.json"
    if not speeds.exists():
        measured = {name: speed(game, 0.02 if chosen.quick else 0.2) for name, game in variants().items()}
        speeds.write_text(json.dumps(measured, indent=1) + "\n")
    lines += ["| game | simulations a second, one core |", "|---|---|"]
    lines += [f"| {name} | {rate_:,.0f} |" for name, rate_ in json.loads(speeds.read_text()).items()]
    lines.append("")
    for question in questions(chosen.quick):
        if question.name.startswith(chosen.only):
            started = time.monotonic()
            lines += answer(question, chosen.folder, chosen.processes)
            print(f"{question.name}: {time.monotonic() - started:.0f} s", flush=True)
            (chosen.folder / "figures.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
