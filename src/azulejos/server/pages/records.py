"""A table's page, replays, and records of finished games."""

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from azulejos.core.errors import AzulejosError
from azulejos.core.game import Game
from azulejos.core.language import _, language, say_error
from azulejos.core.record import Record
from azulejos.core.registry import registered
from azulejos.drawing.scene import LAYOUTS
from azulejos.drawing.theme import THEMES
from azulejos.review import coach
from azulejos.tables import Phase, Reason, Refusal, Table, checked_name
from azulejos.tables.table import SUBSTITUTE

from ..live import view
from ..live.hall import NAME, Hall, new_word
from ..live.messages import FINAL
from ..live.names import offered, say_seats
from ..live.visitors import who_of
from .openapi import (
    JSON,
    MESSAGE,
    MISSING,
    PAGE,
    PLAYS,
    TEXT,
    WORD,
    Described,
    answer,
    get,
    post,
    query,
    step_path,
)
from .rendering import STATUS, Page, aside, hall_of, lens_of, not_found, page, visit_of
from .replay import Replay, say_names

MOST_KEPT = 256  # answers about plays
MOST_BYTES = 16 << 20  # of them
MOST_RECORD = 16 * 1024  # characters of a record that is brought: some times as many as a play has
_kept: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()
_encode = msgspec.json.Encoder().encode


async def table(request: Request) -> Response:
    hall = hall_of(request)
    identifier = request.path_params["table"]
    game = await hall.game_of(identifier)
    if game is None:
        return not_found(request, _("There is no such table."))
    name = await hall.store.name(visit_of(request).visitor)
    others, said = await _shared(hall, identifier, registered()[game])
    return page(
        request,
        "table.html",
        source=request.url.path,
        final=" ".join(map(str, FINAL)),
        kind=registered()[game],
        name=name,
        players=offered(),
        substitute=SUBSTITUTE,
        others=others,
        said=said,
    )


async def _shared(hall: Hall, identifier: str, kind: type[Game]) -> tuple[list[str], str]:
    """For the preview of a table's link: the names of those who sit there, and a sentence about it."""
    live = await hall.find(identifier) if hall.ready[kind.name].is_set() else None
    if live is None:
        return [], kind.sentence()
    names = [seat.name for seat in live.table.seats if seat.name]
    if live.table.phase is Phase.OPEN:
        return names, _("A seat is free for you. Play in the browser, without an account.")
    return names, view.say_result(live.table, ()) if live.table.outcome else _("Watch the game.")


# --- records and replays ---


async def find_table(request: Request) -> Table | None:
    """The table of the address."""
    hall = hall_of(request)
    game = await hall.game_of(request.path_params["table"])
    if game is None:
        return None
    await hall.ready[game].wait()
    live = await hall.find(request.path_params["table"])
    return live.table if live else None


@lru_cache(32)
def _parsed(text: str) -> Record:
    return Record.parse(text)


def _small(text: str) -> Record:
    """A record that a visitor brought, no longer than one of a play can be. Raises AzulejosError, Refusal."""
    record = Record.parse(text)
    if len(str(record)) > MOST_RECORD:
        raise Refusal(Reason.MALFORMED, _("This is too long."))
    for name in record.names:
        checked_name(name)
    return record


async def find_record(request: Request) -> Record | None:
    """The record of the address: of a finished table, or one that somebody brought."""
    if "table" in request.path_params:
        found = await find_table(request)
        over = found is not None and found.phase is Phase.OVER
        return await aside(request, lambda: found.record) if found and over else None
    name = request.path_params["record"]
    text = await hall_of(request).store.record(name) if NAME.fullmatch(name) else None
    return None if text is None else await aside(request, _parsed, text)


async def find_replay(request: Request) -> Replay | None:
    """What has been played at the table of the address, as far as the visitor may see it; or a record."""
    if "table" in request.path_params:
        found = await find_table(request)
        if found is None or not found.states:
            return None
        return await aside(request, Replay.of_table, found, found.seats_of(visit_of(request).visitor))
    record = await find_record(request)
    return await aside(request, Replay.of_record, record) if record else None


