"""What every store promises, over both real databases."""

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import asyncpg
import msgspec
import pytest

import azulejos as az
from azulejos.server.live import hall as halls
from azulejos.server.live.fairness import Who
from azulejos.server.live.thinking import Thinkers
from azulejos.server.storage import Change, Conflict, Notice, SqliteStore, Store, Summary, Unavailable, open_store
from azulejos.server.storage import snapshot as snapshots
from azulejos.server.storage.migrating import migrations
from azulejos.tables import AskTakeback, Chair, FreeSeat, Phase, Play, Progress, Resign, Sit, Table
from azulejos.tables.events import TakebackAsked, TakebackDeclined

from .postgres import Postgres, running

GAME = az.make("azul")
Test = Callable[[Store], Awaitable[None]]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running() as started:
        yield started


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str | None]:
    """A store that nobody has used."""
    if request.param == "sqlite":
        return tmp_path, None
    postgres: Postgres = request.getfixturevalue("postgres")
    return tmp_path, postgres.fresh()


Address = tuple[Path, str | None]


@asynccontextmanager
async def opened_store(address: Address, process: str = "alone") -> AsyncIterator[Store]:
    store = await open_store(*address, process)
    try:
        yield store
    finally:
        await store.close()


def over(address: Address, test: Test) -> None:
    async def run() -> None:
        async with opened_store(address) as store:
            await test(store)

    asyncio.run(run())


def opened(name: str, public: bool = False, owner: str = "ana") -> Progress:
    chairs = [Chair("Ana", owner), Chair() if public else Chair("Ben", "ben")]
    return Table.open(name, GAME, chairs, "00" * 32, public)


def change(progress: Progress) -> Change:
    return Change(progress.after.number - len(progress.events) + 1, progress.events, Summary.of(progress.after))


def moved(table: Table, which: int = 0) -> Progress:
    turn = table.turn
    assert turn is not None
    return table.obey(Play(turn, str(table.state.actions[which]), table.position), table.seats[turn].owner)


def test_events_come_back_as_they_went_in_also_after_a_restart(address: Address) -> None:
    first = opened("a")
    second = moved(first.after)

    async def write(store: Store) -> None:
        await store.append([change(first)])
        await store.append([change(second)])

    async def read(store: Store) -> None:
        events = await store.events("a")
        assert events == [*first.events, *second.events]
        assert await store.events("a", since=2) == events[2:]
        assert await store.events("b") == []
        assert Table.from_events("a", events) == second.after
        log = await store.log("a")
        assert [line.number for line in log] == [1, 2, 3]
        assert [line.event for line in log] == events
        assert sorted(line.at for line in log) == [line.at for line in log]

    over(address, write)
    over(address, read)


def test_a_long_log_comes_in_one_go(address: Address) -> None:
    first = opened("a")
    asked = [event for k in range(1200) for event in (TakebackAsked(k % 2, 1), TakebackDeclined(k % 2))]
    events = [*first.events, *asked]

    async def test(store: Store) -> None:
        await store.append([Change(1, events, Summary.of(first.after))])
        assert await store.events("a") == events

    over(address, test)


def test_of_changes_that_are_written_together_the_last_holds(address: Address) -> None:
    """Who sits where, snapshots, and records, of several tables at once."""
    first = opened("a", public=True)
    sat = first.after.obey(Sit(1, "Eve"), "eve")
    snapshot = msgspec.structs.replace(change(sat), snapshot=snapshots.save(sat.after))

    async def test(store: Store) -> None:
        other = opened("b", owner="eve")
        await store.append([change(first), change(other), snapshot])
        assert [table.id for table in await store.tables_of("ana")] == ["a"]
        assert sorted(table.id for table in await store.tables_of("eve")) == ["a", "b"]
        assert await store.snapshot("a") == snapshot.snapshot
        assert await store.snapshot("b") is None

    over(address, test)


def test_a_number_is_given_once_and_a_conflict_changes_nothing(address: Address) -> None:
    async def test(store: Store) -> None:
        await store.append([change(opened("a"))])
        with pytest.raises(Conflict):
            await store.append([change(opened("b")), change(opened("a", owner="eve"))])
        assert await store.events("b") == []
        assert await store.tables_of("eve") == []
        assert await store.table_ids() == ["a"]
        appends = (store.append([change(opened("c", owner=f"v{k}"))]) for k in range(20))
        results = await asyncio.gather(*appends, return_exceptions=True)
        assert results.count(None) == 1
        assert sum(isinstance(result, Conflict) for result in results) == 19
        assert len(await store.events("c")) == 2

    over(address, test)


