"""A table without any server: commands in, one progress out."""

import random

import msgspec
import pytest

import azulejos as az
from azulejos.core.game import Game
from azulejos.tables import (
    COMPUTER,
    AnswerHandOver,
    AnswerTakeback,
    AnyEvent,
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
    Progress,
    Reason,
    Refusal,
    Resign,
    Sit,
    Table,
    allowed,
)
from azulejos.tables.table import MOST_EVENTS, SUBSTITUTE, TOO_LONG

SEED = "17" * 32
ANA, BEN = "visitor-ana", "visitor-ben"


def two_people(game: Game | None = None) -> Table:
    game = game or az.make("azul")
    return Table.open("t", game, [Chair("Ana", ANA), Chair("Ben", BEN)], SEED).after


def against_computer() -> Table:
    return Table.open("t", az.make("azul"), [Chair("Ana", ANA), Chair("greedy", player="greedy")], SEED).after


def owner(table: Table, seat: int) -> str:
    return COMPUTER if table.seats[seat].player else table.seats[seat].owner


def play_any(table: Table, chooser: random.Random | None = None) -> Progress:
    turn = table.turn
    assert turn is not None
    actions = list(table.state.actions)
    action = (chooser or random.Random(1)).choice(actions)
    return table.obey(Play(turn, str(action), table.position), owner(table, turn))


def refused(table: Table, command: Command, visitor: str) -> Reason:
    before = table
    with pytest.raises(Refusal) as caught:
        table.obey(command, visitor)
    assert table == before
    assert caught.value.message
    return caught.value.reason


@pytest.mark.parametrize("name", az.registered())
def test_a_whole_game_is_what_its_events_make_of_it(name: str) -> None:
    kind = az.registered()[name]
    game = kind()
    chairs = [Chair(f"visitor {seat}", f"v{seat}") for seat in range(game.players)]
    opened = Table.open("t", game, chairs, SEED)
    table, log, chooser = opened.after, list(opened.events), random.Random(3)
    while table.phase is Phase.PLAYING and len(table.actions) < 400:
        progress = play_any(table, chooser)
        assert progress.before == table
        log += progress.events
        table = progress.after
        assert table.number == len(log)
    stored = msgspec.json.decode(msgspec.json.encode(log), type=list[AnyEvent])
    again = Table.from_events("t", stored)
    assert again == table
    if table.phase is Phase.OVER:
        assert again.outcome == table.outcome is not None
    assert az.Record.parse(str(again.record)).state == table.state


def test_the_same_seed_deals_the_same_and_its_hash_is_public_before() -> None:
    first, second = two_people(), two_people()
    assert first.state == second.state
    assert first.commitment == second.commitment != SEED
    other = Table.open("t", az.make("azul"), [Chair("Ana", ANA), Chair("Ben", BEN)], "18" * 32).after
    assert other.state != first.state


def test_a_table_waits_until_every_seat_is_taken() -> None:
    chairs = [Chair("Ana", ANA), Chair(invitation="come")]
    table = Table.open("t", az.make("azul"), chairs, SEED).after
    assert table.phase is Phase.OPEN
    assert refused(table, Sit(1, "Ben"), BEN) is Reason.NOT_INVITED
    assert refused(table, Sit(1, "Ben", "wrong"), BEN) is Reason.NOT_INVITED
    assert refused(table, Sit(0, "Ben", "come"), BEN) is Reason.TAKEN
    assert refused(table, Sit(1, "Ana", "come"), BEN) is Reason.TAKEN
    assert refused(table, Play(0, "1B1", 0), ANA) is Reason.NOT_NOW
    table = table.obey(Sit(1, "Ben", "come"), BEN).after
    assert table.phase is Phase.PLAYING
    assert refused(table, Sit(1, "Eve", "come"), "visitor-eve") is Reason.TAKEN


def test_anybody_may_sit_at_a_public_table() -> None:
    chairs = [Chair("Ana", ANA), Chair(invitation="come")]
    table = Table.open("t", az.make("azul"), chairs, SEED, public=True).after
    assert table.obey(Sit(1, "Ben"), BEN).after.phase is Phase.PLAYING


