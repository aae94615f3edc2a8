"""Puzzles, solved on the board: right, wrong, given up; the day's, the streak, themes."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

import azulejos as az
from azulejos.puzzles import of_the_day, puzzles

from .conftest import Visit
from .test_access import check_access
from .test_languages import check_no_english

READY = "#room[data-ready=yes]"


def pick(page: Page, action: str) -> None:
    """Pick an action on the board, place after place."""
    state = puzzles(game_of(page))[name_of(page)].state
    for one in state.game.picks(state, int(state.game.action(action))):
        place = page.locator(f"[id='{one.place}'].can, [data-place='{one.place}']").first
        inside = place.locator(".tile")
        place.wait_for()
        (inside.first if inside.count() else place).click(force=True)


def game_of(page: Page) -> str:
    return str(page.evaluate("location.pathname.split('/').at(-2)"))


def name_of(page: Page) -> str:
    return str(page.evaluate("location.pathname.split('/').at(-1)"))


@pytest.mark.parametrize("game", az.registered())
def test_a_wrong_action_and_the_right_one(visit: Visit, game: str) -> None:
    page = visit(f"/puzzles/{game}/{next(iter(puzzles(game)))}")
    expect(page.locator(READY)).to_be_visible()
    puzzle = puzzles(game)[name_of(page)]
    asked = page.request.get(f"/puzzles/{game}/{puzzle.name}/position").json()
    assert asked["position"] == puzzle.position
    assert "answer" not in str(asked)
    assert "best" not in str(asked)
    pick(page, list(puzzle.answers)[1])
    expect(page.locator("#said .loss")).to_contain_text("gives away")
    expect(page.locator("#status")).to_contain_text("gives away")  # on phones the rest is below the board
    expect(page.locator("#change")).to_have_text(re.compile(r"^−\d+$"))
    expect(page.locator("#why")).to_be_hidden()
    expect(page.locator("#mine")).to_have_text(re.compile(r"^1[0-4]\d\d$"))  # it fell from 1500
    rating = page.locator("#mine").inner_text()
    pick(page, puzzle.best)
    expect(page.locator("#said .gain")).to_contain_text("Right")
    expect(page.locator("#answers li")).to_have_count(len(puzzle.answers))
    expect(page.locator("#reasons")).not_to_be_empty()
    expect(page.locator("#analyse")).to_have_attribute("href", re.compile(r"^/analysis\?text=" + game))
    expect(page.locator("#mine")).to_have_text(rating)  # only the first try counts
    if game == "azul":
        check_access(page)
    page.locator("#next").click()
    page.wait_for_function("name => !location.pathname.endsWith(name)", arg=puzzle.name)
    expect(page.locator("#why")).to_be_hidden()


def test_the_puzzle_of_the_day_makes_a_streak(visit: Visit) -> None:
    page = visit("/puzzles")
    expect(page.locator("#mine")).to_contain_text("not tried")
    today = datetime.now(UTC).date()
    days = [str(today - timedelta(days=back)) for back in (3, 2, 1)]
    page.evaluate("days => localStorage.setItem('azulejos.puzzles', JSON.stringify({days}))", days)
    page.locator("[data-game=azul] a", has_text="Puzzle of the day").click()
    expect(page.locator(READY)).to_be_visible()
    expected = of_the_day("azul", today)
    assert expected
    if name_of(page) != expected.name:
        pytest.skip("midnight has passed")
    expect(page.locator("#streak")).to_have_text("3")
    expect(page.locator("#tag")).to_be_visible()
    pick(page, expected.best)
    expect(page.locator("#streak")).to_have_text("4")
    page.goto("/puzzles")
    expect(page.locator("#mine")).to_contain_text("Days in a row: 4")
    expect(page.locator("[data-game=azul] .solved")).to_contain_text("1 found at once")
    check_access(page)


def test_a_theme_gives_only_its_puzzles(visit: Visit) -> None:
    page = visit("/puzzles")
    page.locator("[data-game=pavilion] .themes a", has_text="denial").click()
    expect(page.locator(READY)).to_be_visible()
    expect(page.locator("#theme")).to_have_value("denial")
    for _ in range(3):
        before = name_of(page)
        assert "denial" in puzzles("pavilion")[before].themes
        page.locator("#next").click()
        page.wait_for_function("name => !location.pathname.endsWith(name)", arg=before)


@pytest.mark.parametrize("game", az.registered())
def test_giving_up_shows_the_answer_in_every_word_translated(visit: Visit, game: str) -> None:
    page = visit("/puzzles", locale="uk")
    check_no_english(page)
    page.goto(f"/puzzles/{game}")
    expect(page.locator(READY)).to_be_visible()
    page.locator("#answer").click()
    expect(page.locator("#why")).to_be_visible()
    check_no_english(page)
    expect(page.locator("#rules-links a").first).to_have_attribute("href", re.compile(f"^/rules/{game}#"))


def test_what_is_no_puzzle_is_not_found(visit: Visit) -> None:
    page = visit("/puzzles/azul/nothing")
    assert page.request.get("/puzzles/chess").status == 404
    assert page.request.get("/puzzles/azul/nothing/position").status == 404
    assert page.request.get("/puzzles/azul/nothing/try").status == 404
    name = next(iter(puzzles("azul")))
    assert page.request.get(f"/puzzles/azul/{name}/try?action=zz").status == 400
    assert "rating" not in page.request.get(f"/puzzles/azul/{name}/try?action=&rating=x&deviation=nan").json()
