"""Learning Azul by playing against oneself: PPO on a batch of games, in NumPy alone.

    python examples/ppo.py [--minutes 8] [--save weights.npz]

One network plays all seats: an observation in, a preference for each action and the lead that it expects out. The
rewards are the changes of the lead in points. Every so often it plays some games against random moves, and says how
many it won. It stops when it wins 97 of 100, or when the time is over.
"""

import argparse
import time

import numpy as np
import numpy.typing as npt

import azulejos as az
from azulejos.envs import Batch

Floats = npt.NDArray[np.float32]

GAMES, STEPS = 256, 64  # side by side; between two lessons
HIDDEN = 256
EPOCHS, MINIBATCH = 3, 2048
DISCOUNT, TRACE = 0.995, 0.95
CLIP, ENTROPY, VALUE_SHARE = 0.2, 0.01, 0.5
LEARNING_RATE = 1e-3
POINTS = 10.0  # rewards are divided by this
GOAL = 0.97


class Network:
    """Two hidden layers, then preferences [n, actions] and values [n]; trained by Adam."""

    def __init__(self, inputs: int, actions: int, seed: int) -> None:
        random = np.random.default_rng(seed)

        def layer(rows: int, columns: int, scale: float) -> Floats:
            return random.standard_normal((rows, columns), np.float32) * np.float32(scale / np.sqrt(rows))

        self.weights: list[Floats] = [
            layer(inputs, HIDDEN, 3.0),  # observations are mostly 0
            np.zeros(HIDDEN, np.float32),
            layer(HIDDEN, HIDDEN, 1.4),
            np.zeros(HIDDEN, np.float32),
            layer(HIDDEN, actions + 1, 0.1),  # the last column is the value
            np.zeros(actions + 1, np.float32),
        ]
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]
        self.steps = 0

    def forward(self, seen: Floats) -> tuple[Floats, Floats, list[Floats]]:
        first, first_bias, second, second_bias, last, last_bias = self.weights
        one = np.maximum(seen @ first + first_bias, 0)
        two = np.maximum(one @ second + second_bias, 0)
        out = two @ last + last_bias
        return out[:, :-1], out[:, -1], [seen, one, two]

    def learn(self, layers: list[Floats], slope: Floats, rate: float) -> None:
        """One step down the slope of the loss over the outputs [n, actions + 1]."""
        slopes: list[Floats] = []
        for k in (2, 1, 0):
            slopes[:0] = [layers[k].T @ slope, slope.sum(0)]
            if k:
                slope = (slope @ self.weights[2 * k].T) * (layers[k] > 0)
        size = np.sqrt(sum(float((part**2).sum()) for part in slopes))
        shrink = min(1.0, 0.5 / (size + 1e-8))
        self.steps += 1
        pace = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for weight, mean, square, part in zip(self.weights, self.means, self.squares, slopes, strict=True):
            part *= shrink
            mean += 0.1 * (part - mean)
            square += 0.001 * (part**2 - square)
            weight -= (pace * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def likely(preferences: Floats, legal: npt.NDArray[np.bool_]) -> Floats:
    """How likely each action is: [n, actions]."""
    masked = np.where(legal, preferences, np.float32(-1e9))
    masked -= masked.max(1, keepdims=True)
    np.exp(masked, out=masked)
    masked /= masked.sum(1, keepdims=True)
    return masked


def drawn(chances: Floats, random: np.random.Generator) -> npt.NDArray[np.int64]:
    """An action of each row, as likely as it says: [n]."""
    ladder = np.cumsum(chances, 1)
    action = (ladder < random.random((len(ladder), 1), np.float32) * ladder[:, -1:]).sum(1)
    possible = np.take_along_axis(chances, action[:, None], 1)[:, 0] > 0
    return np.asarray(np.where(possible, action, chances.argmax(1)))


class Lesson:
    """What was seen and done in STEPS steps of GAMES games: arrays [STEPS, GAMES, …]."""

    def __init__(self, games: Batch, network: Network, random: np.random.Generator) -> None:
        n, players = games.n, games.game.players
        self.seen = np.zeros((STEPS, n, games.spec.one_hot_size), np.float32)
        self.legal = np.zeros((STEPS, n, games.game.num_actions), np.bool_)
        self.action = np.zeros((STEPS, n), np.int64)
        self.chance = np.zeros((STEPS, n), np.float32)
        value, reward = np.zeros((STEPS, n), np.float32), np.zeros((STEPS, n, players), np.float32)
        seat, over = np.zeros((STEPS, n), np.int64), np.zeros((STEPS, n), np.bool_)
        rows = np.arange(n)
        for t in range(STEPS):
            self.seen[t], self.legal[t], seat[t] = games.observe(one_hot=True), games.legal_mask(), games.seats
            preferences, value[t], _ = network.forward(self.seen[t])
            chances = likely(preferences, self.legal[t])
            self.action[t] = drawn(chances, random)
            self.chance[t] = chances[rows, self.action[t]]
            games.step(self.action[t])
            reward[t], over[t] = games.rewards / POINTS, games.terminated | games.truncated
        _, now, _ = network.forward(games.observe(one_hot=True))
        # The next value of each seat: the critic's for the seat to act, its negative share for the others.
        ahead = np.repeat(-now[:, None] / (players - 1), players, 1)
        ahead[rows, games.seats] = now
        self.advantage = np.zeros((STEPS, n), np.float32)
        trace, pending = np.zeros((n, players), np.float32), np.zeros((n, players), np.float32)
        for t in reversed(range(STEPS)):
            for array in (ahead, trace, pending):
                array[over[t]] = 0
            pending += reward[t]
            acting = seat[t]
            surprise = pending[rows, acting] + DISCOUNT * ahead[rows, acting] - value[t]
            self.advantage[t] = surprise + DISCOUNT * TRACE * trace[rows, acting]
            trace[rows, acting], ahead[rows, acting] = self.advantage[t], value[t]
            pending[rows, acting] = 0
        self.goal = self.advantage + value

    def teach(self, network: Network, random: np.random.Generator, rate: float) -> None:
        count = self.action.size
        seen, legal = self.seen.reshape(count, -1), self.legal.reshape(count, -1)
        action, chance = self.action.reshape(count), self.chance.reshape(count)
        advantage, goal = self.advantage.reshape(count), self.goal.reshape(count)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        for _ in range(EPOCHS):
            for chosen in np.split(random.permutation(count), range(MINIBATCH, count, MINIBATCH)):
                preferences, value, layers = network.forward(seen[chosen])
                chances = likely(preferences, legal[chosen])
                rows, played, better = np.arange(len(chosen)), action[chosen], advantage[chosen]
                ratio = chances[rows, played] / chance[chosen]
                clipped = ((ratio > 1 + CLIP) & (better > 0)) | ((ratio < 1 - CLIP) & (better < 0))
                push = np.where(clipped, 0, ratio * better)[:, None]
                slope = chances * push  # of the clipped objective, downwards …
                slope[rows, played] -= push[:, 0]
                logs = np.log(np.maximum(chances, 1e-12))
                spread = -(chances * logs).sum(1, keepdims=True)
                slope += ENTROPY * chances * (logs + spread)  # … of the entropy …
                wrong = 2 * VALUE_SHARE * (value - goal[chosen])  # … and of the value's error
                slopes = np.concatenate([slope, wrong[:, None]], 1) / len(chosen)
                network.learn(layers, slopes.astype(np.float32), rate)


def wins(network: Network, game: az.Game, games: int, seed: int) -> float:
    """The share of games that the network's best choices win against random moves, half of them from each seat."""
    table = az.batch(game, games, seed=seed)
    own = np.arange(games) % game.players
    first, won = np.ones(games, np.bool_), np.zeros(games, np.bool_)
    while first.any():
        preferences, _, _ = network.forward(table.observe(one_hot=True))
        best = np.where(table.legal_mask(), preferences, -np.inf).argmax(1)
        table.step(np.where(table.seats == own, best, table.random_actions()))
        won |= first & table.terminated & (table.rewards[np.arange(games), own] > 0)
        first &= ~(table.terminated | table.truncated)
    return float(won.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="azul", choices=list(az.registered()))
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", metavar="FILE", help="where the weights go, as .npz")
    chosen = parser.parse_args()
    game, random = az.make(chosen.game), np.random.default_rng(chosen.seed)
    games = az.batch(game, GAMES, seed=chosen.seed, rewards="margin")
    network = Network(games.spec.one_hot_size, game.num_actions, chosen.seed)
    started, lessons, share = time.perf_counter(), 0, 0.0
    while share < GOAL and (passed := time.perf_counter() - started) < 60 * chosen.minutes:
        Lesson(games, network, random).teach(network, random, LEARNING_RATE * (1 - passed / 60 / chosen.minutes))
        lessons += 1
        if lessons % 10 == 0:
            share = wins(network, game, 400, seed=lessons)
            print(f"{passed:4.0f} s, {lessons * GAMES * STEPS:,} moves: wins {share:.1%} against random", flush=True)
    print(f"At the end: {wins(network, game, 2000, seed=chosen.seed):.1%} of 2,000 games won against random")
    if chosen.save:
        np.savez_compressed(chosen.save, *network.weights)


if __name__ == "__main__":
    main()
