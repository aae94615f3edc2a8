"""The analysis board in a browser: positions from everywhere, branches, draws, the engine, links and files."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import azulejos as az

from ..server.conftest import Running
from .conftest import Visit
from .test_engine import thinking, wait_until_nobody_thinks
from .test_layout import MEASURE


def begin(page: Page, game: str = "azul") -> None:
    page.locator(f".new-game[data-game={game}] button").click()
    page.locator("#best li").first.wait_for()


def expect_entries(page: Page, count: int) -> None:
    expect(page.locator("#tree .entry")).to_have_count(count)


@pytest.mark.parametrize("game", az.registered())
def test_a_new_game_branches_with_the_visitors_own_engine(visit: Visit, server: Running, game: str) -> None:
    server.wait_until_ready(game)
    wait_until_nobody_thinks(server)
    page = visit("/analysis", viewport={"width": 1280, "height": 720})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    begin(page, game)
    expect_entries(page, 2)  # the first position, and its deal
    _share, size, words = page.evaluate(MEASURE)
    assert size >= 10.95, words
    chances = page.locator("#chances span")
    expect(chances).to_have_count(2)
    for expected in (3, 4):
        page.locator("#best li button").first.click()
        expect_entries(page, expected)
        expect(page.locator("#tree .entry").last).to_have_attribute("aria-current", "true")
        page.locator("#best li").first.wait_for()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#tree .entry").nth(2)).to_have_attribute("aria-current", "true")
    assert thinking(server) == "azulejos_thinking 0"
    assert not any("/hints" in address for address in asked)


def test_a_link_has_the_tree_with_names_and_comments(visit: Visit) -> None:
    page = visit("/analysis")
    begin(page)
    page.locator("#best li button").first.click()
    expect_entries(page, 3)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#tree .entry").nth(1)).to_have_attribute("aria-current", "true")
    played = page.locator("#tree .entry").last.get_attribute("data-action")
    page.locator(f"#best li:not([data-action='{played}']) button").first.click()
    expect_entries(page, 4)
    page.locator(".notes summary").click()
    page.locator("#name").fill("a trap")
    page.locator("#comment").fill("<b>look</b>")
    page.locator("#comment").blur()
    expect(page.locator("#tree em")).to_have_text("a trap – <b>look</b>")
    page.locator("#room[data-saved]").wait_for()
    text = page.locator("#text").input_value()
    other = visit(page.url.replace(page.evaluate("location.origin"), ""))
    expect(other.locator("#tree em")).to_have_text("a trap – <b>look</b>")
    expect_entries(other, 4)
    expect(other.locator("#text")).to_have_value(text)
    other.locator("#prune").click()
    expect(other.locator("#prune")).to_contain_text("Once more")
    other.locator("#prune").click()
    expect_entries(other, 3)


def test_draws_are_entered_tile_by_tile(visit: Visit) -> None:
    page = visit("/analysis")
    waiting = az.make("azul").lay_out(0)
    page.locator("#pasted").fill(str(waiting))
    page.locator("#paste button.main").click()
    for tile in "BBBB":
        with page.expect_response(re.compile("/position.*draws=")):
            page.locator(f"#draws [data-draw={tile}]").click()
    expect(page.locator("#board [id='factory-1.blue']")).to_be_visible()
    page.locator("#random").click()
    expect_entries(page, 2)
    assert page.locator("#text").input_value().split(" | ")[1].startswith("BBBB ")


def test_a_record_is_walked_and_exported_and_a_wrong_position_is_refused(visit: Visit, tmp_path: Path) -> None:
    state = az.make("azul", players=3).start(seed=8)
    record = az.Record(state, ["Ana", "Ben", "Eva"])
    for _move in range(6):
        record.play(record.state.actions[0])
    page = visit("/analysis")
    page.locator("#pasted").fill(str(state).replace("B", "Y", 1))
    page.locator("#paste button.main").click()
    expect(page.locator("#from-message")).to_contain_text("there must be 20")
    page.locator("#pasted").fill(str(record))
    page.locator("#paste button.main").click()
    expect_entries(page, 7)
    page.locator("#stepper [data-step=last]").click()
    expect(page.locator("#tree .entry").last).to_have_attribute("aria-current", "true")
    expect(page.locator("#text")).to_have_value(str(record.state))
    page.locator("#export summary").click()
    with page.expect_download() as saving:
        page.locator("#save-record").click()
    saved = az.Record.parse(Path(saving.value.path()).read_text(encoding="utf-8"))
    assert saved.state == record.state
    assert saved.names == ("Ana", "Ben", "Eva")
    for button, begins in (("#save-svg", b"<svg"), ("#save-png", b"\x89PNG")):
        with page.expect_download() as saving:
            page.locator(button).click()
        assert Path(saving.value.path()).read_bytes().startswith(begins)


def test_a_browser_without_webassembly_gets_the_servers_hints(visit: Visit) -> None:
    page = visit("/")
    page.add_init_script("delete window.WebAssembly")
    page.goto("/analysis")
    begin(page)
    expect(page.locator("#best li")).to_have_count(3)
    expect(page.locator("#chances")).to_be_hidden()


def test_a_position_is_set_up_by_hand_and_an_impossible_one_is_not_taken(visit: Visit) -> None:
    page = visit("/analysis")
    state = az.make("azul").start(draws="BBBB YYYY RRRR KKKK WWWW")
    page.locator("#pasted").fill(str(state))
    page.locator("#paste button.main").click()
    page.locator("#best li").first.wait_for()
    page.locator("#from-button").click()
    page.locator("#set-up").click()
    page.locator("#pieces [data-piece=R]").click()
    page.locator("#board [id='seat-1.line-3']").click()
    expect(page.locator("#set-text")).to_have_value(re.compile(r"0 -/-/R1/-/- "))
    page.locator("#setup summary").click()
    page.locator("#set-seat").select_option("1")
    expect(page.locator("#set-text")).to_have_value(re.compile("round 1 seat 1 start 0"))
    page.locator("#set-start").select_option("1")
    expect(page.locator("#set-text")).to_have_value(re.compile("round 1 seat 1 start 1"))
    page.locator("#pieces [data-piece=B]").click()
    for column in range(1, 6):
        page.locator(f"#board [id='seat-1.wall.1.{column}']").click()
        expect(page.locator("#set-text")).to_have_value(re.compile(re.escape("BYRKW"[:column].ljust(5, ".") + "/")))
    expect(page.locator("#wrong")).not_to_be_empty()
    expect(page.locator("#set-done")).to_be_disabled()
    page.locator("#pieces [data-piece='']").click()
    page.locator("#board [id='seat-1.wall.1.5']").click()
    expect(page.locator("#wrong")).to_be_empty()
    text = page.locator("#set-text").input_value()
    page.locator("#set-done").click()
    page.locator("#best li").first.wait_for()
    expect(page.locator("#text")).to_have_value(text)
    assert az.parse(text).seat == 1