async def _replayed(request: Request, what: tuple[Any, ...], make: Callable[[Replay], Any]) -> Response | None:
    """Something of what has been played at the table of the address, as far as the visitor may see it, or of a record;
    as JSON, kept for the next one who asks for the same. None if it is not there."""
    mine: tuple[int, ...] = ()
    if "table" in request.path_params:
        table = await find_table(request)
        if table is None or not table.states:
            return None
        mine = table.seats_of(visit_of(request).visitor)
        key = (table.id, table.number, mine, language(), *what)
    else:
        table = None
        key = (request.path_params["record"], language(), *what)

    def made(record: Record | None) -> bytes:
        if table:
            return _encode(make(Replay.of_table(table, mine)))
        assert record
        return _encode(make(Replay.of_record(record)))

    if key not in _kept:
        if not hall_of(request).positions.allows(who_of(request, visit_of(request).visitor)):
            return PlainTextResponse(_("Too much is sent from your address; wait for a minute."), 429)
        record = await find_record(request) if table is None else None
        if table is None and record is None:
            return None
        try:
            _kept[key] = await aside(request, made, record)
        except IndexError:  # there is no such step
            return None
    _kept.move_to_end(key)
    found = _kept[key]
    while len(_kept) > MOST_KEPT or sum(map(len, _kept.values())) > MOST_BYTES:
        _kept.popitem(last=False)
    return Response(found, media_type=JSON)


def no_record(request: Request) -> Page:
    return not_found(request, _("There is no record here. A table has one when its game is over."))


async def replay(request: Request) -> Response:
    record = await find_record(request)
    if record is None:
        return no_record(request)
    table = await find_table(request) if "table" in request.path_params else None
    mine = table.seats_of(visit_of(request).visitor) if table else ()
    names = say_seats(table, mine) if table else say_names(record)
    source = request.url.path.removesuffix("/replay")
    return page(request, "replay.html", source=source, kind=type(record.game), names=names, date=record.date)


async def steps(request: Request) -> Response:
    """All steps in words."""
    return await _replayed(request, (), Replay.steps) or no_record(request)


async def step(request: Request) -> Response:
    """One position, drawn."""
    number = request.path_params["step"]
    theme, layout = lens_of(request)
    found = await _replayed(request, (number, theme, layout), lambda play: play.step(number, theme, layout))
    return found or not_found(request, _("There is no such step."))


async def judged(request: Request) -> Response:
    """The best actions in a position of a finished game, from its player's view.

    The action that was played is among them.
    """
    record, number = await find_record(request), request.path_params["step"]
    if record is None or number >= len(record.actions):
        return not_found(request, _("There is no such step."))
    state, played = (await aside(request, lambda: list(record.states())))[number], str(record.actions[number])
    assert state.seat is not None
    who = who_of(request, visit_of(request).visitor)
    if hall_of(request).contested([state]):
        return JSONResponse({"message": _("there are no hints at a table with other people")}, 400)
    try:
        found = await hall_of(request).advice.judge(state.view(state.seat), played, who)
    except Refusal as refusal:
        return JSONResponse({"message": refusal.message}, STATUS.get(refusal.reason, 400))
    facts = {one.action: coach.say_facts(state, state.game.action(one.action)) for one in found}
    return JSONResponse({"played": played, "hints": msgspec.to_builtins(found), "facts": facts})


async def record_file(request: Request) -> Response:
    record = await find_record(request)
    if record is None:
        return no_record(request)
    name = f"{record.game.name}-{record.date}.txt"
    return PlainTextResponse(str(record), headers={"content-disposition": f'attachment; filename="{name}"'})


