"""Summer Pavilion as text: actions, draws and positions. `docs/notation.md` describes the forms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from azulejos.core.compiling import plain
from azulejos.core.game import Event
from azulejos.core.language import _, ngettext
from azulejos.core.text import Reader, Tally

from . import kernels
from .tables import (
    CENTRAL,
    COLOURED,
    COLOURS,
    FACTORIES,
    LETTERS,
    MOST_KEPT,
    NUMBERS,
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

RULES = plain(kernels)
TILES = Tally(LETTERS, kernels.COUNT_BITS, TILES_OF_A_COLOUR)
COLOUR = TILES.colour
_ALL_TILES = TILES_OF_A_COLOUR * len(COLOURS)


# --- actions ---


@dataclass(frozen=True)
class Take:
    source: int
    colour: int


@dataclass(frozen=True)
class Place:
    star: int
    position: int
    colour: int
    wilds: int


@dataclass(frozen=True)
class Pass:
    pass


@dataclass(frozen=True)
class Supply:
    colour: int


@dataclass(frozen=True)
class Keep:
    colour: int


Parts = Take | Place | Pass | Supply | Keep


def split(index: int, players: int, side: int) -> Parts:
    """An action's parts."""
    takes = (FACTORIES[players] + 1) * len(COLOURS)
    if index < takes:
        return Take(*divmod(index, len(COLOURS)))
    index -= takes
    if index < kernels.PLACEMENTS[side]:
        return Place(*map(int, kernels.PLACEMENT[side, index]))
    index -= kernels.PLACEMENTS[side] + 1
    if index < 0:
        return Pass()
    return Supply(index) if index < len(COLOURS) else Keep(index - len(COLOURS))


def join(parts: Parts, players: int, side: int) -> int:
    """The inverse of `split`."""
    takes = (FACTORIES[players] + 1) * len(COLOURS)
    passes = takes + kernels.PLACEMENTS[side]
    match parts:
        case Take(source, colour):
            return source * len(COLOURS) + colour
        case Place(star, position, colour, wilds):
            payment = kernels.PAYMENTS[side][star].index((position, wilds))
            return takes + int(kernels.FIRST_PLACEMENT[side, star, colour]) + payment
        case Pass():
            return passes
        case Supply(colour):
            return passes + 1 + colour
        case Keep(colour):
            return passes + 1 + len(COLOURS) + colour


def has_colour(side: int, star: int) -> bool:
    """Is a star's colour printed on the board?"""
    return side == COLOURED and star != CENTRAL


def print_action(index: int, players: int, side: int) -> str:
    match split(index, players, side):
        case Take(source, colour):
            return f"{source or 'C'}{LETTERS[colour]}"
        case Place(star, position, colour, wilds):
            tile = "" if has_colour(side, star) else LETTERS[colour]
            return f"{STAR_LETTERS[side][star]}{position + 1}{tile}" + (f"+{wilds}" if wilds else "")
        case Pass():
            return "pass"
        case Supply(colour):
            return f"S{LETTERS[colour]}"
        case Keep(colour):
            return f"K{LETTERS[colour]}"


def parse_action(text: str, players: int, side: int) -> int:
    return join(_parse_parts(Reader(text), players, side), players, side)


def _parse_parts(reader: Reader, players: int, side: int) -> Parts:
    parts: Parts
    sources = {str(number): number for number in range(1, FACTORIES[players] + 1)} | {"C": kernels.CENTRE}
    tile_next = reader.text[1:2] in COLOUR
    if reader.accept("pass"):
        parts = Pass()
    elif tile_next and reader.accept("S"):
        parts = Supply(reader.one_of(COLOUR, "a colour"))
    elif tile_next and reader.accept("K"):
        parts = Keep(reader.one_of(COLOUR, "a colour"))
    elif reader.text[:1].isdecimal() or (tile_next and reader.text[0] == "C"):
        parts = Take(reader.one_of(sources, "a source"), reader.one_of(COLOUR, "a colour"))
    else:
        parts = _parse_placement(reader, side)
    reader.end()
    return parts


