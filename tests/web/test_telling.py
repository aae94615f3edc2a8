"""A table that tells: the last move, why not, and what everything is."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .hands import MY_TURN_OR_OVER, play_by_mouse, start


def test_the_last_move_stays_in_words_and_on_the_board(visit: Visit) -> None:
    page = visit()
    start(page, "azul", "greedy")
    play_by_mouse(page, seed=1, most=1)
    page.wait_for_function(MY_TURN_OR_OVER)
    expect(page.locator("#preview.last")).to_have_text(
        re.compile(r"^Computer · greedy: \d \w+ from .+ to (line \d|the floor)( \([+−]\d+\))?$")
    )
    expect(page.locator("[id='seat-1'] .last")).to_have_count(1)
    assert page.locator("#log code").count() == 0


def test_one_move_is_current_after_a_takeback_which_is_not_offered_while_browsing(visit: Visit) -> None:
    page = visit()
    start(page, "azul", "greedy")
    play_by_mouse(page, seed=1, most=2)
    page.wait_for_function(MY_TURN_OR_OVER)
    page.locator("#log-button").click()
    page.locator("#takeback").click()
    expect(page.locator("#log .undone")).not_to_have_count(0)
    page.wait_for_function(MY_TURN_OR_OVER)
    play_by_mouse(page, seed=2, most=1)
    page.wait_for_function(MY_TURN_OR_OVER)
    expect(page.locator("#takeback")).to_be_visible()
    page.locator("[data-step=back]").click()
    expect(page.locator("#log [aria-current]")).to_have_count(1)
    expect(page.locator("#takeback")).to_be_hidden()


def test_what_cannot_be_picked_says_why_in_red(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    page.locator("[id='seat-0.wall.1.1']").click(force=True)
    expect(page.locator("#preview.loss")).to_have_text("take all tiles of one colour from a factory or the centre")
    page.locator("#board .factory .can .tile").first.click(force=True)
    floor = page.locator("[id='seat-0.floor']")
    floor.hover(force=True)
    expect(page.locator("#preview")).to_contain_text("to the floor")


@pytest.mark.parametrize(("game", "anchor"), [("azul", "taking"), ("pavilion", "taking"), ("duel", "plates")])
def test_objects_explain_themselves(visit: Visit, game: str, anchor: str) -> None:
    page = visit()
    start(page, game)
    box = page.locator("#explained")
    page.locator("#board .can").first.focus()
    page.keyboard.press("?")
    expect(box).to_be_visible()
    expect(box.locator("a")).to_have_attribute("href", f"/rules/{game}#{anchor}")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    page.locator("#bag text").last.hover()
    expect(box.locator("p")).to_have_text(re.compile("are filled from it"))


def test_a_long_press_explains_and_picks_nothing(visit: Visit) -> None:
    page = visit(has_touch=True, viewport={"width": 390, "height": 844})
    start(page, "azul")
    spot = page.locator("#board .factory .can .tile").first.bounding_box()
    assert spot
    finger = page.context.new_cdp_session(page)
    at = {"x": spot["x"] + spot["width"] / 2, "y": spot["y"] + spot["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(page.locator("#explained p")).to_have_text(re.compile("of one colour; the others go to the centre"))
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#board .held")).to_have_count(0)
    expect(page.locator("#explained")).to_be_visible()
