"""Export of all tables as files, and import.

    FOLDER/tables/NAME.log    the table: its events, one a line, with their times. This is what `import` reads.
    FOLDER/tables/NAME.txt    the record of its game, for people, if the game is over
    FOLDER/records/NAME.txt   records that visitors uploaded
    FOLDER/names.json         visitors' names

A log holds seeds and invitations: keep it as safe as the store.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from azulejos.core.errors import AzulejosError, OptionError
from azulejos.core.record import Record
from azulejos.tables import AnyEvent, Phase, Refusal, Table, checked_name

from ..live.hall import NAME
from ..storage import Change, Conflict, Logged, Store, Summary, Unavailable
from ..storage import snapshot as snapshots
from .checking import LONGEST, checked

_HEAD = "azulejos table 1"
LATEST = 1e11  # seconds: no event is of a later time


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    at: float
    event: AnyEvent


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Line).decode


# --- out ---


class Exported(NamedTuple):
    """How many tables were written, and why others could not be read, by name."""

    tables: int
    broken: dict[str, str]


async def export(store: Store, folder: Path) -> Exported:
    """Write everything into an empty folder, but tables that cannot be read."""
    if folder.exists() and any(folder.iterdir()):
        raise OptionError(f"{folder} is not empty")
    for part in ("tables", "records"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    try:
        names, broken = await store.table_ids(), dict[str, str]()
        for name in names:
            try:
                _write_table(folder / "tables", name, await store.log(name))
            except Unavailable:
                raise
            except Exception as error:  # of one that is damaged: only it is left out
                broken[name] = _reason(error)
        for name in set(await store.record_ids()) - set(names):
            (folder / "records" / f"{name}.txt").write_text(await store.record(name) or "", encoding="utf-8")
        _write(folder / "names.json", msgspec.json.format(_encode(await store.names())).decode())
    except Unavailable as error:
        raise OptionError(f"the store could not be read: {error}") from error
    return Exported(len(names) - len(broken), broken)


def _write_table(folder: Path, name: str, log: list[Logged]) -> None:
    table = Table.from_events(name, [line.event for line in log])
    lines = [_HEAD, *(_encode(line).decode() for line in log)]
    _write(folder / f"{name}.log", "\n".join([*lines, ""]))
    if table.states and table.outcome:
        (folder / f"{name}.txt").write_text(str(table.record), encoding="utf-8")


def _write(file: Path, text: str) -> None:
    """A file that nobody else on the machine may read."""
    file.touch(mode=0o600)
    file.write_text(text, encoding="utf-8")


def _reason(error: Exception) -> str:
    """An error in one line."""
    return f"{error}".partition("\n")[0][:LONGEST] or type(error).__name__


# --- in ---


def check(folder: Path) -> None:
    """Check a folder that `export` wrote: every table is played through before any is imported."""
    if not (folder / "tables").is_dir():
        raise OptionError(f"{folder} is not what export wrote: it has no folder 'tables'")
    for _ in _changes(folder):
        pass
    _records(folder)
    _names(folder)


def _changes(folder: Path) -> Iterator[Change]:
    for file in sorted((folder / "tables").glob("*.log")):
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
            if not lines or lines[0] != _HEAD:
                raise OptionError(f"it does not begin with {_HEAD!r}")
            if not NAME.fullmatch(file.stem):
                raise OptionError("this is no name of a table")
            log = [_decode(line) for line in lines[1:]]
            if not log or [line.number for line in log] != list(range(1, len(log) + 1)):
                raise OptionError("the events are not numbered from 1")
            if not all(0 <= line.at < LATEST for line in log):
                raise OptionError("an event is of no time")
            events = [line.event for line in log]
            table = checked(file.stem, events)
        except Exception as error:  # whatever a hostile file can do to the rules
            raise OptionError(f"{file} is not the log of a table: {_reason(error)}") from error
        yield Change(
            1,
            events,
            Summary.of(table),
            [line.at for line in log],
            record=str(table.record) if table.phase is Phase.OVER else "",
            snapshot=snapshots.save(table) if table.number >= snapshots.EVERY else b"",
        )


def _records(folder: Path) -> dict[str, str]:
    found = {}
    for file in sorted((folder / "records").glob("*.txt")):
        try:
            Record.load(file)
        except (AzulejosError, ValueError, OSError) as error:
            raise OptionError(f"{file}: {error}") from None
        if not NAME.fullmatch(file.stem):
            raise OptionError(f"{file}: this is no name of a record")
        found[file.stem] = file.read_text(encoding="utf-8")
    return found


def _names(folder: Path) -> dict[str, str]:
    file = folder / "names.json"
    try:
        names = msgspec.json.decode(file.read_bytes(), type=dict[str, str]) if file.exists() else {}
        for visitor, name in names.items():
            checked_name(name)
            if len(visitor) > LONGEST:
                raise OptionError(f"{visitor[:20]!r}… is no visitor")
    except (msgspec.DecodeError, OptionError, Refusal, OSError) as error:
        raise OptionError(f"{file} is not visitors' names: {error}") from None
    return names


async def restore(store: Store, folder: Path) -> int:
    """Import everything or nothing; the number of tables."""
    changes = list(_changes(folder))
    records = _records(folder)
    visitors = _names(folder)
    try:
        await store.append(changes)
        for name, text in records.items():
            await store.save_record(name, text)
        for visitor, name in visitors.items():
            await store.save_name(visitor, name)
    except Conflict as error:
        raise OptionError("some of these tables are there already; bring them into an empty store") from error
    except Unavailable as error:
        raise OptionError(f"the store could not be written: {error}") from error
    return len(changes)
