"""Any position, without a table: its picture, its legal choices, and what playing one leads to.

`GET /position?text=…` answers with a position as the seat to act would see it (`Position` below). With `action` that is
played first, and the steps of its animation come too; several are played one after another, of which only the first
must be legal, as with `then` of a choice. Draws that follow are taken from `draws`, in the notation, with commas
between several; then from `seed`, an integer or "random"; without it the position waits for them. For `text` a game can
be given, with its options: its first position, before anything is drawn. Analysis, lessons and puzzles are built on
this; `static/study.js` is the page's part.

`/position/line` puts a line of actions, by their numbers, into words and previews. `/position/hints` lets the server
think, for a browser that cannot.
"""

import base64
import secrets
from collections.abc import Callable
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
from azulejos.core.game import Game
from azulejos.core.hand import Closed, Preview, Step
from azulejos.core.language import _, language, say_error
from azulejos.core.registry import kind, parse, registered
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
from .rendering import STATUS, aside, hall_of, visit_of

KEPT = 128  # answers that are remembered
MOST_ACTIONS = 16  # of one request
LONGEST = 2000  # letters of a position's text
LONGEST_NAME = 40
LONGEST_LINE = 12  # actions of a line that are put into words
RANDOM = "random"
Made = tuple[tuple[State, ...], bytes]  # the positions met, and the body of the answer


class Outcome(msgspec.Struct, frozen=True):
    """What may be drawn next, in the notation and in words, with its probability. `shape`: in the picture, or empty."""

    draw: str
    words: str
    shape: str
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


class Follows(msgspec.Struct, frozen=True):
    """An action of a line: its words and its preview, and the projected scores of all seats after it."""

    action: str
    words: str
    seat: int
    preview: Preview
    projected: list[int]


class Asked(msgspec.Struct, frozen=True):
    """A request for a position. `start`: the options of a new game, where there is no text."""

    text: str
    start: tuple[tuple[str, str], ...]
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
        text = given.get("text", "") or given.get("position", "") or given.get("game", "")
        options = registered()[text].options if text in registered() else ()
        return Asked(
            text[:LONGEST],
            tuple((option.name, given[option.name][:LONGEST_NAME]) for option in options if option.name in given),
            tuple(given.getlist("action")[:MOST_ACTIONS]),
            given.get("draws", "")[:LONGEST],
            secrets.randbits(62) if seed == RANDOM else number,
            int(viewer) if viewer.isdecimal() and len(viewer) < 3 else None,
            tuple(name[:LONGEST_NAME] for name in given.getlist("name")[:8]),
            Lens(layout if layout in LAYOUTS else "wide", theme if theme in THEMES else "auto"),
        )

    def state(self) -> State:
        """The position that is asked about. Raises AzulejosError."""
        return kind(self.text).read(self.start).lay_out(0) if self.text in registered() else parse(self.text)

    def said_names(self, game: Game) -> tuple[str, ...]:
        counted = [_("Player {number}").format(number=number + 1) for number in range(game.players)]
        return (*self.names[: game.players], *counted[len(self.names) :])

    def first_seat(self, game: Game) -> int | None:
        return self.viewer if self.viewer is not None and self.viewer < game.players else None


async def position(request: Request) -> Response:
    kept = request.query_params.get("seed") != RANDOM
    return await answered(request, _found if kept else _found.__wrapped__)


async def line(request: Request) -> Response:
    numbers = request.query_params.get("line", "").split(",")[:LONGEST_LINE]
    indices = tuple(int(number) for number in numbers if number.isdecimal() and len(number) < 6)
    return await answered(request, lambda asked, language: _line(asked, indices, language))


async def hints(request: Request) -> Response:
    """The best actions, thought out by the server."""
    hall, who = hall_of(request), who_of(request, visit_of(request).visitor)

    def seen(asked: Asked, _language: str) -> tuple[tuple[State, ...], bytes]:
        return (asked.state(),), b""

    found = await states_of(request, seen)
    if isinstance(found, Response):
        return found
    (state,), _body = found
    if state.seat is None:
        return JSONResponse({"message": _("there is nothing to decide now")}, 400)
    try:
        return JSONResponse({"hints": msgspec.to_builtins(await hall.advice.judge(state.view(state.seat), "", who))})
    except Refusal as refusal:
        return JSONResponse({"message": refusal.message}, STATUS.get(refusal.reason, 400))


async def answered(request: Request, make: Callable[[Asked, str], Made]) -> Response:
    found = await states_of(request, make)
    return found if isinstance(found, Response) else Response(found[1], media_type=JSON)