@pytest.mark.parametrize("name", ["", " Ben", "Ben\n", "B\u202en", "x" * 41])
def test_a_name_is_one_line(name: str) -> None:
    table = Table.open("t", az.make("azul"), [Chair("Ana", ANA), Chair()], SEED).after
    assert refused(table, Sit(1, name), BEN) is Reason.MALFORMED


def test_markup_is_a_name_like_any_other() -> None:
    table = Table.open("t", az.make("azul"), [Chair("Ana", ANA), Chair()], SEED).after
    assert table.obey(Sit(1, "<b>&Ben"), BEN).after.names[1] == "<b>&Ben"


def test_moves_that_are_not_possible_are_refused_by_kind() -> None:
    table = two_people()
    turn = table.turn
    assert turn is not None
    mine, other = owner(table, turn), owner(table, 1 - turn)
    legal = str(table.state.actions[0])
    assert refused(table, Play(turn, legal, table.position), other) is Reason.NOT_YOURS
    assert refused(table, Play(1 - turn, legal, table.position), other) is Reason.NOT_YOUR_TURN
    assert refused(table, Play(turn, "nonsense", table.position), mine) is Reason.UNKNOWN
    assert refused(table, Play(turn, "CR1", table.position), mine) is Reason.ILLEGAL
    assert refused(table, Play(turn, legal, table.position - 1), mine) is Reason.STALE
    assert refused(table, Play(7, legal, table.position), mine) is Reason.UNKNOWN
    assert refused(table, Play(-1, legal, table.position), mine) is Reason.UNKNOWN
    assert refused(table, Play(turn, legal, table.position), "") is Reason.NOT_YOURS
    assert refused(table, Play(turn, legal, table.position), COMPUTER) is Reason.NOT_YOURS


def test_the_same_move_twice_is_one_move() -> None:
    table = two_people()
    turn = table.turn
    assert turn is not None
    command = Play(turn, str(table.state.actions[0]), table.position)
    once = table.obey(command, owner(table, turn)).after
    twice = once.obey(command, owner(table, turn))
    assert twice.after == once
    assert twice.events == ()
    another = Play(turn, str(table.state.actions[1]), table.position)
    assert refused(once, another, owner(table, turn)) is Reason.STALE


def test_takeback_needs_the_other_person() -> None:
    table = two_people()
    first = table.turn
    assert first is not None
    assert refused(table, AskTakeback(first), owner(table, first)) is Reason.NOT_NOW
    after = play_any(table).after
    asked = after.obey(AskTakeback(first), owner(table, first)).after
    assert asked.states == after.states
    assert refused(asked, AskTakeback(first), owner(table, first)) is Reason.NOT_NOW
    declined = asked.obey(AnswerTakeback(1 - first, False), owner(table, 1 - first)).after
    assert declined.takeback is None
    assert declined.states == after.states
    agreed = asked.obey(AnswerTakeback(1 - first, True), owner(table, 1 - first)).after
    assert agreed.states == table.states
    assert agreed.position > after.position
    played_on = play_any(asked).after
    assert played_on.takeback is None


def test_takeback_against_the_computer_is_at_once_and_deals_the_same() -> None:
    table, chooser = against_computer(), random.Random(5)
    while table.state.round == 1:
        before, table = table, play_any(table, chooser).after
    while table.turn != 0 or len(table.actions) < 2:
        table = play_any(table, chooser).after
    dealt = table.states[len(before.actions) + 1].drawn
    assert dealt
    back = table
    while back.state.round != 1:
        back = back.obey(AskTakeback(0), ANA).after
    assert back.turn == 0
    while back.state.round == 1:
        back = play_any(back, chooser).after
    assert back.state.drawn == dealt, "taking back is not drawing again"


