"""Static files are kept for good under their hash; texts are compressed for clients that accept it."""

import gzip
import re

import httpx
import pytest

from azulejos.server.pages.compression import _accepts
from azulejos.server.pages.files import version

from .client import PATIENCE, get
from .conftest import Running

FOREVER = "public, max-age=31536000, immutable"


def raw(address: str, **headers: str) -> tuple[httpx.Headers, bytes]:
    """An answer as it came over the network."""
    with httpx.stream("GET", address, headers={"accept-encoding": "gzip", **headers}, timeout=PATIENCE) as answer:
        return answer.headers, b"".join(answer.iter_raw())


def test_everything_that_a_page_loads_is_kept_for_good(server: Running) -> None:
    page = get(server.address).text
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert {file.split("/")[2] for file in files} == {version()}
    assert f"/static/{version()}/board.css" in files
    for file in (*files, *(f"/static/{version()}/engine/{name}" for name in ("thinking.js", "azul.wasm"))):
        headers, body = raw(server.address + file)
        assert headers["cache-control"] == FOREVER, file
        if "content-encoding" in headers:
            assert gzip.decompress(body) == get(server.address + file, headers={"accept-encoding": ""}).content


@pytest.mark.parametrize("place", ["/static/", "/static/0123456789abcdef/", "/engine/../static/"])
def test_an_address_of_another_version_is_revalidated(server: Running, place: str) -> None:
    headers, _body = raw(f"{server.address}{place}table.js")
    assert headers["cache-control"] == "no-cache"
    again = get(f"{server.address}{place}table.js", headers={"if-none-match": headers["etag"]})
    assert again.status_code == 304
    assert raw(f"{server.address}/static/{version()}/none.js")[0].get("cache-control") != FOREVER


def test_texts_are_compressed_for_those_who_accept_it(server: Running) -> None:
    for path in ("/", "/openapi.json", "/rules/azul", f"/static/{version()}/table.css", "/static/engine/duel.wasm"):
        headers, body = raw(server.address + path)
        plain, whole = raw(server.address + path, **{"accept-encoding": "identity"})
        assert headers["content-encoding"] == "gzip", path
        assert headers["vary"] == plain["vary"] == "Accept-Encoding"
        assert "content-encoding" not in plain
        assert len(body) == int(headers["content-length"]) < 0.6 * len(whole)
    for path in ("/ready", "/games/azul.png"):  # tiny, and compressed already
        assert "content-encoding" not in raw(server.address + path)[0]
    part = get(f"{server.address}/static/table.js", headers={"range": "bytes=0-9"})
    assert (part.status_code, len(part.content)) == (206, 10)


@pytest.mark.parametrize(
    ("header", "accepted"),
    [("gzip, br", True), ("br;q=1.0, gzip;q=0.8", True), ("*", True), ("gzip;q=0", False), ("gzip;q=0.00", False)],
)
def test_what_a_client_accepts(header: str, accepted: bool) -> None:
    assert _accepts(header) is accepted
