"""A record: a game from its first draw to its last action, as a readable text file.

    azulejos record 1
    game: azul
    players: 2
    wall: coloured
    rules: 1
    date: 2026-11-15
    seat 0: Ana
    seat 1: greedy
    first: 0
    result: 31 24, won by seat 0

    round 1
    draw BYRK BBWW RRKK YYYW BYRK
    play 3R2 CB- 1Y3 …
    scores 3 0

A record contains the draws, not a seed, and the version of the rules, so that later changes of the generator or the
rules do not change old games. A record that begins in the middle of a game has `position: …` for `first: …`. A
game that was dealt fairly by a server has three more lines before its result, by which everybody can check the draws
(`core/seal.py`):

    hash: 2f0d…
    seed: 91c3…
    places: 0 21 42

and one more, between seed and places, where players added to the seed (`-` for a seat that did not):

    nonces: 7b02… -
"""

import datetime
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import ClassVar, NoReturn

from .action import Action
from .errors import AzulejosError, OptionError, TextError
from .game import Game
from .registry import parse, registered
from .seal import Seal
from .state import Outcome, State
from .values import seat_of, whole

_HEAD = "azulejos record 1"
_ACTIONS_A_LINE = 12


class Record:
    """A game in progress or finished: its first position, and every action and draw since.

    >>> import azulejos as az
    >>> record = az.Record(az.make("azul").start(seed=1), names=["Ana", "Ben"])
    >>> record.play(record.state.actions[0]).seat == record.state.seat
    True
    >>> az.Record.parse(str(record)) == record
    True
    """

    def __init__(
        self, start: State, names: Sequence[str] = (), date: str | None = None, seal: Seal | None = None
    ) -> None:
        self.game: Game = start.game
        self.names: tuple[str, ...] = tuple(names) or tuple(f"player {seat + 1}" for seat in range(self.game.players))
        self.date: str = date or datetime.date.today().isoformat()
        self.seal = seal
        self._states = [start]
        self._actions: list[Action] = []
        self._ending: tuple[tuple[int, ...], str] | None = None
        _check_names(self.names, self.game.players)
        _check_date(self.date)

    # --- playing ---

    @property
    def state(self) -> State:
        """The current position."""
        return self._states[-1]

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(self._actions)

    def states(self) -> Iterator[State]:
        """Every position from the first to the last, one more than there are actions."""
        return iter(tuple(self._states))

    def play(self, action: Action | str | int, draws: str | Sequence[int] | None = None) -> State:
        """Play an action and append it; the new position."""
        if self._ending:
            raise OptionError(f"this play has ended: {self._ending[1]}")
        after = self.state.play(action, draws)
        self._actions.append(self.game.action(action))
        self._states.append(after)
        return after

    def deal(self, draws: str | Sequence[int] | None = None, seed: int | None = None) -> State:
        """Make the draws that are due and append them; the new position."""
        self._states[-1] = self.state.deal(draws, seed)
        return self.state

    def undo(self, actions: int = 1) -> State:
        """Remove the last actions and the draws after them; the position before."""
        actions = whole(actions, "actions")
        if not 1 <= actions <= len(self._actions):
            raise OptionError(f"{actions} actions cannot be taken back: {len(self._actions)} were played")
        del self._actions[-actions:], self._states[-actions:]
        self._ending = None
        return self.state

    def end(self, winners: Sequence[int], reason: str) -> None:
        """End the game early, for example by resignation."""
        if self.state.over:
            raise OptionError("this play has ended by its rules")
        winners = [seat_of(seat, self.game.players, "winner") for seat in winners]
        if not reason or not reason.isprintable():
            raise OptionError("a reason is one line of text")
        self._ending = tuple(sorted(set(winners))), reason

    def resign(self, seat: int, away: bool = False) -> None:
        """The seat gives up: the best of the others wins. `away`: it has not said so, but was away for too long."""
        seat = seat_of(seat, self.game.players)
        others = [other for other in range(self.game.players) if other != seat]
        best = max(self.state.scores[other] for other in others)
        self.end(
            [other for other in others if self.state.scores[other] == best],
            f"seat {seat} was away" if away else f"seat {seat} resigned",
        )

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by its rules or early; None while it is in progress."""
        if self._ending:
            return Outcome(self.state.scores, self._ending[0])
        return self.state.outcome

    # --- text ---

    def __str__(self) -> str:
        return "\n".join([*self._head(), "", *self._body()]) + "\n"

    def _head(self) -> Iterator[str]:
        yield _HEAD
        yield f"game: {self.game.name}"
        for name, value in self.game.chosen.items():
            yield f"{name}: {value}"
        yield f"rules: {self.game.rules_version}"
        yield f"date: {self.date}"
        for seat, name in enumerate(self.names):
            yield f"seat {seat}: {name}"
        first = self.first
        yield f"position: {self._states[0]}" if first is None else f"first: {first}"
        if self.seal:
            yield f"hash: {self.seal.hash}"
            yield f"seed: {self.seal.seed}"
            if any(self.seal.nonces):
                yield f"nonces: {' '.join(nonce or '-' for nonce in self.seal.nonces)}"
            yield f"places: {' '.join(map(str, self.seal.places))}"
        yield f"result: {self._result()}"

    @property
    def first(self) -> int | None:
        """The start player, if the record begins with the game."""
        start = self._states[0]
        for seat in range(self.game.players):
            try:
                if self.game.start(first=seat, draws=start.drawn) == start:
                    return seat
            except AzulejosError:
                continue
        return None

    def _result(self) -> str:
        outcome = self.outcome
        if outcome is None:
            return "unfinished"
        scores = " ".join(map(str, outcome.scores))
        seats = " ".join(map(str, outcome.winners))
        verb = "nobody" if not seats else f"won by seat {seats}" if len(outcome.winners) == 1 else f"shared by {seats}"
        return f"{scores}, {verb}" + (f": {self._ending[1]}" if self._ending else "")

    def _body(self) -> Iterator[str]:
        row: list[str] = []

        def flush() -> Iterator[str]:
            for k in range(0, len(row), _ACTIONS_A_LINE):
                yield " ".join(["play", *row[k : k + _ACTIONS_A_LINE]])
            row.clear()

        start = self._states[0]
        yield f"round {start.round}"
        if start.drawn and self.first is not None:
            yield f"draw {self.game.print_draws(start.drawn)}"
        for action, before, after in zip(self._actions, self._states, self._states[1:], strict=False):
            row.append(str(action))
            played = before.with_chance(None).play(action) if after.drawn else after
            if _ends_round(before, played):
                yield from flush()
                yield from _round_lines(played)
            if after.drawn:
                yield from flush()
                yield f"draw {self.game.print_draws(after.drawn)}"
                if _ends_round(played, after):
                    yield from _round_lines(after)
        yield from flush()

    def save(self, path: str | PathLike[str]) -> None:
        Path(path).write_text(str(self), encoding="utf-8")

    @staticmethod
    def load(path: str | PathLike[str]) -> "Record":
        try:
            text = Path(path).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise TextError("a record is UTF-8 text", str(path), 0) from error
        return Record.parse(text)

    @staticmethod
    def parse(text: str) -> "Record":
        """The inverse of `str(record)`. Every action, draw and score is checked; errors name the line."""
        if not isinstance(text, str):
            raise TextError("a record is text", repr(text)[:60], 0)
        return _Parser(text).record()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and str(self) == str(other)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # it changes as it is played

    def __repr__(self) -> str:
        return f"<Record of {self.game!r}, {len(self._actions)} actions, {self._result()}>"


def _ends_round(before: State, after: State) -> bool:
    return after.over or after.round != before.round


def _round_lines(after: State) -> Iterator[str]:
    yield " ".join(["scores", *map(str, after.scores)])
    if not after.over:
        yield ""
        yield f"round {after.round}"


def _check_names(names: Sequence[str], players: int) -> None:
    if len(names) != players:
        raise OptionError(f"{len(names)} names for {players} players")
    for name in names:
        if not name or not name.isprintable() or name != name.strip():
            raise OptionError(f"{name!r} is not a name: a name is one line of text without spaces around it")


def _check_date(date: str) -> None:
    try:
        datetime.date.fromisoformat(date)
    except ValueError:
        raise OptionError(f"{date!r} is not a date such as 2026-11-15") from None


class _Parser:
    """Parses a record line by line; errors name the line."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.number = -1
        if self.lines[-1] == "":
            self.lines.pop()

    def fail(self, message: str, column: int = 0) -> NoReturn:
        line = self.lines[self.number] if self.number < len(self.lines) else ""
        raise TextError(message, line, column, self.number + 1)

    def header(self, key: str) -> str:
        """The value of the next line, which must have this key."""
        self.number += 1
        line = self.lines[self.number] if self.number < len(self.lines) else ""
        if not line.startswith(f"{key}: "):
            self.fail(f"expected '{key}: …'")
        return line[len(key) + 2 :]

    def record(self) -> Record:
        self.number = 0
        if not self.lines or self.lines[0] != _HEAD:
            self.fail(f"a record begins with the line {_HEAD!r}")
        try:
            record, result = self.head()
            self.body(record)
        except TextError as error:
            if error.line is not None:
                raise
            at = self.lines[self.number].find(error.text)
            self.fail(error.message, max(at, 0) + error.column)
        except AzulejosError as error:
            self.fail(str(error))
        self.number = self.result_line
        self.finish(record, result)
        return record

    def head(self) -> tuple[Record, str]:
        name = self.header("game")
        if name not in registered():
            self.fail(f"there is no game {name!r}; there are {', '.join(registered())}", len("game: "))
        kind = registered()[name]
        game = kind.read((option.name, self.header(option.name)) for option in kind.options)
        if self.header("rules") != str(game.rules_version):
            self.fail(f"this version knows the rules of {name} in version {game.rules_version} only")
        date = self.header("date")
        _check_date(date)
        names = []
        for seat in range(game.players):
            names.append(self.header(f"seat {seat}"))
            _check_names(names, seat + 1)
        if self.number + 1 < len(self.lines) and self.lines[self.number + 1].startswith("position: "):
            state = parse(self.header("position"))
            if state.game != game:
                self.fail("the position is of another game, or has other options")
        else:
            first = self.header("first")
            if first not in map(str, range(game.players)):
                self.fail(f"the start player is a seat, 0 to {game.players - 1}", len("first: "))
            state = game.lay_out(int(first))
        seal = self.seal(game.players)
        result = self.header("result")
        self.result_line = self.number
        return Record(state, names, date, seal), result

    def seal(self, players: int) -> Seal | None:
        """The lines by which draws can be checked, if there are any."""
        if self.number + 1 >= len(self.lines) or not self.lines[self.number + 1].startswith("hash: "):
            return None
        published = self.header("hash")
        seal = Seal(self.header("seed"), ())
        if seal.hash != published:
            self.fail(f"the hash of this seed is {seal.hash}")
        nonces: tuple[str, ...] = ()
        if self.number + 1 < len(self.lines) and self.lines[self.number + 1].startswith("nonces: "):
            nonces = tuple("" if word == "-" else word for word in self.header("nonces").split(" "))
            if len(nonces) != players:
                self.fail(f"there are {players} nonces, one a seat, '-' for none", len("nonces: "))
            seal = Seal(seal.seed, (), nonces)
        places = self.header("places").split(" ")
        if not all(place.isdecimal() and place.isascii() and len(place) < 10 for place in places):
            self.fail("places are numbers, 0 and up, with a space between two", len("places: "))
        return Seal(seal.seed, tuple(map(int, places)), nonces)

    def body(self, record: Record) -> None:
        previous = ""
        for number in range(self.number + 1, len(self.lines)):
            self.number = number
            line = self.lines[number]
            key, _, rest = line.partition(" ")
            match key:
                case "round" if rest != str(record.state.round) or previous == "round":
                    self.fail(f"this is round {record.state.round}", len("round "))
                case "draw" if not record.state.awaits_draw:
                    self.fail("nothing is to be drawn here")
                case "draw":
                    record.deal(rest)
                case "play":
                    self.play(record, rest)
                case "scores" if rest != " ".join(map(str, record.state.scores)):
                    scores = " ".join(map(str, record.state.scores))
                    self.fail(f"the scores are {scores} here", len("scores "))
                case "round" | "scores" | "":
                    pass
                case _:
                    self.fail("expected 'round', 'draw', 'play' or 'scores'")
            previous = key

    def play(self, record: Record, rest: str) -> None:
        column = len("play ")
        for text in rest.split(" "):
            try:
                record.play(text)
            except AzulejosError as error:
                self.fail(getattr(error, "message", str(error)), column + getattr(error, "column", 0))
            column += len(text) + 1

    def finish(self, record: Record, result: str) -> None:
        if not record.state.over and result != "unfinished":
            seats, separator, reason = result.partition(": ")
            winners = [int(word) for word in seats.partition(", ")[2].split() if word.isdecimal() and len(word) < 3]
            if separator:
                try:
                    record.end(winners, reason)
                except AzulejosError as error:
                    self.fail(str(error), len("result: "))
        if record._result() != result:
            self.fail(f"the result of these actions is {record._result()!r}", len("result: "))
