"""All exceptions of the project are in one file, whose docstring draws their tree."""

import pickle
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import pytest

import azulejos as az
from azulejos.core import errors


def classes_in(module: ModuleType) -> set[type[BaseException]]:
    found = [value for value in vars(module).values() if isinstance(value, type)]
    return {value for value in found if issubclass(value, BaseException) and value.__module__ == module.__name__}


def test_no_other_module_has_exceptions_of_its_own() -> None:
    seen = 0
    for info in walk_packages(az.__path__, "azulejos."):
        if info.name.endswith(("__main__", "baselines.player")):  # the latter registers a player
            continue
        try:
            module = import_module(info.name)
        except ImportError:  # of an extra that is not installed here
            continue
        seen += 1
        if module is not errors:
            assert not classes_in(module), f"{info.name} has exceptions of its own"
    assert seen > 100


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    assert errors.__doc__
    drawn, path = dict[str, str | None](), list[str]()
    for line in errors.__doc__.split("\n"):
        name = line.lstrip("│├└─ ").split(" ")[0]
        if name in vars(errors):
            depth = (len(line) - len(line.lstrip("│├└─ "))) // 4
            path[depth:] = [name]
            drawn[name] = path[depth - 1] if depth else None
    real = {kind.__name__: kind.__base__ for kind in classes_in(errors)}
    assert drawn == {
        name: base.__name__ if base and base.__module__ == errors.__name__ else None for name, base in real.items()
    }
    assert issubclass(errors.AzulejosError, ValueError)


@pytest.mark.parametrize(
    "error",
    [
        errors.OptionError("there is none"),
        errors.TextError("expected a colour", "3Q2", 1, line=4),
        errors.IllegalAction("line 2 is full", "azul …"),
        errors.IllegalDraw("the bag is empty", "azul …"),
        errors.Refusal(errors.Reason.STALE, "look again"),
        errors.InUse(Path("/data"), "http://localhost:8000"),
        errors.Closing(4000, "gone"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_can_be_pickled(error: Exception) -> None:
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert vars(twin) == vars(error)
