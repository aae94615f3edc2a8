"""Export of all tables as files, and import.

    FOLDER/tables/NAME.log    the table: its events, one a line, with their times. This is what `import` reads.
    FOLDER/tables/NAME.txt    the record of its game, for people, if the game is over
    FOLDER/records/NAME.txt   records that visitors uploaded
    FOLDER/names.json         visitors' names

A log holds seeds and invitations: keep it as safe as the store.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from azulejos.core.errors import AzulejosError, OptionError
from azulejos.core.record import Record
from azulejos.core.registry import restore as restore_game
from azulejos.players import PLAYERS
from azulejos.tables import AnyEvent, Event, Phase, Refusal, Table, checked_name
from azulejos.tables.events import Opened, TakenBack

from ..live.hall import NAME
from ..storage import Change, Conflict, Logged, Store, Summary, Unavailable
from ..storage import snapshot as snapshots

_HEAD = "azulejos table 1"
LATEST = 1e11  # seconds: no event is of a later time
MOST_PLACES = 1 << 40  # in the stream of a seed


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    at: float
    event: AnyEvent


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Line).decode


# --- out ---


async def export(store: Store, folder: Path) -> int:
    """Write everything into an empty folder; the number of tables."""
    if folder.exists() and any(folder.iterdir()):
        raise OptionError(f"{folder} is not empty")
    for part in ("tables", "records"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    try:
        names = await store.table_ids()
        for name in names:
            _write_table(folder / "tables", name, await store.log(name))
        for name in set(await store.record_ids()) - set(names):
            (folder / "records" / f"{name}.txt").write_text(await store.record(name) or "", encoding="utf-8")
        (folder / "names.json").write_bytes(msgspec.json.format(_encode(await store.names())))
    except Unavailable as error:
        raise OptionError(f"the store could not be read: {error}") from error
    return len(names)


def _write_table(folder: Path, name: str, log: list[Logged]) -> None:
    lines = [_HEAD, *(_encode(line).decode() for line in log)]
    file = folder / f"{name}.log"
    file.touch(mode=0o600)
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    table = Table.from_events(name, [line.event for line in log])
    if table.states and table.outcome:
        (folder / f"{name}.txt").write_text(str(table.record), encoding="utf-8")


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
                raise OptionError(f"{file} does not begin with {_HEAD!r}")
            if not NAME.fullmatch(file.stem):
                raise OptionError(f"{file}: this is no name of a table")
            log = [_decode(line) for line in lines[1:]]
            if not log or [line.number for line in log] != list(range(1, len(log) + 1)):
                raise OptionError(f"{file}: the events are not numbered from 1")
            if not all(0 <= line.at < LATEST for line in log):
                raise OptionError(f"{file}: an event is of no time")
            events = [line.event for line in log]
            table = _checked(file, events)
        except OptionError:
            raise
        except Exception as error:  # whatever a hostile file can do to the rules
            raise OptionError(f"{file} is not the log of a table: {error}") from error
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
        for name in names.values():
            checked_name(name)
    except (msgspec.DecodeError, Refusal, OSError) as error:
        raise OptionError(f"{file} is not visitors' names: {error}") from None
    return names


def _checked(file: Path, events: Sequence[Event]) -> Table:
    """The table of a log whose every event is one that a table could have written."""
    first = events[0]
    if not isinstance(first, Opened):
        raise OptionError(f"{file}: the first event is not the opening of a table")
    table = Table.open(file.stem, restore_game(first.game, first.options), first.chairs, first.seed).before
    for event in events:
        seat, player, name = (getattr(event, field, None) for field in ("seat", "player", "name"))
        if seat is not None and not 0 <= seat < len(table.seats):
            raise OptionError(f"{file}: there is no seat {seat}")
        if player and player not in PLAYERS:
            raise OptionError(f"{file}: there is no computer player {player!r}")
        if name:
            checked_name(name)
        if not 0 <= (by := getattr(event, "by", 0)) < len(table.seats):
            raise OptionError(f"{file}: there is no seat {by}")
        table = table.after(event) if event is not first else Table.opened(file.stem, first)
        if not -1 <= (place := getattr(event, "place", 0)) < MOST_PLACES:
            raise OptionError(f"{file}: there is no place {place} in the stream of a seed")
        actions = getattr(event, "actions", 1)
        if actions < 1 or (isinstance(event, TakenBack) and not table.states):
            raise OptionError(f"{file}: {actions} actions cannot be taken back")
    return table


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
