"""The benchmark command runs, shows a table and writes its figures."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from azulejos.cli import main

COMMAND = [sys.executable, "-m", "azulejos.cli", "bench"]


def test_a_table_and_a_file(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    result = subprocess.run(
        [*COMMAND, "azul", "--seconds", "0.05", "--json", str(file)], capture_output=True, encoding="utf-8", check=True
    )
    assert "moves/s" in result.stdout
    figures = json.loads(file.read_text())
    assert [speed["options"] for speed in figures["speeds"]] == [
        {"players": players, "wall": wall} for players in (2, 3, 4) for wall in ("coloured", "grey")
    ]
    assert all(speed["moves_one_core"] > 0 for speed in figures["speeds"])


def test_no_file_unasked_and_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "azul", "--seconds", "0.05", "--players", "3"]) == 0
    assert "players 3" in (shown := capsys.readouterr().out)
    assert "players 2" not in shown
    assert main(["bench", "azul", "--seconds", "0.05", "--players", "3", "--json", "-"]) == 0
    assert {speed["options"]["players"] for speed in json.loads(capsys.readouterr().out)["speeds"]} == {3}
    assert list(tmp_path.iterdir()) == []
    assert main(["bench", "duel", "--players", "3"]) == 2
    assert "--players 3: no such variant of duel" in capsys.readouterr().err


def test_bad_options_are_explained() -> None:
    for options, message in ((["chess"], "there is no game 'chess'"), (["--seconds", "0"], "above 0")):
        result = subprocess.run([*COMMAND, *options], capture_output=True, encoding="utf-8")
        assert result.returncode == 2
        assert message in result.stderr


def test_environments_beside_others(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    result = subprocess.run(
        [*COMMAND, "azul", "--envs", "--seconds", "0.02", "--json", str(file)],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "COLUMNS": "160"},
    )
    paces = json.loads(file.read_text())["paces"]
    shares = [pace["share"] for pace in paces if pace["interface"] in ("kernel", "batch")]
    assert shares[0] == 1
    assert all(share > 0 for share in shares)
    ours = [pace for pace in paces if not pace["what"].startswith("theirs")]
    assert {pace["interface"] for pace in ours} == {"kernel", "batch", "PettingZoo", "Gymnasium", "OpenSpiel"}
    assert all(pace["game"] == "azul" and pace["steps"] > 0 for pace in ours)
    missing = [pace for pace in paces if pace["steps"] is None]
    assert ("azulejos[peers]" in result.stdout) == bool(missing)
    assert "azul makes" in result.stdout
    assert "times the steps of OpenSpiel's backgammon" in result.stdout
