"""What is sent around: pictures of tables, for lists and for previews of links, and invitations as QR codes."""

from collections import OrderedDict
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.errors import OptionError
from azulejos.core.language import _, language
from azulejos.core.registry import parse, registered
from azulejos.core.state import State
from azulejos.drawing.png import png
from azulejos.drawing.theme import THEMES
from azulejos.tables import Table

from ..live.names import say_seats
from ..live.visitors import who_of
from . import qr
from .openapi import MISSING, PLAYS, Described, answer, get, path, query
from .records import find_table
from .rendering import PREVIEWS, aside, hall_of, not_found, origin_of, visit_of

SVG, PNG = "image/svg+xml", "image/png"
WIDTH = 1200  # pixels of a preview
MOST_PREVIEWS = 64  # that are kept
_previews: OrderedDict[tuple[State, tuple[str, ...], str], bytes] = OrderedDict()
_ANYWHERE = {"cross-origin-resource-policy": "cross-origin", "cache-control": "max-age=60"}


@lru_cache(64)
def _drawn(state: State, names: tuple[str, ...], viewer: int | None, theme: str, language: str) -> str:
    """A picture that needs no page around it; the words are in a language."""
    return str(state.game.draw(state, names, viewer, theme))


async def _pixels(request: Request, state: State, names: tuple[str, ...]) -> bytes:
    key = state, names, language()
    if key in _previews:
        return _previews[key]
    drawn = await aside(request, _drawn, state, names, None, "light", language())
    who = who_of(request, visit_of(request).visitor)
    made = await hall_of(request).thinkers.make(who, png, drawn, WIDTH)
    _previews[key] = made
    while len(_previews) > MOST_PREVIEWS:
        _previews.popitem(last=False)
    return made


def _example(game: str) -> tuple[State, tuple[str, ...]] | None:
    example = registered()[game].example()
    return (parse(example[0]), ()) if example else None


def _shown(table: Table) -> tuple[State, tuple[str, ...]] | None:
    """A table as everybody may see it; the game's example while it has not begun."""
    if not table.states:
        return _example(table.game.name)
    return table.seen(-1, ()), tuple(say_seats(table, ()))


async def picture(request: Request) -> Response:
    """The table as the visitor may see it."""
    table = await find_table(request)
    if table is None or not table.states:
        return not_found(request, _("There is no such table."))
    mine, theme = table.seats_of(visit_of(request).visitor), request.query_params.get("theme", "auto")
    viewer, names = (mine[0] if mine else None), tuple(say_seats(table, mine))
    drawn = _drawn, table.seen(-1, mine), names, viewer, theme if theme in THEMES else "auto", language()
    return Response(await aside(request, *drawn), media_type=SVG, headers={"cache-control": "no-cache"})


async def preview(request: Request) -> Response:
    """A picture for those who are sent a link: of a table as everybody may see it, or of a game."""
    if "table" in request.path_params:
        table = await find_table(request)
        shown = _shown(table) if table else None
    else:
        game = request.path_params["game"]
        shown = _example(game) if game in registered() else None
    if shown is None or not PREVIEWS:
        return not_found(request, _("There is no such page."))
    return Response(await _pixels(request, *shown), media_type=PNG, headers=_ANYWHERE)


@lru_cache(64)
def _code(link: str) -> str:
    return qr.svg(link)


async def invitation(request: Request) -> Response:
    """The link to a free seat as a QR code, for people who sit at the table. The word is in no address."""
    table, seat = await find_table(request), request.path_params["seat"]
    known = table is not None and seat < len(table.seats) and table.seats_of(visit_of(request).visitor)
    if not table or not known or table.seats[seat].taken:
        return not_found(request, _("There is no such page."))
    spoken = "" if language() == "en" else f"?language={language()}"
    where = f"{origin_of(request)}/tables/{table.id}{spoken}"
    try:
        code = await aside(request, _code, f"{where}#seat={seat}&word={table.seats[seat].invitation}")
    except OptionError:  # the server's name is too long
        return not_found(request, _("There is no such page."))
    return Response(code, media_type=SVG, headers={"cache-control": "no-store"})


ROUTES = [
    Route("/tables/{table}/picture.svg", picture),
    Route("/tables/{table}/preview.png", preview),
    Route("/tables/{table}/invitation/{seat:int}.svg", invitation),
    Route("/games/{game}.png", preview),
]


def described() -> dict[str, Described]:
    table = PLAYS["/tables/{table}"]
    seat = path("seat", "a free seat", {"type": "integer", "minimum": 0})
    pixels = {"200": answer("a picture", PNG), **MISSING}
    return {
        "/tables/{table}/picture.svg": get(
            "A table as you may see it.",
            *(table, query("theme", "of the picture", THEMES)),
            answers={"200": answer("a picture", SVG), **MISSING},
        ),
        "/tables/{table}/preview.png": get("A table as everybody may see it.", table, answers=pixels),
        "/tables/{table}/invitation/{seat}.svg": get(
            "The link to a free seat as a QR code, for people at the table.",
            *(table, seat),
            answers={"200": answer("a QR code", SVG), **MISSING},
        ),
        "/games/{game}.png": get("A picture of a game.", path("game", "its name"), answers=pixels),
    }
