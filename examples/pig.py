"""Pig, an old game with one die, as a game of its own beside the package. `docs/adding-a-game.md` walks through it.

Roll the die as often as you like: its points add up, but a one takes them all and ends your turn. Hold, and the points
are yours. Whoever first has as many as the goal wins.

    azulejos --import examples.pig play pig
"""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from rich.text import Text

import azulejos as az
from azulejos.core.compiling import rule, tell
from azulejos.core.events import Event, Events
from azulejos.core.fields import Fields, Layout
from azulejos.core.kernels import CHANCE, OVER
from azulejos.core.modules import Modules
from azulejos.core.observation import Field, ObservationSpec
from azulejos.core.text import Reader
from azulejos.drawing.scene import TALL, WIDE, Look, Picture, Seat, caption, place, ring
from azulejos.drawing.svg import Markup, element, join, move, words

# --- tables ---

MOST_PLAYERS, MOST_GOAL, SIDES = 4, 100, 6
ACTIONS = ("roll", "hold")
ROLL, HOLD = 0, 1

EVENTS = Events()
ROLLED = EVENTS.add("roll", "seat", "pips")
LOST = EVENTS.add("lose", "seat", "points")
HELD = EVENTS.add("hold", "seat", "points")

# --- rules: outcome 0 is a one, and so on ---

_FIELDS = [
    ("score", np.int16, MOST_PLAYERS),  # every game has this field and round_no
    ("round_no", np.int16),
    ("goal", np.int16),
    ("points", np.int16),  # of this turn so far
    ("players", np.int8),
    ("seat", np.int8),
    ("start", np.int8),
    ("rolling", np.int8),  # 1 while the die is in the air
]
STATE = np.dtype((np.record, _FIELDS))


@rule
def setup(state, option_codes, first):
    for seat in range(MOST_PLAYERS):
        state.score[seat] = 0
    state.round_no = 1
    state.points = state.rolling = 0
    state.players, state.goal = option_codes[0], option_codes[1]
    state.seat = state.start = first


@rule
def turn(state):
    if state.rolling:
        return CHANCE
    for seat in range(state.players):
        if state.score[seat] >= state.goal:
            return OVER
    return np.int64(state.seat)


@rule
def legal(state, out):
    count = 0
    if state.score[state.seat] + state.points < state.goal:  # whoever has enough holds
        out[count] = ROLL
        count += 1
    if state.points:
        out[count] = HOLD
        count += 1
    return count


@rule
def apply(state, action):
    if action == ROLL:
        state.rolling = 1
        return
    tell(HELD, state.seat, state.points, 0, 0)
    state.score[state.seat] += state.points
    pass_turn(state)


@rule
def ways(state):
    return SIDES


@rule
def outcome(state, way):
    return way


@rule
def draw(state, drawn):
    state.rolling = 0
    tell(ROLLED, state.seat, drawn + 1, 0, 0)
    if drawn == 0:
        tell(LOST, state.seat, state.points, 0, 0)
        pass_turn(state)
    else:
        state.points += drawn + 1


@rule
def pass_turn(state):
    state.points = 0
    if state.score[state.seat] < state.goal:
        state.seat = (state.seat + 1) % state.players
        state.round_no += state.seat == state.start


@rule
def projected(state, seat):
    return np.int64(state.score[seat]) + (np.int64(state.points) if seat == state.seat else 0)


# --- judgement: the search looks to the end of the round; ten points make a seat about four times as likely to win ---

WEIGHTS = np.array([[0.14]])


@rule
def stage(state):
    return np.int64(state.round_no)


@rule
def standing(state, seat):
    return np.int64(state.score[seat])


# --- observation ---

SPEC = ObservationSpec(
    (
        Field("players", (), MOST_PLAYERS - 2, "players, less 2", True),
        Field("goal", (), MOST_GOAL, "points to win with"),
        Field("turn", (), MOST_PLAYERS - 1, "whose turn it is, counted from the seat that looks", True),
        Field("points", (), MOST_GOAL + SIDES, "of this turn so far"),
        Field("scores", (MOST_PLAYERS,), MOST_GOAL + SIDES, "from the seat that looks on"),
    )
)


@rule
def observe(state, seat, out):
    players = np.int64(state.players)
    out[0] = players - 2
    out[1] = state.goal
    out[2] = (state.seat - seat + players) % players
    out[3] = state.points
    for k in range(MOST_PLAYERS):
        out[4 + k] = state.score[(seat + k) % players] if k < players else 0


# --- notation: actions, draws and events as text ---

HELP = "roll: roll the die. hold: keep the points."


def print_action(game: az.Game, index: int) -> str:
    return ACTIONS[index]


def parse_action(game: az.Game, text: str) -> int:
    reader = Reader(text)
    index = reader.one_of({word: index for index, word in enumerate(ACTIONS)}, "an action")
    reader.end()
    return index


def say_action(game: az.Game, index: int) -> str:
    return ("roll the die", "keep the points")[index]


def path(game: az.Game, index: int) -> tuple[str, ...]:
    return (ACTIONS[index],)


def explain(state: az.State, index: int) -> str:
    return "there are no points to keep; roll" if index == HOLD else f"{state.fields.goal} points are reached; hold"


def say_event(game: az.Game, event: Event) -> str | None:
    match event.kind:
        case "roll":
            return f"rolls a {event.pips}"
        case "lose":
            return f"loses {event.points} points"
        case _:
            return f"keeps {event.points} points"


def print_draws(game: az.Game, outcomes: Sequence[int]) -> str:
    return " ".join(str(drawn + 1) for drawn in outcomes)


