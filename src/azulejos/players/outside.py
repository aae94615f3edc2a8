"""Players and games from outside the package: of modules that are imported by name, and programs.

Worker processes need the same ones: `bring(*brought())` is their initializer.
"""

import importlib
import sys
from collections.abc import Mapping, Sequence
from functools import partial

from azulejos.core.errors import OptionError

from . import PLAYERS, Player, Program, register

_modules: list[str] = []
_programs: dict[str, str] = {}


def bring(modules: Sequence[str], programs: Mapping[str, str]) -> None:
    """Import modules, which register games and players, and register programs as players: commands by name."""
    if modules and "" not in sys.path:
        sys.path.insert(0, "")  # the `azulejos` script, unlike `python -m`, does not look into the current folder
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise OptionError(f"--import {module}: {error}") from None
        _modules.append(module)
    for name, command in programs.items():
        register(name)(partial(_started, command))
        _programs[name] = command


def brought() -> tuple[list[str], dict[str, str]]:
    """What has been brought so far."""
    return list(_modules), dict(_programs)


def read_programs(texts: Sequence[str]) -> dict[str, str]:
    """Commands by name, from NAME=COMMAND."""
    found = {}
    for text in texts:
        name, equals, command = text.partition("=")
        if not (equals and name and command.strip()):
            raise OptionError(f"{text!r} is not NAME=COMMAND")
        if name in PLAYERS or set(name) & set(":@, "):
            raise OptionError(f"a program cannot be called {name!r}")
        found[name] = command
    return found


def _started(command: str, seed: int | None) -> Player:
    return Program(command)