def _parse_placement(reader: Reader, side: int) -> Place:
    stars = {letters: star for star, letters in enumerate(STAR_LETTERS[side])}
    star = reader.one_of(stars, "a factory, a star, S, K or pass")
    position = reader.number("a position", 1, POINTS) - 1
    colour = COLOUR[STAR_LETTERS[side][star]] if has_colour(side, star) else reader.one_of(COLOUR, "a colour")
    wilds = 0
    if reader.accept("+"):
        number = int(NUMBERS[side, star, position])
        if number == 1:
            reader.fail("a rhombus with number 1 is paid without wilds")
        wilds = reader.number("the number of wilds", 1, number - 1)
    return Place(star, position, colour, wilds)


def path(index: int, players: int, side: int) -> tuple[str, ...]:
    match split(index, players, side):
        case Take(source, colour):
            return f"factory-{source}" if source else "centre", COLOURS[colour]
        case Place(star, position, colour, wilds):
            tile = () if has_colour(side, star) else (COLOURS[colour],)
            name = STAR_NAMES[side][star].replace(" ", "-")
            return f"star-{name}", f"rhombus-{position + 1}", *tile, f"wilds-{wilds}"
        case Pass():
            return ("pass",)
        case Supply(colour):
            return "supply", COLOURS[colour]
        case Keep(colour):
            return "keep", COLOURS[colour]


def say_source(source: int) -> str:
    return _("factory {number}").format(number=source) if source else _("the centre")


def say_colour(colour: int) -> str:
    return _(COLOURS[colour], "pavilion")


def say_star(side: int, star: int) -> str:
    return _(STAR_NAMES[side][star], "star")


def say_rhombus(side: int, star: int, position: int) -> str:
    """On the coloured side a rhombus is known by its number, which is its position; on the plain side by the latter."""
    said = _("{star} {number}") if side == COLOURED else _("{star}, position {number}")
    return said.format(star=say_star(side, star), number=position + 1)


def say_action(index: int, players: int, side: int) -> str:
    match split(index, players, side):
        case Take(source, colour):
            return _("{colour} from {source}").format(colour=say_colour(colour), source=say_source(source))
        case Place(star, position, colour, wilds):
            where = say_rhombus(side, star, position)
            if not has_colour(side, star):
                where = _("{colour} on {place}").format(colour=say_colour(colour), place=where)
            own = int(NUMBERS[side, star, position]) - wilds
            paid = _("{place}, for {n} {colour}").format(place=where, n=own, colour=say_colour(colour))
            return paid + (ngettext(" and {n} wild", " and {n} wilds", wilds).format(n=wilds) if wilds else "")
        case Pass():
            return _("pass")
        case Supply(colour):
            return _("{colour} from {source}").format(colour=say_colour(colour), source=_("the supply"))
        case Keep(colour):
            return _("keep one {colour}").format(colour=say_colour(colour))


def explain(record: Any, index: int) -> str:
    """Why a well-formed action is not legal."""
    seat = int(record.seat)
    parts = split(index, int(record.players), int(record.plain))
    picks = f"{record.picks} tile" + "s" * bool(record.picks > 1)
    match int(record.phase), parts:
        case kernels.TAKE, Take(source, colour):
            return _explain_take(record, source, colour)
        case kernels.TAKE, _:
            return "tiles are taken from the factories and the centre now"
        case kernels.DECORATE, Place(star, position, colour, wilds):
            return _explain_placement(record, star, position, colour, wilds)
        case kernels.DECORATE, _:
            return f"seat {seat} places a tile or passes now"
        case kernels.BONUS, Supply(colour):
            return f"the supply has no {COLOURS[colour]} tile; it holds {TILES.print_tiles(record.supply)}"
        case kernels.BONUS, _:
            return f"seat {seat} chooses {picks} from the supply now"
        case _, Keep(colour):
            return _explain_keep(record, colour)
        case _:
            return f"seat {seat} has passed and chooses {picks} to keep now"


