"""Summer Pavilion at a table: the places that a hand touches, what an action would do, how tiles travel."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from azulejos.core import hand
from azulejos.core.events import Event
from azulejos.core.hand import Closed, Flight, Ghost, Mark, Offer, Pick, Preview, Shared, Step, Together
from azulejos.core.language import N_, _, language, ngettext, say_of
from azulejos.core.state import State

from . import encoding, notation
from .notation import Keep, Pass, Place, Supply, Take
from .tables import BORDERS, CENTRAL, COLOURS, FACTORIES, MOST_KEPT, NUMBERS, POINTS, ROUNDS, STAR_NAMES, STARS

RULES = notation.RULES


# --- places: the ids of the drawing ---


def source_place(source: int, colour: int) -> str:
    return f"{f'factory-{source}' if source else 'centre'}.{COLOURS[colour]}"


def star_place(seat: int, side: int, star: int) -> str:
    return f"seat-{seat}.star-{STAR_NAMES[side][star].replace(' ', '-')}"


def rhombus_place(seat: int, side: int, star: int, position: int) -> str:
    return f"{star_place(seat, side, star)}.{position + 1}"


def hand_place(seat: int, colour: int) -> str:
    """The tiles of a colour in a hand."""
    return f"seat-{seat}.hand.{COLOURS[colour]}"


def tile_name(colour: int) -> str:
    """The drawing's definition of a tile."""
    return f"tile-{COLOURS[colour]}"


# --- picking ---


def ask(state: State) -> str:
    fields = state.fields
    picks = fields.picks
    match fields.phase:
        case encoding.TAKE:
            return _("take all tiles of one colour from a factory or the centre")
        case encoding.BONUS:
            return ngettext("choose {n} tile from the supply", "choose {n} tiles from the supply", picks).format(
                n=picks
            )
        case encoding.KEEP:
            return ngettext("choose {n} tile to keep", "choose {n} tiles to keep", picks).format(n=picks)
        case _:
            return _("choose tiles in your hand or a rhombus, or pass")


@lru_cache(maxsize=16)
def _payments(state: State) -> dict[tuple[int, int], set[tuple[int, int]]]:
    """For each rhombus that can be filled: the colours, each with the number of wilds, that can pay for it."""
    found: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for action in state.actions:
        parts = notation.split(state.game, int(action))
        if isinstance(parts, Place):
            found.setdefault((parts.star, parts.position), set()).add((parts.colour, parts.wilds))
    return found


def say_move(state: State, index: int) -> str:
    match notation.split(state.game, index):
        case Take(source, colour):
            count = int(RULES.count_of(state.fields.source[source], colour))
            taken = 1 if colour == int(RULES.wild_colour(state.fields)) else count
            said = _("{n} {colour} from {source}")
            return said.format(n=taken, colour=notation.say_colour(colour), source=notation.say_source(source))
        case _:
            return notation.say_action(state.game, index)


def picks(state: State, index: int) -> tuple[Pick, ...]:
    fields = state.fields
    seat = fields.seat
    parts = notation.split(state.game, index)
    words = notation.say_action(state.game, index)
    match parts:
        case Take(source, colour):
            falls = tuple(source_place(source, k) for k in _left_behind(fields, source, colour))
            return (Pick(source_place(source, colour), words, "", falls),)
        case Place():
            return tuple(_placement_picks(state, seat, parts))
        case Pass():
            return (Pick("pass", _say_pass(fields), sure=len(state.actions) > 1),)
        case Supply(colour):
            return (Pick(f"supply.{COLOURS[colour]}", words),)
        case Keep(colour):
            return (Pick(hand_place(seat, colour), words),)


_known_picks = defaultdict[Any, dict[Any, Shared[tuple[Pick, ...]]]](dict)  # by options, language and what they show
_known_previews = defaultdict[Any, dict[Any, Shared[Preview]]](dict)  # the same, without the projected scores


def options(state: State) -> list[Offer]:
    spoken = state.game.codes, language()
    known_picks, known_previews = _known_picks[spoken], _known_previews[spoken]
    return [
        (
            hand.share(known_picks, for_picks, partial(picks, state, index))
            if for_picks
            else Shared(picks(state, index)),
            hand.share(known_previews, for_preview, partial(preview, state, index, 0))
            if for_preview
            else Shared(preview(state, index, 0)),
        )
        for index, (for_picks, for_preview) in zip(state.actions.indices, _shown(state), strict=True)
    ]


