"""Players of one's own at a table: of a Python module, and a program."""

import os
import sys
from pathlib import Path

import pytest

from .client import Visitor
from .conftest import Running

MINE = """
from azulejos.players import NO_LIMIT, Choice, register


@register("mine")
class Mine:
    def __init__(self, seed=None):
        pass

    def choose(self, view, limit=NO_LIMIT):
        return Choice(view.actions[-1])
"""
EXAMPLE = Path(__file__).parents[2] / "docs" / "example_bot.py"


def test_a_player_of_a_module_and_a_program_play_at_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_player.py").write_text(MINE)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]))
    bot = f"--program=bot={sys.executable} {EXAMPLE}"
    running = Running(tmp_path / "data", "--import=my_player", bot)
    try:
        running.wait_until_ready()
        ana = Visitor(running.address)
        seats = {"seat-0": "me", "seat-1": "mine", "seat-2": "bot"}
        table = ana.open(game="azul", players="3", **seats)
        with ana.sit(table) as here:
            for _ in range(2):
                assert here.wait_for_turn()
                assert here.play()["type"] == "done"
            assert here.wait_for_turn(), "both others have answered"
        ana.close()
    finally:
        running.stop()