def test_what_waits_together_fails_apart(address: Address) -> None:
    """One whose number is taken, or that the store refuses, takes nobody with it."""

    async def test(store: Store) -> None:
        start = opened("taken")
        await store.append([change(start)])
        bad = change(opened("bad"))
        if store.shared:  # a database that knows no such letter; a file does
            bad = msgspec.structs.replace(bad, record="\0")
        jobs = [*(change(opened(f"t{k}")) for k in range(5)), change(start), bad]
        done = await asyncio.gather(*(store.append([job]) for job in jobs), return_exceptions=True)
        assert done[:5] == [None] * 5
        assert isinstance(done[5], Conflict)
        assert isinstance(done[6], Unavailable) == store.shared
        assert len(await store.table_ids()) == 7 - store.shared

    over(address, test)


def test_two_stores_over_one_database_agree_about_who_was_first(address: Address) -> None:
    async def run() -> None:
        async with opened_store(address, "one") as one, opened_store(address, "two") as two:
            start = opened("a")
            await one.append([change(start)])
            results = await asyncio.gather(
                one.append([change(moved(start.after, 0))]),
                two.append([change(moved(start.after, 1))]),
                return_exceptions=True,
            )
            assert [type(result) for result in results].count(Conflict) == 1
            assert await one.events("a") == await two.events("a")

    asyncio.run(run())


def test_lists_of_tables(address: Address) -> None:
    async def test(store: Store) -> None:
        await store.append([change(opened("a")), change(opened("open", public=True))])
        assert [summary.id for summary in await store.public_tables()] == ["open"]
        assert {summary.id for summary in await store.tables_of("ana")} == {"a", "open"}
        assert [summary.id for summary in await store.tables_of("ben")] == ["a"]
        assert await store.tables_of("' OR 1=1 --") == []
        assert await store.counts() == {"open": 1, "playing": 1}
        latest = await store.latest_tables()
        assert {summary.id for summary in latest} == {"a", "open"}
        assert all(summary.changed > 1e9 for summary in latest)
        table = opened("a").after
        await store.append([change(table.obey(Resign(0), "ana"))])
        assert await store.counts() == {"open": 1, "over": 1}
        assert [summary.id for summary in await store.tables_of("ben")] == ["a"]
        closed = Table.from_events("a", await store.events("a")).close("enough")
        await store.append([change(closed)])
        assert await store.tables_of("ben") == []
        assert Table.from_events("a", await store.events("a")).phase is Phase.CLOSED

    over(address, test)


def test_idle_tables(address: Address) -> None:
    async def test(store: Store) -> None:
        then = msgspec.structs.replace(change(opened("old")), times=[1000.0, 1001.5])
        await store.append([then, change(opened("new"))])
        assert await store.idle_tables(2000.0) == ["old"]
        assert [line.at for line in await store.log("old")] == [1000.0, 1001.5]

    over(address, test)


def test_records_and_names(address: Address) -> None:
    async def test(store: Store) -> None:
        assert await store.record("x") is None
        await store.save_record("x", "text")
        await store.save_record("x", "téxt ' \"\\ \n")
        assert await store.record("x") == "téxt ' \"\\ \n"
        assert await store.record_ids() == ["x"]
        assert await store.name("ana") == ""
        await store.save_name("ana", "<Ana>")
        await store.save_name("ana", "Ána ☃")
        assert await store.name("ana") == "Ána ☃"
        assert await store.names() == {"ana": "Ána ☃"}
        await store.check()

    over(address, test)


def played_out() -> list[Progress]:
    """A whole game, with two moves taken back on the way."""
    chooser, progresses = random.Random(11), [Table.open("g", GAME, [Chair("A", "ana"), Chair("B", "ana")], "07" * 32)]
    while (table := progresses[-1].after).phase is Phase.PLAYING:
        progresses.append(moved(table, chooser.randrange(len(table.state.actions))))
        if len(table.actions) in (5, 21) and len(progresses) < 40:
            assert table.turn is not None
            progresses.append(progresses[-1].after.obey(AskTakeback(table.turn), "ana"))
    return progresses


