"""The coach's reasons are facts: what it says is what the rules do in both lines."""

import azulejos as az
from azulejos.core.language import LANGUAGES, speaking
from azulejos.review.coach import explain, reasons

STATE = az.make("azul").start(first=0, draws="BBBB YYYY RRRR KKKK WWWW")
TO_LINE_1, TO_LINE_2, TO_LINE_4 = (STATE.game.action(text) for text in ("1B1", "1B2", "1B4"))


def test_what_differs_by_the_end_of_the_round() -> None:
    """Four blue tiles fit line 4; two of them fall from line 2, and three from line 1, beside the later tiles."""
    assert [(one.seat, one.words) for one in reasons(STATE, [TO_LINE_2], [TO_LINE_4])] == [(0, "the floor +2")]
    assert [(one.seat, one.words) for one in reasons(STATE, [TO_LINE_1], [TO_LINE_4])] == [
        (0, "tiles on the wall +1"),
        (0, "the floor +1"),
    ]
    assert reasons(STATE, [TO_LINE_4], [TO_LINE_4]) == []


def test_in_every_language() -> None:
    said = set()
    for name in LANGUAGES:
        with speaking(name):
            said.add(explain(STATE, [TO_LINE_2], [TO_LINE_4], ["Ana", "Ben"]))
            said.add(explain(STATE, [TO_LINE_4], [TO_LINE_4], ["Ana", "Ben"]))
    assert len(said) == 2 * len(LANGUAGES)
