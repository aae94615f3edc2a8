"""A player in another process, over its standard input and output. See docs/engine-protocol.md."""

import queue
import shlex
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from typing import IO

from azulejos.core.action import Action
from azulejos.core.errors import AzulejosError, OptionError, ProgramError
from azulejos.core.game import Game
from azulejos.core.state import State

from .choice import NO_LIMIT, Choice, Limit

GREETING = "azulejos 1"
_START_UP = 60.0  # seconds that a program has to get ready
_GRACE = 2.0  # seconds past its limit after which a program counts as hanging
_UNLIMITED = 60.0  # seconds for a choice if there is no limit of time
_LONGEST_ANSWER = 1_000_000  # bytes
_CHUNK, _MOST_CHUNKS = 1 << 16, 16  # bytes that are read at once; chunks that wait to be parsed


class Program:
    """A program that speaks the line protocol. It is started at its first choice, and ended by `close`."""

    def __init__(self, command: str, grace: float = _GRACE) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._chunks: queue.Queue[bytes] = queue.Queue()
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise OptionError(f"a program's command cannot be read: {error}: {_quote(command)}") from None
        if not self._command:
            raise OptionError("a program's command is empty")
        self._grace = grace
        self._garbage = ""
        self._complaints: IO[bytes] | None = None
        self._game: Game | None = None
        self._heard = b""

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        self.start(view.game)
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
            self._note(line)
        text = line.removeprefix("play ").strip()
        if text not in view.actions:
            raise self._fail(f"it played {_quote(text)}, which is not legal")
        action = view.game.action(text)
        return Choice(action, told.values, told.visits, told.value, told.line, told.simulations)

    def close(self) -> None:
        """End the program: politely, and if that does not help, by force."""
        if self._process is None:
            return
        with suppress(ProgramError, RuntimeError):  # it may be gone already, or not listen; or Python is ending
            self._say("quit", 0.1)
        process, self._process = self._process, None
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        end = time.monotonic() + 1.0
        while self._reader and self._reader.is_alive() and time.monotonic() < end:
            with suppress(queue.Empty):
                self._chunks.get(timeout=0.05)  # it may wait for room
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()
        if self._complaints is not None:
            self._complaints.close()

    def __del__(self) -> None:
        self.close()

    def start(self, game: Game) -> None:
        """Start the program if it does not run, and tell it the game. ProgramError if it does not get ready."""
        if self._process is None:
            self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  a pipe would have to be read
            try:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._complaints,
                    bufsize=0,
                )
            except OSError as error:
                self._complaints.close()
                raise ProgramError(f"it could not be started: {error}") from None
            self._heard, self._chunks = b"", queue.Queue(_MOST_CHUNKS)
            self._reader = threading.Thread(target=_read, args=(self._process.stdout, self._chunks), daemon=True)
            self._reader.start()
            self._game = None
            self._say(GREETING)
            self._await_ready()
        if game != self._game:
            options = "".join(f" {name}={value}" for name, value in game.chosen.items())
            self._say(f"game {game.name}{options}")
            self._await_ready()
            self._game = game

    # --- lines ---

    def _await_ready(self) -> None:
        end = time.monotonic() + _START_UP
        while (line := self._hear(end)) != "ready":
            self._note(line)

    def _note(self, line: str) -> None:
        """Keep a line that means nothing, to quote it if the program fails."""
        if line.split(" ")[0] not in ("info", "name"):
            self._garbage = line

    def _say(self, line: str, grace: float | None = None) -> None:
        assert self._process is not None
        failed: list[OSError] = []
        writer = threading.Thread(target=_write, args=(self._process.stdin, line.encode() + b"\n", failed), daemon=True)
        writer.start()
        writer.join(self._grace if grace is None else grace)
        if writer.is_alive():
            raise self._fail("it does not read what it is told")
        if failed:
            raise self._crash()

    def _hear(self, end: float) -> str:
        """The next line, which must come before `end` (of `monotonic`)."""
        while b"\n" not in self._heard:
            try:
                chunk = self._chunks.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise self._fail("it did not answer in time") from None
            if not chunk:
                raise self._crash()
            self._heard += chunk
            if len(self._heard) > _LONGEST_ANSWER:
                raise self._fail("it wrote a line without end")
        line, _, self._heard = self._heard.partition(b"\n")
        if time.monotonic() > end:
            raise self._fail("it did not answer in time")
        return line.decode(errors="replace").strip()

    def _crash(self) -> ProgramError:
        assert self._process is not None
        try:
            return self._fail(f"it ended by itself, with status {self._process.wait(0.5)}")
        except subprocess.TimeoutExpired:
            return self._fail("it closed its output")

    def _fail(self, what: str) -> ProgramError:
        """An error with the program's last words: what it said that means nothing, and its standard error."""
        if self._garbage:
            what += f"; it said {_quote(self._garbage)}"
        if self._complaints is not None:
            with suppress(OSError, ValueError):
                self._complaints.seek(0)
                lines = self._complaints.read().decode(errors="replace").split("\n")
                last = next((line.strip() for line in reversed(lines) if line.strip()), "")
                what += f"; its standard error ends with {_quote(last)}" if last else ""
        return ProgramError(what)


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
    return repr(text[:80]) + ("…" if len(text) > 80 else "")


# Pipes are read and written in threads, because Windows can neither poll them nor make them non-blocking.


def _read(pipe: IO[bytes], chunks: "queue.Queue[bytes]") -> None:
    """Put everything that a program writes into the queue, and b"" at its end."""
    chunk = b"-"
    while chunk:
        try:
            chunk = pipe.read(_CHUNK)
        except (OSError, ValueError):
            chunk = b""
        chunks.put(chunk)


def _write(pipe: IO[bytes], data: bytes, failed: list[OSError]) -> None:
    """Write all of it, or add the error to `failed`."""
    try:
        while data:
            data = data[pipe.write(data) :]
    except OSError as error:
        failed.append(error)
