"""The coach's words are facts: every number and every line that it names is what the rules do."""

import re
from collections.abc import Iterator
from itertools import islice

import pytest

import azulejos as az
from azulejos.core.language import LANGUAGES, speaking
from azulejos.players import Random
from azulejos.review.coach import explain, facts, play_out, reasons

STATE = az.make("azul").start(first=0, draws="BBBB YYYY RRRR KKKK WWWW")
TO_LINE_1, TO_LINE_2, TO_LINE_4 = (STATE.game.action(text) for text in ("1B1", "1B2", "1B4"))


def test_what_differs_by_the_end_of_the_round() -> None:
    """Four blue tiles fit line 4; two of them fall from line 2, and three from line 1, beside the later tiles."""
    assert [(one.seat, one.words) for one in reasons(STATE, [TO_LINE_2], [TO_LINE_4])] == [
        (0, "the floor −1 instead of −3")
    ]
    assert [(one.seat, one.words) for one in reasons(STATE, [TO_LINE_1], [TO_LINE_4])] == [
        (0, "tiles on the wall +3 instead of +2"),
        (0, "the floor −1 instead of −2"),
    ]
    assert reasons(STATE, [TO_LINE_4], [TO_LINE_4]) == []
    assert reasons(STATE, [TO_LINE_4], [TO_LINE_1]) == []  # a worse line is not better for a single thing


def test_a_completed_line_is_not_called_empty() -> None:
    """Both fill line 4: in one line of play it is completed, in the other it is left with two tiles."""
    state = az.make("azul").start(first=0, draws="BRKK BKWW YRWW BBYW YRRW")
    played, better = (
        [state.game.action(text) for text in line.split()]
        for line in (
            "4Y1 3W4 CB3 1K5 2B3 CW3 5Y2 CY1 CR4 CW4 CK- CB2",
            "3W4 2W3 4Y1 5W3 CB3 CY2 CR2 1K4 CK5 CW1 CR- CB-",
        )
    )
    ends = [play_out(state, line).prospects for line in (played, better)]
    assert [(0, "line 3") in end for end in ends] == [False, True]
    assert not any("instead of 0" in one.words and "line" in one.words for one in reasons(state, played, better))


def test_at_the_end_of_the_game_bonuses_are_points_and_nothing_is_promised() -> None:
    game, player = az.make("azul"), Random(3)
    state = game.start(seed=3)
    while state.seat is not None:
        before, state = state, state.play(player.choose(state.view(state.seat)).action)
    assert state.over
    line = play_out(before, [before.actions[0]])
    assert line.turns
    assert line.prospects == {}


def test_final_scores_are_told_where_the_round_shows_nothing() -> None:
    def told(*expected: tuple[float, float]) -> str:
        return explain(STATE, [TO_LINE_4], [TO_LINE_4], ["Ana", "Ben"], (expected[0], expected[1]))

    shown = "In this line its advantage does not show by the end of the round."
    assert told((50.2, 40.0), (54.6, 40.3)) == f"{shown} Expected final scores – Ana: 55 instead of 50."
    assert told((50.2, 40.0), (51.0, 40.0)) == shown
    assert told((50.2, 40.0), (54.6, 46.0)) == shown


def test_in_every_language() -> None:
    said = set()
    for name in LANGUAGES:
        with speaking(name):
            said.add(explain(STATE, [TO_LINE_2], [TO_LINE_4], ["Ana", "Ben"]))
            said.add(explain(STATE, [TO_LINE_4], [TO_LINE_4], ["Ana", "Ben"]))
            said.add(", ".join(facts(STATE, TO_LINE_2)))
    assert len(said) == 3 * len(LANGUAGES)


def positions(name: str, count: int) -> Iterator[az.State]:
    """Of random games, every third one."""

    def all_positions() -> Iterator[az.State]:
        for seed in range(100):
            state, player = az.make(name).start(seed=seed), Random(seed)
            while state.seat is not None:
                yield state
                state = state.play(player.choose(state.view(state.seat)).action)

    return islice(all_positions(), 0, 3 * count, 3)


def total(words: list[str]) -> int:
    """The sum of all numbers with a sign."""
    return sum(int(number.replace("−", "-")) for said in words for number in re.findall(r"[+−]\d+", said))


def full_lines(state: az.State, seat: int) -> set[int]:
    return {row for row, count in enumerate(state.fields.line_count[seat]) if count == row + 1}


