"""All figures about the players in docs/players.md, in one go: matches, ratings of the levels, speed, time kept.

    python bench/strength.py strength-results --processes 15   # hours on a few cores; interrupted, it goes on
    python bench/strength.py strength-results --quick          # minutes: fewer games, to see that all is in order
    python bench/strength.py strength-results --only azul-greedy --only duel- --until 500

Every match keeps its results in the folder, so that the script can be stopped and started again. The most important
questions come first; those of one kind are played side by side, so that whenever it is stopped all of them have had
the same share of their games. At the end the folder holds `figures.md` with all tables, and `ratings-*.svg` and
`scores-*.svg` with the pictures.
"""

import argparse
import json
import math
import multiprocessing
import shlex
import statistics
import sys
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import azulejos as az
from azulejos.arena import Contest, Entrant, compare, rate
from azulejos.arena.play import play
from azulejos.arena.plots import save
from azulejos.arena.report import entrant_rows, say_elo
from azulejos.arena.result import Result, ResultsFile, load
from azulejos.core.game import Game
from azulejos.core.registry import make
from azulejos.players import LEVELS, Limit, Search


@dataclass(frozen=True)
class Question:
    """A contest, and what it is to show. Questions of a lower rank are played first."""

    rank: int
    name: str
    about: str
    contest: Contest


def ask(rank: int, name: str, about: str, game: Game, entrants: Sequence[str], games: int) -> Question:
    alpha_beta = f"{shlex.quote(sys.executable)} {shlex.quote(str(Path(__file__).with_name('alphabeta.py')))}"
    programs = {"alphabeta": alpha_beta, "alphabeta-judged": f"{alpha_beta} --judged"}
    return Question(
        rank, name, about, Contest(game, tuple(Entrant.read(text, None, programs) for text in entrants), games)
    )


def variants() -> dict[str, Game]:
    """For two: the three games, and the second variant of two of them."""
    return {
        "azul": make("azul"),
        "azul-grey": make("azul", wall="grey"),
        "pavilion": make("pavilion"),
        "pavilion-plain": make("pavilion", side="plain"),
        "duel": make("duel"),
    }


def questions(quick: bool) -> list[Question]:
    def games(wanted: int) -> int:
        return -(-wanted // 50) if quick else wanted

    found = []
    for name, game in variants().items():
        found.append(ask(0, f"{name}-greedy", "search against greedy", game, ("search@0.1s", "greedy"), games(400)))
    for name in ("azul", "pavilion", "duel"):
        for less, more in (("0.05s", "0.2s"), ("0.2s", "0.8s")):
            both, many = (f"search@{more}", f"search@{less}"), games(400 if name == "azul" else 100)
            found.append(ask(1, f"{name}-{more}-{less}", f"{more} against {less}", variants()[name], both, many))
    for mark in ("alphabeta", "alphabeta-judged"):
        both = ("search@0.1s", mark)
        found.append(ask(2, f"azul-{mark}", "alpha-beta of 256,000 nodes", variants()["azul"], both, games(50)))
    for name in ("azul", "pavilion"):
        for players in (3, 4):
            game, about = make(name, players=players), f"the same order for {players} players"
            some = ("search@0.1s", "search@0.01s", "greedy")
            found.append(ask(2, f"{name}-{players}-players", about, game, some, games(30)))
    for name in ("azul", "pavilion", "duel"):
        everyone = ("random", "greedy", *(level.name for level in LEVELS))
        found.append(ask(3, f"{name}-levels", "the levels", variants()[name], everyone, games(30)))
    return found


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


def play_all(asked: Sequence[Question], folder: Path, at_once: int, end: float) -> None:
    """Play what has not been played yet, until a point in time (of `monotonic`)."""
    files = {question.name: ResultsFile(folder / f"{question.name}.jsonl", question.contest) for question in asked}
    to_do: list[tuple[int, float, int, Question]] = []
    for question in asked:
        numbers = list(question.contest.numbers())
        for number in numbers:
            if number not in files[question.name].results:
                deal = number - number % question.contest.games_a_deal
                to_do.append((question.rank, deal / len(numbers), number, question))
    to_do.sort(key=lambda game: game[:3], reverse=True)
    total, played = len(to_do), 0
    with ProcessPoolExecutor(at_once, multiprocessing.get_context("spawn")) as pool:
        under_way: dict[Future[tuple[Result, str]], str] = {}
        while under_way or (to_do and time.monotonic() < end):
            while to_do and len(under_way) < at_once + 1 and time.monotonic() < end:
                *_, number, question = to_do.pop()
                under_way[pool.submit(play, question.contest, number)] = question.name
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                name = under_way.pop(future)
                files[name].add(future.result()[0])
                played += 1
                if played % 50 == 0:
                    print(f"{played} of {total} games, the last of {name}", flush=True)


def answer(question: Question, folder: Path) -> list[str]:
    """The results so far as lines of Markdown."""
    contest = question.contest
    _, results = load(folder / f"{question.name}.jsonl")
    lines = [f"### {contest.game.title}: {question.about} ({question.name})", ""]
    if not results:
        return [*lines, "No game has been played.", ""]
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
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="questions whose name begins with this; again for more"
    )
    parser.add_argument("--processes", type=int, default=1, help="games at once (fewer than cores, for honest times)")
    parser.add_argument("--until", type=float, default=math.inf, metavar="SECONDS", help="begin no game after these")
    chosen = parser.parse_args()
    end = time.monotonic() + chosen.until
    asked = [q for q in questions(chosen.quick) if not chosen.only or q.name.startswith(tuple(chosen.only))]
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for question in asked:  # compiled once, before many processes need it
        question.contest.game.compile()
        hasty = tuple(replace(entrant, limit=Limit(simulations=1)) for entrant in question.contest.entrants[:2])
        play(replace(question.contest, entrants=hasty, most_rounds=1), 0)
    speeds = chosen.folder / "speed.json"
    if not speeds.exists():
        measured = {name: speed(game, 0.01) for name, game in variants().items()}
        speeds.write_text(json.dumps(measured, indent=1) + "\n")
    play_all(asked, chosen.folder, chosen.processes, end)
    lines = [f"# Figures of azulejos {az.__version__}", "", "| game | simulations a second, one core |", "|---|---|"]
    lines += [f"| {name} | {rate_:,.0f} |" for name, rate_ in json.loads(speeds.read_text()).items()]
    lines.append("")
    for question in asked:
        lines += answer(question, chosen.folder)
    (chosen.folder / "figures.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
