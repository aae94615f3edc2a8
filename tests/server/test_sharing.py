"""What is sent around: QR codes, pictures of tables, previews of links."""

import hashlib
import re
from html import unescape

import pytest

from azulejos.core.errors import OptionError
from azulejos.server.pages import qr

from .client import Visitor, get
from .conftest import Running

# Of the codes that another encoder (segno) made of the longest text of each version, rows of 0 and 1.
ELSEWHERE = [
    "261cd48661ea",
    "ed6ccdc5991a",
    "f5155ab4f271",
    "b517806610b0",
    "b8ca5155fdd7",
    "c5da4b77ee62",
    "ae98bb131e1a",
    "0c01ac3c2d43",
    "91a3b5aaf34a",
    "03577015d93e",
]


@pytest.mark.parametrize("version", range(1, 11))
def test_codes_are_those_of_another_encoder(version: int) -> None:
    """In one of the eight masks: the choice among them is free."""
    text = ("https://example.org/tables/" * 9)[: sum(qr.BLOCKS[version - 1][1]) - 2 - (version > 9)]
    words = qr._codewords(text.encode(), version)
    drawn = [qr._drawn(words, version, mask) for mask in range(8)]
    digests = [hashlib.sha256("".join(str(int(one)) for row in grid for one in row).encode()) for grid in drawn]
    assert ELSEWHERE[version - 1] in [digest.hexdigest()[:12] for digest in digests]
    assert qr.modules(text) in drawn


def test_a_text_that_is_too_long_for_a_code_is_refused() -> None:
    with pytest.raises(OptionError, match="214 bytes are too many"):
        qr.svg("x" * 214)


def test_only_people_at_the_table_get_the_code_of_a_free_seat(server: Running) -> None:
    ana, eve = Visitor(server.address), Visitor(server.address)
    table = ana.open(game="azul", **{"seat-1": "friend"})
    with ana.sit(table) as seat:
        word = seat.now["seats"][1]["invitation"]
    code = ana.http.get(f"/tables/{table}/invitation/1.svg")
    assert code.headers["content-type"] == "image/svg+xml"
    assert code.text == qr.svg(f"{server.address}/tables/{table}#seat=1&word={word}")
    for visitor, seat_number in ((eve, 1), (ana, 0), (ana, 7)):
        assert visitor.http.get(f"/tables/{table}/invitation/{seat_number}.svg").status_code == 404


def shared(text: str) -> dict[str, str]:
    """The Open Graph tags of a page."""
    found = re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', text)
    return {name: unescape(content) for name, content in found}


def test_links_have_previews_in_the_language_of_the_link(server: Running) -> None:
    ana = Visitor(server.address)
    table = ana.open(game="duel", name="Ana", **{"seat-1": "friend"})
    link = f"{server.address}/tables/{table}"
    tags = shared(get(f"{link}?language=cs").text)
    assert tags["title"] == "Azul Duel: Ana"
    assert "volné místo" in tags["description"]
    assert (tags["url"], tags["locale"]) == (link, "cs")
    assert shared(get(f"{link}?language=cs", headers={"accept-language": "fr"}).text)["locale"] == "fr"
    started = ana.open(game="azul", **{"seat-1": "random"})
    for address in (
        tags["image"],
        f"{server.address}/tables/{started}/preview.png",
        f"{server.address}/games/azul.png",
    ):
        picture = get(address)
        assert picture.headers["content-type"] == "image/png"
        assert picture.content.startswith(b"\x89PNG")
        assert int.from_bytes(picture.content[16:20]) == 1200
    assert shared(get(server.address).text)["image"].startswith(f"{server.address}/games/azul.png")


def test_the_picture_of_a_table_is_the_visitors_view_of_it(server: Running) -> None:
    ana, eve = Visitor(server.address), Visitor(server.address)
    table = ana.open(game="azul", name="Ana", **{"seat-1": "me", "name-1": "Ben"})
    mine, hers = (visitor.http.get(f"/tables/{table}/picture.svg").text for visitor in (ana, eve))
    assert "<style" in mine
    assert "Ben" in mine
    assert "Ben" in hers
    waiting = ana.open(game="azul", **{"seat-1": "friend"})
    assert ana.http.get(f"/tables/{waiting}/picture.svg").status_code == 404
    page = ana.http.get("/").text
    assert f'src="/tables/{table}/picture.svg?theme=auto"' in page, "the start page shows where to go on"
    assert "picture.svg" not in eve.http.get("/").text
