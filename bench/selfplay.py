"""Games of the search against itself on a GPU, a network fitted to them, and matches of two networks.

    python bench/selfplay.py azul --seconds 180 120 --simulations 200 --out FOLDER

Every game is a thread: each launch searches one move of every game and plays it. The positions before every deal, the
values that the search found after it, and the results of the games train the network with PyTorch: a hidden layer over
both boards behind the patterns of each. With `--priors` the visits of longer searches train the network of the priors
first. A match gives each of two networks one side, on the same deals twice with sides exchanged.
"""

import argparse
import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import azulejos as az
from azulejos.core.compiling import bind, remake, rule
from azulejos.core.entry_points import begin, settle
from azulejos.core.game import Game
from azulejos.core.gpu import Kernel, cuda, jit
from azulejos.core.kernels import OVER, apply, chapter, features, legal, list_things, stage, standing, turn
from azulejos.core.streams import below, streams
from azulejos.players import many, search, tree
from azulejos.players.forest import DEEPEST, INPUTS, MOST_SEATS, ROOM, ROOM_AND_NOTES, STATE
from azulejos.players.search import names_and_rules, parameters_of
from azulejos.players.tree import ASPECTS, Memory, simulate

Array = npt.NDArray[Any]
MOST_MET, MOST_GAMES, MOST_ROUNDS, MOST_THINGS = 120, 24, 15, 96
PRIOR_UNITS = 16
MOST_ACTIONS = 128  # of a position from which priors are learnt


class Games(NamedTuple):
    """n games in play. A network's arrays have two of each kind: for self-play both are the same."""

    states: Any  # [n]
    deals: Any  # uint64 [n], the streams of the deals
    keys: Any  # uint64 [n], all else
    nodes: Any
    edges: Any
    weights: Any  # [2, chapters, inputs]
    patterns: Any  # [2, 1 + things, patterns]
    hidden: Any  # [2, 1 + 2 · patterns, units]
    priors: Any  # [2, 1 + rows, units]
    parameters: Any
    option_codes: Any
    met: Any  # [n, MOST_MET] states before deals
    game: Any  # int16 [n, MOST_MET], the number of their game
    values: Any  # float32 [n, MOST_MET], what the search after the deal found for seat 0; -1 before
    count: Any  # int32 [n]
    number: Any  # int32 [n], games ended
    results: Any  # float32 [n, MOST_GAMES], of seat 0
    roots: Any  # [n] the positions searched last
    visits: Any  # int32 [n, MOST_ACTIONS] of their actions


@rule
def hide(state: Any, seat: int) -> None:
    """For a game that hides nothing."""


