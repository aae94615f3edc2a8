"""Why one action is better than another: both lines are played by the rules to the end of the round and compared."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from azulejos.core.action import Action
from azulejos.core.hand import Prospect
from azulejos.core.language import _
from azulejos.core.state import State
from azulejos.players import NO_LIMIT, Greedy, Limit, Player

MOST_REASONS = 2
LEAST = 1.0  # points that are worth a reason
LEAST_EXPECTED = 3.0  # points of the expected final scores, which are means over few games


@dataclass(frozen=True)
class Reason:
    """One thing that differs at the end of the round: whose it is, in words, and what it is worth, in points, to the
    seat that acts."""

    seat: int
    words: str
    worth: float


@dataclass(frozen=True)
class Turn:
    """An action of a line: the seat, the action, and the scores that would be if the round ended after it."""

    seat: int
    action: Action
    projected: tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """How play goes on to the end of the round.

    turns: all actions. expected: how many of them were given; the rest are the greedy player's. points: scored on the
    way, by seat and kind. prospects: what the position promises then, by seat and key. scores: by seat, then.
    """

    turns: tuple[Turn, ...]
    expected: int
    points: dict[tuple[int, str], int]
    prospects: dict[tuple[int, str], Prospect]
    scores: tuple[int, ...]


def facts(state: State, action: Action) -> list[str]:
    """What a legal action does at once, in words, the largest first, two at the most; cheap, without a search.

    For example "completes line 3 +4" and "start marker taken −1".
    """
    found = sorted(state.game.effects(state, int(action)), key=lambda one: -abs(one.worth))
    return [one.words for one in found[:MOST_REASONS]]


def say_facts(state: State, action: Action) -> str:
    """The facts of an action in one line, for hints, an analysis or a puzzle."""
    return ", ".join(facts(state, action))


def reasons(state: State, line: Sequence[Action], better: Sequence[Action]) -> list[Reason]:
    """What the better line brings that the other does not, the largest first, two at the most.

    Points of the seat to act and what it comes nearer to; points that the others do not get, and what they do not come
    nearer to. Empty if nothing differs by a whole point, or if neither the points nor all that differs add up to an
    advantage.
    """
    worse, best = play_out(state, line), play_out(state, better)
    found = list(differences(state, worse, best))
    gains = [one - other for one, other in zip(best.scores, worse.scores, strict=True)]
    points = sum(gain if seat == state.seat else -gain for seat, gain in enumerate(gains))
    if max(points, sum(one.worth for one in found)) <= 0:
        return []
    return sorted((one for one in found if one.worth >= LEAST), key=lambda one: -one.worth)[:MOST_REASONS]


def differences(state: State, worse: Line, best: Line) -> Iterator[Reason]:
    """All that one line brings to the seats rather than another; `worth` is below 0 where that is a pity."""
    for owner, words in {**worse.points, **best.points}:
        most, less = (line.points.get((owner, words), 0) for line in (best, worse))
        said = _instead(f"{words} {signed(most)}", signed(less))
        yield Reason(owner, said, (most - less) * (1 if owner == state.seat else -1))
    for owner, key in {**worse.prospects, **best.prospects}:
        one, other = (line.prospects.get((owner, key)) for line in (best, worse))
        worth = (one.worth if one else 0) - (other.worth if other else 0)
        if one and other and one.amount:
            yield Reason(owner, _instead(one.words, other.amount), worth if owner == state.seat else -worth)
        elif owner == state.seat and (only := one or other):
            yield Reason(owner, only.words, worth)


def _instead(what: str, other: str) -> str:
    return _("{what} instead of {other}").format(what=what, other=other)


def signed(points: int) -> str:
    """Points with their sign: +4, −3, 0."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def play_out(state: State, line: Sequence[Action], player: Player | None = None, limit: Limit = NO_LIMIT) -> Line:
    """Play a line to the end of the round; where it ends earlier, a player goes on for everybody, by default the greedy
    one.

    What is drawn within the round, such as a refill, is any draw, the same for every line.
    """
    game, points, turns = state.game, defaultdict[tuple[int, str], int](int), list[Turn]()
    given, expected, player = list(reversed(line)), 0, player or Greedy(0)
    now = state.with_chance(None)
    while now.seat is not None and now.round == state.round:
        seat, action = now.seat, given.pop() if given else None
        if action is None or action not in now.actions:
            given, action = [], player.choose(now.view(seat), limit).action
        else:
            expected += 1
        for event in game.story(now, action):
            if scored := game.points_of(event):
                words, owner, gained = scored
                points[owner, words] += gained
        now = now.play(action)
        turns.append(Turn(seat, action, now.projected))
        while now.awaits_draw and now.round == state.round:
            now = now.deal(seed=0)
    seats = range(0 if now.over else game.players)  # at the end of the game all bonuses are points
    promised = {(seat, one.key): one for seat in seats for one in game.prospects(now, seat)}
    return Line(tuple(turns), expected, dict(points), promised, now.scores)


def explain(
    state: State,
    line: Sequence[Action],
    better: Sequence[Action],
    names: Sequence[str],
    expected: tuple[Sequence[float], Sequence[float]] | None = None,
) -> str:
    """The reasons in one sentence; `names` by seat, as the reader calls them.

    `expected`: final scores after both actions, to be told where the round shows no reason and they do.
    """
    found = reasons(state, line, better)
    if not found:
        said = _("In this line its advantage does not show by the end of the round.")
        return f"{said} {_say_scores(state, *expected, names)}".strip() if expected else said
    by_seat = {one.seat: [other.words for other in found if other.seat == one.seat] for one in found}
    told = _by_name({seat: ", ".join(words) for seat, words in by_seat.items()}, names)
    return _("By the end of the round – {reasons}.").format(reasons=told)


def _say_scores(state: State, worse: Sequence[float], best: Sequence[float], names: Sequence[str]) -> str:
    gains = [one - other for one, other in zip(best, worse, strict=True)]
    ahead = max(gain for seat, gain in enumerate(gains) if seat != state.seat)
    if gains[state.seat or 0] - ahead < LEAST_EXPECTED:
        return ""
    both = {seat: (str(round(best[seat])), str(round(worse[seat]))) for seat in range(len(gains))}
    told = {seat: _instead(one, other) for seat, (one, other) in both.items() if one != other}
    return _("Expected final scores – {reasons}.").format(reasons=_by_name(told, names))


def _by_name(told: Mapping[int, str], names: Sequence[str]) -> str:
    return _("; ").join(_("{name}: {what}").format(name=names[seat], what=what) for seat, what in told.items())
