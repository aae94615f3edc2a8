"""Games of the search against itself, on a GPU or on all cores, a network fitted to them, and matches of two networks.

    python bench/selfplay.py azul --seconds 180 120 --simulations 200 --out FOLDER

On a GPU all games move at the same time, each with a tree of a forest (`players/many.py`). The positions before every
deal, the values that the search found after it, and the results of the games train the network with PyTorch. Variants
with one network are played in turn, and fitted together. Without a GPU for long, games can be played here and there
(`--save --epochs 0`) and learnt from later (`--data … --seconds 0`).
With `--priors` the visits of longer searches train the network of the priors first. A network begins with the one
shipped, or, if that sees no other board yet, with the one learnt before it for another number of players. A match gives
each of two networks one side, on the same deals twice with sides exchanged.
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

from azulejos.core.compiling import bind, remake, rule
from azulejos.core.entry_points import begin, settle
from azulejos.core.game import Game
from azulejos.core.gpu import Kernel, aligned, cuda, jit
from azulejos.core.kernels import OVER, apply, chapter, features, legal, list_things, stage, standing, turn
from azulejos.core.network import Network
from azulejos.core.registry import registered
from azulejos.core.streams import below, streams
from azulejos.players import many, search, tree
from azulejos.players.search import names_and_rules, network_of, parameters_of
from azulejos.players.tree import ASPECTS, Memory, simulate

Array = npt.NDArray[Any]
MOST_MET, MOST_GAMES, MOST_ROUNDS, MOST_THINGS = 120, 24, 15, 96
PRIOR_UNITS = 16
MOST_ACTIONS = 128  # of a position from which priors are learnt
ROOM = 0  # for the actions of a position


class Games(NamedTuple):
    """n games in play. A network's arrays have two of each kind: for self-play both are the same."""

    states: Any  # [n]
    deals: Any  # uint64 [n], the streams of the deals
    keys: Any  # uint64 [n], all else
    weights: Any  # [2, chapters, inputs]; on a GPU each network's tables are one row
    patterns: Any  # [2, 1 + things, patterns]
    hidden: Any  # [2, 1 + 2 · patterns, units]
    linear: Any  # [2, rows, 1]
    priors: Any  # [2, rows, units]
    parameters: Any
    option_codes: Any
    met: Any  # [n, MOST_MET] states before deals
    game: Any  # int16 [n, MOST_MET], the number of their game
    values: Any  # float32 [n, MOST_MET, seats], what the search after the deal found; -1 before
    count: Any  # int32 [n]
    number: Any  # int32 [n], games ended
    results: Any  # float32 [n, MOST_GAMES, seats], shares of the victory
    roots: Any  # [n] the positions searched last
    visits: Any  # int32 [n, MOST_ACTIONS] of their actions


@rule
def hide(state: Any, seat: int) -> None:
    """For a game that hides nothing."""


def prepare(i: int, g: Any, states: Any, used: Any, totals: Any, keys: Any) -> None:
    """An empty tree for game i: what the seat to act sees of the position, and a key."""
    states[0] = g.states[i]
    hide(states[0], turn(g.states[i]))
    g.roots[i] = states[0]
    for k in range(3):
        used[k] = 0
    for seat in range(len(totals)):
        totals[seat] = 0.0
    key = np.uint64(below(g.keys, i, 1 << 31)) << np.uint64(32) | np.uint64(below(g.keys, i, 1 << 31))
    keys[0], keys[1], keys[2] = key, np.uint64(0), key


def side_of(i: int, g: Any, match: int) -> int:
    """Which network moves in game i."""
    return (i + turn(g.states[i])) & 1 if match else 0


def simulations_of(side: int, count: int, simulations: int, match: int) -> int:
    """How many simulations a move with `count` actions gets."""
    if count == 1:
        return 1
    return match if match and side == 0 else simulations


