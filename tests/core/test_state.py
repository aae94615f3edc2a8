"""States, actions and games as values."""

import pickle

import numpy as np
import pytest

import azulejos as az

GAME = az.make("azul")


def test_a_state_is_a_value() -> None:
    state = GAME.start(seed=1)
    text = str(state)
    array = state.array()
    array["score"] = 99
    assert str(state) == text
    assert {state, az.parse(text)} == {state}
    assert state != GAME.start(seed=2)
    assert state != text


def test_playing_never_changes_the_state_played_on() -> None:
    state = GAME.start(seed=1)
    before = state.array().tobytes()
    for action in state.actions:
        assert state.play(action) != state
    assert state.array().tobytes() == before


def test_the_same_action_from_the_same_state_draws_the_same_tiles() -> None:
    state = GAME.start(seed=1)
    while state.round == 1:
        before, state = state, state.play(state.actions[0])
    assert before.play(before.actions[0]) == state


def test_without_chance_a_state_waits_for_its_draw() -> None:
    state = az.parse(str(GAME.start(seed=1)))
    while not state.awaits_draw:
        state = state.play(state.actions[0])
    assert state.seat is None
    assert len(state.actions) == 0
    assert not state.over
    assert sum(state.chances().values()) == pytest.approx(1)
    with pytest.raises(az.IllegalAction, match="a draw is awaited"):
        state.play("1B1")
    assert state.deal(seed=4).seat is not None
    assert state.deal(seed=4) == state.deal(seed=4)
    assert GAME.start(seed=1).chances() == {}


def test_a_parsed_state_with_a_seed_goes_on_by_itself() -> None:
    state = az.parse(str(GAME.start(seed=1)), seed=5)
    while state.round < 3:
        state = state.play(state.actions[0])
    assert not state.awaits_draw


def test_seeds_may_be_generators() -> None:
    one, two = (GAME.start(seed=np.random.default_rng(8)) for _ in range(2))
    assert one == two


def test_actions_are_a_set_that_takes_texts_and_integers() -> None:
    state = GAME.start(first=0, draws="BYRK BBWW RRKK YYYW BYRK")
    action = GAME.action("2B2")
    assert action in state.actions
    assert "2B2" in state.actions
    assert int(action) in state.actions
    assert "2Y2" not in state.actions
    assert "junk" not in state.actions
    assert None not in state.actions
    assert state.actions & {action} == {action}
    assert repr(state.actions).startswith("{1B-, 1B1, ")
    assert state.play("2B2") == state.play(action) == state.play(int(action))


def test_an_action_says_itself() -> None:
    action = GAME.action("CR-")
    assert action.words == "red from the centre to the floor"
    assert action.path == ("centre", "red", "floor")
    assert eval(repr(action), {"azulejos": az}) == action
    assert hash(action) == hash(GAME.action(int(action)))
    assert action != az.make("azul", players=3).action("CR-")
    with pytest.raises(az.OptionError, match="is an action of"):
        az.make("azul", players=3).action(action)
    with pytest.raises(az.OptionError, match="action 180 does not exist"):
        GAME.action(180)


def test_games_are_values() -> None:
    assert az.make("azul", players=3) == az.make("azul", wall="coloured", players=3)
    assert az.make("azul") != az.make("azul", wall="grey")
    assert eval(repr(GAME), {"azulejos": az}) == GAME
    assert len({az.make("azul"), az.make("azul")}) == 1


def test_options_are_checked() -> None:
    with pytest.raises(az.OptionError, match="players=5 is not possible: players is one of 2, 3, 4"):
        az.make("azul", players=5)
    with pytest.raises(az.OptionError, match="players=True"):
        az.make("azul", players=True)
    with pytest.raises(az.OptionError, match="azul has no option 'walls'; it has players, wall"):
        az.make("azul", walls="grey")
    with pytest.raises(az.OptionError, match="there is no game 'chess'"):
        az.make("chess")
    with pytest.raises(az.OptionError, match="seats are 0 to 1"):
        GAME.start(first=2)
    with pytest.raises(az.OptionError, match="seats are 0 to 1"):
        GAME.start(seed=1).view(2)


def test_a_name_is_registered_once() -> None:
    class Other(type(GAME)):  # type: ignore[misc]
        pass

    with pytest.raises(az.OptionError, match="registered already"):
        az.register(Other)
    assert az.register(type(GAME)) is type(GAME), "the same game again is no harm"


def test_errors_are_values_that_travel() -> None:
    for refused in ("Z", "CB-"):
        with pytest.raises(az.AzulejosError) as caught:
            GAME.start(seed=1).play(refused)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_story_tells_each_score_and_changes_nothing() -> None:
    text = (
        "azul coloured round 2 seat 1 start 0 | - - - - - | 1K | B17Y20R19K19W20 | -"
        " | 0 R1/-/B3/-/- ...../...../...../...../..... - | 0 -/-/-/-/- ...../...../...../...../..... -"
    )
    state = az.parse(text)
    events = [str(event) for event in GAME.story(state, "CK4")]
    assert events == [
        "take seat=1 source=0 colour=3 tiles=1",
        "marker seat=1 floored=1",
        "line seat=1 line=3 colour=3 tiles=1",
        "penalty seat=1 points=0 cost=1",
        "wall seat=0 row=0 column=2 points=1",
        "wall seat=0 row=2 column=2 points=1",
        "lid seat=0 colour=0 tiles=2",
    ]
    assert str(state) == text
