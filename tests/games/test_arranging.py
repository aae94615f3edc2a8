"""Positions set up by hand: each change is what it says, and keeps the number of tiles of each colour."""

import random
import re

import pytest

import azulejos as az
from azulejos.games.arranging import settle


def edited(state: az.State, place: str, letter: str) -> str:
    modules, fields = state.game.modules, str(state).split(" | ")
    moved = modules.arranging.arrange(fields, place.split("."), letter)
    settle(fields, modules.arranging.STORES, moved, modules.tables.LETTERS)
    return " | ".join(fields)


@pytest.mark.parametrize("name", ["azul", "pavilion", "duel"])
def test_tiles_are_put_anywhere_and_stay_as_many(name: str) -> None:
    state, choose = az.make(name).start(seed=2), random.Random(1)
    for _move in range(40):
        state = state.play(choose.choice(state.actions))
    letters = state.game.modules.tables.LETTERS
    done = 0
    for place in re.findall(r'id="((?:factory|large-factory|centre|supply|seat-\d\.)[^"]*)"', state.game.draw(state)):
        for letter in (letters[0], letters[2], ""):
            try:
                text = edited(state, place, letter)
                game, position = type(state.game).parse_state(text)
            except az.AzulejosError:
                continue  # a full line, an empty place, a score
            done += 1
            wrong = game.check(az.State(game, position)) or ""
            assert "there must be" not in wrong, (place, letter, text)
    assert done > 150


def test_what_is_put_lies_there() -> None:
    state = az.make("azul").start(draws="BBBB YYYY RRRR KKKK WWWW")
    assert " | BBBB YYYY RRRR KKK WWWW | 1 | B16Y16R16K17W16 | " in edited(state, "factory-4.black.1", "")
    assert "0 -/-/K1/-/- " in edited(state, "seat-1.line-3.2", "K")
    assert " B..../...../" in edited(state, "seat-0.wall.1.1", "R"), "the coloured wall has its own colours"
    assert edited(state, "seat-1.floor.1", "1").split(" | ")[2] == "-"
    with pytest.raises(az.AzulejosError, match="no tile lies here"):
        edited(state, "seat-0.score", "K")
    duel = az.make("duel").start(seed=4)
    assert "B1/-/-" in edited(duel, "seat-0.line-1", "B")
