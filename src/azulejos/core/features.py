"""The names of the numbers by which a position is judged, in their order."""


class Features(list[str]):
    """Names of features. Each group is added once, and `add` says where it begins.

    >>> features = Features()
    >>> SCORE = features.add("score")
    >>> ROWS = features.add(*(f"rows of {n}" for n in range(3)))
    >>> STARTS = features.add("starts")
    >>> SCORE, ROWS, STARTS, tuple(features)
    (0, 1, 4, ('score', 'rows of 0', 'rows of 1', 'rows of 2', 'starts'))
    """

    def add(self, *names: str) -> int:
        """Add names; the index of the first."""
        first = len(self)
        self.extend(names)
        return first
