"""Do reviews order players by strength, and does luck average 0? Levels play each other; every game is reviewed.

    python bench/review_levels.py FOLDER [--games 20] [--simulations 2000]

Games and reviews are kept in FOLDER, so that it can be stopped and run again.
"""

import argparse
import json
import math
from itertools import combinations
from pathlib import Path

from rich.console import Console
from rich.progress import track

import azulejos as az
from azulejos.arena.workers import processes
from azulejos.players import LEVELS, player
from azulejos.review import review
from azulejos.review.data import as_data
from azulejos.review.evaluating import USUAL

NAMES = [level.name for level in LEVELS]


def play_and_review(name: str, pair: tuple[str, str], number: int, simulations: int, file: str) -> None:
    """One game of two levels, the seats exchanged in every second game of the same deal; its review as a file."""
    seats = pair if number % 2 == 0 else pair[::-1]
    record = az.Record(az.make(name).start(seed=number // 2), names=seats)
    chairs = [player(level)(1000 * number + seat) for seat, level in enumerate(seats)]
    while not record.state.over:
        seat = record.state.seat
        assert seat is not None
        record.play(chairs[seat].choose(record.state.view(seat)).action)
    found = review(record, USUAL.scaled(simulations), seed=number)
    Path(file).write_text(json.dumps(as_data(found)), encoding="utf-8")


def interval(values: list[float]) -> str:
    """The mean and its 95 % interval, in percent."""
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1) / len(values))
    return f"{100 * mean:5.2f} ± {196 * spread:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=20, help="of each pair of levels")
    parser.add_argument("--simulations", type=int, default=2_000)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    console = Console()
    for name in ("azul", "pavilion", "duel"):
        jobs = {
            chosen.folder / f"{name}-{'-'.join(pair)}-{number}-{chosen.simulations}.json": (pair, number)
            for number in range(chosen.games)
            for pair in combinations(NAMES, 2)
        }
        with processes() as workers:
            under_way = [
                workers.submit(play_and_review, name, pair, number, chosen.simulations, str(file))
                for file, (pair, number) in jobs.items()
                if not file.exists()
            ]
            for job in track(under_way, name, console=Console(stderr=True)):
                job.result()
        report(name, [json.loads(file.read_text(encoding="utf-8")) for file in jobs], console)


def report(name: str, reviews: list[dict[str, object]], console: Console) -> None:
    rates: dict[str, list[float]] = {level: [] for level in NAMES}
    accuracies: dict[str, list[float]] = {level: [] for level in NAMES}
    luck, off = [], []
    for found in reviews:
        summaries: list[dict[str, float]] = found["summaries"]  # type: ignore[assignment]
        names: list[str] = found["names"]  # type: ignore[assignment]
        start: list[float] = found["start"]  # type: ignore[assignment]
        for seat, level in enumerate(names):
            rates[level].append(summaries[seat]["error_rate"])
            accuracies[level].append(summaries[seat]["accuracy"] / 100)
        luck.append(summaries[0]["luck"])
        off.append(summaries[0]["result"] - start[0] - summaries[0]["luck"] - summaries[0]["skill"])
    console.print(f"\n{name}: {len(reviews)} games", highlight=False)
    for level in NAMES:
        console.print(
            f"  {level:10} error rate {interval(rates[level])} %   accuracy {interval(accuracies[level])} %",
            highlight=False,
        )
    console.print(f"  luck of seat 0 a game {interval(luck)} %; does not add up by {max(map(abs, off)):.4f}")


if __name__ == "__main__":
    main()
