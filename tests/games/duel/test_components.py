"""Azul Duel's tables: totals, and facts that stand in one place."""

from collections import Counter

import pytest

import azulejos as az
from azulejos.games.duel import lookups as T
from azulejos.games.duel import tables as L
from azulejos.games.duel.kernels import record as K


def test_nine_special_and_nine_joker_plates() -> None:
    assert len(L.SPECIAL_PLATES) == len(L.JOKER_PLATES) == 9
    assert len(set(L.PLATES)) == L.NUM_PLATES == 18
    for plate in L.PLATES:
        assert len(set(plate[1:])) == 3
        assert set(plate[1:]) <= set(L.LETTERS)


def test_the_two_kinds_differ_in_one_plate() -> None:
    assert set(L.SPECIAL_PLATES) - set(L.JOKER_PLATES) == {"KYB"}
    assert set(L.JOKER_PLATES) - set(L.SPECIAL_PLATES) == {"YRT"}


def test_plates_run_out_exactly() -> None:
    rounds_with_tokens = L.ROUNDS - 1
    assert L.PLAYERS * (1 + rounds_with_tokens * L.TOKENS) == L.NUM_PLATES
    assert 1 + rounds_with_tokens * L.TOKENS == L.SQUARES


def test_twenty_chips_and_each_colour_on_six_of_them() -> None:
    assert L.CHIPS_IN_ALL == 20
    shown = Counter(letter for chip in L.CHIPS for letter in chip * L.CHIPS_OF_A_KIND)
    assert shown == dict.fromkeys(L.LETTERS, 6)
    assert sum(len(chip) == 1 for chip in L.CHIPS) == 5
    assert L.CHIPS_IN_ALL == L.ROUNDS * L.SMALL_FACTORIES == L.ROUNDS * L.PLAYERS * L.CHIPS_A_ROUND


def test_eight_sides_in_four_pairs() -> None:
    assert [len(pair) for pair in L.TABLETS] == [2, 2, 2, 2]
    assert len(set(L.SIDES)) == 8
    assert set(L.SIDE_WORDS) == set(L.SIDES)
    for number, (front, back) in enumerate(L.TABLETS):
        assert (L.SIDES[number], L.SIDES[number + 4]) == (front, back)


def test_65_tiles_and_nine_special_tiles() -> None:
    assert L.NUM_COLOURS * L.TILES_OF_A_COLOUR == 65
    assert L.PLATES_OF_A_KIND == 9  # each special tile lies on a special plate, so there are as many as can be laid


def test_penalties_and_points_of_the_rows() -> None:
    assert L.PENALTIES.tolist() == [0, 1, 3, 6, 10]
    assert L.SPECIAL_POINTS.tolist() == [1, 2, 3, 4, 5, 6]
    assert L.START_TILE_PENALTY == 2
    assert (L.UPPER_CORNER_BONUS, L.LOWER_CORNER_BONUS) == (3, 8)


def test_a_rotation_turns_the_colours_clockwise() -> None:
    plate = L.PLATES.index("sTYK")
    names = [[L.SLOT_NAMES[L.slot(plate, rotation, corner)] for corner in range(4)] for rotation in range(4)]
    assert names[0] == ["special", "turquoise", "yellow", "black"]  # upper left, upper right, lower right, lower left
    assert names[1] == ["black", "special", "turquoise", "yellow"]
    assert names[2] == ["yellow", "black", "special", "turquoise"]
    assert names[3] == ["turquoise", "yellow", "black", "special"]


def test_tables_of_plates_agree_with_the_layout() -> None:
    for code in range(1, T.CODES):
        plate, rotation = divmod(code - 1, 4)
        taken = {colour: sum(int(T.ACCEPTS[code, row, colour]).bit_count() for row in range(2)) for colour in range(5)}
        own = {L.LETTERS.index(letter) for letter in L.PLATES[plate][1:]}
        joker = plate >= 9
        assert taken == {colour: (colour in own) + joker for colour in range(5)}
        for corner, (row, column) in enumerate(L.CORNER_PLACES):
            assert T.SLOT_AT[code, row, column] == L.slot(plate, rotation, corner)
    assert sum(int(spaces) for spaces in T.SQUARE_SPACES) == 2**36 - 1
    assert T.RING_MASK.bit_count() == 20


def test_actions_are_so_many_distinct_integers_with_texts_words_and_paths() -> None:
    game = az.make("duel")
    assert game.num_actions == K.NUM_ACTIONS == 349
    actions = [game.action(index) for index in range(game.num_actions)]
    for kind in (str, lambda action: action.path, lambda action: action.words):
        assert len({kind(action) for action in actions}) == len(actions)
    assert [int(game.action(str(action))) for action in actions] == list(range(game.num_actions))


# --- the option ---


def test_the_first_game_set_is_the_default() -> None:
    assert az.make("duel").chosen == {"tablets": "rows,columns,diagonals"}
    assert az.make("duel") == az.make("duel", tablets=("diagonals", "rows", "columns"))
    assert az.make("duel") == az.make("duel", tablets="columns,rows,diagonals")
    assert az.make("duel", tablets=["rows", "ring", "corners", "specials"]).chosen["tablets"] == (
        "rows,ring,corners,specials"
    )


@pytest.mark.parametrize(
    ("tablets", "message"),
    [
        (5, "name three or four"),
        (True, "name three or four"),
        (None, "name three or four"),
        ((3, 4, 5), "name three or four"),
        ("rows", "1 tablets"),
        ("rows,rows,ring", "each once"),
        ("rows,columns,towers", "no tablet 'towers'"),
        ("rows,colours,ring", "two sides of one tablet"),
        (("rows", "ring", "diagonals", "jokers", "specials"), "two sides of one tablet"),
    ],
)
def test_impossible_tablets_are_refused(tablets: object, message: str) -> None:
    with pytest.raises(az.OptionError, match=message):
        az.make("duel", tablets=tablets)


def test_other_options_are_refused() -> None:
    with pytest.raises(az.OptionError, match="no option 'players'"):
        az.make("duel", players=2)


@pytest.mark.parametrize("count", [3, 4])
def test_tablets_drawn_at_random_are_exclusive_and_all_come_up(count: int) -> None:
    game = az.make("duel", tablets=count)
    seen = set()
    for seed in range(60):
        sides = game.start(seed=seed).to_dict()["sides"]
        assert len(sides) == count
        assert len({L.SIDES.index(side) % 4 for side in sides}) == count
        seen |= set(sides)
    assert seen == set(L.SIDES)


def test_tablets_are_drawn_with_equal_chance_first_of_all() -> None:
    state = az.make("duel", tablets=3).lay_out(0)
    assert {round(chance, 6) for chance in state.chances().values()} == {1 / 8}
    after = state.draw(next(iter(state.chances())))
    assert len(after.chances()) == 6
    assert len(after.draw(next(iter(after.chances()))).chances()) == 4
