"""How far a review's figures can be trusted: all of docs/review.md, in one go.

    python bench/review_levels.py FOLDER            # about an hour and a half on one core; interrupted, it goes on
    python bench/review_levels.py FOLDER --report   # what is known so far

luck: 200 games of equal players in each game; only their draws are reviewed. noise: the same games reviewed with more
and more thought, and with another seed. levels: every pair of levels plays; every game is reviewed. Games are played
round by round, so that whenever it is stopped all pairs have had the same share.
"""

import argparse
import json
import math
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import azulejos as az
from azulejos.arena.workers import processes
from azulejos.players import LEVELS, Limit, player
from azulejos.review import Evaluator, Work, review
from azulejos.review.data import as_data
from azulejos.review.evaluating import USUAL
from azulejos.review.reviewing import DECIDED, FORGIVING

GAMES = ("azul", "pavilion", "duel")
NAMES = [level.name for level in LEVELS]
THOUGHTS = (1_250, 2_500, 5_000, 10_000)  # simulations, for noise
MOST = 10_000  # simulations of a level, so that the master does not think much longer than its reviewer
SIMULATIONS = 5_000  # of a review of levels
GLANCE = 250  # simulations of the search of each deal, for luck
DIFFERENT = 77  # the seed of a review whose samples are not those of another


def play(name: str, seats: tuple[str, str], deal: int, seed: int) -> az.Record:
    record = az.Record(az.make(name).start(seed=deal), names=seats)
    chairs = [player(level)(seed + seat) for seat, level in enumerate(seats)]
    while not record.state.over:
        seat = record.state.seat
        assert seat is not None
        record.play(chairs[seat].choose(record.state.view(seat), Limit(simulations=MOST)).action)
    return record


def luck(name: str, number: int) -> Any:
    """The luck of seat 0 in a game of equal players."""
    record = play(name, ("regular", "regular"), 10_000 + number, 100_000 + 10 * number)
    work = Work(record, replace(USUAL, glance=GLANCE), DIFFERENT + 1000 * number)
    places = ((k, work.waiting(k)) for k in range(-1, len(work.actions)))
    return [work.luck(k, waiting)[0] for k, waiting in places if waiting is not None and waiting.awaits_draw]


def noise(name: str, number: int, simulations: int, seed: int) -> Any:
    """A game between a casual player and an expert, reviewed with some thought."""
    record = play(name, ("casual", "expert"), 20_000 + number, 200_000 + 10 * number)
    return as_data(review(record, replace(USUAL.scaled(simulations), rollouts=1), seed=seed))


