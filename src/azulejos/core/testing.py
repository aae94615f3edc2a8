"""The contract of every game, as a public test."""

import json
import random

from .errors import AzulejosError, IllegalAction, IllegalDraw
from .game import Game
from .record import Record
from .registry import make, parse
from .rules import PlainRules
from .state import State


def api_test(game: Game, plays: int = 3, seed: int = 0, most_actions: int = 300) -> None:
    """Play random games through the public interface and check the contract of a game.

    Raises AssertionError at the first violation. `most_actions`: after which a game is abandoned, since some games
    may never end in random play.
    """
    chooser = random.Random(seed)
    assert make(game.name, **game.chosen) == game
    assert hash(make(game.name, **game.chosen)) == hash(game)
    assert not padding(game), f"the record has padding, so equal states may differ in bytes: {padding(game)}"
    for play in range(plays):
        start = game.start(seed=seed + play)
        assert start == game.start(seed=seed + play), "the same seed must give the same start"
        record = Record(start)
        while not record.state.over and len(record.actions) < most_actions:
            _check_position(record.state)
            _check_refusals(record.state, chooser)
            action = chooser.choice(list(record.state.actions))
            before, text = record.state, str(record.state)
            after = record.play(action)
            assert str(before) == text, f"playing {action} changed the state that it was played on"
            _check_same_either_way(before, int(action), after)
        _check_position(record.state)
        if record.state.over:
            _check_end(record.state)
        written = str(record)
        assert str(Record.parse(written)) == written, "a record must survive writing and reading"
        assert list(Record.parse(written).states()) == list(record.states())


def perft(state: State, depth: int) -> int:
    """The number of action sequences of a length; a sequence that meets a draw or the end stops there."""
    import numpy as np

    game = state.game
    stack = game.empty(depth + 1)
    stack[0] = state.array()[0]
    outs = np.zeros((depth + 1, game.num_actions + 8), np.int16)
    at, ends = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
    return int(game.entry_points.count_sequences(stack, outs, at, ends, depth))


def padding(game: Game) -> int:
    """Bytes of the game's structured type that belong to no field."""
    dtype = game.kernels.STATE
    fields = sum(dtype.fields[name][0].itemsize for name in dtype.names)
    return int(dtype.itemsize - fields)


def _check_position(state: State) -> None:
    game = state.game
    assert (wrong := game.check(state)) is None, f"{wrong} in {state}"
    again = parse(str(state))
    assert again == state, f"{state} reads as {again}"
    assert str(again) == str(state)
    assert hash(again) == hash(state)
    assert eval(repr(state), {"azulejos": __import__("azulejos")}) == state
    json.dumps(state.to_dict())
    assert len(state.scores) == game.players
    assert len(state.projected) == game.players
    assert (state.seat is None) == (state.over or state.awaits_draw)
    assert bool(state.actions) == (state.seat is not None)
    texts = set()
    for action in state.actions:
        assert action in state.actions
        assert int(action) in state.actions
        assert 0 <= int(action) < game.num_actions
        assert game.action(str(action)) == action
        assert action.words
        assert action.path
        texts.add(str(action))
    assert len(texts) == len(state.actions), "two actions have the same text"
    assert [*map(int, state.actions)] == sorted(map(int, state.actions)), "actions are listed in rising order"
    if state.seat is not None:
        assert state.view(state.seat).actions == state.actions, "a seat must know what it may do"


def _check_refusals(state: State, chooser: random.Random) -> None:
    text = str(state)
    for index in chooser.sample(range(state.game.num_actions), min(4, state.game.num_actions)):
        if index not in state.actions:
            refusal = None
            try:
                state.play(index)
            except IllegalAction as error:
                refusal = error
            assert refusal, f"{state.game.action(index)} was played, though it is not legal in {text}"
            assert text in str(refusal), "a refusal quotes the position"
    for nonsense in ("", "?", "0", " ", "é", str(state.actions[0]) + " ", "-" + str(state.actions[0])):
        try:
            state.play(nonsense)
        except AzulejosError:
            pass
        else:
            raise AssertionError(f"{nonsense!r} was played")
    try:
        state.draw(0)
    except IllegalDraw:
        pass
    else:
        raise AssertionError(f"a draw was made where none is due: {text}")
    assert str(state) == text, "a refusal changed the state"


def _check_same_either_way(before: State, action: int, after: State) -> None:
    """Check that given draws, single draws and uncompiled rules lead to the same state."""
    assert before.play(action) == after, "the same state, action and chance must give the same state"
    fresh = parse(str(before))
    given = fresh.play(action, after.drawn) if after.drawn else fresh.play(action)
    assert given == after, "the same draws must give the same state"
    walked = fresh.play(action)
    for drawn in after.drawn:
        assert abs(sum(walked.chances().values()) - 1) < 1e-9
        assert walked.chances()[drawn] > 0
        assert walked.game.check(walked) is None, f"{walked.game.check(walked)} in {walked}"
        assert parse(str(walked)) == walked
        walked = walked.draw(drawn)
    assert walked == after
    rules = PlainRules(before.game)
    position = rules.play(before.position, action)
    for drawn in after.drawn:
        position = rules.draw(position, drawn)
    assert position == after.position, "compiled and uncompiled rules differ"


def _check_end(state: State) -> None:
    outcome = state.outcome
    assert outcome is not None
    assert outcome.winners
    assert outcome.scores == state.scores
    assert set(outcome.winners) <= set(range(state.game.players))
    try:
        state.play(0)
    except IllegalAction:
        pass
    else:
        raise AssertionError("an action was played after the end")
