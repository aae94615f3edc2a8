"""What positions of Azul and Summer Pavilion share: the factories, the centre and the stores of tiles."""

from collections.abc import Iterator, Sequence
from typing import Any

from azulejos.core.text import Reader, Tally

FACTORIES = {2: 5, 3: 7, 4: 9}  # by the number of players
TILES_OF_A_FACTORY = 4


def print_displays(tally: Tally, source: Sequence[int], players: int, first: bool) -> tuple[str, str]:
    """The factories and the centre. `first`: the start player's marker lies there."""
    centre, *factories = [tally.print_tiles(tiles) for tiles in source[: 1 + FACTORIES[players]]]
    return " ".join(factories), "1" + centre.replace("-", "") if first else centre


def read_factories(reader: Reader, tally: Tally, ordered: bool) -> tuple[int, list[int]]:
    """The number of players, and the tiles on the factories; the reader stands before the centre then."""
    tiles = [tally.read_tiles(reader, TILES_OF_A_FACTORY, ordered)]
    while reader.accept(" "):
        if reader.text.startswith("|", reader.at):
            break
        tiles.append(tally.read_tiles(reader, TILES_OF_A_FACTORY, ordered))
    players = {count: players for players, count in FACTORIES.items()}.get(len(tiles))
    if players is None:
        reader.fail(f"expected 5, 7 or 9 factories, found {len(tiles)}")
    reader.expect("| ", "'|' before the centre")
    return players, tiles


def read_stores(reader: Reader, tally: Tally, *names: str) -> Iterator[int]:
    """The bag and the like, each after its mark."""
    for name in names:
        reader.expect(" | ", f"'|' before the {name}")
        yield tally.read_counts(reader)


def read_start(reader: Reader, follows: str) -> int:
    """The seat that started the round. `follows`: what comes after the mark."""
    reader.expect(" start ")
    seat = reader.number("a seat", 0, max(FACTORIES) - 1)
    reader.expect(" | ", f"'|' before the {follows}")
    return seat


def read_tiles(reader: Reader, tally: Tally, rows: int, columns: int, what: str) -> Iterator[tuple[int, int, int, int]]:
    """The tiles of a wall, or of stars: row, column, colour, and where in the text each stands. `what`: the rows."""
    for row in range(rows):
        if row:
            reader.expect("/", f"'/' between {what}")
        for column in range(columns):
            at = reader.at
            if not reader.accept("."):
                yield row, column, reader.one_of(tally.colour, "a colour or '.'"), at


def read_boards(reader: Reader, players: int) -> Iterator[int]:
    """The seats; the reader stands before each one's board, and must stand at the end after the last."""
    for seat in range(players):
        reader.expect(" | ", f"'|' before the board of seat {seat}")
        yield seat
    reader.end()


def counts(tally: Tally, colours: Sequence[str], tiles: int) -> dict[str, int]:
    """How many tiles of each colour there are, without those of which there is none."""
    return {name: count for name, count in zip(colours, tally.counts(tiles), strict=True) if count}


def wrong_deal(sizes: Sequence[int]) -> str | None:
    """What is wrong with the numbers of tiles on the factories while they are filled, in words."""
    full, part = divmod(sum(sizes), TILES_OF_A_FACTORY)
    filled = [TILES_OF_A_FACTORY] * full + [part] * (full < len(sizes)) + [0] * len(sizes)
    return None if list(sizes) == filled[: len(sizes)] else "factories are filled one after another"


def wrong_seats(fields: Any) -> Iterator[str]:
    """Which seat does not exist, in words."""
    for what, seat in (("seat", fields.seat), ("start", fields.start)):
        if not 0 <= seat < fields.players:
            yield f"{what} {seat} does not exist: seats are 0 to {fields.players - 1}"
