"""The benchmark command runs, shows a table and writes its figures."""

import json
import subprocess
import sys
from pathlib import Path

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


def test_bad_options_are_explained() -> None:
    for options, message in ((["chess"], "there is no game 'chess'"), (["--seconds", "0"], "above 0")):
        result = subprocess.run([*COMMAND, *options], capture_output=True, encoding="utf-8")
        assert result.returncode == 2
        assert message in result.stderr
