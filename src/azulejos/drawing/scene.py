"""The parts that all games' pictures share: boards with a name and a score, factories, the centre, counts.

A place is a group with an id, in whose coordinates a tile reaches from −50 to 50: a copy of
`tile-blue` inside it is a blue tile there.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from azulejos.core.errors import OptionError
from azulejos.core.language import _
from azulejos.core.state import State

from .keeping import kept
from .svg import Markup, Number, copy, element, join, move, number, words
from .theme import SHADE, THEMES, stylesheet
from .words import say_board, say_held, say_line, say_place, say_player, say_projected, say_round, say_score, say_space

# By the shape of the room: 8:5, twice as wide as high, 3:4; on phones, which scroll, lying on their side and upright.
LAYOUTS = ("wide", "broad", "upright", "low", "tall")
WIDE, BROAD, UPRIGHT = (1280, 800), (1280, 628), (820, 1080)
LOW, TALL = 844, 390  # the width; the height is as it comes
LOW_SCREEN = 340  # what is seen of a low picture without scrolling: the factories and the viewer's board
FINGER = 44  # what a finger hits for certain


@dataclass(frozen=True)
class Look:
    """The checked parameters of a drawing.

    `styled`: with a style element, for a self-contained picture. `names`: by seat. `seats`: in the order in which
    they are drawn, the viewer's first.
    """

    theme: str
    layout: str
    styled: bool
    names: tuple[str, ...]
    seats: tuple[int, ...]

    @classmethod
    def of(
        cls, state: State, names: Sequence[str], viewer: int | None, theme: str, layout: str, styled: bool
    ) -> "Look":
        """The parameters of `Game.draw`, checked."""
        called = tuple(names) or tuple(map(say_player, range(state.game.players)))  # in the language of now
        return cls._of(state.game.players, called, viewer, theme, layout, styled)

    @classmethod
    @lru_cache(256)
    def _of(
        cls, players: int, names: tuple[str, ...], viewer: int | None, theme: str, layout: str, styled: bool
    ) -> "Look":
        for what, value, choices in (("theme", theme, THEMES), ("layout", layout, LAYOUTS)):
            if value not in choices:
                allowed = ", ".join(map(repr, choices))
                raise OptionError(f"{what}={value!r} is not possible: {what} is one of {allowed}")
        if viewer is not None and viewer not in range(players):
            raise OptionError(f"viewer={viewer!r} is not a seat: seats are 0 to {players - 1}")
        if len(names) != players:
            raise OptionError(f"{len(names)} names for {players} players")
        seats = tuple(((viewer or 0) + k) % players for k in range(players))
        return cls(theme, layout, styled, names, seats)

    def picture(
        self, *parts: "Part", width: Number, height: Number, definitions: Markup, name: str, game: str
    ) -> "Picture":
        """The parts, each an element with an id, in the order in which they are painted, as a picture."""
        return Picture(self, game, name, width, height, definitions, parts)


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture in parts. Its text is put together only when it is asked for.

    `drawn`: the parts, in the order in which they are painted; a large one as the texts that make it. `definitions`:
    the shapes that they copy. `name`: the picture's label for screen readers.
    """

    look: Look
    game: str
    name: str
    width: Number
    height: Number
    definitions: Markup
    drawn: "tuple[Part, ...]"

    @property
    def parts(self) -> dict[str, str]:
        """The parts by id."""
        return {id_of(part): part for part in ("".join(part) for part in self.drawn)}

    def __str__(self) -> str:
        """The whole picture.

        A self-contained one prefixes its definitions with the game, because a notebook may show several.
        """
        drawn = "".join(self.texts)
        return drawn.replace(' href="#', f' href="#{self.game}-') if self.look.styled else drawn

    @property
    def texts(self) -> tuple[str, ...]:
        """What the text is made of. From one position to the next most of them are the same objects, so that what
        changed is found quickly."""
        look = self.look
        how = self.definitions, look.theme, look.layout, look.styled, self.width, self.height, self.game, self.name
        texts: list[str] = [_opening(*how)]
        for part in self.drawn:
            texts += part if isinstance(part, tuple) else (part,)
        texts.append("</svg>")
        return tuple(texts)


