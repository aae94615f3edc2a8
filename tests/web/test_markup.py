"""Markup in everything that a visitor can send stays text, on every page and in every picture."""

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

import azulejos as az

from ..server.conftest import Running
from .conftest import SECRET, Visit
from .hands import ROOM, one_move, resign, set_table, sit_down, whose_turn

MARKUP = ("<img src=x onerror=run=1>", "\"'><svg onload=run=1>{{7*7}}</script>")
MADE = """document.querySelectorAll(
    'img:not([src^="/tables/"]), iframe, object, [onerror], [onload], [onclick], svg:not([viewBox])').length"""


def check_inert(page: Page) -> None:
    """Nothing ran, and no element was made. Violations of the policy fail every test of a page."""
    page.wait_for_load_state()
    assert page.evaluate("typeof run") == "undefined"
    assert page.evaluate(MADE) == 0


@pytest.mark.parametrize("game", ["duel"])
def test_names_are_text_everywhere(visit: Visit, tmp_path: Path, game: str) -> None:
    ana, ben, eve = visit(), visit(), visit()
    ben.goto(set_table(ana, game, MARKUP[0]))
    sit_down(ben, MARKUP[1])
    eve.goto(ana.url)
    for seed in range(3):
        one_move(ana, ben, seed)
    actor, other = whose_turn(ana, ben)
    target = ana.evaluate(f"{ROOM}.position")
    eve.wait_for_function(f"target => {ROOM}.position === target", arg=target)
    other.locator("#takeback").click()
    expect(actor.locator("#asked")).to_contain_text(MARKUP[other is ben])
    expect(actor.locator("[id='seat-1.name']")).to_contain_text("svg")
    for page in (ana, ben, eve):
        page.locator("#log-button").click()
        for name in MARKUP:
            expect(page.locator("#seats")).to_contain_text(name)
        check_inert(page)
    resign(ben)
    expect(ana.locator("#result h2")).to_contain_text(MARKUP[1])
    check_inert(ana)
    for address in ("/", "/tables"):
        ana.goto(address)
        expect(ana.locator("main")).to_contain_text(MARKUP[1])
        check_inert(ana)
    eve.goto(f"{eve.url}/replay#2")
    expect(eve.locator("#status")).to_contain_text(MARKUP[0])
    eve.wait_for_selector("#board svg")
    check_inert(eve)
    with eve.expect_download() as downloading:
        eve.locator("a[download]").click()
    file = tmp_path / "record.txt"
    downloading.value.save_as(file)
    assert set(az.Record.load(file).names) == set(MARKUP)
    eve.goto("/")
    eve.locator("#record").set_input_files(file)
    eve.wait_for_selector("#board svg")
    expect(eve.locator("#status")).to_contain_text(MARKUP[1])
    check_inert(eve)


def test_records_are_text(visit: Visit, tmp_path: Path) -> None:
    start = az.make("azul").start(seed=1)
    record = az.Record(start, names=MARKUP)
    record.play(record.state.actions[0])
    record.end([0], MARKUP[0])
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    record.save(good)
    bad.write_text(str(record).replace("round 1", f"round {MARKUP[0]}"))
    page = visit()
    page.locator("#record").set_input_files(bad)
    expect(page.locator("#record-message")).to_contain_text(MARKUP[0])
    check_inert(page)
    page.locator("#record").set_input_files(good)
    page.wait_for_selector("#board svg")
    page.locator("#stepper [data-step=last]").click()
    expect(page.locator("#log")).to_contain_text(MARKUP[start.seat or 0])
    check_inert(page)


def test_addresses_are_text(visit: Visit) -> None:
    page = visit()
    position = quote(str(az.make("duel").start(seed=1)))
    markup = quote(f"{MARKUP[1]}{MARKUP[0]}")
    for address in (
        f"/?name={markup}",
        f"/{markup}",
        f"/tables/{markup}",
        f"/tables/{markup}/replay?x={markup}",
        f"/records/{markup}#{markup}",
        f"/rules/{markup}",
        f"/rules/azul?{markup}#{markup}",
        f"/draw.svg?position={markup}",
        f"/draw.svg?position={position}&theme={markup}",
        f"/draw.svg?position={position}&theme=dark",
        f"/tables/{markup}/steps/0?layout={markup}&theme={markup}",
    ):
        page.goto(address)
        check_inert(page)
        if page.locator("footer button").count():
            with page.expect_navigation():
                page.locator("footer button[value=dark]").click()
            check_inert(page)


SUBMIT = """([action, fields]) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action });
    for (const [name, value] of Object.entries(fields)) {
        const field = document.createElement("input");
        Object.assign(field, { name, value });
        form.append(field);
    }
    document.body.append(form);
    form.submit();
}"""


def test_forms_are_text(visit: Visit) -> None:
    page = visit("/rules/azul")
    seats = ("players", "wall", "seat-0", "seat-1", "name", "name-0", "player")
    for action, fields in (
        ("/tables", {"game": MARKUP[0]}),
        *(("/tables", {"game": "azul", name: MARKUP[0]}) for name in seats),
        *(("/settings", {name: MARKUP[1]}) for name in ("language", "theme", "back")),
    ):
        with page.expect_navigation():
            page.evaluate(SUBMIT, [action, fields])
        check_inert(page)


def test_reasons_of_the_host_are_text(visit: Visit, server: Running) -> None:
    ana, host = visit(), visit("/admin")
    set_table(ana, "azul", MARKUP[0])
    host.locator("input[type=password]").fill(MARKUP[0])
    host.locator("main button").click()
    expect(host.get_by_role("alert")).to_be_visible()
    check_inert(host)
    host.locator("input[type=password]").fill(SECRET)
    host.locator("main button").click()
    row = host.locator("tr", has=host.locator(f"a[href='{ana.url.removeprefix(server.address)}']"))
    expect(row).to_contain_text(MARKUP[0])
    check_inert(host)
    row.locator("input[name=reason]").fill(MARKUP[1])
    row.locator("button").click()
    expect(row.locator("input[name=reason]")).to_have_count(0)
    check_inert(host)
    expect(ana.locator("#status")).to_contain_text(MARKUP[1])
    check_inert(ana)
    ana.reload()
    expect(ana.locator("#status")).to_contain_text(MARKUP[1])
    check_inert(ana)