def _explain_take(record: Any, source: int, colour: int) -> str:
    tiles = TILES.print_tiles(record.source[source])
    if RULES.count_of(record.source[source], colour):
        return (
            f"{COLOURS[colour]} is wild in round {record.round_no} and is taken alone only where nothing else lies; "
            f"{say_source(source)} holds {tiles}"
        )
    holds = f"it holds {tiles}" if tiles != "-" else "it is empty"
    return f"{say_source(source)} has no {COLOURS[colour]} tile; {holds}"


def _explain_placement(record: Any, star: int, position: int, colour: int, wilds: int) -> str:
    seat, side, wild = int(record.seat), int(record.plain), int(RULES.wild_colour(record))
    where = say_rhombus(side, star, position)
    if record.filled[seat] >> POINTS * star + position & 1:
        return f"{where} of seat {seat} has its tile already"
    takes = [name for c, name in enumerate(COLOURS) if record.open[seat] >> POINTS * star + c & 1]
    if COLOURS[colour] not in takes:
        return f"the star of {where} takes {' or '.join(takes)}, not {COLOURS[colour]}"
    if wilds and colour == wild:
        return f"{COLOURS[wild]} is itself wild in round {record.round_no}: {where} is paid with {COLOURS[wild]} only"
    own = int(NUMBERS[side, star, position]) - wilds
    price = f"{own} {COLOURS[colour]}" + (f" and {wilds} wild {COLOURS[wild]}" if wilds else "")
    return f"that costs {price}; seat {seat} has {TILES.print_tiles(record.hand[seat])}"


def _explain_keep(record: Any, colour: int) -> str:
    hand = record.hand[record.seat]
    if not RULES.count_of(hand, colour):
        return f"seat {record.seat} has no {COLOURS[colour]} tile to keep; it has {TILES.print_tiles(hand)}"
    if record.kept >> kernels.COUNT_BITS * (colour + 1):
        return f"tiles are kept in the order {LETTERS}, and {TILES.print_tiles(record.kept)} is kept already"
    order = f"tiles are kept in the order {LETTERS}"
    return f"{order}, and from {COLOURS[colour]} on there are fewer than the {record.picks} still to keep"


def say_event(event: Event, side: int) -> str | None:
    """Scores and losses in words; what the action itself says is not said again."""
    match event.kind:
        case "wild":
            return _("and one {colour}, which is wild").format(colour=say_colour(event.colour))
        case "token":
            return _("takes the start token: −{points}").format(points=event.points)
        case "place":
            where = say_rhombus(side, event.star, event.position)
            said = ngettext("{n} point for a segment of {n}", "{n} points for a segment of {n}", event.points)
            return f"{where}: {said.format(n=event.points)}"
        case "ornament":
            said = ngettext("choose {n} tile", "choose {n} tiles", event.tiles)
            return f"{say_ornament(side, event.ornament)}: {said.format(n=event.tiles)}"
        case "short":
            said = ngettext("the supply has only {n} tile", "the supply has only {n} tiles", event.tiles)
            return said.format(n=event.tiles)
        case "supply" if not event.chosen:
            return _("takes {colour} from the supply").format(colour=say_colour(event.colour))
        case "keep" if not event.chosen:
            return _("keeps one {colour}").format(colour=say_colour(event.colour))
        case "discard":
            said = ngettext("{n} tile to the tower: −{points}", "{n} tiles to the tower: −{points}", event.tiles)
            return said.format(n=event.tiles, points=event.points)
        case "star bonus":
            return _("{star} star full: +{points}").format(star=say_star(side, event.star), points=event.points)
        case "number bonus":
            return _("every {number} filled: +{points}").format(number=event.number, points=event.points)
        case "left over":
            said = ngettext("{n} tile left over: −{points}", "{n} tiles left over: −{points}", event.tiles)
            return said.format(n=event.tiles, points=event.points)
        case _:
            return None


def say_ornament(side: int, ornament: int) -> str:
    kind, star = divmod(ornament, CENTRAL)
    following = say_star(side, (star + 1) % CENTRAL)
    said = (_("pillar of {star}"), _("statue between {star} and {next}"), _("window of {star}"))[kind]
    return said.format(star=say_star(side, star), next=following)


