"""Azul Duel's rulings D-R1 to D-R14, the rule page's examples, its tablets, and what other programs got wrong."""

from collections import Counter

import pytest

import azulejos as az
from azulejos.games.duel import encoding
from azulejos.games.duel.tables import LETTERS, SIDES, TABLETS

from .positions import LAST_CHIP, Board, board, decorate, full_boards, of, position
from .test_rules import act, fresh

UNDEALT = "-/1 -/-/? -/-/? -/-/? -/-/?"


def dealing(factories: str, bag: str, tower: str = "-", boards: tuple[Board, Board] | None = None) -> az.State:
    """The deal of round 3, with the display filled."""
    boards = boards or (fresh(), fresh())
    for one in boards:
        one.tokens, one.taken = 2, 0
    plates = "sTYK sRTK sKBR" if not boards[0].dome else "jRTK jKBR jYRT"
    return position("deal awaits tile", *boards, factories=factories, round_no=3, display=plates, bag=bag, tower=tower)


def all_but(**tiles: int) -> str:
    """All tiles of the bag but those."""
    return "".join(f"{letter}{13 - tiles.get(letter, 0)}" for letter in LETTERS)


# --- D-R1 ---


def test_d_r1_a_draw_costs_a_point_and_needs_one() -> None:
    state = act(fresh(score=1), stack="s9")
    after = state.play("draw", "top-s sKYB")  # no point is left, so the drawer stops and keeps it
    assert after.scores[0] == 0
    assert after.to_dict()["plate"] == "sKYB"
    poor = act(fresh(score=0), stack="s9")
    assert "draw" not in poor.actions
    assert "plate-sTYK" in poor.actions
    with pytest.raises(az.IllegalAction, match="needs a point"):
        poor.play("draw")


def test_d_r1_at_0_points_the_first_draw_is_for_nothing_when_no_open_plate_is_left() -> None:
    poor = act(fresh(score=0, tokens=1), fresh(tokens=0), display="-", stack="s9")
    assert "draw" in poor.actions
    events = poor.game.story(poor, "draw", poor.game.parse_draws("top-s sKYB"))
    assert of(events, "blind") == [(0, 0)]
    after = poor.play("draw", "top-s sKYB")
    assert after.scores[0] == 0
    assert after.to_dict()["plate"] == "sKYB"  # there is no second draw


def test_d_r1_with_a_point_even_the_only_way_costs_it() -> None:
    state = act(fresh(score=2, tokens=1), fresh(tokens=0), display="-", stack="s9").play("draw", "top-s")
    assert state.scores[0] == 1
    assert set(map(str, state.actions)) == {"draw", "stop"}


# --- D-R2 ---


def test_d_r2_chips_are_spent_only_on_a_line_whose_tile_can_be_placed_now() -> None:
    lines = "-/-/Y2/-/-/-"
    free, _ = decorate(Board(lines=lines, dome={4: "skyb@sw"}, chips="Y2"))
    assert "spend-2" in free.actions
    taken, _ = decorate(Board(lines=lines, dome={4: "skYb@sw"}, chips="Y2"))
    assert taken.awaits_draw
    elsewhere = Board(score=5, lines=lines, dome={1: "skyb@sw", 2: "sbkt@nw", 7: "styk@nw"}, chips="Y2")
    no_plate, _ = decorate(elsewhere, Board(score=5), round_no=1)
    assert no_plate.awaits_draw
    assert board(no_plate)["chips"] == {"Y": 2}


# --- D-R3 and D-R7: scarcity ---


def test_d_r3_a_large_factory_of_one_colour_is_drawn_again() -> None:
    state = dealing(f"BBBB/1 {UNDEALT[4:]}", all_but(B=4))
    events = state.game.story(state, None, [0])
    assert [event.kind for event in events] == ["deal", "again"]
    after = state.draw(0)
    assert str(after).split(" | ")[4:6] == [UNDEALT, "B13Y13R13K13T13"]
    assert after.awaits_draw
    assert state.draw(1).to_dict()["large_factory"]["sun"] == {"blue": 4, "yellow": 1}