async def states_of(request: Request, make: Callable[[Asked, str], Made]) -> "Made | Response":
    """What is made of a request beside the event loop. A position that people play now is refused: an engine could help
    one of them."""
    hall, asked = hall_of(request), Asked.of(request.query_params)
    who = who_of(request, visit_of(request).visitor)
    if not hall.positions.allows(who):
        return JSONResponse({"message": _("Too much is sent from your address; wait for a minute.")}, 429)
    if ready := hall.ready.get(asked.text.split(" ", 1)[0]):
        await ready.wait()
    try:
        made = await aside(request, make, asked, language())
    except AzulejosError as error:
        return JSONResponse({"message": say_error(error)}, 400)
    except Refusal as refusal:
        return JSONResponse({"message": refusal.message}, STATUS.get(refusal.reason, 400))
    if hall.contested(made[0]):
        return JSONResponse({"message": _("People play this position now. Look at it when their game is over.")}, 400)
    return made


@lru_cache(1024)
def _line(asked: Asked, indices: tuple[int, ...], language: str) -> Made:
    """As far as the line is legal, and nothing is drawn."""
    before = state = asked.state()
    follows = list[Follows]()
    for index in indices:
        seat, legal = state.seat, [int(action) for action in state.actions]
        if seat is None or index not in legal:
            break
        preview = state.game.previews(state)[legal.index(index)]
        action, words = str(state.game.action(index)), state.game.say_move(state, index)
        state = state.play(index)
        follows.append(Follows(action, words, seat, preview, list(state.projected)))
    return (before,), msgspec.json.encode(follows)


@lru_cache(KEPT)
def _found(asked: Asked, language: str) -> Made:
    """The words are in a language. Raises AzulejosError."""
    before = asked.state()
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
    for outcome in chain(*(game.read_draws(draws) for draws in asked.draws.split(",") if draws)):
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
    names, viewer = asked.said_names(game), asked.first_seat(game)
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
        more = {"draws": [_outcome(state, drawn, chance) for drawn, chance in state.chances().items()]}
    return Position(
        text=str(state),
        game=game.name,
        options=game.chosen_texts,
        names=list(names),
        turn=seat,
        status=status,
        round=state.round,
        scores=list(state.scores),
        projected=list(state.projected),
        board="".join(draw(state, names, viewer, asked.lens, language())),
        played=played,
        **more,
    )


def _outcome(state: State, drawn: int, chance: float) -> Outcome:
    """A tile is said by its colour, anything else as the notation has it."""
    game, text = state.game, state.game.print_draws([drawn])
    colours = getattr(game.modules.find("tables"), "COLOURS", ())
    for event in game.story(state, None, (drawn,)):
        if event.kind == "deal" and event.values["colour"] < len(colours):
            colour = colours[event.values["colour"]]
            return Outcome(text, _(colour, game.name), f"tile-{colour}", chance)
    return Outcome(text, text, "", chance)


LENS = [  # how a picture is wanted
    query("viewer", "the seat whose board comes first"),
    query("name", "of a player; one for each seat"),
    query("layout", "of the picture", LAYOUTS),
    query("theme", "of the picture", THEMES),
]
WHY_NOT = {
    "400": answer("what is wrong with it", JSON, schema=MESSAGE),
    "429": answer("why not now", JSON, schema=MESSAGE),
}
ROUTES = [
    Route("/position", position),
    Route("/position/line", line),
    Route("/position/hints", hints),
]


def described() -> dict[str, Described]:
    required = [field.name for field in msgspec.structs.fields(Position) if field.required]
    texts = ("text", "game", "status", "board", "ask", "view", "result")
    found = {"type": "object", "required": required, "properties": dict.fromkeys(texts, WORD)}
    text = {**query("text", "a position, as docs/notation.md has it"), "required": True}
    asked = [
        query("text", "a position, as docs/notation.md has it"),
        query("game", "for a text: a new game, whose options are given too"),
        query("action", "an action to play first; several may be given"),
        query("draws", "what is drawn then, in the notation, with commas between several"),
        query("seed", 'where further draws come from: an integer, or "random"; without it they are awaited'),
        *LENS,
    ]
    words = {"200": answer("the actions in words, with previews", JSON, schema={"type": "array"}), **WHY_NOT}
    best = {"200": answer("the best actions", JSON, schema={"type": "object", "required": ["hints"]}), **WHY_NOT}
    numbers = query("line", "actions by their numbers, with commas between them")
    return {
        "/position": get(
            "Any position: its picture, its choices, what playing leads to.",
            *asked,
            answers={"200": answer("the position", JSON, schema=found), **WHY_NOT},
        ),
        "/position/line": get("A line of actions in words.", text, numbers, answers=words),
        "/position/hints": get("The best actions in a position.", text, answers=best),
    }
