"""The visitor, language and theme of a request."""

import re
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from azulejos.core.language import LANGUAGES, speaking

from ..live.visitors import cookie, named, new_secret, remember, visitor_of
from .middleware import ForRequests

_LINKED = re.compile(rb"(?:^|&)language=([a-z]{2})(?:&|$)")


@dataclass(frozen=True)
class Visit:
    visitor: str
    language: str
    theme: str


def language_of(connection: HTTPConnection) -> str:
    """The chosen language, or the first of the browser's languages that is supported.

    One who states none, such as a program that makes a preview of a link, is answered in the link's `?language=`.
    """
    chosen = cookie(connection, "language")
    if chosen in LANGUAGES:
        return chosen
    wanted = []
    for part in connection.headers.get("accept-language", "")[:200].split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            wanted.append((float(weight or 1), tag[:2].lower()))
        except ValueError:
            continue
    linked = _LINKED.search(connection.scope["query_string"])
    wanted.append((0, linked[1].decode() if linked else ""))
    return next((tag for _, tag in sorted(wanted, key=lambda one: -one[0]) if tag in LANGUAGES), "en")


class Visits(ForRequests):
    """Middleware that sets the visitor's cookie and the language."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        visitor, secret = visitor_of(connection), ""
        if visitor is None:
            secret = new_secret()
            visitor = named(secret)
        theme = cookie(connection, "theme")
        visit = Visit(visitor, language_of(connection), theme if theme in ("light", "dark") else "auto")
        scope.setdefault("state", {})["visit"] = visit

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if secret and headers.get("content-type", "").startswith("text/html"):
                    answer = Response()
                    remember(answer, secret, scope.get("scheme") == "https")
                    headers.append("set-cookie", answer.headers["set-cookie"])
                if headers.get("content-type", "").startswith(("text/html", "application/json")):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        with speaking(visit.language):
            await self.app(scope, receive, send_with_cookie)
