"""How the searching player judges Summer Pavilion: what counts between two rounds, and how an action looks."""

from typing import Any

import numpy as np

from azulejos.core.compiling import adopt, rule
from azulejos.core.features import Features
from azulejos.core.kernels import LANES, lane
from azulejos.core.network import Networks

from .. import common
from ..common import after, factories, ones
from ..common import stage as stage
from .encoding import BONUS, CENTRE, DECORATE, TAKE
from .kernels import (
    colours_laid,
    count_of,
    is_single,
    keep_action,
    lowest,
    parts_of,
    ring_of,
    supply_action,
    take_actions,
    tiles_in,
    tiles_of,
    wild_colour,
)
from .lookups import BONUS_TILES, BORDER, ORNAMENTS_AT, RING, SEGMENT, WITH_NUMBER
from .tables import (
    BORDERS,
    CENTRAL,
    LEAST_SCORE,
    MOST_KEPT,
    MULTICOLOURED,
    NUM_COLOURS,
    NUMBER_BONUS,
    NUMBERS,
    ORNAMENT_TILES,
    POINTS,
    ROUNDS,
    SIDES,
    STAR_BONUS,
    STARS,
    SUPPLY_SPACES,
    TILES_OF_A_FACTORY,
)

_features = Features()
SCORE = _features.add("score")
OUTER = _features.add(*(f"outer stars of {n}" for n in range(POINTS + 1)))
CENTRAL_STAR = _features.add(*(f"central star of {n}" for n in range(POINTS + 1)))
STAR_BONUSES = _features.add("bonuses of stars begun")
NUMBER_BEGUN = _features.add(*(f"bonus of {number} begun" for number in range(1, len(NUMBER_BONUS))))
NUMBER_NEAR = _features.add(*(f"bonus of {number} near" for number in range(1, len(NUMBER_BONUS))))
OPEN = _features.add(*(f"points open on {number}" for number in range(1, POINTS + 1)))
LACKING_ONE = _features.add(*(f"ornaments for {tiles} lacking one" for tiles in ORNAMENT_TILES))
LACKING_TWO = _features.add(*(f"ornaments for {tiles} lacking two" for tiles in ORNAMENT_TILES))
KEPT_TILES = _features.add("tiles kept")
KEPT_WILDS = _features.add("wild tiles kept")
STARTS = _features.add("starts")
FEATURES = tuple(_features)
CHAPTERS = ROUNDS - 1  # rounds 2 to 6

# Fitted to games of the search against itself by bench/selfplay.py.
NETWORKS = Networks(__file__, "players", "side")
WEIGHTS = NETWORKS.first.weights

# The things of the first networks: rhombi filled, tiles kept by colour and number;
# of the plain side: that it is plain, the same, and colours by star; of both: who starts, the lead, the round, wild
# tiles kept. The plain side still has its own and those of both, but for the rhombi.
RHOMBI = STARS * POINTS
PLAIN = RHOMBI + NUM_COLOURS * MOST_KEPT + 1
STARTING = PLAIN + RHOMBI + NUM_COLOURS * MOST_KEPT + STARS * NUM_COLOURS + 1
LEADING, LEADS, LEAD_STEP = STARTING + 1, 25, 4  # classes of the lead over the best of the others, and points a class
BEGINNING = LEADING + LEADS  # the round
WILDS_KEPT = BEGINNING + CHAPTERS  # tiles kept of the next round's wild colour

# The things of the coloured side: each star's set of filled rhombi by the round, by how many tiles of its colour may
# come, and by how many are kept; the colours of the central star; the rhombi filled of each number; pillars and statues
# by which rhombi around them are filled; what both sides have; tiles of the next wild colour on the supply; too few
# tiles for the next deal.
SETS = RING + 1
COMING = 8  # classes of how many tiles of a colour may come
AROUND = 16  # sets of the rhombi around a pillar or statue
MOST_SHOWN = 5
STAR_BY_ROUND = WILDS_KEPT + MOST_KEPT
STAR_BY_COMING = STAR_BY_ROUND + STARS * CHAPTERS * SETS
STAR_BY_KEPT = STAR_BY_COMING + CENTRAL * COMING * SETS
CENTRAL_COLOURS = STAR_BY_KEPT + CENTRAL * MOST_KEPT * SETS
FILLED_OF_NUMBER = CENTRAL_COLOURS + SETS
PART_AROUND = FILLED_OF_NUMBER + (len(NUMBER_BONUS) - 1) * (STARS + 1)
COLOURED_STARTS = PART_AROUND + 2 * CENTRAL * AROUND
COLOURED_LEAD = COLOURED_STARTS + 1
COLOURED_WILDS = COLOURED_LEAD + LEADS
WILDS_SHOWN = COLOURED_WILDS + MOST_KEPT + 1
SHORT_DEAL = WILDS_SHOWN + MOST_SHOWN + 1

