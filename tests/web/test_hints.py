"""Hints at the table: asked for, looked at, taken up."""

import pytest
from playwright.sync_api import expect

import azulejos as az

from .conftest import Visit
from .hands import MY_TURN_OR_OVER, play_by_mouse, position, resign, start, wait_until_moved


@pytest.mark.parametrize("game", az.registered())
def test_a_hint_is_looked_at_and_taken_up(visit: Visit, game: str) -> None:
    page = visit()
    start(page, game)
    before = position(page)
    board = page.locator("#board").bounding_box()
    page.locator("#hint").click()
    hints = page.locator("#hints .hint")
    expect(hints.first).to_be_visible()
    assert page.locator("#board").bounding_box() == board, "nothing moves"
    hints.nth(1).hover()
    held = page.locator("#board .held > .ring").last
    expect(held).not_to_have_css("stroke", "none")  # what is held is outlined
    expect(page.locator("#preview")).not_to_be_empty()
    page.locator("header .home").hover()
    expect(page.locator("#board .held")).to_have_count(0)
    assert position(page) == before
    hints.first.click()
    expect(hints.first).to_be_hidden()
    page.keyboard.press("Escape")
    expect(hints.first).to_be_visible()
    hints.first.click()
    page.locator("#words-choices .confirm").click()
    wait_until_moved(page, before)
    expect(hints).to_have_count(0)


@pytest.mark.parametrize("can", [True, False])
def test_the_server_thinks_only_for_browsers_that_cannot(visit: Visit, can: bool) -> None:
    page = visit()
    if not can:
        page.add_init_script("delete globalThis.WebAssembly")
    asked: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: asked.append(str(frame))))
    start(page, "azul")
    page.locator("#hint").click()
    expect(page.locator("#hints .hint").first).to_be_visible(timeout=300_000)  # the server may have to compile
    assert any("ask hint" in frame for frame in asked) == (not can)


def test_hints_by_keyboard(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    before = position(page)
    page.keyboard.press("h")
    expect(page.locator("#hints .hint").first).to_be_focused()
    expect(page.locator("#live")).to_contain_text("%")
    expect(page.locator("#hints .hint em").first).to_contain_text("line")
    page.keyboard.press("Enter")
    expect(page.locator("#words-choices .confirm")).to_be_focused()
    page.keyboard.press("Enter")
    wait_until_moved(page, before)


def test_hints_are_put_away(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    page.locator("#hint").click()
    expect(page.locator("#hints .hint").first).to_be_visible()
    page.locator("#hint").click()
    expect(page.locator("#hints > *")).to_have_count(0)
    page.locator(".factory .can .tile").first.click(force=True)
    expect(page.locator(".line.can")).to_have_count(5)


def test_a_replay_says_what_moves_were_worth(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    play_by_mouse(page, seed=3, most=2)
    page.wait_for_function(MY_TURN_OR_OVER)
    resign(page)
    page.locator("#result a[href$=replay]").click()
    page.locator("[data-kind=replay]").wait_for()
    page.locator("#hint").click()
    judged = page.locator("#hints .hint")
    expect(judged.nth(2)).to_be_visible()
    expect(judged.first).to_contain_text("%")
    first = judged.all_inner_texts()
    page.locator("#stepper [data-step=on]").click()
    page.wait_for_function(
        "before => [...document.querySelectorAll('#hints .hint')].length &&"
        " [...document.querySelectorAll('#hints .hint')].map(hint => hint.innerText).join() !== before",
        arg=",".join(first),
    )
    page.locator("#stepper [data-step=last]").click()
    expect(judged).to_have_count(0)