@lru_cache(256)
def _opening(
    definitions: Markup, theme: str, layout: str, styled: bool, width: Number, height: Number, game: str, name: str
) -> Markup:
    """A picture up to its parts."""
    style, defined = None, element("defs", definitions, _ICONS)
    if styled:
        style = element("style", stylesheet(theme))
        defined = Markup(defined.replace(' id="', f' id="{game}-'))
    empty = element(
        "svg",
        style,
        defined,
        element("rect", width=width, height=height, class_="ground"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        class_=f"azulejos {theme} {game} {layout}",
        role="group",
        aria_label=name,
    )
    return Markup(empty.removesuffix("</svg>"))


Part = Markup | tuple[str, ...]  # an element, or the texts that make it
Drawn = tuple[Sequence[Part], Number, Number]  # the parts, the width and the height
Arrange = Callable[[State, "list[Seat]", Look], Drawn]


def compose(
    state: State, how: Mapping[str, Any], title: str, layouts: Mapping[str, Arrange], definitions: Markup
) -> Picture:
    """A position as a picture. `how`: the parameters of `Game.draw`. `layouts`: by name; each gives the parts, which
    are elements with an id, and the picture's width and height."""
    look = Look.of(state, **how)
    parts, width, height = layouts[look.layout](state, Seat.all(state, look), look)
    name = f"{title}, {say_round(state.round)}"
    return look.picture(*parts, width=width, height=height, definitions=definitions, name=name, game=state.game.name)


LEGIBLE = 12  # the smallest letters


@kept()
def caption(title: str, text: str, x: Number, y: Number, size: Number, below: bool = False) -> Markup:
    """The game, and facts about the round, beside it or below."""
    small = max(0.62 * size, LEGIBLE)
    facts = (
        element("tspan", text, font_size=small, x=x, dy=1.5 * small)
        if below
        else element("tspan", f"  {text}", font_size=small)
    )
    return element("text", element("tspan", title, class_="ink serif", font_size=size), facts, x=x, y=y, id="caption")


# --- places ---


def id_of(part: str) -> str:
    """The id of an element."""
    found = _ID.match(part)
    assert found, part
    return found[1]


_ID = re.compile('<[^>]* id="([^"]+)"')


def place(id_: str, name: str, *parts: Markup | None, at: str | None = None, class_: str = "place") -> Markup:
    """A place or a group of tiles that can be picked, with a label for screen readers."""
    return element("g", *parts, id=id_, class_=class_, role="img", aria_label=name, transform=at)


def region(id_: str, name: str, *parts: Markup | None, at: str | None = None, class_: str = "region") -> Markup:
    """A group of places."""
    return element("g", *parts, id=id_, class_=class_, role="group", aria_label=name, transform=at)


def ring(x: Number, y: Number, width: Number, height: Number, radius: Number) -> Markup:
    """The outline of a place, invisible until it can be picked; also the pointer's target."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius, class_="ring")


def target(x: Number, y: Number, width: Number, height: Number) -> Markup:
    """An invisible touch target around a small place."""
    return element("rect", x=x, y=y, width=width, height=height, class_="hit")


RIM = copy("rim", class_="ring")  # the ring of a place for one tile


@kept()
def tile(colour: str) -> Markup:
    """A tile that lies in the place around it."""
    return copy(f"tile-{colour}", class_="tile")


@kept()
def well(colour: str | None = None) -> Markup:
    """An empty place; with the faint motif and a tint of the colour that it waits for."""
    if colour is None:
        return copy("well", class_="well")
    return join(copy("well", class_=f"well tint-{colour}"), copy(f"thin-{colour}", class_=f"thin edge-{colour}"))


# --- boards ---


def shortened(name: str, size: Number, width: Number) -> str:
    """A name as far as it fits into a width."""
    room = width / size
    for end, character in enumerate(name):
        room -= 1 if unicodedata.east_asian_width(character) in "WF" else 0.6
        if room < 0:
            return name[: max(end - 1, 0)].rstrip() + "…"
    return name


class Seat(NamedTuple):
    """A player as a board shows them. `projected`: the score if the round ended now, or None to show none."""

    number: int
    name: str
    score: int
    projected: int | None
    turn: bool
    winner: bool
    legible: float  # the smallest letters on their board

    @classmethod
    def all(cls, state: State, look: Look) -> "list[Seat]":
        """The players, by seat."""
        acting, outcome, projected = state.seat, state.outcome, state.projected
        letters = 1.26 * LEGIBLE if look.layout == "wide" else LEGIBLE  # a page shows it beside an open log
        return [
            cls(
                seat,
                look.names[seat],
                score,
                None if outcome else projected[seat],
                seat == acting,
                outcome is not None and seat in outcome.winners,
                letters,
            )
            for seat, score in enumerate(state.scores)
        ]

    @property
    def id(self) -> str:
        return f"seat-{self.number}"

    def board(self, *parts: Part | None, at: tuple[Number, Number], width: Number, height: Number) -> Part:
        """The player's board: an ochre frame if it is their turn."""
        texts: list[str] = [self._board(at, width, height)]
        for part in parts:
            if part is not None:
                texts += part if isinstance(part, tuple) else (part,)
        texts.append("</g>")
        return tuple(texts)

    @kept(lambda seat, *how: (seat.number, seat.name, seat.score, seat.turn, seat.winner, how))
    def _board(self, at: tuple[Number, Number], width: Number, height: Number) -> Markup:
        """A board up to its parts."""
        said = say_board(self.name, self.score, self.turn, self.winner)
        frame = _frame(width, height, self.turn or self.winner)
        return Markup(region(self.id, said, frame, at=move(*at), class_="seat").removesuffix("</g>"))

    @kept(lambda seat, *how: (seat.number, seat.name, seat.score, seat.projected, seat.winner, how))
    def head(self, left: Number, right: Number, baseline: Number, size: Number, room: Number = 0) -> Markup:
        """A board's first line: the name, the score, and the projected score in a fixed place.

        `room`: left free before the score.
        """
        score_at = right - 3.1 * size
        return join(
            words(
                self._called(size, score_at - left - 2.6 * size - room),
                left,
                baseline,
                size,
                "ink serif",
                id=f"{self.id}.name",
            ),
            words(
                str(self.score),
                score_at,
                baseline,
                1.35 * size,
                "ink serif",
                "end",
                id=f"{self.id}.score",
                role="img",
                aria_label=say_score(self.score),
            ),
            self._then(right, baseline, size),
        )

    @kept(lambda seat, *how: (seat.number, seat.name, seat.score, seat.projected, seat.winner, how))
    def corner(self, left: Number, top: Number, width: Number, size: Number) -> Markup:
        """The name, and below it the scores, where a board's lines leave a corner free."""
        baseline = top + 2.5 * size
        letters = size if shortened(self.name, size, width) == self.name else max(0.78 * size, self.legible)
        return join(
            words(self._called(letters, width), left, top + 0.9 * size, letters, "ink serif", id=f"{self.id}.name"),
            words(
                str(self.score),
                left,
                baseline,
                1.5 * size,
                "ink serif",
                id=f"{self.id}.score",
                role="img",
                aria_label=say_score(self.score),
            ),
            self._then(left + 5.6 * size, baseline, size),
        )

    def _called(self, size: Number, width: Number) -> str:
        """The name as far as it fits; of "Computer · greedy 2" what tells it from the others."""
        name = shortened(self.name, size, width)
        return name if name == self.name else shortened(self.name.rpartition(" · ")[2], size, width)

    def _then(self, right: Number, baseline: Number, size: Number) -> Markup | None:
        if self.winner:
            return copy("icon-winner", right - 1.2 * size, baseline - 0.4 * size, size / 60, class_="live")
        if self.projected is None:
            return None
        kind = "gain" if self.projected > self.score else "loss" if self.projected < self.score else "same"
        return words(
            f"→ {self.projected}",
            right,
            baseline,
            max(0.85 * size, self.legible),
            f"{kind} serif",  # the same is not shown, until a preview changes it
            "end",
            id=f"{self.id}.projected",
            role="img",
            aria_label=say_projected(self.projected),
        )


@kept()
def _frame(width: Number, height: Number, turn: bool) -> Markup:
    radius = min(18, round(width / 24))
    return join(
        element("rect", y=3, width=width, height=height, rx=radius, fill=SHADE, fill_opacity=0.1),
        element("rect", width=width, height=height, rx=radius, class_="board turn" if turn else "board"),
    )


@kept()
def line(
    owner: str,
    row: int,
    colour: str | None,
    tiles: int,
    game: str,
    right: float,
    middle: float,
    across: float,
    down: float,
    size: float,
) -> Markup:
    """A pattern line, filled from the right. `across`, `down`: the room of a tile; `size`: the tile's."""
    id_, said, width = f"{owner}.line-{row + 1}", say_line(row + 1, game), (row + 1) * across
    parts = [ring(right - width, middle - down / 2, width, down, 9)]
    if width < FINGER:
        parts.append(target(right - FINGER, middle - down / 2, FINGER, down))
    for space in range(row + 1):
        held = colour if space < tiles else None
        at = move(right - (space + 0.5) * across, middle, size / 100)
        name = say_place(say_space(said, space + 1), held, game)
        parts.append(place(f"{id_}.{space + 1}", name, tile(held) if held else well(), at=at))
    return region(id_, say_held(said, {colour: tiles} if colour else {}, game), *parts, class_="line")


def penalty(cost: int, size: float) -> Markup:
    """An empty place that costs points when a tile lies there. `size`: of a tile there."""
    return join(copy("well", class_="well"), cost_words(cost, size))


def cost_words(points: int, size: float) -> Markup:
    """What a tile costs in a place of that size."""
    letters = min(max(40, 104 * LEGIBLE / size), 62)
    return words(f"−{points}", 0, 0.35 * letters, round(letters), "words", "middle")


@kept()
def penalty_spaces(
    id_: str,
    word: str,
    held: Sequence[str],
    costs: Sequence[int],
    left: Number,
    middle: Number,
    size: Number,
    game: str,
) -> list[Markup]:
    """Spaces for tiles that cost points, from the left. `word`: what they are called. `held`: the tiles there.
    `costs`: of all spaces up to each, in points, from none on."""
    return [
        _penalty_space(
            f"{id_}.{space + 1}",
            say_space(word, space + 1),
            held[space] if space < len(held) else None,
            costs[space + 1] - costs[space],
            left + (space + 0.5) * 1.08 * size,
            middle,
            size,
            game,
        )
        for space in range(len(costs) - 1)
    ]


@kept()
def _penalty_space(
    id_: str, name: str, colour: str | None, cost: int, x: Number, y: Number, size: Number, game: str
) -> Markup:
    held = _("start marker") if colour == "marker" else colour
    inside = tile(colour) if colour else penalty(cost, size)
    return place(id_, say_place(name, held, game), inside, at=move(x, y, size / 100))


# --- factories and the centre ---


def towards(degrees: float, distance: float) -> tuple[float, float]:
    """The point in a direction (clockwise from the top) at a distance."""
    angle = math.radians(degrees)
    return distance * math.sin(angle), -distance * math.cos(angle)


@lru_cache(256)
def around(count: int, x: float, y: float, across: float, down: float | None = None) -> tuple[tuple[float, float], ...]:
    """Points in a ring, clockwise from the top. `across`, `down`: its radii, if it is an ellipse."""
    steps = (towards(360 * k / count, 1) for k in range(count))
    return tuple((x + dx * across, y + dy * (down or across)) for dx, dy in steps)


@kept()
def disc(radius: Number) -> Markup:
    """A factory, without its tiles."""
    return join(
        element("circle", cy=3, r=radius, fill=SHADE, fill_opacity=0.12),
        element("circle", r=radius, class_="disc"),
        element("circle", r=radius * 0.92, class_="stitch"),
    )


# Where the four tiles of a factory lie, clockwise, so that those of a colour touch.
_QUARTERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def quarters(first: int, count: int, pitch: float, reach: float) -> tuple[list[tuple[float, float]], Markup]:
    """Where `count` tiles of one colour lie on a factory that has `first` before them, and the ring around them.

    `pitch`: the distance of tiles; `reach`: the radius of the touch target.
    """
    corners = _QUARTERS[first : first + count]
    spots = [(x * pitch / 2, y * pitch / 2) for x, y in corners]
    around = _around_quarters(corners, pitch, "ring")
    if reach > pitch:
        around = join(_around_quarters(corners, reach, "hit"), around)
    return spots, around


def _around_quarters(corners: Sequence[tuple[int, int]], size: float, class_: str) -> Markup:
    if len(corners) == 3:
        x, y = next(corner for corner in _QUARTERS if corner not in corners)  # the one that is left out
        steps = ((-x, -y), (x, -y), (x, 0), (0, 0), (0, y), (-x, y))
        path = "M" + "L".join(f"{number(a * size)} {number(b * size)}" for a, b in steps) + "Z"
        return element("path", d=path, class_=class_)
    lefts, tops = zip(*(((x - 1) * size / 2, (y - 1) * size / 2) for x, y in corners), strict=True)
    left, top = min(lefts), min(tops)
    width, height = max(lefts) - left + size, max(tops) - top + size
    return element("rect", x=left, y=top, width=width, height=height, rx=0.2 * size, class_=class_)


def slanted_quarters(first: int, count: int, side: float) -> tuple[list[tuple[float, float]], Markup]:
    """Like `quarters`, for rhombi: from the top clockwise they make a large one."""
    corners = _QUARTERS[first : first + count]
    spots = [_slant(x * side / 2, y * side / 2) for x, y in corners]
    if count == 3:
        x, y = next(corner for corner in _QUARTERS if corner not in corners)
        steps: Sequence[tuple[float, float]] = ((-x, -y), (x, -y), (x, 0), (0, 0), (0, y), (-x, y))
    else:
        (left, right), (top, bottom) = ((min(values) - 1, max(values) + 1) for values in zip(*corners, strict=True))
        steps = [(x / 2, y / 2) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))]
    points = (_slant(x * side, y * side) for x, y in steps)
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"
    return spots, element("path", d=path, class_="ring")


