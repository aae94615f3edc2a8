"""The coach's words about any position: what actions do, and why one line is better than another.

`GET /coach?text=…&action=A&action=B` answers `{"facts": {"A": "completes line 3 +4, start marker taken −1", …}}`, in
the visitor's language; nothing is searched. With `line` and `better`, actions separated by spaces, it also answers
`why`, a sentence, and both lines to the end of the round (`said_line`), as `line` and `better`; `name`, once a seat, is
what the players are called. Hints at a table, the analysis and the puzzles ask here.
"""

from functools import lru_cache
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from azulejos.core.action import Action
from azulejos.core.errors import AzulejosError
from azulejos.core.language import _, language, say_error
from azulejos.core.registry import parse
from azulejos.core.state import State
from azulejos.review import coach

from ..live.visitors import who_of
from .openapi import JSON, Described, answer, get, query
from .positions import LONGEST, LONGEST_NAME, WHY_NOT
from .rendering import aside, hall_of, visit_of

KEPT = 256  # answers that are remembered
MOST = 8  # actions of one request
LONGEST_LINE = 24  # actions of a line that are told


async def words(request: Request) -> Response:
    """Handles a request. A position at which people play now is refused: no help there."""
    hall, given = hall_of(request), request.query_params
    if not hall.positions.allows(who_of(request, visit_of(request).visitor)):
        return JSONResponse({"message": _("Too much is sent from your address; wait for a minute.")}, 429)
    if ready := hall.ready.get(given.get("text", "").split(" ", 1)[0]):
        await ready.wait()
    try:
        state, told = await aside(request, _told, _asked(given), language())
    except AzulejosError as error:
        return JSONResponse({"message": say_error(error)}, 400)
    if hall.contested([state]):
        return JSONResponse({"message": _("People play this position now. Look at it when their game is over.")}, 400)
    return JSONResponse(told)


Asked = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def _asked(given: QueryParams) -> Asked:
    """The position, actions, both lines, and names."""
    line, better = (tuple(given.get(key, "").split()[:LONGEST_LINE]) for key in ("line", "better"))
    names = tuple(name[:LONGEST_NAME] for name in given.getlist("name")[:8])
    return given.get("text", "")[:LONGEST], tuple(given.getlist("action")[:MOST]), line, better, names


@lru_cache(KEPT)
def _told(asked: Asked, language: str) -> tuple[State, dict[str, Any]]:
    """Raises AzulejosError."""
    text, actions, *lines, given = asked
    state = parse(text)
    told: dict[str, Any] = {"facts": {str(one): coach.say_facts(state, one) for one in _legal(state, actions)}}
    if all(lines):
        line, better = (_legal(state, one[:1]) + [state.game.action(text) for text in one[1:]] for one in lines)
        counted = [_("Player {number}").format(number=number + 1) for number in range(state.game.players)]
        names = [*given[: state.game.players], *counted[len(given) :]]
        told["why"] = coach.explain(state, line, better, names)
        told["line"], told["better"] = (said_line(state, one, names) for one in (line, better))
    return state, told


def _legal(state: State, actions: tuple[str, ...]) -> list[Action]:
    """The actions, each of which must be legal in the position. Raises AzulejosError."""
    found = [state.game.action(text) for text in actions]
    for action in found:
        state.play(action)
    return found


def said_line(state: State, line: list[Action] | tuple[Action, ...], names: list[str]) -> dict[str, Any]:
    """A line to the end of the round: its first action and what that does at once, its turns in words, each with the
    scores if the round ended there, how many of them were given (the rest is the greedy player's), and what everybody
    scored."""
    found = coach.play_out(state, line)
    return {
        "action": str(line[0]),
        "words": state.game.say_move(state, int(line[0])),
        "facts": coach.say_facts(state, line[0]),
        "line": [
            {"seat": turn.seat, "name": names[turn.seat], "words": turn.action.words, "projected": turn.projected}
            for turn in found.turns[:LONGEST_LINE]
        ],
        "expected": found.expected,
        "gained": [coach.signed(after - before) for after, before in zip(found.scores, state.scores, strict=True)],
    }


ROUTES = [Route("/coach", words)]


def described() -> dict[str, Described]:
    found = answer("the words", JSON, schema={"type": "object", "required": ["facts"]})
    return {
        "/coach": get(
            "What actions do, and why one line is better than another.",
            {**query("text", "a position, as docs/notation.md has it"), "required": True},
            query("action", "an action to say something about; several may be given"),
            query("line", "how play went on, actions separated by spaces"),
            query("better", "how it should have"),
            query("name", "of a player; one for each seat"),
            answers={"200": found, **WHY_NOT},
        )
    }
