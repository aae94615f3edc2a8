"""A batch's GPU kernels: the entry points of `stepping.py`, one thread a game.

Written against the names of those entry points, as they are against the names of the rules.

Where 32 neighbouring threads read or write 32 neighbouring addresses, the GPU makes one transfer of it; where each does
so in a game of its own, it makes 32. So a block copies the records of its games into shared memory, plays there, and
copies them back; observations and masks leave through shared memory too, eight bytes at a time. What is copied is
counted in uint32: for a signed index Numba also looks whether it counts from the end, and 64 bits take two
instructions.
"""

from typing import Any

import numpy as np

from azulejos.core.gpu import cuda
from azulejos.core.kernels import CHANCE, OVER, apply, draw, legal, observe, outcome, setup, turn, ways
from azulejos.core.streams import below

from .stepping import ANEW, GOING_ON, MOST_ROUNDS, WAIT, Books, choose_greedily, ending, step_games

LANES = 32  # threads that run together
TO_DRAW, TO_END, TO_ACT = range(3)  # what is next in a game; from TO_ACT on, an action of each phase
TASKS = 16  # of these at most

# --- replaced by each game's own; ALL_…: of all games of a block ---

STATE: Any = np.dtype([])  # the game's structured type
UNIT: Any = np.uint64  # an integer type of which a record is a whole number,
UNITS = STRIDE = 0  # namely this; from one record to the next in shared memory
ROOM_WORDS = 0  # of 64 bits: the room for records and observations in shared memory
OWN_WORDS = 0  # of 64 bits: the room of one thread for a list of actions or a record
ACTIONS = ROOM = 0  # of a list of actions
WORDS = ALL_WORDS = 0  # of 32 bits, one for each action
SEEN = 0  # the size of an observation
SEEN_TYPE: Any = np.int16  # of its numbers, in shared memory
BLOCK = 0  # threads
DRAWS = 0  # of a game that wanders, before others may move again


def entry_point(first: int, last: int, *arguments: Any) -> None:
    """Replaced by the entry point that is bound here."""
    raise NotImplementedError


# --- rules; over shared memory, `thread` being the thread's number in its block ---


def phase_of(state: Any) -> Any:
    """The phase that a game is in; see `one_phase`."""
    return np.int64(state.phase)


def one_phase(state: Any) -> Any:
    """Takes the place of `phase_of` where states have no field `phase`."""
    return np.int64(0)


