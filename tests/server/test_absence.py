"""What people can do about somebody who is away: wait, let a computer player stand in, or claim the win."""

from collections.abc import Iterator

import pytest

from .client import Seat, Visitor
from .conftest import Running


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server at which a second without a connection is an absence."""
    running = Running(tmp_path_factory.mktemp("impatient"), "--limit=away=1")
    running.wait_until_ready()
    yield running
    running.stop()


def may(seat: Seat, command: str) -> bool:
    return any(one["type"] == command for one in seat.now["can"])


def two(server: Running, claim: str) -> tuple[str, list[Visitor]]:
    """A table of two people, who have gone again; both have seen after which absence the win can be claimed."""
    ana, ben = Visitor(server.address), Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "friend", "name": "Ana", "claim": claim})
    with ana.sit(table) as here, ben.sit(table) as guest:
        assert guest.now.get("claim_after", 0) == int(claim)
        word = here.now["seats"][1]["invitation"]
        assert guest.ask(type="sit", seat=1, name="Ben", invitation=word)["type"] == "done"
    return table, [ana, ben]


def test_a_computer_player_stands_in_until_the_person_is_back(impatient: Running) -> None:
    table, people = two(impatient, "0")
    with people[0].sit(table) as ana:
        while not may(ana, "hand over") or not ana.now["seats"][1]["away"]:
            ana.receive()
        for player in ("random", "master"):
            assert ana.ask(type="hand over", seat=1, player=player)["reason"] == "unknown"
        assert ana.ask(type="claim win", seat=0)["reason"] == "not now", "both saw that no win can be claimed"
        assert ana.ask(type="hand over", seat=1, player="regular")["type"] == "done"
        assert ana.ask(type="ask hint", seat=0, position=ana.now["position"])["type"] == "refused", "Ben will be back"
        with people[1].sit(table) as ben:
            while ben.now["seats"][1]["who"] != "person":
                ben.receive()
            assert ben.now["seats"][1]["name"] == "Ben"


def test_the_win_can_be_claimed_after_the_time_that_both_saw(impatient: Running) -> None:
    table, people = two(impatient, "1")
    with people[0].sit(table) as here:
        if here.now["turn"] == 0:
            assert here.ask(type="claim win", seat=0)["reason"] == "not now", "it is not Ben's turn"
            here.play()
        while not may(here, "claim win"):
            here.receive()
        assert here.ask(type="claim win", seat=0)["type"] == "done"
        while here.now["phase"] != "over":
            here.receive()
        assert here.now["result"] == "Ben was away for too long; you win"
        assert here.ask(type="ask takeback", seat=0)["reason"] == "not now"
