"""Azul Duel's rules, in the order of the rule page."""

from typing import Any

import pytest

import azulejos as az
from azulejos.games.duel.tables import LETTERS

from .positions import LAST_CHIP, Board, board, decorate, of, position

FIRST_DRAWS = "sTYK sRTK jKBR top-j BYRKT BBYR KKTT RRRR BYKT"


def first_deal(first: int = 0) -> az.State:
    return az.make("duel").start(first=first, draws=FIRST_DRAWS)


# --- set-up ---


def test_set_up() -> None:
    data = first_deal().to_dict()
    assert data["display"] == ["sTYK", "sRTK", "jKBR"]
    assert data["stack"] == {"top": "joker", "plates": [None] * 15, "known_by": [[]] * 15}
    assert data["large_factory"] == {
        "sun": dict.fromkeys(("blue", "yellow", "red", "black", "turquoise"), 1),
        "moon": {},
    }
    assert [sum(factory["sun"].values()) for factory in data["factories"]] == [4] * 4
    assert [factory["chip"] for factory in data["factories"]] == ["face down"] * 4
    assert data["start_tile"] is None
    assert [one["score"] for one in data["boards"]] == [5, 5]
    assert [one["tokens"] for one in data["boards"]] == [2, 2]


@pytest.mark.parametrize("first", [0, 1])
def test_opening_plates_the_other_player_first_and_the_display_filled_up_each_time(first: int) -> None:
    state = first_deal(first)
    assert state.seat == 1 - first
    assert set(map(str, state.actions)) == {"plate-sTYK", "plate-sRTK", "plate-jKBR"}
    state = state.play("plate-jKBR")
    assert len(state.actions) == 36  # nine squares, four rotations
    state = state.play("lay-9se", "jYRT top-s")
    assert state.seat == first
    assert set(map(str, state.actions)) == {"plate-sTYK", "plate-sRTK", "plate-jYRT"}
    state = state.play("plate-sTYK").play("lay-1nw", "sKBR top-s")
    assert state.seat == first
    assert state.to_dict()["display"] == ["sRTK", "sKBR", "jYRT"]
    assert len(state.to_dict()["stack"]["plates"]) == 13
    assert [one["tokens"] for one in state.to_dict()["boards"]] == [2, 2]


def test_a_plate_lies_as_it_was_turned() -> None:
    state = first_deal().play("plate-sTYK").play("lay-9se", "jYRT top-s")
    square = board(state, 1)["dome"][8]
    assert square["slots"] == ["yellow", "black", "special", "turquoise"]
    assert square["tiles"] == [None] * 4


# --- phase 1: A, a plate ---


LAID_OUT = "BBYRK/1 BBYR/-/? KKTT/-/? RRRR/-/? BYKT/-/?"


def fresh(**more: Any) -> Board:
    """A board at the beginning of a round."""
    return Board(**{"tokens": 2, "taken": 0, **more})


def act(*boards: Board, factories: str = LAID_OUT, display: str = "sTYK sRTK sKBR", **more: Any) -> az.State:
    """Seat 0's turn in round 2."""
    boards = boards or (fresh(),)
    return position("seat 0", *boards, *[fresh()] * (2 - len(boards)), factories=factories, display=display, **more)


def test_an_open_plate_costs_a_token_and_is_not_replaced() -> None:
    state = act().play("plate-sRTK")
    assert state.to_dict()["display"] == ["sTYK", "sKBR"]
    assert board(state)["tokens"] == 1
    assert state.seat == 0
    after = state.play("lay-1ne")
    assert after.seat == 1
    assert not after.awaits_draw
    assert board(after)["dome"][0]["plate"] == "sRTK"


def test_a_plate_goes_on_an_empty_square_in_any_rotation() -> None:
    state = act().play("plate-sRTK")
    free = [number for number, square in enumerate(board(state)["dome"], 1) if square is None]
    assert len(free) == 6
    assert set(map(str, state.actions)) == {f"lay-{n}{corner}" for n in free for corner in ("nw", "ne", "se", "sw")}


def test_no_token_left_no_plate() -> None:
    state = act(fresh(tokens=0), display="sTYK")
    assert not [action for action in state.actions if str(action).startswith(("plate", "draw"))]
    with pytest.raises(az.IllegalAction, match="no token left"):
        state.play("plate-sTYK")


