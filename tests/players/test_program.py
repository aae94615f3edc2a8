"""Players in other processes, and what happens when they do not behave."""

import sys
from pathlib import Path

import pytest

import azulejos as az
from azulejos.arena import Contest, Entrant
from azulejos.arena.play import play
from azulejos.core.record import Record
from azulejos.players import Limit, Program, ProgramError, Random
from azulejos.players.engine import serve

EXAMPLE = Path(__file__).parents[2] / "docs" / "example_bot.py"
POLITE = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word in ("azulejos", "game"):
        print("ready", flush=True)
    elif word == "actions":
        actions = line.split()[1:]
    elif word == "go":
        {answer}
    elif word == "quit":
        break
"""
FAILURES = {
    "crash": ("sys.exit(3)", "ended by itself, with status 3"),
    "hang": ("import time; time.sleep(60)", "did not answer in time"),
    "nonsense": ("print('play 9Z9', flush=True)", "played '9Z9', which is not legal"),
    "silence": ("import os; os.close(1); import time; time.sleep(60)", "closed its output"),
    "babble": ("print('x' * 2_000_000, flush=True)", "wrote a line without end"),
    "noise": ("print('info value 1 2 3', flush=True); print('play', flush=True); sys.exit(0)", "ended by itself"),
}


def test_a_command_that_cannot_be_read() -> None:
    with pytest.raises(az.OptionError, match=r"cannot be read: No closing quotation: \"'abc\""):
        Program("'abc")
    with pytest.raises(az.OptionError, match="is empty"):
        Program(" ")


def _command(folder: Path, answer: str) -> str:
    script = folder / "bot.py"
    script.write_text(POLITE.format(answer=answer))
    return f"{sys.executable} {script}"


@pytest.mark.parametrize("kind", FAILURES)
def test_failing_loses_the_game_with_the_reason(kind: str, tmp_path: Path) -> None:
    answer, reason = FAILURES[kind]
    bot = Entrant("bot", "bot", Limit(time=0.05), command=_command(tmp_path, answer))
    contest = Contest(az.make("azul"), (bot, Entrant("random", "random", Limit())), games=2)
    for number in range(2):
        result, text = play(contest, number)
        assert result.ended == "failed"
        assert reason in result.reason
        assert result.points(0, 1) == 0
        record = Record.parse(text)
        assert record.outcome
        assert record.outcome.winners == (contest.seats_of(number).index(1),)
        assert reason in text


def test_does_not_start(tmp_path: Path) -> None:
    state = az.make("azul").start(seed=1)
    with pytest.raises(ProgramError, match="could not be started"):
        Program(str(tmp_path / "nowhere")).choose(state)


def test_ends_before_it_is_ready() -> None:
    with pytest.raises(ProgramError, match="ended by itself, with status 0"):
        Program(f"{sys.executable} -c pass").choose(az.make("azul").start(seed=1))


def test_example_bot_plays_a_game() -> None:
    bot, state, seats = Program(f"{sys.executable} {EXAMPLE}"), az.make("azul").start(seed=1), [0, 0]
    try:
        while state.seat is not None and state.round < 4:
            seats[state.seat] += 1
            player = bot if state.seat == 0 else Random(1)
            state = state.play(player.choose(state.view(state.seat), Limit(time=5)).action)
    finally:
        bot.close()
    assert min(seats) > 5


def test_our_engine_over_its_own_protocol() -> None:
    state = az.make("azul", players=3).start(seed=1)
    bot = Program(f"{sys.executable} -m azulejos.cli engine search --seed 1")
    try:
        choice = bot.choose(state, Limit(simulations=150))
    finally:
        bot.close()
    assert choice.action in state.actions
    assert choice.simulations == sum(choice.visits.values()) == 150
    assert len(choice.value) == 3
    assert choice.line[0] == choice.action


def test_engine_says_what_it_does_not_understand() -> None:
    said: list[str] = []
    lines = [
        "azulejos 2",
        "game chess",
        "go time 1",
        "position azul nonsense",
        f"position {az.make('azul').start(seed=1)}",
        "go time never",
        "go fast",
        "dance",
        "",
        "go simulations 5",
        "quit",
        "dance",
    ]
    serve(Random(1), "random", lines, said.append)
    assert [line.split()[0] for line in said] == ["error"] * 7 + ["play"]
    assert "this speaks 'azulejos 1'" in said[0]
    assert "there is no game 'chess'" in said[1]


def test_program_is_gone_after_the_game(tmp_path: Path) -> None:
    bot = Program(_command(tmp_path, "print('play', actions[0], flush=True)"))
    state = az.make("azul").start(seed=1)
    assert bot.choose(state).action == state.actions[0]
    process = bot._process
    assert process is not None
    bot.close()
    assert process.poll() is not None
