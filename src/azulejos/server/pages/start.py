"""The start page, lists of tables, and opening one."""

import contextlib
import functools
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from azulejos.core import registry
from azulejos.core.errors import AzulejosError
from azulejos.core.game import Game
from azulejos.core.language import _, say_error
from azulejos.core.registry import registered, restore
from azulejos.tables import LATER, Chair, Phase, Reason, Refusal, Seat, Table, checked_name

from ..live.hall import new_word
from ..live.names import DEFAULT, offered, say_seat
from ..live.view import say_time
from ..live.visitors import who_of
from ..storage import Summary, Unavailable
from .entries import ENTRIES
from .openapi import FORM, PAGE, REFUSED, WORD, Described, answer, form, get, post
from .rendering import STATUS, form_of, hall_of, page, visit_of

CLAIMS = (300, 1800, 86400)  # seconds of absence after which a win can be claimed, as they are offered
CLAIM = 1800


async def start(request: Request) -> Response:
    """The start page: two clicks to a game against the computer."""
    hall, visit = hall_of(request), visit_of(request)
    mine = _list(await hall.store.tables_of(visit.visitor), visit.visitor)
    going = [table for table in mine if table["phase"] == Phase.PLAYING]
    return page(
        request,
        "start.html",
        going=next((table for table in going if table["yours"]), going[0] if going else None),
        progress=[await entry.progress(request) if entry.progress else "" for entry in ENTRIES],
        name=await hall.store.name(visit.visitor),
        kinds=[_kind(kind) for kind in registered().values()],
        players=offered(),
        default=DEFAULT,
        claims={seconds: say_time(seconds) for seconds in CLAIMS},
        claim=CLAIM,
        ready=all(event.is_set() for event in hall.ready.values()),
        mine=mine[:8],
        public=_list(await hall.store.public_tables(8), visit.visitor),
    )


async def tables(request: Request) -> Response:
    """All my tables, and all that anybody may join."""
    hall, visit = hall_of(request), visit_of(request)
    return page(
        request,
        "tables.html",
        mine=_list(await hall.store.tables_of(visit.visitor), visit.visitor),
        public=_list(await hall.store.public_tables(), visit.visitor),
    )


def _kind(kind: type[Game]) -> dict[str, Any]:
    """A game as the start page offers it."""
    players = next((option for option in kind.options if option.name == "players"), None)
    return {
        "name": kind.name,
        "title": _(kind.title),
        "about": kind.sentence(),
        "picture": Markup(_emblem(kind)),
        "coached": bool(kind.tips()),
        "options": [
            (option.name, kind.say_option(option.name), [(value, kind.say_choice(value)) for value in option.choices])
            for option in kind.options
            if option.name != "players"
        ],
        "counts": list(players.choices) if players else [kind().players],
    }


@functools.cache
def _emblem(kind: type[Game]) -> str:
    return kind.emblem() or ""


def _list(summaries: Sequence[Summary], visitor: str) -> list[dict[str, Any]]:
    """All but those of games and options that are not here any more."""
    found = []
    for summary in summaries:
        with contextlib.suppress(AzulejosError):
            found.append(_listed(summary, visitor))
    return found


def _listed(summary: Summary, visitor: str) -> dict[str, Any]:
    mine = [seat for seat, owner in enumerate(summary.owners) if owner == visitor]
    seats = tuple(map(Seat, summary.names, summary.owners, summary.players))
    game = restore(summary.game, summary.options)
    table = Table(summary.id, game, seats, seed="")
    return {
        "id": summary.id,
        "title": _(game.title),
        "names": [say_seat(table, seat, mine) for seat in range(len(seats))],
        "scores": summary.scores,
        "yours": summary.turn in mine,
        "phase": summary.phase,
        "result": _say_result(summary.winners, mine),
        "changed": datetime.fromtimestamp(summary.changed, UTC),
    }


def _say_result(winners: Sequence[int], mine: Sequence[int]) -> str:
    """How a game ended for a visitor; "" if that cannot be said, as for both seats of one screen."""
    if len(mine) != 1 or not winners:
        return ""
    if mine[0] not in winners:
        return _("lost")
    return _("won") if len(winners) == 1 else _("victory shared")


async def open_table(request: Request) -> Response:
    """Open a table from the form."""
    hall, visit = hall_of(request), visit_of(request)
    form = await form_of(request)
    try:
        game = _game_of(form)
        name = form.get("name", "").strip()
        if name:
            checked_name(name)
        chairs = _chairs(form, game, visit.visitor, name)
        who = who_of(request, visit.visitor)
        table = await hall.open(game, chairs, form.get("public") == "yes", who, _claim_after(form))
    except Unavailable:
        raise
    except (AzulejosError, Refusal) as error:
        status = STATUS.get(error.reason, 400) if isinstance(error, Refusal) else 400
        said = error.message if isinstance(error, Refusal) else say_error(error)
        return page(request, "message.html", status, title=_("This table cannot be set"), said=said)
    if name:
        await hall.store.save_name(visit.visitor, name)
    coach = "#coach" if form.get("coach") == "yes" else ""
    return RedirectResponse(f"/tables/{table.id}{coach}", 303)


def _claim_after(form: dict[str, str]) -> int:
    """The seconds of absence after which a win can be claimed; 0 for never."""
    text = form.get("claim", "") or "0"
    if not re.fullmatch("[0-9]{1,7}", text):
        raise Refusal(Reason.MALFORMED, _("the absence after which a win can be claimed is a number of seconds"))
    return int(text)


def _game_of(form: dict[str, str]) -> Game:
    name = form.get("game", "")
    options = registry.kind(name).options
    return restore(name, {option.name: form[option.name] for option in options if option.name in form})


def _chairs(form: dict[str, str], game: Game, visitor: str, name: str) -> list[Chair]:
    """Who sits where: `seat-0=me`, `friend`, or a computer player's name; by default me against computers."""
    chairs: list[Chair] = []
    for seat in range(game.players):
        who = form.get(f"seat-{seat}", "me" if seat == 0 else form.get("player", DEFAULT))
        if who == "me":
            first = not any(chair.owner for chair in chairs)
            nonce = LATER if form.get("nonce") == LATER else ""
            chairs.append(Chair(form.get(f"name-{seat}", "").strip() or (name if first else ""), visitor, nonce=nonce))
        elif who == "friend":
            chairs.append(Chair(invitation=new_word()))
        else:
            chairs.append(Chair(player=who))
    return chairs


ROUTES = [Route("/", start), Route("/tables", tables), Route("/tables", open_table, methods=["POST"])]


def described() -> dict[str, Described]:
    seats = {f"seat_{seat}": {**WORD, "description": "me, friend, or a computer player"} for seat in range(4)}
    names = {f"name_{seat}": {**WORD, "description": "the name of a seat that is mine"} for seat in range(4)}
    options = {option.name: WORD for kind in registered().values() for option in kind.options}
    game = {**WORD, "enum": list(registered())}
    later = {"enum": [LATER], "description": "the game begins once I have added a nonce to its seed (`add nonce`)"}
    ticks = {"public": {"enum": ["yes"]}, "coach": {"enum": ["yes"]}}
    absence = {"type": "integer", "description": "seconds of absence after which a win can be claimed; 0 for never"}
    opening = form(game=game, name=WORD, **ticks, nonce=later, claim=absence, **options, **seats, **names)
    return {
        "/": get("The start page; gives a visitor their cookie.", answers=PAGE),
        "/tables": {
            **get("My tables, and those that anybody may join.", answers=PAGE),
            **post("Set a table.", FORM, opening, {"303": answer("the table is at `location`"), **REFUSED}),
        },
    }
