"""A PostgreSQL of one's own: in a folder that is thrown away, on a port of loopback that was free."""

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

MISSING = "POSTGRESQL WAS NOT TESTED: initdb was not found on this machine"


def binaries() -> Path | None:
    """Where PostgreSQL's programs are; Debian keeps them off the PATH."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return versions[-1].parent if versions else None


def _user() -> dict[str, str]:
    """PostgreSQL refuses to run as root: then it is its own user."""
    return {"user": "postgres"} if os.geteuid() == 0 else {}


def free_port() -> int:
    """One below those that the system gives to connections, so that none takes it meanwhile."""
    while True:
        port = 10_000 + secrets.randbelow(20_000)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


class Postgres:
    """A running server. `fresh()` gives the address of a schema that nobody has used: a database of one's
    own would do as well, and take longer."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        self.port = free_port()
        self._run(
            "initdb", "-D", str(folder / "data"), "-U", "azulejos", "-A", "trust", "-N", "--no-locale", "-E", "UTF8"
        )
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            **_user(),  # type: ignore[call-overload]
        )
        assert done.returncode == 0, done.stderr or done.stdout

    def start(self) -> None:
        options = f"-p {self.port} -h 127.0.0.1 -k {self.folder} -c max_connections=100"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-l", log, "-o", options, "-w", "start")

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop")

    def fresh(self) -> str:
        name = f"t{secrets.token_hex(6)}"
        where = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "azulejos", "-d", "postgres"]
        self._run("psql", *where, "-qc", f"CREATE SCHEMA {name}")
        return f"postgresql://azulejos@127.0.0.1:{self.port}/postgres?search_path={name}"


@contextmanager
def running() -> Iterator[Postgres]:
    """Started and ended; skipped, loudly, where there is none, unless AZULEJOS_POSTGRES is set: then it fails."""
    programs = binaries()
    if programs is None:
        if os.environ.get("AZULEJOS_POSTGRES"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="azulejos-postgres-"))
    if os.geteuid() == 0:
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    try:
        postgres = Postgres(folder, programs)
        yield postgres
        postgres.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
