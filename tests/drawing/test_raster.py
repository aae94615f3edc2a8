"""Pixels drawn directly are those of the PNG file."""

import io

import numpy as np
import pytest
from PIL import Image

import azulejos as az
from azulejos.drawing.png import png
from azulejos.drawing.raster import pixels
from azulejos.players import Random


@pytest.mark.parametrize(
    ("name", "options", "theme"),
    [("azul", {"players": 3}, "dark"), ("pavilion", {"players": 2}, "light"), ("duel", {}, "light")],
)
def test_pixels_are_those_of_the_png(name: str, options: dict[str, int], theme: str) -> None:
    state, player = az.make(name, **options).start(seed=1), Random(1)
    for _ in range(60):
        state = state.play(player.choose(state).action)
    picture = state.game.draw(state, theme=theme)
    drawn = pixels(picture).astype(int)
    with Image.open(io.BytesIO(png(picture))) as image:
        wanted = np.asarray(image.convert("RGB")).astype(int)
    assert drawn.shape == wanted.shape
    apart = np.abs(drawn - wanted).max(2)
    assert apart.mean() < 1.5
    assert (apart > 100).mean() < 0.004  # edges of letters; without the letters it would be more