def test_a_game_is_read_from_its_snapshot_and_what_came_after(address: Address) -> None:
    progresses = played_out()
    assert progresses[-1].after.number > snapshots.EVERY

    async def test(store: Store) -> None:
        kept = []
        for progress in progresses:
            kept.append(halls._change(progress))
            await store.append([kept[-1]])
        saved = await store.snapshot("g")
        assert saved == next(one.snapshot for one in reversed(kept) if one.snapshot)
        table = snapshots.load(saved)
        assert table
        assert table.number == snapshots.EVERY * (progresses[-1].after.number // snapshots.EVERY)
        assert table == next(progress.after for progress in progresses if progress.after.number == table.number)
        again = halls._replayed("g", table, await store.events("g", table.number))
        assert again == progresses[-1].after == Table.from_events("g", await store.events("g"))
        text = await store.record("g")
        assert text == str(progresses[-1].after.record)
        assert az.Record.parse(text).outcome == progresses[-1].after.outcome

    over(address, test)


def test_a_snapshot_is_the_table_at_every_moment() -> None:
    public = Table.open("p", GAME, [Chair("A", "ana"), Chair(invitation="x")], "07" * 32, public=True).after
    late = public.obey(Sit(1, "E", nonce="later"), "eva").after.obey(FreeSeat(1), "ana", word="y")
    for progress in [late, *played_out()]:
        assert snapshots.load(snapshots.save(progress.after)) == progress.after


def test_a_snapshot_of_other_rules_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    saved = snapshots.save(opened("a").after)
    assert snapshots.load(saved[: len(saved) // 2]) is None
    monkeypatch.setattr(type(GAME), "rules_version", 99)
    assert snapshots.load(saved) is None


def test_nothing_secret_is_missing_from_the_log_or_present_in_lists() -> None:
    progress = opened("a")
    assert b"00000000" in msgspec.json.encode(progress.events)
    assert b"00000000" not in msgspec.json.encode(Summary.of(progress.after))


# --- SQLite ---


def test_the_file_is_durable(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite")
    connection = store._connect()
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    connection.close()
    asyncio.run(store.close())
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as again:
        assert again.execute("PRAGMA user_version").fetchone()[0] == migrations("sqlite")[-1].number


def test_an_old_file_is_brought_up_to_date(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as old:
        old.executescript(migrations("sqlite")[0].sql)
        summary = msgspec.json.encode(Summary.of(Table.open("c", GAME, [Chair(player="random")] * 2, "00" * 32).after))
        insert = "INSERT INTO tables (id, phase, public, changed, summary) VALUES ('c', 'playing', 0, 5, ?)"
        old.execute(insert, (summary.decode(),))
        old.commit()
        old.execute("PRAGMA user_version=1")

    async def test(store: Store) -> None:
        assert [table.id for table in await store.latest_tables()] == ["c"]
        await store.append([change(opened("a"))])

    over((tmp_path, None), test)


def test_a_newer_file_and_one_that_is_none_are_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as newer:
        newer.execute("PRAGMA user_version=9999")
    with pytest.raises(az.OptionError, match="newer version"):
        SqliteStore(tmp_path / "tables.sqlite")
    (tmp_path / "other.sqlite").write_text("this is no database" * 100)
    with pytest.raises(az.OptionError, match="cannot be used"):
        SqliteStore(tmp_path / "other.sqlite")


def test_a_store_that_cannot_write_says_so_and_goes_on(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        with closing(sqlite3.connect(tmp_path / "tables.sqlite", isolation_level=None)) as other:
            other.execute("CREATE TRIGGER no BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'disk full'); END")
            with pytest.raises((Unavailable, Conflict)):
                await store.append([change(opened("a"))])
            other.execute("DROP TRIGGER no")
        await store.append([change(opened("a"))])
        assert len(await store.events("a")) == 2

    over((tmp_path, None), test)


# --- PostgreSQL ---


def test_other_processes_are_woken(postgres: Postgres, tmp_path: Path) -> None:
    async def run() -> None:
        address = tmp_path, postgres.fresh()
        async with opened_store(address, "one") as one, opened_store(address, "two") as two:
            heard: asyncio.Queue[Notice | None] = asyncio.Queue()
            await two.listen(heard.put_nowait)
            await one.append([msgspec.structs.replace(change(opened("a")), notice=Notice("one", "a", 2))])
            assert await heard.get() == Notice("one", "a", 2)
            await two.append([msgspec.structs.replace(change(opened("b")), notice=Notice("two", "b", 2))])
            many = [Notice("one", "t" * 60 + str(k), k, ("o" * 32,) * 4, contested="c" * 32) for k in range(99)]
            await one.notify(many)
            assert [await heard.get() for _ in many] == many, "one's own is not heard"

    asyncio.run(run())


def test_moves_at_a_table_of_one_process_are_told_together(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A moment later, with the position that nobody may ask about."""
    monkeypatch.setattr(halls, "BEAT", 0)

    async def run() -> None:
        address = tmp_path, postgres.fresh()
        async with opened_store(address, "two") as two:
            hall = halls.Hall(await open_store(*address, "one"), Thinkers(1), "one")
            hall.ready["azul"].set()
            table = await hall.open(GAME, [Chair("Ana", "ana"), Chair("Ben", "ben")])
            live = await hall.find(table.id)
            assert live
            heard: asyncio.Queue[Notice | None] = asyncio.Queue()
            await two.listen(heard.put_nowait)
            hall.join(live, Who("ana"), 1, lambda news: None)
            for _ in range(3):
                table = live.table
                assert table.turn is not None
                move = Play(table.turn, str(next(iter(table.state.actions))), table.position)
                await hall.carry_out(live, move, table.seats[table.turn].owner)
            latest = Notice("one", table.id, live.table.number, contested=halls.hashed(live.contested()))
            while await heard.get() != latest:
                pass
            await hall.close()

    asyncio.run(run())


def test_one_process_at_a_time_thinks_for_a_table(postgres: Postgres, tmp_path: Path) -> None:
    async def run() -> None:
        address = tmp_path, postgres.fresh()
        async with opened_store(address, "one") as one, opened_store(address, "two") as two:
            assert await one.claim("a", "one", 30)
            assert await one.claim("a", "one", 0.05)
            assert not await two.claim("b", "two", 30) or not await one.claim("b", "one", 30)
            await asyncio.sleep(0.1)
            assert await two.claim("a", "two", 30)
            assert not await one.claim("a", "one", 30)

    asyncio.run(run())


async def patiently(store: Store, wanted: Change) -> None:
    """However long a busy machine takes to bring the database back."""
    while True:
        try:
            await store.append([wanted])
            return
        except Unavailable:
            continue


def test_a_database_that_restarts_loses_nothing_and_is_heard_again(postgres: Postgres, tmp_path: Path) -> None:
    async def run() -> None:
        address = tmp_path, postgres.fresh()
        async with opened_store(address, "one") as one, opened_store(address, "two") as two:
            heard: asyncio.Queue[Notice | None] = asyncio.Queue()
            await two.listen(heard.put_nowait)
            start = opened("a")
            await one.append([msgspec.structs.replace(change(start), notice=Notice("one", "a", 2))])
            await heard.get()
            await asyncio.to_thread(postgres.stop)
            with pytest.raises(Unavailable):
                await one.check()
            waiting = asyncio.create_task(patiently(one, change(moved(start.after))))
            await asyncio.to_thread(postgres.start)
            await waiting
            assert len(await two.events("a")) == 3
            while await heard.get() is not None:
                pass  # something may have been missed: whoever listens looks again

    asyncio.run(run())


def test_a_try_whose_answer_was_lost_is_not_a_conflict(postgres: Postgres, tmp_path: Path) -> None:
    async def run() -> None:
        address = tmp_path, postgres.fresh()
        async with opened_store(address, "one") as one, opened_store(address, "two") as two:
            start = opened("a")
            await one.append([change(start)])
            real = two._append  # type: ignore[attr-defined]
            lost: list[bool] = []

            async def and_lose_the_answer(*arguments: object) -> None:
                await real(*arguments)
                if not lost:
                    lost.append(True)
                    raise asyncpg.ConnectionDoesNotExistError("lost")

            two._append = and_lose_the_answer  # type: ignore[attr-defined]
            await two.append([change(moved(start.after))])
            with pytest.raises(Conflict):
                await one.append([change(moved(start.after, 1))])

    asyncio.run(run())


@pytest.mark.parametrize("address", ["mysql://x", "postgresql://127.0.0.1:1/none", "postgresql://127.0.0.1:99999/x"])
def test_a_database_that_is_not_there_is_refused_without_its_password(address: str, tmp_path: Path) -> None:
    with pytest.raises(az.OptionError) as caught:
        asyncio.run(open_store(tmp_path, address.replace("//127", "//ana:hidden@127")))
    assert "hidden" not in str(caught.value)
