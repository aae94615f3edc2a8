"""The HTTP routes: pages, files, and data for programs."""

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from azulejos import __version__

from . import analysis, arranging, coach, help, host, learn, positions, puzzles, records, review, sharing, start
from .files import Files
from .openapi import JSON, Described, answer, get


def description() -> Described:
    """The OpenAPI description, served at `/openapi.json` and saved in `docs/openapi.json`."""
    this = get("This description.", answers={"200": answer("this", JSON)})
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "azulejos",
            "version": __version__,
            "description": "Tables over HTTP. Plays go over `/tables/{table}/socket`: see docs/protocol.md.",
        },
        "paths": {
            **start.described(),
            **records.described(),
            **analysis.described(),
            **arranging.described(),
            **positions.described(),
            **sharing.described(),
            **coach.described(),
            **learn.described(),
            **review.described(),
            **puzzles.described(),
            **help.described(),
            **host.described(),
            "/openapi.json": this,
        },
    }


async def describe(request: Request) -> Response:
    return JSONResponse(description())


ROUTES: list[BaseRoute] = [
    *start.ROUTES,
    *records.ROUTES,
    *analysis.ROUTES,
    *arranging.ROUTES,
    *positions.ROUTES,
    *sharing.ROUTES,
    *coach.ROUTES,
    *learn.ROUTES,
    *review.ROUTES,
    *puzzles.ROUTES,
    *help.ROUTES,
    *host.ROUTES,
    Route("/openapi.json", describe),
    Mount("/static", Files()),
    Mount("/engine", Files("engine/")),
]


def write_description() -> None:
    print(json.dumps(description(), indent=1, sort_keys=True))
