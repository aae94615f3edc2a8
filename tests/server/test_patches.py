"""Patches of pictures: what is put together from them is the whole picture, to the letter."""

import random
from collections.abc import Sequence

import msgspec
import pytest

import azulejos as az
from azulejos.core.language import LANGUAGES, speaking
from azulejos.core.state import State
from azulejos.drawing.scene import LAYOUTS
from azulejos.drawing.theme import THEMES
from azulejos.server.live import view
from azulejos.server.live.messages import EventsMessage, Patch
from azulejos.server.live.patches import CUT, apply, cut, sent
from azulejos.server.running.deflate import packed
from azulejos.tables import Chair, Phase, Play, Table

from .client import Visitor
from .conftest import Running


def lenses(seed: int) -> tuple[str, str, str]:
    """A layout, a theme and a language; with seeds one after another each of them comes up."""
    return LAYOUTS[seed % len(LAYOUTS)], sorted(THEMES)[seed % len(THEMES)], list(LANGUAGES)[seed % len(LANGUAGES)]


def drawn(state: State, seed: int) -> view.Texts:
    layout, theme, language = lenses(seed)
    names = tuple(f"<player> {seat}" for seat in range(state.game.players))
    return view.draw(state, names, seed % state.game.players, view.Lens(layout, theme), language)


def patch(before: Sequence[str], after: Sequence[str]) -> Patch | None:
    return msgspec.json.decode(msgspec.json.encode(sent(before, after)), type=Patch | None)


def pieces_of(picture: str) -> dict[str, str]:
    pieces = cut(picture)
    assert pieces, "no id stands twice"
    return pieces


@pytest.mark.parametrize("seed", range(len(LAYOUTS)))
@pytest.mark.parametrize("game", az.registered())
def test_patches_give_the_whole_picture_after_every_move(game: str, seed: int) -> None:
    counts = next((option.choices for option in az.registered()[game].options if option.name == "players"), (2,))
    made = az.make(game, players=counts[seed % len(counts)]) if len(counts) > 1 else az.make(game)
    chooser, state = random.Random(seed), made.start(seed=seed)
    with speaking(lenses(seed)[2]):
        before = drawn(state, seed)
        pieces = pieces_of("".join(before))
        while not state.over:
            state = state.play(chooser.choice(list(state.actions)))
            after = drawn(state, seed)
            assert len(after) > 20
            for changed in (patch(["".join(before)], ["".join(after)]), patch(before, after)):
                assert changed
                joined = apply(pieces, changed)
                assert CUT.join(joined.values()) == "".join(after)
            pieces, before = joined, after


def test_what_cannot_be_told_in_pieces_is_not() -> None:
    one = ['<svg><g id="a"/><g id="b"/></svg>']
    assert patch(one, one) == Patch({})
    assert patch(one, ['<svg><g id="a"/><g id="a"/></svg>']) is None, "an id stands twice"
    swapped = ['<svg><g id="b"/><g id="a"/></svg>']
    assert patch(one, swapped) == Patch({"b": 'b"/><g', "a": 'a"/></svg>'}, ["a"], {"a": "b"})
    more = ['<svg><g id="c"/><g id="a"/><g id="d"/><g id="e">.</g></svg>']
    texts = {"c": 'c"/><g', "d": 'd"/><g', "e": 'e">.</g></svg>'}
    assert patch(one, more) == Patch(texts, ["b"], {"c": "", "d": "a", "e": "d"})


def test_an_ordinary_move_of_azul_is_at_most_4_kilobytes_compressed() -> None:
    """As the connection compresses them, for the one who acts next, with all choices, and for the other."""
    lens, presence = view.Lens("wide", "light"), view.Presence(frozenset((0, 1)), frozenset())
    table = Table.open("x", az.make("azul"), [Chair("Ana", "0"), Chair("Ben", "1")], "00" * 32).after
    chooser, shown, sizes = random.Random(1), dict[str, view.Texts](), list[int]()
    while table.phase == Phase.PLAYING:
        seat = table.state.seat
        assert seat is not None
        play = Play(seat, str(chooser.choice(list(table.state.actions))), table.position)
        progress = table.obey(play, str(seat))
        table = progress.after
        for who in "01":
            before, shown[who] = shown.get(who), view.picture(table, who, lens)
            told = sent(before, shown[who]) if before else None
            now = view.now(table, who, presence, lens, {"patch": told})
            text = msgspec.json.encode(EventsMessage(view.told(progress, who), now))
            size = len(packed(text, 15))
            if told and table.phase == Phase.PLAYING and progress.before.state.round == table.state.round:
                sizes.append(size)
    assert len(sizes) > 60
    assert max(sizes) <= 4096


def test_a_page_gets_patches_and_another_client_whole_pictures(server: Running) -> None:
    ana, eve = Visitor(server.address), Visitor(server.address)
    table = ana.open(game="azul", name="Ana", **{"seat-1": "me", "name-1": "Ben"})
    lens = "?layout=wide&theme=light"
    with ana.sit(table) as players, eve.sit(table, lens) as other, eve.sit(table, f"{lens}&patches=1") as page:
        for _move in range(12):
            assert players.play()["type"] == "done"
            number = players.heard[-1]["number"]
            for seat in (players, page, other):
                while seat.now["number"] < number:
                    seat.receive()
        page.socket.send('{"id": 99, "command": {"type": "look"}}')
        page.hear("table")
    boards = {message["now"]["number"]: message["now"]["board"] for message in other.heard if "now" in message}
    pieces, kinds = dict[str, str](), []
    for now in (message["now"] for message in page.heard if "now" in message):
        kinds.append("board" if "board" in now else "patch")
        if "board" in now:
            pieces = pieces_of(now["board"])
        else:
            told = now["patch"]
            pieces = apply(pieces, Patch(told["pieces"], told.get("gone", []), told.get("after", {})))
        assert CUT.join(pieces.values()) == boards[now["number"]]
    assert kinds[0] == kinds[-1] == "board", "first, and after a look"
    assert set(kinds[1:-1]) == {"patch"}
    assert not any("patch" in message.get("now", {}) for message in other.heard)


def test_a_refusal_has_no_picture(server: Running) -> None:
    ana = Visitor(server.address)
    table = ana.open(game="azul", name="Ana", **{"seat-1": "me", "name-1": "Ben"})
    for patches in ("", "&patches=1"):
        with ana.sit(table, f"?layout=wide&theme=light{patches}") as seat:
            seat.socket.send("x")
            malformed = seat.hear("refused")["now"]
            illegal = seat.ask(type="play", seat=seat.now["turn"], action="no action", position=seat.now["position"])
            for now in (malformed, illegal["now"]):
                assert now["number"]
                assert not {"board", "patch", "choices"} & now.keys()


def test_a_position_is_drawn_once_for_all_who_see_the_same() -> None:
    table = Table.open("x", az.make("azul"), [Chair("Ana", "0"), Chair("Ben", "1")], "00" * 32).after
    lens = view.Lens("wide", "light")
    known = view.draw.cache_info().misses
    seen = [view.picture(table, visitor, lens) for visitor in ("eve", "ida", "0", "1", "0")]
    assert view.draw.cache_info().misses == known + len(set(seen)), "one for each seat; who watches has the first's"
    assert len(set(seen)) == 2