# Those of the plain side behind them: each star's set by whether it is of one colour, of several or undecided; numbers,
# pillars and statues.
PLAIN_STAR = SHORT_DEAL + 4
PLAIN_OF_NUMBER = PLAIN_STAR + STARS * 3 * SETS
PLAIN_AROUND = PLAIN_OF_NUMBER + (len(NUMBER_BONUS) - 1) * (2 * STARS)
THINGS = PLAIN_AROUND + 2 * CENTRAL * AROUND - 1

# The rhombi around each pillar and statue, in the order of their bits.
RHOMBI_AROUND = np.array([[POINTS * star + position for star, position in border] for border in BORDERS[: 2 * CENTRAL]])

# What won most here, instead of the search's usual parameters.
PARAMETERS = {"noise": 0.1}
LEVELS = {
    "casual": {"width": 1.4},
    "regular": {"simulations": 3},
    "expert": {"simulations": 20},
}  # makes the steps between the levels even here

# Ratings of actions, in points: of a star by its number of filled rhombi, for a bonus of one point; of a number by how
# many of its rhombi are filled; of tiles in the hand, from the supply and paid.
STAR_PROMISE = np.array([0.0, 0.02, 0.06, 0.13, 0.25, 0.45, 1.0])
NUMBER_PROMISE = np.zeros((POINTS + 1, STARS * POINTS))
for _number in range(1, len(NUMBER_BONUS)):
    _rhombi = int(WITH_NUMBER[SIDES.index("plain"), _number]).bit_count()
    _share = np.arange(_rhombi + 1) / _rhombi
    NUMBER_PROMISE[_number, :_rhombi] = NUMBER_BONUS[_number] * np.diff(_share * _share * _share)
TILE_TAKEN, WILD_TAKEN, TILE_OF_FULL_STAR = 1.2, 1.6, 0.6
TILE_SUPPLIED, TILE_PAID, WILD_PAID = 1.5, 0.9, 1.2
TOKEN_POINTS = 2.0
TILE_LOST = 1.2
POINTS_A_STEP = 3.0  # by which an action looks 2.7 times as good

# The rows of PRIORS: one range for each side of the board, in it one for each phase. HOME of a colour is the star that
# takes it; on the plain side, that of this colour alone with the most rhombi filled that is not full.
HELD, WILDS, TOTALS = 9, 8, 16  # classes: tiles of a colour, wild tiles, all tiles of a hand
BRIEF = 5  # the rows that a rollout looks at
ROW_OF_ROUND = 0  # of a position, and the phase
ROW_OF_WILDS = ROW_OF_ROUND + 4 * ROUNDS  # of a position: own, and the next player's
ROW_OF_HAND = ROW_OF_WILDS + HELD * HELD
ROW_OF_OTHER_HAND = ROW_OF_HAND + TOTALS
ROW_OF_LEAD = ROW_OF_OTHER_HAND + TOTALS
ROW_OF_CHOICES = ROW_OF_LEAD + 13
ROW_OF_START = ROW_OF_CHOICES + 32
ROW_OF_FILLED = ROW_OF_START + 8
# Of a take: HOME by the tiles of the colour held then, and by what can be paid with the wilds; the colour by round,
# tiles and whether it is in the central star; tiles, wild and token by round; HOME of the next player by what it holds;
# wilds by round; what is left in the centre; the number of choices and of tiles left.
TAKE_HOME = ROW_OF_FILLED + RHOMBI + 1
TAKE_REACH = TAKE_HOME + SETS * HELD
TAKE_COLOUR = TAKE_REACH + SETS * HELD
TAKE_TILES = TAKE_COLOUR + NUM_COLOURS * ROUNDS * 4 * 2
TAKE_DENIAL = TAKE_TILES + ROUNDS * 3 * 2 * 7
TAKE_WILDS = TAKE_DENIAL + SETS * HELD
TAKE_CENTRE = TAKE_WILDS + ROUNDS * 2 * WILDS
TAKE_TEMPO = TAKE_CENTRE + 192 + 48
# Of a placement: the star's set and the position; number and wilds paid by round; the star and its rhombi by round; the
# number and its rhombi by round; HOME by the tiles of the colour left; ornaments; wilds left by round; tiles left and
# won.
PLACE_SET = TAKE_TEMPO + 3 * 4 * 16
PLACE_COST = PLACE_SET + 2 * SETS * POINTS
PLACE_STAR = PLACE_COST + ROUNDS * (POINTS + 1) * POINTS
PLACE_NUMBER = PLACE_STAR + STARS * ROUNDS * (POINTS + 1)
PLACE_LEFT = PLACE_NUMBER + ROUNDS * (POINTS + 1) * 2 * STARS
PLACE_ORNAMENTS = PLACE_LEFT + 2 * SETS * HELD
PLACE_WILDS = PLACE_ORNAMENTS + 3 * 13 * 13
PLACE_HAND = PLACE_WILDS + 2 * ROUNDS * WILDS
# Of passing: tiles held and choices; tiles by round; wilds by round; the next round's wilds by round; whether another
# has passed, and who starts.
PASS_CHOICES = PLACE_HAND + 5 * ROUNDS * TOTALS
PASS_TILES = PASS_CHOICES + TOTALS * 8
PASS_WILDS = PASS_TILES + ROUNDS * TOTALS
PASS_NEXT = PASS_WILDS + ROUNDS * WILDS
PASS_SEAT = PASS_NEXT + ROUNDS * WILDS
# Of a tile from the supply: HOME by the tiles held, and by what can be paid with the wilds; the colour by round; what
# the colour is and how many tiles are still to come; its tiles on the supply; the central star; wilds; HOME of the
# next player.
SUPPLY_HOME = PASS_SEAT + ROUNDS * 4
SUPPLY_REACH = SUPPLY_HOME + SETS * HELD
SUPPLY_COLOUR = SUPPLY_REACH + SETS * HELD
SUPPLY_KIND = SUPPLY_COLOUR + NUM_COLOURS * ROUNDS * 2
SUPPLY_SHOWN = SUPPLY_KIND + 3 * 4 * HELD
SUPPLY_CENTRAL = SUPPLY_SHOWN + 4 * 6
SUPPLY_WILDS = SUPPLY_CENTRAL + 2 * SETS
SUPPLY_DENIAL = SUPPLY_WILDS + 2 * ROUNDS * WILDS
# Of a tile to keep: HOME by the tiles held; the colour by round and tiles; tiles still to keep; the next round's wilds.
KEEP_HOME = SUPPLY_DENIAL + SETS * HELD
KEEP_COLOUR = KEEP_HOME + SETS * HELD
KEEP_MORE = KEEP_COLOUR + NUM_COLOURS * ROUNDS * HELD
KEEP_NEXT = KEEP_MORE + (MOST_KEPT + 1) * HELD
KEEP_CENTRAL = KEEP_NEXT + 3 * (MOST_KEPT + 1) * HELD
SIDE_ROWS = KEEP_CENTRAL + 2 * HELD
PRIOR_ROWS = 1 + 2 * SIDE_ROWS
# Rows about what the next player will find: not seen by weak levels.
ROWS_OF_OTHERS = tuple((base + TAKE_CENTRE, base + TAKE_TEMPO) for base in (1, 1 + SIDE_ROWS))

