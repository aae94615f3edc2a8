"""A player in another process, over its standard input and output. See docs/engine-protocol.md."""

import os
import select
import shlex
import subprocess
import time
from contextlib import suppress

from azulejos.core.action import Action
from azulejos.core.errors import AzulejosError, OptionError
from azulejos.core.game import Game
from azulejos.core.state import State

from .choice import NO_LIMIT, Choice, Limit

GREETING = "azulejos 1"
_START_UP = 60.0  # seconds that a program has to get ready
_GRACE = 2.0  # seconds past its limit after which a program counts as hanging
_UNLIMITED = 60.0  # seconds for a choice if there is no limit of time
_LONGEST_ANSWER = 1_000_000  # bytes


class ProgramError(AzulejosError):
    """A program that did not start, crashed, hung, or broke the protocol."""


class Program:
    """A program that speaks the line protocol. It is started at its first choice, and ended by `close`."""

    def __init__(self, command: str, grace: float = _GRACE) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise OptionError(f"a program's command cannot be read: {error}: {_quote(command)}") from None
        if not self._command:
            raise OptionError("a program's command is empty")
        self._grace = grace
        self._game: Game | None = None
        self._heard = b""

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        self._start(view.game)
        self._say(f"position {view}")
        self._say("actions " + " ".join(map(str, view.actions)))
        words = ["go"]
        if limit.time is not None:
            words += ["time", f"{limit.time:g}"]
        if limit.simulations is not None:
            words += ["simulations", str(limit.simulations)]
        self._say(" ".join(words))
        end = time.monotonic() + (_UNLIMITED if limit.time is None else 1.1 * limit.time + self._grace)
        told = _Told(view.game)
        while not (line := self._hear(end)).startswith("play "):
            told.listen(line)
        text = line.removeprefix("play ").strip()
        if text not in view.actions:
            raise ProgramError(f"it played {_quote(text)}, which is not legal")
        action = view.game.action(text)
        return Choice(action, told.values, told.visits, told.value, told.line, told.simulations)

    def close(self) -> None:
        """End the program: politely, and if that does not help, by force."""
        if self._process is None:
            return
        process, self._process = self._process, None
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):  # it may be gone already, or not listen
            os.write(process.stdin.fileno(), b"quit\n")
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close()

    def __del__(self) -> None:
        self.close()

    # --- lines ---

    def _start(self, game: Game) -> None:
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
                )
            except OSError as error:
                raise ProgramError(f"it could not be started: {error}") from None
            assert self._process.stdin is not None
            os.set_blocking(self._process.stdin.fileno(), False)
            self._heard = b""
            self._game = None
            self._say(GREETING)
            self._await_ready()
        if game != self._game:
            options = "".join(f" {name}={value}" for name, value in game.chosen.items())
            self._say(f"game {game.name}{options}")
            self._await_ready()
            self._game = game

    def _await_ready(self) -> None:
        end = time.monotonic() + _START_UP
        while self._hear(end) != "ready":
            pass

    def _say(self, line: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        pipe, rest = self._process.stdin.fileno(), line.encode() + b"\n"
        end = time.monotonic() + self._grace
        while rest:
            try:
                rest = rest[os.write(pipe, rest) :]
            except BlockingIOError:
                if time.monotonic() > end:
                    raise ProgramError("it does not read what it is told") from None
                select.select([], [pipe], [], 0.1)
            except OSError:
                raise self._crash() from None

    def _hear(self, end: float) -> str:
        """The next line, which must come before `end` (of `monotonic`)."""
        assert self._process is not None
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while b"\n" not in self._heard:
            ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise ProgramError("it did not answer in time")
            heard = os.read(pipe, 65536)
            if not heard:
                raise self._crash()
            self._heard += heard
            if len(self._heard) > _LONGEST_ANSWER:
                raise ProgramError("it wrote a line without end")
        line, _, self._heard = self._heard.partition(b"\n")
        if time.monotonic() > end:
            raise ProgramError("it did not answer in time")
        return line.decode(errors="replace").strip()

    def _crash(self) -> ProgramError:
        assert self._process is not None
        try:
            return ProgramError(f"it ended by itself, with status {self._process.wait(0.5)}")
        except subprocess.TimeoutExpired:
            return ProgramError("it closed its output")


class _Told:
    """The evaluation that a program reports in `info` lines; malformed lines are ignored."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.values: dict[Action, float] = {}
        self.visits: dict[Action, int] = {}
        self.value: tuple[float, ...] = ()
        self.line: tuple[Action, ...] = ()
        self.simulations = 0

    def listen(self, line: str) -> None:
        match line.split():
            case ["info", "simulations", count] if count.isdecimal():
                self.simulations = int(count[:12])
            case ["info", "action", text, "visits", count, "value", value] if count.isdecimal():
                try:
                    action = self._game.action(text)
                    self.values[action] = float(value)
                    self.visits[action] = int(count[:12])
                except ValueError:
                    return
            case ["info", "value", *values] if len(values) == self._game.players:
                try:
                    self.value = tuple(map(float, values))
                except ValueError:
                    return
            case ["info", "line", *texts]:
                try:
                    self.line = tuple(self._game.action(text) for text in texts)
                except AzulejosError:
                    return
            case _:
                return


def _quote(text: str) -> str:
    return repr(text[:40]) + ("…" if len(text) > 40 else "")
