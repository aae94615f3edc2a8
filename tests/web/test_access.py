"""For everyone: screen readers, phones, languages, themes."""

import random
import re
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import azulejos as az
from azulejos.core.language import LANGUAGES, _, speaking

from .conftest import SECRET, Visit
from .hands import MY_TURN_OR_OVER, OFFERED, play_by_mouse, position, resign, set_table, start, tap_on, wait_until_moved

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DEVICES: dict[str, dict[str, Any]] = {"desktop": {}, "phone": PHONE}
SCHEMES: dict[Literal["light", "dark"], dict[str, Any]] = {
    "light": {"resultTypes": ["violations"]},
    "dark": {"resultTypes": ["violations"], "runOnly": ["color-contrast"]},
}


def check_access(page: Page) -> None:
    """axe-core finds nothing, not even of minor impact; by night it looks at the colours only."""
    for scheme, options in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options=options)
        violations = [
            f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}"
            for one in found.response["violations"]
        ]
        assert violations == [], f"{page.url}, {scheme}"


@pytest.mark.parametrize("device", DEVICES)
def test_pages_are_open_to_everyone(visit: Visit, device: str) -> None:
    page = visit(**DEVICES[device])
    page.locator("[data-game=pavilion] summary").click()
    check_access(page)
    rules = {"desktop": "/rules/duel", "phone": "/rules/pavilion"}
    for address in ("/tables", "/analysis", "/nowhere", rules[device]):
        page.goto(address)
        check_access(page)
    page.goto("/")
    set_table(page)
    check_access(page)
    page.goto("/tables")
    check_access(page)
    page.goto("/admin")
    check_access(page)
    page.locator("input[type=password]").fill(SECRET)
    page.locator("main button").click()
    page.locator("tbody tr").first.wait_for()
    check_access(page)


@pytest.mark.parametrize(("game", "device"), [("azul", "phone"), ("pavilion", "desktop"), ("duel", "phone")])
def test_tables_are_open_to_everyone(visit: Visit, game: str, device: str) -> None:
    page = visit(**DEVICES[device])
    start(page, game)
    play_by_mouse(page, seed=5, most=3)
    page.wait_for_function(MY_TURN_OR_OVER)
    for place in page.locator("#board .can").all()[:6]:
        assert place.get_attribute("aria-label")
        assert place.get_attribute("role") == "button"
    page.locator("#board .can").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(MY_TURN_OR_OVER)  # half a move, or the next
    check_access(page)
    page.keyboard.press("Escape")
    page.wait_for_function(MY_TURN_OR_OVER)
    page.locator("#settings summary").click()
    if device == "phone":
        check_access(page)
    page.keyboard.press("Escape")
    resign(page)
    page.locator("#result h2").wait_for()
    check_access(page)
    if device == "desktop":
        page.get_by_role("link", name="Replay").click()
        page.locator("[data-kind=replay] #board svg").wait_for()
        check_access(page)


