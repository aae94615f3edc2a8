"""A review for people: as a table at the terminal, and as one HTML file that needs nothing beside it."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from azulejos.core.language import _, language, ngettext
from azulejos.core.state import State
from azulejos.drawing.svg import Markup, element, join, words
from azulejos.drawing.theme import DARK, LIGHT, SANS, SERIF, Theme

from . import coach, graph
from .graph import percent_of
from .reviewing import Decision, Draw, Review, Summary


def table(review: Review) -> RenderableType:
    """The numbers of every seat, and the moments that decided the game."""
    numbers = Table(title=say_title(review), title_justify="left", box=None)
    numbers.add_column("")
    for name in review.record.names:
        numbers.add_column(Text(name), justify="right")
    summaries = [review.summary(seat) for seat in range(review.record.game.players)]
    for heading, values in _rows(review, summaries):
        numbers.add_row(heading, *values)
    moments = Table(title=_("Turning points"), title_justify="left", box=None, show_header=False)
    for moment in review.turning_points:
        number, change, said = say_moment(review, moment)
        moments.add_row(number, change, Text(said))
    return Group(numbers, "", moments)


def _rows(review: Review, summaries: list[Summary]) -> Iterator[tuple[str, list[str]]]:
    yield _("score"), [str(score) for score in review.record.state.scores]
    yield _("accuracy"), [_("{percent} %").format(percent=round(s.accuracy)) for s in summaries]
    yield _("error rate"), [_("{percent} %").format(percent=f"{100 * s.error_rate:.1f}") for s in summaries]
    yield _("mistakes"), [str(sum(s.mistakes.values())) for s in summaries]
    yield _("luck"), [percent_of(s.luck) for s in summaries]
    yield _("luck in points"), [f"{s.luck_points:+.1f}".replace("-", "−") for s in summaries]
    yield _("with even luck"), [_("{percent} %").format(percent=round(100 * s.even_luck)) for s in summaries]


def say_title(review: Review) -> str:
    record = review.record
    scores = record.state.scores
    players = ", ".join(f"{name} {score}" for name, score in zip(record.names, scores, strict=True))
    return f"{_(record.game.title)} · {players} · {record.date}"


def say_moment(review: Review, moment: Decision | Draw, names: Sequence[str] = ()) -> tuple[str, str, str]:
    """A turning point: the number of the action, counted from 1, what it changed, and what happened.

    `names`: as the reader calls the players; the record's by default.
    """
    names = names or review.record.names
    if isinstance(moment, Draw):
        seat = max(range(review.record.game.players), key=lambda k: moment.luck[k])
        said = _("the draw of round {round}, lucky for {name}").format(round=moment.round, name=names[seat])
        return str(moment.number + 2), percent_of(moment.luck[seat]), said
    said = _("{name}: {played}. Better: {better}").format(
        name=names[moment.seat], played=moment.action.words, better=moment.best.words
    )
    return str(moment.number + 1), percent_of(-moment.loss), said


def say_why(review: Review, decision: Decision) -> str:
    """Why the better action is better."""
    state = list(review.record.states())[decision.number]
    return explain(state, decision, review.record.names)


def explain(state: State, decision: Decision, names: Sequence[str]) -> str:
    """The coach's words about a decision in its position."""
    expected = (decision.points_after, decision.points_before)
    return coach.explain(state, decision.line, decision.better, names, expected)


# --- HTML ---

_STYLE = f"""
body{{margin:0 auto;max-width:960px;padding:24px;font:16px/1.5 {SANS};background:var(--ground);color:var(--ink)}}
h1,h2{{font-family:{SERIF}}}h1{{font-size:26px}}h2{{font-size:19px;margin:0 0 8px}}
section{{background:var(--board);border:1px solid var(--rim);border-radius:14px;padding:18px;margin:16px 0;
break-inside:avoid}}
table{{border-collapse:collapse;width:100%}}th,td{{padding:4px 8px;text-align:right}}th:first-child,td:first-child{{
text-align:left;color:var(--soft);font-weight:400}}
section svg{{width:100%;height:auto}}.tall{{display:none}}.change{{color:var(--loss)}}.gain{{color:var(--gain)}}
h2{{display:flex;justify-content:space-between}}
.graph text{{font-size:13px}}
@media(max-width:640px){{body{{padding:8px}}section{{padding:12px}}.graph text{{font-size:24px}}
.tall{{display:block}}.wide{{display:none}}table{{font-size:14px}}th,td{{padding:4px 3px}}
th{{overflow-wrap:anywhere}}td{{white-space:nowrap}}td:first-child{{white-space:normal}}}}
"""


