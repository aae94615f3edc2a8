"""The key to a data folder: one server at a time keeps its tables there."""

import os
from pathlib import Path
from typing import IO

from azulejos.core.errors import AzulejosError

try:
    import fcntl
except ImportError:  # not on Windows: there it is up to the host
    fcntl = None  # type: ignore[assignment]


class InUse(AzulejosError):
    """Another server has the key. `address`: where it is, if it has said so."""

    def __init__(self, data: Path, address: str) -> None:
        self.address = address
        where = f" at {address}" if address else ""
        super().__init__(f"the tables in {data} are served already{where}")


def take(data: Path, address: str) -> IO[str]:
    """Hold the key for as long as the file that is returned is open, and leave the address for others to read."""
    file = os.fdopen(os.open(data / "served", os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8")
    if fcntl:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            with file:
                raise InUse(data, file.read().strip()) from None
    file.truncate()
    file.write(address)
    file.flush()
    return file
