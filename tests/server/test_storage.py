"""What every store promises."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

import azulejos as az
from azulejos.server.storage import Change, Conflict, SqliteStore, Summary
from azulejos.tables import Chair, Play, Progress, Resign, Table

GAME = az.make("azul")


def opened(name: str, public: bool = False, owner: str = "ana") -> Progress:
    chairs = [Chair("Ana", owner), Chair() if public else Chair("Ben", "ben")]
    return Table.open(name, GAME, chairs, "00" * 32, public)


def change(progress: Progress) -> Change:
    return Change(progress.after.number - len(progress.events) + 1, progress.events, Summary.of(progress.after))


def test_events_come_back_as_they_went_in_also_after_a_restart(tmp_path: Path) -> None:
    async def write() -> Table:
        store = SqliteStore(tmp_path / "tables.sqlite")
        first = opened("a")
        await store.append([change(first)])
        turn = first.after.turn
        assert turn is not None
        move = Play(turn, str(first.after.state.actions[0]), first.after.position)
        second = first.after.obey(move, first.after.seats[turn].owner)
        await store.append([change(second)])
        await store.close()
        return second.after

    async def read() -> Table:
        store = SqliteStore(tmp_path / "tables.sqlite")
        events = await store.events("a")
        assert await store.events("a", since=2) == events[2:]
        assert await store.events("b") == []
        assert await store.tables_in_play() == ["a"]
        await store.close()
        return Table.from_events("a", events)

    assert asyncio.run(write()) == asyncio.run(read())


def test_a_number_is_given_once_and_a_conflict_changes_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        await store.append([change(opened("a"))])
        with pytest.raises(Conflict):
            await store.append([change(opened("b")), change(opened("a", owner="eve"))])
        assert await store.events("b") == []
        assert await store.tables_of("eve") == []
        results = await asyncio.gather(
            *(store.append([change(opened("c", owner=f"v{k}"))]) for k in range(20)), return_exceptions=True
        )
        assert results.count(None) == 1
        assert sum(isinstance(result, Conflict) for result in results) == 19
        await store.close()

    asyncio.run(run())


def test_lists_of_tables(tmp_path: Path) -> None:
    async def run() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        await store.append([change(opened("a")), change(opened("open", public=True))])
        assert [summary.id for summary in await store.public_tables()] == ["open"]
        assert {summary.id for summary in await store.tables_of("ana")} == {"a", "open"}
        assert [summary.id for summary in await store.tables_of("ben")] == ["a"]
        table = opened("a").after
        resigned = table.obey(Resign(0), "ana")
        await store.append([change(resigned)])
        assert await store.tables_in_play() == []
        await store.close()

    asyncio.run(run())


def test_records_and_names(tmp_path: Path) -> None:
    async def run() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        assert await store.record("x") is None
        await store.save_record("x", "text")
        assert await store.record("x") == "text"
        assert await store.name("ana") == ""
        await store.save_name("ana", "<Ana>")
        assert await store.name("ana") == "<Ana>"
        await store.close()

    asyncio.run(run())


def test_nothing_secret_is_missing_from_the_log_or_present_in_lists(tmp_path: Path) -> None:
    progress = opened("a")
    assert b"00000000" in msgspec.json.encode(progress.events)
    assert b"00000000" not in msgspec.json.encode(Summary.of(progress.after))


def test_the_file_is_durable(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite")
    connection = store._connect()
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    connection.close()
    asyncio.run(store.close())
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as again:
        assert again.execute("PRAGMA user_version").fetchone()[0] >= 1
