"""A trained policy: a small network as arrays, which plays with NumPy alone."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.state import State
from azulejos.envs.opponents import PolicyPlayer
from azulejos.players import NO_LIMIT, Choice, Limit

WEIGHTS = Path(__file__).parent / "weights"
Floats = npt.NDArray[np.float32]


class Network:
    """Layers of a policy: compact observations in; a logit for each action, and the value, out.

    inputs: int16 [inputs, 3], what the first layer reads: the index of a number x in the observation, and bounds. The
    input is 1 if low <= x <= high, else 0; where low is negative, it is x / high.
    layers: weights [inputs, outputs] and biases [outputs] in turn, with a rectifier between the layers; the last output
    is the value. about: the `game`, its `options`, the `steps` of training, and more.
    """

    def __init__(self, inputs: npt.NDArray[Any], layers: Sequence[npt.NDArray[Any]], about: Mapping[str, Any]) -> None:
        self.inputs: npt.NDArray[np.int16] = np.asarray(inputs, np.int16)
        self.layers: list[Floats] = [np.asarray(layer, np.float32) for layer in layers]
        self.about: dict[str, Any] = dict(about)

    def __call__(self, observations: npt.NDArray[Any], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """The most likely legal action of each observation [k, size]: int64 [k]."""
        logits = self.forward(observations)[0]
        return np.asarray(np.where(masks, logits, -np.inf).argmax(1))

    def forward(self, observations: npt.NDArray[Any]) -> tuple[Floats, Floats]:
        """Logits [k, actions] and values [k] for the seat to act."""
        number, low, high = self.inputs.T
        read = np.asarray(observations)[:, number]
        out: Floats = np.where(low < 0, read / np.maximum(high, 1), (low <= read) & (read <= high)).astype(np.float32)
        for number in range(0, len(self.layers), 2):
            out = (np.maximum(out, 0) if number else out) @ self.layers[number] + self.layers[number + 1]
        return out[:, :-1], out[:, -1]

    def save(self, file: str | PathLike[str]) -> None:
        """Write an .npz file, in half precision with 6 bits for the fraction, which is enough, and compresses well."""
        arrays = {"inputs": self.inputs}
        for number, layer in enumerate(self.layers):
            bits = layer.astype(np.float16).view(np.uint16)
            arrays[f"layer{number}"] = ((bits + 8) & 0xFFF0).astype(np.uint16).view(np.float16)
        with open(file, "wb") as out:
            np.savez_compressed(out, about=np.array(json.dumps(self.about)), **arrays)  # type: ignore[arg-type]

    @staticmethod
    def load(file: str | PathLike[str]) -> "Network":
        with np.load(file) as data:
            about = json.loads(str(data["about"]))
            layers = [data[f"layer{number}"] for number in range(len(data.files) - 2)]
            return Network(data["inputs"], layers, about)


def weights_of(game: Game) -> Path:
    """Where the weights for a game and its number of players are, if there are any."""
    return WEIGHTS / f"{game.name}-{game.players}.npz"


@cache
def trained(game: Game) -> Network:
    """The policy that was trained for a variant of a game; OptionError if there is none."""
    file = weights_of(game)
    if file.exists():
        network = Network.load(file)
        if network.about["options"] == {name: str(value) for name, value in game.chosen.items()}:
            return network
    raise OptionError(f"no policy has been trained for {game}; `azulejos train` trains one")


class Trained:
    """The trained policy of each game, as a player. It searches nothing: one pass of the network chooses."""

    def __init__(self, seed: int | None = None) -> None:
        self._players: dict[Game, PolicyPlayer] = {}

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        if view.game not in self._players:
            self._players[view.game] = PolicyPlayer(trained(view.game))
        return self._players[view.game].choose(view, limit)
