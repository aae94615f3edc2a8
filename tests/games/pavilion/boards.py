"""Positions of Summer Pavilion for tests: only what a test is about is written down."""

from collections import Counter
from typing import Any

import azulejos as az
from azulejos.games.pavilion.tables import BORDERS, LETTERS, STAR_LETTERS, STARS

STAR = {letters: star for side in STAR_LETTERS for star, letters in enumerate(side)}
SUPPLY = "PPGGOOYYBR"


def board(tiles: str = "", hand: str = "", score: int = 5, side: str = "coloured", passed: bool = False) -> str:
    """A board from its tiles, as actions name them: `B6 C4R`."""
    stars = [["."] * 6 for _ in range(STARS)]
    for text in tiles.split():
        name = text.rstrip(LETTERS)[:-1] if side == "plain" or text[0] == "C" else text[0]
        stars[STAR[name]][int(text[len(name)]) - 1] = text[len(name) + 1 :] or name
    return f"{score} {in_order(hand) or '-'} {'/'.join(''.join(star) for star in stars)}" + " passed" * passed


def in_order(tiles: str) -> str:
    """Tiles in the order in which positions are written; the token, or '-' for none, comes first."""
    return "".join(sorted(tiles, key=f"-1{LETTERS}".index))


def position(
    *boards: str,
    side: str = "coloured",
    round_no: int = 1,
    phase: str = "decorating seat 0",
    start: int = 0,
    supply: str = SUPPLY,
    factories: str = "- - - - -",
    centre: str = "-",
    tower: str = "",
    rest: str = "bag",
) -> az.State:
    """A position in which all tiles that are nowhere else are in the bag, the tower, or the hand of the last seat."""
    given = list(boards or (board(), board()))
    used = Counter(
        letter for text in (supply, factories, centre, tower, *given) for letter in text if letter in LETTERS
    )
    left = {letter: 22 - used[letter] for letter in LETTERS}
    counts = {"bag": Counter[str](), "tower": Counter(tower)}
    if rest in counts:
        counts[rest] += Counter(left)
    else:
        score, hand, *others = given[-1].split()
        tiles = Counter(hand.replace("-", "")) + Counter(left)
        given[-1] = " ".join([score, "".join(letter * tiles[letter] for letter in LETTERS), *others])
    bag, lost = ("".join(f"{k}{counts[place][k]}" for k in LETTERS if counts[place][k]) or "-" for place in counts)
    head = f"pavilion {side} round {round_no} {phase} start {start}"
    sources = " ".join(map(in_order, factories.split()))
    return az.parse(" | ".join([head, supply or "-", sources, in_order(centre), bag, lost, *given]))


def data(state: az.State, seat: int | None = None) -> dict[str, Any]:
    """A position, or one of its boards, as plain data."""
    found: dict[str, Any] = state.to_dict() if seat is None else state.to_dict()["boards"][seat]
    return found


def tiles(state: az.State) -> Counter[str]:
    """All tiles of a state by colour, wherever they are."""
    whole = state.to_dict()
    found = Counter[str]()
    for place in [*whole["factories"], *(whole[name] for name in ("centre", "supply", "bag", "tower"))]:
        found.update(place)
    for one in whole["boards"]:
        found.update(one["tiles"])
        found.update(one["kept"])
        found.update(tile for star in one["stars"].values() for tile in star if tile)
    return found


def names(state: az.State) -> list[str]:
    """The legal actions as texts."""
    return [str(action) for action in state.actions]


def rhombus(star: int, position: int, side: str = "coloured", colour: str | None = None) -> str:
    """A rhombus as an action names it, with a colour where one is to be named."""
    letters = STAR_LETTERS[side == "plain"][star]
    return f"{letters}{position + 1}" + ("" if side == "coloured" and letters != "C" else colour or "")


def around(ornament: int) -> list[str]:
    """The rhombi around an ornament on the coloured side, those of the central star in different colours."""
    return [rhombus(star, position, colour=LETTERS[position]) for star, position in BORDERS[ornament]]
