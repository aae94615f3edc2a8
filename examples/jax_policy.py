"""A policy in JAX on a batch, by DLPack: python examples/jax_policy.py [--device cuda] [--seconds 20].

Needs JAX, and for a GPU PyTorch too, through which the batch's arrays reach JAX without a copy. One network plays both
seats of a game for two; it learns by policy gradients, with the lead at the end as what every action has earned.
"""

import argparse
import os
import time
from functools import partial
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the batch needs memory too

import jax
import jax.numpy as jnp
import numpy as np

import azulejos as az
from azulejos.envs.batches import Batch

HIDDEN, RATE, ENTROPY = 256, 1e-3, 0.01


def to_jax(array: Any, device: str) -> Any:
    """A batch's array as JAX's."""
    if device == "cpu":
        return jnp.array(array)  # a copy, since the batch overwrites its arrays
    import torch

    seen = torch.as_tensor(array, device="cuda")  # over the same memory
    return jax.dlpack.from_dlpack(seen.view(torch.uint8) if seen.dtype == torch.bool else seen)


def to_batch(actions: Any, device: str) -> Any:
    """JAX's actions for a batch, which takes int64."""
    if device == "cpu":
        return np.asarray(actions, np.int64)
    import torch

    return torch.from_dlpack(actions).long()


def new_network(key: Any, inputs: int, actions: int) -> list[Any]:
    sizes = (inputs, HIDDEN, HIDDEN, actions + 1)
    scales = (3.0, 1.4, 0.1)  # observations are mostly 0
    keys = jax.random.split(key, 3)
    return [
        (jax.random.normal(k, (i, o)) * s / i**0.5, jnp.zeros(o))
        for k, i, o, s in zip(keys, sizes, sizes[1:], scales, strict=False)
    ]


def forward(network: Any, seen: Any, mask: Any) -> tuple[Any, Any]:
    """The logarithms of the actions' probabilities [k, actions], and values [k]."""
    for weights, bias in network[:-1]:
        seen = jax.nn.relu(seen @ weights + bias)
    out = seen @ network[-1][0] + network[-1][1]
    return jax.nn.log_softmax(jnp.where(mask, out[:, :-1], -1e9)), out[:, -1]


@jax.jit
def act(network: Any, key: Any, seen: Any, mask: Any) -> tuple[Any, Any, Any]:
    """Sampled actions int32 [n], and copies of what they were chosen by."""
    mask = mask.astype(bool)
    logs, _ = forward(network, seen, mask)
    return jax.random.categorical(key, logs).astype(jnp.int32), seen + 0, mask


@jax.jit
def best(network: Any, seen: Any, mask: Any) -> Any:
    return forward(network, seen, mask.astype(bool))[0].argmax(1).astype(jnp.int32)


@jax.jit
def learn(network: Any, moments: Any, step: Any, seen: Any, mask: Any, action: Any, earned: Any) -> tuple[Any, Any]:
    """One step of Adam on the policy's gradient, with the value as its baseline."""

    def loss(network: Any) -> Any:
        logs, value = forward(network, seen, mask)
        better = jax.lax.stop_gradient(earned - value)
        better = better / (better.std() + 1e-6)
        gain = (jnp.take_along_axis(logs, action[:, None], 1)[:, 0] * better).mean()
        entropy = -(jnp.exp(logs) * logs).sum(1).mean()
        return ((value - earned) ** 2).mean() / 2 - gain - ENTROPY * entropy

    slopes = jax.grad(loss)(network)
    means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], slopes)
    squares = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, moments[1], slopes)
    pace = RATE * jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    network = jax.tree.map(lambda w, m, v: w - pace * m / (jnp.sqrt(v) + 1e-8), network, means, squares)
    return network, (means, squares)


@partial(jax.jit, static_argnums=0)
def earnings(length: int, rewards: Any, over: Any, seats: Any) -> Any:
    """What each seat that acts will still earn in its game: [length, n]. rewards: [length, n, 2]."""
    rest, found = jnp.zeros(rewards.shape[1:]), []
    for t in reversed(range(length)):
        rest = jnp.where(over[t][:, None], 0.0, rest) + rewards[t]
        found.insert(0, jnp.take_along_axis(rest, seats[t][:, None], 1)[:, 0])
    return jnp.stack(found)


def wins(network: Any, name: str, device: Any, games: int) -> float:
    """The share of games won against random moves."""
    table: Batch = az.batch(name, games, device=device, seed=1)
    mine, first, won = np.arange(games) % 2, np.ones(games, np.bool_), np.zeros(games, np.bool_)
    host = np.asarray if device == "cpu" else (lambda array: array.copy_to_host())
    while first.any():
        own = np.asarray(best(network, to_jax(table.observe(True), device), to_jax(table.legal_mask(), device)))
        table.step(np.where(host(table.seats) == mine, own, host(table.random_actions())))
        won |= first & (host(table.rewards)[np.arange(games), mine] > 0)
        first &= host(table.ended) == 0
    return float(won.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="azul")
    parser.add_argument("--device", default="cuda" if jax.default_backend() == "gpu" else "cpu")
    parser.add_argument("--games", type=int, help="at once (default: 4096 on a GPU, else 256)")
    parser.add_argument("--length", type=int, default=64, help="steps of each between two lessons (default: 64)")
    parser.add_argument("--seconds", type=float, default=20.0)
    chosen = parser.parse_args()
    device, length = chosen.device, chosen.length
    n = chosen.games or (4096 if device == "cuda" else 256)
    table = az.batch(chosen.game, n, device=device, seed=0, rewards="margin")
    key = jax.random.key(0)
    network = new_network(key, table.spec.one_hot_size, table.game.num_actions)
    moments = (jax.tree.map(jnp.zeros_like, network), jax.tree.map(jnp.zeros_like, network))
    lessons, updates, started, passed = 0, 0, time.perf_counter(), 0.0
    while passed < chosen.seconds:
        rows: list[list[Any]] = [[] for _ in range(6)]
        for _ in range(length):
            key, now = jax.random.split(key)
            seats = to_jax(table.seats, device).astype(jnp.int32)
            seen, mask = to_jax(table.observe(one_hot=True), device), to_jax(table.legal_mask(), device)
            action, seen, mask = act(network, now, seen, mask)
            table.step(to_batch(action, device))
            reward, over = to_jax(table.rewards, device) / 20, to_jax(table.ended, device) != 0
            for row, one in zip(rows, (seen, mask, action, seats, reward, over), strict=True):
                row.append(one)
            jax.block_until_ready((seats, reward, over))  # before the next step overwrites what they are made of
        seens, masks, actions, seats, rewards, overs = (jnp.stack(row) for row in rows)
        earned = earnings(length, rewards, overs, seats)
        for t in range(0, length, 8):  # a minibatch is eight steps of all games
            updates += 1
            part = (one[t : t + 8].reshape(8 * n, *one.shape[2:]) for one in (seens, masks, actions, earned))
            network, moments = learn(network, moments, updates, *part)
        lessons += 1
        if lessons == 1:
            started = time.perf_counter()  # all is compiled
        passed = time.perf_counter() - started
    steps = (lessons - 1) * n * length
    print(f"{steps:,} steps of training in {passed:.0f} s: {steps / passed:,.0f} a second on {device}")
    print(f"won against random: {wins(network, chosen.game, device, 1000):.1%}")


if __name__ == "__main__":
    main()
