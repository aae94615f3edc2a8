"""Schema migrations: numbered SQL files, each applied once, in order."""

from dataclasses import dataclass
from pathlib import Path

from azulejos.core.errors import OptionError

_FOLDER = Path(__file__).parent / "migrations"


@dataclass(frozen=True)
class Migration:
    number: int
    name: str
    sql: str


def migrations(dialect: str) -> list[Migration]:
    """All migrations for "sqlite" or "postgres"."""
    files = sorted((_FOLDER / dialect).glob("*.sql"))
    return [Migration(int(file.name[:4]), file.stem, file.read_text(encoding="utf-8")) for file in files]


def due(dialect: str, done: int) -> list[Migration]:
    """The migrations that a database at number `done` lacks."""
    known = migrations(dialect)
    if done > known[-1].number:
        raise OptionError(f"these tables were kept by a newer version (form {done}; this one knows {known[-1].number})")
    return [migration for migration in known if migration.number > done]
