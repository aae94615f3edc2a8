"""Positions of Summer Pavilion as one line of text and as plain data. `docs/notation.md` describes the form."""

from functools import lru_cache
from typing import Any

from azulejos.core.fields import Fields, layout_of
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


def colours_on(fields: Any, seat: int) -> list[list[int | None]]:
    """The colours of the tiles on a seat's board, star by star, position by position."""
    return [colours_of(tiles) for tiles in fields.tile[seat].tolist()]


def colours_of(tiles: int) -> list[int | None]:
    """The same of one star."""
    return [(tiles >> 3 * position & 7) - 1 if tiles >> 3 * position & 7 else None for position in range(POINTS)]


def _print_board(fields: Any, seat: int) -> str:
    stars = "/".join(
        "".join("." if colour is None else LETTERS[colour] for colour in star) for star in colours_on(fields, seat)
    )
    kept = f"{TILES.print_tiles(fields.kept)}:" if fields.phase == encoding.KEEP and fields.seat == seat else ""
    passed = " passed" if fields.passed >> seat & 1 else ""
    return f"{fields.score[seat]} {kept}{TILES.print_tiles(fields.hand[seat])} {stars}{passed}"


def print_state(fields: Any) -> str:
    phase = _PHASES[fields.phase]
    if fields.phase == encoding.BONUS:
        phase += f" {fields.picks}"
    if fields.phase not in (encoding.DEAL, encoding.ENDED):
        phase += f" seat {fields.seat}"
    parts = [
        f"pavilion {SIDES[fields.plain]} round {fields.round_no} {phase} start {fields.start}",
        TILES.print_tiles(fields.supply),
        *print_displays(TILES, fields.source, fields.players, fields.token),
        TILES.print_counts(fields.bag),
        TILES.print_counts(fields.tower),
        *(_print_board(fields, seat) for seat in range(fields.players)),
    ]
    return " | ".join(parts)


def parse_state(text: str) -> tuple[dict[str, Any], Fields]:
    """The options and the fields. Says what is badly written; what is impossible is for `check` to say."""
    reader = Reader(text)
    fields = layout_of(kernels).blank()
    _parse_head(reader, fields)
    fields.supply = TILES.read_tiles(reader, SUPPLY_SPACES)
    reader.expect(" | ", "'|' before the factories")
    fields.players, tiles = read_factories(reader, TILES, ordered=True)
    fields.source[1 : len(tiles) + 1] = tiles
    fields.token = reader.accept("1")
    if not fields.token or not reader.text.startswith(" ", reader.at):
        start = reader.at
        fields.source[encoding.CENTRE] = TILES.read_tiles(reader, _ALL_TILES)
        if fields.token and not fields.source[encoding.CENTRE]:
            reader.fail("a centre that holds only the token is written 1", start)
    fields.bag, fields.tower = read_stores(reader, TILES, "bag", "tower")
    for seat in read_boards(reader, fields.players):
        _parse_board(reader, fields, seat)
    _derive(fields)
    return {"players": fields.players, "side": SIDES[fields.plain]}, fields


def _parse_head(reader: Reader, fields: Any) -> None:
    reader.expect("pavilion ")
    fields.plain = reader.one_of({name: side for side, name in enumerate(SIDES)}, "the side")
    reader.expect(" round ")
    fields.round_no = reader.number("the round", 1, ROUNDS)
    reader.expect(" ")
    fields.phase = reader.one_of({name: phase for phase, name in _PHASES.items()}, "the phase")
    if fields.phase == encoding.BONUS:
        reader.expect(" ")
        fields.picks = reader.number("the number of tiles to choose", 1, 3)
    if fields.phase not in (encoding.DEAL, encoding.ENDED):
        reader.expect(" seat ")
        fields.seat = reader.number("a seat", 0, 3)
    fields.start = read_start(reader, "supply")
    if fields.phase in (encoding.DEAL, encoding.ENDED):
        fields.seat = fields.start


def _parse_board(reader: Reader, fields: Any, seat: int) -> None:
    fields.score[seat] = reader.number("a score", 0, 10**4)
    reader.expect(" ")
    fields.hand[seat] = TILES.read_tiles(reader, _ALL_TILES)
    if fields.phase == encoding.KEEP and fields.seat == seat:
        fields.kept = fields.hand[seat]
        reader.expect(":", "':' between the tiles kept and the others")
        fields.hand[seat] = TILES.read_tiles(reader, _ALL_TILES)
    reader.expect(" ")
    for star, position, colour, at in read_tiles(reader, TILES, STARS, POINTS, "stars"):
        if has_colour(fields.plain, star) and LETTERS[colour] != STAR_LETTERS[COLOURED][star]:
            reader.fail(f"the {STAR_NAMES[COLOURED][star]} star takes {STAR_LETTERS[COLOURED][star]} only", at)
        fields.tile[seat, star] |= (colour + 1) << 3 * position
    fields.passed |= reader.accept(" passed") << seat


def _derive(fields: Any) -> None:
    """The fields that follow from the others."""
    if fields.phase == encoding.KEEP:
        fields.picks = max(MOST_KEPT - TILES.total(fields.kept), 0)
    fields.stock = TILES.total(fields.supply)
    fields.left = tiles_left(fields)
    fields.dealt = fields.left - TILES.total(fields.source[encoding.CENTRE]) if fields.phase == encoding.DEAL else 0
    for seat in range(fields.players):
        fields.filled[seat] = filled(fields, seat)
        fields.open[seat] = open_colours(fields, seat)


def tiles_left(fields: Any) -> int:
    """The number of tiles on the factories and in the centre."""
    return sum(TILES.total(tiles) for tiles in fields.source)


def filled(fields: Any, seat: int) -> int:
    """The 42 rhombi, as bits, on which a tile lies."""
    rhombi = [colour for star in colours_on(fields, seat) for colour in star]
    return sum(1 << k for k, colour in enumerate(rhombi) if colour is not None)


def open_colours(fields: Any, seat: int) -> int:
    """For each star six bits: the colours that it takes."""
    side, rhombi, colours = fields.plain, filled(fields, seat), 0
    for star, tiles in enumerate(fields.tile[seat].tolist()):
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
        "draw": "tile" if fields.phase in (encoding.DEAL, encoding.REFILL) else None,
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


@lru_cache(1 << 13)
def counts(tiles: int) -> dict[str, int]:
    """The same, not to be changed: cached, because places stay as they are for many actions."""
    return _counts(tiles)
