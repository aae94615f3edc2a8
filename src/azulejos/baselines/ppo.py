"""Learning by self-play: PPO on a batch of games, with PyTorch, on the CPU or without any copy on a GPU.

One network plays all seats. A seat's rewards are 1 or less for the victory, and, less and less in the course of the
training, the changes of its lead in points.
"""

import math
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import torch
except ModuleNotFoundError as _missing:
    raise ImportError(f"training needs {_missing.name}: pip install 'azulejos[train]'") from None

from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.envs.batches import MOST_ROUNDS, Batch, Device, Rewards, batch
from azulejos.envs.stepping import FINISHED

from .policy import Network

OPPONENTS = ("random", "greedy")  # that a policy is measured against
STEPS = 400  # of random games at least, in which is seen what observations may say
MOST_WEIGHTS = 690_000  # of a network, which are a megabyte in its file
LARGE = 6  # counts from here on share an input


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
    "cuda": Plan(65_536, 32, epochs=1, minibatches=32, hidden=512, rate=7e-4, most_steps=2_000_000_000),
}


def make_batch(game: Game, n: int, device: Device, seed: int, rewards: Rewards, most_rounds: int) -> Batch:
    if device == "cuda":
        from azulejos.envs.cuda import CudaBatch

        return CudaBatch(game, n, seed, rewards, most_rounds, check=False)
    return batch(game, n, device, seed, rewards, most_rounds)


