"""PPO in one file on a batch on a GPU, without a copy: python examples/torch_ppo.py [--device cuda] [--seconds 20].

Needs PyTorch (`pip install 'azulejos[train]'`). One network plays both seats of a game for two. The batch's arrays
are tensors over the same memory, and the actions go back the same way: nothing passes through the host. With
`--device cpu` the same program runs on NumPy's arrays.
"""

import argparse
import time
from typing import Any

import torch
from torch import nn

import azulejos as az
from azulejos.envs.batches import Batch

POINTS = 10.0  # rewards are divided by this
EPOCHS, MINIBATCHES, CLIP, ENTROPY, TRACE, RATE = 2, 8, 0.2, 0.01, 0.95, 1e-3


class Agent(nn.Module):  # type: ignore[misc, unused-ignore]
    """A logit for each action, and the lead that the seat to act expects."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.actor, self.critic = nn.Linear(256, actions), nn.Linear(256, 1)

    def forward(self, seen: Any, mask: Any) -> tuple[Any, Any]:
        body = self.body(seen)
        logits = self.actor(body).masked_fill(~mask, -1e9)
        return torch.distributions.Categorical(logits=logits, validate_args=False), self.critic(body)[:, 0]


class Game:
    """A batch of games as tensors."""

    def __init__(self, name: str, n: int, device: Any, seed: int, rewards: Any) -> None:
        self.batch: Batch = az.batch(name, n, device=device, seed=seed, rewards=rewards)
        self.device = device

    def tensor(self, array: Any) -> Any:
        return torch.as_tensor(array, device=self.device)  # the same memory, for both devices

    def look(self) -> tuple[Any, Any, Any]:
        """Observations [n, size], masks [n, actions] and seats [n]; the next step overwrites them."""
        batch = self.batch
        return self.tensor(batch.observe(one_hot=True)), self.tensor(batch.legal_mask()), self.tensor(batch.seats)

    def step(self, actions: Any) -> tuple[Any, Any]:
        """The rewards [n, 2], and whether the game has ended: [n]."""
        self.batch.step(actions if self.device == "cuda" else actions.numpy())
        return self.tensor(self.batch.rewards), self.tensor(self.batch.ended) != 0


def lesson(game: Game, agent: Agent, optimizer: Any, length: int) -> None:
    """Play `length` steps, and learn from them."""
    seens, masks, actions, logs, values, rewards, same = ([] for _ in range(7))
    with torch.no_grad():
        seen, mask, seat = (one.clone() for one in game.look())
        for _ in range(length):
            chances, value = agent(seen, mask)
            action = chances.sample()
            reward, over = game.step(action)
            for kept, one in zip((seens, masks, actions, values), (seen, mask, action, value), strict=True):
                kept.append(one)
            logs.append(chances.log_prob(action))
            rewards.append(reward.gather(1, seat[:, None].long())[:, 0] / POINTS)
            before = seat
            seen, mask, seat = (one.clone() for one in game.look())
            # What comes next counts for the seat that acted if it acts again, against it if the other does.
            same.append(torch.where(over, 0.0, torch.where(seat == before, 1.0, -1.0)))
        later, advantage = torch.zeros_like(value), torch.zeros_like(value)
        after = agent(seen, mask)[1]
        advantages = []
        for t in reversed(range(length)):
            later = rewards[t] + same[t] * after - values[t]
            advantage = later + TRACE * same[t] * advantage
            advantages.insert(0, advantage)
            after = values[t]
    seen, mask, action, log, value, gain = map(torch.cat, (seens, masks, actions, logs, values, advantages))
    goal, gain = gain + value, (gain - gain.mean()) / (gain.std() + 1e-6)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(goal), device=goal.device).chunk(MINIBATCHES):
            chances, value = agent(seen[rows], mask[rows])
            ratio = (chances.log_prob(action[rows]) - log[rows]).exp()
            clipped = torch.minimum(ratio * gain[rows], ratio.clamp(1 - CLIP, 1 + CLIP) * gain[rows])
            loss = ((value - goal[rows]) ** 2).mean() / 2 - clipped.mean() - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


@torch.no_grad()  # type: ignore[untyped-decorator, unused-ignore]
def wins(agent: Agent, name: str, device: Any, games: int) -> float:
    """The share of games won against random moves."""
    game = Game(name, games, device, 1, "win")
    mine = torch.arange(games, device=device) % 2
    won, first = torch.zeros(games, device=device), torch.ones(games, dtype=torch.bool, device=device)
    while bool(first.any()):
        seen, mask, seat = game.look()
        best = agent(seen, mask)[0].logits.argmax(1)
        reward, over = game.step(torch.where(seat == mine, best, game.tensor(game.batch.random_actions())))
        won += torch.where(first & (reward.gather(1, mine[:, None])[:, 0] > 0), 1.0, 0.0)
        first &= ~over
    return float(won.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="azul")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--games", type=int, help="at once (default: 4096 on a GPU, else 256)")
    parser.add_argument("--length", type=int, default=32, help="steps of each between two lessons (default: 32)")
    parser.add_argument("--seconds", type=float, default=20.0)
    chosen = parser.parse_args()
    torch.manual_seed(0)
    n = chosen.games or (4096 if chosen.device == "cuda" else 256)
    game = Game(chosen.game, n, chosen.device, 0, "margin")
    agent = Agent(game.batch.spec.one_hot_size, game.batch.game.num_actions).to(chosen.device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=RATE)
    lesson(game, agent, optimizer, chosen.length)  # compiles
    started, lessons, passed = time.perf_counter(), 0, 0.0
    while passed < chosen.seconds:
        lesson(game, agent, optimizer, chosen.length)
        lessons += 1
        passed = time.perf_counter() - started
    steps = lessons * n * chosen.length
    print(f"{steps:,} steps of training in {passed:.0f} s: {steps / passed:,.0f} a second on {chosen.device}")
    print(f"won against random: {wins(agent, chosen.game, chosen.device, 1000):.1%}")


if __name__ == "__main__":
    main()
