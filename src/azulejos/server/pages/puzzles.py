"""Puzzles: an overview, a page on which they are solved, and the check of a try.

The page is told the names, ratings and themes of all puzzles, and the position of one; the answer only after a try.
"""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from azulejos.core.errors import AzulejosError
from azulejos.core.game import Game
from azulejos.core.language import _, language, ngettext
from azulejos.core.registry import registered
from azulejos.puzzles import Puzzle, of_the_day, puzzles
from azulejos.puzzles.rating import NEW, Rating, after
from azulejos.puzzles.themes import all_themes
from azulejos.review import coach
from azulejos.tables import Refusal

from ..live.visitors import who_of
from .openapi import JSON, MESSAGE, MISSING, PAGE, Described, answer, get, path, query
from .rendering import STATUS, aside, hall_of, not_found, page, visit_of

TODAY = "today"
KEPT = 512  # answers that are remembered


def _day() -> str:
    return datetime.now(UTC).date().isoformat()


def _games() -> list[type[Game]]:
    return [kind for kind in registered().values() if puzzles(kind.name)]


async def overview(request: Request) -> Response:
    """The games with puzzles, their themes, and the puzzles of the day."""
    day = datetime.now(UTC).date()
    counts = {kind: len(puzzles(kind.name)) for kind in _games()}
    games = [
        {
            "kind": kind,
            "count": count,
            "said": ngettext("{n} puzzle", "{n} puzzles", count).format(n=count),
            "today": of_the_day(kind.name, day),
            "themes": _counted(kind),
        }
        for kind, count in counts.items()
    ]
    return page(request, "puzzles.html", games=games, day=day.isoformat())


def _counted(kind: type[Game]) -> list[tuple[str, int]]:
    """The themes of a game's puzzles, and how many of them each has."""
    counts = {theme: sum(theme in one.themes for one in puzzles(kind.name).values()) for theme in all_themes(kind)}
    return [(theme, count) for theme, count in counts.items() if count]


async def solve(request: Request) -> Response:
    """The page of a game's puzzles; the address may name one of them."""
    kind, name = registered().get(request.path_params["game"]), request.path_params.get("name", "")
    if kind is None or not puzzles(kind.name):
        return not_found(request, _("There are no puzzles of this game."))
    today = of_the_day(kind.name, datetime.now(UTC).date())
    assert today
    if name == TODAY:
        return RedirectResponse(f"/puzzles/{kind.name}/{today.name}", 303)
    if name and name not in puzzles(kind.name):
        return not_found(request, _("There is no such puzzle."))
    listed = [[one.name, round(one.rating), list(one.themes)] for one in puzzles(kind.name).values()]
    themes = [(theme, count) for theme, count in _counted(kind)]
    values = {"kind": kind, "name": name, "today": today.name, "day": _day(), "listed": listed, "themes": themes}
    return page(request, "puzzle.html", **values)


def _puzzle(request: Request) -> Puzzle | None:
    return puzzles(request.path_params["game"]).get(request.path_params["name"])


async def ask(request: Request) -> Response:
    """A puzzle without its answer."""
    puzzle = _puzzle(request)
    if puzzle is None:
        return not_found(request, _("There is no such puzzle."))
    state = puzzle.state
    names = [_("You") if seat == state.seat else _("Opponent") for seat in range(state.game.players)]
    told = {"name": puzzle.name, "position": puzzle.position, "seat": state.seat, "names": names}
    return JSONResponse({**told, "rating": round(puzzle.rating), "round": state.round})


async def attempt(request: Request) -> Response:
    """Is this the best action? With the right one, or with none (to give up), the answer; and the visitor's rating."""
    puzzle, given = _puzzle(request), request.query_params
    if puzzle is None:
        return not_found(request, _("There is no such puzzle."))
    hall, action = hall_of(request), given.get("action", "")
    if not hall.positions.allows(who_of(request, visit_of(request).visitor)):
        return JSONResponse({"message": _("Too much is sent from your address; wait for a minute.")}, 429)
    try:
        if action:
            puzzle.state.play(action)
        found = await aside(request, _told, puzzle.state.game.name, puzzle.name, action, language())
    except AzulejosError:
        return JSONResponse({"message": _("the rules do not allow this here")}, 400)
    except Refusal as refusal:
        return JSONResponse({"message": refusal.message}, STATUS.get(refusal.reason, 400))
    mine = _rating(given.get("rating", ""), given.get("deviation", ""))
    if mine:
        new, _other = after(mine, Rating(puzzle.rating, puzzle.deviation), found["right"])
        found = {**found, "rating": round(new.rating, 1), "deviation": round(new.deviation, 1)}
    return JSONResponse(found)


