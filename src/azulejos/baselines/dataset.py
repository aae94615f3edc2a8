"""Games of the search against itself with what it found: made in parts, and kept as one file of columns.

A file is an .npz of NumPy arrays. P positions in which there was a choice, C choices in all, G games:

    games int32 [P], moves int16 [P], seats int8 [P]: the game, the number of its actions before, who acts
    observations uint8 [P, size]: what the seat sees, compact (see the game's observation spec)
    actions int16 [P]: what was played, the most visited action
    values float32 [P, players]: each seat's chance to win, as the search found it
    starts int64 [P + 1]: the choices of position p are those from starts[p] up to starts[p + 1]
    choices int16 [C], visits int32 [C], choice_values float16 [C]: legal actions, their visits, and their values for
    the seat to act (0 where there are no visits)
    deals uint64 [G], lengths int32 [G], played int16: `game.start(seed=int(deals[g]))` deals game g, and its actions
    are the next lengths[g] of `played`
    scores int16 [G, players], results float32 [G, players]: the end; results as rewards="win" pays them
    about: JSON with the game, its options, the rules' version, the simulations and the seed
"""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, wait
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import azulejos
from azulejos.arena.workers import Workers
from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.record import Record
from azulejos.core.registry import restore
from azulejos.core.streams import streams
from azulejos.envs.batches import MOST_ROUNDS, Batch, Device
from azulejos.players.many import Forest

Array = npt.NDArray[Any]
PART = {"cpu": 100, "cuda": 20_000}  # games that are made together, and then saved
SLOTS = {"cpu": 32, "cuda": 20_000}  # of them at the same time
SAMPLES = Path(__file__).parent / "data"
_BETWEEN_MOVES = np.uint64(0xD1342543DE82EF95)  # keys of a game's searches differ by this
_PER_POSITION = ("games", "moves", "seats", "actions", "values", "observations")
_PER_CHOICE = ("choices", "visits", "choice_values")
_PER_GAME = ("deals", "lengths", "scores", "results")


def play(
    game: Game, deals: Array, keys: Array, simulations: int, device: Device = "cpu", slots: int = 32
) -> dict[str, Array]:
    """The columns of one game for each deal and key, uint64 [G] both; `slots` games are in play at the same time.

    What a game is depends on its deal and key alone.
    """
    n = min(slots, len(deals))
    table = Batch(game, n, 0, "win", MOST_ROUNDS, 1, endless=False)
    forest = Forest(game, game.judgement, n, simulations, device)
    number, moves, waiting = np.arange(n), np.zeros(n, np.int64), n  # `waiting`: the next game to begin
    table.keys[:] = deals[:n]
    table.reset()
    mask, live = table.legal_mask(), np.ones(n, np.bool_)
    played: list[list[int]] = [[] for _ in deals]
    scores = np.zeros((len(deals), game.players), np.int16)
    results = np.zeros((len(deals), game.players), np.float32)
    rows: dict[str, list[Array]] = {name: [] for name in (*_PER_POSITION, "counts", *_PER_CHOICE)}

    def step(which: Array, chosen: Array) -> None:
        """Play in the games [n] of `which`; where one ends, the next begins."""
        nonlocal waiting
        table.step(np.where(which, chosen, -1))
        for i in np.flatnonzero(which):
            played[number[i]].append(int(chosen[i]))
        moves[which] += 1
        over = np.flatnonzero(which & (table.ended != 0))
        if len(over):
            finals = table.finals[over]
            scores[number[over]] = finals["score"][:, : game.players]
            results[number[over]] = table.rewards[over]
        for i in over:
            live[i] = waiting < len(deals)
            if live[i]:
                number[i], moves[i], table.keys[i] = waiting, 0, deals[waiting]
                table.renew(int(i))
                waiting += 1

    while live.any():
        while (forced := live & (mask.sum(1) == 1)).any():
            step(forced, mask.argmax(1))
        if not live.any():
            break
        grown = keys[number] + moves.astype(np.uint64) * _BETWEEN_MOVES
        visits, sums, values = forest.grow(_views(table, live), grown)
        chosen = np.zeros(n, np.int64)
        which = np.flatnonzero(live)
        counts = mask[which].sum(1)
        listed = np.arange(visits.shape[1]) < counts[:, None]
        tries, totals = np.where(listed, visits[which], -1), np.where(listed, sums[which], 0)
        most = tries == tries.max(1, keepdims=True)
        best = np.where(most, totals, -np.inf).argmax(1)
        choices = np.nonzero(mask[which])[1]
        chosen[which] = choices[np.cumsum(counts) - counts + best]
        found = {
            "games": number[which].astype(np.int32),
            "moves": moves[which].astype(np.int16),
            "seats": table.seats[which].copy(),
            "actions": chosen[which].astype(np.int16),
            "values": values[which].astype(np.float32),
            "observations": table.observe()[which].astype(np.uint8),
            "counts": counts,
            "choices": choices.astype(np.int16),
            "visits": tries[listed].astype(np.int32),
            "choice_values": (totals[listed] / np.maximum(tries[listed], 1)).astype(np.float16),
        }
        for name, array in found.items():
            rows[name].append(array)
        step(live.copy(), chosen)
    columns = {name: np.concatenate(parts) for name, parts in rows.items()}
    columns |= {"deals": deals, "lengths": np.array([len(one) for one in played], np.int32)}
    columns |= {"scores": scores, "results": results}
    columns["played"] = np.concatenate([np.array(one, np.int16) for one in played])
    return _in_order(columns)


