"""The course of a game as a picture: win chances over the actions, rounds, mistakes as dots, luck as bars."""

from collections.abc import Iterator, Mapping, Sequence

from azulejos.core.language import _
from azulejos.core.record import Record
from azulejos.drawing import theme
from azulejos.drawing.svg import Markup, element, join, number, words

from .reviewing import KINDS, Decision, Draw

WIDTH, HEIGHT = 800, 312
_LEFT, _RIGHT, _TOP, _BOTTOM = 86, 12, 62, 216  # of the plot of chances
_LUCK = 258  # the middle of the bars
_LONGEST_BAR = 20
_SCALES = (0.05, 0.1, 0.2, 0.4, 1.0)  # of luck: the longest bar; the smallest that is enough
_LONGEST_NAME = 12  # letters
_ROOM = 98  # for "Round 5", in large letters
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
.graph .name{font-weight:700;stroke:none}
.graph .name.seat-a{fill:var(--seat-a)}.graph .name.seat-b{fill:var(--seat-b)}
.graph .name.seat-c{fill:var(--seat-c)}.graph .name.seat-d{fill:var(--seat-d)}
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
    names: Sequence[str] = (),
) -> str:
    """The graph of what is known of a game so far, by the number of the action; an SVG picture without styles.

    `names`: as the reader calls the players; the record's by default. Two players: the viewer's chance as one line over
    an area. More: a line a seat. Every action has a place to click, `action-N`.
    """
    count = len(record.actions)
    states = list(record.states())
    step = (WIDTH - _LEFT - _RIGHT) / max(count, 1)
    names = names or record.names
    order = [(viewer + k) % record.game.players for k in range(record.game.players)]
    shown = order[:1] if len(order) == 2 else order
    lucky = max((abs(draw_.luck[viewer]) for draw_ in draws.values()), default=0.0)
    scale = next(scale for scale in _SCALES if scale >= min(lucky, 1.0))

    def x(number_: float) -> float:
        return _LEFT + step * number_

    def y(chance: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * min(max(chance, 0.0), 1.0)

    def parts() -> Iterator[Markup]:
        yield heading()
        yield element("rect", x=_LEFT, y=_TOP, width=WIDTH - _LEFT - _RIGHT, height=_BOTTOM - _TOP, class_="field")
        for percent in (0, 50, 100):
            level = y(percent / 100)
            yield words(_("{percent} %").format(percent=percent), _LEFT - 6, level + 4, 12, "words", "end")
        yield element("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y(0.5), y2=y(0.5), class_="half")
        begins = [k for k in range(count) if k == 0 or states[k].round != states[k - 1].round]
        for number_, following in zip(begins, [*begins[1:], count], strict=True):
            round_ = states[number_].round
            short = x(following) - x(number_) < _ROOM
            yield element("line", x1=x(number_), x2=x(number_), y1=_TOP, y2=_BOTTOM, class_="grid")
            said = str(round_) if short else _("Round {number}").format(number=round_)
            yield words(said, x(number_) + 4, _TOP - 6, 12)
        yield from lines()
        yield words(_("luck of the draws"), _LEFT, HEIGHT - 8, 12)
        yield words("±" + _("{percent} %").format(percent=round(100 * scale)), _LEFT - 6, _LUCK + 4, 12, "words", "end")
        for draw_ in draws.values():
            luck = draw_.luck[viewer]
            length = max(_LONGEST_BAR * min(abs(luck) / scale, 1), 0.75)
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
                of = viewer if record.game.players == 2 else found.seat
                yield element(
                    "circle",
                    element("title", f"{names[found.seat]}: {found.action.words} ({percent_of(-found.loss)})"),
                    cx=x(found.number),
                    cy=y(chances[found.number][of]),
                    r=_RADII[found.kind],
                    class_=f"dot {found.kind}",
                )
        for number_ in range(count + 1):
            yield element(
                "rect",
                x=x(number_) - step / 2,
                y=_TOP,
                width=step,
                height=_LUCK + _LONGEST_BAR - _TOP,
                class_="hit",
                id=f"action-{number_}",
            )

    def heading() -> Markup:
        """What is drawn, and whose: the names in the colours of their lines, which leave no room for more."""
        told: list[str] = [_("win chance over the game")] * (len(shown) == 1)
        for class_, seat in zip(_LINES, shown, strict=False):
            told += [" · "] * bool(told)
            told.append(element("tspan", _cut(names[seat]), class_=f"name {class_}"))
        return element("text", *told, x=_LEFT, y=22, class_="words")

    def lines() -> Iterator[Markup]:
        known = [number_ for number_ in range(count + 1) if number_ in chances]
        if not known:
            return
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


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def percent_of(share: float) -> str:
    """A change of a chance with its sign: +9 %, −14 %."""
    rounded = round(100 * abs(share))
    sign = "" if rounded == 0 else "+" if share > 0 else "−"
    return _("{sign}{percent} %").format(sign=sign, percent=rounded)
