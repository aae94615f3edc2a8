"""Games side by side: each makes its step, pays its rewards, and begins anew when it is over.

Written once for every game, in the names of the kernels; the same rules run on all cores and on a GPU. Shapes, for n
games: states [n], keys uint64 [n], lists int16 [n, number of actions + 8] (the legal actions, in rising order), counts
int16 [n] (how many), seats int8 [n] (who acts), rewards float32 [n, players], finals [n] (the last position of the game
that ended last, of the same type as states), ended int8 [n] (GOING_ON, FINISHED or CUT_OFF, by the last step), settings
int64 (the game's), plan int64 [2].
"""

from typing import Any

import numpy as np

from azulejos.core.chance import below
from azulejos.core.doors import begin, settle
from azulejos.core.kernels import OVER, apply, legal, observe, projected, standing, turn

MODE, MOST_ROUNDS = range(2)  # of a plan
WIN, MARGIN = range(2)  # modes of rewards
GOING_ON, FINISHED, CUT_OFF = range(3)
WAIT = -1  # among actions

# --- rules: over one game ---


def list_legal(state: Any, i: int, out: Any, counts: Any, seats: Any) -> None:
    seats[i] = turn(state)
    counts[i] = legal(state, out)


def is_among(out: Any, count: int, action: int) -> bool:
    """Is an action in a list of them in rising order?"""
    low, high = 0, np.int64(count)
    while low < high:
        middle = (low + high) // 2
        if out[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < count and out[low] == action


def lead(state: Any, seat: int, players: int) -> Any:
    """Points ahead of the others' mean, times the number of others."""
    total = np.int64(0)
    for other in range(players):
        total += state.score[other]
    return players * np.int64(state.score[seat]) - total


def pay_lead(state: Any, i: int, rewards: Any, players: int) -> None:
    """The change of each seat's lead; `rewards` holds what it was."""
    for seat in range(players):
        rewards[i, seat] = (lead(state, seat, players) - np.int64(rewards[i, seat])) / (players - 1)


def pay_winners(state: Any, i: int, rewards: Any, players: int) -> None:
    """1 to the winner, and the others share the loss of it; several winners share what the others lose."""
    top, winners = standing(state, 0), 0
    for seat in range(1, players):
        top = max(top, standing(state, seat))
    for seat in range(players):
        if standing(state, seat) == top:
            winners += 1
    for seat in range(players):
        won = players / winners if standing(state, seat) == top else 0.0
        rewards[i, seat] = (won - 1) / (players - 1)


def play_game(
    states: Any, i: int, action: int, rewards: Any, finals: Any, ended: Any, keys: Any, settings: Any, plan: Any
) -> None:
    """A legal action in game i and the draws after it, what they are worth, and whether they end the game."""
    state = states[i]
    players = settings[0]
    for seat in range(players):
        rewards[i, seat] = 0
    if plan[MODE] == MARGIN:
        for seat in range(players):
            rewards[i, seat] = lead(state, seat, players)
    apply(state, action)
    settle(state, keys, i)
    if plan[MODE] == MARGIN:
        pay_lead(state, i, rewards, players)
    ended[i] = GOING_ON
    if turn(state) == OVER:
        ended[i] = FINISHED
        if plan[MODE] == WIN:
            pay_winners(state, i, rewards, players)
    elif state.round_no > plan[MOST_ROUNDS]:
        ended[i] = CUT_OFF
    if ended[i] != GOING_ON:
        finals[i] = state


def go_on(
    states: Any,
    i: int,
    action: int,
    out: Any,
    counts: Any,
    seats: Any,
    rewards: Any,
    finals: Any,
    ended: Any,
    keys: Any,
    settings: Any,
    plan: Any,
) -> None:
    """A legal action in game i, and a new game if that ended it."""
    play_game(states, i, action, rewards, finals, ended, keys, settings, plan)
    if ended[i] != GOING_ON:
        begin(states[i], settings, keys, i)
    list_legal(states[i], i, out, counts, seats)


def step_game(
    states: Any,
    i: int,
    action: int,
    out: Any,
    counts: Any,
    seats: Any,
    rewards: Any,
    finals: Any,
    ended: Any,
    keys: Any,
    settings: Any,
    plan: Any,
) -> bool:
    """One action in game i, and a new game if that ended it; False if it was not legal, and nothing is changed.

    `out`: the game's row of `lists`. `action`: WAIT lets the game wait.
    """
    if action == WAIT:
        for seat in range(settings[0]):
            rewards[i, seat] = 0
        ended[i] = GOING_ON
        return True
    if not is_among(out, counts[i], action):
        return False
    go_on(states, i, action, out, counts, seats, rewards, finals, ended, keys, settings, plan)
    return True


def wander_game(
    states: Any,
    i: int,
    moves: int,
    out: Any,
    counts: Any,
    seats: Any,
    rewards: Any,
    finals: Any,
    ended: Any,
    keys: Any,
    settings: Any,
    plan: Any,
) -> int:
    """Random actions in game i, each as likely as the others; how many games were ended on the way."""
    if moves == 0:
        return 0
    state = states[i]
    games, count = 0, np.int64(counts[i])
    for _ in range(moves - 1):  # nobody sees these rewards
        apply(state, np.int64(out[below(keys, i, count)]))
        settle(state, keys, i)
        if turn(state) == OVER or state.round_no > plan[MOST_ROUNDS]:
            finals[i] = state
            games += 1
            begin(state, settings, keys, i)
        count = legal(state, out)
    action = np.int64(out[below(keys, i, count)])
    go_on(states, i, action, out, counts, seats, rewards, finals, ended, keys, settings, plan)
    return games + (ended[i] != GOING_ON)


def choose_best(
    states: Any, i: int, out: Any, counts: Any, seats: Any, keys: Any, scratch: Any, place: int, actions: Any
) -> None:
    """The action of game i after which the projected score is highest, any of several; `place`: of the scratch."""
    best, ties = 0, 0
    for k in range(counts[i]):
        action = np.int64(out[k])
        scratch[place] = states[i]
        apply(scratch[place], action)
        value = projected(scratch[place], np.int64(seats[i]))
        if ties == 0 or value > best:
            best, ties = value, 1
            actions[i] = action
        elif value == best:
            ties += 1
            if below(keys, i, ties) == 0:
                actions[i] = action


def mask_game(out: Any, count: int, mask: Any) -> None:
    """`mask`: uint8 [number of actions], of one game."""
    for action in range(len(mask)):
        mask[action] = 0
    for k in range(count):
        mask[out[k]] = 1


def spread_game(compact: Any, places: Any, most: Any, kinds: Any, out: Any) -> None:
    """An observation's one-hot form; see `core.observation.Layout`."""
    for k in range(len(out)):
        out[k] = 0
    for k in range(len(compact)):
        if kinds[k]:
            out[places[k] + compact[k]] = 1
        else:
            out[places[k]] = compact[k] / most[k]


# --- doors: over the games from `first` up to, not including, `last` ---


def reset_games(
    first: int, last: int, states: Any, lists: Any, counts: Any, seats: Any, keys: Any, settings: Any
) -> None:
    """New games."""
    for i in range(first, last):
        begin(states[i], settings, keys, i)
        list_legal(states[i], i, lists[i], counts, seats)


def step_games(
    first: int,
    last: int,
    states: Any,
    actions: Any,
    lists: Any,
    counts: Any,
    seats: Any,
    rewards: Any,
    finals: Any,
    ended: Any,
    keys: Any,
    settings: Any,
    plan: Any,
) -> int:
    """One action in each game, actions int64 [n]; the first game whose action was not legal, or -1."""
    refused = -1
    for i in range(first, last):
        played = step_game(states, i, actions[i], lists[i], counts, seats, rewards, finals, ended, keys, settings, plan)
        if not played and refused < 0:
            refused = i
    return refused


def wander_games(
    first: int,
    last: int,
    states: Any,
    moves: int,
    lists: Any,
    counts: Any,
    seats: Any,
    rewards: Any,
    finals: Any,
    ended: Any,
    keys: Any,
    settings: Any,
    plan: Any,
) -> int:
    """Random actions in each game; how many games were ended on the way."""
    games = 0
    for i in range(first, last):
        games += wander_game(states, i, moves, lists[i], counts, seats, rewards, finals, ended, keys, settings, plan)
    return games


def play_alone(
    states: Any,
    action: int,
    lists: Any,
    counts: Any,
    seats: Any,
    rewards: Any,
    finals: Any,
    ended: Any,
    keys: Any,
    settings: Any,
    plan: Any,
) -> bool:
    """One action in the only game there is, and no new game after it; False if it was not legal."""
    if not is_among(lists[0], counts[0], action):
        return False
    play_game(states, 0, action, rewards, finals, ended, keys, settings, plan)
    counts[0] = 0
    if ended[0] == GOING_ON:
        list_legal(states[0], 0, lists[0], counts, seats)
    return True


def choose_greedily(
    first: int, last: int, states: Any, lists: Any, counts: Any, seats: Any, keys: Any, scratch: Any, actions: Any
) -> None:
    """The action of each game after which the projected score is highest, any of several; scratch: [n] states."""
    for i in range(first, last):
        choose_best(states, i, lists[i], counts, seats, keys, scratch, first, actions)


def choose_at_random(first: int, last: int, lists: Any, counts: Any, keys: Any, actions: Any) -> None:
    """A legal action of each game, into actions int64 [n]."""
    for i in range(first, last):
        actions[i] = lists[i, below(keys, i, counts[i])]


def mask_games(first: int, last: int, lists: Any, counts: Any, mask: Any) -> None:
    """Which actions are legal in each game, into mask uint8 [n, number of actions]."""
    for i in range(first, last):
        mask_game(lists[i], counts[i], mask[i])


def observe_games(first: int, last: int, states: Any, seats: Any, out: Any) -> None:
    """What the seat to act sees in each game, into out int16 [n, size]."""
    for i in range(first, last):
        observe(states[i], np.int64(seats[i]), out[i])


def spread_games(first: int, last: int, compact: Any, places: Any, most: Any, kinds: Any, out: Any) -> None:
    """Observations int16 [n, size] in their one-hot form, into out float32 [n, one-hot size]."""
    for i in range(first, last):
        spread_game(compact[i], places, most, kinds, out[i])


RULES = (
    settle,
    begin,
    list_legal,
    is_among,
    lead,
    pay_lead,
    pay_winners,
    play_game,
    go_on,
    step_game,
    wander_game,
    choose_best,
)
DOORS = (reset_games, step_games, wander_games, observe_games, play_alone, choose_greedily)

# What asks nothing of a game's rules is compiled once for all.
SHARED_RULES = (mask_game, spread_game)
SHARED_DOORS = (choose_at_random, mask_games, spread_games)
