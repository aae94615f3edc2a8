"""Summer Pavilion's rules, in the order of the rule page; then its rulings, its examples, and what others got wrong."""

import itertools
from collections import Counter
from math import comb
from typing import Any

import pytest

import azulejos as az
from azulejos.games.pavilion.tables import BORDERS, COLOURS, LETTERS, NUMBERS, STAR_COLOURS, STAR_LETTERS

from .boards import around, board, data, names, position, rhombus, tiles

NINE = "- - - - - - - - -"
HANDS = ("PPGG", "OOYY", "BBRR")


def star(letters: str, positions: str = "123456", colours: str = "") -> str:
    """Tiles of one star: of its own colour, or of the colours given."""
    if not colours:
        return " ".join(f"{letters}{p}" for p in positions)
    return " ".join(f"{letters}{p}{c}" for p, c in zip(positions, itertools.cycle(colours), strict=False))


# --- set-up ---


@pytest.mark.parametrize(("players", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_set_up(players: int, factories: int) -> None:
    """Also pitfall 8: everybody begins with 5 points."""
    state = az.make("pavilion", players=players).start(seed=1, first=1)
    found = state.to_dict()
    assert [sum(factory.values()) for factory in found["factories"]] == [4] * factories
    assert sum(found["supply"].values()) == 10
    assert found["token_in_centre"]
    assert found["centre"] == {}
    assert found["wild"] == "purple"
    assert found["seat"] == found["start"] == 1
    assert state.scores == (5,) * players
    assert sum(tiles(state).values()) == 132


def test_the_supply_is_laid_out_before_the_factories() -> None:
    state = az.make("pavilion").start(first=0, draws="PP PPPP PPPP GGGG OOOO YYYY BBBB RRRR")
    assert str(state).split(" | ")[1:3] == ["P" * 10, "GGGG OOOO YYYY BBBB RRRR"]


def test_the_start_player_is_drawn_if_nobody_names_one() -> None:
    game = az.make("pavilion", players=4)
    assert {game.start(seed=seed).seat for seed in range(40)} == {0, 1, 2, 3}


# --- phase 1, taking ---


def taking(factories: str, centre: str = "1", round_no: int = 1, **more: Any) -> az.State:
    return position(phase="taking seat 0", factories=factories, centre=centre, round_no=round_no, **more)


def test_all_tiles_of_a_colour_are_taken_and_the_rest_goes_to_the_centre() -> None:
    state = taking("BBYR - - - -", "1G").play("1B")
    assert data(state, 0)["tiles"] == {"blue": 2}
    assert data(state)["centre"] == {"green": 1, "yellow": 1, "red": 1}
    assert data(state)["factories"] == [{}] * 5
    assert state.seat == 1


def test_exactly_one_wild_comes_with_the_colour_and_the_other_wilds_go_to_the_centre() -> None:
    state = taking("PPBY - - - -").play("1B")
    assert data(state, 0)["tiles"] == {"purple": 1, "blue": 1}
    assert data(state)["centre"] == {"purple": 1, "yellow": 1}


def test_a_wild_is_not_taken_by_choice_where_anything_else_lies() -> None:
    state = taking("PPBY - - - -", "1PR")
    assert names(state) == ["CR", "1Y", "1B"]
    with pytest.raises(az.IllegalAction, match="purple is wild in round 1 and is taken alone only where nothing else"):
        state.play("1P")


def test_a_source_of_wilds_only_gives_exactly_one() -> None:
    """Pitfall 4: not more, not none."""
    state = taking("PPPP - - - -").play("1P")
    assert data(state, 0)["tiles"] == {"purple": 1}
    assert data(state)["centre"] == {"purple": 3}
    assert names(state) == ["CP"]
    after = state.play("CP")
    assert data(after, 1)["tiles"] == {"purple": 1}
    assert after.scores == (5, 4), "and with it comes the token"
    assert data(after)["centre"] == {"purple": 2}


def test_the_wild_colour_is_the_rounds_own() -> None:
    for round_no, colour in enumerate(COLOURS, 1):
        letter = LETTERS[round_no - 1]
        other = LETTERS[round_no % 6]
        source = "".join(sorted(letter * 2 + other * 2, key=LETTERS.index))
        state = taking(f"{source} - - - -", round_no=round_no)
        assert data(state)["wild"] == colour
        assert names(state) == [f"1{other}"]
        assert data(state.play(f"1{other}"), 0)["tiles"] == {colour: 1, COLOURS[round_no % 6]: 2}


def test_the_first_from_the_centre_takes_the_token_and_loses_a_point_a_tile() -> None:
    """Example: taking 3 yellow and a wild from the centre first: −4."""
    state = taking("- - - - -", "1PPYYYR", start=1).play("CY")
    assert state.scores == (1, 5)
    assert data(state, 0)["tiles"] == {"purple": 1, "yellow": 3}
    assert data(state)["start"] == 0
    assert not data(state)["token_in_centre"]


def test_the_second_from_the_centre_loses_nothing() -> None:
    state = taking("- - - - -", "1YYBB").play("CY").play("CB")
    assert state.scores == (3, 5)
    assert data(state)["start"] == 0


def test_the_token_is_not_taken_from_a_factory() -> None:
    state = taking("BBYR - - - -").play("1B")
    assert data(state)["token_in_centre"]
    assert state.scores == (5, 5)


def test_nobody_passes_while_tiles_are_taken() -> None:
    state = taking("BBYR - - - -")
    with pytest.raises(az.IllegalAction, match="tiles are taken from the factories and the centre now"):
        state.play("pass")


def test_the_phase_ends_when_factories_and_centre_are_empty_and_the_tokens_owner_begins() -> None:
    state = taking("- - - - -", "1BYY").play("CB").play("CY")
    assert data(state)["phase"] == "decorating"
    assert state.seat == 0
    second = taking("BBBY - - - -", start=1).play("1B").play("CY")
    assert data(second)["phase"] == "decorating"
    assert second.seat == 1


def test_play_goes_clockwise_through_all_seats() -> None:
    state = az.make("pavilion", players=4).start(seed=3, first=2)
    seats = []
    for _ in range(6):
        seats.append(state.seat)
        state = state.play(state.actions[0])
    assert seats == [2, 3, 0, 1, 2, 3]


# --- phase 2, decorating ---


def test_a_rhombus_costs_its_number_and_the_tiles_that_are_not_laid_go_to_the_tower() -> None:
    state = position(board(hand="BBBBPP"), board()).play("B4+1")
    assert data(state, 0)["tiles"] == {"purple": 1, "blue": 1}
    assert data(state, 0)["stars"]["blue"] == [None, None, None, "blue", None, None]
    assert data(state)["tower"] == {"purple": 1, "blue": 2}
    assert state.seat == 1


def test_the_mix_of_wilds_is_the_players_choice() -> None:
    state = position(board(hand="BBBPP", tiles="B1 B2 B6"), board())
    assert [name for name in names(state) if name[0] == "B"] == ["B3", "B3+1", "B3+2", "B4+1", "B4+2", "B5+2"]


def test_at_least_one_tile_is_of_the_colour() -> None:
    """A wild never stands in for the tile that is laid."""
    state = position(board(hand="PPPPPP"), board())
    assert [name for name in names(state) if name[0] not in "PC"] == ["pass"]
    assert [name for name in names(state) if name[0] == "C"] == [f"C{n}P" for n in range(1, 7)]
    with pytest.raises(az.IllegalAction, match="that costs 1 blue and 1 wild purple; seat 0 has PPPPPP"):
        state.play("B2+1")


def test_the_wild_colours_own_rhombi_are_paid_in_it_alone() -> None:
    state = position(board(hand="PPPBBB"), board())
    assert [name for name in names(state) if name[0] == "P"] == ["P1", "P2", "P3"]
    with pytest.raises(az.IllegalAction, match="purple is itself wild in round 1"):
        state.play("P2+1")


def test_an_outer_star_takes_its_colour_only_and_a_rhombus_one_tile() -> None:
    state = position(board(hand="RR", tiles="R1"), board())
    assert names(state) == ["R2", "C1R", "C2R", "pass"]
    with pytest.raises(az.IllegalAction, match="red 1 of seat 0 has its tile already"):
        state.play("R1")


def test_the_central_star_takes_each_colour_once() -> None:
    """Pitfall 7: every colour that it lacks is a choice, in every position."""
    state = position(board(hand="PGOYBR", tiles="C2G C5R"), board())
    central = [name for name in names(state) if name[0] == "C"]
    assert [name for name in central if "+" not in name] == [f"C1{c}" for c in "POYB"]
    assert [name for name in central if "+" in name] == []
    with pytest.raises(az.IllegalAction, match="takes purple or orange or yellow or blue, not red"):
        state.play("C1R")
    rich = position(board(hand="PPGGOOYYBBRR"), board())
    assert {name for name in names(rich) if name.startswith("C2")} >= {f"C2{c}" for c in LETTERS}
    assert {f"C3{c}+1" for c in "GOYBR"} <= set(names(rich))
    assert "C3P+1" not in names(rich)


@pytest.mark.parametrize(
    ("filled", "placed", "points"),
    [
        ("", 1, 1),
        ("1", 2, 2),
        ("1 3", 2, 3),
        ("5 4", 6, 3),
        ("6 1", 3, 1),
        ("6", 1, 2),
        ("5 6 2 3", 1, 5),
        ("1 2 3 4 5", 6, 6),
        ("2 3 4 5 6", 1, 6),
        ("1 3 5", 4, 3),
    ],
)
def test_points_are_the_length_of_the_segment_around_the_ring(filled: str, placed: int, points: int) -> None:
    mine = board(hand="R" * placed, tiles=" ".join(f"R{p}" for p in filled.split()))
    state = position(mine, board())
    after = state.play(f"R{placed}")
    assert after.scores[0] - state.scores[0] == points


def test_unused_tiles_stay_during_the_phase_and_play_goes_round_until_all_have_passed() -> None:
    state = position(board(hand="RRR"), board(hand="B"))
    state = state.play("R1")
    assert state.seat == 1
    state = state.play("pass")
    assert data(state, 0)["tiles"] == {"red": 2}
    assert state.seat == 0
    state = state.play("R2")
    assert state.seat == 0, "who has passed is out for the round"
    assert data(state, 1)["passed"]
    state = state.play("pass")
    assert state.awaits_draw
    assert state.round == 2
    assert not data(state, 1)["passed"]


# --- ornaments ---


@pytest.mark.parametrize("ornament", range(18))
def test_each_ornament_is_surrounded_by_the_last_of_its_rhombi_whichever_it_is(ornament: int) -> None:
    expected = (1, 2, 3)[ornament // 6]
    for last in around(ornament):
        others = [name for name in around(ornament) if name != last]
        colour = last[2:] or last[0]
        mine = board(hand=colour * 6, tiles=" ".join(others))
        state = position(mine, board(), round_no=6 if colour != "R" else 5)
        after = state.play(last)
        assert data(after)["phase"] == "bonus"
        assert data(after)["to_choose"] == expected
        assert after.seat == 0


def test_an_ornament_with_a_free_rhombus_gives_nothing() -> None:
    """Pitfall 2: not before it is surrounded, and not again after it was."""
    state = position(board(hand="OOO", tiles="O2 C1R"), board()).play("O3")
    assert data(state)["phase"] == "decorating", "position 6 of the central star is free"
    surrounded = position(board(hand="OOOO", tiles="O2 O3 C6G C1R"), board()).play("O4")
    assert data(surrounded)["phase"] == "decorating", "the pillar was surrounded before"


def test_several_ornaments_at_once_give_the_tiles_of_each() -> None:
    """Orange 2 completes the orange pillar and the statue between orange and red: 1 + 2."""
    state = position(board(hand="OO", tiles="O1 O3 C6G C1R R3 R4"), board())
    after = state.play("O2")
    assert data(after)["to_choose"] == 3
    kinds = [event.ornament for event in state.game.story(state, "O2") if event.kind == "ornament"]
    assert kinds == [0, 6]


def test_a_tile_on_the_central_star_can_complete_two_pillars() -> None:
    state = position(board(hand="Y", tiles="O2 O3 C6G R2 R3 C2B"), board()).play("C1Y")
    assert data(state)["to_choose"] == 2


# --- passing ---


def test_up_to_four_tiles_are_kept_without_being_asked() -> None:
    state = position(board(hand="GGRB"), board()).play("pass")
    assert state.seat == 1
    assert state.scores == (5, 5)
    assert data(state, 0)["tiles"] == {"green": 2, "blue": 1, "red": 1}


def test_pass_with_4_green_and_2_red_keeping_the_green() -> None:
    """Example: −2."""
    state = position(board(hand="GGGGRR"), board(hand="B")).play("pass")
    assert data(state)["phase"] == "keeping"
    while state.seat == 0:
        state = state.play("KG")
    assert state.scores[0] == 5 - 2
    assert data(state, 0)["tiles"] == {"green": 4}
    assert data(state)["tower"] == {"red": 2}
    assert state.seat == 1


def test_tiles_are_kept_in_the_order_of_the_colours_so_no_choice_comes_twice() -> None:
    """Each way to keep four of ten tiles is one sequence of actions."""
    hand = Counter("PPPGYYBBRR")
    state = position(board(hand="PPPGYYBBRR"), board(hand="B")).play("pass")

    def leaves(now: az.State) -> list[str]:
        if data(now)["phase"] != "keeping":
            return [str(data(now, 0)["tiles"])]
        return [leaf for action in now.actions for leaf in leaves(now.play(action))]

    found = leaves(state)
    expected = {
        str({COLOURS[k]: n for k, n in enumerate(kept) if n})
        for kept in itertools.product(*(range(hand[letter] + 1) for letter in LETTERS))
        if sum(kept) == 4
    }
    assert len(found) == len(set(found))
    assert set(found) == expected
    after = state.play("KY")
    with pytest.raises(az.IllegalAction, match="tiles are kept in the order PGOYBR, and Y is kept already"):
        after.play("KP")
    with pytest.raises(az.IllegalAction, match="seat 0 has no orange tile to keep"):
        state.play("KO")
    with pytest.raises(az.IllegalAction, match="fewer than the 4 still to keep"):
        state.play("KR")
    with pytest.raises(az.IllegalAction, match="seat 0 has passed and chooses 4 tiles to keep now"):
        state.play("pass")


def test_what_is_left_without_a_choice_is_kept_at_once() -> None:
    state = position(board(hand="RRRRRR"), board(hand="B")).play("pass")
    assert state.seat == 1
    assert data(state, 0)["tiles"] == {"red": 4}
    assert state.scores[0] == 3
    started = position(board(hand="PYBRR"), board(hand="B")).play("pass").play("KY")
    assert started.seat == 1, "after yellow only blue and two red are left"
    assert data(started, 0)["tiles"] == {"yellow": 1, "blue": 1, "red": 2}


def test_keeping_is_at_most_four_decisions_of_at_most_six_actions() -> None:
    state = position(board(hand="PPPPGGGGOOOOYYYYBBBBRRRR"), board(hand="B")).play("pass")
    decisions = 0
    while data(state)["phase"] == "keeping":
        assert len(state.actions) <= 6
        state = state.play(state.actions[0])
        decisions += 1
    assert decisions == 4
    assert comb(6 + 3, 4) == 126, "ways that one action for all four tiles would have to tell apart"


# --- phase 3 ---


def last_pass(**more: Any) -> az.State:
    """Seat 0 passes as the last one."""
    mine, other = more.pop("boards", (board(), board(passed=True)))
    return position(mine, other, **more).play("pass")


def test_the_next_round_has_the_next_wild_new_tiles_and_the_tokens_owner_starts() -> None:
    state = last_pass(boards=(board(hand="RR"), board(passed=True)), start=1, round_no=2)
    state = state.deal("PPPG GGGO OOYY YBBB RRRP")
    found = state.to_dict()
    assert (found["round"], found["wild"], found["seat"], found["phase"]) == (3, "orange", 1, "taking")
    assert found["token_in_centre"]
    assert data(state, 0)["tiles"] == {"red": 2}, "tiles kept are there in the next round"
    assert [sum(factory.values()) for factory in found["factories"]] == [4] * 5


def full_boards(**more: Any) -> list[str]:
    """Three boards with all outer stars full: 18 tiles of each colour."""
    return [board(" ".join(star(letters) for letters in "ORBYGP"), score=50, **more) for _ in range(3)]


def test_bag_and_tower_run_out_in_a_deal_so_play_goes_on_with_what_there_is() -> None:
    state = position(
        *full_boards(passed=True), board(), factories=NINE, phase="decorating seat 3", round_no=2, tower="BBB"
    )
    waiting = state.play("pass")
    assert data(waiting)["bag"] == {"purple": 2, "green": 2, "orange": 2, "yellow": 2, "red": 3}
    dealt = waiting.deal("PP GGOO YYRR RBBB")
    assert str(dealt).split(" | ")[2] == "PPGG OOYY BRRR BB - - - - -"
    assert data(dealt)["phase"] == "taking"
    assert data(dealt)["bag"] == data(dealt)["tower"] == {}


# --- the end ---


def end(mine: str, other: str | None = None, side: str = "coloured") -> tuple[int, ...]:
    """The final scores if seat 0 is the last to pass in round 6."""
    state = position(mine, other or board(side=side, passed=True), round_no=6, side=side).play("pass")
    assert state.over
    return state.scores


@pytest.mark.parametrize(
    ("colour", "points"), [("red", 14), ("blue", 15), ("yellow", 16), ("orange", 17), ("green", 18), ("purple", 20)]
)
def test_a_full_star_of_a_colour(colour: str, points: int) -> None:
    assert end(board(star(colour[0].upper())))[0] == 5 + points
    assert end(board(star(colour[0].upper(), "12345")))[0] == 5


def test_a_full_multicoloured_star() -> None:
    assert end(board(star("C", colours=LETTERS)))[0] == 5 + 12


@pytest.mark.parametrize(("number", "points"), [(1, 4), (2, 8), (3, 12), (4, 16), (5, 0), (6, 0)])
def test_all_rhombi_with_a_number(number: int, points: int) -> None:
    every = " ".join(f"{letters}{number}" for letters in "ORBYGP")
    assert end(board(f"{every} C{number}R"))[0] == 5 + points
    assert end(board(every))[0] == 5, "the central star's is one of them"


def test_bonuses_add_up_on_a_full_board() -> None:
    whole = " ".join([*(star(letters) for letters in "ORBYGP"), star("C", colours=LETTERS)])
    assert end(board(whole, score=152))[0] == 152 + 112 + 40


def test_most_points_win_and_tied_players_share_the_victory() -> None:
    state = position(board("R1", score=6), board("R1", score=6, passed=True), round_no=6).play("pass")
    assert state.outcome is not None
    assert state.outcome.winners == (0, 1)
    state = position(board("R1", score=5), board("R1", score=6, passed=True), round_no=6).play("pass")
    assert state.outcome is not None
    assert state.outcome.winners == (1,)
    assert str(state.outcome) == "5–6, seat 1 wins"


# --- the plain side ---


def plain(tiles_: str = "", hand: str = "", **more: Any) -> str:
    return board(tiles_, hand, side="plain", **more)


def plain_names(tiles_: str, hand: str, letters: str) -> list[str]:
    """What may be laid on a star, colours only, paid without wilds; blue is wild."""
    state = position(plain(tiles_, hand), plain(), side="plain", round_no=5)
    own = [name for name in names(state) if "+" not in name]
    return [name for name in own if name.startswith(letters) and name[len(letters)].isdigit()]


def test_plain_numbers() -> None:
    """Positions 1 to 6 of an outer star cost 3, 2, 1, 4, 5, 6; of the central star 3 each."""
    assert plain_names("", "RRR", "NW") == ["NW1R", "NW2R", "NW3R"]
    assert plain_names("", "RR", "NW") == ["NW2R", "NW3R"]
    assert plain_names("", "RRR", "C") == [f"C{p}R" for p in "123456"]
    assert plain_names("", "RR", "C") == []
    state = position(plain(hand="RRR"), plain(), side="plain", round_no=5).play("NW1R")
    assert data(state, 0)["tiles"] == {}


def test_plain_the_first_tile_may_be_any_colour_and_the_second_too() -> None:
    """Pitfall 5: not closed to colours that fit."""
    assert plain_names("", "PGOYBR", "E") == [f"E3{c}" for c in LETTERS]
    assert plain_names("E1Y", "PGOYBR", "E") == [f"E3{c}" for c in LETTERS]
    assert plain_names("C1Y", "PPPGGGOOOYYYRRR", "C") == [f"C{p}{c}" for c in "PGOYR" for p in "23456"]


def test_plain_the_second_tile_decides_for_one_colour() -> None:
    """Pitfall 5: not open to colours that don't fit."""
    assert plain_names("E1Y E2Y", "PGOYBR", "E") == ["E3Y"]
    state = position(plain("E1Y", "Y"), plain(), side="plain", round_no=5).play("E3Y").play("pass")
    assert data(state, 0)["stars"]["right"] == ["yellow", None, "yellow", None, None, None]
    with pytest.raises(az.IllegalAction, match="takes yellow, not red"):
        state.play("E2R")


def test_plain_the_second_tile_decides_for_six_colours() -> None:
    assert plain_names("E1Y E2R", "PGOYBR", "E") == [f"E3{c}" for c in "PGOB"]
    assert plain_names("E1Y E2R E4P E5G E6O", "PGOYBR", "E") == ["E3B"]


def test_plain_stars_do_not_bind_each_other() -> None:
    """More than one star may be of the same colour, and more than one multicoloured."""
    same = "NW1R NW2R NE1R NE2R C1R C2R"
    assert plain_names(same, "R", "NE") == ["NE3R"]
    assert plain_names(same, "RRR", "C") == ["C3R", "C4R", "C5R", "C6R"]
    mixed = "NW1R NW2G NE1R NE2G"
    assert plain_names(mixed, "PRG", "NE") == ["NE3P"]
    assert plain_names(mixed, "PRG", "W") == ["W3P", "W3G", "W3R"]


def test_plain_full_stars_count_by_what_they_became() -> None:
    one = star("NW", colours="G")
    many = star("SE", colours=LETTERS)
    central = star("C", colours="P")
    assert end(plain(one), side="plain")[0] == 5 + 18
    assert end(plain(many), side="plain")[0] == 5 + 12
    assert end(plain(central), side="plain")[0] == 5 + 20
    assert end(plain(star("C", colours="RGOYBP")), side="plain")[0] == 5 + 12
    assert end(plain(f"{one} {star('E', colours='G')}"), side="plain")[0] == 5 + 18 + 18


@pytest.mark.parametrize(("number", "points"), [(1, 4), (2, 8), (3, 12), (4, 16), (5, 0), (6, 0)])
def test_plain_numbers_count_at_the_end(number: int, points: int) -> None:
    """There are twelve 3s: those of the outer stars, at position 1, and the whole central star."""
    at = {3: 1, 2: 2, 1: 3}.get(number, number)
    outer = " ".join(f"{letters}{at}R" for letters in STAR_LETTERS[1][:6])
    if number == 3:
        assert end(plain(outer), side="plain")[0] == 5
        assert end(plain(star("C", colours=LETTERS)), side="plain")[0] == 5 + 12
        outer += " " + star("C", colours=LETTERS)
        points += 12
    assert end(plain(outer), side="plain")[0] == 5 + points


def test_plain_has_the_same_ornaments() -> None:
    """Positions, not numbers, surround: the window of the star at the top left is its positions 5 and 6."""
    state = position(plain("NW5R", "RRRRRR"), plain(), side="plain", round_no=5).play("NW6R")
    assert data(state)["to_choose"] == 3


# --- rulings ---


def test_p_r1_no_loss_takes_a_score_below_1() -> None:
    """Also pitfall 1: taking the token."""
    state = taking("- - - - -", "1YYYYYYYB").play("CY")
    assert state.scores[0] == 1
    passing = position(board(hand="RRRRRRRRRR", score=3), board()).play("pass")
    assert passing.scores[0] == 1


def test_p_r2_a_short_supply_gives_what_is_there() -> None:
    mine = board("O5", hand="O" * 6)
    state = position(mine, board(), supply="GY", rest="hand", round_no=6).play("O6")
    assert data(state, 0)["tiles"] == {"green": 1, "yellow": 1}
    assert data(state)["phase"] == "refill", "nothing is left to choose"
    one = position(mine, board(), supply="GYB", rest="hand", round_no=6).play("O6")
    assert data(one, 0)["tiles"] == {"green": 1, "yellow": 1, "blue": 1}
    nothing = position(mine, board(), supply="", rest="hand", round_no=6).play("O6")
    assert data(nothing, 0)["tiles"] == {}
    for after in (state, one, nothing):
        assert az.parse(str(after)) == after


def test_p_r3_nobody_took_the_token_so_the_start_player_keeps_it() -> None:
    state = az.make("pavilion").start(first=1, draws="PG OYBR PGOY GGGG OOOO YYYY BBBB RRRR")
    for action in ("1G", "2O", "3Y", "4B", "5R"):
        state = state.play(action)
    assert data(state)["phase"] == "decorating"
    assert state.seat == 1
    assert data(state)["start"] == 1
    assert not data(state)["token_in_centre"]
    assert state.scores == (5, 5)


@pytest.mark.parametrize("count", range(9))
def test_p_r4_exactly_four_tiles_are_kept_or_all_if_there_are_fewer(count: int) -> None:
    state = position(board(hand="GBGBGBGB"[:count], score=5), board(hand="R")).play("pass")
    while data(state)["phase"] == "keeping":
        state = state.play(state.actions[0])
    kept = sum(data(state, 0)["tiles"].values())
    assert kept == min(4, count)
    assert state.scores[0] == max(1, 5 - max(0, count - 4))


def test_p_r5_tiles_come_from_the_supply_one_by_one_and_it_is_refilled_after_the_last() -> None:
    state = position(board("O5", hand="O" * 6), board(), round_no=6).play("O6")
    assert names(state) == [f"S{letter}" for letter in LETTERS]
    with pytest.raises(az.IllegalAction, match="seat 0 chooses 3 tiles from the supply now"):
        state.play("pass")
    state = state.play("SR")
    assert data(state)["to_choose"] == 2
    assert sum(data(state)["supply"].values()) == 9, "not refilled in between"
    assert names(state) == [f"S{letter}" for letter in "PGOYB"]
    with pytest.raises(az.IllegalAction, match="the supply has no red tile; it holds PPGGOOYYB"):
        state.play("SR")
    state = state.play("SP").play("SP")
    assert state.awaits_draw
    assert data(state, 0)["tiles"] == {"purple": 2, "red": 1}
    state = state.deal("BBB")
    assert data(state)["supply"] == {"green": 2, "orange": 2, "yellow": 2, "blue": 4}
    assert state.seat == 1


def test_p_r5_tiles_chosen_can_be_used_in_the_same_phase() -> None:
    state = position(board("O5", hand="O" * 6), board(), round_no=6).play("O6").play("SR").play("SP").play("SP")
    state = state.deal("BBB").play("pass")
    assert {"R1", "P1", "P2"} <= set(names(state))


def test_p_r6_supply_stays_short_and_is_filled_after_the_next_turn_that_gives_tiles() -> None:
    """Bag and tower are empty. Two turns that put nothing in the tower leave the supply short; a third fills it."""
    state = position(board(hand="RRRBY"), board(), supply="GYB", rest="hand", round_no=6)
    assert data(state)["bag"] == data(state)["tower"] == {}
    state = state.play("B1").play("O1")
    assert sum(data(state)["supply"].values()) == 3
    assert not state.awaits_draw
    state = state.play("R3")
    assert data(state)["phase"] == "refill"
    assert data(state)["bag"] == {"red": 2}, "the tower is poured: the two red tiles paid"
    assert data(state)["tower"] == {}
    state = state.deal("RR")
    assert data(state)["supply"] == {"green": 1, "yellow": 1, "blue": 1, "red": 2}
    assert state.seat == 1


def test_p_r6_a_pass_fills_the_supply_too() -> None:
    state = position(board(hand="RRRRRR"), board(), supply="GYB", rest="hand", round_no=1).play("pass")
    assert data(state)["phase"] == "refill"
    assert data(state)["bag"] == {"red": 2}
    state = state.deal("RR")
    assert sum(data(state)["supply"].values()) == 5


def test_p_r6_the_last_pass_of_a_round_fills_the_supply_before_the_factories() -> None:
    state = position(
        *full_boards(passed=True), board(), factories=NINE, phase="decorating seat 3", supply="GYB", rest="hand"
    ).play("pass")
    assert data(state)["phase"] == "keeping"
    for _ in range(4):
        state = state.play(state.actions[0])
    assert data(state, 3)["tiles"] == {"purple": 4}
    assert data(state)["phase"] == "deal"
    state = state.deal("G GGOO OOYY YBBB RRRR")
    assert str(state).split(" | ")[1:3] == ["GGGGOOOOYB", "YYYB BBRR RR - - - - - -"]


def test_p_r7_the_tower_is_poured_only_when_a_tile_is_needed_and_the_bag_is_empty() -> None:
    """Also pitfall 3: an empty bag does not leave the supply unfilled."""
    state = position(board("O5", hand="O" * 6), board(), round_no=6, tower="", rest="tower")
    assert data(state)["bag"] == {}
    full = data(state)["tower"]
    state = state.play("O6")
    assert data(state)["bag"] == {}, "nothing is needed before the last tile is chosen"
    state = state.play("SR").play("SP").play("SP")
    assert data(state)["tower"] == {}
    assert data(state)["bag"] == full | {"orange": full["orange"] + 5}
    assert data(state.deal("RRR"))["phase"] == "decorating"


def test_p_r7_a_bag_that_is_not_empty_is_used_up_first() -> None:
    tower = {"purple": 20, "green": 20, "orange": 20, "yellow": 20, "blue": 21, "red": 19}
    lost = "".join(colour[0].upper() * count for colour, count in tower.items())
    state = position(board(), board(passed=True), tower=lost).play("pass")
    for left in (2, 1):
        assert data(state)["bag"] == {"red": left}
        assert data(state)["tower"] == tower
        state = state.draw(COLOURS.index("red"))
    assert data(state)["bag"] == tower
    assert data(state)["tower"] == {}


def test_p_r7_factories_are_filled_one_after_another() -> None:
    state = az.make("pavilion").lay_out(0)
    for k in range(10):
        assert sum(data(state)["supply"].values()) == k
        state = state.draw(k % 6)
    for k, colour in enumerate([0, 1, 2, 3, 4, 0]):
        assert [sum(f.values()) for f in state.to_dict()["factories"]][k // 4] == k % 4
        state = state.draw(colour)
    assert str(state).split(" | ")[2] == "PGOY PB - - -"


def test_p_r8_no_tile_at_all_can_be_dealt_so_play_goes_straight_to_phase_2() -> None:
    """All 132 tiles lie on boards and in hands."""
    boards = [one.replace(" - ", f" {hand} ") for one, hand in zip(full_boards(passed=True), HANDS, strict=True)]
    last = board("O1 R1 B1 Y1 G1 P1 " + star("C", colours=LETTERS))
    state = position(*boards, last, factories=NINE, supply="", phase="decorating seat 3", start=2, round_no=3)
    assert data(state)["bag"] == data(state)["tower"] == {}
    after = state.play("pass")
    found = after.to_dict()
    assert (found["round"], found["phase"], found["seat"], found["wild"]) == (4, "decorating", 2, "yellow")
    for _ in range(11):
        assert not after.over
        after = after.play("pass")
    assert after.round == 6
    assert not after.over
    assert after.play("pass").over, "six rounds are played all the same"


def test_p_r9_round_6_asks_for_no_choice() -> None:
    """All tiles but four cost a point at once, the four after the bonuses."""
    state = position(board("R1 R2", hand="GGBBYYR", score=8), board(hand="B"), round_no=6).play("pass")
    assert state.seat == 1
    assert state.scores[0] == 8 - 3
    assert sum(data(state, 0)["tiles"].values()) == 4
    after = state.play("pass")
    assert after.over
    assert after.scores == (8 - 3 - 4, 5 - 1)


def test_p_r9_it_differs_from_charging_all_at_the_pass_only_at_the_floor() -> None:
    """6 tiles at score 2: to 1 at once, then the bonus of 4, then −4: 1. Charged all at once it would be 5."""
    ones = " ".join(f"{letters}1" for letters in "ORBYGP") + " C1R"
    assert end(board(ones, hand="BBBBBB", score=2))[0] == 1


def test_p_r9_the_four_tiles_that_stay_are_the_first_in_the_order_of_the_colours() -> None:
    state = position(board(hand="RRBBGGP"), board(hand="B"), round_no=6).play("pass")
    assert data(state, 0)["tiles"] == {"purple": 1, "green": 2, "blue": 1}
    assert data(state)["tower"] == {"blue": 1, "red": 2}


def test_after_the_last_pass_of_the_game_the_supply_is_not_filled() -> None:
    boards = full_boards(passed=True)
    state = position(
        *boards, board(), factories=NINE, phase="decorating seat 3", supply="GYB", rest="hand", round_no=6
    ).play("pass")
    assert state.over
    assert sum(data(state)["supply"].values()) == 3
    assert sum(data(state)["tower"].values()) == 17


# --- examples, with purple wild ---


def test_example_7_blue_on_blue_6() -> None:
    state = position(board(hand="B" * 7), board()).play("B6")
    assert state.scores[0] == 5 + 1
    assert data(state, 0)["tiles"] == {"blue": 1}


def test_example_3_red_on_red_3_with_6_and_1_filled() -> None:
    assert position(board("R6 R1", hand="RRR"), board()).play("R3").scores[0] == 5 + 1


def test_example_3_blue_and_3_purple_on_blue_6_with_5_and_4_filled() -> None:
    state = position(board("B5 B4", hand="BBBPPP"), board()).play("B6+3")
    assert state.scores[0] == 5 + 3
    assert data(state, 0)["tiles"] == {}


def test_example_one_orange_and_3_purple_on_orange_4_between_3_and_5() -> None:
    assert position(board("O3 O5", hand="OPPP"), board()).play("O4+3").scores[0] == 5 + 3


def test_example_2_purple_on_purple_2_between_1_and_3() -> None:
    state = position(board("P1 P3", hand="PP"), board()).play("P2")
    assert state.scores[0] == 5 + 3
    assert data(state, 0)["tiles"] == {}


def test_example_round_6_score_2_all_1s_filled_4_tiles_left() -> None:
    """2 + 4 − 4 = 2."""
    ones = " ".join(f"{letters}1" for letters in "ORBYGP") + " C1R"
    assert end(board(ones, hand="BBBB", score=2))[0] == 2


# --- what other programs got wrong, where it is not named above ---


def test_pitfall_6_undoing_a_pass_in_the_last_round_gives_the_points_back() -> None:
    record = az.Record(position(board("R1 R2", hand="GGBBYYR", score=8), board(hand="B"), round_no=6))
    before = record.state
    record.play("pass")
    assert record.state.scores == (5, 5)
    assert record.undo() == before
    assert record.state.scores == (8, 5)


# --- oracles: the same rules, written again from the data of a position ---


def payable(state: az.State) -> set[str]:
    """Every placement that the rule page allows, by trying all."""
    found = state.to_dict()
    seat, side = state.seat, int(found["side"] == "plain")
    assert seat is not None
    mine = found["boards"][seat]
    hand, wild = Counter(mine["tiles"]), found["wild"]
    legal = set()
    for number_of_star, (name, rhombi) in enumerate(mine["stars"].items()):
        laid = [tile for tile in rhombi if tile]
        for place, tile in enumerate(rhombi):
            for colour in COLOURS:
                if tile or not star_takes(name, laid, colour, side):
                    continue
                number = int(NUMBERS[side, number_of_star, place])
                for wilds in range(number):
                    if wilds and colour == wild:
                        continue
                    if number - wilds <= hand[colour] and wilds <= hand[wild]:
                        text = rhombus(number_of_star, place, found["side"], colour[0].upper())
                        legal.add(text + (f"+{wilds}" if wilds else ""))
    return legal


def star_takes(name: str, laid: list[str], colour: str, side: int) -> bool:
    if not side and name in STAR_COLOURS:
        return colour == name
    if not side or len(set(laid)) > 1:
        return colour not in laid
    return len(laid) < 2 or colour == laid[0]


def takeable(state: az.State) -> set[str]:
    found = state.to_dict()
    sources = {"C": found["centre"], **{str(k): tiles for k, tiles in enumerate(found["factories"], 1)}}
    return {
        name + colour[0].upper()
        for name, tiles in sources.items()
        for colour in tiles
        if colour != found["wild"] or len(tiles) == 1
    }


@pytest.mark.parametrize("side", ["coloured", "plain"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_against_the_oracles(players: int, side: str) -> None:
    """What may be done, what it scores, and that all 132 tiles are always somewhere."""
    state = az.make("pavilion", players=players, side=side).start(seed=players)
    chance = az.Chance(11 * players)
    while not state.over:
        assert tiles(state) == Counter(dict.fromkeys(COLOURS, 22))
        phase = state.to_dict()["phase"]
        if phase == "decorating":
            assert set(names(state)) == payable(state) | {"pass"}
        if phase == "taking":
            assert set(names(state)) == takeable(state)
        choice, chance = chance.below(len(state.actions))
        action = state.actions[choice]
        if str(action) == "pass" and len(state.actions) > 1 and choice % 2:
            continue
        after = state.play(action)
        if phase in ("decorating", "bonus") and str(action) != "pass" and after.round == state.round:
            check_placement(state, action, after)
        state = after
    assert state.round == 6
    assert min(state.scores) >= 1


def check_placement(before: az.State, action: az.Action, after: az.State) -> None:
    """Points by walking around the ring; ornaments by looking at all eighteen."""
    seat = before.seat
    assert seat is not None
    was, now = (list(state.to_dict()["boards"][seat]["stars"].values()) for state in (before, after))
    new = [(s, p) for s in range(7) for p in range(6) if now[s][p] and not was[s][p]]
    if not new:
        assert str(action)[0] == "S"
        assert after.scores == before.scores
        return
    (placed,) = new
    ring, walked = now[placed[0]], {placed[1]}
    for step in (1, -1):
        there = (placed[1] + step) % 6
        while ring[there] and there not in walked:
            walked.add(there)
            there = (there + step) % 6
    assert after.scores[seat] - before.scores[seat] == len(walked)
    owed = sum(
        (1, 2, 3)[k // 6] for k, border in enumerate(BORDERS) if placed in border and all(now[s][p] for s, p in border)
    )
    story = before.game.story(before, action)
    assert sum(event.tiles for event in story if event.kind == "ornament") == owed
    stock = sum(before.to_dict()["supply"].values())
    assert after.to_dict()["to_choose"] in (0, min(owed, stock))
