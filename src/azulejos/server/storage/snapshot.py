"""A table as bytes, so that loading it does not replay its whole log.

A snapshot contains positions in the rules' binary form. One that was made by other rules is ignored, and the log
is replayed.
"""

import hashlib
from typing import Any

import msgspec

from azulejos.core.errors import AzulejosError
from azulejos.core.fields import layout_of
from azulejos.core.game import Game
from azulejos.core.registry import restore
from azulejos.core.state import State
from azulejos.tables import Table
from azulejos.tables.table import Handover, Seat, Takeback

EVERY = 64  # events


class _Saved(msgspec.Struct, frozen=True, array_like=True):
    """`form`: of the positions in memory."""

    form: str
    id: str
    game: str
    options: dict[str, str]
    seats: tuple[Seat, ...]
    fields: dict[str, Any]
    takeback: Takeback | None
    actions: list[int]
    states: bytes
    drawn: list[tuple[int, ...]]
    handover: Handover | None = None


# Plain values of a table, under their own names.
_FIELDS = (
    "seed",
    "public",
    "number",
    "position",
    "place",
    "places",
    "date",
    "closed",
    "resigned",
    "claimed",
    "claim_after",
    "next_table",
    "previous",
    "host",
    "nonces",
)
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Saved).decode


def _form(game: Game) -> str:
    form = f"{game.rules_version} {game.kernels.STATE.descr} {layout_of(game.kernels).size}"
    return hashlib.sha256(form.encode()).hexdigest()[:16]


def save(table: Table) -> bytes:
    fields = {name: getattr(table, name) for name in _FIELDS}
    fields |= {"rematch": sorted(table.rematch), "freed": sorted(table.freed), "last_play": table.last_play}
    return _encode(
        _Saved(
            form=_form(table.game),
            id=table.id,
            game=table.game.name,
            options=table.game.chosen_texts,
            seats=table.seats,
            fields=fields,
            takeback=table.takeback,
            actions=[int(action) for action in table.actions],
            states=b"".join(state.position for state in table.states),
            drawn=[state.drawn for state in table.states],
            handover=table.handover,
        )
    )


def load(data: bytes) -> Table | None:
    """The table; None if its positions are of another form, or it is damaged."""
    try:
        return _loaded(_decode(data))
    except (msgspec.DecodeError, AzulejosError, LookupError, TypeError, ValueError):
        return None


def _loaded(saved: _Saved) -> Table | None:
    game = restore(saved.game, saved.options)
    if saved.form != _form(game):
        return None
    size = layout_of(game.kernels).size
    positions = [saved.states[k : k + size] for k in range(0, len(saved.states), size)]
    fields = dict(saved.fields)
    last = fields.pop("last_play")
    return Table(
        id=saved.id,
        game=game,
        seats=saved.seats,
        states=tuple(State(game, at, None, drawn) for at, drawn in zip(positions, saved.drawn, strict=True)),
        actions=tuple(game.action(index) for index in saved.actions),
        takeback=saved.takeback,
        handover=saved.handover,
        rematch=frozenset(fields.pop("rematch")),
        freed=frozenset(fields.pop("freed", ())),
        places=tuple(fields.pop("places")),
        nonces=tuple(fields.pop("nonces", ())),
        last_play=(last[0], last[1], last[2]) if last else None,
        **fields,
    )