# How many members each set of six has.
BITS = np.array([members.bit_count() for members in range(SETS)])

# The borders of the two ornaments beside each rhombus, and a number for their kinds. No ornament is one that always
# lacks a rhombus.
KINDS = np.array([1 + ornament // CENTRAL * 4 for ornament in range(len(BORDERS))] + [-1])
KINDS_AT = np.array([13 * KINDS[one] + KINDS[other] for star in ORNAMENTS_AT for one, other in star])
BORDERS_AT = BORDER[ORNAMENTS_AT].reshape(RHOMBI, 2)

# The star that takes each colour on the coloured side: orange, red, blue, yellow, green, purple are stars 0 to 5.
STAR_OF_COLOUR = np.array([5, 4, 0, 3, 2, 1])


chapter: Any = adopt(common.chapter, __name__, CHAPTERS=CHAPTERS)


@rule
def standing(state, seat):
    """Most points; tied players share the victory."""
    return np.int64(state.score[seat])


@rule
def likely_bonus(state, seat, star):
    """The bonus of a star if it is filled, by what lies on it."""
    if not state.plain:
        return STAR_BONUS[MULTICOLOURED] if star == CENTRAL else STAR_BONUS[lowest(colour_of_star(star))]
    laid = colours_laid(np.int64(state.tile[seat, star]))
    if laid != 0 and is_single(laid):
        return STAR_BONUS[lowest(laid)]
    return STAR_BONUS[MULTICOLOURED]


@rule
def colour_of_star(star):
    """As a set of one, coloured side."""
    colours = 0
    for colour in range(NUM_COLOURS):
        if STAR_OF_COLOUR[colour] == star:
            colours = 1 << colour
    return colours


@rule
def features(state, seat, out):
    """A seat's position between two rounds. A bonus is begun and near by the share of it that is there, squared and
    to the fourth."""
    for k in range(len(FEATURES)):
        out[k] = 0.0
    side = np.int64(state.plain)
    filled = np.int64(state.filled[seat])
    out[SCORE] = state.score[seat]
    for star in range(STARS):
        ring = ring_of(filled, star)
        count = BITS[ring]
        out[(CENTRAL_STAR if star == CENTRAL else OUTER) + count] += 1.0
        if count > 0:
            out[STAR_BONUSES] += likely_bonus(state, seat, star) * (count / POINTS) ** 3
        for position in range(POINTS):
            if ring >> position & 1 == 0:
                out[OPEN + NUMBERS[side, star, position] - 1] += SEGMENT[ring | 1 << position, position]
    for number in range(1, len(NUMBER_BONUS)):
        wanted = WITH_NUMBER[side, number]
        share = ones(filled & wanted) / ones(wanted)
        out[NUMBER_BEGUN + number - 1] = share**2
        out[NUMBER_NEAR + number - 1] = share**4
    for ornament in range(len(BORDERS)):
        lacking = ones(BORDER[ornament] & ~filled)
        if lacking == 1:
            out[LACKING_ONE + ornament // CENTRAL] += 1.0
        elif lacking == 2:
            out[LACKING_TWO + ornament // CENTRAL] += 1.0
    hand = np.int64(state.hand[seat])
    out[KEPT_TILES] = tiles_in(hand)
    out[KEPT_WILDS] = count_of(hand, wild_colour(state))
    if state.start == seat:
        out[STARTS] = 1.0


@rule
def list_things(state, seat, out):
    """What counts on a seat's board between two rounds."""
    filled, hand = np.int64(state.filled[seat]), np.int64(state.hand[seat])
    wilds = min(np.int64(count_of(hand, wild_colour(state))), MOST_KEPT)
    lead = np.int64(1000)
    for other in range(state.players):
        if other != seat:
            lead = min(lead, np.int64(state.score[seat]) - np.int64(state.score[other]))
    lead = min(max(lead // LEAD_STEP + LEADS // 2, 0), LEADS - 1)
    late = min(max(np.int64(state.round_no) - 2, 0), CHAPTERS - 1)
    if state.plain:
        count = list_plain(state, seat, filled, hand, out)
        out[count], out[count + 1] = LEADING + lead, BEGINNING + late
        count += 2
        if state.start == seat:
            out[count] = STARTING
            count += 1
        if wilds > 0:
            out[count] = WILDS_KEPT + wilds - 1
            count += 1
        return count
    count = list_coloured(state, seat, filled, hand, late, out)
    out[count], out[count + 1] = COLOURED_LEAD + lead, COLOURED_WILDS + wilds
    shown = min(np.int64(count_of(state.supply, wild_colour(state))), MOST_SHOWN)
    out[count + 2] = WILDS_SHOWN + shown
    count += 3
    if state.start == seat:
        out[count] = COLOURED_STARTS
        count += 1
    deal = tiles_to_deal(state)
    missing = deal - tiles_in(state.bag) - tiles_in(state.tower)
    if missing > 0:
        out[count] = SHORT_DEAL + min(4 * missing // deal, 3)
        count += 1
    return count


@rule
def list_coloured(state, seat, filled, hand, late, out):
    """The stars, numbers, pillars and statues of the coloured side; how many."""
    count = 0
    for star in range(STARS):
        out[count] = STAR_BY_ROUND + (star * CHAPTERS + late) * SETS + ring_of(filled, star)
        count += 1
    out[count] = CENTRAL_COLOURS + colours_laid(np.int64(state.tile[seat, CENTRAL]))
    count += 1
    for colour in range(NUM_COLOURS):
        star = STAR_OF_COLOUR[colour]
        ring = ring_of(filled, star)
        out[count] = STAR_BY_COMING + (star * COMING + class_of_coming(state, colour)) * SETS + ring
        count += 1
        kept = min(np.int64(count_of(hand, colour)), MOST_KEPT)
        if kept > 0:
            out[count] = STAR_BY_KEPT + (star * MOST_KEPT + kept - 1) * SETS + ring
            count += 1
    for number in range(1, len(NUMBER_BONUS)):
        out[count] = FILLED_OF_NUMBER + (number - 1) * (STARS + 1) + ones(filled & WITH_NUMBER[0, number])
        count += 1
    return list_around(filled, PART_AROUND, count, out)


@rule
def list_plain(state, seat, filled, hand, out):
    """The same of the plain side, where stars are told apart by their colours."""
    out[0] = PLAIN
    count = 1
    for star in range(STARS):
        laid, ring = colours_laid(np.int64(state.tile[seat, star])), ring_of(filled, star)
        kind = 0 if is_single(ring) else 1 if is_single(laid) else 2
        out[count] = PLAIN_STAR + (star * 3 + kind) * SETS + ring
        count += 1
        for colour in range(NUM_COLOURS):
            if laid >> colour & 1:
                out[count] = PLAIN + 1 + RHOMBI + NUM_COLOURS * MOST_KEPT + NUM_COLOURS * star + colour
                count += 1
    for colour in range(NUM_COLOURS):
        kept = min(np.int64(count_of(hand, colour)), MOST_KEPT)
        if kept > 0:
            out[count] = PLAIN + 1 + RHOMBI + MOST_KEPT * colour + kept - 1
            count += 1
    for number in range(1, len(NUMBER_BONUS)):
        out[count] = PLAIN_OF_NUMBER + (number - 1) * 2 * STARS + ones(filled & WITH_NUMBER[1, number])
        count += 1
    return list_around(filled, PLAIN_AROUND, count, out)


@rule
def list_around(filled, first, count, out):
    """Behind `count` things: pillars and statues that lack one rhombus or two; how many things there are then."""
    for ornament in range(2 * CENTRAL):
        around = np.int64(0)
        for k in range(4):
            around |= (filled >> RHOMBI_AROUND[ornament, k] & 1) << k
        if 2 <= BITS[around] <= 3:
            out[count] = first + AROUND * ornament + around
            count += 1
    return count


@rule
def tiles_to_deal(state):
    """Tiles that the next deal needs: those of the factories, and the free spaces of the supply."""
    return TILES_OF_A_FACTORY * factories(state) + SUPPLY_SPACES - np.int64(state.stock)


@rule
def class_of_coming(state, colour):
    """How many tiles of a colour the next deal may bring a player, in the mean and in quarters, as a class of COMING:
    0 is none at all."""
    drawn, inside = tiles_to_deal(state), tiles_in(state.bag)
    of_colour, more = np.int64(count_of(state.bag, colour)), np.int64(0)
    tiles, among = drawn * of_colour, max(inside, 1)
    if inside < drawn:
        more, among = np.int64(count_of(state.tower, colour)), max(tiles_in(state.tower), 1)
        tiles = of_colour * among + min(drawn - inside, among) * more
    if of_colour + more == 0:
        return 0
    quarters = 4 * tiles * TILES_OF_A_FACTORY * factories(state) // (among * drawn * np.int64(state.players))
    return min(max(quarters - 2, 1), COMING - 1)


@rule
def rate(state, out, count, ratings):
    """On the plain side. Actions of the coloured side are rated by the rows that describe them alone."""
    seat = np.int64(state.seat)
    if not state.plain:
        for k in range(lane(), count, LANES):
            ratings[k] = 0.0
        return
    if state.phase == TAKE:
        rate_takes(state, seat, out, count, ratings)
    elif state.phase == DECORATE:
        rate_placements(state, seat, out, count, ratings)
    else:
        rate_tiles(state, seat, out, count, ratings)
    for k in range(lane(), count, LANES):
        ratings[k] /= POINTS_A_STEP


@rule
def rate_takes(state, seat, out, count, ratings):
    """The more tiles the better, those that the board can use most of all; the token costs points."""
    wild = wild_colour(state)
    for k in range(lane(), count, LANES):
        action = np.int64(out[k])
        source, colour = action // NUM_COLOURS, action % NUM_COLOURS
        tiles = np.int64(state.source[source])
        if colour == wild:
            taken = 1
            rating = WILD_TAKEN
        else:
            taken = np.int64(count_of(tiles, colour))
            full = not state.plain and ring_of(state.filled[seat], STAR_OF_COLOUR[colour]) == RING
            rating = taken * (TILE_OF_FULL_STAR if full else TILE_TAKEN)
            if count_of(tiles, wild) > 0:
                taken += 1
                rating += WILD_TAKEN
        if source == CENTRE and state.token:
            rating += TOKEN_POINTS - min(taken, np.int64(state.score[seat]) - LEAST_SCORE)
        ratings[k] = rating


@rule
def rate_placements(state, seat, out, count, ratings):
    """Points, tiles from the supply and what stars and numbers promise, less the tiles paid; or the tiles lost."""
    side = np.uint64(state.plain)
    filled = np.int64(state.filled[seat])
    first = take_actions(state)
    last = state.round_no == ROUNDS
    before, of_star = np.int64(-1), 0.0
    notes, noted = ratings[len(ratings) - RHOMBI :], np.int64(0)  # what all payments of a rhombus have in common
    for k in range(lane(), count - 1, LANES):
        star, position, _, wilds = parts_of(side, np.uint64(out[k] - first))
        rhombus, number = POINTS * star + position, NUMBERS[side, star, position]
        if noted >> rhombus & 1 == 0:
            noted |= np.int64(1) << rhombus
            if star != before:
                laid = BITS[ring_of(filled, star)]
                before = star
                of_star = likely_bonus(state, seat, star) * (STAR_PROMISE[laid + 1] - STAR_PROMISE[laid])
            points = np.float64(SEGMENT[ring_of(filled, star) | 1 << position, position])
            promise = points + of_star + NUMBER_PROMISE[number, ones(filled & WITH_NUMBER[side, number])]
            promise += TILE_SUPPLIED * tiles_for(filled, star, position, 0)
            notes[rhombus] = promise + TILE_SUPPLIED * tiles_for(filled, star, position, 1)
        rating = notes[rhombus]
        if not last:
            rating -= TILE_PAID * (number - wilds)
        ratings[k] = rating - WILD_PAID * wilds * (0.1 if last else 1.0)
    if (count - 1) % LANES == lane():  # passing
        spare = tiles_in(state.hand[seat]) - (0 if last else MOST_KEPT)
        ratings[count - 1] = -TILE_LOST * max(spare, 0)


@rule
def tiles_for(filled, star, position, which):
    """The tiles from the supply for one of the two ornaments beside a rhombus, when that is filled."""
    ornament = ORNAMENTS_AT[star, position, which]
    lacking = BORDER[ornament] & ~filled
    return BONUS_TILES[ornament] if lacking == np.int64(1) << POINTS * star + position else 0


@rule
def rate_tiles(state, seat, out, count, ratings):
    """Tiles from the supply, and tiles to keep: wilds first, then colours of which there are more already."""
    supplying = state.phase == BONUS
    first = supply_action(state, 0) if supplying else keep_action(state, 0)
    wild = wild_colour(state)
    if not supplying:
        wild = min(wild + 1, NUM_COLOURS - 1)  # of the next round
    for k in range(lane(), count, LANES):
        colour = np.int64(out[k]) - first
        held = np.int64(count_of(state.hand[seat], colour))
        rating = 0.3 * min(held, POINTS)
        if colour == wild:
            rating += WILD_TAKEN
        if not state.plain and ring_of(state.filled[seat], STAR_OF_COLOUR[colour]) == RING:
            rating -= TILE_OF_FULL_STAR
        ratings[k] = rating


@rule
def home(state, seat, colour):
    """The rhombi filled of the star that takes a colour; plain side: of the one of it alone that has most, but is not
    full."""
    filled = np.int64(state.filled[seat])
    if not state.plain:
        return ring_of(filled, STAR_OF_COLOUR[colour])
    found, taken = np.int64(0), np.int64(state.open[seat])
    for star in range(STARS):
        ring = ring_of(filled, star)
        if taken >> POINTS * star & RING == 1 << colour and ring != RING and BITS[ring] > BITS[found]:
            found = ring
    return found


@rule
def in_central(state, seat, colour):
    """1 if the central star of the coloured side takes a colour no more."""
    return 1 - (np.int64(state.open[seat]) >> POINTS * CENTRAL + colour & 1)


@rule
def held_of(state, seat, colour):
    """Tiles of a colour in a seat's hand, as a class of HELD."""
    return min(np.int64(count_of(state.hand[seat], colour)), HELD - 1)


@rule
def describe_briefly(state, out, count, ratings, rows):
    """The first BRIEF rows of each action."""
    seat, late = np.int64(state.seat), np.int64(state.round_no) - 1
    base = 1 + SIDE_ROWS * np.int64(state.plain)
    if state.phase == TAKE:
        describe_takes(state, seat, out, count, rows, base, late)
    elif state.phase == DECORATE:
        describe_placements(state, seat, out, count, rows, base, late)
    else:
        describe_tiles(state, seat, out, count, rows, base, late)


@rule
def describe_takes(state, seat, out, count, rows, base, late):
    hand = np.int64(state.hand[seat])
    wild = wild_colour(state)
    wilds = np.int64(count_of(hand, wild))
    token, centre = np.int64(state.token), np.int64(state.source[CENTRE])
    for k in range(lane(), count, LANES):
        action = np.int64(out[k])
        source, colour = action // NUM_COLOURS, action % NUM_COLOURS
        tiles = np.int64(state.source[source])
        taken, with_wild = np.int64(1), np.int64(1)
        rest = tiles - tiles_of(wild, 1)
        if colour != wild:
            taken = np.int64(count_of(tiles, colour))
            with_wild = np.int64(count_of(tiles, wild) != 0)
            rest = tiles - tiles_of(colour, taken) - tiles_of(wild, with_wild)
        wilds_left = min(np.int64(count_of(rest, wild)), 3)
        kind = np.int64(0)
        if source == CENTRE:
            kind = 1 + token
            rows[k, 4] = base + TAKE_CENTRE + 192 + 4 * min(tiles_in(rest), 11) + wilds_left
        else:
            most, size = (
                np.int64(0),
                min(tiles_in(rest), 3),
            )  # most: of a colour in the centre, of those that come there
            if size > wilds_left:
                for more in range(NUM_COLOURS):
                    if more != wild and count_of(rest, more) > 0:
                        most = max(most, np.int64(count_of(rest + centre, more)))
            rows[k, 4] = base + TAKE_CENTRE + ((token * 6 + min(most, 5)) * 4 + size) * 4 + wilds_left
        held = min(np.int64(count_of(hand, colour)) + taken, HELD - 1)
        rows[k, 0] = base + TAKE_TILES + ((late * 3 + kind) * 2 + with_wild) * 7 + min(taken, 6)
        rows[k, 1] = base + TAKE_HOME + SETS * held + home(state, seat, colour)
        some = (colour * ROUNDS + late) * 4 + min(taken, 4) - 1
        rows[k, 2] = base + TAKE_COLOUR + 2 * some + in_central(state, seat, colour)
        rows[k, 3] = base + TAKE_WILDS + (late * 2 + with_wild) * WILDS + min(wilds + with_wild, WILDS - 1)


@rule
def describe_placements(state, seat, out, count, rows, base, late):
    side = np.uint64(state.plain)
    filled, hand = np.int64(state.filled[seat]), np.int64(state.hand[seat])
    first, season = take_actions(state), max(late - 3, 0)
    before, begun = np.int64(-1), np.int64(0)
    for k in range(lane(), count - 1, LANES):
        star, position, colour, wilds = parts_of(side, np.uint64(out[k] - first))
        ring, number = ring_of(filled, star), NUMBERS[side, star, position]
        of_number = ones(filled & WITH_NUMBER[side, np.uint64(number)])
        left = min(np.int64(count_of(hand, colour)) - number + wilds, HELD - 1)
        if star == CENTRAL:
            if colour != before:
                before, begun = colour, home(state, seat, colour)
            rows[k, 0] = base + PLACE_SET + (SETS + ring) * POINTS + position
            rows[k, 3] = base + PLACE_LEFT + (HELD + left) * SETS + begun
        else:
            rows[k, 0] = base + PLACE_SET + ring * POINTS + position
            rows[k, 3] = base + PLACE_LEFT + left * SETS + (ring | 1 << position)
        rows[k, 1] = base + PLACE_ORNAMENTS + season * 169 + ornaments_after(filled, POINTS * star + position)
        rows[k, 2] = base + PLACE_COST + (late * (POINTS + 1) + number) * POINTS + wilds
        rows[k, 4] = base + PLACE_NUMBER + (late * (POINTS + 1) + number) * 2 * STARS + of_number
    if (count - 1) % LANES == lane():
        describe_pass(state, seat, hand, count, rows, base, late)


@rule
def describe_pass(state, seat, hand, count, rows, base, late):
    """The last of `count` actions."""
    k, wild = count - 1, wild_colour(state)
    tiles = min(tiles_in(hand), TOTALS - 1)
    rows[k, 0] = base + PASS_CHOICES + 8 * tiles + min(count - 1, 7)
    rows[k, 1] = base + PASS_TILES + late * TOTALS + tiles
    rows[k, 2] = base + PASS_WILDS + late * WILDS + min(np.int64(count_of(hand, wild)), WILDS - 1)
    following = np.int64(count_of(hand, min(wild + 1, NUM_COLOURS - 1)))
    rows[k, 3] = base + PASS_NEXT + late * WILDS + min(following, WILDS - 1)
    rows[k, 4] = base + PASS_SEAT + 4 * late + 2 * np.int64(state.passed != 0) + np.int64(state.start == seat)


@rule
def ornaments_after(filled, rhombus):
    """The two ornaments beside a rhombus, each by its kind and by what it lacks once the rhombus is filled: a number
    below 169."""
    free = ~(filled | np.int64(1) << rhombus)
    one, other = BORDERS_AT[rhombus, 0], BORDERS_AT[rhombus, 1]
    return KINDS_AT[rhombus] + 13 * ones(one & free) + ones(other & free)


@rule
def describe_tiles(state, seat, out, count, rows, base, late):
    """Tiles from the supply, and tiles to keep."""
    supplying = state.phase == BONUS
    first = supply_action(state, 0) if supplying else keep_action(state, 0)
    following = min(late + 1, NUM_COLOURS - 1)  # the next round's wild colour
    wilds = held_of(state, seat, late if supplying else following)
    picks = np.int64(state.picks)
    for k in range(lane(), count, LANES):
        colour = np.int64(out[k]) - first
        held, ring = held_of(state, seat, colour), home(state, seat, colour)
        if supplying:
            kind = 2 if colour == late else 1 if colour == following else 0
            reach = held if kind == 2 else min(held + wilds, HELD - 1)
            rows[k, 0] = base + SUPPLY_KIND + (kind * 4 + min(picks, 4) - 1) * HELD + held
            rows[k, 1] = base + SUPPLY_REACH + SETS * reach + ring
            rows[k, 2] = base + SUPPLY_COLOUR + (colour * ROUNDS + late) * 2 + in_central(state, seat, colour)
            rows[k, 3] = base + SUPPLY_HOME + SETS * held + ring
            rows[k, 4] = base + SUPPLY_WILDS + (kind // 2 * ROUNDS + late) * WILDS + min(wilds, WILDS - 1)
        else:
            order = 0 if colour < following else 1 if colour == following else 2
            rows[k, 0] = base + KEEP_HOME + SETS * held + ring
            rows[k, 1] = base + KEEP_COLOUR + (colour * ROUNDS + late) * HELD + held
            rows[k, 2] = base + KEEP_MORE + picks * HELD + held
            rows[k, 3] = base + KEEP_NEXT + (order * (MOST_KEPT + 1) + picks) * HELD + wilds
            rows[k, 4] = base + KEEP_CENTRAL + in_central(state, seat, colour) * HELD + held


@rule
def describe_actions(state, out, count, ratings, rows):
    describe_briefly(state, out, count, ratings, rows)
    seat = np.int64(state.seat)
    other = after(state, seat)
    base = 1 + SIDE_ROWS * np.int64(state.plain)
    late = np.int64(state.round_no) - 1
    wilds, theirs = held_of(state, seat, late), held_of(state, other, late)
    tiles = min(tiles_in(state.hand[seat]), TOTALS - 1)
    lead = (np.int64(state.score[seat]) - np.int64(state.score[other])) // 6 + 6
    rows[count, 0] = base + ROW_OF_ROUND + (np.int64(state.phase) - TAKE) * ROUNDS + late
    rows[count, 1] = base + ROW_OF_WILDS + HELD * wilds + theirs
    rows[count, 2] = base + ROW_OF_HAND + tiles
    rows[count, 3] = base + ROW_OF_OTHER_HAND + min(tiles_in(state.hand[other]), TOTALS - 1)
    rows[count, 4] = base + ROW_OF_LEAD + min(max(lead, 0), 12)
    rows[count, 5] = base + ROW_OF_CHOICES + min(count, 31)
    waits = np.int64(state.passed) >> other & 1
    rows[count, 6] = base + ROW_OF_START + 4 * waits + 2 * np.int64(state.token) + np.int64(state.start == seat)
    rows[count, 7] = base + ROW_OF_FILLED + ones(np.int64(state.filled[seat]))
    if state.phase == TAKE:
        describe_takes_more(state, seat, other, out, count, rows, base, wilds)
    elif state.phase == DECORATE:
        describe_placements_more(state, seat, out, count, rows, base, late, wilds, tiles)
    else:
        describe_tiles_more(state, seat, other, out, count, rows, base)


@rule
def describe_takes_more(state, seat, other, out, count, rows, base, wilds):
    left = np.int64(0)
    for source in range(factories(state) + 1):
        left += np.int64(state.source[source])
    wild = wild_colour(state)
    for k in range(lane(), count, LANES):
        action = np.int64(out[k])
        source, colour = action // NUM_COLOURS, action % NUM_COLOURS
        tiles = np.int64(state.source[source])
        taken, reach = np.int64(1), held_of(state, seat, colour) + 1
        if colour != wild:
            taken = np.int64(count_of(tiles, colour))
            reach += taken - 1 + wilds + np.int64(count_of(tiles, wild) != 0)
        kind = 1 + np.int64(state.token) if source == CENTRE else np.int64(0)
        rows[k, 5] = base + TAKE_REACH + SETS * min(reach, HELD - 1) + home(state, seat, colour)
        theirs = min(held_of(state, other, colour) + taken, HELD - 1)
        rows[k, 6] = base + TAKE_DENIAL + SETS * theirs + home(state, other, colour)
        elsewhere = min(np.int64(count_of(left, colour)) - taken, 3)
        rows[k, 7] = base + TAKE_TEMPO + (kind * 4 + elsewhere) * 16 + min(count, 15)


@rule
def describe_placements_more(state, seat, out, count, rows, base, late, wilds, tiles):
    side = np.int64(state.plain)
    filled = np.int64(state.filled[seat])
    wild = wild_colour(state)
    first = take_actions(state)
    for k in range(lane(), count - 1, LANES):
        star, position, colour, paid = parts_of(side, np.uint64(out[k] - first))
        number = NUMBERS[side, star, position]
        won = tiles_for(filled, star, position, 0) + tiles_for(filled, star, position, 1)
        new = filled | np.int64(1) << POINTS * star + position
        wilds_left = min(wilds - (paid if colour != wild else number), WILDS - 1)
        rows[k, 5] = base + PLACE_STAR + (star * ROUNDS + late) * (POINTS + 1) + BITS[ring_of(new, star)]
        rows[k, 6] = base + PLACE_WILDS + ((1 if paid > 0 else 0) * ROUNDS + late) * WILDS + max(wilds_left, 0)
        rows[k, 7] = base + PLACE_HAND + (min(won, 4) * ROUNDS + late) * TOTALS + max(tiles - number, 0)
    for j in range(BRIEF, 8):
        rows[count - 1, j] = rows[count - 1, j - BRIEF]  # the pass


@rule
def describe_tiles_more(state, seat, other, out, count, rows, base):
    supplying = state.phase == BONUS
    first = supply_action(state, 0) if supplying else keep_action(state, 0)
    central = ring_of(np.int64(state.filled[seat]), CENTRAL)
    picks = min(np.int64(state.picks), 4) - 1
    for k in range(lane(), count, LANES):
        colour = np.int64(out[k]) - first
        if supplying:
            rows[k, 5] = base + SUPPLY_SHOWN + picks * 6 + min(np.int64(count_of(state.supply, colour)), 5)
            rows[k, 6] = base + SUPPLY_CENTRAL + in_central(state, seat, colour) * SETS + central
            rows[k, 7] = base + SUPPLY_DENIAL + held_of(state, other, colour) * SETS + home(state, other, colour)
        else:
            for j in range(BRIEF, 8):
                rows[k, j] = rows[k, j - BRIEF]
