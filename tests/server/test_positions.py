"""Any position without a table: drawn, with its choices, played on; but none that people play now."""

import base64
from typing import Any

import pytest

import azulejos as az

from .client import Visitor, two_people
from .conftest import Running


def ask(server: Running, **given: Any) -> dict[str, Any]:
    answer = Visitor(server.address).http.get("/position", params=given)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("name", az.registered())
def test_a_position_is_drawn_with_its_choices_and_played_on(server: Running, name: str) -> None:
    server.wait_until_ready(name)
    state = az.make(name).start(seed=5)
    assert state.seat is not None
    found = ask(server, text=str(state), layout="tall", viewer=1, name="Ana")
    assert found["text"] == str(state)
    assert found["turn"] == state.seat
    assert found["actions"] == [str(action) for action in state.actions]
    assert {choice["action"] for choice in found["choices"]} == set(found["actions"])
    assert base64.b64decode(found["view"]) == state.view(state.seat).position
    assert found["names"] == ["Ana", "Player 2"]
    assert found["board"].startswith("<svg")
    assert "Ana" in found["board"]
    for action in (state.actions[0], state.actions[-1]):
        after = ask(server, text=str(state), action=str(action))
        assert after["text"] == str(state.with_chance(None).play(action))
        assert after["played"]["actions"] == [str(action)]
        steps = state.game.steps(state, state.game.story(state, action))
        assert [step["words"] for step in after["played"]["steps"]] == [step.words for step in steps]


def test_draws_are_given_tile_by_tile_or_come_from_a_seed(server: Running) -> None:
    waiting = az.make("azul").lay_out(1)
    found = ask(server, text=str(waiting))
    assert found["turn"] is None
    assert [one["draw"] for one in found["draws"]] == list("BYRKW")
    for tile in "BYR":
        found = ask(server, text=found["text"], draws=tile)
        assert found["played"]["draws"] == tile
    assert found["text"] == str(waiting.draw(0).draw(1).draw(2))
    dealt = ask(server, text=found["text"], seed=3)
    assert dealt["text"] == str(az.parse(found["text"]).deal(seed=3))
    assert ask(server, text=found["text"], seed="random")["turn"] == 1


def test_what_cannot_be_is_refused_with_the_reason(server: Running) -> None:
    state = az.make("azul").start(draws="BBBB BBBB BBBB BBBB BBBB")

    def why(**given: str) -> str:
        answer = Visitor(server.address).http.get("/position", params=given)
        assert answer.status_code == 400
        return str(answer.json()["message"])

    assert "begins with the name of its game" in why(text="chess")
    assert "there must be 20" in why(text=str(state).replace("Y20", "Y19"))
    assert "not legal" in why(text=str(state), action="1Y1")
    assert "nothing is to be drawn" in why(text=str(state), draws="B")


def test_a_position_that_people_play_now_is_refused(server: Running) -> None:
    with two_people(server.address) as (ana, seat, _other):
        text = seat.now["text"]
        answer = ana.http.get("/position", params={"text": text})
        assert answer.status_code == 400
        assert "People play this position now" in answer.json()["message"]
        seat.ask(type="resign", seat=0)
        assert ana.http.get("/position", params={"text": text}).status_code == 200
