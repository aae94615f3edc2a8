"""Hands at a table: whatever a page offers is picked, until the game is over."""

import random

from playwright.sync_api import Page, expect

OFFERED = "#board .can, #words-choices [data-place]"
ROOM = "(document.getElementById('room')?.dataset ?? {})"
MY_TURN_OR_OVER = (
    f"() => {ROOM}.phase === 'over' || ({ROOM}.turn === 'mine' && document.querySelector('.can, [data-place]'))"
)


def start(page: Page, game: str, player: str = "random") -> None:
    """From the first page to a table against a computer player."""
    page.wait_for_function(
        f"() => !document.querySelector('[data-game={game}] .quick button').disabled", timeout=300_000
    )
    page.locator(f"[data-game={game}] summary").click()
    seats = page.locator(f"[data-game={game}] .set select[name^=seat-]:enabled")
    for k in range(1, seats.count()):
        seats.nth(k).select_option(player)
    page.locator(f"[data-game={game}] .set > button").click()
    page.wait_for_function(MY_TURN_OR_OVER, timeout=300_000)  # players may still be compiled


def phase(page: Page) -> str:
    return str(page.evaluate(f"{ROOM}.phase"))


def position(page: Page) -> str:
    return str(page.evaluate(f"{ROOM}.position"))


def wait_until_moved(page: Page, before: str) -> None:
    page.wait_for_function(f"before => {ROOM}.position !== before", arg=before)


def pick(page: Page, chooser: random.Random) -> None:
    """Click one of the things that can be picked now."""
    places = page.locator("#board .can")
    buttons = page.locator("#words-choices [data-place]")
    count, others = places.count(), buttons.count()
    if not count + others:
        return
    chosen = chooser.randrange(count + others)
    if chosen >= count:
        buttons.nth(chosen - count).click()
        return
    place = places.nth(chosen)
    inside = place.locator(".tile")
    (inside.first if inside.count() else place).click(force=True)


def play_by_mouse(page: Page, seed: int, most: int = 1000) -> int:
    """Click until the game is over, or this many actions have been made; how many were."""
    chooser, actions = random.Random(seed), 0
    while actions < most:
        page.wait_for_function(MY_TURN_OR_OVER)
        if phase(page) == "over":
            break
        before = position(page)
        while page.locator(OFFERED).count() and position(page) == before:
            pick(page, chooser)
            page.wait_for_timeout(15)
        wait_until_moved(page, before)
        actions += 1
    return actions


def play_by_touch(page: Page, seed: int) -> int:
    """Only a finger: tap, and confirm what is shown. How many actions were made until the game was over."""
    chooser, actions = random.Random(seed), 0
    while True:
        page.wait_for_function(MY_TURN_OR_OVER)
        if phase(page) == "over":
            return actions
        before = position(page)
        while position(page) == before and page.locator(OFFERED).count():
            whole = page.locator("#words-choices .confirm")
            places = whole if whole.count() else page.locator(OFFERED)
            place = places.nth(chooser.randrange(places.count()))
            inside = place.locator(".tile, .ring")
            (inside.first if inside.count() else place).tap(force=True)
        wait_until_moved(page, before)
        actions += 1


def play_by_keyboard(page: Page, seed: int, most: int = 1000) -> int:
    """Only keys: Tab to the board, once; arrows around it, Enter to pick. The focus never leaves what can be picked."""
    chooser, actions = random.Random(seed), 0
    focused = "document.activeElement?.closest('.can, [data-place]')"
    page.wait_for_function(MY_TURN_OR_OVER)
    while not page.evaluate(f"!!{focused}"):
        page.keyboard.press("Tab")
    while actions < most:
        page.wait_for_function(MY_TURN_OR_OVER)
        if phase(page) == "over":
            break
        before = position(page)
        while position(page) == before:  # a pick may be taken back by picking it again
            for _ in range(chooser.randrange(4)):
                page.keyboard.press(chooser.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]))
            page.keyboard.press("Enter")
            assert page.evaluate("!!document.activeElement.closest('#board, #words-choices')")
            page.wait_for_function(f"before => {ROOM}.position !== before || {focused}", arg=before)
        actions += 1
    return actions


# --- several people ---


def set_table(page: Page, game: str = "azul", name: str = "Ana") -> str:
    """A table with a seat for a friend; the link for the friend."""
    page.wait_for_function(f"() => !document.querySelector('[data-game={game}] .quick button').disabled")
    page.locator(f"[data-game={game}] summary").click()
    page.locator(f"[data-game={game}] .set input[name=name]").fill(name)
    page.locator(f"[data-game={game}] select[name=seat-1]").select_option("friend")
    page.locator(f"[data-game={game}] .set > button").click()
    return page.locator("#lobby .invite input").input_value()


def sit_down(page: Page, name: str) -> None:
    page.locator("#lobby input[name=name]").fill(name)
    page.locator("#lobby form button").click()
    expect(page.locator("#lobby")).to_be_hidden()


def whose_turn(ana: Page, ben: Page) -> tuple[Page, Page]:
    """Who is to act, and who waits."""
    both = f"() => {ROOM}.phase !== 'open' && {ROOM}.turn"
    ana.wait_for_function(both)
    ben.wait_for_function(both)
    return (ana, ben) if ana.evaluate(f"{ROOM}.turn") == "mine" else (ben, ana)


def one_move(ana: Page, ben: Page, seed: int) -> None:
    actor, other = whose_turn(ana, ben)
    before = position(other)
    play_by_mouse(actor, seed, most=1)
    wait_until_moved(other, before)
    target = position(actor)
    other.wait_for_function(f"target => {ROOM}.position === target", arg=target)


def resign(page: Page) -> None:
    page.locator("#menu summary").click()
    page.locator("#resign").click()
    page.locator("#resign").click()
