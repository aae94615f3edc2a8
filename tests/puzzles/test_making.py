"""Making puzzles: few games, little thought."""

from pathlib import Path

import pytest

import azulejos as az
from azulejos.cli import main
from azulejos.core.errors import OptionError
from azulejos.players import Limit, Search
from azulejos.puzzles import read
from azulejos.puzzles.commands import Work
from azulejos.puzzles.making import CLEAR, COUNTS, LEAST, LEAST_EXACT, Effort, Maker, Solver
from azulejos.puzzles.rating import LEVELS, NEW, Rating, after, difficulty

SACRIFICE = (  # yellow goes to the floor, so that the other seat does not complete its line 3
    "azul coloured round 2 seat 1 start 1 | - BYYW - - - | RRK | B11Y13R12K9W15 | B1Y1R3 "
    "| 3 Y1/R2/Y1/-/K5 B..../.B.../...../R..../..... - | 1 -/B2/B3/W4/K5 .Y.../..Y../...../...../..... 1"
)

EQUAL = (  # black to line 5 wins, and so does blue to the floor
    "azul coloured round 5 seat 0 start 1 | - BYYK - - YKWW | 1BBBYYKW | - | B10Y9R14K7W7 "
    "| 16 -/-/W3/-/K2 BY.KW/.BY../..BYR/.KW../..... - | 20 -/B2/W2/R2/K3 .YRKW/W.YRK/....R/.KWBY/..... -"
)


def test_a_command_makes_puzzles_and_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, work = tmp_path / "out.jsonl", tmp_path / "work"
    command = ["puzzles", "azul", "--out", str(out), "--work", str(work), "--processes", "1"]
    command += ["--simulations", "400", "--times", "5", "--seed", "1"]
    assert main([*command, "--count", "1"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in COUNTS)
    first = read(out)
    assert len(first) == 1
    known = work.read_text()
    assert main([*command, "--count", "4"]) == 0
    assert read(out)[:1] == first
    assert len(read(out)) == 4
    assert work.read_text().startswith(known)
    assert work.read_text() != known
    for puzzle in read(out):
        assert puzzle.lead >= (LEAST_EXACT if puzzle.exact else LEAST) - 0.001  # chances are rounded
        assert set(puzzle.answers) <= set(map(str, puzzle.state.actions))
        assert puzzle.solved["master"] == 1


def test_a_work_file_made_with_other_numbers_is_refused(tmp_path: Path) -> None:
    Work(tmp_path / "work", {"game": "azul", "simulations": 400})
    with pytest.raises(OptionError, match="made otherwise"):
        Work(tmp_path / "work", {"game": "azul", "simulations": 500})


def test_a_position_is_a_puzzle_only_while_more_thought_agrees() -> None:
    """The sacrifice is best; that red is best, more thought does not believe."""
    view = az.parse(SACRIFICE)
    rivals = [view.game.action("2W-")]
    puzzle = Maker(view.game, 1, Effort(1_000, 10))._checked(view, view.game.action("2Y-"), rivals)
    assert puzzle
    assert puzzle.best == "2Y-"
    assert puzzle.exact
    assert "sacrifice" in puzzle.themes
    assert Maker(view.game, 1, Effort(1_000, 10))._checked(view, view.game.action("CR1"), rivals) is None


def test_what_a_short_search_sees_is_no_puzzle() -> None:
    view = az.parse(SACRIFICE)
    maker = Maker(view.game, 1, Effort(1_000, 10))
    assert maker.examine(view, Search(1).choose(view, Limit(simulations=600))) is None
    assert maker.found.counts[CLEAR] == 0


def test_a_puzzle_has_no_second_action_that_is_as_good() -> None:
    for text, best, exact, unique in (
        (SACRIFICE, "2Y-", True, True),
        (EQUAL, "2K5", True, False),
        (EQUAL, "5W2", False, False),
    ):
        view = az.parse(text)
        assert Maker(view.game, 1, Effort(400, 5)).is_best(view, view.game.action(best), exact) == unique


def test_alpha_beta_proves_what_is_best_to_the_end_of_the_round() -> None:
    view = az.parse(SACRIFICE)
    actions = list(view.actions)
    found = Solver(view.game).answers(view, actions)
    assert found
    best = max(range(len(actions)), key=lambda k: found[k].chance)
    assert str(actions[best]) == "2Y-"


def test_who_wins_against_a_puzzle_gains_and_the_puzzle_loses() -> None:
    puzzle = Rating(1800, 60)
    me, it = after(NEW, puzzle, True)
    assert me.rating > NEW.rating
    assert it.rating < puzzle.rating
    assert me.deviation < NEW.deviation
    me, it = after(NEW, puzzle, False)
    assert me.rating < NEW.rating
    assert it.rating > puzzle.rating
    assert abs(it.rating - puzzle.rating) < 30  # a puzzle that is known well moves little


def test_the_rating_of_a_puzzle_lies_between_the_levels_that_fail_and_those_that_solve_it() -> None:
    for hardest in range(1, 5):
        tries = [(name, k >= hardest) for k, name in enumerate(LEVELS) for _ in range(8)]
        low, high = list(LEVELS.values())[hardest - 1 : hardest + 1]
        assert low - 150 < difficulty(tries).rating < high + 150
