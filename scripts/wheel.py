"""Builds the wheel, and tries it with every Python from 3.11 to 3.14 that is here: python scripts/wheel.py [PYTHON …]

In a new environment outside the checkout it installs the wheel with nothing but what the wheel asks for, plays each
game, steps a batch, lets the search choose, and runs the command. Pythons are looked for on the PATH and in pyenv.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")

PLAY = """
import json, platform
from importlib.metadata import version
import azulejos as az
from azulejos.players import Limit, Random, Search

for name in az.registered():
    state, player = az.make(name).start(seed=1), Random(1)
    while state.seat is not None:
        state = state.play(player.choose(state.view(state.seat)).action)
    assert state.outcome, name
    assert az.parse(str(state)) == state
    assert state.game.draw(state).startswith("<svg")
games = az.batch("azul", 64, seed=1)
for _ in range(100):
    games.step(games.random_actions())
assert games.legal_mask().any(1).all()
state = az.make("azul").start(seed=1)
assert Search(seed=1).choose(state.view(state.seat), Limit(simulations=100)).action in state.actions
versions = {name: version(name) for name in ("azulejos", "numpy", "numba")}
print(json.dumps({"python": platform.python_version(), **versions}))
"""


def run(*words: str | Path, folder: Path | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def attempt(wheel: Path) -> None:
    """With the Python that runs this."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
        versions = json.loads(run(python, "-c", PLAY, folder=folder))
        words = ("play", "azul", "--seats=random,greedy", "--seed=1", "--language=en")
        assert " wins" in run(folder / "env" / "bin" / "azulejos", *words, folder=folder)
        print("works:", ", ".join(f"{name} {version}" for name, version in versions.items()), flush=True)


def found() -> list[str]:
    """A Python of each version."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    pythons = []
    for version in VERSIONS:
        kept = sorted(pyenv.glob(f"{version}.*/bin/python{version}"))
        if python := str(kept[-1]) if kept else shutil.which(f"python{version}"):
            pythons.append(python)
        else:
            print(f"Python {version} is not here")
    return pythons


def main() -> None:
    if sys.argv[1:2] == ["--wheel"]:
        attempt(Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
        (wheel,) = Path(folder).glob("*.whl")
        for python in sys.argv[1:] or found():
            print(run(python, __file__, "--wheel", wheel), end="", flush=True)


if __name__ == "__main__":
    main()
