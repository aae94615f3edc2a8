"""Parts of pictures are kept from one position to the next, and are what they would be if they were drawn again."""

import random

import pytest

import azulejos as az
from azulejos.core.language import speaking
from azulejos.drawing.keeping import forget
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
    kept = [drawn(number) for number in range(len(states))]
    for number in range(0, len(states), 3):
        forget()
        assert drawn(number) == kept[number]