def parse_draws(game: az.Game, text: str) -> tuple[int, ...]:
    reader, drawn = Reader(text), list[int]()
    while not drawn or reader.accept(" "):
        drawn.append(reader.number("a number of pips", 1, SIDES) - 1)
    reader.end()
    return tuple(drawn)


def explain_draw(state: az.State, drawn: int) -> str:
    return f"a die has the sides 1 to {SIDES}"


# --- position: one line of text, and plain data ---


def print_state(fields: Any) -> str:
    scores = " ".join(map(str, fields.score[: fields.players]))
    head = f"pig {fields.goal} round {fields.round_no} seat {fields.seat} start {fields.start}"
    return f"{head} | {scores} | {fields.points}{' rolling' if fields.rolling else ''}"


def parse_state(text: str) -> tuple[dict[str, Any], Fields]:
    reader, fields = Reader(text), Layout(STATE.descr).blank()
    for word, name in (("pig ", "goal"), (" round ", "round_no"), (" seat ", "seat"), (" start ", "start")):
        reader.expect(word)
        setattr(fields, name, reader.number(name, 0, 127 if name in ("seat", "start") else 30000))
    reader.expect(" |")
    players = 0
    while players < MOST_PLAYERS and not reader.text.startswith(" |", reader.at):
        reader.expect(" ")
        fields.score[players] = reader.number("a score", 0, MOST_GOAL + SIDES)
        players += 1
    fields.players = players
    reader.expect(" | ")
    fields.points = reader.number("the points of this turn", 0, MOST_GOAL + SIDES)
    fields.rolling = reader.accept(" rolling")
    reader.end()
    return {"players": players, "goal": fields.goal}, fields


def to_dict(state: az.State) -> dict[str, Any]:
    fields = state.fields
    return {
        "round": fields.round_no,
        "seat": state.seat,
        "start": fields.start,
        "scores": list(state.scores),
        "points": fields.points,
        "rolling": bool(fields.rolling),
    }


def impossibilities(fields: Any, option_codes: Sequence[int]) -> Iterator[str]:
    players, goal = option_codes
    if (fields.players, fields.goal) != (players, goal):
        yield "the options are not the game's"
    if not (0 <= fields.seat < players and 0 <= fields.start < players):
        yield f"seats are 0 to {players - 1}"
    elif fields.score[fields.seat] + fields.points >= goal + SIDES:
        yield "a turn goes on after the goal is reached"
    elif fields.rolling and fields.score[fields.seat] + fields.points >= goal:
        yield "the die is rolled after the goal is reached"
    if fields.round_no < 1:
        yield "rounds count from 1"
    if any(score == 1 or score >= goal + SIDES for score in fields.score) or fields.points == 1:
        yield "a turn makes at least 2 points and ends at the goal"
    reached = [seat for seat in range(players) if fields.score[seat] >= goal]
    if reached and (reached != [fields.seat] or fields.points or fields.rolling):
        yield "the game has gone on after a seat reached the goal"
    if any(fields.score[players:]):
        yield "there are scores of players who are not there"


# --- hand: what a table adds up at the end ---


def points_of(event: Event) -> tuple[str, int, int] | None:
    return ("kept", event.seat, event.points) if event.kind == "hold" else None


# --- terminal and drawing ---


def show(state: az.State, names: Sequence[str]) -> Text:
    lines = [f"Round {state.round}, to {state.fields.goal}: {state.fields.points} points this turn"]
    for seat, name in enumerate(names):
        lines.append(f"{'▶' if state.seat == seat else ' '} {state.scores[seat]:3} {name}")
    return Text("\n".join(lines))


def picture(state: az.State, **how: Any) -> Picture:
    look, fields = Look.of(state, **how), state.fields
    width = TALL if look.layout == "tall" else WIDE[0]
    size, room = width / 24, (width - 24) / 2  # of letters, and of each of the two places to touch
    title = caption("Pig", f"Round {state.round} · to {fields.goal}", 12, size, 0.8 * size)
    parts = [title]
    for k, (action, label) in enumerate(zip(ACTIONS, ("roll", f"hold {fields.points}"), strict=True)):
        button = join(
            element("rect", width=room - 12, height=4 * size, rx=12, class_="disc"),
            words(label, (room - 12) / 2, 2.4 * size, 1.2 * size, "ink serif", "middle"),
            ring(0, 0, room - 12, 4 * size, 12),
        )
        parts.append(place(action, label, button, at=move(12 + k * (room + 12), 1.6 * size)))
    seats, top = Seat.all(state, look), 6.4 * size
    for seat in look.seats:
        head = seats[seat].head(size, width - 24 - size, 1.6 * size, size)
        parts.append(seats[seat].board(head, at=(12, top), width=width - 24, height=2.4 * size))
        top += 2.8 * size
    name = f"Pig, round {state.round}"
    return look.picture(*parts, width=width, height=top, definitions=Markup(), name=name, game="pig")


# --- about ---

SENTENCE = "Roll the die as often as you dare: a one takes it all."
OPTIONS = {"goal": "Points to win with"}


@az.register
class Pig(az.Game):
    """Pig for 2 to 4 players."""

    name = "pig"
    title = "Pig"
    rules_version = 1
    options: ClassVar = (
        az.Option("players", (2, 3, 4), "how many play"),
        az.Option("goal", (50, MOST_GOAL), "points to win with"),
    )
    modules = Modules(__name__)
    num_actions = len(ACTIONS)
    num_outcomes = SIDES

    def winners(self, state: az.State) -> tuple[int, ...]:
        return tuple(seat for seat, score in enumerate(state.scores) if score >= state.fields.goal)
