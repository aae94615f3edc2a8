"""Records: what is written is what was played, and nothing else can be read."""

from pathlib import Path

import pytest

import azulejos as az

GAME = az.make("azul")
DEAL = "BYRK BBWW RRKK YYYW BYRK"


def short() -> az.Record:
    record = az.Record(GAME.start(seed=1, first=0, draws=DEAL), names=["Ana", "Ben"], date="2026-11-15")
    for action in ("2B2", "CW2", "3R3"):
        record.play(action)
    return record


def test_a_record_reads_like_this() -> None:
    assert str(short()) == (
        "azulejos record 1\n"
        "game: azul\n"
        "players: 2\n"
        "wall: coloured\n"
        "rules: 1\n"
        "date: 2026-11-15\n"
        "seat 0: Ana\n"
        "seat 1: Ben\n"
        "first: 0\n"
        "result: unfinished\n"
        "\n"
        "round 1\n"
        "draw BYRK BBWW RRKK YYYW BYRK\n"
        "play 2B2 CW2 3R3\n"
    )


def test_saving_and_loading(tmp_path: Path) -> None:
    record = short()
    record.save(tmp_path / "game.txt")
    loaded = az.Record.load(tmp_path / "game.txt")
    assert loaded == record
    assert loaded.names == ("Ana", "Ben")
    assert list(loaded.states()) == list(record.states())
    assert [str(action) for action in loaded.actions] == ["2B2", "CW2", "3R3"]


def test_a_record_may_begin_anywhere() -> None:
    record = az.Record(short().state)
    record.play("4Y3")
    again = az.Record.parse(str(record))
    assert again == record
    assert again.state == record.state
    assert "position: azul coloured round 1 seat 1" in str(record)


def test_undo() -> None:
    record = short()
    states = list(record.states())
    assert record.undo() == states[-2]
    assert record.undo(2) == states[0]
    with pytest.raises(az.OptionError, match="1 actions cannot be taken back: 0 were played"):
        record.undo()
    assert record.play("2B2") == states[1]


def test_undo_over_the_end_of_a_round_draws_the_same_tiles_again() -> None:
    record = az.Record(GAME.start(seed=1))
    while record.state.round == 1:
        record.play(record.state.actions[0])
    after = record.state
    record.undo()
    assert record.play(record.state.actions[0]) == after


def test_resigning_ends_a_play_and_is_written_down() -> None:
    record = short()
    record.resign(0)
    assert record.outcome == az.Outcome((0, 0), (1,))
    assert "result: 0 0, won by seat 1: seat 0 resigned\n" in str(record)
    assert az.Record.parse(str(record)) == record
    with pytest.raises(az.OptionError, match="this play has ended: seat 0 resigned"):
        record.play("4Y2")
    record.undo()
    assert record.outcome is None


def test_a_play_that_ended_by_its_rules_cannot_be_ended_again() -> None:
    record = az.Record(GAME.start(seed=3))
    while not record.state.over:
        record.play(record.state.actions[-1])
    with pytest.raises(az.OptionError, match="has ended by its rules"):
        record.resign(0)
    assert record.outcome == record.state.outcome


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("azulejos record 1", "azulejos record 2", "line 1: a record begins with"),
        ("game: azul", "game: chess", "line 2: there is no game 'chess'"),
        ("players: 2", "players: 7", "line 3: players='7' is not possible"),
        ("rules: 1", "rules: 2", "line 5: this version knows the rules of azul in version 1 only"),
        ("2026-11-15", "yesterday", "line 6: 'yesterday' is not a date"),
        ("seat 0: Ana", "seat 0:  ", "line 7: ' ' is not a name"),
        ("first: 0", "first: 2", "line 9: the start player is a seat, 0 to 1"),
        ("unfinished", "0 0, won by seat 0", "line 10: the result of these actions is 'unfinished'"),
        ("round 1", "round 2", "line 12: this is round 1"),
        ("draw BYRK", "draw BYRZ", "line 13: expected a colour"),
        ("draw BYRK BBWW", "draw BBBB", "line 13: too little is drawn"),
        ("2B2", "2Y2", "line 14: 2Y2 is not legal: factory 2 has no yellow tile"),
        ("3R3\n", "3R3\nscores 1 1\n", "line 15: the scores are 0 0 here"),
        ("3R3\n", "3R3\ndraw BBBB\n", "line 15: nothing is to be drawn here"),
        ("3R3\n", "3R3\nthink hard\n", "line 15: expected 'round', 'draw', 'play' or 'scores'"),
        ("draw BYRK BBWW RRKK YYYW BYRK\n", "", "line 13: 2B2 cannot be played: a draw is awaited"),
    ],
)
def test_errors_name_the_line(old: str, new: str, message: str) -> None:
    with pytest.raises(az.TextError) as caught:
        az.Record.parse(str(short()).replace(old, new, 1))
    assert message in str(caught.value)


def test_errors_point_at_the_place() -> None:
    with pytest.raises(az.TextError) as caught:
        az.Record.parse(str(short()).replace("CW2", "CW9", 1))
    assert str(caught.value).split("\n")[1:] == ["  play 2B2 CW9 3R3", "             ^"]


def test_names_are_one_line_of_text_for_each_seat() -> None:
    for names in (["Ana"], ["Ana", "B\nen"], ["Ana", ""], ["Ana", " Ben"]):
        with pytest.raises(az.OptionError):
            az.Record(GAME.start(seed=1), names=names)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"\xff\xfe")
    with pytest.raises(az.TextError, match="UTF-8"):
        az.Record.load(tmp_path / "bad")
