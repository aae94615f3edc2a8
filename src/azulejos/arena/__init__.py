"""Matches and tournaments between players, with statistics and Elo ratings."""

from .contest import Contest, Entrant
from .match import run
from .ratings import Sprt, compare, rate
from .result import Result

__all__ = ["Contest", "Entrant", "Result", "Sprt", "compare", "rate", "run"]
