"""Summer Pavilion as text: actions, events and draws. `docs/notation.md` describes the forms."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from azulejos.core.compiling import plain
from azulejos.core.events import Event
from azulejos.core.game import Game
from azulejos.core.language import N_, _, ngettext, say_of
from azulejos.core.state import State
from azulejos.core.text import Reader, Tally

from . import encoding, kernels, lookups
from .tables import (
    CENTRAL,
    COLOURED,
    COLOURS,
    FACTORIES,
    LETTERS,
    NUMBERS,
    POINTS,
    STAR_LETTERS,
    STAR_NAMES,
    SUPPLY_SPACES,
    TILES_OF_A_COLOUR,
    TILES_OF_A_FACTORY,
)

RULES = plain(kernels)
TILES = Tally(LETTERS, encoding.COUNT_BITS, TILES_OF_A_COLOUR)
COLOUR = TILES.colour


_PLACING = (
    (
        N_("Placing: B6 fills number 6 of the blue star; B6+2 pays two tiles with wilds."),
        N_("C4R+1 lays red on 4 of the central star, C, and pays one tile with a wild."),
    ),
    (
        N_("Placing: NW1B+1 lays blue on position 1 of the star at the top left and pays one tile with a wild."),
        N_("The other stars are NE, E, SE, SW, W and C, the central one."),
        N_("A free rhombus is drawn as position:number, so 1:3 is position 1 and costs 3."),
    ),
)


def help(game: Game) -> str:
    lines = (
        N_("Taking: 3B takes blue from factory 3, CB from the centre."),
        *_PLACING[game.codes[1]],
        N_("Supply: SB takes blue from it."),
        N_("Passing: pass; then KG keeps one green tile, and so on in the order PGOYBR."),
        N_("Colours: P purple, G green, O orange, Y yellow, B blue, R red."),
    )
    return "\n".join(lines)


# --- actions ---


class Take(NamedTuple):
    source: int
    colour: int


class Place(NamedTuple):
    star: int
    position: int
    colour: int
    wilds: int


class Pass(NamedTuple):
    pass


class Supply(NamedTuple):
    colour: int


class Keep(NamedTuple):
    colour: int


Parts = Take | Place | Pass | Supply | Keep


@cache
def split(game: Game, index: int) -> Parts:
    """An action's parts."""
    players, side = game.codes
    takes = (FACTORIES[players] + 1) * len(COLOURS)
    if index < takes:
        return Take(*divmod(index, len(COLOURS)))
    index -= takes
    if index < lookups.PLACEMENTS[side]:
        return Place(*map(int, lookups.PLACEMENT[side, index]))
    index -= lookups.PLACEMENTS[side] + 1
    if index < 0:
        return Pass()
    return Supply(index) if index < len(COLOURS) else Keep(index - len(COLOURS))


def join(game: Game, parts: Parts) -> int:
    """The inverse of `split`."""
    players, side = game.codes
    takes = (FACTORIES[players] + 1) * len(COLOURS)
    passes = takes + lookups.PLACEMENTS[side]
    match parts:
        case Take(source, colour):
            return source * len(COLOURS) + colour
        case Place(star, position, colour, wilds):
            payment = lookups.PAYMENTS[side][star].index((position, wilds))
            return takes + int(lookups.FIRST_PLACEMENT[side, star, colour]) + payment
        case Pass():
            return passes
        case Supply(colour):
            return passes + 1 + colour
        case Keep(colour):
            return passes + 1 + len(COLOURS) + colour


def has_colour(side: int, star: int) -> bool:
    """Is a star's colour printed on the board?"""
    return side == COLOURED and star != CENTRAL


def print_action(game: Game, index: int) -> str:
    side = game.codes[1]
    match split(game, index):
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


def parse_action(game: Game, text: str) -> int:
    return join(game, _parse_parts(Reader(text), *game.codes))


def _parse_parts(reader: Reader, players: int, side: int) -> Parts:
    parts: Parts
    sources = {str(number): number for number in range(1, FACTORIES[players] + 1)} | {"C": encoding.CENTRE}
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


def path(game: Game, index: int) -> tuple[str, ...]:
    side = game.codes[1]
    match split(game, index):
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


def say_action(game: Game, index: int) -> str:
    side = game.codes[1]
    match split(game, index):
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


def explain(state: State, index: int) -> str:
    """Why a well-formed action is not legal."""
    fields = state.fields
    seat = fields.seat
    parts = split(state.game, index)
    picks = f"{fields.picks} tile" + "s" * bool(fields.picks > 1)
    match fields.phase, parts:
        case encoding.TAKE, Take(source, colour):
            return _explain_take(fields, source, colour)
        case encoding.TAKE, _:
            return "tiles are taken from the factories and the centre now"
        case encoding.DECORATE, Place(star, position, colour, wilds):
            return _explain_placement(fields, star, position, colour, wilds)
        case encoding.DECORATE, _:
            return f"seat {seat} places a tile or passes now"
        case encoding.BONUS, Supply(colour):
            return f"the supply has no {COLOURS[colour]} tile; it holds {TILES.print_tiles(fields.supply)}"
        case encoding.BONUS, _:
            return f"seat {seat} chooses {picks} from the supply now"
        case _, Keep(colour):
            return _explain_keep(fields, colour)
        case _:
            return f"seat {seat} has passed and chooses {picks} to keep now"


