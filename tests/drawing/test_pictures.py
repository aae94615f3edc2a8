"""Pictures of random positions of every game that is registered."""

import random
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageSequence

import azulejos as az
from azulejos.cli import main
from azulejos.drawing import theme
from azulejos.drawing.scene import LAYOUTS

VARIANTS = [game for kind in az.registered().values() for game in kind.variants()]
every_variant = pytest.mark.parametrize("game", VARIANTS, ids=repr)
every_game = pytest.mark.parametrize("game", [kind() for kind in az.registered().values()], ids=lambda game: game.name)
SVG = "{http://www.w3.org/2000/svg}"


def positions(game: az.Game, every: int = 7, seed: int = 1) -> Iterator[az.State]:
    """Some positions of a random play, its end among them."""
    chooser, state = random.Random(seed), game.start(seed=seed)
    for number in range(2000):
        if number % every == 0:
            yield state
        if state.over:
            break
        state = state.play(chooser.choice(list(state.actions)))
    yield state


def ids(picture: str) -> list[str]:
    return [element.attrib["id"] for element in ElementTree.fromstring(picture).iter() if "id" in element.attrib]


@every_variant
def test_every_position_can_be_drawn(game: az.Game) -> None:
    for number, state in enumerate(positions(game, 23)):
        layout, colours = LAYOUTS[number % len(LAYOUTS)], theme.THEMES[number % 3]
        picture = game.draw(state, viewer=number % game.players, theme=colours, layout=layout)
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        assert len(game.draw(state, layout=layout, styled=False)) < 120_000
        named = ids(picture)
        assert len(named) == len(set(named)), "an id is there twice"
        for element in root.iter():
            assert "style" not in element.attrib
            assert not any(name.startswith("on") for name in element.attrib)
            if element.tag == f"{SVG}use":
                assert element.attrib["href"].removeprefix("#") in named
        if game.draw(state, viewer=number % game.players, theme=colours, layout=layout) != picture:
            raise AssertionError("a position is drawn differently the second time")


@every_variant
def test_hands_find_their_places(game: az.Game) -> None:
    """The places that actions are picked by are on the picture, whatever the words of the path are."""
    for number, state in enumerate(positions(game, 19, seed=2)):
        named = set(ids(game.draw(state, layout=LAYOUTS[number % len(LAYOUTS)])))
        for action in state.actions:
            for pick in game.picks(state, int(action)):
                if "." in pick.place:
                    assert pick.place in named, f"{action} touches {pick.place}, which is not drawn"


def places(seat: int, path: tuple[str, ...]) -> list[str]:
    """The ids that `docs/drawing.md` has for a path."""
    own = f"seat-{seat}."
    match path:
        case (star, rhombus, *_rest) if star.startswith("star-"):
            return [own + star, f"{own}{star}.{rhombus.removeprefix('rhombus-')}"]
        case line, column if column.startswith("column-"):
            return [own + line]
        case square, corner if square.startswith("square-"):
            return [own + square, f"{own}{square}.{corner}"]
        case "keep", colour:
            return [f"{own}hand.{colour}"]
        case source, colour, line:
            return [source, f"{source}.{colour}", own + line]
        case source, colour if source in ("supply", "centre") or source.startswith("factory-"):
            return [source, f"{source}.{colour}"]
        case (place,) if place.startswith("plate-") or place in ("stack", "hand"):
            return [place]
        case (chip,) if chip.startswith("chip-"):
            return [own + chip]
        case "chips", _:
            return [f"{own}chips"]
        case plate, "stack":
            return [plate, "stack"]
    return []


@every_variant
def test_the_places_of_paths_are_drawn(game: az.Game) -> None:
    found = set()
    for number, state in enumerate(positions(game, 11, seed=4)):
        named = set(ids(game.draw(state, layout=LAYOUTS[number % len(LAYOUTS)])))
        for action in state.actions:
            assert state.seat is not None
            for place in places(state.seat, action.path):
                parts = place.split(".")
                if game.name == "duel" and len(parts) == 2 and "factory" in parts[0] and parts[1] != "chip":
                    place = f"{parts[0]}.sun.{parts[1]}"
                assert place in named, f"{action} touches {place}, which is not drawn"
                found.add(place)
    assert found


@every_variant
def test_tiles_land_on_places(game: az.Game) -> None:
    """Where tiles fly from is on the picture before, and where they fly to on one of the two."""
    chooser, before = random.Random(3), game.start(seed=3)
    then = set(ids(game.draw(before)))
    for _ in range(25):
        if before.over:
            break
        action = chooser.choice(list(before.actions))
        after = before.play(action)
        now = set(ids(game.draw(after)))
        for step in game.steps(before, game.story(before, action, after.drawn)):
            for flight in step.flights:
                assert {flight.start, flight.end} <= then | now, f"{action}: {flight}"
            assert {mark.place for mark in step.marks} <= then | now
        before, then = after, now


@every_game
def test_names_are_text(game: az.Game) -> None:
    wild = ["<script>alert(1)</script>", "\"'&amp;]]>", "\x00\x1f\ud800", "名" * 100]
    names = [wild[seat % len(wild)] for seat in range(game.players)]
    for layout in LAYOUTS:
        picture = game.draw(game.start(seed=1), names, layout=layout)
        root = ElementTree.fromstring(picture)
        assert "script" not in {element.tag.removeprefix(SVG) for element in root.iter()}
        written = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
        assert (written["seat-0.name"].text or "")[:8] == "<script>"
        assert names[0] in written["seat-0"].attrib["aria-label"]