def test_a_seat_left_empty_can_be_handed_to_a_computer_and_taken_back() -> None:
    table = two_people()
    assert refused(table, HandOver(1, "greedy"), ANA) is Reason.TAKEN
    assert refused(table, HandOver(1, "greedy"), "visitor-eve") is Reason.NOT_YOURS
    with pytest.raises(Refusal):
        table.obey(HandOver(1, "random"), ANA, away=frozenset({1}))
    away = table.obey(HandOver(1, SUBSTITUTE), ANA, away=frozenset({1})).after
    assert away.seats[1].player == SUBSTITUTE
    assert refused(away, AskTakeback(1), BEN) is Reason.NOT_YOURS
    assert refused(away, Sit(1, "Eve"), "visitor-eve") is Reason.TAKEN
    back = away.obey(Sit(1, "Ben"), BEN).after
    assert back.seats[1].person
    assert away.obey(Sit(1, ""), BEN).after.seats[1] == table.seats[1], "under the name that it had"
    left = table.obey(Leave(1), BEN, word="again").after
    assert refused(left, HandOver(1, "nobody"), ANA) is Reason.UNKNOWN
    assert refused(left, Sit(1, "Eve"), "visitor-eve") is Reason.NOT_INVITED
    assert left.obey(HandOver(1, "random"), ANA).after.seats[1].player == "random"
    assert left.obey(Sit(1, "Eve", "again"), "visitor-eve").after.seats[1].owner == "visitor-eve"


def test_resigning_ends_a_game_of_two_only() -> None:
    table = two_people().obey(Resign(0), ANA).after
    assert table.phase is Phase.OVER
    assert table.outcome
    assert table.outcome.winners == (1,)
    assert table.turn is None
    chairs = [Chair(name, name) for name in "abc"]
    three = Table.open("t", az.make("azul", players=3), chairs, SEED).after
    assert refused(three, Resign(0), "a") is Reason.NOT_NOW


def test_rematch_when_everybody_wants_it() -> None:
    table = two_people().obey(Resign(0), ANA).after
    assert refused(two_people(), AskRematch(0), ANA) is Reason.NOT_NOW
    asked = table.obey(AskRematch(0), ANA, word="next").after
    assert asked.next_table == ""
    agreed = asked.obey(AskRematch(1), BEN, word="next").after
    assert agreed.next_table == "next"
    following = agreed.open_rematch("19" * 32).after
    assert following.id == "next"
    assert following.names == ("Ben", "Ana")
    assert following.phase is Phase.PLAYING
    solo = against_computer().obey(Resign(0), ANA).after.obey(AskRematch(0), ANA, word="next").after
    assert solo.next_table == "next"


def test_a_table_is_opened_with_the_right_seats() -> None:
    game = az.make("azul")
    with pytest.raises(Refusal):
        Table.open("t", game, [Chair("Ana", ANA)], SEED)
    with pytest.raises(Refusal):
        Table.open("t", game, [Chair("Ana", ANA), Chair("x", player="nobody")], SEED)


def test_a_view_for_each_visitor() -> None:
    table = two_people()
    for seats in ((0,), (1,), (0, 1), ()):
        assert table.seen(0, seats).chance is None


# --- bounds ---


def test_what_is_asked_twice_happens_once() -> None:
    table = two_people()
    over = table.obey(Resign(0), ANA).after
    asked = over.obey(AskRematch(0), ANA).after
    assert asked.obey(AskRematch(0), ANA).events == ()
    three = [Chair("Ana", ANA), Chair("Ben", BEN), Chair("Eva", "visitor-eva")]
    table = Table.open("t", az.make("azul", players=3), three, SEED).after
    for _ in range(3):
        table = play_any(table).after
    table = table.obey(AskTakeback(0), ANA).after
    table = table.obey(AnswerTakeback(1, True), BEN).after
    assert table.takeback
    assert table.obey(AnswerTakeback(1, True), BEN).events == ()


def test_a_table_at_which_much_has_happened_only_comes_to_its_end() -> None:
    table = against_computer()
    while table.number < MOST_EVENTS:
        seat = table.turn
        table = play_any(table).after
        if seat == 0:
            table = table.obey(AskTakeback(0), ANA).after
    while table.turn != 0:
        table = play_any(table).after
    assert refused(table, AskTakeback(0), ANA) is Reason.TOO_MANY
    assert refused(table, Leave(0), ANA) is Reason.TOO_MANY
    assert {one.type for one in allowed(table, ANA)} == {"play", "resign"}
    while table.phase is Phase.PLAYING:
        table = play_any(table).after
    assert table.number < MOST_EVENTS + 200


