"""Compressed answers: gzip, for texts that are long enough."""

import asyncio
import gzip
from functools import lru_cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from .middleware import ForRequests

SMALLEST = 1000  # bytes: below that, a frame on the network is not saved
MOST = 1 << 22  # bytes: what is longer is sent as it is
LONG = 1 << 16  # bytes from which it is compressed beside the event loop
LEVEL = 5
TEXTS = ("text/", "application/json", "application/javascript", "application/wasm", "image/svg+xml")


@lru_cache(256)
def _kept(body: bytes) -> bytes:
    """For files, which are asked for again and again."""
    return gzip.compress(body, 9, mtime=0)


class Compression(ForRequests):
    """Middleware that compresses texts for clients that accept it. What a range of was asked for stays as it is."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.get("extensions", {}).pop("http.response.pathsend", None)  # a file must pass here
        accepted = _accepts(Headers(scope=scope).get("accept-encoding", ""))
        begun: Message | None = None  # an answer that will be compressed
        parts: list[bytes] = []

        async def send_compressed(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if not headers.get("content-type", "").startswith(TEXTS):
                    await send(message)
                    return
                headers.add_vary_header("Accept-Encoding")
                length = int(headers.get("content-length", "0"))
                whole = message["status"] == 200 and "content-encoding" not in headers
                if accepted and whole and scope["method"] == "GET" and SMALLEST <= length <= MOST:
                    begun = message
                else:
                    await send(message)
            elif begun is None:
                await send(message)
            else:
                parts.append(message.get("body", b""))
                if not message.get("more_body", False):
                    await _send(begun, b"".join(parts), send)

        await self.app(scope, receive, send_compressed)


async def _send(start: Message, body: bytes, send: Send) -> None:
    headers = MutableHeaders(scope=start)
    if "etag" in headers:
        compressed = await asyncio.to_thread(_kept, body)
        headers["etag"] = f"W/{headers['etag'].removeprefix('W/')}"  # equal in meaning, not in bytes
    elif len(body) >= LONG:
        compressed = await asyncio.to_thread(gzip.compress, body, LEVEL)
    else:
        compressed = gzip.compress(body, LEVEL)
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(compressed))
    await send(start)
    await send({"type": "http.response.body", "body": compressed})


def _accepts(header: str) -> bool:
    """Does a client accept gzip?"""
    for part in header.lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";q=")
        if name in ("gzip", "*"):
            return weight.rstrip("0") not in ("", "0.") if weight else True
    return False
