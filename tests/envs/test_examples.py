"""The examples run, and learn."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import azulejos as az

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_network_goes_down_the_slope() -> None:
    ppo, random = example("ppo"), np.random.default_rng(0)
    network, seen = ppo.Network(20, 3, 0), random.random((64, 20), np.float32)
    goal = seen[:, :4].sum(1)
    errors = []
    for _ in range(60):
        _, value, layers = network.forward(seen)
        slope = np.zeros((64, 4), np.float32)
        slope[:, 3] = (value - goal) / 64
        errors.append(float(((value - goal) ** 2).mean()))
        network.learn(layers, slope, 1e-2)
    assert errors[-1] < errors[0] / 5


def test_only_legal_actions_are_likely() -> None:
    ppo, random = example("ppo"), np.random.default_rng(0)
    legal = random.random((50, 9)) < 0.3
    legal[:, 4] = True
    chances = ppo.likely(random.standard_normal((50, 9)).astype(np.float32) * 20, legal)
    assert not chances[~legal].any()
    assert chances.sum(1) == pytest.approx(np.ones(50), abs=1e-5)
    assert legal[np.arange(50), ppo.drawn(chances, random)].all()


def test_a_lesson_is_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a few lessons the network wins against random moves more often than not."""
    ppo, random = example("ppo"), np.random.default_rng(0)
    monkeypatch.setattr(ppo, "STEPS", 32)
    monkeypatch.setattr(ppo, "HIDDEN", 64)
    game = az.make("azul")
    games = az.batch(game, 64, seed=0, rewards="margin")
    network = ppo.Network(games.spec.one_hot_size, game.num_actions, 0)
    for _ in range(8):
        ppo.Lesson(games, network, random).teach(network, random, 1e-3)
    assert ppo.wins(network, game, 60, seed=1) > 0.55


def cells(notebook: str) -> list[str]:
    """The code of a notebook, without the line that installs."""
    read = json.loads((EXAMPLES / notebook).read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in read if cell["cell_type"] == "code"]
    assert code[0].startswith("%pip install")
    return code[1:]


def test_the_notebook_of_boards_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for cell in cells("boards.ipynb"):
        exec(cell.replace("games=200", "games=4"), names)
    assert len(names["table"]) == 12
    assert "to line" in capsys.readouterr().out


def test_the_notebook_of_learning_runs() -> None:
    names: dict[str, Any] = {}
    for cell in cells("learning.ipynb"):
        exec(cell.replace("range(60)", "range(15)").replace("200", "60"), names)
    assert names["won"].mean() > 0.6


def test_openspiels_players_play() -> None:
    players = example("openspiel_players")
    ahead = players.search_against_random("azulejos_azul(most_rounds=1,rewards=margin)", 8, 3)
    assert sum(ahead) == 0
    assert any(ahead)
    situations = players.learn_a_table("azulejos_azul(most_rounds=1)", 2, seed=0)
    assert situations > 10
    assert situations == players.learn_a_table("azulejos_azul(most_rounds=1)", 2, seed=0)
