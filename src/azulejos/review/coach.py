"""Why one action is better than another: both lines are played by the rules to the end of the round and compared."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from azulejos.core.action import Action
from azulejos.core.hand import Prospect
from azulejos.core.language import _
from azulejos.core.state import State
from azulejos.players import Greedy

MOST_REASONS = 2
LEAST = 1.0  # points that are worth a reason


@dataclass(frozen=True)
class Reason:
    """One thing that differs at the end of the round: whose it is, in words, and what it is worth, in points, to the
    seat that acts."""

    seat: int
    words: str
    worth: float


@dataclass(frozen=True)
class _Outlook:
    """The end of a round: points by seat and kind since the action, and by seat and key what the position promises."""

    points: dict[tuple[int, str], int]
    prospects: dict[tuple[int, str], Prospect]


def reasons(state: State, line: Sequence[Action], better: Sequence[Action]) -> list[Reason]:
    """What the better line brings that the other does not, the largest first, two at the most.

    Points of the seat to act and what it comes nearer to; points that the others do not get, and what they do not come
    nearer to. Empty if nothing differs by a whole point.
    """
    worse, best = _outlook(state, line), _outlook(state, better)
    found = []
    for owner, words in {**worse.points, **best.points}:
        change = best.points.get((owner, words), 0) - worse.points.get((owner, words), 0)
        said = _("{what} {points}").format(what=words, points=f"{change:+d}".replace("-", "−"))
        found.append(Reason(owner, said, change if owner == state.seat else -change))
    for (owner, key), prospect in best.prospects.items():
        other = worse.prospects.get((owner, key))
        promised = prospect.worth - (other.worth if other else 0)
        if owner == state.seat:
            found.append(Reason(owner, prospect.words, promised))
        else:
            found.append(Reason(owner, _("only {what}").format(what=prospect.words), -promised))
    return sorted((one for one in found if one.worth >= LEAST), key=lambda one: -one.worth)[:MOST_REASONS]


def _outlook(state: State, line: Sequence[Action]) -> _Outlook:
    """Play a line to the end of the round; where it ends earlier, the greedy player goes on for everybody."""
    game, points = state.game, defaultdict[tuple[int, str], int](int)
    going_on, greedy = list(reversed(line)), Greedy(0)
    now = state
    while now.seat is not None and now.round == state.round:
        action = going_on.pop() if going_on else None
        if action is None or action not in now.actions:
            going_on, action = [], greedy.choose(now.view(now.seat)).action
        for event in game.story(now, action):
            if scored := game.points_of(event):
                words, seat, gained = scored
                points[seat, words] += gained
        now = now.play(action)
        while now.awaits_draw and now.round == state.round:
            now = now.deal(seed=0)  # something within the round, such as a refill: any will do, the same for both
    promised = {(seat, one.key): one for seat in range(game.players) for one in game.prospects(now, seat)}
    return _Outlook(dict(points), promised)


def explain(state: State, line: Sequence[Action], better: Sequence[Action], names: Sequence[str]) -> str:
    """The reasons in one sentence; `names` by seat, as the reader calls them."""
    found = reasons(state, line, better)
    if not found:
        return _("By the end of the round both bring the same; it pays later.")
    said = [_("{name}: {what}").format(name=names[one.seat], what=one.words) for one in found]
    return _("By the end of the round – {reasons}.").format(reasons="; ".join(said))
