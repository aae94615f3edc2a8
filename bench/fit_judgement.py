"""Fit the weights and patterns by which the searching player judges, to games that it has played against itself.

    python bench/fit_judgement.py play azul --option players=2 --seconds 300 --out games.npz
    python bench/fit_judgement.py fit azul games.npz more-games.npz --out src/azulejos/games/azul

For every pair of seats in every position at the beginning of a stage, the difference of what they are worth should give
the chance to end up before the other. What a position is worth is a weighted sum of its features and of patterns, which
are found at the same time: a small network with one layer. Variants and stages have weights of their own; all see the
same patterns. Games of all variants can be given; weights of variants that were not played stay as they are.
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
from azulejos.players.search import Tree, entry_points
from azulejos.players.tree import simulate

Array = npt.NDArray[Any]
MOST_ROUNDS = 15
MOST_THINGS = 64  # on one board
TIMES, BATCH, RATE = 3, 1024, 0.004
TRUST = 0.7  # in what the next stage expects, against how the game ended
WHIM = 0.12  # how often a move is drawn from those looked into, for variety


def play_out(m: Any, met: Any, simulations: int) -> int:
    """Play m.states[0] to its end, the search against itself; the positions at the beginning of each stage go to `met`.

    How many there were; 0 if there is no room for more. Now and then an action is drawn from those looked into.
    """
    state, keys, edges = m.states[0], m.keys, m.edges
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
        m.used[:] = 0
        simulate(m, simulations if legal(state, m.actions) > 1 else 1)
        whim = below(keys, 0, 1000) < 1000 * WHIM
        best, found = -1.0, 0
        for edge in range(m.nodes[0].count):
            liking = float(edges[edge].visits)
            if whim and liking > 0:  # in proportion to visits ** 0.7
                liking = 0.7 * np.log(liking) - np.log(-np.log((1 + below(keys, 0, 1 << 30)) / (2 + (1 << 30)))) + 1e3
            if liking > best:
                best, found = liking, edge
        apply(state, np.int64(edges[found].action))


def play(game: Game, seconds: float, simulations: int, seed: int) -> dict[str, Array]:
    """Games of the player against itself: every position at the beginning of a stage, and how its game ended."""
    names = cast(ModuleType, SimpleNamespace(**{**vars(game.kernels), **vars(game.judgement)}))
    entry_point = bind([*tree.RULES, tree.simulate], [play_out], names, f"{game.name}-fit")["play_out"]
    one = Tree(game, game.judgement, np.uint64(seed), simulations + 1, 300 * simulations)
    generator, met = np.random.default_rng(seed), game.empty(MOST_ROUNDS)
    states, scores, places = [], [], []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        one.memory.states[:1] = game.start(seed=int(generator.integers(2**60))).array()
        count = entry_point(one.memory, met, simulations)
        final = State(game, one.memory.states[:1].copy())
        if count and final.outcome:
            place = [(seat in final.outcome.winners, score) for seat, score in enumerate(final.scores)]
            states.append(met[:count].copy())
            scores += count * [final.scores]
            places += count * [[sum(other > mine for other in place) for mine in place]]
    return {"states": np.concatenate(states), "scores": np.array(scores), "places": np.array(places)}


def pairs(game: Game, data: dict[str, Array]) -> dict[str, Array]:
    """Of all pairs of seats: the differences of their features [P, F], what lies on each one's board [P, 2, most] (0
    where there is no more), who was before at the end [P], the chapters [P], whether the next pair is the same one a
    stage later [P], and what the judgement as it is expects [P]."""
    judgement = game.judgement
    assert judgement
    found = entry_points(game.kernels, judgement, game.name)
    states, seats, out = data["states"], data["scores"].shape[1], game.actions_buffer()
    noted = np.zeros((seats, len(states), judgement.WEIGHTS.shape[1]))
    things = np.zeros((seats, len(states), MOST_THINGS), np.int16)
    chapters = np.zeros(len(states), int)
    for seat in range(seats):
        for i in range(len(states)):
            chapters[i] = found.list_inputs(states, i, seat, noted[seat, i], out)
            count = found.list_board(states, i, seat, out)
            things[seat, i, :count] = out[:count]
    both = [(one, other) for one in range(seats) for other in range(one)]
    places, rounds = data["places"], states["round_no"].astype(int)
    follows = np.append(rounds[1:] == rounds[:-1] + 1, False)
    count = len(judgement.FEATURES)
    worth = np.sum(noted * judgement.WEIGHTS[chapters], axis=2)
    return {
        "features": np.concatenate([noted[one, :, :count] - noted[other, :, :count] for one, other in both]),
        "things": np.concatenate([np.stack([things[one], things[other]], 1) for one, other in both]),
        "before": np.concatenate([(1 + np.sign(places[:, other] - places[:, one])) / 2 for one, other in both]),
        "chapters": np.concatenate([chapters for _ in both]),
        "follows": np.concatenate([follows for _ in both]),
        "expected": np.concatenate([1 / (1 + np.exp(worth[other] - worth[one])) for one, other in both]),
    }


class Net:
    """Weights and patterns while they are fitted: Adam, in small batches, the learning rate rising and falling once.

    The weights of features begin as they are, and are drawn back there; everything else is drawn to nothing.
    """

    def __init__(self, weights: Array, sizes: Array, things: int, patterns: int, decay: float, seed: int) -> None:
        generator = np.random.default_rng(seed)
        first = np.sqrt(1 / things) * generator.uniform(-1, 1, (1 + things, patterns))
        counts = np.tile(0.1 * generator.normal(size=patterns), (len(weights), 1))
        self.values = [first.astype(np.float32), np.hstack([weights * sizes, counts]).astype(np.float32)]
        self.rest = [0 * self.values[0], np.hstack([weights * sizes, 0 * counts]).astype(np.float32)]
        self.means = [np.zeros_like(value) for value in self.values]
        self.squares = [np.zeros_like(value) for value in self.values]
        self.decay = decay
        self.steps = 0

    def see(self, things: Array) -> tuple[Array, Array]:
        """Boards [B, most] as one number for each thing [B, 1 + things], and the patterns there [B, patterns]."""
        boards = np.zeros((len(things), len(self.values[0])), np.float32)
        boards[np.arange(len(things))[:, None], things] = 1
        boards[:, 0] = 1
        return boards, np.maximum(boards @ self.values[0], 0)

    def expect(self, features: Array, things: Array, chapters: Array) -> Array:
        """The chance of each pair's first to end up before the other."""
        differences = np.hstack([features, self.see(things[:, 0])[1] - self.see(things[:, 1])[1]])
        return np.asarray(1 / (1 + np.exp(-np.sum(differences * self.values[1][chapters], axis=1))))

    def learn(self, features: Array, things: Array, chapters: Array, aims: Array, rate: float) -> None:
        (boards, seen), (others, met) = self.see(things[:, 0]), self.see(things[:, 1])
        differences, weights = np.hstack([features, seen - met]), self.values[1][chapters]
        error = (1 / (1 + np.exp(-np.sum(differences * weights, axis=1))) - aims)[:, None] / len(aims)
        pull = error * weights[:, features.shape[1] :]
        belongs = (np.arange(len(self.values[1]))[:, None] == chapters).astype(np.float32)
        slopes = [boards.T @ (pull * (seen > 0)) - others.T @ (pull * (met > 0)), belongs @ (error * differences)]
        self.steps += 1
        for value, rest, mean, square, slope in zip(
            self.values, self.rest, self.means, self.squares, slopes, strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            step = mean / (1 - 0.9**self.steps) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
            value -= rate * (step + self.decay * (value - rest))


def fit(
    game: Game, data: dict[str, Array], kept: Array, patterns: int, epochs: int, decay: float
) -> tuple[Array, Array]:
    """Weights and patterns. `kept`: which pairs to learn from; the loss on the others is printed.

    After the first time, most of what a stage is told about the end is what the next stage was found to expect of it.
    """
    assert game.judgement
    weights = game.judgement.WEIGHTS[:, : len(game.judgement.FEATURES)]
    sizes = data["features"].std(axis=0) + 1e-6
    features = (data["features"] / sizes).astype(np.float32)
    things, chapters, aims = data["things"].astype(int), data["chapters"], data["before"].astype(np.float32)
    generator, which = np.random.default_rng(1), np.flatnonzero(kept)
    for attempt in range(TIMES):
        net = Net(weights, sizes, game.judgement.THINGS, patterns, decay, attempt)
        steps = epochs * (len(which) // BATCH)
        for step in range(steps):
            if step % (len(which) // BATCH) == 0:
                order = generator.permutation(which)
            part = order[step * BATCH % (len(which) // BATCH * BATCH) :][:BATCH]
            rate = RATE * min((step + 1) / (0.3 * steps), (1 - step / steps) / 0.7)
            net.learn(features[part], things[part], chapters[part], aims[part], rate)
        expected = np.concatenate(
            [
                net.expect(features[i : i + 8192], things[i : i + 8192], chapters[i : i + 8192])
                for i in range(0, len(aims), 8192)
            ]
        )
        print(f"time {attempt + 1}: {describe(expected, data, ~kept)}", flush=True)
        aims = data["before"].astype(np.float32)
        for i in reversed(range(len(aims) - 1)):
            if data["follows"][i]:
                aims[i] = TRUST * expected[i + 1] + (1 - TRUST) * aims[i + 1]
    found = np.hstack([net.values[1][:, : len(sizes)] / sizes, net.values[1][:, len(sizes) :]])
    unplayed = np.setdiff1d(np.arange(len(weights)), chapters)
    found[unplayed] = np.hstack([weights, np.zeros((len(weights), patterns))])[unplayed]
    return found, net.values[0]


def describe(expected: Array, data: dict[str, Array], where: Array) -> str:
    """The loss: of all, and of each chapter."""
    chance, before = np.clip(expected, 1e-6, 1 - 1e-6), data["before"]
    losses = -before * np.log(chance) - (1 - before) * np.log(1 - chance)
    if not where.any():
        return "all pairs were learnt from"
    by_chapter = [
        f"{chapter}: {losses[where & (data['chapters'] == chapter)].mean():.4f}"
        for chapter in np.unique(data["chapters"][where])
    ]
    return f"loss {losses[where].mean():.4f} ({', '.join(by_chapter)})"


def write(game: Game, weights: Array, patterns: Array, folder: Path) -> None:
    assert game.judgement
    names = [*game.judgement.FEATURES, *(f"pattern {k + 1}" for k in range(patterns.shape[1]))]
    np.savetxt(folder / "weights.csv", weights, "%.4f", ",", header=",".join(names), comments="")
    np.savetxt(folder / "patterns.csv", patterns, "%.4f", ",")


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
    fitting.add_argument("--patterns", type=int, default=32)
    fitting.add_argument("--epochs", type=int, default=12)
    fitting.add_argument("--decay", type=float, default=0.01)
    fitting.add_argument("--out", type=Path, required=True, help="the folder of weights.csv and patterns.csv")
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
    data = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    # Whole stretches are kept or not, so that the positions of most games are on one side.
    kept = np.arange(len(data["before"])) % 600 >= 60
    print(f"as it is: {describe(data['expected'], data, ~kept)}", flush=True)
    settings = (chosen.patterns, chosen.epochs, chosen.decay)
    fit(game, data, kept, *settings)
    write(game, *fit(game, data, np.ones(len(kept), bool), *settings), chosen.out)


if __name__ == "__main__":
    main()
