"""The hall by itself: tables in memory over a store in a file, without a server around them."""

import asyncio
import resource
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketState

import azulejos as az
from azulejos.core.errors import IllegalAction
from azulejos.core.state import State
from azulejos.server.live import fairness
from azulejos.server.live import hall as halls
from azulejos.server.live.connection import Connection, _close
from azulejos.server.live.fairness import OF_AN_ADDRESS, OF_THIS_MACHINE, TOGETHER, Rounds, Turns, Who, network
from azulejos.server.live.hall import AT_ONCE, Guest, Hall, News
from azulejos.server.live.limits import MOST_CHANGES, Share
from azulejos.server.live.messages import Close, Refused
from azulejos.server.live.thinking import Thinkers, prepare_rules
from azulejos.server.storage import SqliteStore, Unavailable
from azulejos.server.storage import snapshot as snapshots
from azulejos.tables import AskRematch, AskTakeback, Chair, HandOver, Play, Reason, Refusal, Resign, Table

ANA, BEN = "visitor-ana", "visitor-ben"


def within(folder: Path, test: Callable[[Hall], Awaitable[None]]) -> None:
    """Run a test in a hall whose rules are ready."""

    async def run() -> None:
        hall = Hall(SqliteStore(folder / "tables.sqlite"), Thinkers(1))
        for ready in hall.ready.values():
            ready.set()
        try:
            await test(hall)
        finally:
            await hall.close()

    asyncio.run(run())


async def two_people(hall: Hall) -> Table:
    return await hall.open(az.make("azul"), [Chair("Ana", ANA), Chair("Ben", BEN)])


def any_play(table: Table) -> tuple[Play, str]:
    """A legal action of the seat to act, and its owner."""
    assert table.turn is not None
    return Play(table.turn, str(next(iter(table.state.actions))), table.position), table.seats[table.turn].owner


