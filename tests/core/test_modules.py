"""A game's modules: the three games have what `Modules` promises, and a game may live in one file."""

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

import azulejos as az
from azulejos.core.modules import Drawing, Modules, Notation, Position, Possible, Terminal
from azulejos.games import azul, duel, pavilion
from azulejos.games.azul import drawing as azul_drawing
from azulejos.games.azul import notation as azul_notation
from azulejos.games.azul import position as azul_position
from azulejos.games.azul import possible as azul_possible
from azulejos.games.azul import terminal as azul_terminal
from azulejos.games.duel import drawing as duel_drawing
from azulejos.games.duel import notation as duel_notation
from azulejos.games.duel import position as duel_position
from azulejos.games.duel import possible as duel_possible
from azulejos.games.duel import terminal as duel_terminal
from azulejos.games.pavilion import drawing as pavilion_drawing
from azulejos.games.pavilion import notation as pavilion_notation
from azulejos.games.pavilion import position as pavilion_position
from azulejos.games.pavilion import possible as pavilion_possible
from azulejos.games.pavilion import terminal as pavilion_terminal

if TYPE_CHECKING:  # mypy holds each module to its list
    NOTATIONS: list[Notation] = [azul_notation, pavilion_notation, duel_notation]
    POSITIONS: list[Position] = [azul_position, pavilion_position, duel_position]
    POSSIBLES: list[Possible] = [azul_possible, pavilion_possible, duel_possible]
    DRAWINGS: list[Drawing] = [azul_drawing, pavilion_drawing, duel_drawing]
    TERMINALS: list[Terminal] = [azul_terminal, pavilion_terminal, duel_terminal]

TEXT = {"notation", "position", "possible", "drawing", "terminal", "hand", "prospects", "about"}
RULES = {"tables", "encoding", "lookups", "kernels", "judgement", "observation"}
SOME_HAVE = {"lanes"}  # of Azul alone


def test_the_games_have_the_same_files() -> None:
    found = []
    for package in (azul, pavilion, duel):
        files = Path(str(package.__file__)).parent.iterdir()
        names = {path.stem for path in files if path.suffix == ".py" or (path / "__init__.py").exists()}
        found.append(names - SOME_HAVE)
    assert found[0] == found[1] == found[2]
    assert found[0] >= TEXT | RULES


def test_a_module_is_found_by_name_or_not_at_all() -> None:
    modules = Modules("azulejos.games.azul")
    assert modules.notation.print_action(az.make("azul"), 0) == "CB-"
    assert modules.find("smell") is None
    assert modules.function("smell", "sniff") is None
    with pytest.raises(AttributeError, match=r"the game in azulejos\.games\.azul has no module 'smell'"):
        modules.smell  # noqa: B018


def test_a_game_in_one_file_is_each_of_its_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    file = ModuleType("a_game_in_one_file")
    monkeypatch.setitem(sys.modules, file.__name__, file)
    modules = Modules(file.__name__)
    assert modules.notation is file
    assert modules.find("about") is file
    assert modules.function("hand", "ask") is None
