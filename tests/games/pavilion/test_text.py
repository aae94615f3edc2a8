"""Summer Pavilion as text: actions, draws, positions and what is wrong with them; the terminal; what is told."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

import azulejos as az
from azulejos.games.pavilion import notation

from .boards import board, names, position

VARIANTS = list(az.registered()["pavilion"].variants())
every_variant = pytest.mark.parametrize("game", VARIANTS, ids=lambda game: game.slug)


# --- actions ---


@every_variant
def test_every_action_has_one_text_one_path_and_words(game: az.Game) -> None:
    actions = [game.action(index) for index in range(game.num_actions)]
    assert len({str(action) for action in actions}) == game.num_actions
    assert len({action.path for action in actions}) == game.num_actions
    assert len({action.words for action in actions}) == game.num_actions
    for action in actions:
        assert game.action(str(action)) == action
        parts = notation.split(game, int(action))
        assert notation.join(game, parts) == int(action)


@pytest.mark.parametrize(
    ("players", "side", "count"),
    [(2, "coloured", 301), (3, "coloured", 313), (4, "coloured", 325), (2, "plain", 913), (4, "plain", 937)],
)
def test_the_number_of_actions(players: int, side: str, count: int) -> None:
    assert az.make("pavilion", players=players, side=side).num_actions == count


@pytest.mark.parametrize(
    ("side", "text", "words", "path"),
    [
        ("coloured", "3B", "blue from factory 3", "factory-3 blue"),
        ("coloured", "CR", "red from the centre", "centre red"),
        ("coloured", "B6", "blue 6, for 6 blue", "star-blue rhombus-6 wilds-0"),
        ("coloured", "B6+2", "blue 6, for 4 blue and 2 wilds", "star-blue rhombus-6 wilds-2"),
        ("coloured", "C4R+1", "red on centre 4, for 3 red and 1 wild", "star-centre rhombus-4 red wilds-1"),
        (
            "plain",
            "NW1B+1",
            "blue on top left, position 1, for 2 blue and 1 wild",
            "star-top-left rhombus-1 blue wilds-1",
        ),
        ("plain", "C4R", "red on centre, position 4, for 3 red", "star-centre rhombus-4 red wilds-0"),
        ("plain", "E6P", "purple on right, position 6, for 6 purple", "star-right rhombus-6 purple wilds-0"),
        ("coloured", "pass", "pass", "pass"),
        ("coloured", "SG", "green from the supply", "supply green"),
        ("plain", "KY", "keep one yellow", "keep yellow"),
    ],
)
def test_how_actions_are_written_and_said(side: str, text: str, words: str, path: str) -> None:
    action = az.make("pavilion", side=side).action(text)
    assert action.words == words
    assert action.path == tuple(path.split())


@pytest.mark.parametrize(
    ("side", "text", "wrong"),
    [
        ("coloured", "", "expected a factory, a star, S, K or pass .*, found the end"),
        ("coloured", "6B", "expected a source"),
        ("coloured", "3Z", "expected a colour"),
        ("coloured", "B7", "a position is from 1 to 6"),
        ("coloured", "B06", "without leading zeros"),
        ("coloured", "B6R", "expected the end, found 'R'"),
        ("coloured", "B1+1", "a rhombus with number 1 is paid without wilds"),
        ("coloured", "B6+6", "the number of wilds is from 1 to 5"),
        ("coloured", "B6+0", "the number of wilds is from 1 to 5"),
        ("coloured", "C4", "expected a colour"),
        ("coloured", "NW1B", "expected a factory, a star"),
        ("plain", "B6", "expected a factory, a star"),
        ("plain", "NW1B+3", "the number of wilds is from 1 to 2"),
        ("plain", "C1", "expected a colour"),
        ("plain", "passs", "expected the end"),
        ("coloured", "SZ", "expected a factory, a star"),
        ("coloured", "b6", "expected a factory, a star"),
        ("coloured", "٣B", "expected a source"),
    ],
)
def test_bad_actions_are_refused_with_the_place(side: str, text: str, wrong: str) -> None:
    with pytest.raises(az.TextError, match=wrong):
        az.make("pavilion", side=side).action(text)


# --- draws ---


def test_draws_are_written_in_fours_from_the_end() -> None:
    game = az.make("pavilion")
    for text in ("", "B", "PGO", "PGOY", "R PGOY", "PG OYBR PGOY BBBB"):
        assert game.print_draws(game.parse_draws(text)) == text
    for text in ("PGOYB", "PGOY B", " B", "B ", "P  GOYB", "PGOX", "pg"):
        with pytest.raises(az.TextError):
            game.parse_draws(text)


def test_draws_that_the_bag_could_not_give_are_refused() -> None:
    game = az.make("pavilion")
    with pytest.raises(az.IllegalDraw, match="the bag has no blue tile left for factory 4; it holds"):
        game.start(draws="BB" + " BBBB" * 7)
    with pytest.raises(az.IllegalDraw, match="too little is drawn: after 4 draws another is due"):
        game.start(draws="BBBB")
    with pytest.raises(az.IllegalDraw, match="too much is drawn"):
        game.start(draws="PPG GOOY YBBR PGOY PGOY PGOY PGOY PGOY")
    refilling = position(board("O5", "OOOOOO"), board(), round_no=6).play("O6").play("SR").play("SP").play("SP")
    with pytest.raises(az.IllegalDraw, match="too much is drawn"):
        refilling.deal("BBBB")
    state = game.start(seed=1)
    with pytest.raises(az.IllegalDraw, match="nothing is to be drawn here"):
        state.draw(0)


def test_a_bag_without_a_colour_says_what_it_holds_for_the_supply() -> None:
    state = position(board("O5", "OOOOOO"), board(), round_no=6, tower="B" * 21, supply="PPGGOOYYBR")
    state = state.play("O6").play("SR").play("SP").play("SP")
    with pytest.raises(az.IllegalDraw, match="the bag has no blue tile left for the supply; it holds P"):
        state.deal("BBB")


# --- positions ---


def test_a_position_reads_as_it_is_said() -> None:
    state = position(board("B1 C4R", "PBB", score=7), board(passed=True), round_no=2, start=1)
    assert str(state) == (
        "pavilion coloured round 2 decorating seat 0 start 1 | PPGGOOYYBR | - - - - - | - | P19G20O20Y20B18R20 | - "
        "| 7 PBB ....../....../B...../....../....../....../...R.. | 5 - "
        "....../....../....../....../....../....../...... passed"
    )


def test_positions_in_the_middle_of_choosing_survive_their_text() -> None:
    choosing = position(board("O5", "OOOOOO"), board(), round_no=6).play("O6").play("SR")
    assert str(choosing).startswith("pavilion coloured round 6 bonus 2 seat 0 start 0 | PPGGOOYYB |")
    keeping = position(board(hand="PPGGBBRR"), board()).play("pass").play("KP").play("KG")
    assert " PG:PGBBRR " in str(keeping)
    refilling = choosing.play("SP").play("SP")
    assert str(refilling).startswith("pavilion coloured round 6 refill seat 1 start 0 | GGOOYYB |")
    for state in (choosing, keeping, refilling, refilling.draw(3)):
        assert az.parse(str(state)) == state
        assert names(az.parse(str(state))) == names(state)


GOOD = str(position(board("B1 C4R", "PBB", score=6), board(hand="GG", passed=True), round_no=2))
TAKING = str(position(phase="taking seat 0", factories="PGOY BBRR - - -", centre="1OY", round_no=2))
BONUS = str(position(board("O5", "OOOOOO"), board(), round_no=6).play("O6"))
KEEPING = str(position(board(hand="PPGGBBRR"), board()).play("pass").play("KP"))
REFILL = str(az.parse(BONUS).play("SR").play("SP").play("SP"))
OVER = str(position(board(), board(passed=True), round_no=6).play("pass"))
DEAL = str(position(board(), board(passed=True), round_no=1).play("pass").draw(0))


@pytest.mark.parametrize(
    ("text", "old", "new", "wrong"),
    [
        (GOOD, "coloured", "grey", "expected the side"),
        (GOOD, "round 2", "round 7", "the round is from 1 to 6"),
        (GOOD, "decorating", "dancing", "expected the phase"),
        (GOOD, "seat 0", "seat 2", "seat 2 does not exist"),
        (GOOD, "start 0", "start 3", "start 3 does not exist"),
        (GOOD, "PPGGOOYYBR", "PPGGOOYYRB", "tiles are written in the order PGOYBR"),
        (GOOD, "PPGGOOYYBR", "PPGGOOYYBRR", "more than 10 tiles in one place"),
        (GOOD, "PPGGOOYYBR", "PPGGOOYYBX", "expected a colour"),
        (GOOD, "- - - - -", "- - - -", "expected 5, 7 or 9 factories, found 4"),
        (GOOD, "P19", "P18", "there are 21 purple tiles; there must be 22"),
        (GOOD, "P19", "P019", "without leading zeros"),
        (GOOD, "P19G18", "G18P19", "colours come once each, in the order PGOYBR"),
        (GOOD, "| 6 PBB", "| 0 PBB", "the score of seat 0 is below 1"),
        (GOOD, "| 6 PBB", "| 8 PBB", "the tiles of seat 0 can have scored at most 7"),
        (GOOD, "...R..", "...R.", "expected a colour or '.'"),
        (GOOD, "...R..", "...RR.", "the centre star of seat 0 has one of several colours twice"),
        (GOOD, "/B.....", "/R.....", "the blue star takes B only"),
        (GOOD, " passed", " Passed", "expected the end"),
        (GOOD, "PBB", "PBB:", "expected ' '"),
        (GOOD, "seat 0", "seat 1", "seat 1 cannot both go on and have passed"),
        (GOOD, "| - | P19", "| P | P18", "tiles are left to take, but the taking is over"),
        (GOOD, "| - | P19", "| 1 | P19", "the start token lies in the centre, but the taking is over"),
        (GOOD, "PPGGOOYYBR | - - - - - | - | P19", "PGGOOYYBR | - - - - - | - | P20", "the supply is not full, but"),
        (GOOD, "decorating seat 0", "over", "somebody has passed, but nobody is decorating"),
        (TAKING, "PGOY BBRR - - - | 1OY", "- - - - - | 1", "there are 21 purple tiles"),
        (TAKING, "1OY", "1-", "a centre that holds only the token is written 1"),
        (TAKING, "| PGOY", "| PGO", "there are 21 yellow tiles"),
        (TAKING, "PGOY BBRR - - - | 1OY", "PGO BBRR - - - | 1OYY", "factory 1 holds 3 tiles, but there were more"),
        (TAKING, "BBRR", "BBRRR", "more than 4 tiles in one place"),
        (TAKING, "taking seat 0", "decorating seat 0", "the start token lies in the centre"),
        (BONUS, "bonus 3", "bonus 4", "the number of tiles to choose is from 1 to 3"),
        (BONUS, "....OO", "O...O.", "seat 0 has surrounded nothing"),
        (KEEPING, "P:PGGBBRR", "PGGB:PBRR", "4 tiles are kept"),
        (KEEPING, "P:PGGBBRR", "PPGGBBRR", "expected ':' between the tiles kept and the others"),
        (KEEPING, "P:PGGBBRR", "R:PPGGBBR", "seat 0 has no choice of tiles to keep"),
        (KEEPING, "round 1", "round 6", "in the last round there is nothing to choose when passing"),
        (REFILL, "refill seat 1", "decorating seat 1", "the supply is not full, but"),
        (OVER, "round 6", "round 5", "the game ends after round 6"),
        (DEAL, "| P - - - - |", "| - P - - - |", "factories are filled one after another"),
        (DEAL, "| 1 |", "| - |", "the start token lies in the centre during a deal"),
    ],
)
def test_positions_that_cannot_be_are_refused_and_say_why(text: str, old: str, new: str, wrong: str) -> None:
    assert old in text
    with pytest.raises(az.TextError, match=re.escape(wrong)):
        az.parse(text.replace(old, new, 1))


def test_derived_fields_are_checked() -> None:
    state = az.parse(GOOD)
    for field, wrong in [
        ("filled", "the filled rhombi of seat 0 are wrong"),
        ("open", "the colours that the stars of seat 0 take are wrong"),
        ("stock", "the supply holds 11 tiles"),
        ("left", "the number of tiles left to take is wrong"),
        ("dealt", "tiles have been dealt outside a deal"),
        ("picks", "there is nothing to choose"),
        ("kept", "there are 23 purple tiles"),
    ]:
        array = state.array()
        values = array[0][field]
        if values.shape:
            values[0] ^= 1 << 20
        else:
            array[0][field] += 1
        found = state.game.check(az.State(state.game, array))
        assert found is not None
        assert wrong in found


# --- what is told, and the terminal ---


def told(state: az.State, action: str, draws: str = "") -> list[str]:
    game = state.game
    events = game.story(state, action, game.read_draws(draws))
    return [words for event in events if (words := game.say_event(event))]


def test_each_score_is_told_with_its_reason() -> None:
    state = position(board("B4 B5", "BBBPPP"), board())
    assert told(state, "B6+3") == ["blue 6: 3 points for a segment of 3", "window of blue: 3 tiles from the supply"]
    state = position(board("O1 O3 C6G C1R R3 R4", "OO"), board())
    assert told(state, "O2") == [
        "orange 2: 3 points for a segment of 3",
        "pillar of orange: 1 tile from the supply",
        "statue between orange and red: 2 tiles from the supply",
    ]
    taking = position(phase="taking seat 0", centre="1PPYYY")
    assert told(taking, "CY") == ["and one purple, which is wild", "start token taken: −4"]
    keeping = position(board(hand="GGGGRR"), board())
    assert told(keeping, "pass") == ["one green kept", "one green kept"]
    assert told(keeping.play("pass").play("KG"), "KG") == ["2 tiles to the tower: −2"]
    last = position(board("B1 B2 B3 B4 B5 B6", "GR"), board(passed=True), round_no=6)
    assert told(last, "pass") == ["blue star full: +15", "2 tiles left over: −2"]
    short = position(board("O5", hand="O" * 6), board(), supply="GY", rest="hand", round_no=6)
    assert told(short, "O6")[1:] == [
        "window of orange: 3 tiles from the supply",
        "the supply has only 2 tiles",
        "from the supply: green",
        "from the supply: yellow",
    ]


@every_variant
def test_what_is_told_explains_every_point(game: az.Game) -> None:
    """5, and whatever was told to have been won and lost, is the final score."""
    state, explained = game.start(seed=8), [5] * game.players
    while not state.over:
        action = state.actions[state.round * 5 % len(state.actions)]
        for event in game.story(state, action):
            if "points" in event.values:
                lost = event.kind in ("token", "discard", "left over")
                explained[event.seat] += -event.points if lost else event.points
                assert str(event.points) in (game.say_event(event) or "")
        state = state.play(action)
    assert tuple(explained) == state.scores


def drawn(state: az.State, width: int = 80) -> str:
    console = Console(width=width, color_system=None, force_terminal=True)
    with console.capture() as capture:
        console.print(state.game.show(state, ["Ana", "Ben", "Cleo", "Dan"][: state.game.players]))
    return capture.get()


def test_the_drawing_tells_numbers_tiles_and_names_apart_without_colour() -> None:
    state = position(board("O1 O6 C4R", "PPB"), board(passed=True), round_no=2, start=1)
    text = drawn(state)
    assert max(map(len, text.splitlines())) <= 80
    mine = [line[2:37] for line in text.splitlines() if line.startswith("┃")]
    assert mine[0].split() == ["[O]", "5"], "orange 6 and red 5 point up"
    assert mine[1].split() == ["5", "O", "[O]", "4", "R", "6"]
    assert "[R]" in mine[7]
    assert mine[13].split() == ["tiles", "PP", "B"]
    assert "passed" in text
    assert "Round 2 · wild colour: green  G" in text


def test_the_plain_side_shows_positions_and_numbers() -> None:
    text = drawn(position(board("NW1B", side="plain"), board(side="plain"), side="plain"))
    mine = [line[2:37] for line in text.splitlines() if line.startswith("┃")]
    assert mine[1].split() == ["5:5", "NW", "[B]", "4:4", "NE", "6:6"]
    assert mine[4].split() == ["1:3", "1:3", "4:4"]


@every_variant
def test_every_position_of_a_game_can_be_drawn(game: az.Game) -> None:
    state = game.start(seed=3)
    while not state.over:
        if len(state.actions) % 3 == 0:
            assert "▶" in drawn(state)
        state = state.play(state.actions[len(state.actions) // 2])
    assert "▶" not in drawn(state)


def test_drawing_shows_what_is_being_chosen_and_what_is_surrounded() -> None:
    assert "choose 3 tiles from the supply" in drawn(az.parse(BONUS))
    assert "windows O" in drawn(az.parse(BONUS))
    assert "choose 3 tiles to keep" in drawn(az.parse(KEEPING))
    assert re.search(r"kept +P ", drawn(az.parse(KEEPING)))


@pytest.mark.parametrize("side", ["coloured", "plain"])
def test_two_people_play_a_whole_game_at_the_terminal(side: str, tmp_path: Path) -> None:
    state, lines = az.make("pavilion", side=side).start(seed=4, first=0), ["help", "actions"]
    while not state.over:
        action = state.actions[len(lines) * 7 % len(state.actions)]
        lines.append(str(action))
        state = state.play(action)
    options = f"--side {side} --seed 4 --first 0 --seats person,person --names Ana,Ben --save {tmp_path / 'game.txt'}"
    result = subprocess.run(
        [sys.executable, "-m", "azulejos.cli", "play", "pavilion", *options.split()],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "LANGUAGE": "en", "COLUMNS": "80"},
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert az.Record.load(tmp_path / "game.txt").state == state
    assert f" wins, {max(state.scores)}\u00a0: {min(state.scores)}" in result.stdout
    assert "points for a segment of" in result.stdout
    assert "left over: −" in result.stdout


# --- looking ahead ---


def test_projected_lays_what_can_be_paid_and_pays_for_what_is_left() -> None:
    """Blue 1, 2, 3 for six of the blue tiles: 1 + 2 + 3; centre 1 for the seventh: 1. Of six green four may be kept."""
    state = position(board(hand="B" * 7), board(hand="GGG", passed=True), round_no=3)
    assert state.projected == (5 + 1 + 2 + 3 + 1, 5)
    keeping = position(board(hand="GGGGRR"), board()).play("pass")
    assert keeping.projected == (5 - 2, 5)


def test_projected_counts_full_stars_and_numbers() -> None:
    state = position(board("B1 B2 B3 B5 B6", "BBBB"), board(), round_no=2)
    assert state.projected == (5 + 6 + 15, 5)


def test_projected_in_the_last_round_counts_tiles_left_over() -> None:
    state = position(board(), board(hand="BBB", passed=True), round_no=6)
    assert state.projected == (5, 5 - 3)


def test_projected_is_never_below_1_and_is_the_score_at_the_end() -> None:
    state = position(board(hand=""), board(hand="RRRR", score=2, passed=True), round_no=6)
    assert state.projected[1] == 1
    assert state.play("pass").projected == state.play("pass").scores


def test_projected_does_not_change_the_state() -> None:
    state = position(board(hand="PPGGBBRRRR"), board())
    array = state.array()
    assert [int(notation.RULES.projected(array[0], seat)) for seat in range(2)] == list(state.projected)
    assert array.tobytes() == state.array().tobytes()