async def bring_record(request: Request) -> Response:
    """Store an uploaded record file; redirect to its replay."""
    hall = hall_of(request)
    for ready in hall.ready.values():
        await ready.wait()
    try:
        record = await aside(request, _small, (await request.body()).decode())
    except UnicodeDecodeError:
        return JSONResponse({"message": _("A record is a text file.")}, 400)
    except Refusal as refusal:
        return JSONResponse({"message": refusal.message}, STATUS.get(refusal.reason, 400))
    except AzulejosError as error:
        text = getattr(error, "text", "")
        return JSONResponse({"message": f"{say_error(error)} – {text[:80]}" if text else say_error(error)}, 400)
    if not hall.records.allows(who_of(request, visit_of(request).visitor)):
        return JSONResponse({"message": _("Too much is sent from your address; wait for a minute.")}, 429)
    identifier = new_word()
    await hall.store.save_record(identifier, str(record))
    return JSONResponse({"address": f"/records/{identifier}"})


def _routes(place: str) -> list[Route]:
    """The routes of a finished game, of a table or of a record."""
    return [
        Route(f"{place}/record", record_file),
        Route(f"{place}/steps", steps),
        Route(f"{place}/steps/{{step:int}}", step),
        Route(f"{place}/hints/{{step:int}}", judged),
    ]


ROUTES = [
    Route("/tables/{table}", table),
    Route("/tables/{table}/replay", replay),
    *_routes("/tables/{table}"),
    Route("/records", bring_record, methods=["POST"]),
    Route("/records/{record}", replay),
    *_routes("/records/{record}"),
]

_STEPS = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["round", "scores", "words", "action"],
        "properties": {
            "round": {"type": "integer"},
            "scores": {"type": "array", "items": {"type": "integer"}},
            "words": {"type": "string"},
            "action": {"type": "string"},
            "seat": {"type": ["integer", "null"]},
            "name": {"type": "string"},
            "steps": {"type": "array"},
        },
    },
}
_HINTS = {
    "type": "object",
    "required": ["played", "hints", "facts"],
    "properties": {
        "played": {"type": "string"},
        "hints": {"type": "array", "items": {"type": "object"}},
        "facts": {"type": "object"},
    },
}


def _of_a_play(place: str, source: Described) -> dict[str, Described]:
    """The routes that a table and a record share."""
    step = step_path()
    lens = [query("layout", "of the picture", LAYOUTS), query("theme", "of the picture", THEMES)]
    position = {"type": "object", "required": ["board"], "properties": {"board": {"type": "string"}}}
    said = {"400": answer("why not", JSON, schema=MESSAGE), "429": answer("why not now", JSON, schema=MESSAGE)}
    hints = {"200": answer("the best actions", JSON, schema=_HINTS), **said, **MISSING}
    text = {"200": answer("a record, as docs/notation.md has it", TEXT)}
    return {
        f"{place}/record": get("The record of a finished game.", source, answers={**text, **MISSING}),
        f"{place}/steps": get(
            "What was played, in words.", source, answers={"200": answer("steps", JSON, schema=_STEPS), **MISSING}
        ),
        f"{place}/steps/{{step}}": get(
            "One position, drawn.",
            *(source, step, *lens),
            answers={"200": answer("a position", JSON, schema=position), **MISSING},
        ),
        f"{place}/hints/{{step}}": get("What could have been played in a finished game.", source, step, answers=hints),
    }


def described() -> dict[str, Described]:
    table, record = PLAYS.values()
    brought = {"type": "object", "required": ["address"], "properties": {"address": WORD}}
    return {
        "/tables/{table}": get("A table.", table, answers={**PAGE, **MISSING}),
        "/tables/{table}/replay": get("A finished game, step by step.", table, answers={**PAGE, **MISSING}),
        **_of_a_play("/tables/{table}", table),
        "/records": post(
            "Bring a record.",
            TEXT,
            WORD,
            {
                "200": answer("where its replay is", JSON, schema=brought),
                "400": answer("what is wrong with it", JSON, schema=MESSAGE),
            },
        ),
        "/records/{record}": get("A record, step by step.", record, answers={**PAGE, **MISSING}),
        **_of_a_play("/records/{record}", record),
    }
