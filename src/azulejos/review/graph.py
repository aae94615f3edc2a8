"""The course of a game as a picture: win chances over the actions, rounds, mistakes as dots, luck as bars."""

from collections.abc import Iterator, Mapping

from azulejos.core.language import _
from azulejos.core.record import Record
from azulejos.drawing import theme
from azulejos.drawing.svg import Markup, element, join, number, words

from .reviewing import KINDS, Decision, Draw

WIDTH, HEIGHT = 800, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 86, 12, 26, 190  # of the plot of chances
_LUCK = 226  # the middle of the bars
_LONGEST_BAR = 24  # for a luck of MOST_LUCK or more
_MOST_LUCK = 0.25
_RADII = dict(zip(KINDS, (4.5, 6.5, 9), strict=True))
_LINES = ("seat-a", "seat-b", "seat-c", "seat-d")  # classes of the seats' lines, the viewer's first

STYLE = """
.graph{background:transparent}
.graph .field{fill:var(--field)}.graph .area{fill:var(--seat-a);fill-opacity:.16}
.graph .grid{stroke:var(--rim)}.graph .half{stroke:var(--rim);stroke-dasharray:4 4}
.graph .line{fill:none;stroke-width:2.5;stroke-linejoin:round}
.graph .seat-a{stroke:var(--seat-a)}.graph .seat-b{stroke:var(--seat-b)}
.graph .seat-c{stroke:var(--seat-c)}.graph .seat-d{stroke:var(--seat-d)}
.graph .blunder,.graph .mistake{fill:var(--loss)}.graph .inaccuracy{fill:var(--live)}
.graph .dot{stroke:var(--board);stroke-width:1.5}.graph .up{fill:var(--gain)}.graph .down{fill:var(--loss)}
.graph text{font-family:inherit;fill:var(--soft);font-size:12px}
.graph .here{stroke:var(--ink);stroke-width:1.5}.graph .hit{fill:transparent;cursor:pointer}
"""


def colours(of: theme.Theme) -> dict[str, str]:
    """The values of the style's variables in a theme."""
    seats = (
        ("#23509f", "#b0371f", "#27733f", "#6f3fa0")
        if of is theme.LIGHT
        else ("#8fb4ff", "#f5927a", "#7ad79a", "#c8a6ee")
    )
    named = {name: getattr(of, name) for name in ("rim", "gain", "loss", "live", "ink", "soft", "board")}
    return {**named, "field": of.well, **dict(zip(_LINES, seats, strict=True))}


def draw(
    record: Record,
    chances: Mapping[int, tuple[float, ...]],
    decisions: Mapping[int, Decision],
    draws: Mapping[int, Draw],
    viewer: int = 0,
    width: float | None = None,
) -> str:
    """The graph of what is known of a game so far, by the number of the action; an SVG picture without styles.

    Two players: the viewer's chance as one line over an area. More: a line a seat. Every action has a place to click,
    `action-N`.
    """
    count = len(record.actions)
    states = list(record.states())
    step = (WIDTH - _LEFT - _RIGHT) / max(count, 1)

    def x(number_: float) -> float:
        return _LEFT + step * number_

    def y(chance: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * min(max(chance, 0.0), 1.0)

    def parts() -> Iterator[Markup]:
        yield element("rect", x=_LEFT, y=_TOP, width=WIDTH - _LEFT - _RIGHT, height=_BOTTOM - _TOP, class_="field")
        for percent in (0, 50, 100):
            level = y(percent / 100)
            yield words(_("{percent} %").format(percent=percent), _LEFT - 6, level + 4, 12, "words", "end")
        yield element("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y(0.5), y2=y(0.5), class_="half")
        for number_ in range(count):
            if (number_ and states[number_].round != states[number_ - 1].round) or number_ == 0:
                yield element("line", x1=x(number_), x2=x(number_), y1=_TOP, y2=_BOTTOM, class_="grid")
                yield words(_("Round {number}").format(number=states[number_].round), x(number_) + 4, _TOP - 6, 12)
        yield from lines()
        yield words(_("luck of the draws"), _LEFT, HEIGHT - 2, 12)
        for draw_ in draws.values():
            luck = draw_.luck[viewer]
            length = max(_LONGEST_BAR * min(abs(luck) / _MOST_LUCK, 1), 0.75)
            middle = x(draw_.number + 1)
            yield element(
                "rect",
                element("title", _("luck: {points}").format(points=percent_of(luck))),
                x=middle - 4,
                y=_LUCK - length if luck > 0 else _LUCK,
                width=8,
                height=length,
                class_="up" if luck > 0 else "down",
            )
        yield element("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=_LUCK, y2=_LUCK, class_="grid")
        for found in decisions.values():
            if found.kind and found.number in chances:
                shown = viewer if record.game.players == 2 else found.seat
                yield element(
                    "circle",
                    element("title", f"{record.names[found.seat]}: {found.action.words} ({percent_of(-found.loss)})"),
                    cx=x(found.number),
                    cy=y(chances[found.number][shown]),
                    r=_RADII[found.kind],
                    class_=f"dot {found.kind}",
                )
        for number_ in range(count + 1):
            yield element(
                "rect",
                x=x(number_) - step / 2,
                y=_TOP,
                width=step,
                height=HEIGHT - _TOP - 14,
                class_="hit",
                id=f"action-{number_}",
            )

    def lines() -> Iterator[Markup]:
        known = [number_ for number_ in range(count + 1) if number_ in chances]
        if not known:
            return
        order = [(viewer + k) % record.game.players for k in range(record.game.players)]
        shown = order[:1] if len(order) == 2 else order
        for class_, seat in zip(_LINES, shown, strict=False):
            points = [f"{number(x(k))},{number(y(chances[k][seat]))}" for k in known]
            if len(shown) == 1:
                corners = f"{number(x(known[-1]))},{_BOTTOM} {number(x(known[0]))},{_BOTTOM}"
                yield element("polygon", points=" ".join(points) + " " + corners, class_="area")
            yield element("polyline", points=" ".join(points), class_=f"line {class_}")

    return element(
        "svg",
        element("title", _("win chance over the game")),
        join(*parts()),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=width,
        height=width and width * HEIGHT / WIDTH,
        role="img",
        class_="graph",
    )


def percent_of(share: float) -> str:
    """A change of a chance with its sign: +9 %, −14 %."""
    rounded = round(100 * abs(share))
    sign = "" if rounded == 0 else "+" if share > 0 else "−"
    return _("{sign}{percent} %").format(sign=sign, percent=rounded)
