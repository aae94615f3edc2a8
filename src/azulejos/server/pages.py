"""The pages."""

import base64
import functools
import hashlib
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import jinja2
import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

import azulejos
from azulejos.core.errors import AzulejosError
from azulejos.core.game import Game
from azulejos.core.language import LANGUAGES, _, language, ngettext, say_error
from azulejos.core.record import Record
from azulejos.core.registry import parse, registered, restore
from azulejos.drawing.theme import stylesheet
from azulejos.tables import Chair, Phase, Reason, Refusal, Seat, Table

from . import rules
from .colours import variables
from .hall import Hall, new_word
from .options import say_choice, say_option
from .players import DEFAULT, offered
from .replay import Replay
from .storage import Summary
from .view import say_seat
from .visit import Visit
from .words import words

HERE = Path(__file__).parent
THEMES = ("auto", "light", "dark")
STATUS = {Reason.TOO_MANY: 429, Reason.RESTARTING: 503, Reason.UNAVAILABLE: 503}

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
    say_option=say_option,
    say_choice=say_choice,
    registered=registered,
    version=azulejos.__version__,
    LANGUAGES=LANGUAGES,
    THEMES=THEMES,
)


def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def _visit(request: Request) -> Visit:
    visit: Visit = request.state.visit
    return visit


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    visit = _visit(request)
    text = _templates.get_template(template).render(
        language=language(), theme=visit.theme, address=request.url.path, **values
    )
    return HTMLResponse(text, status)


def not_found(request: Request, words: str) -> HTMLResponse:
    return page(request, "message.html", 404, title=_("Not found"), said=words)


# --- the start, the lobby, my tables ---


async def start(request: Request) -> Response:
    """Choose a game; two clicks to a game against the computer."""
    hall, visit = _hall(request), _visit(request)
    return page(
        request,
        "start.html",
        name=await hall.store.name(visit.visitor),
        kinds=[_kind(kind) for kind in registered().values()],
        players=offered(),
        default=DEFAULT,
        ready=all(event.is_set() for event in hall.ready.values()),
        mine=[_listed(summary, visit.visitor) for summary in await hall.store.tables_of(visit.visitor, 8)],
        public=[_listed(summary, visit.visitor) for summary in await hall.store.public_tables(8)],
    )


async def tables(request: Request) -> Response:
    """All my tables, and all that anybody may join."""
    hall, visit = _hall(request), _visit(request)
    return page(
        request,
        "tables.html",
        mine=[_listed(summary, visit.visitor) for summary in await hall.store.tables_of(visit.visitor)],
        public=[_listed(summary, visit.visitor) for summary in await hall.store.public_tables()],
    )


def _kind(kind: type[Game]) -> dict[str, Any]:
    """A game as the start page offers it."""
    players = next((option for option in kind.options if option.name == "players"), None)
    return {
        "name": kind.name,
        "title": _(kind.title),
        "about": rules.in_a_sentence(kind.name),
        "picture": Markup(_emblem(kind.name)),
        "options": [option for option in kind.options if option.name != "players"],
        "counts": list(players.choices) if players else [kind().players],
    }


@functools.cache
def _emblem(game: str) -> str:
    return rules.emblem(game)


def _listed(summary: Summary, visitor: str) -> dict[str, Any]:
    mine = [seat for seat, owner in enumerate(summary.owners) if owner == visitor]
    seats = tuple(map(Seat, summary.names, summary.owners, summary.players))
    game = restore(summary.game, summary.options)
    table = Table(summary.id, game, seats, seed="")
    return {
        "id": summary.id,
        "title": _(game.title),
        "names": [say_seat(table, seat, mine) for seat in range(len(seats))],
        "scores": summary.scores,
        "yours": summary.turn in mine,
        "phase": summary.phase,
    }


async def open_table(request: Request) -> Response:
    """Set a table as the form says."""
    hall, visit = _hall(request), _visit(request)
    form = {name: values[-1] for name, values in parse_qs((await request.body()).decode(errors="replace")).items()}
    try:
        game = _game_of(form)
        name = form.get("name", "").strip()
        chairs = _chairs(form, game, visit.visitor, name)
        table = await hall.open(game, chairs, form.get("public") == "yes")
    except (AzulejosError, Refusal) as error:
        status = STATUS.get(error.reason, 400) if isinstance(error, Refusal) else 400
        said = error.message if isinstance(error, Refusal) else say_error(error)
        return page(request, "message.html", status, title=_("This table cannot be set"), said=said)
    if name:
        await hall.store.save_name(visit.visitor, name)
    return RedirectResponse(f"/tables/{table.id}", 303)


def _game_of(form: dict[str, str]) -> Game:
    name = form.get("game", "")
    kind = registered().get(name)
    if kind is None:
        azulejos.make(name)  # says what there is
        raise AssertionError
    return kind(**{option.name: option.read(form[option.name]) for option in kind.options if option.name in form})


def _chairs(form: dict[str, str], game: Game, visitor: str, name: str) -> list[Chair]:
    """Who sits where: `seat-0=me`, `friend`, or a computer player's name; by default me against computers."""
    chairs: list[Chair] = []
    for seat in range(game.players):
        who = form.get(f"seat-{seat}", "me" if seat == 0 else form.get("player", DEFAULT))
        if who == "me":
            first = not any(chair.owner for chair in chairs)
            chairs.append(Chair(form.get(f"name-{seat}", "").strip() or (name if first else ""), visitor))
        elif who == "friend":
            chairs.append(Chair(invitation=new_word()))
        else:
            chairs.append(Chair(player=who))
    return chairs


# --- a table ---


