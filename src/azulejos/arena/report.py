"""Results as tables for the terminal, and as data."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .contest import Contest
from .ratings import Comparison, Rating, Sprt, Verdict, compare, rate
from .result import CUT_OFF, FAILED, Result


def say_elo(comparison: Comparison) -> str:
    """The Elo difference with its interval, if finite."""
    middle, low, high = comparison.elo
    if math.isinf(middle):
        return f"> {low:+.0f}" if middle > 0 else f"< {high:+.0f}"
    upper = "∞" if math.isinf(high) else f"{high:+.0f}"
    lower = "−∞" if math.isinf(low) else f"{low:+.0f}"
    return f"{middle:+.0f} [{lower}, {upper}]"


def pair_table(results: Sequence[Result], contest: Contest) -> Table:
    """A row for each pair: points of the first against the second."""
    table = Table(title="Points of one against the other, with 95 % intervals")
    table.add_column("")
    table.add_column("against")
    for name in ("games", "won tied lost", "points", "Elo"):
        table.add_column(name, justify="right")
    for pair in contest.pairs:
        found = compare(results, contest, pair)
        table.add_row(
            contest.entrants[pair[0]].name,
            contest.entrants[pair[1]].name,
            str(found.games),
            f"{found.wins} {found.draws} {found.losses}",
            f"{100 * found.points:.1f} % [{100 * found.low:.1f}, {100 * found.high:.1f}]",
            say_elo(found),
        )
    return table


def entrant_rows(results: Sequence[Result], contest: Contest) -> list[dict[str, Any]]:
    """Of each entrant: mean score, failures, seconds a choice (median and 99th percentile), simulations a second."""
    rows: list[dict[str, Any]] = []
    for who, entrant in enumerate(contest.entrants):
        times: list[float] = []
        scores: list[int] = []
        simulations = 0
        for result in results:
            for seat, sitting in enumerate(result.seats):
                if sitting == who:
                    times += result.times[seat]
                    simulations += result.simulations[seat]
                    if result.ended != CUT_OFF:
                        scores.append(result.scores[seat])
        spent = sum(times)
        rows.append(
            {
                "name": entrant.name,
                "score": float(np.mean(scores)) if scores else math.nan,
                "time_limit": entrant.limit.time,
                "time_median": float(np.quantile(times, 0.5)) if times else math.nan,
                "time_99": float(np.quantile(times, 0.99)) if times else math.nan,
                "choices": len(times),
                "simulations_a_second": simulations / spent if spent else 0.0,
                "failures": sum(
                    result.ended == FAILED and result.reason.startswith(f"{entrant.name} failed") for result in results
                ),
            }
        )
    return rows


def _say(number: float) -> str:
    return "–" if math.isnan(number) else f"{number:.1f}"


def entrant_table(results: Sequence[Result], contest: Contest, ratings: Sequence[Rating]) -> Table:
    """A row for each entrant, the strongest first."""
    table = Table(title="Entrants")
    table.add_column("")
    for name in ("Elo", "score", "ms a\nchoice", "99 %\nunder", "simulations\na second", "failed"):
        table.add_column(name, justify="right", no_wrap=True)
    rows = {row["name"]: row for row in entrant_rows(results, contest)}
    for rating in ratings:
        row = rows[rating.name]
        table.add_row(
            rating.name,
            f"{rating.rating:.0f} [{rating.low:.0f}, {rating.high:.0f}]",
            _say(row["score"]),
            _say(1000 * row["time_median"]),
            _say(1000 * row["time_99"]),
            f"{row['simulations_a_second']:,.0f}",
            str(row["failures"]),
        )
    return table


def say_sprt(results: Sequence[Result], contest: Contest, sprt: Sprt) -> str:
    names = [entrant.name for entrant in contest.entrants]
    question = f"Is {names[0]} stronger than {names[1]} (by {sprt.high:g} Elo rather than {sprt.low:g})?"
    answers = {
        Verdict.STRONGER: "Yes.",
        Verdict.NOT_STRONGER: "No.",
        Verdict.OPEN: "These games do not say.",
    }
    return f"{question} {answers[sprt.verdict(results, contest)]}"


def report(results: Sequence[Result], contest: Contest, sprt: Sprt | None = None) -> RenderableType:
    """Everything about a contest, for the terminal."""
    if not results:
        return Text("No game has been played.")
    cut = sum(result.ended == CUT_OFF for result in results)
    parts: list[RenderableType] = [
        pair_table(results, contest),
        entrant_table(results, contest, rate(results, contest)),
    ]
    if cut:
        parts.append(
            Text(f"{cut} games went on past {contest.most_rounds} rounds and were cut off; they count nowhere.")
        )
    reasons = {result.reason for result in results if result.ended == FAILED}
    parts += [Text(f"Lost by failing: {reason}.") for reason in sorted(reasons)[:10]]
    if sprt:
        parts.append(Text(say_sprt(results, contest, sprt)))
    return Group(*parts)


def summary(results: Sequence[Result], contest: Contest) -> dict[str, Any]:
    """Everything about a contest, as data."""
    pairs = []
    for pair in contest.pairs:
        found = compare(results, contest, pair)
        pairs.append({"pair": [contest.entrants[who].name for who in pair], **vars(found)})
    ratings = [vars(rating) for rating in rate(results, contest)] if results else []
    return {
        "contest": contest.to_dict(),
        "pairs": pairs,
        "ratings": ratings,
        "entrants": entrant_rows(results, contest),
    }
