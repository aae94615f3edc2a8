"""What a page is told of any game: places on the drawing, paths that lead to one action, points that add up."""

import random
import re
from itertools import takewhile

import pytest

import azulejos as az
from azulejos.core.game import Game
from azulejos.core.hand import Closed, Pick, Preview, Step
from azulejos.games.azul import encoding
from azulejos.server.pages.rules import anchors

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
        seen = None if after.drawn else game.steps_to(state, int(action), after)
        assert seen is None or seen == game.steps(state, events)
        if number % 16 == 0:
            assert game.ask(state)
            drawn = set(re.findall(r' id="([^"]+)"', game.draw(state, styled=False)))
            previews = game.previews(state)
            check_picks(state, previews, drawn)
            check_closed(game.closed(state), state, drawn)
            check_steps(game.steps(state, events), drawn)
            assert previews[list(state.actions).index(action)].projected == projected_after(state, action)
        check_together(state)
        assert sums == list(after.scores), f"the points told after {action} are not the scores"
        state, number = after, number + 1


def projected_after(state: az.State, action: az.Action) -> int:
    assert state.seat is not None
    return state.view(state.seat).play(action).projected[state.seat]


def check_picks(state: az.State, previews: list[Preview], drawn: set[str]) -> None:
    paths = set()
    on_board = 0
    offered = state.game.options_of(state)
    for action, preview, (shared, _preview) in zip(state.actions, previews, offered, strict=True):
        picks: tuple[Pick, ...] = state.game.picks(state, int(action))
        assert picks == shared.it
        assert preview == state.game.preview(state, int(action), preview.projected)
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
    said = [action.words for action in state.actions]
    assert len(set(said)) == len(said), "two actions read alike"
    assert on_board or len(paths) <= 8, "most of a game is picked on the board"
    for path in paths:
        assert not any(path == other[: len(path)] and path != other for other in paths), "a path ends on another's way"


def check_together(state: az.State) -> None:
    """What is picked in any order is every way to go on with the actions that it stands for."""
    together = state.game.together(state)
    if not together:
        return
    ways = {one.actions: sorted(pick.place for pick in one.picks) for one in together}
    assert len({tuple(places) for places in ways.values()}) == len(ways) == len(together)
    for one in together:
        after = state
        for index in one.actions:
            if index not in {int(action) for action in after.actions}:
                break  # the rules have done the rest
            after = after.play(after.game.action(index))
        assert after != state
    begun = {actions[0] for actions in ways}
    left = {int(action) for action in state.actions} - begun
    assert len(left) <= 1, "all but leaving a line is picked so"


def check_closed(closed: list[Closed], state: az.State, drawn: set[str]) -> None:
    first = {state.game.picks(state, int(action))[0].place for action in state.actions}
    for one in closed:
        assert one.why
        assert one.after in first or (not one.after and one.place not in first)
        assert one.place in drawn, f"{one.place} is closed, but nowhere"
    refused = {one.place for one in closed if not one.after}
    tried = {place for place in drawn if re.fullmatch(TRIED.get(state.game.name, ""), place)}
    mine = {place for place in tried if not place.startswith("seat-") or place.startswith(f"seat-{state.seat}.")}
    kinds = set(map(kind, first | refused))
    assert {place for place in mine if kind(place) in kinds} <= first | refused


def kind(place: str) -> str:
    """The first word of a place, after the seat; a chip is a chip."""
    return "chip" if place.endswith(".chip") else re.split(r"[\d.-]", re.sub(r"^seat-\d\.", "", place))[0]


# What a hand tries, and is told why not: tiles to take, rhombi, chips, plates.
TRIED = {
    "azul": r"factory-\d\.[a-z]+",
    "pavilion": r"factory-\d\.[a-z]+|seat-\d\.star-[a-z-]+\.\d",
    "duel": r"factory-\d\.chip|plate-[sj][A-Z]+|stack",
}


def check_steps(steps: list[Step], drawn: set[str]) -> None:
    for step in steps:
        assert step.words or step.flights or step.marks
        for flight in step.flights:
            assert {flight.start, flight.end, flight.shape} <= drawn
        for mark in step.marks:
            assert mark.place in drawn


@pytest.mark.parametrize("kind", az.registered().values(), ids=lambda kind: kind.name)
def test_every_object_explains_itself(kind: type[Game]) -> None:
    """All that the drawing names; each explanation is of something, and leads to a place of the page of rules."""
    things = kind.objects()
    if not things and kind.name not in ("azul", "pavilion", "duel"):
        return
    chooser, used = random.Random(4), set[str]()
    for game in kind.variants():
        state = game.start(seed=9)
        while not state.over:
            if not chooser.randrange(12):
                for label in re.finditer(
                    r'<[^>]* id="([^"]+)"[^>]* aria-label=|<[^>]* aria-label="[^"]*"[^>]* id="([^"]+)"',
                    game.draw(state, styled=False),
                ):
                    place = label[1] or label[2]
                    found = next((thing for thing in things if re.fullmatch(thing.places, place)), None)
                    assert found, f"{place} explains nothing"
                    used.add(found.places)
            state = state.play(chooser.choice(list(state.actions)))
    assert used == {thing.places for thing in things}
    assert {thing.anchor for thing in things} <= anchors(kind)


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


@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_previews_of_azul_are_what_the_rules_tell(wall: str) -> None:
    game, chooser = az.make("azul", players=3, wall=wall), random.Random(4)
    state = game.start(seed=4)
    while not state.over:
        for action, preview in zip(state.actions, game.previews(state), strict=True):
            if state.fields.phase != encoding.DRAFT:
                continue
            last = state.with_fields(left=game.story(state, action)[0].tiles)  # then it is tiled at once
            told = game.story(last, action)
            taking = list(takewhile(lambda event: event.kind in ("take", "marker", "line", "floor", "lid"), told))
            tiles = sum(event.tiles for event in taking if event.kind in ("line", "floor"))
            tiles += sum(event.floored for event in taking if event.kind == "marker")
            row = int(str(action)[2]) - 1 if str(action)[2] != "-" else None
            walled = [e for e in told if e.kind == "wall" and (e.seat, e.row) == (state.seat, row)]
            shown = walled if wall == "coloured" else []
            assert len(preview.ghosts) == tiles + len(shown)
            assert [mark.text for mark in preview.marks if "wall" in mark.place] == [f"+{e.points}" for e in shown]
        state = state.play(chooser.choice(list(state.actions)))
