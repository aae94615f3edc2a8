"""Chance: fair, reproducible, and the same compiled and as a value."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import azulejos as az
from azulejos.core.streams import _STEP, below, below_each, streams


@settings(deadline=None)
@given(st.integers(0, 2**64 - 1), st.lists(st.integers(1, 2**32 - 1), min_size=1, max_size=20))
def test_compiled_and_value_give_the_same_numbers(key: int, bounds: list[int]) -> None:
    keys, chance = np.array([key], np.uint64), az.Chance(key)
    with np.errstate(over="ignore"):
        for bound in bounds:
            number, chance = chance.below(bound)
            assert number == below(keys, 0, bound)
            assert 0 <= number < bound
            assert chance.key == int(keys[0])


@pytest.mark.parametrize("first", [5, -int(_STEP) % 2**64])  # of which the second gives a number that is drawn again
def test_all_streams_at_once_give_the_same_numbers(first: int) -> None:
    keys = np.concatenate([np.array([first], np.uint64), streams(99, 1)])
    bounds, out, alike = np.arange(1, 101)[::-1].astype(np.int16), np.zeros(100, np.int16), keys.copy()
    with np.errstate(over="ignore"):
        below_each(keys, bounds, out)
        assert out.tolist() == [below(alike, i, bounds[i]) for i in range(100)]
    assert keys.tolist() == alike.tolist()


def test_numbers_are_equally_likely() -> None:
    chance, counts = az.Chance(1), Counter[int]()
    for _ in range(6000):
        number, chance = chance.below(6)
        counts[number] += 1
    assert sorted(counts) == list(range(6))
    assert all(850 < count < 1150 for count in counts.values()), counts


def test_a_bound_near_the_range_is_fair_too() -> None:
    """Three quarters of 2**32: without drawing again, a third of the numbers would come twice as often."""
    bound, chance, low = 3 * 2**30, az.Chance(5), 0
    for _ in range(3000):
        number, chance = chance.below(bound)
        low += number < bound // 3
    assert 850 < low < 1150


def test_chance_comes_from_a_seed_a_generator_or_the_system() -> None:
    assert az.Chance.of(7) == az.Chance(7)
    assert az.Chance.of(az.Chance(3)) == az.Chance(3)
    one, two = (az.Chance.of(np.random.default_rng(1)) for _ in range(2))
    assert one == two
    generator = np.random.default_rng(1)
    assert az.Chance.of(generator) != az.Chance.of(generator), "a generator is advanced"
    assert az.Chance.of(None) != az.Chance.of(None)


def test_streams_differ() -> None:
    assert len(set(streams(1000, seed=1).tolist())) == 1000
