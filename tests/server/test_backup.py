"""Everything out, everything in again: from each store to the other."""

import asyncio
import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import azulejos as az
from azulejos.cli import main
from azulejos.core.errors import OptionError
from azulejos.server.live import hall as halls
from azulejos.server.running import backup
from azulejos.server.storage import FILE, Store, open_store
from azulejos.tables import Chair, Phase, Play, Table

from .postgres import Postgres, running


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running() as started:
        yield started


# Events that a table would not have written after a game of Azul has begun.
NOT_WRITTEN = (
    '"type":"played","seat":0,"action":"1B9","draws":[],"place":0',
    '"type":"played","seat":1,"action":"FIRST","draws":[],"place":0',
    '"type":"begun","first":0,"draws":[],"place":0',
    '"type":"opened","game":"azul","options":{},"chairs":[],"seed":""',
    '"type":"sat","seat":1,"name":"Eve","owner":"eve"',
    f'"type":"closed","reason":"{"x" * 100_000}"',
    '"type":"closed","reason":"two\\nlines"',
    '"type":"rematched","table":"<b>"',
    '"type":"reopened"',
    '"type":"nonce added","seat":0,"nonce":"zz"',
    '"type":"taken back","actions":1',
)


async def fill(store: Store) -> None:
    """A finished game of each kind, one in play, one that waits, a record that was brought, a name."""
    for number, kind in enumerate(az.registered().values()):
        game = kind()
        chairs = [Chair(f"p{seat}", "ana") for seat in range(game.players)]
        progress, chooser = (
            Table.open(f"done{number}", game, chairs, "0a" * 32, date="2026-01-02"),
            random.Random(number),
        )
        await store.append([halls._change(progress)])
        while (table := progress.after).phase is Phase.PLAYING:
            assert table.turn is not None
            move = Play(table.turn, str(chooser.choice(list(table.state.actions))), table.position)
            progress = table.obey(move, "ana")
            await store.append([halls._change(progress)])
    azul = az.make("azul")
    for name, second in (("playing", Chair("Ben", "ben")), ("waiting", Chair(invitation="come"))):
        await store.append([halls._change(Table.open(name, azul, [Chair("Ana", "ana"), second], "0b" * 32))])
    await store.save_record("brought", str(az.Record(azul.start(seed=1), ["Å", "b"])))
    await store.save_name("ana", "Ana ☃")


async def all_of(store: Store) -> dict[str, object]:
    tables = await store.table_ids()
    return {
        "logs": {table: await store.log(table) for table in tables},
        "lists": {visitor: await store.tables_of(visitor) for visitor in ("ana", "ben")},
        "records": {record: await store.record(record) for record in await store.record_ids()},
        "names": await store.names(),
        "counts": await store.counts(),
    }


def test_a_restore_is_the_whole_and_goes_from_store_to_store(tmp_path: Path, postgres: Postgres) -> None:
    async def run(data: Path, database: str | None, first: bool) -> dict[str, object]:
        store = await open_store(data, database)
        if first:
            await fill(store)
        found = await all_of(store)
        await store.close()
        return found

    where = [["--data", str(tmp_path / "one")], ["--database", postgres.fresh()], ["--data", str(tmp_path / "two")]]
    (tmp_path / "one").mkdir()
    whole = asyncio.run(run(tmp_path / "one", None, True))
    assert main(["export", str(tmp_path / "out1"), *where[0]]) == 0
    assert main(["import", str(tmp_path / "out1"), *where[1]]) == 0
    assert asyncio.run(run(tmp_path, where[1][1], False)) == whole
    assert main(["export", str(tmp_path / "out2"), *where[1]]) == 0
    assert main(["import", str(tmp_path / "out2"), *where[2]]) == 0
    assert asyncio.run(run(tmp_path / "two", None, False)) == whole
    assert main(["import", str(tmp_path / "out2"), *where[2]]) == 2, "what is there already is not brought in twice"
    for file in (tmp_path / "out1" / "tables").glob("*.log"):
        assert file.read_text() == (tmp_path / "out2" / "tables" / file.name).read_text()
        assert file.stat().st_mode & 0o077 == 0


