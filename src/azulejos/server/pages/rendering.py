"""What every page is made with: templates, and who asks for it."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse

import azulejos
from azulejos.core.language import LANGUAGES, _, language, ngettext
from azulejos.core.registry import registered
from azulejos.drawing.theme import THEMES
from azulejos.tables import Reason

from ..live.hall import Hall
from .visit import Visit
from .words import words

HERE = Path(__file__).parent
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
    words=words,
    registered=registered,
    version=azulejos.__version__,
    LANGUAGES=LANGUAGES,
    THEMES=sorted(THEMES, key="auto".__ne__),  # that first
)


def hall_of(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def visit_of(request: Request) -> Visit:
    visit: Visit = request.state.visit
    return visit


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form, each with its last value."""
    text = (await request.body()).decode(errors="replace")
    return {name: values[-1] for name, values in parse_qs(text).items()}


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    text = _templates.get_template(template).render(
        language=language(), theme=visit_of(request).theme, address=request.url.path, **values
    )
    return HTMLResponse(text, status)


def not_found(request: Request, words: str) -> HTMLResponse:
    return page(request, "message.html", 404, title=_("Not found"), said=words)