def test_a_game_that_does_not_end_is_closed() -> None:
    """In Azul two people who never complete a row can play for ever."""
    table = two_people()
    while table.phase is Phase.PLAYING:
        turn = table.turn
        assert turn is not None
        floor = next(action for action in map(str, table.state.actions) if action.endswith("-"))
        progress = table.obey(Play(turn, floor, table.position), owner(table, turn))
        table = progress.after
    assert table.phase is Phase.CLOSED
    assert table.number == TOO_LONG + 1
    again = table.reopen().after
    assert again.phase is Phase.PLAYING
    assert play_any(again).after.phase is Phase.PLAYING


def test_a_stranger_does_not_fill_a_table_with_computer_players() -> None:
    """Before the game begins the host does, or the others agree."""
    chairs = [Chair("Ana", ANA), Chair(), Chair(), Chair()]
    table = Table.open("t", az.make("azul", players=4), chairs, SEED, True, host=ANA).after
    table = table.obey(Sit(1, "Ben"), BEN).after
    asked = table.obey(HandOver(2, "random"), BEN).after
    assert asked.handover
    assert not asked.seats[2].player
    assert asked.obey(AnswerHandOver(0, True), ANA).after.seats[2].player == "random"
    assert asked.obey(AnswerHandOver(0, False), ANA).after.handover is None
    assert table.obey(HandOver(2, "random"), ANA).after.seats[2].player == "random"


def test_the_same_actions_are_dealt_the_same() -> None:
    """Taking back is not drawing again."""
    table, deals = against_computer(), set[tuple[int, ...]]()
    while len(deals) < 1:
        before, turn = table, table.turn
        table = play_any(table).after
        if turn == 0 and table.state.drawn:
            for _ in range(8):
                deals.add(table.state.drawn)
                back = table.obey(AskTakeback(0), ANA).after
                assert (back.states, back.place, back.places) == (before.states, before.place, before.places)
                table = play_any(back).after
    assert len(deals) == 1


def test_closing_can_be_undone_and_publishes_nothing() -> None:
    table = two_people(az.make("duel"))
    for _ in range(5):
        table = play_any(table).after
    closed = table.close("a clock was wrong").after
    assert closed.phase is Phase.CLOSED
    assert closed.record.seal is None
    assert closed.seen(-1, ()) == table.seen(-1, ())
    again = closed.reopen().after
    assert again.phase is Phase.PLAYING
    assert again.state == table.state
    play_any(again)


def test_nobody_acts_for_somebody_who_is_away() -> None:
    table = play_any(play_any(two_people()).after).after
    table = table.obey(HandOver(1, SUBSTITUTE), ANA, away=frozenset({1})).after
    asked = table.obey(AskTakeback(0), ANA).after
    assert asked.takeback, "Ben has not agreed"
    assert asked.states == table.states

    while table.phase is Phase.PLAYING:
        table = play_any(table).after
    following = table.obey(AskRematch(0), ANA, word="next").after.open_rematch("19" * 32).after
    assert following.seats_of(BEN) == (), "Ben wanted no other game"
    assert following.names == ("regular", "Ana")


def test_a_computer_player_takes_a_persons_seat_by_agreement() -> None:
    table = two_people()
    asked = table.obey(HandOver(0, "master"), ANA)
    assert asked.after.seats == table.seats, "Ben plays against Ana"
    table = asked.after
    assert table.obey(HandOver(0, "master"), ANA).events == ()
    assert refused(table, AnswerHandOver(0, True), ANA) is Reason.NOT_NOW
    assert refused(table, AnswerHandOver(1, True), "visitor-eve") is Reason.NOT_YOURS
    agreed = table.obey(AnswerHandOver(1, True), BEN).after
    assert (agreed.seats[0].player, agreed.seats[0].owner, agreed.handover) == ("master", ANA, None)
    assert agreed.obey(Sit(0, ""), ANA).after.seats[0].person
    declined = table.obey(AnswerHandOver(1, False), BEN).after
    assert declined.seats == table.seats
    assert refused(declined, AnswerHandOver(1, True), BEN) is Reason.NOT_NOW
    for _ in range(2):
        table = play_any(table).after
    assert table.handover is None, "who asked plays on"
    alone = against_computer().obey(HandOver(0, "master"), ANA).after
    assert alone.seats[0].player == "master", "nobody else has a say"


