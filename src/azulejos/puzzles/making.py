"""Puzzles from games: a strong player plays against itself, and the positions where one action is clearly the best are
checked with many times the thought."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from azulejos.core.action import Action
from azulejos.core.chance import Chance
from azulejos.core.game import Game
from azulejos.core.registry import kind
from azulejos.core.state import State
from azulejos.players import Choice, Greedy, Limit, Search
from azulejos.players.deepening import WHOLE
from azulejos.players.levels import LEVELS, Leveller
from azulejos.players.search import Deepening, Tree, deepens, parameters_of
from azulejos.review import Evaluator, Thought

from .puzzle import Answer, Puzzle
from .rating import difficulty
from .themes import themes

# How many positions there were; in how many a quick look does not find what the player thinks best; in how many of
# those one action is ahead; and of those: more thought found another best, or a smaller lead, or it is a puzzle.
TRIED, HARD, CLEAR, CHANGED, NARROWER, KEPT = COUNTS = ("tried", "hard", "clear", "changed", "narrower", "kept")

LEAST, LEAST_EXACT = 0.08, 0.04  # by how much the best is ahead: as the search sees it, and as alpha-beta proves it
LEAST_AT_FIRST = 0.02  # as the player sees it, which thinks less
LEAST_AFTER = 0.03  # after the next deal: what the end of the round only promised
LAST, SERIOUS = 10, 0.01  # times the thought of the check, in the last search; its visits that an equal would have
FEWEST_ACTIONS = 4
OPEN = 0.03, 0.98  # the chance to win with the best action: games that are decided have no puzzles
QUICK, LOOKS = 12, 3  # simulations of a quick look, and how many there are: what most of them find is no puzzle
RIVALS = 3  # other actions that are thought about, besides those of a quick look
SEEN = 8  # visits below which a mean says little
TRIES = {"beginner": 4, "casual": 4, "regular": 4, "expert": 4, "master": 2}
LONGEST = 8  # actions of a line


@dataclass(frozen=True)
class Effort:
    """simulations: of the search that finds a puzzle. times: how many times that checks it. opening: rounds that are
    played without looking. games: that go on from one opening, each with draws of its own."""

    simulations: int = 2_000
    times: int = 20
    opening: int = 0
    games: int = 1


@dataclass
class Found:
    """What the games of an opening gave: how many positions came how far, and the puzzles."""

    counts: Counter[str] = field(default_factory=Counter)
    puzzles: list[Puzzle] = field(default_factory=list)


def from_opening(name: str, seed: int, effort: Effort) -> Found:
    """The puzzles of games that an expert plays against itself from one opening, at most one a round of a game."""
    return Maker(kind(name)(), seed, effort).make()


class Maker:
    """Plays games from one opening and looks for puzzles in them."""

    def __init__(self, game: Game, seed: int, effort: Effort) -> None:
        self.game: Game = game
        self.seed: int = seed
        self.effort: Effort = effort
        self.found: Found = Found()
        self._levels = {level.name: Leveller(level, seed, None) for level in LEVELS}
        self._search, self._solver = Search(seed), Solver(game) if solvable(game) else None
        self._estimated: dict[State, Answer] = {}
        much = effort.simulations * effort.times
        self._levels["master"] = Leveller(replace(LEVELS[-1], simulations=much), seed, None)
        self._evaluator = Evaluator(game, Thought().scaled(much // 8), seed)

    def make(self) -> Found:
        state = self.game.start(seed=self.seed)
        while not state.over and state.round <= self.effort.opening:
            state = state.play(self._chosen(state).action)
        for number in range(self.effort.games):
            self._look_through(state.with_chance(Chance.of(self.effort.games * self.seed + number)))
        return self.found

    def _chosen(self, state: State) -> Choice:
        assert state.seat is not None
        return self._levels["expert"].choose(state.view(state.seat))

    def _look_through(self, state: State) -> None:
        had = set[int]()
        while not state.over:
            choice = self._chosen(state)
            if state.round not in had and (puzzle := self.examine(state.view(state.seat or 0), choice)):
                self.found.puzzles.append(puzzle)
                had.add(state.round)
            state = state.play(choice.action)

    def examine(self, view: State, first: Choice) -> Puzzle | None:
        """The puzzle that a position is, or None. `first`: what the player found about it."""
        self._count(TRIED)
        if len(view.actions) < FEWEST_ACTIONS or self.game.together(view):  # one of several picks is no answer
            return None
        greedy = Greedy(0).choose(view).action
        glances = [self._search.choose(view, Limit(simulations=QUICK)).action for _ in range(LOOKS)]
        if self._is_easy(_favourite(first), greedy, glances) or _lead(first) < LEAST_AT_FIRST:
            return None
        self._count(HARD)
        choice = self._search.choose(view, Limit(simulations=self.effort.simulations))
        best, lead = choice.action, _lead(choice)
        exact = lead >= LEAST_EXACT and self._solver is not None and self._solver.solves(view)
        if not OPEN[0] <= choice.values[best] <= OPEN[1] or (lead < LEAST and not exact):
            return None
        if self._is_easy(best, greedy, glances):
            return None
        self._count(CLEAR)
        return self._checked(view, best, [*_rivals(choice, best), greedy, *glances])

    def _checked(self, view: State, best: Action, rivals: list[Action]) -> Puzzle | None:
        """The puzzle, if more thought confirms it."""
        if self._answers(view, best, rivals)[0] is None:
            self._count(NARROWER)
            return None
        choice = self._levels["master"].choose(view)
        if choice.action != best:
            self._count(CHANGED)
            return None
        answers, exact = self._answers(view, best, [*_rivals(choice, best), *rivals])
        if answers is None or not self.holds(view, answers):
            self._count(NARROWER)
            return None
        tries = [("master", True), *self._tries(view, best)]
        if ("master", False) in tries or not self.is_best(view, best, exact):
            self._count(CHANGED)
            return None
        self._count(KEPT)
        return self._puzzle(view, answers, exact, tries)

    def _is_easy(self, best: Action, greedy: Action, glances: list[Action]) -> bool:
        return best == greedy or 2 * glances.count(best) > LOOKS

    def _count(self, what: str) -> None:
        self.found.counts[what] += 1

    def _answers(self, view: State, best: Action, rivals: list[Action]) -> tuple[dict[str, Answer] | None, bool]:
        """What actions are worth, the best first, or None if it is not far enough ahead; and whether that is exact."""
        actions = list(dict.fromkeys([best, *rivals]))
        solved = self._solver.answers(view, actions) if self._solver else None
        found, least = list[Answer](), LEAST_EXACT if solved else LEAST
        for action in actions:
            found.append(solved[len(found)] if solved else self._estimate(view, action))
            if len(found) > 1 and found[0].chance - found[-1].chance < least:
                return None, False
        pairs = sorted(zip(actions, found, strict=True), key=lambda pair: -pair[1].chance)
        return {str(action): answer for action, answer in pairs}, solved is not None

    def _estimate(self, view: State, action: Action) -> Answer:
        """What an action is worth, by a search of what follows it."""
        assert view.seat is not None
        after = view.play(action)
        if after not in self._estimated:
            seen = self._evaluator.evaluate(after.deal(seed=0) if after.awaits_draw else after)  # as the coach deals
            chances = self._evaluator.mean_after_draw(after) if after.awaits_draw else seen.chances
            line = seen.line if after.round == view.round else ()
            self._estimated[after] = Answer(chances[view.seat], tuple(map(str, line[:LONGEST])))
        return self._estimated[after]

    def holds(self, view: State, answers: dict[str, Answer]) -> bool:
        """Is the best still ahead of the next two after the deal of the next round? A search stops at the end of the
        round and judges what it sees there; where the lines come so far, the next round is searched, too."""
        ends = [self._end(view, action, answer) for action, answer in list(answers.items())[:3]]
        seen = [self._evaluator.mean_after_draw(end)[view.seat or 0] for end in ends if end]
        return ends[0] is None or all(seen[0] - other >= LEAST_AFTER for other in seen[1:])

    def is_best(self, view: State, best: Action, exact: bool) -> bool:
        """Is no other action as good? Alpha-beta compares it with all of them; else the longest search decides."""
        actions = [best, *(action for action in view.actions if action != best)]
        solved = self._solver.answers(view, actions) if self._solver and exact else None
        if solved:
            return solved[0].chance - max(answer.chance for answer in solved[1:]) >= LEAST_EXACT
        choice = self._search.choose(view, Limit(simulations=LAST * self.effort.simulations * self.effort.times))
        least = SERIOUS * choice.visits[choice.action]
        others = [choice.values[one] for one, n in choice.visits.items() if one != choice.action and n >= least]
        return choice.action == best and choice.values[best] - max(others, default=0.0) >= LEAST_AFTER

    def _end(self, view: State, action: str, answer: Answer) -> State | None:
        """The position at the end of the round, if the answer's line comes to it."""
        now = view
        for one in (action, *answer.line):
            if now.seat is None:
                break
            now = now.play(one)
        return now if (now.awaits_draw and now.round != view.round) or now.over else None

    def _tries(self, view: State, best: Action) -> Iterator[tuple[str, bool]]:
        """Each level's name and whether it found the best; the master tried once before."""
        for name, player in self._levels.items():
            for _ in range(TRIES[name] - (name == "master")):
                yield name, player.choose(view).action == best

    def _puzzle(self, view: State, answers: dict[str, Answer], exact: bool, tries: list[tuple[str, bool]]) -> Puzzle:
        lines = [[self.game.action(one) for one in (action, *answer.line)] for action, answer in answers.items()]
        solved = {name: sum(won for level, won in tries if level == name) / of for name, of in TRIES.items()}
        name = f"{self.seed}-{self.found.counts[TRIED]}"
        about = themes(view, lines[0], lines[1])
        return Puzzle(name, str(view), answers, about, exact, solved, *difficulty(tries))


