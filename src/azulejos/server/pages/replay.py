"""A replay of a record, or of a table as far as a visitor may see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from azulejos.core.action import Action
from azulejos.core.game import Game
from azulejos.core.language import _, say_of
from azulejos.core.record import Record
from azulejos.core.state import State
from azulejos.tables import Phase, Table

from ..live.names import say_seats


@dataclass(frozen=True)
class Replay:
    """A game to step through: words for all steps, and a picture of one.

    `states`: every position; `seen`: the same as they may be shown.
    """

    game: Game
    names: Sequence[str]
    actions: Sequence[Action]
    states: Sequence[State]
    seen: Sequence[State]
    viewer: int | None = None
    mine: Sequence[int] | None = None  # seats whose secrets may be told; None: all

    @staticmethod
    def of_record(record: Record) -> "Replay":
        states = list(record.states())
        return Replay(record.game, say_names(record), record.actions, states, states)

    @staticmethod
    def of_table(table: Table, mine: Sequence[int]) -> "Replay":
        """`mine`: the seats of whoever looks."""
        seen = [table.seen(position, mine) for position in range(len(table.states))]
        viewer = mine[0] if mine else None
        known = None if table.phase is Phase.OVER else mine
        return Replay(table.game, say_seats(table, mine), table.actions, table.states, seen, viewer, known)

    def steps(self) -> list[dict[str, Any]]:
        """The first position, then one step an action."""
        first = self.states[0]
        result: list[dict[str, Any]] = [
            {"round": first.round, "scores": first.scores, "words": "", "action": "", "text": str(self.seen[0])}
        ]
        for number, action in enumerate(self.actions, 1):
            before, after = self.states[number - 1], self.states[number]
            open_ = self.mine is None or before.seat in self.mine
            hidden = None if open_ else self.game.secret(int(action))
            result.append(
                {
                    "round": before.round,
                    "seat": before.seat,
                    "name": self.names[before.seat] if before.seat is not None else "",
                    "action": "…" if hidden else str(action),
                    "words": hidden or self.game.say_move(before, int(action)),
                    "steps": [step for step in self._told(number) if step["words"]],
                    "scores": after.scores,
                    "text": str(self.seen[number]),
                    "draws": self.game.print_draws(after.drawn),
                }
            )
        return result

    def _told(self, number: int) -> list[dict[str, Any]]:
        """The steps of the `number`-th action."""
        if not number:
            return []
        before, action, after = self.states[number - 1], self.actions[number - 1], self.states[number]
        return [
            msgspec.to_builtins(step) for step in self.game.steps(before, self.game.story(before, action, after.drawn))
        ]

    def step(self, number: int, theme: str, layout: str) -> dict[str, Any]:
        """The position after `number` actions, and how tiles travelled to it."""
        state = self.seen[number]
        return {
            "number": number,
            "board": str(self.game.draw(state, self.names, self.viewer, theme, layout, styled=False)),
            "text": str(state),
            "scores": state.scores,
            "steps": self._told(number),
            **self._played(number),
        }

    def _played(self, number: int) -> dict[str, Any]:
        """The `number`-th action in words, and the places that it touched."""
        if not number:
            return {"words": "", "places": []}
        before, index = self.states[number - 1], int(self.actions[number - 1])
        assert before.seat is not None
        hidden = None if self.mine is None or before.seat in self.mine else self.game.secret(index)
        said = hidden or self.game.say_move(before, index)
        places = [] if hidden else [pick.place for pick in self.game.picks(before, index)]
        return {"words": say_of(self.names[before.seat], said), "places": places}


def say_names(record: Record) -> list[str]:
    return [_say_name(seat, name) for seat, name in enumerate(record.names)]


def _say_name(seat: int, name: str) -> str:
    """A name of a record; one that only counts the seats is said in the visitor's language."""
    counted = name in (f"seat {seat + 1}", f"player {seat + 1}")
    return _("Player {number}").format(number=seat + 1) if counted else name
