"""What makes a position of Summer Pavilion possible: what is counted, and what a phase implies."""

from collections.abc import Iterator, Sequence
from typing import Any

from . import encoding, lookups, notation, position
from .tables import (
    COLOURED,
    COLOURS,
    FACTORIES,
    FIRST_SCORE,
    LEAST_SCORE,
    MOST_KEPT,
    MOST_PLAYERS,
    NUMBER_BONUS,
    ROUNDS,
    STAR_NAMES,
    SUPPLY_SPACES,
    TILES_OF_A_COLOUR,
    TILES_OF_A_FACTORY,
)

RULES = notation.RULES


def impossibilities(fields: Any, option_codes: Sequence[int]) -> Iterator[str]:
    """Everything that is wrong with a position of a game with these options, in words."""
    if fields.players != option_codes[0] or fields.plain != option_codes[1]:
        yield "the options are not the game's"
    if not 1 <= fields.round_no <= ROUNDS:
        yield f"there is no round {fields.round_no}"
    for what, seat in (("seat", fields.seat), ("start", fields.start)):
        if not 0 <= seat < fields.players:
            yield f"{what} {seat} does not exist: seats are 0 to {fields.players - 1}"
    for seat in range(fields.players):
        yield from _board(fields, seat)
    for seat in range(fields.players, MOST_PLAYERS):
        if any((fields.filled[seat], fields.open[seat], fields.hand[seat], fields.score[seat], *fields.tile[seat])):
            yield f"seat {seat} does not play"
    yield from _tiles(fields)
    yield from _round(fields)
    yield from _phase(fields)


def _board(fields: Any, seat: int) -> Iterator[str]:
    if fields.score[seat] < LEAST_SCORE:
        yield f"the score of seat {seat} is below {LEAST_SCORE}"
    most = FIRST_SCORE
    filled = fields.filled[seat]
    for star, found in enumerate(position.colours_on(fields, seat)):
        colours = [colour for colour in found if colour is not None]
        where = f"the {STAR_NAMES[fields.plain][star]} star of seat {seat}"
        if notation.has_colour(fields.plain, star):
            if any(COLOURS[colour] != STAR_NAMES[COLOURED][star] for colour in colours):
                yield f"{where} has a tile of another colour"
        elif len(set(colours)) < len(colours) and not (fields.plain and len(set(colours)) == 1):
            yield f"{where} has one of several colours twice"
        most += sum(range(1, len(colours) + 1))
        if fields.phase == encoding.ENDED:
            most += int(RULES.star_bonus(RULES.ring_of(filled, star), fields.tile[seat, star]))
    if fields.phase == encoding.ENDED:
        most += sum(int(RULES.number_bonus(fields.plain, filled, number)) for number in range(1, len(NUMBER_BONUS)))
    if fields.score[seat] > most:
        yield f"the tiles of seat {seat} can have scored at most {most}"
    if fields.filled[seat] != position.filled(fields, seat):
        yield f"the filled rhombi of seat {seat} are wrong"
    if fields.open[seat] != position.open_colours(fields, seat):
        yield f"the colours that the stars of seat {seat} take are wrong"


def _tiles(fields: Any) -> Iterator[str]:
    places = (*fields.source, *fields.hand, fields.bag, fields.tower, fields.supply, fields.kept)
    placed = [c for seat in range(fields.players) for star in position.colours_on(fields, seat) for c in star]
    for colour, (name, *found) in enumerate(zip(COLOURS, *map(notation.TILES.counts, places), strict=True)):
        count = sum(found) + placed.count(colour)
        if count != TILES_OF_A_COLOUR:
            yield f"there are {count} {name} tiles; there must be {TILES_OF_A_COLOUR}"
    factories = FACTORIES[fields.players]
    sizes = [notation.TILES.total(tiles) for tiles in fields.source[1 : 1 + factories]]
    if max(sizes) > TILES_OF_A_FACTORY:
        yield f"a factory holds more than {TILES_OF_A_FACTORY} tiles"
    if any(fields.source[1 + factories :]):
        yield "there are tiles on factories that are not in play"
    if fields.stock != notation.TILES.total(fields.supply) or fields.stock > SUPPLY_SPACES:
        yield f"the supply holds {fields.stock} tiles; it has {SUPPLY_SPACES} spaces"
    if fields.left != position.tiles_left(fields):
        yield "the number of tiles left to take is wrong"


