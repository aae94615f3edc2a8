"""Draws that anybody can check: each of the ways in which a record can lie is found."""

import hashlib
import random
from collections import Counter

import pytest

import azulejos as az
from azulejos.core.chance import SealedChance
from azulejos.core.errors import BrokenSeal
from azulejos.core.seal import Seal, check
from azulejos.tables import AddNonce, AskRematch, AskTakeback, Chair, Event, Phase, Play, Refusal, Resign, Sit, Table

SEED = "5e" * 32


def played(name: str, takebacks: int = 0) -> az.Record:
    """A whole game at a table of one person against themselves, some actions taken back."""
    game = az.make(name)
    table = Table.open("t", game, [Chair(f"p{k}", "ana") for k in range(game.players)], SEED, date="2026-11-15").after
    chooser = random.Random(7)
    while table.phase is Phase.PLAYING:
        assert table.turn is not None
        before = table
        move = Play(table.turn, str(chooser.choice(list(table.state.actions))), table.position)
        table = table.obey(move, "ana").after
        if takebacks and table.state.drawn and table.phase is Phase.PLAYING:
            assert before.turn is not None
            table = table.obey(AskTakeback(before.turn), "ana").after
            takebacks -= 1
    return table.record


@pytest.mark.parametrize("name", az.registered())
def test_a_game_at_a_table_can_be_checked_from_its_text(name: str) -> None:
    record = az.Record.parse(str(played(name)))
    assert record == played(name)
    found = check(record, hashlib.sha256(bytes.fromhex(SEED)).hexdigest())
    assert found.deals == sum(bool(state.drawn) for state in record.states())
    assert found.draws == sum(len(state.drawn) for state in record.states())


def test_a_game_with_moves_taken_back_is_as_fair() -> None:
    record = az.Record.parse(str(played("azul", takebacks=2)))
    assert record.seal
    assert check(record).deals == len(record.seal.places)


def test_a_deal_picked_among_several_is_found() -> None:
    """A dealer who tries places of the stream until one suits leaves a gap."""
    game, chance = az.make("azul"), Seal(SEED, ()).at(0)
    first, chance = chance.below(game.players)
    start = game.lay_out(first).deal(seed=chance)
    record, state, places, chooser = az.Record(start, ["a", "b"]), start, [0], random.Random(3)
    reached = start.chance.key if start.chance else 0
    while not state.over:
        action, draws = chooser.choice(list(state.actions)), None
        after = az.State(game, state.array()).play(action)  # without chance, so that a deal is waited for
        if after.awaits_draw:
            reached += 20 if len(places) == 1 else 0
            after, place = after.deal(seed=Seal(SEED, ()).at(reached)), reached
            assert after.chance
            draws, reached = after.drawn, after.chance.key
            places.append(place)
        record.play(action, draws)
        state = after
    record.seal = Seal(SEED, tuple(places))
    with pytest.raises(BrokenSeal, match="20 blocks"):
        check(record)


def test_nobody_alone_chooses_the_draws() -> None:
    """Both who has seen the hash, and added a nonce, and the dealer, who chose the seed before, change every draw."""
    ana, ben = "a1" * 32, "b2" * 32
    table = Table.open("t", az.make("azul"), [Chair("Ana", "ana", nonce="later"), Chair(invitation="w")], SEED).after
    table = table.obey(Sit(1, "Ben", "w", nonce=ben), "ben").after
    assert table.phase is Phase.OPEN, "the game waits for Ana's nonce"
    with pytest.raises(Refusal, match="64 hexadecimal"):
        table.obey(AddNonce(0, "5"), "ana")
    with pytest.raises(Refusal, match="not yours"):
        table.obey(AddNonce(0, ana), "ben")
    begun = table.obey(AddNonce(0, ana), "ana").after
    assert begun.phase is Phase.PLAYING
    assert begun.obey(AddNonce(0, ana), "ana").after == begun, "sent again, it is the same"
    with pytest.raises(Refusal):
        begun.obey(AddNonce(0, ben), "ana")
    other = table.obey(AddNonce(0, ben), "ana").after
    assert begun.state.drawn != other.state.drawn
    over = begun.obey(Resign(0), "ana").after
    assert Table.from_events("t", _events(over.id, ana, ben)).record == over.record
    record = az.Record.parse(str(over.record))
    assert record.seal
    assert record.seal.nonces == (ana, ben)
    check(record, begun.commitment, ana)
    with pytest.raises(BrokenSeal, match="nonce"):
        check(record, begun.commitment, "c3" * 32)
    record.seal = Seal(SEED, record.seal.places, (ana, ana))
    with pytest.raises(BrokenSeal, match="first deal"):
        check(record)
    rematch = over.obey(AskRematch(0), "ana").after.obey(AskRematch(1), "ben", word="next").after.open_rematch(SEED)
    assert [seat.nonce for seat in rematch.after.seats] == ["later", "later"]