def finish(i: int, g: Any, edges: Any, totals: Any, count: int, wanted: int, whim: int) -> None:
    """Play a move of game i by what `wanted` simulations found for its `count` actions; begin again after the last."""
    state, seats, last = g.states[i], len(totals), g.count[i] - 1
    for edge in range(MOST_ACTIONS):
        g.visits[i, edge] = edges[edge].visits if edge < count else 0
    if last >= 0 and g.values[i, last, 0] < 0 and wanted > 1:
        for seat in range(seats):
            g.values[i, last, seat] = totals[seat] / wanted
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
        g.values[i, g.count[i], 0] = -1
        g.count[i] += 1
    settle(state, g.deals, i)
    if turn(state) == OVER or stage(state) > MOST_ROUNDS:
        if g.number[i] < MOST_GAMES:
            top, winners = -1, 0
            for seat in range(seats):
                reached = standing(state, seat)
                if reached > top:
                    top, winners = reached, 0
                if reached == top:
                    winners += 1
            for seat in range(seats):
                g.results[i, g.number[i], seat] = 1.0 / winners if standing(state, seat) == top else 0.0
            g.number[i] += 1
        begin(state, g.option_codes, g.deals, i)


def prepare_every_game(n: int, g: Any, t: Any, simulations: int, match: int, waiting: int) -> None:
    """A kernel for n games: a tree for each. match: in a match of two networks the simulations of the first; 0 for
    self-play. waiting: of 60 games, how many do nothing."""
    i = cuda.grid(1)
    if i < n:
        t.left[i] = 0
        if i % 60 >= waiting:
            prepare(i, g, t.roots[i:], t.used[i], t.totals[i], t.keys[i])
            count = legal(t.roots[i], cuda.local.array(ROOM, np.int16))
            t.side[i] = side_of(i, g, match)
            t.left[i] = simulations_of(t.side[i], count, simulations, match)


def finish_every_game(n: int, g: Any, t: Any, simulations: int, whim: int, match: int, waiting: int) -> None:
    """A kernel for n games: a move of each. whim: of 1,000 moves, how many are sampled from the visits."""
    i = cuda.grid(1)
    if i < n and i % 60 >= waiting:
        count = t.nodes[i, 0].count
        wanted = simulations_of(t.side[i], count, simulations, match)
        finish(i, g, t.edges[i], t.totals[i], count, wanted, whim)


def step_games(first: int, last: int, g: Any, m: Any, simulations: int, whim: int, match: int, waiting: int) -> None:
    """A move of games `first` up to `last`, on the CPU. m: a tree's Memory, for scratch."""
    for i in range(first, last):
        if i % 60 >= waiting:
            prepare(i, g, m.states, m.used, m.totals, m.keys)
            count, side = legal(m.states[0], m.actions), side_of(i, g, match)
            wanted = simulations_of(side, count, simulations, match)
            one = Memory(
                m.states, m.words, m.nodes, m.edges, m.used, m.path, m.values, m.totals, m.hashes, m.evaluations,
                m.inputs, g.weights[side], g.patterns[side], g.hidden[side], g.linear[side], g.priors[side], m.actions,
                m.ratings, m.rows, m.keys, g.parameters,
            )  # fmt: skip
            simulate(one, wanted)
            finish(i, g, m.edges, m.totals, count, wanted, whim)


def begin_every_game(n: int, g: Any) -> None:
    i = cuda.grid(1)
    if i < n:
        begin(g.states[i], g.option_codes, g.deals, i)


def begin_games(first: int, last: int, g: Any) -> None:
    for i in range(first, last):
        begin(g.states[i], g.option_codes, g.deals, i)


def list_all(first: int, last: int, states: Any, things: Any, numbers: Any, chapters: Any, out: Any) -> None:
    """Of all states [N] and seats: the things [N, seats, MOST_THINGS], features [N, seats, F], and chapters [N]."""
    for i in range(first, last):
        chapters[i] = chapter(states[i])
        for seat in range(things.shape[1]):
            features(states[i], seat, numbers[i, seat])
            count = list_things(states[i], seat, out)
            for k in range(count):
                things[i, seat, k] = out[k]


