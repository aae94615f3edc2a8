"""Positions of Summer Pavilion as one line of text and as plain data. `docs/notation.md` describes the form."""

from typing import Any

import numpy as np
import numpy.typing as npt

from azulejos.core.state import State
from azulejos.core.text import Reader

from .. import displays
from ..displays import print_displays, read_boards, read_factories, read_start, read_stores, read_tiles
from . import encoding, kernels
from .notation import RULES, TILES, has_colour
from .tables import (
    COLOURED,
    COLOURS,
    FACTORIES,
    LETTERS,
    MOST_KEPT,
    POINTS,
    ROUNDS,
    SIDES,
    STAR_LETTERS,
    STAR_NAMES,
    STARS,
    SUPPLY_SPACES,
    TILES_OF_A_COLOUR,
)

_ALL_TILES = TILES_OF_A_COLOUR * len(COLOURS)
_PHASES = {
    encoding.DEAL: "deal",
    encoding.REFILL: "refill",
    encoding.TAKE: "taking",
    encoding.DECORATE: "decorating",
    encoding.BONUS: "bonus",
    encoding.KEEP: "keeping",
    encoding.ENDED: "over",
}


def colours_on(record: Any, seat: int) -> list[list[int | None]]:
    """The colours of the tiles on a seat's board, star by star, position by position."""
    stars = record.tile[seat].tolist()
    return [
        [(tiles >> 3 * position & 7) - 1 if tiles >> 3 * position & 7 else None for position in range(POINTS)]
        for tiles in stars
    ]


def _print_board(record: Any, seat: int) -> str:
    stars = "/".join(
        "".join("." if colour is None else LETTERS[colour] for colour in star) for star in colours_on(record, seat)
    )
    kept = f"{TILES.print_tiles(record.kept)}:" if record.phase == encoding.KEEP and record.seat == seat else ""
    passed = " passed" if record.passed >> seat & 1 else ""
    return f"{record.score[seat]} {kept}{TILES.print_tiles(record.hand[seat])} {stars}{passed}"


def print_state(record: Any) -> str:
    phase = _PHASES[int(record.phase)]
    if record.phase == encoding.BONUS:
        phase += f" {record.picks}"
    if record.phase not in (encoding.DEAL, encoding.ENDED):
        phase += f" seat {record.seat}"
    fields = [
        f"pavilion {SIDES[record.plain]} round {record.round_no} {phase} start {record.start}",
        TILES.print_tiles(record.supply),
        *print_displays(TILES, record.source, record.players, record.token),
        TILES.print_counts(record.bag),
        TILES.print_counts(record.tower),
        *(_print_board(record, seat) for seat in range(record.players)),
    ]
    return " | ".join(fields)


def parse_state(text: str) -> tuple[dict[str, Any], npt.NDArray[Any]]:
    """The options and the record [1]. Says what is badly written; what is impossible is for `check` to say."""
    reader = Reader(text)
    array = np.zeros(1, kernels.STATE)
    record = array[0]
    _parse_head(reader, record)
    record.supply = TILES.read_tiles(reader, SUPPLY_SPACES)
    reader.expect(" | ", "'|' before the factories")
    record.players, tiles = read_factories(reader, TILES, ordered=True)
    record.source[1 : len(tiles) + 1] = tiles
    record.token = reader.accept("1")
    if not record.token or not reader.text.startswith(" ", reader.at):
        start = reader.at
        record.source[encoding.CENTRE] = TILES.read_tiles(reader, _ALL_TILES)
        if record.token and not record.source[encoding.CENTRE]:
            reader.fail("a centre that holds only the token is written 1", start)
    record.bag, record.tower = read_stores(reader, TILES, "bag", "tower")
    for seat in read_boards(reader, record.players):
        _parse_board(reader, record, seat)
    _derive(record)
    return {"players": int(record.players), "side": SIDES[record.plain]}, array


