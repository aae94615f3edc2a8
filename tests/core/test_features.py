"""Features are numbered where they are named."""

from azulejos.core.features import Features


def test_a_group_begins_where_the_one_before_ends() -> None:
    features = Features()
    assert [features.add("a", "b"), features.add("c"), features.add("d", "e")] == [0, 2, 3]
    assert features == ["a", "b", "c", "d", "e"]
