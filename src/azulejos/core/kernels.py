"""The rules of a game, as every game's `kernels.py` supplies them.

Nothing here runs but `lane`: these are the names, with their meaning, that the functions written once for every game
(`entry_points.py`, the searching player, the batches) are written in. `compiling.bind` puts a game's own functions in
their place. A `state` is one record of the game's structured type `STATE`; all numbers are int64. Every such type
has the fields `score`, by seat, and `round_no`, from 1.

A state waits for one of three things, and `turn` says which: a seat's action, chance, or nothing more.
"""

from typing import Any

from .compiling import rule

CHANCE = -1  # what `turn` gives when the next thing to happen is a draw
OVER = -2  # what `turn` gives when the game has ended


def setup(state: Any, option_codes: Any, first: int) -> None:
    """Lay out a new game in `state`, whatever it held before. `option_codes`: int64[:], the game's options."""
    raise NotImplementedError


def turn(state: Any) -> int:
    """The seat that is to act, or CHANCE, or OVER."""
    raise NotImplementedError


def legal(state: Any, out: Any) -> int:
    """List the legal actions of the seat to act in `out` (int16[:]) in rising order; how many there are.

    `out` has room for eight more than the game's number of actions, and may be overwritten past the end of the list.
    """
    raise NotImplementedError


def apply(state: Any, action: Any) -> None:
    """Play a legal action. Unchecked: the entry points that people use check first."""
    raise NotImplementedError


def ways(state: Any) -> int:
    """In how many equally likely ways the draw that is due can fall; at least 1."""
    raise NotImplementedError


def outcome(state: Any, way: int) -> int:
    """What is drawn in the given way, 0 ≤ way < ways(state). Ways of one outcome are neighbours, outcomes rise."""
    raise NotImplementedError


def draw(state: Any, drawn: int) -> None:
    """Let the draw that is due fall on `drawn`. Unchecked."""
    raise NotImplementedError


def projected(state: Any, seat: int) -> int:
    """The seat's score if the round ended here: what is complete is scored, what is broken is paid."""
    raise NotImplementedError


# --- judgement: for the search; a game's `judgement.py` supplies it ---


def stage(state: Any) -> int:
    """The number of the stage, up to whose end the search looks ahead: the round."""
    raise NotImplementedError


def features(state: Any, seat: int, out: Any) -> None:
    """Features of a seat's position when a stage has just ended (float64[:]).

    Their sum, weighted by the row `chapter(state)` of the variant's weights, is the seat's logit: the chances to win
    are the softmax over the seats.
    """
    raise NotImplementedError


def list_things(state: Any, seat: int, out: Any) -> int:
    """List the things on a seat's board when a stage has just ended, as numbers from 1 (int16[:]); how many.

    They are rows of the network's `patterns`. A pattern's value is the ReLU of the sum of these rows and of row 0.
    Patterns are weighted after the features, and behind them a hidden layer over the patterns of all seats.
    """
    raise NotImplementedError


def chapter(state: Any) -> int:
    """Which row of the weights fits a position: by its stage."""
    raise NotImplementedError


def standing(state: Any, seat: int) -> int:
    """The number that ranks the seats when the game is over: the score, with the tie-break in its last digits."""
    raise NotImplementedError


def rate(state: Any, out: Any, count: int, ratings: Any) -> None:
    """Rate each of the `count` actions in `out` for the seat to act, into `ratings` (float64[:]).

    The prior of an action is softmax(rating). The last 128 places of `ratings` are scratch.
    """
    raise NotImplementedError


def describe_actions(state: Any, out: Any, count: int, ratings: Any, rows: Any) -> None:
    """Describe each of the `count` actions in `out` for the seat to act by eight rows of the network's `linear` and
    `priors`, numbers from 1, into `rows` (int16 [count + 1, 8]); the last eight describe the position.

    The last 128 places of `ratings`, and the last 128 rows of `rows`, are scratch. It follows `rate`, and can use what
    that left in the scratch.
    """
    raise NotImplementedError


def describe_briefly(state: Any, out: Any, count: int, ratings: Any, rows: Any) -> None:
    """The same for rollouts: the first `BRIEF` rows of each action, and none of the position."""
    raise NotImplementedError


# --- observation: for environments; a game's `observation.py` supplies it, and `standing` too ---


def observe(state: Any, seat: int, out: Any) -> None:
    """The seat's observation (int16[:]) in the order of the game's SPEC. It contains no hidden information."""
    raise NotImplementedError


# --- loops that the lanes of a GPU's warp share. This is the one lane of a CPU; `core/lanes.py` has those of a warp ---

LANES = 1


@rule
def lane() -> int:
    """The number of this lane, below LANES."""
    return 0
