"""Learning by self-play: PPO on a batch of games, with PyTorch, on the CPU or without any copy on a GPU.

One network plays all seats. A seat's rewards are the changes of its lead in points, and 1 or less for the victory.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

try:
    import torch
except ModuleNotFoundError as _missing:
    raise ImportError(f"training needs {_missing.name}: pip install 'azulejos[train]'") from None

from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.observation import ObservationSpec
from azulejos.envs.batches import MOST_ROUNDS, Batch, Device, Rewards, batch, spec_of
from azulejos.envs.stepping import FINISHED

from .policy import Network

OPPONENTS = ("random", "greedy")  # that a policy is measured against


@dataclass(frozen=True)
class Plan:
    """The numbers of a training.

    games, length: games in parallel, and the steps of each between two updates. epochs: over these steps, in this many
    `minibatches`. most_steps, most_seconds: the end, whichever comes first; rates fall towards it. points: rewards are
    divided by this many points of lead. trace: lambda of the advantages (GAE); nothing is discounted.
    """

    games: int
    length: int
    epochs: int = 2
    minibatches: int = 16
    hidden: int = 256
    rate: float = 1e-3
    entropy: float = 0.01
    clip: float = 0.2
    value_share: float = 0.5
    trace: float = 0.95
    points: float = 20.0
    most_rounds: int = 12
    most_steps: int = 2_000_000
    most_seconds: float = math.inf

    @property
    def lesson(self) -> int:
        """Steps between two updates, in all games."""
        return self.games * self.length


PLANS: dict[Device, Plan] = {
    "cpu": Plan(256, 64, epochs=3, minibatches=8, most_steps=4_000_000),
    "cuda": Plan(16_384, 32, most_steps=300_000_000),
}


def make_batch(game: Game, n: int, device: Device, seed: int, rewards: Rewards, most_rounds: int) -> Batch:
    if device == "cuda":
        from azulejos.envs.cuda import CudaBatch

        return CudaBatch(game, n, seed, rewards, most_rounds, check=False)
    return batch(game, n, device, seed, rewards, most_rounds)


class OneHot:
    """Compact observations in their one-hot form, on the device."""

    def __init__(self, spec: ObservationSpec, device: Device, kind: Any) -> None:
        self.size, self._kind = spec.one_hot_size, kind
        self._places = torch.as_tensor(spec.places, device=device)
        self._kinds = torch.as_tensor(spec.kinds, device=device)
        self._most = torch.as_tensor(spec.most.astype(np.float32), device=device)

    def __call__(self, compact: Any) -> Any:
        """[k, size] to [k, one-hot size]."""
        where = self._places + torch.where(self._kinds, compact, 0)
        value = torch.where(self._kinds, 1.0, compact / self._most).to(self._kind)
        return torch.zeros((len(compact), self.size), dtype=self._kind, device=compact.device).scatter_(1, where, value)


class Learner:
    """The network in training."""

    def __init__(self, game: Game, device: Device, plan: Plan, seed: int) -> None:
        self.game, self.device, self.plan = game, device, plan
        self.kind = torch.bfloat16 if device == "cuda" else torch.float32  # of the large products
        torch.backends.cuda.matmul.allow_tf32 = True  # for the others
        self.one_hot = OneHot(spec_of(game), device, self.kind)
        self.random = torch.Generator(device).manual_seed(seed)
        sizes = [self.one_hot.size, plan.hidden, plan.hidden, game.num_actions + 1]
        self.layers: list[Any] = []
        # Observations are mostly 0, so the first layer begins large; the last one small: all actions are likely.
        for inputs, outputs, scale in zip(sizes, sizes[1:], (3.0, 1.4, 0.1), strict=False):
            weights = torch.randn((inputs, outputs), generator=self.random, device=device) * scale / inputs**0.5
            self.layers += [weights.requires_grad_(), torch.zeros(outputs, device=device, requires_grad=True)]
        self.optimizer = torch.optim.Adam(self.layers, lr=plan.rate, eps=1e-5, fused=device == "cuda")
        self.met = torch.zeros(self.one_hot.size, dtype=torch.bool, device=device)  # inputs that were ever not 0

    def forward(self, compact: Any) -> tuple[Any, Any]:
        """Logits float32 [k, actions] and values float32 [k]."""
        out = self.one_hot(compact)
        for number in range(0, len(self.layers), 2):
            kind = self.kind if number < len(self.layers) - 2 else torch.float32  # logits must not be rounded much
            weights, bias = (layer.to(kind) for layer in self.layers[number : number + 2])
            out = torch.addmm(bias, torch.relu(out).to(kind) if number else out, weights)
        return out[:, :-1], out[:, -1]

    def log_chances(self, compact: Any, mask: Any) -> tuple[Any, Any]:
        """Of the actions, by their logarithm: [k, actions]; and values [k]."""
        logits, value = self.forward(compact)
        return torch.log_softmax(torch.where(mask, logits, -1e9), 1), value

    def best(self, compact: Any, mask: Any) -> Any:
        """The most likely action: int64 [k]."""
        return torch.where(mask, self.forward(compact)[0], -1e9).argmax(1)

    def network(self, **about: Any) -> Network:
        """A copy of what has been learnt so far. Inputs that were never met get no weight, which makes files small."""
        layers = [layer.detach().float().cpu().numpy() for layer in self.layers]
        layers[0] = layers[0] * self.met.cpu().numpy()[:, None]
        options = {name: str(value) for name, value in self.game.chosen.items()}
        return Network(layers, {"game": self.game.name, "options": options, **about})


class Rollout:
    """What was seen and done in `length` steps of all games: tensors [length, games, …] on the device."""

    def __init__(self, games: Batch, plan: Plan, device: Device) -> None:
        shape, players = (plan.length, games.n), games.game.players

        def empty(kind: Any, *more: int) -> Any:
            return torch.empty((*shape, *more), dtype=kind, device=device)

        self.games, self.plan, self.device = games, plan, device
        self.seen = empty(torch.int16, games.spec.size)
        self.mask = empty(torch.bool, games.game.num_actions)
        self.action, self.seat = empty(torch.int64), empty(torch.int64)
        self.log_chance, self.value, self.advantage = (empty(torch.float32) for _ in range(3))
        self.reward, self.over = empty(torch.float32, players), empty(torch.bool)
        self.lead = torch.zeros((games.n, players), device=device)

    def tensor(self, array: Any) -> Any:
        """A batch's array as a tensor over the same memory."""
        return torch.as_tensor(array, device=self.device)

    def play(self, learner: Learner) -> None:
        games, plan, tensor = self.games, self.plan, self.tensor
        for t in range(plan.length):
            self.seen[t], self.mask[t] = tensor(games.observe()), tensor(games.legal_mask())
            self.seat[t] = tensor(games.seats)
            logs, self.value[t] = learner.log_chances(self.seen[t], self.mask[t])
            noise = torch.empty_like(logs).exponential_(generator=learner.random).clamp_(min=1e-20)
            action = (logs - noise.log()).argmax(1)  # Gumbel's: as likely as they say
            self.action[t], self.log_chance[t] = action, logs.gather(1, action[:, None])[:, 0]
            games.step(action if self.device == "cuda" else action.numpy())
            points, ended = tensor(games.rewards), tensor(games.ended)
            self.lead += points
            self.over[t] = ended != 0
            won = (self.lead == self.lead.amax(1, keepdim=True)).float()
            won = (won / won.sum(1, keepdim=True) * games.game.players - 1) / (games.game.players - 1)
            self.reward[t] = points / plan.points + won * (ended == FINISHED)[:, None]
            self.lead *= (~self.over[t])[:, None]
        seen = self.seen.flatten(0, 1)[:: max(1, plan.length * games.n // 4096)]
        learner.met |= (learner.one_hot(seen) != 0).any(0)

    def judge(self, learner: Learner) -> None:
        """Advantages by GAE, from each seat's own point of view: its next value is where it acts again."""
        games, players, trace = self.games, self.games.game.players, self.plan.trace
        now = learner.forward(self.tensor(games.observe()))[1]
        # After the last step: the value of the seat to act, and of the others their share of the opposite.
        ahead = (-now[:, None] / (players - 1)).repeat(1, players)
        ahead.scatter_(1, self.tensor(games.seats).long()[:, None], now[:, None])
        later, pending = torch.zeros_like(ahead), torch.zeros_like(ahead)
        for t in reversed(range(self.plan.length)):
            going_on = (~self.over[t])[:, None]
            ahead, later, pending = ahead * going_on, later * going_on, pending * going_on + self.reward[t]
            acting, value = self.seat[t][:, None], self.value[t][:, None]
            advantage = pending.gather(1, acting) + ahead.gather(1, acting) - value + trace * later.gather(1, acting)
            self.advantage[t] = advantage[:, 0]
            later.scatter_(1, acting, advantage)
            ahead.scatter_(1, acting, value)
            pending.scatter_(1, acting, 0.0)

    def teach(self, learner: Learner, share: float) -> None:
        """PPO's updates. share: of the training that is left, by which the rates shrink."""
        plan = self.plan
        seen, mask, action = (one.flatten(0, 1) for one in (self.seen, self.mask, self.action))
        before, advantage, value = (one.flatten() for one in (self.log_chance, self.advantage, self.value))
        goal = advantage + value
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        for group in learner.optimizer.param_groups:
            group["lr"] = plan.rate * share
        for _ in range(plan.epochs):
            order = torch.randperm(len(goal), generator=learner.random, device=self.device)
            for rows in order.chunk(plan.minibatches):
                logs, found = learner.log_chances(seen[rows], mask[rows])
                ratio = (logs.gather(1, action[rows, None])[:, 0] - before[rows]).exp()
                better = advantage[rows]
                gain = torch.minimum(ratio * better, ratio.clamp(1 - plan.clip, 1 + plan.clip) * better).mean()
                entropy = -(logs.exp() * logs.clamp(min=-100)).sum(1).mean()
                wrong = ((found - goal[rows]) ** 2).mean()
                loss = plan.value_share * wrong - gain - plan.entropy * share * entropy
                learner.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(learner.layers, 0.5)
                learner.optimizer.step()


class Judge:
    """Games of a policy against the players that a batch has compiled."""

    def __init__(self, game: Game, device: Device, games: int, seed: int) -> None:
        self.game, self.device, self.seed = game, device, seed
        self.batch = make_batch(game, games, device, seed, "win", MOST_ROUNDS)
        self.own = torch.arange(games, device=device) % game.players

    @torch.no_grad()  # type: ignore[untyped-decorator, unused-ignore]
    def wins(self, learner: Learner, opponent: str) -> float:
        """The share of the victories in one game each, with one seat for the policy and the others for the opponent."""
        if opponent not in OPPONENTS:
            raise OptionError(f"a policy is measured against {' or '.join(OPPONENTS)}, not {opponent!r}")
        games, players = self.batch, self.game.players
        others = games.random_actions if opponent == "random" else games.greedy_actions

        def tensor(array: Any) -> Any:
            return torch.as_tensor(array, device=self.device)

        games.reset(self.seed)
        first = torch.ones(games.n, dtype=torch.bool, device=self.device)
        won = torch.zeros(games.n, device=self.device)
        step = 0
        while step % 8 or bool(first.any()):  # a GPU is waited for at every eighth step
            mask, seats = tensor(games.legal_mask()), tensor(games.seats).long()
            best = learner.best(tensor(games.observe()), mask)
            action = torch.where(seats == self.own, best, tensor(others()))
            games.step(action if self.device == "cuda" else action.numpy())
            ended = tensor(games.ended)
            result = tensor(games.rewards).gather(1, self.own[:, None])[:, 0]
            won += torch.where(first & (ended == FINISHED), (result * (players - 1) + 1) / players, 0.0)
            first &= ended == 0
            step += 1
        return float(won.mean())


def train(
    game: Game,
    device: Device,
    plan: Plan,
    seed: int,
    tell: Callable[[dict[str, Any], Learner], None],
    measured: int = 1000,
    ends: float = math.inf,
) -> Learner:
    """A policy trained by self-play. `tell`: called with the figures so far, after 2 lessons and each time when there
    are twice as many. `measured`: games against each opponent. `ends`: a time (of `perf_counter`)."""
    games = make_batch(game, plan.games, device, seed, "margin", plan.most_rounds)
    learner, rollout = Learner(game, device, plan, seed), Rollout(games, plan, device)
    judge = Judge(game, device, measured, seed + 1)
    figures: dict[str, Any] = {"steps": 0, "seconds": 0.0}

    def measure() -> None:
        figures.update({opponent: judge.wins(learner, opponent) for opponent in OPPONENTS})
        tell(dict(figures), learner)

    measure()  # compiles
    lessons, next_told, started, telling = 0, 2, time.perf_counter(), 0.0
    while True:
        seconds = time.perf_counter() - started - telling
        figures.update(steps=lessons * plan.lesson, seconds=seconds)
        now = time.perf_counter()
        left = 1 - max(
            figures["steps"] / plan.most_steps,
            seconds / plan.most_seconds,
            (now - started) / (ends - started) if ends > started else 1.0,
        )
        if left <= 0:
            break
        with torch.no_grad():
            rollout.play(learner)
            rollout.judge(learner)
        rollout.teach(learner, left)
        lessons += 1
        if lessons == next_told:
            next_told *= 2
            if device == "cuda":
                torch.cuda.synchronize()
            figures.update(steps=lessons * plan.lesson, seconds=time.perf_counter() - started - telling)
            now = time.perf_counter()
            measure()
            telling += time.perf_counter() - now
    measure()
    return learner