async def table(request: Request) -> Response:
    hall = _hall(request)
    identifier = request.path_params["table"]
    game = await hall.game_of(identifier)
    if game is None:
        return not_found(request, _("There is no such table."))
    name = await hall.store.name(_visit(request).visitor)
    return page(request, "table.html", table=identifier, kind=registered()[game], name=name, players=offered())


# --- records and replays ---


async def _table(request: Request) -> Table | None:
    """The table of the address."""
    hall = _hall(request)
    game = await hall.game_of(request.path_params["table"])
    if game is None:
        return None
    await hall.ready[game].wait()
    live = await hall.find(request.path_params["table"])
    return live.table if live else None


async def _record(request: Request) -> Record | None:
    """The record of the address: of a finished table, or one that somebody brought."""
    if "table" in request.path_params:
        found = await _table(request)
        return found.record if found and found.phase is Phase.OVER else None
    text = await _hall(request).store.record(request.path_params["record"])
    return None if text is None else Record.parse(text)


async def _replay(request: Request) -> Replay | None:
    """What has been played at the table of the address, as far as the visitor may see it; or a record."""
    if "table" in request.path_params:
        found = await _table(request)
        return Replay.of_table(found, _visit(request).visitor) if found and found.states else None
    record = await _record(request)
    return Replay.of_record(record) if record else None


def _no_record(request: Request) -> HTMLResponse:
    return not_found(request, _("There is no record here. A table has one when its game is over."))


async def replay(request: Request) -> Response:
    record, found = await _record(request), await _replay(request)
    if record is None or found is None:
        return _no_record(request)
    source = request.url.path.removesuffix("/replay")
    return page(request, "replay.html", source=source, kind=type(record.game), names=found.names, date=record.date)


async def steps(request: Request) -> Response:
    """All steps in words."""
    found = await _replay(request)
    return _no_record(request) if found is None else JSONResponse(found.steps())


async def step(request: Request) -> Response:
    """One position, drawn."""
    found, number = await _replay(request), request.path_params["step"]
    if found is None or number >= len(found.seen):
        return not_found(request, _("There is no such step."))
    layout = "tall" if request.query_params.get("layout") == "tall" else "wide"
    theme = request.query_params.get("theme", "auto")
    return JSONResponse(found.step(number, theme if theme in THEMES else "auto", layout))


async def judged(request: Request) -> Response:
    """What could have been played in a position of a finished game, and what each was worth, as its player could know.

    The action that was played is among them.
    """
    record, number = await _record(request), request.path_params["step"]
    if record is None or number >= len(record.actions):
        return not_found(request, _("There is no such step."))
    state, played = list(record.states())[number], str(record.actions[number])
    assert state.seat is not None
    try:
        found = await _hall(request).advice.judge(state.view(state.seat), played, _visit(request).visitor)
    except Refusal as refusal:
        return JSONResponse({"message": refusal.message}, STATUS.get(refusal.reason, 400))
    return JSONResponse({"played": played, "hints": msgspec.to_builtins(found)})


async def record_file(request: Request) -> Response:
    record = await _record(request)
    if record is None:
        return _no_record(request)
    name = f"{record.game.name}-{record.date}.txt"
    return PlainTextResponse(str(record), headers={"content-disposition": f'attachment; filename="{name}"'})


async def bring_record(request: Request) -> Response:
    """Take in a record file; where its replay is."""
    hall = _hall(request)
    for ready in hall.ready.values():
        await ready.wait()
    try:
        text = (await request.body()).decode()
        record = Record.parse(text)
    except UnicodeDecodeError:
        return JSONResponse({"message": _("A record is a text file.")}, 400)
    except AzulejosError as error:
        text = getattr(error, "text", "")
        return JSONResponse({"message": f"{say_error(error)} – {text[:80]}" if text else say_error(error)}, 400)
    identifier = new_word()
    await hall.store.save_record(identifier, str(record))
    return JSONResponse({"address": f"/records/{identifier}"})


# --- help, settings, the rest ---


async def help_page(request: Request) -> Response:
    kind = registered().get(request.path_params["game"])
    if kind is None:
        return not_found(request, _("There is no such game."))
    text = rules.page(kind.name, language())
    return page(request, "rules.html", kind=kind, page=Markup(text))


async def settings(request: Request) -> Response:
    """Language and theme, kept in cookies."""
    form = {name: values[-1] for name, values in parse_qs((await request.body()).decode(errors="replace")).items()}
    back = form.get("back", "/")
    response = RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
    for name, choices in (("language", tuple(LANGUAGES)), ("theme", THEMES)):
        if form.get(name) in choices:
            response.set_cookie(name, form[name], max_age=2 * 365 * 86400, path="/", samesite="lax", httponly=True)
    return response


async def ready(request: Request) -> Response:
    """Which games' rules are compiled."""
    return JSONResponse({name: event.is_set() for name, event in _hall(request).ready.items()})


async def board_styles(request: Request) -> Response:
    return Response(variables() + stylesheet(), media_type="text/css", headers={"cache-control": "no-cache"})


async def icon(request: Request) -> Response:
    """Where browsers look for it beside pages that name none: a picture, a text."""
    return RedirectResponse("/static/icon.svg", 301)


async def draw(request: Request) -> Response:
    """The picture of a position: `/draw.svg?position=…`."""
    try:
        state = parse(request.query_params.get("position", ""))
        theme = request.query_params.get("theme", "auto")
        picture = state.game.draw(state, theme=theme)
    except AzulejosError as error:
        return PlainTextResponse(str(error) if language() == "en" else say_error(error), 400)
    styles = hashlib.sha256(stylesheet(theme).encode()).digest()
    policy = f"default-src 'none'; style-src 'sha256-{base64.b64encode(styles).decode()}'; frame-ancestors 'none'"
    return Response(picture, media_type="image/svg+xml", headers={"content-security-policy": policy})
