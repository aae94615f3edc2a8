"""What is compiled ahead of use is everything."""

import azulejos as az
from azulejos.core.compiling import EntryPoint
from azulejos.players import search
from azulejos.warming import PARTS, warm


def compiled(entry_points: object) -> dict[str, bool]:
    found = {name: value for name, value in vars(entry_points).items() if isinstance(value, EntryPoint)}
    assert found
    return {name: value.compiled for name, value in found.items()}


def test_all_entry_points_are_compiled() -> None:
    game = az.make("azul")
    warm(game, ["rules"])
    assert all(compiled(game.entry_points).values())
    warm(game, ["players"])
    thinking = compiled(search.entry_points(game.kernels, game.judgement, game.name))
    assert {name for name, done in thinking.items() if not done} <= {"note", "note_things"}, (
        "these are for fitting weights"
    )
    assert list(PARTS) == ["rules", "players", "batches"]