def test_d_r3_the_draws_that_are_put_back_are_in_the_record() -> None:
    draws = "sTYK sRTK jKBR top-j BBBBB BBBBB BYRKT BBYR KKTT RRRR YYKT"
    state = az.make("duel").start(first=0, draws=draws)
    assert state.to_dict()["large_factory"]["sun"] == {"blue": 1, "yellow": 1, "red": 1, "black": 1, "turquoise": 1}
    assert state.to_dict()["bag"]["blue"] == 10
    assert f"draw {draws}" in str(az.Record(state))
    assert az.Record.parse(str(az.Record(state))).state == state


def test_d_r7_the_tower_is_poured_only_when_the_bag_is_empty_and_a_tile_is_needed() -> None:
    tower = all_but(B=1)
    state = dealing(UNDEALT, "B1", tower)
    assert list(state.chances()) == [0]
    after = state.draw(0)
    assert str(after).split(" | ")[5:7] == [tower, "-"]
    assert [event.kind for event in state.game.story(state, None, [0])] == ["deal", "pour"]


def test_d_r7_an_empty_bag_is_not_filled_when_the_deal_is_over() -> None:
    state = dealing("BYRKT/1 BYRK/-/? BYRT/-/? BYKT/-/? RKT/-/?", "B1", all_but(B=5, Y=4, R=4, K=4, T=4))
    after = state.draw(0)
    assert after.seat == 0
    assert str(after).split(" | ")[5] == "-"


def test_d_r7_the_tower_is_poured_when_bag_and_drawn_tiles_are_of_one_colour_and_it_holds_another() -> None:
    state = dealing(f"BBBB/1 {UNDEALT[4:]}", "B2", "B7Y13R13K13T13")
    after = state.draw(0)
    assert str(after).split(" | ")[4:7] == [UNDEALT, "B13Y13R13K13T13", "-"]
    assert [event.kind for event in state.game.story(state, None, [0])] == ["deal", "pour", "again"]


def test_d_r7_the_tower_is_not_poured_when_the_bag_itself_holds_another_colour() -> None:
    state = dealing(f"BBBB/1 {UNDEALT[4:]}", "B2Y1", "B7Y12R13K13T13")
    after = state.draw(0)
    assert str(after).split(" | ")[5:7] == ["B6Y1", "B7Y12R13K13T13"]


def test_d_r3_a_large_factory_that_can_only_be_of_one_colour_stays_so() -> None:
    state = dealing(f"BBBB/1 {UNDEALT[4:]}", "B3", boards=full_boards({"B": 7}, {}))
    after = state.draw(0)
    assert after.to_dict()["large_factory"]["sun"] == {"blue": 5}
    after = after.draw(0).draw(0)
    assert after.to_dict()["factories"][0]["sun"] == {"blue": 2}
    assert after.awaits_draw  # the chips of the factories that got no tile


def one_colour_large() -> az.State:
    """Seat 0's turn with a large factory of one colour, no other being left."""
    state = dealing("BBBBB/1 B/-/? -/-/? -/-/? -/-/?", "B1", boards=full_boards({"B": 7}, {}))
    return state.deal("B chip-B chip-Y chip-R")


def test_d_r3_the_start_tile_then_goes_with_the_sun() -> None:
    state = one_colour_large()
    assert state.seat == 0
    assert state.to_dict()["start_tile"] is None
    assert state.play("LB-").to_dict()["start_tile"] == 0


def test_pitfall_1_the_start_tile_does_not_go_with_other_takes() -> None:
    """Pitfall 1: neither with a sun take of the large factory nor with small moons."""
    assert act().play("LB2").to_dict()["start_tile"] is None
    assert act(factories="-/1YYR -/RB/? -/RY/? -/YB/? RRRR/-/?").play("MB1").to_dict()["start_tile"] is None


def test_d_r3_a_large_factory_that_got_no_tile_leaves_the_start_player() -> None:
    """And pitfall 4: the chips of factories that start empty are revealed at once."""
    first, second = full_boards({}, {})
    second.taken = 1
    state = position("seat 1", first, second, factories=LAST_CHIP, start=1, bag="-").play("chip-4")
    assert state.round == 3
    state = state.deal(state.game.print_draws(fill_display(state)) + " chip-B chip-Y chip-R chip-K", seed=1)
    assert state.seat == 1
    assert [factory["chip"] for factory in state.to_dict()["factories"]] == ["B", "Y", "R", "K"]
    assert state.to_dict()["start_tile"] is None
    while state.round == 3:
        state = state.play(state.actions[0])
    assert state.to_dict()["start"] == 1


