"""Several people at one table, each with a browser of their own."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

import azulejos as az

from .conftest import Visit
from .hands import (
    MY_TURN_OR_OVER,
    ROOM,
    leave,
    one_move,
    play_by_mouse,
    position,
    resign,
    set_table,
    sit_down,
    start,
    wait_until_moved,
    whose_turn,
)


def at_table(visit: Visit, game: str = "azul") -> tuple[Page, Page]:
    ana, ben = visit(), visit()
    link = set_table(ana, game)
    ben.goto(link)
    sit_down(ben, "Ben")
    return ana, ben


@pytest.mark.parametrize("game", ["pavilion"])
def test_a_friend_comes_by_link_and_one_reloads_in_the_middle(visit: Visit, game: str) -> None:
    ana, ben = at_table(visit, game)
    for seed in range(5):
        one_move(ana, ben, seed)
    actor, _other = whose_turn(ana, ben)
    actor.reload()
    actor.wait_for_function(MY_TURN_OR_OVER)
    assert position(ben) == position(ana)
    for seed in range(5, 9):
        one_move(ana, ben, seed)
    texts = [page.locator("[id='seat-0.score']").text_content() for page in (ana, ben)]
    assert texts[0] == texts[1]
    expect(ana.locator("[id='seat-0.name']")).to_have_text("Ana")
    expect(ben.locator("[id='seat-1.name']")).to_have_text("Ben")


def test_an_invitation_works_once(visit: Visit) -> None:
    ana, ben, eve = visit(), visit(), visit()
    link = set_table(ana)
    ben.goto(link)
    sit_down(ben, "Ben")
    eve.goto(link)
    expect(eve.locator("#status")).to_contain_text("turn")
    expect(eve.locator("#lobby")).to_be_hidden()
    expect(eve.locator("#board .can")).to_have_count(0)


def test_the_network_comes_back_within_two_seconds(visit: Visit) -> None:
    """On the page's own clock: however often it failed, it tries again soon; and at once when the system says so."""
    ana, ben = at_table(visit)
    actor, other = whose_turn(ana, ben)
    gone, connections = False, list[WebSocketRoute]()

    def pass_on(connection: WebSocketRoute) -> None:
        if gone:
            connection.close()
        else:
            connection.connect_to_server()
            connections.append(connection)

    other.route_web_socket("**/socket?*", pass_on)
    other.clock.install()
    other.reload()
    whose_turn(ana, ben)
    other.clock.pause_at(datetime.now() + timedelta(hours=1))
    gone = True
    connections[-1].close()
    for _attempt in range(8):
        other.wait_for_function(f"() => {ROOM}.connection === 'lost'")
        other.clock.run_for(1000)
    play_by_mouse(actor, seed=1, most=1)
    other.wait_for_function(f"() => {ROOM}.connection === 'lost'")
    gone = False
    other.clock.run_for(2000)
    target = position(actor)
    other.wait_for_function(f"target => {ROOM}.position === target", arg=target)
    gone = True
    connections[-1].close()
    other.wait_for_function(f"() => {ROOM}.connection === 'lost'")
    gone = False
    other.evaluate("() => dispatchEvent(new Event('online'))")
    other.wait_for_function(f"() => {ROOM}.connection === 'open'")


def test_takeback_by_agreement(visit: Visit) -> None:
    ana, ben = at_table(visit)
    actor, other = whose_turn(ana, ben)
    one_move(ana, ben, 1)
    other.locator(".factory .can .tile").first.click(force=True)
    actor.locator("#takeback").click()
    other.get_by_role("button", name="Decline").click()
    expect(actor.locator("#asked")).to_be_hidden()
    expect(other.locator("#asked")).to_be_hidden()
    expect(other.locator(".held")).to_have_count(1)  # a question does not undo half a move
    other.keyboard.press("Escape")
    actor.locator("#takeback").click()
    before = position(other)
    other.get_by_role("button", name="Agree").click()
    wait_until_moved(other, before)
    actor.wait_for_function(MY_TURN_OR_OVER)