def _shown(state: State) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """For every legal action all that its picks show, and its preview; nothing where that is much."""
    fields, game = state.fields, state.game
    seat, filled, hand_ = fields.seat, fields.filled[fields.seat], notation.TILES.counts(fields.hand[fields.seat])
    parts_of_all = [notation.split(game, index) for index in state.actions.indices]
    payments = defaultdict[tuple[int, int], int](int)  # as bits, by rhombus
    for parts in parts_of_all:
        if isinstance(parts, Place):
            payments[parts.star, parts.position] |= 1 << 8 * parts.colour + parts.wilds
    for index, parts in zip(state.actions.indices, parts_of_all, strict=True):
        match parts:
            case Take(source, colour):
                tiles, wild = notation.TILES.counts(fields.source[source]), int(RULES.wild_colour(fields))
                taken = index, seat, wild, tiles[colour], tiles[wild] > 0
                loses = source == encoding.CENTRE and fields.token
                yield (index, seat, wild, fields.source[source] if source else 0), () if loses else taken
            case Place(star, point, colour, _wilds):
                after = filled | 1 << POINTS * star + point
                surrounds = any(after & around == around for around in _AROUND[star, point])
                ring = filled >> POINTS * star & (1 << POINTS) - 1
                yield (index, seat, payments[star, point], hand_[colour]), () if surrounds else (index, seat, ring)
            case _:
                yield (), ()


_AROUND = {  # by rhombus: all rhombi around each of its ornaments, as bits
    (star, point): [sum(1 << POINTS * a + b for a, b in border) for border in BORDERS if (star, point) in border]
    for star in range(STARS)
    for point in range(POINTS)
}


def other_picks(state: State, index: int) -> Iterator[tuple[Pick, ...]]:
    """A placement may begin with its colour, which shows the rhombi that this colour can fill."""
    parts = notation.split(state.game, index)
    if not isinstance(parts, Place):
        return
    seat, colour = state.fields.seat, parts.colour
    held = notation.TILES.counts(state.fields.hand[seat])[colour]
    tiles = _("{n} {colour}").format(n=held, colour=notation.say_colour(colour))
    rhombus, *others = _placement_picks(state, seat, parts)
    rest = [pick for pick in others if pick.place != hand_place(seat, colour)]
    rhombus = replace(rhombus, asks=_("choose what to pay with"))
    yield Pick(hand_place(seat, colour), tiles, _("choose a rhombus")), rhombus, *rest


def together(state: State) -> Iterator[Together]:
    """The tiles to keep: every choice of as many as are still to be chosen."""
    fields = state.fields
    if fields.phase != encoding.KEEP:
        return
    seat, kept = fields.seat, notation.TILES.counts(fields.kept)
    last = max((colour for colour, count in enumerate(kept) if count), default=0)
    hand = notation.TILES.counts(fields.hand[seat])
    tiles = [colour for colour in range(last, len(COLOURS)) for _k in range(min(hand[colour], fields.picks))]
    for chosen in sorted(set(combinations(tiles, fields.picks))):
        said = [notation.say_colour(colour) for colour in chosen]
        yield Together(
            actions=tuple(notation.join(state.game, Keep(colour)) for colour in chosen),
            picks=tuple(Pick(hand_place(seat, colour), words) for colour, words in zip(chosen, said, strict=True)),
            words=say_of(_("kept"), ", ".join(said)),
            projected=state.projected[seat],
        )


def _say_pass(fields: Any) -> str:
    """Passing, with what it costs."""
    kept = MOST_KEPT if fields.round_no < ROUNDS else 0
    gone = max(0, notation.TILES.total(fields.hand[fields.seat]) - kept)
    if not gone:
        return _("pass")
    return ngettext("pass: {n} tile goes, −{n}", "pass: {n} tiles go, −{n}", gone).format(n=gone)


def closed(state: State) -> Iterator[Closed]:
    """Wild tiles that are not taken by themselves, and rhombi that cannot be filled."""
    fields = state.fields
    match fields.phase:
        case encoding.TAKE:
            wild = int(RULES.wild_colour(fields))
            for source in range(1 + FACTORIES[state.game.players]):
                tiles = notation.TILES.counts(fields.source[source])
                if tiles[wild] and sum(tiles) > tiles[wild]:
                    why = _("a wild tile comes with tiles of another colour, not by itself")
                    yield Closed("", source_place(source, wild), why)
        case encoding.DECORATE:
            payable, seat, spoken = _payments(state), fields.seat, language()
            for star in range(STARS):
                most = _most_paid(fields, star)
                for point in range(POINTS):
                    if (star, point) not in payable:
                        filled = fields.filled[seat] >> POINTS * star + point & 1
                        yield _closed(seat, fields.plain, star, point, None if filled else most, spoken)


