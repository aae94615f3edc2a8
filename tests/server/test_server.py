"""The protocol against a real server: whole games, refusals, restarts, and what nobody may see."""

import json
import re
import socket
import struct
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from websockets.exceptions import ConnectionClosed

import azulejos as az
from azulejos.server.live.limits import MOST_LOG
from azulejos.server.live.messages import schema

from .client import Seat, Visitor, get
from .conftest import Running


def play_out(seat: Seat) -> None:
    while seat.wait_for_turn():
        assert seat.play()["type"] == "done"


@pytest.mark.parametrize("game", az.registered())
def test_a_whole_game_against_the_computer(server: Running, game: str) -> None:
    server.wait_until_ready(game)
    ana = Visitor(server.address)
    table = ana.open(game=game, player="random", name="Ana")
    with ana.sit(table) as seat:
        play_out(seat)
        assert seat.now["phase"] == "over"
        assert seat.now["winners"]
        validate(seat)
        tally = seat.now["tally"]
        sums = [sum(line["points"][k] for line in tally) for k in range(len(seat.now["scores"]))]
        assert sums == seat.now["scores"], f"the points by source are not the score: {tally}"
    record = az.Record.parse(ana.http.get(f"/tables/{table}/record").text)
    assert record.state.over
    assert list(record.state.scores) == seat.now["scores"]


def validate(seat: Seat) -> None:
    """Everything that was heard is as the schema says."""
    whole = schema()
    validator = Draft202012Validator({"$ref": "#/$defs/FromServer", "$defs": whole["$defs"]})
    for message in seat.heard:
        validator.validate(message)


def friends(server: Running) -> tuple[Visitor, Visitor, str]:
    """Two people at a table of their own."""
    ana, ben = Visitor(server.address), Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "friend", "name": "Ana"})
    with ana.sit(table) as seat:
        word = seat.now["seats"][1]["invitation"]
        with ben.sit(table) as other:
            assert "invitation" not in other.now["seats"][1] or other.now["seats"][1]["invitation"] is None
            assert other.ask(type="sit", seat=1, name="Ben", invitation="?")["reason"] == "not invited"
            assert other.ask(type="sit", seat=1, name="Ben", invitation=word)["type"] == "done"
    return ana, ben, table


def test_two_people_see_each_move_at_once_and_in_order(server: Running) -> None:
    ana, ben, table = friends(server)
    with ana.sit(table) as first, ben.sit(table) as second:
        for seat in (first, second):
            assert seat.now["phase"] == "playing"
        for _ in range(12):
            actor, other = (first, second) if first.now.get("actions") else (second, first)
            done = actor.play()
            assert done["type"] == "done"
            while other.now["number"] < done["number"]:
                other.receive()
            while actor.now["number"] < done["number"]:
                actor.receive()
            assert first.now["text"] == second.now["text"]
        numbers = [told["number"] for heard in second.heard if heard["type"] == "events" for told in heard["events"]]
        assert numbers == sorted(set(numbers))


def test_refusals_are_typed_and_carry_the_table(server: Running) -> None:
    ana, ben, table = friends(server)
    eve = Visitor(server.address)
    with ana.sit(table) as first, ben.sit(table) as second, eve.sit(table) as third:
        actor, other = (first, second) if first.now.get("actions") else (second, first)
        turn, position = actor.now["turn"], actor.now["position"]
        action, other_action = actor.now["actions"][:2]
        move = {"type": "play", "seat": turn, "action": action, "position": position}
        for seat, command, reason in (
            (other, move, "not yours"),
            (third, move, "not yours"),
            (other, {**move, "seat": 1 - turn}, "not your turn"),
            (actor, {**move, "action": "CR1"}, "illegal"),
            (actor, {**move, "action": "<script>"}, "unknown"),
            (actor, {**move, "position": position - 1}, "stale"),
            (actor, {**move, "seat": 99}, "unknown"),
            (actor, {"type": "fly"}, "malformed"),
            (actor, {**move, "more": 1}, "malformed"),
            (third, {"type": "ask takeback", "seat": 0}, "not yours"),
            (third, {"type": "hand over", "seat": 0, "player": "greedy"}, "not yours"),
        ):
            answer = seat.ask(**command)
            assert answer["type"] == "refused", command
            assert answer["reason"] == reason, command
            assert answer["message"]
            assert answer["now"]["position"] == position
        assert actor.ask(**move)["type"] == "done"
        assert actor.ask(**move)["type"] == "done", "the same move twice is one move"
        assert actor.ask(**{**move, "action": other_action})["reason"] == "stale"


