"""Serves one of our players to other programs over the line protocol. See docs/engine-protocol.md."""

from collections.abc import Callable, Iterable, Sequence

import azulejos
from azulejos.core.errors import AzulejosError, TextError
from azulejos.core.game import Game
from azulejos.core.registry import parse, registered
from azulejos.core.state import State

from .choice import Choice, Limit, Player
from .program import GREETING


def serve(player: Player, name: str, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Answer each line until `quit` or the end of input; unknown lines are answered with `error …`."""
    state: State | None = None
    for line in lines:
        command, _, rest = line.strip().partition(" ")
        try:
            match command:
                case "azulejos":
                    if line.strip() != GREETING:
                        raise TextError(f"this speaks {GREETING!r}", line.strip(), 0)
                    write(f"name {name} (azulejos {azulejos.__version__})")
                    write("ready")
                case "game":
                    player.choose(_game(rest).start(seed=0), Limit(simulations=1))  # compiles
                    write("ready")
                case "position":
                    state = parse(rest)
                case "go":
                    if state is None or state.seat is None:
                        raise TextError("there is no position in which somebody is to act", line.strip(), 0)
                    _answer(player.choose(state, _limit(rest.split())), write)
                case "quit":
                    return
                case "" | "actions":
                    pass
                case _:
                    raise TextError("unknown command", line.strip(), 0)
        except AzulejosError as error:
            write("error " + " ".join(str(error).split()))


def _game(rest: str) -> Game:
    name, *words = rest.split()
    if name not in registered():
        raise TextError(f"there is no game {name!r}; there are {', '.join(registered())}", rest, 0)
    return registered()[name].read(dict(word.partition("=")[::2] for word in words).items())


def _limit(words: Sequence[str]) -> Limit:
    given = dict(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or not set(given) <= {"time", "simulations"}:
        raise TextError("after go come time SECONDS, simulations NUMBER, both or nothing", " ".join(words), 0)
    try:
        return Limit(
            float(given["time"]) if "time" in given else None,
            int(given["simulations"]) if "simulations" in given else None,
        )
    except ValueError as error:
        raise TextError(f"not a limit: {error}", " ".join(words), 0) from None


def _answer(choice: Choice, write: Callable[[str], None]) -> None:
    if choice.simulations:
        write(f"info simulations {choice.simulations}")
    for action, value in choice.values.items():
        write(f"info action {action} visits {choice.visits.get(action, 0)} value {value:.4f}")
    if choice.value:
        write("info value " + " ".join(f"{value:.4f}" for value in choice.value))
    if choice.line:
        write("info line " + " ".join(map(str, choice.line)))
    write(f"play {choice.action}")
