"""The modules in Node: what tests and the bench run them by."""

import base64
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from azulejos.core.action import Action
from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.state import State
from azulejos.core.streams import streams
from azulejos.players import NO_LIMIT, Choice, Limit


class Node:
    """A process of Node that runs tasks of `running.mjs`, one at a time. To be used by `with`."""

    def __init__(self) -> None:
        program = shutil.which("node")
        if program is None:
            raise OptionError("WebAssembly is run by Node, and there is no program node here: install Node 20 or later")
        script = str(Path(__file__).with_name("running.mjs"))
        self._process = subprocess.Popen([program, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, task: str, game: Game, state: State, **given: Any) -> Any:
        """The answer to a task about a position."""
        assert self._process.stdin
        assert self._process.stdout
        position = base64.b64encode(state.position).decode()
        asked = {"task": task, "game": game.name, "options": game.chosen_texts, "state": position, **given}
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def __enter__(self) -> "Node":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


class NodeSearch:
    """The searching player in Node: it plays as `Search` does, to the last bit."""

    def __init__(self, node: Node, seed: int) -> None:
        self._node = node
        self._key = str(streams(1, seed)[0])

    def choose(self, view: State, limit: Limit = NO_LIMIT) -> Choice:
        """A choice within a limit of simulations."""
        found = self._node.run("choose", view.game, view, key=self._key, simulations=limit.simulations)
        actions = {Action(view.game, one["action"]): one for one in found["actions"]}
        chosen = Action(view.game, found["action"])
        return Choice(
            chosen,
            {action: one["chance"] for action, one in actions.items()},
            {action: one["visits"] for action, one in actions.items()},
            tuple(found["chances"]),
            tuple(Action(view.game, action) for action in actions[chosen]["line"]),
            found["simulations"],
        )