def fill_display(state: az.State) -> list[int]:
    """Draws that fill the display of a state that waits for them."""
    drawn = []
    while state.awaits_draw and state.record.due in (encoding.DUE_PLATE, encoding.DUE_KIND):
        drawn.append(next(iter(state.chances())))
        state = state.draw(drawn[-1])
    return drawn


@pytest.mark.parametrize("tiles", [1, 2, 3])
def test_d_r7_a_small_factory_dealt_one_to_three_tiles_plays_as_usual(tiles: int) -> None:
    bag = {1: "Y1", 2: "B1Y1", 3: "B2Y1"}[tiles]
    boards = full_boards({"B": 3 + tiles - 1, "Y": 3}, {})
    state = dealing("BBBYY/1 -/-/? -/-/? -/-/? -/-/?", bag, boards=boards)
    dealt = state.deal(f"{'B' * (tiles - 1)}Y chip-B chip-Y chip-R")
    assert sum(dealt.to_dict()["factories"][0]["sun"].values()) == tiles
    after = dealt.play("1Y-")
    if tiles == 1:
        assert after.awaits_draw
    else:
        assert after.to_dict()["factories"][0]["moon"] == ["blue"] * (tiles - 1)


def test_pitfall_3_the_large_factory_is_filled_first_then_each_small_one_wholly() -> None:
    state = dealing(UNDEALT, all_but())
    sizes = []
    while state.awaits_draw:
        sizes.append([sum(state.to_dict()["large_factory"]["sun"].values())])
        sizes[-1] += [sum(factory["sun"].values()) for factory in state.to_dict()["factories"]]
        state = state.draw(len(sizes) % 5)
    assert sizes == [[min(n, 5), *(max(0, min(n - 5 - 4 * factory, 4)) for factory in range(4))] for n in range(21)]


# --- D-R4, D-R5 and the tablets ---


def final(dome: dict[int, str], side: str) -> int:
    """The points of a side for a dome at the end, seat 0 having nothing else to score."""
    tablet = SIDES.index(side) % 4
    others = [front for number, (front, _) in enumerate(TABLETS) if number != tablet][:2]
    tablets = str(az.make("duel", tablets=[side, *others]).chosen["tablets"])
    state, events = decorate(Board(dome=dome), round_no=5, tablets=tablets)
    assert state.over
    return next(points for number, points in of(events, "bonus") if SIDES[number] == side)


EMPTY = {
    1: "stby@nw",
    2: "skyb@nw",
    3: "skbr@nw",
    4: "sbtr@nw",
    5: "srky@nw",
    6: "sbkt@nw",
    7: "jtyk@nw",
    8: "jrtk@nw",
    9: "jkbr@nw",
}
ROW_5 = {7: "YTyk@nw", 8: "YRtk@nw", 9: "YKbr@nw"}  # row 5 is full


def test_rows_3_each() -> None:
    assert final(EMPTY, "rows") == 0
    assert final({**EMPTY, **ROW_5}, "rows") == 3
    assert final({**EMPTY, 7: "YTYK@nw", 8: "YRTK@nw", 9: "YKBR@nw"}, "rows") == 6


def test_columns_7_each() -> None:
    dome = {1: "stBY@ne", 4: "sbTR@ne", 7: "YtyK@nw"}
    assert final({**EMPTY, **dome}, "columns") == 7
    assert final({**EMPTY, **dome, 7: "YtyK@ne"}, "columns") == 0


def test_diagonals_10_each() -> None:
    falling = {1: "sTbY@ne", 5: "sRkY@ne", 9: "YkBr@nw"}
    assert final({**EMPTY, **falling}, "diagonals") == 10
    rising = {3: "sKbR@nw", 7: "jTyK@nw", 5: "SRKY@nw"}
    assert final({**EMPTY, **falling, **rising}, "diagonals") == 20
    assert final({**EMPTY, **falling, 1: "stbY@ne"}, "diagonals") == 0


