"""The entrants of a contest, and its schedule: paired deals, each played with every seating."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from azulejos.core.errors import OptionError
from azulejos.core.game import Game
from azulejos.core.registry import make
from azulejos.players import Limit, Player, Program, player
from azulejos.players.search import PARAMETERS, Search

MOST_ROUNDS = 30  # after which a game is cut off
_LIMIT = re.compile(r"(\d+(?:\.\d+)?)s|(\d+)")


@dataclass(frozen=True)
class Entrant:
    """A participant: a player by name, with its limit and parameters.

    >>> Entrant.read("search@0.2s")
    Entrant(name='search@0.2s', player='search', limit=Limit(time=0.2, simulations=None), parameters={}, command='')
    """

    name: str
    player: str
    limit: Limit
    parameters: Mapping[str, float] = field(default_factory=dict)
    command: str = ""  # of an external program; `player` is then unused

    @staticmethod
    def read(text: str, limit: Limit | None = None, programs: Mapping[str, str] | None = None) -> "Entrant":
        """From NAME, NAME@0.2s or NAME@500 (simulations), and then perhaps :parameter=value,parameter=value.

        `limit`: if the text has none. `programs`: commands by name.
        """
        head, _, rest = text.partition(":")
        name, at, how_long = head.partition("@")
        if at:
            found = _LIMIT.fullmatch(how_long)
            if not found:
                raise OptionError(f"{text!r}: after @ comes a time such as 0.2s, or a number of simulations")
            limit = Limit(time=float(found[1])) if found[1] else Limit(simulations=int(found[2]))
        parameters: dict[str, float] = {}
        for word in filter(None, rest.split(",")):
            key, _, value = word.partition("=")
            try:
                parameters[key] = float(value)
            except ValueError:
                raise OptionError(f"{text!r}: {word!r} is not parameter=number") from None
        entrant = Entrant(text, name, limit or Limit(), parameters, (programs or {}).get(name, ""))
        entrant.check()
        return entrant

    def check(self) -> None:
        if self.command:
            if self.parameters:
                raise OptionError(f"{self.name!r}: a program takes no parameters")
        elif self.parameters and self.player != "search":
            raise OptionError(f"{self.name!r}: only search takes parameters")
        else:
            player(self.player)  # raises OptionError, with all names, if there is no such player
        for key in self.parameters:
            if key not in (*PARAMETERS, "threads"):
                raise OptionError(
                    f"{self.name!r}: search has no parameter {key!r}; it has threads, {', '.join(PARAMETERS)}"
                )

    def sit_down(self, seed: int) -> Player:
        """A player for one game."""
        if self.command:
            return Program(self.command)
        if self.parameters:
            rest: dict[str, Any] = {key: value for key, value in self.parameters.items() if key != "threads"}
            return Search(seed, int(self.parameters.get("threads", 1)), None, **rest)
        return player(self.player)(seed)

    def to_dict(self) -> dict[str, Any]:
        """As results files have it, in which parameters are called settings."""
        data = asdict(self)
        return {"settings" if name == "parameters" else name: value for name, value in data.items()}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> "Entrant":
        return Entrant(data["name"], data["player"], Limit(**data["limit"]), data["settings"], data["command"])


def seatings(players: int) -> list[tuple[int, ...]]:
    """All seatings of two entrants, 0 and 1, whose numbers of seats differ by one at most.

    >>> seatings(2), len(seatings(3)), len(seatings(4))
    ([(0, 1), (1, 0)], 6, 6)
    """
    found = []
    for many in {players // 2, players - players // 2}:
        for seats in combinations(range(players), many):
            found.append(tuple(0 if seat in seats else 1 for seat in range(players)))
    return sorted(found)


@dataclass(frozen=True)
class Contest:
    """A match of two entrants, or a tournament in which every pair of entrants plays a match.

    Every deal is played once with each seating, and every pair plays the same deals. `games`: of each pair, rounded up
    to whole deals. A game is determined by its number: every worker would play the same game, unless a player has a
    time limit.
    """

    game: Game
    entrants: tuple[Entrant, ...]
    games: int
    seed: int = 0
    most_rounds: int = MOST_ROUNDS

    def __post_init__(self) -> None:
        names = [entrant.name for entrant in self.entrants]
        if len(names) < 2:
            raise OptionError("a contest takes at least two entrants")
        if len(set(names)) < len(names):
            raise OptionError(f"two entrants have the same name: {', '.join(names)}")
        if self.games < 1 or self.most_rounds < 1:
            raise OptionError("a contest has at least one game, and a game at least one round")

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.entrants)), 2))

    @property
    def games_a_deal(self) -> int:
        return len(seatings(self.game.players))

    @property
    def deals(self) -> int:
        return -(-self.games // self.games_a_deal)

    def numbers(self) -> Iterator[int]:
        """The numbers of all games, deal by deal, so that an interrupted contest has treated all entrants alike."""
        return iter(range(self.deals * len(self.pairs) * self.games_a_deal))

    def deal_of(self, number: int) -> int:
        return number // (len(self.pairs) * self.games_a_deal)

    def pair_of(self, number: int) -> tuple[int, int]:
        return self.pairs[number // self.games_a_deal % len(self.pairs)]

    def seats_of(self, number: int) -> tuple[int, ...]:
        """Which entrant sits at each seat."""
        pair = self.pair_of(number)
        return tuple(pair[who] for who in seatings(self.game.players)[number % self.games_a_deal])

    def seed_of(self, *what: int) -> int:
        """A seed for a deal (one number), or for a player in a game (its number and the seat)."""
        return int(np.random.SeedSequence([self.seed, *what]).generate_state(1, np.uint64)[0])

    def to_dict(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "options": dict(self.game.chosen),
            "rules": self.game.rules_version,
            "entrants": [entrant.to_dict() for entrant in self.entrants],
            "games": self.games,
            "seed": self.seed,
            "most_rounds": self.most_rounds,
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> "Contest":
        return Contest(
            make(data["game"], **data["options"]),
            tuple(map(Entrant.from_dict, data["entrants"])),
            data["games"],
            data["seed"],
            data["most_rounds"],
        )


def read_entrants(texts: Sequence[str], limit: Limit, programs: Mapping[str, str]) -> tuple[Entrant, ...]:
    """The entrants that a command line names."""
    return tuple(Entrant.read(text, limit, programs) for text in texts)
