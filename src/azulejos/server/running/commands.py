"""The server's commands: serve, export, import; and verify, which checks a record."""

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from azulejos.core import seal
from azulejos.core.errors import BrokenSeal, OptionError
from azulejos.core.record import Record
from azulejos.players import outside

if TYPE_CHECKING:
    from ..storage import Store

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Run: TypeAlias = Callable[[argparse.Namespace], int]
T = TypeVar("T")

# A server is a lot to load for a game at the terminal, so each command loads its own.
_HASH = re.compile("[0-9a-fA-F]{64}")


def add(commands: Commands) -> None:
    _add_serve(commands)
    _add_verify(commands)
    _add_export(commands)
    _add_import(commands)


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="where tables are stored (default: the user's data folder)"
    )
    parser.add_argument(
        "--database",
        metavar="ADDRESS",
        default=os.environ.get("AZULEJOS_DATABASE"),
        help="postgresql://… to store tables in PostgreSQL (default: AZULEJOS_DATABASE, or a file in the data folder)",
    )


def _data(chosen: argparse.Namespace) -> Path:
    from .serve import default_data

    data: Path = chosen.data or default_data()
    return data


# --- serve ---


def _add_serve(commands: Commands) -> None:
    parser = commands.add_parser(
        "serve", help="serve the tables on the web", description="Serve the tables, and open them in a browser."
    )
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at (default: this machine only)")
    parser.add_argument("--port", type=int, default=8731, help="the port (default: 8731, or a free one)")
    _add_store(parser)
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes for computer players (default: one per core but one)"
    )
    parser.add_argument(
        "--program", action="append", default=[], metavar="NAME=COMMAND", help="an external player for the tables"
    )
    parser.add_argument(
        "--drain", type=float, default=5.0, metavar="SECONDS", help="how long games continue after SIGTERM (default: 5)"
    )
    parser.add_argument(
        "--log", choices=["text", "json"], default="text", help="text: problems only; json: all events (default: text)"
    )
    parser.add_argument("--admin", type=Path, metavar="FILE", help="a file with the host's secret; enables /admin")
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="a limit on visitors, repeatable; 0 for none; see docs/operations.md",
    )
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME", help="a name of the server; others are refused"
    )
    parser.add_argument(
        "--no-browser-players",
        action="store_true",
        help="computer players always think on the server, not in the browser of a visitor who plays alone",
    )
    parser.set_defaults(run=_serve)


def _serve(chosen: argparse.Namespace) -> int:
    from . import serve
    from .settings import Settings

    settings = Settings.read(
        data=_data(chosen),
        database=chosen.database,
        workers=chosen.workers,
        browser_players=not chosen.no_browser_players,
        limits=chosen.limit,
        admin=chosen.admin,
        drain=chosen.drain,
        hosts=chosen.allow_host,
    )
    outside.bring((), outside.read_programs(chosen.program))
    if not 0 <= chosen.port < 65536:
        raise OptionError("--port is a number from 0 to 65535")
    return serve.serve(chosen.host, chosen.port, settings, not chosen.no_browser, chosen.log)


# --- verify ---


def _add_verify(commands: Commands) -> None:
    parser = commands.add_parser(
        "verify",
        help="check that a game was dealt fairly",
        description="Check every draw of a server's record against the seed in it.",
    )
    parser.add_argument("record", type=Path, metavar="RECORD", help="the record file")
    parser.add_argument("--hash", metavar="HASH", help="the hash that the table showed before the first move")
    parser.add_argument("--nonce", metavar="NONCE", help="what your browser added, from the table's menu")
    parser.set_defaults(run=_verify)


def _verify(chosen: argparse.Namespace) -> int:
    record = Record.load(chosen.record)
    if record.seal is None:
        raise OptionError(f"cannot tell: {chosen.record} has no seed; only games dealt at a table on a server have one")
    if chosen.hash and not _HASH.fullmatch(chosen.hash.strip()):
        raise OptionError(f"cannot tell: {chosen.hash!r} is not a hash, which is 64 hexadecimal digits")
    try:
        found = seal.check(record, chosen.hash, chosen.nonce)
    except BrokenSeal as error:
        print(f"NOT FAIR: {error}")
        return 1
    print(f"Fair: {found.draws} draws in {found.deals} deals are what the seed gives.")
    if chosen.hash:
        print("The seed is the one that was promised.")
    else:
        print(f"The table must have shown this hash before the first move: {record.seal.hash}")
    return 0


# --- export and import ---


def _add_export(commands: Commands) -> None:
    about = "save all tables of a server as files", "Save all tables as files. The server may be running."
    _add_folder(commands, "export", *about, "a new or empty folder", _export)


def _add_import(commands: Commands) -> None:
    told = "Load exported tables into a store, all or none. None of them may exist there."
    about = "load exported tables into a server's store", told
    _add_folder(commands, "import", *about, "a folder written by export", _import)


def _add_folder(commands: Commands, name: str, about: str, told: str, folder: str, run: Run) -> None:
    """A command about a folder and a store."""
    parser = commands.add_parser(name, help=about, description=told)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help=folder)
    _add_store(parser)
    parser.set_defaults(run=run)


def _export(chosen: argparse.Namespace) -> int:
    from ..storage import FILE
    from . import backup

    if chosen.database is None and not (_data(chosen) / FILE).exists():
        raise OptionError(f"there are no tables in {_data(chosen)}")
    tables, broken = asyncio.run(_over_the_store(chosen, backup.export))
    print(f"{tables} tables are in {chosen.folder}")
    for name, reason in broken.items():
        print(f"The table {name} cannot be read and is left out: {reason}", file=sys.stderr)
    return 1 if broken else 0


def _import(chosen: argparse.Namespace) -> int:
    from . import backup
    from .serve import make_folder

    backup.check(chosen.folder)
    if chosen.database is None:
        make_folder(_data(chosen))
    count = asyncio.run(_over_the_store(chosen, backup.restore))
    print(f"{count} tables were brought in")
    return 0


async def _over_the_store(chosen: argparse.Namespace, work: "Callable[[Store, Path], Awaitable[T]]") -> T:
    """Do something with the store and the folder that were chosen."""
    from ..storage import open_store

    store = await open_store(_data(chosen), chosen.database)
    try:
        return await work(store, chosen.folder)
    finally:
        await store.close()