def levels(name: str, pair: tuple[str, str], number: int) -> Any:
    """A game of two levels, the seats exchanged in every second game of the same deal."""
    seats = pair if number % 2 == 0 else (pair[1], pair[0])
    record = play(name, seats, number // 2, 1000 * number)
    return as_data(review(record, replace(USUAL.scaled(SIMULATIONS), rollouts=1), seed=DIFFERENT + number))


Job = tuple[str, Callable[..., Any], tuple[Any, ...]]


def jobs(equal: int, rounds: int) -> Iterator[Job]:
    """The name of a file, and what is written there."""
    for number in range(equal):
        for name in GAMES:
            yield f"luck-{name}-{number}", luck, (name, number)
    for number in range(rounds):
        for name in GAMES:
            for pair in pairwise(NAMES):
                yield f"levels-{name}-{'-'.join(pair)}-{number}", levels, (name, pair, number)
        if number % 4 == 3:
            for name in GAMES:
                for simulations in THOUGHTS:
                    yield f"noise-{name}-{number}-{simulations}", noise, (name, number, simulations, 0)
                yield f"noise-{name}-{number}-seed", noise, (name, number, USUAL.simulations, DIFFERENT)
    for number in range(rounds):
        for name in GAMES:
            for pair in set(combinations(NAMES, 2)) - set(pairwise(NAMES)):
                yield f"levels-{name}-{'-'.join(pair)}-{number}", levels, (name, pair, number)


def run(file: Path, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    found = json.dumps(function(*arguments))
    file.write_text(found, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--equal", type=int, default=200, help="games of equal players, for luck")
    parser.add_argument("--rounds", type=int, default=10, help="games of each pair of levels")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", default="", help="what the name of a job begins with, such as levels-azul")
    parser.add_argument("--report", action="store_true", help="only print what is known")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if not chosen.report:
        for name in GAMES:
            Evaluator(az.make(name), USUAL, 0).compile()
        wanted = (job for job in jobs(chosen.equal, chosen.rounds) if job[0].startswith(chosen.only))
        asked = [job for job in wanted if not (chosen.folder / f"{job[0]}.json").exists()]
        with processes(chosen.processes) as workers:
            waiting = [
                (name, workers.submit(run, chosen.folder / f"{name}.json", function, arguments))
                for name, function, arguments in asked
            ]
            for done, (name, job) in enumerate(waiting, 1):
                job.result()
                print(f"{done} of {len(waiting)}: {name}", file=sys.stderr, flush=True)
    for name in GAMES:
        print(f"\n{name}")
        report(name, chosen.folder)


# --- what was found ---


def interval(values: list[float]) -> str:
    """The mean and its 95 % interval, in percent."""
    spread = statistics.stdev(values) / math.sqrt(len(values))
    return f"{100 * statistics.fmean(values):.2f} ± {196 * spread:.2f} %"


def read(folder: Path, pattern: str) -> dict[str, Any]:
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob(f"{pattern}.json"))}


def report(name: str, folder: Path) -> None:
    lucks = [sum(draws) for draws in read(folder, f"luck-{name}-*").values()]
    if len(lucks) > 1:
        print(f"  luck of {len(lucks)} games of equal players: {interval(lucks)} a game,", end=" ")
        print(f"standard deviation {100 * statistics.stdev(lucks):.1f} %")
    report_noise(read(folder, f"noise-{name}-*"))
    report_levels(read(folder, f"levels-{name}-*"))


def figures(found: Any, seat: int) -> dict[str, float]:
    """Error rate, accuracy and luck of a seat, from the decisions that count."""
    chances = [
        (one["before"][seat], one["after"][seat])
        for one in found["decisions"]
        if one["seat"] == seat and not one["forced"]
    ]
    losses = [best - played for best, played in chances if best > DECIDED and played < 1 - DECIDED]
    return {
        "error rate": statistics.fmean(losses) if losses else 0.0,
        "accuracy": statistics.fmean(math.exp(-loss / FORGIVING) for loss in losses) if losses else 1.0,
        "luck": found["summaries"][seat]["luck"],
    }


def report_noise(found: dict[str, Any]) -> None:
    """How far the figures of a seat are from those of the most thought, in the mean over games and seats."""
    games = {stem.rsplit("-", 1)[0] for stem in found if stem.endswith("-seed")}
    for thought in (*map(str, THOUGHTS[:-1]), "seed"):
        pairs = [
            (figures(found[f"{game}-{thought}"], seat), figures(found[f"{game}-{THOUGHTS[-1]}"], seat))
            for game in games
            for seat in range(2)
        ]
        for key in ("error rate", "accuracy", "luck") if pairs else ():
            mean, other = (statistics.fmean(pair[k][key] for pair in pairs) for k in range(2))
            off = statistics.fmean(abs(one[key] - more[key]) for one, more in pairs)
            print(
                f"  {len(games)} games, {thought:>5} against {THOUGHTS[-1]}: {key} {100 * mean:.2f} % against",
                f"{100 * other:.2f} %, apart by {100 * off:.2f} %",
            )


def report_levels(found: dict[str, Any]) -> None:
    levels_of: dict[str, list[dict[str, float]]] = {level: [] for level in NAMES}
    apart: dict[tuple[str, str], list[float]] = {pair: [] for pair in pairwise(NAMES)}
    for one in found.values():
        both = {level: figures(one, seat) for seat, level in enumerate(one["names"])}
        for level, numbers in both.items():
            levels_of[level].append(numbers)
        for low, high in apart:
            if both.keys() == {low, high}:
                apart[low, high].append(both[low]["error rate"] - both[high]["error rate"])
    if len(found) < 2 * len(NAMES):
        return
    off = [
        abs(summary["result"] - start - summary["luck"] - summary["skill"])
        for one in found.values()
        for summary, start in zip(one["summaries"], one["start"], strict=True)
    ]
    print(f"  {len(found)} games of levels; result less start, luck and skill: {max(off):.4f} at most")
    for level, numbers in levels_of.items():
        rate, accuracy = (interval([one[key] for one in numbers]) for key in ("error rate", "accuracy"))
        print(f"  {level:10} {len(numbers):3} games: error rate {rate}, accuracy {accuracy}")
    for (low, high), values in apart.items():
        print(f"  {low} gives away more than {high} in {len(values)} games between them: {interval(values)}")


if __name__ == "__main__":
    main()