def _slant(x: float, y: float) -> tuple[float, float]:
    """From a square grid to one of rhombi with sides as long."""
    return (x - y) / 2, (x + y) * math.sqrt(3) / 2


def sector(radius: float, start: float, degrees: float) -> Markup:
    """A sector of a disc as a pointer's target. Angles are clockwise from the top."""
    if degrees >= 360:
        return element("circle", r=radius, class_="hit")
    (x, y), (u, v) = towards(start, radius), towards(start + degrees, radius)
    r, large = number(radius), int(degrees > 180)
    path = f"M0 0L{number(x)} {number(y)}A{r} {r} 0 {large} 1 {number(u)} {number(v)}Z"
    return element("path", d=path, class_="hit")


def wedge(reach: float, start: float, degrees: float) -> Markup:
    """Like `sector`, for a disc that stands in a square of its own: up to the square's edge."""
    end = start + degrees
    corners = [a for a in range(-315, 360, 90) if start < a < end]
    points = [(0.0, 0.0)] if degrees < 360 else []
    for a in (start, *corners, end):
        x, y = towards(a, 1)
        far = reach / max(abs(x), abs(y))
        points.append((x * far, y * far))
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"
    return element("path", d=path, class_="hit")


@kept()
def badge(count: int, x: Number, y: Number, radius: Number, scale: float = 1) -> Markup:
    """A number on a dark disc. `scale`: of the coordinates, so that the number stays legible."""
    letters = max(1.1 * radius, 1.24 * LEGIBLE / scale)
    return join(
        element("circle", cx=x, cy=y, r=max(radius, 0.72 * letters), class_="badge"),
        words(str(count), x, y + 0.36 * letters, letters, "count strong", "middle"),
    )


