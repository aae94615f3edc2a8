"""Parts of pictures are kept from one position to the next, and are what they would be if they were drawn again."""

import random
from collections.abc import Callable

import pytest

import azulejos as az
from azulejos.core.language import speaking
from azulejos.drawing import keeping
from azulejos.drawing.keeping import forget, kept
from azulejos.drawing.scene import LAYOUTS


@pytest.mark.parametrize("game", az.registered())
def test_what_is_kept_is_what_would_be_drawn(game: str) -> None:
    made, chooser = az.make(game), random.Random(1)
    state = made.start(seed=1)
    states = []
    while not state.over:
        state = state.play(chooser.choice(list(state.actions)))
        states.append(state)

    def drawn(number: int) -> str:
        """In a game, layouts and languages take turns, so that each finds what the others left."""
        with speaking(("en", "cs")[number % 2]):
            return str(made.draw(states[number], viewer=number % made.players, layout=LAYOUTS[number % len(LAYOUTS)]))

    forget()
    whole = [drawn(number) for number in range(len(states))]
    for number in range(0, len(states), 3):
        forget()
        assert drawn(number) == whole[number]


def test_so_much_is_kept_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all functions in all languages together; and what is drawn again and again stays."""
    monkeypatch.setattr(keeping, "MOST", 100)
    monkeypatch.setattr(keeping, "_all", [])
    drawn: list[int] = []

    def made() -> Callable[[int], str]:
        @kept()
        def draw(number: int) -> str:
            drawn.append(number)
            return str(number)

        return draw

    functions = [made() for _ in range(10)]
    for number in range(1, 1000):
        with speaking(("en", "cs")[number % 2]):
            assert functions[number % 10](number) == str(number)
        assert functions[0](0) == "0"
    assert drawn.count(0) == 1
    assert sum(len(known) for both in keeping._all for spoken in both for known in spoken.values()) <= 200
