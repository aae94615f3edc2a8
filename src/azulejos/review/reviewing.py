"""A game under review: what every decision gave away, and what every draw changed.

`docs/review.md` has the definitions and how far the numbers can be trusted.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

from azulejos.core.action import Action
from azulejos.core.errors import OptionError
from azulejos.core.record import Record
from azulejos.core.state import State

from .evaluating import USUAL, Evaluation, Evaluator, Thought

FORGIVING = 0.18  # a decision that gives away this win chance is 1/e accurate
SIZES = (0.02, 0.05, 0.10)  # from which loss of win chance on a decision is an inaccuracy, a mistake, a blunder
KINDS = ("inaccuracy", "mistake", "blunder")
DECIDED = 0.02  # a seat whose win chance is less than this far from 0 or 1 has nothing to decide


@dataclass(frozen=True)
class Decision:
    """One action of a game under review. Chances and points are by seat.

    number: of the action, from 0. before: with the best action. after: with the action played. points_before,
    points_after: expected final scores likewise. line: how play was expected to go on after the action played, it
    first. better: after the best one, it first; the same as `line` if that was played. Both go on to the end of the
    round where the loss has a kind. forced: it was the only legal action. gain: how the position's value changed for
    the seat that acted, up to the next decision and without luck. exact: every line to the end of the round was
    searched, from the position and after both actions.
    """

    number: int
    round: int
    seat: int
    action: Action
    best: Action
    before: tuple[float, ...]
    after: tuple[float, ...]
    points_before: tuple[float, ...]
    points_after: tuple[float, ...]
    line: tuple[Action, ...]
    better: tuple[Action, ...]
    forced: bool
    gain: float
    exact: bool

    @property
    def loss(self) -> float:
        """The win chance that the decision gave away, 0 for the best action."""
        return self.before[self.seat] - self.after[self.seat]

    @property
    def kind(self) -> str | None:
        """An inaccuracy, a mistake or a blunder; None for less."""
        sizes = [kind for kind, size in zip(KINDS, SIZES, strict=True) if self.loss >= size]
        return sizes[-1] if sizes else None

    @property
    def counts(self) -> bool:
        """Was there something to decide? Not if one action was legal, nor if the game was won or lost either way."""
        best, played = self.before[self.seat], self.after[self.seat]
        return not self.forced and best > DECIDED and played < 1 - DECIDED

    @property
    def accuracy(self) -> float:
        """From 0 to 1: e^(−loss / FORGIVING)."""
        return math.exp(-self.loss / FORGIVING)


@dataclass(frozen=True)
class Draw:
    """One deal, or any other draw, under review.

    number: of the action that it followed, -1 for the first deal. luck: by how much it changed each seat's win chance
    against the mean over the draws that could have fallen; by seat, they sum up to 0. points: of expected final scores
    likewise.
    """

    number: int
    round: int
    luck: tuple[float, ...]
    points: tuple[float, ...]


@dataclass(frozen=True)
class Seen:
    """A position of the game, evaluated: chances, the best action, and expected final scores."""

    evaluation: Evaluation
    points: tuple[float, ...]


@dataclass(frozen=True)
class Summary:
    """A seat's game in numbers.

    decisions: how many count (`Decision.counts`). error_rate: mean win chance given away by one. accuracy: their mean
    accuracy, in percent, 100 if there is none.
    luck, luck_points: the sum of all draws'. skill: the sum of gains of its own decisions, less those of the others'.
    result: 1 for a win, a share of it for a shared one, else 0. even_luck: the chance to win with even luck.
    worst: the number of the action with the largest loss. best: of the best action that gained most. None if there is
    none. mistakes: how many by kind.
    """

    seat: int
    decisions: int
    error_rate: float
    accuracy: float
    luck: float
    luck_points: float
    skill: float
    result: float
    even_luck: float
    worst: int | None
    best: int | None
    mistakes: dict[str, int]


@dataclass(frozen=True)
class Review:
    """A whole game under review.

    chances: before every action and at the end, [actions + 1, players]. points: expected final scores likewise.
    For every seat: result = start chance + luck + skill.
    """

    record: Record
    decisions: tuple[Decision, ...]
    draws: tuple[Draw, ...]
    chances: tuple[tuple[float, ...], ...]
    points: tuple[tuple[float, ...], ...]
    start: tuple[float, ...]

    def summary(self, seat: int) -> Summary:
        own = [decision for decision in self.decisions if decision.seat == seat]
        free = [decision for decision in own if decision.counts]
        luck = sum(draw.luck[seat] for draw in self.draws)
        result = self.chances[-1][seat]
        worst = max(own, key=lambda decision: decision.loss, default=None)
        found = [decision for decision in free if decision.loss == 0]
        best = max(found, key=lambda decision: decision.gain, default=None)
        return Summary(
            seat=seat,
            decisions=len(free),
            error_rate=sum(decision.loss for decision in free) / max(len(free), 1),
            accuracy=100 * sum(decision.accuracy for decision in free) / len(free) if free else 100.0,
            luck=luck,
            luck_points=sum(draw.points[seat] for draw in self.draws),
            skill=result - self.start[seat] - luck,
            result=result,
            even_luck=min(max(result - luck, 0.0), 1.0),
            worst=worst.number if worst and worst.kind else None,
            best=best.number if best else None,
            mistakes={kind: sum(decision.kind == kind for decision in own) for kind in KINDS},
        )

    @property
    def turning_points(self) -> list[Decision | Draw]:
        """The four decisions and draws that changed the game most, in the order of the game."""

        def weight(moment: Decision | Draw) -> float:
            return moment.loss if isinstance(moment, Decision) else max(map(abs, moment.luck))

        moments: list[Decision | Draw] = [*self.decisions, *self.draws]
        most = sorted((moment for moment in moments if weight(moment) >= SIZES[0]), key=weight, reverse=True)[:4]
        return sorted(most, key=lambda moment: (moment.number, isinstance(moment, Draw)))

    def exercises(self, seat: int, count: int = 3) -> list[Decision]:
        """The seat's worst decisions, the worst first: positions in which to find a better action."""
        own = [decision for decision in self.decisions if decision.seat == seat and decision.kind]
        return sorted(own, key=lambda decision: -decision.loss)[:count]