def _most_paid(fields: Any, star: int) -> int:
    """The most tiles that the seat to act can pay with on a star; 0 if it holds no colour that the star takes."""
    hand, wild = notation.TILES.counts(fields.hand[fields.seat]), int(RULES.wild_colour(fields))
    takes = fields.open[fields.seat] >> POINTS * star
    own = [colour for colour in range(len(COLOURS)) if takes >> colour & 1 and hand[colour]]
    return max((hand[colour] + (hand[wild] if colour != wild else 0) for colour in own), default=0)


@lru_cache(1 << 13)
def _closed(seat: int, side: int, star: int, point: int, most: int | None, language: str) -> Closed:
    """A rhombus that cannot be filled, where the seat can pay with so many tiles; None: it is filled already."""
    where = notation.say_rhombus(side, star, point)
    if most is None:
        why = _("{place} is filled already").format(place=where)
    elif not most:
        why = _("{place}: at least one tile must be of a colour that the star takes").format(place=where)
    else:
        price = int(NUMBERS[side, star, point])
        why = _("{place} costs {n} tiles, and you can pay {most}").format(place=where, n=price, most=most)
    return Closed("", rhombus_place(seat, side, star, point), why)


def _left_behind(fields: Any, source: int, colour: int) -> Iterator[int]:
    """Colours of which tiles go from a factory to the centre."""
    if source == encoding.CENTRE:
        return
    wild = RULES.wild_colour(fields)
    for k, count in enumerate(notation.TILES.counts(fields.source[source])):
        if k != colour and count > (k == wild):
            yield k


def _placement_picks(state: State, seat: int, parts: Place) -> Iterator[Pick]:
    """The rhombus; then the colour and the mix of wilds, each only where there is a choice."""
    fields = state.fields
    side = fields.plain
    payments = _payments(state)[parts.star, parts.position]
    colours = {colour for colour, _wilds in payments}
    mixes = {wilds for colour, wilds in payments if colour == parts.colour}
    where = notation.say_rhombus(side, parts.star, parts.position)
    asks = _("choose a colour") if len(colours) > 1 else _("choose what to pay with")
    yield Pick(rhombus_place(seat, side, parts.star, parts.position), where, asks)
    if len(colours) > 1:
        yield Pick(hand_place(seat, parts.colour), notation.say_colour(parts.colour), _("choose what to pay with"))
    if len(mixes) > 1:
        own = int(NUMBERS[side, parts.star, parts.position]) - parts.wilds
        paid = _("{n} {colour}").format(n=own, colour=notation.say_colour(parts.colour))
        if parts.wilds:
            paid += " " + ngettext("+ {n} wild", "+ {n} wilds", parts.wilds).format(n=parts.wilds)
        yield Pick(f"wilds-{parts.wilds}", paid)


# --- previews ---


def preview(state: State, index: int, projected: int) -> Preview:
    """From what the rules would tell of the seat that acts."""
    fields = state.fields
    seat, side = fields.seat, fields.plain
    ghosts, marks, words = list[Ghost](), list[Mark](), list[str]()
    paid = -1
    for event in state.game.story(state, index):
        if event.values.get("seat", seat) != seat:
            continue
        said = state.game.say_event(event)
        match event.kind:
            case "take" | "wild":
                ghosts.append(Ghost(hand_place(event.seat, event.colour), tile_name(event.colour)))
                if event.kind == "take":
                    said = _("{n} {colour}").format(n=event.tiles, colour=notation.say_colour(event.colour))
            case "token":
                marks.append(Mark(f"seat-{event.seat}.score", f"−{event.points}"))
            case "pay" if paid < 0:
                paid = event.colour  # the first tile is laid, the others go to the tower
            case "keep":
                said = None  # what is over is kept by itself
            case "place":
                place = rhombus_place(event.seat, side, event.star, event.position)
                ghosts.append(Ghost(place, tile_name(paid)))
                marks.append(Mark(place, f"+{event.points}"))
            case "ornament":
                marks.append(Mark(ornament_place(event.seat, side, event.ornament), f"+{event.tiles}"))
            case "discard":
                marks.append(Mark(f"seat-{event.seat}.hand", f"−{event.points}"))
        if said:
            words.append(said)
    if isinstance(notation.split(state.game, index), Pass):
        words = [_say_pass(fields)]
    return Preview(" · ".join(words), projected, tuple(ghosts), tuple(marks))


