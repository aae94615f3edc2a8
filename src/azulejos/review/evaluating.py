"""What positions are worth: each seat's win chance and expected final score."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from azulejos.core.action import Action
from azulejos.core.game import Game
from azulejos.core.state import State
from azulejos.envs.batches import Batch
from azulejos.envs.stepping import WAIT
from azulejos.players import Limit, Search

from .coach import play_out


@dataclass(frozen=True)
class Thought:
    """How much is thought about one game.

    simulations: of the search of each position. deals: how many are sampled for one draw. glance: simulations of the
    search of each sampled deal, and of each action with which a line goes on to the end of the round. rollouts: games
    played on for the expected final scores.
    """

    simulations: int = 10_000
    deals: int = 24
    glance: int = 1_250
    rollouts: int = 48

    def scaled(self, simulations: int) -> "Thought":
        """As much thought about everything else, in proportion."""
        return replace(self, simulations=simulations, glance=max(simulations * self.glance // self.simulations, 1))


USUAL = Thought()


@dataclass(frozen=True)
class Evaluation:
    """A position as a search sees it.

    chances: each seat's chance to win, by seat; they sum up to 1. best: the action it would play, None where nobody is
    to act. line: how it expects play to go on, the best action first. exact: every line to the end of the round was
    searched, or the game is over.
    """

    chances: tuple[float, ...]
    best: Action | None = None
    line: tuple[Action, ...] = ()
    exact: bool = False


class Evaluator:
    """Evaluates positions of one game. Threads may share it: each has a search of its own."""

    def __init__(self, game: Game, thought: Thought, seed: int) -> None:
        self.game = game
        self.thought = thought
        self._seed = seed
        self._own = threading.local()

    def compile(self) -> None:
        """Compile everything now, in one thread, or load it from disk."""
        start = self.game.start(seed=0)
        self.evaluate(start)
        self.points([start])

    def evaluate(self, state: State, simulations: int | None = None) -> Evaluation:
        """A position in which somebody is to act, or which is over."""
        if outcome := state.outcome:
            share = 1 / len(outcome.winners)
            chances = tuple(share * (seat in outcome.winners) for seat in range(self.game.players))
            return Evaluation(chances, exact=True)
        assert state.seat is not None, "a draw is due: evaluate what follows it"
        search = Search(self._seed)  # a new one for each position: answers do not depend on what was asked before
        choice = search.choose(state.view(state.seat), Limit(simulations=simulations or self.thought.simulations))
        chance = choice.values[choice.action]
        return Evaluation(_with(choice.value, state.seat, chance), choice.action, choice.line, choice.exact)

    def onward(self, state: State, line: Sequence[Action]) -> tuple[Action, ...]:
        """A line, and how the search goes on from its end to the end of the round."""
        played = play_out(state, line, Search(self._seed), Limit(simulations=self.thought.glance))
        return tuple(turn.action for turn in played.turns)

    def mean_after_draw(self, waiting: State) -> tuple[float, ...]:
        """The mean chances over the draws that may fall: all of them where one draw has few outcomes, else samples.

        The samples of a number are the same for equal games, so that two actions are compared over the same luck as
        far as the rules allow it.
        """
        seen = [(weight, self.evaluate(after, self.thought.glance)) for weight, after in self._draws(waiting)]
        return tuple(sum(weight * found.chances[seat] for weight, found in seen) for seat in range(self.game.players))

    def _draws(self, waiting: State) -> list[tuple[float, State]]:
        if not waiting.awaits_draw:
            return [(1.0, waiting)]
        single = [(chance, waiting.draw(outcome)) for outcome, chance in waiting.chances().items()]
        if len(single) <= self.thought.deals and not any(after.awaits_draw for _, after in single):
            return single
        count = self.thought.deals
        return [(1 / count, waiting.deal(seed=self._seed + 1 + number)) for number in range(count)]

    def points(self, states: Sequence[State]) -> tuple[float, ...]:
        """Each seat's expected final score: the mean over games that the greedy player plays on from the states."""
        if states[0].over:
            return tuple(map(float, states[0].scores))
        games = self._games()
        games.reset(self._seed)
        for number in range(games.n):
            games.set(number, states[number % len(states)])
        finals = np.zeros((games.n, self.game.players))
        going = np.ones(games.n, bool)
        while going.any():
            actions = games.greedy_actions()
            actions[~going] = WAIT
            games.step(actions)
            ended = going & (games.terminated | games.truncated)
            for i in np.flatnonzero(ended):
                finals[i] = State(self.game, games.finals[i : i + 1].copy()).scores
            going &= ~ended
        return tuple(float(mean) for mean in finals.mean(axis=0))

    def points_after_draw(self, waiting: State) -> tuple[float, ...]:
        """The expected final scores before a draw that is due, each game with a draw of its own."""
        if not waiting.awaits_draw:
            return self.points([waiting])
        dealt = [waiting.deal(seed=self._seed + 1 + number) for number in range(self.thought.rollouts)]
        return self.points(dealt)

    def _games(self) -> Batch:
        if not hasattr(self._own, "games"):
            self._own.games = Batch(self.game, self.thought.rollouts, seed=self._seed, threads=1)
        games: Batch = self._own.games
        return games


def _with(chances: Sequence[float], seat: int, chance: float) -> tuple[float, ...]:
    """The chances with one seat's replaced and the others' scaled, so that they sum up to 1."""
    others = sum(chances) - chances[seat]
    if others <= 0:
        rest = (1 - chance) / (len(chances) - 1)
        return tuple(chance if other == seat else rest for other in range(len(chances)))
    scale = (1 - chance) / others
    return tuple(chance if other == seat else value * scale for other, value in enumerate(chances))
