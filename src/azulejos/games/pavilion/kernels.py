"""The rules of Azul: Summer Pavilion, in the order of the rule page.

Tiles in one place are six counts of five bits packed into one number, so that moving all tiles of a place is one
addition. The 42 rhombi of a board are bits, six a star: position p of star s is bit 6s + p of a seat's `filled`. A
seat's `open` is built the same way: bit 6s + c says that star s takes colour c where it is free. A seat's `tile`
holds, for each star, six groups of three bits: colour + 1 of the tile on each position, 0 where it is free.

Actions, in this order:
- takes: source × colour, the centre first, then the factories;
- placements: star × colour that it can take × position × number of wilds among the tiles paid;
- the pass;
- one tile from the supply: colour;
- one tile to keep: colour.
A turn is one action, but for two choices that are made one tile at a time: tiles from the supply, and tiles to keep.
Tiles are kept in the order of the colours, so that one choice of tiles is one sequence of actions. Where the rules
leave only one choice of either kind, it is made without being asked.
"""

from azulejos.core.arrays import np
from azulejos.core.compiling import rule, tell
from azulejos.core.kernels import CHANCE, OVER

from .. import common
from ..common import after, factories, ones
from .encoding import BONUS, CENTRE, COUNT_BITS, COUNT_MASK, DEAL, DECORATE, ENDED, KEEP, NO_COLOUR, REFILL, TAKE
from .lookups import (
    BONUS_TILES,
    BORDER,
    CHEAPEST,
    FIRST_PLACEMENT,
    FREE,
    ONE_OF_EACH,
    OPEN_AT_FIRST,
    ORNAMENTS_AT,
    PAYABLE,
    PLACEMENT,
    PLACEMENT_COUNT,
    RING,
    SEGMENT,
    WITH_NUMBER,
)
from .tables import (
    DEALT,
    DISCARDED,
    FIRST_SCORE,
    KEPT,
    LEAST_SCORE,
    LEFT_OVER,
    MOST_KEPT,
    MOST_PLAYERS,
    MOST_SOURCES,
    MULTICOLOURED,
    NUM_COLOURS,
    NUMBER_BONUS,
    NUMBER_COMPLETE,
    NUMBERS,
    PAID,
    PASSED,
    PLACED,
    PLAIN,
    POINTS,
    POURED,
    ROUNDS,
    SHORT,
    STAR_BONUS,
    STAR_COMPLETE,
    STARS,
    SUPPLIED,
    SUPPLY_SPACES,
    SURROUNDED,
    TILES_OF_A_COLOUR,
    TILES_OF_A_FACTORY,
    TOKEN,
    TOOK,
    TOOK_WILD,
)

STATE = np.dtype(
    (
        np.record,
        [
            ("filled", "i8", (MOST_PLAYERS,)),
            ("open", "i8", (MOST_PLAYERS,)),
            ("tile", "i4", (MOST_PLAYERS, STARS)),
            ("hand", "i4", (MOST_PLAYERS,)),
            ("source", "i4", (MOST_SOURCES,)),  # the centre, then the factories
            ("bag", "i4"),
            ("tower", "i4"),
            ("supply", "i4"),
            ("kept", "i4"),  # in KEEP: the tiles chosen so far, which have left the hand; else 0
            ("score", "i2", (MOST_PLAYERS,)),
            ("left", "i2"),  # tiles on the factories and in the centre
            ("round_no", "i1"),  # from 1
            ("players", "i1"),
            ("plain", "i1"),
            ("phase", "i1"),
            ("seat", "i1"),  # who acts; in REFILL: who acts next
            ("start", "i1"),  # who started the round, or has taken the token since
            ("token", "i1"),  # 1 while it lies in the centre
            ("passed", "i1"),  # the seats, as bits, that are out for the round
            ("picks", "i1"),  # tiles still to be chosen, in BONUS and KEEP; else 0
            ("stock", "i1"),  # tiles on the supply
            ("dealt", "i1"),  # tiles laid on the factories so far, in DEAL; else 0
            ("spare", "i1", (3,)),  # always 0: fills the record up to a multiple of eight
        ],
    )
)
tiles_of, count_of, tiles_in, colour_drawn = common.packed(
    __name__, COUNT_BITS=COUNT_BITS, COUNT_MASK=COUNT_MASK, NUM_COLOURS=NUM_COLOURS
)


