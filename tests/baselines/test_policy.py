"""A policy's file plays with NumPy alone."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import azulejos as az
from azulejos.baselines import policy
from azulejos.core.errors import OptionError
from azulejos.envs.batches import spec_of

AZUL = az.make("azul")
VARIANTS = ("azul-2", "azul-3", "azul-4", "pavilion-2", "pavilion-3", "pavilion-4", "duel-2")


def new_network(seed: int) -> policy.Network:
    random, size = np.random.default_rng(seed), spec_of(AZUL).size
    inputs = [(number, 1, 2) for number in range(size)] + [(number, -1, 20) for number in range(size)]
    sizes = len(inputs), 8, AZUL.num_actions + 1
    layers = [array for i, o in pairwise(sizes) for array in (random.normal(size=(i, o)), np.zeros(o))]
    return policy.Network(
        np.array(inputs), layers, {"game": "azul", "options": {"players": "2", "wall": "coloured"}, "steps": 3}
    )


def test_a_saved_policy_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "WEIGHTS", tmp_path)
    policy.trained.cache_clear()
    new_network(1).save(tmp_path / "azul-2.npz")
    player, state = policy.Trained(), AZUL.start(seed=1)
    for _ in range(20):
        assert state.seat is not None
        state = state.play(player.choose(state.view(state.seat)).action)
    assert policy.Network.load(tmp_path / "azul-2.npz").about["steps"] == 3
    with pytest.raises(OptionError, match="no policy has been trained for"):
        player.choose(az.make("azul", wall="grey").start(seed=1))
    policy.trained.cache_clear()


def test_only_legal_actions_are_chosen() -> None:
    network, games = new_network(2), az.batch("azul", 16, seed=1)
    chosen = network(games.observe(), games.legal_mask())
    assert games.legal_mask()[np.arange(16), chosen].all()
    logits, values = network.forward(games.observe())
    assert logits.shape == (16, AZUL.num_actions)
    assert values.shape == (16,)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_policy_of_the_package_beats_random(variant: str) -> None:
    assert (policy.WEIGHTS / f"{variant}.npz").stat().st_size <= 1_000_000
    name, players = variant.split("-")
    game = az.make(name) if name == "duel" else az.make(name, players=int(players))
    network, games = policy.trained(game), az.batch(game, 24, seed=1)
    results: list[float] = []
    while len(results) < 24:
        chosen = network(games.observe(), games.legal_mask())
        games.step(np.where(games.seats == 0, chosen, games.random_actions()))
        results += games.rewards[games.terminated, 0].tolist()
    assert results.count(1.0) > 18
