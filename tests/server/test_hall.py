"""The hall by itself: tables in memory over a store in a file, without a server around them."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import azulejos as az
from azulejos.server.live.hall import Hall
from azulejos.server.live.thinking import Thinkers
from azulejos.server.storage import SqliteStore
from azulejos.tables import Chair, Play, Progress, Table

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
        told: list[Progress] = []

        def fail(progress: Progress) -> None:
            raise RuntimeError("the spectator has left")

        live.listeners[1] = "eva", fail
        live.listeners[2] = BEN, told.append
        assert await hall.carry_out(live, *any_play(live.table)) == live.table.number
        assert [progress.after for progress in told] == [live.table]

    within(tmp_path, test)