def test_blind_draws_are_paid_one_by_one_and_seen_only_when_stopped() -> None:
    state = act(fresh(score=7), stack="s9")
    state = state.play("draw", "top-j")
    assert (state.scores[0], board(state)["tokens"]) == (6, 1)
    assert set(map(str, state.actions)) == {"draw", "stop"}
    assert state.to_dict()["hand_unseen"] == {"special": 1, "joker": 0}
    state = state.play("draw", "top-s").play("draw", "top-s")
    assert state.scores[0] == 4
    assert board(state)["tokens"] == 1
    assert state.to_dict()["hand_unseen"] == {"special": 2, "joker": 1}
    state = state.play("stop", "sKYB sBTR jTYK")
    assert set(map(str, state.actions)) == {"plate-sKYB", "plate-sBTR", "plate-jTYK"}
    assert state.scores[0] == 4


def test_plates_are_put_back_under_the_stack_in_the_chosen_order() -> None:
    state = act(stack="s9").play("draw", "top-j").play("draw", "top-s").play("draw", "top-s")
    state = state.play("draw", "top-j").play("stop", "sKYB sBTR sRKY jTYK").play("plate-sBTR")
    assert set(map(str, state.actions)) == {"under-sKYB", "under-sRKY", "under-jTYK"}
    after = state.play("under-jTYK").play("under-sKYB")  # the last goes by itself
    assert after.to_dict()["stack"] == {
        "top": "joker",
        "plates": [None] * 5 + ["jTYK", "sKYB", "sRKY"],
        "known_by": [[]] * 5 + [[0]] * 3,
    }
    assert after.to_dict()["plate"] == "sBTR"
    assert len(after.actions) == 24
    other = state.play("under-sRKY").play("under-sKYB")
    assert other.to_dict()["stack"]["plates"][5:] == ["sRKY", "sKYB", "jTYK"]


def test_plates_put_back_come_up_again_when_all_above_are_gone() -> None:
    state = position(
        "deal awaits plate",
        fresh(),
        fresh(),
        round_no=4,
        stack="s2,jTYK:1,sKYB:0",
        factories="-/1 -/-/? -/-/? -/-/? -/-/?",
    ).deal("sTYK sRTK BYRKT BBYR KKTT RRRR BYKT")
    assert state.to_dict()["display"] == ["sTYK", "sRTK", "jTYK"]
    assert state.to_dict()["stack"] == {"top": "special", "plates": ["sKYB"], "known_by": [[0]]}


def test_a_single_plate_drawn_is_kept_by_itself() -> None:
    state = act(stack="s9").play("draw", "top-j").play("stop", "sKYB")
    assert state.to_dict()["plate"] == "sKYB"
    assert state.to_dict()["stack"]["plates"] == [None] * 8


def test_the_stack_alone_is_drawn_to_its_end() -> None:
    """With an empty stack there is nothing to draw again, so the drawer stops; one that is put back is the new top."""
    state = act(round_no=3, stack="s5")
    for _ in range(4):
        state = state.play("draw", "top-s")
    state = state.play("draw", "sKYB sBTR sRKY sBKT sTBY").play("plate-sTBY")
    assert state.to_dict()["stack"]["plates"] == []
    state = state.play("under-sRKY").play("under-sKYB").play("under-sBKT")
    assert state.to_dict()["stack"] == {
        "top": "special",
        "plates": ["sRKY", "sKYB", "sBKT", "sBTR"],
        "known_by": [[0]] * 4,
    }
    assert not state.awaits_draw


# --- B, sun ---


def test_small_sun_the_rest_becomes_a_pile_in_the_order_that_the_taker_chooses() -> None:
    state = act(factories="BBYRK/1 BYRR/-/? KKTT/-/? RRRR/-/? BYKT/-/?").play("1Y3")
    assert set(map(str, state.actions)) == {"pile-B", "pile-R"}
    first = state.play("pile-R")
    assert set(map(str, first.actions)) == {"pile-B", "pile-R"}
    assert first.seat == 0
    orders = {
        tuple(after.to_dict()["factories"][0]["moon"])
        for after in (first.play("pile-R"), first.play("pile-B"), state.play("pile-B"))
    }
    assert orders == {("red", "red", "blue"), ("red", "blue", "red"), ("blue", "red", "red")}
    after = first.play("pile-B")
    assert after.seat == 1
    assert {str(action)[:2] for action in after.actions if str(action)[0] == "M"} == {"MR"}


