"""Static files and the engine, under addresses that contain a hash of all of them, so that browsers keep them for good.

`/static/HASH/table.js` imports its modules by relative addresses, which are under the same hash. An address without the
hash, or with that of another version, gives the same file, to be revalidated on each request.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from azulejos.drawing.theme import stylesheet
from azulejos.wasm.modules import WEB

from .styles import pictures, variables

STATIC = Path(__file__).parent / "static"
FOREVER = "public, max-age=31536000, immutable"
_VERSIONED = re.compile(r"([0-9a-f]{16})/(.+)")


@cache
def version() -> str:
    """The hash of all files."""
    hashed = hashlib.sha256(board_styles().encode())
    for folder in (STATIC, WEB):
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                hashed.update(f"{file.relative_to(folder)} {file.stat().st_size} ".encode() + file.read_bytes())
    return hashed.hexdigest()[:16]


def with_versions(page: str) -> str:
    """A page whose attributes name static files by their lasting addresses."""
    lasting = f'="/static/{version()}/'
    return page.replace('="/static/', lasting).replace('="/board.css"', f'{lasting}board.css"')


@cache
def board_styles() -> str:
    """The styles of pictures, and the themes' colours for pages."""
    return variables() + stylesheet() + pictures()


class Files(StaticFiles):
    """Static files, the engine below `engine/`, and `board.css`, each also below a hash. `below`: what names begin
    with that are not said in full."""

    def __init__(self, below: str = "") -> None:
        super().__init__(directory=STATIC)
        self.below: str = below
        self.engine: StaticFiles = StaticFiles(directory=WEB)

    async def get_response(self, path: str, scope: Scope) -> Response:
        found = _VERSIONED.fullmatch(path)
        name = self.below + (found[2] if found else path)
        if name == "board.css":
            response = Response(board_styles(), media_type="text/css")
        elif name.startswith("engine/"):
            response = await self.engine.get_response(name.removeprefix("engine/"), scope)
            if name.endswith(".network"):
                response.headers["content-type"] = "application/octet-stream"
        else:
            response = await super().get_response(name, scope)
        kept = response.status_code < 400 and found and found[1] == version()
        response.headers["cache-control"] = FOREVER if kept else "no-cache"
        return response
