"""How exact the search is: its choices near the end of games, against an exhaustive search to the end over all draws.

    python bench/exact.py --games 40 --simulations 10000

Games of two players are played by the search with few simulations. In their last round, every action of a position is
solved, if the whole rest of the game has at most `--nodes` positions: the share of the victory for the seat to act if
both sides play exactly, in the mean over all draws. Told is how often the search takes a best action, where actions
differ, and how much of the victory it gives away; beside it the same for the action that its priors put first, and for
one taken at random.
"""

import argparse
import json
import math
import time
from typing import Any

import numpy as np

import azulejos as az
from azulejos.core.compiling import bind
from azulejos.core.kernels import CHANCE, OVER, apply, draw, legal, outcome, standing, turn, ways
from azulejos.players import Limit, Search
from azulejos.players.search import names_and_rules

DEEPEST = 160
UNSOLVED = -1.0
GAMES = {"azul": 30, "pavilion": 6, "duel": 5}  # by name: the last round, or in Azul a number that none reaches


def share(state: Any, seat: int) -> float:
    """Of the victory, for a seat of two."""
    own, other = standing(state, seat), standing(state, 1 - seat)
    return 1.0 if own > other else 0.0 if own < other else 0.5


def solve(states: Any, outs: Any, at: Any, ends: Any, values: Any, seat: int, nodes: int) -> float:
    """The exact share of the victory for a seat in states[0], or UNSOLVED beyond this many positions.

    values: float64 [levels]. At a draw `at` counts the ways and the value is their mean."""
    level, seen = 0, 0
    opening = True
    while True:
        state = states[level]
        if opening:
            opening = False
            seen += 1
            if seen > nodes or level == DEEPEST:
                return UNSOLVED
            who = turn(state)
            at[level] = 0
            if who == OVER:
                values[level], ends[level] = share(state, seat), 0
            elif who == CHANCE:
                values[level], ends[level] = 0.0, ways(state)
            else:
                values[level], ends[level] = -1.0 if who == seat else 2.0, legal(state, outs[level])
        if at[level] < ends[level]:
            who = turn(state)
            states[level + 1] = states[level]
            if who == CHANCE:
                draw(states[level + 1], outcome(state, at[level]))
            else:
                apply(states[level + 1], np.int64(outs[level, at[level]]))
            at[level] += 1
            level += 1
            opening = True
            continue
        if level == 0:
            return values[0]
        level -= 1
        who, found = turn(states[level]), values[level + 1]
        if who == CHANCE:
            values[level] += found / ends[level]
        elif who == seat:
            values[level] = max(values[level], found)
            if found >= 1.0:
                at[level] = ends[level]
        else:
            values[level] = min(values[level], found)
            if found <= 0.0:
                at[level] = ends[level]


class Solver:
    def __init__(self, game: az.Game, nodes: int) -> None:
        names, _, label = names_and_rules(game.kernels, game.judgement, game.name)
        self._solve = bind([share], [solve], names, f"{label}-exact")["solve"]
        levels = DEEPEST + 1
        self._states, self._nodes = game.empty(levels), nodes
        self._memory = (
            np.zeros((levels, len(game.actions_buffer())), np.int16),
            np.zeros(levels, np.int64),
            np.zeros(levels, np.int64),
            np.zeros(levels),
        )

    def value(self, state: az.State, seat: int) -> float | None:
        self._states[:1] = state.array()
        found = float(self._solve(self._states, *self._memory, seat, self._nodes))
        return None if found == UNSOLVED else found


def ends_surely(state: az.State) -> bool:
    """Is this the last round whatever is played? In Azul: a complete line will complete a row."""
    fields, name = state.fields, state.game.name
    if name != "azul":
        return state.round == GAMES[name]
    for seat in range(state.game.players):
        for row in range(5):
            laid = sum(int(fields.wall[seat][colour]) >> 5 * row & 31 != 0 for colour in range(5))
            if laid == 5 or (laid == 4 and int(fields.line_count[seat][row]) == row + 1):
                return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(GAMES))
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--simulations", type=int, default=10_000, help="of the search's choices")
    parser.add_argument("--nodes", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=7_000_000)
    parser.add_argument("--until", type=float, default=math.inf, metavar="SECONDS", help="begin no game after these")
    chosen = parser.parse_args()
    end = time.monotonic() + chosen.until
    for name in chosen.names:
        game = az.make(name)
        solver, player, judged = Solver(game, chosen.nodes), Search(1), Search(2)
        generator = np.random.default_rng(chosen.seed)
        positions, exact, given = (
            0,
            {"search": 0, "priors": 0, "random": 0},
            {"search": 0.0, "priors": 0.0, "random": 0.0},
        )
        games = 0
        while games < chosen.games and time.monotonic() < end:
            state = game.start(seed=chosen.seed + games)
            games += 1
            while state.seat is not None and state.round < 12:
                seat, actions = state.seat, list(state.actions)
                if len(actions) > 1 and ends_surely(state):
                    view = state.view(seat)
                    values = {}
                    for action in actions:
                        found = solver.value(view.play(action), seat)
                        if found is None:
                            break
                        values[action] = found
                    if len(values) == len(actions) and min(values.values()) < max(values.values()) - 1e-9:
                        best = max(values.values())
                        first = judged.choose(view, Limit(simulations=1)).action
                        picks = {
                            "search": judged.choose(view, Limit(simulations=chosen.simulations)).action,
                            "priors": first,
                            "random": actions[int(generator.integers(len(actions)))],
                        }
                        positions += 1
                        for who, action in picks.items():
                            exact[who] += values[action] > best - 1e-9
                            given[who] += best - values[action]
                limit = Limit(simulations=200)
                state = state.play(player.choose(state.view(seat), limit).action)
        if positions:
            report = {
                who: {
                    "exact": round(exact[who] / positions, 4),
                    "interval": round(
                        1.96 * math.sqrt(exact[who] / positions * (1 - exact[who] / positions) / positions), 4
                    ),
                    "given away": round(given[who] / positions, 5),
                }
                for who in exact
            }
            print(
                json.dumps(
                    {"game": name, "games": games, "positions": positions, "simulations": chosen.simulations, **report}
                ),
                flush=True,
            )


if __name__ == "__main__":
    main()
