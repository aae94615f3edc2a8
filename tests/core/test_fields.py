"""A state's fields are its record's."""

import random

import numpy as np
import pytest

import azulejos as az


@pytest.mark.parametrize("name", ["azul", "pavilion", "duel"])
def test_fields_read_like_the_record(name: str) -> None:
    chooser, state = random.Random(7), az.make(name).start(seed=7)
    for _move in range(60):
        record, fields = state.array()[0], state.fields
        for field in record.dtype.names:
            value = np.asarray(record[field])
            assert np.array_equal(getattr(fields, field), value)
            if value.ndim == 2:
                assert all(getattr(fields, field)[place] == value[place] for place in np.ndindex(value.shape))
        state = state.play(chooser.choice(list(state.actions)))
