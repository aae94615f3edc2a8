"""Fit the weights by which the searching player judges positions, to games that it has played against itself.

    python bench/fit_judgement.py play azul --players 2 --seconds 300 --out games.npz
    python bench/fit_judgement.py fit azul games.npz more-games.npz --out src/azulejos/games/azul/weights.csv

For every pair of seats in every position at the beginning of a stage: the difference of their features should give
the difference of their final scores (least squares, which is steady), and, scaled, the chance to end up before the
other (logistic, kept close to the first). Half of what a stage is told about the final scores is what the next stage
makes of them, which is steadier still. Variants and stages have weights of their own, drawn towards common ones.
"""

import argparse
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

import azulejos as az
from azulejos.core.chance import below
from azulejos.core.compiling import bind
from azulejos.core.game import Game
from azulejos.core.kernels import CHANCE, OVER, apply, draw, legal, outcome, stage, turn, ways
from azulejos.core.registry import registered
from azulejos.core.state import State
from azulejos.players import tree
from azulejos.players.search import SETTINGS, Tree, doors
from azulejos.players.tree import simulate

Array = npt.NDArray[Any]
MOST_ROUNDS = 15
TRUST = 0.5  # in what the next stage expects, against how the game ended
WHIM = 0.12  # how often a move is drawn from those looked into, for variety


def play_out(
    states: Any,
    met: Any,
    nodes: Any,
    edges: Any,
    used: Any,
    path: Any,
    values: Any,
    hopes: Any,
    noted: Any,
    weights: Any,
    out: Any,
    ratings: Any,
    keys: Any,
    settings: Any,
    simulations: int,
) -> int:
    """Play states[0] to its end, the search against itself; the positions at the beginning of each stage go to `met`.

    How many there were; 0 if there is no room for more. Now and then an action is drawn from those looked into.
    """
    state = states[0]
    count, before = 0, stage(state)
    while True:
        while turn(state) == CHANCE:
            draw(state, outcome(state, below(keys, 0, ways(state))))
        if turn(state) == OVER:
            return count
        if stage(state) != before:
            if count == len(met):
                return 0
            before = stage(state)
            met[count] = state
            count += 1
        used[:] = 0
        simulate(
            states, nodes, edges, used, path, values, hopes, noted, weights, out, ratings, keys, settings,
            simulations if legal(state, out) > 1 else 1,
        )  # fmt: skip
        whim = below(keys, 0, 1000) < 1000 * WHIM
        best, found = -1.0, 0
        for edge in range(nodes[0].count):
            liking = float(edges[edge].visits)
            if whim and liking > 0:  # in proportion to visits ** 0.7
                liking = 0.7 * np.log(liking) - np.log(-np.log((1 + below(keys, 0, 1 << 30)) / (2 + (1 << 30)))) + 1e3
            if liking > best:
                best, found = liking, edge
        apply(state, np.int64(edges[found].action))


def play(game: Game, seconds: float, simulations: int, seed: int) -> dict[str, Array]:
    """Games of the player against itself: every position at the beginning of a stage, and how its game ended."""
    names = cast(ModuleType, SimpleNamespace(**{**vars(game.kernels), **vars(game.judgement)}))
    door = bind([*tree.RULES, tree.simulate], [play_out], names, f"{game.name}-fit")["play_out"]
    one = Tree(game, game.judgement, np.uint64(seed), simulations + 1, 300 * simulations)
    settings = np.array([{**SETTINGS, **getattr(game.judgement, "SETTINGS", {})}[name] for name in SETTINGS])
    generator, met = np.random.default_rng(seed), game.empty(MOST_ROUNDS)
    states, scores, places = [], [], []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        one.states[:1] = game.start(seed=int(generator.integers(2**60))).array()
        count = door(
            one.states, met, one.nodes, one.edges, one.used, one.path, one.values, one.hopes, one.noted, one.weights,
            one.out, one.ratings, one.keys, settings, simulations,
        )  # fmt: skip
        final = State(game, one.states[:1].copy())
        if count and final.outcome:
            place = [(seat in final.outcome.winners, score) for seat, score in enumerate(final.scores)]
            states.append(met[:count].copy())
            scores += count * [final.scores]
            places += count * [[sum(other > mine for other in place) for mine in place]]
    return {"states": np.concatenate(states), "scores": np.array(scores), "places": np.array(places)}


