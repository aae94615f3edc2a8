"""What a page is told of any game: places on the drawing, paths that lead to one action, points that add up."""

import random
import re

import pytest

import azulejos as az
from azulejos.core.game import Game
from azulejos.core.hand import Closed, Pick, Preview, Step

VARIANTS = [game for kind in az.registered().values() for game in kind.variants()]


@pytest.mark.parametrize("game", VARIANTS, ids=repr)
def test_all_that_a_page_is_told_fits_together(game: Game) -> None:
    chooser = random.Random(5)
    state, number = game.start(seed=6), 0
    sums = list(state.scores)
    while not state.over and number < 250:
        action = chooser.choice(list(state.actions))
        after = state.play(action)
        events = game.story(state, action, after.drawn)
        for event in events:
            found = game.points_of(event)
            if found:
                sums[found[1]] += found[2]
        if number % 16 == 0:
            assert game.ask(state)
            drawn = set(re.findall(r' id="([^"]+)"', game.draw(state, styled=False)))
            previews = game.previews(state)
            check_picks(state, previews, drawn)
            check_closed(game.closed(state), state, drawn)
            check_steps(game.steps(state, events), drawn)
            assert previews[list(state.actions).index(action)].projected == projected_after(state, action)
        assert sums == list(after.scores), f"the points told after {action} are not the scores"
        state, number = after, number + 1


def projected_after(state: az.State, action: az.Action) -> int:
    assert state.seat is not None
    return state.view(state.seat).play(action).projected[state.seat]


def check_picks(state: az.State, previews: list[Preview], drawn: set[str]) -> None:
    paths = set()
    on_board = 0
    for action, preview in zip(state.actions, previews, strict=True):
        picks: tuple[Pick, ...] = state.game.picks(state, int(action))
        path = tuple(pick.place for pick in picks)
        assert path not in paths, f"two actions are picked alike: {path}"
        paths.add(path)
        on_board += path[0] in drawn
        for pick in picks:
            assert pick.words
            assert set(pick.falls) <= drawn
        assert all(pick.asks for pick in picks[:-1]) or len(picks) == 1
        for ghost in preview.ghosts:
            assert ghost.place in drawn, f"{action} would lay something at {ghost.place}"
            assert ghost.shape in drawn
        for mark in preview.marks:
            assert mark.place in drawn, f"{action} would score at {mark.place}"
    assert on_board or len(paths) <= 8, "most of a game is picked on the board"
    for path in paths:
        assert not any(path == other[: len(path)] and path != other for other in paths), "a path ends on another's way"


def check_closed(closed: list[Closed], state: az.State, drawn: set[str]) -> None:
    first = {state.game.picks(state, int(action))[0].place for action in state.actions}
    for one in closed:
        assert one.why
        assert one.after in first
        assert one.place in drawn


def check_steps(steps: list[Step], drawn: set[str]) -> None:
    for step in steps:
        assert step.words or step.flights or step.marks
        for flight in step.flights:
            assert {flight.start, flight.end, flight.shape} <= drawn
        for mark in step.marks:
            assert mark.place in drawn


def test_tiles_of_a_line_that_fits_nowhere_fall_from_that_line() -> None:
    """Azul, grey wall: not from the place of which tiles were taken last."""
    state = az.parse(
        "azul grey round 9 seat 0 start 1 | - - - - - - - | YY | B8Y3R4K7W4 | B1"
        " | 0 -/R1/W2/Y3/R4 RYWB./....K/YBRK./...R./..... YYYK"
        " | 0 K1/K2/-/K2/W5 WY.BR/BWR../..KWB/...Y./..B.Y B1W"
        " | 0 -/R1/K2/W1/R4 KBWY./....K/.W.../Y..../..... WYYRBBB"
    )
    flights = [flight for step in state.game.steps(state, state.game.story(state, "CY4")) for flight in step.flights]
    assert [(flight.start, flight.end) for flight in flights if flight.shape == "tile-black"] == [
        ("seat-1.line-1", "seat-1.floor.4")
    ]
