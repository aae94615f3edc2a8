"""Exponential and logarithm: right to the last bits, and the same compiled and uncompiled."""

import math
import random

import pytest

from azulejos.core.maths import exp, log


@pytest.mark.parametrize("span", [0.01, 1.0, 30.0, 699.0])
def test_exp(span: float) -> None:
    drawn = random.Random(1)
    for _ in range(500):
        x = -span * drawn.random()
        assert exp(x) == pytest.approx(math.exp(x), rel=4e-16, abs=0)
        assert exp(x) == exp.py_func(x)


@pytest.mark.parametrize("span", [0.01, 1.0, 100.0, 1e9])
def test_log(span: float) -> None:
    drawn = random.Random(1)
    for _ in range(500):
        x = 1 + span * drawn.random()
        assert log(x) == pytest.approx(math.log(x), rel=1e-15, abs=4e-16)
        assert log(x) == log.py_func(x)


def test_ends() -> None:
    assert exp(0.0) == 1
    assert log(1.0) == 0
    assert exp(-1e9) == exp(-701.0) == 0
    assert exp(-math.inf) == 0