def test_jokers_2_each_if_all_are_filled() -> None:
    filled = {7: "Ytyk@nw", 8: "Yrtk@nw", 9: "Ykbr@nw"}
    assert final({**EMPTY, **filled}, "jokers") == 6
    assert final({**EMPTY, **filled, 9: "jKBR@nw"}, "jokers") == 0


def test_d_r5_no_joker_slot_on_the_dome_no_points() -> None:
    nine = ["stby", "skyb", "skbr", "sbtr", "srky", "sbkt", "styk", "srtk", "syrb"]
    assert final({square: f"{plate}@nw" for square, plate in enumerate(nine, 1)}, "jokers") == 0


def test_five_colours_4_each_and_all_special_tiles_of_a_row_are_one_more_colour() -> None:
    assert final({**EMPTY, 7: "BTyk@nw", 8: "YRtk@nw", 9: "Ykbr@nw"}, "colours") == 0  # B T Y R Y: four
    assert final({**EMPTY, 7: "BTyk@nw", 8: "YRtk@nw", 9: "YKbr@nw"}, "colours") == 4  # B T Y R Y K: five
    two_specials = {1: "STBY@nw", 2: "SKYB@nw"}  # row 1: special T special K
    assert final({**EMPTY, **two_specials, 3: "skBr@se"}, "colours") == 0  # and B
    assert final({**EMPTY, **two_specials, 3: "skBR@se"}, "colours") == 4  # and B R


def test_the_ring_1_a_tile() -> None:
    assert final({**EMPTY, **ROW_5}, "ring") == 2  # columns 1 and 6 of row 5
    assert final({**EMPTY, 1: "STBY@nw"}, "ring") == 3
    assert final({**EMPTY, 5: "SRKY@nw"}, "ring") == 0


def test_corners_3_above_and_8_below() -> None:
    assert final({**EMPTY, 1: "STBY@nw"}, "corners") == 3
    assert final({**EMPTY, 1: "STBY@nw", 3: "SKBR@nw"}, "corners") == 6
    assert final({**EMPTY, 9: "YKBR@nw"}, "corners") == 8
    assert final({**EMPTY, 7: "YTYK@nw", 9: "YKBR@nw", 8: "YRTK@nw"}, "corners") == 16
    assert final({**EMPTY, 9: "YKBr@nw"}, "corners") == 0


def test_empty_special_slots_cost_3_each() -> None:
    assert final(EMPTY, "specials") == -18
    assert final({**EMPTY, 1: "STBY@nw", 3: "SKBR@nw"}, "specials") == -12


def test_d_r4_tablets_are_summed_and_the_final_score_is_floored_at_0() -> None:
    tablets = "rows,corners,specials"
    dome = {**EMPTY, **ROW_5, 1: "STBY@nw"}  # rows 3, corners 3, five empty special slots −15
    state, events = decorate(Board(score=4, dome=dome), round_no=5, tablets=tablets)
    assert of(events, "bonus") == [(0, 3), (6, 3), (7, -15)]
    assert state.scores[0] == 0
    assert of(events, "floor") == [(5,)]
    state, _ = decorate(Board(score=10, dome=dome), round_no=5, tablets=tablets)
    assert state.scores[0] == 1


# --- D-R8, D-R9, D-R10, D-R11 ---


def test_d_r8_tiles_go_to_one_line_as_far_as_they_fit_or_are_all_broken() -> None:
    state = act(fresh(lines="-/R1/-/-/-/-"))
    after = state.play("3R2", "chip-T")
    assert board(after)["lines"][1]["tiles"] == 2
    assert board(after)["broken"] == {"red": 3}
    assert board(state.play("3R-", "chip-T"))["broken"] == {"red": 4}
    takes = Counter(str(action)[:2] for action in state.actions if str(action)[1] in LETTERS)
    assert takes["3R"] == 7  # six lines, and the broken tiles


def test_d_r9_a_tile_is_scored_before_the_special_tile_that_it_calls_for() -> None:
    """The third tile lies between two others; the special tile beside it does not count for it."""
    one = Board(lines="-/-/K3/-/-/-", dome={4: "skYB@nw"})
    _, events = decorate(one)
    assert of(events, "tile") == [(2, 1, 2)]  # the yellow below it; not the special slot on its left
    assert of(events, "special") == [(2, 0, 3)]


