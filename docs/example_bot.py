"""The smallest bot that can play in the arena: it knows no rules, and takes any of the actions that it is offered.

    azulejos match azul greedy mine --program mine="python docs/example_bot.py"

Everything that it needs of the line protocol (docs/engine-protocol.md) is here; it imports nothing of azulejos.
"""

import random
import sys


def main() -> None:
    actions: list[str] = []
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "azulejos":
            say("name example")
            say("ready")
        elif command == "game":
            say("ready")
        elif command == "actions":
            actions = rest.split()
        elif command == "go":
            say(f"play {random.choice(actions)}")
        elif command == "quit":
            return


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
