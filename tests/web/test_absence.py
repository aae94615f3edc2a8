"""Questions between people, and what can be done about somebody who is away, in real browsers."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from ..server.conftest import Running
from .conftest import Visit
from .hands import set_table, sit_down, whose_turn


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server at which a second without a connection is an absence."""
    running = Running(tmp_path_factory.mktemp("impatient"), "--limit=away=1", "--limit=posts=0")
    running.wait_until_ready()
    yield running
    running.stop()


def test_a_computer_player_takes_a_persons_seat_by_agreement(visit: Visit) -> None:
    ana, ben = visit(), visit()
    ben.goto(set_table(ana))
    sit_down(ben, "Ben")
    whose_turn(ana, ben)
    ana.locator("#log-button").click()
    hand_over = ana.locator("#seats button", has_text="computer player")
    for answer in ("Decline", "Agree"):
        ana.locator("#seats select").select_option("random")
        hand_over.click()
        expect(ana.locator("#asked")).to_contain_text("You ask to let Computer · random play on")
        expect(hand_over).to_have_count(0)  # one question at a time
        ben.locator("#asked button", has_text=answer).click()
        expect(ana.locator("#asked")).to_be_hidden()
    expect(ben.locator("#seats li").first).to_contain_text("random")
    ana.get_by_role("button", name="Take my seat back").click()
    expect(ben.locator("#seats li").first).not_to_contain_text("random")


def test_the_win_is_claimed_from_somebody_who_is_away(visit: Visit) -> None:
    ana, ben = visit(), visit()
    ana.locator("[data-game=azul] .friend input[name=claim]").evaluate("field => field.value = 1")
    ana.locator("[data-game=azul] .friend button").click()
    link = ana.locator("#lobby .invite input").input_value()
    expect(ana.locator("#lobby")).to_contain_text("If somebody is away for 1 minute in their own turn")
    ben.goto(link)
    expect(ben.locator("#lobby")).to_contain_text("the other can claim the win")
    sit_down(ben, "Ben")
    acts, waits = whose_turn(ana, ben)
    acts.goto("/")
    waits.get_by_role("button", name="Claim the win").click()
    expect(waits.locator("#result h2")).to_contain_text("was away for too long; you win")
    acts.goto(waits.url)
    expect(acts.locator("#result h2")).to_contain_text("You were away for too long")
