"""A position that is set up by hand: a tile put or taken off, whose turn it is, scores; what is still wrong with it."""

import re
from collections.abc import Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.language import _
from azulejos.core.registry import kind
from azulejos.core.state import State
from azulejos.games.arranging import settle

from ..live.view import draw
from .openapi import JSON, MESSAGE, Described, answer, get, query
from .positions import LENS, Asked, Made, answered

NUMBERS = ("round", "seat", "start")  # of the head, that can be set
MOST_DIGITS = 4  # of a number that is set


class Piece(msgspec.Struct, frozen=True):
    """What can be put: its letter, its words, its shape in the picture."""

    letter: str
    words: str
    shape: str


class Arranged(msgspec.Struct, frozen=True):
    """A position while it is set up. `wrong`: what is impossible about it, in the library's words, or empty."""

    text: str
    board: str
    wrong: str
    pieces: list[Piece]
    names: list[str]
    round: int
    seat: int
    start: int
    scores: list[int]


async def arranged(request: Request) -> Response:
    given = dict(request.query_params)
    return await answered(request, lambda asked, language: _arranged(asked, given, language))


def _arranged(asked: Asked, given: Mapping[str, str], language: str) -> Made:
    """Raises AzulejosError for what cannot be written at all."""
    found = kind(asked.text.split(" ", 1)[0])
    text = _edit(found, asked.text, given)
    game, position = found.parse_state(text)
    state = State(game, position)
    names = asked.said_names(game)
    numbers = {
        name: int(number) for name, number in re.findall(r"\b(round|seat|start) (\d+)", str(state).split("|")[0])
    }
    told = Arranged(
        text=str(state),
        board="".join(draw(state, names, asked.first_seat(game), asked.lens, language)),
        wrong=game.check(state) or "",
        pieces=_pieces(game),
        names=list(names),
        round=numbers["round"],
        seat=numbers.get("seat", numbers["start"]),
        start=numbers["start"],
        scores=list(state.scores),
    )
    return (state,), msgspec.json.encode(told)


def _pieces(game: Game) -> list[Piece]:
    tables, module = game.modules.find("tables"), game.modules.find("arranging")
    colours = zip(tables.LETTERS, tables.COLOURS, strict=True)
    pieces = [Piece(letter, _(colour, game.name), f"tile-{colour}") for letter, colour in colours]
    marker = getattr(module, "MARKER", "")
    return [*pieces, Piece(marker, _("start marker"), "tile-marker")] if marker else pieces


def _edit(found: type[Game], text: str, given: Mapping[str, str]) -> str:
    """The text of a position after what is asked for."""
    module = found.modules.find("arranging", "arrange")
    if module is None:
        raise OptionError(f"positions of {found.name} cannot be set up by hand; write their text")
    fields = text.split(" | ")
    if place := given.get("place", ""):
        try:
            moved = module.arrange(fields, place.split("."), given.get("piece", "")[:1])
        except (ValueError, IndexError):
            raise OptionError(f"there is no place {place!r} for a tile here") from None
        settle(fields, module.STORES, moved, found.modules.find("tables").LETTERS)
    for name in NUMBERS:
        if (number := given.get(name, "")).isdecimal() and len(number) <= MOST_DIGITS:
            if name == "seat":
                fields[0] = re.sub(r"\bdeal( awaits \w+)?", module.TURN.format(seat=number), fields[0])
            fields[0] = re.sub(rf"\b{name} \d+", f"{name} {int(number)}", fields[0])
    scores = given.get("scores", "").split(",") if given.get("scores") else []
    for score, k in zip(reversed(scores), range(len(fields) - 1, 0, -1), strict=False):
        if score.isdecimal() and len(score) <= MOST_DIGITS:
            fields[k] = re.sub(r"^\d+", str(int(score)), fields[k])
    return " | ".join(fields)


ROUTES = [Route("/position/arranged", arranged)]


def described() -> dict[str, Described]:
    asked = [
        {**query("text", "a position, which may be impossible"), "required": True},
        query("place", "where a tile is put, or taken off: an id of the picture"),
        query("piece", "the letter of the tile that is put; none: one is taken off"),
        query("round", "its number"),
        query("seat", "whose turn it is"),
        query("start", "who started the round"),
        query("scores", "of all seats, with commas between them"),
        *LENS,
    ]
    answers = {
        "200": answer(
            "the position, and what is wrong with it", JSON, schema={"type": "object", "required": ["wrong"]}
        ),
        "400": answer("why it cannot be written", JSON, schema=MESSAGE),
        "429": answer("why not now", JSON, schema=MESSAGE),
    }
    return {"/position/arranged": get("A position that is set up by hand.", *asked, answers=answers)}