def _variables(of: Theme) -> str:
    values = {**graph.colours(of), "ground": of.ground}
    return "".join(f"--{name}:{value};" for name, value in values.items())


def page(review: Review) -> str:
    """The whole review as one HTML file, light or dark as the reader's system is."""
    style = (
        f":root{{{_variables(LIGHT)}}}@media(prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}}}"
        + graph.STYLE
        + _STYLE
    )
    summaries = [review.summary(seat) for seat in range(review.record.game.players)]
    head = element("tr", element("th", ""), *(element("th", name) for name in review.record.names))
    rows = [
        element("tr", element("td", heading), *(element("td", value) for value in values))
        for heading, values in _rows(review, summaries)
    ]
    body = join(
        element("h1", _("Review")),
        element("p", say_title(review)),
        element("section", element("table", head, *rows)),
        element("section", Markup(course(review))),
        *(_moment(review, moment) for moment in review.turning_points),
    )
    title = element("title", f"{_('Review')}: {say_title(review)}")
    return "<!doctype html>\n" + element(
        "html",
        element(
            "head",
            Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'),
            title,
            element("style", Markup(style)),
        ),
        element("body", body),
        lang=language(),
    )


def course(review: Review, viewer: int = 0, width: float | None = None, names: Sequence[str] = ()) -> str:
    """The graph of a whole review."""
    return graph.draw(
        review.record,
        dict(enumerate(review.chances)),
        {decision.number: decision for decision in review.decisions},
        {draw.number: draw for draw in review.draws},
        viewer,
        width,
        names,
    )


def _moment(review: Review, moment: Decision | Draw) -> Markup:
    states = list(review.record.states())
    shown = states[moment.number + 1 if isinstance(moment, Draw) else moment.number]
    number, change, said = say_moment(review, moment)
    pictures = [
        element("div", Markup(review.record.game.draw(shown, review.record.names, None, "auto", layout)), class_=layout)
        for layout in ("wide", "tall")  # for a screen and for a phone
    ]
    heading = element("span", _("Move {number}").format(number=number))
    return element(
        "section",
        element("h2", heading, element("span", change, class_="change" if change.startswith("−") else "gain")),
        element("p", said),
        element("p", say_why(review, moment)) if isinstance(moment, Decision) else None,
        *pictures,
    )


# --- a picture to share ---

_CARD = (1200, 630)
_GRAPH = 800  # its width on the card


def card(review: Review, seat: int, names: Sequence[str]) -> str:
    """A seat's review as a picture: the result, the numbers, the graph. SVG that needs nothing beside it."""
    width, height = _CARD
    summary = review.summary(seat)
    mistakes = sum(summary.mistakes.values())
    title = f"{_(review.record.game.title)} · " + ", ".join(
        f"{name} {score}" for name, score in zip(names, review.record.state.scores, strict=True)
    )
    numbers = (
        (_("accuracy"), _("{percent} %").format(percent=round(summary.accuracy)), "ink"),
        (_("luck"), percent_of(summary.luck), "gain" if summary.luck > 0 else "loss"),
        (ngettext("mistake", "mistakes", mistakes), str(mistakes), "ink"),
    )
    style = f"svg{{{_variables(LIGHT)}}}text{{font-family:{SANS}}}.serif{{font-family:{SERIF};font-weight:700}}"
    columns = [
        join(
            words(value, 200 + 400 * k, 210, 72, f"serif {colour}", "middle", fill=f"var(--{colour})"),
            words(said, 200 + 400 * k, 256, 28, "words", "middle", fill="var(--soft)"),
        )
        for k, (said, value, colour) in enumerate(numbers)
    ]
    picture = Markup(course(review, seat, _GRAPH, names))
    return element(
        "svg",
        element("style", Markup(style + graph.STYLE + ".graph text{font-size:20px}")),
        element("rect", width=width, height=height, fill=LIGHT.ground),
        words(title, 60, 84, 40, "serif", fill=LIGHT.ink),
        *columns,
        element("g", picture, transform=f"translate({(width - _GRAPH) // 2} 268)"),
        words("azulejos", width - 60, height - 24, 24, "serif", "end", fill=LIGHT.soft),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
    )
