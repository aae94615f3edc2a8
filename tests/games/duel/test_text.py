"""Azul Duel as text: actions, draws, positions, words, and what is refused."""

import random

import pytest
from rich.console import Console

import azulejos as az

from .positions import Board, decorate, position
from .test_rules import FIRST_DRAWS, act, first_deal, fresh

GAME = az.make("duel")
ONE_MISSING = Board(lines="-/-/Y2/-/-/-", dome={4: "skyb@sw"}, chips="Y2")


# --- actions ---


@pytest.mark.parametrize(
    ("text", "words", "path"),
    [
        ("3B2", "blue from the sun of factory 3 to line 2", ("factory-3", "blue", "line-2")),
        (
            "LT-",
            "turquoise from the sun of the large factory to the broken tiles",
            ("large-factory", "turquoise", "broken"),
        ),
        ("MK6", "black from the moons to line 6", ("moons", "black", "line-6")),
        ("chip-4", "take the chip of factory 4", ("factory-4", "chip")),
        ("plate-sTYK", "take the special plate (turquoise, yellow, black)", ("plate-sTYK",)),
        ("plate-jTYK", "take the joker plate (turquoise, yellow, black)", ("plate-jTYK",)),
        ("draw", "pay a point and draw a plate from the stack, unseen", ("stack",)),
        ("stop", "stop drawing and look at the plates", ("hand",)),
        ("lay-5ne", "lay the plate on square 5, its slot upper right", ("square-5", "ne")),
        ("pile-R", "red next on the pile, from the bottom", ("red", "pile")),
        ("2@4", "tile of line 2 to column 4", ("line-2", "column-4")),
        ("leave", "leave the line as it is", ("leave",)),
        ("spend-10", "complete the line with 10 chips", ("chips", "10")),
        ("pay-KB", "spend a black–blue chip", ("chip-KB",)),
    ],
)
def test_actions_in_text_words_and_picks(text: str, words: str, path: tuple[str, ...]) -> None:
    action = GAME.action(text)
    assert (str(action), action.words, action.path) == (text, words, path)


def test_integers_of_actions() -> None:
    """They are in the documentation, and records and networks depend on them."""
    firsts = ["LB-", "1B-", "MB-", "chip-1", "plate-sTYK", "draw", "stop", "under-sTYK", "lay-1nw", "pile-B", "1@1"]
    firsts += ["leave", "spend-2", "pay-B", "pay-KB"]
    assert [int(GAME.action(text)) for text in firsts] == [
        0, 35, 175, 210, 214, 232, 233, 234, 252, 288, 293, 329, 330, 339, 348,
    ]  # fmt: skip


JUNK = """
5B1 3B7 3W1 3B 3B22 chip-5 chip-0 plate-TYK plate-sYRT draws lay-0ne lay-5n lay-10ne pile- 7@1 1@7 1@ spend-1 spend-11
spend-02 pay-RB LEAVE under- m -
"""


@pytest.mark.parametrize("text", ["", *JUNK.split()])
def test_junk_actions(text: str) -> None:
    with pytest.raises(az.TextError):
        GAME.action(text)


def test_why_not_is_said_for_every_action_that_is_not_legal() -> None:
    chooser = random.Random(5)
    state = GAME.start(seed=5)
    while not state.over:
        for index in chooser.sample(range(GAME.num_actions), 40):
            if index not in state.actions:
                assert GAME.explain(state, index)
        state = state.play(chooser.choice(list(state.actions)))


@pytest.mark.parametrize(
    ("state", "action", "why"),
    [
        (first_deal(), "1B1", "takes one of the open plates as opening plate now"),
        (first_deal(), "plate-jYRT", "jYRT is not among the plates of the display: sTYK sRTK jKBR"),
        (act(), "1T1", "the sun of factory 1 has no turquoise tile to be taken; there is BBYR"),
        (act(), "MB1", "the moons have no blue tile to be taken; there is -"),
        (act(), "chip-1", "the chip of factory 1 is face down while tiles lie on the factory"),
        (act(), "stop", "takes a plate, tiles or a chip now"),
        (act(), "lay-1nw", "takes a plate, tiles or a chip now"),
        (act().play("1R2"), "pile-R", "no red tile is left for the pile; there is BBY"),
        (act().play("plate-sTYK"), "lay-9nw", "square 9 has a plate already"),
        (decorate(ONE_MISSING)[0], "spend-3", "line 3 cannot be completed with 3 chips of Y2"),
    ],
)
def test_why_not(state: az.State, action: str, why: str) -> None:
    with pytest.raises(az.IllegalAction, match=why):
        state.play(action)


# --- draws ---


def test_draws_are_written_as_they_fall() -> None:
    drawn = GAME.parse_draws(FIRST_DRAWS)
    assert len(drawn) == 4 + 21
    assert GAME.print_draws(drawn) == FIRST_DRAWS
    assert GAME.parse_draws("") == ()
    many = "ring specials top-s sTYK chip-B chip-KB BYRKT BBBB B top-j BBBBB BYRKT BBBB"
    assert GAME.print_draws(GAME.parse_draws(many)) == many


