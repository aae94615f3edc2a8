"""How the searching player judges Summer Pavilion: what counts between two rounds, and how an action looks."""

from typing import Any

import numpy as np

from azulejos.core.compiling import adopt, rule
from azulejos.core.features import Features

from .. import common
from ..common import stage as stage
from .encoding import BONUS, CENTRE, DECORATE, TAKE
from .kernels import (
    colours_laid,
    count_of,
    is_single,
    keep_action,
    ring_of,
    supply_action,
    take_actions,
    tiles_in,
    wild_colour,
)
from .lookups import BONUS_TILES, BORDER, ORNAMENTS_AT, PLACEMENT, PLACEMENT_COUNT, RING, SEGMENT, WITH_NUMBER
from .lookups import LOWEST as LOWEST_MEMBER
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
    STAR_BONUS,
    STARS,
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

# Fitted to games of the player against itself by bench/fit_judgement.py: [variants * CHAPTERS, features and patterns].
WEIGHTS, PATTERNS, HIDDEN, PRIORS = common.network(__file__)

# Found in the same games: [1 + things, patterns]. The things of the coloured side: rhombi filled, tiles kept by colour
# and number. Those of the plain side: that it is plain, the same, and colours by star. Those of both: who starts, the
# lead, the round, wild tiles kept.
RHOMBI = STARS * POINTS
PLAIN = RHOMBI + NUM_COLOURS * MOST_KEPT + 1
STARTING = PLAIN + RHOMBI + NUM_COLOURS * MOST_KEPT + STARS * NUM_COLOURS + 1
LEADING, LEADS, LEAD_STEP = STARTING + 1, 25, 4  # classes of the lead over the best of the others, and points a class
BEGINNING = LEADING + LEADS  # the round
WILDS_KEPT = BEGINNING + CHAPTERS  # tiles kept of the next round's wild colour
THINGS = WILDS_KEPT + MOST_KEPT

# What won most here, instead of the search's usual parameters.
PARAMETERS = {"noise": 0.1}

# Ratings of actions, in points: of a star by its number of filled rhombi, for a bonus of one point; of tiles in the
# hand, from the supply and paid.
STAR_PROMISE = np.array([0.0, 0.02, 0.06, 0.13, 0.25, 0.45, 1.0])
TILE_TAKEN, WILD_TAKEN, TILE_OF_FULL_STAR = 1.2, 1.6, 0.6
TILE_SUPPLIED, TILE_PAID, WILD_PAID = 1.5, 0.9, 1.2
TOKEN_POINTS = 2.0
TILE_LOST = 1.2
POINTS_A_STEP = 3.0  # by which an action looks 2.7 times as good

# How many members each set of 14 has: a board's 42 rhombi are three of them.
BITS = np.array([members.bit_count() for members in range(1 << 14)])

# The star that takes each colour on the coloured side: orange, red, blue, yellow, green, purple are stars 0 to 5.
STAR_OF_COLOUR = np.array([5, 4, 0, 3, 2, 1])


chapter_of: Any = adopt(common.chapter_of, __name__, CHAPTERS=CHAPTERS)


@rule
def standing(state, seat):
    """Most points; tied players share the victory."""
    return np.int64(state.score[seat])


@rule
def chapter(state):
    """Each side and number of players has weights of its own for each round that begins."""
    return chapter_of(state.plain, state)


@rule
def ones(rhombi):
    return BITS[rhombi & 0x3FFF] + BITS[rhombi >> 14 & 0x3FFF] + BITS[rhombi >> 28 & 0x3FFF]