def _views(table: Batch, live: Array) -> Array:
    """The states as the seats to act see them: [n]. A game that is over cannot be searched: the first that is not
    stands in its place."""
    states = table.states.copy()
    if table.game.hides():
        for i in np.flatnonzero(live):
            hidden = table.game.rules.hide(states[i].tobytes(), int(table.seats[i]))
            states[i] = np.frombuffer(hidden, states.dtype)[0]
    states[~live] = states[live.argmax()]
    return states


def _in_order(columns: dict[str, Array]) -> dict[str, Array]:
    """The positions game by game."""
    order = np.lexsort((columns["moves"], columns["games"]))
    counts = columns.pop("counts")
    starts = np.cumsum(counts) - counts
    sorted_counts = counts[order]
    new = np.append(0, np.cumsum(sorted_counts))
    picked = np.repeat(starts[order] - new[:-1], sorted_counts) + np.arange(new[-1])
    for name in _PER_POSITION:
        columns[name] = columns[name][order]
    for name in _PER_CHOICE:
        columns[name] = columns[name][picked]
    return {**columns, "starts": new.astype(np.int64)}


def make_part(about: Mapping[str, Any], first: int, last: int, device: Device, file: str) -> int:
    """Make the games from `first` up to `last` and save them to a file; how many there are."""
    game = restore(about["game"], about["options"])
    deals, keys = streams(2 * last, about["seed"]).reshape(-1, 2).T.copy()
    columns = play(game, deals[first:last], keys[first:last], about["simulations"], device, SLOTS[device])
    columns["games"] = columns["games"] + np.int32(first)
    partial = Path(f"{file}.partial")
    with partial.open("wb") as out:
        np.savez(out, **columns)  # type: ignore[arg-type]
    partial.rename(file)
    return last - first


