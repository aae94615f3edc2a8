"""Every screen is filled, every word can be read, and nothing jumps."""

from pathlib import Path
from typing import Any

import pytest

import azulejos as az

from .conftest import Visit
from .hands import MY_TURN_OR_OVER, play_by_mouse, start

MEASURE = (Path(__file__).parent / "measuring.js").read_text()
TOUCH = {"is_mobile": True, "has_touch": True}
# Width, height; the share of it that factories and boards fill; the smallest letters.
SCREENS: dict[str, tuple[int, int, float, float, dict[str, Any]]] = {
    "desktop": (1280, 720, 0.8, 11, {}),
    "large, with the log": (1920, 1080, 0.65, 11, {}),
    "phone": (390, 844, 0.88, 11, TOUCH),
    "phone on its side": (844, 390, 0.85, 11, TOUCH),
    "tablet": (820, 1180, 0.86, 11, TOUCH),
    "tablet on its side": (1180, 820, 0.75, 11, TOUCH),
    "zoom of 200 %": (640, 360, 0.85, 9, {}),  # of pixels that are twice as large
}
OWN = "[id='seat-0'] > .board"
SHIFTS = """() => {
    window.shifts = [];
    const name = ({ node }) => node?.id || node?.className || node?.nodeName;
    const note = ({ value, sources }) => window.shifts.push([value, ...sources.map(name)]);
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(note));
    observer.observe({ type: 'layout-shift', buffered: true });
}"""


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_is_filled_and_can_be_read(visit: Visit, screen: str) -> None:
    width, height, least, smallest, how = SCREENS[screen]
    page = visit(viewport={"width": width, "height": height}, **how)
    for game in az.registered() if screen in ("desktop", "phone") else ["pavilion"]:
        page.goto("/")
        start(page, game)
        play_by_mouse(page, seed=3, most=1)
        page.wait_for_function(MY_TURN_OR_OVER)
        share, size, words = page.evaluate(MEASURE)
        assert share >= least, f"{game}: {share:.1%} are filled"
        assert size >= smallest - 0.05, f"{game}: {words!r} is {size:.1f} pixels high"
        own = page.locator(OWN).bounding_box()
        assert own
        assert own["y"] + own["height"] <= height, f"{game}: my board is not on the screen"
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("screen", "game"), [("desktop", "pavilion"), ("phone", "azul")])
def test_nothing_jumps(visit: Visit, screen: str, game: str) -> None:
    """From the first paint to the fourth move: no shift of the layout, and what is asked stays where it is."""
    width, height, _share, _size, how = SCREENS[screen]
    page = visit(viewport={"width": width, "height": height}, **how)
    page.add_init_script(f"({SHIFTS})()")
    start(page, game)
    before = page.locator("#status").bounding_box()
    play_by_mouse(page, seed=4, most=4)
    page.wait_for_function(MY_TURN_OR_OVER)
    after = page.locator("#status").bounding_box()
    assert before
    assert after
    assert after["x"] == before["x"]
    assert page.evaluate("shifts") == []
