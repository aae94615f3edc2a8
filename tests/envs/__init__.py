"""Every game with every number of players."""

from typing import Any

import azulejos as az

NUMBERS = sorted({(game.name, game.players) for kind in az.registered().values() for game in kind.variants()})


def options_of(name: str, players: int) -> dict[str, Any]:
    return {} if name == "duel" else {"players": players}