def ornament_place(seat: int, side: int, ornament: int) -> str:
    kind, star = divmod(ornament, CENTRAL)
    return f"seat-{seat}.ornament-{('pillar', 'statue', 'window')[kind]}-{STAR_NAMES[side][star].replace(' ', '-')}"


# --- what is said of a position and of points ---


def notice(state: State) -> str:
    return _("Last round") if state.round == ROUNDS else ""


_GAINS = {"place": N_("tiles on stars"), "star bonus": N_("full stars"), "number bonus": N_("complete numbers")}
_LOSSES = {"token": N_("start token"), "discard": N_("tiles not used"), "left over": N_("tiles not used")}


def points_of(event: Event) -> tuple[str, int, int] | None:
    return hand.points_of(event, _GAINS, _LOSSES)


def gain(state: State, index: int) -> int:
    """What it scores at once: what is projected supposes a plan that nobody knows."""
    found = [points_of(event) for event in state.game.story(state, index)]
    return sum(one[2] for one in found if one and one[1] == state.seat)


# --- what is shown when it has happened ---


def steps(state: State, events: Sequence[Event]) -> Iterator[Step]:
    fields, paid = state.fields, list[int]()
    held = [notation.TILES.counts(fields.hand[seat]) for seat in range(fields.players)]

    def take(event: Event) -> Iterator[Flight] | None:
        return _taken(fields, event) if event.kind in ("take", "wild") else None

    def show(event: Event, said: str | None) -> Iterator[Step]:
        if event.kind == "pay":
            paid.extend([event.colour] * event.tiles)
            return
        if event.kind == "keep":
            held[event.seat][event.colour] -= 1
        yield from _step(fields.plain, paid, held, event, said)

    return hand.steps_of(state.game, events, take, show)


def _taken(fields: Any, event: Event) -> Iterator[Flight]:
    """Tiles to the hand; with the first of them everything else to the centre."""
    place = source_place(event.source, event.colour)
    for _k in range(event.values.get("tiles", 1)):
        yield Flight(tile_name(event.colour), place, hand_place(event.seat, event.colour))
    if event.kind == "take":
        for colour in _left_behind(fields, event.source, event.colour):
            there = notation.TILES.counts(fields.source[event.source])[colour]
            count = there - (colour == RULES.wild_colour(fields))
            for _k in range(count):
                yield Flight(
                    tile_name(colour), source_place(event.source, colour), source_place(encoding.CENTRE, colour)
                )


def _step(side: int, paid: list[int], held: list[list[int]], event: Event, said: str | None) -> Iterator[Step]:
    """`paid`: the colours of the tiles that were paid with; the first of them is laid. `held`: the hands, by seat."""
    seat = event.values.get("seat")
    score = f"seat-{seat}.score"
    match event.kind:
        case "token":
            flight = Flight("tile-marker", "centre.token", f"seat-{seat}.name")
            yield Step(said, seat, (flight,), (Mark(score, f"−{event.points}"),))
        case "place":
            place = rhombus_place(event.seat, side, event.star, event.position)
            ends = [place] + ["tower"] * (len(paid) - 1)
            spent = zip(paid, ends, strict=True)
            flights = [Flight(tile_name(colour), hand_place(event.seat, colour), end) for colour, end in spent]
            yield Step(said, seat, tuple(flights), (Mark(place, f"+{event.points}"),))
        case "ornament":
            place = ornament_place(event.seat, side, event.ornament)
            yield Step(said, seat, (), (Mark(place, f"+{event.tiles}"),))
        case "supply":
            flight = Flight(
                tile_name(event.colour), f"supply.{COLOURS[event.colour]}", hand_place(event.seat, event.colour)
            )
            yield Step(said, seat, (flight,))
        case "discard" | "left over" if event.points:
            flights = [
                Flight(tile_name(colour), hand_place(event.seat, colour), "tower")
                for colour, count in enumerate(held[event.seat])
                for _k in range(count)
            ]
            yield Step(said, seat, tuple(flights), (Mark(f"seat-{seat}.hand", f"−{event.points}"),))
        case "star bonus":
            yield Step(said, seat, (), (Mark(star_place(event.seat, side, event.star), f"+{event.points}"),))
        case "number bonus":
            yield Step(said, seat, (), (Mark(score, f"+{event.points}"),))
        case _ if said:
            yield Step(said, seat)
