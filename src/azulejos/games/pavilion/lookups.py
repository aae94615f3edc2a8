"""Summer Pavilion's tables as the rules look them up: packed counts, sets as bits, and what follows from each."""

from azulejos.core.arrays import np

from .encoding import COUNT_BITS
from .tables import BORDERS, CENTRAL, FITTING, NUM_COLOURS, NUMBERS, ORNAMENT_TILES, POINTS, SIDES, STARS

ONE_OF_EACH = sum(1 << COUNT_BITS * colour for colour in range(NUM_COLOURS))
RING = (1 << POINTS) - 1  # all positions of a star, and likewise all colours
NO_RHOMBUS = 1 << STARS * POINTS
TILE_EVERYWHERE = sum(1 << 3 * position for position in range(POINTS))

# The colours, as bits, that the stars of an empty board take. [side]
OPEN_AT_FIRST = np.array(
    [sum(1 << POINTS * star + colour for star in range(STARS) for colour in fitting[star]) for fitting in FITTING]
)

# The length of the unbroken ring segment through each position of each set of positions (0 where it is empty).
SEGMENT = np.zeros((RING + 1, POINTS), np.int64)
for _ring in range(RING + 1):
    for _position in range(POINTS):
        _on = [_ring >> (_position + step) % POINTS & 1 for step in range(POINTS)]
        _back = _on[:0:-1]
        if all(_on):
            SEGMENT[_ring, _position] = POINTS
        elif _on[0]:
            SEGMENT[_ring, _position] = _on.index(0) + _back.index(0)

# The rhombi around each ornament, as bits, and its tiles; the last is no ornament, never surrounded.
BORDER = np.array(
    [sum(1 << POINTS * star + position for star, position in border) for border in BORDERS] + [NO_RHOMBUS]
)
BONUS_TILES = np.array([ORNAMENT_TILES[ornament // CENTRAL] for ornament in range(len(BORDERS))] + [0])

# The one or two ornaments beside each rhombus. [star, position, 2]
ORNAMENTS_AT = np.full((STARS, POINTS, 2), len(BORDERS))
for _ornament, _border in enumerate(BORDERS):
    for _rhombus in _border:
        ORNAMENTS_AT[(*_rhombus, int(ORNAMENTS_AT[_rhombus][0] < len(BORDERS)))] = _ornament

# The rhombi with each number, as bits. [side, number]
WITH_NUMBER = np.array(
    [
        [
            sum(1 << POINTS * star + k for star in range(STARS) for k in range(POINTS) if side[star, k] == number)
            for number in range(POINTS + 1)
        ]
        for side in NUMBERS
    ]
)

# The positions of each star from the cheapest up. [side, star, POINTS]
CHEAPEST = np.array([[sorted(range(POINTS), key=lambda k: star[k]) for star in side] for side in NUMBERS.tolist()])

# --- placements: the ways to fill a star with one colour are its payments, position by position ---

PAYMENTS = [
    [[(position, wilds) for position in range(POINTS) for wilds in range(star[position])] for star in side]
    for side in NUMBERS
]
PAYMENT_PARTS = 3  # a star has at most 21 payments: three sets of seven

# The payments, as bits, that go to a free position, by the ring; and that a hand can make, by its number of tiles of
# the colour and of wilds (more than 6 and 5 help no more). [side, star, …]
FREE = np.zeros((len(SIDES), STARS, RING + 1), np.int32)
PAYABLE = np.zeros((len(SIDES), STARS, POINTS + 1, POINTS), np.int32)

# For each placement: its star, position, colour and number of wilds. [side, placement, 4]
# For each star and colour: its first placement. [side, star, colour]
PLACEMENTS = [sum(len(f) * len(p) for f, p in zip(FITTING[side], PAYMENTS[side], strict=True)) for side in range(2)]
PLACEMENT = np.zeros((len(SIDES), max(PLACEMENTS), 4), np.uint8)
FIRST_PLACEMENT = np.zeros((len(SIDES), STARS, NUM_COLOURS), np.int64)
for _side in range(len(SIDES)):
    _next = 0
    for _star in range(STARS):
        for _bit, (_position, _wilds) in enumerate(PAYMENTS[_side][_star]):
            for _ring in range(RING + 1):
                if not _ring >> _position & 1:
                    FREE[_side, _star, _ring] |= 1 << _bit
            for _own in range(POINTS + 1):
                for _spare in range(POINTS):
                    if _wilds <= _spare and NUMBERS[_side, _star, _position] - _wilds <= _own:
                        PAYABLE[_side, _star, _own, _spare] |= 1 << _bit
        for _colour in FITTING[_side][_star]:
            FIRST_PLACEMENT[_side, _star, _colour] = _next
            for _position, _wilds in PAYMENTS[_side][_star]:
                PLACEMENT[_side, _next] = _star, _position, _colour, _wilds
                _next += 1
PLACEMENT_COUNT = np.array(PLACEMENTS)
