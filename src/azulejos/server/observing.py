"""Whether the server is well, and how busy: for those who run it."""

import hmac

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from .hall import Hall
from .storage import Unavailable

_LOOPBACK = ("127.0.0.1", "::1")


async def healthy(request: Request) -> Response:
    """200 while new visitors are welcome, 503 while they are not."""
    hall: Hall = request.app.state.hall
    if hall.draining:
        return PlainTextResponse("draining", 503, {"retry-after": "10"})
    try:
        await hall.store.check()
    except Unavailable:
        return PlainTextResponse("the store is away", 503, {"retry-after": "10"})
    return PlainTextResponse("ok")


async def metrics(request: Request) -> Response:
    """For programs on this machine, and for whoever knows the host's secret."""
    secret: str = request.app.state.settings.admin
    offered = request.headers.get("authorization", "").removeprefix("Bearer ")
    local = request.client is not None and request.client.host in _LOOPBACK
    if not local and not (secret and hmac.compare_digest(offered.encode(), secret.encode())):
        return PlainTextResponse("not found", 404)
    hall: Hall = request.app.state.hall
    try:
        tables = await hall.store.counts()
    except Unavailable:
        return PlainTextResponse("the store is away", 503)
    text = hall.metrics.text(tables, hall.live, hall.connections.all, hall.draining)
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")