def test_d_r10_the_start_player_decorates_wholly_then_the_other() -> None:
    boards = [
        Board(lines="-/-/Y3/-/-/-", dome={4: "skyb@sw"}, broken="B1"),
        Board(lines="-/-/T3/-/-/-", dome={4: "styk@sw"}, broken="B1", taken=1),
    ]
    for start in (0, 1):
        state = position("seat 1", *boards, factories=LAST_CHIP, start=start)
        events = [event for event in state.game.story(state, "chip-4") if event.kind in ("tile", "penalty")]
        assert [(event.kind, event.seat) for event in events] == [
            ("tile", start),
            ("penalty", start),
            ("tile", 1 - start),
            ("penalty", 1 - start),
        ]


def test_d_r11_any_three_chips_may_include_chips_of_the_colour() -> None:
    state, _ = decorate(Board(lines="-/-/Y2/-/-/-", dome={4: "skyb@sw"}, chips="B1Y2"))
    assert {str(action) for action in state.actions} == {"leave", "spend-2", "spend-3"}
    assert board(state.play("spend-3"))["chips"] == {}
    one_matching, _ = decorate(Board(lines="-/-/Y2/-/-/-", dome={4: "skyb@sw"}, chips="B1Y1K1"))
    assert {str(action) for action in one_matching.actions} == {"leave", "spend-3"}


# --- D-R12: ties ---


def tie(holder: int | None, start: int) -> az.State:
    marks = ["1" if holder == seat else "-" for seat in range(2)]
    state = position(
        "seat 1",
        Board(score=10 + 2 * (holder == 0), broken=marks[0]),
        Board(score=10 + 2 * (holder == 1), broken=marks[1], taken=1),
        round_no=5,
        start=start,
        tablets="rows,columns,diagonals",
        factories=LAST_CHIP if holder is None else LAST_CHIP.replace("1", "-"),
    )
    return state.play("chip-4")


@pytest.mark.parametrize("holder", [0, 1])
@pytest.mark.parametrize("start", [0, 1])
def test_pitfall_2_a_tie_goes_to_the_holder_of_the_start_tile(holder: int, start: int) -> None:
    """Pitfall 2: who holds the start tile is still known after the scoring has taken its points."""
    state = tie(holder, start)
    assert state.outcome == az.Outcome((10, 10), (holder,))
    assert az.parse(str(state)).outcome == state.outcome


@pytest.mark.parametrize("start", [0, 1])
def test_d_r12_a_tie_when_nobody_took_the_start_tile_goes_to_the_start_player(start: int) -> None:
    assert tie(None, start).outcome == az.Outcome((10, 10), (start,))


def test_most_points_win() -> None:
    boards = Board(score=9), Board(score=10, broken="1", taken=1)
    state = position("seat 1", *boards, round_no=5, factories=LAST_CHIP.replace("1", "-"))
    assert state.play("chip-4").outcome == az.Outcome((9, 8), (0,))


# --- D-R13, D-R14 ---


def test_d_r13_the_opening_plates_are_chosen_after_the_first_deal() -> None:
    state = az.make("duel").start(seed=4)
    assert sum(state.to_dict()["large_factory"]["sun"].values()) == 5
    assert all(str(action).startswith("plate") for action in state.actions)


def test_d_r14_in_phase_1_a_turn_is_played_even_if_only_one_action_is_legal() -> None:
    state = position("seat 1", Board(), Board(taken=1), factories=LAST_CHIP)
    assert list(map(str, state.actions)) == ["chip-4"]


def test_d_r14_a_single_slot_and_a_single_payment_happen_by_themselves() -> None:
    state, events = decorate(Board(lines="-/-/Y3/-/-/-", dome={4: "skyb@sw"}, chips="B1"))
    assert len(of(events, "tile")) == 1
    assert state.awaits_draw
    choosing, _ = decorate(Board(lines="-/-/Y2/-/-/-", dome={4: "skyb@sw"}, chips="B1Y1K1"))
    assert len(of(choosing.game.story(choosing, "spend-3"), "spend")) == 3


# --- the rule page's examples ---


def test_example_2_broken_cost_3() -> None:
    state, events = decorate(Board(broken="B1Y1"))
    assert of(events, "penalty") == [(3, 3)]
    assert state.scores[0] == 17


