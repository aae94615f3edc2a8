"""The engine in a browser: modules equal to native code, and workers that think and stop."""

import base64
import hashlib
import time
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

import azulejos as az
from azulejos.core.streams import streams
from azulejos.core.testing import perft
from azulejos.players import Limit, Search

from ..server.client import get
from ..server.conftest import Running
from .conftest import Visit
from .hands import phase, play_by_mouse, start

RUN = """async ({ task, game, ...given }) => {
    const { tasks } = await import("/engine/tasks.js");
    const { gather } = await import("/engine/engine.js");
    const module = await WebAssembly.compileStreaming(fetch(`/engine/${game}.wasm`));
    const read = async (name) => (await fetch(`/engine/${name}`)).arrayBuffer();
    return tasks[task](await gather(module, given.options, read), given);
}"""
PONDER = """async ({ game, options, state, workers, reports }) => {
    const { Thinking, canThink } = await import("/engine/thinking.js");
    const thinking = new Thinking(game, options, workers);
    const bytes = Uint8Array.from(atob(state), (letter) => letter.charCodeAt(0));
    const told = [];
    await new Promise((enough, fail) => {
        thinking.ponder(bytes, (choice) => told.push(choice) === reports && enough(), fail);
    });
    thinking.stop();
    const level = await thinking.choose(bytes, "casual");
    const before = told.length;
    await new Promise((go) => setTimeout(go, 300));
    thinking.close();
    return { can: canThink(), told, after: told.length - before, level };
}"""


def described(state: az.State) -> dict[str, Any]:
    position = base64.b64encode(state.position).decode()
    return {"game": state.game.name, "options": state.game.chosen_texts, "state": position}


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit("/")


@pytest.mark.parametrize("name", az.registered())
def test_modules_equal_native_code(name: str, page: Page) -> None:
    for game in az.registered()[name].variants():
        state, key = game.start(seed=4), streams(1, 6)[0]
        assert state.seat is not None
        array, keys = state.array(), np.array([key])
        game.entry_points.wander(array, 0, game.option_codes, keys, game.actions_buffer(), 500)
        there = page.evaluate(RUN, {"task": "wander", **described(state), "key": str(key), "moves": 500, "times": 1})
        assert there["hash"] == hashlib.sha256(array.tobytes()).hexdigest()
        choice = Search(6).choose(state.view(state.seat), Limit(simulations=300))
        given = {"task": "choose", **described(state.view(state.seat)), "key": str(key), "simulations": 300}
        found = page.evaluate(RUN, given)
        assert {one["action"]: one["visits"] for one in found["actions"]} == {
            int(action): count for action, count in choice.visits.items()
        }
        assert tuple(found["chances"]) == choice.value
        assert page.evaluate(RUN, {"task": "perft", **described(state), "depth": 2}) == perft(state, 2)


@pytest.mark.parametrize("name", az.registered())
def test_workers_think_and_stop(name: str, page: Page) -> None:
    state = az.make(name).start(seed=1)
    assert state.seat is not None
    found = page.evaluate(PONDER, {**described(state.view(state.seat)), "workers": 2, "reports": 4})
    assert found["can"]
    assert found["after"] == 0
    legal = [int(action) for action in state.actions]
    assert found["level"] in legal
    counts = [choice["simulations"] for choice in found["told"]]
    assert counts == sorted(counts)
    assert counts[-1] > counts[0]
    for choice in found["told"]:
        assert sum(choice["chances"]) == pytest.approx(1)
        assert choice["action"] in legal
        assert {one["action"] for one in choice["actions"]} <= set(legal)


def thinking(server: Running) -> str:
    """The server's own thoughts now."""
    lines = get(f"{server.address}/metrics").text.splitlines()
    return next(line for line in lines if line.startswith("azulejos_thinking "))


def wait_until_nobody_thinks(server: Running) -> None:
    """Until the thoughts for those who were here before are over."""
    while thinking(server) != "azulejos_thinking 0":
        time.sleep(0.05)


def test_a_lone_visitor_plays_a_game_and_gets_hints_without_the_server_thinking(visit: Visit, server: Running) -> None:
    wait_until_nobody_thinks(server)
    page = visit()
    answers: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: answers.append(str(frame))))
    start(page, "azul", "casual")
    page.locator("#hint").click()
    page.locator("#hints .hint").first.wait_for()
    moves = 0
    while phase(page) != "over":
        moves += play_by_mouse(page, seed=moves, most=1)
        assert thinking(server) == "azulejos_thinking 0"
    played = [answer for answer in answers if "play for" in answer]
    rounds = page.locator("#log .round").count()
    assert len(played) >= moves - rounds  # a round can end, and begin again, with the visitor
    assert all("action" in answer for answer in played)
    assert not any("ask hint" in answer for answer in answers)
