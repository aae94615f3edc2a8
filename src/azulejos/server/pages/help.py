"""Rule pages, preferences, and pictures of positions."""

import base64
import hashlib
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from azulejos.core.errors import AzulejosError
from azulejos.core.language import LANGUAGES, _, language, say_error
from azulejos.core.registry import parse, registered
from azulejos.drawing.theme import THEMES, stylesheet

from ..live.visitors import who_of
from . import rules
from .files import board_styles
from .openapi import FORM, MISSING, PAGE, TEXT, WORD, Described, answer, form, get, path, post, query
from .positions import LENS, Asked
from .rendering import form_of, hall_of, not_found, page, visit_of


async def help_page(request: Request) -> Response:
    kind = registered().get(request.path_params["game"])
    if kind is None:
        return not_found(request, _("There is no such game."))
    who = who_of(request, visit_of(request).visitor)
    text = await hall_of(request).aside(who, rules.page, kind.name, language(), later=True)
    return page(request, "rules.html", kind=kind, text=text)


async def summary_page(request: Request) -> Response:
    kind = registered().get(request.path_params["game"])
    if kind is None or not rules.book(kind).summary:
        return not_found(request, _("There is no such game."))
    return page(request, "rules-summary.html", told=rules.Told(kind))


async def preferences(request: Request) -> Response:
    """Language and theme, kept in cookies."""
    form = await form_of(request)
    back = form.get("back", "/")
    response = RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
    for name, choices in (("language", tuple(LANGUAGES)), ("theme", THEMES)):
        if form.get(name) in choices:
            response.set_cookie(name, form[name], max_age=2 * 365 * 86400, path="/", samesite="lax", httponly=True)
    return response


async def styles(request: Request) -> Response:
    return Response(board_styles(), media_type="text/css", headers={"cache-control": "no-cache"})


async def icon(request: Request) -> Response:
    """The icon at the address where browsers look for one by default."""
    return RedirectResponse("/static/icon.svg", 301)


@lru_cache(64)
def _picture(asked: Asked, theme: str, language: str) -> tuple[bytes, str]:
    """A picture and its security policy. The words in it are in a language."""
    state = parse(asked.text)
    names, viewer = asked.said_names(state.game), asked.first_seat(state.game)
    picture = state.game.draw(state, names, viewer, theme, asked.lens.layout)
    styles = base64.b64encode(hashlib.sha256(stylesheet(theme).encode()).digest()).decode()
    return picture.encode(), f"default-src 'none'; style-src 'sha256-{styles}'; frame-ancestors 'none'"


async def draw(request: Request) -> Response:
    """The picture of a position: `/draw.svg?position=…`."""
    who, hall = who_of(request, visit_of(request).visitor), hall_of(request)
    if not hall.positions.allows(who):
        return PlainTextResponse(_("Too much is sent from your address; wait for a minute."), 429)
    try:
        theme = request.query_params.get("theme", "auto")
        asked = Asked.of(request.query_params)
        picture, policy = await hall.aside(who, _picture, asked, theme, language(), later=True)
    except AzulejosError as error:
        return PlainTextResponse(str(error) if language() == "en" else say_error(error), 400)
    return Response(picture, media_type="image/svg+xml", headers={"content-security-policy": policy})


ROUTES = [
    Route("/rules/{game}", help_page),
    Route("/rules/{game}/summary", summary_page),
    Route("/settings", preferences, methods=["POST"]),
    Route("/draw.svg", draw),
    Route("/favicon.ico", icon),
    Route("/board.css", styles),
]


def described() -> dict[str, Described]:
    fields = form(language={"enum": list(LANGUAGES)}, theme={"enum": list(THEMES)}, back=WORD)
    return {
        "/rules/{game}": get("How a game is played.", path("game", "its name"), answers={**PAGE, **MISSING}),
        "/rules/{game}/summary": get(
            "The rules of a game on one page, to print.", path("game", "its name"), answers={**PAGE, **MISSING}
        ),
        "/settings": post("Choose language and theme.", FORM, fields, {"303": answer("back to the page")}),
        "/draw.svg": get(
            "The picture of a position.",
            query("position", "as docs/notation.md has it"),
            *LENS,
            answers={"200": answer("a picture", "image/svg+xml"), "400": answer("what is wrong with it", TEXT)},
        ),
        "/board.css": get("The styles of pictures.", answers={"200": answer("styles", "text/css")}),
        "/favicon.ico": get("The icon.", answers={"301": answer("it is at `location`")}),
    }
