"""Alpha-beta within a round: exact where it sees the round's end, and what becomes of it in a choice."""

import math

import numpy as np
import pytest

import azulejos as az
from azulejos.players import Greedy, Limit, Search, deepening, hints, tree
from azulejos.players.search import PARAMETERS, Deepening, Tree, entry_points, network_of

WALLS = [az.make("azul", players=2, wall=wall) for wall in ("coloured", "grey")]
MARGIN = PARAMETERS["margin"]
MOST = 300  # positions that are tried one by one


def begun(state: az.State, transpositions: int = 1 << 12) -> Deepening:
    game = state.game
    deep = Deepening(Tree(game, game.judgement, np.uint64(1), 1, 1), game.judgement, transpositions)
    deep.plant(state)
    return deep


def near_the_end(game: az.Game, seed: int, number: int) -> az.State:
    """A position in or after the round of the given number, so late in its round that all of it can be tried."""
    state, greedy = game.start(seed=seed), Greedy(seed)
    while state.seat is not None:
        if state.round >= number and 2 <= len(state.actions) <= 8 and size(state, state.round) <= MOST:
            return state
        state = state.play(greedy.choose(state).action)
    raise AssertionError("no such position")


def size(state: az.State, number: int) -> int:
    """How many positions a round can still lead to; more than MOST are not counted."""
    total = 1
    if state.seat is not None and state.round == number:
        for action in state.actions:
            total += size(state.play(action), number)
            if total > MOST:
                break
    return total


def chance(state: az.State, seat: int) -> float:
    """A seat's chance to win at the end of a round: by the weights, or by how the game ended."""
    assert state.game.judgement
    if state.outcome:
        ahead = (state.scores[seat] - state.scores[1 - seat]) / tree.FINAL_POINTS
    else:
        game, (weights, patterns, hidden, *_) = state.game, network_of(state.game, state.game.judgement)
        inputs, found = (
            np.zeros((2, weights.shape[1]), np.float32),
            entry_points(game.kernels, game.judgement, game.name),
        )
        row = found.list_inputs(state.array(), 0, inputs, patterns, hidden, game.actions_buffer())
        ahead = float(weights[row] @ (inputs[seat] - inputs[1 - seat]))
    share = 1 / (1 + math.exp(-ahead))
    if state.outcome:
        winners = state.outcome.winners
        return MARGIN * share + (1 - MARGIN) * (seat in winners) / len(winners)
    return share


def best_by_trying_all(state: az.State, seat: int, number: int) -> float:
    if state.seat is None or state.round > number:
        return chance(state, seat)
    best = max if state.seat == seat else min
    return best(best_by_trying_all(state.play(action), seat, number) for action in state.actions)


@pytest.mark.parametrize("game", WALLS, ids=repr)
def test_finds_what_trying_all_finds(game: az.Game) -> None:
    ended = 0
    for seed, number in ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 5), (7, 5)):
        state = near_the_end(game, seed, number)
        assert state.seat is not None
        view = state.view(state.seat)  # it waits before the next deal, where positions are evaluated
        best = best_by_trying_all(view, state.seat, state.round)
        for transpositions in (8, 1 << 12):  # with a table that loses most entries, too
            deep = begun(state, transpositions)
            deep.grow(10**6)
            assert deep.depth == deepening.WHOLE
            assert deep.value == pytest.approx(best)
            after = view.play(deep.line()[0])
            assert best_by_trying_all(after, state.seat, state.round) == pytest.approx(best)
        for action in deep.line():
            state = state.play(action)
        ended += state.over
    assert ended, "some of it is about games that end"


def test_goes_on_where_it_stopped() -> None:
    state = WALLS[0].start(seed=5)
    whole, pieces = begun(state), begun(state)
    whole.grow(5_000)
    for nodes in (1, 2, 997, 3_000, 1_000):
        pieces.grow(nodes)
    assert whole.nodes == pieces.nodes == 5_000
    assert (whole.depth, whole.value, whole.line()) == (pieces.depth, pieces.value, pieces.line())


def test_line_can_be_played() -> None:
    state = WALLS[0].start(seed=5)
    deep = begun(state, 1 << 16)
    deep.grow(20_000)
    line = deep.line()
    assert len(line) > 1
    for action in line:
        assert state.round == 1
        state = state.play(action)


@pytest.mark.parametrize("game", WALLS, ids=repr)
def test_decides_where_it_comes_far(game: az.Game) -> None:
    state = near_the_end(game, 2, 2)
    assert state.seat is not None
    limit = Limit(simulations=8_000)
    choice = Search(1).choose(state.view(state.seat), limit)
    assert choice == Search(1).choose(state.view(state.seat), limit)
    best = best_by_trying_all(state.view(state.seat), state.seat, state.round)
    assert choice.values[choice.action] == choice.value[state.seat] == pytest.approx(best)
    assert max(choice.values.values()) == choice.values[choice.action]
    assert sum(choice.visits.values()) == choice.simulations <= 8_000
    assert set(choice.visits) == set(choice.values)
    assert sum(choice.value) == pytest.approx(1)
    assert choice.line[0] == choice.action
    assert hints(state.view(state.seat), limit, seed=1)[0].action == choice.action


def test_does_not_decide_where_it_does_not() -> None:
    state = WALLS[0].start(seed=1)
    choice = Search(1).choose(state, Limit(simulations=8_000))
    assert choice.visits[choice.action] == max(choice.visits.values())
    assert sum(choice.visits.values()) == choice.simulations - 1_000, "the first of eight parts was for deepening"


def test_time_is_kept_to() -> None:
    """A time that is over before the search is: both kinds of search look at the clock."""
    state = WALLS[0].start(seed=1)
    assert Search(1).choose(state, Limit(time=0.001, simulations=10**9)).simulations < 10**6
