"""What a visitor is told: everything that they may know, nothing that they may not."""

import random

import msgspec
import pytest

import azulejos as az
from azulejos.core.language import speaking
from azulejos.server.live import view
from azulejos.server.live.messages import Choice
from azulejos.server.live.names import say_seats
from azulejos.server.pages.replay import Replay
from azulejos.tables import Chair, Leave, Phase, Play, Progress, Table

NOBODY_HERE = view.Presence(frozenset(), frozenset())
LENS = view.Lens("wide", "light")


def opened(game: str) -> Table:
    kind = az.registered()[game]()
    chairs = [Chair(f"name {seat}", f"visitor {seat}") for seat in range(kind.players)]
    return Table.open("t", kind, chairs, "21" * 32).after


def played(table: Table, chooser: random.Random) -> Progress:
    assert table.turn is not None
    action = chooser.choice(list(table.state.actions))
    return table.obey(Play(table.turn, str(action), table.position), table.seats[table.turn].owner)


def test_which_plate_goes_under_the_stack_is_told_to_its_owner_only() -> None:
    chooser, found = random.Random(4), 0
    for _game in range(12):
        table = opened("duel")
        while table.phase is Phase.PLAYING and found < 3:
            assert table.turn is not None
            seat, under = table.turn, [a for a in table.state.actions if str(a).startswith("under")]
            progress = played(table, chooser)
            table = progress.after
            if not under:
                continue
            found += 1
            action = str(table.actions[-1])
            mine = view.told(progress, f"visitor {seat}")[0]
            assert mine.action == action
            for other in (f"visitor {1 - seat}", "visitor nobody"):
                told = msgspec.json.encode(view.told(progress, other)).decode()
                assert action not in told
                assert action.removeprefix("under-") not in told
                steps = Replay.of_table(table, table.seats_of(other)).steps()
                assert action not in str(steps[-1])
    assert found, "no plate went under a stack in these games"


@pytest.mark.parametrize("game", az.registered())
def test_pictures_and_choices_go_to_those_who_may_act(game: str) -> None:
    table, chooser = opened(game), random.Random(6)
    for _turn in range(30):
        assert table.turn is not None
        for visitor in ("visitor 0", "visitor 1", "visitor nobody"):
            now = view.now(table, visitor, NOBODY_HERE, LENS)
            mine = visitor == f"visitor {table.turn}"
            assert bool(now.choices) == bool(now.actions) == mine
            sent = msgspec.json.decode(msgspec.json.encode(now.choices), type=list[Choice])
            assert {choice.action for choice in sent} == set(now.actions)
            if mine:
                assert sent == list(view.choices(table.state.view(table.turn)))
            assert now.board.startswith("<svg")
            assert not now.seed
            assert "21212121" not in msgspec.json.encode(now).decode()
            bare = view.now(table, visitor, NOBODY_HERE, None)
            assert not bare.board
            assert not bare.choices
            assert bare.actions == now.actions
        table = played(table, chooser).after


def test_the_last_move_is_told_in_a_line() -> None:
    state = az.parse(
        "azul coloured round 1 seat 0 start 0 | BBYY RRRR KKWW BBBB YYRR | 1 | B14Y16R14K18W18 | -"
        " | 0 -/-/-/-/- ...../...../...../...../..... - | 0 -/-/-/-/- ...../...../...../...../..... -"
    )
    assert state.game.say_move(state, state.game.action("1B2").index) == "2 blue from factory 1 to line 2"
    assert state.game.gain(state, state.game.action("1B2").index) == 1
    assert state.game.gain(state, state.game.action("1B-").index) == 0, "no score falls below 0"
    table, chooser = opened("azul"), random.Random(2)
    assert view.say_last(table, (0,)) is None
    for _turn in range(9):
        mover = table.turn
        table = played(table, chooser).after
        last = view.say_last(table, ())
        assert last
        assert last.seat == mover
        assert last.words.startswith(f"name {mover}: ")
        assert last.places[-1].startswith(f"seat-{mover}.")
    assert view.now(table, "visitor 0", NOBODY_HERE, LENS).last == last


def test_what_a_pass_costs_is_said_before() -> None:
    state = az.parse(
        "pavilion coloured round 4 decorating seat 0 start 1 | PGGGOOBBRR | - - - - - | - | P8G3O10Y8B7R5"
        " | P3G5O3Y6B2R5 | 28 PPPPGYYYBBRR OO..../RRR.../BB..../YYY.../GG..../PPP.../BP...."
        " | 25 GGGGOOOBBBRR OO..../RR..../BB..../YY..../GGG.../PP..../GBR..."
    )
    (words,) = [pick.words for pick in state.game.picks(state, state.game.action("pass").index)]
    assert words == "pass: 8 tiles go, −8"
    why = {one.place: one.why for one in state.game.closed(state)}
    assert why["seat-0.star-blue.6"] == "blue 6 costs 6 tiles, and you can pay 5"
    assert why["seat-0.star-orange.6"].startswith("orange 6: at least one tile must be")
    assert why["seat-0.star-red.1"] == "red 1 is filled already"


def test_the_words_follow_the_language_and_who_looks() -> None:
    table = opened("azul")
    assert table.turn is not None
    owner = f"visitor {table.turn}"
    assert view.now(table, owner, NOBODY_HERE, None).status.startswith("Your turn: ")
    assert "name" in view.now(table, "visitor nobody", NOBODY_HERE, None).status
    with speaking("fr"):
        assert view.now(table, owner, NOBODY_HERE, None).status.startswith("À vous\u202f: ")


def test_the_result_is_said_to_the_winner_and_to_others() -> None:
    table, chooser = opened("azul"), random.Random(7)
    while table.phase is Phase.PLAYING:
        table = played(table, chooser).after
    assert table.outcome
    winner = table.outcome.winners[0]
    if len(table.outcome.winners) == 1:
        won, lost = (table.outcome.scores[seat] for seat in (winner, 1 - winner))
        assert view.now(table, f"visitor {winner}", NOBODY_HERE, None).result == f"You win, {won}\u00a0: {lost}"
        assert view.now(table, f"visitor {1 - winner}", NOBODY_HERE, None).result.startswith(f"name {winner} wins")
    now = view.now(table, "visitor nobody", NOBODY_HERE, None)
    assert now.seed == table.seed
    sums = [sum(line.points[seat] for line in now.tally) for seat in range(2)]
    assert sums == now.scores


def test_who_leaves_without_a_name_is_you_to_themselves_and_nobody_to_the_status() -> None:
    chairs = [Chair(owner="visitor 0"), Chair(owner="visitor 1")]
    table = Table.open("t", az.make("azul"), chairs, "21" * 32).after
    assert table.turn is not None
    gone, left = f"visitor {table.turn}", f"visitor {1 - table.turn}"
    progress = table.obey(Leave(table.turn), gone)
    assert [told.words for told in view.told(progress, gone)] == ["You leave"]
    assert [told.words for told in view.told(progress, left)] == [f"Guest {table.turn + 1} leaves"]
    assert view.now(progress.after, left, NOBODY_HERE, None).status == "Waiting for 1 player"
    assert progress.after.record.names == ("player 1", "player 2")


def test_computer_players_of_one_kind_are_told_apart() -> None:
    chairs = [Chair(owner="visitor 0"), Chair(player="greedy"), Chair(player="greedy"), Chair("Cy", player="greedy")]
    table = Table.open("t", az.make("azul", players=4), chairs, "21" * 32).after
    names = ["You", "Computer · greedy 1", "Computer · greedy 2", "Cy (Computer · greedy)"]
    assert say_seats(table, (0,)) == names
