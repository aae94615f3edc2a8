"""The searching player: what it finds, and what it keeps to."""

import numpy as np
import pytest

import azulejos as az
from azulejos.core.errors import OptionError
from azulejos.core.streams import streams
from azulejos.players import Greedy, Limit, Search, tree
from azulejos.players.search import Tree

GAMES = [game for kind in az.registered().values() for game in kind.variants()]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_thoughts_hang_together(game: az.Game) -> None:
    state = game.start(seed=1)
    assert state.seat is not None
    choice = Search(1).choose(state.view(state.seat), Limit(simulations=200))
    assert choice.simulations == sum(choice.visits.values()) == 200
    assert choice.visits[choice.action] == max(choice.visits.values())
    assert choice.line[0] == choice.action
    assert len(choice.value) == game.players
    assert sum(choice.value) == pytest.approx(1)
    assert all(0 <= value <= 1 for value in choice.values.values())
    mean = sum(choice.values[action] * count for action, count in choice.visits.items()) / 200
    assert mean == pytest.approx(choice.value[state.seat])
    after = state
    for action in choice.line:
        if after.seat is None or after.drawn != state.drawn:
            break
        after = after.play(action)


def test_beats_greedy() -> None:
    game, won = az.make("azul"), 0
    for deal in range(5):
        for seat in range(2):
            state = game.start(seed=deal)
            players = [Search(1), Search(1)]
            greedy = Greedy(1)
            while state.seat is not None:
                if state.seat == seat:
                    state = state.play(players[seat].choose(state, Limit(simulations=100)).action)
                else:
                    state = state.play(greedy.choose(state).action)
            assert state.outcome
            won += state.outcome.winners == (seat,)
    assert won >= 9


def test_takes_what_ends_the_game_well() -> None:
    """The last tile of a round completes a row and wins: the search sees it, and sees that it wins."""
    game = az.make("azul")
    state = _last_tile(game)
    choice = Search(3).choose(state, Limit(simulations=300))
    assert choice.values[choice.action] > 0.9
    after = state.play(choice.action)
    assert after.outcome
    assert after.outcome.winners == (state.seat,)


def _last_tile(game: az.Game) -> az.State:
    """A position in which one action wins at once, found by playing on from many starts."""
    for seed in range(200):
        state = game.start(seed=seed)
        while state.seat is not None:
            for action in state.actions:
                after = state.play(action)
                if after.outcome and after.outcome.winners == (state.seat,) and len(state.actions) > 1:
                    return state
            state = state.play(Greedy(seed).choose(state).action)
    raise AssertionError("no such position")


def test_hidden_plates_make_no_difference() -> None:
    """Two stacks that differ in what one seat put under them look the same to the other, and are played the same."""
    state = az.make("duel").start(seed=1)
    while not str(state.actions[0]).startswith("under-"):
        drawing = [action for action in state.actions if str(action) == "draw"]
        state = state.play(drawing[0] if drawing else state.actions[0])
    knowing = state.seat
    assert knowing is not None
    one, other = (_until_the_other(state.play(action), knowing) for action in list(state.actions)[:2])
    assert one != other
    assert one.view(knowing) != other.view(knowing)
    seat = one.seat
    assert seat is not None
    assert one.view(seat) == other.view(seat)
    thought = Limit(simulations=100)
    assert Search(1).choose(one.view(seat), thought) == Search(1).choose(other.view(seat), thought)


def _until_the_other(state: az.State, seat: int) -> az.State:
    while state.seat == seat:
        state = state.play(state.actions[0])
    return state


def test_memory_is_bounded() -> None:
    game = az.make("azul")
    grown = Tree(game, game.judgement, np.uint64(1), nodes=40, edges=1500)
    grown.plant(game.start(seed=1))
    grown.grow(5_000)
    nodes, edges = grown.memory.used[:2].tolist()
    assert nodes <= 40
    assert edges <= 1500
    assert nodes == 40 or edges > 1400, "the test is about a tree that is full"
    assert grown.root_edges["visits"].sum() == 5_000


