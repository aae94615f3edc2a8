"""The ASGI application."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose

from azulejos.core.language import _
from azulejos.tables import Refusal

from .. import pages
from ..live.connection import connect
from ..live.hall import Hall, new_word
from ..live.thinking import Thinkers
from ..pages.compression import Compression
from ..pages.rendering import STATUS, not_found, page
from ..pages.security import Security
from ..pages.visit import Visits
from ..storage import Unavailable, open_store
from .settings import Settings

SOCKET = re.compile(r"/tables/(?P<table>[^/]+)/socket")


class _App(Starlette):
    """Takes WebSockets past the router and the pages' middleware: each connection would hold their calls for its whole
    life."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await super().__call__(scope, receive, send)
        elif found := SOCKET.fullmatch(scope["path"]):
            scope.update(app=self, path_params=found.groupdict())
            await connect(WebSocket(scope, receive, send))
        else:
            await WebSocketClose()(scope, receive, send)


async def missing(request: Request, error: Exception) -> Response:
    if not hasattr(request.state, "visit"):
        return Response(status_code=404)
    return not_found(request, _("There is no such page."))


async def not_this_way(request: Request, error: Exception) -> Response:
    """The answer to a wrong method, such as GET for a form's address."""
    response = page(request, "message.html", 405, title=_("Not found"), said=_("There is no such page."))
    response.headers.update(getattr(error, "headers", None) or {})
    return response


async def refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return PlainTextResponse(error.message, STATUS.get(error.reason, 400), {"retry-after": "5"})


async def unavailable(request: Request, error: Exception) -> Response:
    words = _("The tables cannot be read now; come again in a moment.")
    return PlainTextResponse(words, 503, {"retry-after": "5"})


async def gone(request: Request, error: Exception) -> Response:
    """For nobody: the visitor left in the middle of a request, which is no error of the server."""
    return Response(status_code=400)


def make_app(settings: Settings) -> Starlette:
    """The application over a store."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        process = new_word()
        store = await open_store(settings.data, settings.database, process)
        app.state.settings = settings
        app.state.hall = Hall(store, Thinkers(settings.workers), process, settings.limits)
        app.state.hall.browser_players = settings.browser_players
        await app.state.hall.begin()
        yield
        await app.state.hall.close()

    return _App(
        routes=pages.ROUTES,
        lifespan=life,
        middleware=[
            Middleware(Compression),
            Middleware(Security, limits=settings.limits, hosts=settings.hosts),
            Middleware(Visits),
        ],
        exception_handlers={
            404: missing,
            405: not_this_way,
            Refusal: refused,
            Unavailable: unavailable,
            ClientDisconnect: gone,
        },
    )