@pytest.mark.parametrize(
    "text", ["BYRKTB", "BYRK T", "x", "chip-", "top-x", "sTYK  jTYK", " ", "BYRKT ", "towers", "sTYKB"]
)
def test_junk_draws(text: str) -> None:
    with pytest.raises(az.TextError):
        GAME.parse_draws(text)


def test_draws_that_cannot_be() -> None:
    state = GAME.lay_out(0)
    with pytest.raises(az.IllegalDraw, match="a plate is to be turned up"):
        state.deal("BYRKT")
    with pytest.raises(az.IllegalDraw, match="one of sRTK sKBR"):
        state.deal("sTYK sTYK")
    with pytest.raises(az.IllegalDraw, match="the kind of the stack's top"):
        state.deal("sTYK sRTK sKBR B")
    with pytest.raises(az.IllegalDraw, match="too little"):
        state.deal("sTYK sRTK sKBR top-s BYRKT")
    with pytest.raises(az.IllegalDraw, match="too much"):
        state.deal(FIRST_DRAWS + " chip-B")
    with pytest.raises(az.IllegalDraw, match="a chip is to be turned up"):
        act().play("3R5", "B")
    scarce = position(
        "deal awaits tile",
        fresh(),
        fresh(),
        factories="-/1 -/-/? -/-/? -/-/? -/-/?",
        round_no=3,
        display="sTYK sRTK sKBR",
        bag="B1",
        tower="B12Y13R13K13T13",
    )
    with pytest.raises(az.IllegalDraw, match="no turquoise tile left; it holds B"):
        scarce.draw(4)
    with pytest.raises(az.IllegalDraw, match="side of a tablet"):
        az.make("duel", tablets=3).lay_out(0).deal("rows colours")


def test_every_outcome_that_cannot_be_is_explained() -> None:
    state = az.make("duel", tablets=4).lay_out(0)
    chooser = random.Random(1)
    for _ in range(60):
        if state.awaits_draw:
            chances = state.chances()
            for drawn in range(state.game.num_outcomes):
                if drawn not in chances:
                    assert state.game.explain_draw(state, drawn)
            state = state.draw(chooser.choice(list(chances)))
        else:
            state = state.play(chooser.choice(list(state.actions)))


# --- positions ---


def test_a_position_reads_as_it_is_documented() -> None:
    text = (
        "duel rows,columns,diagonals round 2 seat 0 start 1"
        " | sTYK sRTK | s8,jTYK:0 | - | -/1BYR BBYR/-/? -/KTT/? -/-/BR -/-/-"
        " | B9Y8R10K11T11 | - | B2Y1R2K2T1BR1RT2TY2YK1"
        " | 7 t2 c1 B1/-/Y2/-/-/- .,sKyb@ne,./.,Rtby@nw,./.,.,jyrb@sw - Y1"
        " | 5 t1 c0 -/-/-/-/-/- jbkt@nw,.,./jrky@nw,.,./jbtr@se,.,jkbr@nw Y1 -"
    )
    state = az.parse(text)
    assert str(state) == text
    data = state.to_dict()
    assert data["display"] == ["sTYK", "sRTK"]
    assert data["stack"] == {"top": "special", "plates": [None] * 8 + ["jTYK"]}
    assert data["factories"][1] == {"sun": {}, "moon": ["black", "turquoise", "turquoise"], "chip": "face down"}
    assert data["factories"][2]["chip"] == "BR"
    assert data["boards"][0]["dome"][1] == {
        "plate": "sKYB",
        "slot": "ne",
        "slots": ["blue", "special", "black", "yellow"],
        "tiles": [None, None, "black", None],
    }
    assert data["boards"][0]["dome"][4]["tiles"] == ["red", None, None, None]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("duel rows,columns", "duel rows,colours", "a tablet lies on one side only"),
        ("duel rows,columns,diagonals", "duel rows,columns", "three or four tablets"),
        ("rows,columns", "columns,rows", "in the order"),
        ("round 2", "round 6", "the round is from 1 to 5"),
        ("seat 0 start", "seat 2 start", "a seat is from 0 to 1"),
        ("sTYK sRTK sKBR", "sRTK sTYK sKBR", "open plates come in the order"),
        ("sTYK sRTK sKBR", "sTYK sRTK sYRT", "expected a plate"),
        ("| s9 |", "| 9 |", "the kind of the stack's top is seen at once"),
        ("| s9 |", "| s8 |", "there are 17 plates"),
        ("| s9 |", "| s4,5 |", "one number"),
        ("| s9 |", "| s8,sKYB |", "expected ':'"),
        ("| s9 |", "| s8,sTYK:0 |", "sTYK is in more than one place"),
        ("BBYRK/1 ", "BBYRK/- ", "there are 0 start tiles"),
        ("BBYRK/1 ", "-/1BBYRK ", "more than 4 tiles in one place"),
        ("BBYR/-/?", "BBYR/-/KB", "in this position it must be 15"),
        ("BBYR/-/?", "BBY/-/?", "blue|red tiles"),
        ("BBYR/-/?", "BBYR/K/?", "black tiles"),
        (" - - | 20", " B5 - | 20", "at most 4 tiles"),
        ("t2 c0 -/-/-/-/-/-", "t1 c0 -/-/-/-/-/-", "in this position it must be 4"),
        ("t2 c0 -/-/-/-/-/-", "t2 c1 -/-/-/-/-/-", "not those taken in this round"),
        ("t2 c0 -/-/-/-/-/-", "t2 c0 B2/-/-/-/-/-", "the number of tiles in line 1 is from 1 to 1"),
        ("@nw", "@n", "corner"),
        ("jyrb@nw", "jyrbb@nw", "'@'"),
        ("jyrb@nw", "jYrb@nw", "yellow tiles"),
        ("jyrb@nw", "jyyy@nw", "no such plate"),
    ],
)
def test_positions_that_are_badly_written_or_impossible(old: str, new: str, message: str) -> None:
    text = str(act(stack="s9"))
    assert old in text
    with pytest.raises(az.TextError, match=message):
        az.parse(text.replace(old, new, 1))


