"""The mistakes of the levels: are they a person's, or absurd? The figures in docs/players.md.

    python bench/mistakes.py --positions 200

Positions with tiles to take come from games of the search against itself. In each, every player chooses several times,
and a longer search judges the choices. Of each player is told, in percent of its choices:

best       at most a hundredth of the victory is lost
loss       the share of the victory that is lost, in the mean

and of what lost at least a twentieth of the victory:

overfills  tiles fall from a line to the floor, though other tiles would have fitted (Azul and Duel)
leaves     a denial is missed: the best answer takes the very tiles that the best action would have taken
floors     all tiles go to the floor, though others would have fitted (Azul and Duel): absurd
others     none of these
"""

import argparse
import json
import re
from collections.abc import Iterator
from functools import cache

import azulejos as az
from azulejos.core.action import Action
from azulejos.core.state import State
from azulejos.players import LEVELS, Limit, Search, player

FLOORS = {"azul": "floor_count", "duel": "broken_count"}
TAKES = {"azul": r"(..)[-\d]", "pavilion": r"([\dC][A-Z])", "duel": r"([\dLM][A-Z])[-\d]"}
FOUND = ("best", "loss", "overfills", "leaves", "floors", "others")


def tiles(state: State, action: Action) -> str:
    """The source and the colour of the tiles that an action takes; or nothing."""
    found = re.fullmatch(TAKES[state.game.name], str(action))
    return found[1] if found else ""


def spilled(state: State, action: Action) -> int:
    """How many tiles an action puts on the floor; the marker is none."""
    after, seat, field = state.play(action), state.seat, FLOORS[state.game.name]
    marker = int(state.fields.marker) - int(after.fields.marker) if state.game.name == "azul" else 0
    if after.round != state.round or after.over:
        return 0  # the floor is cleared: unknown
    return int(getattr(after.fields, field)[seat]) - int(getattr(state.fields, field)[seat]) - marker


def positions(game: az.Game, count: int, seed: int) -> Iterator[State]:
    """Every fifth position in which tiles can be taken in several ways."""
    players, met = Search(seed), 0
    while count:
        state, seed = game.start(seed=seed), seed + 1
        while state.seat is not None and count:
            if len({tiles(state, action) for action in state.actions} - {""}) > 2:
                met += 1
                if met % 5 == 0:
                    count -= 1
                    yield state.view(state.seat)
            state = state.play(players.choose(state.view(state.seat), Limit(simulations=100)).action)


class Judge:
    """What a long search says of the actions of a position."""

    def __init__(self, view: State, simulations: int) -> None:
        self.view, self._search = view, Search(1, deepen=0)
        self._limit = Limit(simulations=simulations)
        self.choice = self._search.choose(view, self._limit)
        self.after = cache(self._after)

    def _after(self, action: Action) -> tuple[float, str]:
        """The seat's share of the victory after an action, and the tiles that the other player takes then."""
        seat, state = self.view.seat, self.view.play(action)
        assert seat is not None
        if state.seat is None:  # the round is over
            return self.choice.values.get(action, 0.0), ""
        choice = self._search.choose(state, self._limit)
        return choice.value[seat], tiles(state, choice.action) if state.seat != seat else ""


def look(judge: Judge, action: Action) -> dict[str, float]:
    """What is told of a choice."""
    view, best = judge.view, judge.choice.action
    value, answer = judge.after(action)
    loss = 0.0 if action == best else max(judge.after(best)[0] - value, 0.0)
    wanted = tiles(view, best)
    found = {"best": float(loss <= 0.01), "loss": loss}
    if loss >= 0.05:
        found[_mistake(view, action, wanted != "" and answer == wanted != tiles(view, action))] = 1.0
    return found


def _mistake(view: State, action: Action, leaves: bool) -> str:
    if view.game.name in FLOORS and tiles(view, action) and spilled(view, action) > 0:
        lines = [one for one in view.actions if tiles(view, one) and not str(one).endswith("-")]
        if any(spilled(view, one) == 0 for one in lines):
            return "floors" if str(action).endswith("-") else "overfills"
    return "leaves" if leaves else "others"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(TAKES))
    parser.add_argument("--players", nargs="+", default=["random", "greedy", *(level.name for level in LEVELS[:4])])
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--draws", type=int, default=3, help="choices of each player in a position")
    parser.add_argument("--simulations", type=int, default=2000, help="of the search that judges")
    parser.add_argument("--seed", type=int, default=3_000_000)
    chosen = parser.parse_args()
    for name in chosen.names:
        seated = {who: player(who)(1) for who in chosen.players}
        totals = {who: dict.fromkeys(FOUND, 0.0) for who in seated}
        for view in positions(az.make(name), chosen.positions, chosen.seed):
            judge = Judge(view, chosen.simulations)
            for who, one in seated.items():
                for _ in range(chosen.draws):
                    for what, share in look(judge, one.choose(view).action).items():
                        totals[who][what] += 100 * share / chosen.positions / chosen.draws
        for who, found in totals.items():
            told = {what: round(share, 1) for what, share in found.items()}
            print(json.dumps({"game": name, "player": who, "positions": chosen.positions, **told}), flush=True)


if __name__ == "__main__":
    main()