# --- draws ---


def print_draws(outcomes: Sequence[int]) -> str:
    """Fours from the end, so that full factories stand by themselves; what is over comes first."""
    letters = "".join(LETTERS[colour] for colour in outcomes)
    over = len(letters) % TILES_OF_A_FACTORY
    fours = [letters[k : k + TILES_OF_A_FACTORY] for k in range(over, len(letters), TILES_OF_A_FACTORY)]
    return " ".join([letters[:over], *fours] if over else fours)


def parse_draws(text: str) -> tuple[int, ...]:
    reader, outcomes = Reader(text), list[int]()
    while not reader.at_end():
        if not reader.accept(" "):
            outcomes.append(reader.one_of(COLOUR, "a colour"))
    written = print_draws(outcomes)
    if text != written:
        same = next((k for k, (a, b) in enumerate(zip(text, written, strict=False)) if a != b), len(written))
        reader.fail(f"tiles are written in fours, counted from the end: {written}", same)
    return tuple(outcomes)


# --- positions ---

PHASES = {
    kernels.DEAL: "deal",
    kernels.REFILL: "refill",
    kernels.TAKE: "taking",
    kernels.DECORATE: "decorating",
    kernels.BONUS: "bonus",
    kernels.KEEP: "keeping",
    kernels.ENDED: "over",
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
    kept = f"{TILES.print_tiles(record.kept)}:" if record.phase == kernels.KEEP and record.seat == seat else ""
    passed = " passed" if record.passed >> seat & 1 else ""
    return f"{record.score[seat]} {kept}{TILES.print_tiles(record.hand[seat])} {stars}{passed}"


def print_state(record: Any) -> str:
    phase = PHASES[int(record.phase)]
    if record.phase == kernels.BONUS:
        phase += f" {record.picks}"
    if record.phase not in (kernels.DEAL, kernels.ENDED):
        phase += f" seat {record.seat}"
    centre = TILES.print_tiles(record.source[kernels.CENTRE])
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


def parse_state(text: str) -> npt.NDArray[Any]:
    """The record [1]. Says what is badly written; what is impossible is for `check` to say."""
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
        record.source[kernels.CENTRE] = TILES.read_tiles(reader, _ALL_TILES)
        if record.token and not record.source[kernels.CENTRE]:
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
    return array


def _parse_head(reader: Reader, record: Any) -> None:
    reader.expect("pavilion ")
    record.plain = reader.one_of({name: side for side, name in enumerate(SIDES)}, "the side")
    reader.expect(" round ")
    record.round_no = reader.number("the round", 1, ROUNDS)
    reader.expect(" ")
    record.phase = reader.one_of({name: phase for phase, name in PHASES.items()}, "the phase")
    if record.phase == kernels.BONUS:
        reader.expect(" ")
        record.picks = reader.number("the number of tiles to choose", 1, 3)
    if record.phase not in (kernels.DEAL, kernels.ENDED):
        reader.expect(" seat ")
        record.seat = reader.number("a seat", 0, 3)
    reader.expect(" start ")
    record.start = reader.number("a seat", 0, 3)
    if record.phase in (kernels.DEAL, kernels.ENDED):
        record.seat = record.start
    reader.expect(" | ", "'|' before the supply")


def _parse_board(reader: Reader, record: Any, seat: int) -> None:
    record.score[seat] = reader.number("a score", 0, 10**4)
    reader.expect(" ")
    record.hand[seat] = TILES.read_tiles(reader, _ALL_TILES)
    if record.phase == kernels.KEEP and record.seat == seat:
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
    if record.phase == kernels.KEEP:
        record.picks = max(MOST_KEPT - TILES.total(record.kept), 0)
    record.stock = TILES.total(record.supply)
    record.left = tiles_left(record)
    record.dealt = record.left - TILES.total(record.source[kernels.CENTRE]) if record.phase == kernels.DEAL else 0
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