def test_positions_in_the_middle_of_a_turn_and_of_a_deal_survive_their_text() -> None:
    game, chooser = az.make("duel", tablets=4), random.Random(9)
    state = game.lay_out(1)
    met = set()
    while not state.over:
        assert az.parse(str(state)) == state
        met.add((int(state.record.phase), int(state.record.due)))
        if state.awaits_draw:
            state = state.draw(chooser.choice(list(state.chances())))
        else:
            eager = [action for action in state.actions if str(action) in ("draw", "spend-4", "spend-3")]
            state = state.play(chooser.choice(eager or list(state.actions)))
    assert az.parse(str(state)) == state
    assert len(met) > 15


# --- words and pictures ---


def test_every_score_is_told() -> None:
    """The points that are told add up to the points that are had."""
    for seed in range(3):
        state, chooser = GAME.start(seed=seed), random.Random(seed)
        told = [5, 5]
        while not state.over:
            action = chooser.choice(list(state.actions))
            after = state.play(action)
            for event in GAME.story(state, action, after.drawn):
                match event.kind:
                    case "tile" | "special" | "bonus" | "floor":
                        told[event.seat] += event.points
                        assert GAME.say_event(event)
                    case "penalty" | "start tile penalty" | "blind":
                        told[event.seat] -= event.points
                        assert GAME.say_event(event)
            state = after
            assert tuple(told) == state.scores


def test_what_one_seat_has_seen_is_not_said() -> None:
    state = act(stack="s9").play("draw", "top-s").play("draw", "top-s")
    stopped = state.play("stop", "sKYB sBTR")
    said = [GAME.say_event(event) for event in GAME.story(state, "stop", stopped.drawn)]
    said += [GAME.say_event(event) for event in GAME.story(stopped, "plate-sKYB")]
    assert not [words for words in said if words and "sBTR" in words]


def shown(state: az.State) -> str:
    console = Console(width=80, no_color=True)
    with console.capture() as capture:
        console.print(state.game.show(state, ["Ana", "Ben"]))
    return capture.get()


def test_the_terminal_shows_plates_rotations_piles_and_chips_without_colour() -> None:
    state = act(
        fresh(dome={1: "SKYB@ne", 2: "Rtby@sw"}, broken="R2", chips="Y1BR1", lines="-/Y1/-/-/-/-"),
        fresh(),
        factories="-/1BBY -/KTY/? -/-/BR BYKT/-/? RRRR/-/?",
        stack="s9",
    )
    text = shown(state)
    assert "▸ Y  / T / K" in text
    assert "[BR]" in text
    assert "face down" in text
    assert "stack of 9 plates" in text
    assert "special plate on top" in text
    lines = [line for line in text.split("\n") if "▸" in line and "┃" in line]
    assert " B ★  t b " in lines[0]
    assert " Y K  R y " in lines[1]
    assert "▶ Ana: 20" in text
    assert "Y1BR1" in text
    assert "☆ t" in text
    assert max(map(len, text.split("\n"))) <= 80


def test_the_terminal_shows_the_hand_and_what_is_hidden() -> None:
    state = act(stack="s9").play("draw", "top-s").play("draw", "top-s").play("stop", "sKYB sBTR")
    assert "sKYB" in shown(state)
    assert "(unseen)" in shown(state.view(1))
    assert "sKYB" not in shown(state.view(1))
    assert "to lay" in shown(state.play("plate-sKYB"))
