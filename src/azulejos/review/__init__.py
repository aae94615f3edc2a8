"""What a game was worth: every decision and every draw of a finished game, judged by search."""

from .evaluating import Evaluation, Evaluator, Thought
from .reviewing import Decision, Draw, Progress, Review, Summary, Work, review

__all__ = ["Decision", "Draw", "Evaluation", "Evaluator", "Progress", "Review", "Summary", "Thought", "Work", "review"]
