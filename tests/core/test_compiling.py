"""The cache of compiled code: found again by the next process, and never stale."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from numba.core import config

MODULE = """
import logging, sys, types
import numpy as np
logging.basicConfig(level=logging.WARNING, stream=sys.stdout, format="%(message)s")
from azulejos.core.compiling import bind, rule

TABLE = np.array([{table}])

@rule
def legal(state):
    return state.x + TABLE[0]

kernels = types.ModuleType("kernels")
kernels.legal = legal

def entry_point(states, i):
    return legal(states[i])

bound = bind((), (entry_point,), kernels, "toy")
print("answer", bound["entry_point"](np.zeros(1, np.dtype((np.record, [("x", "i4")]))), 0))
"""

pytestmark = pytest.mark.skipif(vars(config)["DISABLE_JIT"], reason="nothing is compiled")


def run(folder: Path, table: int, changes: Iterable[tuple[str, str]] = (), **environment: str) -> str:
    file, text = folder / "toy.py", MODULE.format(table=table)
    for old, new in changes:
        text = text.replace(old, new)
    if not (file.exists() and file.read_text() == text):  # older Numba looks at the file's time
        file.write_text(text)
    result = subprocess.run(
        [sys.executable, "-c", "import toy"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), **environment},
    )
    return result.stdout


def test_compiled_once_and_again_when_a_table_behind_it_changes(tmp_path: Path) -> None:
    first = run(tmp_path, 5)
    assert "Compiling entry_point for toy (once on this machine)" in first
    assert "answer 5" in first
    second = run(tmp_path, 5)
    assert "Compiling" not in second
    assert "answer 5" in second
    changed = run(tmp_path, 6)
    assert "Compiling" in changed
    assert "answer 6" in changed
    cache = list((tmp_path / "cache").rglob("*.nbi"))
    assert len(cache) == 1, f"code of older sources is removed: {cache}"


def test_compiled_again_when_a_constant_in_a_module_changes(tmp_path: Path) -> None:
    """As an author of a game writes it: `tables.PENALTY`."""
    tables = tmp_path / "toy_tables.py"
    through_a_module = ("TABLE[0]", "toy_tables.PENALTY"), ("import numpy as np\n", "import numpy as np, toy_tables\n")
    tables.write_text("PENALTY = 5\n")
    assert "answer 5" in run(tmp_path, 0, through_a_module)
    assert "Compiling" not in run(tmp_path, 0, through_a_module)
    tables.write_text("PENALTY = 17\n")
    assert "answer 17" in run(tmp_path, 0, through_a_module)


def test_another_python_keeps_its_code(tmp_path: Path) -> None:
    run(tmp_path, 5)
    (mine,) = (tmp_path / "cache").rglob("*.nbi")
    other = mine.with_name(mine.name.replace(f".py3{sys.version_info.minor}", ".py399"))
    other.write_bytes(b"of a Python to come")
    assert "answer 6" in run(tmp_path, 6)
    assert not mine.exists()
    assert other.exists()


def test_bounds_checking_has_code_of_its_own(tmp_path: Path) -> None:
    run(tmp_path, 5, NUMBA_BOUNDSCHECK="0")
    assert "Compiling" in run(tmp_path, 5, NUMBA_BOUNDSCHECK="1")
    assert "Compiling" not in run(tmp_path, 5, NUMBA_BOUNDSCHECK="0")


MEETING = """
import sys, types
import numpy as np
from azulejos.core.compiling import bind, rule

def scrambled(state):
    total = points(state)
    MUCH
    return total

def entry_point(states, i):
    return scrambled(states[i]) + scrambled(states[i])

for game in sys.argv[1:]:
    @rule
    def points(state):
        return state.x + POINTS

    POINTS = int(game)
    kernels = types.ModuleType("kernels")
    kernels.points, kernels.POINTS = points, POINTS
    bound = bind((scrambled,), (entry_point,), kernels, game)
    print(game, bound["entry_point"](np.zeros(1, np.dtype((np.record, [("x", "i4")]))), 0))
"""


def test_code_of_two_games_kept_by_two_processes_meets_in_a_third(tmp_path: Path) -> None:
    """Functions written once for every game have the same names in both, and in each process the same numbers."""
    too_much_to_be_inlined = 200 * "total = total * 31 ^ total >> 3;"
    (tmp_path / "meeting.py").write_text(MEETING.replace("MUCH", too_much_to_be_inlined))

    def answers(*games: str) -> str:
        command = [sys.executable, "-c", "import meeting", *games]
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, env=environment).stdout

    apart = answers("5") + answers("7")
    assert answers("5", "7") == apart


def test_compiled_again_when_a_number_of_an_adopted_rule_changes(tmp_path: Path) -> None:
    """A rule that games share, with each game's own numbers; uncompiled, too."""
    adopting = (
        ("import bind, rule", "import adopt, bind, plain, rule"),
        ("@rule\ndef legal(state):", "STEP = None\n\n@rule\ndef shared(state):\n    return state.x + STEP"),
        ("    return state.x + TABLE[0]\n", "legal = adopt(shared, 'kernels', STEP=int(TABLE[0]))\n"),
        (
            "kernels.legal = legal",
            "kernels.legal, kernels.STEP = legal, int(TABLE[0])\nsys.modules['kernels'] = kernels",
        ),
        ("print(", "print('plain', plain(kernels).legal(types.SimpleNamespace(x=1)))\nprint("),
    )
    for number, found in ((5, ["plain 6", "answer 5"]), (6, ["plain 7", "answer 6"])):
        said = run(tmp_path, number, adopting)
        assert "Compiling" in said
        assert all(line in said for line in found)
