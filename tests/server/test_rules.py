"""The rules' pages: all games, all languages, each with its example, which is what its words say."""

import pytest

import azulejos as az
from azulejos.core.hand import Preview
from azulejos.core.language import LANGUAGES
from azulejos.server.pages import rules


@pytest.mark.parametrize("game", az.registered())
def test_every_game_has_a_page_in_every_language(game: str) -> None:
    pages = {name: rules.page(game, name) for name in LANGUAGES}
    assert len(set(pages.values())) == len(LANGUAGES)
    for text in pages.values():
        assert text.count("<h2>") >= 3
        assert text.count("<svg") == 1
        assert "style=" not in text


def example(game: str) -> tuple[az.State, str]:
    found = az.registered()[game].example()
    assert found
    return az.parse(found[0]), found[1]


def preview_of(state: az.State, move: str) -> Preview:
    return state.game.previews(state)[list(state.actions).index(state.game.action(move))]


def test_the_examples_are_what_the_pages_say() -> None:
    azul, move = example("azul")
    assert preview_of(azul, move).marks[0].text == "+7"
    pavilion, move = example("pavilion")
    told = pavilion.game.story(pavilion, move)
    assert [event.points for event in told if event.kind == "place"] == [4]
    assert [event.tiles for event in told if event.kind == "ornament"] == [2]
    assert [ghost.shape for ghost in preview_of(pavilion, move).ghosts] == ["tile-red"], "no wild is laid"
    duel, move = example("duel")
    told = duel.game.story(duel, move)
    assert [(event.line, event.tiles) for event in told if event.kind == "line"] == [(2, 3)]
    assert any(event.kind == "start tile" for event in told)
