"""What a table writes is what an import accepts."""

import random
from collections.abc import Iterator

import pytest

import azulejos as az
from azulejos.server.running.checking import checked
from azulejos.tables import COMPUTER, Chair, Event, Phase, Refusal, Table
from azulejos.tables import commands as c

ANA, OTHERS = "visitor-ana", ("visitor-ben", "visitor-eva", COMPUTER)
GAMES = (az.make("azul"), az.make("azul", players=3), az.make("pavilion"), az.make("duel"))


def word(rng: random.Random, size: int = 16) -> str:
    return rng.randbytes(size).hex()


def opened(rng: random.Random) -> list[Event]:
    """A new table with seats of every kind."""
    game, public = rng.choice(GAMES), rng.random() < 0.4
    kinds = [Chair(), Chair(player="greedy"), Chair("Ana too", ANA), Chair(invitation="" if public else word(rng))]
    chairs = [Chair("Ana", ANA, nonce=rng.choice(["", "later"]))]
    chairs += [rng.choice(kinds) for _ in range(game.players - 1)]
    seed, claim = word(rng, 32), rng.choice([0, 60])
    return list(Table.open("t", game, chairs, seed, public, "2026-11-19", "", ANA, claim).events)


def something(rng: random.Random, table: Table) -> c.Command:
    """What somebody may try at a seat."""
    seat = rng.randrange(len(table.seats))
    name, nonce = rng.choice(["Ben", "Eva"]), word(rng, 32) if rng.random() < 0.3 else ""
    tries = [
        c.Sit(seat, name, table.seats[seat].invitation, nonce),
        c.HandOver(seat, rng.choice(["greedy", "regular"])),
        c.FreeSeat(seat),
        c.Leave(seat),
        c.AskTakeback(seat),
        c.AnswerTakeback(seat, rng.random() < 0.7),
        c.AnswerHandOver(seat, rng.random() < 0.7),
        c.AskRematch(seat),
        c.AddNonce(seat, word(rng, 32)),
        *([c.Resign(seat), c.ClaimWin(seat)] if rng.random() < 0.05 else []),
    ]
    return rng.choice(tries)


def happened(rng: random.Random, table: Table) -> Iterator[Event]:
    """What happens at a table where many try many things."""
    for _ in range(120):
        if table.phase is Phase.PLAYING and table.turn is not None and rng.random() < 0.75:
            seat = table.seats[table.turn]
            action = str(rng.choice(list(table.state.actions)))
            command: c.Command = c.Play(table.turn, action, table.position)
            visitor = COMPUTER if seat.player else seat.owner
        else:
            command = something(rng, table)
            visitor = rng.choice([table.seats[command.seat].owner or ANA, *OTHERS])
        away = frozenset([command.seat]) if rng.random() < 0.1 else frozenset[int]()
        try:
            progress = table.obey(command, visitor, away, word(rng))
        except Refusal:
            continue
        yield from progress.events
        table = progress.after
        if rng.random() < 0.01 and table.phase is not Phase.CLOSED:
            for change in (table.close("so it is"), table.close("so it is").after.reopen()):
                yield from change.events
                table = change.after


@pytest.mark.parametrize("seed", range(40))
def test_every_log_of_a_table_is_accepted(seed: int) -> None:
    rng = random.Random(seed)
    events = opened(rng)
    events += happened(rng, Table.from_events("t", events))
    assert checked("t", events) == Table.from_events("t", events)
