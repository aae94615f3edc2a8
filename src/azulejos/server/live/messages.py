"""The messages of the WebSocket protocol, as JSON. `docs/protocol.md` describes it."""

import json
from enum import IntEnum
from pathlib import Path
from typing import Any

import msgspec

from azulejos.core.hand import Closed, Pick, Preview, Step
from azulejos.tables import commands as c


class Close(IntEnum):
    """Codes with which the server closes a connection. After the first four a client should not reconnect."""

    WRONG_ORIGIN = 4403  # another site's page
    NOT_FOUND = 4404  # no such table
    CLOSED = 4410  # the table was closed
    TOO_MANY_SOCKETS = 4428
    NOT_TEXT = 4400
    TOO_SLOW = 4408  # a slow reader
    TOO_MANY = 4429  # messages
    TROUBLE = 1011  # the store is away
    RESTARTING = 1012


EXTENSION = "azulejos.wire"  # where the application finds the wire of a connection
FINAL = (Close.WRONG_ORIGIN, Close.NOT_FOUND, Close.CLOSED, Close.TOO_MANY_SOCKETS)

# --- from the client ---


class Since(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="since"):
    """Ask for all events with numbers above `number`."""

    number: int


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="look"):
    """Ask for the table as it is now."""


class AskHint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="ask hint"):
    """Ask for the best actions of the seat to act; only the client that asks is answered."""

    seat: int
    position: int


class PlayFor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="play for"):
    """What a computer player of a lone visitor plays, thought out in the visitor's browser: the number of an action.
    Without one: this browser cannot think after all."""

    seat: int
    position: int
    action: int | None = None


AnyCommand = (
    c.Sit
    | c.Leave
    | c.HandOver
    | c.AnswerHandOver
    | c.ClaimWin
    | c.FreeSeat
    | c.AddNonce
    | c.Play
    | c.Resign
    | c.AskTakeback
    | c.AnswerTakeback
    | c.AskRematch
    | AskHint
    | PlayFor
    | Since
    | Look
)


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command, with a number of the client's choice that its answer repeats."""

    id: int
    command: AnyCommand


# --- from the server ---


class May(msgspec.Struct, frozen=True):
    """A command that you may send now, and the seat it is for."""

    type: str
    seat: int


class SeatView(msgspec.Struct, frozen=True):
    """A seat as a visitor sees it. `who`: open, person or computer. `invitation`: only for people at the table."""

    name: str
    who: str
    player: str
    yours: bool
    here: bool
    away: bool
    invitation: str | None = None


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A legal action: its text, its words, its picks, and a preview.

    `then`: the actions that follow it; those that are not legal any more were played by the rules. `any_order`: the
    picks may come in any order. `ways`: other picks that make the same action.
    """

    action: str
    words: str
    picks: list[Pick]
    preview: Preview
    then: list[str] = []
    any_order: bool = False
    ways: list[list[Pick]] = []


class TakebackView(msgspec.Struct, frozen=True):
    """A takeback that is asked for, and which of your seats has not answered yet."""

    seat: int
    actions: int
    waiting: list[int]


class HandoverView(msgspec.Struct, frozen=True):
    """A computer player that is to take a seat, as the seat `by` asks; `words`: the player's name."""

    seat: int
    player: str
    by: int
    words: str


class Line(msgspec.Struct, frozen=True):
    """Points of one kind, by seat: for the result."""

    words: str
    points: list[int]


class LastMove(msgspec.Struct, frozen=True):
    """What the last seat to act did, in one line; and the places that it touched, where the picture has them."""

    words: str
    seat: int
    places: list[str]


class Patch(msgspec.Struct, frozen=True, omit_defaults=True):
    """What changed in the picture since the last message that had a `board` or a `patch`.

    A picture's text is cut at every ` id="`; a piece is named by the id with which it begins, the first one by "".
    `pieces`: texts that are new or changed. `gone`: pieces that are not there any more. `after`: new pieces, each with
    the one that it follows, in order.
    """

    pieces: dict[str, str]
    gone: list[str] = []
    after: dict[str, str] = {}