def pairs(game: Game, data: dict[str, Array]) -> tuple[Array, Array, Array, Array, Array]:
    """Of all pairs of seats: differences of features [P, F], of scores [P], who was before [P], chapters [P], and
    whether the next pair is the same one a stage later [P]."""
    assert game.judgement
    note = doors(game.kernels, game.judgement, game.name).note
    states, seats = data["states"], data["scores"].shape[1]
    noted = np.zeros((seats, len(states), game.judgement.WEIGHTS.shape[1]))
    chapters = np.zeros(len(states), int)
    for seat in range(seats):
        for i in range(len(states)):
            chapters[i] = note(states, i, seat, noted[seat, i])
    both = [(one, other) for one in range(seats) for other in range(one)]
    places, rounds = data["places"], states["round_no"].astype(int)
    follows = np.append(rounds[1:] == rounds[:-1] + 1, False)
    return (
        np.concatenate([noted[one] - noted[other] for one, other in both]),
        np.concatenate([data["scores"][:, one] - data["scores"][:, other] for one, other in both]).astype(float),
        np.concatenate([(1 + np.sign(places[:, other] - places[:, one])) / 2 for one, other in both]),
        np.concatenate([chapters for _ in both]),
        np.concatenate([follows for _ in both]),
    )


def least_squares(x: Array, y: Array, towards: Array, pull: float) -> Array:
    """Weights that give y from x, drawn towards others."""
    return towards + np.linalg.solve(x.T @ x + pull * np.eye(x.shape[1]), x.T @ (y - x @ towards))


def logistic(x: Array, y: Array, towards: Array, pull: float) -> Array:
    """Weights that give the chance y from x, drawn towards others: Newton's method."""
    weights = towards.copy()
    for _ in range(30):
        chance = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (chance - y) + pull * (weights - towards)
        bend = (x * (chance * (1 - chance))[:, None]).T @ x + pull * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < 1e-5:
            break
    return weights


def loss(x: Array, y: Array, weights: Array) -> float:
    chance = np.clip(1 / (1 + np.exp(-x @ weights)), 1e-9, 1 - 1e-9)
    return float(-np.mean(y * np.log(chance) + (1 - y) * np.log(1 - chance)))


def fit(x: Array, margins: Array, before: Array, chapters: Array, follows: Array, count: int, kept: Array) -> Array:
    """Weights [chapters, features]. `kept`: which pairs to learn from; the loss on the others is printed."""
    size = x.std(axis=0) + 1e-9
    x = x / size
    common = least_squares(x[kept], margins[kept], np.zeros(x.shape[1]), 100)
    usual = logistic(x[kept], before[kept], 0 * common, 100)  # for variants that were not played
    points, weights = np.tile(common, (count, 1)), np.tile(usual, (count, 1))
    aims = margins.copy()
    for chapter in reversed(range(count)):
        here = kept & (chapters == chapter)
        if here.sum() < 100:
            continue
        led = np.flatnonzero((chapters == chapter) & follows)
        expected = np.sum(x[led + 1] * points[chapters[led + 1]], axis=1)
        aims[led] += TRUST * (expected - margins[led])
        points[chapter] = least_squares(x[here], aims[here], common, 300)
        scale = logistic(x[here] @ points[chapter][:, None], before[here], np.zeros(1), 0.01)
        weights[chapter] = logistic(x[here], before[here], scale * points[chapter], 500)
        there = ~kept & (chapters == chapter)
        if there.any():
            print(f"chapter {chapter}: {here.sum()} pairs, loss {loss(x[there], before[there], weights[chapter]):.4f}")
    return np.asarray(weights / size)


def write(game: Game, weights: Array, path: Path) -> None:
    assert game.judgement
    np.savetxt(path, weights, "%.4f", ",", header=",".join(game.judgement.FEATURES), comments="")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("game")
    playing.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    playing.add_argument("--seconds", type=float, default=300)
    playing.add_argument("--simulations", type=int, default=250)
    playing.add_argument("--seed", type=int, default=0)
    playing.add_argument("--out", type=Path, required=True)
    fitting = commands.add_parser("fit")
    fitting.add_argument("game")
    fitting.add_argument("files", nargs="+", type=Path)
    fitting.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    if chosen.command == "play":
        kind = registered()[chosen.game]
        given = dict(text.split("=", 1) for text in chosen.option)
        game = kind(**{option.name: option.read(given[option.name]) for option in kind.options if option.name in given})
        data = play(game, chosen.seconds, chosen.simulations, chosen.seed)
        np.savez_compressed(chosen.out, states=data["states"], scores=data["scores"], places=data["places"])
        print(f"{len(data['states'])} positions")
        return
    game = az.make(chosen.game)
    parts = [pairs(game, dict(np.load(file))) for file in chosen.files]
    x, margins, before, chapters, follows = (np.concatenate([part[k] for part in parts]) for k in range(5))
    assert game.judgement
    count = len(game.judgement.WEIGHTS)
    kept = np.arange(len(x)) % 50 < 40  # whole stretches, so that the positions of most games are on one side
    fit(x, margins, before, chapters, follows, count, kept)
    write(game, fit(x, margins, before, chapters, follows, count, np.ones(len(x), bool)), chosen.out)


if __name__ == "__main__":
    main()