@dataclass(frozen=True)
class Progress:
    """How far a review has come: steps done of all, and what is known by the number of the action."""

    done: int
    total: int
    chances: Mapping[int, tuple[float, ...]]
    decisions: Mapping[int, Decision]
    draws: Mapping[int, Draw]


def review(
    record: Record,
    thought: Thought = USUAL,
    threads: int = 1,
    seed: int = 0,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> Review:
    """Review a finished game. The same record, thought and seed give the same review, on any number of threads.

    `tell`: called with what is known so far, after each step.
    """
    work = Work(record, thought, seed)
    work.evaluator.compile()
    with ThreadPoolExecutor(threads) as pool:
        for numbers, step, take in work.stages():
            jobs = {pool.submit(step, number): number for number in numbers}
            try:
                for job in as_completed(jobs):
                    take(jobs[job], job.result())
                    tell(work.progress)
            finally:
                for job in jobs:
                    job.cancel()
    return work.review()


class Work:
    """A review under way: every position is evaluated, then every action and draw compared with what else could be.

    Steps of one stage do not depend on each other: they may run anywhere, and their results are handed in as they
    come. `review` runs them on threads, a server in the processes of its players.
    """

    def __init__(self, record: Record, thought: Thought = USUAL, seed: int = 0) -> None:
        if record.outcome is None:
            raise OptionError("this game is not finished: a review needs its result")
        if not record.actions:
            raise OptionError("nothing was played in this game: there is nothing to review")
        self.record: Record = Record.parse(str(record))  # without its chance: draws are sampled
        self.evaluator: Evaluator = Evaluator(record.game, thought, seed)
        self.states: tuple[State, ...] = tuple(self.record.states())
        self.actions: tuple[Action, ...] = self.record.actions
        self.players: range = range(record.game.players)
        self.seen: dict[int, Seen] = {}
        self.decisions: dict[int, Decision] = {}
        self.draws: dict[int, Draw] = {}
        self.compared: set[int] = set()

    @property
    def done(self) -> int:
        """Steps that have been taken, of `total`."""
        return len(self.seen) + len(self.compared)

    @property
    def total(self) -> int:
        return 2 * len(self.actions) + 2

    def stages(self) -> "Iterator[tuple[range, Callable[[int], Any], Callable[[int, Any], None]]]":
        """Numbers of steps, what is to be done for each, and what takes its result; the second after the first."""
        count = len(self.actions)
        yield range(count + 1), self.evaluate, self.take_seen
        yield range(-1, count), self.compare, self.take_compared

    @property
    def progress(self) -> Progress:
        chances = {number: seen.evaluation.chances for number, seen in self.seen.items()}
        return Progress(self.done, self.total, chances, dict(self.decisions), dict(self.draws))

    def take_seen(self, number: int, seen: Seen) -> None:
        self.seen[number] = seen

    def take_compared(self, number: int, found: tuple[Decision | None, Draw | None]) -> None:
        decision, draw = found
        if decision:
            self.decisions[number] = decision
        if draw:
            self.draws[number] = draw
        self.compared.add(number)

    def review(self) -> Review:
        """The whole, when every step is taken."""
        count, first = len(self.actions), self.draws.get(-1)
        opening = self.seen[0].evaluation.chances
        return Review(
            self.record,
            tuple(self.decisions[number] for number in range(count)),
            tuple(self.draws[number] for number in sorted(self.draws)),
            (*(self.seen[number].evaluation.chances for number in range(count)), self._result()),
            tuple(self.seen[number].points for number in range(count + 1)),
            tuple(opening[seat] - (first.luck[seat] if first else 0) for seat in self.players),
        )

    def _result(self) -> tuple[float, ...]:
        outcome = self.record.outcome
        assert outcome is not None
        return tuple((seat in outcome.winners) / max(len(outcome.winners), 1) for seat in self.players)

    # --- steps ---

    def evaluate(self, number: int) -> Seen:
        """The position before an action, or the last one."""
        state = self.states[number]
        return Seen(self.evaluator.evaluate(state), self.evaluator.points([state]))

    def compare(self, number: int) -> tuple[Decision | None, Draw | None]:
        """An action and the draw that followed it; -1 for the first deal."""
        waiting = self.waiting(number)
        draw = self._draw(number, waiting) if waiting and waiting.awaits_draw else None
        return self._decision(number, waiting, draw) if waiting and number >= 0 else None, draw

    def waiting(self, number: int) -> State | None:
        """The position after an action, before anything is drawn; -1: before the first deal, None if there was none."""
        if number >= 0:
            return self.states[number].play(self.actions[number])
        first = self.record.first
        return self.record.game.lay_out(first) if first is not None and self.states[0].drawn else None

    def luck(self, number: int, waiting: State) -> tuple[float, ...]:
        """By how much the draw after an action changed each seat's win chance, against the mean over all draws."""
        fell = self.evaluator.evaluate(self.states[number + 1], self.evaluator.thought.glance).chances
        mean = self.evaluator.mean_after_draw(waiting)
        return tuple(fell[seat] - mean[seat] for seat in self.players)

    def _draw(self, number: int, waiting: State) -> Draw:
        points, mean_points = self.seen[number + 1].points, self.evaluator.points_after_draw(waiting)
        return Draw(
            number,
            self.states[number + 1].round,
            self.luck(number, waiting),
            tuple(points[seat] - mean_points[seat] for seat in self.players),
        )

    def _decision(self, number: int, waiting: State, draw: Draw | None) -> Decision:
        before, action = self.states[number], self.actions[number]
        seat, found, follows = before.seat, self.seen[number].evaluation, self.seen[number + 1].evaluation
        assert seat is not None
        assert found.best is not None
        nothing = (0.0,) * len(self.players)
        luck, lucky_points = (draw.luck, draw.points) if draw else (nothing, nothing)
        played = tuple(follows.chances[other] - luck[other] for other in self.players)
        points = tuple(self.seen[number + 1].points[other] - lucky_points[other] for other in self.players)
        line = (action, *follows.line)
        best, best_points, chosen, better = played, points, action, line
        forced = len(before.actions) == 1
        exact = found.exact and found.best == action
        if not forced and found.best != action:
            other = before.play(found.best)
            ours, theirs, sure = self._both(waiting, other, follows)
            exact = found.exact and sure
            would_be = tuple(played[k] + theirs[k] - ours[k] for k in self.players)
            if would_be[seat] > played[seat]:
                best, chosen, better = would_be, found.best, found.line
                best_points = self.evaluator.points_after_draw(other)
                if best[seat] - played[seat] >= SIZES[0]:
                    line, better = (self.evaluator.onward(before, one) for one in (line, better))
        return Decision(
            number=number,
            round=before.round,
            seat=seat,
            action=action,
            best=chosen,
            before=best,
            after=played,
            points_before=best_points,
            points_after=points,
            line=line,
            better=better,
            forced=forced,
            gain=played[seat] - found.chances[seat],
            exact=exact,
        )

    def _both(
        self, played: State, other: State, follows: Evaluation
    ) -> tuple[tuple[float, ...], tuple[float, ...], bool]:
        """The chances after the action played and after another, with the same thought about both; are they exact?"""
        if played.awaits_draw or other.awaits_draw:
            return self.evaluator.mean_after_draw(played), self.evaluator.mean_after_draw(other), False
        found = self.evaluator.evaluate(other)
        return follows.chances, found.chances, follows.exact and found.exact
