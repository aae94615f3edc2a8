"""Rules and tables that several of the games have in common.

A game adopts a rule with its own numbers: `tiles_of = adopt(common.tiles_of, __name__, COUNT_BITS=COUNT_BITS)`.
Tiles in one place are packed: for each colour its count, of COUNT_BITS bits, the first colour in the lowest.
"""

from typing import Any

from azulejos.core.arrays import np
from azulejos.core.compiling import adopt, rule


def runs(size: int) -> Any:
    """The length of the unbroken run through each place of each set of `size` places, 0 where the place is empty.

    [1 << size, size]
    """
    found = np.zeros((1 << size, size), np.int64)
    for spaces in range(1 << size):
        for place in range(size):
            first = last = place
            while first > 0 and spaces >> first - 1 & 1:
                first -= 1
            while last < size - 1 and spaces >> last + 1 & 1:
                last += 1
            found[spaces, place] = last - first + 1 if spaces >> place & 1 else 0
    return found


# Each game's own. Nothing compiles with these.
NUM_COLOURS: Any = None
COUNT_BITS: Any = None
COUNT_MASK: Any = None
SIZE: Any = None
ROW_MASK: Any = None
RUN: Any = None
MOST_PLAYERS: Any = None
BOARD_SIZE: Any = None
CHAPTERS: Any = None
note_board: Any = None


@rule
def tiles_of(colour, count):
    """`count` tiles of a colour, packed."""
    return count << COUNT_BITS * colour


@rule
def count_of(tiles, colour):
    return tiles >> COUNT_BITS * colour & COUNT_MASK


@rule
def tiles_in(tiles):
    """How many tiles there are, of all colours together."""
    total = np.int64(0)
    for colour in range(NUM_COLOURS):
        total += count_of(tiles, colour)
    return total


@rule
def colour_drawn(bag, way):
    """The colour that is drawn in the given way: there is one way for each tile in the bag."""
    colour = 0
    while way >= count_of(bag, colour):
        way -= count_of(bag, colour)
        colour += 1
    return colour


def packed(module: str, **numbers: int) -> tuple[Any, Any, Any, Any]:
    """tiles_of, count_of, tiles_in and colour_drawn for a module of rules. `numbers`: COUNT_BITS, COUNT_MASK and
    NUM_COLOURS, which the module must have too."""
    count = adopt(count_of, module, **numbers)
    total, drawn = (adopt(shared, module, count_of=count, **numbers) for shared in (tiles_in, colour_drawn))
    return adopt(tiles_of, module, **numbers), count, total, drawn


@rule
def ones(bits):
    """How many of 64 bits are set: one instruction, since compilers know these lines."""
    bits = int(bits)  # uncompiled, without overflow
    bits = bits - (bits >> 1 & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return bits * 0x0101010101010101 >> 56 & 0x7F


@rule
def factories(state):
    return 2 * np.int64(state.players) + 1


@rule
def after(state, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < state.players else 0


@rule
def points_at(spaces, row, column):
    """The runs through a tile, each counted if it is longer than the tile alone; a tile by itself is one point."""
    across = RUN[spaces >> SIZE * row & ROW_MASK, column]
    standing = 0
    for other in range(SIZE):
        standing |= (spaces >> SIZE * other + column & 1) << other
    down = RUN[standing, row]
    if across > 1 and down > 1:
        return across + down
    return max(across, down)


# --- judgement ---


@rule
def stage(state):
    return np.int64(state.round_no)


@rule
def chapter(state):
    """One of CHAPTERS: for each round from the second on, later rounds being like the last."""
    return min(max(np.int64(state.round_no) - 2, 0), CHAPTERS - 1)


# --- observations ---


@rule
def note_tiles(tiles, at, out):
    """Tiles by colour, from `at`; where the next numbers go."""
    for colour in range(NUM_COLOURS):
        out[at] = count_of(tiles, colour)
        at += 1
    return at


@rule
def note_boards(state, seat, at, out):
    """The seat's own board, then the others clockwise; zeros for seats that do not play."""
    players = np.int64(state.players)
    for k in range(MOST_PLAYERS):
        if k < players:
            note_board(state, (seat + k) % players, at, out)
        else:
            for place in range(at, at + BOARD_SIZE):
                out[place] = 0
        at += BOARD_SIZE
