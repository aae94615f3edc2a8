"""The server, put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from azulejos.core.language import _

from . import pages
from .admin import admin_routes
from .api import openapi
from .hall import Hall, new_word
from .observing import healthy, metrics
from .security import Security
from .settings import Settings
from .socket import connect
from .storage import Unavailable, open_store
from .thinking import Thinkers
from .visit import Visits


class _Files(StaticFiles):
    """Files that are asked for again each time, and sent again only if they changed."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.setdefault("cache-control", "no-cache")
        return response


class _App(Starlette):
    """Connections to tables go past what pages need, which each of them would hold for as long as it lasts."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            scope["app"] = self
            await self.router(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


async def missing(request: Request, error: Exception) -> Response:
    if not hasattr(request.state, "visit"):
        return Response(status_code=404)
    return pages.not_found(request, _("There is no such page."))


async def not_this_way(request: Request, error: Exception) -> Response:
    """An address that only takes what a form sends was opened as a page, or the other way round."""
    response = pages.page(request, "message.html", 405, title=_("Not found"), said=_("There is no such page."))
    response.headers.update(getattr(error, "headers", None) or {})
    return response


async def unavailable(request: Request, error: Exception) -> Response:
    words = _("The tables cannot be read now; come again in a moment.")
    return PlainTextResponse(words, 503, {"retry-after": "5"})


def make_app(settings: Settings) -> Starlette:
    """The application over a store."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        process = new_word()
        store = await open_store(settings.data, settings.database, process)
        app.state.settings = settings
        app.state.hall = Hall(store, Thinkers(settings.workers), process, settings.limits)
        await app.state.hall.begin()
        yield
        await app.state.hall.close()

    routes = [
        Route("/", pages.start),
        Route("/tables", pages.tables),
        Route("/tables", pages.open_table, methods=["POST"]),
        Route("/tables/{table}", pages.table),
        WebSocketRoute("/tables/{table}/socket", connect),
        Route("/tables/{table}/replay", pages.replay),
        Route("/tables/{table}/record", pages.record_file),
        Route("/tables/{table}/steps", pages.steps),
        Route("/tables/{table}/steps/{step:int}", pages.step),
        Route("/tables/{table}/hints/{step:int}", pages.judged),
        Route("/records", pages.bring_record, methods=["POST"]),
        Route("/records/{record}", pages.replay),
        Route("/records/{record}/record", pages.record_file),
        Route("/records/{record}/steps", pages.steps),
        Route("/records/{record}/steps/{step:int}", pages.step),
        Route("/records/{record}/hints/{step:int}", pages.judged),
        Route("/rules/{game}", pages.help_page),
        Route("/settings", pages.settings, methods=["POST"]),
        Route("/ready", pages.ready),
        Route("/healthz", healthy),
        Route("/metrics", metrics),
        Route("/openapi.json", openapi),
        *admin_routes,
        Route("/draw.svg", pages.draw),
        Route("/favicon.ico", pages.icon),
        Route("/board.css", pages.board_styles),
        Mount("/static", _Files(directory=pages.HERE / "static")),
    ]
    return _App(
        routes=routes,
        lifespan=life,
        middleware=[Middleware(Security, limits=settings.limits), Middleware(Visits)],
        exception_handlers={404: missing, 405: not_this_way, Unavailable: unavailable},
    )