# --- counts ---

Counts = Mapping[str, int]  # of tiles, by colour
_ICONS = join(
    *(
        element("path", d=path, id=f"icon-{name}")
        for name, path in {
            "bag": "M-12 -36H12M-9 -36Q-3 -24 -9 -17Q-34 2 -28 26Q-26 38 -12 38H12Q26 38 28 26Q34 2 9 -17Q3 -24 9 -36",
            "lid": "M-38 -10L0 -30L38 -10L0 10ZM-38 -10V10L0 32L38 10V-10M0 10V32",
            "tower": "M-22 38V-16H-28V-36H-14V-28H-7V-36H7V-28H14V-36H28V-16H22V38ZM-8 38V20Q-8 11 0 11Q8 11 8 20V38",
            "winner": "M-30 -16L-14 -2L0 -26L14 -2L30 -16L24 22H-24Z",
        }.items()
    )
)


@kept(lambda id_, word, counts, colours, *how: (id_, *counts.items(), how))
def store(id_: str, word: str, counts: Counts, colours: Sequence[str], game: str, at: str, size: Number) -> Markup:
    """The bag, the lid or the tower: how many tiles, and how many of each colour."""
    first = max(4.9, 2.6 + 0.44 * len(word))  # long words push the tiles together
    pitch = 1.5 - (first - 4.9) / (len(colours) - 1)
    parts = [
        copy(f"icon-{id_}", 0.75 * size, 0.05 * size, 0.019 * size, class_="fine"),
        words(word, 1.8 * size, -0.22 * size, 0.74 * size),
        words(str(sum(counts.values())), 1.8 * size, 0.8 * size, size, "ink serif"),
    ]
    for k, colour in enumerate(colours):
        parts.append(_stored(colour, counts.get(colour, 0), (first + pitch * k) * size, pitch, size))
    return place(id_, say_held(word, counts, game), *parts, at=at, class_="store")


