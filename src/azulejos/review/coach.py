"""Why one action is better than another: both lines are played by the rules to the end of the round and compared."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from azulejos.core.action import Action
from azulejos.core.game import Event, Game
from azulejos.core.language import _
from azulejos.core.state import State
from azulejos.players import Greedy

MOST_REASONS = 2
LEAST = 1  # points that are worth a reason


@dataclass(frozen=True)
class Reason:
    """One thing that differs by the end of the round: whose, what in words, and by how many points."""

    seat: int
    words: str
    points: int


def reasons(state: State, line: Sequence[Action], better: Sequence[Action]) -> list[Reason]:
    """What the better line brings that the other does not, the largest first: points of the seat to act, and points
    that the others do not get. Empty if the lines are worth the same by the end of the round."""
    seat = state.seat
    ours, theirs = _tally(state, line), _tally(state, better)
    found = [
        Reason(owner, words, theirs[owner, words] - ours[owner, words]) for owner, words in sorted({*ours, *theirs})
    ]
    helpful = [one for one in found if (one.points if one.seat == seat else -one.points) >= LEAST]
    return sorted(helpful, key=lambda one: -abs(one.points))[:MOST_REASONS]


def _tally(state: State, line: Sequence[Action]) -> dict[tuple[int, str], int]:
    """Points by seat and kind from here to the end of the round: the line, then the greedy player for everybody."""
    game, tally = state.game, defaultdict[tuple[int, str], int](int)
    going_on, greedy = list(reversed(line)), Greedy(0)
    now = state
    while now.seat is not None and now.round == state.round:
        action = going_on.pop() if going_on else None
        if action is None or action not in now.actions:
            going_on, action = [], greedy.choose(now.view(now.seat)).action
        for event in game.story(now, action):
            _count(game, event, tally)
        now = now.play(action)
    return tally


def _count(game: Game, event: Event, tally: dict[tuple[int, str], int]) -> None:
    if scored := game.points_of(event):
        words, seat, points = scored
        tally[seat, words] += points


def explain(state: State, line: Sequence[Action], better: Sequence[Action], names: Sequence[str]) -> str:
    """The reasons in one sentence; `names` by seat, as the reader calls them."""
    found = reasons(state, line, better)
    if not found:
        return _("This round brings the same either way; it pays later.")
    said = [
        _("{name} {points} ({what})").format(
            name=names[one.seat], points=f"{one.points:+d}".replace("-", "−"), what=one.words
        )
        for one in found
    ]
    return _("By the end of the round: {reasons}.").format(reasons=", ".join(said))
