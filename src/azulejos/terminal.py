"""A game at the terminal, between people at one keyboard and computer players."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from azulejos.core.action import Action
from azulejos.core.errors import AzulejosError
from azulejos.core.language import N_, _, say_error, say_of, say_percent
from azulejos.core.record import Record
from azulejos.core.state import State
from azulejos.drawing.words import say_scores
from azulejos.players import Player, hints
from azulejos.players.names import say_computer

_COMMANDS = {
    "actions": N_("list what you may do, in words"),
    "hint": N_("the best actions, with your chance to win after each"),
    "undo": N_("take back your last action"),
    "save FILE": N_("write the record of this game"),
    "resign": N_("give up"),
    "quit": N_("leave; the record is saved"),
}


class Quit(Exception):
    """A person asked to quit."""


class TerminalTable:
    """One game at the terminal. `players`: by seat, None for a person. `names`: as shown to people."""

    def __init__(
        self,
        record: Record,
        players: Sequence[Player | None],
        console: Console,
        file: Path,
        names: Sequence[str] | None = None,
    ) -> None:
        self.record = record
        self.players = players
        self.console = console
        self.file = file
        self.names = names or record.names

    def run(self) -> None:
        """Play to the end. The record is saved in any case, and its path printed."""
        said = _("{game}: write an action, or {help}.").format(game=_(self.record.game.title), help="[bold]help[/]")
        self.console.print(said, highlight=False)
        try:
            while self.record.outcome is None:
                self._turn()
            self._show()
            self._say_outcome()
        except (Quit, KeyboardInterrupt, EOFError):
            self.console.print()
        finally:
            self._save(self.file)

    def _turn(self) -> None:
        seat = self.record.state.seat
        assert seat is not None
        player = self.players[seat]
        if player is not None:
            self._play(player.choose(self.record.state.view(seat)).action)
            return
        self._show()
        while True:
            words = self.console.input(Text.assemble((self.names[seat], "bold"), "> ")).strip()
            if words and self._obey(words):
                return

    def _obey(self, words: str) -> bool:
        """Execute a person's input; did it change the position?"""
        command, _space, rest = words.partition(" ")
        match command.lower():
            case "help" | "?":
                self._help()
            case "actions":
                for action in self.record.state.actions:
                    self.console.print(f"  [bold]{escape(str(action))}[/]  {escape(action.words)}", highlight=False)
            case "hint" | "h":
                self._hint()
            case "undo":
                return self._undo()
            case "save":
                self._save(Path(rest).expanduser() if rest else self.file)
            case "resign":
                assert self.record.state.seat is not None
                self.record.resign(self.record.state.seat)
                return True
            case "quit" | "exit":
                raise Quit
            case _:
                try:
                    action = self.record.game.action(words.replace(" ", ""))
                    self.record.state.play(action)
                except AzulejosError as error:
                    self.console.print(f"[red]{escape(say_error(error))}[/]", highlight=False)
                    said = _("Nothing was played. {help} shows how actions are written.").format(help="help")
                    self.console.print(f"[dim]{said}[/]", highlight=False)
                    return False
                self._play(action)
                return True
        return False

    def _help(self) -> None:
        game = self.record.game
        self.console.print(Text(_(game.title), "bold"))
        for line in game.notation_help.splitlines():
            self.console.print(Text(_(line)))
        self.console.print()
        for command, about in _COMMANDS.items():
            self.console.print(Text(f"{command:11}", "bold").append(_(about), "not bold"))

    def _hint(self) -> None:
        state = self.record.state
        assert state.seat is not None
        for hint in hints(state.view(state.seat)):
            said = _("{words}: win chance {chance}").format(words=hint.action.words, chance=say_percent(hint.chance))
            self.console.print(Text.assemble("  ", (str(hint.action), "bold"), f"  {said}"))

    def _play(self, action: Action) -> None:
        before = self.record.state
        after = self.record.play(action)
        assert before.seat is not None
        hidden = self.record.game.secret(action.index) if self.players[before.seat] is not None else None
        name, said = self.names[before.seat], hidden or f"{action} {action.words}"
        text = Text(say_of(name, said))
        text.stylize("bold", 0, len(name))
        if not hidden:
            start = len(text) - len(said)
            text.stylize("bold", start, start + len(str(action)))
        self.console.print(text)
        self._tell(before, action, after)

    def _tell(self, before: State, action: Action, after: State) -> None:
        """Print the events of an action, each score with its reason."""
        game = self.record.game
        for event in game.story(before, action, after.drawn):
            words = game.say_event(event)
            if words:
                owner = event.values.get("seat")
                if owner is not None and owner != before.seat:
                    words = say_of(self.names[owner], words)
                self.console.print(Text(f"    {words}", "dim"))

    def _undo(self) -> bool:
        """Take back to the last decision of a person."""
        states = list(self.record.states())
        for back in range(1, len(states)):
            seat = states[-1 - back].seat
            if seat is not None and self.players[seat] is None:
                self.record.undo(back)
                return True
        self.console.print(Text(_("there is nothing to take back yet"), "red"))
        return False

    def _show(self) -> None:
        """Print the view of the seat to act."""
        state = self.record.state
        seen = state if state.seat is None else state.view(state.seat)
        self.console.print()
        self.console.print(self.record.game.show(seen, self.names))

    def _say_outcome(self) -> None:
        outcome = self.record.outcome
        assert outcome is not None
        names, scores = [self.names[seat] for seat in outcome.winners], say_scores(outcome)
        if names == [_("You")]:
            said = _("You win, {scores}").format(scores=scores)
        elif len(names) == 1:
            said = _("{name} wins, {scores}").format(name=names[0], scores=scores)
        else:
            said = _("{names} share the victory, {scores}").format(names=", ".join(names), scores=scores)
        self.console.print(Text.assemble("\n", (said, "bold")))

    def _save(self, file: Path) -> None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self.record.save(file)
            said = _("The record of this game is in {file}").format(file=file)
            self.console.print(Text(said), soft_wrap=True)
        except OSError as error:
            self.console.print(Text(_("The record could not be saved: {error}").format(error=error), "red"))


def say_names(names: Sequence[str], seats: Sequence[str]) -> list[str]:
    """The names of a record for people to read. `seats`: who sits there, `person` or a computer player."""
    players, called = ["" if who == "person" else who for who in seats], list(names)
    for seat, who in enumerate(players):
        if who and names[seat] == who:
            called[seat] = say_computer(players, seat)
        elif not who and names[seat] == f"player {seat + 1}":
            alone = players.count("") == 1
            called[seat] = _("You") if alone else _("Player {number}").format(number=seat + 1)
    return called


def default_file(game: str) -> Path:
    """The default file of a game's record: in the user's data folder, named by the time."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "azulejos" / "records" / f"{game}-{time.strftime('%Y-%m-%d-%H%M%S')}.txt"
