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
from azulejos.players import Limit, Search
from azulejos.players.signature import signature
from azulejos.wasm.building import current_fingerprint
from azulejos.wasm.modules import described, path
from azulejos.wasm.running import Node, NodeSearch

from ..games.books import perft_file

KINDS = {name: kind for name, kind in az.registered().items() if kind.__module__.startswith("azulejos.")}
GAMES = [game for kind in KINDS.values() for game in kind.variants()]
MOST_SEQUENCES = 20_000  # of one perft count
MOVES, TIMES = 25, 60  # random moves between two looks at the position, and how often


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
    assert described(path(name).read_bytes())["fingerprint"] == current_fingerprint(KINDS[name])


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
    start, key = game.start(seed=1), streams(1, 5)[0]
    array, keys, out = start.array(), np.array([key]), game.actions_buffer()
    digest, finished = hashlib.sha256(), 0
    for _ in range(TIMES):
        finished += game.entry_points.wander(array, 0, game.option_codes, keys, out, MOVES)
        digest.update(array.tobytes())
    there = node.run("wander", game, start, key=str(key), moves=MOVES, times=TIMES)
    assert there == {"hash": digest.hexdigest(), "finished": finished}


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_searches_alike(game: az.Game, node: Node) -> None:
    state = game.start(seed=2)
    assert state.seat is not None
    for simulations in (1, 500):
        limit = Limit(simulations=simulations)
        assert NodeSearch(node, 3).choose(state.view(state.seat), limit) == Search(3).choose(
            state.view(state.seat), limit
        )


@pytest.mark.parametrize("name", KINDS)
def test_has_the_signature(name: str, node: Node) -> None:
    assert signature(az.make(name), partial(NodeSearch, node)) == signature(az.make(name))
