"""Environments for those who teach machines to play: batches on all cores or a GPU, and the usual interfaces."""

from .batch import Batch, batch

__all__ = ["Batch", "batch"]
