"""The review of a finished game: a page that fills in while it is looked at."""

from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from azulejos.core.errors import AzulejosError
from azulejos.core.language import _, ngettext
from azulejos.core.record import Record
from azulejos.core.state import State
from azulejos.players import LEVELS
from azulejos.players.names import say_player
from azulejos.review import Decision, Draw, Review, coach, graph, report
from azulejos.review.data import as_data
from azulejos.review.graph import percent_of
from azulejos.review.steps import MARGIN
from azulejos.tables import Refusal

from ..live.messages import Choice
from ..live.reviews import UnderReview
from .coach import said_line
from .openapi import HTML, JSON, MESSAGE, MISSING, PAGE, PLAYS, Described, answer, get, step_path
from .records import find_record, find_replay, no_record
from .rendering import STATUS, aside, hall_of, lens_of, not_found, page


async def review(request: Request) -> Response:
    record, found = await find_record(request), await find_replay(request)
    if record is None or found is None:
        return no_record(request)
    if why_not := _no_review(record):
        return not_found(request, why_not)
    source = request.url.path.removesuffix("/review")
    return page(
        request,
        "review.html",
        source=source,
        kind=type(record.game),
        names=found.names,
        scores=record.state.scores,
        date=record.date,
        viewer=found.viewer or 0,
    )


def _no_review(record: Record) -> str | None:
    """Why a game has no review, in words."""
    if record.outcome is None:
        return _("This game is not finished: a review needs its result.")
    return None if record.actions else _("Nothing was played in this game: there is nothing to review.")


async def _under_review(request: Request) -> "UnderReview | Response":
    record = await find_record(request)
    if record is None:
        return no_record(request)
    if why_not := _no_review(record):
        return JSONResponse({"message": why_not}, 404)
    hall = hall_of(request)
    if "record" in request.path_params and await aside(request, hall.contested, list(record.states())):
        return JSONResponse({"message": _("there are no hints at a table with other people")}, 400)
    try:
        return hall.reviews.ask(await aside(request, hall.reviews.find, record))
    except Refusal as refusal:
        return JSONResponse({"message": refusal.message}, STATUS.get(refusal.reason, 400))


async def _whole_review(request: Request) -> "Review | Response":
    found = await _under_review(request)
    if isinstance(found, Response):
        return found
    return found.review or JSONResponse({"message": _("this review is not whole yet")}, 409)


async def _names(request: Request) -> list[str]:
    found = await find_replay(request)
    assert found
    return list(found.names)


def _seat(request: Request, players: int) -> int:
    given = request.query_params.get("seat", "0")
    return int(given) if given.isdecimal() and len(given) < 3 and int(given) < players else 0


async def progress(request: Request) -> Response:
    """How far a review is, its graph so far, and, when it is whole, everything else."""
    found = await _under_review(request)
    if isinstance(found, Response):
        return found
    seat = _seat(request, found.work.record.game.players)
    return JSONResponse(await aside(request, _told, found, seat, await _names(request)))


def _told(found: UnderReview, seat: int, names: list[str]) -> dict[str, Any]:
    """As far as a review has come."""
    known = found.progress
    told: dict[str, Any] = {
        "done": known.done,
        "total": known.total,
        "graph": graph.draw(found.work.record, known.chances, known.decisions, known.draws, seat, names=names),
    }
    return told | _whole(found.review, seat, names) if found.review else told


def _whole(found: Review, seat: int, names: list[str]) -> dict[str, Any]:
    summary = found.summary(seat)
    mistakes = sum(summary.mistakes.values())
    exercises = [decision.number for decision in found.exercises(seat)]
    moments = []
    for moment in found.turning_points:
        number, change, said = report.say_moment(found, moment, names)
        size = moment.loss if isinstance(moment, Decision) else abs(moment.luck[seat])
        moments.append(
            {
                "number": number,
                "step": moment.number + isinstance(moment, Draw),
                "change": change,
                "words": said,
                "bad": change.startswith("−"),
                "size": round(size, 3),
            }
        )
    return {
        "accuracy": _("{percent} %").format(percent=round(summary.accuracy)),
        "luck": percent_of(summary.luck),
        "luck_points": f"{summary.luck_points:+.1f}".replace("-", "−"),
        "error_rate": _("{percent} %").format(percent=f"{100 * summary.error_rate:.1f}"),
        "mistakes": mistakes,
        "mistakes_word": ngettext("mistake", "mistakes", mistakes),
        "even": _("With even luck: {percent} % to win.").format(percent=round(100 * summary.even_luck)),
        "best": _named(found, summary.best),
        "worst": _named(found, summary.worst),
        "moments": moments,
        "exercises": exercises,
        "history": {
            "error_rate": round(summary.error_rate, 4),
            "luck": round(summary.luck, 4),
            "accuracy": round(summary.accuracy, 1),
            "result": summary.result,
            **_opponent(found.record.names, seat),
        },
    }


def _opponent(names: Sequence[str], seat: int) -> dict[str, str]:
    """The strongest level among the opponents, and its name; none against people."""
    others = {word for number, name in enumerate(names) if number != seat for word in name.lower().split()}
    levels = [level.name for level in LEVELS if level.name in others]
    return {"level": levels[-1], "level_words": say_player(levels[-1])} if levels else {}