def test_example_3_broken_and_the_start_tile_cost_8() -> None:
    state, _ = decorate(Board(broken="1B1Y2"), factories=LAST_CHIP.replace("1", "-"))
    assert state.scores[0] == 12
    assert state.to_dict()["tower"] == {"blue": 1, "yellow": 2}


def test_never_below_0() -> None:
    state, events = decorate(Board(score=3, broken="1B2Y2"), factories=LAST_CHIP.replace("1", "-"))
    assert state.scores[0] == 0
    assert of(events, "penalty") == [(3, 10)]
    assert of(events, "start tile penalty") == [(0, 2)]


def test_example_of_a_tile_with_two_neighbours_its_special_tile_and_the_tile_below() -> None:
    """One neighbour in the row and one in the column: 4; the special tile in row 2: +2; a run of three with it: +3."""
    dome = {
        1: "sKYb@sw",  # above black and yellow, which lie; below the special slot and blue
        2: "Rtyk@sw",  # a red tile in its joker slot, lower left
        4: "jrky@sw",  # red at the upper left
    }
    _, events = decorate(Board(lines="-/B2/R3/-/-/-", dome=dome))
    assert of(events, "tile") == [(1, 1, 4), (2, 0, 3)]
    assert of(events, "special") == [(1, 0, 2)]


def test_example_a_lone_tile_on_a_joker_slot_scores_1() -> None:
    _, events = decorate(Board(lines="-/-/-/B4/-/-", dome={4: "jtyk@se"}))
    assert of(events, "tile") == [(3, 1, 1)]


# --- what other programs got wrong (1 to 4 are above) ---


def test_pitfall_5_no_third_chip() -> None:
    state = act(fresh(taken=2, chips="B1Y1"), factories="-/1Y -/-/- -/-/- -/-/R RRRR/-/?")
    assert not [action for action in state.actions if str(action).startswith("chip")]
    with pytest.raises(az.IllegalAction, match="2 chips in this round"):
        state.play("chip-3")


def test_pitfall_5_no_third_plate_and_no_plate_in_round_5() -> None:
    state = act(fresh(tokens=0), fresh(tokens=0), display="-", round_no=5)
    with pytest.raises(az.IllegalAction, match="no token left in the last round"):
        state.play("draw")
    for text in ("plate-sTYK", "draw"):
        assert text not in act(fresh(tokens=0), display="sTYK sRTK").actions


def test_pitfall_6_a_line_is_not_broken_before_all_three_plates_of_its_row_lie() -> None:
    two = {1: "skyb@nw", 2: "skbr@nw"}
    state, events = decorate(Board(lines="T1/-/-/-/-/-", dome=two))
    assert of(events, "unplaceable") == []
    assert board(state)["lines"][0]["tiles"] == 1


def test_pitfall_7_adjacency_does_not_look_at_colours() -> None:
    for neighbour in ("RtyK@nw", "KtyK@nw"):
        _, events = decorate(Board(lines="-/-/T3/-/-/-", dome={1: neighbour, 4: "Ybkt@ne"}))
        assert of(events, "tile") == [(2, 0, 5)]


def test_pitfall_8_nothing_else_between_drawing_a_plate_and_laying_it() -> None:
    state = act(stack="s9").play("draw", "top-s")
    assert set(map(str, state.actions)) == {"draw", "stop"}
    state = state.play("draw", "top-s").play("stop", "sKYB sBTR")
    assert set(map(str, state.actions)) == {"plate-sKYB", "plate-sBTR"}
    state = state.play("plate-sKYB")
    assert all(str(action).startswith("lay") for action in state.actions)
    with pytest.raises(az.IllegalAction, match="lays the plate now"):
        state.play("1B1")


def test_pitfall_9_chips_are_not_spent_on_a_line_already_passed() -> None:
    """Pitfall 10 has its own file, `test_hidden.py`."""
    state, _ = decorate(Board(lines="-/Y1/Y2/-/-/-", dome={1: "skyb@nw", 4: "srky@ne"}, chips="Y2"))
    assert state.to_dict()["line"] == 2
    state = state.play("leave")
    assert state.to_dict()["line"] == 3
    state = state.play("spend-2")
    assert [line["tiles"] for line in board(state)["lines"][:3]] == [0, 1, 0]
