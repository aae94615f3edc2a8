"""What holds for every registered game and variant. A game without its books fails here."""

import json
import random
import string
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import azulejos as az
from azulejos.core.registry import restore
from azulejos.core.testing import perft

from . import books

VARIANTS = books.every_variant()
every_variant = pytest.mark.parametrize("game", VARIANTS, ids=lambda game: game.slug)
in_any_variant = st.sampled_from(VARIANTS)


@every_variant
def test_keeps_what_the_api_promises(game: az.Game) -> None:
    az.api_test(game, plays=1, seed=5, most_actions=80)


@every_variant
def test_all_actions_have_a_text_and_a_game_is_found_again_by_its_options(game: az.Game) -> None:
    state = game.start(seed=2)
    assert state.actions.texts == [str(action) for action in state.actions]
    assert [int(game.action(text)) for text in game.texts] == list(range(game.num_actions))
    assert restore(game.name, game.chosen_texts) == game
    assert restore(game.name, game.chosen_texts) is restore(game.name, game.chosen_texts)


@every_variant
def test_whoever_has_the_data_of_a_position_may_change_them(game: az.Game) -> None:
    def spoil(data: Any) -> None:
        for part in data.values() if isinstance(data, dict) else data:
            if isinstance(part, dict | list):
                spoil(part)
        data.clear()

    for state in list(books.random_play(game, seed=4).states())[::10]:
        data = state.to_dict()
        text = json.dumps(data)
        spoil(data)
        assert json.dumps(state.to_dict()) == text


@every_variant
def test_the_data_of_a_position_says_which_draw_is_due(game: az.Game) -> None:
    state = game.lay_out(0)
    for _step in range(40):
        assert (state.to_dict()["draw"] is not None) == state.awaits_draw
        state = state.draw(next(iter(state.chances()))) if state.awaits_draw else state.play(state.actions[0])


@every_variant
def test_perft(game: az.Game) -> None:
    blocks = books.perft_file(game).read_text(encoding="utf-8").split("\n\n")
    assert len(blocks) > 1
    for block in blocks:
        position, *counts = block.strip().split("\n")
        state = az.parse(position.removeprefix("position "))
        for depth, count in (map(int, line.split()) for line in counts):
            assert perft(state, depth) == count, f"depth {depth} of {state}"


@every_variant
def test_perft_counts_what_the_checked_door_plays(game: az.Game) -> None:
    def walk(state: az.State, depth: int) -> int:
        if depth == 0 or not state.actions:
            return 1
        return sum(walk(state.play(action), depth - 1) for action in state.actions)

    states = list(books.random_play(game, seed=1).states())
    for state in (states[len(states) * 4 // 5], states[-2]):
        waiting = az.parse(str(state))
        depth = 2 if len(waiting.actions) < 12 else 1
        assert walk(waiting, depth) == perft(waiting, depth)


@every_variant
def test_playthrough(game: az.Game) -> None:
    assert books.write_playthrough(game) == books.playthrough_file(game).read_text(encoding="utf-8")


@every_variant
def test_compiled_random_play_and_the_public_door_play_the_same_game(game: az.Game) -> None:
    """The same key gives the same choices and draws, compiled or not."""
    state, out = game.start(seed=3), game.actions_buffer()
    array, keys = state.array(), np.array([77], np.uint64)
    state = az.State(game, state.array(), az.Chance(77))
    for _ in range(60):
        if state.over:
            break
        game.entry_points.wander(array, 0, game.option_codes, keys, out, 1)
        assert state.chance
        choice, chance = state.chance.below(len(state.actions))
        state = az.State(game, state.array(), chance).play(state.actions[choice])
        assert state == az.State(game, array.copy())
        assert state.chance == az.Chance(int(keys[0]))


@hypothesis.settings(max_examples=60, deadline=None)
@given(in_any_variant, st.integers(0, 2**64 - 1), st.integers(0, 60))
def test_positions_on_the_way_are_possible_and_survive_their_text(game: az.Game, seed: int, moves: int) -> None:
    state = books.random_play(game, seed, moves).state
    assert game.check(state) is None
    assert az.parse(str(state)) == state


@hypothesis.settings(max_examples=200, deadline=None)
@given(in_any_variant, st.text(max_size=12))
def test_junk_actions_raise_only_our_errors(game: az.Game, text: str) -> None:
    state = game.start(seed=0)
    before = str(state)
    if text not in map(str, state.actions):
        with pytest.raises(az.AzulejosError):
            state.play(text)
    assert str(state) == before


@hypothesis.settings(max_examples=300, deadline=None)
@given(in_any_variant, st.randoms(use_true_random=False))
def test_damaged_positions_are_refused_or_possible(game: az.Game, chooser: random.Random) -> None:
    text = list(str(books.random_play(game, chooser.randrange(30), chooser.randrange(40)).state))
    for _ in range(chooser.randrange(1, 4)):
        letter = chooser.choice(string.ascii_letters + string.digits + " |/-.@" + "".join(text))
        place = chooser.randrange(len(text))
        match chooser.randrange(3):
            case 0:
                text[place] = letter
            case 1:
                text.insert(place, letter)
            case _:
                del text[place]
    damaged = "".join(text)
    try:
        state = az.parse(damaged)
    except az.AzulejosError:
        return
    assert state.game.check(state) is None
    assert az.parse(str(state)) == state
    if state.actions:
        after = state.play(state.actions[chooser.randrange(len(state.actions))])
        assert after.game.check(after) is None


@hypothesis.settings(max_examples=150, deadline=None)
@given(in_any_variant, st.randoms(use_true_random=False))
def test_damaged_records_raise_only_our_errors(game: az.Game, chooser: random.Random) -> None:
    text = str(books.random_play(game, chooser.randrange(20), 25))
    lines = text.split("\n")
    place = chooser.randrange(len(lines))
    match chooser.randrange(4):
        case 0:
            del lines[place]
        case 1:
            lines.insert(place, chooser.choice(lines))
        case 2:
            words = lines[place].split(" ")
            words[chooser.randrange(len(words))] = chooser.choice(["", "7", "-1", "play", "é", "1B1", "999999999999"])
            lines[place] = " ".join(words)
        case _:
            lines[place] = lines[place][: chooser.randrange(len(lines[place]) + 1)]
    try:
        record = az.Record.parse("\n".join(lines))
    except az.AzulejosError:
        return
    assert az.Record.parse(str(record)) == record


@pytest.mark.parametrize(
    "junk", ["", " ", "azul", "azul ", "chess 1", "\0", "é" * 5000, "azul coloured round 99999999999999999999"]
)
def test_junk_positions_and_records_raise_only_our_errors(junk: str) -> None:
    with pytest.raises(az.AzulejosError):
        az.parse(junk)
    with pytest.raises(az.AzulejosError):
        az.Record.parse(junk)
