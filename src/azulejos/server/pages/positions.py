"""Any position, without a table: its picture, its legal choices, and what playing one leads to.

`GET /position?text=…` answers with a position as the seat to act would see it (`Position` below). With `action` that is
played first, and the steps of its animation come too; several are played one after another, of which only the first
must be legal, as with `then` of a choice. Draws that follow are taken from `draws`, one or more in the notation; then
from `seed`, an integer or "random"; without it the position waits for them. Analysis, lessons and puzzles are built on
this; `static/study.js` is the page's part.
"""

import base64
import secrets
from functools import lru_cache
from itertools import chain
from typing import Any

import msgspec
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from azulejos.core.action import Action
from azulejos.core.errors import AzulejosError
from azulejos.core.hand import Closed, Step
from azulejos.core.language import _, language, say_error
from azulejos.core.registry import parse
from azulejos.core.state import State
from azulejos.drawing.scene import LAYOUTS
from azulejos.drawing.theme import THEMES
from azulejos.drawing.words import say_scores
from azulejos.tables import Refusal
from azulejos.wasm.modules import path

from ..live.messages import Choice
from ..live.view import Lens, choices, draw
from ..live.visitors import who_of
from .openapi import JSON, MESSAGE, WORD, Described, answer, get, query
from .records import aside
from .rendering import STATUS, hall_of, visit_of

KEPT = 128  # answers that are remembered
MOST_ACTIONS = 16  # of one request
LONGEST = 2000  # letters of a position's text
LONGEST_NAME = 40
RANDOM = "random"


class Outcome(msgspec.Struct, frozen=True):
    """What may be drawn next, in the notation, and its probability."""

    draw: str
    chance: float


class Played(msgspec.Struct, frozen=True):
    """What was played and drawn on the way to a position: in the notation, in words, and the steps of its animation."""

    actions: list[str]
    words: str
    seat: int | None
    draws: str
    steps: list[Step]