class Now(msgspec.Struct, frozen=True, omit_defaults=True):
    """The table as you may see it.

    `position` is the number that a play must name. `can`: the commands that you may send; of several of a kind, the
    first is the usual one. `actions` are the texts of your legal actions. `previous_table`: of the game before this
    rematch. `watching`: how many visitors look on. `claim_after`: the seconds that somebody may be away in their turn
    before the other can claim the win; 0 for never. `ask`, `choices`, `closed`, `notice`, `last`, `board`, `claim` (the
    same in words) and `people` (who is away, watches, or wants to play again, in words) are sent only with pictures. So
    is `view`, where an engine may help: the position as the seat to act knows it, for the engine in the browser; the
    bytes of the state in base64. A client that takes patches (`patches=1`) gets a `patch` instead of `board` where it
    can be told so, and neither `text` nor `state`.
    """

    number: int
    position: int
    phase: str
    game: str
    options: dict[str, str]
    seats: list[SeatView]
    turn: int | None
    status: str
    commitment: str
    round: int = 0
    scores: list[int] = []
    projected: list[int] = []
    text: str = ""
    state: dict[str, Any] = {}
    actions: list[str] = []
    winners: list[int] = []
    result: str = ""
    tally: list[Line] = []
    notice: str = ""
    ask: str = ""
    choices: list[Choice] = []
    closed: list[Closed] = []
    board: str = ""
    patch: Patch | None = None
    can: list[May] = []
    last: LastMove | None = None
    takeback: TakebackView | None = None
    handover: HandoverView | None = None
    claim_after: int = 0
    claim: str = ""
    can_take_back: bool = False
    can_ask_hint: bool = False
    rematch: list[int] = []
    next_table: str = ""
    previous_table: str = ""
    public: bool = False
    watching: int = 0
    people: list[str] = []
    seed: str = ""
    nonces: list[str] = []
    view: str = ""


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event, with its number, in words; for a play also its text, and, with pictures, the steps that it led to."""

    number: int
    kind: str
    words: str
    seat: int | None = None
    action: str = ""
    steps: list[Step] = []
    round: int = 0
    scores: list[int] = []
    actions: int = 0  # how many had been played after this


class Preparing(msgspec.Struct, frozen=True, tag="preparing"):
    """The rules are being compiled; a table follows."""

    words: str


class Notice(msgspec.Struct, frozen=True, tag="notice"):
    """A notice for everybody: the server is about to restart."""

    words: str


class TableMessage(msgspec.Struct, frozen=True, tag="table"):
    """The whole table: sent first, and on request."""

    now: Now
    log: list[Told]


class EventsMessage(msgspec.Struct, frozen=True, tag="events"):
    """New events, and the table after them. Without events: presence has changed."""

    events: list[Told]
    now: Now


class Done(msgspec.Struct, frozen=True, tag="done"):
    """A command was executed, and its events are on disk."""

    id: int
    number: int


class Hint(msgspec.Struct, frozen=True):
    """An action, in words, and the chance to win after it: 0 to 1."""

    action: str
    words: str
    chance: float


class Hints(msgspec.Struct, frozen=True, tag="hints"):
    """The best actions in a position, the best first."""

    id: int
    position: int
    hints: list[Hint]


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """A command was refused: the reason, and the current table."""

    id: int
    reason: str
    message: str
    now: Now


ServerMessage = Preparing | Notice | TableMessage | EventsMessage | Done | Hints | Refused


def schema() -> dict[str, Any]:
    """JSON Schema of both directions."""
    (requests, answers), definitions = msgspec.json.schema_components(
        [Request, ServerMessage], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "azulejos protocol",
        "$defs": {**definitions, "FromClient": requests, "FromServer": answers},
    }


def typescript() -> str:
    """The same as declarations of TypeScript, which check the pages' scripts: `docs/protocol.d.ts`."""
    parts = ["// The protocol's messages, made from the server's own definitions: see docs/protocol.md.\n"]
    for name, found in sorted(schema()["$defs"].items()):
        parts.append(f"export type {name} = {_typescript(found, name)};\n")
    return "\n".join(parts)


_SHORTENED = (
    "Now",
    "Told",
    "Sit",
    "Patch",
    "Choice",
    "Pick",
    "Preview",
    "Ghost",
    "Flight",
    "Step",
)  # what is equal to its default is not sent


def _typescript(found: dict[str, Any], name: str = "") -> str:
    """A schema as a type. `name`: of the definition that it is."""
    if "$ref" in found:
        return str(found["$ref"]).rsplit("/", 1)[1]
    if "anyOf" in found:
        return " | ".join(_typescript(one) for one in found["anyOf"])
    if "enum" in found:
        return " | ".join(json.dumps(one) for one in found["enum"])
    match found.get("type"):
        case "array":
            inner = _typescript(found.get("items") or {})
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case "object" if "properties" in found:
            needed = found["properties"] if name not in _SHORTENED else found.get("required", [])
            fields = [
                f"  {field}{'' if field in needed else '?'}: {_typescript(kind)};"
                for field, kind in found["properties"].items()
            ]
            return "\n".join(["{", *fields, "}"])
        case "object":
            return f"Record<string, {_typescript(found.get('additionalProperties') or {})}>"
    return {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}.get(
        found.get("type", ""), "any"
    )


if __name__ == "__main__":
    _described = json.dumps(schema(), indent=1, sort_keys=True)
    Path("docs/protocol.schema.json").write_text(_described + "\n", encoding="utf-8")
    Path("docs/protocol.d.ts").write_text(typescript(), encoding="utf-8")
