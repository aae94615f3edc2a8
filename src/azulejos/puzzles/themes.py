"""What a puzzle is about, from the rules' events: the best action and its rival are both played to the end of the round
and compared."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from azulejos.core.action import Action
from azulejos.core.game import Game
from azulejos.core.language import N_
from azulejos.core.state import State
from azulejos.players import Greedy

DENIAL, LAST_ROUND, PLAN = N_("denial"), N_("last round"), N_("plan ahead")
MATTERS = 2.0  # points


def all_themes(game: type[Game]) -> dict[str, str]:
    """The themes that a game's puzzles can have, and where the page of rules tells of each."""
    own: dict[str, str] = getattr(game.modules.find("themes"), "THEMES", {})
    return {**own, DENIAL: "winner", LAST_ROUND: "end", PLAN: "summary"}


def themes(state: State, best: Sequence[Action], rival: Sequence[Action]) -> tuple[str, ...]:
    """What the best line is about, compared with its rival: the game's own themes, denial, last round; else a plan."""
    return tuple(dict.fromkeys(_themes(state, best, rival))) or (PLAN,)


def _themes(state: State, best: Sequence[Action], rival: Sequence[Action]) -> Iterator[str]:
    (good, end), (bad, other_end) = _outlook(state, best), _outlook(state, rival)
    gained = {key: good.get(key, 0) - bad.get(key, 0) for key in {**good, **bad}}
    told, other = (state.game.story(state, line[0]) for line in (best, rival))
    if own := state.game.modules.function("themes", "themes"):
        yield from own(told, other, gained)
    mine = sum(points for (is_own, _key), points in gained.items() if is_own)
    theirs = sum(points for (is_own, _key), points in gained.items() if not is_own)
    if -theirs >= max(MATTERS, mine):
        yield DENIAL
    if end.over or other_end.over:
        yield LAST_ROUND


def _outlook(state: State, line: Sequence[Action]) -> tuple[dict[tuple[bool, str], float], State]:
    """A line played to the end of the round, by the greedy player where it stops: points by kind of event and worth of
    prospects by key, of the seat to act (True) and of the others (False); and the position there."""
    game, worth = state.game, defaultdict[tuple[bool, str], float](float)
    going_on, greedy, now = list(reversed(line)), Greedy(0), state
    while now.seat is not None and now.round == state.round:
        action = going_on.pop() if going_on else None
        if action is None or action not in now.actions:
            going_on, action = [], greedy.choose(now.view(now.seat)).action
        for event in game.story(now, action):
            if scored := game.points_of(event):
                worth[event.seat == state.seat, event.kind] += scored[2]
        now = now.play(action)
        while now.awaits_draw and now.round == state.round:
            now = now.deal(seed=0)  # the same for both lines
    for seat in range(game.players):
        for one in game.prospects(now, seat):
            worth[seat == state.seat, one.key] += one.worth
    return dict(worth), now
