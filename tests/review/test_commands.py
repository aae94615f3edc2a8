"""`azulejos review`: a table, data and a page of one record or many; sentences for what is no finished game."""

import json
from pathlib import Path

import pytest

from azulejos.cli import main

from .test_reviewing import game_of


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    game_of("azul").save(path)
    return path


def test_one_record(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, data = tmp_path / "review.html", tmp_path / "review.json"
    assert main(["review", str(record), "--simulations", "100", "--html", str(page), "--json", str(data)]) == 0
    assert "accuracy" in capsys.readouterr().out
    found = json.loads(data.read_text(encoding="utf-8"))
    assert found["names"] == ["p0", "p1"]
    assert len(found["decisions"]) == len(game_of("azul").actions)
    text = page.read_text(encoding="utf-8")
    assert text.count('id="action-') == len(found["decisions"]) + 1
    assert "http" not in text.replace("http://www.w3.org/", "")


def test_many_records(record: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    game_of("azul").save(other)
    data, pages = tmp_path / "all.json", tmp_path / "pages"
    arguments = ["review", str(record), str(other), "--simulations", "100", "--json", str(data), "--html", str(pages)]
    assert main([*arguments, "--processes", "2"]) == 0
    first, second = json.loads(data.read_text(encoding="utf-8"))
    assert first == second
    assert {path.name for path in pages.iterdir()} == {"game.html", "other.html"}


@pytest.mark.parametrize(
    ("text", "message"),
    [("junk", "a record begins with the line"), ("", "a record begins with the line"), (None, "not finished")],
)
def test_junk_and_unfinished_games(
    text: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "junk.txt"
    if text is None:
        whole = game_of("azul")
        import azulejos as az

        az.Record(next(whole.states())).save(path)
    else:
        path.write_text(text, encoding="utf-8")
    assert main(["review", str(path)]) == 2
    assert message in capsys.readouterr().err
