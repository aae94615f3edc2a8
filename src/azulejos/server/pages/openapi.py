"""Helpers for the OpenAPI description of routes. `docs/protocol.md` describes the WebSocket."""

from typing import Any

Described = dict[str, Any]
HTML, TEXT, JSON, FORM = "text/html", "text/plain", "application/json", "application/x-www-form-urlencoded"
MESSAGE: Described = {"type": "object", "required": ["message"], "properties": {"message": {"type": "string"}}}
WORD: Described = {"type": "string"}


def answer(about: str, *kinds: str, schema: Described | None = None) -> Described:
    content = {kind: {"schema": (schema or {}) if kind == JSON else {"type": "string"}} for kind in kinds}
    return {"description": about, "content": content} if content else {"description": about}


REFUSED = {"400": answer("why not", HTML)}
PAGE = {"200": answer("a page", HTML)}
MISSING = {"404": answer("there is no such thing, or not for you", HTML)}
AWAY = {"503": answer("the store is away, or the server is about to restart; come again", TEXT, HTML)}
POSTED = {
    "403": answer("sent by another site's page", TEXT),
    "413": answer("longer than 256 KiB", TEXT),
    "429": answer("too much at a time", TEXT, HTML),
}


def get(about: str, *parameters: Described, answers: Described) -> Described:
    return {"get": {"summary": about, "parameters": list(parameters), "responses": {**AWAY, **answers}}}


def post(about: str, kind: str, schema: Described, answers: Described) -> Described:
    body = {"required": True, "content": {kind: {"schema": schema}}}
    return {"post": {"summary": about, "requestBody": body, "responses": {**POSTED, **AWAY, **answers}}}


def path(name: str, about: str, schema: Described | None = None) -> Described:
    schema = schema or {"type": "string", "minLength": 1}
    return {"name": name, "in": "path", "required": True, "description": about, "schema": schema}


def query(name: str, about: str, choices: Any = None) -> Described:
    schema = {"type": "string", "enum": list(choices)} if choices else {"type": "string"}
    return {"name": name, "in": "query", "description": about, "schema": schema}


def form(**fields: Described) -> Described:
    return {"type": "object", "properties": {name.replace("_", "-"): field for name, field in fields.items()}}


PLAYS = {  # where a finished game is: the address of a table or of a record, and what it has in it
    "/tables/{table}": path("table", "a table's name"),
    "/records/{record}": path("record", "a record's name"),
}


def step_path() -> Described:
    """The number of a position of a play, in an address."""
    return path("step", "how many actions were played before, from 0", {"type": "integer", "minimum": 0})
