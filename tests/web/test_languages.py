"""Every page in a language that shares no letters with English: what is left of English is seen at once."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import azulejos as az

from .conftest import SECRET, Visit
from .hands import MY_TURN_OR_OVER, leave, one_move, play_by_mouse, resign, set_table, sit_down, start, whose_turn

# All that a page says: its title, its texts, what is hidden in menus or said to screen readers only.
SAID = """() => [document.title, ...[...document.querySelectorAll("body, body *")].flatMap((element) => [
    ...(element.matches("script, style, code, kbd, [lang]:not([lang=uk]), template") ? [] :
        [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data)),
    ...["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name) ?? ""),
    ...(element.matches("template") ? [element.content.textContent] : []),
])]"""
NAMES = re.compile(
    r"azulejos|\b[sj][A-Z]{2,4}\b|Čeština|Français|English|Esc|SVG|PNG|QR"
)  # ours, of plates, of languages, of keys, of files


def check_no_english(page: Page) -> None:
    page.wait_for_load_state()
    expect(page.locator("html")).to_have_attribute("lang", "uk")
    said = page.evaluate(SAID)
    assert [text for text in said if re.search("[A-Za-z]{2}", NAMES.sub("", text))] == []


def test_pages(visit: Visit, tmp_path: Path) -> None:
    page = visit(locale="uk")
    check_no_english(page)
    for address in (
        "/tables",
        "/analysis",
        "/learn",
        "/learn/duel/suns",
        "/rules/azul",
        "/rules/pavilion",
        "/rules/duel",
        "/nowhere",
        "/rules/x",
        "/settings",
    ):
        page.goto(address)
        check_no_english(page)
    for address in ("/tables/x/steps/1", "/records/x", "/draw.svg?position=x"):
        page.goto(address)
        assert not re.search("[A-Za-z]{2}", NAMES.sub("", page.locator("body").inner_text()))
    page.goto("/")
    for text in ("чужий", str(az.Record(az.make("azul").start(seed=1))).replace("round 1", "round 2"), "x" * 300_000):
        file = tmp_path / "record.txt"
        file.write_text(text)
        page.locator("#record-message").evaluate("message => { message.textContent = '' }")
        page.locator("#record").set_input_files(file)
        expect(page.locator("#record-message")).not_to_be_empty()
        if "round" not in text:  # the line itself is quoted
            check_no_english(page)
        page.locator("#record").set_input_files([])


def test_the_hosts_page(visit: Visit) -> None:
    page = visit(locale="uk")
    start(page, "duel")
    page.goto("/admin")
    check_no_english(page)
    page.locator("input[type=password]").fill("?")
    page.locator("main button").click()
    expect(page.get_by_role("alert")).to_be_visible()
    check_no_english(page)
    page.locator("input[type=password]").fill(SECRET)
    page.locator("main button").click()
    expect(page.locator("thead")).to_be_visible()
    page.wait_for_load_state()  # all rows
    page.evaluate("document.querySelectorAll('tbody tr:not(:first-child)').forEach((row) => row.remove())")
    page.evaluate("document.querySelector('tbody a').remove()")  # an address; other rows have others' names
    check_no_english(page)


@pytest.mark.parametrize("game", az.registered())
def test_tables(visit: Visit, game: str) -> None:
    page = visit(locale="uk")
    start(page, game)
    page.locator("#log-button").click()
    for seed in range(4):
        play_by_mouse(page, seed, most=2)
        page.wait_for_function(MY_TURN_OR_OVER)
        check_no_english(page)
    resign(page)
    page.locator("#result h2").wait_for()
    check_no_english(page)
    page.goto(f"{page.url}/replay#3")
    page.wait_for_selector("#board svg")
    check_no_english(page)


def test_refusals_and_what_friends_do(visit: Visit) -> None:
    ana, ben = visit(locale="uk"), visit(locale="uk")
    link = set_table(ana, name="Анна")
    check_no_english(ana)
    ben.goto(link)
    ben.locator("#lobby input[name=name]").fill("Анна")
    ben.locator("#lobby form button").click()
    expect(ben.locator("#lobby [role=status]")).to_contain_text("Анна")
    check_no_english(ben)
    sit_down(ben, "Богдан")
    one_move(ana, ben, 1)
    actor, other = whose_turn(ana, ben)
    other.locator("#takeback").click()
    expect(actor.locator("#asked button")).to_have_count(2)
    check_no_english(actor)
    actor.locator("#asked button").last.click()
    expect(actor.locator("#asked")).to_be_hidden()
    refuse_stale_move(actor)
    check_no_english(actor)
    leave(other)
    expect(actor.locator("#lobby")).to_be_visible()
    check_no_english(actor)


def refuse_stale_move(page: Page) -> None:
    """The page is made to send a move of a position that has gone by."""
    page.evaluate(
        """() => {
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (text) {
                return send.call(this, text.replace(/"position":\\d+/, '"position":1'));
            };
        }"""
    )
    page.locator(".factory .can .tile").first.click(force=True)
    page.locator(".line.can").first.click()
    expect(page.locator("#preview")).to_contain_text("гра пішла далі")
