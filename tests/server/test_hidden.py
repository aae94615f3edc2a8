"""What a seat may not know changes nothing of what is sent to it: not one byte."""

import random
from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest

import azulejos as az
from azulejos.core.state import State
from azulejos.games.duel.encoding import UNKNOWN
from azulejos.games.duel.notation import RULES
from azulejos.games.duel.tables import NUM_PLATES
from azulejos.server.live import view
from azulejos.server.live.view import Lens, Presence
from azulejos.tables import Chair, Phase, Play, Progress, Table

LENSES = (None, Lens("wide", "auto"))


def positions(game: az.Game, seed: int) -> Iterator[Progress]:
    """A game played at random, move by move."""
    chooser = random.Random(seed)
    chairs = [Chair(f"p{seat}", f"visitor {seat}") for seat in range(game.players)]
    progress = Table.open("t", game, chairs, f"{seed:02x}" * 32)
    while (table := progress.after).phase is Phase.PLAYING:
        assert table.turn is not None
        action = str(chooser.choice(list(table.state.actions)))
        progress = table.obey(Play(table.turn, action, table.position), f"visitor {table.turn}")
        yield progress


def hidden_otherwise(state: State, seat: int | None) -> State | None:
    """The same position of Duel for a seat, or, without one, for those who only watch: a plate that was put under the
    stack is another of its kind that nobody has seen. None if nothing is hidden."""
    array = state.array()
    record, eyes = array[0], range(2) if seat is None else (seat,)
    for place in range(record.stack_count):
        plate = int(record.stack[place])
        if plate == UNKNOWN or all(int(record.known[eye]) >> plate & 1 for eye in eyes):
            continue
        for other in range(NUM_PLATES):
            if int(record.unseen) >> other & 1 and RULES.kind_of(other) == RULES.kind_of(plate):
                swapped = 1 << plate | 1 << other
                record.stack[place] = other
                record.unseen ^= swapped
                for owner in range(2):
                    if int(record.known[owner]) >> plate & 1:
                        record.known[owner] ^= swapped
                return State(state.game, array, None, state.drawn)
    return None


def sent(progress: Progress, visitor: str, lens: Lens | None) -> bytes:
    """All that goes to a visitor after a move."""
    presence = Presence(frozenset(), frozenset())
    now = view.now(progress.after, visitor, presence, lens)
    return msgspec.json.encode((now, view.told(progress, visitor)))


def test_a_seat_is_sent_the_same_whatever_is_hidden_from_it() -> None:
    compared, watched = 0, 0
    for seed in range(6):
        for progress in positions(az.make("duel"), seed):
            if progress.after.phase is not Phase.PLAYING:
                break
            for seat in (0, 1, None):
                other = hidden_otherwise(progress.after.state, seat)
                if other is None:
                    continue
                table = replace(progress.after, states=(*progress.after.states[:-1], other))
                assert str(other) != str(progress.after.state)
                compared += seat is not None
                watched += seat is None
                for lens in LENSES if compared % 10 == 1 else LENSES[:1]:
                    visitor = f"visitor {seat}"
                    assert sent(progress, visitor, lens) == sent(progress._replace(after=table), visitor, lens)
    assert compared > 20, "Duel hides plates that were put under the stack"
    assert watched > 20


@pytest.mark.parametrize("name", az.registered())
def test_the_future_is_in_nothing_that_is_sent(name: str) -> None:
    """Neither the seed nor the visitors who sit there."""
    for number, progress in enumerate(positions(az.make(name), 9)):
        if progress.after.phase is not Phase.PLAYING or number > 25:
            break
        for visitor in ("visitor 0", "stranger"):
            text = sent(progress, visitor, LENSES[1] if number == 3 else None)
            assert b"09" * 32 not in text
            assert b"visitor 1" not in text
