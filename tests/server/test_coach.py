"""The coach's words over HTTP: what actions do, why a line is better; refused where people play."""

from typing import Any

import httpx
import pytest

import azulejos as az
from azulejos.review.coach import explain, say_facts

from .client import Visitor, two_people
from .conftest import Running


def ask(server: Running, **given: Any) -> httpx.Response:
    return Visitor(server.address).http.get("/coach", params=given)


@pytest.mark.parametrize("name", az.registered())
def test_what_actions_do_and_why_one_is_better(server: Running, name: str) -> None:
    server.wait_until_ready(name)
    state = az.make(name).start(seed=5)
    one, other = state.actions[0], state.actions[-1]
    found = ask(server, text=str(state), action=[str(one), str(other)], line=str(one), better=str(other)).json()
    assert found["facts"] == {str(action): say_facts(state, action) for action in (one, other)}
    assert found["why"] == explain(state, [one], [other], ["Player 1", "Player 2"])
    assert found["line"]["action"] == str(one)
    assert found["better"]["line"][0]["name"] == f"Player {(state.seat or 0) + 1}"
    assert ask(server, text=str(state), action=str(one)).json().keys() == {"facts"}


def test_what_cannot_be_is_refused(server: Running) -> None:
    server.wait_until_ready("azul")
    state = az.make("azul").start(first=0, draws="BBBB YYYY RRRR KKKK WWWW")
    for given in ({"text": "azul nothing"}, {"text": str(state), "action": "1R1"}, {"text": str(state), "action": "?"}):
        answer = ask(server, **given)
        assert answer.status_code == 400
        assert answer.json()["message"]


def test_nothing_is_said_while_people_play(server: Running) -> None:
    with two_people(server.address) as (_ana, seat, _other):
        text = seat.now["text"]
        answer = ask(server, text=text, action=str(az.parse(text).actions[0]))
        assert answer.status_code == 400
        assert "People play this position now" in answer.json()["message"]