def test_a_seat_that_was_left_is_no_way_around_the_agreement() -> None:
    chairs = [Chair("Ana", ANA), Chair("Ann", ANA), Chair("Ben", BEN)]
    table = Table.open("t", az.make("azul", players=3), chairs, SEED, host=ANA).after
    left = table.obey(Leave(1), ANA, word="again").after
    asked = left.obey(HandOver(1, "master"), ANA).after
    assert not asked.seats[1].player
    assert asked.obey(AnswerHandOver(2, True), BEN).after.seats[1].player == "master"
    assert left.obey(HandOver(1, SUBSTITUTE), ANA).after.seats[1].player == SUBSTITUTE
    gone = asked.obey(Leave(2), BEN, word="more").after
    back = gone.obey(Sit(2, "Eva", "more"), "visitor-eva").after
    assert refused(back, HandOver(1, "expert"), ANA) is Reason.NOT_NOW
    assert back.obey(HandOver(1, "master"), ANA).events == (), "Eva has agreed to nothing"


def test_the_win_is_claimed_from_somebody_who_is_away_in_their_turn() -> None:
    chairs = [Chair("Ana", ANA), Chair("Ben", BEN)]
    table = Table.open("t", az.make("azul"), chairs, SEED, claim_after=300).after
    turn = table.turn
    assert turn is not None
    other, both = 1 - turn, frozenset({0, 1})
    with pytest.raises(Refusal, match="long enough"):
        table.obey(ClaimWin(turn), owner(table, turn), both)
    assert refused(table, ClaimWin(other), owner(table, other)) is Reason.NOT_NOW, "nobody is away"
    assert refused(table, ClaimWin(other), owner(table, turn)) is Reason.NOT_YOURS
    claimed = table.obey(ClaimWin(other), owner(table, other), both)
    over = claimed.after
    assert over == Table.from_events(
        "t", [*Table.open("t", az.make("azul"), chairs, SEED, claim_after=300).events, *claimed.events]
    )
    assert over.outcome
    assert over.outcome.winners == (other,)
    assert f"seat {turn} was away" in str(over.record)
    assert az.Record.parse(str(over.record)).outcome == over.outcome
    with pytest.raises(Refusal, match="no win"):
        two_people().obey(ClaimWin(other), owner(table, other), both)
    three = Table.open("t", az.make("azul", players=3), [*chairs, Chair("Eva", "e")], SEED, claim_after=300).after
    assert three.claim_after == 0


def test_a_stranger_has_one_seat_and_the_host_can_free_it() -> None:
    game = az.make("azul", players=3)
    chairs = [Chair("Ana", ANA), Chair(invitation="x"), Chair(invitation="y")]
    table = Table.open("t", game, chairs, SEED, public=True).after
    table = table.obey(Sit(1, "Eva"), "visitor-eva").after
    assert refused(table, Sit(2, "Eva 2"), "visitor-eva") is Reason.TAKEN
    assert refused(table, FreeSeat(1), BEN) is Reason.NOT_YOURS
    assert refused(table, FreeSeat(0), ANA) is Reason.TAKEN
    free = table.obey(FreeSeat(1), ANA, word="z").after
    assert not free.seats[1].taken
    assert refused(free, Sit(1, "Eva"), "visitor-eva") is Reason.NOT_INVITED, "the next seat too"
    assert refused(free, Sit(2, "Eva"), "visitor-eva") is Reason.NOT_INVITED
    assert free.obey(Sit(1, "Eva", "z"), "visitor-eva").after.seats[1].taken, "unless she is asked in again"
    assert free.obey(Sit(1, "Ben"), BEN).after.seats[1].taken
    table = table.obey(Sit(2, "Ben"), BEN).after
    while 1 not in table.acted:
        table = play_any(table).after
    watched = Table.open("t", game, [Chair(invitation=word) for word in "xyz"], SEED, public=True, host=ANA).after
    watched = watched.obey(Sit(0, "Eva"), "visitor-eva").after
    assert not watched.obey(FreeSeat(0), ANA, word="w").after.seats[0].taken, "who opens it need not sit there"
    watched = watched.obey(Sit(1, "Ana"), ANA).after
    assert refused(watched, Sit(2, "Ana 2"), ANA) is Reason.TAKEN
    assert refused(table, FreeSeat(1), ANA) is Reason.TAKEN
