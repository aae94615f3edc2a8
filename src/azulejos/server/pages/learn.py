"""The guided first games: a list of lessons, and a page for each; a coach's tips in the game after them."""

from functools import lru_cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from azulejos.core.game import Game
from azulejos.core.language import _, language
from azulejos.core.lessons import Lesson
from azulejos.core.registry import registered
from azulejos.core.state import State

from ..live.advice import allowed
from .openapi import JSON, MISSING, PAGE, Described, answer, get, path, query
from .records import find_table
from .rendering import aside, not_found, page, visit_of
from .words import inside

MOST = 8  # actions of which tips are asked at a time


async def learn(request: Request) -> Response:
    """All lessons; what is done of them is known to the browser."""
    return page(request, "learn.html", kinds=[kind for kind in registered().values() if kind.lessons()])


async def lesson(request: Request) -> Response:
    """One lesson, with a board."""
    kind = registered().get(request.path_params["game"])
    lessons = kind.lessons() if kind else ()
    number = next((k for k, one in enumerate(lessons) if one.name == request.path_params["lesson"]), None)
    if kind is None or number is None:
        return not_found(request, _("There is no such lesson."))
    following = lessons[number + 1] if number + 1 < len(lessons) else None
    return page(
        request,
        "lesson.html",
        kind=kind,
        lesson=lessons[number],
        following=following,
        number=number + 1,
        total=len(lessons),
        data=inside(_told(kind, lessons[number])),
    )


def _told(kind: type[Game], lesson: Lesson) -> dict[str, Any]:
    """A lesson for the page's script, in the current language."""
    steps = [
        msgspec.to_builtins(step)
        | {
            "words": _(step.words, kind.name),
            "done": _(step.done, kind.name) if step.done else "",
            "wrong": [[fits, _(words, kind.name)] for fits, words in step.wrong],
        }
        for step in lesson.steps
    ]
    return {"game": kind.name, "name": lesson.name, "position": lesson.position, "steps": steps}


async def tips(request: Request) -> Response:
    """What a coach says of some actions at a table, to a visitor who plays alone and whose turn it is."""
    table, visitor = await find_table(request), visit_of(request).visitor
    if table is None or table.turn is None or table.turn not in table.seats_of(visitor) or not allowed(table, visitor):
        return JSONResponse({})
    actions = request.query_params.getlist("action")[:MOST]
    return JSONResponse(await aside(request, _tips, table.state.view(table.turn), tuple(actions), language()))


@lru_cache(64)
def _tips(state: State, actions: tuple[str, ...], language: str) -> dict[str, Any]:
    """By action; of those that are legal. Its words are in a language."""
    found = {}
    for text in set(actions) & set(state.actions.texts):
        tip = state.game.tip(state, int(state.game.action(text)))
        if tip:
            said = tip[1].words, _(tip[0].words, state.game.name)
            words = " ".join(f"{one[:1].upper()}{one[1:]}." for one in said)
            found[text] = {"kind": tip[0].effect, "words": words}
    return found


ROUTES = [Route("/tables/{table}/tips", tips), Route("/learn", learn), Route("/learn/{game}/{lesson}", lesson)]


def described() -> dict[str, Described]:
    places = path("game", "its name"), path("lesson", "its name")
    told = {"200": answer("kind and words, by action", JSON, schema={"type": "object"})}
    return {
        "/tables/{table}/tips": get(
            "A coach's tips.",
            path("table", "its name"),
            query("action", "a legal one; several may be given"),
            answers=told,
        ),
        "/learn": get("The lessons of all games.", answers=PAGE),
        "/learn/{game}/{lesson}": get("A lesson on the board.", *places, answers={**PAGE, **MISSING}),
    }