def _parse_head(reader: Reader, record: Any) -> None:
    reader.expect("pavilion ")
    record.plain = reader.one_of({name: side for side, name in enumerate(SIDES)}, "the side")
    reader.expect(" round ")
    record.round_no = reader.number("the round", 1, ROUNDS)
    reader.expect(" ")
    record.phase = reader.one_of({name: phase for phase, name in _PHASES.items()}, "the phase")
    if record.phase == encoding.BONUS:
        reader.expect(" ")
        record.picks = reader.number("the number of tiles to choose", 1, 3)
    if record.phase not in (encoding.DEAL, encoding.ENDED):
        reader.expect(" seat ")
        record.seat = reader.number("a seat", 0, 3)
    record.start = read_start(reader, "supply")
    if record.phase in (encoding.DEAL, encoding.ENDED):
        record.seat = record.start


def _parse_board(reader: Reader, record: Any, seat: int) -> None:
    record.score[seat] = reader.number("a score", 0, 10**4)
    reader.expect(" ")
    record.hand[seat] = TILES.read_tiles(reader, _ALL_TILES)
    if record.phase == encoding.KEEP and record.seat == seat:
        record.kept = record.hand[seat]
        reader.expect(":", "':' between the tiles kept and the others")
        record.hand[seat] = TILES.read_tiles(reader, _ALL_TILES)
    reader.expect(" ")
    for star, position, colour, at in read_tiles(reader, TILES, STARS, POINTS, "stars"):
        if has_colour(record.plain, star) and LETTERS[colour] != STAR_LETTERS[COLOURED][star]:
            reader.fail(f"the {STAR_NAMES[COLOURED][star]} star takes {STAR_LETTERS[COLOURED][star]} only", at)
        record.tile[seat, star] |= (colour + 1) << 3 * position
    record.passed |= reader.accept(" passed") << seat


def _derive(record: Any) -> None:
    """The fields that follow from the others."""
    if record.phase == encoding.KEEP:
        record.picks = max(MOST_KEPT - TILES.total(record.kept), 0)
    record.stock = TILES.total(record.supply)
    record.left = tiles_left(record)
    record.dealt = record.left - TILES.total(record.source[encoding.CENTRE]) if record.phase == encoding.DEAL else 0
    for seat in range(record.players):
        record.filled[seat] = filled(record, seat)
        record.open[seat] = open_colours(record, seat)


def tiles_left(record: Any) -> int:
    """The number of tiles on the factories and in the centre."""
    return sum(TILES.total(tiles) for tiles in record.source)


def filled(record: Any, seat: int) -> int:
    """The 42 rhombi, as bits, on which a tile lies."""
    rhombi = [colour for star in colours_on(record, seat) for colour in star]
    return sum(1 << k for k, colour in enumerate(rhombi) if colour is not None)


def open_colours(record: Any, seat: int) -> int:
    """For each star six bits: the colours that it takes."""
    side, rhombi, colours = int(record.plain), filled(record, seat), 0
    for star, tiles in enumerate(record.tile[seat].tolist()):
        taken = RULES.colours_taken(side, star, RULES.ring_of(rhombi, star), tiles)
        colours |= int(taken) << POINTS * star
    return colours


# --- data ---


def to_dict(state: State) -> dict[str, Any]:
    """What there is besides the game and its options."""
    fields = state.fields
    return {
        "round": fields.round_no,
        "wild": COLOURS[RULES.wild_colour(fields)],
        "phase": _PHASES[fields.phase],
        "seat": state.seat,
        "to_choose": fields.picks,
        "start": fields.start,
        "token_in_centre": bool(fields.token),
        "supply": _counts(fields.supply),
        "factories": [_counts(tiles) for tiles in fields.source[1 : 1 + FACTORIES[fields.players]]],
        "centre": _counts(fields.source[encoding.CENTRE]),
        "bag": _counts(fields.bag),
        "tower": _counts(fields.tower),
        "boards": [_board(fields, seat) for seat in range(fields.players)],
    }


def _board(fields: Any, seat: int) -> dict[str, Any]:
    keeping = fields.phase == encoding.KEEP and fields.seat == seat
    return {
        "score": fields.score[seat],
        "tiles": _counts(fields.hand[seat]),
        "kept": _counts(fields.kept) if keeping else {},
        "passed": bool(fields.passed >> seat & 1),
        "stars": {
            name: [None if colour is None else COLOURS[colour] for colour in star]
            for name, star in zip(STAR_NAMES[fields.plain], colours_on(fields, seat), strict=True)
        },
    }


def _counts(tiles: int) -> dict[str, int]:
    return displays.counts(TILES, COLOURS, tiles)
