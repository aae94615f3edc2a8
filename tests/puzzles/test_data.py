"""The puzzles that the games ship."""

import tomllib
from datetime import date, timedelta

import pytest

import azulejos as az
from azulejos.core.registry import kind
from azulejos.puzzles import Puzzle, of_the_day, puzzles
from azulejos.puzzles.making import LEAST, LEAST_EXACT
from azulejos.puzzles.puzzle import LEVEL_NAMES, file_of
from azulejos.puzzles.themes import all_themes

GAMES = ("azul", "pavilion", "duel")
ROUNDED = 0.0011  # chances are written with three digits


@pytest.mark.parametrize("game", GAMES)
def test_every_puzzle_is_a_possible_position_with_one_best_action(game: str) -> None:
    for puzzle in puzzles(game).values():
        state = puzzle.state
        assert str(state) == puzzle.position
        assert state.game.name == game
        assert state.game.check(state) is None, puzzle.name
        legal = {str(action) for action in state.actions}
        assert set(puzzle.answers) <= legal, puzzle.name
        assert len(puzzle.answers) >= 2
        assert puzzle.lead >= (LEAST_EXACT if puzzle.exact else LEAST) - ROUNDED, puzzle.name
        assert not state.game.together(state), puzzle.name
        for action in puzzle.answers:
            assert puzzle.line(action)[0] in state.actions


@pytest.mark.parametrize("game", GAMES)
def test_themes_are_known_and_told_of_on_the_page_of_rules(game: str) -> None:
    known, file = all_themes(kind(game)), kind(game).modules.file("rules.toml")
    assert file
    sections = {section["id"] for section in tomllib.loads(file.read_text(encoding="utf-8"))["section"]}
    assert {theme for puzzle in puzzles(game).values() for theme in puzzle.themes} <= set(known)
    assert all(puzzle.themes for puzzle in puzzles(game).values())
    assert set(known.values()) <= sections


@pytest.mark.parametrize("game", GAMES)
def test_ratings_come_from_the_levels_and_the_master_solves_all(game: str) -> None:
    for puzzle in puzzles(game).values():
        assert tuple(puzzle.solved) == LEVEL_NAMES
        assert puzzle.solved["master"] == 1
    assert list(puzzles(game).values()) == sorted(puzzles(game).values(), key=lambda one: one.rating)


def test_all_puzzles_are_small() -> None:
    files = [file_of(kind(game)) for game in GAMES]
    assert sum(file.stat().st_size for file in files if file) < 1_000_000
    assert all(len(puzzles(game)) >= 300 for game in GAMES)
    assert len({puzzle.position for game in GAMES for puzzle in puzzles(game).values()}) == sum(
        len(puzzles(game)) for game in GAMES
    )


def test_each_day_has_its_puzzle_and_none_comes_again_before_all_have_come() -> None:
    first, count = date(2026, 11, 16), len(puzzles("azul"))
    days = [of_the_day("azul", first + timedelta(days=k)) for k in range(count)]
    assert {one.name for one in days if one} == set(puzzles("azul"))
    assert of_the_day("azul", first) == days[0]


def test_a_game_without_puzzles_has_none() -> None:
    assert puzzles("pig") == {}
    assert of_the_day("pig", date(2026, 11, 16)) is None


def test_a_puzzle_is_what_it_was_written_as() -> None:
    for puzzle in list(puzzles("duel").values())[:5]:
        assert Puzzle.of(puzzle.to_dict()) == puzzle
    assert az.parse(next(iter(puzzles("duel").values())).position)