def make(
    game: Game,
    games: int,
    simulations: int,
    seed: int,
    file: Path,
    device: Device = "cpu",
    workers: Workers | None = None,
    tell: Callable[[int], object] = lambda _: None,
) -> None:
    """Write a file of games. Parts are saved beside it, so that an interrupted call is continued by the same call.

    `workers`: where parts are made; in this process without. `tell`: called with the number of games made so far.
    """
    if games < 1 or simulations < 2 or seed < 0:
        raise OptionError("a dataset has at least 1 game with 2 simulations a choice, and a seed from 0")
    options = {name: str(value) for name, value in game.chosen.items()}
    about = {
        "game": game.name,
        "options": options,
        "rules": game.rules_version,
        "simulations": simulations,
        "seed": seed,
        "azulejos": azulejos.__version__,
    }
    folder = file.with_name(file.name + ".parts")
    folder.mkdir(parents=True, exist_ok=True)
    plan, text = folder / "about.json", json.dumps(about)
    if plan.exists() and plan.read_text(encoding="utf-8") != text:
        raise OptionError(f"{folder} has parts of another dataset: {plan.read_text(encoding='utf-8')}; remove it first")
    plan.write_text(text, encoding="utf-8")
    spans = [(first, min(first + PART[device], games)) for first in range(0, games, PART[device])]
    files = {span: folder / f"{span[0]}-{span[1]}.npz" for span in spans}
    jobs = [(about, *span, device, str(part)) for span, part in files.items() if not part.exists()]
    done = games - sum(last - first for _, first, last, _, _ in jobs)
    tell(done)
    if workers is None:
        for job in jobs:
            done += make_part(*job)
            tell(done)
    else:
        play(game, streams(1, seed), streams(1, seed), 2)  # compiles once, before all begin
        under_way = {workers.submit(make_part, *job) for job in jobs}
        while under_way:
            ready, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            done += sum(one.result() for one in ready)
            tell(done)
    merge(about, list(files.values()), file)
    shutil.rmtree(folder)


def merge(about: Mapping[str, Any], parts: list[Path], file: Path) -> None:
    """Write one file from its parts."""
    loaded = [dict(np.load(part)) for part in parts]
    columns: dict[str, Array] = {
        name: np.concatenate([part[name] for part in loaded])
        for name in (*_PER_POSITION, *_PER_CHOICE, *_PER_GAME, "played")
    }
    columns["starts"] = np.append(0, np.concatenate([np.diff(part["starts"]) for part in loaded]).cumsum())
    with file.open("wb") as out:
        np.savez_compressed(out, about=np.array(json.dumps(about)), **columns)  # type: ignore[arg-type]


def game_of(data: Mapping[str, Array]) -> Game:
    """The game of a dataset that was loaded by `np.load`."""
    about = json.loads(str(data["about"]))
    return restore(about["game"], about["options"])


def records(data: Mapping[str, Array]) -> Iterator[Record]:
    """Every game of a dataset as a record."""
    game, about = game_of(data), json.loads(str(data["about"]))
    name, played = f"search@{about['simulations']}", data["played"]
    ends = np.cumsum(data["lengths"])
    for deal, start, end in zip(data["deals"], ends - data["lengths"], ends, strict=True):
        record = Record(game.start(seed=int(deal)), [name] * game.players)
        for action in played[start:end]:
            record.play(int(action))
        yield record


def visit_shares(data: Mapping[str, Array]) -> npt.NDArray[np.float32]:
    """The visits of every action as shares: [P, number of actions], what a policy learns from."""
    starts = data["starts"]
    shares = np.zeros((len(starts) - 1, game_of(data).num_actions), np.float32)
    rows = np.repeat(np.arange(len(shares)), np.diff(starts))
    shares[rows, data["choices"]] = data["visits"]
    return np.asarray(shares / shares.sum(1, keepdims=True))


def sample(game: str) -> dict[str, Array]:
    """The small dataset of a game that the package has: 25 games, 200 simulations a choice."""
    file = SAMPLES / f"{game}.npz"
    if not file.exists():
        raise OptionError(
            f"there is no sample of {game!r}: there is {', '.join(s.stem for s in SAMPLES.glob('*.npz'))}"
        )
    return load(file)


def load(file: str | PathLike[str]) -> dict[str, Array]:
    """All columns of a dataset, in memory."""
    with np.load(file) as data:
        return dict(data)