def step_every_game(n: int, g: Any, simulations: int, whim: int, match: int, waiting: int) -> None:
    """Search and play one move of each game. whim: of 1,000 moves, how many are sampled from the visits. match: in a
    match of two networks the simulations of the first; 0 for self-play. waiting: of 60 games, how many do nothing."""
    i = cuda.grid(1)
    if i < n and i % 60 >= waiting:
        truth = cuda.local.array(1, STATE)
        states = cuda.local.array(2, STATE)
        path = cuda.local.array((DEEPEST, 2), np.int64)
        values = cuda.local.array(MOST_SEATS, np.float64)
        totals = cuda.local.array(MOST_SEATS, np.float64)
        inputs = cuda.local.array((MOST_SEATS, INPUTS), np.float32)
        actions = cuda.local.array(ROOM, np.int16)
        ratings = cuda.local.array(ROOM_AND_NOTES, np.float64)
        rows = cuda.local.array((ROOM_AND_NOTES, ASPECTS), np.int16)
        keys = cuda.local.array(3, np.uint64)
        used = cuda.local.array(3, np.int64)
        state = truth[0]
        truth[0] = g.states[i]
        states[0] = g.states[i]
        hide(states[0], turn(state))
        g.roots[i] = states[0]
        seats = g.option_codes[0]
        for k in range(3):
            used[k] = 0
        for seat in range(seats):
            totals[seat] = 0.0
        key = np.uint64(below(g.keys, i, 1 << 31)) << np.uint64(32) | np.uint64(below(g.keys, i, 1 << 31))
        keys[0], keys[1], keys[2] = key, np.uint64(0), key
        count = legal(state, actions)
        side = (i + turn(state)) & 1 if match else 0
        wanted = match if match and side == 0 else simulations
        if count == 1:
            wanted = 1
        nodes, edges = g.nodes[i], g.edges[i]
        one = Memory(
            states, nodes, edges, used, path, values[:seats], totals[:seats], inputs[:seats], g.weights[side],
            g.patterns[side], g.hidden[side], g.priors[side], actions, ratings, rows, keys, g.parameters,
        )  # fmt: skip
        simulate(one, wanted)
        last = g.count[i] - 1
        for edge in range(MOST_ACTIONS):
            g.visits[i, edge] = edges[edge].visits if edge < count else 0
        if last >= 0 and g.values[i, last] < 0 and wanted > 1:
            g.values[i, last] = totals[0] / wanted
        found, best = 0, -1
        if below(g.keys, i, 1000) < whim:
            left = below(g.keys, i, wanted)
            for edge in range(count):
                left -= edges[edge].visits
                if left < 0:
                    found = edge
                    break
        else:
            for edge in range(count):
                if edges[edge].visits > best:
                    best, found = edges[edge].visits, edge
        before = stage(state)
        apply(state, np.int64(edges[found].action))
        if turn(state) != OVER and stage(state) != before and g.count[i] < MOST_MET and g.number[i] < MOST_GAMES:
            g.met[i, g.count[i]] = state
            g.game[i, g.count[i]] = g.number[i]
            g.values[i, g.count[i]] = -1
            g.count[i] += 1
        settle(state, g.deals, i)
        if turn(state) == OVER or stage(state) > MOST_ROUNDS:
            if g.number[i] < MOST_GAMES:
                share = 0.5
                if turn(state) == OVER:
                    one_, other = standing(state, 0), standing(state, 1)
                    share = 1.0 if one_ > other else 0.0 if one_ < other else 0.5
                g.results[i, g.number[i]] = share
                g.number[i] += 1
            begin(state, g.option_codes, g.deals, i)
        g.states[i] = truth[0]


def begin_every_game(n: int, g: Any) -> None:
    i = cuda.grid(1)
    if i < n:
        begin(g.states[i], g.option_codes, g.deals, i)


def list_all(first: int, last: int, states: Any, things: Any, numbers: Any, chapters: Any, out: Any) -> None:
    """Of all states [N] and two seats: the things [N, 2, MOST_THINGS], features [N, 2, F], and chapters [N]."""
    for i in range(first, last):
        chapters[i] = chapter(states[i])
        for seat in range(2):
            features(states[i], seat, numbers[i, seat])
            count = list_things(states[i], seat, out)
            for k in range(count):
                things[i, seat, k] = out[k]


class Net(NamedTuple):
    weights: Array
    patterns: Array
    hidden: Array
    priors: Array


