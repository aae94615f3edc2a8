"""Does a level play as strongly in a browser as on the server? The figures in docs/players.md.

    python bench/wasm_levels.py FOLDER --games 200   # minutes; interrupted, it goes on

Each level plays a match against itself: natively, and by the code of a page's worker over the shipped WebAssembly
module, in Node. Every deal is played twice, with seats exchanged. Results are kept in the folder.
"""

import argparse
from functools import partial
from pathlib import Path

import numpy as np

import azulejos as az
from azulejos.arena import Contest, Entrant, compare
from azulejos.arena.play import play
from azulejos.arena.result import ResultsFile
from azulejos.core.action import Action
from azulejos.core.state import State
from azulejos.core.streams import streams
from azulejos.players import LEVELS, NO_LIMIT, Choice, Limit, register
from azulejos.wasm.running import Node


class Distant:
    """A level as a page plays it, in Node."""

    def __init__(self, node: Node, level: str, seed: int) -> None:
        self.node, self.level, self.seed = node, level, seed
        self.generator = np.random.default_rng(seed)

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        given = {"level": self.level, "key": str(streams(1, self.seed)[0]), "random": self.generator.random()}
        return Choice(Action(view.game, self.node.run("level", view.game, view, **given)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=100, help="of each level in each game")
    parser.add_argument("--only", nargs="+", choices=[level.name for level in LEVELS], default=["casual", "regular"])
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with Node() as node:
        for level in chosen.only:
            distant = f"{level}-wasm"
            register(distant)(partial(Distant, node, level))
            entrants = (Entrant.read(level), Entrant.read(distant))
            for name in ("azul", "pavilion", "duel"):
                contest = Contest(az.make(name), entrants, chosen.games)
                kept = ResultsFile(chosen.folder / f"{name}-{level}.jsonl", contest)
                for number in contest.numbers():
                    if number not in kept.results:
                        kept.add(play(contest, number)[0])
                found = compare(list(kept.results.values()), contest)
                percent = [100 * share for share in (found.points, found.low, found.high)]
                print(
                    f"{name}, {level}: native {percent[0]:.1f} % [{percent[1]:.1f}, {percent[2]:.1f}]"
                    f" of {found.games} games against WebAssembly; {found.cut_off} cut off, {found.failed} failed",
                    flush=True,
                )


if __name__ == "__main__":
    main()
