"""The rules' pages: all games, all languages, each with its example, which is what its words say."""

import pytest

import azulejos as az
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


def test_the_examples_are_what_the_pages_say() -> None:
    azul = az.parse(rules.EXAMPLES["azul"])
    assert (
        azul.game.previews(azul)[list(azul.actions).index(azul.game.action(rules.MOVES["azul"]))].marks[0].text == "+7"
    )
    pavilion = az.parse(rules.EXAMPLES["pavilion"])
    told = pavilion.game.story(pavilion, rules.MOVES["pavilion"])
    assert [event.points for event in told if event.kind == "place"] == [4]
    assert [event.tiles for event in told if event.kind == "ornament"] == [2]
    move = list(pavilion.actions).index(pavilion.game.action(rules.MOVES["pavilion"]))
    assert [ghost.shape for ghost in pavilion.game.previews(pavilion)[move].ghosts] == ["tile-red"], "no wild is laid"
    duel = az.parse(rules.EXAMPLES["duel"])
    told = duel.game.story(duel, rules.MOVES["duel"])
    assert [(event.line, event.tiles) for event in told if event.kind == "line"] == [(2, 3)]
    assert any(event.kind == "start tile" for event in told)
