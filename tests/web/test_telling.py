"""A table that tells: the last move, why not, and what everything is."""

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

import azulejos as az

from .conftest import Visit
from .hands import MY_TURN_OR_OVER, play_by_mouse, position, start, wait_until_moved


def test_the_last_move_stays_in_words_and_on_the_board(visit: Visit) -> None:
    page = visit()
    start(page, "azul", "greedy")
    play_by_mouse(page, seed=1, most=1)
    page.wait_for_function(MY_TURN_OR_OVER)
    expect(page.locator("#preview.last")).to_have_text(
        re.compile(r"^Computer · greedy: \d \w+ from .+ to (line \d|the floor)( \([+−]\d+\))?$")
    )
    expect(page.locator("[id='seat-1'] .last")).to_have_count(1)
    expect(page.locator("#log code")).to_have_count(0)


def test_one_move_is_current_after_a_takeback_which_is_not_offered_while_browsing(visit: Visit) -> None:
    page = visit()
    start(page, "azul", "greedy")
    play_by_mouse(page, seed=1, most=2)
    page.wait_for_function(MY_TURN_OR_OVER)
    page.locator("#log-button").click()
    page.locator("#takeback").click()
    expect(page.locator("#log .undone")).not_to_have_count(0)
    page.wait_for_function(MY_TURN_OR_OVER)
    play_by_mouse(page, seed=2, most=1)
    page.wait_for_function(MY_TURN_OR_OVER)
    expect(page.locator("#takeback")).to_be_visible()
    page.locator("[data-step=back]").click()
    expect(page.locator("#log [aria-current]")).to_have_count(1)
    expect(page.locator("#takeback")).to_be_hidden()


