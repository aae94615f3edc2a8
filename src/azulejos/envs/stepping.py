"""Games in parallel: each makes its step, pays its rewards, and is reset when it is over.

Written once for every game, against the names of the rules; the same entry points run on all cores, each with a share
of the games, and on a GPU, one thread per game. They are compiled without Numba's reference counts of arrays, which
would take longer than a rule.
"""

from typing import Any, NamedTuple

import numpy as np

from azulejos.core.entry_points import begin, settle
from azulejos.core.kernels import OVER, apply, legal, observe, projected, standing, turn
from azulejos.core.streams import below, below_each

MODE, MOST_ROUNDS, ANEW, MARKED = range(4)  # of a plan
WIN, MARGIN = range(2)  # modes of rewards
GOING_ON, FINISHED, CUT_OFF = range(3)
WAIT = -1  # among actions


class Books(NamedTuple):
    """The arrays of n games, for the entry points."""

    states: Any  # [n] of the game's structured type
    keys: Any  # uint64 [n], each game's stream of chance
    seats: Any  # int8 [n], who acts
    rewards: Any  # float32 [n, players], of the last step
    finals: Any  # [n], as states: the last position of the game that ended last
    ended: Any  # int8 [n]: GOING_ON, FINISHED or CUT_OFF, by the last step
    lists: Any  # int16 [n, number of actions + 8], the legal actions in rising order
    counts: Any  # int16 [n], how many there are
    mask: Any  # uint8 [n, number of actions], the same with 1 for legal; [1, …] and all 0 while nobody wants it
    option_codes: Any  # int64, the game's
    plan: Any  # int64 [4]: MODE of rewards, MOST_ROUNDS, and 1 or 0 for ANEW (a new game after the end) and MARKED
    # (the mask is wanted)


# --- rules: over one game ---


def mark(out: Any, count: int, mask: Any) -> None:
    """Write 1 for each action of a list into the mask of one game, and 0 for the others."""
    for action in range(len(mask)):
        mask[action] = 0
    for k in range(count):
        mask[out[k]] = 1


def lead(state: Any, seat: int, players: int) -> Any:
    """Points ahead of the others' mean, times the number of others."""
    total = np.int64(0)
    for other in range(players):
        total += state.score[other]
    return players * np.int64(state.score[seat]) - total


def pay_winners(state: Any, rewards: Any, players: int) -> None:
    """1 to the winner, of which the others share the loss; tied winners share what the others lose."""
    top, winners = standing(state, 0), 0
    for seat in range(1, players):
        top = max(top, standing(state, seat))
    for seat in range(players):
        if standing(state, seat) == top:
            winners += 1
    for seat in range(players):
        won = players / winners if standing(state, seat) == top else 0.0
        rewards[seat] = (won - 1) / (players - 1)


def roam(
    state: Any, moves: int, out: Any, count: int, final: Any, keys: Any, i: int, option_codes: Any, most: int
) -> Any:
    """Random actions, each as likely as the others, from the `count` in `out`; how many there are then, and how many
    games were ended on the way."""
    games = 0
    for _ in range(moves):
        apply(state, np.int64(out[below(keys, i, count)]))
        settle(state, keys, i)
        if turn(state) == OVER or state.round_no > most:
            final[0] = state
            games += 1
            begin(state, option_codes, keys, i)
        count = legal(state, out)
    return count, games


def ending(state: Any, most_rounds: int) -> int:
    """Whether and how a game in which no draw is due has ended: GOING_ON, FINISHED or CUT_OFF."""
    return FINISHED if turn(state) == OVER else CUT_OFF if state.round_no > most_rounds else GOING_ON


# --- entry points: over the games from `first` up to, not including, `last` ---


def begin_games(first: int, last: int, b: Any) -> None:
    """New games; they are still to be listed."""
    for i in range(first, last):
        begin(b.states[i], b.option_codes, b.keys, i)


def list_games(first: int, last: int, b: Any) -> None:
    """Whose turn it is and what is legal, after states were changed from outside."""
    for i in range(first, last):
        b.seats[i] = turn(b.states[i])
        going = b.plan[ANEW] != 0 or ending(b.states[i], b.plan[MOST_ROUNDS]) == GOING_ON
        b.counts[i] = legal(b.states[i], b.lists[i]) if going else 0
        if b.plan[MARKED]:
            mark(b.lists[i], b.counts[i], b.mask[i])


