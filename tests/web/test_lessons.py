"""The lessons in a browser: to the end in every language, left and taken up again, by keyboard, with a wrong try;
a first game with a coach; and what a visitor has reached."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import azulejos as az
from azulejos.core.lessons import Lesson

from ..games.test_lessons import walk
from .conftest import Visit
from .hands import MY_TURN_OR_OVER

Look = Callable[..., None]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def press(page: Page, place: str) -> None:
    """Pick a place on the board, or the button for it."""
    found = page.locator(f'#board [id="{place}"].can, #words-choices [data-place="{place}"]').first
    found.evaluate("element => element.scrollIntoView({ block: 'center' })")  # above the bar of a phone
    inside = found.locator(".tile")
    (inside.first if inside.count() else found).click(force=True)


def play(page: Page, lesson: Lesson, look: Look = lambda name, *places: None) -> None:
    """Do what each step expects, until the lesson is done.

    `look`: called with a name and the places that matter, when a step begins, is half picked, and is done.
    """
    for number, (step, state) in enumerate(walk(lesson)):
        expect(page.locator("#room")).to_have_attribute("data-step", str(number))
        name = f"{lesson.name}-{number}"
        look(name, *step.marks)
        if step.expected:
            action = next(one for one in state.actions if step.expects(str(one)))
            several = {one.actions[0]: one.picks for one in state.game.together(state)}
            picks = several.get(int(action)) or state.game.picks(state, int(action))
            expect(page.locator("#board .can, #words-choices [data-place]").first).to_be_attached()
            for half, pick in enumerate(picks):
                if half:
                    look(f"{name}-pick", pick.place)
                press(page, pick.place)
            if page.locator(".confirm").count():  # fingers are asked
                page.locator(".confirm").click()
            if step.done:
                expect(page.locator("#go:visible, #next:visible").first).to_be_visible()
                look(f"{name}-done")
        last = number + 1 == len(lesson.steps)
        if not last and (step.done or not step.expected):
            page.locator("#go").click()
    expect(page.locator("#room")).to_have_attribute("data-done", "yes")


@pytest.mark.parametrize(
    ("game", "locale", "options"),
    [("azul", "uk", PHONE), ("pavilion", "cs", {}), ("duel", "fr", {})],
    ids=["azul-uk-phone", "pavilion-cs", "duel-fr"],
)
def test_a_game_is_learnt(visit: Visit, game: str, locale: str, options: dict[str, object]) -> None:
    """From the start page through all lessons of a game to the offer of a first game."""
    page = visit(locale=locale, **options)
    page.locator(".entry a[href='/learn']").click()
    page.locator(f"[data-lessons={game}] .go").click()
    lessons = az.registered()[game].lessons()
    for number, lesson in enumerate(lessons):
        play(page, lesson)
        if number + 1 < len(lessons):
            page.locator("#next").click()
            expect(page).to_have_url(re.compile(f"/{lessons[number + 1].name}$"))
    expect(page.locator("#next form button")).to_be_visible()
    page.goto("/learn")
    expect(page.locator(f"[data-lessons={game}] .tick:visible")).to_have_count(len(lessons))


def test_a_lesson_explains_is_left_and_taken_up_by_keyboard(visit: Visit, tmp_path: Path) -> None:
    page = visit("/learn/azul/taking")
    press(page, "factory-3.yellow")
    press(page, "seat-0.line-5")
    expect(page.locator("#wrong")).to_contain_text("Put them on line 3")
    expect(page.locator("#live")).to_contain_text("Put them on line 3")
    expect(page.locator("#rule")).to_have_attribute("href", "/rules/azul#taking")
    press(page, "factory-3.yellow")
    page.locator('[id="seat-0.line-3"].can').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#go")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#room")).to_have_attribute("data-step", "1")
    expect(page.locator("#board .can:focus")).to_have_count(1)  # the board, as the key pressed the button
    page.goto("/")
    expect(page.locator("#reached")).to_contain_text("lessons 0 of 8")
    page.locator("#go-on a").click()
    expect(page.locator("#room")).to_have_attribute("data-step", "1")
    expect(page.locator("#said")).to_contain_text("2 blue tiles")
    page.locator("#skip").click()
    page.wait_for_url("**/learn/azul/centre")
    expect(page.locator("#room")).to_have_attribute("data-step", "0")
    page.goto("/learn")
    with page.expect_download() as saving:
        page.locator("#save-progress").click()
    saved = tmp_path / "progress.json"
    saving.value.save_as(saved)
    assert json.loads(saved.read_text())["sections"]["lessons"]["azul"]["at"]["lesson"] == "centre"
    other = visit("/")
    expect(other.locator("#reached li")).to_have_count(0)
    other.locator("#open-progress").set_input_files(saved)
    expect(other.locator("#reached")).to_contain_text("lessons 0 of 8")
    saved.write_text("{}")
    other.locator("#open-progress").set_input_files(saved)
    expect(other.locator("#progress-message")).not_to_be_empty()


def test_a_coach_says_one_thing_a_turn_and_can_be_switched_off(visit: Visit) -> None:
    page = visit("/learn")
    page.locator("[data-lessons=azul] .coached button").click()
    page.wait_for_function(MY_TURN_OR_OVER)
    page.locator("#board [id^=factory].can .tile").first.click(force=True)
    page.locator('[id="seat-0.floor"].can').hover(force=True)
    expect(page.locator("#tip-words")).to_contain_text("tiles on the floor only cost points", ignore_case=True)
    page.locator("#tips-off").click()
    expect(page.locator("#tip")).to_be_hidden()
    expect(page.locator("#coach")).not_to_be_checked()