@pytest.mark.parametrize("game", az.registered())
def test_a_phone_shows_factories_and_my_board_without_scrolling_sideways(visit: Visit, game: str) -> None:
    page = visit(**PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    start(page, game)
    play_by_mouse(page, seed=2, most=3)
    page.wait_for_function(MY_TURN_OR_OVER)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    small = page.evaluate(
        """() => [...document.querySelectorAll('.can, .bar button, .bar summary, #words-choices button')]
            .filter((place) => place.getClientRects().length)
            .map((place) => [place.id || place.textContent, place.getBoundingClientRect()])
            .filter(([, box]) => box.width < 43.5 && box.height < 43.5)
            .map(([name, box]) => `${name} ${box.width}×${box.height}`)"""
    )
    assert small == []
    own = page.locator("[id='seat-0']").bounding_box()
    strip, header = page.locator("#stage > .hand").bounding_box(), page.locator("header.bar").bounding_box()
    assert own
    assert strip
    assert header
    assert header["height"] <= ABOVE, "the drawings leave less room than the header takes"
    assert page.evaluate("scrollY") == 0
    assert own["y"] + own["height"] <= 844, "factories and my board are on one screen"
    assert own["y"] + own["height"] <= strip["y"] + 4, "what is asked covers my board"


# --- drawings on a phone: every number of players, at many positions ---

ABOVE, BELOW = 58, 54  # of 844: the header, the strip for tools and choices
FINGER, NEARLY = 43.5, 40
# What a phone's width does not give to everything, and how much it gives across the narrow direction. Whatever a finger
# may have meant instead is offered as a large button.
NARROW = {
    "slot": (r"seat-\d\.(slot\.\d\.\d|square-\d\.[ns][ew])", 29),  # six slots beside six spaces of a line
    "chip": (r"seat-\d\.chip-.*", 26),  # seven kinds in half of a board
    "factory": (r"factory-\d\.\w+", 38),  # five factories beside each other, a quarter each
}
TARGETS = """(places) => places.map((id) => [id, document.getElementById(id)]).filter(([, place]) => place)
    .map(([id, place]) => [id, [...place.querySelectorAll('.hit, .ring')].map((hit) => hit.getBoundingClientRect())])
    .map(([id, boxes]) => [id, boxes.map(({ width, height }) => [Math.min(width, height), Math.max(width, height)])])"""
PLAYERS = [("azul", 2), ("azul", 3), ("azul", 4), ("pavilion", 2), ("pavilion", 3), ("pavilion", 4), ("duel", 2)]


def narrowest(place: str) -> float:
    return next((room for pattern, room in NARROW.values() if re.fullmatch(pattern, place)), NEARLY)


@pytest.mark.parametrize(("name", "players"), PLAYERS)
def test_a_phone_has_targets_for_fingers(browser: Browser, name: str, players: int) -> None:
    game = az.make(name) if name == "duel" else az.make(name, players=players)
    page = browser.new_page(viewport=PHONE["viewport"])
    page.set_content("<!doctype html><style>body { margin: 0 }</style><body></body>")
    chooser, state, small = random.Random(players), game.start(seed=players), set()
    for number in range(160):
        if state.over:
            break
        if number % 4 == 0:
            picture = game.draw(state, viewer=state.seat, layout="tall")
            page.evaluate("picture => { document.body.innerHTML = picture }", picture)
            board = page.locator(f"[id='seat-{state.seat}'] > .board").bounding_box()
            assert board
            assert board["y"] + board["height"] <= 844 - ABOVE - BELOW + 4
            places = sorted({pick.place for action in state.actions for pick in game.picks(state, int(action))})
            for place, boxes in page.evaluate(TARGETS, places):
                if not any(low >= narrowest(place) and high >= FINGER for low, high in boxes):
                    small.add(f"{place}: {boxes}")
        state = state.play(chooser.choice(list(state.actions)))
    page.close()
    assert small == set()


@pytest.mark.parametrize("name", LANGUAGES)
def test_each_language(visit: Visit, name: str) -> None:
    page = visit(locale=name)
    expect(page.locator("html")).to_have_attribute("lang", name)
    with speaking(name):
        heading, ask = _("Which game?"), _("take all tiles of one colour from a factory or the centre")
        bag, back = _("bag"), _("Take back")
    expect(page.locator("h1")).to_have_text(heading)
    start(page, "azul")
    expect(page.locator("#status")).to_contain_text(ask)
    expect(page.locator("#board svg")).to_contain_text(bag)
    play_by_mouse(page, seed=7, most=2)
    expect(page.locator("#takeback")).to_have_text(back)
    page.goto("/rules/azul")
    expect(page.locator("article h1")).not_to_be_empty()
    expect(page.locator("article svg.azulejos").first).to_be_visible()


@pytest.mark.parametrize("width", [390, 760, 1280])
def test_nothing_is_wider_than_the_window(visit: Visit, width: int) -> None:
    page = visit(viewport={"width": width, "height": 800}, locale="uk")
    for details in page.locator("details summary").all():
        details.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for card in page.locator(".card").all():
        assert card.evaluate("card => card.scrollWidth <= card.clientWidth + 1")


def test_the_language_and_the_theme_are_switched(visit: Visit) -> None:
    page = visit(locale="en")
    page.get_by_role("button", name="Français").click()
    expect(page.locator("h1")).to_have_text("À quoi joue-t-on ?")
    page.get_by_role("button", name="sombre").click()
    whole = page.locator("html")
    expect(whole).to_have_attribute("data-theme", "dark")
    page.wait_for_load_state()
    colour = whole.evaluate("whole => getComputedStyle(whole).backgroundColor")
    page.get_by_role("button", name="clair").click()
    expect(whole).to_have_attribute("data-theme", "light")
    expect(whole).not_to_have_css("background-color", colour)


@pytest.mark.parametrize(("wish", "speed"), [("reduce", "0"), ("no-preference", "1")])
def test_motion_honours_the_systems_setting_at_first(visit: Visit, wish: str, speed: str) -> None:
    page = visit(speed=None, reduced_motion=wish)
    start(page, "azul")
    expect(page.locator("#speed")).to_have_value(speed)


@pytest.mark.parametrize("game", az.registered())
def test_a_touch_is_shown_before_it_is_made(visit: Visit, game: str) -> None:
    """A finger does not hover: what it touched, and what it may have meant instead, is shown first."""
    page = visit(**PHONE)
    start(page, game)
    before = position(page)
    for _step in range(6):
        if page.locator(".confirm").count():
            break
        tap_on(page, page.locator(OFFERED).last)
    expect(page.locator(".confirm")).to_be_visible()
    expect(page.locator("#preview")).to_be_visible()
    assert position(page) == before
    page.locator(".confirm").tap()
    wait_until_moved(page, before)


CLOSE = """() => {
    const spots = [...document.querySelectorAll("[id^='seat-0.star-'].can")].map((place) => {
        const box = place.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    });
    return spots.find(([x, y], k) => spots.some(([a, b], n) => n !== k && Math.hypot(a - x, b - y) < 36)) ?? null;
}"""


def test_what_lies_close_together_is_offered_as_large_buttons(visit: Visit) -> None:
    page = visit(**PHONE)
    start(page, "pavilion")
    chooser = random.Random(5)
    while (spot := page.evaluate(CLOSE)) is None:
        assert play_by_mouse(page, seed=chooser.randrange(99), most=1), "the game was over before"
        page.wait_for_function(MY_TURN_OR_OVER)
    page.touchscreen.tap(*spot)
    other = page.locator("#words-choices [data-near][aria-pressed=false]").first
    expect(other).to_be_visible()
    for button in page.locator("#words-choices [data-near], #words-choices > button").all():
        size = button.bounding_box()
        assert size
        assert min(size["width"], size["height"]) >= FINGER
    wanted = other.get_attribute("data-near")
    assert wanted
    other.tap()
    expect(page.locator("#board .held").first).to_have_attribute("id", wanted)


def test_a_touch_beside_a_place_finds_it(visit: Visit) -> None:
    page = visit(**PHONE)
    start(page, "azul")
    page.locator(".factory .can .tile").first.tap(force=True)
    expect(page.locator(".line.can")).to_have_count(5)
    line = page.locator("[id='seat-0.line-1']").bounding_box()
    assert line
    page.touchscreen.tap(line["x"] + line["width"] + 8, line["y"] + line["height"] / 2)
    expect(page.locator("[id='seat-0.line-1'].held")).to_have_count(1)


def test_a_phone_on_its_side_has_the_board_as_wide_as_it_is(visit: Visit) -> None:
    page = visit(**{**PHONE, "viewport": {"width": 844, "height": 390}})
    start(page, "azul")
    board, bar = page.locator("#board svg").bounding_box(), page.locator("header.bar").bounding_box()
    assert board
    assert bar
    assert board["width"] > 800
    assert bar["height"] <= 54
    assert page.evaluate("document.documentElement.scrollWidth") <= 844
    assert play_by_mouse(page, seed=2, most=2) == 2
