"""The shipped WebAssembly modules: made of this source, and equal to the native code to the last bit."""

import hashlib
import os
import shutil
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest

import azulejos as az
from azulejos.core.streams import streams
from azulejos.players import LEVELS, Leveller
from azulejos.players.signature import signature
from azulejos.wasm import proving
from azulejos.wasm.building import current_fingerprint
from azulejos.wasm.modules import WEB, described, path
from azulejos.wasm.running import Node, NodeSearch

from ..games.books import perft_file

KINDS = {name: kind for name, kind in az.registered().items() if kind.__module__.startswith("azulejos.")}
GAMES = [game for kind in KINDS.values() for game in kind.variants()]
MOST_SEQUENCES = 20_000  # of one perft count


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    if shutil.which("node") is None:
        message = "THE WEBASSEMBLY MODULES WERE NOT RUN: there is no node on this machine"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with Node() as running:
        yield running


@pytest.mark.parametrize("name", KINDS)
def test_is_made_of_this_source(name: str) -> None:
    """If the rules or the search were changed: scripts/wasm."""
    about = described(path(name).read_bytes())
    assert about["fingerprint"] == current_fingerprint(KINDS[name])
    files = {variant["network"] for variant in about["variants"]}
    assert {file.name for file in WEB.glob(f"{name}-*.network")} == files
    assert all(hashlib.sha256((WEB / file).read_bytes()).hexdigest()[:8] in file for file in files)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_counts_as_written(game: az.Game, node: Node) -> None:
    for line in perft_file(game).read_text(encoding="utf-8").splitlines():
        if line.startswith("position "):
            state = az.parse(line.removeprefix("position "))
        elif line and int(line.split()[1]) <= MOST_SEQUENCES:
            depth, count = map(int, line.split())
            assert node.run("perft", game, state, depth=depth) == count


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_plays_the_same_random_games(game: az.Game, node: Node) -> None:
    proving.play(game, node, games=20, most=1500)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_searches_alike(game: az.Game, node: Node) -> None:
    for simulations in (1, 500):
        proving.search(game, node, simulations)


@pytest.mark.parametrize("name", KINDS)
def test_has_the_signature(name: str, node: Node) -> None:
    assert signature(az.make(name), partial(NodeSearch, node)) == signature(az.make(name))


@pytest.mark.parametrize("name", KINDS)
def test_levels_choose_alike(name: str, node: Node) -> None:
    """A level in a browser takes the action that it takes natively, drawn by the same number."""
    state = az.make(name).start(seed=3)
    players = [(level, Leveller(level, 7, None), np.random.default_rng(7)) for level in LEVELS[:3]]
    for number in range(30):
        assert state.seat is not None
        level, player, random = players[number % 3]
        view, action = state.view(state.seat), player.choose(state.view(state.seat)).action
        given = {"level": level.name, "key": str(streams(1, 7)[0]), "random": random.random()}
        assert node.run("level", view.game, view, **given) == int(action)
        state = state.play(action)


def test_a_report_does_not_disturb_the_search(node: Node) -> None:
    state = az.make("azul").start(seed=2)
    for number in range(6):
        state = state.play(state.actions[number])
    assert state.seat is not None
    given = {"key": "5", "simulations": 60_000}
    quiet = node.run("choose", state.game, state.view(state.seat), **given)
    assert quiet["depth"] > 8, "alpha-beta takes part"
    assert node.run("choose", state.game, state.view(state.seat), reports=True, **given) == quiet
