"""The games as OpenSpiel's, with every draw a chance node.

    import pyspiel, azulejos.envs.openspiel
    game = pyspiel.load_game("azulejos_azul(players=3,wall=grey)")

Importing this module registers them. Parameters are the game's options, with + for a comma, and `most_rounds`: a game
that comes to a later round ends there with nothing for anybody. The first chance node draws the start player, each
later one a tile, plate or chip. Returns are 1 for the winner and −1 / (players − 1) for the others; winners who share
the victory share this too. A number that is given for a text goes beside the name:
`pyspiel.load_game("azulejos_duel", {"tablets": "3"})`.

An observation, as tensor or text, is what the player may know of the position. An information state, as text only, is
all that the player has seen and done: where nothing is hidden, every action and draw.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as missing:
    raise ImportError(f"this needs {missing.name}: pip install 'azulejos[openspiel]'") from None

from azulejos.core.game import Game
from azulejos.core.registry import follow
from azulejos.core.state import State

from .batches import MOST_ROUNDS, spec_of
from .play import Observer

ACTIONS_A_ROUND = 400  # more than anybody can make in a round, and more than is drawn for one


def short_name(kind: type[Game]) -> str:
    return f"azulejos_{kind.name}"


def is_open(kind: type[Game]) -> bool:
    """Does every seat see everything?"""
    return not kind.hides()


def game_type(kind: type[Game]) -> Any:
    counts = [game.players for game in kind.variants()]
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=short_name(kind),
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.PERFECT_INFORMATION if is_open(kind) else information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(counts),
        min_num_players=min(counts),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={
            **{option.name: _written(option.choices[0]) for option in kind.options},
            "most_rounds": MOST_ROUNDS,
        },
    )


def _written(value: Any) -> Any:
    """A parameter's value, which may hold no comma."""
    return value.replace(",", "+") if isinstance(value, str) else value


class SpielGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """One of our games with its options. `kind` and `type` are each subclass's own."""

    kind: type[Game]
    type: Any

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = dict(parameters or {})
        self.most_rounds = int(given.get("most_rounds", MOST_ROUNDS))
        self.ours = self.kind.read(
            (name, str(value).replace("+", ",")) for name, value in given.items() if name != "most_rounds"
        )
        most_actions = ACTIONS_A_ROUND * self.most_rounds
        info = pyspiel.GameInfo(
            num_distinct_actions=self.ours.num_actions,
            max_chance_outcomes=max(self.ours.num_outcomes, self.ours.players),
            num_players=self.ours.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=most_actions,
        )
        super().__init__(self.type, info, given)

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return ACTIONS_A_ROUND * self.most_rounds

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver | None":
        """None for the public or the private part of an observation alone: ours are not divided so."""
        one = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if iig_obs_type is not None and not (iig_obs_type.public_info and iig_obs_type.private_info == one):
            return None
        return SpielObserver(self.ours, iig_obs_type is not None and iig_obs_type.perfect_recall)


@lru_cache(maxsize=4096)
def seen(state: State, player: int) -> str:
    """What a player may know of a position, as text."""
    return str(state.view(player))


class Position:
    """A state of ours, or None before the start player is known, and the way to it: who did what, and what followed.

    A value: copies of it are itself.
    """

    __slots__ = ("path", "state")

    def __init__(self, state: State | None, path: tuple[tuple[int, int, State], ...] = ()) -> None:
        self.state, self.path = state, path

    def __deepcopy__(self, memo: Any) -> "Position":
        return self

    def after(self, actor: int, action: int, state: State) -> "Position":
        return Position(state, (*self.path, (actor, action, state)))

    def told(self, player: int) -> str:
        """All that a player has seen and done so far."""
        lines: list[str] = []
        for actor, action, state in self.path:
            everything = is_open(type(state.game))
            if everything or actor == player:
                lines.append(str(action))
            if not everything and not state.awaits_draw:  # what was drawn is seen when it is somebody's turn
                lines.append(seen(state, player))
        return f"player {player}: " + " / ".join(lines)


class SpielState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A position, as OpenSpiel asks for it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._position = Position(None)

    @property
    def ours(self) -> State | None:
        return self._position.state

    def _game(self) -> SpielGame:
        game: SpielGame = self.get_game()
        return game

    def current_player(self) -> int:
        state = self.ours
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if state is None or state.seat is None:
            return int(pyspiel.PlayerId.CHANCE)
        return state.seat

    def is_terminal(self) -> bool:
        state = self.ours
        return state is not None and (state.over or state.round > self._game().most_rounds)

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.ours is None else [int(action) for action in self.ours.actions]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.ours is None:
            players = self._game().ours.players
            return [(seat, 1 / players) for seat in range(players)]
        return list(self.ours.chances().items())

    def _apply_action(self, action: int) -> None:
        state, actor = self.ours, self.current_player()
        if state is None:
            state = self._game().ours.lay_out(action)
        elif state.awaits_draw:
            state = state.draw(action)
        else:
            state = state.play(action)
        self._position = self._position.after(actor, action, state)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self._game().ours
        if player != pyspiel.PlayerId.CHANCE:
            return game.print_action(action)
        return f"start {action}" if self.ours is None else game.print_draws((action,))

    def returns(self) -> list[float]:
        state, players = self.ours, self._game().ours.players
        if state is None or (outcome := state.outcome) is None:
            return [0.0] * players
        share = players / len(outcome.winners)
        return [((share if seat in outcome.winners else 0) - 1) / (players - 1) for seat in range(players)]

    def __str__(self) -> str:
        return "before the start" if self.ours is None else str(self.ours)


class SpielObserver:
    """What a player sees, in the one-hot form of the game's spec; with `recall` all since the start, as text only."""

    def __init__(self, game: Game, recall: bool = False) -> None:
        self._spec = spec_of(game)
        self._observer = Observer(game)
        self._recall = recall
        self.tensor = None if recall else np.zeros(self._spec.one_hot_size, np.float32)
        self.dict = {} if recall else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if state.ours is not None:
            self.tensor[:] = self._spec.one_hot(self._observer.observe(state.ours.array(), player))

    def string_from(self, state: SpielState, player: int) -> str:
        if self._recall:
            return state._position.told(player)
        return str(state) if state.ours is None else str(state.ours.view(player))


def _register(kind: type[Game]) -> None:
    if short_name(kind) not in pyspiel.registered_names():
        known = game_type(kind)
        pyspiel.register_game(known, type(f"Spiel{kind.__name__}", (SpielGame,), {"kind": kind, "type": known}))


follow(_register)