def test_what_cannot_be_picked_says_why_in_red(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    page.locator("[id='seat-0.wall.1.1']").click(force=True)
    expect(page.locator("#preview.loss")).to_have_text("take all tiles of one colour from a factory or the centre")
    page.locator("#board .factory .can .tile").first.click(force=True)
    floor = page.locator("[id='seat-0.floor']")
    floor.hover(force=True)
    expect(page.locator("#preview")).to_contain_text("to the floor")


def test_in_duel_what_cannot_be_picked_says_why(visit: Visit) -> None:
    page = visit()
    start(page, "duel")
    play_by_mouse(page, seed=1, most=2)  # the opening plate, and its square
    page.wait_for_function(MY_TURN_OR_OVER)
    page.locator("[id$='.chip'].shut").last.click(force=True)
    expect(page.locator("#preview.loss")).to_have_text("this chip is face down while tiles lie on its factory")
    expect(page.locator("#board .held")).to_have_count(0)


def costly() -> tuple[az.State, az.Action, az.Action]:
    """A position of Azul with an action that lowers the seat's projected score, and one that raises it."""
    chooser, state = random.Random(3), az.make("azul").start(seed=3)
    while True:
        assert state.seat is not None
        now = state.projected[state.seat]
        after = {action: state.play(action).projected[state.seat] for action in state.actions}
        lower = [action for action, score in after.items() if score < now and str(action).endswith("-")]
        higher = [action for action, score in after.items() if score > now]
        if lower and higher and state.round == 2 and now == state.scores[state.seat]:
            return state, lower[0], higher[0]
        state = state.play(chooser.choice(list(state.actions)))


def test_a_move_that_costs_points_is_red_beside_the_projected_score(visit: Visit) -> None:
    state, costs, gains = costly()
    assert state.seat is not None
    page = visit("/analysis")
    page.locator("#pasted").fill(str(state))
    page.locator("#paste button.main").click()
    own = f"[id='seat-{state.seat}.projected']"
    for action, red in ((costs, True), (gains, False)):
        source, target = [pick.place for pick in state.game.picks(state, int(action))]
        page.locator(f"[id='{source}'].can .tile").first.click(force=True)
        page.locator(f"[id='{target}'].can").hover(force=True)
        scores = [each.projected[state.seat] for each in (state, state.play(action))]
        expect(page.locator("#preview b")).to_have_text("{} → {}".format(*scores))
        expect(page.locator("#preview.loss")).to_have_count(int(red))
        expect(page.locator(own)).to_have_text(f"→ {scores[1]}")  # the board's own follows, in its colour
        expect(page.locator(f"{own}.{'loss' if red else 'gain'}")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#board .held")).to_have_count(0)
        page.mouse.move(1, 1)
        expect(page.locator(own)).to_be_hidden()  # nothing would change


@pytest.mark.parametrize(("game", "anchor"), [("azul", "taking"), ("pavilion", "taking"), ("duel", "suns")])
def test_objects_explain_themselves(visit: Visit, game: str, anchor: str) -> None:
    page = visit()
    start(page, game)
    box, factories = page.locator("#explained"), page.locator("#board [id^=factory-].can")
    while not factories.count():  # Duel begins with plates
        play_by_mouse(page, seed=1, most=1)
        page.wait_for_function(MY_TURN_OR_OVER)
    page.mouse.move(1, 1)
    factories.first.focus()
    page.keyboard.press("?")
    expect(box).to_be_visible()
    expect(box.locator("a")).to_have_attribute("href", f"/rules/{game}#{anchor}")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    page.locator("#bag text").last.hover()
    expect(box.locator("p")).to_have_text(re.compile("are filled from it"))


def test_a_long_press_explains_and_picks_nothing(visit: Visit) -> None:
    page = visit(has_touch=True, viewport={"width": 390, "height": 844})
    start(page, "azul")
    spot = page.locator("#board .factory .can .tile").first.bounding_box()
    assert spot
    finger = page.context.new_cdp_session(page)
    at = {"x": spot["x"] + spot["width"] / 2, "y": spot["y"] + spot["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(page.locator("#explained p")).to_have_text(re.compile("of one colour; the others go to the centre"))
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#board .held")).to_have_count(0)
    page.wait_for_timeout(600)  # it stays: a pointer that leaves would have hidden it by now
    expect(page.locator("#explained")).to_be_visible()


def test_tiles_show_the_rhombi_that_they_reach_and_passing_is_asked_once_more(visit: Visit) -> None:
    page = visit()
    start(page, "pavilion")
    rhombi = page.locator("[id^='seat-0.star-'].can")
    while not rhombi.count():
        assert play_by_mouse(page, seed=1, most=1), "the game was over before"
        page.wait_for_function(MY_TURN_OR_OVER)
    outlined = "[id^='seat-0.star-'].can:not(.quiet)"
    expect(page.locator(outlined)).to_have_count(0)
    rhombi.first.hover(force=True)
    expect(page.locator("#preview")).to_contain_text(re.compile(r"\d"))
    every = rhombi.count()
    page.locator("[id^='seat-0.hand.'].can .tile").first.click(force=True)
    assert 0 < page.locator(outlined).count() < every
    page.keyboard.press("Escape")
    page.locator("[id^='seat-0.star-'].shut").first.click(force=True)
    expect(page.locator("#preview.loss")).to_contain_text(re.compile("costs|must be|is filled"))
    before = position(page)
    page.locator("[data-place=pass]").click()
    expect(page.locator("#preview")).to_contain_text("pass")
    assert position(page) == before
    page.locator("#words-choices .confirm").click()
    wait_until_moved(page, before)


class Network:
    """The way from a page to the server, which a test can cut."""

    def __init__(self, page: Page) -> None:
        self.cut = False
        page.route_web_socket("**/socket?*", self.connect)
        page.reload()
        page.wait_for_function(MY_TURN_OR_OVER)

    def connect(self, connection: WebSocketRoute) -> None:
        if self.cut:
            connection.close()
            return
        server = connection.connect_to_server()
        connection.on_message(lambda message: connection.close() if self.cut else server.send(message))


def test_a_move_without_a_connection_is_kept_or_said_to_be_lost(visit: Visit) -> None:
    page = visit()
    start(page, "azul")
    network, before = Network(page), position(page)
    page.locator(".factory .can .tile").first.click(force=True)
    network.cut = True
    page.locator("[id='seat-0.line-5'].can").click(force=True)
    expect(page.locator("#preview.loss")).to_contain_text("Your move is kept")
    expect(page.locator("#board .can")).to_have_count(0)
    network.cut = False
    wait_until_moved(page, before)
    page.wait_for_function(MY_TURN_OR_OVER)
    before = position(page)
    page.locator(".factory .can .tile").first.click(force=True)
    network.cut = True
    page.locator("[id='seat-0.floor'].can").click(force=True)
    expect(page.locator("#preview.loss")).to_contain_text("Your move is kept")
    elsewhere = page.context.new_page()
    elsewhere.goto(page.url)
    elsewhere.wait_for_function(MY_TURN_OR_OVER)
    elsewhere.locator(".factory .can .tile").last.click(force=True)
    elsewhere.locator(".line.can").last.click(force=True)
    wait_until_moved(elsewhere, before)
    elsewhere.wait_for_function(MY_TURN_OR_OVER)
    network.cut = False
    expect(page.locator("#preview.loss")).to_contain_text("Your move was lost")


def recorded(folder: Path) -> tuple[Path, int]:
    """A whole game at random, and the number of the action that ends its first round."""
    chooser, record = random.Random(5), az.Record(az.make("azul").start(seed=5))
    first = 0
    while not record.state.over:
        record.play(chooser.choice(list(record.state.actions)))
        first += record.state.round == 1
    file = folder / "record.txt"
    record.save(file)
    return file, first + 1


def test_a_round_is_scored_under_a_heading_and_skipped_by_the_space_bar(visit: Visit, tmp_path: Path) -> None:
    file, number = recorded(tmp_path)
    page = visit(speed="0.1")
    page.locator("#record").set_input_files(file)
    page.wait_for_url("**/records/**")
    page.goto(f"{page.url.partition('#')[0]}#{number - 1}")
    page.reload()
    expect(page.locator("#step-number")).to_have_text(re.compile(f"^{number - 1} /"))
    page.wait_for_selector("#board svg")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".scored h2")).to_have_text("Round 1 is scored")
    expect(page.locator(".scored h3")).to_have_count(2)
    expect(page.locator(".scored li").first).to_contain_text(re.compile(r"[+−]\d|of which"))
    expect(page.locator("#board .sum.gone")).not_to_have_count(0)  # what the floor costs is told in its turn
    page.keyboard.press(" ")
    expect(page.locator(".scored")).to_have_count(0)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_a_replay_plays_by_itself_until_it_is_paused(visit: Visit, tmp_path: Path) -> None:
    file, _number = recorded(tmp_path)
    page = visit()
    page.locator("#record").set_input_files(file)
    page.wait_for_url("**/records/**")
    page.locator("#pace").select_option("4")
    page.locator("#play").click()
    expect(page.locator("#step-number")).to_have_text(re.compile(r"^([3-9]|\d\d) /"))
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
