"""A review as plain data: what `azulejos review --json` writes, and what the page is told."""

from dataclasses import asdict
from typing import Any

from .reviewing import Decision, Draw, Review


def as_data(review: Review) -> dict[str, Any]:
    """All numbers of a review; chances and points are rounded to what they are worth."""
    record = review.record
    return {
        "format": "azulejos review 1",
        "game": record.game.name,
        "options": dict(record.game.chosen_texts),
        "names": list(record.names),
        "date": record.date,
        "scores": list(record.state.scores),
        "chances": [_rounded(chances, 4) for chances in review.chances],
        "points": [_rounded(points, 1) for points in review.points],
        "start": _rounded(review.start, 4),
        "decisions": [decision_data(decision) for decision in review.decisions],
        "draws": [draw_data(draw) for draw in review.draws],
        "summaries": [_summary(review, seat) for seat in range(record.game.players)],
    }


def decision_data(decision: Decision) -> dict[str, Any]:
    return {
        "number": decision.number,
        "round": decision.round,
        "seat": decision.seat,
        "action": str(decision.action),
        "best": str(decision.best),
        "before": _rounded(decision.before, 4),
        "after": _rounded(decision.after, 4),
        "points_before": _rounded(decision.points_before, 1),
        "points_after": _rounded(decision.points_after, 1),
        "loss": round(decision.loss, 4),
        "kind": decision.kind,
        "line": [str(action) for action in decision.line],
        "better": [str(action) for action in decision.better],
        "forced": decision.forced,
        "exact": decision.exact,
    }


def draw_data(draw: Draw) -> dict[str, Any]:
    return {
        "number": draw.number,
        "round": draw.round,
        "luck": _rounded(draw.luck, 4),
        "points": _rounded(draw.points, 1),
    }


def _summary(review: Review, seat: int) -> dict[str, Any]:
    return {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in asdict(review.summary(seat)).items()
    }


def _rounded(values: tuple[float, ...], digits: int) -> list[float]:
    return [round(value, digits) for value in values]
