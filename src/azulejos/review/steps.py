"""One step of a review by itself, for a process that is given nothing else."""

from functools import lru_cache

from azulejos.core.record import Record

from .reviewing import Decision, Draw, Seen, Work

MARGIN = 0.02  # an action that gives away less than this is as good as the best, in an exercise


@lru_cache(8)
def _work(text: str) -> Work:
    return Work(Record.parse(text))


def evaluate_step(text: str, number: int) -> Seen:
    """The position before an action of a record, evaluated."""
    return _work(text).evaluate(number)


def compare_step(text: str, number: int, seen: dict[int, Seen]) -> tuple[Decision | None, Draw | None]:
    """An action and the draw after it, compared; `seen`: the positions before and after."""
    work = _work(text)
    work.seen.update(seen)
    return work.compare(number)


def try_step(text: str, number: int, action: str, best: str) -> float:
    """The win chance that an action gives away against the best one, both searched with the same thought."""
    work = _work(text)
    before = work.states[number]
    assert before.seat is not None
    found = [work.evaluator.mean_after_draw(before.play(one))[before.seat] for one in (action, best)]
    return max(0.0, found[1] - found[0])
