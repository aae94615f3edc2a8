"""`azulejos match` and `azulejos tournament` from the command line."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from azulejos.cli import main


def test_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "azul", "greedy", "random", "--games", "4", "--processes", "1", "--rounds", "8"]
    extra = ["--results", f"{tmp_path}/r.jsonl", "--plots", f"{tmp_path}/plots", "--json", f"{tmp_path}/r.json"]
    assert main([*words, *extra]) == 0
    shown = capsys.readouterr().out
    assert "greedy" in shown
    assert "Elo" in shown
    data = json.loads((tmp_path / "r.json").read_text())
    assert data["pairs"][0]["pair"] == ["greedy", "random"]
    for name in ("ratings", "scores"):
        root = ET.parse(tmp_path / "plots" / f"{name}.svg").getroot()
        assert root.tag.endswith("svg")
        texts = [element.text for element in root.iter() if element.tag.endswith("text")]
        assert {"greedy", "random"} <= set(texts)
    assert main([*words, *extra]) == 0  # all games are there already
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 5


def test_figures_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["match", "azul", "greedy", "random", "--games", "2", "--processes", "1", "--rounds", "2", "--json", "-"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["pairs"][0]["pair"] == ["greedy", "random"]
    assert list(tmp_path.iterdir()) == []


def test_a_broken_line_of_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "r.jsonl"
    words = ["match", "azul", "greedy", "random", "--games", "2", "--processes", "1", "--rounds", "2"]
    assert main([*words, "--results", str(file)]) == 0
    head, result, *_ = file.read_text().splitlines()
    for broken in ("nonsense", "{}", "[]", result.replace('"number": ', '"number": 0.')):
        file.write_text("\n".join([head, broken, result, ""]))
        assert main([*words, "--results", str(file)]) == 2
        assert "line 2 is not a result" in capsys.readouterr().err


def test_sprt_stops_early(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "duel", "search@40", "random", "--games", "400", "--processes", "1", "--sprt", "0", "100"]
    assert main([*words, "--results", f"{tmp_path}/r.jsonl"]) == 0
    assert "Is search@40 stronger than random (by 100 Elo rather than 0)? Yes." in " ".join(
        capsys.readouterr().out.split()
    )
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) < 100


def test_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", "pavilion", "search@20", "greedy", "random", "--games", "2", "--processes", "1"]
    assert main([*words, "--option", "side=plain"]) == 0
    shown = capsys.readouterr().out
    assert shown.index("search@20") < shown.index("random")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["match", "chess", "greedy", "random"], "there is no game 'chess'"),
        (["match", "azul", "greedy", "hal"], "nobody is called 'hal'"),
        (["match", "azul", "greedy", "greedy"], "same name"),
        (["match", "azul", "greedy", "random", "--players", "7"], "players='7' is not possible"),
        (["match", "azul", "greedy", "random", "--option", "roof=red"], "azul has no option 'roof'"),
        (["match", "azul", "greedy", "random", "--option", "wall"], "'wall' is not NAME=VALUE"),
        (["match", "azul", "greedy", "random", "--time", "-1"], "no time to think"),
        (["match", "azul", "greedy", "random", "--games", "0"], "at least one game"),
        (["match", "azul", "greedy", "random", "--sprt", "9", "3"], "lower difference first"),
        (["match", "azul", "greedy", "me", "--program", "me"], "is not NAME=COMMAND"),
        (["match", "azul", "greedy", "random", "--program", "random=./x"], "cannot be called 'random'"),
        (["tournament", "azul", "greedy"], "at least two entrants"),
    ],
)
def test_refusals(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_signature(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["signature", "azul"]) == 0
    name, number = capsys.readouterr().out.split()
    assert name == "azul"
    assert len(number) == 8
    assert int(number, 16) > 0
