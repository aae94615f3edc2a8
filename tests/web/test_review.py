"""The review of a finished game: it fills in, shows the better move and why, and the worst positions as exercises."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import azulejos as az
from azulejos.players import Greedy, Player, Random

from ..server.conftest import Running
from .conftest import Visit


def bring(page: Page, name: str, actions: int = 8) -> str:
    """A short game of a greedy player against a random one, which resigns; where its record is."""
    record = az.Record(az.make(name).start(seed=4), names=["Ana", "Ben"])
    chairs: list[Player] = [Random(2), Greedy(1)]
    while record.state.seat is not None and len(record.actions) < actions:
        seat = record.state.seat
        record.play(chairs[seat].choose(record.state.view(seat)).action)
    record.resign(0)
    answer = page.request.post("/records", data=str(record), headers={"origin": page.url.rstrip("/")}, timeout=300_000)
    assert answer.ok, answer.text()
    return str(answer.json()["address"])


@pytest.mark.parametrize("name", ["azul", "duel"])
def test_a_review_fills_in_and_teaches(visit: Visit, server: Running, name: str) -> None:
    page = visit()
    address = bring(page, name)
    page.goto(f"{address}/review")
    expect(page.locator("#after")).to_be_visible(timeout=300_000)
    expect(page.locator("#numbers .number")).to_have_count(3)
    expect(page.locator("#course .hit")).to_have_count(9)
    expect(page.locator("#why h2")).not_to_be_empty()
    page.locator("#action-2").click(force=True)
    page.wait_for_function("() => location.hash === '#2'")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash === '#3'")
    page.locator("#learn").click()
    expect(page.locator("#why")).to_contain_text("Find a better move")
    expect(page.locator("#board .can, #words-choices [data-place]").first).to_be_attached()
    page.locator("#why .row button").click()
    expect(page.locator("#why")).to_contain_text("Better: ")
    expect(page.locator("#why .lines > section")).to_have_count(2)
    expect(page.locator("#why .lines li").first).to_be_visible()
    page.locator("#why .lines button").first.click()
    expect(page.locator("#why .lines button").first).to_have_attribute("aria-pressed", "true")


def test_the_best_move_solves_an_exercise_and_the_played_one_does_not(visit: Visit, server: Running) -> None:
    """On a phone, where the board is above the button: the page goes up to it."""
    page = visit()
    page.set_viewport_size({"width": 390, "height": 844})
    address = bring(page, "azul")
    page.goto(f"{address}/review")
    expect(page.locator("#after")).to_be_visible(timeout=300_000)
    page.locator("#learn").click()
    expect(page.locator("#why")).to_contain_text("Find a better move")
    page.wait_for_function("() => document.getElementById('board').getBoundingClientRect().top >= 0")
    found = page.evaluate("async (source) => (await fetch(source)).json()", f"{address}/review/{step(page)}")
    pick(page, found, found["played"]["action"])
    expect(page.locator("#preview .loss")).to_contain_text("Try again")
    pick(page, found, found["better"]["action"])
    expect(page.locator("#why .gain")).to_contain_text("Right")


def step(page: Page) -> str:
    return str(page.evaluate("location.hash.slice(1)"))


def pick(page: Page, found: dict[str, list[dict[str, object]]], action: object) -> None:
    """Click the places of an action on the board."""
    [picks] = [choice["picks"] for choice in found["choices"] if choice["action"] == action]
    assert isinstance(picks, list)
    for one in picks:
        page.locator(f"[id='{one['place']}'].can").click(force=True)


def test_reviewed_games_are_remembered(visit: Visit, server: Running) -> None:
    page = visit()
    for actions in (4, 5):
        page.goto(f"{bring(page, 'azul', actions)}/review")
        expect(page.locator("#after")).to_be_visible(timeout=300_000)
        page.goto("/")
    page.go_back()
    expect(page.locator("#past circle")).to_have_count(2, timeout=300_000)
    expect(page.locator("#plot")).to_contain_text("2 games, mean error rate")
    with page.expect_download() as saved:
        page.locator("#export").click()
    games = json.loads(Path(saved.value.path()).read_text())
    assert [game["game"] for game in games] == ["azul", "azul"]
    assert all(0 <= game["error_rate"] <= 1 for game in games)
    page.locator("#forget").click()
    expect(page.locator("#past")).to_be_hidden()


def test_what_is_no_finished_game_has_no_review(visit: Visit, server: Running) -> None:
    page = visit("/records/nothing/review")
    expect(page.locator("body")).to_contain_text("There is no record here")
    unfinished = az.Record(az.make("azul").start(seed=4))
    unfinished.play(unfinished.state.actions[0])
    page.goto("/")
    answer = page.request.post("/records", data=str(unfinished), headers={"origin": page.url.rstrip("/")})
    page.goto(f"{answer.json()['address']}/review")
    expect(page.locator("body")).to_contain_text("This game is not finished")
    assert page.request.get(f"{answer.json()['address']}/review/progress").status == 404
