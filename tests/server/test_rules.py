"""Rule pages: every rule, ruling and anchor is there, and the examples are what the rules play."""

import ast
import json
import re
from collections import Counter
from pathlib import Path

import pytest

import azulejos as az
from azulejos.core.events import Event
from azulejos.core.language import LANGUAGES, typeset
from azulejos.puzzles.puzzle import puzzles
from azulejos.server.pages import rules

from .client import Visitor
from .conftest import Running

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = {
    f"{kind.name}-{section.id}-{number}": example
    for kind in az.registered().values()
    for section in rules.book(kind).section
    for number, example in enumerate(section.example, 1)
}
# Anchors that pages have linked to since the first ones.
OLD = {
    "azul": "taking lines tiling floor next-round end grey",
    "pavilion": "wild taking decorating points ornaments supply passing end plain",
    "duel": "dome getting plates suns moons chips lines decorating broken end",
}


def value(text: str) -> int:
    """What an expression of whole numbers is."""
    found = ast.parse(text.replace("−", "-"), mode="eval").body

    def of(node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int(number)):
                return number
            case ast.UnaryOp(op=sign, operand=operand):
                return -of(operand) if isinstance(sign, ast.USub) else of(operand)
            case ast.BinOp(left=left, op=sign, right=right):
                return of(left) - of(right) if isinstance(sign, ast.Sub) else of(left) + of(right)
        raise AssertionError(text)

    return of(found)


def amount(game: az.Game, event: Event) -> int:
    """The points of an event, or its tiles."""
    points = game.points_of(event)
    return points[2] if points else int(event.tiles)


@pytest.mark.parametrize("name", [name for name, example in EXAMPLES.items() if example.sum])
def test_an_example_adds_up_to_what_the_rules_give(name: str) -> None:
    example = EXAMPLES[name]
    before, _after, events = example.played()
    left, equals, right = example.sum.rpartition(" = ")
    assert not equals or value(left) == value(right)
    told = [event for event in events if event.kind in example.tells and event.values["seat"] == before.seat]
    assert {event.kind for event in told} == set(example.tells)
    assert sum(amount(before.game, event) for event in told) == value(right)


@pytest.mark.parametrize("name", [name for name, example in EXAMPLES.items() if "✓" in example.marks.values()])
def test_an_example_marks_all_places_that_take_the_tiles_and_no_others(name: str) -> None:
    example = EXAMPLES[name]
    state, _after, _events = example.played()
    paths = {action: [pick.place for pick in state.game.picks(state, int(action))] for action in state.actions}
    first = paths[state.game.action(example.play[0])][:-1]  # what is picked before the place in question
    open_ = {path[-1] for path in paths.values() if path[:-1] == first and not path[-1].endswith(("floor", "broken"))}
    assert {place for place, mark in example.marks.items() if mark == "✓"} == open_


@pytest.mark.parametrize("name", [name for name, example in EXAMPLES.items() if example.wins])
def test_an_example_names_the_winners(name: str) -> None:
    _before, after, _events = EXAMPLES[name].played()
    assert after.over
    assert after.game.winners(after) == EXAMPLES[name].wins


@pytest.mark.parametrize("name", [name for name, example in EXAMPLES.items() if example.passes])
def test_an_example_names_those_who_have_to_pass(name: str) -> None:
    _before, _after, events = EXAMPLES[name].played()
    assert tuple(event.values["seat"] for event in events if event.kind == "pass") == EXAMPLES[name].passes


@pytest.mark.parametrize("game", az.registered())
def test_every_rule_has_a_picture(game: str) -> None:
    """Its own, or those of its parts."""
    bare = set()
    for section, parts in rules.Told(az.registered()[game]).contents():
        assert all(part.example for part in parts), [part.id for part in parts if not part.example]
        if not section.example and not parts:
            bare.add(section.id)
    assert bare == {"summary", "aim", "rulings"}


@pytest.mark.parametrize("game", az.registered())
def test_every_ruling_is_told(game: str) -> None:
    documented = re.findall(r"^\| ([A-Z]-R\d+) \|", (DOCS / "games" / f"{game}.md").read_text(encoding="utf-8"), re.M)
    sections = rules.book(az.registered()[game]).section
    assert [ruling.number for section in sections for ruling in section.ruling] == documented != []


@pytest.mark.parametrize("game", az.registered())
def test_every_game_has_a_page_in_every_language(game: str) -> None:
    kind = az.registered()[game]
    pages = {name: rules.page(game, name) for name in LANGUAGES}
    assert len(set(pages.values())) == len(LANGUAGES)
    examples = sum(len(section.example) for section in rules.book(kind).section)
    for spoken, text in pages.items():
        words = re.sub("<[^>]*>", "", text)
        assert words == typeset(words, spoken)
        assert text.count("<figure") == examples >= 15
        ids = Counter(re.findall(r'<(?!g|path|use|circle|rect|svg)[^>]* id="([^"]+)"', text))
        assert max(ids.values()) == 1
        assert rules.anchors(kind) | set(OLD[game].split()) <= set(ids)
        assert set(re.findall(r'href="#([^"]+)"', re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL))) <= set(ids)
        assert not re.search(r"style=|\*\*", text)


@pytest.mark.parametrize("game", az.registered())
def test_every_board_leads_to_the_rules(server: Running, game: str) -> None:
    """A page with a board links to the rules of its game, and tells its objects, each with its place in them."""
    kind, visitor = az.registered()[game], Visitor(server.address)
    record = az.Record(az.make(game).start(seed=4), names=["Ana", "Ben"])
    record.play(record.state.actions[0])
    record.resign(0)
    brought = visitor.http.post("/records", content=str(record), headers={"origin": visitor.address}).json()["address"]
    puzzle, lesson = next(iter(puzzles(game))), kind.lessons()[0].name
    table = visitor.open(game=game, player="random")
    for path in (
        f"/tables/{table}",
        f"/learn/{game}/{lesson}",
        f"/puzzles/{game}/{puzzle}",
        brought,
        f"{brought}/review",
        "/analysis",
    ):
        text = visitor.http.get(path).raise_for_status().text
        found = re.search(r'id="objects">(.*?)</script>', text)
        assert found, path
        objects = json.loads(found[1])[game]
        assert {anchor for _places, _words, anchor in objects} <= rules.anchors(kind), path
        assert f'href="/rules/{game}' in text or 'id="rules"' in text, path
