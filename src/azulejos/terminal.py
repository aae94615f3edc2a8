"""A game at the terminal: people at one keyboard, computer players beside them."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from azulejos.core.action import Action
from azulejos.core.errors import AzulejosError
from azulejos.core.record import Record
from azulejos.core.state import State
from azulejos.players import Player, hints

_HELP = """\
[bold]{title}[/]
{notation}

[bold]actions[/]        list what you may do, in words
[bold]hint[/]           the best actions, with your chance to win after each
[bold]undo[/]           take back your last action
[bold]save[/] [dim]FILE[/]      write the record of this game
[bold]resign[/]         give up
[bold]quit[/]           leave; the record is saved
"""


class Quit(Exception):
    """Somebody wants to leave."""


class TerminalTable:
    """One play at the terminal. `players`: by seat, None for a person."""

    def __init__(self, record: Record, players: Sequence[Player | None], console: Console, file: Path) -> None:
        self.record = record
        self.players = players
        self.console = console
        self.file = file

    def run(self) -> None:
        """Play to the end. However it ends, the record is saved and said where."""
        self.console.print(f"{self.record.game.title}: write an action, or [bold]help[/].", highlight=False)
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
            words = self.console.input(Text.assemble((self.record.names[seat], "bold"), "> ")).strip()
            if words and self._obey(words):
                return

    def _obey(self, words: str) -> bool:
        """Do what a person wrote; did it change the position?"""
        command, _, rest = words.partition(" ")
        match command.lower():
            case "help" | "?":
                game = self.record.game
                self.console.print(_HELP.format(title=game.title, notation=escape(game.notation_help)), highlight=False)
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
                    self.console.print(f"[red]{escape(getattr(error, 'message', str(error)))}[/]", highlight=False)
                    self.console.print("[dim]Nothing was played. help shows how actions are written.[/]")
                    return False
                self._play(action)
                return True
        return False

    def _hint(self) -> None:
        state = self.record.state
        assert state.seat is not None
        for hint in hints(state.view(state.seat)):
            self.console.print(
                f"  [bold]{escape(str(hint.action))}[/]  {escape(hint.action.words)}: wins {hint.chance:.0%}",
                highlight=False,
            )

    def _play(self, action: Action) -> None:
        before = self.record.state
        after = self.record.play(action)
        assert before.seat is not None
        name = self.record.names[before.seat]
        hidden = self.record.game.secret(action.index) if self.players[before.seat] is not None else None
        said = (hidden,) if hidden else ((str(action), "bold"), f" {action.words}")
        self.console.print(Text.assemble((name, "bold"), ": ", *said))
        self._tell(before, action, after)

    def _tell(self, before: State, action: Action, after: State) -> None:
        """What the action led to, each score with its reason."""
        game = self.record.game
        for event in game.story(before, action, after.drawn):
            words = game.say_event(event)
            if words:
                owner = event.values.get("seat")
                whose = f"{self.record.names[owner]}: " if owner is not None and owner != before.seat else ""
                self.console.print(Text(f"    {whose}{words}", "dim"))

    def _undo(self) -> bool:
        """Back to the last decision of a person."""
        states = list(self.record.states())
        for back in range(1, len(states)):
            seat = states[-1 - back].seat
            if seat is not None and self.players[seat] is None:
                self.record.undo(back)
                return True
        self.console.print("[red]There is nothing to take back.[/]")
        return False

    def _show(self) -> None:
        """The position as whoever is to act sees it."""
        state = self.record.state
        seen = state if state.seat is None else state.view(state.seat)
        self.console.print()
        self.console.print(self.record.game.show(seen, self.record.names))

    def _say_outcome(self) -> None:
        outcome = self.record.outcome
        assert outcome is not None
        winners = " and ".join(self.record.names[seat] for seat in outcome.winners)
        verb = "wins" if len(outcome.winners) == 1 else "share the victory"
        scores = ", ".join(f"{name} {score}" for name, score in zip(self.record.names, outcome.scores, strict=True))
        self.console.print(Text.assemble("\n", (f"{winners} {verb}", "bold"), f" ({scores})."))

    def _save(self, file: Path) -> None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self.record.save(file)
            self.console.print(f"The record of this game is in {escape(str(file))}", highlight=False, soft_wrap=True)
        except OSError as error:
            self.console.print(f"[red]The record could not be saved: {escape(str(error))}[/]", highlight=False)


def default_file(game: str) -> Path:
    """Where a game's record goes if nobody says: the user's data folder, named by the time."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "azulejos" / "records" / f"{game}-{time.strftime('%Y-%m-%d-%H%M%S')}.txt"
