"""A review adds up, says the same on any number of threads, and refuses what is no finished game."""

from functools import cache

import pytest

import azulejos as az
from azulejos.players import Greedy, Player, Random
from azulejos.review import Draw, Evaluator, Progress, Review, Thought, Work, review
from azulejos.review.coach import play_out

QUICK = Thought(simulations=150, deals=4, glance=40, rollouts=4)


@cache
def game_of(name: str, players: int = 2) -> az.Record:
    """A greedy player against random ones."""
    game = az.make(name, players=players) if name != "duel" else az.make(name)
    record = az.Record(game.start(seed=5), names=[f"p{seat}" for seat in range(game.players)])
    chairs: list[Player] = [Greedy(1), *(Random(seat) for seat in range(1, game.players))]
    while not record.state.over:
        seat = record.state.seat
        assert seat is not None
        record.play(chairs[seat].choose(record.state.view(seat)).action)
    return record


@cache
def reviewed(name: str, players: int = 2) -> Review:
    return review(game_of(name, players), QUICK, threads=2)


@pytest.mark.parametrize(("name", "players"), [("azul", 2), ("azul", 3), ("pavilion", 2), ("duel", 2)])
def test_result_is_start_and_luck_and_skill(name: str, players: int) -> None:
    found = reviewed(name, players)
    record = found.record
    assert [decision.action for decision in found.decisions] == list(record.actions)
    for seat in range(players):
        summary = found.summary(seat)
        gained = sum(
            after[seat] - before[seat] for before, after in zip(found.chances, found.chances[1:], strict=False)
        )
        later = sum(draw.luck[seat] for draw in found.draws if draw.number >= 0)
        assert found.start[seat] + summary.luck + summary.skill == pytest.approx(summary.result)
        assert summary.skill == pytest.approx(gained - later)
    for chances in found.chances:
        assert sum(chances) == pytest.approx(1)
    for draw in found.draws:
        assert sum(draw.luck) == pytest.approx(0)
    assert found.draws[0].number == -1


def test_draws_are_where_something_was_drawn() -> None:
    found = reviewed("duel")
    states = list(found.record.states())
    drawn = [number - 1 for number, state in enumerate(states) if state.drawn]
    assert [draw.number for draw in found.draws] == drawn


def test_a_decision_gives_nothing_away_or_has_a_better_one() -> None:
    for name in ("azul", "pavilion", "duel"):
        for decision in reviewed(name).decisions:
            assert decision.loss >= 0
            assert (decision.loss == 0) == (decision.best == decision.action)
            assert decision.better[0] == decision.best
            assert decision.line[0] == decision.action
            assert not (decision.forced and decision.loss)


def test_lines_of_mistakes_go_on_to_the_end_of_the_round() -> None:
    for name in ("azul", "pavilion", "duel"):
        states = list(reviewed(name).record.states())
        mistakes = [decision for decision in reviewed(name).decisions if decision.kind]
        assert mistakes
        for decision in mistakes[:8]:
            for line in (decision.line, decision.better):
                played = play_out(states[decision.number], line)
                assert [turn.action for turn in played.turns] == list(line)
                assert played.expected == len(line)


def test_random_players_give_away_more() -> None:
    for name in ("azul", "pavilion", "duel"):
        found = reviewed(name)
        assert found.summary(0).error_rate < found.summary(1).error_rate
        assert found.summary(0).accuracy > found.summary(1).accuracy


def test_turning_points_and_exercises_are_the_largest() -> None:
    found = reviewed("azul")
    worst = max(decision.loss for decision in found.decisions)
    assert any(not isinstance(moment, Draw) and moment.loss == worst for moment in found.turning_points)
    for seat in range(2):
        losses = sorted((decision.loss for decision in found.decisions if decision.seat == seat), reverse=True)
        assert [decision.loss for decision in found.exercises(seat)] == losses[:3]


def test_the_same_on_one_thread_and_it_tells_how_far_it_is() -> None:
    told = list[Progress]()
    found = review(game_of("azul"), QUICK, threads=1, tell=told.append)
    assert found == reviewed("azul")
    assert [progress.done for progress in told] == list(range(1, told[-1].total + 1))
    assert len(told[-1].decisions) == len(found.decisions)


def test_what_is_not_a_finished_game_is_refused() -> None:
    record = az.Record(az.make("azul").start(seed=1))
    record.play(record.state.actions[0])
    with pytest.raises(az.OptionError, match="not finished"):
        review(record, QUICK)
    nothing = az.Record(az.make("azul").start(seed=1))
    nothing.resign(0)
    with pytest.raises(az.OptionError, match="nothing was played"):
        review(nothing, QUICK)


def test_a_resigned_game_has_its_result() -> None:
    whole = game_of("azul")
    record = az.Record(next(whole.states()))
    for action, after in zip(whole.actions[:14], list(whole.states())[1:], strict=False):
        record.play(action, after.drawn or None)
    record.resign(0)
    found = review(record, QUICK)
    assert found.chances[-1] == (0, 1)
    assert found.summary(1).result == 1


def test_near_the_end_of_a_round_two_player_azul_is_exact() -> None:
    """Every line is searched there: more thought changes neither the action nor the chances. Before it is not."""
    states = [state for state in game_of("azul").states() if state.seat is not None and len(state.actions) > 1]
    late = next(state for state in states if state.fields.left == 5)
    found, more = (Evaluator(late.game, Thought(simulations=count), 0).evaluate(late) for count in (5_000, 20_000))
    assert found.exact
    assert (found.best, found.chances) == (more.best, more.chances)
    assert not Evaluator(late.game, Thought(simulations=5_000), 0).evaluate(states[0]).exact
    three = next(state for state in game_of("azul", 3).states() if state.fields.left == 4)
    assert not Evaluator(three.game, Thought(simulations=5_000), 0).evaluate(three).exact


def test_a_decision_is_exact_where_all_that_follows_is() -> None:
    record = game_of("azul")
    work = Work(record, Thought(simulations=5_000, deals=2, glance=10, rollouts=1))
    last = [number for number, state in enumerate(work.states) if state.round == 1 and state.seat is not None]
    for number in last[-3:]:
        work.take_seen(number, work.evaluate(number))
    decision, draw = work.compare(last[-3])
    assert decision is not None
    assert decision.exact
    assert draw is None
    assert not any(one.exact for one in reviewed("azul").decisions), "a short search does not see everything"
