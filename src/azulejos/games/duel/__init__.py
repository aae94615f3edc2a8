"""Azul Duel."""

from .game import Duel

__all__ = ["Duel"]
