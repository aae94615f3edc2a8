"""Events are values, and their kinds are declared once."""

import copy
import pickle

import pytest

import azulejos as az
from azulejos.core.events import Events


def test_an_event_can_be_copied_pickled_and_hashed() -> None:
    state = az.make("azul").start(seed=1)
    for event in state.game.story(state, state.actions[0]):
        for twin in (copy.copy(event), copy.deepcopy(event), pickle.loads(pickle.dumps(event))):
            assert twin == event
            assert hash(twin) == hash(event)
            assert str(twin) == str(event)


def test_an_event_cannot_be_changed() -> None:
    event = az.Event("take", {"seat": 1})
    with pytest.raises(AttributeError):
        event.kind = "give"  # type: ignore[misc]
    with pytest.raises(TypeError):
        event.values["seat"] = 2  # type: ignore[index]
    with pytest.raises(AttributeError, match="the event 'take' has no 'colour'"):
        event.colour  # noqa: B018


def test_a_kind_is_declared_once_with_at_most_four_numbers() -> None:
    events = Events()
    taken, poured = events.add("take", "seat", "tiles"), events.add("pour")
    assert events.event(taken, 1, 3, 0, 0) == az.Event("take", {"seat": 1, "tiles": 3})
    assert events.event(poured, 0, 0, 0, 0) == az.Event("pour", {})
    with pytest.raises(AssertionError, match="declared twice"):
        events.add("pour")
    with pytest.raises(AssertionError, match="more than 4 numbers"):
        events.add("deal", "a", "b", "c", "d", "e")