@every_game
def test_every_place_has_a_name(game: az.Game) -> None:
    for state in positions(game, 31):
        for element in ElementTree.fromstring(game.draw(state)).iter():
            if "role" in element.attrib:
                assert element.attrib["aria-label"].strip(), element.attrib
            if set(element.attrib.get("class", "").split()) & {"place", "tiles", "line", "seat", "factory"}:
                assert "role" in element.attrib, element.attrib


@every_game
def test_the_first_board_is_the_viewers(game: az.Game) -> None:
    state = game.start(seed=1)
    for viewer in range(game.players):
        picture = game.draw(state, viewer=viewer, layout="tall")
        assert re.findall(r'<g id="seat-(\d)"', picture)[0] == str(viewer)


@every_game
def test_styles_can_be_left_to_the_page(game: az.Game) -> None:
    state = game.start(seed=1)
    assert "<style>" in game.draw(state)
    assert "<style>" not in game.draw(state, styled=False)
    assert state._repr_svg_() == game.draw(state, theme="auto")


@every_game
def test_what_cannot_be_drawn(game: az.Game) -> None:
    state = game.start(seed=1)
    for wrong in ({"theme": "mauve"}, {"layout": "round"}, {"viewer": game.players}, {"names": ["Ana"]}):
        with pytest.raises(az.OptionError):
            game.draw(state, **wrong)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = az.make("azul").start(seed=1)
    record = az.Record(state, ["Ana", "Ben"])
    record.play(state.actions[0])
    record.save(tmp_path / "play.txt")
    assert main(["draw", str(state), "-o", "-", "--theme", "dark"]) == 0
    assert capsys.readouterr().out.rstrip("\n") == state.game.draw(state, theme="dark")
    drawn = tmp_path / "board.svg"
    assert main(["draw", str(tmp_path / "play.txt"), "-o", str(drawn), "--phone", "--viewer", "1"]) == 0
    assert drawn.read_text(encoding="utf-8") == state.game.draw(record.state, ["Ana", "Ben"], 1, layout="tall")
    assert main(["draw", str(state), "-o", str(drawn), "--names", "Ana"]) == 2
    assert "1 names for 2 players" in capsys.readouterr().err
    assert main(["draw", str(tmp_path / "nowhere.txt"), "-o", str(drawn)]) == 2


def test_the_command_draws_a_png(tmp_path: Path) -> None:
    state, drawn = az.make("azul").start(seed=1), tmp_path / "board.PNG"
    assert main(["draw", str(state), "-o", str(drawn)]) == 0
    with Image.open(drawn) as image:
        assert image.format == "PNG"
        assert image.size[0] > image.size[1] > 500


def test_the_command_refuses_other_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state, drawn = az.make("azul").start(seed=1), tmp_path / "board.jpg"
    assert main(["draw", str(state), "-o", str(drawn)]) == 2
    assert "a .svg, a .png or a .gif file" in capsys.readouterr().err
    assert not drawn.exists()


def test_the_command_draws_a_record_as_an_animation(tmp_path: Path) -> None:
    record = az.Record(az.make("azul").start(seed=1), ["Ana", "Ben"])
    for _ in range(3):
        record.play(record.state.actions[-1])
    drawn = tmp_path / "play.gif"
    assert main(["draw", str(record), "-o", str(drawn), "--width", "300", "--seconds", "0.5", "--phone"]) == 0
    with Image.open(drawn) as film:
        assert (film.format, film.width) == ("GIF", 300)
        shown = [(frame.info["duration"], frame.convert("RGB").tobytes()) for frame in ImageSequence.Iterator(film)]
    assert [duration for duration, _ in shown] == [500, 500, 500, 2000]
    assert len({pixels for _, pixels in shown}) == 4
    assert main(["draw", str(record), "-o", str(drawn), "--seconds", "0"]) == 2


def test_the_command_draws_a_record_from_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    record = az.Record(az.make("azul").start(seed=1), ["Ana", "Ben"])
    while not record.state.over and len(record.actions) < 60:
        record.play(record.state.actions[0])
    assert main(["draw", str(record), "-o", "-"]) == 0
    assert capsys.readouterr().out.rstrip("\n") == record.game.draw(record.state, ["Ana", "Ben"])
    assert main(["draw", "chess " + "x" * 5000, "-o", "-"]) == 2
    assert "is not a position, which begins with azul, pavilion, duel" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["azul", "pavilion", "duel"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_picture_is_the_parts_that_it_has_by_id(name: str, layout: str) -> None:
    """So that a page can redraw one of them."""
    state = az.make(name).start(seed=4)
    how: dict[str, Any] = {"names": (), "viewer": 1, "theme": "light", "layout": layout, "styled": False}
    picture = import_module(f"azulejos.games.{name}.drawing").picture(state, **how)
    assert {"caption", "factory-1", "bag", "seat-0", "seat-1"} <= set(picture.parts)
    assert all(ElementTree.fromstring(part).get("id") == id_ for id_, part in picture.parts.items())
    assert str(picture) == state.game.draw(state, **how)
    assert str(picture).endswith("".join(picture.parts.values()) + "</svg>")


@every_game
def test_definitions_take_their_paint_from_their_copies(game: az.Game) -> None:
    """A browser applies the rules of a theme to a copy, not to what is inside it."""
    root = ElementTree.fromstring(game.draw(game.start(seed=1)))
    classes = [element.attrib["class"] for element in root.findall(f"{SVG}defs//*[@class]")]
    assert classes == []
