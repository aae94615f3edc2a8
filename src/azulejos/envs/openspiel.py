"""The games as OpenSpiel's, with every draw a chance node.

    import pyspiel, azulejos.envs.openspiel
    game = pyspiel.load_game("azulejos_azul(players=3,wall=grey)")

Importing this module registers them. Parameters are the game's options, with + for a comma, `most_rounds` (a game
that would begin a later round ends there) and `rewards`. The first chance node draws the start player, each later one a
tile, plate or chip. Returns with `rewards=win`: 1 for the winner and −1 / (players − 1) for the others; tied winners
share; 0 if the game was cut off. With `rewards=margin`: the final lead over the mean of the others, in points. An
option with texts and numbers needs a text:
`pyspiel.load_game("azulejos_duel", {"tablets": "3"})`.

An observation, as tensor or text, is the player's view of the position. An information state, as text only, is the
player's history of observations and actions: every action and draw, where nothing is hidden.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as _missing:
    raise ImportError(f"this needs {_missing.name}: pip install 'azulejos[openspiel]'") from None

from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.registry import follow
from azulejos.core.state import State

from .batches import MOST_ROUNDS, REWARDS, Array, spec_of
from .play import Observer

OURS = ("most_rounds", "rewards")  # parameters that are not options of the game
MOST_LEAD = 1000.0  # points; nobody comes near it
ACTIONS_A_ROUND = 400  # more than anybody can make in a round, and more than is drawn for one


def short_name(kind: type[Game]) -> str:
    """The name of a game in OpenSpiel."""
    return f"azulejos_{kind.name}"


def is_open(kind: type[Game]) -> bool:
    """Does every seat see everything?"""
    return not kind.hides()


def game_type(kind: type[Game]) -> Any:
    """What OpenSpiel asks about a game."""
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
            "rewards": "win",
        },
    )


def _written(value: Any) -> Any:
    """An option's value as a parameter, which may contain no comma."""
    return value.replace(",", "+") if isinstance(value, str) else value


class SpielGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """One of our games with its options. `kind` and `type` are each subclass's own."""

    kind: type[Game]
    type: Any

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = dict(parameters or {})
        self.most_rounds: int = int(given.get("most_rounds", MOST_ROUNDS))
        self.rewards: str = str(given.get("rewards", "win"))
        if self.rewards not in REWARDS:
            raise OptionError(f"rewards={self.rewards!r} is not possible: they are {' or '.join(map(repr, REWARDS))}")
        most = 1.0 if self.rewards == "win" else MOST_LEAD
        self.ours: Game = self.kind.read(
            (name, str(value).replace("+", ",")) for name, value in given.items() if name not in OURS
        )
        most_actions = ACTIONS_A_ROUND * self.most_rounds
        info = pyspiel.GameInfo(
            num_distinct_actions=self.ours.num_actions,
            max_chance_outcomes=max(self.ours.num_outcomes, self.ours.players),
            num_players=self.ours.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=most_actions,
        )
        super().__init__(self.type, info, given)

    def new_initial_state(self) -> "SpielState":
        """A game before the start player is drawn."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """More draws than a game can have."""
        return ACTIONS_A_ROUND * self.most_rounds

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver | None":
        """An observer, or None for separate public or private observations, which these games do not have."""
        one = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if iig_obs_type is not None and not (iig_obs_type.public_info and iig_obs_type.private_info == one):
            return None
        return SpielObserver(self.ours, iig_obs_type is not None and iig_obs_type.perfect_recall)


@lru_cache(maxsize=4096)
def seen(state: State, player: int) -> str:
    """A player's view of a position, as text."""
    return str(state.view(player))


class Position:
    """A state, or None before the start player is drawn, with its history of seats, actions and states.

    Immutable: a copy is the object itself.
    """

    __slots__ = ("path", "state")

    def __init__(self, state: State | None, path: tuple[tuple[int, int, State], ...] = ()) -> None:
        self.state: State | None = state
        self.path: tuple[tuple[int, int, State], ...] = path

    def __deepcopy__(self, memo: Any) -> "Position":
        return self

    def after(self, actor: int, action: int, state: State) -> "Position":
        """The position after an action of a player, or a draw, that led to a state."""
        return Position(state, (*self.path, (actor, action, state)))

    def told(self, player: int) -> str:
        """A player's history of observations and actions."""
        lines: list[str] = []
        for actor, action, state in self.path:
            everything = is_open(type(state.game))
            if everything or actor == player:
                lines.append(str(action))
            if not everything and not state.awaits_draw:  # what was drawn is seen when it is somebody's turn
                lines.append(seen(state, player))
        return f"player {player}: " + " / ".join(lines)


class SpielState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A position with OpenSpiel's interface."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._position = Position(None)

    @property
    def ours(self) -> State | None:
        """The state; None before the start player is drawn."""
        return self._position.state

    def _game(self) -> SpielGame:
        game: SpielGame = self.get_game()
        return game

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance or for a game that is over."""
        state = self.ours
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if state is None or state.seat is None:
            return int(pyspiel.PlayerId.CHANCE)
        return state.seat

    def is_terminal(self) -> bool:
        """Is the game over, by the rules or cut off?"""
        state = self.ours
        return state is not None and (state.over or state.round > self._game().most_rounds)

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.ours is None else [int(action) for action in self.ours.actions]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What can be drawn, with its probability."""
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
        """The rewards by seat; 0 while the game goes on."""
        state, players = self.ours, self._game().ours.players
        if state is None or not self.is_terminal():
            return [0.0] * players
        if self._game().rewards == "margin":
            total = sum(state.scores)
            return [(players * score - total) / (players - 1) for score in state.scores]
        if (outcome := state.outcome) is None:
            return [0.0] * players
        share = players / len(outcome.winners)
        return [((share if seat in outcome.winners else 0) - 1) / (players - 1) for seat in range(players)]

    def __str__(self) -> str:
        return "before the start" if self.ours is None else str(self.ours)


class SpielObserver:
    """A player's observation in the one-hot form of the game's spec; with `recall` the whole history, as text only."""

    def __init__(self, game: Game, recall: bool = False) -> None:
        self._spec = spec_of(game)
        self._observer = Observer(game)
        self._recall = recall
        self.tensor: Array | None = None if recall else np.zeros(self._spec.one_hot_size, np.float32)
        self.dict: dict[str, Array | None] = {} if recall else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees of a state into `tensor`."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if state.ours is not None:
            self.tensor[:] = self._spec.one_hot(self._observer.observe(state.ours.array(), player))

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees of a state, or its history if the observer is one of perfect recall."""
        if self._recall:
            return state._position.told(player)
        return str(state) if state.ours is None else str(state.ours.view(player))


def _register(kind: type[Game]) -> None:
    if short_name(kind) not in pyspiel.registered_names():
        known = game_type(kind)
        pyspiel.register_game(known, type(f"Spiel{kind.__name__}", (SpielGame,), {"kind": kind, "type": known}))


follow(_register)
