"""The terminal as a person meets it: the real command, fed with lines, interrupted, asked for nonsense."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import azulejos as az

COMMAND = [sys.executable, "-m", "azulejos.cli", "play", "azul"]


def play(tmp_path: Path, lines: list[str], *options: str, command: list[str] = COMMAND, **environment: str) -> str:
    """What the terminal shows for the given input."""
    result = subprocess.run(
        [*command, "--save", str(tmp_path / "game.txt"), *options],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "LANGUAGE": "en", "COLUMNS": "100", "XDG_DATA_HOME": str(tmp_path), **environment},
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_two_people_play_a_whole_game(tmp_path: Path) -> None:
    lines: list[str] = []
    state = az.make("azul").start(seed=4, first=0)
    while not state.over:
        action = state.actions[len(lines) * 7 % len(state.actions)]
        lines.append(str(action))
        state = state.play(action)
    shown = play(tmp_path, lines, "--seed", "4", "--first", "0", "--seats", "person,person", "--names", "Ana,Ben")
    record = az.Record.load(tmp_path / "game.txt")
    assert record.state == state
    assert record.names == ("Ana", "Ben")
    assert state.outcome is not None
    winner = "Ana" if state.outcome.winners == (0,) else "Ben"
    assert f"{winner} wins, {max(state.scores)}\u00a0: {min(state.scores)}" in shown
    assert "complete: +2" in shown, "the bonus is explained"


def test_an_illegal_action_is_explained_and_nothing_is_played(tmp_path: Path) -> None:
    shown = play(tmp_path, ["9B1", "CB1", "hello", "quit"], "--seed", "3", "--first", "0")
    assert "expected a source (C, 1, 2, 3, 4, 5), found '9'" in shown
    assert "CB1 is not legal: the centre has no blue tile; it is empty" in shown
    assert shown.count("Nothing was played.") == 3
    assert len(az.Record.load(tmp_path / "game.txt").actions) == 0


def test_help_actions_undo_save_and_resign(tmp_path: Path) -> None:
    lines = ["help", "actions", "1B1", "undo", "undo", "save " + str(tmp_path / "other.txt"), "1B2", "resign"]
    shown = play(tmp_path, lines, "--seed", "3", "--first", "0", "--seats", "person,greedy")
    assert "3B2 takes blue from factory 3 to line 2" in shown
    assert "blue from factory 1 to line 1" in shown
    assert "there is nothing to take back yet" in shown
    assert "Computer · greedy wins" in shown
    assert len(az.Record.load(tmp_path / "other.txt").actions) == 0
    record = az.Record.load(tmp_path / "game.txt")
    assert str(record.actions[0]) == "1B2"
    assert "won by seat 1: seat 0 resigned" in str(record)


def test_going_on_with_a_saved_game(tmp_path: Path) -> None:
    play(tmp_path, ["1B1", "quit"], "--seed", "3", "--first", "0", "--seats", "person,greedy")
    actions = az.Record.load(tmp_path / "game.txt").actions
    assert len(actions) == 2
    play(tmp_path, ["undo", "quit"], "--load", str(tmp_path / "game.txt"), "--seats", "person,greedy")
    assert len(az.Record.load(tmp_path / "game.txt").actions) == 0


@pytest.mark.parametrize("game", ["azul", "pavilion", "duel"])
def test_the_terminal_speaks_the_systems_language(tmp_path: Path, game: str) -> None:
    """No Latin word but the commands and the notation, which are written as they are read."""
    command = [sys.executable, "-m", "azulejos.cli", "play", game]
    lines = ["help", "actions", "?!", "undo", "resign"]
    shown = play(tmp_path, lines, "--seed", "3", "--first", "0", command=command, LANGUAGE="", LC_ALL="uk_UA.UTF-8")
    notation = r"[a-z]+-[a-zA-Z0-9]+|\b(FILE|help|actions|hint|undo|save|resign|quit|draw|stop|leave|pass)\b|/\S+"
    assert re.findall(r"\w*[a-z]{3,}\w*", re.sub(notation, "", shown)) == []
    assert "Бот · жадібний" in shown
    assert az.Record.load(tmp_path / "game.txt").names == ("player 1", "greedy")


def test_another_language_can_be_asked_for(tmp_path: Path) -> None:
    shown = play(tmp_path, ["quit"], "--language", "fr", LANGUAGE="uk")
    assert "Vous> " in shown
    assert "Manche 1" in shown


def test_computers_play_among_themselves(tmp_path: Path) -> None:
    play(tmp_path, [], "--players", "4", "--seats", "greedy,random,greedy,random", "--seed", "1")
    assert az.Record.load(tmp_path / "game.txt").state.over


def test_letters_tell_everything_without_colour(tmp_path: Path) -> None:
    shown = play(tmp_path, ["quit"], "--seed", "3", "--first", "0")
    assert "\x1b" not in shown
    assert "factory 1   B   B   K   K" in shown
    assert "▸  b  y  r  k  w" in shown


def test_what_a_computer_player_may_keep_to_itself_is_not_shown(tmp_path: Path) -> None:
    """Duel: which plates go back under the stack."""
    duel = [sys.executable, "-m", "azulejos.cli", "play", "duel"]
    shown = play(tmp_path, [], "--seed", "4", "--seats", "random,random", command=duel)
    actions = [str(action) for action in az.Record.load(tmp_path / "game.txt").actions]
    hidden = [action for action in actions if action.startswith("under")]
    assert hidden
    assert shown.count("plate put under the stack") == len(hidden)
    assert not any(f" {action} " in shown for action in hidden)


@pytest.mark.parametrize("game", ["azul", "pavilion", "duel"])
def test_names_are_shown_as_they_are(tmp_path: Path, game: str) -> None:
    """They are no markup: on the boards, before the prompt, and in what is said."""
    command = [sys.executable, "-m", "azulejos.cli", "play", game]
    shown = play(tmp_path, ["resign"], "--names", "[/x],[red]b\\\\", "--first", "0", "--seed", "1", command=command)
    assert "▶ [/x]: " in shown
    assert "─ [red]b\\\\: " in shown
    assert "[/x]> " in shown
    assert "[red]b\\\\ wins, " in shown


def test_boards_fit_eighty_columns(tmp_path: Path) -> None:
    shown = subprocess.run(
        [*COMMAND, "--players", "4", "--save", str(tmp_path / "game.txt")],
        input="quit\n",
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "LANGUAGE": "en", "COLUMNS": "80"},
        timeout=120,
    ).stdout
    assert "▸  b  y  r  k  w  ┃  │" in shown or "▸  b  y  r  k  w  │  ┃" in shown


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupted_game_is_saved_and_said_where(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "--seed", "3", "--first", "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "LANGUAGE": "en", "XDG_DATA_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # as at a terminal, even if run in the background
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write("1B1\n")
    process.stdin.flush()
    shown = ""
    while shown.count("You> ") < 2:
        shown += process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait(30) == 0
    (file,) = (tmp_path / "azulejos" / "records").iterdir()
    assert f"The record of this game is in {file}" in rest
    assert len(az.Record.load(file).actions) == 2
    process.stdin.close()
    process.stdout.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--players", "5"], "players='5' is not possible: players is one of 2, 3, 4"),
        (["--seats", "person"], "--seats names 1 players for a game of 2"),
        (["--seats", "person,god"], "nobody is called 'god': players are random, greedy"),
        (["--first", "7"], "first=7 is not a seat: seats are 0 to 1"),
        (["--names", "Ana"], "1 names for 2 players"),
        (["--load", "no-such-file"], "No such file"),
    ],
)
def test_bad_options_are_explained(options: list[str], message: str) -> None:
    result = subprocess.run([*COMMAND, *options], capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
