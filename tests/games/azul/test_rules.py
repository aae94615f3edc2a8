"""Azul's rules, in the order of the rule page; then its rulings, its examples, and what other programs got wrong."""

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

import azulejos as az
from azulejos.games.azul import lookups
from azulejos.games.azul.tables import COLOUR_AT, COLOURS, LETTERS, PENALTIES

EMPTY_WALL = "...../...../...../...../....."
EMPTY = f"0 -/-/-/-/- {EMPTY_WALL} -"


def position(
    *boards: str,
    factories: str = "- - - - -",
    centre: str = "1",
    wall: str = "coloured",
    turn: str = "seat 0",
    start: int = 0,
    round_no: int = 2,
    lid: str = "",
) -> az.State:
    """A position whose bag is whatever is nowhere else (less what `lid` holds)."""
    boards = boards or (EMPTY, EMPTY)
    places = [factories, centre, *(" ".join(board.split()[2:]) for board in boards)]
    used = Counter(letter for place in places for letter in place if letter in LETTERS)
    for board in boards:
        for line in board.split()[1].split("/"):
            if line != "-":
                used[line[0]] += int(line[1:])
    in_lid = dict.fromkeys(LETTERS, 0) | {part[0]: int(part[1:]) for part in lid.split()}
    bag = "".join(f"{k}{20 - used[k] - in_lid[k]}" for k in LETTERS if 20 - used[k] - in_lid[k]) or "-"
    lidded = "".join(f"{k}{n}" for k, n in in_lid.items() if n) or "-"
    head = f"azul {wall} round {round_no} {turn} start {start}"
    return az.parse(" | ".join([head, factories, centre, bag, lidded, *boards]))


def board(state: az.State, seat: int = 0) -> dict[str, Any]:
    result: dict[str, Any] = state.to_dict()["boards"][seat]
    return result


def tiles(state: az.State) -> int:
    """All tiles of a state, wherever they are."""
    data = state.to_dict()
    count = sum(sum(place.values()) for place in [*data["factories"], data["centre"], data["bag"], data["lid"]])
    for one in data["boards"]:
        count += sum(line["tiles"] for line in one["lines"])
        count += sum(tile is not None for row in one["wall"] for tile in row)
        count += sum(tile != "marker" for tile in one["floor"])
    return count


# --- set-up and board ---


