"""The settings of a server."""

from dataclasses import dataclass, field
from pathlib import Path

from azulejos.core.errors import OptionError

from ..live.limits import Limits


@dataclass(frozen=True)
class Settings:
    """`data`: the folder of the SQLite file. `database`: PostgreSQL's address, for that instead. `workers`: processes
    for computer players. `admin`: the host's secret, "" for no host's page. `drain`: seconds for which games continue
    after SIGTERM. `browser_players`: computer players of a lone visitor think in the visitor's browser."""

    data: Path
    database: str | None = None
    workers: int | None = None
    limits: Limits = field(default_factory=Limits)
    admin: str = ""
    drain: float = 5.0
    hosts: frozenset[str] = frozenset()
    browser_players: bool = True

    @staticmethod
    def read(
        data: Path,
        database: str | None,
        workers: int | None,
        limits: list[str],
        admin: Path | None,
        drain: float,
        hosts: list[str],
        browser_players: bool = True,
    ) -> "Settings":
        """From the command line: `limits` as `NAME=NUMBER`, `admin` a file with the secret."""
        if workers is not None and not 1 <= workers <= 256:
            raise OptionError("--workers is a number from 1 to 256")
        if not 0 <= drain <= 3600:
            raise OptionError("--drain is a number of seconds, at most 3600")
        return Settings(
            data,
            database,
            workers,
            Limits.read(limits),
            _secret(admin),
            drain,
            frozenset(map(str.lower, hosts)),
            browser_players,
        )


def _secret(file: Path | None) -> str:
    if file is None:
        return ""
    secret = file.read_text(encoding="utf-8").strip()
    if len(secret) < 16:
        raise OptionError(f"the secret in {file} is too short: at least 16 characters")
    return secret
