"""A game outside the package at a web table: `examples/pig.py`, without a line about it in the server."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from ..server.conftest import Running
from .conftest import Visit
from .hands import phase, play_by_keyboard, play_by_mouse, start


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("data"), "--import=examples.pig", "--limit=posts=0")
    running.wait_until_ready("pig")
    yield running
    running.stop()


def test_a_whole_game_by_mouse(visit: Visit) -> None:
    page = visit()
    expect(page.locator("[data-game=pig]")).to_contain_text("a one takes it all")
    start(page, "pig", "search")
    assert play_by_mouse(page, seed=1) > 1
    assert phase(page) == "over"
    sums = [int(text) for text in page.locator("#result .sum td").all_inner_texts()]
    assert max(sums) >= 50


def test_by_keyboard_on_a_phone(visit: Visit) -> None:
    page = visit(viewport={"width": 390, "height": 800})
    start(page, "pig")
    assert play_by_keyboard(page, seed=2) > 1
    assert phase(page) == "over"
