"""Azul: Summer Pavilion."""

from .game import Pavilion

__all__ = ["Pavilion"]
