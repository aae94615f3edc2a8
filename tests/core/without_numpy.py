"""Run where NumPy and Numba cannot be imported: positions, text, records, pictures, picks and a table.

Arguments: a game; and "piped", to ask for the rules on standard output and get them from standard input, or "plain".
"""

import sys
from collections.abc import Callable
from typing import Any

import azulejos as az
from azulejos.core.rules import provide
from azulejos.tables import Chair, Phase, Play, Table


class PipedRules:
    """Rules that another process has."""

    def __init__(self, game: az.Game) -> None:
        self.game = game

    def __getattr__(self, question: str) -> Callable[..., Any]:
        def ask(*arguments: Any) -> Any:
            print(repr((question, *arguments)), flush=True)
            return eval(input())

        return ask


def main(name: str, rules: str) -> None:
    for module in ("numpy", "numba"):
        assert sys.modules[module] is None
    if rules == "piped":
        provide(PipedRules)
    state = az.make(name).start(seed=5)
    record = az.Record(state, names=["Ana", "Ben"])
    for _move in range(12):
        state = record.play(state.actions[len(state.actions) // 2])
        assert state.fields.round_no == state.round
    game = state.game
    assert az.parse(str(state)) == state
    assert str(az.Record.parse(str(record))) == str(record)
    assert game.draw(state).startswith("<svg")
    assert state.to_dict()["game"] == name
    action = state.actions[0]
    assert game.picks(state, int(action))[0].words
    assert game.previews(state)[0].projected == game.rules.try_actions(state.position)[0]
    assert game.steps(state, game.story(state, action))
    assert state.seat is not None
    assert state.view(state.seat).actions == state.actions
    try_a_table(game)
    assert not [module for module in sys.modules if module.split(".")[0] in ("numpy", "numba") and sys.modules[module]]
    print(repr(("done", str(state))))


def try_a_table(game: az.Game) -> None:
    chairs = [Chair("Ana", "a"), Chair("Ben", "b")]
    table = Table.open("t", game, chairs, seed="0" * 64).after
    assert table.phase is Phase.PLAYING
    seat = table.state.seat
    assert seat is not None
    after = table.obey(Play(seat, str(table.state.actions[0]), table.position), chairs[seat].owner).after
    assert len(after.actions) == 1


if __name__ == "__main__":
    main(*sys.argv[1:])