@rule
def likely_bonus(state, seat, star):
    """The bonus of a star if it is filled, by what lies on it."""
    if not state.plain:
        return STAR_BONUS[MULTICOLOURED] if star == CENTRAL else STAR_BONUS[LOWEST_MEMBER[colour_of_star(star)]]
    laid = colours_laid(np.int64(state.tile[seat, star]))
    if laid != 0 and is_single(laid):
        return STAR_BONUS[LOWEST_MEMBER[laid]]
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
    count = 0
    first = 1
    if state.plain:
        out[0] = PLAIN
        count, first = 1, PLAIN + 1
        for star in range(STARS):
            laid = colours_laid(np.int64(state.tile[seat, star]))
            for colour in range(NUM_COLOURS):
                if laid >> colour & 1:
                    out[count] = first + RHOMBI + NUM_COLOURS * MOST_KEPT + NUM_COLOURS * star + colour
                    count += 1
    filled = np.int64(state.filled[seat])
    for rhombus in range(RHOMBI):
        if filled >> rhombus & 1:
            out[count] = first + rhombus
            count += 1
    hand = np.int64(state.hand[seat])
    for colour in range(NUM_COLOURS):
        kept = min(count_of(hand, colour), MOST_KEPT)
        if kept > 0:
            out[count] = first + RHOMBI + MOST_KEPT * colour + kept - 1
            count += 1
    if state.start == seat:
        out[count] = STARTING
        count += 1
    lead = np.int64(1000)
    for other in range(state.players):
        if other != seat:
            lead = min(lead, np.int64(state.score[seat]) - np.int64(state.score[other]))
    out[count] = LEADING + min(max(lead // LEAD_STEP + LEADS // 2, 0), LEADS - 1)
    out[count + 1] = BEGINNING + min(max(np.int64(state.round_no) - 2, 0), CHAPTERS - 1)
    count += 2
    kept = min(count_of(hand, wild_colour(state)), MOST_KEPT)
    if kept > 0:
        out[count] = WILDS_KEPT + kept - 1
        count += 1
    return count


@rule
def rate(state, out, count, ratings):
    seat = np.int64(state.seat)
    if state.phase == TAKE:
        rate_takes(state, seat, out, count, ratings)
    elif state.phase == DECORATE:
        rate_placements(state, seat, out, count, ratings)
    else:
        rate_tiles(state, seat, out, count, ratings)
    for k in range(count):
        ratings[k] /= POINTS_A_STEP


@rule
def rate_takes(state, seat, out, count, ratings):
    """The more tiles the better, those that the board can use most of all; the token costs points."""
    wild = wild_colour(state)
    for k in range(count):
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
    side = np.int64(state.plain)
    filled = np.int64(state.filled[seat])
    first = take_actions(state)
    last = state.round_no == ROUNDS
    for k in range(count):
        placement = np.int64(out[k]) - first
        if placement >= PLACEMENT_COUNT[side]:
            spare = tiles_in(state.hand[seat]) - (0 if last else MOST_KEPT)
            ratings[k] = -TILE_LOST * max(spare, 0)
            continue
        star, position = PLACEMENT[side, placement, 0], PLACEMENT[side, placement, 1]
        wilds = PLACEMENT[side, placement, 3]
        ring = ring_of(filled, star)
        number = NUMBERS[side, star, position]
        new = filled | np.int64(1) << POINTS * star + position
        rating = np.float64(SEGMENT[ring | 1 << position, position])
        laid = BITS[ring]
        rating += likely_bonus(state, seat, star) * (STAR_PROMISE[laid + 1] - STAR_PROMISE[laid])
        if number < len(NUMBER_BONUS):
            wanted = WITH_NUMBER[side, number]
            share, before = ones(new & wanted) / ones(wanted), ones(filled & wanted) / ones(wanted)
            rating += NUMBER_BONUS[number] * (share**3 - before**3)
        for which in range(2):
            ornament = ORNAMENTS_AT[star, position, which]
            if new & BORDER[ornament] == BORDER[ornament]:
                rating += TILE_SUPPLIED * BONUS_TILES[ornament]
        if not last:
            rating -= TILE_PAID * (number - wilds)
        ratings[k] = rating - WILD_PAID * wilds * (0.1 if last else 1.0)


@rule
def rate_tiles(state, seat, out, count, ratings):
    """Tiles from the supply, and tiles to keep: wilds first, then colours of which there are more already."""
    supplying = state.phase == BONUS
    first = supply_action(state, 0) if supplying else keep_action(state, 0)
    wild = wild_colour(state)
    if not supplying:
        wild = min(wild + 1, NUM_COLOURS - 1)  # of the next round
    for k in range(count):
        colour = np.int64(out[k]) - first
        held = np.int64(count_of(state.hand[seat], colour))
        rating = 0.3 * min(held, POINTS)
        if colour == wild:
            rating += WILD_TAKEN
        if not state.plain and ring_of(state.filled[seat], STAR_OF_COLOUR[colour]) == RING:
            rating -= TILE_OF_FULL_STAR
        ratings[k] = rating
