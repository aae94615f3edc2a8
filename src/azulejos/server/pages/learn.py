"""The guided first games: a list of lessons, and a page for each."""

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.game import Game
from azulejos.core.language import _
from azulejos.core.lessons import Lesson
from azulejos.core.registry import registered

from .openapi import MISSING, PAGE, Described, get, path
from .rendering import not_found, page
from .words import inside


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


ROUTES = [Route("/learn", learn), Route("/learn/{game}/{lesson}", lesson)]


def described() -> dict[str, Described]:
    places = path("game", "its name"), path("lesson", "its name")
    return {
        "/learn": get("The lessons of all games.", answers=PAGE),
        "/learn/{game}/{lesson}": get("A lesson on the board.", *places, answers={**PAGE, **MISSING}),
    }