def test_threads_add_up() -> None:
    state = az.make("azul").start(seed=1)
    choice = Search(1, threads=2).choose(state, Limit(simulations=500))
    assert choice.simulations == 500
    assert choice.action in state.actions


def test_time_and_simulations_whichever_is_over_first() -> None:
    state = az.make("azul").start(seed=1)
    assert Search(1).choose(state, Limit(time=60, simulations=50)).simulations == 50
    assert Search(1).choose(state, Limit(time=0.001, simulations=10**9)).simulations < 10**9


def test_stops_when_the_decision_is_made() -> None:
    """What is left could not change which action was looked into most."""
    state, most = az.make("azul").start(seed=1), 20_000
    choice = Search(1).choose(state, Limit(simulations=most))
    best, second = sorted(choice.visits.values())[:-3:-1]
    assert most / 2 < choice.simulations < most
    assert best - second > most - choice.simulations
    assert choice.visits[choice.action] == best


def test_looks_past_draws() -> None:
    """An edge that leads to a draw leads to some deals, however many there could be."""
    game = az.make("duel")
    grown = Tree(game, game.judgement, np.uint64(1))
    grown.plant(game.start(seed=1))
    grown.grow(5_000)
    deals = []
    for edge in grown.memory.edges[: grown.memory.used[1]]:
        node, count = int(edge["child"]), 0
        while node != tree.NONE:
            node, count = int(grown.memory.nodes[node]["other"]), count + 1
        deals.append(count)
    assert 1 < max(deals) <= tree.MOST_DEALS


def test_one_action_needs_no_thought() -> None:
    game, greedy = az.make("azul"), Greedy(1)
    for seed in range(20):
        state = game.start(seed=seed)
        while state.seat is not None and len(state.actions) > 1:
            state = state.play(greedy.choose(state).action)
        if state.seat is not None:
            assert Search(1).choose(state, Limit(time=60)).simulations == 1
            return
    raise AssertionError("no such position")


@pytest.mark.parametrize("name", ["azul"])  # compiled for nothing else: half a minute each
def test_many_positions_are_searched_as_one_is(name: str) -> None:
    game, thought = az.make(name), Limit(simulations=40)
    views = [state.view(state.seat) for state in (game.start(seed=seed) for seed in range(3)) if state.seat is not None]
    choices = Search(5).choose_many(views, thought)
    for view, key, choice in zip(views, streams(3, 5), choices, strict=True):
        grown = Tree(game, game.judgement, key)
        grown.plant(view)
        grown.grow(40)
        visits = grown.root_edges["visits"]
        assert list(choice.visits.values()) == visits[visits > 0].tolist()
        assert choice.value == tuple(grown.memory.totals / 40)
    assert Search(5).choose_many(views[:2], thought) == choices[:2]


def test_many_positions_are_of_one_game_and_limited_by_simulations() -> None:
    azul, duel = az.make("azul").start(seed=1), az.make("duel").start(seed=1)
    assert Search(1).choose_many([], Limit(simulations=5)) == []
    with pytest.raises(OptionError, match="limited by simulations"):
        Search(1).choose_many([azul], Limit(time=1))
    with pytest.raises(OptionError, match="of several games"):
        Search(1).choose_many([azul, duel], Limit(simulations=5))
    with pytest.raises(OptionError, match="device='tpu' is not possible"):
        Search(1, device="tpu")


def test_refuses_nonsense() -> None:
    with pytest.raises(OptionError, match="no parameter 'depth'; it has explore"):
        Search(1, depth=3)
    with pytest.raises(OptionError, match="0 threads are not possible"):
        Search(1, threads=0)
    with pytest.raises(OptionError, match="nobody is to act"):
        Search(1).choose(az.make("azul").lay_out(0), Limit(simulations=1))