@pytest.mark.parametrize("name", ["azul", "duel"])
def test_points_of_a_take_are_what_the_round_would_bring(name: str) -> None:
    """Where no other line is complete: lines that are count for each other."""
    checked = 0
    for position in positions(name, 60):
        state = position.with_fields(score=[100] * len(position.fields.score))  # so that every loss is paid
        seat = state.seat
        assert seat is not None
        if full_lines(state, seat):
            continue
        for action in state.actions:
            after = state.play(action)
            if " from " in action.words and after.seat is not None and after.round == state.round:
                words = [one.words for one in state.game.effects(state, int(action))]
                assert total(words) == after.projected[seat] - state.projected[seat], (str(state), str(action), words)
                said = {int(found[1]) - 1 for one in words if (found := re.match(r"completes line (\d)", one))}
                no_slot = any("no slot" in one for one in words)
                assert said == (set() if no_slot else full_lines(after, seat))
                checked += 1
    assert checked > 200


@pytest.mark.parametrize("name", ["azul", "duel"])
def test_what_is_said_of_the_opponents_lines(name: str) -> None:
    """Lines that the opponent has begun: one of its legal actions completes them, or none does any more."""
    seen = set()
    for state in positions(name, 160 if name == "duel" else 60):
        assert state.seat is not None
        other = 1 - state.seat
        begun = {row for row, count in enumerate(state.fields.line_count[other]) if 0 < count <= row}

        def completed(position: az.State, other: int = other, begun: set[int] = begun) -> set[int]:
            takes = [position.play(action) for action in position.actions if " from " in action.words]
            return {row for after in takes for row in full_lines(after, other) & begun if after.round == position.round}

        could = completed(state.with_fields(seat=other)) if begun else set()
        for action in islice(state.actions, 0, None, 2):
            after = state.play(action)
            if after.seat != other or after.round != state.round or " from " not in action.words:
                continue
            for one in state.game.effects(state, int(action)):
                if found := re.fullmatch(r"the opponent can (now|no longer) complete line (\d)", one.words):
                    row, now = int(found[2]) - 1, found[1] == "now"
                    if after.fields.left > 6:  # else the round may end with the take
                        assert (row in could, row in completed(after)) == (not now, now), (str(state), str(action))
                        seen.add(now)
    assert seen == {True, False}


def test_a_placement_scores_what_is_said() -> None:
    checked = 0
    for state in positions("pavilion", 80):
        assert state.seat is not None
        for action in islice(state.actions, 0, None, 4):
            after = state.play(action)
            effects = {one.key: one for one in state.game.effects(state, int(action))}
            scored = effects.get("place")
            if scored and after.round == state.round:
                points = after.scores[state.seat] - state.scores[state.seat]
                lost = -effects["discard"].worth if "discard" in effects else 0
                assert scored.worth - lost == points
                assert re.search(r": (\d+) point", scored.words)[1] == str(int(scored.worth))  # type: ignore[index]
                checked += 1
            if found := re.match("enough for (.+)", effects["enough"].words if "enough" in effects else ""):
                placing = after.with_fields(phase=3, seat=state.seat)
                assert any(found[1] in one.words for one in placing.actions)
                assert not any(f"{found[1]}," in one.words for one in state.with_fields(phase=3).actions)
                checked += 1
    assert checked > 50


@pytest.mark.parametrize("name", ["azul", "pavilion", "duel"])
def test_all_points_of_a_line_are_told(name: str) -> None:
    """By seat and kind they add up to the scores at the end of the round, and the sentence has just these numbers."""
    for state in islice(positions(name, 60), 0, None, 4):
        played, other = (state.actions[k % len(state.actions)] for k in (0, 7))
        lines = [play_out(state, [action]) for action in (played, other)]
        for line, action in zip(lines, (played, other), strict=True):
            assert line.turns[0].action == action
            assert line.expected == 1
            for seat in range(2):
                gained = sum(points for (owner, _), points in line.points.items() if owner == seat)
                assert gained == line.scores[seat] - state.scores[seat]
        told = reasons(state, [played], [other])
        ahead = [line.scores[state.seat or 0] - line.scores[1 - (state.seat or 0)] for line in lines]
        assert told or ahead[1] <= ahead[0]
        for one in told:
            found = re.fullmatch("(.+) ([+−]?\\d+) instead of ([+−]?\\d+)", one.words)
            if found and any((one.seat, found[1]) in line.points for line in lines):
                said = [int(number.replace("−", "-")) for number in found.groups()[1:]]
                assert said == [line.points.get((one.seat, found[1]), 0) for line in reversed(lines)]
                assert one.worth == (said[0] - said[1]) * (1 if one.seat == state.seat else -1)