@rule
def colours_in(tiles):
    """The colours of which there are tiles, as bits."""
    colours = 0
    for colour in range(NUM_COLOURS):
        colours |= np.int64(count_of(tiles, colour) != 0) << colour
    return colours


@rule
def lowest(members):
    """The lowest member of a set, as bits."""
    return ones((members & -members) - 1)


@rule
def is_single(members):
    """Has a set, as bits, at most one member?"""
    return members & (members - 1) == 0


@rule
def wild_colour(state):
    """Each round has its own."""
    return np.int64(state.round_no) - 1


@rule
def lose(state, seat, points):
    """No loss takes a score below 1 (P-R1); how many points are lost."""
    lost = min(points, state.score[seat] - LEAST_SCORE)
    state.score[seat] -= lost
    return lost


# --- set-up ---


@rule
def setup(state, option_codes, first):
    """option_codes: the number of players, and 1 for the plain side."""
    state.players = option_codes[0]
    state.plain = option_codes[1]
    for source in range(MOST_SOURCES):
        state.source[source] = 0
    state.bag = TILES_OF_A_COLOUR * ONE_OF_EACH
    state.tower = 0
    state.supply = 0
    state.stock = 0
    state.kept = 0
    state.picks = 0
    for seat in range(MOST_PLAYERS):
        playing = seat < state.players
        state.filled[seat] = 0
        state.open[seat] = OPEN_AT_FIRST[state.plain] if playing else 0
        state.hand[seat] = 0
        state.score[seat] = FIRST_SCORE if playing else 0
        for star in range(STARS):
            state.tile[seat, star] = 0
    state.start = first
    state.round_no = 0
    begin_round(state)


@rule
def begin_round(state):
    """The token goes back to the centre; its owner starts."""
    state.round_no += 1
    state.phase = DEAL
    state.seat = state.start
    state.token = 1
    state.passed = 0
    state.dealt = 0
    state.left = 0
    prepare_draw(state)


@rule
def prepare_draw(state):
    """Pour the tower into an empty bag if a tile is needed (P-R7); go on if none is, or none is to be had."""
    if state.stock < SUPPLY_SPACES or factory_needs_tile(state):
        if state.bag == 0 and state.tower != 0:
            tell(POURED, 0, 0, 0, 0)
            state.bag = state.tower
            state.tower = 0
        if state.bag != 0:
            return
    if state.phase == DEAL:
        begin_taking(state)
    else:
        state.phase = DECORATE


@rule
def factory_needs_tile(state):
    return state.phase == DEAL and state.dealt < TILES_OF_A_FACTORY * factories(state)


@rule
def ways(state):
    """One way for each tile in the bag."""
    return tiles_in(state.bag)


@rule
def outcome(state, way):
    """A colour."""
    return colour_drawn(state.bag, way)


@rule
def draw(state, colour):
    """One tile goes from the bag to the supply, or, once that is full, to the first factory that is not (P-R7)."""
    state.bag -= tiles_of(colour, 1)
    if state.stock < SUPPLY_SPACES:
        tell(DEALT, 0, colour, 0, 0)
        state.supply += tiles_of(colour, 1)
        state.stock += 1
    else:
        factory = 1 + state.dealt // TILES_OF_A_FACTORY
        tell(DEALT, factory, colour, 0, 0)
        state.source[factory] += tiles_of(colour, 1)
        state.dealt += 1
        state.left += 1
    prepare_draw(state)


# --- whose turn, and what may be done ---