def test_a_damaged_table_does_not_keep_others_from_being_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def make() -> int:
        store = await open_store(tmp_path, None)
        await fill(store)
        count = len(await store.table_ids())
        await store.close()
        return count

    count = asyncio.run(make())
    damages = [
        "UPDATE events SET data = '{' WHERE table_id = 'playing' AND number = 2",
        "UPDATE events SET data = replace(data, 'played', 'fun') WHERE table_id = 'done0' AND number = 5",
        "DELETE FROM events WHERE table_id = 'done1' AND number = 7",
    ]
    with closing(sqlite3.connect(tmp_path / FILE)) as connection, connection:
        for damage in damages:
            assert connection.execute(damage).rowcount == 1
    assert main(["export", str(tmp_path / "out"), "--data", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert f"{count - len(damages)} tables" in told.out
    for name in ("playing", "done0", "done1"):
        assert f"{name} cannot be read" in told.err
        assert not list((tmp_path / "out" / "tables").glob(f"{name}.*"))
    assert main(["import", str(tmp_path / "out"), "--data", str(tmp_path / "again")]) == 0


def test_records_that_were_exported_can_be_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def run() -> None:
        store = await open_store(tmp_path / "data", None)
        await fill(store)
        await backup.export(store, tmp_path / "out")
        await store.close()

    asyncio.run(run())
    records = sorted((tmp_path / "out" / "tables").glob("*.txt"))
    assert len(records) == len(az.registered())
    for file in records:
        seal = az.Record.load(file).seal
        assert seal
        assert main(["verify", str(file)]) == 0
        assert main(["verify", str(file), "--hash", seal.hash.upper()]) == 0
        assert main(["verify", str(file), "--hash", "0" * 64]) == 1
        assert "NOT FAIR" in capsys.readouterr().out
        assert main(["verify", str(file), "--hash", "00"]) == 2
        assert "cannot tell: '00' is not a hash" in capsys.readouterr().err
        text = file.read_text()
        file.write_text(text.replace("places: 0 ", "places: 0 1 ", 1))
        assert main(["verify", str(file)]) == 1
    assert main(["verify", str(tmp_path / "nothing")]) == 2


def test_a_record_without_a_seed_is_not_called_unfair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    az.Record(az.make("azul").start(seed=1)).save(tmp_path / "play.txt")
    assert main(["verify", str(tmp_path / "play.txt")]) == 2
    told = capsys.readouterr()
    assert "cannot tell" in told.err
    assert "FAIR" not in told.out.upper()


def test_nonsense_is_refused_and_nothing_is_brought_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, data = tmp_path / "out", tmp_path / "data"

    async def make() -> None:
        store = await open_store(tmp_path / "full", None)
        await fill(store)
        await backup.export(store, out)
        with pytest.raises(OptionError, match="not empty"):
            await backup.export(store, out)
        await store.close()

    asyncio.run(make())
    log = out / "tables" / "playing.log"
    good = log.read_text()
    lines = good.splitlines()
    for bad in (
        "",
        "azulejos table 2\n",
        lines[0] + "\n",
        "\n".join([lines[0], lines[2], lines[1]]),
        "\n".join([*lines, lines[-1]]),
        good.replace('"azul"', '"chess"'),
        good.replace('"begun"', '"fun"'),
        good.replace('"draws":[', '"draws":[99,'),
        good + "{",
        re.sub('"seed":"[^"]*"', '"seed":"zz"', good),
        re.sub('"chairs":\\[', '"chairs":[' + "{}," * 1000, good),
        good + '{"number":3,"at":1,"event":{"type":"left","seat":-7}}',
        good + '{"number":3,"at":1,"event":{"type":"left","seat":-1}}',
        good + '{"number":3,"at":1,"event":{"type":"handed over","seat":1,"player":"nobody"}}',
        good.replace('"chairs":[{', '"chairs":[{"player":"nobody",'),
        good + '{"number":3,"at":1,"event":{"type":"hand over asked","seat":1,"player":"random","by":-7}}',
        good + '{"number":3,"at":1,"event":{"type":"taken back","actions":9}}',
        re.sub('"place":[0-9]+', '"place":9223372036854775808', good),
        re.sub('"at":[0-9.]+', '"at":1e308', good),
        good + '{"number":3,"at":1,"event":{"type":"taken back","actions":0}}',
        good + '{"number":3,"at":1,"event":{"type":"sat","seat":1,"name":"' + "x" * 41 + '","owner":"o"}}',
        *(good + f'{{"number":3,"at":1,"event":{{{event}}}}}' for event in NOT_WRITTEN),
        good.replace('"draws":', '"nonces":["zz",""],"draws":', 1),
        good.replace('"seed":', '"date":"<script>","seed":'),
        good.replace('"seed":', '"previous":"../x","seed":'),
        good.replace('"seed":', f'"host":"{"x" * 100_000}","seed":'),
        good.replace('"seed":', '"claim_after":-5,"seed":'),
        good.replace('"seed":', '"claim_after":1e30,"seed":'),
        "[" * 100_000,
        "\udcff",  # not UTF-8
    ):
        log.write_text(bad, errors="surrogateescape")
        assert main(["import", str(out), "--data", str(data)]) == 2, bad
        told = capsys.readouterr().err
        assert str(log) in told
        assert len(told.splitlines()) == 1, told
        assert len(told) < 600
        assert not data.exists()
    log.write_text(good)
    for file, bad in (
        ("names.json", "{"),
        ("names.json", '{"a": 1}'),
        ("names.json", f'{{"a": "{"x" * 41}"}}'),
        ("names.json", f'{{"{"x" * 100_000}": "Ana"}}'),
        ("records/x.txt", "azulejos record 2"),
    ):
        before = (out / file).read_text() if (out / file).exists() else ""
        (out / file).write_text(bad)
        assert main(["import", str(out), "--data", str(data)]) == 2, bad
        assert str(out / file) in capsys.readouterr().err
        assert not data.exists()
        (out / file).write_text(before)
    assert main(["import", str(tmp_path / "nowhere"), "--data", str(data)]) == 2
    assert main(["export", str(tmp_path / "out3"), "--data", str(data)]) == 2
