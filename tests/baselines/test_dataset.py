"""Datasets: every game depends on its own seed alone, and its record is the game that was searched."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import azulejos as az
from azulejos.baselines import dataset
from azulejos.core.streams import streams
from azulejos.players.many import Forest

DEALS, KEYS = streams(10, 3).reshape(-1, 2).T.copy()


def test_columns_do_not_depend_on_how_they_were_made() -> None:
    game = az.make("azul")
    together = dataset.play(game, DEALS, KEYS, 4, slots=5)
    in_turn = dataset.play(game, DEALS, KEYS, 4, slots=2)
    for name, column in together.items():
        assert np.array_equal(column, in_turn[name]), name


def test_a_game_that_is_over_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    class Watched(Forest):
        def grow(self, roots: Any, keys: Any) -> Any:
            assert all(az.State(game, roots[i : i + 1]).seat is not None for i in range(len(roots)))
            return super().grow(roots, keys)

    game = az.make("azul")
    monkeypatch.setattr(dataset, "Forest", Watched)
    dataset.play(game, DEALS[:3], KEYS[:3], 4, slots=3)


def test_a_file_continues_where_it_was_interrupted(tmp_path: Path) -> None:
    game, file, parts = az.make("azul"), tmp_path / "azul.npz", dataset.PART["cpu"]
    made: list[int] = []
    dataset.PART["cpu"] = 2
    try:
        dataset.make(game, 4, 4, 3, tmp_path / "whole.npz")

        def interrupt(count: int) -> None:
            made.append(count)
            if count == 2 and made.count(2) == 1:
                raise KeyboardInterrupt

        for _ in range(2):
            try:
                dataset.make(game, 4, 4, 3, file, tell=interrupt)
            except KeyboardInterrupt:
                continue
    finally:
        dataset.PART["cpu"] = parts
    assert made == [0, 2, 2, 4]
    assert file.read_bytes() == (tmp_path / "whole.npz").read_bytes()
    assert not (tmp_path / "azul.npz.parts").exists()

    data = dataset.load(file)
    records = list(dataset.records(data))
    assert [record.state.scores for record in records] == [tuple(row) for row in data["scores"].tolist()]
    position = 7
    state = list(records[data["games"][position]].states())[data["moves"][position]]
    chosen = slice(data["starts"][position], data["starts"][position + 1])
    assert [int(action) for action in state.actions] == data["choices"][chosen].tolist()
    assert state.seat == data["seats"][position]
    assert dataset.visit_shares(data)[position].argmax() in data["choices"][chosen]
