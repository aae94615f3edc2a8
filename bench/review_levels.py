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


def jobs(rounds: int) -> Iterator[Job]:
    """The name of a file, and what is written there."""
    for number in range(200):
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
    parser.add_argument("--rounds", type=int, default=10, help="games of each pair of levels")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", default="", help="what the name of a job begins with, such as levels-azul")
    parser.add_argument("--report", action="store_true", help="only print what is known")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if not chosen.report:
        for name in GAMES:
            Evaluator(az.make(name), USUAL, 0).compile()
        wanted = (job for job in jobs(chosen.rounds) if job[0].startswith(chosen.only))
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


def report_noise(found: dict[str, Any]) -> None:
    """How far the figures of a seat are from those of the most thought, in the mean over games and seats."""
    numbers = {stem.rsplit("-", 1)[0] for stem in found if stem.endswith("-seed")}
    for thought in (*map(str, THOUGHTS), "seed"):
        against = str(USUAL.simulations if thought == "seed" else THOUGHTS[-1])
        pairs = [
            (one, other)
            for stem in numbers
            for one, other in zip(
                found[f"{stem}-{thought}"]["summaries"], found[f"{stem}-{against}"]["summaries"], strict=True
            )
        ]
        if pairs:
            off = {key: statistics.fmean(abs(one[key] - other[key]) for one, other in pairs) for key in FIGURES}
            mean = statistics.fmean(one["error_rate"] for one, _ in pairs)
            print(
                f"  {thought:>6} against {against}: error rate {100 * mean:.2f} %,",
                f"off by {100 * off['error_rate']:.2f} %; accuracy off by {off['accuracy']:.1f},",
                f"luck by {100 * off['luck']:.1f} %",
            )


FIGURES = ("error_rate", "accuracy", "luck")


def report_levels(found: dict[str, Any]) -> None:
    rates: dict[str, list[float]] = {level: [] for level in NAMES}
    accuracies: dict[str, list[float]] = {level: [] for level in NAMES}
    lucks, off = [], []
    for one in found.values():
        for seat, level in enumerate(one["names"]):
            rates[level].append(one["summaries"][seat]["error_rate"])
            accuracies[level].append(one["summaries"][seat]["accuracy"] / 100)
        summary = one["summaries"][0]
        lucks.append(summary["luck"])
        off.append(abs(summary["result"] - one["start"][0] - summary["luck"] - summary["skill"]))
    if len(found) < 20:
        return
    print(f"  {len(found)} games of levels, luck of the first seat {interval(lucks)}, off by {max(off):.4f} at most")
    for level in NAMES:
        print(f"  {level:10} error rate {interval(rates[level])}   accuracy {interval(accuracies[level])}")
    for low, high in pairwise(NAMES):
        apart = statistics.fmean(rates[low]) - statistics.fmean(rates[high])
        spread = math.hypot(*(statistics.stdev(rates[one]) / math.sqrt(len(rates[one])) for one in (low, high)))
        print(f"  {high} below {low} by {100 * apart:.2f} ± {196 * spread:.2f} %")


if __name__ == "__main__":
    main()
