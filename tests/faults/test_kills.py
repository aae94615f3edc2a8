"""kill −9 under load, on each store: what was acknowledged is there, once. `kills.py` does more of it."""

import pytest

from .kills import a_store, examine, kill_often


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_no_acknowledged_move_is_lost_or_doubled(store: str) -> None:
    with a_store(store == "postgres") as (data, database):
        options = [f"--database={database}"] if database else []
        players = kill_often(data, options, kills=2, tables=4)
        assert examine(data, database, players) > 8
