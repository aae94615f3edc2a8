"""The judgements of the version before, for matches: modules of the games' packages that lie in bench/before."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np

BEFORE = Path(__file__).with_name("before")


def load_judgement(path: Path, name: str, network: Path | None = None) -> ModuleType:
    """The module at path as `name` of the game's package, the folder's name; with the arrays of another network."""
    full = f"azulejos.games.{path.parent.name}.{name}"
    spec = importlib.util.spec_from_file_location(full, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[full] = module
    spec.loader.exec_module(module)
    if network:
        for key, array in np.load(network).items():
            setattr(module, key.upper(), array.astype(np.float64))
    return module


def judgement_before(game: str) -> ModuleType:
    return load_judgement(BEFORE / game / "judgement.py", "judgement_before")
