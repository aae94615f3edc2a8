"""A mark to beat in two-player Azul: alpha-beta within the round, over the same compiled rules.

    azulejos match azul search@0.44s ab --program "ab=python bench/alphabeta.py" --games 100
    azulejos match azul search@0.44s ab --program "ab=python bench/alphabeta.py --judged" --games 100

It deepens step by step, to the end of the round at most, and stops after a number of nodes (256,000 if nobody says
otherwise, whatever the time). Leaves count by the projected scores and the bonuses in reach; `--judged`: a leaf is
played on to the end of the round as `search` does it, and judged by the same fitted weights.
"""

import argparse
import sys
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from azulejos.core.action import Action
from azulejos.core.compiling import bind
from azulejos.core.game import Game
from azulejos.core.kernels import apply, legal, projected, rate, stage, turn
from azulejos.core.state import State
from azulejos.games.azul.judgement import ones
from azulejos.games.azul.kernels import COLUMN_MASK, ROW_MASK, occupied
from azulejos.games.azul.tables import COLUMN_OF, SIZE
from azulejos.players import NO_LIMIT, Choice, Limit, engine
from azulejos.players.search import Tree, names_and_rules
from azulejos.players.tree import evaluate, roll_out

DEEPEST = 100  # actions of a round
ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS = 2.0, 7.0, 10.0
FIRST = 1.5  # points that the marker is worth
WITHOUT_END = 1e9


def outlook(state: Any, seat: int) -> float:
    """The projected score, and a share of the bonuses in reach: the square of what is there of each."""
    spaces = occupied(state, seat)
    colours = np.zeros(SIZE)
    begun = 0.0
    for k in range(SIZE):
        colours[k] += ones(np.int64(state.wall[seat, k]))
    for row in range(SIZE):
        held = np.int64(state.line_count[seat, row])
        if held > 0:
            colour = np.int64(state.line_colour[seat, row])
            share = held / (row + 1)
            if held == row + 1:
                spaces |= 1 << SIZE * row + COLUMN_OF[row, colour]
                colours[colour] += 1
            else:
                begun += share * share * (1 + 0.3 * row)
    total = projected(state, seat) + begun + (FIRST if state.start == seat else 0.0)
    for k in range(SIZE):
        total += COLUMN_BONUS * (ones(spaces >> k & COLUMN_MASK) / SIZE) ** 2
        total += ROW_BONUS * (ones(spaces >> SIZE * k & ROW_MASK) / SIZE) ** 2
        total += COLOUR_BONUS * (colours[k] / SIZE) ** 2
    return total


def leaf_value(state: Any, mine: int, until: int, judged: bool, one: Any) -> float:
    """What a leaf is worth to the seat that searches: points ahead, or, judged, the chance to win."""
    values, inputs, weights, patterns, hidden, linear, out, ratings, rows, keys = one
    if judged:
        roll_out(state, until, out, ratings, rows, linear, keys, 0.0)
        evaluate(state, values, inputs, weights, patterns, hidden, out, 0.1)
        return float(values[mine])
    if turn(state) == -2:
        return 1.0 * (projected(state, mine) - projected(state, 1 - mine))
    return outlook(state, mine) - outlook(state, 1 - mine)


def open_level(states: Any, level: int, moves: Any, counts: Any, at: Any, best: Any, mine: int, ratings: Any) -> None:
    """List the actions of a position, those that look best first."""
    count = legal(states[level], moves[level])
    rate(states[level], moves[level], count, ratings)
    for k in range(1, count):
        move, rating, place = moves[level, k], ratings[k], k
        while place > 0 and ratings[place - 1] < rating:
            moves[level, place], ratings[place] = moves[level, place - 1], ratings[place - 1]
            place -= 1
        moves[level, place], ratings[place] = move, rating
    counts[level], at[level] = count, 0
    best[level] = -WITHOUT_END if turn(states[level]) == mine else WITHOUT_END


