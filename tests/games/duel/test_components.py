"""Azul Duel's tables: totals, and facts that stand in one place."""

from collections import Counter

import pytest

import azulejos as az
from azulejos.games.duel import encoding, lookups, tables


def test_nine_special_and_nine_joker_plates() -> None:
    assert len(tables.SPECIAL_PLATES) == len(tables.JOKER_PLATES) == 9
    assert len(set(tables.PLATES)) == tables.NUM_PLATES == 18
    for plate in tables.PLATES:
        assert len(set(plate[1:])) == 3
        assert set(plate[1:]) <= set(tables.LETTERS)


def test_the_two_kinds_differ_in_one_plate() -> None:
    assert set(tables.SPECIAL_PLATES) - set(tables.JOKER_PLATES) == {"KYB"}
    assert set(tables.JOKER_PLATES) - set(tables.SPECIAL_PLATES) == {"YRT"}


def test_plates_run_out_exactly() -> None:
    rounds_with_tokens = tables.ROUNDS - 1
    assert tables.PLAYERS * (1 + rounds_with_tokens * tables.TOKENS) == tables.NUM_PLATES
    assert 1 + rounds_with_tokens * tables.TOKENS == tables.SQUARES


def test_twenty_chips_and_each_colour_on_six_of_them() -> None:
    assert tables.CHIPS_IN_ALL == 20
    shown = Counter(letter for chip in tables.CHIPS for letter in chip * tables.CHIPS_OF_A_KIND)
    assert shown == dict.fromkeys(tables.LETTERS, 6)
    assert sum(len(chip) == 1 for chip in tables.CHIPS) == 5
    assert (
        tables.CHIPS_IN_ALL
        == tables.ROUNDS * tables.SMALL_FACTORIES
        == tables.ROUNDS * tables.PLAYERS * tables.CHIPS_A_ROUND
    )


def test_eight_sides_in_four_pairs() -> None:
    assert [len(pair) for pair in tables.TABLETS] == [2, 2, 2, 2]
    assert len(set(tables.SIDES)) == 8
    assert set(tables.SIDE_WORDS) == set(tables.SIDES)
    for number, (front, back) in enumerate(tables.TABLETS):
        assert (tables.SIDES[number], tables.SIDES[number + 4]) == (front, back)


def test_65_tiles_and_nine_special_tiles() -> None:
    assert tables.NUM_COLOURS * tables.TILES_OF_A_COLOUR == 65
    assert (
        tables.PLATES_OF_A_KIND == 9
    )  # each special tile lies on a special plate, so there are as many as can be laid


def test_penalties_and_points_of_the_rows() -> None:
    assert tables.PENALTIES.tolist() == [0, 1, 3, 6, 10]
    assert tables.SPECIAL_POINTS.tolist() == [1, 2, 3, 4, 5, 6]
    assert tables.START_TILE_PENALTY == 2
    assert (tables.UPPER_CORNER_BONUS, tables.LOWER_CORNER_BONUS) == (3, 8)


def test_a_rotation_turns_the_colours_clockwise() -> None:
    plate = tables.PLATES.index("sTYK")
    names = [[tables.SLOT_NAMES[tables.slot(plate, rotation, corner)] for corner in range(4)] for rotation in range(4)]
    assert names[0] == ["special", "turquoise", "yellow", "black"]  # upper left, upper right, lower right, lower left
    assert names[1] == ["black", "special", "turquoise", "yellow"]
    assert names[2] == ["yellow", "black", "special", "turquoise"]
    assert names[3] == ["turquoise", "yellow", "black", "special"]


def test_tables_of_plates_agree_with_the_layout() -> None:
    for code in range(1, lookups.CODES):
        plate, rotation = divmod(code - 1, 4)
        taken = {
            colour: sum(int(lookups.ACCEPTS[code, row, colour]).bit_count() for row in range(2)) for colour in range(5)
        }
        own = {tables.LETTERS.index(letter) for letter in tables.PLATES[plate][1:]}
        joker = plate >= 9
        assert taken == {colour: (colour in own) + joker for colour in range(5)}
        for corner, (row, column) in enumerate(tables.CORNER_PLACES):
            assert lookups.SLOT_AT[code, row, column] == tables.slot(plate, rotation, corner)
    assert sum(int(spaces) for spaces in lookups.SQUARE_SPACES) == 2**36 - 1
    assert lookups.RING_MASK.bit_count() == 20


def test_actions_are_so_many_distinct_integers_with_texts_words_and_paths() -> None:
    game = az.make("duel")
    assert game.num_actions == encoding.NUM_ACTIONS == 349
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
        assert len({tables.SIDES.index(side) % 4 for side in sides}) == count
        seen |= set(sides)
    assert seen == set(tables.SIDES)


def test_tablets_are_drawn_with_equal_chance_first_of_all() -> None:
    state = az.make("duel", tablets=3).lay_out(0)
    assert {round(chance, 6) for chance in state.chances().values()} == {1 / 8}
    after = state.draw(next(iter(state.chances())))
    assert len(after.chances()) == 6
    assert len(after.draw(next(iter(after.chances()))).chances()) == 4
