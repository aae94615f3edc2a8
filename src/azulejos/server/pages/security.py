"""What holds for every answer: a strict policy for the page's contents, and no strangers' pages behind requests."""

import asyncio
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from azulejos.core.errors import TooLong
from azulejos.core.language import _, speaking

from ..live.limits import MOST_FIELDS, Limits, Share, Window
from ..live.visitors import known_host, same_origin, visitor_of, who_of
from .middleware import ForRequests
from .visit import language_of

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",  # the engine is WebAssembly; scripts as text stay forbidden
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-resource-policy": "same-origin",
}
MOST_BYTES = 256 * 1024  # of a request's body: a record file
LATER = 0.2  # seconds after which one who asks too often is told so: the next request comes no sooner
_SAFE = ("GET", "HEAD")


class Security(ForRequests):
    """Refuses what other sites' pages send, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, limits: Limits | None = None, hosts: frozenset[str] = frozenset()) -> None:
        """`hosts`: the names under which the server answers; none: under every name."""
        super().__init__(app)
        self.hosts = hosts
        self.posts: Window = Window((limits or Limits()).posts, 60)
        self.requests: Share = Share((limits or Limits()).requests, 60)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope.get("scheme") == "https":
                    headers.setdefault("strict-transport-security", "max-age=31536000")
            await send(message)

        with speaking(language_of(HTTPConnection(scope))):
            refusal = self.refusal(scope)
            too_long = PlainTextResponse(_("This is too long."), 413)
        if refusal:
            if refusal.status_code == HTTPStatus.TOO_MANY_REQUESTS:
                await asyncio.sleep(LATER)
            await refusal(scope, receive, send_with_headers)
            return
        try:
            await self.app(scope, _bounded(receive), send_with_headers)
        except TooLong:  # one that did not say how long it is; nothing has been answered while it was read
            await too_long(scope, receive, send_with_headers)

    def refusal(self, scope: Scope) -> PlainTextResponse | None:
        """What is said to a request that is not let in."""
        headers = Headers(scope=scope)
        if _malformed(scope, headers):
            return PlainTextResponse(_("This is no request that a browser sends."), 400)
        if not known_host(headers, self.hosts):
            return PlainTextResponse(_("This server has another name."), 421)
        connection = HTTPConnection(scope)
        who = who_of(connection, visitor_of(connection) or "")
        if not self.requests.allows(who):
            return PlainTextResponse(_("Too much is sent from your address; wait for a minute."), 429)
        if scope["method"] not in _SAFE and not same_origin(headers):
            return PlainTextResponse(_("This was sent by another site's page."), 403)
        if scope["method"] not in _SAFE and not self.posts.allows(who.address):
            return PlainTextResponse(_("Too much is sent from your address; wait for a minute."), 429)
        length = headers.get("content-length") or "0"
        if not length.isdecimal() or len(length) > 12 or int(length) > MOST_BYTES:
            return PlainTextResponse(_("This is too long."), 413)
        return None


def _malformed(scope: Scope, headers: Headers) -> bool:
    """Is the origin no address, a number in the path too long to be one, or the query too much to decode?"""
    try:
        urlsplit(headers.get("origin", ""))
    except ValueError:
        return True
    return scope["query_string"].count(b"&") >= MOST_FIELDS or any(len(part) > 300 for part in scope["path"].split("/"))


def _bounded(receive: Receive) -> Receive:
    """The same receiver, with a limit on the body."""
    received = 0

    async def receive_some() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MOST_BYTES:
            raise TooLong
        return message

    return receive_some
