"""The analysis board: a page on which any position is played on, branch by branch, with the visitor's own engine."""

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from azulejos.core.errors import AzulejosError
from azulejos.core.game import Game
from azulejos.core.language import _, say_error
from azulejos.core.record import Record
from azulejos.core.registry import parse, registered

from .openapi import JSON, MESSAGE, PAGE, TEXT, Described, answer, get, post
from .positions import LONGEST, MOST_ACTIONS
from .rendering import aside, hall_of, page

MOST_MOVES = 1000


class Move(msgspec.Struct, frozen=True):
    """Actions that follow one another, none for a deal alone, and the draws after them, in the notation."""

    actions: Annotated[list[str], msgspec.Meta(max_length=MOST_ACTIONS)]
    draws: str = ""


class Line(msgspec.Struct, frozen=True):
    """A line of the tree: its first position, and its moves."""

    text: Annotated[str, msgspec.Meta(max_length=LONGEST)]
    moves: list[Move]
    names: list[str] = []


async def analysis(request: Request) -> Response:
    return page(request, "analysis.html", kinds=[_options(kind) for kind in registered().values()])


def _options(kind: type[Game]) -> dict[str, object]:
    said = {option.name: kind.say_option(option.name) for option in kind.options} | {"players": _("Players")}
    options = [
        (option.name, said[option.name], [(value, kind.say_choice(value)) for value in option.choices])
        for option in kind.options
    ]
    return {"name": kind.name, "title": _(kind.title), "options": options}


async def record(request: Request) -> Response:
    """A line as a record."""
    try:
        line = msgspec.json.decode(await request.body(), type=Line)
    except msgspec.DecodeError:
        return JSONResponse({"message": _("This is no line of moves.")}, 400)
    if ready := hall_of(request).ready.get(line.text.split(" ", 1)[0]):
        await ready.wait()
    try:
        return PlainTextResponse(await aside(request, _recorded, line))
    except AzulejosError as error:
        return JSONResponse({"message": say_error(error)}, 400)


def _recorded(line: Line) -> str:
    """Raises AzulejosError."""
    start = parse(line.text)
    moves = line.moves[:MOST_MOVES]
    if start.awaits_draw and moves and not moves[0].actions:
        start = start.deal(moves[0].draws)
        moves = moves[1:]
    record = Record(start, line.names)
    for move in moves:
        for number, action in enumerate(move.actions):
            if number and action not in record.state.actions.texts:  # the rules have played it
                continue
            record.play(action)
        if move.draws:
            record.deal(move.draws)
    return str(record)


ROUTES = [Route("/analysis", analysis), Route("/analysis/record", record, methods=["POST"])]


def described() -> dict[str, Described]:
    move = {
        "type": "object",
        "required": ["actions"],
        "properties": {"actions": {"type": "array", "items": {"type": "string"}}, "draws": {"type": "string"}},
    }
    line = {
        "type": "object",
        "required": ["text", "moves"],
        "properties": {
            "text": {"type": "string"},
            "moves": {"type": "array", "items": move},
            "names": {"type": "array", "items": {"type": "string"}},
        },
    }
    answers = {
        "200": answer("a record, as docs/notation.md has it", TEXT),
        "400": answer("what is wrong with it", JSON, schema=MESSAGE),
    }
    return {
        "/analysis": get("The analysis board.", answers=PAGE),
        "/analysis/record": post("A line of moves as a record.", JSON, line, answers),
    }