def _named(found: Review, number: int | None) -> dict[str, Any] | None:
    """A decision by its step, in words."""
    return None if number is None else {"step": number, "words": found.decisions[number].action.words}


async def moment(request: Request) -> Response:
    """One decision: the position, what was played, what was better and why; and what can be picked, for an exercise."""
    found = await _under_review(request)
    if isinstance(found, Response):
        return found
    number = request.path_params["step"]
    if number >= len(found.work.actions):
        return not_found(request, _("There is no such step."))
    return JSONResponse(await aside(request, _moment, found, number, await _names(request), *lens_of(request)))


def _moment(found: UnderReview, number: int, names: list[str], theme: str, layout: str) -> dict[str, Any]:
    state, decision = found.work.states[number], found.work.decisions.get(number)
    game = state.game
    told: dict[str, Any] = {
        "number": number,
        "pending": decision is None,
        "seat": state.seat,
        "name": names[state.seat or 0],
        "board": game.draw(state, names, state.seat, theme, layout, styled=False),
        "ask": game.ask(state),
        "projected": state.projected[state.seat or 0],
        "closed": msgspec.to_builtins(list(game.closed(state))),
        "choices": msgspec.to_builtins(_choices(state)),
        "played": said_line(state, decision.line if decision else found.work.actions[number : number + 1], names),
    }
    if decision:
        told["loss"] = percent_of(-decision.loss) if decision.kind else ""
        told["kind"] = decision.kind
        told["exact"] = decision.exact
        if decision.best != decision.action:
            told["better"] = said_line(state, decision.better, names)
            told["facts"] = coach.say_facts(state, decision.best)
            told["why"] = report.explain(state, decision, names)
    return told


def _choices(state: State) -> list[Choice]:
    game = state.game
    return [
        Choice(str(action), action.words, list(game.picks(state, int(action))), preview)
        for action, preview in zip(state.actions, game.previews(state), strict=True)
    ]


async def attempt(request: Request) -> Response:
    """Is another action as good as the best one, or nearly?"""
    found = await _under_review(request)
    if isinstance(found, Response):
        return found
    number = request.path_params["step"]
    decision = found.work.decisions.get(number)
    if decision is None:
        return not_found(request, _("There is no such step."))
    try:
        action = str(found.work.record.game.action(request.query_params.get("action", "")))
        found.work.states[number].play(action)
    except AzulejosError:
        return JSONResponse({"message": _("the rules do not allow this here")}, 400)
    loss = 0.0
    if action != str(decision.best):
        loss = await hall_of(request).reviews.loss(found.text, number, action, str(decision.best))
    good = loss <= min(MARGIN, decision.loss / 2)
    return JSONResponse({"good": good, "loss": _("{percent} %").format(percent=round(100 * loss))})


async def data(request: Request) -> Response:
    """The whole review as data."""
    found = await _whole_review(request)
    return found if isinstance(found, Response) else JSONResponse(as_data(found))


async def file(request: Request) -> Response:
    """The whole review as one page that needs nothing beside it."""
    found = await _whole_review(request)
    if isinstance(found, Response):
        return found
    name = f"{found.record.game.name}-{found.record.date}-review.html"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(await aside(request, report.page, found), headers=headers, media_type=HTML)


async def card(request: Request) -> Response:
    """A picture of the whole review to share."""
    found = await _whole_review(request)
    if isinstance(found, Response):
        return found
    picture = report.card(found, _seat(request, found.record.game.players), await _names(request))
    return Response(picture, media_type="image/svg+xml")


_HANDLERS = {
    "": review,
    "/progress": progress,
    "/data": data,
    "/file": file,
    "/card.svg": card,
    "/{step:int}": moment,
    "/{step:int}/try": attempt,
}
ROUTES: list[Route] = [Route(f"{place}/review{end}", handler) for place in PLAYS for end, handler in _HANDLERS.items()]


def described() -> dict[str, Described]:
    later = {"409": answer("it is not whole yet", JSON, schema=MESSAGE), "429": answer("not now", JSON, schema=MESSAGE)}
    told = {"200": answer("what is known", JSON, schema={"type": "object"}), **later, **MISSING}
    step, whole = step_path(), {**later, **MISSING}
    parts = {
        "": get("The review of a finished game.", answers={**PAGE, **MISSING}),
        "/progress": get("How far a review is, and what it found.", answers=told),
        "/data": get("A whole review as data.", answers=told),
        "/file": get("A whole review as one page.", answers={"200": answer("a page", HTML), **whole}),
        "/card.svg": get("A picture of a review.", answers={"200": answer("a picture", "image/svg+xml"), **whole}),
        "/{step}": get("One decision under review.", step, answers=told),
        "/{step}/try": get(
            "Is another action as good?", step, answers={**told, "400": answer("why not", JSON, schema=MESSAGE)}
        ),
    }
    return {
        f"{place}/review{end}": {"get": {**part["get"], "parameters": [source, *part["get"]["parameters"]]}}
        for place, source in PLAYS.items()
        for end, part in parts.items()
    }
