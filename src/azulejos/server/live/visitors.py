"""A visitor is identified by a cookie with a random secret. There are no accounts and no passwords."""

import hashlib
import re
import secrets
from collections.abc import Container
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response

from .fairness import Who, network

COOKIE = "azulejos"
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
_YEARS = 2 * 365 * 24 * 3600


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def cookie(connection: HTTPConnection, name: str) -> str:
    """The value of one of our cookies, which have no quotes; "" for none. Others may be many, and are not decoded."""
    found = [re.findall(rf"(?:^|;) *{name}=([^; ]*)", line) for line in connection.headers.getlist("cookie")]
    return next((values[-1] for values in reversed(found) if values), "")


def visitor_of(connection: HTTPConnection) -> str | None:
    """The visitor's id: a hash of the secret, so that neither logs nor the store contain the secret."""
    secret = cookie(connection, COOKIE)
    if not _SECRET.fullmatch(secret):
        return None
    return named(secret)


def named(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()[:32]


def remember(response: Response, secret: str, secure: bool) -> None:
    response.set_cookie(COOKIE, secret, max_age=_YEARS, path="/", secure=secure, httponly=True, samesite="lax")


def same_origin(headers: Headers) -> bool:
    """Does the request come from one of our own pages? Programs other than browsers send no Origin."""
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # an address that is none
        return False


def known_host(headers: Headers, hosts: Container[str]) -> bool:
    """Is the server asked under one of its names? `hosts`: none for every name."""
    host = re.sub(r":\d*$", "", headers.get("host", "")).lower()
    return not hosts or host in hosts


def who_of(connection: HTTPConnection, visitor: str) -> Who:
    """The visitor, and the address that is counted."""
    known = visitor_of(connection) is not None
    return Who(visitor, network(connection.client.host if connection.client else ""), known)
