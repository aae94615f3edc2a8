"""Hints at a table: only for the client that asks, on its turn, and not between people."""

import json
from typing import Any

import pytest

import azulejos as az
from azulejos.server.live.advice import allowed
from azulejos.tables import Chair, Table

from .client import Visitor, two_people
from .conftest import Running


@pytest.mark.parametrize("game", az.registered())
def test_the_best_actions_with_what_they_are_worth(server: Running, game: str) -> None:
    server.wait_until_ready(game)
    ana = Visitor(server.address)
    with ana.sit(ana.open(**{"game": game, "seat-0": "me", "seat-1": "random"})) as seat:
        assert seat.wait_for_turn()
        assert seat.now["can_ask_hint"]
        ask = {"type": "ask hint", "seat": seat.now["turn"], "position": seat.now["position"]}
        answer = seat.ask(**ask)
        assert answer["type"] == "hints"
        assert answer["position"] == seat.now["position"]
        chances = [hint["chance"] for hint in answer["hints"]]
        assert chances == sorted(chances, reverse=True)
        assert all(0 <= chance <= 1 for chance in chances)
        assert len(chances) == min(3, len(seat.now["actions"]))
        assert {hint["action"] for hint in answer["hints"]} <= set(seat.now["actions"])
        assert seat.ask(**ask)["hints"] == answer["hints"], "what has been thought about is kept"
        assert seat.play(answer["hints"][0]["action"])["type"] == "done"


def test_whoever_may_not_ask_is_refused(server: Running) -> None:
    ana, eve = Visitor(server.address), Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "random"})
    with ana.sit(table) as seat, eve.sit(table) as other:
        assert seat.wait_for_turn()
        position = seat.now["position"]

        def reason(asking: object = None, **values: int) -> str:
            answer = (asking or seat).ask(**{"type": "ask hint", "seat": 0, "position": position, **values})  # type: ignore[attr-defined]
            assert answer["type"] == "refused"
            return str(answer["reason"])

        assert reason(other) == "not yours"
        assert reason(seat=1) == "not yours"
        assert reason(seat=7) == "unknown"
        assert reason(position=position - 1) == "stale"
        assert "can_ask_hint" not in other.now
        seat.ask(type="resign", seat=0)
        assert reason(position=seat.now["position"]) == "not now"


def test_one_hint_at_a_time_and_only_to_whoever_asked(server: Running) -> None:
    ana, eve = Visitor(server.address), Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    with ana.sit(table) as seat, ana.sit(table) as twin, eve.sit(table) as other:
        assert seat.wait_for_turn()
        command = {"type": "ask hint", "seat": seat.now["turn"], "position": seat.now["position"]}
        for number in (101, 102):
            seat.socket.send(json.dumps({"id": number, "command": command}))
        answers: dict[int, Any] = {}
        while len(answers) < 2:
            message = seat.receive()
            if message.get("id") in (101, 102):
                answers[message["id"]] = message
        assert answers[101]["type"] == "hints"
        assert answers[102]["reason"] == "too many"
        assert seat.play()["type"] == "done"
        for watching in (twin, other):
            while watching.now["position"] == command["position"]:
                watching.receive()
            assert not any(message["type"] == "hints" for message in watching.heard)


def test_there_are_no_hints_between_people(server: Running) -> None:
    with two_people(server.address) as (_ana, seat, friend):
        acting = seat if seat.now["turn"] == 0 else friend
        answer = acting.ask(type="ask hint", seat=acting.now["turn"], position=acting.now["position"])
        assert answer["reason"] == "not now"
        assert "can_ask_hint" not in acting.now


def test_a_seat_that_somebody_may_come_back_to_is_a_persons() -> None:
    game = az.make("azul", players=3)
    me, computer = Chair("Ana", "ana"), Chair(player="random")
    ben, stand_in = Chair("Ben", "ben"), Chair("Ben", "ben", "random")
    for third, fair in ((computer, True), (me, True), (ben, False), (stand_in, False)):
        table = Table.open("t", game, [me, computer, Chair("Cy", third.owner, third.player)], "07" * 32).after
        assert allowed(table, "ana") is fair
    assert not allowed(Table.open("t", game, [me, computer, Chair(invitation="word")], "07" * 32).after, "ana")


def test_what_was_played_in_a_finished_game_is_judged(server: Running) -> None:
    ana, eve = Visitor(server.address), Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    with ana.sit(table) as seat:
        assert seat.wait_for_turn()
        worst = seat.now["actions"][-1]
        assert seat.play(worst)["type"] == "done"
        assert eve.http.get(f"/tables/{table}/hints/0").status_code == 404, "not while the game goes on"
        seat.ask(type="resign", seat=0)
    found = eve.http.get(f"/tables/{table}/hints/0", timeout=60).json()
    assert found["played"] == worst
    assert 1 <= len(found["hints"]) <= 4  # three, where there is time for three, and what was played
    chances = [hint["chance"] for hint in found["hints"]]
    assert chances == sorted(chances, reverse=True)
    assert eve.http.get(f"/tables/{table}/hints/1").status_code == 404, "nothing was played there"
