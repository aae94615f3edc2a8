"""Positions of Summer Pavilion as one line of text and as plain data. `docs/notation.md` describes the form."""

from typing import Any

import numpy as np
import numpy.typing as npt

from azulejos.core.state import State
from azulejos.core.text import Reader

from . import encoding, kernels
from .notation import COLOUR, RULES, TILES, has_colour
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
    TILES_OF_A_FACTORY,
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
    centre = TILES.print_tiles(record.source[encoding.CENTRE])
    if record.token:
        centre = "1" + centre.replace("-", "")
    fields = [
        f"pavilion {SIDES[record.plain]} round {record.round_no} {phase} start {record.start}",
        TILES.print_tiles(record.supply),
        " ".join(TILES.print_tiles(record.source[1 + k]) for k in range(FACTORIES[int(record.players)])),
        centre,
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
    tiles = [TILES.read_tiles(reader, TILES_OF_A_FACTORY)]
    while reader.accept(" "):
        if reader.text.startswith("|", reader.at):
            break
        tiles.append(TILES.read_tiles(reader, TILES_OF_A_FACTORY))
    players = {count: players for players, count in FACTORIES.items()}.get(len(tiles))
    if players is None:
        reader.fail(f"expected 5, 7 or 9 factories, found {len(tiles)}")
    record.players = players
    record.source[1 : len(tiles) + 1] = tiles
    reader.expect("| ", "'|' before the centre")
    record.token = reader.accept("1")
    if not record.token or not reader.text.startswith(" ", reader.at):
        start = reader.at
        record.source[encoding.CENTRE] = TILES.read_tiles(reader, _ALL_TILES)
        if record.token and not record.source[encoding.CENTRE]:
            reader.fail("a centre that holds only the token is written 1", start)
    reader.expect(" | ", "'|' before the bag")
    record.bag = TILES.read_counts(reader)
    reader.expect(" | ", "'|' before the tower")
    record.tower = TILES.read_counts(reader)
    for seat in range(players):
        reader.expect(" | ", f"'|' before the board of seat {seat}")
        _parse_board(reader, record, seat)
    reader.end()
    _derive(record)
    return {"players": players, "side": SIDES[record.plain]}, array


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
    reader.expect(" start ")
    record.start = reader.number("a seat", 0, 3)
    if record.phase in (encoding.DEAL, encoding.ENDED):
        record.seat = record.start
    reader.expect(" | ", "'|' before the supply")


def _parse_board(reader: Reader, record: Any, seat: int) -> None:
    record.score[seat] = reader.number("a score", 0, 10**4)
    reader.expect(" ")
    record.hand[seat] = TILES.read_tiles(reader, _ALL_TILES)
    if record.phase == encoding.KEEP and record.seat == seat:
        record.kept = record.hand[seat]
        reader.expect(":", "':' between the tiles kept and the others")
        record.hand[seat] = TILES.read_tiles(reader, _ALL_TILES)
    reader.expect(" ")
    for star in range(STARS):
        if star:
            reader.expect("/", "'/' between stars")
        for position in range(POINTS):
            start = reader.at
            if reader.accept("."):
                continue
            colour = reader.one_of(COLOUR, "a colour or '.'")
            if has_colour(record.plain, star) and LETTERS[colour] != STAR_LETTERS[COLOURED][star]:
                reader.fail(f"the {STAR_NAMES[COLOURED][star]} star takes {STAR_LETTERS[COLOURED][star]} only", start)
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
    """A position as plain data with the words of the rule page."""
    fields, game = state.fields, state.game
    return {
        "game": game.name,
        **game.chosen,
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
    found = zip(COLOURS, TILES.counts(tiles), strict=True)
    return {name: count for name, count in found if count}
