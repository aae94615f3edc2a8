"""The cores that a process may use, on systems that tell and on systems that do not."""

import os
import sys

import pytest

from azulejos.core.machine import usable_cores


def test_at_least_one_core_and_no_more_than_the_machine_has() -> None:
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="Python tells by itself")
def test_a_system_without_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert usable_cores() == 6