def test_a_rest_of_one_colour_is_piled_by_itself() -> None:
    state = act().play("2K1")
    assert state.seat == 1
    assert state.to_dict()["factories"][1]["moon"] == ["turquoise", "turquoise"]


def test_large_sun_the_rest_lies_side_by_side_and_the_start_tile_stays() -> None:
    state = act().play("LB2")
    assert state.to_dict()["large_factory"] == {"sun": {}, "moon": {"yellow": 1, "red": 1, "black": 1}}
    assert state.to_dict()["start_tile"] is None
    assert {str(action)[1] for action in state.actions if str(action)[0] == "M"} == {"Y", "R", "K"}


# --- C, moon ---

MOONS = "-/1YYR -/BY/? -/RYY/? -/YB/? RRRR/-/?"


def test_moon_takes_one_tile_of_each_small_pile_and_all_of_the_large_moon() -> None:
    state = act(factories=MOONS).play("MY5")
    assert board(state)["lines"][4] == {"colour": "yellow", "tiles": 4, "spaces": 5}
    data = state.to_dict()
    assert [factory["moon"] for factory in data["factories"]] == [["blue"], ["red", "yellow"], ["yellow", "blue"], []]
    assert data["large_factory"]["moon"] == {"red": 1}


def test_only_the_top_of_a_pile_can_be_reached() -> None:
    state = act(factories=MOONS)
    blue = state.play("MB1")
    assert [factory["moon"] for factory in blue.to_dict()["factories"]] == [
        ["blue", "yellow"],
        ["red", "yellow", "yellow"],
        ["yellow"],
        [],
    ]
    assert not [action for action in state.actions if str(action).startswith("MK")]


def test_the_first_to_take_from_the_large_moon_takes_the_start_tile() -> None:
    state = act(factories=MOONS).play("MR1")
    assert state.to_dict()["start_tile"] == 0
    after = state.play("MY1")
    assert after.to_dict()["start_tile"] == 0


# --- D, chips ---


def test_a_chip_is_revealed_when_the_last_tile_leaves_its_pile() -> None:
    state = act(factories="-/1Y -/B/? -/RB/? -/YB/? RRRR/-/?")
    waiting = state.play("MB-")
    assert waiting.awaits_draw
    state = waiting.deal("chip-BR")
    assert [factory["chip"] for factory in state.to_dict()["factories"]] == ["BR"] + ["face down"] * 3
    assert "chip-1" in state.actions
    assert "chip-2" not in state.actions


def test_a_sun_of_one_colour_reveals_its_chip_at_once() -> None:
    state = act().play("3R5")
    assert state.awaits_draw
    assert state.deal("chip-T").to_dict()["factories"][2]["chip"] == "T"


def test_several_chips_are_revealed_one_by_one() -> None:
    state = act(factories="-/1Y -/B/? -/B/? -/YB/? RRRR/-/?").play("MB-", "chip-BR chip-T")
    assert [factory["chip"] for factory in state.to_dict()["factories"]] == ["BR", "T", "face down", "face down"]


def test_chips_are_turned_up_with_the_chance_of_those_that_nobody_has_seen() -> None:
    state = act(fresh(chips="B1Y1"), factories="-/1Y -/B/? -/RB/? -/YB/? RRRR/-/?").play("MB-")
    chances = {state.game.print_draws([drawn]): chance for drawn, chance in state.chances().items()}
    unseen = str(state).split(" | ")[7]
    assert unseen.startswith("B1Y1R2")
    assert chances["chip-R"] == pytest.approx(2 * chances["chip-Y"])
    assert chances["chip-B"] == chances["chip-Y"]
    assert sum(chances.values()) == pytest.approx(1)


