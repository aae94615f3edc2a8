"""Hands at a table: whatever a page offers is picked, until the game is over."""

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Locator, Page, TimeoutError, expect

from .conftest import PATIENCE

ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]
OFFERED = "#board .can, #words-choices [data-place]"
ROOM = "(document.getElementById('room')?.dataset ?? {})"
MY_TURN_OR_OVER = (
    f"() => {ROOM}.phase === 'over' || ({ROOM}.turn === 'mine' && document.querySelector('.can, [data-place]'))"
)
# Where to click next: on one of the places that take the move on, or on what confirms it; or that the move has been
# made, or the game is over. `before`: the position of the move, null before its first click, which waits for the turn.
# A click that the page did not get in three seconds is made again: a busy browser may take a touch for a long press.
SPOT = f"""([before, chance, heard]) => {{
    if (!("clicks" in window)) {{
        window.clicks = 0;
        addEventListener("click", () => (window.clicks += 1), true);
    }}
    const {{ phase, turn, position }} = {ROOM};
    if (before !== null && position !== before) return {{ moved: true }};
    if (before === null && phase === "over") return {{ over: true }};
    if (turn !== "mine" || (window.clicks === heard && performance.now() < window.patience)) return null;
    const offered = [...document.querySelectorAll("{OFFERED}")];
    const whole = offered.filter((place) => place.matches(".confirm"));
    const onwards = offered.filter((place) => !place.matches(".held")); // picked again, it may be taken back
    const places = whole.length ? whole : onwards.length ? onwards : offered;
    if (!places.length) return null;
    const place = places[Math.floor(chance * chance * places.length)];
    const shown = place.querySelector(".tile, .ring") ?? place;
    const middle = () => {{
        const {{ x, y, width, height }} = shown.getBoundingClientRect();
        return {{ x: x + width / 2, y: y + height / 2 }};
    }};
    const {{ x, y }} = middle();
    const room = place.closest("#board, #words-choices");
    if (!room.contains(document.elementFromPoint(x, y))) shown.scrollIntoView({{ block: "center" }});
    window.patience = performance.now() + 3000;
    return {{ ...middle(), position, clicks: window.clicks }};
}}"""
# What the keyboard is on; or that the move has been made, or the game is over.
FOCUS = f"""(before) => {{
    const {{ phase, turn, position }} = {ROOM};
    if (before !== null && position !== before) return {{ moved: true }};
    if (before === null && phase === "over") return {{ over: true }};
    const place = document.activeElement?.closest(".can, [data-place]");
    return turn === "mine" && place ? {{ position, held: place.matches(".held") }} : null;
}}"""
CLICKS = """() => {
    if (!("clicks" in window)) addEventListener("click", () => (window.clicks += 1), true);
    return (window.clicks ??= 0);
}"""


def start(page: Page, game: str, player: str = "random") -> None:
    """From the first page to a table against a computer player."""
    expect(page.locator(f"[data-game={game}] .quick button")).to_be_enabled(timeout=300_000)
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


def tap(page: Page, x: float, y: float) -> None:
    """Touch a spot, until the page has got the click; a browser on a busy machine may take it for a long press."""
    before = page.evaluate(CLICKS)
    page.touchscreen.tap(x, y)
    with suppress(TimeoutError):
        page.wait_for_function("before => clicks > before", arg=before, timeout=3000)


def tap_on(page: Page, place: Locator) -> None:
    """Touch a place of the board, or a button."""
    inside = place.locator(".tile, .ring")
    box = (inside.first if inside.count() else place).bounding_box()
    assert box
    tap(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def ask(page: Page, question: str, given: Any) -> dict[str, Any]:
    """The answer of a function in the page, as soon as it has one: one message, not three as `wait_for_function`."""
    found: dict[str, Any] = page.evaluate(
        f"""async (given) => {{
            for (const end = performance.now() + {PATIENCE}; performance.now() < end; ) {{
                const found = ({question})(given);
                if (found) return found;
                await new Promise((go) => setTimeout(go, 5));
            }}
            throw Error("no answer in a minute");
        }}""",
        given,
    )
    return found


def play(page: Page, seed: int, most: int, click: Callable[[float, float], None]) -> int:
    """Click until the game is over, or this many actions have been made; how many were."""
    chooser = random.Random(seed)
    for actions in range(most):
        spot: dict[str, Any] = {"position": None, "clicks": -1}
        while True:
            spot = ask(page, SPOT, [spot["position"], chooser.random(), spot["clicks"]])
            if "over" in spot:
                return actions
            if "moved" in spot:
                break
            click(spot["x"], spot["y"])
    return most


def play_by_mouse(page: Page, seed: int, most: int = 1000) -> int:
    return play(page, seed, most, page.mouse.click)


def play_by_touch(page: Page, seed: int) -> int:
    """Only a finger: tap, and confirm what is shown."""
    return play(page, seed, 1000, page.touchscreen.tap)


def play_by_keyboard(page: Page, seed: int, most: int = 1000) -> int:
    """Only keys: Tab to the board, once; arrows around it, Enter to pick. The focus never leaves what can be picked."""
    chooser = random.Random(seed)
    page.wait_for_function(MY_TURN_OR_OVER)
    for _ in range(60):
        if page.evaluate("!!document.activeElement?.closest('.can, [data-place]')"):
            break
        page.keyboard.press("Tab")
    for actions in range(most):
        focus = ask(page, FOCUS, None)
        if "over" in focus:
            return actions
        before = focus["position"]
        while "moved" not in focus:
            for _ in range(chooser.randrange(4)):
                page.keyboard.press(chooser.choice(ARROWS))
            for _ in range(12):  # picked again, it may be taken back
                if not ask(page, FOCUS, before).get("held"):
                    break
                page.keyboard.press(chooser.choice(ARROWS))
            page.keyboard.press("Enter")
            assert page.evaluate("!!document.activeElement.closest('#board, #words-choices')")
            focus = ask(page, FOCUS, before)
    return most


# --- several people ---


def set_table(page: Page, game: str = "azul", name: str = "Ana") -> str:
    """A table with a seat for a friend; the link for the friend."""
    expect(page.locator(f"[data-game={game}] .quick button")).to_be_enabled()
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
    ask_twice(page, "#resign")


def leave(page: Page) -> None:
    ask_twice(page, "#leave")


def ask_twice(page: Page, button: str) -> None:
    """An entry of the menu that asks once more."""
    page.locator("#menu summary").click()
    page.locator(button).click()
    expect(page.locator(button)).to_contain_text("?")
    page.locator(button).click()
