"""Hints: the best actions, with what each is worth."""

from io import StringIO
from pathlib import Path

from rich.console import Console

import azulejos as az
from azulejos.core.record import Record
from azulejos.players import Limit, Search, hints
from azulejos.terminal import TerminalTable


def test_best_first() -> None:
    state = az.make("azul").start(seed=4)  # one action is clearly best
    found = hints(state, Limit(simulations=500), count=4, seed=1)
    assert len(found) == 4
    assert found[0].action == Search(1).choose(state, Limit(simulations=500)).action
    assert len({hint.action for hint in found}) == 4
    assert all(0 <= hint.chance <= 1 and hint.action in state.actions for hint in found)
    assert found[0].line[0] == found[0].action


def test_no_more_than_there_are() -> None:
    state = az.make("azul").start(seed=1)
    while state.seat is not None and len(state.actions) > 2:
        state = state.play(state.actions[-1])
    assert 1 <= len(hints(state, Limit(simulations=50), count=10, seed=1)) <= 2


def test_at_the_terminal(tmp_path: Path) -> None:
    said = StringIO()
    console = Console(file=said, width=100)
    words = iter(["hint", "quit"])
    console.input = lambda *_, **__: next(words)  # type: ignore[method-assign]
    record = Record(az.make("azul").start(seed=1), ["Ana", "Ben"])
    TerminalTable(record, [None, None], console, tmp_path / "game.txt").run()
    assert said.getvalue().count(": win chance ") == 3
    assert record.actions == (), "asking for a hint plays nothing"