def test_taking_a_chip() -> None:
    state = act(factories="-/1Y -/-/BR -/RB/? -/YB/? RRRR/-/?").play("chip-1")
    assert board(state)["chips"] == {"BR": 1}
    assert board(state)["chips_taken"] == 1
    assert state.to_dict()["factories"][0]["chip"] is None
    assert state.seat == 1


# --- lines and broken tiles ---


def test_what_does_not_fit_is_broken_and_beyond_four_goes_to_the_tower() -> None:
    state = act(fresh(broken="B2")).play("3R1", "chip-T")
    assert board(state)["lines"][0] == {"colour": "red", "tiles": 1, "spaces": 1}
    assert board(state)["broken"] == {"blue": 2, "red": 2}
    assert state.to_dict()["tower"] == {"red": 1}


def test_lines_take_their_own_colour_until_they_are_full() -> None:
    lines = "R1/R1/B2/-/-/-"
    state = act(fresh(lines=lines))
    red = {str(action) for action in state.actions if str(action).startswith("1R")}
    assert red == {"1R-", "1R2", "1R4", "1R5", "1R6"}
    with pytest.raises(az.IllegalAction, match="line 1 of seat 0 is full"):
        state.play("1R1")
    with pytest.raises(az.IllegalAction, match="line 3 of seat 0 holds blue"):
        state.play("1R3")


def test_lines_are_never_checked_against_the_dome() -> None:
    dome = {1: "STYK@nw", 2: "skyb@nw", 3: "sbkt@nw"}  # row 1 has three plates, and a slot for black and blue only
    state = act(fresh(tokens=1, dome=dome), display="sRTK sKBR")
    assert {"1R1", "4T1", "1B1"} <= set(map(str, state.actions))


def test_the_phase_ends_only_when_tiles_chips_and_tokens_are_gone() -> None:
    one_token = position(
        "seat 1",
        Board(tokens=1),
        Board(taken=1),
        factories=LAST_CHIP,
        display="sTYK",
    )
    state = one_token.play("chip-4")
    assert (state.seat, state.to_dict()["phase"]) == (0, "acquisition")
    state = state.play("plate-sTYK").play("lay-1nw")
    assert state.awaits_draw
    assert state.round == 3


def test_who_can_do_nothing_passes_and_the_other_goes_on() -> None:
    state = position("seat 1", Board(), Board(taken=1, tokens=2), factories=LAST_CHIP, display="sTYK sRTK")
    events = state.game.story(state, "chip-4")
    assert of(events, "pass", 0) == [()]
    state = state.play("chip-4")
    assert state.seat == 1
    state = state.play("plate-sTYK").play("lay-1nw")
    assert state.seat == 1
    assert all(str(action).startswith(("plate", "draw")) for action in state.actions)


# --- phase 2, decorating ---


def test_a_complete_line_goes_to_its_slot_and_the_others_to_the_tower() -> None:
    state, events = decorate(Board(lines="-/-/Y3/-/-/-", dome={4: "skyb@sw"}))
    assert of(events, "tile") == [(2, 1, 1)]
    assert board(state)["dome"][3]["tiles"] == [None, "yellow", None, None]
    assert state.to_dict()["tower"] == {"yellow": 2}
    assert board(state)["lines"][2]["tiles"] == 0
    assert state.scores[0] == 21


def test_odd_lines_feed_the_upper_slots_and_even_lines_the_lower() -> None:
    state, _ = decorate(Board(lines="-/-/K3/Y4/-/-", dome={4: "skyb@nw"}))
    assert board(state)["dome"][3]["tiles"] == [None, "black", "yellow", None]


def test_the_owner_chooses_among_slots_of_the_colour_and_joker_slots() -> None:
    state, _ = decorate(Board(lines="B1/-/-/-/-/-", dome={1: "sbtr@nw", 2: "jtyk@nw", 3: "skyb@ne"}))
    assert {str(action) for action in state.actions} == {"1@2", "1@3", "1@5"}
    assert board(state.play("1@5"))["dome"][2]["tiles"] == ["blue", None, None, None]


def test_a_joker_slot_takes_any_colour_and_remembers_it() -> None:
    state, events = decorate(Board(lines="-/-/-/R4/-/-", dome={5: "jtyk@se"}))
    assert of(events, "tile") == [(3, 3, 1)]
    assert board(state)["dome"][4]["tiles"] == [None, None, "red", None]
    assert "Rtyk@se" in str(state)