@rule
def turn(state):
    if state.phase == DEAL or state.phase == REFILL:
        return CHANCE
    if state.phase == ENDED:
        return OVER
    return np.int64(state.seat)


@rule
def take_actions(state):
    """How many there are: placements come after them."""
    return (factories(state) + 1) * NUM_COLOURS


@rule
def pass_action(state):
    """It follows the placements."""
    return take_actions(state) + PLACEMENT_COUNT[state.plain]


@rule
def supply_action(state, colour):
    return pass_action(state) + 1 + colour


@rule
def keep_action(state, colour):
    return supply_action(state, NUM_COLOURS) + colour


@rule
def legal(state, out):
    if state.phase == TAKE:
        return legal_takes(state, out)
    if state.phase == DECORATE:
        count = legal_placements(state, out)
        out[count] = pass_action(state)
        return count + 1
    if state.phase == BONUS:
        return list_members(colours_in(state.supply), supply_action(state, 0), out, 0)
    return list_members(keepable(state), keep_action(state, 0), out, 0)


@rule
def list_members(members, action, out, count):
    """Behind `count` actions, one for each member of a set, `action` being that of the first; how many there are."""
    while members != 0:
        out[np.uint64(count)] = action + lowest(members)
        members &= members - 1
        count += 1
    return count


