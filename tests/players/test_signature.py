"""The searching player plays as it did. If it is meant to play otherwise: `azulejos signature > signatures.txt`."""

from pathlib import Path

import pytest

import azulejos as az
from azulejos.players.signature import signature

WRITTEN = dict(line.split() for line in Path(__file__).with_name("signatures.txt").read_text().splitlines())


def test_every_game_has_one() -> None:
    assert set(WRITTEN) == set(az.registered())


@pytest.mark.parametrize("name", az.registered())
def test_plays_as_before(name: str) -> None:
    assert f"{signature(az.make(name)):08x}" == WRITTEN[name]
