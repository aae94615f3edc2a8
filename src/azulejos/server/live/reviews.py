"""Reviews of finished games under way, thought out step by step in the processes of the computer players."""

import asyncio
import logging
import time
from collections import OrderedDict

from azulejos.core.language import _
from azulejos.core.record import Record
from azulejos.review import Progress, Review, Work
from azulejos.review.steps import compare_step, evaluate_step, try_step
from azulejos.tables import Reason, Refusal

from .thinking import Thinkers

log: logging.Logger = logging.getLogger("azulejos.server")
KEPT = 64  # reviews that are remembered
AT_ONCE = 4  # reviews under way
PATIENCE = 20.0  # seconds after which nobody asks any more


class UnderReview:
    """The review of one record: as far as it has come, or whole."""

    def __init__(self, text: str) -> None:
        self.text: str = text
        self.work: Work = Work(Record.parse(text))
        self.review: Review | None = None
        self.asked: float = time.monotonic()
        self.task: asyncio.Task[None] | None = None

    @property
    def progress(self) -> Progress:
        return self.work.progress


class Reviews:
    """Reviews by the text of their record. One goes on while somebody asks how far it is."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._found: OrderedDict[str, UnderReview] = OrderedDict()

    def find(self, record: Record) -> UnderReview:
        """The review of a record, which may not have begun. Takes a while: it reads the record."""
        text = str(record)
        return self._found.get(text) or UnderReview(text)

    def ask(self, found: UnderReview) -> UnderReview:
        """Let a review begin, or go on. Raises Refusal where too many are under way."""
        found = self._found.get(found.text, found)
        found.asked = time.monotonic()
        if not found.review and not (found.task and not found.task.done()):
            if sum(bool(other.task and not other.task.done()) for other in self._found.values()) >= AT_ONCE:
                raise Refusal(Reason.TOO_MANY, _("too many games are being reviewed; ask again in a moment"))
            found.task = asyncio.create_task(self._run(found))
        self._found[found.text] = found
        self._found.move_to_end(found.text)
        while len(self._found) > KEPT:
            _text, oldest = self._found.popitem(last=False)
            if oldest.task:
                oldest.task.cancel()
        return found

    async def loss(self, text: str, number: int, action: str, best: str) -> float:
        """The win chance that an action in a position of a record gives away against the best one."""
        return await self._thinkers.run(try_step, text, number, action, best)

    async def _run(self, found: UnderReview) -> None:
        """Do what is left of a review, as many steps at a time as there are processes."""
        work, gate = found.work, asyncio.Semaphore(self._thinkers.workers)

        async def evaluate(number: int) -> None:
            async with gate:
                if self._wanted(found) and number not in work.seen:
                    work.take_seen(number, await self._thinkers.run(evaluate_step, found.text, number))

        async def compare(number: int) -> None:
            async with gate:
                if self._wanted(found) and number not in work.compared:
                    near = {k: work.seen[k] for k in (number, number + 1) if k >= 0}
                    work.take_compared(number, await self._thinkers.run(compare_step, found.text, number, near))

        try:
            await asyncio.gather(*(evaluate(number) for number in range(len(work.actions) + 1)))
            if self._wanted(found):
                await asyncio.gather(*(compare(number) for number in range(-1, len(work.actions))))
            if work.done == work.total:
                found.review = work.review()
        except (RuntimeError, Refusal):
            log.exception("a review failed")

    @staticmethod
    def _wanted(found: UnderReview) -> bool:
        return time.monotonic() - found.asked < PATIENCE

    def close(self) -> None:
        for found in self._found.values():
            if found.task:
                found.task.cancel()