def gather(thread: int, source: Any, first: int, games: int, kept: Any, width: int, stride: int) -> None:
    """Copy the rows of a block's games into shared memory. source: the rows of all games; kept: `stride` apart."""
    rows, gap = source[first * width :], np.uint32(stride - width)
    k, last = np.uint32(thread), np.uint32(games * width)
    while k < last:
        kept[np.uint32(k + k // np.uint32(width) * gap)] = rows[k]
        k = np.uint32(k + np.uint32(BLOCK))


def scatter(thread: int, kept: Any, first: int, games: int, target: Any, width: int, stride: int) -> None:
    """Copy rows out of shared memory, as `gather`."""
    rows, gap = target[first * width :], np.uint32(stride - width)
    k, last = np.uint32(thread), np.uint32(games * width)
    while k < last:
        rows[k] = kept[np.uint32(k + k // np.uint32(width) * gap)]
        k = np.uint32(k + np.uint32(BLOCK))


def scatter_bits(thread: int, kept: Any, first: int, games: int, target: Any) -> None:
    """A byte for each bit, eight at a time. kept: uint32, WORDS a game, and one more; target: uint64, the bytes of all
    games."""
    rows = target[first * ACTIONS // 8 :]
    k, last = np.uint32(thread), np.uint32((games * ACTIONS + 7) // 8)
    while k < last:
        place = np.uint32(k << np.uint32(3))
        game = np.uint32(place // np.uint32(ACTIONS))
        action = np.uint32(place - game * np.uint32(ACTIONS))
        some, found = np.uint32(0), np.uint32(0)
        while found < np.uint32(8) and game < np.uint32(games):  # a second time, where another game begins
            at = np.uint32(game * np.uint32(LANES * WORDS) + action)
            word = np.uint32(at >> np.uint32(5))
            pair = np.uint64(kept[word]) | np.uint64(kept[np.uint32(word + np.uint32(1))]) << np.uint64(32)
            some = np.uint32(some & ((np.uint32(1) << found) - np.uint32(1)))  # without bits of the next game
            some = np.uint32(some | np.uint32(pair >> np.uint64(at & np.uint32(31))) << found)
            found = np.uint32(found + np.uint32(ACTIONS) - action)
            game, action = np.uint32(game + np.uint32(1)), np.uint32(0)
        rows[k] = join(spread_bits(some), spread_bits(some >> np.uint32(4)))
        k = np.uint32(k + np.uint32(BLOCK))


def scatter_seen(thread: int, kept: Any, first: int, games: int, target: Any) -> None:
    """Observations, four numbers at a time. kept: uint64, bytes, SEEN a game; target: uint64, int16 of all games."""
    quads, rows = kept.view(np.uint32), target[first * SEEN // 4 :]
    k, last = np.uint32(thread), np.uint32((games * SEEN + 3) // 4)
    while k < last:
        rows[k] = join(spread_bytes(quads[k]), spread_bytes(quads[k] >> np.uint32(16)))
        k = np.uint32(k + np.uint32(BLOCK))


def scatter_wide_seen(thread: int, kept: Any, first: int, games: int, target: Any) -> None:
    """Takes the place of `scatter_seen` where numbers are int16 in shared memory too."""
    rows = target[first * SEEN // 4 :]
    for k in range(thread, (games * SEEN + 3) // 4, BLOCK):
        rows[k] = kept[k]


def spread_bits(some: Any) -> Any:
    """The lowest four bits as four bytes."""
    return np.uint32((some & np.uint32(15)) * np.uint32(0x204081)) & np.uint32(0x1010101)


def spread_bytes(some: Any) -> Any:
    """The lowest two bytes as two numbers of 16 bits."""
    return np.uint32(some & np.uint32(0xFF)) | np.uint32(some & np.uint32(0xFF00)) << np.uint32(8)


def join(low: Any, high: Any) -> Any:
    """Two words of 32 bits as one of 64."""
    return np.uint64(np.uint32(low)) | np.uint64(np.uint32(high)) << np.uint64(32)


def set_bits(listed: Any, count: int, bits: Any) -> None:
    """A list of actions as bits, uint32 [WORDS]."""
    for word in range(WORDS):
        bits[word] = 0
    k, last = np.uint32(0), np.uint32(count)
    while k < last:
        action = np.uint32(listed[k])
        bits[np.uint32(action >> np.uint32(5))] |= np.uint32(1) << (action & np.uint32(31))
        k = np.uint32(k + np.uint32(1))


# --- kernels ---


def every_game(n: int, arguments: Any) -> None:
    i = cuda.grid(1)
    if i < n:
        entry_point(i, i + 1, *arguments)


def play(n: int, b: Any, words: Any, bits: Any, actions: Any, refused: Any, mask: Any, seen: Any, to_do: Any) -> None:
    """One action in each game, or none; then its legal actions and what is wanted of it.

    words: the states as UNIT [n · UNITS]. bits: uint32 [n · WORDS], the legal actions. refused: int64 [1], the first
    game whose action is not legal. mask: uint8 [n · ACTIONS]; seen: int16 [n · SEEN], the observations; both as uint64,
    rounded up. to_do: whether a step is to be made (else the states were changed from outside), and whether mask and
    observations are wanted.

    The less shared memory a block takes, the more blocks run: observations take the place of the records.
    """
    room = cuda.shared.array(ROOM_WORDS, np.uint64)
    own_words = room.view(UNIT)
    own_bits = cuda.shared.array(ALL_WORDS, np.uint32)
    mine = cuda.local.array((1, OWN_WORDS), np.uint64)
    listed, copy = mine.view(np.int16), mine[0].view(UNIT)[:UNITS]
    count = cuda.local.array(1, np.int16)
    place = cuda.local.array(1, np.int16)
    key = cuda.local.array(1, np.uint64)
    step, marked, observed = to_do
    thread, first = cuda.threadIdx.x, cuda.blockIdx.x * BLOCK
    i, games = first + thread, min(BLOCK, n - first)
    gather(thread, words, first, games, own_words, UNITS, STRIDE)
    gather(thread, bits, first, games, own_bits, WORDS, WORDS)
    cuda.syncthreads()
    if i < n:
        states = own_words[thread * STRIDE : thread * STRIDE + UNITS].view(STATE)
        own = own_bits[thread * WORDS : (thread + 1) * WORDS]
        if step:
            action = actions[i]
            known = 0 <= action < ACTIONS and own[action >> 5] >> np.uint32(action & 31) & np.uint32(1) != 0
            listed[0, 0] = action if known else WAIT - 1  # all that step_games has to look through
            count[0], place[0] = 1, 0
            key[0] = b.keys[i]
            rewards, ended, finals = b.rewards[i : i + 1], b.ended[i : i + 1], b.finals[i : i + 1]
            one = Books(
                states, key, b.seats[i : i + 1], rewards, finals, ended, listed, count, b.mask, b.option_codes, b.plan
            )
            if step_games(0, 1, one, actions[i : i + 1], place) > 0:
                cuda.atomic.min(refused, 0, i)
            b.keys[i] = key[0]
            if known:
                set_bits(listed[0], count[0], own)
        else:
            b.seats[i] = turn(states[0])
            going = b.plan[ANEW] != 0 or ending(states[0], b.plan[MOST_ROUNDS]) == GOING_ON
            set_bits(listed[0], legal(states[0], listed[0]) if going else 0, own)
        if observed:
            for k in range(UNITS):
                copy[np.uint32(k)] = own_words[np.uint32(thread * STRIDE + k)]
    cuda.syncthreads()
    if step:
        scatter(thread, own_words, first, games, words, UNITS, STRIDE)
    scatter(thread, own_bits, first, games, bits, WORDS, WORDS)
    if marked:
        scatter_bits(thread, own_bits, first, games, mask)
    if observed:
        cuda.syncthreads()
        own_seen = room.view(SEEN_TYPE)
        if i < n:
            observe(copy.view(STATE)[0], max(np.int64(b.seats[i]), 0), own_seen[thread * SEEN : (thread + 1) * SEEN])
        cuda.syncthreads()
        scatter_seen(thread, room, first, games, seen)


def wander_in_every_game(n: int, b: Any, words: Any, finals: Any, bits: Any, moves: int, games: Any) -> None:
    """Random actions, each as likely as the others, in the thread's own memory. games: int32 [n], how many ended.

    words, finals: the states and last positions as UNIT [n · UNITS]; copied so, a record is not copied byte by byte.
    In each turn of the loop only one kind of work is done, and the games that have other work to do wait: phases met in
    one warp would run one after another, each with a few threads. The kind is the one whose games have waited longest,
    all their waiting added up. Dealing a round takes many draws: a game draws a few times, then the others may move.
    """
    i, thread = cuda.grid(1), cuda.threadIdx.x
    waits = cuda.shared.array(TASKS, np.int32)
    own = cuda.local.array(UNITS, UNIT)
    out = cuda.local.array(ROOM, np.int16)
    key = cuda.local.array(1, np.uint64)
    state = own.view(STATE)[0]
    ended, left, most_rounds, waited = 0, moves, b.plan[MOST_ROUNDS], 1
    going = i < n
    if going:
        for k in range(UNITS):
            own[k] = words[i * UNITS + k]
        key[0] = b.keys[i]
    while cuda.syncthreads_or(np.int32(going)):
        if thread < TASKS:
            waits[thread] = 0
        cuda.syncthreads()
        kind = TASKS
        if going:
            if turn(state) == CHANCE:
                kind = TO_DRAW
            elif turn(state) == OVER or state.round_no > most_rounds:
                kind = TO_END
            elif left > 0:
                kind = min(TO_ACT + phase_of(state), TASKS - 1)
            going = kind < TASKS
        if going:
            cuda.atomic.add(waits, kind, waited)
        cuda.syncthreads()
        chosen = 0
        for other in range(1, TASKS):
            if waits[other] > waits[chosen]:
                chosen = other
        waited += 1
        if kind == chosen:
            waited = 1
            if kind == TO_DRAW:
                drawn = 0
                while drawn < DRAWS and turn(state) == CHANCE:
                    draw(state, outcome(state, below(key, 0, ways(state))))
                    drawn += 1
            elif kind == TO_END:
                for k in range(UNITS):
                    finals[i * UNITS + k] = own[k]
                ended += 1
                setup(state, b.option_codes, below(key, 0, b.option_codes[0]))
            else:
                apply(state, np.int64(out[below(key, 0, legal(state, out))]))
                left -= 1
    if i < n:
        set_bits(out, legal(state, out), bits[i * WORDS : (i + 1) * WORDS])
        for k in range(UNITS):
            words[i * UNITS + k] = own[k]
        b.keys[i] = key[0]
        games[i] = ended


def choose_in_every_game(n: int, all_bits: Any, keys: Any, actions: Any) -> None:
    """A legal action of each game at random, into actions int64 [n]."""
    i = cuda.grid(1)
    if i < n:
        bits, count = all_bits[i * WORDS : (i + 1) * WORDS], 0
        for word in range(WORDS):
            count += cuda.popc(bits[word])
        number, word = below(keys, i, count), 0
        while word < WORDS - 1 and number >= cuda.popc(bits[word]):
            number -= cuda.popc(bits[word])
            word += 1
        rest = np.int64(bits[word])
        for _ in range(number):
            rest &= rest - 1
        actions[i] = LANES * word + cuda.ffs(rest) - 1


def choose_greedily_in_every_game(n: int, b: Any, scratch: Any, actions: Any) -> None:
    i = cuda.grid(1)
    if i < n:
        listed = cuda.local.array((1, ROOM), np.int16)
        count = cuda.local.array(1, np.int16)
        count[0] = legal(b.states[i], listed[0])
        keys, seats, rewards = b.keys[i : i + 1], b.seats[i : i + 1], b.rewards[i : i + 1]
        finals, ended = b.finals[i : i + 1], b.ended[i : i + 1]
        one = Books(
            b.states[i : i + 1], keys, seats, rewards, finals, ended, listed, count, b.mask, b.option_codes, b.plan
        )
        choose_greedily(0, 1, one, scratch[i : i + 1], actions[i : i + 1])


def spread_every_number(n: int, compact: Any, source: Any, value: Any, most: Any, out: Any) -> None:
    """Observations int16 [games, size] in their one-hot form, float32 [games, one-hot size], one thread a number.

    source: int16 [one-hot size], from which number of the compact form each comes; value: int16, for which value of it
    it is 1, or -1 for a count. n: games × one-hot size.
    """
    at = cuda.grid(1)
    if at < n:
        i, k = at // out.shape[1], at % out.shape[1]
        number = compact[i, source[k]]
        if value[k] < 0:
            out[i, k] = number / most[source[k]]
        else:
            out[i, k] = number == value[k]


RULES = (
    phase_of,
    one_phase,
    gather,
    scatter,
    spread_bits,
    spread_bytes,
    join,
    scatter_bits,
    scatter_seen,
    scatter_wide_seen,
    set_bits,
)