def _events(identifier: str, ana: str, ben: str) -> list[Event]:
    opened = Table.open(identifier, az.make("azul"), [Chair("Ana", "ana", nonce="later"), Chair(invitation="w")], SEED)
    events, table = list(opened.events), opened.after
    commands = ((Sit(1, "Ben", "w", nonce=ben), "ben"), (AddNonce(0, ana), "ana"), (Resign(0), "ana"))
    for command, visitor in commands:
        progress = table.obey(command, visitor)
        events += progress.events
        table = progress.after
    return events


def test_another_seed_is_found() -> None:
    record = played("azul")
    with pytest.raises(BrokenSeal, match="promised"):
        check(record, "0" * 64)
    assert record.seal
    record.seal = Seal("5f" * 32, record.seal.places)
    with pytest.raises(BrokenSeal, match="first deal"):
        check(record)


def test_other_places_are_found() -> None:
    record = played("azul")
    assert record.seal
    first, second, *rest = record.seal.places
    for places, words in (
        ((1, second, *rest), "place 0"),
        ((first, second + 1, *rest), "left out"),
        ((first, second - 1, *rest), "before the last one ends"),
        ((first, second), "before the last one ends"),
        ((first, second, *rest, 9999), "more deals"),
        ((), "place 0"),
    ):
        record.seal = Seal(SEED, places)
        with pytest.raises(BrokenSeal, match=words):
            check(record)


def test_other_draws_are_found() -> None:
    """The same game dealt from elsewhere, with this seed written over it."""
    game, sealed = az.make("azul"), played("azul")
    assert sealed.seal
    record = az.Record(game.lay_out(0).deal(seed=3), seal=sealed.seal)
    with pytest.raises(BrokenSeal, match="first deal"):
        check(record)


def test_a_record_without_a_seed_cannot_be_checked() -> None:
    with pytest.raises(BrokenSeal, match="no seed"):
        check(az.Record(az.make("azul").start(seed=1)))


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("seed: 5e5e", "seed: 5f5e"),
        ("seed: 5e5e", "seed: 5E5e"),
        ("seed: 5e", "seed: "),
        ("hash: ", "hash: 0"),
        ("places: 0", "places: x"),
        ("places: 0", "places: -1"),
        ("places: 0", "places:  0"),
        ("places: 0", "places: ٣"),
    ],
)
def test_nonsense_in_a_seal_is_refused_with_its_line(line: str, instead: str) -> None:
    text = str(played("azul"))
    assert line in text
    with pytest.raises(az.TextError, match="line"):
        az.Record.parse(text.replace(line, instead, 1))


def test_the_stream_is_fair_and_as_it_is_described() -> None:
    chance, counts = SealedChance(0, bytes.fromhex(SEED)), Counter[int]()
    for _ in range(6000):
        number, chance = chance.below(6)
        counts[number] += 1
    assert sorted(counts) == list(range(6))
    assert max(counts.values()) - min(counts.values()) < 200
    block = hashlib.sha256(b"azulejos chance" + bytes.fromhex(SEED) + (5).to_bytes(8)).digest()
    assert SealedChance(5, bytes.fromhex(SEED)).below(100)[0] == int.from_bytes(block[:8]) * 100 >> 64
    assert SealedChance(0, b"a" * 32).below(2**31)[0] != SealedChance(0, b"b" * 32).below(2**31)[0]
