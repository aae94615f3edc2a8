"""A game outside the package, `examples/pig.py`, goes everywhere that the package's own games go."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pyspiel
import pytest
from pettingzoo import aec_registry
from pettingzoo.test import api_test

import azulejos as az
from azulejos.arena import Contest, Entrant, compare, run
from azulejos.arena.workers import processes
from azulejos.core import registry
from azulejos.envs import openspiel, pettingzoo
from azulejos.envs.gymnasium import OneSeatEnv
from azulejos.players import Limit, Search

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module", autouse=True)
def pig() -> Iterator[type[az.Game]]:
    """The game, registered for the tests of this file only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_games", dict(registry._games))
        patch.syspath_prepend(ROOT)
        from examples.pig import Pig

        yield az.register(Pig)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("goal", [50, 100])
def test_promises(players: int, goal: int) -> None:
    az.api_test(az.make("pig", players=players, goal=goal))


def test_rules() -> None:
    state = az.parse("pig 50 round 3 seat 1 start 0 | 12 40 | 6")
    assert [str(action) for action in state.actions] == ["roll", "hold"]
    assert str(state.play("hold")) == "pig 50 round 4 seat 0 start 0 | 12 46 | 0"
    assert str(state.play("roll", "1")) == "pig 50 round 4 seat 0 start 0 | 12 40 | 0"
    reached = state.play("roll", "5")
    assert str(reached) == "pig 50 round 3 seat 1 start 0 | 12 40 | 11"
    assert reached.projected == (12, 51)
    with pytest.raises(az.IllegalAction, match="50 points are reached; hold"):
        reached.play("roll")
    with pytest.raises(az.IllegalAction, match="no points to keep; roll"):
        state.play("hold").play("hold")
    over = reached.play("hold")
    assert str(over.outcome) == "12–51, seat 1 wins"
    assert state.play("roll").chances() == pytest.approx(dict.fromkeys(range(6), 1 / 6))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("pig 50 round 3 seat 2 start 0 | 12 40 | 6", "seats are 0 to 1"),
        ("pig 50 round 0 seat 1 start 0 | 12 40 | 6", "rounds count from 1"),
        ("pig 50 round 3 seat 1 start 0 | 52 40 | 0", "gone on after a seat reached the goal"),
        ("pig 50 round 3 seat 1 start 0 | 12 1 | 6", "at least 2 points"),
        ("pig 50 round 3 seat 1 start 0 | 12 40 | 10 rolling", "rolled after the goal"),
        ("pig 60 round 3 seat 1 start 0 | 12 40 | 6", "goal=60 is not possible"),
        ("pig 50 round 3 seat 1 start 0 | 12 | 6", "players=1 is not possible"),
    ],
)
def test_impossible_positions(text: str, wrong: str) -> None:
    with pytest.raises(az.AzulejosError, match=wrong):
        az.parse(text)


def test_a_round_that_a_draw_ends_is_written_after_the_draw() -> None:
    record = az.Record(az.parse("pig 50 round 3 seat 1 start 0 | 12 40 | 6"))
    record.play("roll", "1")
    assert str(record).splitlines()[-5:] == ["play roll", "draw 1", "scores 12 40", "", "round 4"]
    assert az.Record.parse(str(record)) == record


def test_pictures_of_both_layouts() -> None:
    state = az.make("pig", players=4).start(seed=1)
    for layout in ("wide", "tall"):
        drawn = state.game.draw(state, ["<Ana>", "Ben", "Cai", "Dana"], layout=layout)
        assert 'id="roll"' in drawn
        assert 'id="seat-3.score"' in drawn
        assert "&lt;Ana&gt;" in drawn


def test_arena() -> None:
    """The search, which looks to the end of the round, beats players who do not; in processes of their own too."""
    contest = Contest(az.make("pig"), (Entrant.read("search@200"), Entrant.read("greedy")), 20)
    results = run(contest)
    assert compare(results, contest).points > 0.7
    short = Contest(contest.game, contest.entrants, 2)
    with processes(1) as workers:
        assert [result.scores for result in run(short, workers)] == [result.scores for result in results[:2]]


