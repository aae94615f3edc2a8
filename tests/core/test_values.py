"""Values cannot be changed, and can be hashed, copied and pickled; wrong types get the project's own errors."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import azulejos as az
from azulejos.core.values import seat_of, whole

GAME = az.make("azul")
STATE = GAME.start(seed=1)
WAITING = GAME.lay_out(0)
VALUES = [GAME, STATE, STATE.actions[0], STATE.actions, az.Outcome((3, 2), (0,)), az.Chance(5), GAME.options[0]]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_are_hashable_copyable_and_picklable(value: Any) -> None:
    for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert twin == value
        assert hash(twin) == hash(value)
        assert repr(twin) == repr(value)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (GAME, "chosen"),
        (GAME, "name"),
        (GAME, "players"),
        (STATE, "game"),
        (STATE, "chance"),
        (STATE, "drawn"),
        (STATE, "position"),
        (STATE.actions[0], "index"),
        (STATE.actions[0], "game"),
        (STATE.actions, "game"),
        (az.Outcome((3, 2), (0,)), "scores"),
        (GAME.options[0], "choices"),
    ],
)
def test_values_cannot_be_changed(value: Any, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(value, name, 5)
    with pytest.raises(AttributeError):
        delattr(value, name)


def test_the_options_of_a_game_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        GAME.chosen["players"] = 4  # type: ignore[index]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: STATE.draw(99),
        lambda: WAITING.draw(99),
        lambda: WAITING.draw("B"),  # type: ignore[arg-type]
        lambda: WAITING.draw(None),  # type: ignore[arg-type]
        lambda: WAITING.deal([0.5] * 20),  # type: ignore[list-item]
        lambda: WAITING.deal(7),  # type: ignore[arg-type]
        lambda: WAITING.deal(seed="x"),  # type: ignore[arg-type]
        lambda: STATE.play(None),  # type: ignore[arg-type]
        lambda: STATE.play(3.7),  # type: ignore[arg-type]
        lambda: STATE.play(True),
        lambda: STATE.play(b"3B2"),  # type: ignore[arg-type]
        lambda: STATE.view(True),
        lambda: STATE.view("0"),  # type: ignore[arg-type]
        lambda: STATE.view(None),  # type: ignore[arg-type]
        lambda: GAME.start(first=True),
        lambda: GAME.start(first=0.0),  # type: ignore[arg-type]
        lambda: GAME.start(seed="x"),  # type: ignore[arg-type]
        lambda: GAME.start(seed=0.5),  # type: ignore[arg-type]
        lambda: GAME.start(draws=[0.5] * 20),  # type: ignore[list-item]
        lambda: GAME.start(draws=[None] * 20),  # type: ignore[list-item]
        lambda: GAME.lay_out(2),
        lambda: az.make(None),  # type: ignore[arg-type]
        lambda: az.make(["azul"]),  # type: ignore[arg-type]
        lambda: az.parse(None),  # type: ignore[arg-type]
        lambda: az.Record.parse(None),  # type: ignore[arg-type]
        lambda: az.Record(STATE).undo("x"),  # type: ignore[arg-type]
        lambda: az.Record(STATE).resign(True),
        lambda: az.Record(STATE).end(["x"], "gone"),  # type: ignore[list-item]
    ],
)
def test_wrong_types_get_the_projects_own_errors(wrong: Callable[[], Any]) -> None:
    with pytest.raises(az.AzulejosError):
        wrong()


def test_integers_of_any_kind_are_integers() -> None:
    assert STATE.play(np.int16(STATE.actions[0])) == STATE.play(STATE.actions[0])  # type: ignore[arg-type]
    assert seat_of(np.int64(1), 2) == 1
    with pytest.raises(az.OptionError, match=r"size=2\.0 is not possible: size is an integer"):
        whole(2.0, "size")


def test_a_part_of_the_actions_is_a_list() -> None:
    assert STATE.actions[0:2] == [STATE.actions[0], STATE.actions[1]]
    assert type(STATE.actions[0:2]) is list
    assert STATE.actions[-1] == list(STATE.actions)[-1]
