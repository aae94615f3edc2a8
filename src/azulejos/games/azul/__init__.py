"""Azul."""

from .game import Azul

__all__ = ["Azul"]