def test_without_a_judgement_the_search_needs_only_the_rules(pig: type[az.Game]) -> None:
    class Bare(pig):  # type: ignore[misc, valid-type]
        judgement = None

    state = Bare().start(seed=1).play("roll", "6")
    choice = Search(1).choose(state, Limit(simulations=200))
    assert choice.simulations == sum(choice.visits.values()) == 200


def test_batch() -> None:
    games = az.batch("pig", 256, seed=1, rewards="win")
    ended = 0
    for _ in range(200):
        assert (games.observe() <= games.spec.most).all()
        games.step(games.random_actions())
        ended += int(games.terminated.sum())
        assert np.abs(games.rewards.sum(1)).max() < 1e-6
    assert ended > 256
    walker = az.make("pig").start(seed=5)
    games.set(0, walker)
    assert games.state(0) == walker


@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo() -> None:
    api_test(pettingzoo.env("pig", players=3), 100)
    assert "azulejos/pig-v1" in aec_registry


def test_gymnasium() -> None:
    env = gymnasium.make("azulejos/pig-v1", opponent="search@50", goal=50)
    assert isinstance(env.unwrapped, OneSeatEnv)
    seen, info = env.reset(seed=1)
    chooser, over = random.Random(1), False
    while not over:
        legal = np.flatnonzero(info["action_mask"])
        seen, _, terminated, truncated, info = env.step(chooser.choice(legal.tolist()))
        over = terminated or truncated
    assert seen in env.observation_space


def test_openspiel() -> None:
    game = pyspiel.load_game("azulejos_pig(players=3,goal=50)")
    assert game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    pyspiel.random_sim_test(game, 2, False, False)
    assert openspiel.short_name(az.registered()["pig"]) == "azulejos_pig"


# --- the command line ---


def command(*words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    started = [sys.executable, "-m", "azulejos.cli", *words]
    return subprocess.run(started, capture_output=True, encoding="utf-8", cwd=ROOT, input=typed)


def test_the_command_imports_a_module() -> None:
    for words in (["--import", "examples.pig", "draw"], ["draw", "--import", "examples.pig"]):
        drawn = command(*words, "pig 50 round 3 seat 1 start 0 | 12 40 | 6", "-o", "-")
        assert drawn.stdout.startswith("<svg"), drawn.stderr
    words = ["match", "--import=examples.pig", "pig", "search@20", "random", "--games=2", "--processes=1", "--json=-"]
    played = command(*words)
    assert json.loads(played.stdout)["pairs"][0]["games"] == 2, played.stderr
    missing = command("--import", "examples.nothing", "compile")
    assert missing.returncode == 2
    assert missing.stderr.startswith("azulejos: --import examples.nothing: No module named")


def test_at_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    words = ["--import", "examples.pig", "play", "pig", "--seats=person,person", "--seed=4", "--first=0"]
    played = command(*words, f"--save={file}", typed="roll\nhold\nquit\n")
    assert played.returncode == 0, played.stderr
    assert "points this turn" in played.stdout
    assert [str(action) for action in az.Record.load(file).actions] == ["roll", "hold"]


def test_an_installed_package_offers_a_game(tmp_path: Path) -> None:
    """By an entry point; one that is broken is named and does no harm."""
    (tmp_path / "dice-1.dist-info").mkdir()
    (tmp_path / "dice-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: dice\nVersion: 1\n")
    (tmp_path / "dice-1.dist-info" / "entry_points.txt").write_text(
        "[azulejos.games]\npig = examples.pig:Pig\nhog = examples.hog:Hog\n"
    )
    code = "import azulejos as az; print(az.make('pig'), list(az.registered()))"
    path = os.pathsep.join([str(ROOT), str(tmp_path), os.environ.get("PYTHONPATH", "")])
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path},
        check=True,
    )
    assert found.stdout.strip() == "azulejos.make('pig', players=2, goal=50) ['azul', 'pavilion', 'duel', 'pig']"
    assert "the installed game hog (examples.hog:Hog) cannot be used: No module named" in found.stderr
