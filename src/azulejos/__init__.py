"""The Azul board games as a library: positions, actions and records as immutable values that print and parse."""

from . import games  # noqa: F401  registers them
from .core.action import Action
from .core.chance import Chance
from .core.errors import AzulejosError, IllegalAction, IllegalDraw, OptionError, TextError
from .core.events import Event
from .core.game import Game, Option
from .core.record import Record
from .core.registry import make, parse, register
from .core.registry import registered as registered
from .core.state import Outcome, State
from .core.testing import api_test
from .envs.batches import batch

__all__ = [
    "Action",
    "AzulejosError",
    "Chance",
    "Event",
    "Game",
    "IllegalAction",
    "IllegalDraw",
    "Option",
    "OptionError",
    "Outcome",
    "Record",
    "State",
    "TextError",
    "api_test",
    "batch",
    "make",
    "parse",
    "register",
    "registered",
]
__version__ = "0.1.0"
