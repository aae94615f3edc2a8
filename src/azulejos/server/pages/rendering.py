"""Rendering of templates, and the visitor of a request."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

import azulejos
from azulejos.core.errors import TooLong
from azulejos.core.language import LANGUAGES, _, language, ngettext
from azulejos.core.registry import registered
from azulejos.drawing.scene import LAYOUTS
from azulejos.drawing.theme import THEMES
from azulejos.tables import Reason

from ..live.hall import Hall
from ..live.visitors import who_of
from .entries import ENTRIES
from .files import with_versions
from .visit import Visit
from .words import courses, inside, objects, words

T = TypeVar("T")
HERE = Path(__file__).parent
MOST_FORM = 8 * 1024  # bytes
PREVIEWS = importlib.util.find_spec("resvg_py") is not None  # can pictures be made of pixels here?
STATUS = {Reason.TOO_MANY: 429, Reason.RESTARTING: 503, Reason.UNAVAILABLE: 503}  # of a refusal; others are 400

_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals.update(
    _=_,
    ngettext=ngettext,
    inside=inside,
    objects=objects,
    courses=courses,
    words=words,
    registered=registered,
    entries=ENTRIES,
    previews=PREVIEWS,
    version=azulejos.__version__,
    LANGUAGES=LANGUAGES,
    THEMES=sorted(THEMES, key="auto".__ne__),  # that first
)


def hall_of(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def origin_of(request: Request) -> str:
    """The server's address as the visitor knows it."""
    return f"{request.url.scheme}://{request.url.netloc}"


def visit_of(request: Request) -> Visit:
    visit: Visit = request.state.visit
    return visit


def lens_of(request: Request) -> tuple[str, str]:
    """The theme and the layout that a page wants its pictures in."""
    theme, layout = (request.query_params.get(name, "") for name in ("theme", "layout"))
    return theme if theme in THEMES else "auto", layout if layout in LAYOUTS else "wide"


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form, each with its last value. Raises TooLong."""
    body = await request.body()
    if len(body) > MOST_FORM:
        raise TooLong
    return {name: values[-1] for name, values in parse_qs(body.decode(errors="replace")).items()}


def fragment(template: str, **values: Any) -> Markup:
    """A piece of a page, in the current language."""
    return Markup(_templates.get_template(template).render(**values))


async def aside(request: Request, work: Callable[..., T], *given: Any) -> T:
    """What takes long is done beside the event loop, in the visitor's turn, after what is wanted at tables."""
    who = who_of(request, visit_of(request).visitor)
    return await hall_of(request).aside(who, work, *given, later=True)


class Page(HTMLResponse):
    """A page that is rendered when it is sent, beside the event loop."""

    def __init__(self, request: Request, render: Callable[[], str], status: int) -> None:
        super().__init__(status_code=status)
        self._request, self._render = request, render

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.body: bytes = (await aside(self._request, self._render)).encode()
        self.headers["content-length"] = str(len(self.body))
        await super().__call__(scope, receive, send)


def page(request: Request, template: str, status: int = 200, **values: Any) -> Page:
    values |= {"language": language(), "theme": visit_of(request).theme}
    values |= {"address": request.url.path, "origin": origin_of(request)}
    return Page(request, lambda: with_versions(_templates.get_template(template).render(values)), status)


def not_found(request: Request, words: str) -> Page:
    return page(request, "message.html", 404, title=_("Not found"), said=words)
