"""Puzzles: positions of games between strong players in which one action is clearly the best."""

from .puzzle import Puzzle, of_the_day, puzzles, read, write

__all__ = ["Puzzle", "of_the_day", "puzzles", "read", "write"]
