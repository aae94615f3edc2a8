"""Health, metrics, and the host's page, which shows tables and can close them.

The host's secret is sent once, in a form, and exchanged for a cookie that proves it and expires.
"""

import hashlib
import hmac
import time

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from azulejos.core.language import N_, _
from azulejos.players.names import say_player
from azulejos.tables import Phase

from ..live.limits import Window
from ..live.visitors import cookie, who_of
from ..running.settings import Settings
from ..storage import Unavailable
from .openapi import FORM, HTML, JSON, MISSING, PAGE, REFUSED, TEXT, WORD, Described, answer, form, get, post
from .rendering import form_of, hall_of, not_found, page

_LOOPBACK = ("127.0.0.1", "::1")
COOKIE = "azulejos-admin"
LASTS = 8 * 3600  # seconds
LONGEST_REASON = 80
_tries = Window(10, 60)
_PHASES = {
    Phase.OPEN: N_("waiting for players"),
    Phase.PLAYING: N_("in play"),
    Phase.OVER: N_("finished"),
    Phase.CLOSED: N_("closed"),
}


def _proof(secret: str, until: int) -> str:
    return f"{until}.{hmac.new(secret.encode(), f'admin until {until}'.encode(), hashlib.sha256).hexdigest()}"


def _known(request: Request, secret: str) -> bool:
    """Does the request have a valid cookie of the host?"""
    held = cookie(request, COOKIE)
    until = held.partition(".")[0]
    if not (until.isdecimal() and until.isascii() and len(until) < 12) or int(until) < time.time():
        return False
    return hmac.compare_digest(held.encode(), _proof(secret, int(until)).encode())


def _secret(request: Request) -> str:
    settings: Settings = request.app.state.settings
    return settings.admin


async def show(request: Request) -> Response:
    secret = _secret(request)
    if not secret:
        return not_found(request, _("There is no such page."))
    if not _known(request, secret):
        return page(request, "admin.html", known=False, wrong=False)
    hall = hall_of(request)
    return page(
        request,
        "admin.html",
        known=True,
        wrong=False,
        tables=await hall.store.latest_tables(),
        counts=await hall.store.counts(),
        live=hall.live,
        sockets=hall.connections.all,
        thinking=hall.metrics.thinking,
        moves=sum(hall.metrics.moves.counts),
        say_player=say_player,
        phases={phase.value: _(said) for phase, said in _PHASES.items()},
        broken=dict(hall.broken),
        now=time.time(),
    )


async def enter(request: Request) -> Response:
    secret = _secret(request)
    if not secret:
        return not_found(request, _("There is no such page."))
    if not _tries.allows(who_of(request, "").address):
        return PlainTextResponse(_("Too many tries; wait for a minute."), 429)
    given = (await form_of(request)).get("secret", "")
    if not hmac.compare_digest(given.encode(), secret.encode()):
        return page(request, "admin.html", 403, known=False, wrong=True)
    response = RedirectResponse("/admin", 303)
    proof, secure = _proof(secret, int(time.time()) + LASTS), request.url.scheme == "https"
    response.set_cookie(COOKIE, proof, LASTS, path="/admin", secure=secure, httponly=True, samesite="strict")
    return response


async def close_table(request: Request) -> Response:
    secret = _secret(request)
    if not secret or not _known(request, secret):
        return not_found(request, _("There is no such page."))
    hall = hall_of(request)
    form = await form_of(request)
    reason = form.get("reason", "").strip()
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        said = _("A reason is one line of at most {most} characters.").format(most=LONGEST_REASON)
        return page(request, "message.html", 400, title=_("The table was not closed"), said=said)
    if not await hall.close_table(form.get("table", ""), reason):
        return not_found(request, _("There is no such table, or it is closed."))
    return RedirectResponse("/admin", 303)


async def reopen_table(request: Request) -> Response:
    secret = _secret(request)
    if not secret or not _known(request, secret):
        return not_found(request, _("There is no such page."))
    if not await hall_of(request).reopen_table((await form_of(request)).get("table", "")):
        return not_found(request, _("There is no such table, or it is not closed."))
    return RedirectResponse("/admin", 303)


# --- for programs ---


async def ready(request: Request) -> Response:
    """Which games can be played: their rules are compiled, and their tables can be stored. 503 if none can be."""
    hall = hall_of(request)
    try:
        await hall.check()
        games = {name: event.is_set() for name, event in hall.ready.items()}
    except Unavailable:
        games = dict.fromkeys(hall.ready, False)
    return JSONResponse(games, 200 if any(games.values()) else 503)


async def healthy(request: Request) -> Response:
    """200 while new visitors are accepted, else 503."""
    hall = hall_of(request)
    if hall.draining:
        return PlainTextResponse("draining", 503, {"retry-after": "10"})
    try:
        await hall.check()
    except Unavailable:
        return PlainTextResponse("the store is away", 503, {"retry-after": "10"})
    return PlainTextResponse("ok")


async def metrics(request: Request) -> Response:
    """Metrics for programs on this machine, or with the host's secret."""
    secret = _secret(request)
    offered = request.headers.get("authorization", "").removeprefix("Bearer ")
    address = request.client.host if request.client else ""
    if address not in _LOOPBACK:
        counted = who_of(request, "").address
        if not secret or not offered or not _tries.allows(counted):
            return PlainTextResponse("not found", 404)
        if not hmac.compare_digest(offered.encode(), secret.encode()):
            return PlainTextResponse("not found", 404)
        _tries.forget(counted)
    hall = hall_of(request)
    try:
        tables = await hall.store.counts()
    except Unavailable:
        return PlainTextResponse("the store is away", 503)
    text = hall.metrics.text(tables, hall.live, hall.connections.all, hall.draining)
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


ROUTES = [
    Route("/ready", ready),
    Route("/healthz", healthy),
    Route("/metrics", metrics),
    Route("/admin", show),
    Route("/admin", enter, methods=["POST"]),
    Route("/admin/close", close_table, methods=["POST"]),
    Route("/admin/reopen", reopen_table, methods=["POST"]),
]


def described() -> dict[str, Described]:
    games = {"type": "object", "additionalProperties": {"type": "boolean"}}
    return {
        "/ready": get(
            "Which games can be played.",
            answers={"200": answer("by game", JSON, schema=games), "503": answer("none", JSON, schema=games)},
        ),
        "/healthz": get("Are new visitors welcome?", answers={"200": answer("yes", TEXT)}),
        "/metrics": get(
            "What the server counts, for Prometheus; for this machine, or with the host's secret.",
            answers={"200": answer("figures", TEXT), "404": answer("not for you", TEXT)},
        ),
        "/admin": {
            **get("The host's page, where there is one.", answers={**PAGE, **MISSING}),
            **post(
                "Show the host's secret.",
                FORM,
                form(secret=WORD),
                {"303": answer("to the page"), "403": answer("wrong", HTML, TEXT), **MISSING},
            ),
        },
        "/admin/reopen": post(
            "Open a closed table again.", FORM, form(table=WORD), {"303": answer("open again"), **MISSING}
        ),
        "/admin/close": post(
            "Close a table.", FORM, form(table=WORD, reason=WORD), {"303": answer("closed"), **REFUSED, **MISSING}
        ),
    }