class Position(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position. `turn`: the seat to act. `ask`, `choices`, `closed`, `actions` and `view` are as in `Now`.

    `draws`: what may be drawn, where a draw is due. `winners`, `result`: of a game that is over.
    """

    text: str
    game: str
    options: dict[str, str]
    names: list[str]
    turn: int | None
    status: str
    round: int
    scores: list[int]
    projected: list[int]
    board: str
    ask: str = ""
    actions: list[str] = []
    choices: list[Choice] = []
    closed: list[Closed] = []
    view: str = ""
    draws: list[Outcome] = []
    winners: list[int] = []
    result: str = ""
    played: Played | None = None


class Asked(msgspec.Struct, frozen=True):
    """A request for a position."""

    text: str
    actions: tuple[str, ...]
    draws: str
    seed: int | None
    viewer: int | None
    names: tuple[str, ...]
    lens: Lens

    @staticmethod
    def of(given: QueryParams) -> "Asked":
        seed, viewer, theme = given.get("seed", ""), given.get("viewer", ""), given.get("theme", "auto")
        layout = given.get("layout", "wide")
        number = int(seed) if seed.isdecimal() and len(seed) < 19 else None
        return Asked(
            given.get("text", "")[:LONGEST],
            tuple(given.getlist("action")[:MOST_ACTIONS]),
            given.get("draws", "")[:LONGEST],
            secrets.randbits(62) if seed == RANDOM else number,
            int(viewer) if viewer.isdecimal() and len(viewer) < 3 else None,
            tuple(name[:LONGEST_NAME] for name in given.getlist("name")[:8]),
            Lens(layout if layout in LAYOUTS else "wide", theme if theme in THEMES else "auto"),
        )


async def position(request: Request) -> Response:
    """Handles a request. A position at which people play now is refused: an engine could help one of them."""
    hall, asked = hall_of(request), Asked.of(request.query_params)
    who = who_of(request, visit_of(request).visitor)
    if not hall.positions.allows(who):
        return JSONResponse({"message": _("Too much is sent from your address; wait for a minute.")}, 429)
    if ready := hall.ready.get(asked.text.split(" ", 1)[0]):
        await ready.wait()
    found = _found.__wrapped__ if request.query_params.get("seed") == RANDOM else _found
    try:
        states, body = await aside(request, found, asked, language())
    except AzulejosError as error:
        return JSONResponse({"message": say_error(error)}, 400)
    except Refusal as refusal:
        return JSONResponse({"message": refusal.message}, STATUS.get(refusal.reason, 400))
    if hall.contested(states):
        return JSONResponse({"message": _("People play this position now. Look at it when their game is over.")}, 400)
    return Response(body, media_type=JSON)


@lru_cache(KEPT)
def _found(asked: Asked, language: str) -> tuple[tuple[State, ...], bytes]:
    """The states met, and the answer; its words are in a language. Raises AzulejosError."""
    before = parse(asked.text)
    state, played = _play(before, asked)
    return (before, state), msgspec.json.encode(_told(state, asked, played))


def _play(before: State, asked: Asked) -> tuple[State, Played | None]:
    """The position after the actions and draws that are asked for."""
    state, game, turns = before, before.game, list[tuple[State, Action]]()
    for action in map(game.action, asked.actions):
        if turns and action not in state.actions:  # the rules have played it
            continue
        turns.append((state, action))
        state = state.play(action)
    waiting, drawn = state, list[int]()
    for outcome in game.read_draws(asked.draws) if asked.draws else ():
        state = state.draw(outcome)
        drawn.append(outcome)
    if state.awaits_draw and asked.seed is not None:
        state = state.deal(seed=asked.seed)
        drawn += state.drawn
    if not turns and not drawn:
        return state, None
    stories = [game.steps(origin, game.story(origin, action)) for origin, action in turns[:-1]]
    origin, last = turns[-1] if turns else (waiting, None)
    stories.append(game.steps(origin, game.story(origin, last, drawn)))
    words = " · ".join(game.say_move(origin, int(action)) for origin, action in turns)
    actions = [str(action) for _state, action in turns]
    return state, Played(actions, words, before.seat, game.print_draws(drawn), [*chain(*stories)])


def _told(state: State, asked: Asked, played: Played | None) -> Position:
    game, seat = state.game, state.seat
    counted = [_("Player {number}").format(number=number + 1) for number in range(game.players)]
    names = [*asked.names[: game.players], *counted[len(asked.names) :]]
    viewer = asked.viewer if asked.viewer is not None and asked.viewer < game.players else None
    outcome, more = state.outcome, dict[str, Any]()
    if seat is not None:
        ask = game.ask(state)
        status = _("{name}: {ask}").format(name=names[seat], ask=ask)
        more = {"ask": ask, "actions": list(state.actions.texts), "choices": list(choices(state))}
        more["closed"] = game.closed(state)
        if path(game.name).exists():
            more["view"] = base64.b64encode(state.view(seat).position).decode()
    elif outcome:
        winners = [names[seat] for seat in outcome.winners]
        words = _("{name} wins, {scores}") if len(winners) == 1 else _("{names} share the victory, {scores}")
        status = words.format(name=winners[0], names=", ".join(winners), scores=say_scores(outcome))
        more = {"winners": list(outcome.winners), "result": status}
    else:
        status = _("A draw is due")
        more = {"draws": [Outcome(game.print_draws([drawn]), chance) for drawn, chance in state.chances().items()]}
    return Position(
        text=str(state),
        game=game.name,
        options=game.chosen_texts,
        names=names,
        turn=seat,
        status=status,
        round=state.round,
        scores=list(state.scores),
        projected=list(state.projected),
        board=draw(state, tuple(names), viewer, asked.lens, language()),
        played=played,
        **more,
    )


ROUTES = [Route("/position", position)]


def described() -> dict[str, Described]:
    required = [field.name for field in msgspec.structs.fields(Position) if field.required]
    words = ("text", "game", "status", "board", "ask", "view", "result")
    found = {"type": "object", "required": required, "properties": dict.fromkeys(words, WORD)}
    asked = [
        {**query("text", "a position, as docs/notation.md has it"), "required": True},
        query("action", "an action to play first; several may be given"),
        query("draws", "what is drawn then, in the notation"),
        query("seed", 'where further draws come from: an integer, or "random"; without it they are awaited'),
        query("viewer", "the seat whose board comes first"),
        query("name", "of a player; one for each seat"),
        query("layout", "of the picture", LAYOUTS),
        query("theme", "of the picture", THEMES),
    ]
    answers = {
        "200": answer("the position", JSON, schema=found),
        "400": answer("what is wrong with it", JSON, schema=MESSAGE),
        "429": answer("why not now", JSON, schema=MESSAGE),
    }
    return {"/position": get("Any position: its picture, its choices, what playing leads to.", *asked, answers=answers)}
