"""The books that prove the rules: perft counts and playthroughs, one file a game and variant.

`python -m tests.games.books` writes the files that are missing; `--all` writes all of them anew. What changes in them
is a change of the rules, or of a text, and is looked at before it is committed.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import azulejos as az
from azulejos.core.testing import perft

TESTS = Path(__file__).parent.parent
MOST_SEQUENCES = 2_000_000  # of one perft count
MOST_ACTIONS = 150  # of a playthrough


def every_variant() -> list[az.Game]:
    return [game for kind in az.registered().values() for game in kind.variants()]


def perft_file(game: az.Game) -> Path:
    return TESTS / "perft" / f"{game.slug}.txt"


def playthrough_file(game: az.Game) -> Path:
    return TESTS / "playthroughs" / f"{game.slug}.txt"


def random_play(game: az.Game, seed: int, most: int = MOST_ACTIONS) -> az.Record:
    chooser = random.Random(seed)
    record = az.Record(game.start(seed=seed), date="2026-01-01")
    while not record.state.over and len(record.actions) < most:
        record.play(record.state.actions[chooser.randrange(len(record.state.actions))])
    return record


def write_perft(game: az.Game) -> str:
    """Counts from a first deal, and from positions on the way to the end."""
    states = list(random_play(game, seed=1).states())
    chosen = [states[0], *(states[len(states) * k // 5] for k in range(1, 5)), states[-2]]
    return "\n".join(line for state in chosen for line in _perft_block(state))


def _perft_block(state: az.State) -> Iterator[str]:
    yield f"position {state}"
    for depth in range(1, 7):
        count = perft(state, depth)
        yield f"{depth} {count}"
        if count * len(state.actions) > MOST_SEQUENCES or count == perft(state, depth - 1):
            break
    yield ""


def write_playthrough(game: az.Game) -> str:
    """A random play with every position, and every action and what came of it in words."""
    record = random_play(game, seed=2)
    lines = [str(record)]
    states = list(record.states())
    for before, action, after in zip(states, record.actions, states[1:], strict=False):
        lines += [f"position {before}", f"{len(before.actions)} actions, seat {before.seat} of {before.projected}"]
        lines += [f"play {int(action)} {action} {' '.join(action.path)}: {action.words}"]
        lines += [f"  {words}" for event in game.story(before, action, after.drawn) if (words := game.say_event(event))]
        lines += [f"draw {game.print_draws(after.drawn)}"] if after.drawn else []
    lines += [f"position {record.state}", f"outcome {record.state.outcome}", ""]
    return "\n".join(lines)


def main() -> None:
    for game in every_variant():
        for file, write in ((perft_file(game), write_perft), (playthrough_file(game), write_playthrough)):
            if "--all" in sys.argv or not file.exists():
                print(file.relative_to(TESTS))
                file.write_text(write(game), encoding="utf-8")


if __name__ == "__main__":
    main()