def test_a_listener_that_fails_does_not_reach_the_mover(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        live = await hall.find((await two_people(hall)).id)
        assert live
        told: list[News] = []

        def fail(news: News) -> None:
            raise RuntimeError("the spectator has left")

        live.guests[1] = Guest(Who("eva"), fail)
        live.guests[2] = Guest(Who(BEN), told.append)
        assert await hall.carry_out(live, *any_play(live.table)) == live.table.number
        assert [news.progress.after for news in told] == [live.table]

    within(tmp_path, test)


# --- fair queues ---


def test_a_table_handed_over_to_computer_players_counts_as_one(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        refused = 0
        for _ in range(hall.limits.computer_tables + 2):
            opened = await hall.open(az.make("azul"), [Chair("Ana", ANA), Chair("greedy", player="greedy")])
            live = await hall.find(opened.id)
            assert live
            try:
                await hall.obey(live, HandOver(0, "greedy"), ANA)
            except Refusal as refusal:
                refused += refusal.reason is Reason.TOO_MANY
        assert refused == 2

    within(tmp_path, test)


def test_what_happened_of_late_is_known_without_the_store(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        opened = await two_people(hall)
        live = await hall.find(opened.id)
        assert live
        for _ in range(5):
            command, owner = any_play(live.table)
            await hall.obey(live, command, owner)
        kept = await hall.store.events(live.table.id)
        with patch.object(hall.store, "events", side_effect=AssertionError):
            for since in range(len(kept) + 1):
                assert await hall.events(live, since) == kept[since:]
        live.recent.popleft()  # as when a table was loaded from a snapshot
        assert await hall.events(live, 0) == kept

    within(tmp_path, test)


def test_visitors_take_turns() -> None:
    """One who wants much does not come before another's first."""
    done: list[str] = []

    async def job(turns: Turns, who: Who, later: bool = False) -> None:
        async with turns.turn(who, later):
            await asyncio.sleep(0)
            done.append(who.visitor)

    async def run() -> None:
        turns = Turns(1)
        jobs = [job(turns, Who("eva", "192.0.2.1")) for _ in range(8)]
        jobs += [job(turns, Who("late", "192.0.2.3"), later=True)]
        jobs += [job(turns, Who(name, "192.0.2.2")) for name in ("ana", "ben")]
        await asyncio.gather(*jobs)
        assert turns.working == 0

    asyncio.run(run())
    assert done[:4] in (["eva", "ana", "ben", "eva"], ["eva", "ana", "eva", "ben"], ["eva", "eva", "ana", "ben"])
    assert done[-1] == "late"


def test_short_work_is_done_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few things each time the event loop goes round, so that what else there is to do comes between."""
    monkeypatch.setattr(fairness, "ENOUGH", 60.0)
    done: list[str] = []

    async def run() -> None:
        rounds, loop = Rounds(), asyncio.get_running_loop()

        def work(name: str) -> None:
            done.append(name)
            loop.call_soon(done.append, "else")
            if name == "bad":
                raise ValueError(name)

        loop.set_exception_handler(lambda _loop, _what: None)
        for name in ("bad", *["eva"] * 3 * TOGETHER):
            rounds.call(Who(name, "192.0.2.1"), partial(work, name))
        rounds.call(Who("ana", "192.0.2.2"), partial(work, "ana"))
        while len(done) < 2 * (3 * TOGETHER + 2):
            await asyncio.sleep(0)

    asyncio.run(run())
    assert done.index("ana") < 6, "before the third of the one who was first"
    runs = [len(list(some)) for name, some in groupby(done, lambda name: name == "else") if not name]
    assert max(runs) == TOGETHER
    assert len(runs) == 5, "one that fails ends a round, and no more"


def test_who_wants_little_does_not_wait_for_a_crowd() -> None:
    """Neither behind each of many who always want more, nor behind many who have just come."""
    done: list[str] = []

    async def run() -> None:
        rounds = Rounds()

        def call(name: str, more: int = 0) -> None:
            def work() -> None:
                done.append(name)
                if more:
                    call(name, more - 1)

            rounds.call(Who(name), work)

        async def until(count: int) -> None:
            while len(done) < count:
                await asyncio.sleep(0)

        call("ana")
        await until(1)
        for k in range(40):
            call(f"hasty {k}", more=20)
        await until(400)
        before = len(done)
        call("ana")
        await until(800)
        assert done.index("ana", before) < before + 2 * TOGETHER
        for k in range(40):
            call(f"new {k}")
        before = len(done)
        call("ana")
        await until(len(done) + 40)
        assert done.index("ana", before) < before + 2 * TOGETHER

    asyncio.run(run())


def test_no_queue_is_unbounded() -> None:
    async def run() -> int:
        turns, refused = Turns(1, each=3), 0

        async def job() -> None:
            nonlocal refused
            try:
                async with turns.turn(Who("eva")):
                    await asyncio.sleep(0)
            except Refusal:
                refused += 1

        await asyncio.gather(*[job() for _ in range(10)])
        return refused

    assert asyncio.run(run()) == 7


def test_a_turn_that_nobody_waits_for_any_more_is_passed_on() -> None:
    async def run() -> None:
        turns = Turns(1)

        async def hold() -> None:
            async with turns.turn(Who("eva")):
                await asyncio.sleep(60)

        held = [asyncio.create_task(hold()) for _ in range(3)]
        await asyncio.sleep(0)
        for task in held:
            task.cancel()
        await asyncio.gather(*held, return_exceptions=True)
        async with asyncio.timeout(10), turns.turn(Who("ana")):
            assert turns.working == 1

    asyncio.run(run())


def test_addresses_that_count() -> None:
    assert network("2001:db8:1:2:3:4:5:6") == network("2001:db8:1:2::9") != network("2001:db8:1:3::9")
    assert network("::ffff:192.0.2.7") == network("192.0.2.7") == "192.0.2.7"
    assert network("127.0.0.1") == network("::1") == ""


def test_limits_are_for_the_person_not_for_the_cookie() -> None:
    """An address has eight visitors' share, whatever cookies come from it; so has a /64 network of IPv6."""
    for addresses in (["192.0.2.1"], [f"2001:db8::{k:x}" for k in range(1, 99)]):
        share = Share(2, 60)
        allowed = [share.allows(Who(f"cookie {k}", network(addresses[k % len(addresses)]))) for k in range(40)]
        assert sum(allowed) == 2 * OF_AN_ADDRESS
        assert share.allows(Who("another", "198.51.100.1"))
    share = Share(2, 60)
    assert sum(share.allows(Who("", "192.0.2.1")) for _ in range(40)) == 2 * OF_AN_ADDRESS, "without a cookie too"
    assert all(share.allows(Who(f"cookie {k}")) for k in range(99)), "a proxy on this machine stands for many"
    stored = Share(2, 60, stored=True)
    assert sum(stored.allows(Who(f"cookie {k}")) for k in range(99)) == 2 * OF_THIS_MACHINE
    for address in ("", "192.0.2.1"):
        stored = Share(2, 60, stored=True)
        assert sum(stored.allows(Who(f"new {k}", address, known=False)) for k in range(99)) == 2, "without a cookie"
        assert stored.allows(Who("ana", address)), "what is refused is not counted"


def test_a_chain_of_rematches_counts(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        hall._openings = Share(3, 600)
        chairs = [Chair("Ana", ANA), Chair(player="greedy")]
        name = (await hall.open(az.make("azul"), chairs, who=Who(ANA, "192.0.2.1"))).id
        for _ in range(2):
            live = await hall.find(name)
            assert live
            mine = live.table.seats_of(ANA)[0]
            await hall.carry_out(live, Resign(mine), ANA, "192.0.2.1")
            await hall.carry_out(live, AskRematch(mine), ANA, "192.0.2.1")
            name = live.table.next_table
        live = await hall.find(name)
        assert live
        mine = live.table.seats_of(ANA)[0]
        await hall.carry_out(live, Resign(mine), ANA, "192.0.2.1")
        with pytest.raises(Refusal) as caught:
            await hall.carry_out(live, AskRematch(mine), ANA, "192.0.2.1")
        assert caught.value.reason is Reason.TOO_MANY
        assert len(hall._openings._addresses._times["192.0.2.1"]) >= 3, "the address's share is used as well"

    within(tmp_path, test)


def test_names_and_records_expire(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        hall.limits = replace(hall.limits, record_days=2)
        for days in (4, 1, 0):
            with patch("time.time", lambda real=time.time, ago=86400 * days: real() - ago):
                await hall.archive()
                await hall.store.save_name(f"{days} days", "Ana")
                await hall.store.save_record(f"{days} days", "a record")
        await hall.archive()
        assert set(await hall.store.names()) == set(await hall.store.record_ids()) == {"1 days", "0 days"}

    within(tmp_path, test)


# --- computer players ---


def test_nobody_thinks_where_nobody_is_and_tables_of_computers_are_few(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        eva, game = Who("eva", "192.0.2.1"), az.make("azul")
        chairs = [Chair(player="greedy"), Chair(player="greedy")]
        for _ in range(hall.limits.computer_tables):
            table = await hall.open(game, chairs, who=eva)
        with pytest.raises(Refusal) as caught:
            await hall.open(game, chairs, who=eva)
        assert caught.value.reason is Reason.TOO_MANY
        await asyncio.sleep(0.1)
        live = await hall.find(table.id)
        assert live
        assert hall.metrics.thinking == live.thinking == 0
        assert live.table == table
        hall.join(live, eva, 1, lambda progress: None)
        assert live.thinking == table.position
        hall.part(live, 1)

    within(tmp_path, test)


def test_a_quick_player_does_not_wait_for_long_thoughts(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        hall.thinkers.prepared()
        state = az.make("azul").start(seed=1)
        async with hall.thinkers._turns.turn(Who("eva")):  # the only worker is busy
            assert await hall.thinkers.think(state, "casual", Who(ANA)) in state.actions.texts

    within(tmp_path, test)


def test_who_is_here_is_told_less_often_where_many_look_on(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        live = await hall.find((await two_people(hall)).id)
        assert live
        told: list[News] = []
        hall.join(live, Who(ANA), ANA, told.append)
        for k in range(100):
            hall.join(live, Who(f"cookie {k}"), k, told.append)
        assert len(told) < 10
        live.guests.clear()
        hall.join(live, Who(BEN), BEN, told.append)
        before = len(told)
        while len(told) == before:  # but it is told
            await asyncio.sleep(0.01)

    within(tmp_path, test)


def test_a_compiling_process_that_is_killed_is_replaced() -> None:
    async def run() -> None:
        thinkers = Thinkers(1)
        try:
            preparing = asyncio.create_task(thinkers._compiling.do(prepare_rules, az.make("azul")))
            while not (processes := thinkers._compiling.pool._processes):
                await asyncio.sleep(0.01)
            for process in list(processes.values()):
                process.kill()
            await preparing
        finally:
            await asyncio.to_thread(thinkers.close)

    asyncio.run(run())


# --- bounds ---


def test_seats_and_takebacks_change_only_so_often(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        table = await hall.open(az.make("azul"), [Chair("Ana", ANA), Chair("Ana 2", ANA)])
        live = await hall.find(table.id)
        assert live
        for _ in range(MOST_CHANGES):
            play, _owner = any_play(live.table)
            await hall.carry_out(live, play, ANA)
            await hall.carry_out(live, AskTakeback(play.seat), ANA)
        with pytest.raises(Refusal) as caught:
            await hall.carry_out(live, AskTakeback(0), ANA)
        assert caught.value.reason is Reason.TOO_MANY
        await hall.carry_out(live, *any_play(live.table))

    within(tmp_path, test)


# --- each table fails alone ---


def test_a_table_that_cannot_be_read_is_set_aside(tmp_path: Path) -> None:
    """Its log has an action that the rules forbid, as damage or other rules would have it. All else goes on."""

    async def test(hall: Hall) -> None:
        tables = [await two_people(hall) for _ in range(6)]
        for table in tables:
            live = await hall.find(table.id)
            assert live
            await hall.carry_out(live, *any_play(live.table))
        hall._live.clear()
        bad, legal = tables[2].id, tables[2].state.actions.texts
        illegal = next(f"1{colour}2" for colour in "BYRKW" if f"1{colour}2" not in legal)
        with sqlite3.connect(tmp_path / "tables.sqlite") as connection:
            sql = "UPDATE events SET data = json_set(data, '$.action', ?) WHERE table_id = ? AND number = 3"
            assert connection.execute(sql, (illegal, bad)).rowcount == 1
        connection.close()
        with pytest.raises(Refusal) as caught:
            await hall.find(bad)
        assert caught.value.reason is Reason.UNAVAILABLE
        assert "IllegalAction" in hall.broken[bad]
        for table in tables:
            if table.id != bad:
                live = await hall.find(table.id)
                assert live
                await hall.carry_out(live, *any_play(live.table))
        hall.limits = replace(hall.limits, idle_days=1)
        with sqlite3.connect(tmp_path / "tables.sqlite") as connection:
            connection.execute("UPDATE tables SET changed = changed - 86400 * 2 WHERE id <> ?", (tables[0].id,))
        connection.close()
        await hall.archive()
        assert (await hall.store.counts()) == {"playing": 2, "closed": 4}

    within(tmp_path, test)


def test_rules_that_forbid_an_old_move_concern_its_table_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version of the rules: neither the snapshot nor the log of a game with such a move can be read."""
    monkeypatch.setattr(snapshots, "EVERY", 2)

    async def test(hall: Hall) -> None:
        old, other = await two_people(hall), await two_people(hall)
        move = next(text for text in old.state.actions.texts if text not in other.state.actions.texts)
        for table, text in ((old, move), (other, other.state.actions.texts[0])):
            live = await hall.find(table.id)
            assert live
            assert table.turn is not None
            await hall.carry_out(live, Play(table.turn, text, table.position), table.seats[table.turn].owner)
        hall._live.clear()
        real = State.play

        def play(state: State, action: az.Action, draws: str | Sequence[int] | None = None) -> State:
            if str(action) == move:
                raise IllegalAction("the rules forbid it", str(state))
            return real(state, action, draws)

        monkeypatch.setattr(State, "play", play)
        monkeypatch.setattr(type(old.game), "rules_version", 99)
        with pytest.raises(Refusal):
            await hall.find(old.id)
        assert "IllegalAction" in hall.broken[old.id]
        live = await hall.find(other.id)
        assert live
        await hall.carry_out(live, *any_play(live.table))

    within(tmp_path, test)


def test_what_another_process_wrote_and_nobody_can_read_is_refused(tmp_path: Path) -> None:
    """The mover is answered, and the snapshot of another table may be damaged."""

    async def test(hall: Hall) -> None:
        table, other = await two_people(hall), await two_people(hall)
        with sqlite3.connect(tmp_path / "tables.sqlite") as connection:
            sql = "INSERT INTO events (table_id, number, at, data) VALUES (?, ?, 0, ?)"
            connection.execute(sql, (table.id, table.number + 1, '{"type": "flown"}'))
            gone = '{"type": "opened", "game": "chess", "options": {}, "chairs": [], "seed": ""}'
            connection.execute(sql, ("gone", 1, gone))
            sql = "INSERT INTO snapshots (table_id, number, data) VALUES (?, 2, ?)"
            saved = msgspec.msgpack.decode(snapshots.save(other))
            connection.execute(sql, (other.id, msgspec.msgpack.encode([*saved[:5], {}, *saved[6:]])))
        connection.close()
        live = await hall.find(table.id)
        assert live
        with pytest.raises(Refusal) as caught:
            await hall.carry_out(live, *any_play(live.table))
        assert caught.value.reason is Reason.UNAVAILABLE
        hall._live.clear()
        assert await hall.find(other.id)
        assert await hall.game_of("gone") is None
        assert set(hall.broken) == {table.id, "gone"}

    within(tmp_path, test)


def test_whatever_fails_the_mover_is_answered(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        live = await hall.find((await two_people(hall)).id)
        assert live
        socket = WebSocket({"type": "websocket", "query_string": b"", "headers": []}, None, None)  # type: ignore[arg-type]
        connection = Connection(hall, socket, live, Who(ANA))
        with patch.object(Table, "obey", side_effect=OverflowError("of a damaged log")):
            await connection.obey(7, any_play(live.table)[0])
        (refused,) = connection.waiting
        assert isinstance(refused, Refused)
        assert (refused.id, refused.reason) == (7, Reason.UNAVAILABLE)

    within(tmp_path, test)


def test_a_connection_that_is_gone_is_closed_without_an_error() -> None:
    """As one is that came and went at once: each error would be a page of the log."""

    async def send(message: Message) -> None:
        raise OSError("gone")

    socket = WebSocket({"type": "websocket", "query_string": b"", "headers": []}, None, send)  # type: ignore[arg-type]
    socket.application_state = WebSocketState.CONNECTED
    asyncio.run(_close(socket, Close.WRONG_ORIGIN, "this page is of another site"))


def test_a_game_that_cannot_be_compiled_does_not_hold_up_the_others(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        real = hall.thinkers.prepare_rules

        async def prepare(game: az.Game) -> None:
            if game.name == "azul":
                raise RuntimeError("it does not compile")
            await real(game)

        for ready in hall.ready.values():
            ready.clear()
        with patch.object(hall.thinkers, "prepare_rules", prepare), patch.object(halls, "_settle"):
            preparing = asyncio.create_task(hall._prepare())
            await hall.ready["duel"].wait()
            preparing.cancel()
        assert not hall.ready["azul"].is_set()

    within(tmp_path, test)


def test_a_clock_that_is_ahead_closes_nothing(tmp_path: Path) -> None:
    """Be they few or many, and also when something happens under that clock."""

    async def test(hall: Hall) -> None:
        tables = [await two_people(hall) for _ in range(3)]
        await hall.store.save_record("brought", "a record")
        live = await hall.find(tables[0].id)
        assert live
        with patch("time.time", lambda real=time.time: real() + 500 * 86400):
            for _ in range(2):
                await hall.archive()
                assert await hall.store.counts() == {"playing": len(tables)}
                assert "brought" in await hall.store.record_ids()
                await hall.carry_out(live, *any_play(live.table))
        many = [await two_people(hall) for _ in range(AT_ONCE + 1)]
        hall.limits = replace(hall.limits, idle_days=1)
        with patch("time.time", lambda real=time.time: real() + 501 * 86400):
            await hall.carry_out(live, *any_play(live.table))
            await hall.archive()
            assert await hall.store.counts() == {"playing": len(tables + many)}, "none when suddenly many seem idle"
        assert await hall.close_table(tables[1].id, "a mistake")
        assert await hall.reopen_table(tables[1].id)
        assert not await hall.reopen_table(tables[1].id)
        live = await hall.find(tables[1].id)
        assert live
        await hall.carry_out(live, *any_play(live.table))
        await hall.archive()
        assert await hall.store.counts() == {"playing": len(tables + many) - AT_ONCE, "closed": AT_ONCE}

    within(tmp_path, test)


def test_health_is_the_truth(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"

    async def test(hall: Hall) -> None:
        await hall.store.check()
        assert file.stat().st_mode & 0o777 == 0o600
        file.rename(tmp_path / "elsewhere")
        with pytest.raises(Unavailable):
            await hall.store.check()
        (tmp_path / "elsewhere").rename(file)
        await hall.store.check()
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))  # as a full disk would
        try:
            with pytest.raises(Unavailable):
                await hall.store.check()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        await hall.store.check()

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    within(tmp_path, test)
