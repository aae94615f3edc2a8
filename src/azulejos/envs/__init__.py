"""Reinforcement-learning environments: batches on all cores or a GPU, PettingZoo, Gymnasium, OpenSpiel."""

from .batches import Batch, batch

__all__ = ["Batch", "batch"]