def _round(fields: Any) -> Iterator[str]:
    """What does not go together with the part of the round that is being played."""
    before = fields.phase in (encoding.DEAL, encoding.TAKE)
    during = fields.phase in (encoding.REFILL, encoding.DECORATE, encoding.BONUS, encoding.KEEP)
    if fields.phase == encoding.DEAL and not fields.token:
        yield "the start token lies in the centre during a deal"
    if not before and fields.token:
        yield "the start token lies in the centre, but the taking is over"
    if not before and fields.left:
        yield "tiles are left to take, but the taking is over"
    if fields.passed and not during:
        yield "somebody has passed, but nobody is decorating"
    if fields.passed >> fields.players:
        yield "somebody has passed who does not play"
    if during and bool(fields.passed >> fields.seat & 1) != (fields.phase == encoding.KEEP):
        yield f"seat {fields.seat} cannot both go on and have passed"
    if fields.phase in (encoding.DEAL, encoding.ENDED) and fields.seat != fields.start:
        yield "nobody is to act, so the seat is the start player's"
    if fields.phase != encoding.DEAL and fields.dealt:
        yield "tiles have been dealt outside a deal"
    if fields.phase != encoding.KEEP and fields.kept:
        yield "tiles are being kept, but nobody has passed"
    if fields.phase not in (encoding.BONUS, encoding.KEEP) and fields.picks:
        yield "there is nothing to choose"
    if fields.phase in (encoding.TAKE, encoding.DECORATE, encoding.KEEP):
        if fields.stock < SUPPLY_SPACES and (fields.bag or fields.tower):
            yield "the supply is not full, but there are tiles to fill it with"
    if before and fields.round_no == 1 and (any(fields.filled) or fields.tower):
        yield "a tile has been placed or lost before the first decorating"
    for seat in range(fields.players):
        done = fields.phase in (encoding.DEAL, encoding.ENDED) or fields.passed >> seat & 1
        if done and not (fields.phase == encoding.KEEP and fields.seat == seat):
            if notation.TILES.total(fields.hand[seat]) > MOST_KEPT:
                yield f"seat {seat} has passed with more than {MOST_KEPT} tiles"


def _phase(fields: Any) -> Iterator[str]:
    match fields.phase:
        case encoding.DEAL:
            yield from _deal(fields)
        case encoding.TAKE:
            yield from _taking(fields)
        case encoding.BONUS:
            yield from _bonus(fields)
        case encoding.KEEP:
            yield from _keeping(fields)
        case encoding.REFILL if not fields.bag or fields.stock == SUPPLY_SPACES:
            yield "nothing can be laid on the supply here"
        case encoding.ENDED if fields.round_no != ROUNDS:
            yield f"the game ends after round {ROUNDS}"


def _deal(fields: Any) -> Iterator[str]:
    sizes = [notation.TILES.total(tiles) for tiles in fields.source[1 : 1 + FACTORIES[fields.players]]]
    full, part = divmod(sum(sizes), TILES_OF_A_FACTORY)
    if sizes != ([4] * full + [part] * (full < len(sizes)) + [0] * len(sizes))[: len(sizes)]:
        yield "factories are filled one after another"
    if fields.dealt != sum(sizes):
        yield "the number of tiles dealt is wrong"
    if fields.dealt and fields.stock < SUPPLY_SPACES:
        yield "factories are filled after the supply"
    if fields.source[encoding.CENTRE]:
        yield "the centre holds nothing but the start token during a deal"
    if not fields.bag or full == len(sizes):
        yield "nothing can be dealt here"
    if fields.round_no == 1 and (any(fields.hand) or set(fields.score[: fields.players]) != {FIRST_SCORE}):
        yield f"everybody begins without tiles and with a score of {FIRST_SCORE}"


def _taking(fields: Any) -> Iterator[str]:
    if not fields.left:
        yield "no tile is left to take, but the taking goes on"
    if fields.stock < SUPPLY_SPACES:
        yield "factories are filled after the supply"
    sizes = [notation.TILES.total(tiles) for tiles in fields.source[1 : 1 + FACTORIES[fields.players]]]
    for factory, size in enumerate(sizes):
        if size % TILES_OF_A_FACTORY and (fields.bag or fields.tower or any(sizes[factory + 1 :])):
            yield f"factory {factory + 1} holds {size} tiles, but there were more to fill it with"


def _bonus(fields: Any) -> Iterator[str]:
    seat = fields.seat
    if not 1 <= fields.picks < fields.stock or RULES.is_single(RULES.colours_in(fields.supply)):
        yield "the supply leaves nothing to choose"
    if not any(fields.filled[seat] & border == border for border in lookups.BORDER):
        yield f"seat {seat} has surrounded nothing"


def _keeping(fields: Any) -> Iterator[str]:
    if fields.round_no == ROUNDS:
        yield "in the last round there is nothing to choose when passing"
    if fields.picks != MOST_KEPT - notation.TILES.total(fields.kept) or fields.picks < 1:
        yield f"{MOST_KEPT} tiles are kept"
    elif RULES.is_single(RULES.keepable(fields)):
        yield f"seat {fields.seat} has no choice of tiles to keep"
