"""What people at a table see of each other, and how they find their games again."""

from playwright.sync_api import expect

from .conftest import Visit
from .hands import sit_down, whose_turn

SHARE = """Object.defineProperty(navigator, "share", { value: (what) => {
    window.shared = what;
    return Promise.resolve();
}, configurable: true })"""


def test_one_click_gives_a_link_a_code_and_the_share_sheet(visit: Visit) -> None:
    ana, ben = visit(), visit()
    ana.context.add_init_script(SHARE)
    ana.locator("[data-game=azul] .friend button").click()
    link = ana.locator("#lobby .invite input").input_value()
    ana.wait_for_function("document.querySelector('.code')?.naturalWidth > 0")
    ana.get_by_role("button", name="Share…").click()
    assert ana.evaluate("shared.url") == link
    ben.goto(link)
    sit_down(ben, "Ben")
    whose_turn(ana, ben)


def test_without_a_share_sheet_the_link_is_copied(visit: Visit) -> None:
    ana = visit(locale="cs")
    ana.locator("[data-game=duel] .friend button").click()
    assert "?language=cs#seat=1&word=" in ana.locator("#lobby .invite input").input_value()
    expect(ana.locator("#lobby .invite button:visible")).to_have_count(1)
    ana.locator("#lobby .invite button.main").click()
    expect(ana.locator("#lobby .invite button.main")).to_have_text("Zkopírováno")