def test_a_special_slot_takes_no_tile() -> None:
    state, events = decorate(Board(lines="T1/-/-/-/-/-", dome={1: "skyb@nw"}))
    assert of(events, "tile") == []
    assert board(state)["lines"][0]["tiles"] == 1


def test_a_complete_line_without_a_slot_stays_while_its_row_has_fewer_than_three_plates() -> None:
    state, _ = decorate(Board(lines="T1/-/-/-/-/-", dome={1: "skyb@nw", 2: "skbr@nw"}))
    assert board(state)["lines"][0] == {"colour": "turquoise", "tiles": 1, "spaces": 1}
    assert state.scores[0] == 20


@pytest.mark.parametrize(("line", "tiles"), [("T1/-", 1), ("-/T2", 2), ("-/T1", 1)])
def test_with_three_plates_and_no_slot_a_line_breaks_complete_or_not(line: str, tiles: int) -> None:
    dome = {1: "skyb@nw", 2: "skbr@nw", 3: "srky@nw"}
    state, events = decorate(Board(lines=f"{line}/-/-/-/-", dome=dome))
    assert len(of(events, "unplaceable")) == 1
    assert of(events, "penalty") == [((1, 3)[tiles - 1],) * 2]
    assert board(state)["lines"][tiles - 1]["tiles"] == 0
    assert state.to_dict()["tower"] == {"turquoise": tiles}


def test_an_incomplete_line_with_a_slot_stays() -> None:
    dome = {1: "skyb@nw", 2: "skbr@nw", 3: "srky@nw"}
    state, _ = decorate(Board(lines="-/B1/-/-/-/-", dome=dome))
    assert board(state)["lines"][1] == {"colour": "blue", "tiles": 1, "spaces": 2}


# --- chips on lines ---


def test_chips_complete_a_line_two_that_match_or_any_three() -> None:
    one = Board(lines="-/-/Y2/-/-/-", dome={4: "skyb@sw"}, chips="B1Y1TY1")
    state, _ = decorate(one)
    assert {str(action) for action in state.actions} == {"leave", "spend-2", "spend-3"}
    left = state.play("leave")
    assert board(left)["lines"][2]["tiles"] == 2
    assert board(left)["chips"] == {"B": 1, "Y": 1, "TY": 1}
    two = state.play("spend-2")
    assert board(two)["chips"] == {"B": 1}
    assert board(two)["dome"][3]["tiles"][1] == "yellow"
    assert two.to_dict()["tower"] == {"yellow": 1}
    three = state.play("spend-3")
    assert board(three)["chips"] == {}


def test_only_chips_that_pay_are_offered() -> None:
    for chips, offers in {
        "B2": set(),
        "B2K1": {"leave", "spend-3"},
        "Y1TY1": {"leave", "spend-2"},
        "B1Y1": set(),
    }.items():
        state, _ = decorate(Board(lines="-/-/Y2/-/-/-", dome={4: "skyb@sw"}, chips=chips))
        assert {str(action) for action in state.actions} == offers, chips


def test_several_missing_tiles_are_each_paid_with_two_or_three() -> None:
    one = Board(lines="-/-/Y1/-/-/-", dome={4: "skyb@sw"}, chips="B2Y2R1")
    state, _ = decorate(one, round_no=3)
    assert {str(action) for action in state.actions} == {"leave", "spend-5"}
    after = state.play("spend-5")
    assert board(after)["chips"] == {}
    state, _ = decorate(Board(lines="-/-/Y1/-/-/-", dome={4: "skyb@sw"}, chips="Y2TY2YK2"), round_no=3)
    assert {str(action) for action in state.actions} == {"leave", "spend-4", "spend-5", "spend-6"}