@pytest.mark.parametrize(
    "frame", ["", "{", "[]", "null", '{"id": 1}', '{"id": "x", "command": {}}', "[" * 5000, '{"id": 1e400}', "\u0000"]
)
def test_nonsense_is_refused_and_the_connection_lives(server: Running, frame: str) -> None:
    ana = Visitor(server.address)
    table = ana.open(game="azul", player="random")
    with ana.sit(table) as seat:
        seat.socket.send(frame)
        assert seat.hear("refused")["reason"] == "malformed"
        seat.wait_for_turn()
        assert seat.play()["type"] == "done"


def how_it_closes(seat: Seat, frames: list[str]) -> int:
    """The code with which the server ends a connection over which these frames come."""
    try:
        for frame in frames:
            seat.socket.send(frame)
        while True:
            seat.receive()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0


def test_frames_that_are_too_long_or_too_many_end_the_connection(server: Running) -> None:
    ana = Visitor(server.address)
    table = ana.open(game="azul", player="random")
    with ana.sit(table) as seat:
        assert how_it_closes(seat, ["x" * 9000]) == 1009
    with ana.sit(table) as seat:
        assert how_it_closes(seat, ["{}"] * 120) == 4429


def test_other_sites_cannot_act(server: Running) -> None:
    ana = Visitor(server.address)
    answer = ana.http.post("/tables", data={"game": "azul"}, headers={"origin": "http://elsewhere.example"})
    assert answer.status_code == 403
    table = ana.open(game="azul", player="random")
    with pytest.raises(ConnectionClosed) as closed, ana.sit(table, origin="http://elsewhere.example"):
        pass
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403


def test_a_table_that_is_not_there(server: Running) -> None:
    ana = Visitor(server.address)
    assert ana.http.get("/tables/nowhere").status_code == 404
    assert ana.http.get("/tables/nowhere/record").status_code == 404
    assert ana.http.get("/tables/nowhere/steps").status_code == 404
    assert ana.http.get("/nowhere").status_code == 404
    with pytest.raises(ConnectionClosed) as closed, ana.sit("nowhere"):
        pass
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404


def test_a_gap_is_filled_on_request(server: Running) -> None:
    ana = Visitor(server.address)
    table = ana.open(game="azul", player="random")
    with ana.sit(table) as seat:
        for _ in range(3):
            seat.wait_for_turn()
            seat.play()
        seat.socket.send(json.dumps({"id": 90, "command": {"type": "since", "number": 2}}))
        while not (heard := seat.hear("events"))["events"] or heard["events"][0]["number"] != 3:
            pass
        numbers = [told["number"] for told in heard["events"]]
        assert numbers == list(range(3, heard["now"]["number"] + 1))


def test_takeback_and_rematch_between_people(server: Running) -> None:
    ana, ben, table = friends(server)
    with ana.sit(table) as first, ben.sit(table) as second:
        actor, other = (first, second) if first.now.get("actions") else (second, first)
        turn, before = actor.now["turn"], actor.now["text"]
        actor.play()
        assert actor.ask(type="ask takeback", seat=turn)["type"] == "done"
        assert other.ask(type="answer takeback", seat=1 - turn, agree=True)["type"] == "done"
        while actor.now["text"] != before:
            actor.receive()
        assert actor.ask(type="resign", seat=turn)["type"] == "done"
        assert actor.ask(type="ask rematch", seat=turn)["type"] == "done"
        while other.now["phase"] != "over":
            other.receive()
        assert other.ask(type="ask rematch", seat=1 - turn)["type"] == "done"
        while not actor.now.get("next_table"):
            actor.receive()
    with ben.sit(actor.now["next_table"]) as seat:
        assert seat.now["phase"] == "playing"
        assert [one["yours"] for one in seat.now["seats"]].count(True) == 1


def test_what_is_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    server = Running(tmp_path)
    server.wait_until_ready()
    ana = Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    with ana.sit(table) as seat:
        for _ in range(7):
            seat.wait_for_turn()
            done = seat.play()
        server.kill()
    again = Running(tmp_path)
    try:
        again.wait_until_ready()
        ana.address = again.address
        with ana.sit(table) as seat:
            assert seat.now["number"] == done["number"]
            seat.wait_for_turn()
            assert seat.play()["type"] == "done"
    finally:
        again.stop()


def test_secrets_stay_on_the_server(server: Running) -> None:
    ana = Visitor(server.address)
    table = ana.open(game="azul", player="random", name="Ana")
    cookie = ana.http.cookies["azulejos"]
    with ana.sit(table) as seat:
        seat.wait_for_turn()
        seat.play()
        seat.wait_for_turn()
        heard = json.dumps(seat.heard)
    for secret in ('"chance"', '"owner"', '"seed"', cookie):
        assert secret not in heard
    assert seat.now["commitment"]
    for line in ana.http.get("/").headers.get_list("set-cookie"):
        assert "HttpOnly" in line
        assert "SameSite" in line


