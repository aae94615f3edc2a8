"""What a host can choose about a server."""

from dataclasses import dataclass, field
from pathlib import Path

from .limits import Limits


@dataclass(frozen=True)
class Settings:
    """`data`: the folder of the SQLite file. `database`: PostgreSQL's address, for that instead. `workers`: processes
    in which computer players think. `admin`: the secret of the page for the host, "" for no such page. `drain`: seconds
    in which a server that is asked to end lets people go on."""

    data: Path
    database: str | None = None
    workers: int | None = None
    limits: Limits = field(default_factory=Limits)
    admin: str = ""
    drain: float = 5.0