class Arena:
    """n games on the GPU."""

    def __init__(
        self, game: Game, n: int, most: int, simulations: int, units: int, registers: int, threads: int
    ) -> None:
        judgement = game.judgement
        assert judgement
        self.game, self.n, self.simulations, self.threads = game, n, simulations, threads
        self.inputs = len(judgement.FEATURES) + judgement.PATTERNS.shape[1] + units
        names, templates, label = names_and_rules(game.kernels, judgement, game.name)
        vars(names)["HIDDEN"] = np.zeros((1 + 2 * judgement.PATTERNS.shape[1], units))
        rows = getattr(judgement, "PRIOR_ROWS", 0)
        vars(names)["PRIORS"] = np.zeros((rows, PRIOR_UNITS)) if rows else np.zeros((1, 0))
        bound = {
            "hide": hide,
            **vars(names),
            **bind([*templates, tree.simulate, settle, begin], (), names, label),
            "cuda": cuda,
            "ROOM": game.num_actions + 8,
            "ROOM_AND_NOTES": game.num_actions + 8 + tree.NOTES,
            "INPUTS": self.inputs,
        }
        self.step = Kernel(jit(remake(step_every_game, bound), registers), n, threads)
        self.begin = Kernel(jit(remake(begin_every_game, bound)), n, threads)
        listers = bind(templates, [list_all, tree.list_aspects], names, f"{game.name}-list")
        self.list_all, self.list_aspects = listers["list_all"], listers["list_aspects"]
        empty = cuda.device_array
        nodes = most + 1
        self.memory = (
            empty((n, nodes), tree.NODE),
            empty((n, many.EDGES_A_NODE * nodes), tree.EDGE),
        )

    def start(self, nets: tuple[Net, Net], seed: int, match: int) -> Games:
        game, n, put = self.game, self.n, cuda.to_device
        deals = streams(n, seed)
        if match:
            deals = np.repeat(deals[: n // 2], 2)
        g = Games(
            put(np.zeros(n, game.kernels.STATE)),
            put(deals),
            put(streams(n, seed + 1)),
            *self.memory,
            *(put(np.stack([getattr(net, name) for net in nets]).astype(np.float32)) for name in Net._fields),
            put(parameters_of(game.judgement)),
            put(game.option_codes),
            put(np.zeros((n, MOST_MET), game.kernels.STATE)),
            put(np.zeros((n, MOST_MET), np.int16)),
            put(np.full((n, MOST_MET), -1, np.float32)),
            put(np.zeros(n, np.int32)),
            put(np.zeros(n, np.int32)),
            put(np.full((n, MOST_GAMES), -1, np.float32)),
            put(np.zeros(n, game.kernels.STATE)),
            put(np.zeros((n, MOST_ACTIONS), np.int32)),
        )
        self.begin(g)
        return g

    def label(self, net: Net, seed: int, seconds: float, simulations: int, most: int) -> tuple[Array, Array]:
        """Positions of games and the visits of their actions, int32 [N, MOST_ACTIONS]."""
        g, found = self.start((net, net), seed, 0), []
        for launch in range(60):  # games of all ages
            self.step(g, 40, 60, 0, 59 - launch)
            if launch % 20 == 0:
                cuda.synchronize()
                print(f"apart {launch}", flush=True)
        started = time.perf_counter()
        while time.perf_counter() - started < seconds and len(found) < most:
            self.step(g, simulations, 100, 0, 0)
            cuda.synchronize()
            found.append((g.roots.copy_to_host(), g.visits.copy_to_host()))
        states, visits = (np.concatenate([one[k] for one in found]) for k in range(2))
        took = time.perf_counter() - started
        print(f"{len(states):,} positions of {simulations} simulations in {took:.0f} s", flush=True)
        return states, visits

    def label_long(self, net: Net, seed: int, simulations: int) -> tuple[Array, Array]:
        """A quarter of the games with four times the simulations, in the same memory; other games than `label` has."""
        g, n = self.start((net, net), seed, 0), self.n // 4
        for launch in range(60):
            self.step(g, 40, 60, 0, 59 - launch)
        cuda.synchronize()
        began = time.perf_counter()
        g = g._replace(nodes=g.nodes.reshape(n, 4 * g.nodes.shape[1]), edges=g.edges.reshape(n, 4 * g.edges.shape[1]))
        self.step.launch(n, g, 4 * simulations, 0, 0, 0)
        cuda.synchronize()
        took = time.perf_counter() - began
        print(f"{n:,} positions of {4 * simulations} simulations in {took:.0f} s", flush=True)
        return g.roots.copy_to_host()[:n], g.visits.copy_to_host()[:n]

    def described(self, states: Array) -> tuple[Array, Array, Array]:
        """Rows int16 [N, MOST_ACTIONS + 1, ASPECTS], ratings float32 [N, MOST_ACTIONS], numbers of actions [N]."""
        states = states.view(self.game.kernels.STATE)  # a joined array has lost that it is one of records
        count = len(states)
        rows = np.zeros((count, MOST_ACTIONS + 1, ASPECTS), np.int16)
        ratings, counts = np.zeros((count, MOST_ACTIONS), np.float32), np.zeros(count, np.int64)
        memories = [search.Tree(self.game, self.game.judgement, np.uint64(0), 1, 1).memory for _ in range(cores())]
        self.list_aspects(0, 1, states, rows, ratings, counts, memories[0])
        in_parallel(
            count,
            lambda k, first, last: self.list_aspects(first, last, states, rows, ratings, counts, memories[k]),
        )
        return rows, ratings, counts

    def play(
        self, nets: tuple[Net, Net], seed: int, seconds: float, whim: int, match: int, once: bool = False
    ) -> dict[str, Array]:
        """once: no longer than until every game has ended once."""
        g, n = self.start(nets, seed, match), self.n
        started, launches = time.perf_counter(), 0
        compiled = 0.0
        while time.perf_counter() - started - compiled < seconds:
            self.step(g, self.simulations, whim, match, 0)
            cuda.synchronize()
            launches += 1
            if launches == 1:
                compiled = time.perf_counter() - started
                print(f"first launch {compiled:.0f} s", flush=True)
            if once and launches % 8 == 0 and g.number.copy_to_host().min() >= 1:
                break
        took = time.perf_counter() - started - compiled
        met, games, values, count, number, results = (
            a.copy_to_host() for a in (g.met, g.game, g.values, g.count, g.number, g.results)
        )
        ended = int(number.sum())
        print(
            f"{ended:,} games in {took:.0f} s ({ended / took:,.0f} a second, {launches} moves each, at most "
            f"{launches * n * self.simulations / took / 1e6:.1f} M simulations a second)",
            flush=True,
        )
        kept = (np.arange(MOST_MET) < count[:, None]) & (games < number[:, None]) & (values >= 0)
        slots, places = np.nonzero(kept)
        return {
            "states": met[slots, places],
            "values": values[slots, places],
            "results": results[slots, games[slots, places]],
            "slots": slots,
            "follows": np.append(
                (slots[1:] == slots[:-1]) & (games[slots, places][1:] == games[slots, places][:-1]), False
            ),
            "ends": results,
            "number": number,
        }

    def score(self, played: dict[str, Array]) -> tuple[float, float, int]:
        """The share of the first network in a match, with its 95 % interval, over pairs of games on one deal."""
        results, number = played["ends"], played["number"]
        # Network 0 moves where (i + seat) is even: seat 0 of even games, seat 1 of odd ones. Only games that every slot
        # has ended count: those ended by some would be the short ones.
        ended = slice(min(max(int(number.min()), 1), MOST_GAMES))
        both = (number[::2] > 0) & (number[1::2] > 0)  # all of them, if there was time
        all_shares = ((results[::2, ended] + 1 - results[1::2, ended]) / 2)[both].ravel()
        return float(all_shares.mean()), 1.96 * float(all_shares.std() / np.sqrt(len(all_shares))), 2 * len(all_shares)

    def listed(self, states: Array) -> tuple[Array, Array, Array]:
        states = states.view(self.game.kernels.STATE)
        count, width = len(states), len(self.game.judgement.FEATURES)  # type: ignore[union-attr]
        things = np.zeros((count, 2, MOST_THINGS), np.int16)
        numbers, chapters = np.zeros((count, 2, width)), np.zeros(count, np.int64)
        arrays = (states, things, numbers, chapters)
        self.list_all(0, 1, *arrays, self.game.actions_buffer())
        in_parallel(count, lambda _, first, last: self.list_all(first, last, *arrays, self.game.actions_buffer()))
        return things, numbers.astype(np.float32), chapters


def cores() -> int:
    return len(os.sched_getaffinity(0))


def in_parallel(count: int, work: Any) -> None:
    """work(k, first, last) for each core's share of `count`, in threads."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(cores()) as pool:
        list(pool.map(lambda k: work(k, count * k // cores(), count * (k + 1) // cores()), range(cores())))


def learn_priors(
    rows: Array, ratings: Array, counts: Array, visits: Array, size: int, unseen: Array, epochs: int
) -> Any:
    """Priors [size, PRIOR_UNITS] from the visits of searches, and how they did on the unseen positions."""
    import torch

    torch.manual_seed(2)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    usable = (counts > 1) & (counts <= MOST_ACTIONS)
    kept = np.flatnonzero(usable & (unseen == 0))
    table = torch.randn(size, PRIOR_UNITS, device=device) * 0.1
    table[0] = torch.randn(PRIOR_UNITS, device=device) * 0.3
    table.requires_grad_(True)
    numbers = torch.as_tensor(counts, device=device)

    def logits(which: Array) -> tuple[Any, Any, Any]:
        index = torch.as_tensor(which, device=device)
        number = numbers[index]
        own = torch.as_tensor(rows[which], device=device).long()
        base = own[torch.arange(len(which), device=device), number]  # [B, ASPECTS]
        legal_ = torch.arange(MOST_ACTIONS, device=device)[None] < number[:, None]
        sums = torch.nn.functional.embedding_bag(own[:, :MOST_ACTIONS].reshape(-1, ASPECTS), table, mode="sum")
        hidden = sums.view(len(which), MOST_ACTIONS, -1) + table[base].sum(1)[:, None]
        rating = torch.as_tensor(ratings[which], device=device) + torch.relu(hidden) @ table[0]
        seen = torch.as_tensor(visits[which], device=device).float()
        share = seen / seen.sum(1, keepdim=True)
        return (
            rating.masked_fill(~legal_, -1e9),
            share,
            torch.as_tensor(ratings[which], device=device).masked_fill(~legal_, -1e9),
        )

    batch = min(2048, max(1, len(kept) // 4))
    steps = epochs * (len(kept) // batch)
    optimizer = torch.optim.AdamW([table], lr=4e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps + 1, pct_start=0.2)
    generator = np.random.default_rng(3)
    for _ in range(epochs):
        order = generator.permutation(kept)
        for k in range(len(kept) // batch):
            rating, share, _ = logits(np.sort(order[k * batch : (k + 1) * batch]))
            loss = -(share * torch.log_softmax(rating, 1)).sum(1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    report: dict[str, Any] = {"positions": len(kept)}
    for kind, name in ((1, "unseen"), (2, "longer searches")):
        held = np.flatnonzero(usable & (unseen == kind))
        if len(held):
            report[name] = {"positions": len(held), **judge_priors(logits, held, counts[held])}
    return table.detach().cpu().numpy().astype(np.float64), report


def judge_priors(logits: Any, held: Array, counts: Array) -> dict[str, float]:
    """How often the action with the most visits is first, and the cross entropy: with the priors, and before."""
    import torch

    with torch.no_grad():
        found = []
        for k in range(0, len(held), 4096):
            rating, share, before = logits(held[k : k + 4096])
            best = share.argmax(1)
            for one in (rating, before):
                found.append((one.argmax(1) == best).float())
                found.append(-(share * torch.log_softmax(one, 1)).sum(1))
        hits, loss, hits_before, loss_before = (torch.cat(found[k::4]).cpu().numpy() for k in range(4))
    report = {}
    for name, where in (("all", counts > 1), ("10 or more actions", counts >= 10), ("40 or more", counts >= 40)):
        if where.any():
            report[f"best first, {name}"] = round(float(hits[where].mean()), 4)
            report[f"best first before, {name}"] = round(float(hits_before[where].mean()), 4)
    return {**report, "loss": round(float(loss.mean()), 4), "loss before": round(float(loss_before.mean()), 4)}


def train(
    things: Array,
    numbers: Array,
    chapters: Array,
    aims: Array,
    kept: Array,
    net: Net,
    epochs: int,
    fresh: bool,
    rate: float = 2e-3,
    batch: int = 4096,
    decay: float = 1e-6,
) -> tuple[Net, Array]:
    """A network fitted to aims [N] (seat 0's share), and what it expects [N]."""
    import torch

    torch.manual_seed(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    scale = numbers.std((0, 1)) + 1e-3
    count, width, units = net.patterns.shape[1], numbers.shape[2], net.hidden.shape[1]
    chapters_n = len(net.weights)

    def tensor(a: Array, kind: Any = None) -> Any:
        return torch.as_tensor(a, device=device) if kind is None else torch.as_tensor(a, dtype=kind, device=device)

    t, x, c, y = tensor(things), tensor(numbers / scale), tensor(chapters), tensor(aims, torch.float32)
    which = tensor(np.flatnonzero(kept))
    patterns = tensor(net.patterns, torch.float32).clone()
    if fresh:
        patterns[1:] += 0.02 * torch.randn_like(patterns[1:])
    hidden = tensor(net.hidden, torch.float32).clone()
    if fresh:
        hidden[1:] = torch.randn_like(hidden[1:]) * (1.0 / (2 * count)) ** 0.5
        hidden[0] = 0.1
    weights = tensor(net.weights, torch.float32).clone()
    weights[:, :width] *= tensor(scale, torch.float32)
    if fresh:
        weights[:, width + count :] = 0.05 * torch.randn(units, device=device)
    for p in (patterns, hidden, weights):
        p.requires_grad_(True)
    start = [p.detach().clone() for p in (patterns, hidden, weights)]

    def logits(rows: Any) -> Any:
        tt = t[rows].long()  # [B, 2, T]
        bag = torch.nn.functional.embedding_bag(tt.flatten(0, 1), patterns, mode="sum", padding_idx=0)
        acc = torch.relu(bag.view(len(rows), 2, count) + start[0][0])  # [B, 2, H]; row 0 is every variant's
        other = acc.flip(1)
        h = torch.relu(hidden[0] + acc @ hidden[1 : 1 + count] + other @ hidden[1 + count :])
        w = weights[c[rows]]  # [B, inputs]
        worth = (torch.cat([x[rows].to(w.dtype), acc, h], 2) * w[:, None]).sum(2)
        return worth[:, 0] - worth[:, 1]

    optimizer = torch.optim.AdamW([{"params": [patterns, hidden, weights], "weight_decay": 0.0}], lr=rate)
    steps = epochs * (len(which) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps + 1, pct_start=0.2)
    for _ in range(epochs):
        order = which[torch.randperm(len(which), device=device)]
        for k in range(len(which) // batch):
            rows = order[k * batch : (k + 1) * batch]
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits(rows), y[rows])
            pull = sum(((p - q) ** 2).sum() for p, q in zip((patterns, hidden, weights), start, strict=True))
            optimizer.zero_grad()
            (loss + decay * pull).backward()
            optimizer.step()
            schedule.step()
    with torch.no_grad():
        parts = [
            torch.sigmoid(logits(torch.arange(k, min(k + 65536, len(t)), device=device)))
            for k in range(0, len(t), 65536)
        ]
        expected = torch.cat(parts).cpu().numpy()
    w = weights.detach().cpu().numpy().astype(np.float64)
    w[:, :width] /= scale
    unplayed = np.setdiff1d(np.arange(chapters_n), chapters)
    w[unplayed] = net.weights[unplayed]
    found = patterns.detach().cpu().numpy().astype(np.float64)
    unmet = np.setdiff1d(np.arange(len(found)), things)  # of other variants, or never seen
    found[unmet] = net.patterns[unmet]
    found[0] = net.patterns[0]
    return Net(w, found, hidden.detach().cpu().numpy().astype(np.float64), net.priors), expected


def losses(expected: Array, results: Array, chapters: Array, where: Array) -> dict[str, float]:
    chance = np.clip(expected, 1e-4, 1 - 1e-4)
    each = -results * np.log(chance) - (1 - results) * np.log(1 - chance)
    return {str(k): round(float(each[where & (chapters == k)].mean()), 4) for k in np.unique(chapters[where])} | {
        "all": round(float(each[where].mean()), 4)
    }


def padded(game: Game, units: int) -> Net:
    """The network as shipped, with things, a hidden layer and priors that count for nothing where it has none."""
    judgement = game.judgement
    assert judgement
    weights, patterns = judgement.WEIGHTS, judgement.PATTERNS
    patterns = np.vstack([patterns, np.zeros((1 + judgement.THINGS - len(patterns), patterns.shape[1]))])
    hidden, priors = getattr(judgement, "HIDDEN", None), getattr(judgement, "PRIORS", None)
    rows = getattr(judgement, "PRIOR_ROWS", 0)
    if priors is None or priors.shape != (rows, PRIOR_UNITS):
        priors = np.zeros((rows, PRIOR_UNITS)) if rows else np.zeros((1, 0))
    if hidden is None or hidden.shape[1] != units:
        weights = np.hstack([weights, np.zeros((len(weights), units))])
        hidden = np.zeros((1 + 2 * patterns.shape[1], units))
    return Net(weights.copy(), patterns.copy(), hidden.copy(), priors.copy())


def load(path: Path, old: Net) -> Net:
    return old._replace(**{name: array.astype(np.float64) for name, array in np.load(path).items()})


def save(path: Path, net: Net) -> None:
    np.savez_compressed(path, **{k: v.astype(np.float32) for k, v in net._asdict().items() if v.shape[1]})


@contextmanager
def alone(lock: Path | None) -> Iterator[None]:
    """While this process has the GPU for itself."""
    if lock is None:
        yield
        return
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def find_priors(arena: Arena, net: Net, chosen: Any, report: dict[str, Any]) -> Array:
    """Priors learnt from the visits of searches; each slot's positions are all learnt from, or all unseen."""
    with alone(chosen.lock):
        parts = [arena.label(net, chosen.seed + 500, chosen.priors, chosen.priors_simulations, 1000)]
        try:
            parts.append(arena.label_long(net, chosen.seed + 501, chosen.priors_simulations))
        except Exception as error:  # it only tells how good the priors are
            print(f"no longer searches: {error}", flush=True)
    (chosen.out / "labelled").touch()
    states, visits = (np.concatenate([part[k] for part in parts]) for k in range(2))
    slots = np.arange(len(states)) % arena.n
    began = time.perf_counter()
    rows, ratings, counts = arena.described(states)
    print(f"described in {time.perf_counter() - began:.0f} s", flush=True)
    unseen = (slots % 20 == 0).astype(int)
    unseen[len(parts[0][0]) :] = 2
    began = time.perf_counter()
    size = arena.game.judgement.PRIOR_ROWS  # type: ignore[union-attr]
    priors, found = learn_priors(rows, ratings, counts, visits, size, unseen, chosen.priors_epochs)
    report["priors"] = found
    print(f"learnt in {time.perf_counter() - began:.0f} s: {json.dumps(found)}", flush=True)
    np.savez_compressed(
        chosen.out / "visits.npz",
        states=states[unseen > 0][-30_000:],
        visits=np.minimum(visits[unseen > 0][-30_000:], 32_767).astype(np.int16),
    )
    return priors


def note(folder: Path, report: dict[str, Any]) -> None:
    (folder / "report.json").write_text(json.dumps(report, indent=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=65_536, help="in play at the same time")
    parser.add_argument("--seconds", type=float, nargs="+", default=[180.0, 120.0], help="of each round of self-play")
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--units", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--match", type=float, default=60.0, help="seconds of the match against the network before")
    parser.add_argument("--match-simulations", type=int, nargs="*", default=[200], help="of the new network")
    parser.add_argument("--first", type=Path, help="the network to begin with, instead of the one shipped")
    parser.add_argument("--registers", type=int, default=128)
    parser.add_argument("--threads", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--before", type=Path, help="the network to play the match against")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--keep", action="store_true", help="the positions too")
    parser.add_argument("--after", type=Path, help="a file for which to wait, after compiling")
    parser.add_argument("--cores", help="of this process, as 0-3")
    parser.add_argument("--lock", type=Path, help="a file: processes with the same one take turns on the GPU")
    parser.add_argument("--priors", type=float, default=0.0, help="seconds to search positions for the priors first")
    parser.add_argument("--priors-simulations", type=int, default=2000)
    parser.add_argument("--priors-epochs", type=int, default=8)
    parser.add_argument("--decay", type=float, nargs="+", default=[1e-6], help="the one with the least loss is taken")
    parser.add_argument("--end", type=float, default=float("inf"), help="when to stop, by the clock of time.time()")
    chosen = parser.parse_args()
    if chosen.cores:
        first_core, last_core = map(int, chosen.cores.split("-"))
        os.sched_setaffinity(0, range(first_core, last_core + 1))
    game = az.make(chosen.game)
    old = padded(game, chosen.units)
    before = load(chosen.before, old) if chosen.before else old
    most = max(chosen.simulations, chosen.priors_simulations) if chosen.priors else chosen.simulations
    arena = Arena(game, chosen.games, most, chosen.simulations, chosen.units, chosen.registers, chosen.threads)
    arena.step(arena.start((old, old), 0, 0), 1, 0, 0, 60)  # compiles, and plays nothing
    cuda.synchronize()
    print(f"compiled {game.name} at {time.process_time():.0f} s", flush=True)
    while chosen.after and not chosen.after.exists() and time.time() < chosen.end:
        time.sleep(0.5)
    net, data = load(chosen.first, old) if chosen.first else old, []
    report: dict[str, Any] = {}
    if chosen.priors:
        net = net._replace(priors=find_priors(arena, net, chosen, report))
        save(chosen.out / "priors.npz", net)
        note(chosen.out, report)
    for turn_, seconds in enumerate(chosen.seconds):
        with alone(chosen.lock):
            left = chosen.end - time.time()
            if left < 20:
                break
            played = arena.play((net, net), chosen.seed + 10 * turn_, min(seconds, left), 60, 0)
        played["slots"] = played["slots"] + turn_ * chosen.games
        data.append(played)
        joined = {
            name: np.concatenate([part[name] for part in data])
            for name in ("states", "values", "results", "slots", "follows")
        }
        if not len(joined["states"]):
            print("no game has ended", flush=True)
            continue
        began = time.perf_counter()
        things, numbers, chapters = arena.listed(joined["states"])
        unseen = joined["slots"] % 20 == 0
        results, values = joined["results"].astype(np.float64), joined["values"].astype(np.float64)
        print(
            f"{len(things):,} positions listed in {time.perf_counter() - began:.0f} s; most things "
            f"{int((things > 0).sum(2).max())}",
            flush=True,
        )
        if chosen.keep:
            size = 400_000
            for k in range(0, min(len(things), 6 * size), size):
                part = slice(k, k + size)
                np.savez_compressed(
                    chosen.out / f"data{k // size}.npz",
                    things=things[part].astype(np.int16),
                    numbers=numbers[part].astype(np.float16),
                    chapters=chapters[part].astype(np.int8),
                    results=results[part].astype(np.float16),
                    values=values[part].astype(np.float16),
                    follows=joined["follows"][part],
                    slots=joined["slots"][part].astype(np.int32),
                )
        began = time.perf_counter()
        common = (things, numbers, chapters)
        _, expected = train(*common, results, ~unseen, net, 0, False)
        report[f"before {turn_}"] = losses(expected, results, chapters, unseen)
        fits = [
            (decay, *train(*common, results, ~unseen, net, chosen.epochs, not net.hidden.any(), decay=decay))
            for decay in chosen.decay
        ]
        decay, first, expected = min(fits, key=lambda fit: losses(fit[2], results, chapters, unseen)["all"])
        report[f"decay {turn_}"] = decay
        report[f"results {turn_}"] = losses(expected, results, chapters, unseen)
        report[f"search {turn_}"] = losses(values, results, chapters, unseen)
        nxt = np.where(joined["follows"], np.append(expected[1:], 0), results)
        aims = 0.3 * results + 0.35 * values + 0.35 * nxt
        net, expected = train(*common, aims, ~unseen, first, chosen.epochs, False, 1e-3, decay=decay)
        report[f"mixed {turn_}"] = losses(expected, results, chapters, unseen)
        print(f"trained in {time.perf_counter() - began:.0f} s: {json.dumps(report)}", flush=True)
        report[f"games {turn_}"] = int(sum(part["number"].sum() for part in data))
        save(chosen.out / f"net{turn_}.npz", net)
        (chosen.out / "trained").touch()
        note(chosen.out, report)
    for simulations in chosen.match_simulations:
        with alone(chosen.lock):
            left = min(chosen.match, chosen.end - time.time())
            if left <= 0:
                break
            played = arena.play((net, before), 1000 + chosen.seed, left, 0, simulations, True)
        share, interval, games = arena.score(played)
        report[f"match {simulations}"] = (share, interval, games)
        print(
            f"match, {simulations} simulations against {chosen.simulations}: {share:.1%} ± {interval:.1%} of "
            f"{games:,} games",
            flush=True,
        )
    note(chosen.out, report)
    if not data or not len(joined["states"]):
        return
    np.savez_compressed(
        chosen.out / "unseen.npz", **{k: joined[k][unseen][:60_000] for k in ("states", "values", "results")}
    )


if __name__ == "__main__":
    main()
