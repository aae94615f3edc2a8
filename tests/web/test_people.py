"""What people at a table see of each other, and how they find their games again."""

import re

from playwright.sync_api import expect

from .conftest import Visit
from .hands import ROOM, resign, set_table, sit_down, whose_turn

SHARE = """Object.defineProperty(navigator, "share", { value: (what) => {
    window.shared = what;
    return Promise.resolve();
}, configurable: true })"""

# Connections after the first open late.
LATE = """let opened = 0;
window.WebSocket = class extends WebSocket {
    late = opened++ > 0;
    get readyState() { return this.late ? WebSocket.CONNECTING : super.readyState; }
    set onopen(told) {
        super.onopen = (event) => setTimeout(() => { this.late = false; told(event); }, this.late ? 700 : 0);
    }
}"""


def test_one_click_gives_a_link_a_code_and_the_share_sheet(visit: Visit) -> None:
    ana, ben = visit(), visit()
    ana.context.add_init_script(SHARE)
    ana.locator("[data-game=azul] .friend button").click()
    link = ana.locator("#lobby .invite input").input_value()
    ana.wait_for_function("() => document.querySelector('.code')?.naturalWidth > 0")
    ana.get_by_role("button", name="Share…").click()
    ana.wait_for_function("link => window.shared?.url === link", arg=link)
    ben.goto(link)
    sit_down(ben, "Ben")
    whose_turn(ana, ben)


def test_who_sits_down_while_the_page_connects_anew_has_the_seat(visit: Visit) -> None:
    ana, ben = visit(), visit()
    ben.context.add_init_script(LATE)
    ben.goto(set_table(ana))
    ben.locator("#lobby form").wait_for()
    ben.set_viewport_size({"width": 412, "height": 915})  # another layout
    ben.wait_for_function(f"() => {ROOM}.connection === 'connecting'")
    sit_down(ben, "Ben")
    whose_turn(ana, ben)


def test_without_a_share_sheet_the_link_is_copied(visit: Visit) -> None:
    ana = visit(locale="cs")
    ana.locator("[data-game=duel] .friend button").click()
    expect(ana.locator("#lobby .invite input")).to_have_value(re.compile(r"\?language=cs#seat=1&word="))
    expect(ana.locator("#lobby .invite button:visible")).to_have_count(1)
    ana.locator("#lobby .invite button.main").click()
    expect(ana.locator("#lobby .invite button.main")).to_have_text("Zkopírováno")


def test_a_stranger_is_told_and_watches(visit: Visit) -> None:
    ana, eve, ben = visit(), visit(), visit()
    link = set_table(ana)
    eve.goto(link.partition("#")[0])
    expect(eve.locator("#lobby")).to_contain_text("You have no invitation")
    expect(eve.locator("#lobby form")).to_have_count(0)
    expect(eve.locator("#people")).to_have_text("You are watching")
    expect(ana.locator("#people")).to_have_text("1 person is watching")
    eve.goto(link.replace("word=", "word=x"))  # a word that is wrong
    eve.reload()  # only what is behind the # has changed
    eve.locator("#lobby input[name=name]").fill("Eve")
    eve.locator("#lobby form button").click()
    expect(eve.locator("#lobby")).to_contain_text("You have no invitation")
    ben.goto(link)
    sit_down(ben, "Ben")
    expect(eve.locator("#lobby")).to_be_hidden()


def test_at_a_public_table_a_stranger_sits_down(visit: Visit) -> None:
    ana, ben = visit(), visit()
    ana.locator("[data-game=azul] summary").click()
    ana.locator("[data-game=azul] select[name=seat-1]").select_option("friend")
    ana.locator("[data-game=azul] input[name=public]").check()
    ana.locator("[data-game=azul] .set > button").click()
    ana.locator("#lobby .invite input").wait_for()
    ben.goto(ana.url)
    sit_down(ben, "Ben")
    whose_turn(ana, ben)


def test_people_see_who_is_away_and_who_asks_for_a_rematch_and_find_the_old_game_again(visit: Visit) -> None:
    ana, ben = visit(), visit()
    ben.goto(set_table(ana))
    sit_down(ben, "Ben")
    whose_turn(ana, ben)
    first = ana.url
    ben.goto("/")
    expect(ana.locator("#people")).to_have_text("Ben is away")
    ben.goto(first)
    expect(ana.locator("#people")).to_be_empty()
    resign(ana)
    ben.get_by_role("button", name="Play again").click()
    expect(ana.locator("#people")).to_have_text("Ben wants to play again")
    expect(ben.locator("#people")).to_have_text("You want to play again")
    ana.get_by_role("button", name="Play again").click()
    for page in (ana, ben):
        expect(page).not_to_have_url(first)
    second = ana.url
    whose_turn(ana, ben)
    ana.locator("#menu summary").click()
    ana.get_by_role("link", name="The game before").click()
    ana.wait_for_url(first)
    expect(ana.locator("#result h2")).to_contain_text("You resigned")  # and stays there
    ana.get_by_role("link", name="The next game").click()
    ana.wait_for_url(second)
    for page, result in ((ana, "lost"), (ben, "won")):
        page.goto("/tables")
        row = page.locator("section", has_text="Finished").locator(
            "li", has=page.locator(f"a[href$='{first.rpartition('/')[2]}']")
        )
        expect(row).to_have_count(1)
        expect(row.locator(".end")).to_have_text(result)
        expect(row.locator("time")).to_contain_text("20")
