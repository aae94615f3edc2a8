"""Training: what a lesson learns from, and that a few lessons beat random play."""

from typing import Any

import numpy as np
import pytest

import azulejos as az
from azulejos.baselines.policy import Network

torch = pytest.importorskip("torch")
from azulejos.baselines import ppo  # noqa: E402

PLAN = ppo.Plan(64, 32, epochs=2, minibatches=4, hidden=64, rate=3e-3, most_steps=16 * 64 * 32)


def test_a_short_training_beats_random_play(tmp_path: Any) -> None:
    told: list[dict[str, Any]] = []
    learner = ppo.train(az.make("azul"), "cpu", PLAN, 1, lambda figures, _: told.append(figures), measured=100)
    assert told[-1]["steps"] == PLAN.most_steps
    assert told[-1]["random"] > 0.75 > told[0]["random"]
    learner.network(steps=1).save(tmp_path / "azul-2.npz")
    games = az.batch("azul", 64, seed=3)
    for _ in range(10):
        games.step(games.random_actions())
    seen, mask = games.observe().copy(), games.legal_mask()
    shipped = Network.load(tmp_path / "azul-2.npz")(seen, mask)
    assert np.mean(shipped == learner.best(torch.as_tensor(seen), torch.as_tensor(mask)).numpy()) > 0.95


@pytest.mark.parametrize("players", [2, 3])
def test_advantages_are_the_rewards_until_a_seat_acts_again(players: int) -> None:
    games = ppo.make_batch(az.make("azul", players=players), 8, "cpu", 1, "margin", 12)
    plan = ppo.Plan(8, 200, hidden=64, trace=0.5)
    learner, rollout = ppo.Learner(games.game, "cpu", plan, 1, ppo.inputs_of(games, 0)), ppo.Rollout(games, plan)
    with torch.no_grad():
        rollout.play(learner, 1.0)
        rollout.judge(learner)
    checked = 0
    for i in range(8):
        for t in range(plan.length):
            seat, gained, later = int(rollout.seat[t, i]), 0.0, None
            for ahead in range(t, plan.length):
                if ahead > t and rollout.seat[ahead, i] == seat:
                    later = ahead
                    break
                gained += float(rollout.reward[ahead, i, seat])
                if rollout.over[ahead, i]:
                    later = -1
                    break
            if later is None:
                continue
            assert rollout.known[t, i]
            expected = gained - float(rollout.value[t, i])
            if later >= 0:
                expected += float(rollout.value[later, i] + plan.trace * rollout.advantage[later, i])
            assert float(rollout.advantage[t, i]) == pytest.approx(expected, abs=1e-4)
            checked += 1
    assert checked > 1000