@pytest.mark.parametrize(("players", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_set_up(players: int, factories: int) -> None:
    data = az.make("azul", players=players).start(seed=1, first=1).to_dict()
    assert [sum(factory.values()) for factory in data["factories"]] == [4] * factories
    assert data["marker_in_centre"]
    assert data["centre"] == {}
    assert data["seat"] == data["start"] == 1
    assert [one["score"] for one in data["boards"]] == [0] * players


def test_the_start_player_is_drawn_if_nobody_names_one() -> None:
    game = az.make("azul", players=4)
    assert {game.start(seed=seed).seat for seed in range(40)} == {0, 1, 2, 3}


def test_the_coloured_wall() -> None:
    def row(number: int) -> list[str]:
        return [COLOURS[colour] for colour in COLOUR_AT[number]]

    assert row(0) == ["blue", "yellow", "red", "black", "white"]
    assert row(1) == ["white", "blue", "yellow", "red", "black"]


def test_the_floor_costs_1_1_2_2_2_3_3() -> None:
    assert np.diff(PENALTIES).tolist() == [1, 1, 2, 2, 2, 3, 3]


def test_a_position_with_too_many_tiles_is_refused() -> None:
    """More than a small integer counts, too."""
    crowd = "azul coloured round 1 seat 0 start 0 | " + "BBBB " * 7 + "| 1" + "".join(20 * k for k in LETTERS)
    with pytest.raises(az.TextError, match="more than 100 tiles"):
        az.parse(f"{crowd} | - | -" + f" | {EMPTY}" * 3)


# --- A. drafting ---


def test_a_factory_gives_one_colour_and_the_rest_goes_to_the_centre() -> None:
    state = position(factories="BBYR - - - -", centre="1K").play("1B3")
    data = state.to_dict()
    assert data["factories"][0] == {}
    assert data["centre"] == {"yellow": 1, "red": 1, "black": 1}
    assert board(state)["lines"][2] == {"colour": "blue", "tiles": 2, "spaces": 3}
    assert state.seat == 1


def test_play_goes_clockwise_through_all_seats() -> None:
    state = az.make("azul", players=4).start(seed=3, first=2)
    seats = []
    for _ in range(6):
        seats.append(state.seat)
        state = state.play(state.actions[0])
    assert seats == [2, 3, 0, 1, 2, 3]


def test_the_first_from_the_centre_takes_the_marker_to_the_leftmost_floor_space_before_the_tiles() -> None:
    state = position(centre="1RRR", factories="BBBB - - - -").play("CR1")
    assert board(state)["floor"] == ["marker", "red", "red"]
    assert not state.to_dict()["marker_in_centre"]
    assert state.to_dict()["start"] == 0


def test_the_second_from_the_centre_takes_no_marker() -> None:
    state = position(centre="1RRBB", factories="YYYY - - - -").play("CR2").play("CB2")
    assert board(state, 1)["floor"] == []


def test_the_marker_cannot_be_taken_alone_and_nobody_may_pass() -> None:
    state = position(centre="1", factories="BBBB - - - -")
    assert {str(action)[0] for action in state.actions} == {"1"}
    assert len(state.actions) == 6


def test_a_line_takes_one_colour_only() -> None:
    state = position(f"0 -/Y1/-/-/- {EMPTY_WALL} -", EMPTY, factories="BBBB - - - -")
    assert "1B2" not in state.actions
    with pytest.raises(az.IllegalAction, match="line 2 of seat 0 holds yellow, which does not mix"):
        state.play("1B2")


def test_a_full_line_takes_nothing() -> None:
    state = position(f"0 B1/-/-/-/- {EMPTY_WALL} -", EMPTY, factories="BBBB - - - -")
    with pytest.raises(az.IllegalAction, match="line 1 of seat 0 is full"):
        state.play("1B1")


def test_a_line_does_not_take_a_colour_that_its_wall_row_holds() -> None:
    state = position("0 -/-/-/-/- B..../...../...../...../..... -", EMPTY, factories="BBBB - - - -")
    with pytest.raises(az.IllegalAction, match="row 1 of seat 0's wall has a blue tile already"):
        state.play("1B1")
    assert "1B2" in state.actions


def test_the_floor_is_always_allowed() -> None:
    for state in az.Record(az.make("azul").start(seed=4)).states():
        assert {str(a)[:2] for a in state.actions} == {str(a)[:2] for a in state.actions if str(a)[2] == "-"}


def test_what_does_not_fit_the_floor_goes_to_the_lid_at_no_cost() -> None:
    state = position(f"20 -/-/-/-/- {EMPTY_WALL} BBBBBB", EMPTY, factories="RRRR - - - -", centre="1K").play("1R-")
    assert board(state)["floor"] == ["blue"] * 6 + ["red"]
    assert state.to_dict()["lid"] == {"red": 3}
    after = state.play("CK1", draws="BBBB YYYY RRRR KKKK WWWW")
    assert after.scores[0] == 20 - 14


# --- B. tiling ---


def test_complete_lines_move_one_tile_to_the_wall_and_the_rest_to_the_lid() -> None:
    state = position(f"0 -/-/R3/-/K2 {EMPTY_WALL} -", EMPTY, centre="1B").play("CB-")
    assert state.awaits_draw
    assert board(state)["wall"][2][4] == "red"
    assert state.to_dict()["lid"] == {"red": 2, "blue": 1}
    assert board(state)["lines"][4] == {"colour": "black", "tiles": 2, "spaces": 5}, "an incomplete line stays"


def test_lines_are_tiled_from_the_top_and_each_scores_with_those_above() -> None:
    """Row 1 blue at column 1, then row 2 white at column 1 stands below it: 1 + 2 points."""
    state = position(f"0 B1/W2/-/-/- {EMPTY_WALL} -", EMPTY, turn="seat 1", centre="1K").play("CK-")
    assert state.scores == (1 + 2, 0)


def test_the_owner_of_the_marker_starts_the_next_round_and_the_marker_goes_back() -> None:
    state = position(centre="1BY", turn="seat 0").play("CB-").play("CY-").deal("BBBB YYYY RRRR KKKK WWWW")
    assert state.seat == 0
    assert state.to_dict()["start"] == 0
    assert state.to_dict()["marker_in_centre"]
    assert board(state)["floor"] == []
    assert state.round == 3


# --- C. next round ---


def test_the_lid_is_poured_only_when_the_bag_is_empty_and_filling_goes_on() -> None:
    """Pitfall 5: not below 20, not below 4 tiles, and without the tiles that are dealt already."""
    state = position(centre="1B", lid="B19 Y20 R20 K20 W17").play("CB-")
    assert state.to_dict()["bag"] == {"white": 3}
    for _ in range(3):
        assert state.to_dict()["lid"] == {"blue": 20, "yellow": 20, "red": 20, "black": 20, "white": 17}
        state = state.draw(4)
    assert state.to_dict()["bag"] == {"blue": 20, "yellow": 20, "red": 20, "black": 20, "white": 17}
    assert state.to_dict()["lid"] == {}
    assert tiles(state.deal([0] * 17)) == 100


def test_a_deal_that_the_bag_could_not_give_is_refused_and_changes_nothing() -> None:
    game = az.make("azul")
    with pytest.raises(az.IllegalDraw, match="the bag has no blue tile left for factory 6"):
        az.make("azul", players=3).start(draws="BBBB BBBB BBBB BBBB BBBB BBBB BBBB")
    with pytest.raises(az.IllegalDraw, match="too little is drawn: after 4 draws another is due"):
        game.start(draws="BBBB")
    with pytest.raises(az.IllegalDraw, match="too much is drawn: Y is left"):
        game.start(draws="BBBB BBBB BBBB BBBB BBBB Y")
    with pytest.raises(az.TextError, match="a space after four tiles"):
        game.start(draws="BBBBB")
    state = position(centre="1B")
    before = str(state)
    with pytest.raises(az.IllegalDraw):
        state.play("CB-", draws="BBBB")
    assert str(state) == before


def test_what_is_dealt_can_be_given_tile_by_tile() -> None:
    state = az.make("azul").start(first=1, draws="BYRK BBWW RRKK YYYW BYRK")
    assert str(state).split(" | ")[1] == "BYRK BBWW RRKK YYYW BYRK"
    assert state.seat == 1
    assert state.chance is None


# --- the end ---


def test_the_game_ends_after_the_tiling_in_which_a_row_is_completed() -> None:
    """Pitfall 11: not at once; the other player still tiles."""
    almost = "10 W1/-/-/-/- BYRK./...../...../...../..... -"
    other = f"3 B1/-/-/-/- {EMPTY_WALL} -"
    state = position(almost, other, centre="1YY", start=1).play("CY3")
    assert state.over
    assert state.scores == (10 + 5 - 1 + 2, 3 + 1)
    assert state.outcome is not None
    assert state.outcome.winners == (0,)


def test_bonuses_are_2_for_a_row_7_for_a_column_10_for_a_colour() -> None:
    column = "0 -/-/-/-/Y5 B..../W..../K..../R..../..... -"
    row = "0 W1/-/-/-/- BYRK./...../...../...../..... -"
    state = position(column, row, centre="1K", turn="seat 0").play("CK4")
    assert state.scores == (5 - 1 + 7, 5 + 2)
    colour = "0 -/-/-/-/B5 BYRKW/.B.../..B../...B./..... -"
    state = position(colour.replace("BYRKW", "B...."), row, centre="1K").play("CK4")
    assert state.scores == (0 + 10, 7)


def test_bonuses_come_once_after_the_floor_is_taken_off() -> None:
    """Pitfall 9: 5 points for the row, all lost to the floor, and then the bonus."""
    almost = "0 W1/-/-/-/- BYRK./...../...../...../..... RRRRRRR"
    state = position(almost, EMPTY, centre="1YY", turn="seat 1", start=1).play("CY2")
    assert state.scores == (0 + 2, 0)


def test_tied_players_are_parted_by_complete_rows_and_else_share_the_victory() -> None:
    """Pitfall 8."""
    almost = "0 W1/-/-/-/- BYRK./...../...../...../..... -"
    other = f"8 -/-/-/-/- {EMPTY_WALL} -"
    tied = position(almost, other, centre="1K", turn="seat 1").play("CK4")
    assert tied.scores == (7, 7)
    assert tied.outcome is not None
    assert tied.outcome.winners == (0,)
    both = position(almost, almost.replace("0 ", "1 ", 1), centre="1K", turn="seat 1").play("CK4")
    assert both.scores == (7, 7)
    assert both.outcome is not None
    assert both.outcome.winners == (0, 1)
    assert str(both.outcome) == "7–7, seat 0 and seat 1 share the victory"


# --- grey wall ---


def test_grey_the_owner_chooses_a_column_that_lacks_the_colour() -> None:
    mine = "0 B1/-/-/-/- ...../B..../...../...../..... -"
    state = position(mine, EMPTY, wall="grey", centre="1K", turn="seat 1").play("CK4")
    assert state.seat == 0
    assert [str(action) for action in state.actions] == ["1@2", "1@3", "1@4", "1@5"]
    with pytest.raises(az.IllegalAction, match="column 1 has a blue tile already"):
        state.play("1@1")
    with pytest.raises(az.IllegalAction, match="seat 0 chooses a column for line 1 now"):
        state.play("2@2")
    with pytest.raises(az.IllegalAction, match="seat 0 is tiling"):
        state.play("CK1")
    assert board(state.play("1@3"))["wall"][0] == [None, None, "blue", None, None]


def test_grey_an_earlier_choice_binds_a_later_one() -> None:
    mine = f"0 B1/B2/-/-/- {EMPTY_WALL} -"
    state = position(mine, EMPTY, wall="grey", centre="1K", turn="seat 1").play("CK4").play("1@2")
    assert [str(action) for action in state.actions] == ["2@1", "2@3", "2@4", "2@5"]


def test_grey_one_column_is_no_decision() -> None:
    """A-R4."""
    mine = "0 B1/-/-/-/- YRK../...B./...../...../..... -"
    state = position(mine, EMPTY, wall="grey", centre="1K", turn="seat 1").play("CK4")
    assert state.awaits_draw
    assert board(state)["wall"][0] == ["yellow", "red", "black", None, "blue"]


def test_grey_a_line_that_fits_no_column_falls_to_the_floor_before_the_floor_is_scored() -> None:
    mine = "9 -/B2/-/-/- ....B/YRKW./...../...../..... -"
    state = position(mine, EMPTY, wall="grey", centre="1K", turn="seat 1").play("CK4")
    assert state.scores[0] == 9 - 2
    assert board(state)["lines"][1] == {"colour": None, "tiles": 0, "spaces": 2}
    assert state.to_dict()["lid"]["blue"] == 2


def test_grey_a_fallen_line_overflows_the_floor_into_the_lid() -> None:
    mine = "20 -/-/-/-/B5 ....B/...../...../...../YRKW. RRRRR"
    state = position(mine, EMPTY, wall="grey", centre="1K", turn="seat 1").play("CK4")
    assert state.scores[0] == 20 - 14
    assert tiles(state) == 100


def test_grey_drafting_looks_at_the_row_only_never_at_columns() -> None:
    mine = "0 -/-/-/-/- ....B/YRKW./...../...../..... -"
    assert "1B2" in position(mine, EMPTY, wall="grey", factories="BBBB - - - -").actions


def test_columns_cannot_be_chosen_on_the_coloured_wall() -> None:
    with pytest.raises(az.TextError):
        az.make("azul").action("2@4")
    assert az.make("azul", wall="grey").num_actions == az.make("azul").num_actions + 25


# --- rulings ---


def test_a_r1_marker_taken_with_a_full_floor_costs_nothing_and_still_starts() -> None:
    """Also pitfall 6: it is not lost when the floor is full."""
    full = f"20 -/-/-/-/- {EMPTY_WALL} BBBBBBB"
    state = position(full, EMPTY, centre="1YK", start=1).play("CY2")
    assert "marker" not in board(state)["floor"]
    assert state.to_dict()["start"] == 0
    after = state.play("CK-")
    assert after.scores[0] == 20 - 14
    assert after.deal(seed=1).seat == 0


def test_a_r2_nobody_took_the_marker_so_the_start_player_starts_again() -> None:
    """Also pitfall 6: all factories of one colour."""
    state = az.make("azul").start(first=1, draws="BBBB YYYY RRRR KKKK WWWW")
    for action in ("1B-", "2Y-", "3R-", "4K-"):
        state = state.play(action)
    state = state.play("5W-", draws="BBBB YYYY RRRR KKKK WWWW")
    assert state.seat == 1
    assert state.round == 2
    assert state.to_dict()["marker_in_centre"]


def crowded(blue_in_line_4: str) -> list[str]:
    """Four boards that lack one column each, with incomplete lines of what their rows lack."""
    return [
        "5 -/-/-/-/Y3 .YRKW/.BYRK/.WBYR/.KWBY/.RKWB -",
        "5 -/B1/-/-/R4 B.RKW/W.YRK/K.BYR/R.WBY/Y.KWB -",
        "5 -/-/-/-/K4 BY.KW/WB.RK/KW.YR/RK.BY/YR.WB -",
        f"5 -/-/-/{blue_in_line_4}/W4 BYR.W/WBY.K/KWB.R/RKW.Y/YRK.B -",
    ]


def test_a_r3_no_tile_at_all_can_be_dealt_so_the_game_ends() -> None:
    """Also pitfall 10: bag and lid both empty. All 100 tiles lie on walls and in incomplete lines."""
    state = position(*crowded("B3"), factories="- - - - - - - - -", centre="1Y")
    assert state.to_dict()["bag"] == state.to_dict()["lid"] == {}
    after = state.play("CY5")
    assert after.over
    assert after.round == state.round, "the round that could not begin does not count"
    assert after.scores == (5 - 1 + 4 * 7, 5 + 4 * 7, 5 + 4 * 7, 5 + 4 * 7)
    assert after.outcome is not None
    assert after.outcome.winners == (1, 2, 3)


def test_bag_and_lid_run_out_in_a_deal_so_play_goes_on_with_what_there_is() -> None:
    state = position(*crowded("-"), factories="- - - - - - - - -", centre="1Y").play("CY5", draws="BBB")
    assert [sum(factory.values()) for factory in state.to_dict()["factories"]] == [3, 0, 0, 0, 0, 0, 0, 0, 0]
    assert state.seat == 0
    assert state.play("1B-").to_dict()["lid"] == {}, "the tiles went to the floor, and from there into the next deal"


def test_a_r5_factories_are_filled_one_after_another() -> None:
    state = az.make("azul").lay_out(0)
    for k, colour in enumerate([0, 1, 2, 3, 4, 0]):
        assert [sum(f.values()) for f in state.to_dict()["factories"]][k // 4] == k % 4
        state = state.draw(colour)
    assert str(state).split(" | ")[1] == "BYRK BW - - -"


def test_a_r6_bag_and_lid_are_public() -> None:
    state = az.make("azul").start(seed=1)
    for seat in range(2):
        assert state.view(seat) == state
        assert state.view(seat).chance is None


def test_a_r7_tiles_go_to_one_line_as_far_as_they_fit() -> None:
    """Also pitfalls 1 and 2: more tiles than fit are taken all the same, and none falls that would fit."""
    state = position(factories="BBBY - - - -").play("1B2")
    assert board(state)["lines"][1] == {"colour": "blue", "tiles": 2, "spaces": 2}
    assert board(state)["floor"] == ["blue"]
    for text in ("1B12", "1B2-", "1B"):
        with pytest.raises(az.TextError):
            position(factories="BBBY - - - -").play(text)


# --- examples ---


def test_example_four_tiles_and_the_marker_cost_8() -> None:
    state = position(f"20 -/-/-/-/- {EMPTY_WALL} -", EMPTY, centre="1BBBBK").play("CB-")
    assert board(state)["floor"] == ["marker", "blue", "blue", "blue", "blue"]
    assert state.projected[0] == 20 - 8
    assert state.play("CK1").scores[0] == 20 - 8


@pytest.mark.parametrize(
    ("wall", "points"),
    [
        ("BY.../...../...../...../.....", 3),  # two beside it in the row, none in the column
        ("BY.K./...../...../...../.....", 4),
        ("...../...../...../...../.....", 1),  # alone
        ("...KW/...../...../...../.....", 3),
        ("BY.KW/..Y../..B../...../.....", 5 + 3),
        ("B..KW/...../...../...../.....", 3),  # the run is broken at column 2
    ],
)
def test_example_points_of_red_in_row_1(wall: str, points: int) -> None:
    state = position(f"0 R1/-/-/-/- {wall} -", EMPTY, centre="1K", turn="seat 1").play("CK-")
    assert state.scores[0] == points + 2 * state.over


def test_example_three_beside_it_and_two_in_the_column_are_4_and_3() -> None:
    state = position("0 R1/-/-/-/- BY.K./..Y../..B../...../..... -", EMPTY, centre="1K", turn="seat 1").play("CK-")
    assert state.scores[0] == 4 + 3


def test_example_two_above_it_only_are_3() -> None:
    state = position("0 -/-/B3/-/- ..R../..Y../...../...../..... -", EMPTY, centre="1K", turn="seat 1").play("CK-")
    assert state.scores[0] == 3


# --- what other programs got wrong ---


def test_pitfall_3_scores_never_fall_below_0_and_do_not_wrap() -> None:
    state = position(f"3 -/-/-/-/- {EMPTY_WALL} BBBBBBB", EMPTY, centre="1K", turn="seat 1").play("CK-")
    assert state.scores == (0, 0)
    high = position(f"300 B1/-/-/-/- {EMPTY_WALL} -", EMPTY, centre="1K", turn="seat 1").play("CK-")
    assert high.scores[0] == 301


def test_pitfall_4_tiles_are_drawn_by_what_the_bag_holds() -> None:
    state = position(centre="1B", lid="Y20 R20 K20 W5").play("CB-")
    assert state.chances() == {0: 19 / 34, 4: 15 / 34}
    drawn = Counter(colour for seed in range(400) for colour in az.parse(str(state)).deal(seed=seed).drawn[:1])
    assert 190 < drawn[0] < 255, "19 of 34 are 224 of 400; eight standard deviations are 79"


def test_pitfall_6_the_marker_is_there_again_in_every_round() -> None:
    state = az.make("azul").start(seed=11)
    seen = {state.round}
    while state.round < 4:
        before, state = state, state.play(state.actions[len(state.actions) // 2])
        if state.round > before.round:
            assert state.to_dict()["marker_in_centre"]
            assert state.seat == state.to_dict()["start"] is not None
            seen.add(state.round)
    assert seen == {1, 2, 3, 4}


def test_pitfall_7_the_eighth_tile_costs_nothing() -> None:
    state = position(f"30 -/-/-/-/- {EMPTY_WALL} BBBBBBB", EMPTY, factories="RRRR - - - -", centre="1K")
    assert state.projected[0] == state.play("1R-").projected[0] == 30 - 14


def test_pitfall_11_there_is_no_limit_of_ten_rounds() -> None:
    """Pitfall 12: players who put everything on the floor play for ever."""
    state = az.make("azul").start(seed=5)
    while state.round < 30:
        state = state.play(next(action for action in state.actions if str(action).endswith("-")))
    assert not state.over
    assert tiles(state) == 100


def test_pitfall_13_nothing_of_the_future_is_in_a_state() -> None:
    """Two games that have gone the same way are equal whatever will be drawn."""
    deal = "BYRK BBWW RRKK YYYW BYRK"
    one, two = (az.make("azul").start(seed=seed, first=0, draws=deal) for seed in (1, 2))
    assert one == two
    assert one.array().tobytes() == two.array().tobytes()
    while one.round == 1:
        action = one.actions[0]
        one, two = one.play(action), two.play(action)
    assert one != two, "they part when tiles are drawn"


def test_random_two_player_games_last_70_to_71_moves_and_end_at_about_3_points() -> None:
    """The cheap check for a wrong move set."""
    game = az.make("azul")
    state, keys, out = game.start(seed=0), np.array([1], np.uint64), game.actions_buffer()
    array, moves = state.array(), 400_000
    finished = game.entry_points.wander(array, 0, game.option_codes, keys, out, moves)
    assert 69.8 < moves / finished < 70.9
    points = []
    for _ in range(300):
        while game.entry_points.wander(array, 0, game.option_codes, keys, out, 1) == 0:
            pass
        points += array["score"][0, :2].tolist()
    assert 2.2 < np.mean(points) < 3.8


# --- tables and packing ---


def test_tables() -> None:
    assert sorted(itertools.chain(*COLOUR_AT.tolist())) == sorted(list(range(5)) * 5)
    for spaces in range(32):
        for place in range(5):
            runs = [len(run) for run in f"{spaces:05b}"[::-1][: place + 1].split("0")]
            left = runs[-1]
            right = len(f"{spaces:05b}"[::-1][place:].split("0")[0])
            assert lookups.RUN[spaces, place] == (left + right - 1 if spaces >> place & 1 else 0)
