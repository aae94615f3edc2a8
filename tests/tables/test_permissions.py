"""What a table says may be done is what it does not refuse, and nothing else."""

import random

import pytest

import azulejos as az
from azulejos.tables import (
    AnswerHandOver,
    AnswerTakeback,
    AskRematch,
    AskTakeback,
    Chair,
    ClaimWin,
    Command,
    FreeSeat,
    HandOver,
    Leave,
    Phase,
    Play,
    Refusal,
    Resign,
    Sit,
    Table,
    allowed,
)
from azulejos.tables.table import SUBSTITUTE

ANA, BEN, EVA = "visitor-ana", "visitor-ben", "visitor-eva"


def commands(table: Table, seat: int) -> dict[str, Command]:
    """One of each kind, right in all but whether it is allowed."""
    action = str(next(iter(table.state.actions))) if table.phase is Phase.PLAYING else ""
    return {
        "sit": Sit(seat, f"guest {seat}", table.seats[seat].invitation),
        "leave": Leave(seat),
        "free seat": FreeSeat(seat),
        "hand over": HandOver(seat, SUBSTITUTE),
        "play": Play(seat, action, table.position),
        "answer hand over": AnswerHandOver(seat, True),
        "claim win": ClaimWin(seat),
        "resign": Resign(seat),
        "ask takeback": AskTakeback(seat),
        "answer takeback": AnswerTakeback(seat, True),
        "ask rematch": AskRematch(seat),
    }


def obeyed(table: Table, command: Command, visitor: str, away: frozenset[int]) -> Table | None:
    try:
        return table.obey(command, visitor, away, "word").after
    except Refusal:
        return None


@pytest.mark.parametrize("players", [2, 3])
def test_what_may_be_done_is_done(players: int) -> None:
    chooser, seen = random.Random(7), set[str]()
    chairs = [Chair("Ana", ANA), Chair("Ben", BEN), Chair("greedy", player="greedy")][:players]
    for _ in range(4):
        table = Table.open("t", az.make("azul", players=players), chairs, "17" * 32, claim_after=60).after
        for _ in range(150):
            away = frozenset(seat for seat in range(players) if table.seats[seat].person and chooser.random() < 0.1)
            possible = []
            for visitor in (ANA, BEN, EVA, "computer"):
                may = {(one.type, one.seat) for one in allowed(table, visitor, away, away)}
                for seat in range(players):
                    for name, command in commands(table, seat).items():
                        after = obeyed(table, command, visitor, away)
                        own = name == "hand over" and table.seats[seat].owner in ("", visitor)  # offered where it asks
                        again = name in ("answer takeback", "answer hand over", "ask rematch")  # changes nothing
                        if (name, seat) in may:
                            assert after, (name, seat, visitor)
                            seen.add(name)
                        elif visitor != "computer" and not own and not again:
                            assert after is None, (name, seat, visitor)
                        if after:
                            possible.append((after, name))
            if not possible or table.next_table:
                break
            rare = [after for after, name in possible if name != "play"]
            plays = [after for after, name in possible if name == "play"]
            table = chooser.choice(plays if plays and chooser.random() < 0.9 else rare or plays)
    wanted = {"sit", "leave", "hand over", "play", "ask takeback", "answer takeback"}
    assert wanted | ({"resign", "claim win", "answer hand over"} if players == 2 else set()) <= seen
