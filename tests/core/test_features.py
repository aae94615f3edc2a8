"""Features are numbered where they are named."""

from pathlib import Path

import pytest

import azulejos as az
from azulejos.core.features import Features


def test_a_group_begins_where_the_one_before_ends() -> None:
    features = Features()
    assert [features.add("a", "b"), features.add("c"), features.add("d", "e")] == [0, 2, 3]
    assert features == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("game", az.registered())
def test_the_names_of_the_weights_are_the_features(game: str) -> None:
    judgement = az.make(game).judgement
    assert judgement
    weights = Path(str(judgement.__file__)).with_name("weights.csv").read_text(encoding="utf-8")
    names = weights.split("\n", 1)[0].split(",")
    assert tuple(names[: len(judgement.FEATURES)]) == judgement.FEATURES
