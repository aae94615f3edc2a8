"""Random games of every choice of tablets: 65 tiles, nine special tiles, 18 plates, 20 chips, at every step."""

from itertools import product

import numpy as np
import pytest

import azulejos as az
from azulejos.games.duel.tables import SIDES, TABLETS


def every_choice() -> list[str | int]:
    """Three tablets or four, on either side; and three or four drawn."""
    choices: list[str | int] = [3, 4]
    for sides in product(*((None, front, back) for front, back in TABLETS)):
        named = [side for side in SIDES if side in sides]
        if len(named) >= 3:
            choices.append(",".join(named))
    return choices


def test_there_are_fifty_choices() -> None:
    assert len(every_choice()) == 2 + 4 * 8 + 16


@pytest.mark.parametrize("tablets", every_choice())
def test_a_random_game_of_every_choice_of_tablets(tablets: str | int) -> None:
    game = az.make("duel", tablets=tablets)
    array, out, keys = game.start(seed=1).array(), game.actions_buffer(), np.array([len(str(tablets))], np.uint64)
    for move in range(400):
        over = game.entry_points.wander(array, 0, game.option_codes, keys, out, 1)
        if over or move % 20 == 0:
            state = az.State(game, array.copy())
            assert (wrong := game.check(state)) is None, f"{wrong} in {state}"
            assert count_everything(state) == (65, 18, 20)
            assert all(game.entry_points.project(array, 0, seat) >= 0 for seat in range(2))
        if over:
            break
    assert over


def count_everything(state: az.State) -> tuple[int, int, int]:
    """Tiles, plates and chips, counted in the data, apart from what `check` counts."""
    data = state.to_dict()
    places = [data["large_factory"]["sun"], data["large_factory"]["moon"], data["bag"], data["tower"]]
    places += [factory["sun"] for factory in data["factories"]] + [one["broken"] for one in data["boards"]]
    tiles = sum(sum(place.values()) for place in places) + sum(len(factory["moon"]) for factory in data["factories"])
    plates = len(data["display"]) + len(data["stack"]["plates"]) + len(data["hand"]) + (data["plate"] is not None)
    plates += sum(data["hand_unseen"].values())
    chips = sum(data["chips_unseen"].values()) + sum(
        factory["chip"] not in (None, "face down") for factory in data["factories"]
    )
    specials = 0
    for one in data["boards"]:
        tiles += sum(line["tiles"] for line in one["lines"])
        squares = [square for square in one["dome"] if square]
        lying = [tile for square in squares for tile in square["tiles"] if tile]
        specials += lying.count("special")
        tiles += len(lying) - lying.count("special")
        plates += len(squares)
        chips += sum(one["chips"].values())
    assert specials <= 9
    taken = 4 * data["round"] - sum(factory["chip"] is not None for factory in data["factories"])
    spent = taken - sum(sum(one["chips"].values()) for one in data["boards"])
    assert spent >= 0
    return tiles, plates, chips + spent