@rule
def apply(state, action):
    if state.phase == TAKE:
        take(state, action // NUM_COLOURS, action % NUM_COLOURS)
    elif state.phase == DECORATE:
        placement = action - take_actions(state)
        if placement < PLACEMENT_COUNT[state.plain]:
            star, position, colour, wilds = parts_of(np.uint64(state.plain), np.uint64(placement))
            place(state, star, position, colour, wilds)
        else:
            pass_round(state)
    elif state.phase == BONUS:
        choose_from_supply(state, action - supply_action(state, 0))
    else:
        choose_to_keep(state, action - keep_action(state, 0))


# --- phase 1, taking ---


@rule
def begin_taking(state):
    """If not one tile could be dealt, play goes straight to phase 2 (P-R8)."""
    state.phase = TAKE
    state.dealt = 0
    if state.left == 0:
        begin_decorating(state)


@rule
def legal_takes(state, out):
    """Each colour of each source, but a wild only from a source that holds nothing else."""
    wild = wild_colour(state)
    wilds = tiles_of(wild, COUNT_MASK)
    count = np.uint64(0)
    for source in range(factories(state) + 1):
        tiles = np.int64(state.source[source])
        if tiles != 0:
            takeable = tiles & ~wilds
            if takeable == 0:
                takeable = tiles
            for colour in range(NUM_COLOURS):
                out[count] = source * NUM_COLOURS + colour  # scribbled over by the next if there is no such tile
                count += np.uint64(count_of(takeable, colour) != 0)
    return np.int64(count)


@rule
def take(state, source, colour):
    """All tiles of a colour that is not wild, and one wild if there is one; of nothing but wilds, exactly one."""
    seat = np.int64(state.seat)
    wild = wild_colour(state)
    tiles = np.int64(state.source[source])
    count = 1 if colour == wild else count_of(tiles, colour)
    taken = tiles_of(colour, count)
    tell(TOOK, seat, source, colour, count)
    if colour != wild and count_of(tiles, wild) != 0:
        tell(TOOK_WILD, seat, source, wild, 0)
        taken += tiles_of(wild, 1)
        count += 1
    state.hand[seat] += taken
    if source == CENTRE:
        state.source[CENTRE] -= taken
        if state.token:
            take_token(state, seat, count)
    else:
        state.source[source] = 0
        state.source[CENTRE] += tiles - taken  # wilds included
    state.left -= count
    if state.left == 0:
        begin_decorating(state)
    else:
        state.seat = after(state, seat)


@rule
def take_token(state, seat, count):
    """The first to take from the centre in a round loses a point for each tile just taken."""
    state.token = 0
    state.start = seat
    lost = lose(state, seat, count)
    tell(TOKEN, seat, lost, 0, 0)


# --- phase 2, decorating ---


@rule
def begin_decorating(state):
    """The token's owner begins: the start player, if nobody took it (P-R3)."""
    state.phase = DECORATE
    state.token = 0
    state.seat = state.start


@rule
def legal_placements(state, out):
    """Every free rhombus that can be paid for, in every colour that its star takes, with every mix of wilds."""
    seat = np.int64(state.seat)
    side = np.uint64(state.plain)
    wild = wild_colour(state)
    hand = np.int64(state.hand[seat])
    held = colours_in(hand)
    wilds = min(count_of(hand, wild), POINTS - 1)
    first = take_actions(state)
    filled, takes = np.int64(state.filled[seat]), np.int64(state.open[seat])
    count = 0
    for star in range(STARS):
        colours = ring_of(takes, star) & held
        free = FREE[side, star, ring_of(filled, star)]
        while colours != 0:
            colour = lowest(colours)
            colours &= colours - 1
            own = min(count_of(hand, colour), POINTS)
            payments = free & PAYABLE[side, star, own, 0 if colour == wild else wilds]
            count = list_members(payments, first + FIRST_PLACEMENT[side, star, colour], out, count)
    return count


@rule
def parts_of(side, placement):
    """The star, the position, the colour and the number of wilds of a placement."""
    star, position = PLACEMENT[side, placement, 0], PLACEMENT[side, placement, 1]
    colour, wilds = PLACEMENT[side, placement, 2], PLACEMENT[side, placement, 3]
    return np.int64(star), np.int64(position), np.int64(colour), np.int64(wilds)


@rule
def place(state, star, position, colour, wilds):
    """One tile goes on a rhombus and scores at once; the others that it costs go to the tower."""
    seat = np.int64(state.seat)
    side = np.int64(state.plain)
    pay(state, seat, colour, NUMBERS[side, star, position] - wilds, wilds)
    state.tile[seat, star] += (colour + 1) << 3 * position
    state.filled[seat] |= np.int64(1) << POINTS * star + position
    ring = ring_of(state.filled[seat], star)
    state.open[seat] &= ~(np.int64(RING) << POINTS * star)
    state.open[seat] |= colours_taken(side, star, ring, np.int64(state.tile[seat, star])) << POINTS * star
    points = SEGMENT[ring, position]
    tell(PLACED, seat, star, position, points)
    state.score[seat] += points
    owed = surround(state, seat, star, position)
    if owed == 0:
        end_turn(state)
    else:
        state.phase = BONUS
        state.picks = min(owed, np.int64(state.stock))
        if state.picks < owed:
            tell(SHORT, seat, np.int64(state.picks), 0, 0)  # P-R2
        go_on_choosing(state)


@rule
def ring_of(filled, star):
    """The positions of a star, as bits, that are filled."""
    return filled >> POINTS * star & RING


@rule
def pay(state, seat, colour, own, wilds):
    """`own` tiles of the colour, of which one is for the rhombus, and `wilds`: the payer chooses the mix."""
    wild = wild_colour(state)
    tell(PAID, seat, colour, own, 0)
    tell(PAID, seat, wild, wilds, 0)
    state.hand[seat] -= tiles_of(colour, own) + tiles_of(wild, wilds)
    state.tower += tiles_of(colour, own - 1) + tiles_of(wild, wilds)


@rule
def colours_taken(side, star, ring, tiles):
    """The colours, as bits, that a star takes where it is free, by the positions filled on it and the tiles there."""
    fitting = OPEN_AT_FIRST[side] >> POINTS * star & RING
    if is_single(fitting):
        return fitting
    laid = colours_laid(tiles)
    if side == PLAIN:
        if is_single(ring):  # no tile yet, or one: the second will decide
            return fitting
        if is_single(laid):
            return laid
    return fitting & ~laid


@rule
def colours_laid(tiles):
    """The colours, as bits, that lie on a star."""
    colours = np.int64(0)
    for position in range(POINTS):
        colours |= np.int64(1) << (tiles >> 3 * position & 7)
    return colours >> 1  # bit 0 stood for free rhombi


@rule
def surround(state, seat, star, position):
    """The tiles owed for the ornaments, one or more, whose last rhombus has just been filled."""
    owed = 0
    for k in range(2):
        ornament = ORNAMENTS_AT[star, position, k]
        if state.filled[seat] & BORDER[ornament] == BORDER[ornament]:
            tell(SURROUNDED, seat, ornament, BONUS_TILES[ornament], 0)
            owed += BONUS_TILES[ornament]
    return owed


@rule
def go_on_choosing(state):
    """Tiles come from the supply one decision at a time (P-R5), as long as there is a choice."""
    while state.picks > 0:
        colours = colours_in(state.supply)
        if state.stock > state.picks and not is_single(colours):
            return
        take_from_supply(state, lowest(colours), 0)
    end_turn(state)


@rule
def take_from_supply(state, colour, chosen):
    seat = np.int64(state.seat)
    tell(SUPPLIED, seat, colour, chosen, 0)
    state.supply -= tiles_of(colour, 1)
    state.stock -= 1
    state.picks -= 1
    state.hand[seat] += tiles_of(colour, 1)


@rule
def choose_from_supply(state, colour):
    take_from_supply(state, colour, 1)
    go_on_choosing(state)


@rule
def end_turn(state):
    """The supply is refilled, now or after a later turn (P-R6), and the next player who has not passed goes on."""
    if state.passed == (1 << state.players) - 1:
        end_round(state)
        return
    seat = after(state, np.int64(state.seat))
    while state.passed >> seat & 1:
        seat = after(state, seat)
    state.seat = seat
    state.phase = REFILL
    prepare_draw(state)


@rule
def pass_round(state):
    """Out for the round, keeping four tiles of choice (P-R4); in the last round there is nothing to choose (P-R9)."""
    seat = np.int64(state.seat)
    tell(PASSED, seat, 0, 0, 0)
    state.passed |= 1 << seat
    if tiles_in(state.hand[seat]) <= MOST_KEPT:
        end_turn(state)
    else:
        state.phase = KEEP
        state.picks = MOST_KEPT
        go_on_keeping(state)


@rule
def go_on_keeping(state):
    """Tiles are kept one by one, as long as there is a choice; the others go to the tower, a point lost for each."""
    while state.picks > 0:
        colours = keepable(state)
        if not is_single(colours) and state.round_no < ROUNDS:
            return
        keep(state, lowest(colours), 0)
    discard(state)
    end_turn(state)


@rule
def keepable(state):
    """The colours, as bits, of which the next tile may be kept: none before the last one kept, in the order of the
    colours, and none that would leave too few tiles after it."""
    hand = np.int64(state.hand[state.seat])
    colours = 0
    tiles = np.int64(0)
    for colour in range(NUM_COLOURS - 1, -1, -1):
        tiles += count_of(hand, colour)
        if count_of(hand, colour) != 0 and tiles >= state.picks:
            colours |= 1 << colour
        if count_of(state.kept, colour) != 0:
            break
    return colours


@rule
def choose_to_keep(state, colour):
    keep(state, colour, 1)
    go_on_keeping(state)


@rule
def keep(state, colour, chosen):
    seat = np.int64(state.seat)
    tell(KEPT, seat, colour, chosen, 0)
    state.hand[seat] -= tiles_of(colour, 1)
    state.kept += tiles_of(colour, 1)
    state.picks -= 1


@rule
def discard(state):
    """Every tile that is not kept goes to the tower and costs a point."""
    seat = np.int64(state.seat)
    tiles = tiles_in(state.hand[seat])
    lost = lose(state, seat, tiles)
    tell(DISCARDED, seat, tiles, lost, 0)
    state.tower += state.hand[seat]
    state.hand[seat] = state.kept
    state.kept = 0


# --- phase 3, and the end ---


@rule
def end_round(state):
    """Six rounds, whatever can be dealt (P-R8)."""
    if state.round_no < ROUNDS:
        begin_round(state)
    else:
        end(state)


@rule
def end(state):
    """The bonuses for full stars and for numbers, then the loss for the tiles left over (P-R9)."""
    state.phase = ENDED
    state.seat = state.start
    state.passed = 0
    for seat in range(state.players):
        filled = state.filled[seat]
        for star in range(STARS):
            points = star_bonus(ring_of(filled, star), np.int64(state.tile[seat, star]))
            if points > 0:
                tell(STAR_COMPLETE, seat, star, points, 0)
                state.score[seat] += points
        for number in range(1, len(NUMBER_BONUS)):
            points = number_bonus(state.plain, filled, number)
            if points > 0:
                tell(NUMBER_COMPLETE, seat, number, points, 0)
                state.score[seat] += points
        tiles = tiles_in(state.hand[seat])
        if tiles > 0:
            lost = lose(state, seat, tiles)
            tell(LEFT_OVER, seat, tiles, lost, 0)


@rule
def star_bonus(ring, tiles):
    """The points for a full star, by its colour or for its having several; 0 if it is not full."""
    if ring != RING:
        return np.int64(0)
    colours = colours_laid(tiles)
    return STAR_BONUS[lowest(colours) if is_single(colours) else MULTICOLOURED]


@rule
def number_bonus(side, filled, number):
    """The points for having filled every rhombus with a number; 0 if one is free."""
    wanted = WITH_NUMBER[side, number]
    return NUMBER_BONUS[number] if filled & wanted == wanted else np.int64(0)


# --- looking ahead ---


@rule
def projected(state, seat):
    """What the score would be if the seat laid now what it can pay for, then passed, and the game ended.

    It goes from star to star, in each from the cheapest rhombus up, lays the colour of which it has most, and pays
    with wilds only what it lacks. Tiles from the supply are not counted, nor is the loss for tiles that it may keep.
    """
    score = np.int64(state.score[seat])
    if state.phase == ENDED:
        return score
    lays = state.phase != DEAL and not state.passed >> seat & 1
    side = np.int64(state.plain)
    wild = wild_colour(state)
    hand = np.int64(state.hand[seat])
    if state.phase == KEEP and state.seat == seat:
        hand += state.kept
    filled = np.int64(state.filled[seat])
    for star in range(STARS):
        tiles = np.int64(state.tile[seat, star])
        ring = ring_of(filled, star)
        for k in range(POINTS):
            position = CHEAPEST[side, star, k]
            if lays and not ring >> position & 1:
                number = NUMBERS[side, star, position]
                colour = colour_to_lay(hand, colours_taken(side, star, ring, tiles), number, wild)
                if colour != NO_COLOUR:
                    own = min(count_of(hand, colour), number)
                    hand -= tiles_of(colour, own) + tiles_of(wild, number - own)
                    tiles |= (colour + 1) << 3 * position
                    ring |= np.int64(1) << position
                    score += SEGMENT[ring, position]
        filled |= ring << POINTS * star
        score += star_bonus(ring, tiles)
    for number in range(1, len(NUMBER_BONUS)):
        score += number_bonus(side, filled, number)
    kept = MOST_KEPT if state.round_no < ROUNDS else 0
    return max(score - max(tiles_in(hand) - kept, 0), LEAST_SCORE)


@rule
def colour_to_lay(hand, colours, number, wild):
    """Of some colours, as bits, the one of which a hand holds most, if it can pay `number` with it; else NO_COLOUR."""
    best = NO_COLOUR
    most = np.int64(0)
    for colour in range(NUM_COLOURS):
        if colours >> colour & 1 and count_of(hand, colour) > most:
            best = colour
            most = count_of(hand, colour)
    wilds = 0 if best == wild else count_of(hand, wild)
    return best if most + wilds >= number else NO_COLOUR