def _explain_take(fields: Any, source: int, colour: int) -> str:
    tiles = TILES.print_tiles(fields.source[source])
    if RULES.count_of(fields.source[source], colour):
        return (
            f"{COLOURS[colour]} is wild in round {fields.round_no} and is taken alone only where nothing else lies; "
            f"{say_source(source)} holds {tiles}"
        )
    holds = f"it holds {tiles}" if tiles != "-" else "it is empty"
    return f"{say_source(source)} has no {COLOURS[colour]} tile; {holds}"


def _explain_placement(fields: Any, star: int, position: int, colour: int, wilds: int) -> str:
    seat, side, wild = fields.seat, fields.plain, RULES.wild_colour(fields)
    where = say_rhombus(side, star, position)
    if fields.filled[seat] >> POINTS * star + position & 1:
        return f"{where} of seat {seat} has its tile already"
    takes = [name for c, name in enumerate(COLOURS) if fields.open[seat] >> POINTS * star + c & 1]
    if COLOURS[colour] not in takes:
        return f"the star of {where} takes {' or '.join(takes)}, not {COLOURS[colour]}"
    if wilds and colour == wild:
        return f"{COLOURS[wild]} is itself wild in round {fields.round_no}: {where} is paid with {COLOURS[wild]} only"
    own = int(NUMBERS[side, star, position]) - wilds
    price = f"{own} {COLOURS[colour]}" + (f" and {wilds} wild {COLOURS[wild]}" if wilds else "")
    return f"that costs {price}; seat {seat} has {TILES.print_tiles(fields.hand[seat])}"


def _explain_keep(fields: Any, colour: int) -> str:
    hand = fields.hand[fields.seat]
    if not RULES.count_of(hand, colour):
        return f"seat {fields.seat} has no {COLOURS[colour]} tile to keep; it has {TILES.print_tiles(hand)}"
    if fields.kept >> encoding.COUNT_BITS * (colour + 1):
        return f"tiles are kept in the order {LETTERS}, and {TILES.print_tiles(fields.kept)} is kept already"
    order = f"tiles are kept in the order {LETTERS}"
    return f"{order}, and from {COLOURS[colour]} on there are fewer than the {fields.picks} still to keep"


def say_event(game: Game, event: Event) -> str | None:
    """Scores and losses in words; what the action itself says is not said again."""
    side = game.codes[1]
    match event.kind:
        case "wild":
            return _("and one {colour}, which is wild").format(colour=say_colour(event.colour))
        case "token":
            return _("start token taken: −{points}").format(points=event.points)
        case "place":
            where = say_rhombus(side, event.star, event.position)
            said = ngettext("{n} point for a segment of {n}", "{n} points for a segment of {n}", event.points)
            return say_of(where, said.format(n=event.points))
        case "ornament":
            said = ngettext("{n} tile from the supply", "{n} tiles from the supply", event.tiles)
            return say_of(say_ornament(side, event.ornament), said.format(n=event.tiles))
        case "short":
            said = ngettext("the supply has only {n} tile", "the supply has only {n} tiles", event.tiles)
            return said.format(n=event.tiles)
        case "supply" if not event.chosen:
            return _("from the supply: {colour}").format(colour=say_colour(event.colour))
        case "keep" if not event.chosen:
            return _("one {colour} kept").format(colour=say_colour(event.colour))
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


def print_draws(game: Game, outcomes: Sequence[int]) -> str:
    """Fours from the end, so that full factories stand by themselves; what is over comes first."""
    letters = "".join(LETTERS[colour] for colour in outcomes)
    over = len(letters) % TILES_OF_A_FACTORY
    fours = [letters[k : k + TILES_OF_A_FACTORY] for k in range(over, len(letters), TILES_OF_A_FACTORY)]
    return " ".join([letters[:over], *fours] if over else fours)


def parse_draws(game: Game, text: str) -> tuple[int, ...]:
    reader, outcomes = Reader(text), list[int]()
    while not reader.at_end():
        if not reader.accept(" "):
            outcomes.append(reader.one_of(COLOUR, "a colour"))
    written = print_draws(game, outcomes)
    if text != written:
        same = next((k for k, (a, b) in enumerate(zip(text, written, strict=False)) if a != b), len(written))
        reader.fail(f"tiles are written in fours, counted from the end: {written}", same)
    return tuple(outcomes)


def explain_draw(state: State, drawn: int) -> str:
    fields = state.fields
    full = fields.stock == SUPPLY_SPACES
    where = f"factory {1 + fields.dealt // TILES_OF_A_FACTORY}" if full else "the supply"
    return f"the bag has no {COLOURS[drawn]} tile left for {where}; it holds {TILES.print_tiles(fields.bag)}"
