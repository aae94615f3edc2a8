"""What a seat is shown: within its bounds, by the documented index, and nothing that it cannot know."""

from pathlib import Path

import numpy as np
import pytest

import azulejos as az
from azulejos.core.observation import Field, ObservationSpec
from azulejos.envs.batches import spec_of
from azulejos.envs.play import Observer

VARIANTS = [game for kind in az.registered().values() for game in kind.variants()]
every_variant = pytest.mark.parametrize("game", VARIANTS, ids=lambda game: game.slug)
DOCS = Path(__file__).parents[2] / "docs"


def positions(game: az.Game, seed: int, count: int = 120) -> list[az.State]:
    games = az.batch(game, 1, seed=seed)
    found = []
    for _ in range(count):
        found.append(games.state(0))
        games.step(games.random_actions())
    return found


@every_variant
def test_numbers_are_within_their_bounds(game: az.Game) -> None:
    layout = spec_of(game)
    games = az.batch(game, 20, seed=1)
    for _ in range(120):
        seen = games.observe()
        assert (seen >= 0).all()
        assert (seen <= layout.most).all(), np.flatnonzero((seen > layout.most).any(0))
        games.step(games.random_actions())


@every_variant
def test_a_seat_is_shown_no_more_than_it_may_know(game: az.Game) -> None:
    observer, hidden = Observer(game), 0
    for state in positions(game, 2, 600):
        for seat in range(game.players):
            view = state.view(seat)
            hidden += view.array().tobytes() != state.array().tobytes()
            seen = observer.observe(state.array(), seat).copy()
            assert (seen == observer.observe(view.array(), seat)).all(), state
    if game.hides():
        assert hidden, "nothing was hidden in these positions: they prove nothing"


@every_variant
def test_seats_count_from_the_one_that_looks(game: az.Game) -> None:
    observer, layout = Observer(game), spec_of(game)
    names = [field.name for field in layout.fields if field.name.endswith(": score")]
    told = 0
    for state in positions(game, 3):
        for seat in range(game.players):
            seen = layout.named(observer.observe(state.array(), seat))
            scores = [int(seen[name]) for name in names[: game.players]]
            assert scores == [state.scores[(seat + k) % game.players] for k in range(game.players)]
            told += len(set(scores)) > 1
    assert told


@every_variant
def test_the_one_hot_form_says_the_same(game: az.Game) -> None:
    layout = spec_of(game)
    games = az.batch(game, 3, seed=4)
    games.wander(25)
    compact, spread = games.observe().copy(), games.observe(one_hot=True)
    assert spread.shape == (3, layout.one_hot_size)
    for i in range(3):
        assert (layout.one_hot(compact[i]) == spread[i]).all()
        for k in range(layout.size):
            first = layout.places[k]
            if layout.kinds[k]:
                group = spread[i, first : first + layout.most[k] + 1]
                assert group.sum() == 1
                assert group.argmax() == compact[i, k]
            else:
                assert spread[i, first] == pytest.approx(compact[i, k] / layout.most[k])


def test_azul_by_name() -> None:
    state = az.make("azul", wall="grey").start(seed=1)
    while state.round < 3 or not any(any(board["wall"]) for board in state.to_dict()["boards"]):
        state = state.play(state.actions[len(state.actions) // 3])
    data, observer = state.to_dict(), Observer(state.game)
    colours = ["blue", "yellow", "red", "black", "white"]
    for seat in (0, 1):
        seen = spec_of(state.game).named(observer.observe(state.array(), seat))
        assert seen["grey"] == 1
        assert seen["round"] == data["round"]
        assert seen["start"] == (data["start"] - seat) % 2
        assert seen["bag"].tolist() == [data["bag"].get(colour, 0) for colour in colours]
        assert seen["sources"][0].tolist() == [data["centre"].get(colour, 0) for colour in colours]
        assert seen["sources"][1].tolist() == [data["factories"][0].get(colour, 0) for colour in colours]
        for who, board in (("own", data["boards"][seat]), ("next", data["boards"][1 - seat])):
            wall = [[0 if colour is None else 1 + colours.index(colour) for colour in row] for row in board["wall"]]
            assert seen[f"{who}: wall"].tolist() == wall
            assert seen[f"{who}: line tiles"].tolist() == [line["tiles"] for line in board["lines"]]
            floor = [1 + [*colours, "marker"].index(tile) for tile in board["floor"]]
            assert seen[f"{who}: floor"].tolist() == floor + [0] * (7 - len(floor))
        assert not seen["third next: wall"].any()


def test_pavilion_by_name() -> None:
    game = az.make("pavilion", players=3)
    state = max(positions(game, 5, 300), key=lambda state: state.round)
    data, observer = state.to_dict(), Observer(game)
    colours = ["purple", "green", "orange", "yellow", "blue", "red"]
    for seat in range(3):
        seen = spec_of(game).named(observer.observe(state.array(), seat))
        assert seen["players"] == 1
        assert seen["round"] == data["round"] - 1
        assert seen["supply"].tolist() == [data["supply"].get(colour, 0) for colour in colours]
        board = data["boards"][(seat + 1) % 3]
        assert seen["next: tiles"].tolist() == [board["tiles"].get(colour, 0) for colour in colours]
        stars = [[0 if tile is None else 1 + colours.index(tile) for tile in star] for star in board["stars"].values()]
        assert seen["next: stars"].tolist() == stars
        assert any(map(any, stars))


def test_duel_by_name() -> None:
    game = az.make("duel")
    state = max(positions(game, 6, 200), key=lambda state: state.round)
    data, observer = state.to_dict(), Observer(game)
    colours = ["blue", "yellow", "red", "black", "turquoise"]
    kinds = [*colours, "special", "joker"]
    seen = spec_of(game).named(observer.observe(state.array(), 1))
    board = data["boards"][0]
    assert seen["moon"].tolist() == [data["large_factory"]["moon"].get(colour, 0) for colour in colours]
    assert seen["display"].sum() == len(data["display"])
    assert np.count_nonzero(seen["stack"]) == len(data["stack"]["plates"])
    places = ((0, 0), (0, 1), (1, 1), (1, 0))
    for square, plate in enumerate(board["dome"]):
        for (row, column), k in zip(places, range(4), strict=True):
            at = 2 * (square // 3) + row, 2 * (square % 3) + column
            assert seen["other: slots"][at] == (0 if plate is None else 1 + kinds.index(plate["slots"][k]))
            assert seen["other: tiles"][at] == (0 if plate is None else plate["tiles"][k] is not None)
    assert seen["other: tiles"].any()


def test_a_layout_is_counted_right() -> None:
    layout = ObservationSpec((Field("a", (2,), 3, "", True), Field("b", (), 7, "")))
    assert (layout.size, layout.one_hot_size) == (3, 9)
    assert layout.one_hot(np.array([0, 3, 7], np.int16)).tolist() == [1, 0, 0, 0, 0, 0, 0, 1, 1]
    assert "| a | 2 | 0–3 | 0–1 | 0–7 |" in layout.table()


@pytest.mark.parametrize("kind", az.registered().values(), ids=lambda kind: kind.name)
def test_the_page_documents_each_index(kind: type[az.Game]) -> None:
    page = (DOCS / "observations.md").read_text(encoding="utf-8")
    assert f"## {kind.title}\n\n{spec_of(kind()).table()}\n" in page
