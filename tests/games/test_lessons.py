"""Every lesson is played through in the library: positions, actions, draws, places, and the numbers in its words."""

import random
import re
import tomllib
from collections.abc import Iterator

import pytest

import azulejos as az
from azulejos.core.language import LANGUAGES, _, speaking
from azulejos.core.lessons import Lesson, Step
from azulejos.drawing.scene import LAYOUTS

ALL = [(kind, lesson) for kind in az.registered().values() for lesson in kind.lessons()]
EVERY = pytest.mark.parametrize(("kind", "lesson"), ALL, ids=[f"{kind.name}-{lesson.name}" for kind, lesson in ALL])


def played(state: az.State, action: az.Action) -> list[az.Action]:
    """The actions of the choice that begins with an action."""
    for several in state.game.together(state):
        if several.actions[0] == int(action):
            return [state.game.action(index) for index in several.actions]
    return [action]


def follow(state: az.State, step: Step, action: az.Action) -> tuple[az.State, list[az.Event]]:
    """The position after an expected action, its draws and the replies; and what happened by the action."""
    story = list[az.Event]()
    for one in played(state, action):
        if one in state.actions:
            story += state.game.story(state, one)
            state = state.play(one)
    if step.draws:
        state = state.deal(step.draws)
    for reply in step.reply:
        state = state.play(reply)
    return state, story


def walk(lesson: Lesson) -> Iterator[tuple[Step, az.State]]:
    """Every step with the position in which it begins."""
    state = az.parse(lesson.position)
    for step in lesson.steps:
        state = az.parse(step.position) if step.position else state
        yield step, state
        if step.expected:
            right = next(action for action in state.actions if step.expects(str(action)))
            state, _story = follow(state, step, right)


def test_each_game_has_its_lessons() -> None:
    names = {kind.name: [lesson.name for lesson in kind.lessons()] for kind in az.registered().values()}
    assert names == {
        "azul": ["taking", "centre", "lines", "wall", "floor", "bonuses", "end", "grey"],
        "pavilion": ["taking", "token", "paying", "chains", "ornaments", "passing", "end", "plain"],
        "duel": ["suns", "piles", "plates", "chips", "decorating", "specials", "tablets"],
    }


@EVERY
def test_a_lesson_can_be_played(kind: type[az.Game], lesson: Lesson) -> None:
    """Whatever expected action is chosen, the draws are possible, the replies legal, and the points as told."""
    for step, state in walk(lesson):
        assert isinstance(state.game, kind)
        if not step.expected:
            continue
        assert state.seat == 0
        right = [action for action in state.actions if step.expects(str(action))]
        assert right, step.expected
        for action in right:
            after, story = follow(state, step, action)
            assert after.over or after.seat is not None
            found = [state.game.points_of(event) for event in story]
            points = [one[2] for one in found if one and one[1] == 0 and one[2]]
            assert tuple(points) == step.points
            assert {str(abs(one)) for one in points} <= numbers(step.words + step.done)
        others = [str(action) for action in state.actions if action not in right]
        for fits, words in step.wrong:
            tries = [other for other in others if re.fullmatch(fits, other)]
            assert tries, f"nobody is told {words!r}"
            others = [other for other in others if other not in tries]


@EVERY
def test_a_lesson_marks_what_is_to_be_touched(kind: type[az.Game], lesson: Lesson) -> None:
    file = kind.modules.file("rules.toml")
    assert file
    anchors = {section["id"] for section in tomllib.loads(file.read_text(encoding="utf-8"))["section"]}
    for step, state in walk(lesson):
        assert step.anchor in anchors
        for layout in LAYOUTS:
            places = set(re.findall(r' id="([^"]+)"', state.game.draw(state, layout=layout, styled=False)))
            assert set(step.marks) <= places, layout
        for action in state.actions:
            first = state.game.picks(state, int(action))[0].place
            if step.expects(str(action)) and first in places and "lay" not in str(action):
                assert any(f"{first}.".startswith(f"{mark}.") for mark in step.marks), first


@EVERY
def test_a_lesson_counts_right(kind: type[az.Game], lesson: Lesson) -> None:
    """Tiles, factories and lines in the words are those of the action, and the same in all languages."""
    for step, state in walk(lesson):
        take = re.fullmatch(r"([CLM\d])[A-Z]([\d-]?)", step.expected)
        if take:
            told = re.search(r"the (?:last )?(\d+) \w+ tiles", step.words)
            taken = next(event for event in state.game.story(state, step.expected) if event.kind == "take")
            assert told is None or int(told[1]) == taken.tiles
            assert not take[1].isdecimal() or f"actory {take[1]}" in step.words
            assert not take[2].isdecimal() or f"ine {take[2]}" in step.words
        for words in (step.words, step.done, *(words for _fits, words in step.wrong)):
            for name in LANGUAGES:
                with speaking(name):
                    assert numbers(_(words, kind.name)) == numbers(words), words


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))


@pytest.mark.parametrize("kind", az.registered().values(), ids=lambda kind: kind.name)
def test_every_tip_is_told_in_a_game(kind: type[az.Game]) -> None:
    """At random play comes to each situation; a tip speaks of an effect that the action has."""
    chooser, told = random.Random(1), set[str]()
    for seed in range(4):
        state = kind().start(seed=seed)
        while not state.over and state.round <= 6:
            action = chooser.choice(list(state.actions))
            found = state.game.tip(state, int(action))
            if found:
                tip, effect = found
                assert effect in state.game.effects(state, int(action))
                assert tip.fits(effect)
                told.add(tip.effect)
            state = state.play(action)
    assert told == {tip.effect for tip in kind.tips()}