def _seen(choice: Choice) -> list[Action]:
    """The actions with enough visits to be judged."""
    return [action for action, visits in choice.visits.items() if visits >= SEEN]


def _favourite(choice: Choice) -> Action:
    """The action with the most visits: a level may play another."""
    return max(choice.visits, key=lambda action: choice.visits[action])


def _rivals(choice: Choice, best: Action) -> list[Action]:
    """The actions that come next to the best."""
    others = [action for action in _seen(choice) if action != best]
    return sorted(others, key=lambda action: -choice.values[action])[:RIVALS]


def _lead(choice: Choice) -> float:
    """By how much the most visited action is ahead of every other."""
    best = _favourite(choice)
    others = [choice.values[action] for action in _seen(choice) if action != best]
    return choice.values[best] - max(others) if others else 0.0


def solvable(game: Game) -> bool:
    """Can alpha-beta search this game to the end of a round?"""
    return deepens(game, game.judgement, parameters_of(game.judgement))


class Solver:
    """Alpha-beta to the end of the round, where that is near enough."""

    NODES = 40_000

    def __init__(self, game: Game) -> None:
        self._deep = Deepening(Tree(game, game.judgement, np.uint64(0), 1, 1), game.judgement)

    def solves(self, view: State) -> bool:
        """Is the whole rest of the round searched within the nodes?"""
        self._deep.plant(view)
        self._deep.grow_until(None, self.NODES)
        return self._deep.depth >= WHOLE

    def answers(self, view: State, actions: list[Action]) -> list[Answer] | None:
        """What each action is worth; None if one of them cannot be solved, or ends the round."""
        found = []
        for action in actions:
            after = view.play(action)
            if after.seat is None or after.round != view.round or not self.solves(after):
                return None
            value, line = self._deep.value, tuple(map(str, self._deep.line()[:LONGEST]))
            found.append(Answer(value if after.seat == view.seat else 1 - value, line))
        return found
