"""The wheel, installed outside the checkout, plays at the terminal and serves a table.

The rules run uncompiled here: compiling them for another folder would take most of a minute.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .server.client import Visitor

ROOT = Path(__file__).parent.parent


def pip(*words: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words], check=True, capture_output=True
    )


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the wheel is installed, beside the dependencies of this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    (wheel,) = folder.glob("*.whl")
    pip("install", "--no-deps", "--target", str(folder / "site"), str(wheel))
    return folder


def start(elsewhere: Path, *words: str) -> subprocess.Popen[str]:
    """The command `azulejos` of the wheel."""
    environment = {**os.environ, "PYTHONPATH": str(elsewhere / "site"), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", "import sys, azulejos.cli; sys.exit(azulejos.cli.main())", *words]
    return subprocess.Popen(
        command, cwd=elsewhere, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )


def test_everything_is_in_it(elsewhere: Path) -> None:
    source, installed = ROOT / "src" / "azulejos", elsewhere / "site" / "azulejos"
    files = {
        path.relative_to(source) for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }
    assert files <= {path.relative_to(installed) for path in installed.rglob("*")}


def test_it_plays_at_the_terminal(elsewhere: Path) -> None:
    record = elsewhere / "record.txt"
    with start(
        elsewhere, "play", "azul", "--seats=random,random", "--seed=1", "--language=en", f"--save={record}"
    ) as process:
        said, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert " wins" in said
    assert record.read_text(encoding="utf-8").startswith("azulejos record 1\n")


def test_it_serves_a_table(elsewhere: Path) -> None:
    with start(
        elsewhere, "serve", "--no-browser", "--port=0", f"--data={elsewhere / 'data'}", "--workers=1"
    ) as process:
        try:
            assert process.stdout
            found = re.search(r"http://[^/\s]+", process.stdout.readline())
            assert found
            visitor = Visitor(found[0])
            page = visitor.http.get("/").text
            for file in re.findall(r'(?:src|href)="(/static/[^"]+)"', page):
                assert visitor.http.get(file).status_code == 200, file
            table = visitor.open(**{"game": "azul", "players": "2", "seat-0": "me", "seat-1": "me"})
            with visitor.sit(table, "?layout=wide") as seat:
                assert seat.play()["type"] == "done"
                assert seat.now["board"].startswith("<svg")
            visitor.close()
        finally:
            process.terminate()
