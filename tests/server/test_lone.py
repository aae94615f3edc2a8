"""Computer players that think in the browser of a lone visitor; and no engine for a table where people play."""

import base64
from typing import Any

import azulejos as az

from .client import Seat, Visitor, two_people
from .conftest import Running

THINKS = "?layout=wide&engine=1"


def wait_for_computer(seat: Seat) -> list[int]:
    """Until it is the turn of seat 1; its legal actions, as the browser is told them."""
    while seat.now["turn"] != 1:
        if seat.now.get("actions"):
            seat.play()
        else:
            seat.receive()
    state = az.State(az.make("azul"), base64.b64decode(seat.now["view"]))
    assert state.seat == 1
    return [int(action) for action in state.actions]


def play_for(sent_by: Seat, **given: Any) -> dict[str, Any]:
    return sent_by.ask(**{"type": "play for", "seat": 1, "position": sent_by.now["position"], **given})


def test_what_a_browser_plays_is_checked(server: Running) -> None:
    ana, eve = Visitor(server.address), Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "casual"})
    with ana.sit(table, THINKS) as seat, eve.sit(table, THINKS) as other:
        actions = wait_for_computer(seat)
        while other.now["position"] != seat.now["position"]:
            other.receive()
        assert "view" not in other.now
        illegal = next(action for action in range(1000) if action not in actions)
        assert play_for(other, action=actions[0])["reason"] == "not yours"
        assert play_for(seat, seat=0, action=actions[0])["reason"] == "not yours"
        assert play_for(seat, action=illegal)["reason"] == "illegal"
        assert play_for(seat, action=actions[0], position=seat.now["position"] - 1)["reason"] == "stale"
        assert play_for(seat, action=actions[0])["type"] == "done"


def test_the_server_thinks_where_the_browser_cannot(server: Running) -> None:
    ana = Visitor(server.address)
    with ana.sit(ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "beginner"}), THINKS) as seat:
        wait_for_computer(seat)
        before = seat.now["position"]
        assert play_for(seat)["type"] == "done"
        while seat.now["position"] == before:
            seat.receive(timeout=300)  # the server may have to compile
        assert "view" not in seat.now or seat.now["turn"] == 0


def test_a_live_position_between_people_gets_no_hints_as_a_record(server: Running) -> None:
    with two_people(server.address) as (ana, seat, _friend):
        record = az.Record(az.parse(seat.now["text"]))
        record.play(record.state.actions[0])
        answer = ana.http.post("/records", content=str(record), headers={"origin": ana.address})
        assert "other people" in ana.http.get(f"{answer.json()['address']}/hints/0").json()["message"]