class Arena:
    """n games on the GPU, or on all cores of this process. most: the simulations of the longest searches."""

    def __init__(self, game: Game, n: int, most: int, simulations: int, device: str) -> None:
        judgement = game.judgement
        assert judgement
        self.game, self.n, self.simulations, self.device, self._most = game, n, simulations, device, most
        self._forest: many.Forest | None = None
        self._trees: list[Any] = []
        names, templates, label = names_and_rules(game.kernels, judgement, game.name)
        of_games = [
            *([] if hasattr(names, "hide") else [hide]),
            settle,
            begin,
            prepare,
            side_of,
            simulations_of,
            finish,
        ]
        entry_points = [list_all, tree.list_aspects, *([] if device == "cuda" else [step_games, begin_games])]
        bound = bind([*templates, *of_games, tree.simulate], entry_points, names, f"{label}-selfplay")
        self._names = {**vars(names), **bound, "cuda": cuda}
        self.list_all, self.list_aspects = bound["list_all"], bound["list_aspects"]
        self._step_games, self._begin_games = bound.get("step_games"), bound.get("begin_games")

    def _on_gpu(self) -> many.Forest:
        """The forest for the present variant, and the kernels before and after its searches."""
        game = self.game
        if self._forest is None or self._forest.game != game:
            self._forest = None  # frees its memory
            self._forest = many.Forest(game, game.judgement, self.n, self._most, "cuda")
            names = {**self._names, "ROOM": len(game.actions_buffer())}
            self._begin, self._prepare, self._finish = (
                Kernel(jit(remake(kernel, names)), self.n, 32)
                for kernel in (begin_every_game, prepare_every_game, finish_every_game)
            )
        return self._forest

    def step(self, g: Games, simulations: int, whim: int, match: int, waiting: int) -> None:
        """A move of every game. whim: of 1,000 moves, how many are sampled from the visits. match: in a match of two
        networks the simulations of the first; 0 for self-play. waiting: of 60 games, how many do nothing."""
        if self.device == "cuda":
            forest = self._on_gpu()
            t = forest.trees._replace(**{name: getattr(g, name) for name in Network._fields})
            self._prepare(g, t, simulations, match, waiting)
            forest.simulate(t, max(simulations, match))
            self._finish(g, t, simulations, whim, match, waiting)
            return
        turns = (simulations, whim, match, waiting)
        trees = self._trees_of()
        self._step_games(0, 0, g, trees[0], *turns)
        in_parallel(self.n, lambda k, first, last: self._step_games(first, last, g, trees[k], *turns))

    def _trees_of(self) -> list[Any]:
        """A tree's memory for each core, for the present variant."""
        if not self._trees or len(self._trees[0].values) != self.game.players:
            nodes = self._most + 1
            self._trees = [
                search.Tree(self.game, self.game.judgement, np.uint64(0), nodes, many.EDGES_A_NODE * nodes).memory
                for _ in range(cores())
            ]
        return self._trees

    def compile(self, game: Game) -> None:
        """Compile what plays a variant, and play nothing."""
        self.game, self._trees = game, []
        net = network_of(game, game.judgement)
        self.step(self.start((net, net), 0, 0), 1, 0, 0, 60)
        self.wait()

    def wait(self) -> None:
        if self.device == "cuda":
            cuda.synchronize()

    def start(self, nets: tuple[Network, Network], seed: int, match: int) -> Games:
        game, n, on_gpu = self.game, self.n, self.device == "cuda"
        put = cuda.to_device if on_gpu else np.ascontiguousarray
        state = aligned(game.kernels.STATE) if on_gpu else game.kernels.STATE
        if on_gpu:
            tables = self._on_gpu().tables(nets)
        else:
            tables = {k: np.stack([getattr(net, k) for net in nets]).astype(np.float32) for k in Network._fields}
        deals = streams(n, seed)
        if match:
            deals = np.repeat(deals[: n // 2], 2)
        g = Games(
            put(np.zeros(n, state)),
            put(deals),
            put(streams(n, seed + 1)),
            *(tables[name] for name in Network._fields),
            put(parameters_of(game.judgement)),
            put(game.option_codes),
            put(np.zeros((n, MOST_MET), state)),
            put(np.zeros((n, MOST_MET), np.int16)),
            put(np.full((n, MOST_MET, game.players), -1, np.float32)),
            put(np.zeros(n, np.int32)),
            put(np.zeros(n, np.int32)),
            put(np.full((n, MOST_GAMES, game.players), -1, np.float32)),
            put(np.zeros(n, state)),
            put(np.zeros((n, MOST_ACTIONS), np.int32)),
        )
        if on_gpu:
            self._begin(g)
        else:
            self._begin_games(0, n, g)
        return g

    def label(self, net: Network, seed: int, seconds: float, simulations: int, most: int) -> tuple[Array, Array]:
        """Positions of games and the visits of their actions, int32 [N, MOST_ACTIONS]."""
        g, found = self.start((net, net), seed, 0), []
        for launch in range(60):  # games of all ages
            self.step(g, 40, 60, 0, 59 - launch)
            if launch % 20 == 0:
                self.wait()
                print(f"apart {launch}", flush=True)
        started = time.perf_counter()
        while time.perf_counter() - started < seconds and len(found) < most:
            self.step(g, simulations, 100, 0, 0)
            self.wait()
            found.append((host(g.roots).copy(), host(g.visits).copy()))
        states, visits = (np.concatenate([one[k] for one in found]) for k in range(2))
        took = time.perf_counter() - started
        print(f"{len(states):,} positions of {simulations} simulations in {took:.0f} s", flush=True)
        return states, visits

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
        self, nets: tuple[Network, Network], seed: int, seconds: float, whim: int, match: int, once: bool = False
    ) -> dict[str, Array]:
        """once: no longer than until every game has ended once."""
        g, n = self.start(nets, seed, match), self.n
        started, launches = time.perf_counter(), 0
        compiled = 0.0
        while time.perf_counter() - started - compiled < seconds:
            self.step(g, self.simulations, whim, match, 0)
            self.wait()
            launches += 1
            if launches == 1:
                compiled = time.perf_counter() - started
                print(f"first launch {compiled:.0f} s", flush=True)
            if once and launches % 8 == 0 and host(g.number).min() >= 1:
                break
        took = time.perf_counter() - started - compiled
        met, games, values, count, number, results = (
            host(a) for a in (g.met, g.game, g.values, g.count, g.number, g.results)
        )
        ended = int(number.sum())
        print(
            f"{ended:,} games in {took:.0f} s ({ended / took:,.0f} a second, {launches} moves each, at most "
            f"{launches * n * self.simulations / took / 1e6:.1f} M simulations a second)",
            flush=True,
        )
        kept = (np.arange(MOST_MET) < count[:, None]) & (games < number[:, None]) & (values[..., 0] >= 0)
        slots, places = np.nonzero(kept)
        played = games[slots, places]
        return {
            "states": met[slots, places],
            "values": values[slots, places],
            "results": results[slots, played],
            "slots": slots,
            "follows": (np.roll(slots, -1) == slots)
            & (np.roll(played, -1) == played)
            & (np.arange(len(slots)) + 1 < len(slots)),
            "ends": results,
            "number": number,
        }

    def score(self, played: dict[str, Array]) -> tuple[float, float, int]:
        """The share of the first network in a match, with its 95 % interval, over pairs of games on one deal."""
        results, number = played["ends"], played["number"]
        # Network 0 moves where (i + seat) is even: seats 0 and 2 of even games, 1 and 3 of odd ones. Only games that
        # every slot has ended count: those ended by some would be the short ones.
        ended = slice(min(max(int(number.min()), 1), MOST_GAMES))
        both = (number[::2] > 0) & (number[1::2] > 0)  # all of them, if there was time
        even, odd = results[::2, ended, ::2].sum(2), results[1::2, ended, 1::2].sum(2)
        all_shares = ((even + odd) / 2)[both].ravel()
        return float(all_shares.mean()), 1.96 * float(all_shares.std() / np.sqrt(len(all_shares))), 2 * len(all_shares)

    def listed(self, states: Array) -> tuple[Array, Array, Array]:
        states = states.view(self.game.kernels.STATE)
        count, width = len(states), len(self.game.judgement.FEATURES)  # type: ignore[union-attr]
        things = np.zeros((count, self.game.players, MOST_THINGS), np.int16)
        numbers, chapters = np.zeros((count, self.game.players, width)), np.zeros(count, np.int64)
        arrays = (states, things, numbers, chapters)
        self.list_all(0, 1, *arrays, self.game.actions_buffer())
        in_parallel(count, lambda _, first, last: self.list_all(first, last, *arrays, self.game.actions_buffer()))
        most = int((things > 0).sum(2).max())
        return things[:, :, :most].copy(), numbers.astype(np.float32), chapters


def brief(game: Game) -> int:
    """How many rows of an action rollouts look at; 0: none."""
    return int(getattr(game.judgement, "BRIEF", 0))


def host(array: Any) -> Array:
    return array if isinstance(array, np.ndarray) else array.copy_to_host()


def cores() -> int:
    return len(os.sched_getaffinity(0))


def in_parallel(count: int, work: Any) -> None:
    """work(k, first, last) for each core's share of `count`, in threads."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(cores()) as pool:
        list(pool.map(lambda k: work(k, count * k // cores(), count * (k + 1) // cores()), range(cores())))


def learn_priors(
    rows: Array, ratings: Array, counts: Array, visits: Array, size: int, unseen: Array, epochs: int, brief: int
) -> Any:
    """Linear ratings [size, 1] and priors [size, PRIOR_UNITS] from the visits of searches, and how they did on unseen
    positions. Where actions are not described quickly, there are priors only."""
    import torch

    torch.manual_seed(2)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    usable = (counts > 1) & (counts <= MOST_ACTIONS)
    kept = np.flatnonzero(usable & ~unseen)
    table = torch.randn(size, PRIOR_UNITS, device=device) * 0.1
    table[0] = torch.randn(PRIOR_UNITS, device=device) * 0.3
    table.requires_grad_(True)
    weight = torch.zeros(size, 1, device=device, requires_grad=True)
    numbers = torch.as_tensor(counts, device=device)

    def logits(which: Array) -> tuple[Any, Any, Any]:
        index = torch.as_tensor(which, device=device)
        number = numbers[index]
        own = torch.as_tensor(rows[which], device=device).long()
        base = own[torch.arange(len(which), device=device), number]  # [B, ASPECTS]
        legal_ = torch.arange(MOST_ACTIONS, device=device)[None] < number[:, None]
        sums = torch.nn.functional.embedding_bag(own[:, :MOST_ACTIONS].reshape(-1, ASPECTS), table, mode="sum")
        hidden = sums.view(len(which), MOST_ACTIONS, -1) + table[base].sum(1)[:, None]
        given = torch.as_tensor(ratings[which], device=device)
        if brief:
            given = given + weight[own[:, :MOST_ACTIONS, :brief], 0].sum(2)
        rating = given.detach() + torch.relu(hidden) @ table[0]  # the linear part is learnt for itself
        seen = torch.as_tensor(visits[which], device=device).float()
        share = seen / seen.sum(1, keepdim=True)
        return (
            rating.masked_fill(~legal_, -1e9),
            share,
            given.masked_fill(~legal_, -1e9),
        )

    batch = min(2048, max(1, len(kept) // 4))
    steps = epochs * (len(kept) // batch)
    optimizer = torch.optim.AdamW([{"params": [table]}, {"params": [weight], "lr": 4e-2}], lr=4e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, [4e-3, 4e-2], total_steps=steps + 10, pct_start=0.2)
    generator = np.random.default_rng(3)
    for _ in range(epochs):
        order = generator.permutation(kept)
        for k in range(len(kept) // batch):
            rating, share, given = logits(np.sort(order[k * batch : (k + 1) * batch]))
            loss = -(share * torch.log_softmax(rating, 1)).sum(1).mean()
            if brief:
                loss = loss - (share * torch.log_softmax(given, 1)).sum(1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    report: dict[str, Any] = {"positions": len(kept)}
    held = np.flatnonzero(usable & unseen)
    if len(held):
        report["unseen"] = {"positions": len(held), **judge_priors(logits, held, counts[held])}
    found = (one.detach().cpu().numpy().astype(np.float64) for one in (weight if brief else weight[:1, :0], table))
    return *found, report


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
    net: Network,
    epochs: int,
    fresh: bool,
    batch: int,
    rate: float = 2e-3,
    decay: float = 1e-6,
) -> tuple[Network, Array]:
    """A network fitted to aims [N, seats], shares of the victory, and what it expects [N, seats]."""
    import torch

    torch.manual_seed(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    scale = numbers.std((0, 1)) + 0.05  # so that what is seldom met changes little: searches meet it more often
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
        tt = t[rows].long()  # [B, seats, T]
        seats = tt.shape[1]
        bag = torch.nn.functional.embedding_bag(tt.flatten(0, 1), patterns, mode="sum", padding_idx=0)
        acc = torch.relu(bag.view(len(rows), seats, count) + patterns[0])  # [B, seats, H]
        other = (acc.sum(1, keepdim=True) - acc) / (seats - 1)
        h = torch.relu(hidden[0] + acc @ hidden[1 : 1 + count] + other @ hidden[1 + count :])
        w = weights[c[rows]]  # [B, inputs]
        return (torch.cat([x[rows].to(w.dtype), acc, h], 2) * w[:, None]).sum(2)

    optimizer = torch.optim.AdamW([{"params": [patterns, hidden, weights], "weight_decay": 0.0}], lr=rate)
    steps = epochs * (len(which) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps + 10, pct_start=0.2)
    for _ in range(epochs):
        order = which[torch.randperm(len(which), device=device)]
        for k in range(len(which) // batch):
            rows = order[k * batch : (k + 1) * batch]
            loss = torch.nn.functional.cross_entropy(logits(rows), y[rows])
            pull = sum(((p - q) ** 2).sum() for p, q in zip((patterns, hidden, weights), start, strict=True))
            optimizer.zero_grad()
            (loss + decay * pull).backward()
            optimizer.step()
            schedule.step()
    with torch.no_grad():
        parts = [
            torch.softmax(logits(torch.arange(k, min(k + 65536, len(t)), device=device)), 1)
            for k in range(0, len(t), 65536)
        ]
        expected = torch.cat(parts).cpu().numpy()
    w = weights.detach().cpu().numpy().astype(np.float64)
    w[:, :width] /= scale
    unplayed = np.setdiff1d(np.arange(chapters_n), chapters)
    w[unplayed] = net.weights[unplayed]
    found = patterns.detach().cpu().numpy().astype(np.float64)
    unmet = np.setdiff1d(np.arange(1, len(found)), things)
    found[unmet] = net.patterns[unmet]
    return Network(w, found, hidden.detach().cpu().numpy(), net.linear, net.priors), expected


def losses(expected: Array, results: Array, chapters: Array, where: Array) -> dict[str, float]:
    chance = np.clip(expected, 1e-4, 1 - 1e-4)
    each = -(results * np.log(chance)).sum(1)
    return {str(k): round(float(each[where & (chapters == k)].mean()), 4) for k in np.unique(chapters[where])} | {
        "all": round(float(each[where].mean()), 4)
    }


def trusts(data: list[dict[str, Array]], expected: Array, unseen: Array) -> list[float]:
    """How much what searches found counts, for each part of the data: nothing where it is worse than what was learnt
    from the results."""
    found, first = [], 0
    for part in data:
        own = slice(first, first + len(part["states"]))
        first = own.stop
        searched, learnt = (
            losses(chances, part["results"], np.zeros(len(part["states"]), int), unseen[own])["all"]
            for chances in (part["values"], expected[own])
        )
        found.append(0.35 if searched < learnt else 0.0)
    return found


def load(path: Path, old: Network) -> Network:
    with np.load(path) as found:
        return old._replace(**{name: found[name] for name in found.files})


def save(path: Path, net: Network) -> None:
    """Rounded to eleven bits, so that files are small."""
    np.savez_compressed(path, **{k: v.astype(np.float16).astype(np.float32) for k, v in net._asdict().items()})


@contextmanager
def alone(lock: Path | None) -> Iterator[None]:
    """While this process has the GPU for itself."""
    if lock is None:
        yield
        return
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def find_priors(
    arena: Arena, net: Network, folder: Path, chosen: Any, report: dict[str, Any], seconds: float
) -> tuple[Array, Array]:
    """Priors learnt from the visits of searches; each slot's positions are all learnt from, or all unseen."""
    with alone(chosen.lock):
        states, visits = arena.label(net, chosen.seed + 500, seconds, chosen.priors_simulations, 1000)
    (folder / "labelled").touch()
    slots = np.arange(len(states)) % arena.n
    began = time.perf_counter()
    rows, ratings, counts = arena.described(states)
    print(f"described in {time.perf_counter() - began:.0f} s", flush=True)
    unseen = slots % 20 == 0
    began = time.perf_counter()
    size = arena.game.judgement.PRIOR_ROWS  # type: ignore[union-attr]
    linear, priors, found = learn_priors(
        rows, ratings, counts, visits, size, unseen, chosen.priors_epochs, brief(arena.game)
    )
    report["priors"] = found
    print(f"learnt in {time.perf_counter() - began:.0f} s: {json.dumps(found)}", flush=True)
    np.savez_compressed(
        folder / "visits.npz",
        states=states[unseen][-30_000:],
        visits=np.minimum(visits[unseen][-30_000:], 32_767).astype(np.int16),
    )
    return linear, priors


def note(folder: Path, report: dict[str, Any]) -> None:
    (folder / "report.json").write_text(json.dumps(report, indent=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--variants", nargs="+", default=[], help="as players=3,wall=grey; one after another")
    parser.add_argument("--games", type=int, default=65_536, help="in play at the same time")
    parser.add_argument("--seconds", type=float, nargs="*", default=[180.0, 120.0], help="of each round of self-play")
    parser.add_argument("--more", type=float, nargs="+", help="the same for the variants after the first network")
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=4096, help="positions of a step of the training")
    parser.add_argument("--match", type=float, default=60.0, help="seconds of the match against the network before")
    parser.add_argument("--match-simulations", type=int, nargs="*", default=[200], help="of the new network")
    parser.add_argument("--first", type=Path, help="the network to begin with, instead of the one shipped")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--before", type=Path, help="the network to play the match against")
    parser.add_argument("--save", action="store_true", help="write the games too, as games1.npz and so on")
    parser.add_argument("--data", type=Path, nargs="*", default=[], help="such files, learnt from as well")
    parser.add_argument("--out", type=Path, required=True)
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
    kind = registered()[chosen.game]
    variants = [kind.read([part.split("=", 1) for part in text.split(",")]) for text in chosen.variants] or [kind()]
    most = max(chosen.simulations, chosen.priors_simulations) if chosen.priors else chosen.simulations
    arena = Arena(variants[0], chosen.games, most, chosen.simulations, chosen.device)
    arena.compile(variants[0])
    print(f"compiled {kind.name} at {time.process_time():.0f} s", flush=True)
    while chosen.after and not chosen.after.exists() and time.time() < chosen.end:
        time.sleep(0.5)
    groups: dict[str, list[Game]] = {}
    learnt: Network | None = None
    side = ""
    for game in variants:
        groups.setdefault(game.judgement.NETWORKS.path(game).stem, []).append(game)  # type: ignore[union-attr]
    for name, group in groups.items():
        folder = chosen.out / name
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{name} begins", flush=True)
        same, side = side == name.partition("-")[2], name.partition("-")[2]
        untaught = not network_of(group[0], group[0].judgement).hidden.any()
        begins = learnt if same and untaught else None
        learnt = learn(arena, group, folder, chosen, begins, name == next(iter(groups)))


def learn(
    arena: Arena, variants: list[Game], folder: Path, chosen: Any, learnt: Network | None, first: bool
) -> Network:
    """Play, train, and play a match against the network before, into a folder. learnt: a network to begin with."""
    game, data = variants[0], [dict(np.load(path)) for path in chosen.data]
    arena.compile(game)  # while others may use the GPU
    old = network_of(game, game.judgement)
    before = load(chosen.before, old) if chosen.before else old
    net = learnt or (load(chosen.first, old) if chosen.first else old)
    report: dict[str, Any] = {}
    if chosen.priors and learnt is None:
        linear, priors = find_priors(arena, net, folder, chosen, report, chosen.priors if first else chosen.priors / 2)
        net = net._replace(linear=linear, priors=priors if net.priors.shape[1] else net.priors)
        save(folder / "priors.npz", net)
        note(folder, report)
    for turn_, seconds in enumerate(chosen.seconds if first or not chosen.more else chosen.more):
        with alone(chosen.lock):
            left = chosen.end - time.time()
            if left < 20:
                break
            for arena.game in variants if seconds else []:
                seed = chosen.seed + 10 * len(data)
                data.append(arena.play((net, net), seed, min(seconds, left) / len(variants), 60, 0))
                data[-1]["slots"] += 20 * chosen.games * len(data)
                if chosen.save:
                    np.savez_compressed(folder / f"games{len(data)}.npz", **data[-1])
        net = fit(arena, net, data, folder, chosen, report, turn_)
        report[f"games {turn_}"] = int(sum(part["number"].sum() for part in data))
        note(folder, report)
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
    note(folder, report)
    return net


def fit(
    arena: Arena, net: Network, data: list[dict[str, Array]], folder: Path, chosen: Any, report: Any, turn_: int
) -> Network:
    """A network fitted to all positions so far: first to results, then also to what searches found and what the first
    fit expects one round later."""
    joined = {
        name: np.concatenate([part[name] for part in data])
        for name in ("states", "values", "results", "slots", "follows")
    }
    if not len(joined["states"]):
        print("no game has ended", flush=True)
        return net
    began = time.perf_counter()
    things, numbers, chapters = arena.listed(joined["states"])
    unseen = joined["slots"] % 20 == 0
    results, values = joined["results"].astype(np.float64), joined["values"].astype(np.float64)
    print(
        f"{len(things):,} positions listed in {time.perf_counter() - began:.0f} s; most things {things.shape[2]}",
        flush=True,
    )
    began, common = time.perf_counter(), (things, numbers, chapters)
    _, expected = train(*common, results, ~unseen, net, 0, False, chosen.batch)
    report[f"before {turn_}"] = losses(expected, results, chapters, unseen)
    fits = [
        (decay, *train(*common, results, ~unseen, net, chosen.epochs, not net.hidden.any(), chosen.batch, decay=decay))
        for decay in chosen.decay
    ]
    decay, first, expected = min(fits, key=lambda fit: losses(fit[2], results, chapters, unseen)["all"])
    report[f"decay {turn_}"] = decay
    report[f"results {turn_}"] = losses(expected, results, chapters, unseen)
    report[f"search {turn_}"] = losses(values, results, chapters, unseen)
    nxt = np.where(joined["follows"][:, None], np.roll(expected, -1, 0), results)
    trust = np.repeat(trusts(data, expected, unseen), [len(part["states"]) for part in data])[:, None]
    aims = (0.65 - trust) * results + trust * values + 0.35 * nxt
    net, expected = train(*common, aims, ~unseen, first, chosen.epochs, False, chosen.batch, 1e-3, decay=decay)
    report[f"mixed {turn_}"] = losses(expected, results, chapters, unseen)
    print(f"trained in {time.perf_counter() - began:.0f} s: {json.dumps(report)}", flush=True)
    save(folder / f"net{turn_}.npz", net)
    np.savez_compressed(
        folder / "unseen.npz", **{k: joined[k][unseen][:60_000] for k in ("states", "values", "results")}
    )
    return net


if __name__ == "__main__":
    main()
