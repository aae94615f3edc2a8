"""Compressed answers: gzip, for texts that are long enough."""

import asyncio
import gzip
from collections import OrderedDict
from functools import lru_cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from .middleware import ForRequests

SMALLEST = 1000  # bytes: below that, a frame on the network is not saved
MOST = 1 << 22  # bytes: what is longer is sent as it is
LONG = 1 << 13  # bytes from which it is compressed beside the event loop, and kept for the next one who asks
KEPT = 64  # such answers
LEVEL = 5
TEXTS = ("text/", "image/svg+xml", *(f"application/{kind}" for kind in ("json", "javascript", "wasm", "octet-stream")))


@lru_cache(256)
def _kept(body: bytes) -> bytes:
    """For files, which are asked for again and again."""
    return gzip.compress(body, 9, mtime=0)


_answers: OrderedDict[bytes, bytes] = OrderedDict()  # compressed, by what they are


async def _compressed(body: bytes) -> bytes:
    """For what is made on demand; several ask for the same picture or the same steps."""
    if len(body) < LONG:
        return gzip.compress(body, LEVEL)
    if body not in _answers:
        _answers[body] = await asyncio.to_thread(gzip.compress, body, LEVEL)
    _answers.move_to_end(body)
    while len(_answers) > KEPT:
        _answers.popitem(last=False)
    return _answers[body]


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
    else:
        compressed = await _compressed(body)
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(compressed))
    await send(start)
    await send({"type": "http.response.body", "body": compressed})


def _accepts(header: str) -> bool:
    """Does a client accept gzip?"""
    for part in header[:200].lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";q=")
        if name in ("gzip", "*"):
            return weight.rstrip("0") not in ("", "0.") if weight else True
    return False