def inputs_of(games: Batch, observations: int = 2**17) -> npt.NDArray[np.int16]:
    """What a network reads of an observation, as `Network.inputs` has it: an input for each value that a number had in
    random games (large counts share one), and the counts themselves. The last inputs are always 0: their number is a
    multiple of 64, for which GPUs are fast."""
    kinds, device = games.spec.kinds, games.device
    most = int(games.spec.most.max())
    met = torch.zeros((games.spec.size, most + 1), dtype=torch.bool, device=device)
    for _ in range(max(STEPS, observations // games.n)):
        games.step(games.random_actions())
        met.scatter_(1, torch.as_tensor(games.observe(), device=device).T.long().clamp(0, most), True)
    values, counts = [], []
    for number, found in enumerate(met.cpu().numpy()):
        had = np.flatnonzero(found)
        if len(had) == 1:
            continue  # it says nothing
        apart = had if kinds[number] else had[had < LARGE]
        values += [(number, value, value) for value in apart]
        if not kinds[number] and had[-1] >= LARGE:
            values.append((number, LARGE, most))
        if not kinds[number] and had[-1] > 1:
            counts.append((number, -1, had[-1]))
    filling = [(0, 1, 0)] * (-(len(values) + len(counts)) % 64)
    return np.array(filling + values + counts, np.int16)


class Inputs:
    """The inputs of a network from compact observations, on the device."""

    def __init__(self, inputs: npt.NDArray[np.int16], device: Device, kind: Any) -> None:
        counts = int((inputs[:, 1] < 0).sum())  # the last ones
        self._kind = kind
        self._number, self._low, self._high = torch.as_tensor(inputs[: len(inputs) - counts].T.copy(), device=device)
        self._number = self._number.long()
        number, _, scale = torch.as_tensor(inputs[len(inputs) - counts :].T.copy(), device=device)
        self._count, self._scale = number.long(), 1 / scale.float()

    def __call__(self, compact: Any) -> Any:
        """[k, size] to [k, inputs]."""
        read = compact.index_select(1, self._number)
        values = ((read >= self._low) & (read <= self._high)).to(self._kind)
        counts = (compact.index_select(1, self._count) * self._scale).to(self._kind)
        return torch.cat((values, counts), 1)


class Learner:
    """The network in training. `layers`: as they are; `mean`: their mean over the last part of the training, which
    plays better."""

    def __init__(self, game: Game, device: Device, plan: Plan, seed: int, inputs: npt.NDArray[np.int16]) -> None:
        self.game: Game = game
        self.device: Device = device
        self.plan: Plan = plan
        self.inputs: npt.NDArray[np.int16] = inputs
        self.kind: Any = torch.bfloat16 if device == "cuda" else torch.float32  # of the large products
        torch.set_float32_matmul_precision("high")  # TF32 for the others
        self.read: Inputs = Inputs(inputs, device, self.kind)
        self.random: Any = torch.Generator(device).manual_seed(seed)
        self.actions: int = game.num_actions
        outputs = -(-(self.actions + 1) // 8) * 8  # more than there are: GPUs are slow with odd sizes
        hidden = plan.hidden
        while hidden * (len(inputs) + hidden + outputs) > MOST_WEIGHTS:
            hidden -= 64
        sizes = [len(inputs), hidden, hidden, outputs]
        active = len(set(inputs[:, 0]))  # inputs that are not 0 at once
        self.layers: list[Any] = []
        for number, scale in enumerate(((2 / active) ** 0.5, (2 / hidden) ** 0.5, 0.1 / hidden**0.5)):
            shape = sizes[number], sizes[number + 1]
            weights = torch.randn(shape, generator=self.random, device=device) * scale
            self.layers += [weights.requires_grad_(), torch.zeros(shape[1], device=device, requires_grad=True)]
        self.mean: list[Any] = [layer.detach().clone() for layer in self.layers]
        self.optimizer: Any = torch.optim.Adam(self.layers, lr=plan.rate, eps=1e-5, fused=device == "cuda")

    def forward(self, compact: Any, layers: Sequence[Any] | None = None) -> tuple[Any, Any]:
        """Logits float32 [k, actions] and values float32 [k]."""
        layers = layers or self.layers
        out = self.read(compact)
        for number in range(0, len(layers), 2):
            kind = self.kind if number < len(layers) - 2 else torch.float32  # logits must not be rounded much
            weights, bias = (layer.to(kind) for layer in layers[number : number + 2])
            out = torch.addmm(bias, torch.relu(out).to(kind) if number else out, weights)
        return out[:, : self.actions], out[:, self.actions]

    def log_chances(self, compact: Any, mask: Any) -> tuple[Any, Any]:
        """Of the actions, by their logarithm: [k, actions]; and values [k]."""
        logits, value = self.forward(compact)
        return torch.log_softmax(torch.where(mask, logits, -1e9), 1), value

    def best(self, compact: Any, mask: Any) -> Any:
        """The most likely action by the mean weights: int64 [k]."""
        return torch.where(mask, self.forward(compact, self.mean)[0], -1e9).argmax(1)

    def average(self, lessons: int) -> None:
        """Bring the mean up to date: about the last eighth of the lessons so far count."""
        with torch.no_grad():
            torch._foreach_lerp_(self.mean, self.layers, 9 / (8 + lessons))

    def network(self, **about: Any) -> Network:
        """A copy of the mean weights."""
        layers = [layer.float().cpu().numpy() for layer in self.mean]
        used = self.inputs[:, 1] <= self.inputs[:, 2]
        layers[0], outputs = layers[0][used], self.actions + 1
        layers[-2:] = layers[-2][:, :outputs], layers[-1][:outputs]
        options = {name: str(value) for name, value in self.game.chosen.items()}
        return Network(self.inputs[used], layers, {"game": self.game.name, "options": options, **about})


class Rollout:
    """What was seen and done in `length` steps of all games: tensors [length, games, …] on the device."""

    def __init__(self, games: Batch, plan: Plan) -> None:
        device, players = games.device, games.game.players

        def empty(kind: Any, *more: int) -> Any:
            return torch.empty((plan.length, games.n, *more), dtype=kind, device=device)

        self.games, self.plan, self.device = games, plan, device
        self.seen = empty(torch.int16, games.spec.size)
        self.mask = empty(torch.bool, games.game.num_actions)
        self.action, self.seat = empty(torch.int64), empty(torch.int64)
        self.log_chance, self.value, self.advantage = (empty(torch.float32) for _ in range(3))
        self.reward, self.over, self.known = empty(torch.float32, players), empty(torch.bool), empty(torch.bool)
        self.lead = torch.zeros((games.n, players), device=device)
        # The batch's arrays as tensors over the same memory.
        self.to_play = games.random_actions()
        arrays = self.to_play, games.observe(), games.legal_mask(), games.seats, games.rewards, games.ended
        self.played, self.sight, self.legal, self.acting, self.points, self.ended = (
            torch.as_tensor(array, device=device) for array in arrays
        )

    def play(self, learner: Learner, share: float) -> None:
        """`share`: of the training that is left, by which the rewards for points shrink."""
        games, players = self.games, self.games.game.players
        for t in range(self.plan.length):
            games.observe()
            self.seen[t], self.mask[t], self.seat[t] = self.sight, self.legal, self.acting
            logs, self.value[t] = learner.log_chances(self.sight, self.legal)
            noise = torch.empty_like(logs).exponential_(generator=learner.random).clamp_(min=1e-20)
            action = (logs - noise.log_()).argmax(1)  # Gumbel's: as likely as they say
            self.action[t], self.log_chance[t] = action, logs.gather(1, action[:, None])[:, 0]
            self.played.copy_(action)
            games.step(self.to_play)
            self.lead += self.points
            self.over[t] = self.ended != 0
            won = (self.lead == self.lead.amax(1, keepdim=True)).float()
            won = (won / won.sum(1, keepdim=True) * players - 1) / (players - 1)
            self.reward[t] = self.points * (share / self.plan.points) + won * (self.ended == FINISHED)[:, None]
            self.lead *= (~self.over[t])[:, None]

    def judge(self, learner: Learner) -> None:
        """Advantages by GAE, from each seat's own point of view: its next value is where it acts again. If that is
        after the last step, nothing is known about the action."""
        self.games.observe()
        now, seat = learner.forward(self.sight)[1], self.acting.long()[:, None]
        ahead = torch.zeros_like(self.lead).scatter_(1, seat, now[:, None])
        known = torch.zeros_like(ahead, dtype=torch.bool).scatter_(1, seat, True)
        later, pending = torch.zeros_like(ahead), torch.zeros_like(ahead)
        for t in reversed(range(self.plan.length)):
            over = self.over[t][:, None]
            going_on = ~over
            ahead, later, pending = ahead * going_on, later * going_on, pending * going_on + self.reward[t]
            known |= over
            seat, value = self.seat[t][:, None], self.value[t][:, None]
            self.known[t] = known.gather(1, seat)[:, 0]
            advantage = pending.gather(1, seat) + ahead.gather(1, seat) - value
            advantage = (advantage + self.plan.trace * later.gather(1, seat)) * self.known[t][:, None]
            self.advantage[t] = advantage[:, 0]
            later.scatter_(1, seat, advantage)
            ahead.scatter_(1, seat, value)
            pending.scatter_(1, seat, 0.0)
            known.scatter_(1, seat, True)

    def teach(self, learner: Learner, share: float) -> None:
        """PPO's updates. share: of the training that is left, by which the rates shrink."""
        plan = self.plan
        seen, mask, action = (one.flatten(0, 1) for one in (self.seen, self.mask, self.action))
        before, advantage, value, known = (
            one.flatten() for one in (self.log_chance, self.advantage, self.value, self.known)
        )
        goal = advantage + value  # the value itself where nothing is known, from which nothing is learnt
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6) * known
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
        self.game: Game = game
        self.device: Device = device
        self.seed: int = seed
        self.batch: Batch = make_batch(game, games, device, seed, "win", MOST_ROUNDS)
        self.own: Any = torch.arange(games, device=device) % game.players

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
    turn: AbstractContextManager[Any] | None = None,
) -> Learner:
    """A policy trained by self-play. `tell`: called with the figures so far, after 4 lessons and each time when there
    are four times as many. `measured`: games against each opponent. `ends`: a time (of `perf_counter`). `turn`: entered
    when all is compiled."""
    games = make_batch(game, plan.games, device, seed, "margin", plan.most_rounds)
    learner, rollout = Learner(game, device, plan, seed, inputs_of(games)), Rollout(games, plan)
    judge = Judge(game, device, measured, seed + 1)
    figures: dict[str, Any] = {"steps": 0, "seconds": 0.0}

    def measure() -> None:
        figures.update({opponent: judge.wins(learner, opponent) for opponent in OPPONENTS})
        tell(dict(figures), learner)

    measure()  # compiles
    with turn or nullcontext():
        lessons, next_told, started, telling = 0, 4, time.perf_counter(), 0.0
        while True:
            now = time.perf_counter()
            figures.update(steps=lessons * plan.lesson, seconds=now - started - telling)
            left = 1 - max(
                figures["steps"] / plan.most_steps,
                figures["seconds"] / plan.most_seconds,
                (now - started) / (ends - started) if ends > started else 1.0,
            )
            if left <= 0:
                break
            if lessons == next_told:
                next_told *= 4
                measure()
                telling += time.perf_counter() - now
            with torch.no_grad():
                rollout.play(learner, left)
                rollout.judge(learner)
            rollout.teach(learner, left)
            lessons += 1
            learner.average(lessons)
            if device == "cuda":
                torch.cuda.synchronize()  # else seconds are those of the launches
    measure()
    return learner
