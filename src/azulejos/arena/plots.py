"""Plots of results as SVG: ratings with confidence intervals, and distributions of scores."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np

from .contest import Contest
from .ratings import Rating
from .result import CUT_OFF, Result

_WIDTH, _ROW, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 34, 190, 90, 48, 44
_COLOURS = ("#1f6f8b", "#c8553d", "#588157", "#7b5ea7", "#b08900", "#3d405b", "#9d4e7c", "#4f772d")


def _document(height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}"'
        f' height="{height:.0f}" font-family="sans-serif" font-size="13" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="100%" height="100%" fill="#fffdf8"/>\n'
        f'<text x="{_LEFT}" y="26" font-size="16" font-weight="bold">{escape(title)}</text>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _ticks(low: float, high: float) -> list[float]:
    """About five round numbers that cover a range."""
    raw = max(high - low, 1e-9) / 5
    size = 10 ** np.floor(np.log10(raw))
    step = float(next(size * many for many in (1, 2, 5, 10) if size * many >= raw))
    return [float(tick) for tick in np.arange(np.floor(low / step) * step, high + step, step)]


class _Axis:
    """The horizontal axis of a plot."""

    def __init__(self, low: float, high: float) -> None:
        self.ticks = _ticks(low, high)

    def x(self, value: float) -> float:
        low, high = self.ticks[0], self.ticks[-1]
        return _LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    def draw(self, bottom: float, label: str) -> list[str]:
        lines = [
            f'<line x1="{self.x(tick):.1f}" x2="{self.x(tick):.1f}" y1="{_TOP}" y2="{bottom:.1f}" stroke="#ddd"/>'
            f'<text x="{self.x(tick):.1f}" y="{bottom + 16:.1f}" text-anchor="middle">{tick:g}</text>'
            for tick in self.ticks
        ]
        return [*lines, f'<text x="{self.x(self.ticks[0]):.1f}" y="{bottom + 34:.1f}" fill="#555">{label}</text>']


def ratings_svg(ratings: Sequence[Rating], title: str) -> str:
    """One row per entrant: its rating as a dot, the confidence interval as a line."""
    axis = _Axis(min(rating.low for rating in ratings), max(rating.high for rating in ratings))
    bottom = _TOP + _ROW * len(ratings)
    parts = axis.draw(bottom, "Elo rating")
    for row, rating in enumerate(ratings):
        y = _TOP + _ROW * (row + 0.5)
        colour = _COLOURS[row % len(_COLOURS)]
        parts.append(
            f'<text x="{_LEFT - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(rating.name)}</text>'
            f'<line x1="{axis.x(rating.low):.1f}" x2="{axis.x(rating.high):.1f}" y1="{y:.1f}" y2="{y:.1f}"'
            f' stroke="{colour}" stroke-width="3"/>'
            f'<circle cx="{axis.x(rating.rating):.1f}" cy="{y:.1f}" r="6" fill="{colour}"/>'
            f'<text x="{_WIDTH - _RIGHT + 12}" y="{y + 4:.1f}">{rating.rating:.0f}</text>'
        )
    return _document(bottom + _BOTTOM, title, parts)


def scores_svg(results: Sequence[Result], contest: Contest, title: str) -> str:
    """One row per entrant: a histogram of its scores, and the mean as a line."""
    names = [entrant.name for entrant in contest.entrants]
    scores: list[list[int]] = [[] for _ in names]
    for result in results:
        if result.ended != CUT_OFF:
            for who, score in zip(result.seats, result.scores, strict=True):
                scores[who].append(score)
    every = [score for some in scores for score in some] or [0]
    axis = _Axis(min(every), max(every) + 1)
    row_height = 2.5 * _ROW
    bottom = _TOP + row_height * len(names)
    parts = axis.draw(bottom, "points at the end of a game")
    edges = np.linspace(axis.ticks[0], axis.ticks[-1], 41)
    for row, (name, some) in enumerate(zip(names, scores, strict=True)):
        base = _TOP + row_height * (row + 1) - 4
        colour = _COLOURS[row % len(_COLOURS)]
        parts.append(f'<text x="{_LEFT - 12}" y="{base - 4:.1f}" text-anchor="end">{escape(name)}</text>')
        if not some:
            continue
        counts, _ = np.histogram(some, edges)
        for count, low, high in zip(counts, edges, edges[1:], strict=False):
            height = (row_height - 14) * count / counts.max()
            parts.append(
                f'<rect x="{axis.x(low):.1f}" y="{base - height:.1f}" width="{axis.x(high) - axis.x(low):.1f}"'
                f' height="{height:.1f}" fill="{colour}" fill-opacity="0.75"/>'
            )
        mean = sum(some) / len(some)
        parts.append(
            f'<line x1="{axis.x(mean):.1f}" x2="{axis.x(mean):.1f}" y1="{base - row_height + 10:.1f}" y2="{base:.1f}"'
            f' stroke="#222" stroke-width="2"/>'
            f'<text x="{_WIDTH - _RIGHT + 12}" y="{base - 4:.1f}">{mean:.1f}</text>'
        )
    return _document(bottom + _BOTTOM, title, parts)


def save(folder: Path, results: Sequence[Result], contest: Contest, ratings: Sequence[Rating]) -> list[Path]:
    """Write both plots into a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    options = ", ".join(f"{name} {value}" for name, value in contest.game.chosen.items())
    what = f"{contest.game.title} ({options})"
    pictures = {
        folder / "ratings.svg": ratings_svg(ratings, f"Ratings: {what}"),
        folder / "scores.svg": scores_svg(results, contest, f"Scores: {what}"),
    }
    for path, picture in pictures.items():
        path.write_text(picture, encoding="utf-8")
    return list(pictures)