def test_which_chips_are_spent_is_chosen_kind_by_kind_each_set_once() -> None:
    state, _ = decorate(Board(lines="-/-/Y2/-/-/-", dome={4: "skyb@sw"}, chips="B2Y2TY1"), round_no=3)

    def sets(state: az.State) -> list[dict[str, int]]:
        if not any(str(action).startswith("pay") for action in state.actions):
            return [board(state)["chips"]]
        return [left for action in state.actions for left in sets(state.play(action))]

    two = sets(state.play("spend-2"))
    assert sorted(map(str, two)) == sorted(map(str, [{"B": 2, "TY": 1}, {"B": 2, "Y": 1}]))
    three = sets(state.play("spend-3"))
    left = [{"Y": 1, "TY": 1}, {"Y": 2}, {"B": 1, "TY": 1}, {"B": 1, "Y": 1}, {"B": 2}]
    assert sorted(map(str, three)) == sorted(map(str, left))


def test_spent_chips_are_gone() -> None:
    state, _ = decorate(Board(lines="-/-/Y2/-/-/-", dome={4: "skyb@sw"}, chips="Y2"))
    before, after = str(state), str(state.play("spend-2"))
    assert before.split(" | ")[7] == after.split(" | ")[7]  # not among the unseen


def test_after_the_chips_a_slot_is_chosen() -> None:
    one = Board(lines="-/-/Y2/-/-/-", dome={4: "skyb@sw", 5: "jtyk@nw"}, chips="Y2")
    state = decorate(one)[0].play("spend-2")
    assert {str(action) for action in state.actions} == {"3@2", "3@3"}
    assert az.parse(str(state)) == state
    assert board(state.play("3@3"))["dome"][4]["tiles"][0] == "yellow"


def test_an_empty_line_cannot_be_completed() -> None:
    state, _ = decorate(Board(dome={4: "skyb@sw"}, chips="Y2K2"))
    assert state.awaits_draw


# --- points ---


def test_runs_score_as_in_azul() -> None:
    """Two in the row and three in the column: 5."""
    _, events = decorate(Board(lines="-/-/T3/-/-/-", dome={1: "RtyK@nw", 4: "Ybkt@ne"}))
    assert of(events, "tile") == [(2, 0, 5)]


def test_a_run_in_one_direction_only_counts_once() -> None:
    _, events = decorate(Board(lines="-/-/T3/-/-/-", dome={1: "RtyK@nw", 4: "jbkt@ne"}, chips="-"))
    assert not of(events, "tile")  # the joker slot is free too: the owner chooses
    state, _ = decorate(Board(lines="-/-/T3/-/-/-", dome={1: "RtyK@nw", 4: "jbkt@ne"}))
    assert of(state.game.story(state, "3@1"), "tile") == [(2, 0, 3)]
    assert of(state.game.story(state, "3@2"), "tile") == [(2, 1, 1)]


# --- phase 3 ---


def test_phase_3_fills_up_display_then_large_then_small_factories() -> None:
    state, _ = decorate(Board(), display="-")
    assert state.round == 3
    assert state.to_dict()["phase"] == "deal"
    assert [one["tokens"] for one in state.to_dict()["boards"]] == [2, 2]
    assert [factory["chip"] for factory in state.to_dict()["factories"]] == ["face down"] * 4
    dealt = state.deal(seed=1)
    data = dealt.to_dict()
    assert len(data["display"]) == 3
    assert len(data["stack"]["plates"]) == 5
    assert sum(data["large_factory"]["sun"].values()) == 5
    assert [sum(factory["sun"].values()) for factory in data["factories"]] == [4] * 4
    words = dealt.game.print_draws(dealt.drawn).split()
    assert [len(word) for word in words[-5:]] == [5, 4, 4, 4, 4]
    assert set("".join(words[-5:])) <= set(LETTERS)


def test_the_holder_of_the_start_tile_starts_and_the_tile_goes_back() -> None:
    state, _ = decorate(Board(), Board(broken="1"), factories=LAST_CHIP.replace("1", "-"))
    assert state.to_dict()["start"] == 1
    assert state.to_dict()["start_tile"] is None
    assert state.deal(seed=0).seat == 1


def test_round_5_has_no_tokens_and_no_plates() -> None:
    state = act(fresh(tokens=0), fresh(tokens=0), display="-", round_no=5)
    assert not [action for action in state.actions if str(action).startswith(("plate", "draw"))]
    assert state.to_dict()["stack"]["plates"] == state.to_dict()["display"] == []
