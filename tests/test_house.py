"""How the house is built: which way imports point, and which names are public."""

import ast
import inspect
import re
import sys
from pathlib import Path

import azulejos as az

SOURCE = Path(az.__file__).parent

# Each part may import from itself and from those on the floors below.
FLOORS = [
    {"core"},
    {"drawing"},
    {"games"},
    {"players", "bench"},
    {"envs", "wasm"},
    {"arena", "tables", "warming"},
    {"baselines", "review"},
    {"puzzles"},
    {"terminal", "server"},
    {"cli"},
]


def part(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_parts(file: Path) -> set[str]:
    """The parts of this package that a file imports from."""
    package = ["azulejos", *file.relative_to(SOURCE).parts[:-1]]
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("azulejos.")}
    return found & {path.name.removesuffix(".py") for path in SOURCE.iterdir()}


def test_imports_point_one_way() -> None:
    floor = {name: number for number, names in enumerate(FLOORS) for name in names}
    for file in SOURCE.rglob("*.py"):
        if file.parent == SOURCE and file.name == "__init__.py":
            continue
        for name in imported_parts(file):
            here = part(file)
            assert name == here or floor[name] < floor[here], f"{file.relative_to(SOURCE)} imports {name}"


def test_games_do_not_import_each_other() -> None:
    for file in (SOURCE / "games").glob("*/*.py"):
        others = {path.name for path in (SOURCE / "games").iterdir()} - {file.parent.name}
        text = file.read_text(encoding="utf-8")
        assert not [name for name in others if f"games.{name}" in text or f"from ..{name}" in text], file


def test_no_module_is_hidden_by_a_name_in_its_package() -> None:
    """`import azulejos.a.b as m` gives the module."""
    for package, module in [(file.parent, file.stem) for file in SOURCE.rglob("*.py") if file.stem[0] != "_"]:
        name = ".".join(["azulejos", *package.relative_to(SOURCE).parts])
        found = getattr(sys.modules.get(name), module, None)
        assert found is None or inspect.ismodule(found), f"{name}.{module} is {found!r}"


def test_public_names() -> None:
    assert sorted(az.__all__) == [
        "Action",
        "AzulejosError",
        "Chance",
        "Event",
        "Game",
        "IllegalAction",
        "IllegalDraw",
        "Option",
        "OptionError",
        "Outcome",
        "Record",
        "State",
        "TextError",
        "api_test",
        "batch",
        "make",
        "parse",
        "register",
        "registered",
    ]
    assert all(hasattr(az, name) for name in az.__all__)


def test_the_changelog_has_the_version_and_its_date() -> None:
    text = (Path(__file__).parent.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\S+) – \d{4}-\d\d-\d\d$", text, re.MULTILINE)
    assert versions[0] == az.__version__
    assert re.findall(r"^## (\S+)", text, re.MULTILINE) == ["Unreleased", *versions]


def test_the_plan_names_every_folder_and_every_module_of_a_game() -> None:
    text = (Path(__file__).parent.parent / "docs" / "design.md").read_text(encoding="utf-8")
    plan = re.findall(r"^ {6,}(\S+) ", text.split("\n## ")[1], re.MULTILINE)
    folders = {path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py")} - {"."}
    games = {folder for folder in folders if re.fullmatch(r"games/\w+", folder)}
    parts = {folder.split("/")[-1] for folder in folders if not folder.startswith("games/")} | {
        "games",
        "games/<game>",
        "locale",
    }
    assert {line.removesuffix("/") for line in plan if line.endswith("/")} == parts
    modules = {path.name for game in games for path in (SOURCE / game).glob("*.py")} - {"__init__.py"}
    tops = {path.name for path in SOURCE.glob("*.py")} - {"__init__.py"}
    assert {line for line in plan if line.endswith(".py")} == modules | tops