def deepen(states: Any, moves: Any, levels: Any, bounds: Any, one: Any, most: int, judged: bool, found: Any) -> int:
    """Alpha-beta from states[0], deeper and deeper. found[0]: the action; found[1]: the depth that was finished.

    states [DEEPEST + 1]; moves [DEEPEST + 1, actions]; levels int64 [2, …]; bounds float64 [3, …]. How many nodes.
    """
    counts, at = levels[0], levels[1]
    best, alpha, beta = bounds[0], bounds[1], bounds[2]
    mine, until = turn(states[0]), stage(states[0]) + 1
    nodes = 0
    found[0] = -1
    for depth in range(1, DEEPEST):
        open_level(states, 0, moves, counts, at, best, mine, one[6])
        if found[0] < 0:
            found[0] = moves[0, 0]
        for k in range(counts[0]):  # what was best a step ago comes first
            if moves[0, k] == found[0]:
                for place in range(k, 0, -1):
                    moves[0, place] = moves[0, place - 1]
                moves[0, 0] = found[0]
                break
        alpha[0], beta[0] = -WITHOUT_END, WITHOUT_END
        level, choice, whole = 0, moves[0, 0], True
        while True:
            if at[level] == counts[level] or alpha[level] >= beta[level]:
                if level == 0:
                    break
                value = best[level]
                level -= 1
            else:
                states[level + 1] = states[level]
                apply(states[level + 1], np.int64(moves[level, at[level]]))
                at[level] += 1
                nodes += 1
                if nodes > most:
                    return nodes
                ended = stage(states[level + 1]) >= until or turn(states[level + 1]) < 0
                if not ended and level + 1 < depth:
                    level += 1
                    open_level(states, level, moves, counts, at, best, mine, one[6])
                    alpha[level], beta[level] = alpha[level - 1], beta[level - 1]
                    continue
                whole = whole and ended
                value = leaf_value(states[level + 1], mine, until, judged, one)
            if turn(states[level]) == mine:
                if value > best[level]:
                    best[level] = value
                    if level == 0:
                        choice = moves[0, at[0] - 1]
                alpha[level] = max(alpha[level], value)
            else:
                best[level] = min(best[level], value)
                beta[level] = min(beta[level], value)
        found[0], found[1] = choice, depth
        if whole:
            break
    return nodes


@cache
def entry_point(kernels: ModuleType, judgement: ModuleType) -> Any:
    names, rules, _ = names_and_rules(kernels, judgement, "azul")
    return bind([*rules, outlook, leaf_value, open_level], [deepen], names, "azul-alphabeta")["deepen"]


class AlphaBeta:
    """Plays what alpha-beta finds; its limit is its own number of nodes."""

    def __init__(self, nodes: int, judged: bool) -> None:
        self.nodes = nodes
        self.judged = judged

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        game: Game = view.game
        assert game.judgement
        assert (game.name, game.players) == ("azul", 2), "this is for Azul with two players"
        m = Tree(game, game.judgement, np.uint64(1), 1, 1).memory
        states, found = game.empty(DEEPEST + 1), np.zeros(2, np.int64)
        states[:1] = view.array()
        searched = entry_point(game.kernels, game.judgement)(
            states,
            np.zeros((DEEPEST + 1, len(m.actions)), np.int16),
            np.zeros((2, DEEPEST + 1), np.int64),
            np.zeros((3, DEEPEST + 1)),
            (m.values, m.inputs, m.weights, m.patterns, m.hidden, m.linear, m.actions, m.ratings, m.rows, m.keys),
            self.nodes,
            self.judged,
            found,
        )
        return Choice(Action(game, int(found[0])), simulations=int(searched))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=256_000)
    parser.add_argument("--judged", action="store_true")
    chosen = parser.parse_args()

    def write(line: str) -> None:
        print(line, flush=True)

    engine.serve(AlphaBeta(chosen.nodes, chosen.judged), "alphabeta", sys.stdin, write)


if __name__ == "__main__":
    main()
