"""Print the tests of what has changed since the branch left main: paths for pytest, the closest tests first.

A changed test is its own test. A changed module is tested by its doctests, by the test of its name, and by the tests
that import it; the tests with a browser or with killed servers run only if they are changed themselves.
"""

import re
import subprocess
from pathlib import Path

SLOW = ("tests/web/", "tests/faults/")


def git(*words: str) -> list[str]:
    """The lines that git prints; none if it fails."""
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else []


def tests_of(file: Path, tests: dict[Path, str]) -> list[Path]:
    """The tests of a file, the closest first."""
    if file in tests:
        return [file]
    if file.suffix == ".md":
        return [Path("tests/test_docs.py")]
    if file.parts[:2] != ("src", "azulejos") or file.suffix != ".py":
        return []
    parts = file.with_suffix("").parts[2:]
    quick = {test: text for test, text in tests.items() if not test.as_posix().startswith(SLOW)}
    named = [test for test in quick if test.stem == f"test_{parts[-1]}" and parts[0] in (test.parent.name, parts[-1])]
    beside = [test for test in quick if parts[0] == "games" and test.parts[1:-1] == parts[:-1]]
    package, name = re.escape(".".join(["azulejos", *parts[:-1]])), re.escape(parts[-1])
    imports = re.compile(rf"{package}\.{name}\b|from {package} import .*\b{name}\b")
    return [file, *named, *beside, *(test for test, text in quick.items() if imports.search(text))]


def main() -> None:
    base = git("merge-base", "HEAD", "main") or ["HEAD"]
    changed = [
        *git("diff", "--name-only", "--diff-filter=d", *base),
        *git("ls-files", "--others", "--exclude-standard"),
    ]
    tests = {path: path.read_text(encoding="utf-8") for path in sorted(Path("tests").rglob("test_*.py"))}
    found = dict.fromkeys(test for name in changed for test in tests_of(Path(name), tests))
    print("\n".join(map(str, found)))


if __name__ == "__main__":
    main()