def test_names_are_text_on_every_page(server: Running) -> None:
    markup = "<b onclick=x>&\"'</b>"
    ana = Visitor(server.address)
    table = ana.open(game="azul", player="random", name=markup, public="yes")
    for page in ("/", "/tables", f"/tables/{table}"):
        text = ana.http.get(page).text
        assert "<b onclick" not in text
    with ana.sit(table, "?layout=wide&theme=light") as seat:
        assert "<b onclick" not in seat.now["board"]
        assert "&lt;b onclick" in seat.now["board"]


def test_bad_forms_are_refused_in_words(server: Running) -> None:
    ana = Visitor(server.address)
    for form in (
        {"game": "chess"},
        {"game": "azul", "players": "9"},
        {"game": "azul", "seat-1": "nobody"},
        {"game": "azul", "name": "x" * 50},
        {},
    ):
        answer = ana.http.post("/tables", data=form)
        assert answer.status_code == 400
        assert "cannot be set" in answer.text


def test_records_are_brought_and_refused(server: Running) -> None:
    ana = Visitor(server.address)
    record = az.Record(az.make("azul").start(seed=3), names=["<i>Ana", "Ben"])
    for _ in range(10):
        record.play(record.state.actions[0])
    answer = ana.http.post("/records", content=str(record))
    address = answer.json()["address"]
    page = ana.http.get(address)
    assert page.status_code == 200
    assert "&lt;i&gt;Ana" in page.text
    assert "<i>Ana" not in page.text
    steps = ana.http.get(f"{address}/steps").json()
    assert len(steps) == 11
    assert "<svg" in ana.http.get(f"{address}/steps/10").json()["board"]
    assert ana.http.get(f"{address}/steps/11").status_code == 404
    assert ana.http.get(f"{address}/record").text == str(record)
    for nonsense in (
        b"",
        b"\xff\xfe",
        b"azulejos record 1\n",
        b"x" * 1000,
        str(record).replace("play", "pray").encode(),
    ):
        assert ana.http.post("/records", content=nonsense).status_code == 400
    assert ana.http.post("/records", content=b"x" * 300_000).status_code == 413


def test_the_lobby_shows_public_tables_only(server: Running) -> None:
    ana, eve = Visitor(server.address), Visitor(server.address)
    form = {"game": "azul", "seat-0": "me", "seat-1": "friend"}
    hidden, shown = ana.open(**form), ana.open(**form, public="yes")
    text = eve.http.get("/tables").text
    assert shown in text
    assert hidden not in text
    with eve.sit(shown) as seat:
        assert seat.ask(type="sit", seat=1, name="Eve")["type"] == "done"


def test_headers_are_strict(server: Running) -> None:
    answer = get(server.address)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # which lets compiled rules run, and no script
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_pages_answer_while_players_think(server: Running) -> None:
    ana = Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "search"})
    with ana.sit(table) as seat:
        for _ in range(20):  # unless the thought was over before
            assert seat.wait_for_turn()
            seat.play()
            if re.search("^azulejos_thinking [1-9]", get(f"{server.address}/metrics").text, re.MULTILINE):
                return
    raise AssertionError("no page was answered while the player thought")


@pytest.mark.parametrize("wanted", ["en", "uk", "cs", "fr"])
def test_pages_follow_the_browsers_language(server: Running, wanted: str) -> None:
    answer = get(server.address, headers={"accept-language": f"{wanted}-XX,de;q=0.5"})
    assert f'<html lang="{wanted}"' in answer.text
    assert '<html lang="en"' in get(server.address, headers={"accept-language": "xx;q=z, , de"}).text


def test_who_comes_back_at_once_after_a_lost_connection_has_the_table(server: Running) -> None:
    ana = Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    with ana.sit(table) as watching:
        for _time in range(5):
            lost = ana.sit(table).__enter__()
            lost.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            lost.socket.socket.close()  # without a word: the other side hears of it as an error
            with ana.sit(table) as back:
                assert back.now["number"] == watching.now["number"]
                assert back.play()["type"] == "done"
                while back.now["number"] == watching.now["number"]:
                    back.receive()
                while watching.now["number"] < back.now["number"]:
                    watching.receive()


def test_a_log_is_told_in_parts(server: Running) -> None:
    """The latest part at first; any other by `since`."""
    ana = Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "me"})
    with ana.sit(table) as seat:
        for _ in range(60):
            assert seat.wait_for_turn()
            assert seat.play()["type"] == "done"
        last = seat.now["number"]
        seat.socket.send(json.dumps({"id": 0, "command": {"type": "look"}}))
        log = seat.hear("table")["log"]
        assert [told["number"] for told in log] == list(range(max(1, last - MOST_LOG + 1), last + 1))
        seat.socket.send(json.dumps({"id": 0, "command": {"type": "since", "number": 5}}))
        events = seat.hear("events")["events"]
        assert [told["number"] for told in events] == list(range(6, min(last, 5 + MOST_LOG) + 1))