def step_games(first: int, last: int, b: Any, actions: Any, places: Any) -> int:
    """One action in each game, actions int64 [n], WAIT to let it wait; 1 + the first whose action was not legal,
    or 0.

    places: int16 [n], where in its list each action is to be looked for first. All is in one function, with the arrays
    as variables: Numba would hand each of them on in pieces to another, at the cost of a sixth of a step.
    """
    states, keys, seats, rewards, finals, flags = b.states, b.keys, b.seats, b.rewards, b.finals, b.ended
    lists, counts, option_codes = b.lists, b.counts, b.option_codes
    players, margin, most_rounds = option_codes[0], b.plan[MODE] == MARGIN, b.plan[MOST_ROUNDS]
    anew, marked = b.plan[ANEW], b.plan[MARKED]
    refused = 0
    for i in range(first, last):
        flags[i] = GOING_ON
        for seat in range(players):
            rewards[i, seat] = 0
    for i in range(first, last):
        state, action, place, count = states[i], actions[i], places[i], counts[i]
        if place >= count or lists[i, place] != action:
            listed = False
            for k in range(count):  # no early exit: it would defeat branch prediction
                listed |= lists[i, k] == action
            if not listed:
                if action != WAIT and refused == 0:
                    refused = i + 1
                continue
        if margin:
            for seat in range(players):
                rewards[i, seat] = -lead(state, seat, players)
        apply(state, action)
        settle(state, keys, i)
        ended = ending(state, most_rounds)
        if margin:
            for seat in range(players):
                rewards[i, seat] = (rewards[i, seat] + lead(state, seat, players)) / (players - 1)
        if ended != GOING_ON:
            flags[i] = ended
            finals[i] = state
            if ended == FINISHED and not margin:
                pay_winners(state, rewards[i], players)
            if anew:
                begin(state, option_codes, keys, i)
        seats[i] = turn(state)
        counts[i] = legal(state, lists[i]) if anew or ended == GOING_ON else 0
        if marked:
            mark(lists[i], counts[i], b.mask[i])
    return refused


def wander_games(first: int, last: int, b: Any, moves: int) -> int:
    """Random actions in each game; how many games were ended on the way. Whose turn it is and the mask are not kept up:
    a step is to follow."""
    games, most_rounds = 0, b.plan[MOST_ROUNDS]
    for i in range(first, last):
        count, finals = np.int64(b.counts[i]), b.finals[i : i + 1]
        b.counts[i], ended = roam(b.states[i], moves, b.lists[i], count, finals, b.keys, i, b.option_codes, most_rounds)
        games += ended
    return games


def choose_at_random(first: int, last: int, lists: Any, counts: Any, keys: Any, actions: Any, places: Any) -> None:
    """A legal action of each game, into actions int64 [n], and where in its list it is, into places int16 [n]."""
    places, actions, lists = places[first:last], actions[first:last], lists[first:last]
    below_each(keys[first:last], counts[first:last], places)
    for i in range(len(actions)):
        actions[i] = lists[i, np.uint64(places[i])]


def choose_greedily(first: int, last: int, b: Any, scratch: Any, actions: Any) -> None:
    """The action of each game after which the projected score is highest, any of several; scratch: [n] states."""
    for i in range(first, last):
        best, ties = 0, 0
        for k in range(b.counts[i]):
            action = np.int64(b.lists[i, k])
            scratch[first] = b.states[i]
            apply(scratch[first], action)
            value = projected(scratch[first], np.int64(b.seats[i]))
            if ties == 0 or value > best:
                best, ties = value, 1
                actions[i] = action
            elif value == best:
                ties += 1
                if below(b.keys, i, ties) == 0:
                    actions[i] = action


def observe_games(first: int, last: int, states: Any, seats: Any, out: Any) -> None:
    """What a seat sees in each game, into out int16 [n, size]; seat 0, where nobody is to act."""
    for i in range(first, last):
        observe(states[i], max(np.int64(seats[i]), 0), out[i])


def spread_games(first: int, last: int, compact: Any, places: Any, most: Any, kinds: Any, out: Any) -> None:
    """Observations int16 [n, size] in their one-hot form, into out float32 [n, one-hot size]; see
    `core.observation.ObservationSpec`."""
    for i in range(first, last):
        for k in range(out.shape[1]):
            out[i, k] = 0
        for k in range(compact.shape[1]):
            if kinds[k]:
                out[i, places[k] + compact[i, k]] = 1
            else:
                out[i, places[k]] = compact[i, k] / most[k]


def pay_games(first: int, last: int, states: Any, out: Any) -> None:
    """The results of finished games as "win" rewards, into out float32 [n, players]."""
    for i in range(first, last):
        pay_winners(states[i], out[i], out.shape[1])


RULES = (settle, begin, mark, lead, pay_winners, ending, roam)
ENTRY_POINTS = (begin_games, list_games, step_games, wander_games, choose_greedily, observe_games)

RESULTS = (pay_games,)  # for the environments, on the CPU

# What asks nothing of a game's rules is compiled once for all.
SHARED_ENTRY_POINTS = (choose_at_random, spread_games)
