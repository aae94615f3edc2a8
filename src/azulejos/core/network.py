"""The networks of a game's judgement, one for each variant."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

NONE: Any = np.zeros((1, 0), np.float32)
NONE.flags.writeable = False


class Network(NamedTuple):
    """What a judgement has learnt: float32 arrays. `core/kernels.py` and `players/tree.py` say how they are used."""

    weights: npt.NDArray[np.float32]  # [chapters, features, patterns and hidden units]
    patterns: npt.NDArray[np.float32] = NONE  # [1 + things, patterns]
    hidden: npt.NDArray[np.float32] = NONE  # [1 + 2 · patterns, hidden units]
    linear: npt.NDArray[np.float32] = NONE  # [rows, 1], added to the ratings of actions, in rollouts too
    priors: npt.NDArray[np.float32] = NONE  # [rows, units], added to the ratings of actions in the tree


class Networks:
    """The networks in the folder `networks` beside a module, by the values of some of the game's options."""

    def __init__(self, module: str, *options: str) -> None:
        self._folder, self._options = Path(module).with_name("networks"), options

    def path(self, game: Any) -> Path:
        """The file of a variant's network."""
        values = [game.chosen_texts[name] for name in self._options]
        return self._folder / ("-".join(values or ["all"]) + ".npz")

    def of(self, game: Any) -> Network:
        return load(self.path(game))

    @property
    def first(self) -> Network:
        return load(min(self._folder.glob("*.npz")))

    @property
    def units(self) -> dict[str, int]:
        """How many units there are of each kind, which all networks of a game have in common."""
        names = ("PATTERN_UNITS", "HIDDEN_UNITS", "LINEAR_UNITS", "PRIOR_UNITS")
        return {name: array.shape[1] for name, array in zip(names, self.first[1:], strict=True)}


@cache
def load(path: Path) -> Network:
    with np.load(path) as found:
        return Network(**{name: np.ascontiguousarray(found[name], np.float32) for name in found.files})