def _rating(rating: str, deviation: str) -> Rating | None:
    """What a visitor's browser says its rating is, if it says so."""
    try:
        found = Rating(float(rating[:20]), float(deviation[:20]))
    except ValueError:
        return None
    return found if 0 <= found.rating <= 4000 and 1 <= found.deviation <= NEW.deviation else None


@lru_cache(KEPT)
def _told(game: str, name: str, action: str, spoken: str) -> dict[str, Any]:
    """What is said to a try; in a language."""
    puzzle = puzzles(game)[name]
    if action == puzzle.best or not action:
        return {"right": bool(action), "answer": _answer(puzzle)}
    chance = puzzle.answers.get(action)
    best = puzzle.answers[puzzle.best].chance
    words = puzzle.state.game.say_move(puzzle.state, int(puzzle.state.game.action(action)))
    if chance:
        said = _("{words} gives away {loss} of the win chance.").format(
            words=words, loss=_percent(best - chance.chance)
        )
    else:
        said = _("{words} is weaker: a long search put it aside early.").format(words=words)
    facts = ", ".join(coach.facts(puzzle.state, puzzle.state.game.action(action)))
    return {"right": False, "said": said, "facts": facts}


def _answer(puzzle: Puzzle) -> dict[str, Any]:
    state, game = puzzle.state, puzzle.state.game
    names = [_("You") if seat == state.seat else _("Opponent") for seat in range(game.players)]
    best = puzzle.line(puzzle.best)
    others = []
    for action, found in puzzle.answers.items():
        index = int(game.action(action))
        why = "" if action == puzzle.best else coach.explain(state, puzzle.line(action), best, names)
        facts = ", ".join(coach.facts(state, game.action(action)))
        others.append(
            {
                "action": action,
                "words": game.say_move(state, index),
                "chance": _percent(found.chance),
                "facts": facts,
                "why": why,
            }
        )
    anchors = all_themes(type(game))
    return {
        "best": puzzle.best,
        "words": others[0]["words"],
        "why": others[1]["why"],
        "answers": others,
        "line": _line(puzzle, names),
        "themes": [[_(theme), anchors[theme]] for theme in puzzle.themes],
        "exact": puzzle.exact,
        "levels": [[_(level, "player"), _percent(share)] for level, share in puzzle.solved.items()],
    }


def _line(puzzle: Puzzle, names: list[str]) -> list[str]:
    """How play was expected to go on, in words, as far as nothing is drawn."""
    said, now = list[str](), puzzle.state
    for action in puzzle.line(puzzle.best):
        if now.seat is None or action not in now.actions:
            break
        words = now.game.say_move(now, int(action))
        said.append(_("{name}: {what}").format(name=names[now.seat], what=words))
        now = now.play(action)
    return said


def _percent(share: float) -> str:
    return _("{percent} %").format(percent=round(100 * share))


ROUTES = [
    Route("/puzzles", overview),
    Route("/puzzles/{game}", solve),
    Route("/puzzles/{game}/{name}", solve),
    Route("/puzzles/{game}/{name}/position", ask),
    Route("/puzzles/{game}/{name}/try", attempt),
]


def described() -> dict[str, Described]:
    game, name = path("game", "its name"), path("name", f'of a puzzle, or "{TODAY}"')
    told = {"200": answer("what is known", JSON, schema={"type": "object"}), **MISSING}
    why_not = {"400": answer("why not", JSON, schema=MESSAGE), "429": answer("why not now", JSON, schema=MESSAGE)}
    rated = [query("rating", "of the visitor, to be told the new one"), query("deviation", "of that rating")]
    today = {"303": answer("the puzzle of the day is at `location`")}
    return {
        "/puzzles": get("The games with puzzles.", answers=PAGE),
        "/puzzles/{game}": get("The puzzles of a game.", game, answers={**PAGE, **MISSING}),
        "/puzzles/{game}/{name}": get("A puzzle.", game, name, answers={**PAGE, **today, **MISSING}),
        "/puzzles/{game}/{name}/position": get("A puzzle without its answer.", game, name, answers=told),
        "/puzzles/{game}/{name}/try": get(
            "Is an action the best? With the best, or with none, the answer.",
            *(game, name, query("action", "in the notation; without it the answer is told"), *rated),
            answers={**told, **why_not},
        ),
    }
