"""Rule pages: every rule with a drawn example, in our own words. The text is in each game's `rules.toml`."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache

import msgspec
from markupsafe import Markup, escape

from azulejos.core.events import Event
from azulejos.core.game import Game
from azulejos.core.language import _, speaking
from azulejos.core.registry import parse, registered
from azulejos.core.state import State
from azulejos.drawing.cropping import crop, definitions

from .rendering import fragment


class Example(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A drawn example.

    `words`: what it shows. `position`, `play`: a position and actions in it; `then`: more actions, that no picture
    shows. `sum`: the arithmetic of its points or tiles; `tells`: the kinds of events that have them. `before`, `after`:
    the parts of the board that are drawn, each the ids of its places as patterns, before and after the actions.
    `dealt`: what is to be dealt after the actions is dealt in the picture after them. `wins`: the seats that win with
    them; `passes`: those that have to pass. `held`: outlined places; those of the first action if None. `runs`,
    `marks`: see `crop`; on the last part. `layout`: of the picture that the parts are cut from.
    """

    words: str
    position: str
    play: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    sum: str = ""
    tells: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    dealt: bool = False
    wins: tuple[int, ...] = ()
    passes: tuple[int, ...] = ()
    held: tuple[str, ...] | None = None
    runs: tuple[tuple[str, str, str], ...] = ()
    marks: dict[str, str] = {}
    layout: str = "wide"

    def played(self) -> tuple[State, State, list[Event]]:
        """The position before and after `play`, and the events that the rules tell of all actions."""
        before = after = state = parse(self.position)
        events = list[Event]()
        for number, action in enumerate((*self.play, *self.then), 1):
            events += state.game.story(state, action)
            state = state.play(action)
            if number == len(self.play):
                after = state.deal(seed=0) if self.dealt else state
        return before, after, events


class Ruling(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A question that the rules leave open, and our answer. `number`: by which code and tests cite it."""

    number: str
    text: str

    @property
    def id(self) -> str:
        return self.number.lower()


class Section(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A section of a rule page.

    `id`: its anchor. `part`: it belongs to the section before that is none. `text`: paragraphs; those that begin with
    "- " are items of a list; **bold**. `table`: rows of cells, the first the head.
    """

    id: str
    heading: str
    part: bool = False
    text: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    example: tuple[Example, ...] = ()
    ruling: tuple[Ruling, ...] = ()


class Book(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The rules of a game for people. `summary`: on one page, each line what it is about and what is to be known."""

    section: tuple[Section, ...]
    summary: tuple[tuple[str, str], ...] = ()


@cache
def book(kind: type[Game]) -> Book:
    """The rules of a game; of one without the file `rules.toml`, none."""
    file = kind.modules.file("rules.toml")
    return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Book) if file else Book(())


def anchors(kind: type[Game]) -> set[str]:
    """The ids on a game's rule page that links may lead to."""
    sections = book(kind).section
    return {section.id for section in sections} | {ruling.id for section in sections for ruling in section.ruling}


def texts(kind: type[Game]) -> Iterator[str]:
    """All that a rule page says, in English."""
    for cells in book(kind).summary:
        yield from cells
    for section in book(kind).section:
        yield section.heading
        yield from (text.removeprefix("- ") for text in section.text)
        yield from (cell for row in section.table for cell in row if any(map(str.isalpha, cell)))
        yield from (example.words for example in section.example)
        yield from (ruling.text for ruling in section.ruling)


# --- as HTML ---

_SIZE = re.compile(r'viewBox="\S+ \S+ (\S+) \S+" width="([\d.]+)"')  # of a picture: its width, and as it is shown
_NARROW = 340  # two examples as wide stand side by side
_MUCH = 900  # what is wider in all has no place side by side
_SMALL = 240  # two pictures of one example as wide stand side by side on phones


class Told:
    """What the template asks for: the texts of a game's page in the current language, and its pictures."""

    def __init__(self, kind: type[Game]) -> None:
        self.kind: type[Game] = kind
        self.book: Book = book(kind)

    def say(self, text: str) -> Markup:
        """A text with its bold words."""
        said = str(escape(_(text, self.kind.name)))
        return Markup(re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", said))

    def blocks(self, section: Section) -> Iterator[tuple[bool, list[Markup]]]:
        """Paragraphs one by one, items of a list together: whether it is a list, and its texts."""
        items = list[Markup]()
        for text in section.text:
            if text.startswith("- "):
                items.append(self.say(text.removeprefix("- ")))
                continue
            if items:
                yield True, items
                items = []
            yield False, [self.say(text)]
        if items:
            yield True, items

    def contents(self) -> list[tuple[Section, list[Section]]]:
        """The sections, each with its parts."""
        found = list[tuple[Section, list[Section]]]()
        for section in self.book.section:
            if section.part:
                found[-1][1].append(section)
            else:
                found.append((section, []))
        return found

    def definitions(self) -> Markup:
        """The shapes of all pictures of the page."""
        examples = [example for section in self.book.section for example in section.example]
        if not examples:
            return Markup()
        return Markup(definitions(_draw(parse(examples[0].position), "wide")))  # our own drawing

    def size(self, panels: list[list[Markup]]) -> str:
        """The room that pictures need: `wide` is the page's whole width; `stacked` ones stand below each other, those
        before beside those after; a `pair` stands side by side on phones too."""
        sizes = [_SIZE.search(picture) for part in panels for picture in part]
        natural, shown = zip(*((float(size[1]), float(size[2])) for size in sizes if size), strict=True)
        if sum(shown) <= _NARROW:
            return ""
        if len(shown) > 2 and sum(shown) > _MUCH:
            return "stacked"
        return "pair" if len(panels) == len(shown) == 2 and max(natural) <= _SMALL else "wide"

    def panels(self, example: Example) -> list[list[Markup]]:
        """The pictures of an example: those before its actions and those after."""
        before, after, _events = example.played()
        held = example.held
        if held is None:
            picks = before.game.picks(before, int(before.game.action(example.play[0]))) if example.play else ()
            held = tuple(pick.place for pick in picks)
        first, last = (_draw(state, example.layout) for state in (before, after))
        enlarged = 1.3 if example.layout == "tall" else 1
        drawn = [[crop(first, show.split(), held, enlarged=enlarged) for show in example.before]]
        drawn.append([crop(last, show.split(), enlarged=enlarged) for show in example.after])
        drawn = [pictures for pictures in drawn if pictures]
        picture, outlined, shown = (last, (), example.after) if example.after else (first, held, example.before)
        drawn[-1][-1] = crop(picture, shown[-1].split(), outlined, example.runs, example.marks, enlarged)
        return [[Markup(picture) for picture in pictures] for pictures in drawn]  # our own drawing


def _draw(state: State, layout: str) -> str:
    """The position with the class `page`: in the colours of the page around it."""
    return str(state.game.draw(state, theme="light", layout=layout, styled=False)).replace("light", "page", 1)


@cache
def page(game: str, spoken: str) -> Markup:
    """A game's rules in a language, as a piece of HTML."""
    with speaking(spoken):
        return fragment("rules-text.html", told=Told(registered()[game]))
