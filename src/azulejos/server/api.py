"""What the server answers over HTTP, described as OpenAPI: served at `/openapi.json`, kept in `docs/openapi.json`.

What goes over WebSocket is described in `docs/protocol.md`.
"""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from azulejos import __version__
from azulejos.core.language import LANGUAGES
from azulejos.core.registry import registered
from azulejos.drawing.scene import LAYOUTS
from azulejos.drawing.theme import THEMES

Described = dict[str, Any]
_HTML, _TEXT, _JSON, _FORM = "text/html", "text/plain", "application/json", "application/x-www-form-urlencoded"
_INTEGERS = {"type": "array", "items": {"type": "integer"}}
_MESSAGE = {"type": "object", "required": ["message"], "properties": {"message": {"type": "string"}}}
_STEPS = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["round", "scores", "words", "action"],
        "properties": {
            "round": {"type": "integer"},
            "scores": _INTEGERS,
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
    "required": ["played", "hints"],
    "properties": {"played": {"type": "string"}, "hints": {"type": "array", "items": {"type": "object"}}},
}


def _answer(about: str, *kinds: str, schema: Described | None = None) -> Described:
    content = {kind: {"schema": (schema or {}) if kind == _JSON else {"type": "string"}} for kind in kinds}
    return {"description": about, "content": content} if content else {"description": about}


_PAGE = {"200": _answer("a page", _HTML)}
_MISSING = {"404": _answer("there is no such thing, or not for you", _HTML)}
_AWAY = {"503": _answer("the store is away, or the server is about to restart; come again", _TEXT, _HTML)}
_POSTED = {
    "403": _answer("sent by another site's page", _TEXT),
    "413": _answer("longer than 256 KiB", _TEXT),
    "429": _answer("too much at a time", _TEXT, _HTML),
}


def _get(about: str, *parameters: Described, answers: Described) -> Described:
    return {"get": {"summary": about, "parameters": list(parameters), "responses": {**_AWAY, **answers}}}


def _post(about: str, kind: str, schema: Described, answers: Described) -> Described:
    body = {"required": True, "content": {kind: {"schema": schema}}}
    return {"post": {"summary": about, "requestBody": body, "responses": {**_POSTED, **_AWAY, **answers}}}


def _path(name: str, about: str, schema: Described | None = None) -> Described:
    schema = schema or {"type": "string", "minLength": 1}
    return {"name": name, "in": "path", "required": True, "description": about, "schema": schema}


def _query(name: str, about: str, choices: Any = None) -> Described:
    schema = {"type": "string", "enum": list(choices)} if choices else {"type": "string"}
    return {"name": name, "in": "query", "description": about, "schema": schema}


def _form(**fields: Described) -> Described:
    return {"type": "object", "properties": {name.replace("_", "-"): field for name, field in fields.items()}}


def _of_a_play(place: str, source: Described) -> dict[str, Described]:
    """What a table and a record have in common."""
    step = _path("step", "how many actions were played before, from 0", {"type": "integer", "minimum": 0})
    lens = [_query("layout", "of the picture", LAYOUTS), _query("theme", "of the picture", THEMES)]
    position = {"type": "object", "required": ["board"], "properties": {"board": {"type": "string"}}}
    said = {"400": _answer("why not", _JSON, schema=_MESSAGE), "429": _answer("why not now", _JSON, schema=_MESSAGE)}
    hints = {"200": _answer("the best actions", _JSON, schema=_HINTS), **said, **_MISSING}
    return {
        f"{place}/record": _get("The record of a finished game.", source, answers={**_TEXT_FILE, **_MISSING}),
        f"{place}/steps": _get(
            "What was played, in words.", source, answers={"200": _answer("steps", _JSON, schema=_STEPS), **_MISSING}
        ),
        f"{place}/steps/{{step}}": _get(
            "One position, drawn.",
            *(source, step, *lens),
            answers={"200": _answer("a position", _JSON, schema=position), **_MISSING},
        ),
        f"{place}/hints/{{step}}": _get("What could have been played in a finished game.", source, step, answers=hints),
    }


