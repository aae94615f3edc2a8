"""The page for whoever runs the server: how busy it is, its tables, and the means to close one.

The host's secret is sent once, in a form, and exchanged for a cookie that holds a proof of it and runs out.
"""

import hashlib
import hmac
import time
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from azulejos.core.language import N_, _
from azulejos.tables import Phase

from . import pages
from .hall import Hall
from .limits import Window
from .players import say_player
from .settings import Settings

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
    """Does the request hold a proof of the secret that has not run out?"""
    held = request.cookies.get(COOKIE, "")
    until = held.partition(".")[0]
    if not (until.isdecimal() and until.isascii() and len(until) < 12) or int(until) < time.time():
        return False
    return hmac.compare_digest(held.encode(), _proof(secret, int(until)).encode())


def _secret(request: Request) -> str:
    settings: Settings = request.app.state.settings
    return settings.admin


async def _form(request: Request) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs((await request.body()).decode(errors="replace")).items()}


async def show(request: Request) -> Response:
    secret = _secret(request)
    if not secret:
        return pages.not_found(request, _("There is no such page."))
    if not _known(request, secret):
        return pages.page(request, "admin.html", known=False, wrong=False)
    hall: Hall = request.app.state.hall
    return pages.page(
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
        now=time.time(),
    )


async def enter(request: Request) -> Response:
    secret = _secret(request)
    if not secret:
        return pages.not_found(request, _("There is no such page."))
    if not _tries.allows(request.client.host if request.client else ""):
        return PlainTextResponse(_("Too many tries; wait for a minute."), 429)
    given = (await _form(request)).get("secret", "")
    if not hmac.compare_digest(given.encode(), secret.encode()):
        return pages.page(request, "admin.html", 403, known=False, wrong=True)
    response = RedirectResponse("/admin", 303)
    proof, secure = _proof(secret, int(time.time()) + LASTS), request.url.scheme == "https"
    response.set_cookie(COOKIE, proof, LASTS, path="/admin", secure=secure, httponly=True, samesite="strict")
    return response


async def close_table(request: Request) -> Response:
    secret = _secret(request)
    if not secret or not _known(request, secret):
        return pages.not_found(request, _("There is no such page."))
    hall: Hall = request.app.state.hall
    form = await _form(request)
    reason = form.get("reason", "").strip()
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        said = _("A reason is one line of at most {most} characters.").format(most=LONGEST_REASON)
        return pages.page(request, "message.html", 400, title=_("The table was not closed"), said=said)
    if not await hall.close_table(form.get("table", ""), reason):
        return pages.not_found(request, _("There is no such table, or it is closed."))
    return RedirectResponse("/admin", 303)


admin_routes = [
    Route("/admin", show),
    Route("/admin", enter, methods=["POST"]),
    Route("/admin/close", close_table, methods=["POST"]),
]