def test_resigning_and_another_game(visit: Visit) -> None:
    ana, ben = at_table(visit)
    whose_turn(ana, ben)
    resign(ana)
    expect(ben.locator("#result h2")).to_contain_text("resigned")
    first = ana.url
    ana.get_by_role("button", name="Play again").click()
    ben.get_by_role("button", name="Play again").click()
    expect(ana).not_to_have_url(first)
    expect(ben).to_have_url(ana.url)
    whose_turn(ana, ben)


def test_a_seat_left_empty_goes_to_a_computer_player(visit: Visit) -> None:
    ana, ben = at_table(visit)
    whose_turn(ana, ben)
    leave(ben)
    ana.locator("#lobby select").select_option("random")
    ana.locator("#lobby button", has_text="computer player").click()
    play_by_mouse(ana, seed=2, most=3)


def test_spectators_see_but_cannot_act(visit: Visit) -> None:
    ana, ben = at_table(visit)
    eve = visit()
    eve.goto(ana.url)
    one_move(ana, ben, 1)
    target = position(ana)
    eve.wait_for_function(f"target => {ROOM}.position === target", arg=target)
    expect(eve.locator("#board .can")).to_have_count(0)
    eve.locator("#log-button").click()
    expect(eve.locator("#seats")).to_contain_text("You are watching")


def test_a_finished_game_is_replayed_exported_and_imported(visit: Visit, tmp_path: Path) -> None:
    ana = visit()
    start(ana, "azul")
    play_by_mouse(ana, seed=5, most=4)
    resign(ana)
    ana.get_by_role("link", name="Replay").click()
    ana.locator("[data-kind=replay] #board svg").wait_for()
    expect(ana.locator("#step-number")).to_have_text(re.compile(r"^0 / \d+"))
    ana.keyboard.press("ArrowRight")
    expect(ana.locator("#step-number")).to_have_text(re.compile(r"^1 / \d+"))
    ana.wait_for_url("**/replay#1")
    with ana.expect_download() as downloading:
        ana.get_by_role("link", name="Save the record").click()
    file = tmp_path / "record.txt"
    downloading.value.save_as(file)
    record = az.Record.load(file)
    assert len(record.actions) >= 4
    eve = visit()
    eve.locator("#record").set_input_files(file)
    eve.wait_for_url("**/records/**")
    eve.locator("#stepper [data-step=last]").click()
    expect(eve.locator("#step-number")).to_have_text(f"{len(record.actions)} / {len(record.actions)}")
    nonsense = tmp_path / "nonsense.txt"
    nonsense.write_text("nonsense")
    eve.goto("/")
    eve.locator("#record").set_input_files(nonsense)
    expect(eve.locator("#record-message")).to_contain_text("cannot be read")


COUNT_TONES = """window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
    window.tones += 1;
    return start.apply(this, when);
};"""


def test_tiles_and_turns_are_heard_until_the_switch_is_off(visit: Visit) -> None:
    ana, ben = at_table(visit)
    for page in (ana, ben):
        page.add_init_script(COUNT_TONES)
        page.reload()
        page.locator("#settings summary").click()  # browsers are silent before a first click
        expect(page.locator("#sound")).to_be_checked()
        page.keyboard.press("Escape")
    actor, other = whose_turn(ana, ben)
    actor.locator("#settings summary").click()
    actor.locator("#sound").uncheck()
    actor.locator("#settings summary").click()
    heard = actor.evaluate("tones")  # perhaps the turn, before the switch was off
    one_move(ana, ben, 1)
    other.wait_for_function("tones === 2")  # a tile, and the turn
    one_move(ana, ben, 2)
    other.wait_for_function("tones === 3")  # a tile
    assert actor.evaluate("tones") == heard


def test_two_people_at_one_screen(visit: Visit) -> None:
    page = visit()
    page.locator("[data-game=azul] summary").click()
    page.locator("[data-game=azul] select[name=seat-1]").select_option("me")
    page.locator("[data-game=azul] .set > button").click()
    assert play_by_mouse(page, seed=6, most=4) == 4
    expect(page.locator("#status")).to_contain_text("Player")