_TEXT_FILE = {"200": _answer("a record, as docs/notation.md has it", _TEXT)}


def _paths() -> dict[str, Described]:
    games = list(registered())
    table, record = _path("table", "a table's name"), _path("record", "a record's name")
    word: Described = {"type": "string"}
    seats = {f"seat_{seat}": {**word, "description": "me, friend, or a computer player"} for seat in range(4)}
    names = {f"name_{seat}": {**word, "description": "the name of a seat that is mine"} for seat in range(4)}
    options = {option.name: word for kind in registered().values() for option in kind.options}
    opening = _form(game={**word, "enum": games}, name=word, public={"enum": ["yes"]}, **options, **seats, **names)
    brought = {"type": "object", "required": ["address"], "properties": {"address": word}}
    ready = {"type": "object", "additionalProperties": {"type": "boolean"}}
    settings = _form(language={"enum": list(LANGUAGES)}, theme={"enum": list(THEMES)}, back=word)
    refused = {"400": _answer("why not", _HTML)}
    return {
        "/": _get("The start page; gives a visitor their cookie.", answers=_PAGE),
        "/tables": {
            **_get("My tables, and those that anybody may join.", answers=_PAGE),
            **_post("Set a table.", _FORM, opening, {"303": _answer("the table is at `location`"), **refused}),
        },
        "/tables/{table}": _get("A table.", table, answers={**_PAGE, **_MISSING}),
        "/tables/{table}/replay": _get("A finished game, step by step.", table, answers={**_PAGE, **_MISSING}),
        **_of_a_play("/tables/{table}", table),
        "/records": _post(
            "Bring a record.",
            _TEXT,
            word,
            {
                "200": _answer("where its replay is", _JSON, schema=brought),
                "400": _answer("what is wrong with it", _JSON, schema=_MESSAGE),
            },
        ),
        "/records/{record}": _get("A record, step by step.", record, answers={**_PAGE, **_MISSING}),
        **_of_a_play("/records/{record}", record),
        "/rules/{game}": _get("How a game is played.", _path("game", "its name"), answers={**_PAGE, **_MISSING}),
        "/settings": _post("Choose language and theme.", _FORM, settings, {"303": _answer("back to the page")}),
        "/ready": _get("Which games' rules are loaded.", answers={"200": _answer("by game", _JSON, schema=ready)}),
        "/healthz": _get("Are new visitors welcome?", answers={"200": _answer("yes", _TEXT)}),
        "/metrics": _get(
            "What the server counts, for Prometheus; for this machine, or with the host's secret.",
            answers={"200": _answer("figures", _TEXT), "404": _answer("not for you", _TEXT)},
        ),
        "/draw.svg": _get(
            "The picture of a position.",
            _query("position", "as docs/notation.md has it"),
            _query("theme", "of the picture", THEMES),
            answers={"200": _answer("a picture", "image/svg+xml"), "400": _answer("what is wrong with it", _TEXT)},
        ),
        "/board.css": _get("The styles of pictures.", answers={"200": _answer("styles", "text/css")}),
        "/favicon.ico": _get("The icon.", answers={"301": _answer("it is at `location`")}),
        "/openapi.json": _get("This description.", answers={"200": _answer("this", _JSON)}),
        "/admin": {
            **_get("The host's page, where there is one.", answers={**_PAGE, **_MISSING}),
            **_post(
                "Show the host's secret.",
                _FORM,
                _form(secret=word),
                {"303": _answer("to the page"), "403": _answer("wrong", _HTML, _TEXT), **_MISSING},
            ),
        },
        "/admin/close": _post(
            "Close a table.", _FORM, _form(table=word, reason=word), {"303": _answer("closed"), **refused, **_MISSING}
        ),
    }


def description() -> Described:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "azulejos",
            "version": __version__,
            "description": "Tables over HTTP. Plays go over `/tables/{table}/socket`: see docs/protocol.md.",
        },
        "paths": _paths(),
    }


async def openapi(request: Request) -> Response:
    return JSONResponse(description())


if __name__ == "__main__":
    print(json.dumps(description(), indent=1, sort_keys=True))
