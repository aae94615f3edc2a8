"""What a log must be like so that a table could have written it: an imported folder may have been changed."""

import re
from collections.abc import Sequence

import msgspec

from azulejos.core.errors import OptionError
from azulejos.core.registry import restore
from azulejos.core.seal import check_nonce
from azulejos.players import PLAYERS
from azulejos.tables import Event, Phase, Table, checked_name
from azulejos.tables import events as e
from azulejos.tables.table import LATER

from ..live.hall import NAME

MOST_PLACES = 1 << 40  # in the stream of a seed
MOST_SECONDS = 1 << 30  # of absence
LONGEST = 200  # characters of what has no shorter limit of its own
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_PHASES: dict[type[Event], tuple[Phase, ...]] = {
    **dict.fromkeys((e.Begun, e.NonceAdded), (Phase.OPEN,)),
    **dict.fromkeys((e.Sat, e.Left, e.HandedOver), (Phase.OPEN, Phase.PLAYING)),
    **dict.fromkeys((e.HandOverAsked, e.HandOverAgreed, e.HandOverDeclined), (Phase.OPEN, Phase.PLAYING)),
    **dict.fromkeys((e.Played, e.Resigned, e.WinClaimed), (Phase.PLAYING,)),
    **dict.fromkeys((e.TakebackAsked, e.TakebackAgreed, e.TakebackDeclined, e.TakenBack), (Phase.PLAYING,)),
    **dict.fromkeys((e.RematchAsked, e.Rematched), (Phase.OVER,)),
    e.Closed: (Phase.OPEN, Phase.PLAYING, Phase.OVER),
    e.Reopened: (Phase.CLOSED,),
}


def checked(name: str, events: Sequence[Event]) -> Table:
    """The table of a log whose every event is one that a table could have written. Raises OptionError, or whatever the
    rules raise."""
    first = events[0]
    if not isinstance(first, e.Opened):
        raise OptionError("the first event is not the opening of a table")
    _check_texts(first)
    for chair in first.chairs:
        _check_nonce(chair.nonce)
    if first.date and not _DAY.fullmatch(first.date):
        raise OptionError(f"{first.date!r} is no day")
    if not 0 <= first.claim_after < MOST_SECONDS:
        raise OptionError(f"nobody is away for {first.claim_after} seconds")
    _check_table(first.previous)
    Table.open(name, restore(first.game, first.options), first.chairs, first.seed)  # could it be opened today?
    table = Table.opened(name, first)
    for event in events[1:]:
        _check(table, event)
        table = table.after(event)
    return table


def _check(table: Table, event: Event) -> None:
    """Could the table have written this event next? What the rules check is left to them."""
    if table.phase not in _PHASES.get(type(event), ()):
        raise OptionError(f"this cannot happen at a table that is {table.phase.value}: {type(event).__name__}")
    _check_texts(event)
    for number in (getattr(event, "seat", 0), getattr(event, "by", 0)):
        if not 0 <= number < len(table.seats):
            raise OptionError(f"there is no seat {number}")
    if not -1 <= (place := getattr(event, "place", 0)) < MOST_PLACES:
        raise OptionError(f"there is no place {place} in the stream of a seed")
    match event:
        case e.Played():
            if event.seat != table.turn:
                raise OptionError(f"it is not the turn of seat {event.seat}")
        case e.Sat():
            seat = table.seats[event.seat]
            if seat.taken and not (seat.owner == event.owner and seat.player):
                raise OptionError(f"seat {event.seat} is taken")
            _check_nonce(event.nonce)
        case e.NonceAdded():
            check_nonce(event.nonce)
        case e.Begun():
            nonces = tuple(seat.nonce for seat in table.seats)
            if event.nonces != (nonces if any(nonces) else ()) or not all(seat.taken for seat in table.seats):
                raise OptionError("the game cannot begin like this")
        case e.HandedOver() | e.HandOverAsked():
            if event.player not in PLAYERS:
                raise OptionError(f"there is no computer player {event.player!r}")
        case e.TakebackAsked() | e.TakenBack():
            if not 1 <= event.actions <= len(table.actions):
                raise OptionError(f"{event.actions} actions cannot be taken back")
        case e.Rematched():
            _check_table(event.table)


def _check_texts(event: Event) -> None:
    for text in _texts(msgspec.to_builtins(event)):
        if len(text) > LONGEST or not text.isprintable():
            raise OptionError(f"{text[:20]!r}… is no line of at most {LONGEST} characters")
    if name := getattr(event, "name", ""):
        checked_name(name)


def _texts(value: object) -> list[str]:
    """All texts in a value, keys too."""
    match value:
        case str():
            return [value]
        case dict():
            return [text for pair in value.items() for part in pair for text in _texts(part)]
        case list() | tuple():
            return [text for part in value for text in _texts(part)]
    return []


def _check_nonce(nonce: str) -> None:
    if nonce not in ("", LATER):
        check_nonce(nonce)


def _check_table(name: str) -> None:
    if name and not NAME.fullmatch(name):
        raise OptionError(f"{name!r} is no name of a table")