@kept()
def _stored(colour: str, held: int, x: Number, pitch: Number, size: Number) -> Markup:
    """How many tiles of a colour a store holds."""
    shown = "tile" if held else "faded"
    return join(
        copy(f"tile-{colour}", x, -0.35 * size, min(0.0112, 0.0094 * pitch) * size, class_=shown),
        words(str(held), x, 0.85 * size, 0.74 * size, "words", "middle"),
    )


@kept(lambda id_, word, counts, colours, *how: (id_, *counts.items(), how))
def corner_store(
    id_: str, word: str, counts: Counts, colours: Sequence[str], game: str, at: str, size: Number
) -> Markup:
    """The bag, the lid or the tower in three columns: how many tiles, and below them how many of each colour."""
    total = str(sum(counts.values()))
    parts = [
        copy(f"icon-{id_}", 0.7 * size, 0.7 * size, 0.017 * size, class_="fine"),
        words(total, 1.7 * size, 1.1 * size, 1.1 * size, "ink serif"),
        words(word, (2.1 + 0.7 * len(total)) * size, 1.1 * size, 0.8 * size),
    ]
    for k, colour in enumerate(colours):
        row, column = divmod(k, 3)
        x, y, held = (0.6 + 2.4 * column) * size, (2.6 + 1.35 * row) * size, counts.get(colour, 0)
        parts.append(copy(f"tile-{colour}", x, y, 0.0105 * size, class_="tile" if held else "faded"))
        parts.append(words(str(held), x + 0.7 * size, y + 0.3 * size, 0.8 * size))
    return place(id_, say_held(word, counts, game), *parts, at=at, class_="store")


@kept(lambda id_, word, counts, *how: (id_, *counts.items(), how))
def small_store(id_: str, word: str, counts: Counts, game: str, at: str, size: Number) -> Markup:
    """The bag, the lid or the tower where there is little room: how many tiles it holds."""
    return place(
        id_,
        say_held(word, counts, game),
        copy(f"icon-{id_}", 0.5 * size, -0.36 * size, 0.0125 * size, class_="fine"),
        words(str(sum(counts.values())), 1.25 * size, 0, size, "ink strong"),
        at=at,
        class_="store",
    )
