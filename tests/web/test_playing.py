"""Whole games in a real browser."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from .conftest import Visit
from .hands import (
    MY_TURN_OR_OVER,
    phase,
    play_by_keyboard,
    play_by_mouse,
    play_by_touch,
    position,
    start,
    wait_until_moved,
)


@pytest.mark.parametrize("game", ["azul", "pavilion"])
def test_a_whole_game_by_touch_alone(visit: Visit, game: str) -> None:
    page = visit(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    start(page, game)
    assert play_by_touch(page, seed=1) > 5
    assert phase(page) == "over"
    expect(page.locator("#result h2")).not_to_be_empty()
    sums = page.locator("#result .sum td").all_inner_texts()
    columns = [0] * len(sums)
    for row in page.locator("#result tbody tr:not(.sum)").all():
        for k, text in enumerate(row.locator("td").all_inner_texts()):
            columns[k] += int(text.replace("−", "-"))
    assert [str(column) for column in columns] == sums


@pytest.mark.parametrize("game", ["azul", "duel"])
def test_a_whole_game_by_keyboard_alone(visit: Visit, game: str) -> None:
    page = visit()
    start(page, game)
    assert play_by_keyboard(page, seed=2) > 5
    assert phase(page) == "over"


def take_first_tiles(page: Page) -> None:
    page.locator(".factory .can .tile").first.click(force=True)


def test_picking_shows_what_will_happen_and_escape_undoes_it(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    before = position(page)
    take_first_tiles(page)
    expect(page.locator(".held")).to_have_count(1)
    expect(page.locator(".line.can")).to_have_count(5)
    expect(page.locator("#status")).to_contain_text("choose a line or the floor")
    mine = page.locator(".line.can").nth(1)
    mine.hover()
    expect(page.locator(".sky .ghost")).not_to_have_count(0)
    expect(page.locator("#preview")).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(page.locator(".held")).to_have_count(0)
    assert position(page) == before
    expect(page.locator(".sky .ghost")).to_have_count(0)


def test_a_closed_line_says_why(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    take_first_tiles(page)
    before = position(page)
    page.locator(".line.can").nth(4).click()
    wait_until_moved(page, before)
    page.wait_for_function(MY_TURN_OR_OVER)
    colour = page.locator(".line .tile").first.get_attribute("href")
    others = page.locator(f".factory .can:not(:has(.tile[href='{colour}'])) .tile")
    others.first.click(force=True)
    shut = page.locator(".line.shut")
    expect(shut).to_have_count(1)
    shut.hover(force=True)
    expect(page.locator("#preview")).to_contain_text("which does not mix")


FOLLOWS = """(x) => {  // the tiles are where the pointer is
    const carried = document.querySelector("#board .carried")?.getBoundingClientRect();
    return carried && Math.abs(carried.x + carried.width / 2 - x) < 50;
}"""


def test_dragging_tiles_to_a_line(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    before = position(page)
    source = page.locator(".factory .can .tile").first.bounding_box()
    line = page.locator("[id='seat-0.line-4']").bounding_box()
    assert source
    assert line
    page.mouse.move(source["x"] + 15, source["y"] + 15)
    page.mouse.down()
    page.mouse.move(line["x"] + 20, line["y"] + 15, steps=8)
    page.wait_for_function(FOLLOWS, arg=line["x"] + 20)
    page.mouse.up()
    wait_until_moved(page, before)
    expect(page.locator("#board .carried")).to_have_count(0)


def test_a_finger_drags_tiles_to_a_line_and_back(visit: Visit) -> None:
    page = visit(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    start(page, "azul")
    source = page.locator(".factory .can .tile").first.bounding_box()
    line = page.locator("[id='seat-0.line-4']").bounding_box()
    name = page.locator("[id='seat-0.name']").bounding_box()
    assert source
    assert line
    assert name
    finger = page.context.new_cdp_session(page)

    def drag(x: float, y: float) -> None:
        begins = {"x": source["x"] + 15, "y": source["y"] + 15}
        half = {"x": (begins["x"] + x) / 2, "y": (begins["y"] + y) / 2}
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [begins]})
        for point in (half, {"x": x, "y": y}):
            finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        expect(page.locator("#board .carried")).to_have_count(1)
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(page.locator("#board .carried")).to_have_count(0)

    drag(name["x"] + 5, name["y"] + 5)
    expect(page.locator("#board .held")).to_have_count(0)
    drag(line["x"] + 20, line["y"] + 15)
    expect(page.locator("#words-choices .confirm")).to_be_visible()
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("game", ["azul", "pavilion"])
def test_confirming_is_a_choice(visit: Visit, game: str) -> None:
    page = visit()
    start(page, game)
    page.locator("#settings summary").click()
    page.locator("#confirm").check()
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_hidden()
    expect(page.locator("#settings summary")).to_be_focused()
    before = position(page)
    take_first_tiles(page)
    if game == "azul":  # in Pavilion one click is a whole move
        page.locator(".line.can").first.click()
    expect(page.locator("#words-choices .confirm")).to_be_visible()
    assert position(page) == before
    page.get_by_role("button", name="Confirm").click()
    wait_until_moved(page, before)


def test_tiles_fly_and_can_be_hurried(visit: Visit) -> None:
    page = visit(speed="0.005")  # a flight lasts longer than the test is patient
    page.locator("[data-game=azul] summary").click()
    page.locator("[data-game=azul] select[name=seat-1]").select_option("me")
    page.locator("[data-game=azul] .set > button").click()
    page.wait_for_function(MY_TURN_OR_OVER)
    take_first_tiles(page)
    before = position(page)
    page.locator(".line.can").nth(2).click()
    page.locator(".sky .tile:not(.ghost)").first.wait_for(state="attached")
    assert position(page) == before
    page.keyboard.press("Escape")
    wait_until_moved(page, before)
    page.wait_for_function(MY_TURN_OR_OVER)


def test_nothing_moves_when_something_is_selected(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    places = ("centre.marker", "seat-0.line-5.1", "seat-1.floor.1", "seat-0.wall.3.3", "seat-1.name")

    def boxes() -> list[object]:
        found = [page.locator(f"[id='{place}']") for place in places]
        return [place.bounding_box() for place in found if place.count()]

    before = boxes()
    assert len(before) == 5
    take_first_tiles(page)
    page.locator(".line.can").nth(3).hover()
    assert boxes() == before


def test_the_first_move_is_three_clicks_from_the_first_page(visit: Visit) -> None:
    page = visit()
    page.locator("[data-game=azul] .quick button").click()
    page.wait_for_function(MY_TURN_OR_OVER)
    before = position(page)
    take_first_tiles(page)
    page.locator(".line.can").first.click()
    wait_until_moved(page, before)


def test_takeback_and_the_log(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    play_by_mouse(page, seed=3, most=3)
    page.wait_for_function(MY_TURN_OR_OVER)
    page.locator("#log-button").click()
    expect(page.locator("#log .entry").nth(5)).to_be_visible()
    page.locator("#stepper [data-step=first]").click()
    expect(page.locator("#status")).to_contain_text("Position 0")
    expect(page.locator("#board .can")).to_have_count(0)
    visit(urlsplit(page.url).path)
    expect(page.locator("#people")).to_contain_text("1 person is watching")
    expect(page.locator("#status")).to_contain_text("Position 0")
    page.locator("#stepper [data-step=last]").click()
    page.wait_for_function(MY_TURN_OR_OVER)
    before = position(page)
    page.locator("#takeback").click()
    wait_until_moved(page, before)
    expect(page.locator("#log .undone").nth(1)).to_be_visible()


def test_the_title_and_the_live_region_say_whose_turn_it_is(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    expect(page).to_have_title(re.compile("Your turn"))
    play_by_mouse(page, seed=4, most=1)
    page.wait_for_function(MY_TURN_OR_OVER)
    expect(page.locator("#live")).to_contain_text("from")
