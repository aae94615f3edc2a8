"""Games are values, and their options are read in one place."""

import copy
import os
import pickle
import subprocess
import sys

import pytest

import azulejos as az
from azulejos.core.game import Option
from azulejos.core.registry import restore


def test_a_game_is_the_same_in_another_process() -> None:
    """Strings hash differently there, so no hash may travel."""
    game = az.make("azul", wall="grey")
    asked = (
        "import pickle, sys, azulejos; game = pickle.loads(sys.stdin.buffer.read());"
        "print({game: 1}[azulejos.make('azul', wall='grey')], hash(game) == hash(azulejos.make('azul', wall='grey')))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    answered = subprocess.run(
        [sys.executable, "-c", asked], input=pickle.dumps(game), capture_output=True, check=True, env=environment
    )
    assert answered.stdout.decode().split() == ["1", "True"]


@pytest.mark.parametrize("game", az.registered())
def test_a_game_can_be_copied(game: str) -> None:
    one = az.make(game)
    for twin in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert twin == one
        assert hash(twin) == hash(one)


def test_options_are_read_from_their_texts() -> None:
    for kind in az.registered().values():
        for game in kind.variants():
            assert kind.read(game.chosen_texts.items()) == game
    assert restore("azul", {}) == az.make("azul")
    with pytest.raises(az.OptionError, match="there is no game 'go'"):
        restore("go", {})
    with pytest.raises(az.OptionError, match="azul has no option 'colour'"):
        restore("azul", {"colour": "blue"})
    with pytest.raises(az.OptionError, match="players='9' is not possible"):
        restore("azul", {"players": "9"})


def test_a_choice_may_be_zero() -> None:
    assert Option("handicap", (0, 1), "points to begin with").read("0") == 0
