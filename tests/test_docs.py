"""The examples of the README and of the docs are run, and their links lead somewhere."""

import doctest
import json
import re
import tomllib
from pathlib import Path

import pytest

import azulejos as az

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@every_page
def test_examples(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0


def test_the_readme_has_examples() -> None:
    assert (ROOT / "README.md").read_text(encoding="utf-8").count(">>> ") >= 10


def test_the_citation_has_the_version() -> None:
    assert f"\nversion: {az.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_reference_has_every_public_name() -> None:
    page = (ROOT / "docs" / "reference" / "azulejos.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^::: azulejos\.(\w+)$", page, re.MULTILINE)) == sorted(az.__all__)


@every_page
def test_every_page_is_on_the_site(page: Path) -> None:
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    assert page.parent == ROOT or f'"{page.relative_to(ROOT / "docs").as_posix()}"' in json.dumps(site["nav"])


@every_page
def test_links(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if not link.startswith("http"):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
